/* Computes required times, backward over the nodes. */
#include "base/pool.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "timing/scaling.h"
#include "timing/sigma.h"

/* --- end points ------------------------------------------------------------------------------- */
typedef struct { float raw[CONDITION_COUNT], credited[CONDITION_COUNT]; } WorstSlacks;

static void path_end_slacks(Timing *t, PathEndId id, WorstSlacks *worst)
{
  const PathEnd *end = &t->g->ends.path_ends.at[id];
  int el = path_end_is_late((PathEndType)end->type) ? LATE : EARLY;
  for (int edge = RISE; edge <= FALL; edge++) {
    float required, slack = t->end_slack[id].v[edge] = timing_end_slack(t, id, edge, &required);
    if (slack == NO_SLACK) continue;
    int k = condition_of(el, edge);
    float raw = time_slack(el, required, t->arrival[end->data].v[k]);
    if (slack < worst->credited[k]) worst->credited[k] = slack;
    if (raw < worst->raw[k]) worst->raw[k] = raw;
  }
}

/* Computes the required times of a path end for the arcs before it. If credit is not kept by leaf,
   all data of the path end has the credit of the worst slack. */
static void path_end_requireds(Timing *t, PathEndId id, const WorstSlacks *worst)
{
  const PathEnd *end = &t->g->ends.path_ends.at[id];
  int el = path_end_is_late((PathEndType)end->type) ? LATE : EARLY;
  for (int edge = RISE; edge <= FALL; edge++) {
    if (t->end_slack[id].v[edge] >= NO_SLACK) continue;
    bool has;
    float required = timing_end_required(t, id, edge, &has);
    int k = condition_of(el, edge);
    float gain = worst->credited[k] - worst->raw[k];
    time_tighten(&t->required[end->data].v[k], el, el == LATE ? required + gain : required - gain);
  }
}

static void end_required(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  PathEndId first = g->ends.first_end[slot], end = g->ends.first_end[slot + 1];
  WorstSlacks worst = { { NO_SLACK, NO_SLACK, NO_SLACK, NO_SLACK },
                        { NO_SLACK, NO_SLACK, NO_SLACK, NO_SLACK } };
  for (PathEndId id = first; id < end; id++) path_end_slacks(t, id, &worst);
  if (common_captures(t) || common_pruned(t)) return;       /* cpu_slot_captures does this */
  for (PathEndId id = first; id < end; id++) path_end_requireds(t, id, &worst);
}

/* --- checks: margins from tables (related slew, constrained slew) ----------------------------- */
static int check_analysis(const Check *check) { return check_is_early(check) ? EARLY : LATE; }

static void slot_margins(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    CheckId id = g->ends.check_order[i];
    if (t->late_only && check_is_early(&g->ends.checks.at[id])) continue;
    for (int edge = RISE; edge <= FALL; edge++) {
      timing_check_margin(t, &g->ends.checks.at[id], edge, check_analysis(&g->ends.checks.at[id]),
                          &t->check_margin[id].v[edge]);
      if (t->sigma.check)
        t->sigma.check[id].v[edge] = timing_check_sigma(t, &g->ends.checks.at[id], edge,
                                                        check_analysis(&g->ends.checks.at[id]));
    }
  }
}

static void margins_work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  (void)step;
  (void)thread;
  for (Slot s = from; s < to; s++) slot_margins(context, s);
}

void cpu_check_margins(Timing *t)
{
  pool_items(t->g->slots.count, 10, t->threads, margins_work, t);
}

void cpu_slot_ends(Timing *t, Slot slot)
{
  slot_margins(t, slot);
  end_required(t, slot);
}

static void ends_work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Timing *t = context;
  (void)step;
  (void)thread;
  for (NodeId n = t->g->nodes.first[from]; n < t->g->nodes.first[to]; n++)
    t->required[n] = cond_loosest();
  for (Slot s = from; s < to; s++)
    if (t->g->ends.first_end[s + 1] > t->g->ends.first_end[s]) cpu_slot_ends(t, s);
}

