/* Bounds of re-timed paths: for one analysis, the worst number that each arc, wire and check can
   have on any path.

   The slews that paths bring to a pin lie within a range. An arc maps the range at its input to the
   range at its output, and its bound is the worst delay over the input range. Tables are linear
   between their points, so the ends of a range and the points inside it determine the bound. With
   effective capacitances, where delays bend a little more, this is a good approximation. If delays
   rise with slews, the bound is the delay in the graph. Arrivals with these delays, and slacks with
   the worst margins over the range of the data's slew, form another Timing. In it the path search
   finds paths in the order of their bounds. The re-timed slack of a path is not less than its slack
   there, except by retime_bound_widening and in the cases of doc/path_based_analysis.md. */
#ifndef SL_PATHS_RETIME_BOUND_H
#define SL_PATHS_RETIME_BOUND_H

#include "timing/timing.h"

typedef struct RetimeBound RetimeBound;

/* Returns NULL if interrupted. */
RetimeBound  *retime_bound_new(const Timing *t, int early_late);
void          retime_bound_free(RetimeBound *bound);
/* Returns the Timing to search. Numbers that bound nothing are those of the original. */
const Timing *retime_bound_timing(const RetimeBound *bound);
/* Returns by how much (ps) a re-timed slack can still be below its bound, because of float sums and
   borrowing latches. */
double        retime_bound_widening(const RetimeBound *bound);

/* Keeps the last bounds, so that consecutive queries share them. */
typedef struct RetimeBounds RetimeBounds;
RetimeBounds *retime_bounds_new(void);
void          retime_bounds_free(RetimeBounds *bounds);      /* NULL is allowed */
/* A new version (Timer.updates) means that the timing's numbers have changed. Returns NULL if
   interrupted. */
const RetimeBound *retime_bounds_of(RetimeBounds *bounds, const Timing *t, uint64_t version,
                                    int early_late);

#endif
