/* Knows which nets a device can reduce again, and collects the changes of their trees. */
#include "device/tree_nets.h"

#include "base/expect.h"
#include "base/memory.h"
#include "base/sort.h"
#include "timing/derived.h"

#include <stdlib.h>

/* Bits of a net. */
enum {
  NET_HERE = 1,        /* the device can reduce it */
  NET_LARGE = 2,       /* it is worth a kernel of its own */
  NET_LANES = 4,       /* it has a tree that lanes reduce */
  NET_BLOCKS = 8       /* it has a tree that a block reduces */
};

struct TreeNets {
  uint8_t *nets;                   /* by driver index */
  ARRAY(Slot) pins;                /* whose capacitances may have changed */
  ARRAY(TreeChange) changes;
  ARRAY(uint32_t) lanes, blocks;   /* drivers of nets with such trees that are to be reduced */
  uint32_t edits;                  /* whose changes these are */
  bool dropped;                    /* one of these nets may have been dropped */
  bool taken;
};

/* The host reduces smaller stars faster than a kernel begins. */
enum { STAR_LEAST = 256 };

/* --- from trees ------------------------------------------------------------------------------- */
/* A net is here if its trees cover all conditions. The trees of a driver are neighbours. */
static void find_nets(TreeNets *n, const Trees *f)
{
  for (uint32_t i = 0, end; i < f->tree_count; i = end) {
    unsigned conditions = 0;
    bool own = true;
    for (end = i; end < f->tree_count && f->trees[end].driver == f->trees[i].driver; end++) {
      conditions |= f->trees[end].conditions;
      own &= !f->trees[end].has_others;
    }
    if (own && conditions == (1u << CONDITION_COUNT) - 1) n->nets[f->trees[i].driver] = NET_HERE;
  }
}

/* Most nets have a tree for lanes, so these are marked first. */
static void find_shapes(TreeNets *n, const Trees *f)
{
  uint32_t stars = f->class_first[TREES_LARGE_STARS], heads = f->class_first[TREES_DEEP],
           large = f->class_first[TREES_LARGE_DEEP] - heads;
  for (uint32_t i = 0; i < stars; i++) n->nets[f->heads[i].driver] |= NET_LANES;
  for (uint32_t i = stars; i < heads; i++) {
    bool is_large = f->heads[i + 1].first - f->heads[i].first >= STAR_LEAST;
    n->nets[f->heads[i].driver] |= is_large ? NET_BLOCKS | NET_LARGE : NET_BLOCKS;
  }
  for (uint32_t i = 0; i < f->deep_count; i++)
    n->nets[f->deeps[i].driver] |= i < large ? NET_BLOCKS : NET_BLOCKS | NET_LARGE;
}

TreeNets *tree_nets_new(const Timing *t, const Trees *trees)
{
  if (trees->schedule == SCHEDULE_NET) return NULL;
  TreeNets *n = mem_alloc_zero(1, sizeof *n);
  n->nets = mem_alloc_zero((size_t)t->g->nets.driver_count + 1, sizeof *n->nets);
  find_nets(n, trees);
  find_shapes(n, trees);
  return n;
}

void tree_nets_free(TreeNets *n)
{
  if (n == NULL) return;
  mem_free(n->nets);
  array_free(&n->pins);
  array_free(&n->changes);
  array_free(&n->lanes);
  array_free(&n->blocks);
  mem_free(n);
}

/* --- edits ------------------------------------------------------------------------------------ */
bool tree_nets_has(const TreeNets *n, uint32_t driver_index, bool many)
{
  unsigned need = many ? NET_HERE : NET_HERE | NET_LARGE;
  return n && (n->nets[driver_index] & need) == need;
}

void tree_nets_expect(const TreeNets *n, uint32_t driver_index)
{
  if (n) mem_expect(&n->nets[driver_index]);
}

void tree_nets_drop(TreeNets *n, uint32_t driver_index)
{
  if (n == NULL || !(n->nets[driver_index] & NET_HERE)) return;
  n->nets[driver_index] &= (uint8_t)~NET_HERE;
  n->dropped = true;
}

/* Begins new lists if the last ones were taken. */
void tree_nets_begin(TreeNets *n)
{
  if (n->taken) {
    array_clear(&n->lanes);
    array_clear(&n->blocks);
    array_clear(&n->pins);
    array_clear(&n->changes);
    n->edits = 0;
    n->taken = n->dropped = false;
  }
  n->edits++;
}

uint8_t tree_nets_look(const TreeNets *n, uint32_t driver_index) { return n->nets[driver_index]; }

void tree_nets_touch(TreeNets *n, uint32_t driver_index, uint8_t look)
{
  if (look & NET_LANES) array_push(&n->lanes, driver_index);
  if (look & NET_BLOCKS) array_push(&n->blocks, driver_index);
}

void tree_nets_touch_pin(TreeNets *n, Slot slot, TreeChange change)
{
  array_push(&n->pins, slot);
  array_push(&n->changes, change);
}

/* The slots of many pins lie all over memory: they are asked for so many pins before. */
enum { AHEAD = 8 };

static void expect_pins(const TreeNets *n, const Timing *t, uint32_t at)
{
  if (at + 2 * AHEAD < n->pins.len) mem_expect(&t->g->slots.pin[n->pins.at[at + 2 * AHEAD]]);
  if (at + AHEAD < n->pins.len)
    mem_expect(&t->g->netlist->pins.at[t->g->slots.pin[n->pins.at[at + AHEAD]]]);
}

TreeChange tree_nets_change(const Timing *t, Slot slot)
{
  const Graph *g = t->g;
  if (slot_is_driver(g, slot))
    return (TreeChange){ graph_driver_index(g, slot), FLAT_NONE,
                         trees_cap(t, timing_cap_slot(g, slot)) };
  return (TreeChange){ graph_driver_index(g, g->nets.wire_driver[slot]), graph_load_index(g, slot),
                       trees_cap(t, slot) };
}

/* Takes away the drivers whose nets were dropped after they were touched. */
static uint32_t keep_here(const TreeNets *n, uint32_t *drivers, uint32_t count)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (n->nets[drivers[i]] & NET_HERE) drivers[kept++] = drivers[i];
  return kept;
}

static uint32_t keep_once(uint32_t *drivers, uint32_t count)
{
  uint32_t kept = 0;
  if (count) qsort(drivers, count, sizeof *drivers, order_uint32);
  for (uint32_t i = 0; i < count; i++)
    if (i == 0 || drivers[i] != drivers[i - 1]) drivers[kept++] = drivers[i];
  return kept;
}

/* Makes one edit of several. A pin that has changed in more than one has the capacitance of now. */
static void join_edits(TreeNets *n, const Timing *t)
{
  n->lanes.len = keep_once(n->lanes.at, n->lanes.len);
  n->blocks.len = keep_once(n->blocks.at, n->blocks.len);
  for (uint32_t i = 0; i < n->pins.len; i++) {
    expect_pins(n, t, i);
    n->changes.at[i] = tree_nets_change(t, n->pins.at[i]);
  }
}

TreeEdit tree_nets_take(TreeNets *n, const Timing *t)
{
  if (n == NULL || n->taken) return (TreeEdit){ 0 };
  n->taken = true;
  if (n->dropped) {
    n->lanes.len = keep_here(n, n->lanes.at, n->lanes.len);
    n->blocks.len = keep_here(n, n->blocks.at, n->blocks.len);
  }
  if (n->edits > 1) join_edits(n, t);
  return (TreeEdit){ n->changes.at,  n->lanes.at,  n->blocks.at,
                     n->changes.len, n->lanes.len, n->blocks.len };
}
