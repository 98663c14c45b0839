/* Common path credit, forward: the credits of the clock tree, then arrivals by launching leaf. */
#include <math.h>

#include "base/pool.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "timing/sigma.h"

/* --- credits ---------------------------------------------------------------------------------- */
/* Returns late less early arrival (their means) of a clock node: the least over the edges that
   arrive. */
static float difference(const Timing *t, NodeId node)
{
  float least = INFINITY;
  for (int edge = RISE; edge <= FALL; edge++) {
    float late = timing_mean(t, node, condition_of(LATE, edge)),
          early = timing_mean(t, node, condition_of(EARLY, edge));
    if (!time_absent(late) && !time_absent(early) && late - early < least) least = late - early;
  }
  return least;
}

/* Returns the credit of a point whose own difference is `own`. A point has the credit of its parent
   if nothing arrives there, or if derates make its own difference smaller. */
static float settled(const CommonView *view, uint32_t point, int edge, float own)
{
  uint32_t above = view->point[point].parent;
  int edge_there =
      view->point[point].clock_root == point ? view->edge_above[point] >> edge & 1 : edge;
  float least = view->credit[above][edge_there];
  return isinf(own) || own < least ? least : own;
}

/* Returns the sum of late and early variance of a clock node: the least over the edges that
   arrive. */
static float both_variances(const Timing *t, NodeId node)
{
  float least = INFINITY;
  for (int edge = RISE; edge <= FALL; edge++) {
    if (time_absent(t->arrival[node].v[condition_of(LATE, edge)])) continue;
    float both = timing_variance(t, node, condition_of(LATE, edge))
                 + timing_variance(t, node, condition_of(EARLY, edge));
    if (both < least) least = both;
  }
  return least;
}

static void common_variances(Timing *t)
{
  const CommonTree *tree = &t->g->common;
  struct CommonPaths *paths = t->common;
  if (paths->variance == NULL)
    paths->variance = mem_alloc_zero(tree->count, sizeof *paths->variance);
  paths->variance_view = paths->view;
  paths->variance_view.credit = (const float (*)[2])paths->variance;
  for (uint32_t p = 0; p < tree->count; p++)
    paths->variance[p][RISE] = paths->variance[p][FALL] = p ? INFINITY : 0;
  for (uint32_t i = 0; i < tree->clock_node_count; i++) {
    uint32_t leaf = tree->leaf_of_node[tree->clock_nodes[i]];
    float v = both_variances(t, tree->clock_nodes[i]),
          *have = &paths->variance[leaf >> 1][leaf & 1];
    if (v < *have) *have = v;
  }
  for (uint32_t p = 1; p < tree->count; p++)
    for (int edge = RISE; edge <= FALL; edge++)
      paths->variance[p][edge] =
          settled(&paths->variance_view, p, edge,
                  common_stands_for_driver(t, p) ? INFINITY : paths->variance[p][edge]);
}

/* A point has a larger number than its parent, so the parent is done first. */
void cpu_common_credits(Timing *t)
{
  const CommonTree *tree = &t->g->common;
  struct CommonPaths *paths = t->common;
  float most = 0;
  for (uint32_t p = 0; p < tree->count; p++)
    paths->credit[p][RISE] = paths->credit[p][FALL] = p ? INFINITY : 0;
  for (uint32_t i = 0; i < tree->clock_node_count; i++) {
    NodeId node = tree->clock_nodes[i];
    uint32_t leaf = tree->leaf_of_node[node];
    float d = difference(t, node), *have = &paths->credit[leaf >> 1][leaf & 1];
    if (d < *have) *have = d;
  }
  for (uint32_t p = 1; p < tree->count; p++)
    for (int edge = RISE; edge <= FALL; edge++) {
      paths->credit[p][edge] =
          settled(&paths->view, p, edge,
                  common_stands_for_driver(t, p) ? INFINITY : paths->credit[p][edge]);
      if (paths->credit[p][edge] > most) most = paths->credit[p][edge];
    }
  if (t->sigma.arrival_variance) common_variances(t);
  for (uint32_t p = 1; p < tree->count && paths->variance; p++)
    most += paths->variance[p][RISE] + paths->variance[p][FALL];
  paths->active = most > 0;
  if (paths->active) common_make_fronts(t);
}

