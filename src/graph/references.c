/* Reference pins of external delays (set_input_delay and set_output_delay -reference_pin).  With a
   propagated clock, the delay counts from the clock's arrival at the pin.  With an ideal clock, it
   counts from the source latency only, as manuals of sign-off timers say: the external register's
   clock path behind the pin is part of the delay.  If the clock does not reach the pin, the delay
   also counts from its source. */
#include "graph/references.h"

#include <math.h>

#include "graph/build.h"
#include "graph/clocks/clocks.h"
#include "graph/hierarchy.h"

static NodeId clock_node(const Graph *g, PinId pin, ClockEdge edge);

/* For a hierarchical pin, takes the first node of the pins behind it. */
static NodeId node_behind(const Graph *g, PinId hierarchical, ClockEdge edge)
{
  NodeId node = NO_NODE_ID;
  PinArray pins = { 0 };
  hierarchy_pins_behind(g->netlist, hierarchical, &pins);
  for (uint32_t i = 0; i < pins.len && node == NO_NODE_ID; i++)
    node = clock_node(g, pins.at[i], edge);
  array_free(&pins);
  return node;
}

/* Returns the node of a clock edge at a pin; NO_NODE_ID if it does not arrive. */
static NodeId clock_node(const Graph *g, PinId pin, ClockEdge edge)
{
  if (pin_is_hierarchical(g->netlist, pin)) return node_behind(g, pin, edge);
  Slot slot = graph_arriving_slot(g, pin);
  if (slot == NO_SLOT) return NO_NODE_ID;
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag_is_clock(tag) && tag->clock_edge == edge) return g->nodes.first[slot] + i;
  }
  return NO_NODE_ID;
}

/* Returns the transition with which the clock arrives at a node: `edge` or, if that cannot arrive,
   the other one. */
static uint8_t node_edge(const Graph *g, NodeId node, int edge)
{
  return (uint8_t)(g->nodes.edges[node] >> edge & 1 ? edge : !edge);
}

/* Returns the point of a delay that counts from the source. The source latency of a generated clock
   is the arrival at its first source. */
static ReferencePoint at_source(const Graph *g, const PortDelay *delay)
{
  ReferencePoint r = { .node = NO_NODE_ID, .edge = delay->clock_edge, .at_source = true };
  Slot slot = g->constraints->clocks.at[delay->clock].generated ? clock_first_slot(g, delay->clock)
                                                                : NO_SLOT;
  if (slot != NO_SLOT) r.node = graph_source_node(g, slot, 2 * delay->clock + delay->clock_edge);
  return r;
}

ReferencePoint graph_reference(const Graph *g, const PortDelay *delay)
{
  NodeId node = clock_node(g, delay->reference_pin, 2 * delay->clock + delay->clock_edge);
  if (node == NO_NODE_ID) return at_source(g, delay);
  Slot slot = graph_node_slot(g, node);
  TagId tag = graph_node_tag(g, slot, node);
  PinValuesId values = g->tags->tags.at[tag].pin_values;
  if (!g->by_tag.is_ideal[tag])
    return (ReferencePoint){ node, node_edge(g, node, delay->clock_edge), .arrives = true,
                             .pin_values = values };
  ReferencePoint r = at_source(g, delay);
  /* if there are several sources, the one that the clock comes from */
  if (g->by_tag.origin[tag] != NO_NODE_ID) r.node = g->by_tag.origin[tag];
  r.arrives = true;
  r.pin_values = values;
  return r;
}

static void add_constant(const Graph *g, Seed *seed, const PortDelay *delay)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    seed->arrival[k] +=
        clock_source_latency(g->constraints, delay->clock, condition_of(k >> 1, delay->clock_edge));
}

typedef struct {
  Graph *g;
  const PortDelay *delay;
  ReferencePoint point;
} Reference;

static void add_references_at(void *data, Slot slot)
{
  const Reference *reference = data;
  Graph *g = reference->g;
  const PortDelay *delay = reference->delay;
  for (uint32_t i = graph_first_seed(g, slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == slot; i++) {
    Seed *seed = &g->starts.seeds.at[i];
    const Tag *tag = &g->tags->tags.at[seed->tag];
    if (tag->is_clock || tag->clock_edge != 2 * delay->clock + delay->clock_edge
        || seed->reference != delay->reference_pin)
      continue;
    seed->clock = reference->point.node;
    if (reference->point.node == NO_NODE_ID) add_constant(g, seed, delay);
    else
      array_push(&g->starts.references,
                 (SeedReference){ i, reference->point.node, reference->point.edge });
  }
}

static void add_references(Graph *g, const PortDelay *delay)
{
  Reference r = { g, delay, graph_reference(g, delay) };
  graph_said_slots(g, delay->pin, true, add_references_at, &r);
}

static bool counts(const Graph *g, const PortDelay *delay)
{
  return delay->pin != NO_PIN && delay->reference_pin != NO_PIN && delay->clock != NO_CLOCK
         && clock_is_timed(g->constraints, delay->clock);
}

/* --- messages --------------------------------------------------------------------------------- */
static void put_pin(const Graph *g, Text *text, const char *before, PinId pin)
{
  text_put(text, before);
  netlist_pin_name(g->netlist, pin, '/', text);
}

static void warn_absent(const Graph *g, Log *log, const PortDelay *delay, uint32_t more)
{
  Text text = { 0 };
  if (delay->said.command) text_printf(&text, "%s: ", delay->said.command);
  text_printf(&text, "clock %s",
              names_text(g->netlist->names, g->constraints->clocks.at[delay->clock].name));
  put_pin(g, &text, " does not arrive at the reference pin ", delay->reference_pin);
  put_pin(g, &text, ": the delay of ", delay->pin);
  if (more) text_printf(&text, " and of %u more", more);
  text_put(&text, " counts from the clock's source");
  log_warning_once_at(log, "GRAPH-010", graph_where(g, delay->said.file, delay->said.line),
                      text_get(&text));
  text_free(&text);
}

static bool same_command(const PortDelay *a, const PortDelay *b)
{
  return a->said.file == b->said.file && a->said.line == b->said.line && a->clock == b->clock
         && a->reference_pin == b->reference_pin;
}

/* Warns once for each command. The records are in the order of commands. */
static void check_delays(const Graph *g, Log *log, const PortDelay *delays, uint32_t count)
{
  const PortDelay *first = NULL;
  uint32_t more = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!counts(g, &delays[i]) || graph_reference(g, &delays[i]).arrives) continue;
    bool same = first && same_command(first, &delays[i]);
    if (first && !same) warn_absent(g, log, first, more);
    more = same ? more + 1 : 0;
    if (!same) first = &delays[i];
  }
  if (first) warn_absent(g, log, first, more);
}

void build_references(Graph *g, Log *log)
{
  const Constraints *c = g->constraints;
  uint32_t *order = delay_order(c->input_delays.at, c->input_delays.len);
  for (uint32_t i = 0; i < c->input_delays.len; i++)
    if (counts(g, &c->input_delays.at[order[i]])) add_references(g, &c->input_delays.at[order[i]]);
  mem_free(order);
  check_delays(g, log, c->input_delays.at, c->input_delays.len);
  check_delays(g, log, c->output_delays.at, c->output_delays.len);
}
