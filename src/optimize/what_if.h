/* What a swap would change, worked out around the cell without an update.

   The cell is swapped for a moment, and the engine's own functions work out the nets before and
   behind it, the drivers of these nets, and the drivers that a changed transition reaches, so many
   arcs far (WHAT_IF_DEPTH); then arrivals there and required times back to the cell.  Further on
   required times are those of before.  All numbers are put back, bit by bit.

   Not followed: what a clock's arrival changes at captures outside the region, latches that data
   passes, changes of the clock tree's credits, and the cell's annotated delays, which a real swap
   drops.  Nothing is known with required times by launches (COMMON_BY_LAUNCHES).
   Nets before the cell of more than WHAT_IF_LOADS loads count as not changed. */
#ifndef SL_OPTIMIZE_WHAT_IF_H
#define SL_OPTIMIZE_WHAT_IF_H

#include "update/timer.h"

enum { WHAT_IF_DEPTH = 8, WHAT_IF_LOADS = 500 };

/* The worst over the scenarios asked. */
typedef struct {
  bool   known;                /* else the cell's arcs are others, and a new graph is needed */
  double slack[2];             /* EARLY, LATE: at the cell's outputs and the drivers before it;
                                  INFINITY: none */
  double slew;                 /* longest at the outputs and at the pins behind them, ps */
  double load;                 /* largest of the drivers before the cell, fF */
  double most_load;            /* of the cell's own outputs, fF */
} WhatIf;

/* With another cell, or the cell that it has.  Timers are up to date, with required times, and all
   numbers on the host.  The netlist is as before afterwards. */
WhatIf what_if(Netlist *n, Timer *const *timers, uint32_t count, InstId inst, CellId cell);

#endif
