/* Collects and reports constraints without effect, and judges those at pins: clock values, senses,
   pulse widths and data checks. */
#include "graph/idle/idle.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "graph/hierarchy.h"

/* --- telling ---------------------------------------------------------------------------------- */

static void lib_cell_text(const Graph *g, CellId id, Text *text)
{
  const LibCell *cell = &g->libs->cells.at[id];
  text_printf(text, "%s/",
              names_text(g->netlist->names, g->libs->libraries.at[cell->library].name));
  text_put(text, names_text(g->netlist->names, cell->name));
}

static void lib_pin_text(const Graph *g, PortId id, Text *text)
{
  const LibPort *port = &g->libs->ports.at[id];
  lib_cell_text(g, port->cell, text);
  text_printf(text, "/%s", names_text(g->netlist->names, port->name));
}

static void object_text(const Graph *g, Object o, Text *text)
{
  const Netlist *n = g->netlist;
  if (o.type == OBJ_CLOCK)
    text_put(text, names_text(n->names, g->constraints->clocks.at[o.id].name));
  else if (o.type == OBJ_NET) netlist_seg_name(n, o.id, '/', text);
  else if (o.type == OBJ_CELL) netlist_inst_name(n, o.id, '/', text);
  else if (o.type == OBJ_LIB_CELL) lib_cell_text(g, o.id, text);
  else if (o.type == OBJ_LIB_PIN) lib_pin_text(g, o.id, text);
  else if (pin_is_top_port(n, o.id))
    text_put(text, names_text(n->names, netlist_pin_port_name(n, o.id)));
  else netlist_pin_name(n, o.id, '/', text);
}

static int by_said(const Said *a, const Said *b)
{
  if (a->file != b->file) return a->file < b->file ? -1 : 1;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  return strcmp(a->command, b->command);
}

static int by_message(const Idle *a, const Idle *b)
{
  int order = by_said(&a->said, &b->said);
  return order ? order : strcmp(a->problem, b->problem);
}

static int by_place(const void *pa, const void *pb)
{
  const Idle *a = pa, *b = pb;
  int order = by_message(a, b);
  if (order) return order;
  if (a->object.type != b->object.type) return a->object.type < b->object.type ? -1 : 1;
  return a->object.id < b->object.id ? -1 : a->object.id > b->object.id;
}

static void tell_line(const Graph *g, Log *log, const Idle *first, uint32_t count)
{
  const Said *said = &first->said;
  Text t = { 0 };
  const char *clock = strchr(first->problem, '@');
  int head = clock ? (int)(clock - first->problem) : (int)strlen(first->problem);
  text_printf(&t, "%s: %.*s", said->command, head, first->problem);
  if (first->clock != NO_CLOCK)
    text_printf(&t, " %s",
                names_text(g->netlist->names, g->constraints->clocks.at[first->clock].name));
  text_printf(&t, "%s ", clock ? clock + 1 : "");
  object_text(g, first->object, &t);
  if (count > 1) text_printf(&t, ", and so for %u more of its objects", count - 1);
  text_put(&t, "; it has no effect there");
  Where where = said->file == NO_NAME
                    ? NOWHERE
                    : (Where){ names_text(g->netlist->names, said->file), said->line, 0 };
  log_warning_once_at(log, first->code, where, text_get(&t));
  text_free(&t);
}

/* Does a cell still exist? Records of removed objects remain after edits. */
static bool cell_is_alive(const Netlist *n, InstId inst)
{
  return !(n->insts.at[inst].flags & INST_DELETED);
}

static bool is_alive(const Netlist *n, Object o)
{
  if (o.type == OBJ_CELL) return cell_is_alive(n, o.id);
  if (o.type == OBJ_NET) return !(n->nets.at[n->segs.at[o.id].net].flags & NET_DELETED);
  return o.type != OBJ_PIN || (o.id != NO_PIN && cell_is_alive(n, n->pins.at[o.id].inst));
}

/* Removes records that have an effect or whose object is gone, and records of a command that has an
   effect elsewhere. */
static void drop_effective(IdleList *list, const Netlist *n)
{
  Map *effective = map_new();
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->len; i++)
    if (list->at[i].problem == NULL) map_put(effective, list->at[i].command, 1);
  for (uint32_t i = 0; i < list->len; i++) {
    const Idle *idle = &list->at[i];
    bool due = idle->command == 0 || map_get(effective, idle->command) == MAP_NO_VALUE;
    if (idle->problem && due && is_alive(n, idle->object)) list->at[kept++] = *idle;
  }
  list->len = kept;
  map_free(effective);
}

