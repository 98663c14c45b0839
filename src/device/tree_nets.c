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
static void find_nets(TreeNets *nets, const Trees *trees)
{
  for (uint32_t i = 0, end; i < trees->tree_count; i = end) {
    unsigned conditions = 0;
    bool own = true;
    for (end = i; end < trees->tree_count && trees->trees[end].driver == trees->trees[i].driver;
         end++) {
      conditions |= trees->trees[end].conditions;
      own &= !trees->trees[end].has_others;
    }
    if (own && conditions == (1u << CONDITION_COUNT) - 1)
      nets->nets[trees->trees[i].driver] = NET_HERE;
  }
}

/* Most nets have a tree for lanes, so these are marked first. */
static void find_shapes(TreeNets *nets, const Trees *trees)
{
  uint32_t stars = trees->class_first[TREES_LARGE_STARS], heads = trees->class_first[TREES_DEEP],
           large = trees->class_first[TREES_LARGE_DEEP] - heads;
  for (uint32_t i = 0; i < stars; i++) nets->nets[trees->heads[i].driver] |= NET_LANES;
  for (uint32_t i = stars; i < heads; i++) {
    bool is_large = trees->heads[i + 1].first - trees->heads[i].first >= STAR_LEAST;
    nets->nets[trees->heads[i].driver] |= is_large ? NET_BLOCKS | NET_LARGE : NET_BLOCKS;
  }
  for (uint32_t i = 0; i < trees->deep_count; i++)
    nets->nets[trees->deeps[i].driver] |= i < large ? NET_BLOCKS : NET_BLOCKS | NET_LARGE;
}

TreeNets *tree_nets_new(const Timing *t, const Trees *trees)
{
  if (trees->schedule == SCHEDULE_NET) return NULL;
  TreeNets *nets = mem_alloc_zero(1, sizeof *nets);
  nets->nets = mem_alloc_zero((size_t)t->g->nets.driver_count + 1, sizeof *nets->nets);
  find_nets(nets, trees);
  find_shapes(nets, trees);
  return nets;
}

void tree_nets_free(TreeNets *nets)
{
  if (nets == NULL) return;
  mem_free(nets->nets);
  array_free(&nets->pins);
  array_free(&nets->changes);
  array_free(&nets->lanes);
  array_free(&nets->blocks);
  mem_free(nets);
}

/* --- edits ------------------------------------------------------------------------------------ */
bool tree_nets_has(const TreeNets *nets, uint32_t driver_index, bool many)
{
  unsigned need = many ? NET_HERE : NET_HERE | NET_LARGE;
  return nets && (nets->nets[driver_index] & need) == need;
}

void tree_nets_expect(const TreeNets *nets, uint32_t driver_index)
{
  if (nets) mem_expect(&nets->nets[driver_index]);
}

void tree_nets_drop(TreeNets *nets, uint32_t driver_index)
{
  if (nets == NULL || !(nets->nets[driver_index] & NET_HERE)) return;
  nets->nets[driver_index] &= (uint8_t)~NET_HERE;
  nets->dropped = true;
}

/* Begins new lists if the last ones were taken. */
void tree_nets_begin(TreeNets *nets)
{
  if (nets->taken) {
    array_clear(&nets->lanes);
    array_clear(&nets->blocks);
    array_clear(&nets->pins);
    array_clear(&nets->changes);
    nets->edits = 0;
    nets->taken = nets->dropped = false;
  }
  nets->edits++;
}

uint8_t tree_nets_look(const TreeNets *nets, uint32_t driver_index)
{
  return nets->nets[driver_index];
}

void tree_nets_touch(TreeNets *nets, uint32_t driver_index, uint8_t look)
{
  if (look & NET_LANES) array_push(&nets->lanes, driver_index);
  if (look & NET_BLOCKS) array_push(&nets->blocks, driver_index);
}

void tree_nets_touch_pin(TreeNets *nets, Slot slot, TreeChange change)
{
  array_push(&nets->pins, slot);
  array_push(&nets->changes, change);
}

/* The slots of many pins lie all over memory: they are asked for so many pins before. */
enum { AHEAD = 8 };

static void expect_pins(const TreeNets *nets, const Timing *t, uint32_t at)
{
  if (at + 2 * AHEAD < nets->pins.len) mem_expect(&t->g->slots.pin[nets->pins.at[at + 2 * AHEAD]]);
  if (at + AHEAD < nets->pins.len)
    mem_expect(&t->g->netlist->pins.at[t->g->slots.pin[nets->pins.at[at + AHEAD]]]);
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
static uint32_t keep_here(const TreeNets *nets, uint32_t *drivers, uint32_t count)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (nets->nets[drivers[i]] & NET_HERE) drivers[kept++] = drivers[i];
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
static void join_edits(TreeNets *nets, const Timing *t)
{
  nets->lanes.len = keep_once(nets->lanes.at, nets->lanes.len);
  nets->blocks.len = keep_once(nets->blocks.at, nets->blocks.len);
  for (uint32_t i = 0; i < nets->pins.len; i++) {
    expect_pins(nets, t, i);
    nets->changes.at[i] = tree_nets_change(t, nets->pins.at[i]);
  }
}

TreeEdit tree_nets_take(TreeNets *nets, const Timing *t)
{
  if (nets == NULL || nets->taken) return (TreeEdit){ 0 };
  nets->taken = true;
  if (nets->dropped) {
    nets->lanes.len = keep_here(nets, nets->lanes.at, nets->lanes.len);
    nets->blocks.len = keep_here(nets, nets->blocks.at, nets->blocks.len);
  }
  if (nets->edits > 1) join_edits(nets, t);
  return (TreeEdit){ nets->changes.at,  nets->lanes.at,  nets->blocks.at,
                     nets->changes.len, nets->lanes.len, nets->blocks.len };
}
