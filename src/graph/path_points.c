/* Searches ways between path starts and path ends over the graph, ignoring constants and clocks,
   and warns of objects in exceptions that can have no effect. */
#include "graph/path_points.h"

#include "graph/exceptions/exceptions_private.h"
#include "graph/hierarchy.h"
#include "graph/idle/idle.h"

/* --- starts and ends ---------------------------------------------------------------------- */
typedef struct {
  const Graph *g;
  const ExceptionIndex *index;          /* NULL */
  bool found;
} Search;

static bool has_delay(const PortDelay *delays, uint32_t count, PinId pin)
{
  for (uint32_t i = 0; i < count; i++)
    if (delays[i].pin == pin) return true;
  return false;
}

static bool launches(const Graph *g, Slot s)
{
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (graph_arc_is_launch(g, a) || g->arcs.flags[a] & ARC_LATCH) return true;
  }
  return false;
}

static bool begins_at(const Search *search, Slot s)
{
  const Graph *g = search->g;
  bool input = (g->slots.flags[s] & (SLOT_PORT | SLOT_DRIVER)) == (SLOT_PORT | SLOT_DRIVER);
  if (input || g->slots.flags[s] & (SLOT_SEED | SLOT_CLOCK_SOURCE) || launches(g, s)) return true;
  return search->index && exception_cut(search->index, s) & CUT_START;
}

static bool starts_at(const Search *search, Slot s)
{
  const Constraints *c = search->g->constraints;
  PinId pin = search->g->slots.pin[s];
  return begins_at(search, s) || has_delay(c->input_delays.at, c->input_delays.len, pin);
}

/* Does a check end paths at the slot? Limits of pulses and periods belong to the pin itself and end
   no path. */
static bool has_check(const Graph *g, Slot s)
{
  for (uint32_t i = g->ends.first_check[s]; i < g->ends.first_check[s + 1]; i++) {
    uint8_t type = g->ends.checks.at[g->ends.check_order[i]].type;
    if (type != ARC_MIN_PULSE_WIDTH && type != ARC_MIN_PERIOD) return true;
  }
  return false;
}

static bool is_checked(const Search *search, Slot s)
{
  const Graph *g = search->g;
  bool output = g->slots.flags[s] & SLOT_PORT && !slot_is_driver(g, s);
  bool checked = has_check(g, s);
  bool has_rows = g->ends.first_end[s + 1] > g->ends.first_end[s];
  return output || checked || has_rows
         || (search->index && exception_cut(search->index, s) & CUT_END);
}

static bool ends_at(const Search *search, Slot s)
{
  const Constraints *c = search->g->constraints;
  PinId pin = search->g->slots.pin[s];
  return is_checked(search, s) || has_delay(c->output_delays.at, c->output_delays.len, pin);
}

static void look_for_start(void *data, Slot s)
{
  Search *search = data;
  if (!search->found) search->found = starts_at(search, s);
}

static void look_for_end(void *data, Slot s)
{
  Search *search = data;
  if (!search->found) search->found = ends_at(search, s);
}

bool path_starts_at(const Graph *g, const ExceptionIndex *index, Object o)
{
  Search q = { g, index, o.type == OBJ_CLOCK };
  exception_end_slots(g, o, look_for_start, &q);
  return q.found;
}

bool path_ends_at(const Graph *g, const ExceptionIndex *index, Object o)
{
  Search q = { g, index, o.type == OBJ_CLOCK };
  exception_end_slots(g, o, look_for_end, &q);
  return q.found;
}

uint32_t path_point_strangers(const ExceptionIndex *index, const ExceptionPoint *point, bool start,
                              Object *first)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < point->objects.len; i++) {
    Object o = point->objects.at[i];
    if ((start ? path_starts_at : path_ends_at)(index->g, index, o)) continue;
    if (count++ == 0) *first = o;
  }
  return count;
}

/* --- ways to an end, and back to a start ------------------------------------------------- */
/* Returns true if data continues from the slots to an end, or (backward) if it comes to the slots
   from a start.  Clock networks do not count, nor ways through the source of a clock.  Slots found
   to lead nowhere are remembered. */
