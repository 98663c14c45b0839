/* Worst and total slacks over endpoints, stored by blocks of endpoints (timing/end_sums.h). After a
   change only the leaves that the change reached are summed again, and one step is needed for each
   block. Sums are added in the order of pins, so the result does not depend on earlier changes. If
   only a device has the slacks, it makes the sums of blocks in the same order. */
#ifndef SL_TIMING_END_SLACKS_H
#define SL_TIMING_END_SLACKS_H

#include <math.h>

#include "timing/end_sums.h"
#include "timing/timing.h"

/* Worst slack (INFINITY: none), total of the negative ones. */
typedef struct {
  double   worst, total;
  uint32_t violations, ends;
  PinId    worst_pin;
} SlackSummary;

typedef struct EndSlacks {
  const Graph  *g;
  ARRAY(PinId)  pins;                       /* with rows, in order: the end points; made when first
                                               asked for */
  EndSum       *leaves, *blocks;            /* [leaf or block][early, late] */
  uint8_t      *stale_leaf, *stale_block;   /* a block with a stale leaf is stale */
  bool          made, all;                  /* all: everything is stale */
} EndSlacks;

EndSlacks   *end_slacks_new(const Graph *g);
void         end_slacks_free(EndSlacks *e);
/* Rows at a slot, or at any, have other slacks than before. */
void         end_slacks_touch(EndSlacks *e, Slot slot);
void         end_slacks_touch_all(EndSlacks *e);
/* The blocks' sums, [block][early, late], of slacks that the host does not have. */
void         end_slacks_take(EndSlacks *e, const EndSum *blocks);
SlackSummary end_slacks_of(const Timing *t, int early_late);
/* Pins with rows, in order. */
const PinId *end_slacks_pins(const Timing *t, uint32_t *count);

/* Of rows at a slot: INFINITY where none applies. */
double       slot_end_slack(const Timing *t, Slot slot, int early_late);
/* Of a sum over all end points, the worst of which is at some pin. */
static inline SlackSummary slack_summary(const EndSum *s, PinId worst)
{
  return (SlackSummary){ worst == NO_PIN ? INFINITY : s->worst, s->total, s->violations, s->ends,
                         worst };
}

#endif
