/* Cuts the text of a LEF or DEF file into words. The whole file is in memory.

   A word ends at a blank; a ";" at its end is a word of its own. A string in quotes is one word,
   also over several lines. A "#" where a word could begin starts a comment up to the end of the
   line. Keywords do not depend on capitals. "The word at hand" is the current word: Words.word. */
#ifndef SL_READ_WORDS_H
#define SL_READ_WORDS_H

#include <strings.h>

#include "base/input.h"
#include "base/names.h"
#include "base/text.h"

typedef enum { WORDS_END, WORDS_PLAIN, WORDS_STRING } WordKind;

/* The numbers of the errors that a reader of a format reports. */
typedef struct {
  const char *control;     /* a byte that no text file has */
  const char *string;      /* a string without end */
  const char *cut;         /* the file ends too early */
  const char *unexpected;  /* a word that does not belong here */
  const char *range;       /* a number too large */
} WordCodes;

typedef struct {
  const WordCodes *codes;
  Log        *log;
  const char *path;
  const char *start, *end, *cur;     /* the text; *end is NUL */
  const char *word;                  /* the word at hand; of a string without its quotes */
  uint32_t    length;
  WordKind    kind;
  uint32_t    line;                  /* of the word; from 1 */
  const char *line_start;
  bool        failed;
  const char *within;                /* what is being read, for messages: "MACRO"; NULL */
  Text        name;                  /* and its name */
} Words;

/* Reads the whole text of a file, plain or gzip. Returns FAILED if the file cannot be read, or if
   it has a byte of value 0. */
Status words_load(const char *path, Text *text, Log *log, const WordCodes *codes);

/* Begins before the first word. The caller keeps `text` until words_free. */
void words_begin(Words *words, const Text *text, const char *path, Log *log,
                 const WordCodes *codes);
void   words_free(Words *words);

/* Goes on to the next word and returns its kind; WORDS_END at the end and after a failure. */
WordKind words_next(Words *words);

static inline bool words_is(const Words *words, const char *keyword)
{
  return (*keyword | 32) == (*words->word | 32) && words->kind == WORDS_PLAIN
         && strncasecmp(words->word, keyword, words->length) == 0 && keyword[words->length] == '\0';
}
static inline bool words_is_char(const Words *words, char c)
{
  return words->kind == WORDS_PLAIN && words->length == 1 && *words->word == c;
}

Where  words_where(const Words *words);
/* Returns how many characters of a word of this length messages show. */
int    words_shown(uint32_t length);
/* Reports that the word at hand does not belong here, or that the file ends. Returns FAILED. */
Status words_unexpected(Words *words, const char *expected);

/* Each of these functions reads the word at hand and goes on to the next one. */
Status words_expect(Words *words, const char *word);
/* Skips the words up to the ";", and the ";". */
Status words_skip(Words *words);
/* Skips the text after the word at hand up to a word, in capitals or not, and that word. The text
   need not consist of words: quotes and comments mean nothing in it. */
Status words_skip_text(Words *words, const char *word);
/* A name is any word except ";". */
Status words_name(Words *words, Names *names, NameId *name, const char *expected);
Status words_number(Words *words, double *value, const char *expected);
Status words_integer(Words *words, int64_t *value, int64_t least, int64_t most,
                     const char *expected);

#endif
