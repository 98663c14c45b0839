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

static inline unsigned class_at(const char *text) { return class_of[(unsigned char)*text]; }

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

void words_begin(Words *words, const Text *text, const char *path, Log *log, const WordCodes *codes)
{
  *words = (Words){ .codes = codes, .log = log, .path = path, .line = 1 };
  words->start = words->cur = words->word = words->line_start = text_get(text);
  words->end = words->start + text->len;
}

void words_free(Words *words) { text_free(&words->name); }

Where words_where(const Words *words)
{
  const char *at = words->word - (words->kind == WORDS_STRING);
  uint32_t column = at >= words->line_start ? (uint32_t)(at - words->line_start + 1) : 0;
  return (Where){ words->path, words->line, column };
}

int words_shown(uint32_t length) { return length > 80 ? 80 : (int)length; }

/* Nothing is read after a failure. */
static WordKind stop(Words *words)
{
  words->failed = true;
  words->word = words->cur = words->end;
  words->length = 0;
  return words->kind = WORDS_END;
}

static void skip_comment(Words *words)
{
  const char *newline = memchr(words->cur, '\n', (size_t)(words->end - words->cur));
  words->cur = newline ? newline : words->end;
}

static void skip_blanks(Words *words)
{
  for (;;) {
    char c = *words->cur;
    if (c == '\n') {
      words->line++;
      words->line_start = ++words->cur;
    } else if (class_of[(unsigned char)c] == BLANK) {
      words->cur++;
    } else if (c == '#') {
      skip_comment(words);
    } else {
      return;
    }
  }
}

/* Lines in a string count once it is passed, so that a message about it has its first line. */
static WordKind read_string(Words *words)
{
  words->kind = WORDS_STRING;
  words->word = words->cur + 1;
  const char *close = memchr(words->word, '"', (size_t)(words->end - words->word));
  if (close == NULL || close - words->word > STRING_LIMIT) {
    log_error(words->log, words->codes->string, words_where(words), "this string does not end");
    return stop(words);
  }
  words->length = (uint32_t)(close - words->word);
  words->cur = close + 1;
  return WORDS_STRING;
}

static WordKind fail_at_control(Words *words)
{
  words->word = words->cur;
  log_error(words->log, words->codes->control, words_where(words),
            "a byte of value %u, which no text has: this file is binary or damaged",
            (unsigned char)*words->cur);
  return stop(words);
}

static WordKind fail_at_long(Words *words)
{
  log_error(words->log, words->codes->control, words_where(words),
            "a word of %lld characters, which no name has", (long long)(words->cur - words->word));
  return stop(words);
}

static void count_lines(Words *words)
{
  if (words->kind != WORDS_STRING) return;
  const char *end = words->word + words->length;
  for (const char *text = words->word; (text = memchr(text, '\n', (size_t)(end - text))) != NULL;
       text++) {
    words->line++;
    words->line_start = text + 1;
  }
}

WordKind words_next(Words *words)
{
  count_lines(words);
  skip_blanks(words);
  words->kind = WORDS_PLAIN;
  if (*words->cur == '"') return read_string(words);
  words->word = words->cur;
  while (class_at(words->cur) == PLAIN) words->cur++;
  if (words->cur < words->end && class_at(words->cur) == CONTROL) return fail_at_control(words);
  if (words->cur - words->word > WORD_LIMIT) return fail_at_long(words);
  words->length = (uint32_t)(words->cur - words->word);
  if (words->length == 0) return words->kind = WORDS_END;
  if (words->length > 1 && words->cur[-1] == ';' && words->cur[-2] != '\\') {
    words->length--;
    words->cur--;
  }
  return WORDS_PLAIN;
}