enum { SEEN = 1, HAS_DELAY = 2, DEAD = 4 };
struct PathOnward {
  Search   ends;
  bool     back;                    /* the search goes back to starts */
  uint8_t *seen;                    /* [slots]: SEEN, HAS_DELAY, DEAD */
  ARRAY(Slot) met;
  ARRAY(Slot) stack;
};

static void meet(PathOnward *onward, Slot s)
{
  if (onward->seen[s] & (SEEN | DEAD)) return;
  onward->seen[s] |= SEEN;
  array_push(&onward->met, s);
  array_push(&onward->stack, s);
}

static void meet_behind(PathOnward *onward, Slot s)
{
  if (!(onward->ends.g->slots.flags[s] & SLOT_CLOCK_SOURCE)) meet(onward, s);
}

static void meet_next(PathOnward *onward, Slot s)
{
  const Graph *g = onward->ends.g;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!graph_arc_is_launch(g, a)) meet_behind(onward, g->arcs.to[a]);
  }
  if (!slot_is_driver(g, s)) return;
  for (Slot l = g->nets.load_first[s]; l < g->nets.load_first[s] + g->nets.load_count[s]; l++)
    if (!graph_wire_is_inner(g, s, l)) meet_behind(onward, l);
  DriverExtras it = driver_extras(g, s);
  while (driver_extras_next(&it))
    meet_behind(onward, g->nets.extra_wires.at[it.index].load);
}

/* Searches backward from a slot. It passes registers too, because their clock pins are starts. */
static void meet_before(PathOnward *onward, Slot s)
{
  const Graph *g = onward->ends.g;
  if (slot_is_driver(g, s)) {
    for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++) meet(onward, g->arcs.from[a]);
    return;
  }
  uint32_t from, to;
  Slot driver = g->nets.wire_driver[s];
  if (driver != NO_SLOT && !graph_wire_is_inner(g, driver, s)) meet(onward, driver);
  graph_extra_wires(g, s, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (!graph_wire_is_inner(g, g->nets.extra_wires.at[i].driver, s))
      meet(onward, g->nets.extra_wires.at[i].driver);
}

static bool is_goal(const PathOnward *onward, Slot s)
{
  if (onward->seen[s] & HAS_DELAY) return true;
  return onward->back ? begins_at(&onward->ends, s) : is_checked(&onward->ends, s);
}

static void forget(PathOnward *onward, bool dead)
{
  for (uint32_t i = 0; i < onward->met.len; i++) {
    uint8_t *seen = &onward->seen[onward->met.at[i]];
    *seen = (uint8_t)((*seen & ~SEEN) | (dead ? DEAD : 0));
  }
  array_clear(&onward->met);
}

/* Searches depth first, because one goal is enough. */
static bool goes_on(PathOnward *onward, Slot from)
{
  bool found = false;
  meet(onward, from);
  while (onward->stack.len && !found) {
    Slot s = onward->stack.at[--onward->stack.len];
    found = is_goal(onward, s);
    if (!found) (onward->back ? meet_before : meet_next)(onward, s);
  }
  forget(onward, !found);
  array_clear(&onward->stack);
  return found;
}

/* Returns the edges at its start that an arc passes on. */
static uint8_t input_edges(const Graph *g, ArcId a)
{
  const LibArc *arc = &g->libs->arcs.at[g->arcs.lib[a]];
  return (uint8_t)(lib_arc_input_edges(arc, RISE) | lib_arc_input_edges(arc, FALL));
}

/* Returns true if one of these edges launches a path there that reaches an end.  At the source of a
   clock nothing else arrives. */
static bool launches_on(PathOnward *onward, Slot s, uint8_t edges)
{
  const Graph *g = onward->ends.g;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    bool clock = graph_arc_is_launch(g, a), latch = g->arcs.flags[a] & ARC_LATCH;
    if ((!clock && !latch) || g->slots.flags[g->arcs.to[a]] & SLOT_CLOCK_SOURCE) continue;
    if ((latch || input_edges(g, a) & edges) && goes_on(onward, g->arcs.to[a])) return true;
  }
  return false;
}

