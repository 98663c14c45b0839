/* Transparent latches: when data is due.

   Data that comes before the latch opens has the rest as slack; what comes later borrows and is
   just in time, up to the limit that the closing edge sets.  So what comes before is compared with
   one edge and what comes too late with another, and where common clock paths are credited
   (math/common_path.h) each has the credit of its launch with its own:

     slack = limit - (arrival - credit with the closing edge)               where that is less than 0: late
             the larger of 0 and open - (arrival - credit with the opening edge)   else

   A pulse may be shorter than the setup time: data that comes before the latch opens is still early
   enough. */
#ifndef SL_MATH_LATCH_H
#define SL_MATH_LATCH_H

#include <stdint.h>

#include "math/host_device.h"

/* For an edge of a row's data, after its launching edge. */
typedef struct {
  float    open, limit;            /* ps; open absent: nothing opens the latch */
  uint32_t opens, closes;          /* the clock's leaves there for common path credit; 0; the same
                                      where a window is given */
} LatchTimes;

/* Of an arrival with the closing edge's credit taken off. */
SL_HD int latch_is_late(LatchTimes x, float arrival)
{
  return arrival > (x.limit > x.open ? x.limit : x.open);
}

/* Of data that is late, or of the arrival with the opening edge's credit taken off. */
SL_HD float latch_required(LatchTimes x, int late, float arrival)
{
  return late ? x.limit : arrival > x.open ? arrival : x.open;
}

#endif
