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
static float settled(const CommonView *v, uint32_t point, int edge, float own)
{
  uint32_t above = v->point[point].parent;
  int edge_there =
      v->point[point].clock_root == point ? v->edge_above[point] >> edge & 1 : edge;
  float least = v->credit[above][edge_there];
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
  struct CommonPaths *c = t->common;
  if (c->variance == NULL) c->variance = mem_alloc_zero(tree->count, sizeof *c->variance);
  c->variance_view = c->view;
  c->variance_view.credit = (const float (*)[2])c->variance;
  for (uint32_t p = 0; p < tree->count; p++)
    c->variance[p][RISE] = c->variance[p][FALL] = p ? INFINITY : 0;
  for (uint32_t i = 0; i < tree->clock_node_count; i++) {
    uint32_t leaf = tree->leaf_of_node[tree->clock_nodes[i]];
    float v = both_variances(t, tree->clock_nodes[i]), *have = &c->variance[leaf >> 1][leaf & 1];
    if (v < *have) *have = v;
  }
  for (uint32_t p = 1; p < tree->count; p++)
    for (int edge = RISE; edge <= FALL; edge++)
      c->variance[p][edge] =
          settled(&c->variance_view, p, edge,
                  common_stands_for_driver(t, p) ? INFINITY : c->variance[p][edge]);
}

/* A point has a larger number than its parent, so the parent is done first. */
void cpu_common_credits(Timing *t)
{
  const CommonTree *tree = &t->g->common;
  struct CommonPaths *c = t->common;
  float most = 0;
  for (uint32_t p = 0; p < tree->count; p++)
    c->credit[p][RISE] = c->credit[p][FALL] = p ? INFINITY : 0;
  for (uint32_t i = 0; i < tree->clock_node_count; i++) {
    NodeId node = tree->clock_nodes[i];
    uint32_t leaf = tree->leaf_of_node[node];
    float d = difference(t, node), *have = &c->credit[leaf >> 1][leaf & 1];
    if (d < *have) *have = d;
  }
  for (uint32_t p = 1; p < tree->count; p++)
    for (int edge = RISE; edge <= FALL; edge++) {
      c->credit[p][edge] =
          settled(&c->view, p, edge,
                  common_stands_for_driver(t, p) ? INFINITY : c->credit[p][edge]);
      if (c->credit[p][edge] > most) most = c->credit[p][edge];
    }
  if (t->sigma.arrival_variance) common_variances(t);
  for (uint32_t p = 1; p < tree->count && c->variance; p++)
    most += c->variance[p][RISE] + c->variance[p][FALL];
  c->active = most > 0;
  if (c->active) common_make_fronts(t);
}

/* --- launches --------------------------------------------------------------------------------- */
/* An arc or wire over which items move: the nodes at both ends, the conditions, and what each item
   gains on the way. */
typedef struct {
  const Timing *t;
  Gather  *w;
  Slot     from, to;
  NodeId   from_node, to_node;
  int      in, out;           /* conditions */
  float    delay;
  ArcId    arc;
} Link;

static uint32_t key_of(const Link *l)
{
  return 4 * (l->to_node - l->t->g->nodes.first[l->to]) + (uint32_t)l->out;
}

static void carry(const Link *l)
{
  uint32_t count;
  const CommonItem *items =
      fronts_get(l->t->common->launch, common_index(l->from_node, l->in), &count);
  float gain = common_badness(l->delay, l->out >> 1);
  gather_source(l->w);
  gather_list(l->w, key_of(l), items, count, gain);
}

static void launch(const Link *l)
{
  float start = timing_launch_arrival(l->t, l->arc, l->from_node, l->to_node, l->in);
  if (time_absent(start)) return;
  gather_source(l->w);
  gather_add(l->w, key_of(l),
             (CommonItem){ common_badness(start + l->delay, l->out >> 1),
                           common_leaf(l->t, l->from, l->from_node) });
}