void idle_add(IdleList *list, const Graph *g, CommandId command, Idle what)
{
  if (!is_alive(g->netlist, what.object)) return;
  what.said = constraints_command(g->constraints, command);
  what.command = command;
  if (command) array_push(list, what);
}

void idle_tell(IdleList *list, const Graph *g, Log *log)
{
  drop_effective(list, g->netlist);
  if (list->len) qsort(list->at, list->len, sizeof *list->at, by_place);
  for (uint32_t i = 0, next; i < list->len; i = next) {
    for (next = i + 1; next < list->len && by_message(&list->at[i], &list->at[next]) == 0; next++)
      continue;
    tell_line(g, log, &list->at[i], next - i);
  }
  array_free(list);
}

/* --- constraints at pins ---------------------------------------------------------------------- */

/* Returns true if one of the slots of a pin, or one behind a hierarchical pin, passes the test. */
typedef struct Asking Asking;
struct Asking {
  const Graph *g;
  ClockId clock;                          /* NO_CLOCK: any */
  bool  (*is)(const Asking *asking, Slot slot);
  bool    found;
};

static void ask(void *data, Slot slot)
{
  Asking *asking = data;
  if (slot != NO_SLOT && !asking->found) asking->found = asking->is(asking, slot);
}

static bool any_slot(const Graph *g, PinId pin, ClockId clock,
                     bool (*is)(const Asking *asking, Slot slot))
{
  Asking a = { g, clock, is, false };
  if (pin_is_hierarchical(g->netlist, pin)) {
    graph_crossing_loads(g, pin, ask, &a);
    return a.found;
  }
  ask(&a, graph_slot(g, pin, false));
  ask(&a, graph_slot(g, pin, true));
  return a.found;
}

/* Returns true if the tag belongs to the clock; NO_CLOCK: any clock. */
static bool is_of_clock(const Asking *asking, const Tag *tag)
{
  if (asking->clock == NO_CLOCK) return true;
  return tag->clock_edge != NO_CLOCK_EDGE && asking->clock == clock_edge_clock(tag->clock_edge);
}

static bool has_tag(const Asking *asking, Slot slot, bool (*is)(const Tag *tag))
{
  const TagTable *tags = asking->g->tags;
  TagSetId set = asking->g->nodes.slot_tags[slot];
  for (uint32_t i = 0; i < tag_set_count(tags, set); i++) {
    const Tag *tag = &tags->tags.at[tag_set_tags(tags, set)[i]];
    if (is(tag) && is_of_clock(asking, tag)) return true;
  }
  return false;
}

static bool has_clock(const Asking *asking, Slot slot)
{
  return has_tag(asking, slot, tag_is_clock);
}

/* Is it a tag of data? Hidden tags of data on its way to clock pins count too. */
static bool tag_is_data(const Tag *tag) { return !tag->is_clock; }
static bool has_data(const Asking *asking, Slot slot) { return has_tag(asking, slot, tag_is_data); }

/* Returns true if the test holds at the slot or one step before it, because a sense at the slot may
   stop what arrives.  A test for clocks does not look before launch arcs, because registers launch
   data. */
static bool comes(const Asking *asking, Slot slot, bool (*has)(const Asking *asking, Slot slot))
{
  const Graph *g = asking->g;
  uint32_t from, to;
  if (has(asking, slot)) return true;
  if (!slot_is_driver(g, slot) && g->nets.wire_driver[slot] != NO_SLOT
      && has(asking, g->nets.wire_driver[slot]))
    return true;
  for (ArcId i = g->arcs.first[slot]; slot_is_driver(g, slot) && i < g->arcs.first[slot + 1]; i++)
    if (arc_on(g, i) && !(has == has_clock && graph_arc_is_launch(g, i))
        && has(asking, g->arcs.from[i]))
      return true;
  graph_extra_wires(g, slot, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (has(asking, g->nets.extra_wires.at[i].driver)) return true;
  return false;
}

static bool is_source(const Constraints *c, PinId pin, ClockId clock)
{
  for (ClockId k = 0; k < c->clocks.len; k++) {
    const Clock *the_clock = &c->clocks.at[k];
    if (the_clock->deleted || (clock != NO_CLOCK && clock != k)) continue;
    for (uint32_t i = 0; i < the_clock->sources.len; i++)
      if (the_clock->sources.at[i] == pin) return true;
  }
  return false;
}

static bool clock_comes(const Asking *asking, Slot slot)
{
  return comes(asking, slot, has_clock)
         || is_source(asking->g->constraints, asking->g->slots.pin[slot], asking->clock);
}

/* Returns true if data starts at the pin: at a port without a clock, or with an input delay. */
static bool data_starts(const Asking *asking, Slot slot)
{
  const Constraints *c = asking->g->constraints;
  PinId pin = asking->g->slots.pin[slot];
  if (asking->clock == NO_CLOCK && pin_is_top_port(asking->g->netlist, pin)
      && slot_is_driver(asking->g, slot))
    return !has_clock(asking, slot);
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    const PortDelay *delay = &c->input_delays.at[i];
    if (delay->pin == pin && (asking->clock == NO_CLOCK || asking->clock == delay->clock))
      return true;
  }
  return false;
}

