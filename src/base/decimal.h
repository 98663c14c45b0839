/* Writes numbers as decimal text. The bytes are those of printf, but common sizes take a fraction
   of its time.

   A double is m 2^e with m below 2^53, so m 10^digits is an exact integer of 128 bits. The bits
   that a shift by e drops decide the rounding (to even at exactly one half). Numbers that do not
   fit go to snprintf. */
#ifndef SL_BASE_DECIMAL_H
#define SL_BASE_DECIMAL_H

#include <stddef.h>

/* The size of a buffer that holds the text of any double with up to 50 digits after the point. */
enum { DECIMAL_ROOM = 400 };

/* Write the text of "%.*f" and "%.*g" without the final NUL. Both return the length. */
size_t decimal_fixed(char *out, double number, int digits);
size_t decimal_general(char *out, double number, int digits);

#endif
