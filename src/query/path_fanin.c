/* Links into a node: the same arcs, wires and seeds with the same arithmetic as the engine's arrivals. */
#include <math.h>

#include "query/path_private.h"

static bool is_launch(const LibArc *arc)
{
  return arc->type == ARC_CLOCK_RISE || arc->type == ARC_CLOCK_FALL || arc->type == ARC_LATCH_ENABLE;
}

static TagId tag_of(const Timing *t, Slot slot, NodeId node)
{
  return tag_set_tags(t->g->tags, t->g->slot_tags[slot])[node - t->g->node_first[slot]];
}

float path_launch_arrival(const Timing *t, Slot slot, NodeId node, int condition)
{
  float a = t->arrival[node].v[condition];
  if (time_absent(a)) return a;
  TagId tag = tag_of(t, slot, node);
  return t->g->tag_is_ideal[tag] ? t->g->tag_latency[tag][condition] : a;
}

/* --- cell arcs --------------------------------------------------------------------------------------------- */
typedef struct {
  const Timing *t;
  PathPoint  at;
  int        early_late;
  FaninList *list;
} Search;

static void arc_edges(const Search *s, ArcId a, NodeId from, uint8_t mask)
{
  const Timing *t = s->t;
  const Graph *g = t->g;
  const LibArc *lib = &g->libs->arcs.at[g->arc_lib[a]];
  bool clock = t->arc_derate && g->tags->tags.at[tag_of(t, s->at.slot, s->at.node)].is_clock;
  int condition = condition_of(s->early_late, s->at.edge);
  for (uint32_t e = g->edge_first[a]; e < g->edge_first[a + 1]; e++) {
    EdgePair p = arc_edge_pair(lib, e - g->edge_first[a]);
    if (p.out != s->at.edge || !(mask >> (2 * p.in + p.out) & 1)) continue;
    float delay = t->edge_delay[e].v[s->early_late] * timing_derate(t, t->arc_derate, a, clock, condition);
    array_push(s->list, (Fanin){ g->arc_from[a], from, a, p.in, LINK_ARC, is_launch(lib), delay });
  }
}

static void arc_links(const Search *s)
{
  const Graph *g = s->t->g;
  Slot slot = s->at.slot;
  uint32_t to = s->at.node - g->node_first[slot];
  for (ArcId a = g->arc_first[slot]; a < g->arc_first[slot + 1]; a++) {
    if (!arc_on(g, a) || g->arc_flags[a] & ARC_LATCH) continue;
    NodeId first = g->node_first[g->arc_from[a]];
    if (g->arc_map[a] == IDENTITY_MAP) {
      if (g->node_first[g->arc_from[a] + 1] > first + to) arc_edges(s, a, first + to, 15);
      continue;
    }
    const MapEntry *entry = tag_map_entries(g->tags, g->arc_map[a]);
    for (uint32_t i = 0; i < tag_map_count(g->tags, g->arc_map[a]); i++)
      if (entry[i].to == to) arc_edges(s, a, first + entry[i].from, entry[i].mask);
  }
}

/* --- wires --------------------------------------------------------------------------------------------------- */
typedef struct {
  Slot  driver;
  MapId map;
  const Cond4 *delay;
  uint32_t link;
  uint8_t  kind;
} Wire;

static void wire_link(const Search *s, const Wire *w)
{
  const Timing *t = s->t;
  const Graph *g = t->g;
  uint32_t to = s->at.node - g->node_first[s->at.slot];
  int condition = condition_of(s->early_late, s->at.edge);
  bool clock = t->wire_derate && g->tags->tags.at[tag_of(t, s->at.slot, s->at.node)].is_clock;
  float delay = w->delay->v[condition] * timing_derate(t, t->wire_derate, graph_load_index(g, s->at.slot), clock, condition);
  Fanin in = { w->driver, g->node_first[w->driver], w->link, s->at.edge, w->kind, false, delay };
  if (w->map == IDENTITY_MAP) {
    if (g->node_first[w->driver + 1] <= in.node + to) return;
    in.node += to;
    array_push(s->list, in);
    return;
  }
  const MapEntry *entry = tag_map_entries(g->tags, w->map);
  for (uint32_t i = 0; i < tag_map_count(g->tags, w->map); i++) {
    if (entry[i].to != to || !(entry[i].mask >> (3 * s->at.edge) & 1)) continue;
    in.node = g->node_first[w->driver] + entry[i].from;
    array_push(s->list, in);
  }
}

static void wire_links(const Search *s)
{
  const Timing *t = s->t;
  const Graph *g = t->g;
  Slot load = s->at.slot;
  if (g->wire_driver[load] == NO_SLOT) return;
  wire_link(s, &(Wire){ g->wire_driver[load], g->wire_map[load], &t->wire_delay[graph_load_index(g, load)], load, LINK_WIRE });
  if (g->extra_wires.len == 0) return;
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    wire_link(s, &(Wire){ g->extra_wires.at[i].driver, g->extra_wires.at[i].map, &t->extra_delay[i], i, LINK_EXTRA_WIRE });
}

/* --- seeds ----------------------------------------------------------------------------------------------------- */
static uint32_t first_seed(const Graph *g, Slot slot)
{
  uint32_t low = 0, high = g->seeds.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (g->seeds.at[middle].slot < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void seed_links(const Search *s)
{
  const Graph *g = s->t->g;
  Slot slot = s->at.slot;
  TagId tag = tag_of(s->t, slot, s->at.node);
  for (uint32_t i = first_seed(g, slot); i < g->seeds.len && g->seeds.at[i].slot == slot; i++) {
    float a = g->seeds.at[i].arrival[condition_of(s->early_late, s->at.edge)];
    if (g->seeds.at[i].tag == tag && !isnan(a)) array_push(s->list, (Fanin){ NO_SLOT, 0, i, s->at.edge, LINK_START, false, a });
  }
}

void path_fanins(const Timing *t, PathPoint at, int early_late, FaninList *list)
{
  Search s = { t, at, early_late, list };
  if (!slot_is_driver(t->g, at.slot)) {
    wire_links(&s);
    return;
  }
  arc_links(&s);
  if (t->g->slot_flags[at.slot] & (SLOT_PORT | SLOT_CLOCK_SOURCE)) seed_links(&s);
}
