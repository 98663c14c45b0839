/* Common path credit, backward: required times by capturing leaf.

   Data nodes store required times by capturing leaf; common_required makes one number of them. In a
   clock network the launching leaf is known, so the required time there includes the credit. */

#include "base/pool.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "cpu/pruned.h"
#include "timing/sigma.h"

/* Returns the badness of a required time. A later required time is worse for early data and better
   for late data. */
static float badness(float required, int early_late)
{
  return common_badness(required, !early_late);
}

static void tighten(float *have, int early_late, float x)
{
  if (early_late == LATE ? x < *have : x > *have) *have = x;
}

/* --- end points ------------------------------------------------------------------------------- */
static void end_item(Timing *t, Gather *gather, const PathEnd *end, int k, CommonItem capture)
{
  if (t->common->pruned) {
    pruned_end(t, end->data, k, capture);
    return;
  }
  gather_source(gather);
  gather_add(gather, 4 * (end->data - t->g->nodes.first[end->slot]) + (uint32_t)k, capture);
}

/* Collects the required time of data at a path end.  If the capture is a data reference, there is
   one required time for each launch of the reference. */
static void data_items(Timing *t, Gather *gather, const PathEnd *end, int k, float required)
{
  uint32_t count;
  int el = k >> 1;
  const CommonItem *references = common_end_references(t, end, &count);
  if (references == NULL) {
    end_item(t, gather, end, k,
             (CommonItem){ badness(required, el), timing_end_leaf(t, end, k & 1) });
    return;
  }
  CommonCapture worst = common_end_capture(t, end, k & 1);
  for (uint32_t i = 0; i < count; i++) {
    float arrival = badness(references[i].badness, el);
    end_item(t, gather, end, k,
             (CommonItem){ badness(required + (arrival - worst.arrival), el), references[i].leaf });
  }
}

static void path_end_items(Timing *t, Gather *gather, PathEndId id)
{
  const Graph *g = t->g;
  const PathEnd *end = &g->ends.path_ends.at[id];
  int el = path_end_is_late((PathEndType)end->type) ? LATE : EARLY;
  bool clock = graph_node_is_clock(g, end->slot, end->data);
  for (int edge = RISE; edge <= FALL; edge++) {
    int k = condition_of(el, edge);
    bool has;
    float required = timing_end_required(t, id, edge, &has);
    if (!has || time_absent(t->arrival[end->data].v[k])) continue;
    if (!clock) {
      data_items(t, gather, end, k, required);
      continue;
    }
    float credit =
        common_leaf_credit(t, common_leaf(t, end->slot, end->data), timing_end_leaf(t, end, edge));
    tighten(&t->required[end->data].v[k], el, el == LATE ? required + credit : required - credit);
  }
}

/* --- arcs and wires --------------------------------------------------------------------------- */
typedef struct {
  Timing  *t;
  Gather  *gather;
  Slot     from;
  NodeId   from_node, to_node;
  int      in, out;           /* conditions */
  float    delay;
} Link;

static void clock_to_clock(const Link *link)
{
  float required = link->t->required[link->to_node].v[link->out];
  if (!time_absent(required))
    tighten(&link->t->required[link->from_node].v[link->in], link->out >> 1,
            required - link->delay);
}

/* Carries the items back to a data node at the start. */
static void back_from_data(const Link *link)
{
  int el = link->out >> 1;
  uint32_t count;
  const CommonItem *items =
      fronts_get(link->t->common->capture, common_index(link->to_node, link->out), &count);
  float gain = badness(-link->delay, el);
  uint32_t key = 4 * (link->from_node - link->t->g->nodes.first[link->from]) + (uint32_t)link->in;
  gather_source(link->gather);
  gather_list(link->gather, key, items, count, gain);
}

/* Carries the items back to the clock node that launches them. There the launching leaf is known,
   so the credit is known too. */
static void back_to_clock(const Link *link)
{
  int el = link->out >> 1;
  uint32_t count, leaf = common_leaf(link->t, link->from, link->from_node);
  const CommonItem *items =
      fronts_get(link->t->common->capture, common_index(link->to_node, link->out), &count);
  for (uint32_t i = 0; i < count; i++) {
    float credit = common_credit(&link->t->common->view, leaf, items[i].leaf);
    float required = badness(items[i].badness, el) - link->delay;
    tighten(&link->t->required[link->from_node].v[link->in], el,
            el == LATE ? required + credit : required - credit);
  }
}

static void back_by_launches(const Link *link, bool from_clock)
{
  PrunedLink p = { common_index(link->from_node, link->in), common_index(link->to_node, link->out),
                   link->delay };
  if (!from_clock) {
    pruned_back(link->t, &p);
    return;
  }
  float required = pruned_launch(link->t, &p, common_leaf(link->t, link->from, link->from_node));
  if (!time_absent(required))
    tighten(&link->t->required[link->from_node].v[link->in], link->out >> 1, required);
}

static void back(const Link *link, bool from_clock, bool to_clock)
{
  if (to_clock) clock_to_clock(link);
  else if (link->t->common->pruned) back_by_launches(link, from_clock);
  else if (from_clock) back_to_clock(link);
  else back_from_data(link);
}

static void arc_items(Link *link, ArcId a, Slot to, uint8_t mask)
{
  Timing *t = link->t;
  const Graph *g = t->g;
  bool from_clock = graph_node_is_clock(g, link->from, link->from_node),
       to_clock = graph_node_is_clock(g, to, link->to_node);
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    if (!(mask >> (2 * p.in + p.out) & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      link->in = condition_of(el, p.in);
      link->out = condition_of(el, p.out);
      float behind = timing_start_variance(t, a, link->from_node, link->to_node, link->in,
                                           from_clock && !to_clock);
      link->delay = timing_edge_delay(t, a, e, to_clock, link->out, behind);
      if (from_clock) link->delay -= cpu_left_out(t, a, link->from_node, link->to_node, link->in);
      back(link, from_clock, to_clock);
    }
  }
}

