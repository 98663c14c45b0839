/* Reference pins of delays at ports (set_input_delay and set_output_delay -reference_pin): the delay counts from the
   clock's arrival there.  Of an ideal clock that is its latency, which seeds and rows have anyway; of a propagated one it is
   a number of the engine's. */
#include "graph/references.h"

#include "graph/build.h"
#include "graph/clocks.h"
#include "graph/hierarchy.h"

/* A hierarchical pin has the first node of the pins behind it. */
static NodeId node_behind(const Graph *g, PinId hierarchical, ClockEdge edge)
{
  NodeId node = NO_NODE_ID;
  PinArray pins = { 0 };
  hierarchy_pins_behind(g->netlist, hierarchical, &pins);
  for (uint32_t i = 0; i < pins.len && node == NO_NODE_ID; i++) node = graph_clock_node(g, pins.at[i], edge);
  array_free(&pins);
  return node;
}

NodeId graph_clock_node(const Graph *g, PinId pin, ClockEdge edge)
{
  if (pin != NO_PIN && pin_is_hierarchical(g->netlist, pin)) return node_behind(g, pin, edge);
  Slot slot = pin == NO_PIN ? NO_SLOT : graph_slot(g, pin, false);
  if (slot == NO_SLOT && pin != NO_PIN) slot = graph_slot(g, pin, true);
  if (slot == NO_SLOT) return NO_NODE_ID;
  const TagId *tags = tag_set_tags(g->tags, g->slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->slot_tags[slot]); i++) {
    const Tag *t = &g->tags->tags.at[tags[i]];
    if (tag_is_clock(t) && t->clock_edge == edge) return g->node_first[slot] + i;
  }
  return NO_NODE_ID;
}

int graph_clock_node_edge(const Graph *g, NodeId node, int edge)
{
  return g->node_edges[node] >> edge & 1 ? edge : !edge;
}

bool delay_has_reference(const Constraints *c, const PortDelay *d)
{
  return d->reference_pin != NO_PIN && d->clock != NO_CLOCK && c->clocks.at[d->clock].propagated;
}

typedef struct {
  Graph  *g;
  const PortDelay *delay;
  NodeId  node;
} Reference;

static void add_references_at(void *data, Slot slot)
{
  const Reference *r = data;
  Graph *g = r->g;
  ClockEdge edge = 2 * r->delay->clock + r->delay->clock_edge;
  for (uint32_t i = graph_first_seed(g, slot); i < g->seeds.len && g->seeds.at[i].slot == slot; i++) {
    const Tag *t = &g->tags->tags.at[g->seeds.at[i].tag];
    if (t->is_clock || t->clock_edge != edge) continue;
    array_push(&g->references, (SeedReference){ i, r->node, (uint8_t)graph_clock_node_edge(g, r->node, r->delay->clock_edge) });
    g->seeds.at[i].clock = r->node;
  }
}

static void add_references(Graph *g, const PortDelay *d, NodeId node, Log *log)
{
  Reference r = { g, d, node };
  if (node == NO_NODE_ID)
    log_warning(log, "GRAPH-010", NOWHERE, "clock %s does not arrive at a reference pin: delays count from its source",
                names_text(g->netlist->names, g->constraints->clocks.at[d->clock].name));
  else graph_said_slots(g, d->pin, true, add_references_at, &r);
}

void build_references(Graph *g, Log *log)
{
  const Constraints *c = g->constraints;
  uint32_t *order = delay_order(c->input_delays.at, c->input_delays.len);
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    const PortDelay *d = &c->input_delays.at[order[i]];
    if (d->pin == NO_PIN || !delay_has_reference(c, d) || !clock_is_timed(c, d->clock)) continue;
    add_references(g, d, graph_clock_node(g, d->reference_pin, 2 * d->clock + d->clock_edge), log);
  }
  mem_free(order);
}
