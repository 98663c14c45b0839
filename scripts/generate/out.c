/* Output of the generator: plain or gzip files that are opened at the first write, and the random
   numbers of the generator. */
#include "scripts/generate/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fputs("gen_design: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(1);
}

void *allocate(void *old, size_t bytes)
{
  void *p = realloc(old, bytes ? bytes : 1);
  if (p == NULL) fail("out of memory (%zu bytes)", bytes);
  return p;
}

static int ends_with(const char *text, const char *end)
{
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

Out *out_open(const char *path)
{
  Out *out = allocate(NULL, sizeof *out);
  memset(out, 0, offsetof(Out, buffer));
  out->path = path;
  return out;
}

/* Not before there is something to write: a design that cannot be made leaves what was there. */
static void begin(Out *out)
{
  if (out->zipped || out->plain) return;
  /* Level 1: the text is repetitive and there may be gigabytes of it. */
  if (ends_with(out->path, ".gz")) out->zipped = gzopen(out->path, "wb1");
  else out->plain = fopen(out->path, "wb");
  if (out->zipped == NULL && out->plain == NULL) fail("%s: %s", out->path, strerror(errno));
}

static void flush(Out *out)
{
  size_t written = 0;
  if (out->len == 0) return;
  begin(out);
  if (out->zipped) written = (size_t)gzwrite(out->zipped, out->buffer, (unsigned)out->len);
  else written = fwrite(out->buffer, 1, out->len, out->plain);
  if (written != out->len) fail("%s: cannot write: %s", out->path, strerror(errno));
  out->len = 0;
}

void out_close(Out *out)
{
  flush(out);
  begin(out);
  int bad = out->zipped ? gzclose(out->zipped) != Z_OK : fclose(out->plain) != 0;
  if (bad) fail("%s: cannot write: %s", out->path, strerror(errno));
  free(out);
}

void out_char(Out *out, char c)
{
  if (out->len == sizeof out->buffer) flush(out);
  out->buffer[out->len++] = c;
}

void out_text(Out *out, const char *text)
{
  size_t n = strlen(text);
  if (n > sizeof out->buffer - out->len) flush(out);
  if (n > sizeof out->buffer) fail("a name of %zu characters", n);
  memcpy(out->buffer + out->len, text, n);
  out->len += n;
}

void out_count(Out *out, uint64_t number)
{
  char digits[24], *at = digits + sizeof digits - 1;
  *at = 0;
  do *--at = (char)('0' + number % 10); while (number /= 10);
  out_text(out, at);
}

void out_fixed(Out *out, double number, unsigned decimals)
{
  static const uint32_t power[] = { 1,      10,      100,      1000,      10000,
                                    100000, 1000000, 10000000, 100000000, 1000000000 };
  uint64_t scaled = (uint64_t)(number * power[decimals] + 0.5);
  uint64_t rest = scaled % power[decimals];
  out_count(out, scaled / power[decimals]);
  if (decimals == 0) return;
  out_char(out, '.');
  for (unsigned d = decimals; d-- > 0; rest %= power[d])
    out_char(out, (char)('0' + rest / power[d]));
}

void out_format(Out *out, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  for (const char *text = format; *text; text++) {
    if (*text != '%') {
      out_char(out, *text);
    } else if (*++text == 's') {
      out_text(out, va_arg(args, const char *));
    } else {
      out_count(out, va_arg(args, unsigned));
    }
  }
  va_end(args);
}

static uint64_t mix(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Random random_of(uint64_t seed, uint64_t stream)
{
  return (Random){ mix(seed + 0x9e3779b97f4a7c15u) ^ mix(stream * 0x9e3779b97f4a7c15u + 1) };
}

uint64_t random_next(Random *random) { return mix(random->state += 0x9e3779b97f4a7c15u); }
uint32_t random_below(Random *random, uint32_t limit)
{
  return (uint32_t)(((random_next(random) >> 32) * limit) >> 32);
}
double   random_unit(Random *random) { return (double)(random_next(random) >> 11) * 0x1p-53; }