/* Returns true if paths pass a through point.  At a register's clock pin, the paths that it
   launches do. */
static bool point_is_passed(PathOnward *onward, const SlotPoint *point)
{
  bool starts = !point->point.wire && launches_on(onward, point->slot, point->point.edges);
  return starts || goes_on(onward, point->slot);
}

static bool through_is_passed(PathOnward *onward, uint32_t e, uint32_t index)
{
  const ExceptionIndex *exception_index = onward->ends.index;
  bool passed = false;
  for (uint32_t i = exception_index->first_point[e];
       i < exception_index->first_point[e + 1] && !passed; i++) {
    const SlotPoint *point = &exception_index->by_exception.at[i];
    if (point->point.index == index) passed = point_is_passed(onward, point);
  }
  return passed;
}

static void mark_delayed(void *data, Slot s) { ((PathOnward *)data)->seen[s] = HAS_DELAY; }

static PathOnward *ways_new(const Graph *g, const ExceptionIndex *index, bool back)
{
  PathOnward *onward = mem_alloc_zero(1, sizeof *onward);
  *onward = (PathOnward){ .ends = { g, index, false }, .back = back };
  onward->seen = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  const Constraints *c = g->constraints;
  uint32_t count = back ? c->input_delays.len : c->output_delays.len;
  for (uint32_t i = 0; i < count; i++) {
    PinId pin = (back ? c->input_delays.at : c->output_delays.at)[i].pin;
    if (pin != NO_PIN) graph_said_slots(g, pin, back, mark_delayed, onward);
  }
  return onward;
}

PathOnward *path_onward_new(const Graph *g, const ExceptionIndex *index)
{
  return ways_new(g, index, false);
}

void path_onward_free(PathOnward *onward)
{
  mem_free(onward->seen);
  array_free(&onward->met);
  array_free(&onward->stack);
  mem_free(onward);
}

typedef struct {
  PathOnward *ways;
  uint8_t   edges;
  bool      any;
} LiveStart;

/* Is the slot the right side of its pin? At an inout pin, paths start at the driver and end at the
   load. */
static bool is_side(const Graph *g, Slot s, bool driver)
{
  return graph_slot(g, g->slots.pin[s], driver) == s;
}

static void look_for_live(void *data, Slot s)
{
  LiveStart *live_start = data;
  const Search *search = &live_start->ways->ends;
  bool start = !live_start->ways->back;
  if (live_start->any || !is_side(search->g, s, start)
      || !(start ? starts_at(search, s) : ends_at(search, s)))
    return;
  live_start->any = (start && launches_on(live_start->ways, s, live_start->edges))
                    || goes_on(live_start->ways, s);
}

/* Does a clock launch or capture paths? A virtual clock launches by input delays and captures by
   output delays. */
static bool clock_takes_part(const Constraints *c, ClockId clock, bool captures)
{
  uint32_t count = captures ? c->output_delays.len : c->input_delays.len;
  const PortDelay *delays = captures ? c->output_delays.at : c->input_delays.at;
  for (uint32_t i = 0; i < count; i++)
    if (delays[i].clock == clock && delays[i].pin != NO_PIN) return true;
  return !clock_has_no_source(&c->clocks.at[clock]);
}

bool path_start_goes_on(PathOnward *ways, Object o, uint8_t edges)
{
  LiveStart x = { ways, edges, false };
  if (o.type == OBJ_CLOCK) return clock_takes_part(ways->ends.g->constraints, o.id, ways->back);
  exception_end_slots(ways->ends.g, o, look_for_live, &x);
  return x.any;
}

static bool point_goes_on(PathOnward *onward, const ExceptionPoint *point)
{
  for (uint32_t i = 0; i < point->objects.len; i++)
    if (path_start_goes_on(onward, point->objects.at[i], point->edges)) return true;
  return false;
}