void cpu_end_points(Timing *t) { pool_items(t->g->slots.count, 15, t->threads, ends_work, t); }

/* --- backward --------------------------------------------------------------------------------- */
float cpu_left_out(const Timing *t, ArcId a, NodeId from_node, NodeId to_node, int condition)
{
  const Graph *g = t->g;
  if (!g->by_tag.is_bare[graph_node_tag(g, g->arcs.to[a], to_node)] || !graph_arc_is_launch(g, a))
    return 0;
  float arrival = t->arrival[from_node].v[condition];
  return time_absent(arrival) ? 0 : arrival;
}

static void arc_nodes(Timing *t, ArcId a, Slot to, NodeId from_node, NodeId to_node, uint8_t mask)
{
  const Graph *g = t->g;
  bool clock = timing_tells_clocks(t, t->derates.arc) && graph_node_is_clock(g, to, to_node);
  bool launch = graph_arc_is_launch(g, a);
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    if (!(mask >> (2 * p.in + p.out) & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      int out = condition_of(el, p.out);
      float required = t->required[to_node].v[out];
      if (time_absent(required)) continue;
      float behind =
          timing_start_variance(t, a, from_node, to_node, condition_of(el, p.in), launch);
      time_tighten(&t->required[from_node].v[condition_of(el, p.in)], el,
                   required - timing_edge_delay(t, a, e, clock, out, behind)
                       + cpu_left_out(t, a, from_node, to_node, condition_of(el, p.in)));
    }
  }
}

/* Takes required times from the arcs that start at a slot. It is a load, or a driver from which
   arcs lead to other outputs of its cell. */
static void out_required(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    NodePairs it = node_pairs(g, g->arcs.map[a], slot, g->arcs.to[a]);
    while (node_pairs_next(&it)) arc_nodes(t, a, g->arcs.to[a], it.from, it.to, it.mask);
  }
}

static void wire_node(Timing *t, Slot load, const Cond4 *delay, NodeId from, NodeId to,
                      uint8_t mask)
{
  bool clock = timing_tells_clocks(t, t->derates.wire) && graph_node_is_clock(t->g, load, to);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    float required = t->required[to].v[k];
    if (!(mask >> (3 * (k & 1)) & 1) || time_absent(required)) continue;
    time_tighten(&t->required[from].v[k], k >> 1,
                 required
                     - timing_wire_delay(t, graph_load_index(t->g, load), delay->v[k], clock, k,
                                         timing_variance(t, from, k)));
  }
}

static void wire_nodes(Timing *t, Slot load, Slot driver, MapId map, const Cond4 *delay)
{
  NodePairs it = node_pairs(t->g, map, driver, load);
  while (node_pairs_next(&it)) wire_node(t, load, delay, it.from, it.to, it.mask);
}

static void driver_required(Timing *t, Slot driver)
{
  const Graph *g = t->g;
  if (g->nodes.first[driver + 1] == g->nodes.first[driver]) return;
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++)
    wire_nodes(t, s, driver, g->nets.wire_map[s], &t->wires.delay[graph_load_index(g, s)]);
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it)) {
    const ExtraWire *wire = &g->nets.extra_wires.at[it.index];
    wire_nodes(t, wire->load, driver, wire->map, &t->extra.delay[it.index]);
  }
  out_required(t, driver);
}

void cpu_slot_required(Timing *t, Slot slot)
{
  for (NodeId n = t->g->nodes.first[slot]; n < t->g->nodes.first[slot + 1]; n++)
    t->required[n] = cond_loosest();
  cpu_slot_ends(t, slot);
  if (common_captures(t)) return;       /* cpu_slot_captures does this */
  if (slot_is_driver(t->g, slot)) driver_required(t, slot);
  else out_required(t, slot);
}

void cpu_share_required(Timing *t, LevelShare share, unsigned parts)
{
  for (Slot s = share.load; parts & 1 && s < share.load_end; s++) out_required(t, s);
  for (Slot s = share.driver; parts & 2 && s < share.driver_end; s++) driver_required(t, s);
}
