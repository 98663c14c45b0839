#include "graph/path_points.h"

#include "graph/exceptions_private.h"

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

static bool arc_launches(const Graph *g, ArcId a)
{
  return arc_type_is_launch((ArcType)g->libs->arcs.at[g->arc_lib[a]].type);
}

static bool launches(const Graph *g, Slot s)
{
  for (uint32_t i = g->out_first[s]; i < g->out_first[s + 1]; i++) {
    ArcId a = g->out_arc[i];
    if (arc_launches(g, a) || g->arc_flags[a] & ARC_LATCH) return true;
  }
  return false;
}

static bool starts_at(const Search *q, Slot s)
{
  const Graph *g = q->g;
  bool input = (g->slot_flags[s] & (SLOT_PORT | SLOT_DRIVER)) == (SLOT_PORT | SLOT_DRIVER);
  if (input || g->slot_flags[s] & (SLOT_SEED | SLOT_CLOCK_SOURCE) || launches(g, s)) return true;
  if (q->x && exception_cut(q->x, s) & CUT_START) return true;
  const Constraints *c = g->constraints;
  return has_delay(c->input_delays.at, c->input_delays.len, g->slot_pin[s]);
}

static bool is_checked(const Search *q, Slot s)
{
  const Graph *g = q->g;
  bool output = g->slot_flags[s] & SLOT_PORT && !slot_is_driver(g, s);
  bool checked = g->slot_first_check[s + 1] > g->slot_first_check[s];
  bool has_rows = g->slot_first_row[s + 1] > g->slot_first_row[s];
  return output || checked || has_rows || (q->x && exception_cut(q->x, s) & CUT_END);
}

static bool ends_at(const Search *q, Slot s)
{
  const Constraints *c = q->g->constraints;
  PinId pin = q->g->slot_pin[s];
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

/* --- ways to an end ---------------------------------------------------------------------- */
/* Does data go on from slots to an end?  Not where nothing but clock networks lies behind them. */
enum { SEEN = 1, HAS_DELAY = 2 };
typedef struct {
  Search   ends;
  uint8_t *seen;                    /* [slots]: SEEN, HAS_DELAY */
  ARRAY(Slot) met;
  ARRAY(Slot) stack;
} Onward;

static void meet(Onward *o, Slot s)
{
  if (o->seen[s] & SEEN) return;
  o->seen[s] |= SEEN;
  array_push(&o->met, s);
  array_push(&o->stack, s);
}

static void meet_next(Onward *o, Slot s)
{
  const Graph *g = o->ends.g;
  for (uint32_t i = g->out_first[s]; i < g->out_first[s + 1]; i++) {
    ArcId a = g->out_arc[i];
    if (!arc_launches(g, a)) meet(o, g->arc_to[a]);
  }
  if (!slot_is_driver(g, s)) return;
  for (Slot l = g->load_first[s]; l < g->load_first[s] + g->load_count[s]; l++) meet(o, l);
  DriverExtras it = driver_extras(g, s);
  while (g->extra_wires.len && driver_extras_next(&it)) meet(o, g->extra_wires.at[it.index].load);
}

static void forget(Onward *o)
{
  for (uint32_t i = 0; i < o->met.len; i++) o->seen[o->met.at[i]] &= (uint8_t)~SEEN;
  array_clear(&o->met);
}

/* Depth first, as the first end that is found will do. */
static bool goes_on(Onward *o, Slot from)
{
  bool found = false;
  meet(o, from);
  while (o->stack.len && !found) {
    Slot s = o->stack.at[--o->stack.len];
    found = o->seen[s] & HAS_DELAY || is_checked(&o->ends, s);
    if (!found) meet_next(o, s);
  }
  if (found) forget(o);
  array_clear(&o->stack);
  return found;
}

/* Do paths pass a through point?  At a register's clock pin those that it launches do. */
static bool point_is_passed(Onward *o, const SlotPoint *p)
{
  return (!p->point.wire && launches(o->ends.g, p->slot)) || goes_on(o, p->slot);
}

static bool through_is_passed(Onward *o, uint32_t e, uint32_t index)
{
  const ExceptionIndex *x = o->ends.x;
  bool passed = false;
  for (uint32_t i = x->first_point[e]; i < x->first_point[e + 1] && !passed; i++) {
    const SlotPoint *p = &x->by_exception.at[i];
    if (p->point.index == index) passed = point_is_passed(o, p);
  }
  forget(o);
  return passed;
}

/* --- warnings ---------------------------------------------------------------------- */
static void put_object(const Graph *g, Object o, Text *out)
{
  switch (o.type) {
  case OBJ_CELL: text_put(out, "cell "), netlist_inst_name(g->netlist, o.id, '/', out); break;
  case OBJ_NET: text_put(out, "net "), netlist_seg_name(g->netlist, o.id, '/', out); break;
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

/* The command itself tells of hierarchical pins that no pin is behind. */
static bool is_told(const Graph *g, Object o)
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
  if (count == 1 && is_told(x->g, first)) return;
  if (count == 0) return;
  Text text = { 0 };
  text_printf(&text, "%s: -%s: ", exception_command(e), start ? "from" : "to");
  put_first_of(x->g, first, count, &text);
  text_printf(&text, " not where a path %s", start ? "starts" : "ends");
  log_warning_once_at(log, "GRAPH-020", where_of(x->g, e), text_get(&text));
  text_free(&text);
}

static void warn_through(Onward *o, uint32_t id, Log *log)
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

static Onward onward_new(const ExceptionIndex *x)
{
  const Graph *g = x->g;
  Onward o = { { g, x, false }, mem_alloc_zero((size_t)g->slot_count + 1, 1), { 0 }, { 0 } };
  for (uint32_t i = 0; i < g->constraints->output_delays.len; i++) {
    PinId pin = g->constraints->output_delays.at[i].pin;
    Slot s = pin == NO_PIN ? NO_SLOT : graph_slot(g, pin, false);
    if (s != NO_SLOT) o.seen[s] = HAS_DELAY;
  }
  return o;
}

void warn_vain_exceptions(const ExceptionIndex *x, Log *log)
{
  const Graph *g = x->g;
  if (g->constraints->exceptions.len == 0) return;
  Onward o = onward_new(x);
  for (uint32_t i = 0; i < g->constraints->exceptions.len; i++) {
    const Exception *e = &g->constraints->exceptions.at[i];
    if (!exception_counts(x, i)) continue;
    if (e->has_from) warn_point(x, e, true, log);
    if (e->has_to) warn_point(x, e, false, log);
    warn_through(&o, i, log);
  }
  mem_free(o.seen);
  array_free(&o.met);
  array_free(&o.stack);
}