/* Returns true if a sense at the pin stops a clock, which goes on as data. */
static bool clock_stops(const Asking *asking, Slot slot)
{
  const Constraints *c = asking->g->constraints;
  for (uint32_t i = 0; i < c->senses.len; i++)
    if (!c->senses.at[i].data && c->senses.at[i].pin == asking->g->slots.pin[slot])
      return clock_comes(asking, slot);
  return false;
}

static bool data_comes(const Asking *asking, Slot slot)
{
  const Graph *g = asking->g;
  if (comes(asking, slot, has_data) || data_starts(asking, slot) || clock_stops(asking, slot))
    return true;
  for (ArcId i = g->arcs.first[slot]; slot_is_driver(g, slot) && i < g->arcs.first[slot + 1]; i++)
    if (arc_on(g, i) && graph_arc_is_launch(g, i) && has_clock(asking, g->arcs.from[i]))
      return true;
  return false;
}

static void add(IdleList *list, const Said *said, PinId pin, ClockId clock, const char *code,
                const char *problem)
{
  if (said->command == NULL) return;      /* it does not come from a command */
  array_push(list, ((Idle){ *said, { OBJ_PIN, pin }, clock, code, problem, 0 }));
}

static void judge_clock_pin(const Graph *g, const ClockPin *pin, IdleList *list)
{
  if (pin->pin == NO_PIN) return;
  const struct { bool given; const Said *said;
  } of_network[] = { { constraints_any_given(pin->network_latency, CONDITION_COUNT),
                       &pin->said_of_latency },
                     { constraints_any_given(pin->uncertainty, 2), &pin->said_of_uncertainty },
                     { pin->propagated, &pin->said_of_propagation } };
  bool passes = any_slot(g, pin->pin, pin->clock, has_clock);
  for (int i = 0; i < 3 && !passes; i++)
    if (of_network[i].given)
      add(list, of_network[i].said, pin->pin, pin->clock, "GRAPH-025", "no clock@ passes");
  bool source = constraints_any_given(&pin->source_latency[0][0], 2 * CONDITION_COUNT);
  if (source && !is_source(g->constraints, pin->pin, pin->clock))
    add(list, &pin->said_of_source, pin->pin, pin->clock, "GRAPH-026", "no clock@ starts at");
}

static void judge_sense(const Graph *g, const ClockSense *sense, IdleList *list)
{
  if (sense->pin == NO_PIN) return;
  if (!sense->data && !any_slot(g, sense->pin, sense->clock, clock_comes))
    add(list, &sense->said, sense->pin, sense->clock, "GRAPH-025", "no clock@ comes to");
  if (sense->data && !any_slot(g, sense->pin, sense->clock, data_comes))
    add(list, &sense->said, sense->pin, sense->clock, "GRAPH-025", "no data@ comes to");
}

/* Returns true if a clock arrives at a pin of the cell or, for a hierarchical cell, inside it. */
static bool cell_has_clock(const Graph *g, InstId inst)
{
  const Netlist *n = g->netlist;
  const Inst *cell = &n->insts.at[inst];
  if (!inst_is_leaf(n, inst)) {
    for (InstId i = cell->first_child; i != NO_INST; i = n->insts.at[i].next_sibling)
      if (cell_has_clock(g, i)) return true;
    return false;
  }
  for (PinId p = cell->first_pin; p < cell->first_pin + cell->pin_count; p++)
    if (any_slot(g, p, NO_CLOCK, has_clock)) return true;
  return false;
}

