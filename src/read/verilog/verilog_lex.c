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

bool lex_more(Lexer *lexer)
{
  char *keep = lexer->at;
  if (lexer->in->state == NULL) return false;      /* a macro's text */
  bool more = input_refill(lexer->in, &keep);
  lexer->at = keep;
  if (lexer->in->failed) lexer->kind = TOKEN_BAD;
  return more;
}

char lex_peek(Lexer *lexer)
{
  if (*lexer->in->cur == '\0' && lexer->in->cur == lexer->in->end) lex_more(lexer);
  return *lexer->in->cur;
}

Status lex_fail(Lexer *lexer, const char *code, const char *format, ...)
{
  if (lexer->kind == TOKEN_BAD) return FAILED;     /* a consequence of an error that was told */
  Text text = { 0 };
  va_list args;
  va_start(args, format);
  text_vprintf(&text, format, args);
  va_end(args);
  log_error(lexer->log, code, lex_where(lexer), "%s", text_get(&text));
  text_free(&text);
  lexer->kind = TOKEN_BAD;
  return FAILED;
}

const char *lex_show(Lexer *lexer)
{
  Text *text = &lexer->scratch;
  text_clear(text);
  switch (lexer->kind) {
  case TOKEN_NAME:
  case TOKEN_KEYWORD: text_printf(text, "'%.60s'", names_text(lexer->names, lexer->name)); break;
  case TOKEN_INTEGER: text_printf(text, "'%llu'", (unsigned long long)lexer->value); break;
  case TOKEN_BITS: text_put(text, "a constant"); break;
  case TOKEN_REAL: text_put(text, "a real number"); break;
  case TOKEN_STRING: text_put(text, "a string"); break;
  default: text_printf(text, "'%c'", lexer->kind);
  }
  return text_get(text);
}

/* --- comments and attributes ------------------------------------------------------------------ */
static void skip_line_comment(Lexer *lexer)
{
  for (;;) {
    char *newline = memchr(lexer->in->cur, '\n', (size_t)(lexer->in->end - lexer->in->cur));
    lexer->at = lexer->in->cur = newline ? newline : lexer->in->end;
    if (newline || !lex_more(lexer)) return;
  }
}

static bool unclosed(Lexer *lexer, Where start, const char *what, const char *last)
{
  if (lexer->kind != TOKEN_BAD)
    log_error(lexer->log, "VLOG-002", start, "the %s is not closed, expected %s", what, last);
  lexer->kind = TOKEN_BAD;
  return false;
}

/* Moves past the two characters `last`, from cur on.  Skips strings, if the language part has
   strings. */
static bool skip_past(Lexer *lexer, const char *last, const char *what, bool strings)
{
  Where start = lex_where(lexer);
  char before = '\0';
  bool quoted = false;
  do {
    Input *in = lexer->in;
    while (in->cur < in->end) {
      char c = *in->cur++;
      if (c == '\n') input_newline(in);
      if (c == '"' && strings && before != '\\') quoted = !quoted;
      if (c == last[1] && before == last[0] && !quoted) return true;
      before = c;
    }
    lexer->at = in->cur;
  } while (lex_more(lexer));
  return unclosed(lexer, start, what, last);
}

bool lex_skip_comment(Lexer *lexer)
{
  lexer->at = lexer->in->cur++;
  char c = lex_peek(lexer);
  if (c == '/') {
    skip_line_comment(lexer);
    return true;
  }
  if (c == '*') {
    lexer->in->cur++;
    skip_past(lexer, "*/", "comment", false);
    return true;
  }
  return false;
}

static bool skip_attribute(Lexer *lexer)
{
  lexer->in->cur++;
  if (lex_peek(lexer) != '*') return false;
  lexer->in->cur++;
  lexer->attributes++;
  skip_past(lexer, "*)", "attribute", true);
  return true;
}

/* --- tokens ----------------------------------------------------------------------------------- */
/* A text of at most eight bytes is compared as one word and a length. */
static NameId frequent_name(Lexer *lexer, const char *text, size_t length)
{
  if (length > 8) return names_add(lexer->names, text, length);
  uint64_t word = hash_tail_word(text, length);
  LexName *name = &lexer->frequent[hash_u64(word) % LEX_FREQUENT];
  if (name->word != word || name->length != length)
    *name = (LexName){ word, (uint32_t)length, names_add(lexer->names, text, length) };
  return name->id;
}

