/* Writes report_arrivals, report_required, report_slacks, report_slews and report_timing_edges. */
#include "report/pins.h"

#include <math.h>

#include "base/interrupt.h"
#include "timing/slack.h"

/* --- slots of a pin --------------------------------------------------------------------------- */
/* Both slots of an inout pin, load first. */
static uint32_t slots_of(const Graph *g, PinId pin, Slot out[2])
{
  Slot load = graph_slot(g, pin, false), driver = graph_slot(g, pin, true);
  uint32_t count = 0;
  if (load != NO_SLOT) out[count++] = load;
  if (driver != NO_SLOT && driver != load) out[count++] = driver;
  return count;
}

static const char *driver_or_load(const Graph *g, Slot s)
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
static void node_row(Grid *grid, const Sheet *sheet, const Timing *t, PinReport what, Slot slot,
                     NodeId node)
{
  TagId id = graph_node_tag(t->g, slot, node);
  const Tag *tag = &t->g->tags->tags.at[id];
  Text *cell = grid_open(grid);
  sheet_clock_edge(sheet, cell, tag->clock_edge);
  uint32_t begun = tag_state_count(t->g->tags, tag->state);
  if (begun) text_printf(cell, ", %u exception%s", begun, begun == 1 ? "" : "s");
  if (tag->bare) text_put(cell, ", without latency");
  if (tag->to_source == TO_LAUNCH) text_put(cell, ", to launches");
  grid_close(grid);
  grid_text(grid, tag->is_clock ? "clock" : "data");
  for (int i = 0; i < CONDITION_COUNT; i++)
    cell_time(grid, sheet, node_time(t, what, slot, node, id, sheet_conditions[i]));
}

static void slot_times(const Sheet *sheet, const Timing *t, PinReport what, Slot slot)
{
  const Graph *g = t->g;
  text_printf(sheet->out, "%s at ", titles[what]);
  sheet_pin(sheet, sheet->out, g->slots.pin[slot]);
  text_put(sheet->out, driver_or_load(g, slot));
  if (g->slots.logic[slot] < 2) text_printf(sheet->out, ": constant %d", g->slots.logic[slot]);
  text_char(sheet->out, '\n');
  if (g->nodes.first[slot + 1] == g->nodes.first[slot]) {
    text_put(sheet->out, "  nothing arrives\n");
    return;
  }
  Grid *grid = grid_new("llrrrr", 2);
  grid_row(grid, "launched by|kind|" HEAD4);
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    if (query_node_shows(t, slot, n)) node_row(grid, sheet, t, what, slot, n);
  grid_finish(grid, sheet->out);
}

void report_pin_times(const Sheet *sheet, const Timing *t, PinReport what, const Object *pins,
                      uint32_t count)
{
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    Slot slots[2];
    uint32_t found = slots_of(t->g, pins[i].id, slots);
    for (uint32_t k = 0; k < found; k++) slot_times(sheet, t, what, slots[k]);
    if (found) continue;
    sheet_pin(sheet, sheet->out, pins[i].id);
    text_put(sheet->out, ": no pin of the timing graph\n");
  }
}

/* --- slews ------------------------------------------------------------------------------------ */
void report_pin_slews(const Sheet *sheet, const Timing *t, const Object *pins, uint32_t count)
{
  Grid *grid = grid_new("lrrrr", 0);
  grid_row(grid, "slew at|" HEAD4);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    Slot slots[2];
    uint32_t found = slots_of(t->g, pins[i].id, slots);
    for (uint32_t k = 0; k < found; k++) {
      Text *cell = grid_open(grid);
      sheet_pin(sheet, cell, pins[i].id);
      text_put(cell, driver_or_load(t->g, slots[k]));
      grid_close(grid);
      cells_time4(grid, sheet, &t->slew[slots[k]]);
    }
  }
  grid_finish(grid, sheet->out);
}

