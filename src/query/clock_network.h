/* Describes the network of a clock: the cells, nets and registers that it reaches. */
#ifndef SL_QUERY_CLOCK_NETWORK_H
#define SL_QUERY_CLOCK_NETWORK_H

#include "timing/timing.h"

typedef struct {
  uint32_t sinks;                    /* number of register clock pins */
  uint32_t buffers, inverters, gates, nets;
  uint32_t levels[2];                /* least and largest number of cells between source and sink; 0
                                        without sinks */
  double   latency[2];               /* shortest early and longest late latency at sinks, over both
                                        edges, ps; NAN without sinks */
  double   slew, cap;                /* worst late slew, ps; sum of the late loads of its drivers,
                                        fF */
  PinId    slew_pin;                 /* NO_PIN without drivers */
} ClockNetwork;
ClockNetwork query_clock_network(const Timing *t, ClockId clock);

bool query_slot_has_clock(const Graph *g, Slot slot, ClockId clock);

/* query_clock_points lists the drivers and sinks of a clock, depth first from its sources. A pin
   that is reached twice is listed once. */
typedef struct {
  Slot     slot;
  uint32_t depth;                    /* number of drivers before it */
  bool     sink;
} ClockPoint;
typedef ARRAY(ClockPoint) ClockPoints;
void query_clock_points(const Timing *t, ClockId clock, ClockPoints *out);

#endif
