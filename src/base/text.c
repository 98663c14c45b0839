/* Growing strings, decimal numbers, glob patterns, edit distance and natural order. */
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static void room(Text *text, size_t more)
{
  if (text->len + more + 1 <= text->cap) return;
  size_t cap = text->cap * 2 > text->len + more + 1 ? text->cap * 2 : text->len + more + 1;
  text->at = mem_resize(text->at, cap < 64 ? 64 : cap);
  text->cap = cap < 64 ? 64 : cap;
}

char *text_room(Text *text, size_t more)
{
  room(text, more);
  return text->at + text->len;
}

void text_add(Text *text, const char *name, size_t length)
{
  room(text, length);
  if (length) memcpy(text->at + text->len, name, length);      /* name may be NULL for nothing */
  text->len += length;
  text->at[text->len] = '\0';
}

void text_put(Text *text, const char *name) { text_add(text, name, strlen(name)); }
void text_char(Text *text, char c) { text_add(text, &c, 1); }

void text_vprintf(Text *text, const char *format, va_list args)
{
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  if (n > 0) {
    room(text, (size_t)n);
    vsnprintf(text->at + text->len, (size_t)n + 1, format, again);
    text->len += (size_t)n;
  }
  va_end(again);
}

void text_printf(Text *text, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  text_vprintf(text, format, args);
  va_end(args);
}

void text_clear(Text *text)
{
  text->len = 0;
  if (text->at) text->at[0] = '\0';
}

void text_free(Text *text)
{
  mem_free(text->at);
  *text = (Text){ 0 };
}

const char *text_get(const Text *text) { return text->at ? text->at : ""; }

/* 10^0 .. 10^22 are doubles without error, so a mantissa under 2^53 times or over one of them
   is rounded once: the nearest double.  Everything else goes to strtod. */
static const double power_of_ten[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/* Digits into *value; returns how many. */
static int digits(const char **texts, uint64_t *value)
{
  const char *p = *texts;
  uint64_t v = *value;
  while ((unsigned)(*p - '0') < 10) v = v * 10 + (uint64_t)(*p++ - '0');
  int n = (int)(p - *texts);
  *texts = p;
  *value = v;
  return n;
}

static int exponent(const char **texts)
{
  const char *p = *texts;
  if ((*p | 32) != 'e') return 0;
  p++;
  bool minus = *p == '-';
  if (*p == '-' || *p == '+') p++;
  if ((unsigned)(*p - '0') >= 10) return 0;
  int e = 0;
  for (; (unsigned)(*p - '0') < 10; p++)
    if (e < 100000) e = e * 10 + (*p - '0');
  *texts = p;
  return minus ? -e : e;
}

double text_number(const char *text, const char **end)
{
  const char *p = text;
  bool minus = *p == '-';
  if (*p == '-' || *p == '+') p++;
  uint64_t mantissa = 0;
  int whole = digits(&p, &mantissa), fraction = 0;
  if (*p == '.') {
    const char *q = p + 1;
    fraction = digits(&q, &mantissa);
    if (whole + fraction) p = q;
  }
  if (whole + fraction == 0) {
    *end = text;
    return 0;
  }
  int e = exponent(&p) - fraction;
  *end = p;
  if (whole + fraction > 19 || mantissa >> 53 || e < -22 || e > 22) return strtod(text, NULL);
  double v = (double)mantissa;
  v = e < 0 ? v / power_of_ten[-e] : v * power_of_ten[e];
  return minus ? -v : v;
}

static char fold(char c, bool ignore_case)
{
  return ignore_case ? (char)tolower((unsigned char)c) : c;
}

/* Matches the set at *pattern ("[...]"); moves past it.  An unclosed '[' is itself. */
static bool match_set(const char **pattern, char c, bool ignore_case)
{
  const char *p = *pattern + 1;
  bool found = false;
  if (strchr(p, ']') == NULL) {
    *pattern = p;
    return c == '[';
  }
  for (; *p != ']'; p++) {
    char low = fold(*p, ignore_case), high = low;
    if (p[1] == '-' && p[2] != ']') {
      high = fold(p[2], ignore_case);
      p += 2;
    }
    if (low <= c && c <= high) found = true;
  }
  *pattern = p + 1;
  return found;
}

/* One pattern element against one character; moves past the element when it matches. */
static bool match_one(const char **pattern, char c, bool ignore_case, bool brackets_are_names)
{
  const char *p = *pattern;
  c = fold(c, ignore_case);
  if (*p == '?') {
    *pattern = p + 1;
    return true;
  }
  if (*p == '[' && !brackets_are_names) return match_set(pattern, c, ignore_case);
  if (*p == '\\' && p[1]) p++;
  *pattern = p + 1;
  return fold(*p, ignore_case) == c;
}

bool text_glob(const char *pattern, const char *text, bool ignore_case, bool brackets_are_names)
{
  const char *star = NULL, *star_text = NULL;
  while (*text) {
    if (*pattern == '*') {
      star = ++pattern;
      star_text = text;
      continue;
    }
    const char *next = pattern;
    if (*pattern && match_one(&next, *text, ignore_case, brackets_are_names)) {
      pattern = next;
      text++;
    } else if (star) {
      pattern = star;
      text = ++star_text;
    } else {
      return false;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == '\0';
}

bool text_has_wildcard(const char *pattern) { return strpbrk(pattern, "*?\\") != NULL; }

static uint32_t min3(uint32_t a, uint32_t b, uint32_t c)
{
  uint32_t m = a < b ? a : b;
  return m < c ? m : c;
}

uint32_t text_distance(const char *a, const char *b, uint32_t limit)
{
  enum { MAX = 64 };
  size_t na = strlen(a), nb = strlen(b);
  size_t apart = na > nb ? na - nb : nb - na;
  if (na > MAX || nb > MAX || apart > limit) return limit + 1;
  uint32_t rows[3][MAX + 1];
  uint32_t *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= nb; j++) last[j] = (uint32_t)j;
  for (size_t i = 1; i <= na; i++) {
    row[0] = (uint32_t)i;
    for (size_t j = 1; j <= nb; j++) {
      row[j] = min3(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]
          && before[j - 2] + 1 < row[j])
        row[j] = before[j - 2] + 1;
    }
    uint32_t *oldest = before;
    before = last;
    last = row;
    row = oldest;
  }
  return last[nb] > limit ? limit + 1 : last[nb];
}

const char *text_nearest(const char *text, const char *const *names, uint32_t count)
{
  uint32_t best = (uint32_t)strlen(text) / 3 + 1;
  const char *found = NULL;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t d = text_distance(text, names[i], best);
    if (d < best) {
      best = d;
      found = names[i];
    }
  }
  return found;
}

int text_compare_natural(const char *a, const char *b)
{
  while (*a && *b) {
    if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
      char *ea, *eb;
      unsigned long long va = strtoull(a, &ea, 10), vb = strtoull(b, &eb, 10);
      if (va != vb) return va < vb ? -1 : 1;
      a = ea;
      b = eb;
    } else if (*a != *b) {
      return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
    } else {
      a++;
      b++;
    }
  }
  return *a ? 1 : *b ? -1 : 0;
}

void text_add_nearest(Text *text, const char *word, const char *const *names, uint32_t count)
{
  const char *near = text_nearest(word, names, count);
  if (near) text_printf(text, "; did you mean %s?", near);
}
