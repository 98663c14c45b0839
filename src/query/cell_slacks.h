/* Worst slacks of cells, over their pins. */
#ifndef SL_QUERY_CELL_SLACKS_H
#define SL_QUERY_CELL_SLACKS_H

#include "timing/timing.h"

/* Stores the worst slack of each cell in slack[InstId], ps; NAN if none of its pins has a slack.
   `slack` has room for all instances of the netlist. The function reads arrivals and required times
   of pins. So all numbers must be on the host, as session_timing and session_timings bring them. */
void query_cell_slacks(const Timing *t, int early_late, double *slack);

#endif
