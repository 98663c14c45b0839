/* Tests of base/decimal.h: the bytes are those of printf, for random numbers and at powers of
   ten. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "tests/unit.h"

/* The bytes that printf gives, in both forms. */
static bool same_as_printf(double number, int digits)
{
  char have[DECIMAL_ROOM], want[DECIMAL_ROOM];
  size_t length = decimal_fixed(have, number, digits);
  bool same = (int)length == snprintf(want, sizeof want, "%.*f", digits, number)
              && memcmp(have, want, length) == 0;
  if (!same)
    printf("decimal_fixed(%a, %d) is %.*s, not %s\n", number, digits, (int)length, have, want);
  length = decimal_general(have, number, digits);
  bool general = (int)length == snprintf(want, sizeof want, "%.*g", digits, number)
                 && memcmp(have, want, length) == 0;
  if (!general)
    printf("decimal_general(%a, %d) is %.*s, not %s\n", number, digits, (int)length, have, want);
  return same && general;
}

static double random_double(unsigned *seed)
{
  uint64_t bits =
      (uint64_t)rand_r(seed) << 42 ^ (uint64_t)rand_r(seed) << 21 ^ (uint64_t)rand_r(seed);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/* Of all sizes, of everyday size, short decimals and halves of units, and what lies around powers
   of ten. */
static void test_random(void)
{
  static const double over[] = { 2, 4, 8, 16, 10, 100, 1000, 1e4, 1e5, 1e6 };
  unsigned seed = 7;
  bool right = true;
  for (int i = 0; i < 30000 && right; i++) {
    double ten = pow(10, rand_r(&seed) % 24 - 12),
           small = (rand_r(&seed) % 4000000 - 2000000) / over[rand_r(&seed) % 10];
    right = same_as_printf(random_double(&seed), rand_r(&seed) % 25)
            && same_as_printf(small, rand_r(&seed) % 8) && same_as_printf((float)small, 3)
            && same_as_printf(ldexp(rand_r(&seed), rand_r(&seed) % 90 - 70), rand_r(&seed) % 16)
            && same_as_printf(ten, rand_r(&seed) % 16)
            && same_as_printf(nextafter(ten, 0), rand_r(&seed) % 16)
            && same_as_printf(nextafter(ten, INFINITY), rand_r(&seed) % 16)
            && same_as_printf(ten * (1 - ldexp(1, -(rand_r(&seed) % 53))), rand_r(&seed) % 10);
  }
  CHECK(right);
}

/* Seconds of circuits: picoseconds in floats, and powers of ten and their neighbours. */
static void test_small(void)
{
  unsigned seed = 11;
  bool right = true;
  for (int i = 0; i < 100000 && right; i++) {
    double ps = (float)ldexp(rand_r(&seed), rand_r(&seed) % 50 - 50);
    right = same_as_printf(ps * 1e-12, 7) && same_as_printf(-ps * 1e-12, rand_r(&seed) % 18);
  }
  for (int power = -20; power <= 10; power++)
    for (int digits = 1; digits <= 18 && right; digits++) {
      double ten = strtod((char[]){ '1', 'e', power < 0 ? '-' : '+', (char)('0' + abs(power) / 10),
                                    (char)('0' + abs(power) % 10), 0 },
                          NULL);
      right = same_as_printf(ten, digits) && same_as_printf(nextafter(ten, 0), digits)
              && same_as_printf(nextafter(ten, INFINITY), digits)
              && same_as_printf(ten * (1 - 0.5 * pow(10, -digits)), digits)
              && same_as_printf(ten * (1 - 0.6 * pow(10, -digits)), digits)
              && same_as_printf(ten * 1.25, 2) && same_as_printf(ten * 1.75, 2);
    }
  CHECK(right);
}

static void test_edges(void)
{
  static const double numbers[] = { 0.0,         -0.0,        0.5,    1.5,
                                    2.5,         -0.0004,     0.0005, 0.9995,
                                    999999999.4, 999999999.5, 1e9,    9.99999999e-5,
                                    99999.99995, 1e15,        1e16,   1.8446744073709552e19,
                                    1e22,        1e300,       5e-324, INFINITY,
                                    -INFINITY,   NAN };
  bool right = true;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    for (int digits = 0; digits <= 22; digits++) right &= same_as_printf(numbers[i], digits);
  CHECK(right);
}

void suite_decimal(void)
{
  CU_pSuite s = CU_add_suite("base/decimal", NULL, NULL);
  CU_add_test(s, "random numbers against printf", test_random);
  CU_add_test(s, "small numbers and powers of ten against printf", test_small);
  CU_add_test(s, "where rounding and ranges end", test_edges);
}
