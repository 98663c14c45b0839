/* Updates large nets after an edit. It knows where the pins of these nets are in trees and stars,
   and collects the changes for the device. */
#include "device/large_nets.h"

#include "base/hash.h"
#include "base/memory.h"
#include "cpu/cpu.h"

/* A tree of a net. With separate files for early and late a net has two. */
typedef struct {
  uint32_t tree;                   /* index of the tree */
  uint32_t driver;                 /* index among drivers */
  uint32_t first_load, load_count; /* the driver's own */
  uint32_t first_place;            /* in LargeNets.places, one for each load */
  uint32_t own;                    /* place of the driver's own pin: its head, or its deep tree */
  uint8_t  conditions;
  bool     own_counts;
  bool     deep;
  bool     due;                    /* the tree is among those to be reduced */
} LargeTree;

struct LargeNets {
  Map *by_driver;                  /* driver index -> first entry of `trees` */
  ARRAY(LargeTree)  trees;         /* the trees of a driver are neighbours */
  ARRAY(uint32_t)   places;        /* in lane_nodes, or deep_pins; FLAT_NONE: the tree does not
                                      reach the load, or its pin adds nothing */
  ARRAY(TreeChange) changes;
  Map *change_at;                  /* place -> its change, because lanes apply changes in any
                                      order */
  ARRAY(uint32_t)   due;
  bool taken;
};

/* The host reduces smaller stars faster than a launch begins. */
enum { STAR_LEAST = 256 };

/* --- from trees ------------------------------------------------------------------------------- */
/* Stores the place of a pin in a tree. Returns false if a load is on the tree twice, or if the pin
   is not a load of the driver (it may be another driver). */
static bool put_place(LargeNets *l, const LargeTree *x, TreePin pin, uint32_t place)
{
  uint32_t load = pin.load;
  if (load == FLAT_NONE) return pin.pin == FLAT_NONE;
  if (pin.pin == FLAT_NONE) return true;        /* the capacitances of the file include the pin, so
                                                   nothing changes */
  uint32_t *at = &l->places.at[x->first_place + load - x->first_load];
  if (*at != FLAT_NONE) return false;
  *at = place;
  return true;
}

static bool put_star(LargeNets *l, const Trees *f, const LargeTree *x)
{
  bool once = true;
  for (uint32_t i = f->heads[x->own].first; i < f->heads[x->own + 1].first; i++)
    once = put_place(l, x, (TreePin){ f->lane_nodes[i].pin, f->lane_nodes[i].load }, i) && once;
  return once;
}

static bool put_deep(LargeNets *l, const Trees *f, const LargeTree *x)
{
  const TreeDeepNode *node = f->deep_nodes + f->deeps[x->own].first_node;
  bool once = true;
  for (uint32_t i = node[0].first_pin; i < node[f->deeps[x->own].node_count].first_pin; i++)
    once = put_place(l, x, f->deep_pins[i], i) && once;
  return once;
}

static void put_tree(LargeNets *l, const Timing *t, const Trees *f, LargeTree x)
{
  const Graph *g = t->g;
  Slot driver = g->nets.driver_slots[x.driver];
  x.load_count = g->nets.load_count[driver];
  x.first_load = x.load_count ? graph_load_index(g, g->nets.load_first[driver]) : 0;
  x.first_place = l->places.len;
  x.own_counts = (x.deep ? f->deeps[x.own].own : f->heads[x.own].own) != FLAT_NONE;
  for (uint32_t i = 0; i < x.load_count; i++) array_push(&l->places, FLAT_NONE);
  bool once = x.deep ? put_deep(l, f, &x) : put_star(l, f, &x);
  if (once) array_push(&l->trees, x);
  else l->places.len = x.first_place;
}

static void put_trees(LargeNets *l, const Timing *t, const Trees *f)
{
  uint32_t heads = f->class_first[TREES_DEEP];
  for (uint32_t i = f->class_first[TREES_LARGE_STARS]; i < heads; i++)
    if (f->heads[i + 1].first - f->heads[i].first >= STAR_LEAST)
      put_tree(l, t, f,
               (LargeTree){ .tree = i,
                            .driver = f->heads[i].driver,
                            .own = i,
                            .conditions = f->heads[i].use & 15 });
  for (uint32_t i = f->class_first[TREES_LARGE_DEEP] - heads; i < f->deep_count; i++)
    put_tree(l, t, f,
             (LargeTree){ .tree = heads + i,
                          .driver = f->deeps[i].driver,
                          .own = i,
                          .conditions = (uint8_t)f->deeps[i].conditions,
                          .deep = true });
}

static int by_driver(const void *a, const void *b)
{
  const LargeTree *x = a, *y = b;
  if (x->driver != y->driver) return x->driver < y->driver ? -1 : 1;
  return x->tree < y->tree ? -1 : x->tree > y->tree;
}

