/* Words of LEF and DEF: a whole file in memory, cut at blanks.

   A word ends at a blank; ";" at its end is a word of its own.  "..." is one word, over lines too.
   "#" begins a comment where a word could begin.  Keywords are the same in capitals and small
   letters. */
#ifndef SL_READ_WORDS_H
#define SL_READ_WORDS_H

#include <strings.h>

#include "base/input.h"
#include "base/names.h"
#include "base/text.h"

typedef enum { WORDS_END, WORDS_PLAIN, WORDS_STRING } WordKind;

/* The numbers of what the reader of a format says. */
typedef struct {
  const char *control;     /* a byte that no text has */
  const char *string;      /* a string without end */
  const char *cut;         /* the file ends too early */
  const char *unexpected;  /* another word than belongs here */
  const char *range;       /* a number too large */
} WordCodes;

typedef struct {
  const WordCodes *codes;
  Log        *log;
  const char *path;
  const char *start, *end, *cur;     /* the text; *end is NUL */
  const char *word;                  /* of a string without its quotes */
  uint32_t    length;
  WordKind    kind;
  uint32_t    line;                  /* of the word; from 1 */
  const char *line_start;
  bool        failed;
  const char *within;                /* what is being read, for messages: "MACRO"; NULL */
  Text        name;                  /* and its name */
} Words;

/* The whole text of a file, plain or gzip.  FAILED: it cannot be read, or has a byte of 0. */
Status words_load(const char *path, Text *text, Log *log, const WordCodes *codes);

/* Before the first word.  text stays the caller's. */
void   words_begin(Words *w, const Text *text, const char *path, Log *log, const WordCodes *codes);
void   words_free(Words *w);

/* The next word; WORDS_END at the end and after a failure. */
WordKind words_next(Words *w);

static inline bool words_is(const Words *w, const char *keyword)
{
  return (*keyword | 32) == (*w->word | 32) && w->kind == WORDS_PLAIN
         && strncasecmp(w->word, keyword, w->length) == 0 && keyword[w->length] == '\0';
}
static inline bool words_is_char(const Words *w, char c)
{
  return w->kind == WORDS_PLAIN && w->length == 1 && *w->word == c;
}

Where  words_where(const Words *w);
/* How much of a word is shown. */
int    words_shown(uint32_t length);
/* The word is another one than belongs here; or the file ends. */
Status words_unexpected(Words *w, const char *expected);

/* Each takes the word at hand and goes on to the next. */
Status words_expect(Words *w, const char *word);
/* Up to the ; and over it. */
Status words_skip(Words *w);
/* A name: any word but ;. */
Status words_name(Words *w, Names *names, NameId *name, const char *expected);
Status words_number(Words *w, double *value, const char *expected);
Status words_integer(Words *w, int64_t *value, int64_t least, int64_t most, const char *expected);

#endif
