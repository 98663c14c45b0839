/* Scans Verilog tokens; short names are found in a small cache before the table of names. */
#include "read/verilog/verilog_lex.h"

#include <stdio.h>

#define N LEX_NAME
#define D LEX_DIGIT
#define S LEX_SPACE
#define C LEX_CHAR
const uint8_t lex_class[256] = {
  ['\t'] = S, ['\n'] = S, ['\v'] = S, ['\f'] = S, ['\r'] = S, [' '] = S, ['0'] = D, ['1'] = D,
  ['2'] = D,  ['3'] = D,  ['4'] = D,  ['5'] = D,  ['6'] = D,  ['7'] = D, ['8'] = D, ['9'] = D,
  ['A'] = N,  ['B'] = N,  ['C'] = N,  ['D'] = N,  ['E'] = N,  ['F'] = N, ['G'] = N, ['H'] = N,
  ['I'] = N,  ['J'] = N,  ['K'] = N,  ['L'] = N,  ['M'] = N,  ['N'] = N, ['O'] = N, ['P'] = N,
  ['Q'] = N,  ['R'] = N,  ['S'] = N,  ['T'] = N,  ['U'] = N,  ['V'] = N, ['W'] = N, ['X'] = N,
  ['Y'] = N,  ['Z'] = N,  ['a'] = N,  ['b'] = N,  ['c'] = N,  ['d'] = N, ['e'] = N, ['f'] = N,
  ['g'] = N,  ['h'] = N,  ['i'] = N,  ['j'] = N,  ['k'] = N,  ['l'] = N, ['m'] = N, ['n'] = N,
  ['o'] = N,  ['p'] = N,  ['q'] = N,  ['r'] = N,  ['s'] = N,  ['t'] = N, ['u'] = N, ['v'] = N,
  ['w'] = N,  ['x'] = N,  ['y'] = N,  ['z'] = N,  ['_'] = N,  ['$'] = N, [')'] = C, ['['] = C,
  [']'] = C,  ['{'] = C,  ['}'] = C,  ['.'] = C,  [','] = C,  [';'] = C, [':'] = C, ['='] = C,
  ['#'] = C,
};
#undef N
#undef D
#undef S
#undef C

static inline uint8_t class_of(const char *p) { return lex_class[(uint8_t)*p]; }

bool lex_more(Lexer *x)
{
  char *keep = x->at;
  if (x->in->state == NULL) return false;      /* a macro's text */
  bool more = input_refill(x->in, &keep);
  x->at = keep;
  if (x->in->failed) x->kind = TOKEN_BAD;
  return more;
}

char lex_peek(Lexer *x)
{
  if (*x->in->cur == '\0' && x->in->cur == x->in->end) lex_more(x);
  return *x->in->cur;
}

Status lex_fail(Lexer *x, const char *code, const char *format, ...)
{
  if (x->kind == TOKEN_BAD) return FAILED;     /* a consequence of an error that was told */
  Text text = { 0 };
  va_list args;
  va_start(args, format);
  text_vprintf(&text, format, args);
  va_end(args);
  log_error(x->log, code, lex_where(x), "%s", text_get(&text));
  text_free(&text);
  x->kind = TOKEN_BAD;
  return FAILED;
}

const char *lex_show(Lexer *x)
{
  Text *t = &x->scratch;
  text_clear(t);
  switch (x->kind) {
  case TOKEN_NAME:
  case TOKEN_KEYWORD: text_printf(t, "'%.60s'", names_text(x->names, x->name)); break;
  case TOKEN_INTEGER: text_printf(t, "'%llu'", (unsigned long long)x->value); break;
  case TOKEN_BITS: text_put(t, "a constant"); break;
  case TOKEN_REAL: text_put(t, "a real number"); break;
  case TOKEN_STRING: text_put(t, "a string"); break;
  default: text_printf(t, "'%c'", x->kind);
  }
  return text_get(t);
}

/* --- comments and attributes ------------------------------------------------------------------ */
static void skip_line_comment(Lexer *x)
{
  for (;;) {
    char *newline = memchr(x->in->cur, '\n', (size_t)(x->in->end - x->in->cur));
    x->at = x->in->cur = newline ? newline : x->in->end;
    if (newline || !lex_more(x)) return;
  }
}

static bool unclosed(Lexer *x, Where start, const char *what, const char *last)
{
  if (x->kind != TOKEN_BAD)
    log_error(x->log, "VLOG-002", start, "the %s is not closed, expected %s", what, last);
  x->kind = TOKEN_BAD;
  return false;
}

/* Moves past the two characters `last`, from cur on.  Skips strings, if the language part has
   strings. */
static bool skip_past(Lexer *x, const char *last, const char *what, bool strings)
{
  Where start = lex_where(x);
  char before = '\0';
  bool quoted = false;
  do {
    Input *in = x->in;
    while (in->cur < in->end) {
      char c = *in->cur++;
      if (c == '\n') input_newline(in);
      if (c == '"' && strings && before != '\\') quoted = !quoted;
      if (c == last[1] && before == last[0] && !quoted) return true;
      before = c;
    }
    x->at = in->cur;
  } while (lex_more(x));
  return unclosed(x, start, what, last);
}

bool lex_skip_comment(Lexer *x)
{
  x->at = x->in->cur++;
  char c = lex_peek(x);
  if (c == '/') {
    skip_line_comment(x);
    return true;
  }
  if (c == '*') {
    x->in->cur++;
    skip_past(x, "*/", "comment", false);
    return true;
  }
  return false;
}