Status words_unexpected(Words *words, const char *expected)
{
  if (words->failed) return FAILED;
  Where where = words_where(words);
  if (words->kind != WORDS_END)
    log_error(words->log, words->codes->unexpected, where, "found \"%.*s\", expected %s",
              words_shown(words->length), words->word, expected);
  else if (words->within)
    log_error(words->log, words->codes->cut, where, "the file ends within %s%s%.80s, expected %s",
              words->within, words->name.len ? " " : "", text_get(&words->name), expected);
  else
    log_error(words->log, words->codes->cut, where, "the file ends here, expected %s", expected);
  stop(words);
  return FAILED;
}

Status words_expect(Words *words, const char *word)
{
  if (!words_is(words, word)) return words_unexpected(words, word);
  words_next(words);
  return OK;
}

Status words_skip(Words *words)
{
  while (words->kind != WORDS_END && !words_is_char(words, ';')) words_next(words);
  return words_expect(words, ";");
}

/* Does a word begin here? */
static bool begins(const Words *words, const char *at, const char *word, size_t length)
{
  return (size_t)(words->end - at) >= length && strncasecmp(at, word, length) == 0
         && class_at(at + length) != PLAIN;
}

static void skip_plain(Words *words)
{
  while (class_at(words->cur) == PLAIN) words->cur++;
}

/* Passes what parts words, and bytes that no word has. */
static void skip_apart(Words *words)
{
  for (; words->cur < words->end && class_at(words->cur) != PLAIN; words->cur++) {
    if (*words->cur != '\n') continue;
    words->line++;
    words->line_start = words->cur + 1;
  }
}

Status words_skip_text(Words *words, const char *word)
{
  size_t length = strlen(word);
  for (skip_apart(words); words->cur < words->end && !begins(words, words->cur, word, length);
       skip_apart(words))
    skip_plain(words);
  words_next(words);
  return words_expect(words, word);
}

Status words_name(Words *words, Names *names, NameId *name, const char *expected)
{
  if (words->kind == WORDS_END || words->length == 0 || words_is_char(words, ';'))
    return words_unexpected(words, expected);
  *name = names_add(names, words->word, words->length);
  words_next(words);
  return OK;
}

Status words_number(Words *words, double *value, const char *expected)
{
  const char *end;
  if (words->kind != WORDS_PLAIN) return words_unexpected(words, expected);
  *value = text_number(words->word, &end);
  if (end != words->word + words->length) return words_unexpected(words, expected);
  if (!isfinite(*value)) {
    log_error(words->log, words->codes->range, words_where(words), "the number %.*s is too large",
              words_shown(words->length), words->word);
    stop(words);
    return FAILED;
  }
  words_next(words);
  return OK;
}

static Status out_of_range(Words *words, int64_t least, int64_t most)
{
  log_error(words->log, words->codes->range, words_where(words),
            "%.*s is not between %lld and %lld", words_shown(words->length), words->word,
            (long long)least, (long long)most);
  stop(words);
  return FAILED;
}

/* Some writers give whole numbers a point and zeros. */
static Status odd_integer(Words *words, int64_t *value, int64_t least, int64_t most,
                          const char *expected)
{
  const char *end;
  double number = text_number(words->word, &end);
  if (end != words->word + words->length || number != floor(number))
    return words_unexpected(words, expected);
  if (!(number >= (double)least && number <= (double)most)) return out_of_range(words, least, most);
  *value = (int64_t)number;
  words_next(words);
  return OK;
}

Status words_integer(Words *words, int64_t *value, int64_t least, int64_t most,
                     const char *expected)
{
  const char *text = words->word, *end = words->word + words->length;
  bool negative = *text == '-';
  int64_t number = 0;
  if (words->kind != WORDS_PLAIN) return words_unexpected(words, expected);
  text += negative;
  if (text == end || end - text > 18) return odd_integer(words, value, least, most, expected);
  for (; text < end && (unsigned)(*text - '0') < 10; text++) number = number * 10 + (*text - '0');
  if (text < end) return odd_integer(words, value, least, most, expected);
  *value = negative ? -number : number;
  if (*value < least || *value > most) return out_of_range(words, least, most);
  words_next(words);
  return OK;
}
