/* Macros that let the headers of this folder compile for the CPU and for a device, from the same
   source and with the same bits.

   Rules for the folder: use float unless a comment says why not; use only + - * / and sqrt, which
   both sides round correctly; do not call libm; select with ?: and not with fmin or fmax; give
   loops a fixed count. The C compiler gets -ffp-contract=off, nvcc --fmad=false -prec-div=true
   -prec-sqrt=true -ftz=false. */
#ifndef SL_MATH_HOST_DEVICE_H
#define SL_MATH_HOST_DEVICE_H

#include <stdint.h>

#ifdef __CUDACC__
#define SL_HD static inline __host__ __device__
#else
#define SL_HD static inline __attribute__((always_inline))
#endif

SL_HD float f_min(float a, float b) { return a < b ? a : b; }
SL_HD float f_max(float a, float b) { return a > b ? a : b; }
SL_HD float f_abs(float a) { return a < 0 ? -a : a; }
SL_HD float f_clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

#endif
