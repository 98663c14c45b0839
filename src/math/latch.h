/* Transparent latches: the time at which data is due. All times are in ps.

   Data that comes before the latch opens has the remaining time as slack. Data that comes later
   borrows time and has slack 0, up to the limit that the closing edge sets. So early data is
   compared with the opening edge and late data with the closing edge. With common path credit
   (math/common_path.h) each comparison has the credit of the launch with its own edge:

     late  = limit - (arrival - credit with the closing edge)
     slack = late, if late < 0; else max(0, open - (arrival - credit with the opening edge))

   A pulse may be shorter than the setup time. Data that comes before the latch opens is in time
   even then. */
#ifndef SL_MATH_LATCH_H
#define SL_MATH_LATCH_H

#include <stdint.h>

#include "math/host_device.h"

/* The window of a latch for one edge of its data. Times count from the launching edge. */
typedef struct {
  float    open, limit;            /* ps; open is absent if nothing opens the latch */
  uint32_t opens, closes;          /* leaves of the clock there (common path credit), or 0; both are
                                      equal if the window is given */
} LatchTimes;

/* Is data too late? The arrival has the credit of the closing edge subtracted. */
SL_HD int latch_is_late(LatchTimes x, float arrival)
{
  return arrival > (x.limit > x.open ? x.limit : x.open);
}

/* Returns the required time. If the data is not late, the arrival has the credit of the opening
   edge subtracted. */
SL_HD float latch_required(LatchTimes x, int late, float arrival)
{
  return late ? x.limit : arrival > x.open ? arrival : x.open;
}

#endif