/* --- edges ------------------------------------------------------------------------------------ */
static void edge_head(Grid *grid, const Sheet *sheet, const Graph *g, Slot from, Slot to,
                      const char *type)
{
  cell_pin(grid, sheet, g->slots.pin[from]);
  cell_pin(grid, sheet, g->slots.pin[to]);
  grid_text(grid, type);
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

static void arc_edges(Grid *grid, const Sheet *sheet, const Timing *t, ArcId a)
{
  const Graph *g = t->g;
  const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[a]];
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair p = arc_edge_pair(lib, e - g->arcs.edge_first[a]);
    edge_head(grid, sheet, g, g->arcs.from[a], g->arcs.to[a], sheet_arc_type((ArcType)lib->type));
    if (lib->when != NO_FUNCTION) library_function_text(g->libs, lib->when, grid_open(grid));
    grid_close(grid);
    grid_printf(grid, "%s %s", edge_name(p.in), edge_name(p.out));
    cell_time(grid, sheet, t->edge_delay[e].v[EARLY]);
    cell_time(grid, sheet, t->edge_delay[e].v[LATE]);
    bool blocked = arc_on(g, a) && !(g->arcs.live[a] >> (2 * p.in + p.out) & 1);
    grid_text(grid, off_text(blocked ? ARC_OFF_CONSTANT : g->arcs.flags[a]));
  }
}

static void wire_edges(Grid *grid, const Sheet *sheet, const Timing *t, Slot driver, Slot load,
                       const Cond4 *delay)
{
  for (int edge = RISE; edge <= FALL; edge++) {
    edge_head(grid, sheet, t->g, driver, load, "wire");
    grid_text(grid, "");
    grid_printf(grid, "%s %s", edge_name(edge), edge_name(edge));
    cell_time(grid, sheet, delay->v[condition_of(EARLY, edge)]);
    cell_time(grid, sheet, delay->v[condition_of(LATE, edge)]);
    grid_text(grid, "");
  }
}

static void edges_to_load(Grid *grid, const Sheet *sheet, const Timing *t, Slot from, Slot load)
{
  const Graph *g = t->g;
  Slot driver = g->nets.wire_driver[load];
  uint32_t first, end;
  if (driver != NO_SLOT && (from == NO_SLOT || from == driver))
    wire_edges(grid, sheet, t, driver, load, &t->wires.delay[graph_load_index(g, load)]);
  graph_extra_wires(g, load, &first, &end);
  for (uint32_t i = first; i < end; i++)
    if (from == NO_SLOT || from == g->nets.extra_wires.at[i].driver)
      wire_edges(grid, sheet, t, g->nets.extra_wires.at[i].driver, load, &t->extra.delay[i]);
}

static void edges_from(Grid *grid, const Sheet *sheet, const Timing *t, Slot from)
{
  const Graph *g = t->g;
  for (uint32_t i = g->arcs.out_first[from]; i < g->arcs.out_first[from + 1]; i++)
    arc_edges(grid, sheet, t, g->arcs.out[i]);
  if (!slot_is_driver(g, from)) return;
  NetId net = netlist_pin_net(g->netlist, g->slots.pin[from]);
  if (net == NO_NET) return;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot load = g->slots.of_pin[p];
    if (load != NO_SLOT && !slot_is_driver(g, load)) edges_to_load(grid, sheet, t, from, load);
  }
}

static void edges_to(Grid *grid, const Sheet *sheet, const Timing *t, Slot from, Slot to)
{
  const Graph *g = t->g;
  for (ArcId a = g->arcs.first[to]; a < g->arcs.first[to + 1]; a++)
    if (from == NO_SLOT || g->arcs.from[a] == from) arc_edges(grid, sheet, t, a);
  if (!slot_is_driver(g, to)) edges_to_load(grid, sheet, t, from, to);
}

void report_pin_edges(const Sheet *sheet, const Timing *t, PinId from, PinId to)
{
  Slot starts[2] = { NO_SLOT, NO_SLOT }, ends[2];
  uint32_t start_count = from == NO_PIN ? 1 : slots_of(t->g, from, starts),
           end_count = to == NO_PIN ? 0 : slots_of(t->g, to, ends);
  Grid *grid = grid_new("lllllrrl", 0);
  grid_row(grid, "from|to|type|when|edges|early|late|off");
  for (uint32_t i = 0; i < start_count; i++) {
    if (to == NO_PIN && starts[i] != NO_SLOT) edges_from(grid, sheet, t, starts[i]);
    for (uint32_t k = 0; k < end_count; k++) edges_to(grid, sheet, t, starts[i], ends[k]);
  }
  grid_finish(grid, sheet->out);
}
