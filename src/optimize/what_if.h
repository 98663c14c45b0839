/* Computes what a swap would change around the cell, without an update.

   The cell is swapped for a moment. The engine's own functions compute the nets before and after
   it, the drivers of these nets, and the drivers that a changed transition reaches within
   WHAT_IF_DEPTH arcs. Then they compute the arrivals there, and the required times back to the
   cell. A changed arrival is followed as far as it may still reach, by another way, a driver whose
   slack is asked for (the cell's outputs and the drivers before the cell). A changed required time
   is followed in the same way. This is needed because a path may leave the region around the cell
   and enter it again. At the end all numbers are restored, bit by bit.

   Not followed are captures outside the region whose clock arrival changes, latches that data
   passes, and changes of the clock tree's credits. The annotated delays of the cell count, although
   a real swap drops them. With required times by launches (COMMON_BY_LAUNCHES) the result of a swap
   has known = false. If a net before the cell has more than WHAT_IF_LOADS loads, it is taken as
   unchanged, and the slack of its driver does not count. */
#ifndef SL_OPTIMIZE_WHAT_IF_H
#define SL_OPTIMIZE_WHAT_IF_H

#include "update/timer.h"

enum { WHAT_IF_DEPTH = 8, WHAT_IF_LOADS = 500 };

/* The worst values over the given scenarios. */
typedef struct {
  bool   known;                /* false: the cell has other arcs, so a new graph would be needed,
                                  or required times are by launches */
  double slack[2];             /* EARLY, LATE: at the cell's outputs and the drivers before it;
                                  INFINITY: none */
  double slew;                 /* the longest slew at the outputs and at the loads that they drive,
                                  ps */
  double load;                 /* the largest load of the drivers before the cell, fF */
  double most_load;            /* the largest load of the cell's own outputs, fF */
} WhatIf;

/* Computes the values with another cell, or with the present one. The timers must be up to date,
   with required times, and all numbers must be on the host. The netlist is restored. */
WhatIf what_if(Netlist *n, Timer *const *timers, uint32_t count, InstId inst, CellId cell);

#endif