bool path_slot_goes_on(PathOnward *ways, Slot s, bool start)
{
  return goes_on(ways, s) || (start && launches_on(ways, s, EDGE_BOTH));
}

bool path_exception_goes_on(PathOnward *ways, uint32_t exception)
{
  const Exception *except = &ways->ends.g->constraints->exceptions.at[exception];
  if (except->has_from && !point_goes_on(ways, &except->from)) return false;
  for (uint32_t i = 0; i < except->through.len; i++)
    if (!through_is_passed(ways, exception, i)) return false;
  return true;
}

/* --- warnings ---------------------------------------------------------------------- */
static void put_object(const Graph *g, Object o, Text *out)
{
  switch (o.type) {
  case OBJ_CELL: text_put(out, "cell "), netlist_inst_name(g->netlist, o.id, '/', out); break;
  case OBJ_NET: text_put(out, "net "), netlist_seg_name(g->netlist, o.id, '/', out); break;
  case OBJ_CLOCK:
    text_printf(out, "clock %s",
                names_text(g->netlist->names, g->constraints->clocks.at[o.id].name));
    break;
  default:
    text_put(out, pin_is_top_port(g->netlist, o.id) ? "port " : "pin ");
    netlist_pin_name(g->netlist, o.id, '/', out);
  }
}

static void put_first_of(const Graph *g, Object first, uint32_t count, Text *out)
{
  put_object(g, first, out);
  if (count > 1) text_printf(out, " and %u more object%s are", count - 1, count == 2 ? "" : "s");
  else text_put(out, " is");
}

static Where where_of(const Graph *g, const Exception *exception)
{
  if (exception->file == NO_NAME) return NOWHERE;
  return (Where){ names_text(g->netlist->names, exception->file), exception->line, 0 };
}

static void count_slot(void *data, Slot s)
{
  (void)s;
  ++*(uint32_t *)data;
}

/* Has the command itself warned of the object? It does so for hierarchical pins without pins behind
   them. */
static bool is_reported(const Graph *g, Object o)
{
  uint32_t behind = 0;
  o = object_as_pin(o);
  if (o.type != OBJ_PIN || !pin_is_hierarchical(g->netlist, o.id)) return false;
  exception_end_slots(g, o, count_slot, &behind);
  return behind == 0;
}

static void warn_point(const ExceptionIndex *index, const Exception *exception, bool start,
                       Log *log)
{
  Object first = { 0 };
  uint32_t count =
      path_point_strangers(index, start ? &exception->from : &exception->to, start, &first);
  if (count == 1 && is_reported(index->g, first)) return;
  if (count == 0) return;
  Text text = { 0 };
  text_printf(&text, "%s: -%s: ", exception_command(exception), start ? "from" : "to");
  put_first_of(index->g, first, count, &text);
  text_printf(&text, " not where a path %s", start ? "starts" : "ends");
  log_warning_once_at(log, "GRAPH-020", where_of(index->g, exception), text_get(&text));
  text_free(&text);
}

static void warn_through(PathOnward *onward, uint32_t id, Log *log)
{
  const Graph *g = onward->ends.g;
  const Exception *exception = &g->constraints->exceptions.at[id];
  for (uint32_t i = 0; i < exception->through.len; i++) {
    if (through_is_passed(onward, id, i)) continue;
    Text text = { 0 };
    text_printf(&text, "%s: -through number %u: ", exception_command(exception), i + 1);
    put_first_of(g, exception->through.at[i].objects.at[0], exception->through.at[i].objects.len,
                 &text);
    text_put(&text, " not where data passes on its way to an end of paths");
    log_warning_once_at(log, "GRAPH-021", where_of(g, exception), text_get(&text));
    text_free(&text);
  }
}

/* Warns of startpoints from which no path continues: no edge launches there, another clock is
   defined on the way, or only clock networks follow.  Also warns of endpoints that no path from a
   start reaches. */
