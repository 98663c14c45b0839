/* Worst and total slacks of endpoints by blocks, with one order of additions on the host and on a
   device: END_LEAF endpoints make a leaf, END_LEAVES leaves make a block, each added from the first
   on, and then the sums of blocks are added in order. The header is C and C++. */
#ifndef SL_TIMING_END_SUMS_H
#define SL_TIMING_END_SUMS_H

#include "math/host_device.h"

enum { END_LEAF = 32, END_LEAVES = 32, END_BLOCK = END_LEAF * END_LEAVES };
#define NO_END 0xFFFFFFFFu

/* Sums of one analysis (early or late), ps. */
typedef struct {
  double   worst, total;             /* worst: NO_END_SLACK if none; total: of the negative
                                        slacks */
  uint32_t violations, ends;
  uint32_t worst_end;                /* the first endpoint with the worst slack; NO_END: none */
} EndSum;

/* The slack of an endpoint without path ends.  All other slacks are smaller. */
#define NO_END_SLACK 1e29

SL_HD EndSum end_sum(void)
{
  EndSum s = { NO_END_SLACK, 0, 0, 0, NO_END };
  return s;
}

SL_HD void end_sum_add(EndSum *sum, uint32_t end, double slack)
{
  if (!(slack < NO_END_SLACK)) return;
  sum->ends++;
  if (slack < 0) {
    sum->violations++;
    sum->total += slack;
  }
  if (slack >= sum->worst) return;
  sum->worst = slack;
  sum->worst_end = end;
}

SL_HD void end_sum_merge(EndSum *sum, const EndSum *end_sum)
{
  sum->total += end_sum->total;
  sum->violations += end_sum->violations;
  sum->ends += end_sum->ends;
  if (end_sum->worst >= sum->worst) return;
  sum->worst = end_sum->worst;
  sum->worst_end = end_sum->worst_end;
}

/* Returns the number of blocks for this many endpoints. */
static inline uint32_t end_block_count(uint32_t ends) { return (ends + END_BLOCK - 1) / END_BLOCK; }

#endif
