/* Computes required times inside the network of an ideal clock. It follows the network to its
   launches and comes back. */
#include "timing/ideal_network.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "timing/credit.h"
#include "timing/sigma.h"

/* A node of the network. Nodes are numbered in the order of slots, which is the order of levels. */
typedef struct {
  NodeId node;
  Slot   slot;
  Cond4  required;
} Inside;

typedef struct {
  const Timing *t;
  ARRAY(Inside) nodes;
  Map  *index;                /* node -> its place in nodes */
} Network;

/* An arc or wire that leads from a node to another. */
typedef struct {
  Slot   slot;
  NodeId from, to;
  uint8_t mask;               /* edge pairs: bit 2 * in + out */
  ArcId  arc;                 /* NO_ARC: a wire with the given delay */
  const Cond4 *wire;
} Link;

typedef void (*Visit)(Network *network, const Link *link);

static bool is_ideal(const Timing *t, const Inside *inside)
{
  return t->g->by_tag.is_ideal[graph_node_tag(t->g, inside->slot, inside->node)];
}

static bool any_ideal(const Graph *g)
{
  for (TagId tag = 0; tag < g->tags->tags.len; tag++)
    if (g->by_tag.is_ideal[tag]) return true;
  return false;
}

/* --- what leads on ---------------------------------------------------------------------------- */
static void visit_pairs(Network *network, Link *link, NodePairs it, NodeId from, Visit visit)
{
  while (node_pairs_next(&it)) {
    if (it.from != from) continue;
    link->from = it.from;
    link->to = it.to;
    link->mask = it.mask;
    visit(network, link);
  }
}

static void visit_wires(Network *network, Slot driver, NodeId from, Visit visit)
{
  const Graph *g = network->t->g;
  Slot end = g->nets.load_first[driver] + g->nets.load_count[driver];
  for (Slot s = g->nets.load_first[driver]; s < end; s++) {
    Link link = { .slot = s,
                  .arc = NO_ARC,
                  .wire = &network->t->wires.delay[graph_load_index(g, s)] };
    visit_pairs(network, &link, node_pairs(g, g->nets.wire_map[s], driver, s), from, visit);
  }
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it)) {
    const ExtraWire *wire = &g->nets.extra_wires.at[it.index];
    Link link = { .slot = wire->load, .arc = NO_ARC, .wire = &network->t->extra.delay[it.index] };
    visit_pairs(network, &link, node_pairs(g, wire->map, driver, wire->load), from, visit);
  }
}

static void visit_links(Network *network, Slot slot, NodeId from, Visit visit)
{
  const Graph *g = network->t->g;
  if (slot_is_driver(g, slot)) visit_wires(network, slot, from, visit);
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++) {
    Link link = { .slot = g->arcs.to[g->arcs.out[i]], .arc = g->arcs.out[i] };
    if (!arc_on(g, link.arc) || g->arcs.flags[link.arc] & ARC_LATCH) continue;
    visit_pairs(network, &link, node_pairs(g, g->arcs.map[link.arc], slot, link.slot), from, visit);
  }
}

/* --- the network behind a node ---------------------------------------------------------------- */
static void add(Network *network, Slot slot, NodeId node)
{
  if (map_get(network->index, node) != MAP_NO_VALUE) return;
  map_put(network->index, node, 0);
  array_push(&network->nodes, ((Inside){ node, slot, cond_loosest() }));
}

static void add_inside(Network *network, const Link *link)
{
  if (graph_node_is_clock(network->t->g, link->slot, link->to)) add(network, link->slot, link->to);
}

static int by_node(const void *a, const void *b)
{
  NodeId x = ((const Inside *)a)->node, y = ((const Inside *)b)->node;
  return x < y ? -1 : x > y;
}

static void collect(Network *network, Slot slot, NodeId node)
{
  add(network, slot, node);
  for (uint32_t i = 0; i < network->nodes.len; i++)
    visit_links(network, network->nodes.at[i].slot, network->nodes.at[i].node, add_inside);
  qsort(network->nodes.at, network->nodes.len, sizeof *network->nodes.at, by_node);
  for (uint32_t i = 0; i < network->nodes.len; i++)
    map_put(network->index, network->nodes.at[i].node, i);
}

/* --- required times --------------------------------------------------------------------------- */
static float required_at(const Network *network, NodeId node, int condition)
{
  uint32_t i = map_get(network->index, node);
  return i == MAP_NO_VALUE ? common_required(network->t, node, condition)
                           : network->nodes.at[i].required.v[condition];
}