static void warn_dead(PathOnward *onward, const Exception *exception, Log *log)
{
  Object first = { 0 };
  const ExceptionPoint *point = onward->back ? &exception->to : &exception->from;
  const char *way = onward->back ? "to" : "from";
  uint32_t others = point->objects.len - 1;
  uint32_t strangers = path_point_strangers(onward->ends.index, point, !onward->back, &first);
  if (strangers == point->objects.len || point_goes_on(onward, point)) return;
  Text text = { 0 };
  text_printf(&text, "%s: -%s: no path %s %s ", exception_command(exception), way,
              onward->back ? "comes from a start" : "goes on to an end", way);
  put_object(onward->ends.g, point->objects.at[0], &text);
  if (others) text_printf(&text, ", nor %s %u more object%s", way, others, others == 1 ? "" : "s");
  if (!onward->back && point->edges != EDGE_BOTH)
    text_printf(&text, " with its %s edge", point->edges == EDGE_RISE ? "rising" : "falling");
  log_warning_once_at(log, onward->back ? "GRAPH-045" : "GRAPH-044",
                      where_of(onward->ends.g, exception), text_get(&text));
  text_free(&text);
}

/* --- delays at inputs -------------------------------------------------------------------- */
static bool is_source_of(const Constraints *c, const PortDelay *delay)
{
  if (delay->clock == NO_CLOCK) return false;
  const Clock *clock = &c->clocks.at[delay->clock];
  for (uint32_t i = 0; i < clock->sources.len; i++)
    if (clock->sources.at[i] == delay->pin) return true;
  return false;
}

typedef struct {
  PathOnward *ways;
  bool      unclocked;              /* the delay has no clock, and a clock pin in its fan-out
                                       launches by its data */
  bool      any;
} DelayedStart;

static void look_for_delayed(void *data, Slot s)
{
  DelayedStart *start = data;
  start->any |=
      goes_on(start->ways, s) || (start->unclocked && launches_on(start->ways, s, EDGE_BOTH));
}

static const char *problem_of_delay(PathOnward *ways, const PortDelay *delay)
{
  const Graph *g = ways->ends.g;
  DelayedStart x = { ways, delay->clock == NO_CLOCK, false };
  if (is_source_of(g->constraints, delay)) return "the delay counts from@, which starts at";
  graph_said_slots(g, delay->pin, true, look_for_delayed, &x);
  return x.any ? NULL : "no data goes on to an end from";
}

/* Warns of a clock's input delay where the same clock starts, and of input delays behind which
   there are only clock networks. */
void warn_vain_delays(const Graph *g, Log *log)
{
  const Constraints *c = g->constraints;
  if (c->input_delays.len == 0) return;
  PathOnward *ways = path_onward_new(g, NULL);
  IdleList list = { 0 };
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    const PortDelay *delay = &c->input_delays.at[i];
    if (delay->pin == NO_PIN) continue;
    const char *problem = problem_of_delay(ways, delay);
    bool own = problem && is_source_of(c, delay);
    idle_add(&list, g, delay->command,
             (Idle){ .object = { OBJ_PIN, delay->pin },
                     .clock = own ? delay->clock : NO_CLOCK,
                     .code = "GRAPH-041",
                     .problem = problem });
  }
  idle_tell(&list, g, log);
  path_onward_free(ways);
}

/* --- all exceptions ---------------------------------------------------------------------- */
void warn_vain_exceptions(const ExceptionIndex *index, Log *log)
{
  const Graph *g = index->g;
  if (g->constraints->exceptions.len == 0) return;
  PathOnward *onward = path_onward_new(g, index), *back = ways_new(g, index, true);
  for (uint32_t i = 0; i < g->constraints->exceptions.len; i++) {
    const Exception *exception = &g->constraints->exceptions.at[i];
    if (!exception_counts(index, i)) continue;
    if (exception->has_from) warn_point(index, exception, true, log);
    if (exception->has_from) warn_dead(onward, exception, log);
    if (exception->has_to) warn_point(index, exception, false, log);
    if (exception->has_to) warn_dead(back, exception, log);
    warn_through(onward, i, log);
  }
  path_onward_free(onward);
  path_onward_free(back);
}
