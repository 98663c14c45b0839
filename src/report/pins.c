/* Writes report_arrivals, report_required, report_slacks, report_slews and report_timing_edges. */
#include "report/pins.h"

#include <math.h>

#include "base/interrupt.h"
#include "timing/slack.h"

/* --- slots of a pin --------------------------------------------------------------------------- */
/* Both sides of an inout pin, load first. */
static uint32_t slots_of(const Graph *g, PinId pin, Slot out[2])
{
  Slot load = graph_slot(g, pin, false), driver = graph_slot(g, pin, true);
  uint32_t count = 0;
  if (load != NO_SLOT) out[count++] = load;
  if (driver != NO_SLOT && driver != load) out[count++] = driver;
  return count;
}

static const char *side_of(const Graph *g, Slot s)
{
  if (!(g->slots.flags[s] & SLOT_BIDIRECTIONAL)) return "";
  return slot_is_driver(g, s) ? " (as driver)" : " (as load)";
}

/* --- times ------------------------------------------------------------------------------------ */
static double node_time(const Timing *t, PinReport what, Slot slot, NodeId node, TagId tag, int k)
{
  float a = t->arrival[node].v[k], r = query_node_required(t, slot, node, k), slack;
  double base = query_tag_time(t, tag);
  if (time_absent(a)) return NAN;
  if (what == PIN_ARRIVALS) return base + a;
  if (time_absent(r)) return what == PIN_REQUIRED && k < 2 ? -INFINITY : INFINITY;
  if (what == PIN_REQUIRED) return base + r;
  return query_node_slack(t, slot, node, k, &slack) ? slack : INFINITY;
}

static const char *const titles[] = { "arrival", "required", "slack" };

/* Tags of one launching edge differ in their progress through exceptions: how many have begun. */
static void node_row(Grid *c, const Sheet *s, const Timing *t, PinReport what, Slot slot,
                     NodeId node)
{
  TagId id = graph_node_tag(t->g, slot, node);
  const Tag *tag = &t->g->tags->tags.at[id];
  Text *cell = grid_open(c);
  sheet_clock_edge(s, cell, tag->clock_edge);
  uint32_t begun = tag_state_count(t->g->tags, tag->state);
  if (begun) text_printf(cell, ", %u exception%s", begun, begun == 1 ? "" : "s");
  if (tag->bare) text_put(cell, ", without latency");
  if (tag->to_source == TO_LAUNCH) text_put(cell, ", to launches");
  grid_close(c);
  grid_text(c, tag->is_clock ? "clock" : "data");
  for (int i = 0; i < CONDITION_COUNT; i++)
    cell_time(c, s, node_time(t, what, slot, node, id, sheet_conditions[i]));
}

static void slot_times(const Sheet *s, const Timing *t, PinReport what, Slot slot)
{
  const Graph *g = t->g;
  text_printf(s->out, "%s at ", titles[what]);
  sheet_pin(s, s->out, g->slots.pin[slot]);
  text_put(s->out, side_of(g, slot));
  if (g->slots.logic[slot] < 2) text_printf(s->out, ": constant %d", g->slots.logic[slot]);
  text_char(s->out, '\n');
  if (g->nodes.first[slot + 1] == g->nodes.first[slot]) {
    text_put(s->out, "  nothing arrives\n");
    return;
  }
  Grid *c = grid_new("llrrrr", 2);
  grid_row(c, "launched by|kind|" HEAD4);
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    if (query_node_shows(t, slot, n)) node_row(c, s, t, what, slot, n);
  grid_finish(c, s->out);
}

void report_pin_times(const Sheet *s, const Timing *t, PinReport what, const Object *pins,
                      uint32_t count)
{
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    Slot slots[2];
    uint32_t sides = slots_of(t->g, pins[i].id, slots);
    for (uint32_t k = 0; k < sides; k++) slot_times(s, t, what, slots[k]);
    if (sides) continue;
    sheet_pin(s, s->out, pins[i].id);
    text_put(s->out, ": no pin of the timing graph\n");
  }
}

/* --- slews ------------------------------------------------------------------------------------ */
void report_pin_slews(const Sheet *s, const Timing *t, const Object *pins, uint32_t count)
{
  Grid *c = grid_new("lrrrr", 0);
  grid_row(c, "slew at|" HEAD4);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    Slot slots[2];
    uint32_t sides = slots_of(t->g, pins[i].id, slots);
    for (uint32_t k = 0; k < sides; k++) {
      Text *cell = grid_open(c);
      sheet_pin(s, cell, pins[i].id);
      text_put(cell, side_of(t->g, slots[k]));
      grid_close(c);
      cells_time4(c, s, &t->slew[slots[k]]);
    }
  }
  grid_finish(c, s->out);
}

