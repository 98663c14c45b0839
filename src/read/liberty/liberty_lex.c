/* Splits a Liberty file into words, values, arguments and lists of numbers. */
#include <ctype.h>
#include <math.h>

#include "read/liberty/liberty_reader.h"

/* Classes of characters; NUL is in none, so that loops stop at the window's end. */
enum { WORD = 1, BLANK = 2, STRING = 4, BODY = 8, BARE = 16, ARGUMENT = 32, NUMBER_END = 64 };

#define LETTERS ['a' ... 'z'] = WORD | STRING | BODY | BARE | ARGUMENT, \
  ['A' ... 'Z'] = WORD | STRING | BODY | BARE | ARGUMENT
#define SIGN (STRING | BODY | BARE | ARGUMENT)

static const uint8_t class_of[256] = {
  [1 ... 8] = SIGN, [14 ... 31] = SIGN, [127 ... 255] = SIGN,
  ['\t'] = BLANK | STRING | BODY | BARE | NUMBER_END,
  [' '] = BLANK | STRING | BODY | BARE | NUMBER_END,
  ['\r'] = BLANK | STRING | BODY | BARE | NUMBER_END,
  ['\f'] = BLANK | STRING | BODY | BARE | NUMBER_END,
  ['\v'] = BLANK | STRING | BODY | BARE | NUMBER_END, ['\n'] = NUMBER_END,
  LETTERS, ['0' ... '9'] = WORD | SIGN, ['_'] = WORD | SIGN, ['.'] = WORD | SIGN,
  ['-'] = WORD | SIGN,
  ['$'] = WORD | SIGN,
  ['!'] = SIGN, ['#'] = SIGN, ['%'] = SIGN, ['&'] = SIGN, ['\''] = SIGN, ['*'] = SIGN,
  ['+'] = SIGN, [':'] = SIGN,
  ['<'] = SIGN, ['='] = SIGN, ['>'] = SIGN, ['?'] = SIGN, ['@'] = SIGN, ['['] = SIGN,
  [']'] = SIGN, ['^'] = SIGN,
  ['`'] = SIGN, ['|'] = SIGN, ['~'] = SIGN,
  [','] = STRING | BODY | BARE | NUMBER_END, ['('] = STRING | BODY | BARE,
  [')'] = STRING | BODY | BARE | NUMBER_END,
  [';'] = STRING | BODY, ['{'] = STRING | BARE, ['}'] = STRING, ['/'] = STRING,
  ['"'] = NUMBER_END, ['\\'] = BODY | NUMBER_END
};

static inline bool is(char c, uint8_t class) { return class_of[(uint8_t)c] & class; }

Status lex_ends(Reader *reader, const char *inside)
{
  Input *in = reader->in;
  if (in->failed) return FAILED;
  if (in->cur != in->end)
    return log_error(reader->log, "LIB-001", input_where(in),
                     "a NUL character inside %s: this is no text file", inside);
  if (reader->open_comment.line)
    return log_error(reader->log, "LIB-003", reader->open_comment,
                     "the comment that begins here has no end");
  return log_error(reader->log, "LIB-003", input_where(in), "the file ends inside %s", inside);
}

Status lex_unexpected(Reader *reader, const char *expected)
{
  uint8_t c = (uint8_t)*reader->in->cur;
  Where at = input_where(reader->in);
  if (c >= ' ' && c < 127)
    return log_error(reader->log, "LIB-001", at, "unexpected character '%c'%s", c, expected);
  return log_error(reader->log, "LIB-001", at, "unexpected byte 0x%02x%s", c, expected);
}

/* The character n places on (n small); 0 at the end of the file. */
static char peek(Reader *reader, int n)
{
  Input *in = reader->in;
  while (in->end - in->cur <= n)
    if (!input_refill(in, NULL)) return 0;
  return in->cur[n];
}

static void pass_newline(Reader *reader)
{
  reader->in->cur++;
  input_newline(reader->in);
}

/* More text at the window's end; false at the end of the file or at a NUL in it. */
static bool more(Reader *reader)
{
  return reader->in->cur == reader->in->end && input_refill(reader->in, NULL);
}

/* Skips a comment.  An unclosed comment ends with the file; lex_ends then gives where it began. */
static void skip_block_comment(Reader *reader)
{
  Input *in = reader->in;
  reader->open_comment = input_where(in);
  in->cur += 2;
  for (;;) {
    char c = *in->cur;
    if (c == '\n') pass_newline(reader);
    else if (c == '\0' && !more(reader)) { if (in->cur == in->end) return; in->cur++; }
    else if (c == '*' && peek(reader, 1) == '/') break;
    else if (c) in->cur++;
  }
  in->cur += 2;
  reader->open_comment.line = 0;
}

static void skip_line_comment(Reader *reader)
{
  Input *in = reader->in;
  for (;;) {
    while (*in->cur && *in->cur != '\n') in->cur++;
    if (*in->cur == '\n' || !more(reader)) return;
  }
}

