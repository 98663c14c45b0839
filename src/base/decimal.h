/* Numbers as decimal text: the bytes that printf gives, many times as fast for numbers of everyday
   size.

   A double is m 2^e with m below 2^53, so m 10^digits is an exact integer of 128 bits, and what a
   shift by e leaves over says which way to round (to even where it is a half).  What does not fit
   goes to snprintf. */
#ifndef SL_BASE_DECIMAL_H
#define SL_BASE_DECIMAL_H

#include <stddef.h>

/* Room that the text of any double takes, up to 50 digits after the point. */
enum { DECIMAL_ROOM = 400 };

/* "%.*f" and "%.*g", without the final NUL.  Return the length. */
size_t decimal_fixed(char *out, double number, int digits);
size_t decimal_general(char *out, double number, int digits);

#endif