/* Judges a pulse width. It has an effect only where a clock arrives. */
static void judge_width(const Graph *g, const ObjectValue *value, IdleList *list)
{
  Object o = object_as_pin(value->object);
  bool hierarchical = o.type == OBJ_PIN && pin_is_hierarchical(g->netlist, o.id);
  if ((o.type != OBJ_PIN && o.type != OBJ_CELL) || isnan(value->value) || hierarchical) return;
  bool has = o.type == OBJ_CELL ? cell_has_clock(g, o.id) : any_slot(g, o.id, NO_CLOCK, has_clock);
  idle_add(list, g, value->said,
           (Idle){ .object = o,
                   .clock = NO_CLOCK,
                   .code = "GRAPH-025",
                   .problem = has ? NULL : "no clock passes" });
}

/* Did the same command set the low width of the object? */
static bool is_said_of_low(const Constraints *c, const ObjectValue *high)
{
  const ObjectValue *low = constraints_find_limit_record(c, LIMIT_PULSE_LOW, high->object);
  return low && !isnan(low->value) && low->said == high->said;
}

/* Finds pulse widths without effect. If one command has set both widths, only the low one is
   judged. */
static void find_widths(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  for (uint32_t i = 0; i < c->limits[LIMIT_PULSE_LOW].len; i++)
    judge_width(g, &c->limits[LIMIT_PULSE_LOW].at[i], list);
  for (uint32_t i = 0; i < c->limits[LIMIT_PULSE_HIGH].len; i++) {
    const ObjectValue *value = &c->limits[LIMIT_PULSE_HIGH].at[i];
    if (!is_said_of_low(c, value)) judge_width(g, value, list);
  }
}

static bool is_limited(const Clock *clock)
{
  return constraints_any_given(clock->max_slew_clock, 2)
         || constraints_any_given(clock->max_slew_data, 2);
}

/* Finds limits of transitions without effect. The limit of a virtual clock applies to the data that
   it launches. */
static void find_slews(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  uint8_t *launched = mem_alloc_zero((size_t)c->clocks.len + 1, 1);
  for (TagId t = 0; t < g->tags->tags.len; t++) {
    ClockEdge edge = g->tags->tags.at[t].clock_edge;
    if (edge != NO_CLOCK_EDGE) launched[clock_edge_clock(edge)] = 1;
  }
  for (ClockId k = 0; k < c->clocks.len; k++) {
    const Clock *clock = &c->clocks.at[k];
    if (clock->deleted || !is_limited(clock)) continue;
    bool idle = clock_has_no_source(clock) && !launched[k]
                && constraints_any_given(clock->max_slew_data, 2);
    idle_add(list, g, clock->said_of_slew,
             (Idle){ .object = { OBJ_CLOCK, k }, .clock = NO_CLOCK, .code = "SDC-171",
                     .problem = idle ? "nothing is launched by virtual clock" : NULL });
  }
  mem_free(launched);
}

static bool has_launched(const Asking *asking, Slot slot)
{
  const TagTable *tags = asking->g->tags;
  TagSetId set = asking->g->nodes.slot_tags[slot];
  for (uint32_t i = 0; i < tag_set_count(tags, set); i++) {
    const Tag *tag = &tags->tags.at[tag_set_tags(tags, set)[i]];
    if (tag->clock_edge == NO_CLOCK_EDGE || tag_is_hidden(tag)) continue;
    if (asking->clock == NO_CLOCK || asking->clock == clock_edge_clock(tag->clock_edge))
      return true;
  }
  return false;
}

/* Judges a data check. Data that a clock launches has to arrive at both pins. */
static void judge_data_check(const Graph *g, const DataCheck *check, IdleList *list)
{
  if (data_check_is_empty(check) || check->from == NO_PIN || check->to == NO_PIN) return;
  bool from = any_slot(g, check->from, check->clock, has_launched);
  bool to = any_slot(g, check->to, NO_CLOCK, has_launched);
  idle_add(list, g, check->said,
           (Idle){ .object = { OBJ_PIN, from ? check->to : check->from },
                   .clock = from ? NO_CLOCK : check->clock,
                   .code = "GRAPH-042",
                   .problem = from && to ? NULL
                              : from     ? "nothing that a clock launches comes to"
                              : check->clock == NO_CLOCK
                                  ? "nothing that a clock launches comes to the reference"
                                  : "nothing that is launched by@ comes to the reference" });
}

void idle_find_pins(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  for (uint32_t i = 0; i < c->clock_pins.len; i++) judge_clock_pin(g, &c->clock_pins.at[i], list);
  for (uint32_t i = 0; i < c->senses.len; i++) judge_sense(g, &c->senses.at[i], list);
  find_widths(g, list);
  find_slews(g, list);
  for (uint32_t i = 0; i < c->data_checks.len; i++)
    judge_data_check(g, &c->data_checks.at[i], list);
}
