/* Makes those parts of many swaps that threads share. */
#include "optimize/swap_batch.h"

#include "base/expect.h"
#include "base/hash.h"
#include "base/pool.h"
#include "graph/swap.h"

bool swap_known_alike(const Netlist *n, const Map *alike, InstId inst, CellId to)
{
  const Inst *i = &n->insts.at[inst];
  if (alike == NULL || !inst_is_leaf(n, inst) || i->flags & INST_DELETED || i->pin_count == 0)
    return false;
  return i->pin_count == map_get(alike, hash_pair(i->master, to));
}

/* Steps in which the memory of a swap is asked for, and how many swaps lie between two of them. */
enum { STEPS = 4, STEP = 4 };

static void expect_swap(const SwapBatch *b, InstId inst, uint32_t step)
{
  if (step == 0) mem_expect(&b->n->insts.at[inst]);
  else if (b->graph_count) graph_swap_ahead(b->graphs[0], inst, (int)step);
  else if (step == 1) mem_expect(&b->n->pins.at[b->n->insts.at[inst].first_pin]);
}

static void expect_swaps(const SwapBatch *b, uint32_t at, uint32_t end)
{
  for (uint32_t step = 0; step < STEPS; step++)
    if (at + (STEPS - step) * STEP < end)
      expect_swap(b, b->swaps[at + (STEPS - step) * STEP].inst, step);
}

static void look_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const SwapBatch *b = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    if (i + STEP < to) mem_expect(&b->n->insts.at[b->swaps[i + STEP].inst]);
    bool known = swap_known_alike(b->n, b->alike, b->swaps[i].inst, b->swaps[i].to);
    b->done[i] = (SwapDone){ .state = known ? SWAP_KNOWN : SWAP_LEFT };
  }
}

static SwapDone make_swap(const SwapBatch *b, EditSwap s)
{
  const Inst *in = &b->n->insts.at[s.inst];
  SwapDone d = { in->first_pin, in->pin_count, in->master, SWAP_LEFT, 0 };
  if (!swap_known_alike(b->n, b->alike, s.inst, s.to)) return d;
  d.state = in->master == s.to ? SWAP_SAME : SWAP_MADE;
  if (d.state == SWAP_SAME) return d;
  netlist_swap_uncounted(b->n, s.inst, s.to);
  for (uint32_t g = 0; g < b->graph_count; g++)
    if (graph_swap_known(b->graphs[g], s.inst, d.old)) d.graphs |= (uint8_t)(1u << g);
  return d;
}

static void make_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const SwapBatch *b = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    expect_swaps(b, i, to);
    b->done[i] = make_swap(b, b->swaps[i]);
  }
}

/* Estimated times for a cell, ns: the first look waits for its record. */
enum { LOOK_NS = 120, MAKE_NS = 400 };

void swap_batch_look(const SwapBatch *b, int threads)
{
  pool_items(b->count, LOOK_NS, threads, look_share, (void *)b);
}

void swap_batch_make(const SwapBatch *b, int threads)
{
  pool_items(b->count, MAKE_NS, threads, make_share, (void *)b);
}
