/* Finds the links into a node, with the arithmetic that the engine uses for arrivals. */
#include <math.h>

#include "base/expect.h"
#include "timing/credit.h"
#include "timing/derived.h"
#include "timing/sigma.h"
#include "paths/path_private.h"

/* --- cell arcs -------------------------------------------------------------------------------- */
typedef struct {
  const Timing *t;
  PathPoint  at;
  int        early_late;
  FaninList *list;
} Search;

static void arc_edges(const Search *search, ArcId a, NodeId from, uint8_t mask)
{
  const Timing *t = search->t;
  const Graph *g = t->g;
  bool clock = timing_tells_clocks(t, t->derates.arc)
               && g->tags->tags.at[graph_node_tag(g, search->at.slot, search->at.node)].is_clock;
  int condition = condition_of(search->early_late, search->at.edge);
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    if (p.out != search->at.edge || !(mask >> (2 * p.in + p.out) & 1)) continue;
    float behind =
        timing_start_variance(t, a, from, search->at.node, condition_of(search->early_late, p.in),
                              graph_arc_is_launch(g, a));
    float delay = timing_edge_delay(t, a, e, clock, condition, behind);
    bool launch =
        graph_arc_is_launch(g, a)
        && !tag_is_hidden(&g->tags->tags.at[graph_node_tag(g, search->at.slot, search->at.node)]);
    Fanin in = { g->arcs.from[a], from, a, p.in, LINK_ARC, launch, 0, delay, 0 };
    if (in.launch) in.leaf = common_leaf(t, in.slot, from);
    if (in.launch)
      in.start = timing_launch_arrival(t, a, from, search->at.node,
                                       condition_of(search->early_late, p.in));
    if (!in.launch || !time_absent(in.start)) array_push(search->list, in);
  }
}

