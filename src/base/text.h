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

void text_add(Text *text, const char *name, size_t length);
void text_put(Text *text, const char *name);
void text_char(Text *text, char c);
void text_printf(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(Text *text, const char *format, va_list args);
/* Returns where `more` bytes can be written after the text. The caller then adds to len and writes
   the final NUL. */
char *text_room(Text *text, size_t more);
void text_clear(Text *text);
void text_free(Text *text);
/* Returns the text, or "" if nothing was added yet. */
const char *text_get(const Text *text);

/* Reads a decimal number at text: [+-]digits[.digits][e[+-]digits]. *end is one past its last
   character, or text if text does not begin with a number. The value is the nearest double. */
double text_number(const char *text, const char **end);

/* Matches a glob pattern: * is any run, ? one character, \x the character x, [a-z] a set, and any
   other character is itself. With brackets_are_names, [ and ] are ordinary characters (bus
   bits). */
bool text_glob(const char *pattern, const char *text, bool ignore_case, bool brackets_are_names);
bool text_has_wildcard(const char *pattern);

/* Returns the edit distance of two texts, or limit+1 if it is larger than limit. A transposition
   counts one. */
uint32_t text_distance(const char *a, const char *b, uint32_t limit);

/* Returns the name nearest to text among names[0..count-1], if at most a third of its characters
   differ; else NULL. */
const char *text_nearest(const char *text, const char *const *names, uint32_t count);
/* For messages on unknown names: appends "; did you mean x?" if one of the names is near. */
void text_add_nearest(Text *text, const char *word, const char *const *names, uint32_t count);

/* Compares two texts; runs of digits compare by value, so u2 < u10. */
int text_compare_natural(const char *a, const char *b);

#endif
