/* Splits a SPEF file into words. Common words are scanned sixteen characters at a time. */
#include <ctype.h>
#include <math.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "read/spef/spef_private.h"
#include "read/scan.h"

/* Longer words are no names: the file is something else. */
enum { WORD_LIMIT = 1 << 20 };

enum { PLAIN = 0, BLANK = 1, CONTROL = 2, SLASH = 3 };

static const uint8_t class_of[256] = {
  CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
  CONTROL, BLANK, BLANK, BLANK, BLANK, BLANK, CONTROL, CONTROL,
  CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
  CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
  [' '] = BLANK, ['/'] = SLASH,
};

static unsigned class_at(const char *text) { return class_of[(unsigned char)*text]; }

Where spef_where(const SpefLex *lex)
{
  if (lex->line != lex->in->line) return (Where){ lex->in->path, lex->line, 0 };
  return input_where_at(lex->in, lex->in->cur - lex->length - (lex->word == WORD_STRING ? 2 : 0));
}

int spef_shown(uint32_t length) { return length > 80 ? 80 : (int)length; }

static SpefWord fail(SpefLex *lex)
{
  lex->failed = true;
  return lex->word = WORD_END;
}

static SpefWord fail_at_control(SpefLex *lex)
{
  log_error(lex->log, "SPEF-002", input_where(lex->in),
            "a byte of value %u, which no text has: this is no SPEF file",
            (unsigned char)*lex->in->cur);
  return fail(lex);
}

static void unended(const SpefLex *lex, Where start, const char *what)
{
  if (!lex->failed) log_error(lex->log, "SPEF-004", start, "this %s does not end", what);
}

/* cur is at the opening of a comment of the other kind. */
static bool skip_block(SpefLex *lex)
{
  Where start = input_where(lex->in);
  if (scan_block(lex->in, &lex->failed)) return true;
  unended(lex, start, "comment");
  fail(lex);
  return false;
}

/* Blanks and comments.  False at the end of the file and after a failure. */
static bool skip_blanks(SpefLex *lex)
{
  Input *in = lex->in;
  for (;;) {
    while (*in->cur == ' ') in->cur++;
    char c = *in->cur;
    if (class_of[(unsigned char)c] == PLAIN) {
      return true;
    } else if (c == '\n') {
      in->cur++;
      input_newline(in);
    } else if (class_of[(unsigned char)c] == BLANK) {
      in->cur++;
    } else if (in->cur == in->end) {
      if (!scan_more(in, NULL, &lex->failed)) return false;
    } else if (c == '/' && scan_followed_by(lex->in, NULL, '/', &lex->failed)) {
      scan_line(in, &lex->failed);
    } else if (c == '/' && scan_followed_by(lex->in, NULL, '*', &lex->failed)) {
      if (!skip_block(lex)) return false;
    } else {
      return !lex->failed;
    }
  }
}

static SpefWord read_string(SpefLex *lex)
{
  Where start = input_where(lex->in);
  if (scan_string(lex->in, &lex->text, &lex->length, &lex->failed)) return lex->word = WORD_STRING;
  unended(lex, start, "string");
  return fail(lex);
}

/* A slash within a word: part of it, unless it opens a comment.  "/" and "*" before a digit is a
   divider before an index. */
static bool slash_ends(SpefLex *lex, char **keep)
{
  if (scan_followed_by(lex->in, keep, '/', &lex->failed)) return true;
  if (!scan_followed_by(lex->in, keep, '*', &lex->failed)) return false;
  Input *in = lex->in;
  if (in->cur + 2 == in->end) {
    in->cur += 2;
    scan_more(in, keep, &lex->failed);
    in->cur -= 2;
  }
  return !isdigit((unsigned char)in->cur[2]);
}

static SpefWord kind_of_word(const char *text, uint32_t length)
{
  if (text[0] != '*' || length < 2) return WORD_NAME;
  return (unsigned)(text[1] - '0') < 10    ? WORD_INDEX
         : isalpha((unsigned char)text[1]) ? WORD_KEYWORD
                                           : WORD_NAME;
}

