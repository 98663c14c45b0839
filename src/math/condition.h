/* The four conditions, values by condition, and how such values merge: late takes the largest,
   early the smallest. */
#ifndef SL_MATH_CONDITION_H
#define SL_MATH_CONDITION_H

#include "math/host_device.h"

enum { RISE = 0, FALL = 1 };
enum { EARLY = 0, LATE = 1 };
/* Condition = 2*early_late + rise_fall: {early rise, early fall, late rise, late fall}. */
enum { CONDITION_COUNT = 4 };
SL_HD int condition_of(int early_late, int rise_fall) { return 2 * early_late + rise_fall; }

/* By condition. */
typedef struct {
  float v[CONDITION_COUNT];
} Cond4;

typedef struct { float v[2]; } Pair;           /* {early, late}, or by edge for checks and rows */

/* What is not there, so that max and min pass over it; required times that nothing asks for have
   the loosest value the same way. */
#define ABSENT_LATE  (-1e30f)
#define ABSENT_EARLY (1e30f)
SL_HD int time_absent(float t) { return (t > 1e29f) | (t < -1e29f); }

SL_HD Cond4 cond_all(float early, float late)
{
  Cond4 c;
  c.v[0] = c.v[1] = early;
  c.v[2] = c.v[3] = late;
  return c;
}

/* Nothing arrives; nothing is required. */
SL_HD Cond4 cond_nothing(void) { return cond_all(ABSENT_EARLY, ABSENT_LATE); }
SL_HD Cond4 cond_loosest(void) { return cond_all(ABSENT_LATE, ABSENT_EARLY); }

SL_HD void time_merge(float *have, int early_late, float x)
{
  if (early_late == LATE ? x > *have : x < *have) *have = x;
}

/* The tighter one: late earlier, early later. */
SL_HD void time_tighten(float *have, int early_late, float x)
{
  if (early_late == LATE ? x < *have : x > *have) *have = x;
}

SL_HD void cond_merge(Cond4 *to, int early_late, int edge, float x)
{
  time_merge(&to->v[condition_of(early_late, edge)], early_late, x);
}

/* A delay under a derate: d + (factor - 1) |d|. So a late factor over 1 makes negative delays later
   too, and late times are never before early ones. */
SL_HD float derated(float delay, float factor) { return delay * (delay < 0 ? 2 - factor : factor); }

/* What nothing was merged into becomes 0. */
SL_HD void cond_settle(Cond4 *c)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (time_absent(c->v[k])) c->v[k] = 0;
}

/* One analysis: what was worked out for early is not used. */
SL_HD void cond_copy_late(Cond4 *c)
{
  c->v[condition_of(EARLY, RISE)] = c->v[condition_of(LATE, RISE)];
  c->v[condition_of(EARLY, FALL)] = c->v[condition_of(LATE, FALL)];
}

#endif
