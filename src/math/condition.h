/* The four conditions (early or late, rising or falling), values by condition, and their merging:
   late keeps the largest value, early the smallest. Times are in ps. */
#ifndef SL_MATH_CONDITION_H
#define SL_MATH_CONDITION_H

#include "math/host_device.h"

enum { RISE = 0, FALL = 1 };
enum { EARLY = 0, LATE = 1 };
/* A condition is 2*early_late + rise_fall, in the order {early rise, early fall, late rise, late
   fall}. */
enum { CONDITION_COUNT = 4 };
SL_HD int condition_of(int early_late, int rise_fall) { return 2 * early_late + rise_fall; }

/* One value for each condition. */
typedef struct {
  float v[CONDITION_COUNT];
} Cond4;

typedef struct { float v[2]; } Pair;           /* {early, late}, or by edge for checks and rows */

/* The values of a time that does not exist. Maximum and minimum then ignore it. A required time
   that nothing constrains has the loosest value in the same way. */
#define ABSENT_LATE  (-1e30f)
#define ABSENT_EARLY (1e30f)
/* The slack where nothing arrives or nothing is required. */
#define NO_SLACK     1e30f
SL_HD int time_absent(float t) { return (t > 1e29f) | (t < -1e29f); }

/* Returns the slack of data with this arrival. */
SL_HD float time_slack(int early_late, float required, float arrival)
{
  return early_late == LATE ? required - arrival : arrival - required;
}

SL_HD Cond4 cond_all(float early, float late)
{
  Cond4 c;
  c.v[0] = c.v[1] = early;
  c.v[2] = c.v[3] = late;
  return c;
}

/* The values of a pin where nothing arrives, and of one where nothing is required. */
SL_HD Cond4 cond_nothing(void) { return cond_all(ABSENT_EARLY, ABSENT_LATE); }
SL_HD Cond4 cond_loosest(void) { return cond_all(ABSENT_LATE, ABSENT_EARLY); }

SL_HD void time_merge(float *have, int early_late, float x)
{
  if (early_late == LATE ? x > *have : x < *have) *have = x;
}

/* Keeps the tighter of two required times: the smaller one for late, the larger one for early. */
SL_HD void time_tighten(float *have, int early_late, float x)
{
  if (early_late == LATE ? x < *have : x > *have) *have = x;
}

SL_HD void cond_merge(Cond4 *to, int early_late, int edge, float x)
{
  time_merge(&to->v[condition_of(early_late, edge)], early_late, x);
}

/* Returns a delay under a derate: d + (factor - 1) |d|. So a late factor above 1 makes negative
   delays later too, and late times never come before early ones. */
SL_HD float derated(float delay, float factor) { return delay * (delay < 0 ? 2 - factor : factor); }

/* Sets values that nothing was merged into to 0. */
SL_HD void cond_settle(Cond4 *conditions)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (time_absent(conditions->v[k])) conditions->v[k] = 0;
}

/* Copies the late values to the early ones, for the analysis type "single". */
SL_HD void cond_copy_late(Cond4 *conditions)
{
  conditions->v[condition_of(EARLY, RISE)] = conditions->v[condition_of(LATE, RISE)];
  conditions->v[condition_of(EARLY, FALL)] = conditions->v[condition_of(LATE, FALL)];
}

#endif
