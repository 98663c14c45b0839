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

Status lex_ends(Reader *r, const char *inside)
{
  Input *in = r->in;
  if (in->failed) return FAILED;
  if (in->cur != in->end)
    return log_error(r->log, "LIB-001", input_where(in),
                     "a NUL character inside %s: this is no text file", inside);
  if (r->open_comment.line)
    return log_error(r->log, "LIB-003", r->open_comment, "the comment that begins here has no end");
  return log_error(r->log, "LIB-003", input_where(in), "the file ends inside %s", inside);
}

Status lex_unexpected(Reader *r, const char *expected)
{
  uint8_t c = (uint8_t)*r->in->cur;
  Where at = input_where(r->in);
  if (c >= ' ' && c < 127)
    return log_error(r->log, "LIB-001", at, "unexpected character '%c'%s", c, expected);
  return log_error(r->log, "LIB-001", at, "unexpected byte 0x%02x%s", c, expected);
}

/* The character n places on (n small); 0 at the end of the file. */
static char peek(Reader *r, int n)
{
  Input *in = r->in;
  while (in->end - in->cur <= n)
    if (!input_refill(in, NULL)) return 0;
  return in->cur[n];
}

static void pass_newline(Reader *r)
{
  r->in->cur++;
  input_newline(r->in);
}

/* More text at the window's end; false at the end of the file or at a NUL in it. */
static bool more(Reader *r) { return r->in->cur == r->in->end && input_refill(r->in, NULL); }

/* Skips a comment.  An unclosed comment ends with the file; lex_ends then gives where it began. */
static void skip_block_comment(Reader *r)
{
  Input *in = r->in;
  r->open_comment = input_where(in);
  in->cur += 2;
  for (;;) {
    char c = *in->cur;
    if (c == '\n') pass_newline(r);
    else if (c == '\0' && !more(r)) { if (in->cur == in->end) return; in->cur++; }
    else if (c == '*' && peek(r, 1) == '/') break;
    else if (c) in->cur++;
  }
  in->cur += 2;
  r->open_comment.line = 0;
}

static void skip_line_comment(Reader *r)
{
  Input *in = r->in;
  for (;;) {
    while (*in->cur && *in->cur != '\n') in->cur++;
    if (*in->cur == '\n' || !more(r)) return;
  }
}

/* Over a comment at '/'; false when it is none. */
static bool skip_comment(Reader *r)
{
  char next = peek(r, 1);
  if (next == '*') skip_block_comment(r);
  else if (next == '/') skip_line_comment(r);
  else return false;
  return true;
}

int lex_skip(Reader *r)
{
  Input *in = r->in;
  for (;;) {
    while (is(*in->cur, BLANK)) in->cur++;
    switch (*in->cur) {
    case '\n': pass_newline(r); break;
    case '\\':
      if (!isspace((unsigned char)peek(r, 1))) return '\\';
      in->cur++;
      break;
    case '/':
      if (!skip_comment(r)) return '/';
      break;
    case '\0':
      if (!more(r)) return 0;
      break;
    default: return (uint8_t)*in->cur;
    }
  }
}

size_t lex_word(Reader *r, char **start)
{
  Input *in = r->in;
  char *s = in->cur;
  do {
    while (is(*in->cur, WORD)) in->cur++;
  } while (in->cur == in->end && input_refill(in, &s));
  *start = s;
  return (size_t)(in->cur - s);
}

/* --- strings and values ----------------------------------------------------------------------- */

