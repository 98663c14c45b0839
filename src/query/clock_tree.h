/* Clocks as they arrive: latencies at registers, skew between registers that talk to each other,
   the least period. */
#ifndef SL_QUERY_CLOCK_TREE_H
#define SL_QUERY_CLOCK_TREE_H

#include "timing/timing.h"

/* Latency of a clock edge at a clock pin's edge: source and network, ps; NAN where it does not
   arrive. Of several nodes of that clock edge the worst counts.  Ideal clocks have the latency that
   constraints give them, or (as_propagated) the delays of their network. */
double query_clock_latency(const Timing *t, Slot clock_pin, ClockId clock, int pin_edge,
                           int early_late, bool as_propagated);

/* Extremes of a clock's latency over register clock pins, of the edge that triggers each. */
typedef struct {
  Slot   slot[2];            /* [EARLY]: the shortest, early; [LATE]: the longest, late; NO_SLOT:
                                none */
  int    edge[2];
  double latency[2];
  uint32_t count;            /* register clock pins that the clock reaches */
} LatencyRange;
LatencyRange query_latency_range(const Timing *t, ClockId clock, bool as_propagated);

/* The largest difference, by size, between launching and capturing latency over pairs of registers
   of one clock with a data path between them.  check SETUP: launch late, capture early, uncertainty
   added; HOLD: launch early, capture late, uncertainty taken off. */
typedef struct {
  bool   found;
  Slot   launch, capture;    /* clock pins */
  int    launch_edge, capture_edge;
  /* uncertainty: as it counts in skew */
  double launch_latency, capture_latency, uncertainty, skew;
} ClockSkew;
ClockSkew query_clock_skew(const Timing *t, ClockId clock, int check, bool as_propagated);

#endif