/* --- edges ------------------------------------------------------------------------------------ */
static void edge_head(Grid *c, const Sheet *s, const Graph *g, Slot from, Slot to, const char *type)
{
  cell_pin(c, s, g->slots.pin[from]);
  cell_pin(c, s, g->slots.pin[to]);
  grid_text(c, type);
}

static const char *off_text(unsigned flags)
{
  return flags & ARC_OFF_CONSTANT   ? "constant"
         : flags & ARC_OFF_DISABLED ? "disabled"
         : flags & ARC_OFF_LOOP     ? "loop cut"
         : flags & ARC_OFF_TYPE     ? "not timed"
         : flags & ARC_LATCH        ? "latch"
                                    : "";
}

static void arc_edges(Grid *c, const Sheet *s, const Timing *t, ArcId a)
{
  const Graph *g = t->g;
  const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[a]];
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = arc_edge_pair(lib, e - g->arcs.edge_first[a]);
    edge_head(c, s, g, g->arcs.from[a], g->arcs.to[a], sheet_arc_type((ArcType)lib->type));
    if (lib->when != NO_FUNCTION) library_function_text(g->libs, lib->when, grid_open(c));
    grid_close(c);
    grid_printf(c, "%s %s", edge_name(p.in), edge_name(p.out));
    cell_time(c, s, t->edge_delay[e].v[EARLY]);
    cell_time(c, s, t->edge_delay[e].v[LATE]);
    bool blocked = arc_on(g, a) && !(g->arcs.live[a] >> (2 * p.in + p.out) & 1);
    grid_text(c, off_text(blocked ? ARC_OFF_CONSTANT : g->arcs.flags[a]));
  }
}

static void wire_edges(Grid *c, const Sheet *s, const Timing *t, Slot driver, Slot load,
                       const Cond4 *delay)
{
  for (int edge = RISE; edge <= FALL; edge++) {
    edge_head(c, s, t->g, driver, load, "wire");
    grid_text(c, "");
    grid_printf(c, "%s %s", edge_name(edge), edge_name(edge));
    cell_time(c, s, delay->v[condition_of(EARLY, edge)]);
    cell_time(c, s, delay->v[condition_of(LATE, edge)]);
    grid_text(c, "");
  }
}

static void edges_to_load(Grid *c, const Sheet *s, const Timing *t, Slot from, Slot load)
{
  const Graph *g = t->g;
  Slot driver = g->nets.wire_driver[load];
  uint32_t first, end;
  if (driver != NO_SLOT && (from == NO_SLOT || from == driver))
    wire_edges(c, s, t, driver, load, &t->wires.delay[graph_load_index(g, load)]);
  graph_extra_wires(g, load, &first, &end);
  for (uint32_t i = first; i < end; i++)
    if (from == NO_SLOT || from == g->nets.extra_wires.at[i].driver)
      wire_edges(c, s, t, g->nets.extra_wires.at[i].driver, load, &t->extra.delay[i]);
}

static void edges_from(Grid *c, const Sheet *s, const Timing *t, Slot from)
{
  const Graph *g = t->g;
  for (uint32_t i = g->arcs.out_first[from]; i < g->arcs.out_first[from + 1]; i++)
    arc_edges(c, s, t, g->arcs.out[i]);
  if (!slot_is_driver(g, from)) return;
  NetId net = netlist_pin_net(g->netlist, g->slots.pin[from]);
  if (net == NO_NET) return;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot load = g->slots.of_pin[p];
    if (load != NO_SLOT && !slot_is_driver(g, load)) edges_to_load(c, s, t, from, load);
  }
}

static void edges_to(Grid *c, const Sheet *s, const Timing *t, Slot from, Slot to)
{
  const Graph *g = t->g;
  for (ArcId a = g->arcs.first[to]; a < g->arcs.first[to + 1]; a++)
    if (from == NO_SLOT || g->arcs.from[a] == from) arc_edges(c, s, t, a);
  if (!slot_is_driver(g, to)) edges_to_load(c, s, t, from, to);
}

void report_pin_edges(const Sheet *s, const Timing *t, PinId from, PinId to)
{
  Slot starts[2] = { NO_SLOT, NO_SLOT }, ends[2];
  uint32_t start_count = from == NO_PIN ? 1 : slots_of(t->g, from, starts),
           end_count = to == NO_PIN ? 0 : slots_of(t->g, to, ends);
  Grid *c = grid_new("lllllrrl", 0);
  grid_row(c, "from|to|type|when|edges|early|late|off");
  for (uint32_t i = 0; i < start_count; i++) {
    if (to == NO_PIN && starts[i] != NO_SLOT) edges_from(c, s, t, starts[i]);
    for (uint32_t k = 0; k < end_count; k++) edges_to(c, s, t, starts[i], ends[k]);
  }
  grid_finish(c, s->out);
}
