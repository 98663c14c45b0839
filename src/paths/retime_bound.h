/* The numbers that bound re-timed paths: for one analysis, the worst that each arc, wire and check
   can be on any path.

   At every pin lie the slews that paths can bring there within a range: from its start on, an arc
   turns the range at its input into the range at its output, and over that range its delay is
   nowhere worse than its bound.  Tables are linear between their points, so a range's ends and the
   points inside it tell (with effective capacitances, where delays bend a little more, to a good
   approximation).  Where delays rise with slews the bound is the graph's own delay.  Arrivals with
   these delays, and slacks with margins that are the worst in the data's range, make another
   Timing, in which the path search finds paths in the order of their bounds: a path's re-timed
   slack is not less than the slack that it has there. */
#ifndef SL_PATHS_RETIME_BOUND_H
#define SL_PATHS_RETIME_BOUND_H

#include "timing/timing.h"

typedef struct RetimeBound RetimeBound;

/* NULL when interrupted. */
RetimeBound  *retime_bound_new(const Timing *t, int early_late);
void          retime_bound_free(RetimeBound *b);
/* For the search; t's but for what bounds it. */
const Timing *retime_bound_timing(const RetimeBound *b);
/* By how much (ps) a re-timed slack can still be below the bound: sums in floats, latches that
   borrow. */
double        retime_bound_widening(const RetimeBound *b);

/* The last bounds that were asked for, so that queries in a row share them. */
typedef struct RetimeBounds RetimeBounds;
RetimeBounds *retime_bounds_new(void);
void          retime_bounds_free(RetimeBounds *c);      /* NULL is allowed */
/* version: another one means that the timing's numbers have changed (Timer.updates).  NULL when
   interrupted. */
const RetimeBound *retime_bounds_of(RetimeBounds *c, const Timing *t, uint64_t version,
                                    int early_late);

#endif