/* Over a comment at '/'; false when it is none. */
static bool skip_comment(Reader *reader)
{
  char next = peek(reader, 1);
  if (next == '*') skip_block_comment(reader);
  else if (next == '/') skip_line_comment(reader);
  else return false;
  return true;
}

int lex_skip(Reader *reader)
{
  Input *in = reader->in;
  for (;;) {
    while (is(*in->cur, BLANK)) in->cur++;
    switch (*in->cur) {
    case '\n': pass_newline(reader); break;
    case '\\':
      if (!isspace((unsigned char)peek(reader, 1))) return '\\';
      in->cur++;
      break;
    case '/':
      if (!skip_comment(reader)) return '/';
      break;
    case '\0':
      if (!more(reader)) return 0;
      break;
    default: return (uint8_t)*in->cur;
    }
  }
}

size_t lex_word(Reader *reader, char **start)
{
  Input *in = reader->in;
  char *text = in->cur;
  do {
    while (is(*in->cur, WORD)) in->cur++;
  } while (in->cur == in->end && input_refill(in, &text));
  *start = text;
  return (size_t)(in->cur - text);
}

/* --- strings and values ----------------------------------------------------------------------- */

/* At '\\' in a string: a line's continuation is nothing, \" a quote, all else itself. */
static void read_escape(Reader *reader, Text *to)
{
  Input *in = reader->in;
  char next = peek(reader, 1);
  if (next == '\r' && peek(reader, 2) == '\n') {
    in->cur += 2;
    pass_newline(reader);
  } else if (next == '\n') {
    in->cur++;
    pass_newline(reader);
  } else if (next == '"') {
    text_char(to, '"');
    in->cur += 2;
  } else {
    text_char(to, '\\');
    in->cur++;
    if (next == '\\') { text_char(to, next); in->cur++; }
  }
}

/* Reads a quoted text and appends its contents to `to`. */
static Status read_string(Reader *reader, Text *to)
{
  Input *in = reader->in;
  in->cur++;
  for (;;) {
    char *text = in->cur;
    while (is(*in->cur, STRING)) in->cur++;
    text_add(to, text, (size_t)(in->cur - text));
    switch (*in->cur) {
    case '"': in->cur++; return OK;
    case '\\': read_escape(reader, to); break;
    case '\n':
      text_char(to, ' ');
      pass_newline(reader);
      break;
    case '\0':
      if (!more(reader)) return lex_ends(reader, "a quoted text");
      break;
    }
  }
}

static void trim(Text *text)
{
  while (text->len && isspace((unsigned char)text->at[text->len - 1])) text->at[--text->len] = '\0';
}

/* "//" begins a comment after a blank only: bare values may hold addresses. */
static bool at_comment(Reader *reader, const Text *so_far)
{
  char next = peek(reader, 1);
  return next == '*'
         || (next == '/'
             && (so_far->len == 0 || isspace((unsigned char)so_far->at[so_far->len - 1])));
}

/* Reads an unquoted value, up to ';', the end of the line, or '}'. */
static Status read_bare(Reader *reader, Text *to)
{
  Input *in = reader->in;
  for (;;) {
    char *text = in->cur;
    while (is(*in->cur, BARE)) in->cur++;
    text_add(to, text, (size_t)(in->cur - text));
    switch (*in->cur) {
    case '\0':
      if (!more(reader)) return lex_ends(reader, "a value");
      break;
    case '\\':
      if (peek(reader, 1) == '\n' || peek(reader, 1) == '\r') { lex_skip(reader); break; }
      text_char(to, '\\');
      in->cur++;
      break;
    case '/':
      if (at_comment(reader, to)) { skip_comment(reader); break; }
      text_char(to, '/');
      in->cur++;
      break;
    case '"':
      if (read_string(reader, to) != OK) return FAILED;
      break;
    default:
      trim(to);
      return OK;
    }
  }
}

Status lex_value(Reader *reader)
{
  Input *in = reader->in;
  text_clear(&reader->value);
  int c = lex_skip(reader);
  reader->value_at = input_where(in);
  if (c == '"' && read_string(reader, &reader->value) != OK) return FAILED;
  if (c == '"' && *in->cur == ';') {
    in->cur++;
    return OK;
  }
  if (read_bare(reader, &reader->value) != OK) return FAILED;
  if (*in->cur == ';') in->cur++;
  return OK;
}

/* --- argument lists --------------------------------------------------------------------------- */

static Status read_bare_arg(Reader *reader)
{
  Input *in = reader->in;
  for (;;) {
    char *text = in->cur;
    while (is(*in->cur, ARGUMENT)) in->cur++;
    text_add(&reader->arg_text, text, (size_t)(in->cur - text));
    if (*in->cur == '\0' && more(reader)) continue;
    if (*in->cur == '/' && peek(reader, 1) != '*' && peek(reader, 1) != '/') {
      text_char(&reader->arg_text, *in->cur++);
    } else if (*in->cur == '\\' && peek(reader, 1) > ' ') {
      text_char(&reader->arg_text, '\\');
      text_char(&reader->arg_text, in->cur[1]);
      in->cur += 2;
    } else {
      return OK;
    }
  }
}