static bool skip_attribute(Lexer *x)
{
  x->in->cur++;
  if (lex_peek(x) != '*') return false;
  x->in->cur++;
  x->attributes++;
  skip_past(x, "*)", "attribute", true);
  return true;
}

/* --- tokens ----------------------------------------------------------------------------------- */
/* A text of at most eight bytes is compared as one word and a length. */
static NameId frequent_name(Lexer *x, const char *text, size_t length)
{
  if (length > 8) return names_add(x->names, text, length);
  uint64_t word = hash_tail_word(text, length);
  LexName *name = &x->frequent[hash_u64(word) % LEX_FREQUENT];
  if (name->word != word || name->length != length)
    *name = (LexName){ word, (uint32_t)length, names_add(x->names, text, length) };
  return name->id;
}

static __attribute__((noinline)) void scan_name(Lexer *x)
{
  Input *in = x->in;
  bool port_or_cell = x->kind == '.' || x->kind == ';';     /* what stands there comes again and
                                                               again */
  char *p = in->cur;
  for (;;) {
    while (class_of(p) & (LEX_NAME | LEX_DIGIT)) p++;
    in->cur = p;
    if (p != in->end || !lex_more(x)) break;
    p = in->cur;
  }
  size_t length = (size_t)(in->cur - x->at);
  x->name = port_or_cell ? frequent_name(x, x->at, length) : names_add(x->names, x->at, length);
  x->escaped = false;
  x->kind = TOKEN_NAME;
  x->keyword = KEY_NONE;
  if (x->name < x->keyword_count && x->keywords[x->name]) {
    x->keyword = x->keywords[x->name];
    if (!keyword_is_soft(x->keyword)) x->kind = TOKEN_KEYWORD;
  }
}

static void scan_escaped(Lexer *x)
{
  Input *in = x->in;
  for (;;) {
    while (!(class_of(in->cur) & LEX_SPACE) && *in->cur) in->cur++;
    if (in->cur != in->end || !lex_more(x)) break;
  }
  if (in->cur - x->at == 1) {
    lex_fail(x, "VLOG-003", "an escaped name is empty, expected a name after '\\'");
    return;
  }
  x->name = names_add(x->names, x->at + 1, (size_t)(in->cur - x->at) - 1);
  x->escaped = true;
  x->keyword = KEY_NONE;
  x->kind = TOKEN_NAME;
}

static void scan_string(Lexer *x)
{
  x->in->cur++;
  for (char c; (c = lex_peek(x)) != '"'; x->in->cur++) {
    if (c == '\\') {
      x->in->cur++;
      c = lex_peek(x);
    }
    if (c == '\n' || (c == '\0' && x->in->cur == x->in->end)) {
      lex_fail(x, "VLOG-002", "the string is not closed, expected '\"' on the same line");
      return;
    }
  }
  x->in->cur++;
  x->kind = TOKEN_STRING;
}

static void finish(Lexer *x)
{
  x->kind = TOKEN_END;
  if (x->conditions.len == 0) return;
  log_error(x->log, "VLOG-012", x->conditions.at[x->conditions.len - 1].where,
            "this `ifdef or `ifndef has no `endif");
  x->kind = TOKEN_BAD;
}

/* At a NUL: the window's end, the source's end, or a byte of a binary file. */
static bool at_nul(Lexer *x)
{
  if (x->in->cur != x->in->end)
    return lex_fail(x, "VLOG-001", "a NUL byte: this is no text file") == OK;
  if (lex_more(x)) return true;
  if (x->kind == TOKEN_BAD) return false;
  if (lex_pop(x)) return true;
  finish(x);
  return false;
}

/* Scans anything except names.  Returns true if it was no token and scanning continues. */
static bool scan_other(Lexer *x)
{
  char c = *x->in->cur;
  if (class_of(x->at) & LEX_DIGIT) {
    lex_number(x);
    return false;
  }
  switch (c) {
    case '\0': return at_nul(x);
    case '\\': scan_escaped(x); return false;
    case '\'': lex_number(x); return false;
    case '"': scan_string(x); return false;
    case '`': return lex_directive(x);
    case '/':
      if (lex_skip_comment(x)) return x->kind != TOKEN_BAD;
      break;
    case '(':
      if (skip_attribute(x)) return x->kind != TOKEN_BAD;
      break;
    default:
      if (c < ' ' || c == 127)
        return lex_fail(x, "VLOG-001", "byte 0x%02x is no character of Verilog text",
                        (unsigned)(uint8_t)c)
               == OK;
      x->in->cur++;
  }
  x->kind = c;
  return false;
}

static inline void skip_space(Input *in)
{
  char *p = in->cur;
  for (; class_of(p) & LEX_SPACE; p++) {
    if (*p != '\n') continue;
    in->cur = p + 1;
    input_newline(in);
  }
  in->cur = p;
}

/* Names and most single characters, which nearly all tokens are: little more than a look into the
   table. */
static inline bool scan_common(Lexer *x)
{
  Input *in = x->in;
  skip_space(in);
  char *p = x->at = in->cur;
  if (class_of(p) & LEX_NAME) {
    scan_name(x);
    return true;
  }
  if (!(class_of(p) & LEX_CHAR) && (*p != '(' || p[1] == '*' || p[1] == '\0')) return false;
  in->cur = p + 1;
  x->kind = *p;
  return true;
}

static __attribute__((noinline)) void scan_rest(Lexer *x)
{
  while (scan_other(x) && !scan_common(x)) {}
}

/* The functions that are not inline keep their registers and stack out of it. */
void lex_next(Lexer *x)
{
  if (x->kind != TOKEN_BAD && !scan_common(x)) scan_rest(x);
}
