/* Latencies of clocks at registers, and skew between registers that are connected by a data path.
   Times are in ps. */
#ifndef SL_QUERY_CLOCK_TREE_H
#define SL_QUERY_CLOCK_TREE_H

#include "timing/timing.h"

/* Returns the source and network latency of a clock for an edge at a clock pin; NAN if it does not
   arrive. If several nodes have that clock, the worst counts. An ideal clock has the latency of its
   constraints, or with as_propagated the delays of its network. */
double query_clock_latency(const Timing *t, Slot clock_pin, ClockId clock, int pin_edge,
                           int early_late, bool as_propagated);

/* The extreme latencies of a clock over register clock pins, each for the edge that triggers the
   register. */
typedef struct {
  Slot   slot[2];            /* [EARLY]: the shortest early latency; [LATE]: the longest late
                                latency; NO_SLOT if none */
  int    edge[2];
  double latency[2];
  uint32_t count;            /* number of register clock pins that the clock reaches */
} LatencyRange;
LatencyRange query_latency_range(const Timing *t, ClockId clock, bool as_propagated);

/* The largest absolute difference between launch and capture latency over pairs of registers of one
   clock with a data path between them. For SETUP the launch is late, the capture early, and
   uncertainty is added. For HOLD the launch is early, the capture late, and uncertainty is
   subtracted. */
typedef struct {
  bool   found;
  Slot   launch, capture;    /* clock pins */
  int    launch_edge, capture_edge;
  /* uncertainty has the sign with which it counts in skew */
  double launch_latency, capture_latency, uncertainty, skew;
} ClockSkew;
ClockSkew query_clock_skew(const Timing *t, ClockId clock, int check, bool as_propagated);

#endif
