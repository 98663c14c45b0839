/* What makes a header of this folder compile for both backends: the same source, the same bits.

   Rules for the folder: float unless a comment says why; + - * / and sqrt only (all correctly
   rounded on both sides); no libm; select by ?: and not by fmin/fmax; loops of a fixed count.  The
   C compiler gets -ffp-contract=off, nvcc --fmad=false -prec-div=true -prec-sqrt=true. */
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