static void arc_links(const Search *search)
{
  const Graph *g = search->t->g;
  Slot slot = search->at.slot;
  uint32_t to = search->at.node - g->nodes.first[slot];
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    if (!arc_on(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    NodeId first = g->nodes.first[g->arcs.from[a]];
    if (g->arcs.map[a] == IDENTITY_MAP) {
      if (g->nodes.first[g->arcs.from[a] + 1] > first + to) arc_edges(search, a, first + to, 15);
      continue;
    }
    const MapEntry *entry = tag_map_entries(g->tags, g->arcs.map[a]);
    for (uint32_t i = 0; i < tag_map_count(g->tags, g->arcs.map[a]); i++)
      if (entry[i].to == to) arc_edges(search, a, first + entry[i].from, entry[i].mask);
  }
}

/* --- wires ------------------------------------------------------------------------------------ */
typedef struct {
  Slot  driver;
  MapId map;
  const Cond4 *delay;
  uint32_t link;
  uint8_t  kind;
} Wire;

static void wire_link(const Search *search, const Wire *wire)
{
  const Timing *t = search->t;
  const Graph *g = t->g;
  uint32_t to = search->at.node - g->nodes.first[search->at.slot];
  int condition = condition_of(search->early_late, search->at.edge);
  bool clock = timing_tells_clocks(t, t->derates.wire)
               && g->tags->tags.at[graph_node_tag(g, search->at.slot, search->at.node)].is_clock;
  uint32_t load = graph_load_index(g, search->at.slot);
  Fanin in = { wire->driver,
               g->nodes.first[wire->driver],
               wire->link,
               search->at.edge,
               wire->kind,
               false,
               0,
               0,
               0 };
  if (wire->map == IDENTITY_MAP) {
    if (g->nodes.first[wire->driver + 1] <= in.node + to) return;
    in.node += to;
    in.delay = timing_wire_delay(t, load, wire->delay->v[condition], clock, condition,
                                 timing_variance(t, in.node, condition));
    array_push(search->list, in);
    return;
  }
  const MapEntry *entry = tag_map_entries(g->tags, wire->map);
  for (uint32_t i = 0; i < tag_map_count(g->tags, wire->map); i++) {
    if (entry[i].to != to || !(entry[i].mask >> (3 * search->at.edge) & 1)) continue;
    in.node = g->nodes.first[wire->driver] + entry[i].from;
    in.delay = timing_wire_delay(t, load, wire->delay->v[condition], clock, condition,
                                 timing_variance(t, in.node, condition));
    array_push(search->list, in);
  }
}

static void wire_links(const Search *search)
{
  const Timing *t = search->t;
  const Graph *g = t->g;
  Slot load = search->at.slot;
  if (g->nets.wire_driver[load] == NO_SLOT) return;
  wire_link(search, &(Wire){ g->nets.wire_driver[load], g->nets.wire_map[load],
                             &t->wires.delay[graph_load_index(g, load)], load, LINK_WIRE });
  if (g->nets.extra_wires.len == 0) return;
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    wire_link(search, &(Wire){ g->nets.extra_wires.at[i].driver, g->nets.extra_wires.at[i].map,
                               &t->extra.delay[i], i, LINK_EXTRA_WIRE });
}

/* --- seeds ------------------------------------------------------------------------------------ */
static void seed_links(const Search *search)
{
  const Graph *g = search->t->g;
  Slot slot = search->at.slot;
  TagId tag = graph_node_tag(search->t->g, slot, search->at.node);
  for (uint32_t i = graph_first_seed(g, slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == slot; i++) {
    const Seed *seed = &g->starts.seeds.at[i];
    float a =
        timing_seed_arrival(search->t, seed, condition_of(search->early_late, search->at.edge));
    if (seed->tag == tag && !isnan(a))
      array_push(search->list, (Fanin){ NO_SLOT, 0, i, search->at.edge, LINK_START, false, 0, a,
                                        common_seed_leaf(search->t, seed) });
  }
}

/* A generated clock begins where its master hands over.  The path starts there; query_clock_path
   follows the master. */
static void clock_links(const Search *search)
{
  const Graph *g = search->t->g;
  uint32_t from, to;
  graph_links(g, search->at.slot, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    const ClockLink *link = &g->starts.links.at[i];
    if (link->to != search->at.node || link->edge != search->at.edge
        || !(link->conditions >> condition_of(search->early_late, link->edge) & 1))
      continue;
    float a = timing_link_arrival(search->t, link, search->early_late);
    if (!time_absent(a))
      array_push(search->list,
                 (Fanin){ NO_SLOT, 0, i, search->at.edge, LINK_START, false, 0, a, 0 });
  }
}

uint32_t path_clock_link(const Timing *t, const PathPoint *at, int early_late)
{
  const Graph *g = t->g;
  uint32_t from, to, best = NO_LINK;
  float worst = 0;
  graph_links(g, at->slot, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    const ClockLink *link = &g->starts.links.at[i];
    if (link->to != at->node || link->edge != at->edge
        || !(link->conditions >> condition_of(early_late, link->edge) & 1))
      continue;
    float a = timing_link_arrival(t, link, early_late);
    if (time_absent(a) || (best != NO_LINK && (early_late == LATE ? a <= worst : a >= worst)))
      continue;
    best = i;
    worst = a;
  }
  return best;
}

/* --- latches: what borrows starts a path at the data pin (see cpu/cpu_latch.c) ---------------- */
static void latch_edges(const Search *search, const Latch *latch, PathEndId id)
{
  ClockEdge clock = search->t->g->ends.path_ends.at[id].capture_clock;
  const Timing *t = search->t;
  const Graph *g = t->g;
  const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[latch->arc]];
  for (uint32_t e = g->arcs.edge_first[latch->arc]; e < g->arcs.edge_first[latch->arc + 1]; e++) {
    EdgePair p = arc_edge_pair(lib, e - g->arcs.edge_first[latch->arc]);
    if (p.out != search->at.edge
        || graph_latch_node(g, latch, clock, 2 * p.in + p.out) != search->at.node)
      continue;
    float delay = timing_edge_delay(t, latch->arc, e, false, condition_of(LATE, p.out), 0);
    LatchGivens givens = timing_latch_givens(t, id, p.in);
    NodeId data = g->ends.path_ends.at[id].data;
    for (LatchGiven given; timing_latch_next(&givens, &given);)
      array_push(search->list, ((Fanin){ latch->data, data, latch->arc, p.in, LINK_ARC, true,
                                         given.start, delay, given.leaf }));
  }
}

static bool is_latch_end(const Graph *g, const Latch *latch, const PathEnd *end, ClockEdge clock)
{
  return end->type == END_LATCH_SETUP && g->ends.checks.at[end->check].clock == latch->enable
         && end->capture_edge == latch->open_edge && end->capture_clock == clock;
}

static void latch_links(const Search *search)
{
  const Graph *g = search->t->g;
  Slot slot = search->at.slot;
  ClockEdge clock =
      g->tags->tags.at[graph_node_tag(search->t->g, slot, search->at.node)].clock_edge;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++)
    for (uint32_t i = graph_first_latch(g, a);
         i < g->arcs.latches.len && g->arcs.latches.at[i].arc == a; i++) {
      const Latch *latch = &g->arcs.latches.at[i];
      for (PathEndId r = g->ends.first_end[latch->data]; r < g->ends.first_end[latch->data + 1];
           r++)
        if (is_latch_end(g, latch, &g->ends.path_ends.at[r], clock)) latch_edges(search, latch, r);
    }
}

