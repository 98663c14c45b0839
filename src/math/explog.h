/* exp and log in float. They give the same bits on the CPU and on a device, and have no branches,
   so that compilers vectorise them. Relative error under 2e-7 (tests/math/test_explog.c measures
   it). */
#ifndef SL_MATH_EXPLOG_H
#define SL_MATH_EXPLOG_H

#include "math/host_device.h"

SL_HD int32_t bits_of_float(float f) { int32_t i; __builtin_memcpy(&i, &f, sizeof i); return i; }
SL_HD float float_of_bits(int32_t i) { float f; __builtin_memcpy(&f, &i, sizeof f); return f; }

/* Returns e^x for x in [-64, 88], and the value at the nearer end for other x. The low end,
   1.6e-28, is far too small to matter in a sum of order one. It keeps products away from denormal
   numbers, which are slow on CPUs. */
SL_HD float m_exp(float x)
{
  x = f_clamp(x, -64.0f, 88.0f);
  /* x = n ln2 + r, |r| <= ln2/2; adding 1.5 * 2^23 rounds to the nearest integer. */
  float shifted = x * 1.44269504f + 12582912.0f;
  int32_t n = bits_of_float(shifted);
  float whole = shifted - 12582912.0f;
  float r = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  /* the low bits of n hold the integer */
  return p * float_of_bits((int32_t)((uint32_t)(n + 127) << 23));
}

/* Returns the natural logarithm of x. Values below 1.2e-38 count as 1.2e-38. */
SL_HD float m_log(float x)
{
  int32_t b = bits_of_float(x > 1.17549435e-38f ? x : 1.17549435e-38f);
  /* x = m * 2^e with m in [sqrt(1/2), sqrt(2)) */
  int32_t shifted = b - 0x3f3504f3;
  int32_t e = shifted >> 23;
  float f = float_of_bits((shifted & 0x007fffff) + 0x3f3504f3) - 1.0f;
  float z = f * f;
  float p = 7.0376836292e-2f;
  p = p * f - 1.1514610310e-1f;
  p = p * f + 1.1676998740e-1f;
  p = p * f - 1.2420140846e-1f;
  p = p * f + 1.4249322787e-1f;
  p = p * f - 1.6668057665e-1f;
  p = p * f + 2.0000714765e-1f;
  p = p * f - 2.4999993993e-1f;
  p = p * f + 3.3333331174e-1f;
  float fe = (float)e;
  float y = p * f * z + fe * -2.12194440e-4f - 0.5f * z;
  return f + y + fe * 0.693359375f;
}

#endif
