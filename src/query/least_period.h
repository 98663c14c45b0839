/* The least period of a clock. */
#ifndef SL_QUERY_LEAST_PERIOD_H
#define SL_QUERY_LEAST_PERIOD_H

#include "timing/timing.h"

/* The least period at which no setup slack between registers of the clock is negative.  Flip-flops
   and latches launch and capture.  What goes on through transparent latches counts from its first
   launch: with all periods, or parts of one, that it has.  With ports: paths from inputs and to
   outputs count as well.  A path without any part of the period between launch and capture asks for
   no period. */
typedef struct {
  double period;             /* NAN: no path, none is long enough, or interrupted */
  PinId  pin;                /* end point that asks for it */
  double fixed;              /* the least slack that no period changes; INFINITY */
  PinId  fixed_pin;
} MinPeriod;
MinPeriod query_min_period(const Timing *t, ClockId clock, bool with_ports);

#endif
