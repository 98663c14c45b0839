/* The reduction of an RC tree to a pi model, in fF and kOhm. */
#ifndef SL_MATH_RC_H
#define SL_MATH_RC_H

#include "math/host_device.h"

/* The pi model of a net for one condition. */
typedef struct {
  float c_far, c_near,
      r_pi; /* far and near capacitance, fF; resistance, kOhm; c_far is 0 if the resistance is
               negligible */
} PiModel;

/* Returns the pi model with the admittance moments y1 s + y2 s^2 + y3 s^3, after O'Brien and
   Savarino. */
SL_HD PiModel pi_from_moments(double y1, double y2, double y3)
{
  PiModel m;
  if (y2 == 0 || y3 == 0) {
    m.c_far = 0;
    m.c_near = (float)y1;
    m.r_pi = 0;
    return m;
  }
  double c_far = y2 * y2 / y3;
  double c_near = y1 - c_far;
  m.c_far = (float)c_far;
  m.c_near = (float)(c_near > 0 ? c_near : 0);
  m.r_pi = (float)(-y3 * y3 / (y2 * y2 * y2));
  return m;
}

#endif
