/* Warns of values of ideal networks and ideal clocks that have no effect, and of borrowing limits
   of clocks without latches. */
#include <math.h>

#include "graph/hierarchy.h"
#include "graph/idle/idle.h"

/* --- ideal pins ------------------------------------------------------------------------------- */

/* An ideal clock arrives after its own latency and with its own transition, whatever the values in
   its network are. So values inside an ideal network only count if data ends behind them, or if the
   clock is propagated. */
enum { LATENCY_COUNTS = 1, SLEW_COUNTS = 2 };

static bool is_ideal_clock(const Graph *g, Slot s)
{
  TagSetId set = g->nodes.slot_tags[s];
  for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++)
    if (!g->by_tag.is_ideal[tag_set_tags(g->tags, set)[i]]) return false;
  return set != EMPTY_SET;
}

static bool ends_paths(const Graph *g, Slot s)
{
  bool output = g->slots.flags[s] & SLOT_PORT && !slot_is_driver(g, s);
  if (output || g->ends.first_end[s + 1] > g->ends.first_end[s]) return true;
  for (uint32_t i = g->ends.first_check[s]; i < g->ends.first_check[s + 1]; i++) {
    uint8_t type = g->ends.checks.at[g->ends.check_order[i]].type;
    if (type != ARC_MIN_PULSE_WIDTH && type != ARC_MIN_PERIOD) return true;
  }
  return false;
}

/* Does a driver use set_ideal_transition? Drivers inside an ideal network do. */
static bool takes_slew(const Graph *g, Slot driver)
{
  return (g->slots.flags[driver] & (SLOT_IDEAL | SLOT_IDEAL_BEGIN)) != SLOT_IDEAL;
}

static uint8_t counts_over_arcs(const Graph *g, const uint8_t *counts, Slot s)
{
  const uint16_t own_slew = SLOT_CLOCK_PIN | SLOT_IDEAL_CLOCK;
  uint8_t found = 0;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    Slot to = g->arcs.to[a];
    if (graph_arc_is_launch(g, a)) continue;
    if (!(g->slots.flags[to] & SLOT_CLOCK_SOURCE)) found |= counts[to] & LATENCY_COUNTS;
    if ((g->slots.flags[s] & own_slew) != own_slew && takes_slew(g, to)) found |= SLEW_COUNTS;
  }
  return found;
}

static uint8_t counts_over_wires(const Graph *g, const uint8_t *counts, Slot driver)
{
  uint8_t found = 0;
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++)
    found |= counts[l];
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it))
    found |= counts[g->nets.extra_wires.at[it.index].load];
  return found;
}

static uint8_t *find_what_counts(const Graph *g)
{
  uint8_t *counts = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  for (Slot s = g->slots.count; s-- > 0;) {
    if (!is_ideal_clock(g, s) || ends_paths(g, s)) counts[s] = LATENCY_COUNTS | SLEW_COUNTS;
    else counts[s] = counts_over_arcs(g, counts, s);
    if (slot_is_driver(g, s)) counts[s] |= counts_over_wires(g, counts, s);
  }
  return counts;
}

typedef struct {
  const Graph   *g;
  const uint8_t *counts;
  bool    ideal;
  uint8_t found;
} IdealSlots;

static void look_at_slot(void *data, Slot s)
{
  IdealSlots *slots = data;
  if (!(slots->g->slots.flags[s] & SLOT_IDEAL)) return;
  slots->ideal = true;
  slots->found |= slots->counts[s];
}

static void judge_ideal_pin(const Graph *g, const uint8_t *counts, const IdealPin *pin,
                            IdleList *list)
{
  IdealSlots x = { g, counts, false, 0 };
  graph_said_slots(g, pin->pin, true, look_at_slot, &x);
  graph_said_slots(g, pin->pin, false, look_at_slot, &x);
  for (int slew = 0; slew < 2; slew++) {
    const Said *said = slew ? &pin->said_of_slew : &pin->said_of_latency;
    const float *given = slew ? pin->slew : pin->latency;
    if (said->command == NULL || !constraints_any_given(given, CONDITION_COUNT)) continue;
    if (x.found & (slew ? SLEW_COUNTS : LATENCY_COUNTS)) continue;
    const char *problem = !x.ideal ? "no ideal network has"
      : slew ? "an ideal clock's own transition counts at"
      : "an ideal clock's own latency counts at";
    array_push(list, ((Idle){ *said,
                              { OBJ_PIN, pin->pin },
                              NO_CLOCK,
                              x.ideal ? "GRAPH-051" : "GRAPH-025",
                              problem,
                              0 }));
  }
}