#ifdef __SSE2__
/* A bit for each of the next sixteen characters that is not plain: at most a blank, or a slash. */
static inline unsigned not_plain(const char *text)
{
  const __m128i blank = _mm_set1_epi8(' '), slash = _mm_set1_epi8('/'),
                w = _mm_loadu_si128((const __m128i *)text);
  __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(w, blank), w);
  return (unsigned)_mm_movemask_epi8(_mm_or_si128(low, _mm_cmpeq_epi8(w, slash)));
}
#endif

/* The first character that is not plain. */
static char *plain_end(const Input *in, char *text)
{
#ifdef __SSE2__
  for (; in->end - text >= 16; text += 16) {
    unsigned found = not_plain(text);
    if (found) return text + __builtin_ctz(found);
  }
#endif
  (void)in;
  while (class_at(text) == PLAIN) text++;
  return text;
}

/* Copies a short word at the end of the window, so that bytes after it can be read. */
static void pad_word(SpefLex *lex)
{
  if (lex->length >= SPEF_PAD || lex->in->end - lex->text >= SPEF_PAD) return;
  memset(lex->tail, 0, sizeof lex->tail);
  memcpy(lex->tail, lex->text, lex->length);
  lex->text = lex->tail;
}

static SpefWord read_word(SpefLex *lex)
{
  Input *in = lex->in;
  char *keep = in->cur, *text = in->cur;
  for (;;) {
    text = plain_end(in, text);
    in->cur = text;
    if (text == in->end) {
      if ((text - keep) > WORD_LIMIT || !scan_more(in, &keep, &lex->failed)) break;
    } else if (*text != '/' || slash_ends(lex, &keep)) {
      break;
    } else {
      in->cur++;
    }
    text = in->cur;
  }
  if (lex->failed) return fail(lex);
  lex->text = keep;
  lex->length = (uint32_t)(in->cur - keep);
  if (lex->length > WORD_LIMIT) {
    log_error(lex->log, "SPEF-003", spef_where(lex),
              "a word of more than %d characters: this is no SPEF file", WORD_LIMIT);
    return fail(lex);
  }
  if (class_at(in->cur) == CONTROL && in->cur < in->end) return fail_at_control(lex);
  pad_word(lex);
  return lex->word = kind_of_word(lex->text, lex->length);
}

/* Nearly all words: up to fifteen plain characters with a blank behind, at least SPEF_PAD before
   the window's end. */
static inline bool read_short(SpefLex *lex)
{
#ifdef __SSE2__
  Input *in = lex->in;
  char *text = in->cur;
  for (; class_at(text) == BLANK; text++) {
    if (*text != '\n') continue;
    in->cur = text + 1;
    input_newline(in);
  }
  in->cur = text;
  unsigned stops = in->end - text >= SPEF_PAD ? not_plain(text) : 0;
  uint32_t length = stops ? (uint32_t)__builtin_ctz(stops) : 0;
  if (length == 0 || class_at(text + length) != BLANK || *text == '"') return false;
  in->cur = text + length;
  lex->line = in->line;
  lex->text = text;
  lex->length = length;
  lex->word = kind_of_word(text, length);
  return true;
#else
  (void)lex;
  return false;
#endif
}

static __attribute__((noinline)) SpefWord read_any(SpefLex *lex)
{
  bool found = !lex->failed && skip_blanks(lex);
  Input *in = lex->in;
  lex->line = in->line;
  lex->text = in->cur;
  lex->length = 0;
  if (!found) return lex->word = WORD_END;
  if (class_at(in->cur) == CONTROL) return fail_at_control(lex);
  return *in->cur == '"' ? read_string(lex) : read_word(lex);
}

SpefWord spef_next(SpefLex *lex)
{
  return !lex->failed && read_short(lex) ? lex->word : read_any(lex);
}

bool spef_value(SpefLex *lex, int triple, double *value)
{
  const char *at = lex->text, *end = lex->text + lex->length;
  double parts[3];
  int count = 0;
  for (;;) {
    const char *stop;
    parts[count++] = text_number(at, &stop);
    if (stop == at || stop > end) return false;
    at = stop;
    if (at == end || *at != ':' || count == 3) break;
    at++;
  }
  if (at != end || count == 2) return false;
  *value = parts[count == 3 ? triple : 0];
  lex->spread |= count == 3 && (parts[0] != parts[1] || parts[1] != parts[2]);
  return isfinite(*value);
}
