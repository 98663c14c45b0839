/* Splits LEF and DEF files into words. See words.h. */
#include "read/words.h"

#include <math.h>
#include <string.h>

enum { PLAIN = 0, BLANK = 1, CONTROL = 2 };

/* Longer ones are no names: the file is something else. */
enum { WORD_LIMIT = 1 << 20, STRING_LIMIT = 1 << 24 };

static const uint8_t class_of[256] = {
  CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
  CONTROL, BLANK, BLANK, BLANK, BLANK, BLANK, CONTROL, CONTROL,
  CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
  CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL, CONTROL,
  [' '] = BLANK, [127] = CONTROL,
};

static inline unsigned class_at(const char *c) { return class_of[(unsigned char)*c]; }

/* Such a byte is looked for at once, as what is read before its text is looked at may not end. */
static Status take_window(Input *in, Text *text, Log *log, const WordCodes *codes)
{
  const char *zero = memchr(in->cur, '\0', (size_t)(in->end - in->cur));
  if (zero)
    return log_error(log, codes->control, (Where){ in->path, 0, 0 },
                     "a byte of value 0, which no text has: this file is binary");
  text_add(text, in->cur, (size_t)(in->end - in->cur));
  in->cur = in->end;
  return OK;
}

Status words_load(const char *path, Text *text, Log *log, const WordCodes *codes)
{
  Input *in = input_open(path, log);
  if (in == NULL) return FAILED;
  Status status;
  do status = take_window(in, text, log, codes);
  while (status == OK && input_refill(in, NULL));
  if (in->failed) status = FAILED;
  input_close(in);
  return status;
}

void words_begin(Words *w, const Text *text, const char *path, Log *log, const WordCodes *codes)
{
  *w = (Words){ .codes = codes, .log = log, .path = path, .line = 1 };
  w->start = w->cur = w->word = w->line_start = text_get(text);
  w->end = w->start + text->len;
}

void words_free(Words *w) { text_free(&w->name); }

Where words_where(const Words *w)
{
  const char *at = w->word - (w->kind == WORDS_STRING);
  uint32_t column = at >= w->line_start ? (uint32_t)(at - w->line_start + 1) : 0;
  return (Where){ w->path, w->line, column };
}

int words_shown(uint32_t length) { return length > 80 ? 80 : (int)length; }

/* Nothing is read after a failure. */
static WordKind stop(Words *w)
{
  w->failed = true;
  w->word = w->cur = w->end;
  w->length = 0;
  return w->kind = WORDS_END;
}

static void skip_comment(Words *w)
{
  const char *newline = memchr(w->cur, '\n', (size_t)(w->end - w->cur));
  w->cur = newline ? newline : w->end;
}

static void skip_blanks(Words *w)
{
  for (;;) {
    char c = *w->cur;
    if (c == '\n') {
      w->line++;
      w->line_start = ++w->cur;
    } else if (class_of[(unsigned char)c] == BLANK) {
      w->cur++;
    } else if (c == '#') {
      skip_comment(w);
    } else {
      return;
    }
  }
}

/* Lines in a string count once it is passed, so that a message about it has its first line. */
static WordKind read_string(Words *w)
{
  w->kind = WORDS_STRING;
  w->word = w->cur + 1;
  const char *close = memchr(w->word, '"', (size_t)(w->end - w->word));
  if (close == NULL || close - w->word > STRING_LIMIT) {
    log_error(w->log, w->codes->string, words_where(w), "this string does not end");
    return stop(w);
  }
  w->length = (uint32_t)(close - w->word);
  w->cur = close + 1;
  return WORDS_STRING;
}

static WordKind fail_at_control(Words *w)
{
  w->word = w->cur;
  log_error(w->log, w->codes->control, words_where(w),
            "a byte of value %u, which no text has: this file is binary or damaged",
            (unsigned char)*w->cur);
  return stop(w);
}

static WordKind fail_at_long(Words *w)
{
  log_error(w->log, w->codes->control, words_where(w),
            "a word of %lld characters, which no name has", (long long)(w->cur - w->word));
  return stop(w);
}

static void count_lines(Words *w)
{
  if (w->kind != WORDS_STRING) return;
  const char *end = w->word + w->length;
  for (const char *c = w->word; (c = memchr(c, '\n', (size_t)(end - c))) != NULL; c++) {
    w->line++;
    w->line_start = c + 1;
  }
}

