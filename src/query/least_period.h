/* Computes the least period of a clock. */
#ifndef SL_QUERY_LEAST_PERIOD_H
#define SL_QUERY_LEAST_PERIOD_H

#include "timing/timing.h"

/* The least period at which no setup slack between registers of the clock is negative. Flip-flops
   and latches launch and capture. A path through transparent latches counts from its first launch,
   with all periods or parts of periods that it has. with_ports also counts paths from inputs and to
   outputs. A path whose launch and capture are not separated by a part of the period does not limit
   the period. */
typedef struct {
  double period;             /* ps; NAN if no path limits it, no period is long enough, or
                                interrupted */
  PinId  pin;                /* the endpoint that determines it */
  double fixed;              /* the least slack that does not depend on the period; INFINITY if
                                none */
  PinId  fixed_pin;
} MinPeriod;
MinPeriod query_min_period(const Timing *t, ClockId clock, bool with_ports);

#endif
