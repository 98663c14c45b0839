/* Collects the RC trees that a device can reduce: which nets have one ready, and where the numbers
   of its loads go.  See trees.h. */
#include "base/pool.h"
#include "device/trees.h"

#include "cpu/cpu.h"
#include "timing/scaling.h"

_Static_assert(sizeof(TreeNode) == sizeof(RcNode)
                   && offsetof(TreeNode, resistance) == offsetof(RcNode, resistance)
                   && offsetof(TreeNode, cap) == offsetof(RcNode, cap),
               "nodes are copied as they are");

/* The pieces of a driver's net, early and late.  Both are the same if one file serves both. */
typedef struct {
  const RcPiece *piece[2];
} Pieces;

typedef struct {
  Timing  *t;
  TreeTap *taps;
  Tree    *trees;
} TreeBuild;

static const RcPiece *piece_of(const Timing *t, int side, Slot driver)
{
  const Parasitics *parasitics = t->parasitics[side];
  NetId net = netlist_pin_net(t->g->netlist, t->g->slots.pin[driver]);
  if (parasitics == NULL || net == NO_NET || !parasitics_has(parasitics, net)) return NULL;
  const RcPiece *piece = rc_ready_piece(parasitics, net, t->g->slots.pin[driver]);
  return piece && !(piece->flags & PIECE_REDUCED) ? piece : NULL;
}

/* Returns an array with a 1 for each slot that drives an extra wire; NULL: there are no extra
   wires. */
static uint8_t *mark_extras(const Graph *g)
{
  if (g->nets.extra_wires.len == 0) return NULL;
  uint8_t *marks = mem_alloc_zero(g->slots.count, 1);
  for (uint32_t i = 0; i < g->nets.extra_wires.len; i++)
    marks[g->nets.extra_wires.at[i].driver] = 1;
  return marks;
}

/* Returns false if the CPU must reduce the net. */
static bool pieces_of(const Timing *t, Slot driver, Pieces *out)
{
  bool one = t->parasitics[EARLY] == t->parasitics[LATE];
  if (timing_given_wires(t, netlist_pin_net(t->g->netlist, t->g->slots.pin[driver]))) return false;
  out->piece[EARLY] = piece_of(t, EARLY, driver);
  out->piece[LATE] = one ? out->piece[EARLY] : piece_of(t, LATE, driver);
  return out->piece[EARLY] && out->piece[LATE];
}

static Cond4 port_cap(const Timing *t, uint32_t i)
{
  uint32_t ports = t->corner_libs->libs->ports.len;
  Cond4 cap = t->corner_libs->port_cap[i % ports];
  for (int k = 0; t->scaling && k < CONDITION_COUNT; k++)
    cap.v[k] = scaling_port_cap(t, i / ports, i % ports, k, cap.v[k]);
  return cap;
}

static uint32_t port_caps(const Timing *t)
{
  return t->corner_libs->libs->ports.len * (t->scaling ? t->scaling->point_count : 1);
}

/* Returns the index of a slot's capacitance. Those of library ports come first, for each point of
   scaling, then those of the design's ports. */
uint32_t trees_cap(const Timing *t, Slot s)
{
  if (!(t->g->slots.flags[s] & SLOT_PORT))
    return scaling_point(t, s) * t->corner_libs->libs->ports.len
           + t->g->netlist->pins.at[t->g->slots.pin[s]].port;
  uint32_t i = map_get(t->ports.cap_of, s);
  return i == MAP_NO_VALUE ? FLAT_NONE : port_caps(t) + i;
}

/* Returns the capacitance that a pin adds to a piece. */
static uint32_t pin_cap(const Timing *t, const RcPiece *piece, PinId pin, Slot slot)
{
  return parasitics_pin_included(t->g->netlist, piece->flags, pin) ? FLAT_NONE : trees_cap(t, slot);
}

static uint32_t put_taps(TreeBuild *build, const RcPiece *piece, int side, Slot driver,
                         uint32_t first, bool *others)
{
  const Graph *g = build->t->g;
  const RcTap *tap = array_from(&build->t->parasitics[side]->taps, piece->first_tap);
  uint32_t count = 0;
  for (uint32_t i = 0; i < piece->tap_count; i++) {
    Slot load = tap[i].pin == g->slots.pin[driver] ? NO_SLOT : g->slots.of_pin[tap[i].pin];
    if (load == NO_SLOT) continue;
    uint32_t place = !slot_is_driver(g, load) && g->nets.wire_driver[load] == driver
                         ? graph_load_index(g, load)
                         : FLAT_NONE;
    uint32_t cap = pin_cap(build->t, piece, tap[i].pin, load);
    *others |= place == FLAT_NONE && cap != FLAT_NONE;
    build->taps[first + count++] = (TreeTap){ tap[i].node, place, cap };
  }
  return count;
}

static uint32_t own_cap(const Timing *t, const RcPiece *piece, Slot driver)
{
  if (!timing_own_cap_counts(t, driver)) return FLAT_NONE;
  return pin_cap(t, piece, t->g->slots.pin[driver], timing_cap_slot(t->g, driver));
}

