/* Output files of the generator: buffered, plain or gzip (if the name ends in .gz), with fast
   printing of numbers.  Also the generator's random numbers.  If writing fails, the program
   ends. */
#ifndef GENERATE_OUT_H
#define GENERATE_OUT_H

#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

typedef struct {
  FILE       *plain;
  gzFile      zipped;      /* one of the two */
  const char *path;
  size_t      len;
  char        buffer[1 << 16];
} Out;

Out *out_open(const char *path);
void out_close(Out *out);
void out_text(Out *out, const char *text);
void out_char(Out *out, char c);
void out_count(Out *out, uint64_t number);
void out_fixed(Out *out, double number, unsigned decimals);   /* number >= 0, at most 9 decimals */
/* "%s" is a text, "%u" an unsigned (32 bits); nothing else. */
void out_format(Out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "gen_design: ..." and ends with status 1. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void *allocate(void *old, size_t bytes);

/* splitmix64: the numbers depend only on the seed.  With a seed made of (seed, number of a net),
   they do not depend on the order in which nets are written. */
typedef struct { uint64_t state; } Random;
Random   random_of(uint64_t seed, uint64_t stream);
uint64_t random_next(Random *random);
uint32_t random_below(Random *random, uint32_t limit);   /* limit > 0 */
double   random_unit(Random *random);                    /* [0, 1) */

#endif
