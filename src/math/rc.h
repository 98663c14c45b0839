/* Reduction of an RC tree.  Nodes are in an order with parents first; node 0 is the root (the
   driver). cap[] holds each node's total capacitance, pins included, of one condition. */
#ifndef SL_MATH_RC_H
#define SL_MATH_RC_H

#include "math/host_device.h"

/* A load's and a net's reduced numbers, by condition in the engine's arrays. */
typedef struct {
  float c1, c2, rpi;      /* far, near capacitance, resistance; c1 = 0: no resistance worth the
                             name */
} PiModel;

/* O'Brien and Savarino: from the admittance moments y1 s + y2 s^2 + y3 s^3. */
SL_HD PiModel pi_from_moments(double y1, double y2, double y3)
{
  PiModel m;
  if (y2 == 0 || y3 == 0) {
    m.c1 = 0;
    m.c2 = (float)y1;
    m.rpi = 0;
    return m;
  }
  double c1 = y2 * y2 / y3;
  double c2 = y1 - c1;
  m.c1 = (float)c1;
  m.c2 = (float)(c2 > 0 ? c2 : 0);
  m.rpi = (float)(-y3 * y3 / (y2 * y2 * y2));
  return m;
}

#endif
