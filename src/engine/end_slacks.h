/* Worst and total slacks over end points, kept by blocks of END_BLOCK of them: after a change, what is asked for costs the blocks that the
   change reached and one step a block, not every pin.  Sums are in the order of pins, block by block, whatever was changed before. */
#ifndef SL_ENGINE_END_SLACKS_H
#define SL_ENGINE_END_SLACKS_H

#include <math.h>

#include "engine/timing.h"

/* Worst slack (INFINITY: none), total of the negative ones. */
typedef struct {
  double   worst, total;
  uint32_t violations, ends;
  PinId    worst_pin;
} SlackSummary;

enum { END_BLOCK = 128 };

typedef struct EndSlacks {
  const Graph  *g;
  ARRAY(PinId)  pins;                /* with rows, in order; made when first asked for */
  SlackSummary *blocks;              /* [block][early, late] */
  uint8_t      *stale;               /* by block */
  bool          made, all;           /* all: every block is stale */
} EndSlacks;

EndSlacks   *end_slacks_new(const Graph *g);
void         end_slacks_free(EndSlacks *e);
/* Rows at a slot, or at any, have other slacks than before. */
void         end_slacks_touch(EndSlacks *e, Slot slot);
void         end_slacks_touch_all(EndSlacks *e);
SlackSummary end_slacks_of(const Timing *t, int early_late);
/* Pins with rows, in order. */
const PinId *end_slacks_pins(const Timing *t, uint32_t *count);

/* Of rows at a slot: INFINITY where none applies. */
double       end_slack(const Timing *t, Slot slot, int early_late);
/* Takes in one more end point. */
void         slack_summary_add(SlackSummary *s, PinId pin, double slack);
static inline SlackSummary slack_summary(void) { return (SlackSummary){ INFINITY, 0, 0, 0, NO_PIN }; }

#endif
