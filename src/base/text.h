/* Text: growing strings, numbers, glob patterns, nearest names. */
#ifndef SL_BASE_TEXT_H
#define SL_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing string, always NUL-terminated once something was added.  Text t = {0}; ...
   text_free(&t). */
typedef struct {
  char  *at;
  size_t len, cap;
} Text;

void text_add(Text *t, const char *s, size_t length);
void text_put(Text *t, const char *s);
void text_char(Text *t, char c);
void text_printf(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(Text *t, const char *format, va_list args);
/* Where `more` bytes may be written behind the text; who does so adds to len, and ends the text
   with a NUL. */
char *text_room(Text *t, size_t more);
void text_clear(Text *t);
void text_free(Text *t);
/* "" for a text that nothing was added to. */
const char *text_get(const Text *t);

/* Reads a decimal number at s: [+-]digits[.digits][e[+-]digits].  *end is one past its last
   character, or s when there is none.  The value is the nearest double. */
double text_number(const char *s, const char **end);

/* Glob match: * any run, ? one character, \x the character x, [a-z] a set; all else is itself.
   With brackets_are_names, [ and ] stand for themselves (bus bits). */
bool text_glob(const char *pattern, const char *text, bool ignore_case, bool brackets_are_names);
bool text_has_wildcard(const char *pattern);

/* Edit distance between two texts, transpositions counting one; at most limit+1. */
uint32_t text_distance(const char *a, const char *b, uint32_t limit);

/* The name nearest to text among names[0..count-1] with at most a third of its characters
   different; NULL when none is near. */
const char *text_nearest(const char *text, const char *const *names, uint32_t count);
/* For messages on names that are nobody's: appends "; did you mean x?" where one is near. */
void        text_add_nearest(Text *t, const char *word, const char *const *names, uint32_t count);

/* Compares so that runs of digits order by value: u2 < u10. */
int text_compare_natural(const char *a, const char *b);

#endif