/* At '\\' in a string: a line's continuation is nothing, \" a quote, all else itself. */
static void read_escape(Reader *r, Text *to)
{
  Input *in = r->in;
  char next = peek(r, 1);
  if (next == '\r' && peek(r, 2) == '\n') {
    in->cur += 2;
    pass_newline(r);
  } else if (next == '\n') {
    in->cur++;
    pass_newline(r);
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
static Status read_string(Reader *r, Text *to)
{
  Input *in = r->in;
  in->cur++;
  for (;;) {
    char *s = in->cur;
    while (is(*in->cur, STRING)) in->cur++;
    text_add(to, s, (size_t)(in->cur - s));
    switch (*in->cur) {
    case '"': in->cur++; return OK;
    case '\\': read_escape(r, to); break;
    case '\n':
      text_char(to, ' ');
      pass_newline(r);
      break;
    case '\0':
      if (!more(r)) return lex_ends(r, "a quoted text");
      break;
    }
  }
}

static void trim(Text *t)
{
  while (t->len && isspace((unsigned char)t->at[t->len - 1])) t->at[--t->len] = '\0';
}

/* "//" begins a comment after a blank only: bare values may hold addresses. */
static bool at_comment(Reader *r, const Text *so_far)
{
  char next = peek(r, 1);
  return next == '*'
         || (next == '/'
             && (so_far->len == 0 || isspace((unsigned char)so_far->at[so_far->len - 1])));
}

/* Reads an unquoted value, up to ';', the end of the line, or '}'. */
static Status read_bare(Reader *r, Text *to)
{
  Input *in = r->in;
  for (;;) {
    char *s = in->cur;
    while (is(*in->cur, BARE)) in->cur++;
    text_add(to, s, (size_t)(in->cur - s));
    switch (*in->cur) {
    case '\0':
      if (!more(r)) return lex_ends(r, "a value");
      break;
    case '\\':
      if (peek(r, 1) == '\n' || peek(r, 1) == '\r') { lex_skip(r); break; }
      text_char(to, '\\');
      in->cur++;
      break;
    case '/':
      if (at_comment(r, to)) { skip_comment(r); break; }
      text_char(to, '/');
      in->cur++;
      break;
    case '"':
      if (read_string(r, to) != OK) return FAILED;
      break;
    default:
      trim(to);
      return OK;
    }
  }
}

Status lex_value(Reader *r)
{
  Input *in = r->in;
  text_clear(&r->value);
  int c = lex_skip(r);
  r->value_at = input_where(in);
  if (c == '"' && read_string(r, &r->value) != OK) return FAILED;
  if (c == '"' && *in->cur == ';') {
    in->cur++;
    return OK;
  }
  if (read_bare(r, &r->value) != OK) return FAILED;
  if (*in->cur == ';') in->cur++;
  return OK;
}

/* --- argument lists --------------------------------------------------------------------------- */

static Status read_bare_arg(Reader *r)
{
  Input *in = r->in;
  for (;;) {
    char *s = in->cur;
    while (is(*in->cur, ARGUMENT)) in->cur++;
    text_add(&r->arg_text, s, (size_t)(in->cur - s));
    if (*in->cur == '\0' && more(r)) continue;
    if (*in->cur == '/' && peek(r, 1) != '*' && peek(r, 1) != '/') {
      text_char(&r->arg_text, *in->cur++);
    } else if (*in->cur == '\\' && peek(r, 1) > ' ') {
      text_char(&r->arg_text, '\\');
      text_char(&r->arg_text, in->cur[1]);
      in->cur += 2;
    } else {
      return OK;
    }
  }
}

/* One argument at cur. */
static Status read_arg(Reader *r)
{
  Input *in = r->in;
  char *before = in->cur;
  int64_t offset = input_offset(in);
  array_push(&r->args, (uint32_t)r->arg_text.len);
  Status status = *before == '"' ? read_string(r, &r->arg_text) : read_bare_arg(r);
  if (status == OK && input_offset(in) == offset)
    status = lex_unexpected(r, " in a list in parentheses");
  text_add(&r->arg_text, "", 1);
  return status;
}

Status lex_args(Reader *r)
{
  r->args.len = 0;
  text_clear(&r->arg_text);
  for (;;) {
    switch (lex_skip(r)) {
    case 0: return lex_ends(r, "a list in parentheses");
    case ')': r->in->cur++; return OK;
    case ',': r->in->cur++; break;
    default:
      if (read_arg(r) != OK) return FAILED;
    }
  }
}

/* One number at cur.  Numbers near the window's end are read again with more text behind them. */
static Status read_number(Reader *r)
{
  enum { NEAR = 64 };
  Input *in = r->in;
  const char *end;
  if (in->end - in->cur < NEAR) input_refill(in, NULL);
  double v = text_number(in->cur, &end);
  while (end == in->end && input_refill(in, NULL)) v = text_number(in->cur, &end);
  if (end == in->cur || !(is(*end, NUMBER_END) || *end == '/' || *end == '\0'))
    return log_error(r->log, "LIB-007", input_where(in), "expected a number in the list");
  if (!isfinite((float)v))
    return log_error(r->log, "LIB-006", input_where(in), "the number is too large");
  array_push(&r->numbers, v);
  in->cur = (char *)end;
  return OK;
}

Status lex_numbers(Reader *r)
{
  Input *in = r->in;
  bool quoted = false;
  array_clear(&r->numbers);
  for (;;) {
    while (is(*in->cur, BLANK) || *in->cur == ',') in->cur++;
    switch (*in->cur) {
    case '"':
      quoted = !quoted;
      in->cur++;
      break;
    case ')':
      if (quoted)
        return log_error(r->log, "LIB-007", input_where(in), "a quote is not closed before ')'");
      in->cur++;
      return OK;
    case '\n': case '\\': case '/': case '\0': {
      int c = lex_skip(r);
      if (c == 0) return lex_ends(r, "a list of numbers");
      if (c == '/' || c == '\\')
        return lex_unexpected(r, " in a list of numbers");
      break;
    }
    default:
      if (read_number(r) != OK) return FAILED;
    }
  }
}

/* --- passing over ----------------------------------------------------------------------------- */

/* Skips a quoted text. */
static Status skip_string(Reader *r)
{
  Input *in = r->in;
  in->cur++;
  for (;;) {
    while (is(*in->cur, STRING)) in->cur++;
    switch (*in->cur) {
    case '"': in->cur++; return OK;
    case '\n': pass_newline(r); break;
    case '\\':
      in->cur++;
      if (*in->cur == '\0' && !more(r)) return lex_ends(r, "a quoted text");
      if (*in->cur == '"' || *in->cur == '\\') in->cur++;
      break;
    case '\0':
      if (!more(r)) return lex_ends(r, "a quoted text");
      break;
    }
  }
}

/* A comment in text that is passed over; "//" only after a blank, as in values. */
static bool skip_comment_in_body(Reader *r)
{
  Input *in = r->in;
  bool after_blank = in->cur == in->window || isspace((unsigned char)in->cur[-1]);
  return (peek(r, 1) == '*' || after_blank) && skip_comment(r);
}

/* Over text in which `open` and `close` nest; one is open. */
static Status skip_nested(Reader *r, char open, char close, const char *inside)
{
  Input *in = r->in;
  for (uint64_t depth = 1; depth;) {
    while (is(*in->cur, BODY) && *in->cur != open && *in->cur != close) in->cur++;
    char c = *in->cur;
    if (c == '"') {
      if (skip_string(r) != OK) return FAILED;
    } else if (c == '\n') {
      pass_newline(r);
    } else if (c == '\0') {
      if (!more(r)) return lex_ends(r, inside);
    } else if (c != '/' || !skip_comment_in_body(r)) {
      depth += c == open;
      depth -= c == close;
      in->cur++;
    }
  }
  return OK;
}

Status lex_skip_parens(Reader *r) { return skip_nested(r, '(', ')', "a list in parentheses"); }
Status lex_skip_group(Reader *r) { return skip_nested(r, '{', '}', "a group"); }
