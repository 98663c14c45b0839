/* Searches ways between path starts and path ends over the graph, ignoring constants and clocks,
   and warns of objects in exceptions that can have no effect. */
#include "graph/path_points.h"

#include "graph/exceptions/exceptions_private.h"
#include "graph/hierarchy.h"
#include "graph/idle/idle.h"

/* --- starts and ends ---------------------------------------------------------------------- */
typedef struct {
  const Graph *g;
  const ExceptionIndex *x;          /* NULL */
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

static bool begins_at(const Search *q, Slot s)
{
  const Graph *g = q->g;
  bool input = (g->slots.flags[s] & (SLOT_PORT | SLOT_DRIVER)) == (SLOT_PORT | SLOT_DRIVER);
  if (input || g->slots.flags[s] & (SLOT_SEED | SLOT_CLOCK_SOURCE) || launches(g, s)) return true;
  return q->x && exception_cut(q->x, s) & CUT_START;
}

static bool starts_at(const Search *q, Slot s)
{
  const Constraints *c = q->g->constraints;
  PinId pin = q->g->slots.pin[s];
  return begins_at(q, s) || has_delay(c->input_delays.at, c->input_delays.len, pin);
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

static bool is_checked(const Search *q, Slot s)
{
  const Graph *g = q->g;
  bool output = g->slots.flags[s] & SLOT_PORT && !slot_is_driver(g, s);
  bool checked = has_check(g, s);
  bool has_rows = g->ends.first_end[s + 1] > g->ends.first_end[s];
  return output || checked || has_rows || (q->x && exception_cut(q->x, s) & CUT_END);
}

static bool ends_at(const Search *q, Slot s)
{
  const Constraints *c = q->g->constraints;
  PinId pin = q->g->slots.pin[s];
  return is_checked(q, s) || has_delay(c->output_delays.at, c->output_delays.len, pin);
}

static void look_for_start(void *data, Slot s)
{
  Search *q = data;
  if (!q->found) q->found = starts_at(q, s);
}

static void look_for_end(void *data, Slot s)
{
  Search *q = data;
  if (!q->found) q->found = ends_at(q, s);
}

bool path_starts_at(const Graph *g, const ExceptionIndex *x, Object o)
{
  Search q = { g, x, o.type == OBJ_CLOCK };
  exception_end_slots(g, o, look_for_start, &q);
  return q.found;
}

bool path_ends_at(const Graph *g, const ExceptionIndex *x, Object o)
{
  Search q = { g, x, o.type == OBJ_CLOCK };
  exception_end_slots(g, o, look_for_end, &q);
  return q.found;
}

uint32_t path_point_strangers(const ExceptionIndex *x, const ExceptionPoint *p, bool start,
                              Object *first)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->objects.len; i++) {
    Object o = p->objects.at[i];
    if ((start ? path_starts_at : path_ends_at)(x->g, x, o)) continue;
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

static void meet(PathOnward *o, Slot s)
{
  if (o->seen[s] & (SEEN | DEAD)) return;
  o->seen[s] |= SEEN;
  array_push(&o->met, s);
  array_push(&o->stack, s);
}

static void meet_behind(PathOnward *o, Slot s)
{
  if (!(o->ends.g->slots.flags[s] & SLOT_CLOCK_SOURCE)) meet(o, s);
}

static void meet_next(PathOnward *o, Slot s)
{
  const Graph *g = o->ends.g;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!graph_arc_is_launch(g, a)) meet_behind(o, g->arcs.to[a]);
  }
  if (!slot_is_driver(g, s)) return;
  for (Slot l = g->nets.load_first[s]; l < g->nets.load_first[s] + g->nets.load_count[s]; l++)
    if (!graph_wire_is_inner(g, s, l)) meet_behind(o, l);
  DriverExtras it = driver_extras(g, s);
  while (driver_extras_next(&it))
    meet_behind(o, g->nets.extra_wires.at[it.index].load);
}

/* Searches backward from a slot. It passes registers too, because their clock pins are starts. */
static void meet_before(PathOnward *o, Slot s)
{
  const Graph *g = o->ends.g;
  if (slot_is_driver(g, s)) {
    for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++) meet(o, g->arcs.from[a]);
    return;
  }
  uint32_t from, to;
  Slot driver = g->nets.wire_driver[s];
  if (driver != NO_SLOT && !graph_wire_is_inner(g, driver, s)) meet(o, driver);
  graph_extra_wires(g, s, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (!graph_wire_is_inner(g, g->nets.extra_wires.at[i].driver, s))
      meet(o, g->nets.extra_wires.at[i].driver);
}

