/* The mathematics of on-chip variation. */
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

/* A derate by distance and depth: linear between the table's points; outside, the nearest one's. */
SL_HD float ocv_derate(TableView t, float distance, float depth)
{
  if (t.n1 > 1) distance = ocv_clamp(distance, t.data, t.n1);
  if (t.n2 > 1) depth = ocv_clamp(depth, t.data + t.n1, t.n2);
  return table_value(t, distance, depth);
}

/* By how much `quantile` sigmas grow when an independent part of the variance `more` joins `have`:
   n (sqrt(have + more) - sqrt(have)), without the difference of two near numbers. */
SL_HD float ocv_growth(float quantile, float have, float more)
{
  if (!(more > 0)) return 0;
  return quantile * (more / (sqrtf(have + more) + sqrtf(have)));
}

#endif