static void out_items(Timing *t, Gather *gather, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    NodePairs it = node_pairs(g, g->arcs.map[a], slot, g->arcs.to[a]);
    while (node_pairs_next(&it)) {
      Link l = { t, gather, slot, it.from, it.to, 0, 0, 0 };
      arc_items(&l, a, g->arcs.to[a], it.mask);
    }
  }
}

static void wire_items(Timing *t, Gather *gather, Slot load, Slot driver, MapId map,
                       const Cond4 *delay)
{
  const Graph *g = t->g;
  NodePairs it = node_pairs(g, map, driver, load);
  while (node_pairs_next(&it)) {
    bool clock = graph_node_is_clock(g, load, it.to);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      if (!(it.mask >> (3 * (k & 1)) & 1)) continue;
      float added = timing_wire_delay(t, graph_load_index(g, load), delay->v[k], clock, k,
                                      timing_variance(t, it.from, k));
      Link l = { t, gather, driver, it.from, it.to, k, k, added };
      back(&l, clock, clock);
    }
  }
}

static void driver_items(Timing *t, Gather *gather, Slot driver)
{
  const Graph *g = t->g;
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++)
    wire_items(t, gather, s, driver, g->nets.wire_map[s], &t->wires.delay[graph_load_index(g, s)]);
  if (g->nets.extra_wires.len == 0) return;
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it)) {
    const ExtraWire *wire = &g->nets.extra_wires.at[it.index];
    wire_items(t, gather, wire->load, driver, wire->map, &t->extra.delay[it.index]);
  }
}

/* --- nodes ------------------------------------------------------------------------------------ */
static bool settle_nodes(Timing *t, Gather *gather, Slot slot)
{
  const Graph *g = t->g;
  bool changed = false;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++) {
    if (graph_node_is_clock(g, slot, n)) continue;
    for (int k = 0; k < CONDITION_COUNT && t->common->pruned; k++)
      t->required[n].v[k] = pruned_worst(t, common_index(n, k));
    for (int k = 0; k < CONDITION_COUNT && !t->common->pruned; k++) {
      uint32_t count;
      const CommonItem *items = gather_take(gather, &t->common->view,
                                            4 * (n - g->nodes.first[slot]) + (uint32_t)k, &count);
      changed |= fronts_put(t->common->capture, gather->thread, common_index(n, k), items, count);
    }
  }
  return changed;
}

/* Returns true if a driver of data has a single load with the same nodes, and nothing else gives it
   a required time. Then its lists are those of the load, moved by the delay of the wire. */
static bool is_plain(const Graph *g, Slot slot)
{
  if (!slot_is_driver(g, slot) || g->nets.load_count[slot] != 1) return false;
  Slot load = g->nets.load_first[slot];
  /* a constant has no nodes */
  if (g->nets.wire_map[load] != IDENTITY_MAP
      || g->nodes.slot_tags[load] != g->nodes.slot_tags[slot])
    return false;
  if (g->arcs.out_first[slot + 1] != g->arcs.out_first[slot]
      || g->ends.first_end[slot + 1] != g->ends.first_end[slot])
    return false;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    if (graph_node_is_clock(g, slot, n)) return false;
  return g->nets.extra_wires.len == 0;
}

static bool plain_captures(Timing *t, const Gather *gather, Slot driver)
{
  const Graph *g = t->g;
  Slot load = g->nets.load_first[driver];
  uint32_t index = graph_load_index(g, load);
  NodeId from = g->nodes.first[load];
  bool changed = false;
  for (NodeId n = g->nodes.first[driver]; n < g->nodes.first[driver + 1]; n++, from++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float delay = timing_wire_delay(t, index, t->wires.delay[index].v[k], false, k,
                                      timing_variance(t, n, k));
      changed |= fronts_move(t->common->capture, gather->thread, common_index(n, k),
                             common_index(from, k), badness(-delay, k >> 1));
    }
  return changed;
}

static bool slot_captures(Timing *t, Gather *gather, Slot slot)
{
  const Graph *g = t->g;
  NodeId first = g->nodes.first[slot], count = g->nodes.first[slot + 1] - first;
  if (count == 0) return false;
  if (t->common->pruned == NULL && is_plain(g, slot)) return plain_captures(t, gather, slot);
  gather_begin(gather, 4 * count);
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++)
    path_end_items(t, gather, r);
  if (slot_is_driver(g, slot)) driver_items(t, gather, slot);
  out_items(t, gather, slot);
  return settle_nodes(t, gather, slot);
}

bool cpu_slot_captures(Timing *t, Slot slot)
{
  Gather w = { .thread = pool_thread() };
  bool changed = slot_captures(t, &w, slot);
  gather_free(&w);
  return changed;
}

static void captures_share(void *context, LevelShare share, unsigned parts, int thread)
{
  Gather w = { .thread = thread };
  for (Slot s = share.load; parts & 1 && s < share.load_end; s++) slot_captures(context, &w, s);
  for (Slot s = share.driver; parts & 2 && s < share.driver_end; s++) slot_captures(context, &w, s);
  gather_free(&w);
}

bool cpu_captures(Timing *t)
{
  return level_run(t, &(LevelRun){ captures_share, t, 0, t->g->levels.count, 2, true, 400 });
}