/* --- launches --------------------------------------------------------------------------------- */
/* An arc or wire over which items move: the nodes at both ends, the conditions, and what each item
   gains on the way. */
typedef struct {
  const Timing *t;
  Gather  *gather;
  Slot     from, to;
  NodeId   from_node, to_node;
  int      in, out;           /* conditions */
  float    delay;
  ArcId    arc;
} Link;

static uint32_t key_of(const Link *link)
{
  return 4 * (link->to_node - link->t->g->nodes.first[link->to]) + (uint32_t)link->out;
}

static void carry(const Link *link)
{
  uint32_t count;
  const CommonItem *items =
      fronts_get(link->t->common->launch, common_index(link->from_node, link->in), &count);
  float gain = common_badness(link->delay, link->out >> 1);
  gather_source(link->gather);
  gather_list(link->gather, key_of(link), items, count, gain);
}

static void launch(const Link *link)
{
  float start = timing_launch_arrival(link->t, link->arc, link->from_node, link->to_node, link->in);
  if (time_absent(start)) return;
  gather_source(link->gather);
  gather_add(link->gather, key_of(link),
             (CommonItem){ common_badness(start + link->delay, link->out >> 1),
                           common_leaf(link->t, link->from, link->from_node) });
}

static void arc_items(Link *link, ArcId a, uint8_t mask)
{
  const Timing *t = link->t;
  const Graph *g = t->g;
  bool from_clock = graph_node_is_clock(g, link->from, link->from_node);
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    if (!(mask >> (2 * p.in + p.out) & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      link->in = condition_of(el, p.in);
      link->out = condition_of(el, p.out);
      link->delay = timing_edge_delay(
          t, a, e, false, link->out,
          timing_start_variance(t, a, link->from_node, link->to_node, link->in, from_clock));
      if (from_clock) launch(link);
      else carry(link);
    }
  }
}

static void driver_items(const Timing *t, Gather *gather, Slot slot)
{
  const Graph *g = t->g;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    NodePairs it = node_pairs(g, g->arcs.map[a], g->arcs.from[a], slot);
    while (node_pairs_next(&it)) {
      Link l = { t, gather, g->arcs.from[a], slot, it.from, it.to, 0, 0, 0, a };
      if (!graph_node_is_clock(g, slot, it.to)) arc_items(&l, a, it.mask);
    }
  }
}

static void wire_items(const Timing *t, Gather *gather, Slot load, Slot driver, MapId map,
                       const Cond4 *delay)
{
  const Graph *g = t->g;
  NodePairs it = node_pairs(g, map, driver, load);
  while (node_pairs_next(&it)) {
    if (graph_node_is_clock(g, load, it.to)) continue;
    for (int k = 0; k < CONDITION_COUNT; k++) {
      if (!(it.mask >> (3 * (k & 1)) & 1)) continue;
      float added = timing_wire_delay(t, graph_load_index(g, load), delay->v[k], false, k,
                                      timing_variance(t, it.from, k));
      Link l = { t, gather, driver, load, it.from, it.to, k, k, added, NO_ARC };
      carry(&l);
    }
  }
}

static void load_items(const Timing *t, Gather *gather, Slot load)
{
  const Graph *g = t->g;
  if (g->nets.wire_driver[load] == NO_SLOT) return;
  wire_items(t, gather, load, g->nets.wire_driver[load], g->nets.wire_map[load],
             &t->wires.delay[graph_load_index(g, load)]);
  if (g->nets.extra_wires.len == 0) return;
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    wire_items(t, gather, load, g->nets.extra_wires.at[i].driver, g->nets.extra_wires.at[i].map,
               &t->extra.delay[i]);
}

static void seed_items(const Timing *t, Gather *gather, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = graph_first_seed(g, slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == slot; i++) {
    const Seed *seed = &g->starts.seeds.at[i];
    if (g->tags->tags.at[seed->tag].is_clock) continue;
    uint32_t node = tag_set_find(g->tags, g->nodes.slot_tags[slot], seed->tag);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      if (isnan(seed->arrival[k])) continue;
      gather_source(gather);
      gather_add(gather, 4 * node + (uint32_t)k,
                 (CommonItem){ common_badness(timing_seed_arrival(t, seed, k), k >> 1),
                               common_seed_leaf(t, seed) });
    }
  }
}

