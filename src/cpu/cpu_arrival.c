/* Computes arrivals, forward over the nodes. */
#include <math.h>

#include "base/interrupt.h"
#include "cpu/cpu.h"
#include "timing/sigma.h"

/* Merges an arrival with a variance. The variance of the worst arrival counts; of equal arrivals
   the larger one counts, so the order of merging does not matter. */
static void merge_varied(Timing *t, NodeId node, int k, float x, float variance)
{
  float *have = &t->arrival[node].v[k];
  if (t->sigma.arrival_variance) {
    float *varies = &t->sigma.arrival_variance[node].v[k];
    bool worse = k >> 1 == LATE ? x > *have : x < *have;
    if (worse || (x == *have && variance > *varies)) *varies = variance;
  }
  time_merge(have, k >> 1, x);
}

static void clear_nodes(Timing *t, Slot slot)
{
  static const Cond4 none = { { 0, 0, 0, 0 } };
  for (NodeId n = t->g->nodes.first[slot]; n < t->g->nodes.first[slot + 1]; n++)
    t->arrival[n] = cond_nothing();
  for (NodeId n = t->g->nodes.first[slot];
       t->sigma.arrival_variance && n < t->g->nodes.first[slot + 1]; n++)
    t->sigma.arrival_variance[n] = none;
}

/* --- seeds ------------------------------------------------------------------------------------ */
static void seed_nodes(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = graph_first_seed(g, slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == slot; i++) {
    const Seed *seed = &g->starts.seeds.at[i];
    NodeId node = g->nodes.first[slot] + tag_set_find(g->tags, g->nodes.slot_tags[slot], seed->tag);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float arrival = timing_seed_arrival(t, seed, k);
      if (!isnan(arrival)) merge_varied(t, node, k, arrival, timing_seed_variance(t, seed, k));
    }
  }
}

/* Computes the arrivals of generated clocks at a slot from those of their masters, which are nodes
   of the same slot. So it comes after all other arrivals of the slot. */
static void link_nodes(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  uint32_t from, to;
  graph_links(g, slot, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    const ClockLink *link = &g->starts.links.at[i];
    for (int el = EARLY; el <= LATE; el++) {
      int condition = condition_of(el, link->edge);
      float a = timing_link_arrival(t, link, el);
      if (link->conditions >> condition & 1 && !time_absent(a))
        merge_varied(t, link->to, condition, a, timing_link_variance(t, link, el));
    }
  }
}

/* Takes the arrivals that latches pass on to the slot (see cpu_latch.c). */
static void latch_nodes(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  for (uint32_t i = timing_first_latch_arrival(t, g->nodes.first[slot]);
       i < t->latches.arrivals.len; i++) {
    const LatchArrival *arrival = &t->latches.arrivals.at[i];
    if (arrival->node >= g->nodes.first[slot + 1]) return;
    merge_varied(t, arrival->node, condition_of(LATE, arrival->edge), arrival->arrival, 0);
  }
}

/* --- one node pair of one arc ----------------------------------------------------------------- */
static void arc_nodes(Timing *t, ArcId a, Slot to, NodeId from_node, NodeId to_node, uint8_t mask)
{
  const Graph *g = t->g;
  const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[a]];
  bool launch = arc_type_is_launch((ArcType)lib->type);
  bool clock = timing_tells_clocks(t, t->derates.arc) && graph_node_is_clock(g, to, to_node);
  int first = timing_first_analysis(t, to);
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    if (!(mask >> (2 * p.in + p.out) & 1)) continue;
    for (int el = first; el <= LATE; el++) {
      int in = condition_of(el, p.in), out = condition_of(el, p.out);
      float start = launch ? timing_launch_arrival(t, a, from_node, to_node, in)
                           : t->arrival[from_node].v[in];
      if (time_absent(start)) continue;
      float behind = timing_start_variance(t, a, from_node, to_node, in, launch);
      float variance =
          t->sigma.arrival_variance ? behind + timing_edge_variance(t, a, e, clock, out) : 0;
      merge_varied(t, to_node, out, start + timing_edge_delay(t, a, e, clock, out, behind),
                   variance);
    }
  }
}

