/* The mathematics of on-chip variation: derates by distance and depth, and sums of independent
   normal delays. */
#ifndef SL_MATH_NORMAL_SUM_H
#define SL_MATH_NORMAL_SUM_H

#include <math.h>

#include "math/host_device.h"
#include "math/table.h"

SL_HD float ocv_clamp(float x, const float *axis, int n)
{
  float low = axis[0], high = axis[n - 1];
  return x < low ? low : x > high ? high : x;
}

/* Returns a derate by distance and depth. It is linear between the points of the table; outside of
   the table the nearest point counts. */
SL_HD float ocv_derate(TableView t, float distance, float depth)
{
  if (t.n1 > 1) distance = ocv_clamp(distance, t.data, t.n1);
  if (t.n2 > 1) depth = ocv_clamp(depth, t.data + t.n1, t.n2);
  return table_value(t, distance, depth);
}

/* Returns by how much `quantile` sigmas grow if an independent part with the variance `more` is
   added to the variance `have`: n (sqrt(have + more) - sqrt(have)). The form avoids the difference
   of two similar numbers. */
SL_HD float ocv_growth(float quantile, float have, float more)
{
  if (!(more > 0)) return 0;
  return quantile * (more / (sqrtf(have + more) + sqrtf(have)));
}

#endif