/* Returns the part of its clock's arrival that a launch leaves out. The required time is later by
   as much. */
static float left_out(const Timing *t, const Link *link, int condition)
{
  float arrival = t->arrival[link->from].v[condition];
  if (time_absent(arrival) || !graph_arc_is_launch(t->g, link->arc)) return 0;
  return arrival - timing_launch_arrival(t, link->arc, link->from, link->to, condition);
}

static void tighten(Network *network, const Link *link, int in, float required)
{
  Inside *from = &network->nodes.at[map_get(network->index, link->from)];
  time_tighten(&from->required.v[in], in >> 1, required);
}

static void arc_required(Network *network, const Link *link)
{
  const Timing *t = network->t;
  const Graph *g = t->g;
  bool clock =
      timing_tells_clocks(t, t->derates.arc) && graph_node_is_clock(g, link->slot, link->to);
  bool launch = graph_arc_is_launch(g, link->arc);
  for (uint32_t e = g->arcs.edge_first[link->arc]; e < g->arcs.edge_first[link->arc + 1]; e++) {
    EdgePair p = graph_edge_pair(g, link->arc, e - g->arcs.edge_first[link->arc]);
    if (!(link->mask >> (2 * p.in + p.out) & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      int in = condition_of(el, p.in), out = condition_of(el, p.out);
      float required = required_at(network, link->to, out);
      if (time_absent(required)) continue;
      float behind = timing_start_variance(t, link->arc, link->from, link->to, in, launch);
      tighten(network, link, in,
              required - timing_edge_delay(t, link->arc, e, clock, out, behind)
                  + left_out(t, link, in));
    }
  }
}

static void wire_required(Network *network, const Link *link)
{
  const Timing *t = network->t;
  bool clock =
      timing_tells_clocks(t, t->derates.wire) && graph_node_is_clock(t->g, link->slot, link->to);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    float required = required_at(network, link->to, k),
          variance = timing_variance(t, link->from, k);
    if (!(link->mask >> (3 * (k & 1)) & 1) || time_absent(required)) continue;
    tighten(network, link, k,
            required
                - timing_wire_delay(t, graph_load_index(t->g, link->slot), link->wire->v[k], clock,
                                    k, variance));
  }
}

static void link_required(Network *network, const Link *link)
{
  if (link->arc == NO_ARC) wire_required(network, link);
  else arc_required(network, link);
}

/* Takes the required times of path ends at the node itself. */
static void end_required(Network *network, Inside *inside)
{
  const Graph *g = network->t->g;
  for (PathEndId id = g->ends.first_end[inside->slot]; id < g->ends.first_end[inside->slot + 1];
       id++) {
    int el = path_end_is_late((PathEndType)g->ends.path_ends.at[id].type) ? LATE : EARLY;
    for (int edge = RISE; edge <= FALL && g->ends.path_ends.at[id].data == inside->node; edge++) {
      float slack = network->t->end_slack[id].v[edge],
            arrival = network->t->arrival[inside->node].v[condition_of(el, edge)];
      if (slack >= 1e29f || time_absent(arrival)) continue;
      time_tighten(&inside->required.v[condition_of(el, edge)], el,
                   el == LATE ? arrival + slack : arrival - slack);
    }
  }
}

static bool has_ideal(const Network *network)
{
  for (uint32_t i = 0; i < network->nodes.len; i++)
    if (is_ideal(network->t, &network->nodes.at[i])) return true;
  return false;
}

static float required_of(Network *network, Slot slot, NodeId node, int condition)
{
  collect(network, slot, node);
  if (!has_ideal(network)) return common_required(network->t, node, condition);
  for (uint32_t i = network->nodes.len; i-- > 0;) {
    end_required(network, &network->nodes.at[i]);
    visit_links(network, network->nodes.at[i].slot, network->nodes.at[i].node, link_required);
  }
  return network->nodes.at[0].required.v[condition];
}

/* Computes the required time of a clock node. A clock that is propagated here can be ideal further
   on, behind a pin with a latency of its own. */
float ideal_network_required(const Timing *t, Slot slot, NodeId node, int condition)
{
  if (!graph_node_is_clock(t->g, slot, node) || !any_ideal(t->g))
    return common_required(t, node, condition);
  Network w = { .t = t, .index = map_new() };
  float required = required_of(&w, slot, node, condition);
  array_free(&w.nodes);
  map_free(w.index);
  return required;
}