static void arc_items(Link *l, ArcId a, uint8_t mask)
{
  const Timing *t = l->t;
  const Graph *g = t->g;
  bool from_clock = graph_node_is_clock(g, l->from, l->from_node);
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    if (!(mask >> (2 * p.in + p.out) & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      l->in = condition_of(el, p.in);
      l->out = condition_of(el, p.out);
      l->delay = timing_edge_delay(t, a, e, false, l->out,
                                   timing_start_variance(t, a, l->from_node, l->to_node, l->in,
                                                         from_clock));
      if (from_clock) launch(l);
      else carry(l);
    }
  }
}

static void driver_items(const Timing *t, Gather *w, Slot slot)
{
  const Graph *g = t->g;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    NodePairs it = node_pairs(g, g->arcs.map[a], g->arcs.from[a], slot);
    while (node_pairs_next(&it)) {
      Link l = { t, w, g->arcs.from[a], slot, it.from, it.to, 0, 0, 0, a };
      if (!graph_node_is_clock(g, slot, it.to)) arc_items(&l, a, it.mask);
    }
  }
}

static void wire_items(const Timing *t, Gather *w, Slot load, Slot driver, MapId map,
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
      Link l = { t, w, driver, load, it.from, it.to, k, k, added, NO_ARC };
      carry(&l);
    }
  }
}

static void load_items(const Timing *t, Gather *w, Slot load)
{
  const Graph *g = t->g;
  if (g->nets.wire_driver[load] == NO_SLOT) return;
  wire_items(t, w, load, g->nets.wire_driver[load], g->nets.wire_map[load],
             &t->wires.delay[graph_load_index(g, load)]);
  if (g->nets.extra_wires.len == 0) return;
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    wire_items(t, w, load, g->nets.extra_wires.at[i].driver, g->nets.extra_wires.at[i].map,
               &t->extra.delay[i]);
}

static void seed_items(const Timing *t, Gather *w, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = graph_first_seed(g, slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == slot; i++) {
    const Seed *s = &g->starts.seeds.at[i];
    if (g->tags->tags.at[s->tag].is_clock) continue;
    uint32_t node = tag_set_find(g->tags, g->nodes.slot_tags[slot], s->tag);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      if (isnan(s->arrival[k])) continue;
      gather_source(w);
      gather_add(w, 4 * node + (uint32_t)k,
                 (CommonItem){ common_badness(timing_seed_arrival(t, s, k), k >> 1),
                               common_seed_leaf(t, s) });
    }
  }
}

static void latch_items(const Timing *t, Gather *w, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = timing_first_latch_arrival(t, g->nodes.first[slot]);
       i < t->latches.arrivals.len; i++) {
    const LatchArrival *a = &t->latches.arrivals.at[i];
    if (a->node >= g->nodes.first[slot + 1]) return;
    gather_source(w);
    gather_add(w, 4 * (a->node - g->nodes.first[slot]) + (uint32_t)condition_of(LATE, a->edge),
               (CommonItem){ a->arrival, a->leaf });
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

static bool plain_front(Timing *t, const Gather *w, Slot load)
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
      if (clock) changed |= fronts_put(t->common->launch, w->thread, common_index(n, k), NULL, 0);
      else changed |= fronts_move(t->common->launch, w->thread, common_index(n, k),
                                  common_index(from, k), common_badness(delay, k >> 1));
    }
  }
  return changed;
}

static bool slot_front(Timing *t, Gather *w, Slot slot)
{
  const Graph *g = t->g;
  NodeId first = g->nodes.first[slot], count = g->nodes.first[slot + 1] - first;
  if (count == 0) return false;
  if (is_plain(t, slot)) return plain_front(t, w, slot);
  gather_begin(w, 4 * count);
  if (slot_is_driver(g, slot)) driver_items(t, w, slot);
  else load_items(t, w, slot);
  if (g->slots.flags[slot] & SLOT_SEED) seed_items(t, w, slot);
  if (t->latches.arrivals.len) latch_items(t, w, slot);
  bool changed = false;
  for (uint32_t key = 0; key < 4 * count; key++) {
    uint32_t n;
    const CommonItem *items = gather_take(w, &t->common->view, key, &n);
    changed |= fronts_put(t->common->launch, w->thread, 4 * (size_t)first + key, items, n);
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

static void slots_fronts(Timing *t, Gather *w, Slot from, Slot to)
{
  for (Slot s = from; s < to; s++) slot_front(t, w, s);
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
