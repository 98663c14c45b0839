/* Computes late arrivals for another period of one clock.

   All edges of the clock move with its period, and with them everything that depends on the time
   between two edges: required times at its registers, the windows of its latches, and the data that
   passes them. Delays, latencies, uncertainties, external delays, times of set_max_time_borrow and
   all other clocks do not change. Only paths that the clock launches and captures count. Data of
   other clocks does not pass its latches here. */
#ifndef SL_UPDATE_STRETCH_H
#define SL_UPDATE_STRETCH_H

#include "timing/timing.h"

typedef struct Stretch Stretch;

/* registers: only data that registers launch, without data from ports and without clocks that go on
   as data. */
Stretch *stretch_new(const Timing *t, ClockId clock, bool registers);
void     stretch_free(Stretch *stretch);
/* Computes the arrivals at a period.  Returns false if interrupted. */
bool     stretch_to(Stretch *stretch, double period);
/* Returns a Timing with the arrivals, check margins and common paths at that period, without slacks
   and required times.  Its graph has its own path ends. */
const Timing *stretch_timing(const Stretch *stretch);

/* Returns true if the clock launches and captures the data of a path end. The required time of the
   path end then depends on the period, unless a path delay sets it. */
bool stretch_end_within(const Graph *g, const PathEnd *end, ClockId clock);

#endif