WordKind words_next(Words *w)
{
  count_lines(w);
  skip_blanks(w);
  w->kind = WORDS_PLAIN;
  if (*w->cur == '"') return read_string(w);
  w->word = w->cur;
  while (class_at(w->cur) == PLAIN) w->cur++;
  if (w->cur < w->end && class_at(w->cur) == CONTROL) return fail_at_control(w);
  if (w->cur - w->word > WORD_LIMIT) return fail_at_long(w);
  w->length = (uint32_t)(w->cur - w->word);
  if (w->length == 0) return w->kind = WORDS_END;
  if (w->length > 1 && w->cur[-1] == ';' && w->cur[-2] != '\\') {
    w->length--;
    w->cur--;
  }
  return WORDS_PLAIN;
}

Status words_unexpected(Words *w, const char *expected)
{
  if (w->failed) return FAILED;
  Where where = words_where(w);
  if (w->kind != WORDS_END)
    log_error(w->log, w->codes->unexpected, where, "found \"%.*s\", expected %s",
              words_shown(w->length), w->word, expected);
  else if (w->within)
    log_error(w->log, w->codes->cut, where, "the file ends within %s%s%.80s, expected %s",
              w->within, w->name.len ? " " : "", text_get(&w->name), expected);
  else
    log_error(w->log, w->codes->cut, where, "the file ends here, expected %s", expected);
  stop(w);
  return FAILED;
}

Status words_expect(Words *w, const char *word)
{
  if (!words_is(w, word)) return words_unexpected(w, word);
  words_next(w);
  return OK;
}

Status words_skip(Words *w)
{
  while (w->kind != WORDS_END && !words_is_char(w, ';')) words_next(w);
  return words_expect(w, ";");
}

/* Does a word begin here? */
static bool begins(const Words *w, const char *at, const char *word, size_t length)
{
  return (size_t)(w->end - at) >= length && strncasecmp(at, word, length) == 0
         && class_at(at + length) != PLAIN;
}

static void skip_plain(Words *w)
{
  while (class_at(w->cur) == PLAIN) w->cur++;
}

/* Passes what parts words, and bytes that no word has. */
static void skip_apart(Words *w)
{
  for (; w->cur < w->end && class_at(w->cur) != PLAIN; w->cur++) {
    if (*w->cur != '\n') continue;
    w->line++;
    w->line_start = w->cur + 1;
  }
}

Status words_skip_text(Words *w, const char *word)
{
  size_t length = strlen(word);
  for (skip_apart(w); w->cur < w->end && !begins(w, w->cur, word, length); skip_apart(w))
    skip_plain(w);
  words_next(w);
  return words_expect(w, word);
}

Status words_name(Words *w, Names *names, NameId *name, const char *expected)
{
  if (w->kind == WORDS_END || w->length == 0 || words_is_char(w, ';'))
    return words_unexpected(w, expected);
  *name = names_add(names, w->word, w->length);
  words_next(w);
  return OK;
}

Status words_number(Words *w, double *value, const char *expected)
{
  const char *end;
  if (w->kind != WORDS_PLAIN) return words_unexpected(w, expected);
  *value = text_number(w->word, &end);
  if (end != w->word + w->length) return words_unexpected(w, expected);
  if (!isfinite(*value)) {
    log_error(w->log, w->codes->range, words_where(w), "the number %.*s is too large",
              words_shown(w->length), w->word);
    stop(w);
    return FAILED;
  }
  words_next(w);
  return OK;
}

static Status out_of_range(Words *w, int64_t least, int64_t most)
{
  log_error(w->log, w->codes->range, words_where(w), "%.*s is not between %lld and %lld",
            words_shown(w->length), w->word, (long long)least, (long long)most);
  stop(w);
  return FAILED;
}

/* Some writers give whole numbers a point and zeros. */
static Status odd_integer(Words *w, int64_t *value, int64_t least, int64_t most,
                          const char *expected)
{
  const char *end;
  double number = text_number(w->word, &end);
  if (end != w->word + w->length || number != floor(number)) return words_unexpected(w, expected);
  if (!(number >= (double)least && number <= (double)most)) return out_of_range(w, least, most);
  *value = (int64_t)number;
  words_next(w);
  return OK;
}

Status words_integer(Words *w, int64_t *value, int64_t least, int64_t most, const char *expected)
{
  const char *c = w->word, *end = w->word + w->length;
  bool negative = *c == '-';
  int64_t number = 0;
  if (w->kind != WORDS_PLAIN) return words_unexpected(w, expected);
  c += negative;
  if (c == end || end - c > 18) return odd_integer(w, value, least, most, expected);
  for (; c < end && (unsigned)(*c - '0') < 10; c++) number = number * 10 + (*c - '0');
  if (c < end) return odd_integer(w, value, least, most, expected);
  *value = negative ? -number : number;
  if (*value < least || *value > most) return out_of_range(w, least, most);
  words_next(w);
  return OK;
}