static uint32_t trees_of_one(const LargeNets *l, uint32_t first)
{
  uint32_t end = first;
  while (end < l->trees.len && l->trees.at[end].driver == l->trees.at[first].driver) end++;
  return end - first;
}

/* Indexes the nets whose trees are large for all conditions. The host reduces the others. */
static void index_nets(LargeNets *l)
{
  qsort(l->trees.at, l->trees.len, sizeof *l->trees.at, by_driver);
  for (uint32_t i = 0, count; i < l->trees.len; i += count) {
    uint8_t conditions = 0;
    count = trees_of_one(l, i);
    for (uint32_t k = i; k < i + count; k++) conditions |= l->trees.at[k].conditions;
    if (conditions == (1 << CONDITION_COUNT) - 1) map_put(l->by_driver, l->trees.at[i].driver, i);
  }
}

LargeNets *large_nets_new(const Timing *t, const Trees *trees)
{
  LargeNets *l = mem_alloc_zero(1, sizeof *l);
  l->by_driver = map_new();
  l->change_at = map_new();
  if (trees->schedule != SCHEDULE_NET) put_trees(l, t, trees);
  if (l->trees.len) index_nets(l);
  if (l->trees.len) return l;
  large_nets_free(l);
  return NULL;
}

void large_nets_free(LargeNets *l)
{
  if (l == NULL) return;
  map_free(l->by_driver);
  map_free(l->change_at);
  array_free(&l->trees);
  array_free(&l->places);
  array_free(&l->changes);
  array_free(&l->due);
  mem_free(l);
}

/* --- edits ------------------------------------------------------------------------------------ */
bool large_nets_has(const LargeNets *l, const Graph *g, Slot driver)
{
  return l && map_get(l->by_driver, graph_driver_index(g, driver)) != MAP_NO_VALUE;
}

static void not_due(LargeNets *l, LargeTree *x)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->due.len && x->due; i++)
    if (l->due.at[i] != x->tree) l->due.at[kept++] = l->due.at[i];
  if (x->due) l->due.len = kept;
  x->due = false;
}

void large_nets_drop(LargeNets *l, const Graph *g, Slot driver)
{
  if (!large_nets_has(l, g, driver)) return;
  uint32_t place = graph_driver_index(g, driver), first = map_get(l->by_driver, place);
  for (uint32_t i = first; i < first + trees_of_one(l, first); i++) not_due(l, &l->trees.at[i]);
  map_remove(l->by_driver, place);
}

/* Records a change. If the place has a change already, it is replaced, because no lane may write
   the old one. */
static void change(LargeNets *l, TreeChange c)
{
  uint64_t place = hash_pair(c.place, c.at);
  uint32_t before = map_get(l->change_at, place);
  if (before != MAP_NO_VALUE) {
    l->changes.at[before] = c;
    return;
  }
  map_put(l->change_at, place, l->changes.len);
  array_push(&l->changes, c);
}

static void touch_driver(LargeNets *l, const Timing *t, Slot driver, LargeTree *x)
{
  TreeChange own = { x->deep ? TREE_DEEP_OWN : TREE_HEAD_OWN, x->own,
                     trees_cap(t, timing_cap_slot(t->g, driver)) };
  if (x->own_counts) change(l, own);
  if (!x->due) array_push(&l->due, x->tree);
  x->due = true;
}

static void touch_load(LargeNets *l, const Timing *t, Slot load, const LargeTree *x)
{
  uint32_t place = l->places.at[x->first_place + graph_load_index(t->g, load) - x->first_load];
  TreeChange pin = { x->deep ? TREE_DEEP_PIN : TREE_LANE_PIN, place, trees_cap(t, load) };
  if (place != FLAT_NONE) change(l, pin);
}

/* Begins a new list of changes if the last one was taken. */
static void begin(LargeNets *l)
{
  if (!l->taken) return;
  for (uint32_t i = 0; i < l->trees.len; i++) l->trees.at[i].due = false;
  map_free(l->change_at);
  l->change_at = map_new();
  array_clear(&l->changes);
  array_clear(&l->due);
  l->taken = false;
}

void large_nets_touch(LargeNets *l, const Timing *t, Slot slot)
{
  bool is_driver = slot_is_driver(t->g, slot);
  Slot driver = is_driver ? slot : t->g->nets.wire_driver[slot];
  if (driver == NO_SLOT || !large_nets_has(l, t->g, driver)) return;
  begin(l);
  uint32_t first = map_get(l->by_driver, graph_driver_index(t->g, driver));
  for (uint32_t i = first; i < first + trees_of_one(l, first); i++) {
    if (is_driver) touch_driver(l, t, driver, &l->trees.at[i]);
    else touch_load(l, t, slot, &l->trees.at[i]);
  }
}

TreeEdit large_nets_take(LargeNets *l)
{
  if (l == NULL || l->taken) return (TreeEdit){ 0 };
  l->taken = true;
  return (TreeEdit){ l->changes.at, l->due.at, l->changes.len, l->due.len };
}
