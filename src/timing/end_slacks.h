/* Worst and total slacks over endpoints, stored by blocks of endpoints (timing/end_sums.h). After a
   change only the leaves that the change reached are summed again, and one step is needed for each
   block. Sums are added in the order of pins, so the result does not depend on earlier changes. If
   only a device has the slacks, it makes the sums of blocks in the same order. */
#ifndef SL_TIMING_END_SLACKS_H
#define SL_TIMING_END_SLACKS_H

#include <math.h>

#include "timing/end_sums.h"
#include "timing/timing.h"

/* Worst slack (INFINITY: no endpoint) and total of the negative slacks, ps. */
typedef struct {
  double   worst, total;
  uint32_t violations, ends;
  PinId    worst_pin;
} SlackSummary;

typedef struct EndSlacks {
  const Graph  *g;
  ARRAY(PinId)  pins;                       /* the endpoints (pins with path ends) in ascending
                                               order; made at the first query */
  EndSum       *leaves, *blocks;            /* [leaf or block][early, late] */
  uint8_t      *stale_leaf, *stale_block;   /* a block is stale if one of its leaves is */
  bool          made, all;                  /* made: pins exist; all: everything is stale */
} EndSlacks;

EndSlacks   *end_slacks_new(const Graph *g);
void         end_slacks_free(EndSlacks *slacks);
/* Says that slacks at a slot, or at any slot, have changed. */
void         end_slacks_touch(EndSlacks *slacks, Slot slot);
void         end_slacks_touch_all(EndSlacks *slacks);
/* Stores the sums of blocks, [block][early, late], of slacks that only a device has. */
void         end_slacks_take(EndSlacks *slacks, const EndSum *blocks);
SlackSummary end_slacks_of(const Timing *t, int early_late);
/* Returns the endpoints in ascending order. */
const PinId *end_slacks_pins(const Timing *t, uint32_t *count);

/* Returns the worst slack at a slot; INFINITY if it has no path end. */
double       slot_end_slack(const Timing *t, Slot slot, int early_late);
/* Returns the summary of a sum over all endpoints; worst: the pin with the worst slack. */
static inline SlackSummary slack_summary(const EndSum *sum, PinId worst)
{
  return (SlackSummary){ worst == NO_PIN ? INFINITY : sum->worst, sum->total, sum->violations,
                         sum->ends, worst };
}

#endif
