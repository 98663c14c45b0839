/* Sums of the slacks of endpoints: a block of threads for each block of timing/end_sums.h, in its
   order of additions. */
#ifndef SL_CUDA_SUMS_H
#define SL_CUDA_SUMS_H

#include "cuda/block_kernel.h"

/* Distance of the slacks of two leaves. Lanes that each sum up a leaf then read different banks of
   the shared memory. */
enum { LEAF_STEP = END_LEAF + 1 };

/* Returns the worst slack of the path ends of one analysis at a slot; 1e30 if no path end of this
   analysis has a slack there. A caller that counts endpoints leaves out values that are not below
   NO_END_SLACK. */
SL_HD float worst_path_end(const FlatView *view, uint32_t slot, int early_late)
{
  float worst = NO_SLACK;
  for (uint32_t id = view->f.slot_first_end[slot]; id < view->f.slot_first_end[slot + 1]; id++) {
    if ((view->f.path_ends[id].late ? LATE : EARLY) != early_late) continue;
    Pair slack = view->n.end_slack[id];
    for (int edge = RISE; edge <= FALL; edge++)
      worst = slack.v[edge] < worst ? slack.v[edge] : worst;
  }
  return worst;
}

SL_HD EndSum leaf_sum(const float *slacks, uint32_t first_end)
{
  EndSum s = end_sum();
  for (uint32_t i = 0; i < END_LEAF; i++) end_sum_add(&s, first_end + i, slacks[i]);
  return s;
}

SL_BLOCK_FN void sum_block(const FlatView *view, uint32_t block)
{
  SL_SHARED(float, slacks, 2 * END_LEAVES * LEAF_STEP);
  SL_SHARED(EndSum, leaves, 2 * END_LEAVES);
  SL_LANES(i, 2 * END_BLOCK)
  {
    uint32_t place = i % END_BLOCK, end = block * END_BLOCK + place, el = i / END_BLOCK;
    float *slack = &slacks[(el * END_LEAVES + place / END_LEAF) * LEAF_STEP + place % END_LEAF];
    *slack = end < view->f.count.summed_slots
                 ? worst_path_end(view, view->f.summed_slots[end], (int)el)
                 : NO_SLACK;
  }
  SL_SYNC();
  SL_LANES(i, 2 * END_LEAVES)
  leaves[i] = leaf_sum(&slacks[i * LEAF_STEP], block * END_BLOCK + i % END_LEAVES * END_LEAF);
  SL_SYNC();
  SL_LANES(el, 2)
  {
    EndSum s = end_sum();
    for (uint32_t i = 0; i < END_LEAVES; i++) end_sum_merge(&s, &leaves[el * END_LEAVES + i]);
    view->n.end_sums[2 * block + el] = s;
  }
}

#endif