static void find_ideal_pins(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  uint8_t *counts = NULL;
  for (uint32_t i = 0; i < c->ideal_pins.len; i++) {
    const IdealPin *pin = &c->ideal_pins.at[i];
    if (pin->pin == NO_PIN) continue;
    if (counts == NULL) counts = find_what_counts(g);
    judge_ideal_pin(g, counts, pin, list);
  }
  mem_free(counts);
}

/* --- what drives ports in ideal networks ------------------------------------------------------ */

/* Does the driving cell limit the load of the port's net? Such a limit holds in ideal networks
   too. */
static bool limits_load(const LibrarySet *libs, const PortDrive *drive)
{
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (drive->cell[k] == NO_CELL || drive->no_design_rule >> k & 1) continue;
    const LibPort *port = &libs->ports.at[drive->to_port[k]];
    const Library *library = &libs->libraries.at[libs->cells.at[drive->cell[k]].library];
    if (!isnan(port->max_cap) || !isnan(port->min_cap) || !isnan(port->max_fanout)
        || !isnan(port->min_fanout) || !isnan(library->default_max_cap)
        || !isnan(library->default_max_fanout))
      return true;
  }
  return false;
}

static bool has_cell(const PortDrive *drive)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (drive->cell[k] != NO_CELL) return true;
  return false;
}

static void find_drives(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  for (uint32_t i = 0; i < c->drives.len; i++) {
    const PortDrive *drive = &c->drives.at[i];
    Slot s = drive->pin == NO_PIN ? NO_SLOT : graph_slot(g, drive->pin, true);
    if (s == NO_SLOT) continue;
    bool ideal = g->slots.flags[s] & SLOT_IDEAL;
    Idle idle = { .object = { OBJ_PIN, drive->pin },
                  .clock = NO_CLOCK,
                  .code = "GRAPH-046",
                  .problem = ideal ? "nothing drives the ideal network of" : NULL };
    if (constraints_any_given(drive->slew, CONDITION_COUNT))
      idle_add(list, g, drive->said_of_slew, idle);
    if (constraints_any_given(drive->resistance, CONDITION_COUNT))
      idle_add(list, g, drive->said_of_drive, idle);
    if (has_cell(drive) && limits_load(g->libs, drive)) idle.problem = NULL;
    if (has_cell(drive)) idle_add(list, g, drive->said_of_cell, idle);
  }
}

/* --- transitions of clocks -------------------------------------------------------------------- */

/* Returns the clocks that arrive as ideal clocks at pins whose tables or checks depend on a
   transition. */
static uint8_t *ideal_at_registers(const Graph *g)
{
  uint8_t *found = mem_alloc_zero((size_t)g->constraints->clocks.len + 1, 1);
  for (Slot s = 0; s < g->slots.count; s++) {
    bool asks = g->slots.flags[s] & SLOT_CLOCK_PIN
                || g->ends.first_check[s + 1] > g->ends.first_check[s];
    TagSetId set = asks ? g->nodes.slot_tags[s] : EMPTY_SET;
    for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
      TagId t = tag_set_tags(g->tags, set)[i];
      if (g->by_tag.is_ideal[t]) found[clock_edge_clock(g->tags->tags.at[t].clock_edge)] = 1;
    }
  }
  return found;
}

/* The command itself warns of virtual clocks. */
static void find_transitions(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  uint8_t *ideal = NULL;
  for (ClockId k = 0; k < c->clocks.len; k++) {
    const Clock *clock = &c->clocks.at[k];
    if (clock->deleted || clock_has_no_source(clock)) continue;
    if (!constraints_any_given(clock->slew, CONDITION_COUNT)) continue;
    if (ideal == NULL) ideal = ideal_at_registers(g);
    idle_add(list, g, clock->said_of_transition,
             (Idle){ .object = { OBJ_CLOCK, k }, .clock = NO_CLOCK, .code = "GRAPH-047",
                     .problem = ideal[k] ? NULL : "no register has an ideal edge of clock" });
  }
  mem_free(ideal);
}

