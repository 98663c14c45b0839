/* Random drivers and pi loads, and their solution by math/driver.h, for the tests of the
   mathematics and of the lanes. */
#ifndef SL_TESTS_RANDOM_CASE_H
#define SL_TESTS_RANDOM_CASE_H

#include "timing/corner_libs.h"
#include "math/driver.h"

enum { DRIVER_SEGMENTS = 6 };

typedef struct {
  float data[2][7 + 7 + 49];        /* delay and slew tables, 7 by 7 */
  float input_slew;
  float c_far, c_near, r_pi;
  Thresholds v;
  int   ramp_base;
} DriverCase;

/* A model with libraries of several thresholds; the caller frees both. */
CornerLibs *driver_libs(LibrarySet **libs, Names **names);

DriverCase     driver_random(const CornerLibs *m, unsigned *seed);
/* model: of DELAY_WAVE_MODELS. */
DriverSolution driver_scalar(DelayModel model, const CornerLibs *m, const DriverCase *c);
float          driver_uniform(unsigned *seed, float low, float high);

#endif