/* Writes the trees of a driver. first: where its trees, taps and scratch nodes begin. */
static void put_trees(TreeBuild *build, const Pieces *pieces, Slot driver, const Tree *first,
                      uint32_t at)
{
  const Timing *t = build->t;
  bool one = t->parasitics[EARLY] == t->parasitics[LATE];
  uint32_t tap = first->first_tap, work = first->first_work;
  for (int side = EARLY; side <= (one ? EARLY : LATE); side++) {
    const RcPiece *piece = pieces->piece[side];
    bool others = false;
    uint32_t taps = put_taps(build, piece, side, driver, tap, &others);
    build->trees[at++] = (Tree){ graph_driver_index(t->g, driver),
                                 piece->first_node,
                                 piece->node_count,
                                 tap,
                                 taps,
                                 work,
                                 own_cap(t, piece, driver),
                                 (uint8_t)side,
                                 one             ? 15
                                 : side == EARLY ? 3
                                                 : 12,
                                 others };
    tap += piece->tap_count;
    work += piece->node_count;
  }
}

/* The most capacitances. If the points of scaling need more, the CPU reduces all nets. */
enum { MOST_CAPS = 1 << 20 };

/* A list of drivers whose trees are measured and then written. */
typedef struct {
  Timing     *t;
  TreeBuild  *build;               /* NULL while they are measured */
  const Slot *drivers;
  Tree       *first;
  bool        one, many;       /* is there one tree for both analyses? Are there too many
                                  capacitances? */
  const uint8_t *extra;
} TreeList;

static void measure_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const TreeList *list = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    Pieces p;
    if (list->many || (list->extra && list->extra[list->drivers[i]])
        || !pieces_of(list->t, list->drivers[i], &p))
      continue;
    for (int side = EARLY; side <= (list->one ? EARLY : LATE); side++) {
      list->first[i].driver++;
      list->first[i].first_tap += p.piece[side]->tap_count;
      list->first[i].first_work += p.piece[side]->node_count;
    }
  }
}

/* Returns where each driver's part of the arrays begins. Nets that the CPU reduces have no
   trees. */
static Tree *measure(Timing *t, const Slot *drivers, uint32_t count, Trees *trees)
{
  Tree *first = mem_alloc_zero((size_t)count + 1, sizeof *first);
  bool one = t->parasitics[EARLY] == t->parasitics[LATE];
  bool many = port_caps(t) > MOST_CAPS + t->corner_libs->libs->ports.len;
  uint8_t *extra = mark_extras(t->g);
  TreeList x = { t, NULL, drivers, first, one, many, extra };
  pool_items(count, 50, t->threads, measure_share, &x);
  mem_free(extra);
  for (uint32_t i = 0; i <= count; i++) {
    Tree own = first[i];
    first[i] = (Tree){ .driver = trees->tree_count,
                       .first_tap = trees->tap_count,
                       .first_work = trees->work_count };
    trees->tree_count += own.driver;
    trees->tap_count += own.first_tap;
    trees->work_count += own.first_work;
  }
  return first;
}

static void put_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const TreeList *list = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    Pieces p;
    if (list->first[i].driver == list->first[i + 1].driver) continue;
    pieces_of(list->t, list->drivers[i], &p);
    cpu_clear_wires(list->t, list->drivers[i]);
    list->t->nets.has_rc[graph_driver_index(list->t->g, list->drivers[i])] = 1;
    put_trees(list->build, &p, list->drivers[i], &list->first[i], list->first[i].driver);
  }
}

static void put_all(TreeBuild *build, const Slot *drivers, uint32_t count, Tree *first)
{
  TreeList x = { .t = build->t, .build = build, .drivers = drivers, .first = first };
  pool_items(count, 200, build->t->threads, put_share, &x);
}

static void take_nodes(Trees *trees, const Timing *t)
{
  const Parasitics *early = t->parasitics[EARLY], *late = t->parasitics[LATE];
  trees->early_nodes = early ? (const TreeNode *)early->nodes.at : NULL;
  trees->early_count = early ? early->nodes.len : 0;
  if (late == early) return;
  trees->late_nodes = late ? (const TreeNode *)late->nodes.at : NULL;
  trees->late_count = late ? late->nodes.len : 0;
}

static void put_caps(Trees *trees, const Timing *t)
{
  uint32_t ports = port_caps(t);
  trees->cap_count = ports + t->ports.caps.len;
  Cond4 *caps = mem_alloc(sizeof *caps * ((size_t)trees->cap_count + 1));
  for (uint32_t i = 0; i < ports; i++) caps[i] = port_cap(t, i);
  for (uint32_t i = 0; i < t->ports.caps.len; i++) caps[ports + i] = t->ports.caps.at[i];
  trees->caps = caps;
}

Trees *trees_new(Timing *t, int schedule, const Slot *drivers, uint32_t count, Slot *rest,
                 uint32_t *rest_count)
{
  Trees *trees = mem_alloc_zero(1, sizeof *trees);
  trees->schedule = (uint8_t)schedule;
  trees->driver_count = t->g->nets.driver_count;
  Tree *first = measure(t, drivers, count, trees);
  TreeBuild b = { t, mem_alloc_zero((size_t)trees->tap_count + 1, sizeof *b.taps),
                  mem_alloc_zero((size_t)trees->tree_count + 1, sizeof *b.trees) };
  trees->taps = b.taps;
  trees->trees = b.trees;
  take_nodes(trees, t);
  put_caps(trees, t);
  put_all(&b, drivers, count, first);
  *rest_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (first[i].driver == first[i + 1].driver) rest[(*rest_count)++] = drivers[i];
  mem_free(first);
  if (schedule != SCHEDULE_NET) trees_bin(trees, t->threads);
  return trees;
}

void trees_free(Trees *trees)
{
  if (trees == NULL) return;
  trees_bin_free(trees);
  mem_free((void *)trees->taps);
  mem_free((void *)trees->trees);
  mem_free((void *)trees->caps);
  mem_free(trees);
}
