/* Fixed and general decimal formats with 128-bit integers. Numbers that do not fit go to snprintf,
   so the bytes always are those of printf. */
#include "base/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;

/* 10^19 is the greatest power in 64 bits; m 10^22 is below 2^127.  Of numbers below 1e-4: see
   first_power. */
enum { MOST_POWER = 19, MOST_WIDE_POWER = 22, MOST_GENERAL = 17, MOST_SMALL = 15 };

static const uint64_t power_of_ten[MOST_POWER + 1] = { 1u,
                                                       10u,
                                                       100u,
                                                       1000u,
                                                       10000u,
                                                       100000u,
                                                       1000000u,
                                                       10000000u,
                                                       100000000u,
                                                       1000000000u,
                                                       10000000000u,
                                                       100000000000u,
                                                       1000000000000u,
                                                       10000000000000u,
                                                       100000000000000u,
                                                       1000000000000000u,
                                                       10000000000000000u,
                                                       100000000000000000u,
                                                       1000000000000000000u,
                                                       10000000000000000000u };

static const char pairs[201] = "0001020304050607080910111213141516171819202122232425262728293031323"
                               "334353637383940414243444546474849"
                               "5051525354555657585960616263646566676869707172737475767778798081828"
                               "384858687888990919293949596979899";

static Wide wide_power_of_ten(int power)
{
  return power > MOST_POWER ? (Wide)power_of_ten[MOST_POWER] * power_of_ten[power - MOST_POWER]
                            : power_of_ten[power];
}

/* |number| times a power of ten, to the nearest integer; false where that does not fit. */
static bool scaled(double number, int power, uint64_t *out)
{
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  uint64_t m = bits & (UINT64_MAX >> 12);
  int biased = (int)(bits >> 52 & 0x7ff);
  if (biased == 0x7ff) return false;
  if (biased) m |= (uint64_t)1 << 52;
  int shift = 1075 - (biased ? biased : 1);             /* the number is m / 2^shift */
  Wide product = m * wide_power_of_ten(power);
  if (shift <= 0) {
    if (shift < -11 || product >> (64 + shift)) return false;
    *out = (uint64_t)(product << -shift);
    return true;
  }
  if (shift > 127) {                                    /* the product is below 2^127: less than a
                                                           half */
    *out = 0;
    return true;
  }
  Wide whole = product >> shift, rest = product & (((Wide)1 << shift) - 1),
       half = (Wide)1 << (shift - 1);
  whole += rest > half || (rest == half && (whole & 1));
  *out = (uint64_t)whole;
  return whole >> 64 == 0;
}

/* The last `count` digits of a number, ending before `end`. */
static void put_digits(char *end, uint64_t number, int count)
{
  for (; count >= 2; count -= 2) {
    uint64_t rest = number / 100;
    end -= 2;
    memcpy(end, pairs + 2 * (number - 100 * rest), 2);
    number = rest;
  }
  if (count) end[-1] = (char)('0' + number % 10);
}

static int digits_of(uint64_t number)
{
  /* log10(2) is 1233/4096 */
  int bits = 64 - __builtin_clzll(number | 1), guess = bits * 1233 >> 12;
  return guess + (guess <= MOST_POWER && number >= power_of_ten[guess]) + (number == 0);
}

size_t decimal_fixed(char *out, double number, int digits)
{
  uint64_t value;
  if (digits < 0 || digits > MOST_POWER || !scaled(number, digits, &value))
    return (size_t)snprintf(out, DECIMAL_ROOM, "%.*f", digits, number);
  char *at = out;
  if (signbit(number)) *at++ = '-';
  uint64_t whole = value / power_of_ten[digits];
  int count = digits_of(whole);
  put_digits(at + count, whole, count);
  at += count;
  if (digits) {
    *at = '.';
    put_digits(at + 1 + digits, value - whole * power_of_ten[digits], digits);
    at += 1 + digits;
  }
  return (size_t)(at - out);
}

/* Power of ten of the first digit, of numbers from 1e-16 to below 1e9.  A bound that is no double
   is nearer to its own double than to any other, so the comparison is right, or what it is off by
   is gone when digits are rounded: from 1e-4 on the bounds' doubles are not below them; further
   down they are off by a part of 2^-53, which is nothing to MOST_SMALL digits. */
static int first_power(double a)
{
  static const double up[] = { 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8 };
  static const double down[] = { 1e0,  1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,
                                 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15 };
  int power = 0;
  while (power < 8 && a >= up[power]) power++;
  while (power > -16 && power <= 0 && a < down[-power]) power--;
  return power;
}

/* The first `digits` digits of a, rounded, and the power of ten of the first; false: for
   snprintf. */
static bool first_digits(double a, int digits, uint64_t *value, int *power)
{
  if (!(a >= 1e-16 && a < 1e9) || digits <= 0 || digits > (a < 1e-4 ? MOST_SMALL : MOST_GENERAL))
    return false;
  *power = first_power(a);
  if (digits - 1 - *power > MOST_WIDE_POWER || *power >= digits
      || !scaled(a, digits - 1 - *power, value))
    return false;
  if (*value == power_of_ten[digits]) {
    *value /= 10;
    ++*power;
  }
  return *power < digits;
}

static char *put_plain(char *at, const char *text, int count, int power)
{
  int whole = power < 0 ? 0 : power + 1;
  while (count > whole && text[count - 1] == '0') count--;
  if (power < 0) *at++ = '0';
  memcpy(at, text, (size_t)whole);
  at += whole;
  if (count > whole) *at++ = '.';
  for (int i = power + 1; i < 0; i++) *at++ = '0';
  memcpy(at, text + whole, (size_t)(count - whole));
  return at + count - whole;
}

/* For powers below -4. */
static char *put_exponent(char *at, const char *text, int count, int power)
{
  while (count > 1 && text[count - 1] == '0') count--;
  *at++ = text[0];
  if (count > 1) *at++ = '.';
  memcpy(at, text + 1, (size_t)count - 1);
  at += count - 1;
  memcpy(at, "e-", 2);
  put_digits(at + 4, (uint64_t)-power, 2);
  return at + 4;
}

size_t decimal_general(char *out, double number, int digits)
{
  double a = fabs(number);
  uint64_t value;
  int power = 0;
  bool right = first_digits(a, digits, &value, &power);
  char *at = out, text[MOST_GENERAL];
  if (!right && a != 0) return (size_t)snprintf(out, DECIMAL_ROOM, "%.*g", digits, number);
  if (signbit(number)) *at++ = '-';
  if (a == 0) {
    *at++ = '0';
    return (size_t)(at - out);
  }
  put_digits(text + digits, value, digits);
  return (size_t)((power < -4 ? put_exponent : put_plain)(at, text, digits, power) - out);
}
