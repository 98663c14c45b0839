/* Makes links: at its source, an edge of a generated clock takes over the arrival of its master.
   Also finds the nodes whose arrivals are latencies of ideal generated clocks, or of external
   delays that name a generated clock. */
#include <math.h>
#include <stdlib.h>

#include "graph/build.h"
#include "graph/clocks/clocks.h"
#include "graph/clocks/waveform.h"

typedef struct {
  Graph  *g;
  Log    *log;
  ClockId clock;
} Linking;

static const Tag *tag_at(const Graph *g, TagSetId set, uint32_t index)
{
  return &g->tags->tags.at[tag_set_tags(g->tags, set)[index]];
}

/* Returns true if the index-th tag of the slot brings the master's time for an edge of the clock.
   edges: the edges of the master that count at its pin. */
static bool brings(const Linking *linking, Slot slot, uint32_t index, int edge, unsigned edges)
{
  const Graph *g = linking->g;
  const Clock *clock = &g->constraints->clocks.at[linking->clock];
  const Tag *tag = tag_at(g, g->nodes.slot_tags[slot], index);
  if (!tag_is_hidden(tag) || clock_edge_clock(tag->clock_edge) != clock->derived_master)
    return false;
  if (clock->combinational && tag->to_source != TO_SOURCE_BY_GATES) return false;
  if (!(edges >> (clock_edge_edge(tag->clock_edge) ^ clock->master_inverted) & 1)) return false;
  return g->nodes.edges[g->nodes.first[slot] + index] >> edge & 1;
}

static uint32_t add_links(Linking *linking, Slot slot, NodeId to, int edge, unsigned edges,
                          uint8_t conditions)
{
  Graph *g = linking->g;
  uint32_t before = g->starts.links.len;
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++)
    if (brings(linking, slot, i, edge, edges))
      array_push(&g->starts.links,
                 (ClockLink){ slot, to, g->nodes.first[slot] + i, (uint8_t)edge, conditions });
  return g->starts.links.len - before;
}

/* Returns the conditions of an edge for which the constraints give no latency. */
static uint8_t open_conditions(const Linking *linking, Slot slot, int edge)
{
  uint8_t open = 0;
  for (int el = EARLY; el <= LATE; el++)
    if (!clock_source_latency_given(linking->g->constraints, linking->g->slots.pin[slot],
                                    linking->clock, condition_of(el, edge)))
      open |= (uint8_t)(1 << condition_of(el, edge));
  return open;
}

static void close_seed(Graph *g, Slot slot, NodeId node, uint8_t conditions)
{
  TagId tag = graph_node_tag(g, slot, node);
  for (uint32_t i = graph_first_seed(g, slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == slot; i++)
    for (int k = 0; k < CONDITION_COUNT && g->starts.seeds.at[i].tag == tag; k++)
      if (conditions >> k & 1) g->starts.seeds.at[i].arrival[k] = NAN;
}

static void warn(const Linking *linking, const char *code, Slot slot, const char *what)
{
  const Graph *g = linking->g;
  const Clock *clock = &g->constraints->clocks.at[linking->clock];
  Text pin = { 0 };
  netlist_pin_name(g->netlist, g->slots.pin[slot], '/', &pin);
  Text text = { 0 };
  text_printf(&text, "generated clock %s: %s %s %s", names_text(g->netlist->names, clock->name),
              names_text(g->netlist->names, g->constraints->clocks.at[clock->derived_master].name),
              what, text_get(&pin));
  log_warning_once_at(linking->log, code, graph_where(g, clock->file, clock->line),
                      text_get(&text));
  text_free(&text);
  text_free(&pin);
}

/* Makes the links of a generated clock at a source slot. The edges of the master that the
   definition counts from have priority. If they do not arrive, the other edge is used, with a
   warning. If nothing arrives, the clock starts at 0. */
static void link_slot(void *data, Slot slot)
{
  Linking *linking = data;
  Graph *g = linking->g;
  const Clock *clock = &g->constraints->clocks.at[linking->clock];
  bool none = false, other = false;
  for (int edge = RISE; edge <= FALL; edge++) {
    NodeId to = graph_source_node(g, slot, 2 * linking->clock + (ClockEdge)edge);
    uint8_t open = to == NO_NODE_ID ? 0 : open_conditions(linking, slot, edge);
    if (!open) continue;
    uint32_t count = add_links(linking, slot, to, edge, waveform_made_by(clock, edge), open);
    if (count == 0) {
      count = add_links(linking, slot, to, edge, EDGE_BOTH, open);
      other |= count > 0;
    }
    none |= count == 0;
    if (count) close_seed(g, slot, to, open);
  }
  if (none)
    warn(linking, "GRAPH-011", slot, "does not get to its source, so it starts without latency at");
  if (other)
    warn(linking, "GRAPH-012", slot, "comes by other edges than the definition counts from to");
}

static int by_slot(const void *pa, const void *pb)
{
  const ClockLink *a = pa, *b = pb;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  return a->from < b->from ? -1 : a->from > b->from;
}

/* --- origins ---------------------------------------------------------------------------------- */
static void find_tag_origins(Graph *g)
{
  g->by_tag.origin = mem_alloc(sizeof *g->by_tag.origin * ((size_t)g->tags->tags.len + 1));
  for (TagId t = 0; t < g->tags->tags.len; t++) {
    Slot source = graph_pin_values(g, &g->tags->tags.at[t])->source;
    g->by_tag.origin[t] = source == NO_SLOT || !g->by_tag.is_ideal[t]
                           ? NO_NODE_ID
                           : graph_source_node(g, source, g->tags->tags.at[t].clock_edge);
  }
}

/* Replaces the slots in the seeds by nodes.  If the source of the clock does not come before the
   port (levels.c), the seed refers to the source as to a reference pin, and the arrivals take
   another pass. */
static void find_seed_origins(Graph *g)
{
  for (uint32_t i = 0; i < g->starts.seeds.len; i++) {
    Seed *seed = &g->starts.seeds.at[i];
    if (seed->origin == NO_NODE_ID) continue;
    bool before = g->slots.level[seed->origin] < g->slots.level[seed->slot];
    NodeId node = graph_source_node(g, seed->origin, g->tags->tags.at[seed->tag].clock_edge);
    if (!before && node != NO_NODE_ID)
      array_push(&g->starts.references, (SeedReference){ i, node, seed->origin_edge });
    seed->origin = before ? node : NO_NODE_ID;
    seed->clock = node;
  }
}

void build_links(Graph *g, Log *log)
{
  const Constraints *c = g->constraints;
  for (ClockId id = 0; id < c->clocks.len; id++)
    if (c->clocks.at[id].generated && clock_is_timed(c, id))
      clock_source_slots(g, id, link_slot, &(Linking){ g, log, id });
  if (g->starts.links.len)
    qsort(g->starts.links.at, g->starts.links.len, sizeof *g->starts.links.at, by_slot);
  find_tag_origins(g);
  find_seed_origins(g);
}