static bool is_goal(const PathOnward *o, Slot s)
{
  if (o->seen[s] & HAS_DELAY) return true;
  return o->back ? begins_at(&o->ends, s) : is_checked(&o->ends, s);
}

static void forget(PathOnward *o, bool dead)
{
  for (uint32_t i = 0; i < o->met.len; i++) {
    uint8_t *seen = &o->seen[o->met.at[i]];
    *seen = (uint8_t)((*seen & ~SEEN) | (dead ? DEAD : 0));
  }
  array_clear(&o->met);
}

/* Searches depth first, because one goal is enough. */
static bool goes_on(PathOnward *o, Slot from)
{
  bool found = false;
  meet(o, from);
  while (o->stack.len && !found) {
    Slot s = o->stack.at[--o->stack.len];
    found = is_goal(o, s);
    if (!found) (o->back ? meet_before : meet_next)(o, s);
  }
  forget(o, !found);
  array_clear(&o->stack);
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
static bool launches_on(PathOnward *o, Slot s, uint8_t edges)
{
  const Graph *g = o->ends.g;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    bool clock = graph_arc_is_launch(g, a), latch = g->arcs.flags[a] & ARC_LATCH;
    if ((!clock && !latch) || g->slots.flags[g->arcs.to[a]] & SLOT_CLOCK_SOURCE) continue;
    if ((latch || input_edges(g, a) & edges) && goes_on(o, g->arcs.to[a])) return true;
  }
  return false;
}

/* Returns true if paths pass a through point.  At a register's clock pin, the paths that it
   launches do. */
static bool point_is_passed(PathOnward *o, const SlotPoint *p)
{
  bool starts = !p->point.wire && launches_on(o, p->slot, p->point.edges);
  return starts || goes_on(o, p->slot);
}

static bool through_is_passed(PathOnward *o, uint32_t e, uint32_t index)
{
  const ExceptionIndex *x = o->ends.x;
  bool passed = false;
  for (uint32_t i = x->first_point[e]; i < x->first_point[e + 1] && !passed; i++) {
    const SlotPoint *p = &x->by_exception.at[i];
    if (p->point.index == index) passed = point_is_passed(o, p);
  }
  return passed;
}

static void mark_delayed(void *data, Slot s) { ((PathOnward *)data)->seen[s] = HAS_DELAY; }

static PathOnward *ways_new(const Graph *g, const ExceptionIndex *x, bool back)
{
  PathOnward *o = mem_alloc_zero(1, sizeof *o);
  *o = (PathOnward){ .ends = { g, x, false }, .back = back };
  o->seen = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  const Constraints *c = g->constraints;
  uint32_t count = back ? c->input_delays.len : c->output_delays.len;
  for (uint32_t i = 0; i < count; i++) {
    PinId pin = (back ? c->input_delays.at : c->output_delays.at)[i].pin;
    if (pin != NO_PIN) graph_said_slots(g, pin, back, mark_delayed, o);
  }
  return o;
}

PathOnward *path_onward_new(const Graph *g, const ExceptionIndex *x)
{
  return ways_new(g, x, false);
}

