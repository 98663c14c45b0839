/* Makes those parts of many swaps that threads share. */
#include "optimize/swap_batch.h"

#include "base/expect.h"
#include "base/hash.h"
#include "base/pool.h"
#include "graph/swap.h"

bool swap_known_alike(const Netlist *n, const Map *alike, InstId inst, CellId to)
{
  const Inst *cell = &n->insts.at[inst];
  if (alike == NULL || !inst_is_leaf(n, inst) || cell->flags & INST_DELETED || cell->pin_count == 0)
    return false;
  return cell->pin_count == map_get(alike, hash_pair(cell->master, to));
}

/* Steps in which the memory of a swap is asked for, and how many swaps lie between two of them. */
enum { STEPS = 4, STEP = 4 };

static void expect_swap(const SwapBatch *batch, InstId inst, uint32_t step)
{
  if (step == 0) mem_expect(&batch->n->insts.at[inst]);
  else if (batch->graph_count) graph_swap_ahead(batch->graphs[0], inst, (int)step);
  else if (step == 1) mem_expect(&batch->n->pins.at[batch->n->insts.at[inst].first_pin]);
}

static void expect_swaps(const SwapBatch *batch, uint32_t at, uint32_t end)
{
  for (uint32_t step = 0; step < STEPS; step++)
    if (at + (STEPS - step) * STEP < end)
      expect_swap(batch, batch->swaps[at + (STEPS - step) * STEP].inst, step);
}

static void look_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const SwapBatch *batch = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    if (i + STEP < to) mem_expect(&batch->n->insts.at[batch->swaps[i + STEP].inst]);
    bool known = swap_known_alike(batch->n, batch->alike, batch->swaps[i].inst, batch->swaps[i].to);
    batch->done[i] = (SwapDone){ .state = known ? SWAP_KNOWN : SWAP_LEFT };
  }
}

static SwapDone make_swap(const SwapBatch *batch, EditSwap s)
{
  const Inst *in = &batch->n->insts.at[s.inst];
  SwapDone d = { in->first_pin, in->pin_count, in->master, SWAP_LEFT, 0 };
  if (!swap_known_alike(batch->n, batch->alike, s.inst, s.to)) return d;
  d.state = in->master == s.to ? SWAP_SAME : SWAP_MADE;
  if (d.state == SWAP_SAME) return d;
  netlist_swap_uncounted(batch->n, s.inst, s.to);
  for (uint32_t g = 0; g < batch->graph_count; g++)
    if (graph_swap_known(batch->graphs[g], s.inst, d.old)) d.graphs |= (uint8_t)(1u << g);
  return d;
}

static void make_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const SwapBatch *batch = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    expect_swaps(batch, i, to);
    batch->done[i] = make_swap(batch, batch->swaps[i]);
  }
}

/* Estimated times for a cell, ns: the first look waits for its record. */
enum { LOOK_NS = 120, MAKE_NS = 400 };

void swap_batch_look(const SwapBatch *batch, int threads)
{
  pool_items(batch->count, LOOK_NS, threads, look_share, (void *)batch);
}

void swap_batch_make(const SwapBatch *batch, int threads)
{
  pool_items(batch->count, MAKE_NS, threads, make_share, (void *)batch);
}
