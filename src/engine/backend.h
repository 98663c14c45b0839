/* What an engine does: a struct of functions over the flat arrays.  Each works on whole levels or ranges; the
   timer says in which order.  All results are the same bits on every backend and with any number of threads. */
#ifndef SL_ENGINE_BACKEND_H
#define SL_ENGINE_BACKEND_H

#include "engine/timing.h"

typedef struct Backend {
  const char *name;
  /* Loads, pi models, Elmore constants of the drivers in [first, last) of the driver numbering. */
  void (*reduce_nets)(Timing *t, const Slot *drivers, uint32_t count);
  /* Delays and slews of a level: its drivers' arcs, then the wires to its loads. */
  void (*level_delays)(Timing *t, uint32_t level);
  /* Arrivals of a level. */
  void (*level_arrivals)(Timing *t, uint32_t level);
  /* Delays of latch data to output arcs, after all levels' delays. */
  void (*latch_delays)(Timing *t);
  /* Clock arrivals that delays with a reference pin count from; true when they differ from before, and arrivals must be
     worked out again. */
  bool (*reference_pass)(Timing *t);
  /* What borrowing latches pass on to their outputs; true when it differs from the last pass, and arrivals must be
     worked out again. */
  bool (*latch_pass)(Timing *t);
  /* After arrivals, where common path credit is on: credits of the clock tree; then, when there are any, arrivals by
     launching clock pin, level by level. */
  void (*common_credits)(Timing *t);
  void (*level_fronts)(Timing *t, uint32_t level);
  /* Margins of all checks, slacks of all rows, required times at end points. */
  void (*end_points)(Timing *t);
  /* Required times of a level, from its fan-out. */
  void (*level_required)(Timing *t, uint32_t level);
} Backend;

extern const Backend cpu_backend;

#endif