/* One argument at cur. */
static Status read_arg(Reader *reader)
{
  Input *in = reader->in;
  char *before = in->cur;
  int64_t offset = input_offset(in);
  array_push(&reader->args, (uint32_t)reader->arg_text.len);
  Status status = *before == '"' ? read_string(reader, &reader->arg_text) : read_bare_arg(reader);
  if (status == OK && input_offset(in) == offset)
    status = lex_unexpected(reader, " in a list in parentheses");
  text_add(&reader->arg_text, "", 1);
  return status;
}

Status lex_args(Reader *reader)
{
  reader->args.len = 0;
  text_clear(&reader->arg_text);
  for (;;) {
    switch (lex_skip(reader)) {
    case 0: return lex_ends(reader, "a list in parentheses");
    case ')': reader->in->cur++; return OK;
    case ',': reader->in->cur++; break;
    default:
      if (read_arg(reader) != OK) return FAILED;
    }
  }
}

/* One number at cur.  Numbers near the window's end are read again with more text behind them. */
static Status read_number(Reader *reader)
{
  enum { NEAR = 64 };
  Input *in = reader->in;
  const char *end;
  if (in->end - in->cur < NEAR) input_refill(in, NULL);
  double v = text_number(in->cur, &end);
  while (end == in->end && input_refill(in, NULL)) v = text_number(in->cur, &end);
  if (end == in->cur || !(is(*end, NUMBER_END) || *end == '/' || *end == '\0'))
    return log_error(reader->log, "LIB-007", input_where(in), "expected a number in the list");
  if (!isfinite((float)v))
    return log_error(reader->log, "LIB-006", input_where(in), "the number is too large");
  array_push(&reader->numbers, v);
  in->cur = (char *)end;
  return OK;
}

Status lex_numbers(Reader *reader)
{
  Input *in = reader->in;
  bool quoted = false;
  array_clear(&reader->numbers);
  for (;;) {
    while (is(*in->cur, BLANK) || *in->cur == ',') in->cur++;
    switch (*in->cur) {
    case '"':
      quoted = !quoted;
      in->cur++;
      break;
    case ')':
      if (quoted)
        return log_error(reader->log, "LIB-007", input_where(in),
                         "a quote is not closed before ')'");
      in->cur++;
      return OK;
    case '\n': case '\\': case '/': case '\0': {
      int c = lex_skip(reader);
      if (c == 0) return lex_ends(reader, "a list of numbers");
      if (c == '/' || c == '\\')
        return lex_unexpected(reader, " in a list of numbers");
      break;
    }
    default:
      if (read_number(reader) != OK) return FAILED;
    }
  }
}

/* --- passing over ----------------------------------------------------------------------------- */

/* Skips a quoted text. */
static Status skip_string(Reader *reader)
{
  Input *in = reader->in;
  in->cur++;
  for (;;) {
    while (is(*in->cur, STRING)) in->cur++;
    switch (*in->cur) {
    case '"': in->cur++; return OK;
    case '\n': pass_newline(reader); break;
    case '\\':
      in->cur++;
      if (*in->cur == '\0' && !more(reader)) return lex_ends(reader, "a quoted text");
      if (*in->cur == '"' || *in->cur == '\\') in->cur++;
      break;
    case '\0':
      if (!more(reader)) return lex_ends(reader, "a quoted text");
      break;
    }
  }
}

/* A comment in text that is passed over; "//" only after a blank, as in values. */
static bool skip_comment_in_body(Reader *reader)
{
  Input *in = reader->in;
  bool after_blank = in->cur == in->window || isspace((unsigned char)in->cur[-1]);
  return (peek(reader, 1) == '*' || after_blank) && skip_comment(reader);
}

/* Over text in which `open` and `close` nest; one is open. */
static Status skip_nested(Reader *reader, char open, char close, const char *inside)
{
  Input *in = reader->in;
  for (uint64_t depth = 1; depth;) {
    while (is(*in->cur, BODY) && *in->cur != open && *in->cur != close) in->cur++;
    char c = *in->cur;
    if (c == '"') {
      if (skip_string(reader) != OK) return FAILED;
    } else if (c == '\n') {
      pass_newline(reader);
    } else if (c == '\0') {
      if (!more(reader)) return lex_ends(reader, inside);
    } else if (c != '/' || !skip_comment_in_body(reader)) {
      depth += c == open;
      depth -= c == close;
      in->cur++;
    }
  }
  return OK;
}

Status lex_skip_parens(Reader *reader)
{
  return skip_nested(reader, '(', ')', "a list in parentheses");
}
Status lex_skip_group(Reader *reader) { return skip_nested(reader, '{', '}', "a group"); }