PathEndId path_latch_end(const Timing *t, const PathPoint *data, ArcId arc, ClockEdge clock)
{
  const Graph *g = t->g;
  for (uint32_t i = graph_first_latch(g, arc);
       i < g->arcs.latches.len && g->arcs.latches.at[i].arc == arc; i++)
    for (PathEndId r = g->ends.first_end[data->slot]; r < g->ends.first_end[data->slot + 1]; r++)
      if (g->ends.path_ends.at[r].data == data->node
          && is_latch_end(g, &g->arcs.latches.at[i], &g->ends.path_ends.at[r], clock))
        return r;
  return NO_PATH_END;
}

void path_fanins(const Timing *t, PathPoint at, int early_late, FaninList *list)
{
  Search s = { t, at, early_late, list };
  if (t->g->slots.flags[at.slot] & SLOT_SEED) seed_links(&s);
  if (t->g->starts.links.len && t->g->slots.flags[at.slot] & SLOT_CLOCK_SOURCE) clock_links(&s);
  if (!slot_is_driver(t->g, at.slot)) {
    if (t->g->nets.wire_driver[at.slot] != NO_SLOT) wire_links(&s);
    return;
  }
  arc_links(&s);
  if (s.t->latches.arrivals.len && early_late == LATE) latch_links(&s);
}

/* --- prefetching ------------------------------------------------------------------------------ */
static void expect_slot(const Graph *g, Slot slot)
{
  mem_expect(&g->slots.flags[slot]);
  mem_expect(&g->nodes.slot_tags[slot]);
  mem_expect(&g->nodes.first[slot]);
  mem_expect(&g->arcs.first[slot]);
  mem_expect(&g->nets.wire_driver[slot]);
  mem_expect(&g->nets.wire_map[slot]);
}

/* The arcs of a slot lie side by side: most are within two lines of an array. */
static void expect_arcs(const Graph *g, ArcId first, ArcId last)
{
  mem_expect(&g->arcs.from[first]);
  mem_expect(&g->arcs.from[last]);
  mem_expect(&g->arcs.flags[first]);
  mem_expect(&g->arcs.map[first]);
  mem_expect(&g->arcs.map[last]);
  mem_expect(&g->arcs.lib[first]);
  mem_expect(&g->arcs.pairs[first]);
  mem_expect(&g->arcs.edge_first[first]);
}

static void expect_driver(const Timing *t, Slot slot, int step)
{
  const Graph *g = t->g;
  ArcId first = g->arcs.first[slot], end = g->arcs.first[slot + 1];
  if (first == end) return;
  if (step == 1) expect_arcs(g, first, end - 1);
  if (step == 2) {
    mem_expect(&t->edge_delay[g->arcs.edge_first[first]]);
    mem_expect(&t->edge_delay[g->arcs.edge_first[end - 1]]);
  }
  for (ArcId a = first; a < end; a++)
    if (step == 2) mem_expect(&g->nodes.first[g->arcs.from[a]]);
    else if (step == 3) mem_expect(&t->arrival[g->nodes.first[g->arcs.from[a]]]);
}

static void expect_load(const Timing *t, Slot slot, int step)
{
  const Graph *g = t->g;
  Slot driver = g->nets.wire_driver[slot];
  if (driver == NO_SLOT) return;
  if (step == 1) {
    mem_expect(&g->nodes.first[driver]);
    mem_expect(&t->wires.delay[graph_load_index(g, slot)]);
  }
  if (step == 2) mem_expect(&t->arrival[g->nodes.first[driver]]);
}

void path_fanins_expect(const Timing *t, Slot slot, int step)
{
  if (step == 0) expect_slot(t->g, slot);
  else if (slot_is_driver(t->g, slot)) expect_driver(t, slot, step);
  else expect_load(t, slot, step);
}