/* --- virtual clocks --------------------------------------------------------------------------- */

enum { FOR_INPUT = 1, FOR_OUTPUT = 2 };

static void mark_delays(const PortDelay *delays, uint32_t count, uint8_t mark, uint8_t *marks)
{
  for (uint32_t i = 0; i < count; i++) {
    const PortDelay *delay = &delays[i];
    if (delay->pin != NO_PIN && delay->clock != NO_CLOCK && delay_given(delay))
      marks[delay->clock] |= mark;
  }
}

/* Judges a virtual clock. Its latency counts for delays at ports, its uncertainty for the output
   delays that it captures. */
static void judge_clock(const Graph *g, ClockId id, uint8_t delays, IdleList *list)
{
  const Clock *clock = &g->constraints->clocks.at[id];
  bool virtual = clock_has_no_source(clock);
  const char *latency = virtual && !delays ? "no delay at a port is for virtual clock" : NULL;
  const char *uncertainty =
      virtual && !(delays & FOR_OUTPUT) ? "no output delay is for virtual clock" : NULL;
  Idle idle = { .object = { OBJ_CLOCK, id }, .clock = NO_CLOCK, .code = "SDC-171",
                .problem = latency };
  if (constraints_any_given(clock->network_latency, CONDITION_COUNT))
    idle_add(list, g, clock->said_of_network, idle);
  if (constraints_any_given(&clock->source_latency[0][0], 2 * CONDITION_COUNT))
    idle_add(list, g, clock->said_of_source, idle);
  idle.problem = uncertainty;
  if (constraints_any_given(clock->uncertainty, 2))
    idle_add(list, g, clock->said_of_uncertainty, idle);
}

static void find_virtual_clocks(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  uint8_t *delays = mem_alloc_zero((size_t)c->clocks.len + 1, 1);
  mark_delays(c->input_delays.at, c->input_delays.len, FOR_INPUT, delays);
  mark_delays(c->output_delays.at, c->output_delays.len, FOR_OUTPUT, delays);
  for (ClockId k = 0; k < c->clocks.len; k++)
    if (!c->clocks.at[k].deleted) judge_clock(g, k, delays[k], list);
  mem_free(delays);
}

/* --- borrowing -------------------------------------------------------------------------------- */

static uint8_t *clocks_of_latches(const Graph *g)
{
  uint8_t *found = mem_alloc_zero((size_t)g->constraints->clocks.len + 1, 1);
  for (uint32_t l = 0; l < g->arcs.latches.len; l++) {
    TagSetId set = g->nodes.slot_tags[g->arcs.latches.at[l].enable];
    for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++) {
      ClockEdge edge = g->tags->tags.at[tag_set_tags(g->tags, set)[i]].clock_edge;
      if (edge != NO_CLOCK_EDGE) found[clock_edge_clock(edge)] = 1;
    }
  }
  return found;
}

/* The command itself warns of cells and pins without latches, and of virtual clocks. */
static void find_borrowing(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  uint8_t *latched = NULL;
  for (uint32_t i = 0; i < c->time_borrow.len; i++) {
    const ObjectValue *value = &c->time_borrow.at[i];
    bool clock = value->object.type == OBJ_CLOCK;
    if (isnan(value->value) || (clock && clock_has_no_source(&c->clocks.at[value->object.id])))
      continue;
    if (clock && latched == NULL) latched = clocks_of_latches(g);
    bool idle = clock && !latched[value->object.id];
    idle_add(list, g, value->said,
             (Idle){ .object = value->object,
                     .clock = NO_CLOCK,
                     .code = "GRAPH-048",
                     .problem = idle ? "there is no latch of clock" : NULL });
  }
  mem_free(latched);
}

void idle_warn_networks(const Graph *g, Log *log)
{
  IdleList list = { 0 };
  find_ideal_pins(g, &list);
  find_drives(g, &list);
  find_transitions(g, &list);
  find_virtual_clocks(g, &list);
  find_borrowing(g, &list);
  idle_tell(&list, g, log);
}