static void driver_arrival(Timing *t, Slot slot)
{
  const Graph *g = t->g;
  clear_nodes(t, slot);
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    NodePairs it = node_pairs(g, g->arcs.map[a], g->arcs.from[a], slot);
    while (node_pairs_next(&it)) arc_nodes(t, a, slot, it.from, it.to, it.mask);
  }
  if (g->slots.flags[slot] & SLOT_SEED) seed_nodes(t, slot);
  if (t->latches.arrivals.len) latch_nodes(t, slot);
  if (g->starts.links.len && g->slots.flags[slot] & SLOT_CLOCK_SOURCE) link_nodes(t, slot);
}

/* --- wires ------------------------------------------------------------------------------------ */
static void wire_node(Timing *t, Slot load, const Cond4 *delay, NodeId from, NodeId to,
                      uint8_t mask)
{
  bool clock = timing_tells_clocks(t, t->derates.wire) && graph_node_is_clock(t->g, load, to);
  uint32_t wire = graph_load_index(t->g, load);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    float start = t->arrival[from].v[k];
    if (!(mask >> (3 * (k & 1)) & 1) || time_absent(start)) continue;
    float behind = timing_variance(t, from, k);
    float variance = t->sigma.arrival_variance
                         ? behind + timing_wire_variance(t, wire, delay->v[k], clock, k)
                         : 0;
    merge_varied(t, to, k, start + timing_wire_delay(t, wire, delay->v[k], clock, k, behind),
                 variance);
  }
}

static void wire_nodes(Timing *t, Slot load, Slot driver, MapId map, const Cond4 *delay)
{
  NodePairs it = node_pairs(t->g, map, driver, load);
  while (node_pairs_next(&it)) wire_node(t, load, delay, it.from, it.to, it.mask);
}

static void all_wires(Timing *t, Slot load)
{
  const Graph *g = t->g;
  if (g->nets.wire_driver[load] == NO_SLOT) return;
  wire_nodes(t, load, g->nets.wire_driver[load], g->nets.wire_map[load],
             &t->wires.delay[graph_load_index(g, load)]);
  if (g->nets.extra_wires.len == 0) return;
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    wire_nodes(t, load, g->nets.extra_wires.at[i].driver, g->nets.extra_wires.at[i].map,
               &t->extra.delay[i]);
}

static void load_arrival(Timing *t, Slot load)
{
  const Graph *g = t->g;
  clear_nodes(t, load);
  if (g->nodes.first[load + 1] == g->nodes.first[load]) return;
  if (g->slots.flags[load] & SLOT_SEED) seed_nodes(t, load);
  all_wires(t, load);
  if (g->starts.links.len && g->slots.flags[load] & SLOT_CLOCK_SOURCE) link_nodes(t, load);
}

/* Stores the clock arrivals that seeds count from. If the clock does not arrive, nothing arrives at
   the port either. */
bool cpu_reference_arrivals(Timing *t)
{
  const Graph *g = t->g;
  bool changed = false;
  for (uint32_t i = 0; i < g->starts.references.len; i++) {
    const SeedReference *reference = &g->starts.references.at[i];
    for (int el = EARLY; el <= LATE; el++) {
      float clock = t->arrival[reference->node].v[condition_of(el, reference->edge)],
            *have = &t->seed_reference[reference->seed].v[el];
      if (time_absent(clock)) clock = NAN;
      changed |= !(clock == *have || (isnan(clock) && isnan(*have)));
      *have = clock;
    }
  }
  return changed;
}

void cpu_slot_arrival(Timing *t, Slot slot)
{
  if (slot_is_driver(t->g, slot)) driver_arrival(t, slot);
  else load_arrival(t, slot);
}
