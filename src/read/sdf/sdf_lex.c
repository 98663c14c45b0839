/* Splits an SDF file into parentheses, words and strings, and skips comments. */
#include <ctype.h>
#include <strings.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "read/sdf/sdf_private.h"
#include "read/scan.h"

/* Longer words are no names: the file is something else. */
enum { WORD_LIMIT = 1 << 20 };

enum { PLAIN = 0, BLANK = 1, CONTROL = 2, PAREN = 3, ESCAPE = 4, QUOTE = 5 };

static const uint8_t class_of[256] = {
  CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
  CONTROL, BLANK, BLANK, BLANK, BLANK, BLANK, CONTROL, CONTROL,
  CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
  CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
  [' '] = BLANK, ['('] = PAREN, [')'] = PAREN, ['\\'] = ESCAPE, ['"'] = QUOTE,
};

static unsigned class_at(const char *text) { return class_of[(unsigned char)*text]; }

Where sdf_where(const SdfLex *lex)
{
  if (lex->line != lex->in->line) return (Where){ lex->in->path, lex->line, 0 };
  return input_where_at(lex->in, lex->in->cur - lex->length - (lex->token == SDF_STRING ? 2 : 0));
}

static SdfToken fail(SdfLex *lex)
{
  lex->failed = true;
  return lex->token = SDF_END;
}

static SdfToken fail_at_control(SdfLex *lex)
{
  log_error(lex->log, "SDF-002", input_where(lex->in),
            "a byte of value %u, which no text has: this is no SDF file",
            (unsigned char)*lex->in->cur);
  return fail(lex);
}

static void unended(const SdfLex *lex, Where start, const char *what)
{
  if (!lex->failed) log_error(lex->log, "SDF-004", start, "this %s does not end", what);
}

/* cur is at the opening of a comment of the other kind. */
static bool skip_block(SdfLex *lex)
{
  Where start = input_where(lex->in);
  if (scan_block(lex->in, &lex->failed)) return true;
  unended(lex, start, "comment");
  fail(lex);
  return false;
}

/* Blanks and comments.  False at the end of the file and after a failure. */
static bool skip_blanks(SdfLex *lex)
{
  Input *in = lex->in;
  for (;;) {
    while (*in->cur == ' ') in->cur++;
    char c = *in->cur;
    if (c == '\n') {
      in->cur++;
      input_newline(in);
    } else if (class_at(in->cur) == BLANK) {
      in->cur++;
    } else if (c == '/' && scan_followed_by(in, NULL, '/', &lex->failed)) {
      scan_line(in, &lex->failed);
    } else if (c == '/' && scan_followed_by(in, NULL, '*', &lex->failed)) {
      if (!skip_block(lex)) return false;
    } else if (in->cur == in->end) {
      if (!scan_more(in, NULL, &lex->failed)) return false;
    } else {
      return !lex->failed;
    }
  }
}

static SdfToken read_string(SdfLex *lex)
{
  Where start = input_where(lex->in);
  if (scan_string(lex->in, &lex->text, &lex->length, &lex->failed)) return lex->token = SDF_STRING;
  unended(lex, start, "string");
  return fail(lex);
}

/* The first character that is not plain. */
static char *plain_end(const Input *in, char *text)
{
#ifdef __SSE2__
  const __m128i blank = _mm_set1_epi8(' '), quote = _mm_set1_epi8('"'), open = _mm_set1_epi8('('),
                close = _mm_set1_epi8(')'), escape = _mm_set1_epi8('\\');
  for (; in->end - text >= 16; text += 16) {
    __m128i w = _mm_loadu_si128((const __m128i *)text);
    __m128i stop = _mm_cmpeq_epi8(_mm_min_epu8(w, blank), w);
    stop = _mm_or_si128(stop, _mm_or_si128(_mm_cmpeq_epi8(w, open), _mm_cmpeq_epi8(w, close)));
    stop = _mm_or_si128(stop, _mm_or_si128(_mm_cmpeq_epi8(w, quote), _mm_cmpeq_epi8(w, escape)));
    unsigned found = (unsigned)_mm_movemask_epi8(stop);
    if (found) return text + __builtin_ctz(found);
  }
#endif
  (void)in;
  while (class_at(text) == PLAIN) text++;
  return text;
}

/* An escape and the escaped character, which is on the same line. */
static bool pass_escape(SdfLex *lex, char **keep)
{
  Input *in = lex->in;
  in->cur++;
  if (in->cur == in->end && !scan_more(in, keep, &lex->failed)) return false;
  if (class_at(in->cur) == CONTROL || *in->cur == '\n') return false;
  in->cur++;
  return true;
}

static SdfToken read_word(SdfLex *lex)
{
  Input *in = lex->in;
  char *keep = in->cur;
  for (;;) {
    in->cur = plain_end(in, in->cur);
    if (in->cur - keep > WORD_LIMIT) break;
    if (in->cur == in->end) {
      if (!scan_more(in, &keep, &lex->failed)) break;
    } else if (*in->cur != '\\' || !pass_escape(lex, &keep)) {
      break;
    }
  }
  if (lex->failed) return fail(lex);
  lex->token = SDF_WORD;
  lex->text = keep;
  lex->length = (uint32_t)(in->cur - keep);
  if (lex->length > WORD_LIMIT) {
    log_error(lex->log, "SDF-003", sdf_where(lex),
              "a word of more than %d characters: this is no SDF file", WORD_LIMIT);
    return fail(lex);
  }
  if (class_at(in->cur) == CONTROL && in->cur < in->end) return fail_at_control(lex);
  return lex->token;
}

char sdf_peek(SdfLex *lex) { return !lex->failed && skip_blanks(lex) ? *lex->in->cur : '\0'; }

SdfToken sdf_next(SdfLex *lex)
{
  bool found = !lex->failed && skip_blanks(lex);
  Input *in = lex->in;
  lex->line = in->line;
  lex->text = in->cur;
  lex->length = 0;
  if (!found) return lex->token = SDF_END;
  if (class_at(in->cur) == CONTROL) return fail_at_control(lex);
  if (*in->cur == '"') return read_string(lex);
  if (class_at(in->cur) != PAREN) return read_word(lex);
  lex->length = 1;
  return lex->token = *in->cur++ == '(' ? SDF_OPEN : SDF_CLOSE;
}

/* --- grammar ---------------------------------------------------------------------------------- */
bool sdf_is(const SdfLex *lex, const char *keyword)
{
  size_t length = strlen(keyword);
  return lex->token == SDF_WORD && lex->length == length
         && strncasecmp(lex->text, keyword, length) == 0;
}

Status sdf_unexpected(SdfLex *lex, const char *expected)
{
  if (lex->failed) return FAILED;
  if (lex->token == SDF_END)
    return log_error(lex->log, "SDF-006", sdf_where(lex), "the file ends here, expected %s",
                     expected);
  return log_error(lex->log, "SDF-007", sdf_where(lex), "found %s\"%.*s\", expected %s",
                   lex->token == SDF_STRING ? "the text " : "",
                   lex->length > 80 ? 80 : (int)lex->length, lex->text, expected);
}

Status sdf_expect(SdfLex *lex, SdfToken token, const char *expected)
{
  return sdf_next(lex) == token ? OK : sdf_unexpected(lex, expected);
}

Status sdf_skip(SdfLex *lex)
{
  for (uint32_t depth = 1; depth;) {
    SdfToken t = sdf_next(lex);
    if (t == SDF_END) return sdf_unexpected(lex, "a )");
    if (t == SDF_OPEN) depth++;
    if (t == SDF_CLOSE) depth--;
  }
  return OK;
}
