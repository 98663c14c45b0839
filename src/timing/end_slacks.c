/* Keeps worst and total slacks by leaves and blocks of endpoints, and sums only those that a change
   has reached. */
#include "base/pool.h"
#include "timing/end_slacks.h"

EndSlacks *end_slacks_new(const Graph *g)
{
  EndSlacks *e = mem_alloc_zero(1, sizeof *e);
  e->g = g;
  return e;
}

void end_slacks_free(EndSlacks *e)
{
  if (e == NULL) return;
  array_free(&e->pins);
  mem_free(e->leaves);
  mem_free(e->blocks);
  mem_free(e->stale_leaf);
  mem_free(e->stale_block);
  mem_free(e);
}

static uint32_t block_count(const EndSlacks *e) { return end_block_count(e->pins.len); }
static uint32_t leaf_count(const EndSlacks *e) { return (e->pins.len + END_LEAF - 1) / END_LEAF; }

/* Makes the tree of sums. The path ends of an inout pin count at one of its slots, that of
   Graph.slots.of_pin. */
static void make(EndSlacks *e)
{
  const Graph *g = e->g;
  if (e->made) return;
  for (PinId p = 0; p < g->pin_count; p++) {
    Slot s = g->slots.of_pin[p];
    if (s != NO_SLOT && g->ends.first_end[s + 1] > g->ends.first_end[s]) array_push(&e->pins, p);
  }
  e->leaves = mem_alloc_zero(2 * (size_t)leaf_count(e) + 1, sizeof *e->leaves);
  e->blocks = mem_alloc_zero(2 * (size_t)block_count(e) + 1, sizeof *e->blocks);
  e->stale_leaf = mem_alloc(leaf_count(e) + 1);
  e->stale_block = mem_alloc(block_count(e) + 1);
  e->made = true;
  end_slacks_touch_all(e);
}

void end_slacks_touch_all(EndSlacks *e)
{
  if (!e->made) return;
  memset(e->stale_leaf, 1, leaf_count(e));
  memset(e->stale_block, 1, block_count(e));
  e->all = true;
}

void end_slacks_touch(EndSlacks *e, Slot slot)
{
  PinId pin = e->g->slots.pin[slot];
  uint32_t low = 0, high = e->made ? e->pins.len : 0;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (e->pins.at[middle] < pin) low = middle + 1;
    else high = middle;
  }
  if (e->made && low < e->pins.len)
    e->stale_leaf[low / END_LEAF] = e->stale_block[low / END_BLOCK] = 1;
}

void end_slacks_take(EndSlacks *e, const EndSum *blocks)
{
  make(e);
  end_slacks_touch_all(e);
  memcpy(e->blocks, blocks, 2 * (size_t)block_count(e) * sizeof *blocks);
  memset(e->stale_block, 0, block_count(e));
  e->all = false;
}

double slot_end_slack(const Timing *t, Slot slot, int early_late)
{
  double worst = INFINITY;
  for (PathEndId r = t->g->ends.first_end[slot]; r < t->g->ends.first_end[slot + 1]; r++) {
    if (path_end_is_late((PathEndType)t->g->ends.path_ends.at[r].type) != (early_late == LATE))
      continue;
    for (int edge = RISE; edge <= FALL; edge++)
      if (t->end_slack[r].v[edge] < 1e29f && t->end_slack[r].v[edge] < worst)
        worst = t->end_slack[r].v[edge];
  }
  return worst;
}

static void sum_leaf(const Timing *t, EndSlacks *e, uint32_t leaf)
{
  uint32_t end = (leaf + 1) * END_LEAF < e->pins.len ? (leaf + 1) * END_LEAF : e->pins.len;
  for (int el = EARLY; el <= LATE; el++) {
    EndSum *s = &e->leaves[2 * leaf + (uint32_t)el];
    *s = end_sum();
    for (uint32_t i = leaf * END_LEAF; i < end; i++)
      end_sum_add(s, i, slot_end_slack(t, e->g->slots.of_pin[e->pins.at[i]], el));
  }
  e->stale_leaf[leaf] = 0;
}

static void sum_block(const Timing *t, EndSlacks *e, uint32_t block)
{
  EndSum *sums = &e->blocks[2 * block];
  uint32_t end =
      (block + 1) * END_LEAVES < leaf_count(e) ? (block + 1) * END_LEAVES : leaf_count(e);
  sums[EARLY] = sums[LATE] = end_sum();
  for (uint32_t leaf = block * END_LEAVES; leaf < end; leaf++) {
    if (e->stale_leaf[leaf]) sum_leaf(t, e, leaf);
    for (int el = EARLY; el <= LATE; el++)
      end_sum_merge(&sums[el], &e->leaves[2 * leaf + (uint32_t)el]);
  }
  e->stale_block[block] = 0;
}

typedef struct {
  const Timing *t;
  EndSlacks    *e;
} Refresh;

static void refresh_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Refresh *x = context;
  (void)step;
  (void)thread;
  for (uint32_t b = from; b < to; b++)
    if (x->e->stale_block[b]) sum_block(x->t, x->e, b);
}

static void refresh(const Timing *t, EndSlacks *e)
{
  Refresh x = { t, e };
  pool_items(block_count(e), 2000, e->all ? t->threads : 1, refresh_share, &x);
  e->all = false;
}

SlackSummary end_slacks_of(const Timing *t, int early_late)
{
  EndSlacks *e = t->ends;
  EndSum s = end_sum();
  make(e);
  refresh(t, e);
  for (uint32_t b = 0; b < block_count(e); b++)
    end_sum_merge(&s, &e->blocks[2 * b + (uint32_t)early_late]);
  return slack_summary(&s, s.worst_end == NO_END ? NO_PIN : e->pins.at[s.worst_end]);
}

const PinId *end_slacks_pins(const Timing *t, uint32_t *count)
{
  make(t->ends);
  *count = t->ends->pins.len;
  return t->ends->pins.at;
}