void path_onward_free(PathOnward *o)
{
  mem_free(o->seen);
  array_free(&o->met);
  array_free(&o->stack);
  mem_free(o);
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
  LiveStart *x = data;
  const Search *q = &x->ways->ends;
  bool start = !x->ways->back;
  if (x->any || !is_side(q->g, s, start) || !(start ? starts_at(q, s) : ends_at(q, s))) return;
  x->any = (start && launches_on(x->ways, s, x->edges)) || goes_on(x->ways, s);
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

static bool point_goes_on(PathOnward *o, const ExceptionPoint *p)
{
  for (uint32_t i = 0; i < p->objects.len; i++)
    if (path_start_goes_on(o, p->objects.at[i], p->edges)) return true;
  return false;
}

bool path_slot_goes_on(PathOnward *ways, Slot s, bool start)
{
  return goes_on(ways, s) || (start && launches_on(ways, s, EDGE_BOTH));
}

bool path_exception_goes_on(PathOnward *ways, uint32_t exception)
{
  const Exception *e = &ways->ends.g->constraints->exceptions.at[exception];
  if (e->has_from && !point_goes_on(ways, &e->from)) return false;
  for (uint32_t i = 0; i < e->through.len; i++)
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

static Where where_of(const Graph *g, const Exception *e)
{
  if (e->file == NO_NAME) return NOWHERE;
  return (Where){ names_text(g->netlist->names, e->file), e->line, 0 };
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

static void warn_point(const ExceptionIndex *x, const Exception *e, bool start, Log *log)
{
  Object first = { 0 };
  uint32_t count = path_point_strangers(x, start ? &e->from : &e->to, start, &first);
  if (count == 1 && is_reported(x->g, first)) return;
  if (count == 0) return;
  Text text = { 0 };
  text_printf(&text, "%s: -%s: ", exception_command(e), start ? "from" : "to");
  put_first_of(x->g, first, count, &text);
  text_printf(&text, " not where a path %s", start ? "starts" : "ends");
  log_warning_once_at(log, "GRAPH-020", where_of(x->g, e), text_get(&text));
  text_free(&text);
}

static void warn_through(PathOnward *o, uint32_t id, Log *log)
{
  const Graph *g = o->ends.g;
  const Exception *e = &g->constraints->exceptions.at[id];
  for (uint32_t i = 0; i < e->through.len; i++) {
    if (through_is_passed(o, id, i)) continue;
    Text text = { 0 };
    text_printf(&text, "%s: -through number %u: ", exception_command(e), i + 1);
    put_first_of(g, e->through.at[i].objects.at[0], e->through.at[i].objects.len, &text);
    text_put(&text, " not where data passes on its way to an end of paths");
    log_warning_once_at(log, "GRAPH-021", where_of(g, e), text_get(&text));
    text_free(&text);
  }
}

/* Warns of startpoints from which no path continues: no edge launches there, another clock is
   defined on the way, or only clock networks follow.  Also warns of endpoints that no path from a
   start reaches. */
static void warn_dead(PathOnward *o, const Exception *e, Log *log)
{
  Object first = { 0 };
  const ExceptionPoint *p = o->back ? &e->to : &e->from;
  const char *way = o->back ? "to" : "from";
  uint32_t others = p->objects.len - 1;
  uint32_t strangers = path_point_strangers(o->ends.x, p, !o->back, &first);
  if (strangers == p->objects.len || point_goes_on(o, p)) return;
  Text text = { 0 };
  text_printf(&text, "%s: -%s: no path %s %s ", exception_command(e), way,
              o->back ? "comes from a start" : "goes on to an end", way);
  put_object(o->ends.g, p->objects.at[0], &text);
  if (others) text_printf(&text, ", nor %s %u more object%s", way, others, others == 1 ? "" : "s");
  if (!o->back && p->edges != EDGE_BOTH)
    text_printf(&text, " with its %s edge", p->edges == EDGE_RISE ? "rising" : "falling");
  log_warning_once_at(log, o->back ? "GRAPH-045" : "GRAPH-044", where_of(o->ends.g, e),
                      text_get(&text));
  text_free(&text);
}

/* --- delays at inputs -------------------------------------------------------------------- */
static bool is_source_of(const Constraints *c, const PortDelay *d)
{
  if (d->clock == NO_CLOCK) return false;
  const Clock *k = &c->clocks.at[d->clock];
  for (uint32_t i = 0; i < k->sources.len; i++)
    if (k->sources.at[i] == d->pin) return true;
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
  DelayedStart *x = data;
  x->any |= goes_on(x->ways, s) || (x->unclocked && launches_on(x->ways, s, EDGE_BOTH));
}

static const char *problem_of_delay(PathOnward *ways, const PortDelay *d)
{
  const Graph *g = ways->ends.g;
  DelayedStart x = { ways, d->clock == NO_CLOCK, false };
  if (is_source_of(g->constraints, d)) return "the delay counts from@, which starts at";
  graph_said_slots(g, d->pin, true, look_for_delayed, &x);
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
    const PortDelay *d = &c->input_delays.at[i];
    if (d->pin == NO_PIN) continue;
    const char *problem = problem_of_delay(ways, d);
    bool own = problem && is_source_of(c, d);
    idle_add(&list, g, d->command,
             (Idle){ .object = { OBJ_PIN, d->pin }, .clock = own ? d->clock : NO_CLOCK,
                     .code = "GRAPH-041", .problem = problem });
  }
  idle_tell(&list, g, log);
  path_onward_free(ways);
}

/* --- all exceptions ---------------------------------------------------------------------- */
void warn_vain_exceptions(const ExceptionIndex *x, Log *log)
{
  const Graph *g = x->g;
  if (g->constraints->exceptions.len == 0) return;
  PathOnward *o = path_onward_new(g, x), *back = ways_new(g, x, true);
  for (uint32_t i = 0; i < g->constraints->exceptions.len; i++) {
    const Exception *e = &g->constraints->exceptions.at[i];
    if (!exception_counts(x, i)) continue;
    if (e->has_from) warn_point(x, e, true, log);
    if (e->has_from) warn_dead(o, e, log);
    if (e->has_to) warn_point(x, e, false, log);
    if (e->has_to) warn_dead(back, e, log);
    warn_through(o, i, log);
  }
  path_onward_free(o);
  path_onward_free(back);
}