static void latch_items(const Timing *t, Gather *gather, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = timing_first_latch_arrival(t, g->nodes.first[slot]);
       i < t->latches.arrivals.len; i++) {
    const LatchArrival *arrival = &t->latches.arrivals.at[i];
    if (arrival->node >= g->nodes.first[slot + 1]) return;
    gather_source(gather);
    gather_add(gather,
               4 * (arrival->node - g->nodes.first[slot])
                   + (uint32_t)condition_of(LATE, arrival->edge),
               (CommonItem){ arrival->arrival, arrival->leaf });
  }
}

/* Returns true if a load has the nodes of its driver and nothing else arrives there. Then its
   fronts are those of the driver, moved by the delay of the wire. */
static bool is_plain(const Timing *t, Slot slot)
{
  const Graph *g = t->g;
  if (slot_is_driver(g, slot) || g->nets.wire_driver[slot] == NO_SLOT
      || g->nets.wire_map[slot] != IDENTITY_MAP)
    return false;
  return g->nets.extra_wires.len == 0 && t->latches.arrivals.len == 0
         && !(g->slots.flags[slot] & SLOT_SEED);
}

static bool plain_front(Timing *t, const Gather *gather, Slot load)
{
  const Graph *g = t->g;
  uint32_t index = graph_load_index(g, load);
  NodeId from = g->nodes.first[g->nets.wire_driver[load]];
  bool changed = false;
  for (NodeId n = g->nodes.first[load]; n < g->nodes.first[load + 1]; n++, from++) {
    bool clock = graph_node_is_clock(g, load, n);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float delay = timing_wire_delay(t, index, t->wires.delay[index].v[k], false, k,
                                      timing_variance(t, from, k));
      if (clock)
        changed |= fronts_put(t->common->launch, gather->thread, common_index(n, k), NULL, 0);
      else
        changed |= fronts_move(t->common->launch, gather->thread, common_index(n, k),
                               common_index(from, k), common_badness(delay, k >> 1));
    }
  }
  return changed;
}

static bool slot_front(Timing *t, Gather *gather, Slot slot)
{
  const Graph *g = t->g;
  NodeId first = g->nodes.first[slot], count = g->nodes.first[slot + 1] - first;
  if (count == 0) return false;
  if (is_plain(t, slot)) return plain_front(t, gather, slot);
  gather_begin(gather, 4 * count);
  if (slot_is_driver(g, slot)) driver_items(t, gather, slot);
  else load_items(t, gather, slot);
  if (g->slots.flags[slot] & SLOT_SEED) seed_items(t, gather, slot);
  if (t->latches.arrivals.len) latch_items(t, gather, slot);
  bool changed = false;
  for (uint32_t key = 0; key < 4 * count; key++) {
    uint32_t n;
    const CommonItem *items = gather_take(gather, &t->common->view, key, &n);
    changed |= fronts_put(t->common->launch, gather->thread, 4 * (size_t)first + key, items, n);
  }
  return changed;
}

bool cpu_slot_front(Timing *t, Slot slot)
{
  Gather w = { .thread = pool_thread() };
  bool changed = slot_front(t, &w, slot);
  gather_free(&w);
  return changed;
}

static void slots_fronts(Timing *t, Gather *gather, Slot from, Slot to)
{
  for (Slot s = from; s < to; s++) slot_front(t, gather, s);
}

static void fronts_share(void *context, LevelShare share, unsigned parts, int thread)
{
  Gather w = { .thread = thread };
  if (parts & 1) slots_fronts(context, &w, share.driver, share.driver_end);
  if (parts & 2) slots_fronts(context, &w, share.load, share.load_end);
  gather_free(&w);
}

bool cpu_level_fronts(Timing *t, uint32_t level, uint32_t end)
{
  return level_run(t, &(LevelRun){ fronts_share, t, level, end, 2, false, 400 });
}
