/* The network of a clock: cells, nets and registers that it reaches. */
#ifndef SL_QUERY_CLOCK_NETWORK_H
#define SL_QUERY_CLOCK_NETWORK_H

#include "timing/timing.h"

typedef struct {
  uint32_t sinks;                    /* register clock pins */
  uint32_t buffers, inverters, gates, nets;
  uint32_t levels[2];                /* cells between source and sink: least, most; 0 without
                                        sinks */
  double   latency[2];               /* shortest early, longest late at sinks, of any edge; NAN
                                        without sinks */
  double   slew, cap;                /* worst late transition, sum of the late loads of its
                                        drivers */
  PinId    slew_pin;                 /* NO_PIN without drivers */
} ClockNetwork;
ClockNetwork query_clock_network(const Timing *t, ClockId clock);

bool query_slot_has_clock(const Graph *g, Slot slot, ClockId clock);

/* The drivers and sinks of a clock from its sources on, depth first, loads in their order; a pin
   that is reached twice comes once. */
typedef struct {
  Slot     slot;
  uint32_t depth;                    /* drivers before it */
  bool     sink;
} ClockPoint;
typedef ARRAY(ClockPoint) ClockPoints;
void query_clock_points(const Timing *t, ClockId clock, ClockPoints *out);

#endif