static __attribute__((noinline)) void scan_name(Lexer *lexer)
{
  Input *in = lexer->in;
  bool port_or_cell = lexer->kind == '.' || lexer->kind == ';'; /* what stands there comes again and
                                                               again */
  char *p = in->cur;
  for (;;) {
    while (class_of(p) & (LEX_NAME | LEX_DIGIT)) p++;
    in->cur = p;
    if (p != in->end || !lex_more(lexer)) break;
    p = in->cur;
  }
  size_t length = (size_t)(in->cur - lexer->at);
  lexer->name = port_or_cell ? frequent_name(lexer, lexer->at, length)
                             : names_add(lexer->names, lexer->at, length);
  lexer->escaped = false;
  lexer->kind = TOKEN_NAME;
  lexer->keyword = KEY_NONE;
  if (lexer->name < lexer->keyword_count && lexer->keywords[lexer->name]) {
    lexer->keyword = lexer->keywords[lexer->name];
    if (!keyword_is_soft(lexer->keyword)) lexer->kind = TOKEN_KEYWORD;
  }
}

static void scan_escaped(Lexer *lexer)
{
  Input *in = lexer->in;
  for (;;) {
    while (!(class_of(in->cur) & LEX_SPACE) && *in->cur) in->cur++;
    if (in->cur != in->end || !lex_more(lexer)) break;
  }
  if (in->cur - lexer->at == 1) {
    lex_fail(lexer, "VLOG-003", "an escaped name is empty, expected a name after '\\'");
    return;
  }
  lexer->name = names_add(lexer->names, lexer->at + 1, (size_t)(in->cur - lexer->at) - 1);
  lexer->escaped = true;
  lexer->keyword = KEY_NONE;
  lexer->kind = TOKEN_NAME;
}

static void scan_string(Lexer *lexer)
{
  lexer->in->cur++;
  for (char c; (c = lex_peek(lexer)) != '"'; lexer->in->cur++) {
    if (c == '\\') {
      lexer->in->cur++;
      c = lex_peek(lexer);
    }
    if (c == '\n' || (c == '\0' && lexer->in->cur == lexer->in->end)) {
      lex_fail(lexer, "VLOG-002", "the string is not closed, expected '\"' on the same line");
      return;
    }
  }
  lexer->in->cur++;
  lexer->kind = TOKEN_STRING;
}

static void finish(Lexer *lexer)
{
  lexer->kind = TOKEN_END;
  if (lexer->conditions.len == 0) return;
  log_error(lexer->log, "VLOG-012", lexer->conditions.at[lexer->conditions.len - 1].where,
            "this `ifdef or `ifndef has no `endif");
  lexer->kind = TOKEN_BAD;
}

/* At a NUL: the window's end, the source's end, or a byte of a binary file. */
static bool at_nul(Lexer *lexer)
{
  if (lexer->in->cur != lexer->in->end)
    return lex_fail(lexer, "VLOG-001", "a NUL byte: this is no text file") == OK;
  if (lex_more(lexer)) return true;
  if (lexer->kind == TOKEN_BAD) return false;
  if (lex_pop(lexer)) return true;
  finish(lexer);
  return false;
}

/* Scans anything except names.  Returns true if it was no token and scanning continues. */
static bool scan_other(Lexer *lexer)
{
  char c = *lexer->in->cur;
  if (class_of(lexer->at) & LEX_DIGIT) {
    lex_number(lexer);
    return false;
  }
  switch (c) {
    case '\0': return at_nul(lexer);
    case '\\': scan_escaped(lexer); return false;
    case '\'': lex_number(lexer); return false;
    case '"': scan_string(lexer); return false;
    case '`': return lex_directive(lexer);
    case '/':
      if (lex_skip_comment(lexer)) return lexer->kind != TOKEN_BAD;
      break;
    case '(':
      if (skip_attribute(lexer)) return lexer->kind != TOKEN_BAD;
      break;
    default:
      if (c < ' ' || c == 127)
        return lex_fail(lexer, "VLOG-001", "byte 0x%02x is no character of Verilog text",
                        (unsigned)(uint8_t)c)
               == OK;
      lexer->in->cur++;
  }
  lexer->kind = c;
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
static inline bool scan_common(Lexer *lexer)
{
  Input *in = lexer->in;
  skip_space(in);
  char *p = lexer->at = in->cur;
  if (class_of(p) & LEX_NAME) {
    scan_name(lexer);
    return true;
  }
  if (!(class_of(p) & LEX_CHAR) && (*p != '(' || p[1] == '*' || p[1] == '\0')) return false;
  in->cur = p + 1;
  lexer->kind = *p;
  return true;
}

static __attribute__((noinline)) void scan_rest(Lexer *lexer)
{
  while (scan_other(lexer) && !scan_common(lexer)) {}
}

/* The functions that are not inline keep their registers and stack out of it. */
void lex_next(Lexer *lexer)
{
  if (lexer->kind != TOKEN_BAD && !scan_common(lexer)) scan_rest(lexer);
}
