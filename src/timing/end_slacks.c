/* Keeps worst and total slacks by leaves and blocks of endpoints, and sums only those that a change
   has reached. */
#include "base/pool.h"
#include "timing/end_slacks.h"

EndSlacks *end_slacks_new(const Graph *g)
{
  EndSlacks *slacks = mem_alloc_zero(1, sizeof *slacks);
  slacks->g = g;
  return slacks;
}

void end_slacks_free(EndSlacks *slacks)
{
  if (slacks == NULL) return;
  array_free(&slacks->pins);
  mem_free(slacks->leaves);
  mem_free(slacks->blocks);
  mem_free(slacks->stale_leaf);
  mem_free(slacks->stale_block);
  mem_free(slacks);
}

static uint32_t block_count(const EndSlacks *slacks) { return end_block_count(slacks->pins.len); }
static uint32_t leaf_count(const EndSlacks *slacks)
{
  return (slacks->pins.len + END_LEAF - 1) / END_LEAF;
}

/* Makes the tree of sums. The path ends of an inout pin count at one of its slots, that of
   Graph.slots.of_pin. */
static void make(EndSlacks *slacks)
{
  const Graph *g = slacks->g;
  if (slacks->made) return;
  for (PinId p = 0; p < g->pin_count; p++) {
    Slot s = g->slots.of_pin[p];
    if (s != NO_SLOT && g->ends.first_end[s + 1] > g->ends.first_end[s])
      array_push(&slacks->pins, p);
  }
  slacks->leaves = mem_alloc_zero(2 * (size_t)leaf_count(slacks) + 1, sizeof *slacks->leaves);
  slacks->blocks = mem_alloc_zero(2 * (size_t)block_count(slacks) + 1, sizeof *slacks->blocks);
  slacks->stale_leaf = mem_alloc(leaf_count(slacks) + 1);
  slacks->stale_block = mem_alloc(block_count(slacks) + 1);
  slacks->made = true;
  end_slacks_touch_all(slacks);
}

void end_slacks_touch_all(EndSlacks *slacks)
{
  if (!slacks->made) return;
  memset(slacks->stale_leaf, 1, leaf_count(slacks));
  memset(slacks->stale_block, 1, block_count(slacks));
  slacks->all = true;
}

void end_slacks_touch(EndSlacks *slacks, Slot slot)
{
  PinId pin = slacks->g->slots.pin[slot];
  uint32_t low = 0, high = slacks->made ? slacks->pins.len : 0;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (slacks->pins.at[middle] < pin) low = middle + 1;
    else high = middle;
  }
  if (slacks->made && low < slacks->pins.len)
    slacks->stale_leaf[low / END_LEAF] = slacks->stale_block[low / END_BLOCK] = 1;
}

void end_slacks_take(EndSlacks *slacks, const EndSum *blocks)
{
  make(slacks);
  end_slacks_touch_all(slacks);
  memcpy(slacks->blocks, blocks, 2 * (size_t)block_count(slacks) * sizeof *blocks);
  memset(slacks->stale_block, 0, block_count(slacks));
  slacks->all = false;
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

static void sum_leaf(const Timing *t, EndSlacks *slacks, uint32_t leaf)
{
  uint32_t end =
      (leaf + 1) * END_LEAF < slacks->pins.len ? (leaf + 1) * END_LEAF : slacks->pins.len;
  for (int el = EARLY; el <= LATE; el++) {
    EndSum *sum = &slacks->leaves[2 * leaf + (uint32_t)el];
    *sum = end_sum();
    for (uint32_t i = leaf * END_LEAF; i < end; i++)
      end_sum_add(sum, i, slot_end_slack(t, slacks->g->slots.of_pin[slacks->pins.at[i]], el));
  }
  slacks->stale_leaf[leaf] = 0;
}

static void sum_block(const Timing *t, EndSlacks *slacks, uint32_t block)
{
  EndSum *sums = &slacks->blocks[2 * block];
  uint32_t end =
      (block + 1) * END_LEAVES < leaf_count(slacks) ? (block + 1) * END_LEAVES : leaf_count(slacks);
  sums[EARLY] = sums[LATE] = end_sum();
  for (uint32_t leaf = block * END_LEAVES; leaf < end; leaf++) {
    if (slacks->stale_leaf[leaf]) sum_leaf(t, slacks, leaf);
    for (int el = EARLY; el <= LATE; el++)
      end_sum_merge(&sums[el], &slacks->leaves[2 * leaf + (uint32_t)el]);
  }
  slacks->stale_block[block] = 0;
}

typedef struct {
  const Timing *t;
  EndSlacks    *slacks;
} Refresh;

static void refresh_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Refresh *refresh = context;
  (void)step;
  (void)thread;
  for (uint32_t b = from; b < to; b++)
    if (refresh->slacks->stale_block[b]) sum_block(refresh->t, refresh->slacks, b);
}

static void refresh(const Timing *t, EndSlacks *slacks)
{
  Refresh x = { t, slacks };
  pool_items(block_count(slacks), 2000, slacks->all ? t->threads : 1, refresh_share, &x);
  slacks->all = false;
}

SlackSummary end_slacks_of(const Timing *t, int early_late)
{
  EndSlacks *slacks = t->ends;
  EndSum s = end_sum();
  make(slacks);
  refresh(t, slacks);
  for (uint32_t b = 0; b < block_count(slacks); b++)
    end_sum_merge(&s, &slacks->blocks[2 * b + (uint32_t)early_late]);
  return slack_summary(&s, s.worst_end == NO_END ? NO_PIN : slacks->pins.at[s.worst_end]);
}

const PinId *end_slacks_pins(const Timing *t, uint32_t *count)
{
  make(t->ends);
  *count = t->ends->pins.len;
  return t->ends->pins.at;
}
