/* Design rules: transitions, loads and fan-out against the limits of libraries and constraints.  Of
   several limits the strictest counts. */
#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/pool.h"
#include "query/constraint.h"

typedef struct { float most, least; } Range;          /* NAN: none */

static void at_most(Range *range, float x)
{
  if (!isnan(x) && (isnan(range->most) || x < range->most)) range->most = x;
}

static void at_least(Range *range, float x)
{
  if (!isnan(x) && (isnan(range->least) || x > range->least)) range->least = x;
}

static float first_given(float a, float b) { return isnan(a) ? b : a; }

/* The library whose defaults may limit a pin.  Black boxes have no library. */
static const Library *port_library(const Graph *g, PortId port)
{
  static const Library none = { .default_max_slew = NAN,
                                .default_max_cap = NAN,
                                .default_max_fanout = NAN,
                                .default_fanout_load = NAN };
  LibraryId library = g->libs->cells.at[g->libs->ports.at[port].cell].library;
  return library == NO_LIBRARY ? &none : &g->libs->libraries.at[library];
}

/* A limit at an output port or another load of a net is the net's, so its driver's. */
static void net_limits(const Timing *t, PinId driver, LimitKind limit,
                       void (*apply)(Range *, float), Range *range)
{
  const Netlist *n = t->g->netlist;
  NetId net = t->constraints->limits[limit].len ? netlist_pin_net(n, driver) : NO_NET;
  if (net == NO_NET) return;
  NetPins it = net_pins(n, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    if (p != driver && !netlist_pin_drives(n, p))
      apply(range,
            constraints_find_limit(t->constraints, limit,
                                   (Object){ pin_is_top_port(n, p) ? OBJ_PORT : OBJ_PIN, p }));
}

/* The limits that constraints give for a pin: for itself, its cell, the hierarchical cells around
   it, the design. */
static void given_limits(const Timing *t, PinId pin, LimitKind limit, void (*apply)(Range *, float),
                         Range *range)
{
  const Constraints *c = t->constraints;
  const Netlist *n = t->g->netlist;
  if (c->limits[limit].len == 0) return;
  bool is_port = pin_is_top_port(n, pin);
  apply(range, constraints_find_limit(c, limit, (Object){ is_port ? OBJ_PORT : OBJ_PIN, pin }));
  Object cell = { is_port ? OBJ_NONE : OBJ_CELL, n->pins.at[pin].inst };
  for (; cell.type != OBJ_NONE; cell = object_around(n, cell))
    apply(range, constraints_find_limit(c, limit, cell));
  apply(range, constraints_find_limit(c, limit, (Object){ OBJ_DESIGN, 0 }));
}

/* Returns the library pin whose limits apply: the pin's own, or that of the cell that drives an
   input port; NO_PORT: none. */
static PortId limiting_port(const Timing *t, PinId pin)
{
  PortId port = constraint_port(t, pin);
  if (port != NO_PORT || !pin_is_top_port(t->g->netlist, pin)) return port;
  const PortDrive *drive = constraints_find_drive(t->constraints, pin);
  static const int order[] = { LATE << 1 | RISE, LATE << 1 | FALL, EARLY << 1 | RISE,
                               EARLY << 1 | FALL };
  for (int i = 0; drive && i < CONDITION_COUNT; i++)
    if (drive->cell[order[i]] != NO_CELL && !(drive->no_design_rule >> order[i] & 1))
      return drive->to_port[order[i]];
  return NO_PORT;
}

/* Visits the larger and the smaller value of a pin against its limits. */
static void compare(const ConstraintVisit *visit, PinId pin, ConstraintKind most_kind,
                    ConstraintKind least_kind, const Range *limit, const double values[2],
                    const int edges[2])
{
  for (int least = 0; least < 2; least++) {
    ConstraintKind kind = least ? least_kind : most_kind;
    float x = least ? limit->least : limit->most;
    if (isnan(x) || !constraint_wanted(visit, kind)) continue;
    Constraint c = constraint_at(kind, pin);
    c.required = x;
    c.actual = values[least];
    c.slack = least ? values[least] - x : x - values[least];
    c.edge = (uint8_t)edges[least];
    visit->visit(visit->data, &c);
  }
}

typedef void LimitCheck(const ConstraintVisit *visit, PinId pin, Slot slot);

static void check_pins(const ConstraintVisit *visit, PinId from, PinId to, bool drivers_only,
                       LimitCheck *check)
{
  const Graph *g = visit->g;
  for (PinId p = from; p < to && !interrupt_seen(); p++) {
    if (g->slots.of_pin[p] == NO_SLOT || !constraint_pin_wanted(visit, p)) continue;
    Slot driver = graph_slot(g, p, true);
    bool drives = driver != NO_SLOT && slot_is_driver(g, driver);
    if (drives) check(visit, p, driver);
    else if (!drivers_only) check(visit, p, g->slots.of_pin[p]);
  }
}

/* --- violations, found by several threads ----------------------------------------------------- */
enum { PIN_NS = 60 };
typedef ARRAY(Constraint) Violations;

typedef struct {
  const ConstraintVisit *visit;
  bool        drivers_only;
  LimitCheck *check;
  Violations *found;                 /* by thread */
} Search;

static void keep_violation(void *data, const Constraint *constraint)
{
  if (constraint->slack < 0) array_push((Violations *)data, *constraint);
}

static void search_pins(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Search *search = context;
  ConstraintVisit v = *search->visit;
  (void)step;
  v.visit = keep_violation;
  v.data = &search->found[thread];
  check_pins(&v, from, to, search->drivers_only, search->check);
}

static int by_pin(const void *pa, const void *pb)
{
  const Constraint *a = pa, *b = pb;
  if (a->pin != b->pin) return a->pin < b->pin ? -1 : 1;
  return (a->kind > b->kind) - (a->kind < b->kind);
}

/* Visits them in the order of pins, whoever found them. */
static void each_violation(const ConstraintVisit *visit, bool drivers_only, LimitCheck *check)
{
  int threads = visit->t->threads > 1 ? visit->t->threads : 1;
  Search s = { visit, drivers_only, check, mem_alloc_zero((size_t)threads, sizeof *s.found) };
  Violations all = { 0 };
  pool_items(visit->g->netlist->pins.len, PIN_NS, threads, search_pins, &s);
  for (int i = 0; i < threads; i++) {
    for (uint32_t k = 0; k < s.found[i].len; k++) array_push(&all, s.found[i].at[k]);
    array_free(&s.found[i]);
  }
  if (all.len) qsort(all.at, all.len, sizeof *all.at, by_pin);
  for (uint32_t i = 0; i < all.len; i++) visit->visit(visit->data, &all.at[i]);
  array_free(&all);
  mem_free(s.found);
}

static void each_pin(const ConstraintVisit *visit, bool drivers_only, LimitCheck *check)
{
  if (visit->query->violated) each_violation(visit, drivers_only, check);
  else check_pins(visit, 0, visit->g->netlist->pins.len, drivers_only, check);
}

/* --- transitions ------------------------------------------------------------------------------ */
/* Limits of clocks: in their networks, and on the paths that they launch; of one edge. */
static void clock_limits(const Timing *t, Slot slot, int edge, Range *range)
{
  const Graph *g = t->g;
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag->clock_edge == NO_CLOCK_EDGE || tag_is_hidden(tag)) continue;
    const Clock *clock = &t->constraints->clocks.at[clock_edge_clock(tag->clock_edge)];
    at_most(range, tag->is_clock ? clock->max_slew_clock[edge] : clock->max_slew_data[edge]);
  }
}

static Range slew_range(const Timing *t, PinId pin)
{
  Range r = { NAN, NAN };
  PortId port = limiting_port(t, pin);
  given_limits(t, pin, LIMIT_MAX_SLEW, at_most, &r);
  if (port == NO_PORT) return r;
  const LibPort *lib_port = &t->g->libs->ports.at[port];
  at_most(&r, first_given(lib_port->max_slew, port_library(t->g, port)->default_max_slew));
  at_least(&r, lib_port->min_slew);
  return r;
}

/* Edges have limits of their own where clocks have; the worse one is the pin's. */
static void check_slew(const ConstraintVisit *visit, PinId pin, Slot slot)
{
  const Timing *t = visit->t;
  const uint16_t ideal = SLOT_IDEAL | SLOT_CONSTANT;
  if (t->g->slots.flags[slot] & ideal) return;
  Range all = slew_range(t, pin), worst = { NAN, all.least };
  double values[2] = { 0, INFINITY };
  int edges[2] = { RISE, RISE };
  for (int edge = RISE; edge <= FALL; edge++) {
    Range r = all;
    clock_limits(t, slot, edge, &r);
    float late = t->slew[slot].v[condition_of(LATE, edge)],
          early = t->slew[slot].v[condition_of(EARLY, edge)];
    if (!isnan(r.most) && (isnan(worst.most) || r.most - late < worst.most - values[0])) {
      worst.most = r.most;
      values[0] = late;
      edges[0] = edge;
    }
    if (early < values[1]) {
      values[1] = early;
      edges[1] = edge;
    }
  }
  compare(visit, pin, CONSTRAINT_MAX_SLEW, CONSTRAINT_MIN_SLEW, &worst, values, edges);
}

void query_slew_limits(const ConstraintVisit *visit)
{
  if (constraint_wanted(visit, CONSTRAINT_MAX_SLEW)
      || constraint_wanted(visit, CONSTRAINT_MIN_SLEW))
    each_pin(visit, false, check_slew);
}

/* --- loads ------------------------------------------------------------------------------------ */
static void check_load(const ConstraintVisit *visit, PinId pin, Slot slot)
{
  const Timing *t = visit->t;
  Range r = { NAN, NAN };
  PortId port = limiting_port(t, pin);
  if (port != NO_PORT) {
    at_most(&r, first_given(t->g->libs->ports.at[port].max_cap,
                            port_library(t->g, port)->default_max_cap));
    at_least(&r, t->g->libs->ports.at[port].min_cap);
  }
  given_limits(t, pin, LIMIT_MAX_CAP, at_most, &r);
  given_limits(t, pin, LIMIT_MIN_CAP, at_least, &r);
  net_limits(t, pin, LIMIT_MAX_CAP, at_most, &r);
  net_limits(t, pin, LIMIT_MIN_CAP, at_least, &r);
  const Cond4 *cap = &t->nets.load_cap[graph_driver_index(t->g, slot)];
  double values[2] = { -INFINITY, INFINITY };
  int edges[2] = { RISE, RISE };
  for (int edge = RISE; edge <= FALL; edge++) {
    float late = cap->v[condition_of(LATE, edge)], early = cap->v[condition_of(EARLY, edge)];
    if (late > values[0]) edges[0] = edge;
    if (early < values[1]) edges[1] = edge;
    values[0] = fmax(values[0], late);
    values[1] = fmin(values[1], early);
  }
  compare(visit, pin, CONSTRAINT_MAX_CAP, CONSTRAINT_MIN_CAP, &r, values, edges);
}

void query_load_limits(const ConstraintVisit *visit)
{
  if (constraint_wanted(visit, CONSTRAINT_MAX_CAP) || constraint_wanted(visit, CONSTRAINT_MIN_CAP))
    each_pin(visit, true, check_load);
}

/* --- fan-out ---------------------------------------------------------------------------------- */
static double load_of_pin(const Timing *t, PinId pin)
{
  const Graph *g = t->g;
  PortId port = constraint_port(t, pin);
  float load = NAN;
  if (port != NO_PORT) {
    load = first_given(g->libs->ports.at[port].fanout_load,
                       port_library(g, port)->default_fanout_load);
  } else {
    const PortLoad *port_load = constraints_find_port_load(t->constraints, pin);
    load = constraints_find_limit(t->constraints, LIMIT_FANOUT_LOAD, (Object){ OBJ_PORT, pin });
    if (port_load) load = first_given(load, port_load->fanout_number[LATE]);
  }
  return isnan(load) ? 1 : load;
}

double query_fanout_load(const Timing *t, Slot driver)
{
  const Graph *g = t->g;
  NetId net = netlist_pin_net(g->netlist, g->slots.pin[driver]);
  double sum = 0;
  if (net == NO_NET) return 0;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = g->slots.of_pin[p];
    if (s != NO_SLOT && !slot_is_driver(g, s) && p != g->slots.pin[driver])
      sum += load_of_pin(t, p);
  }
  return sum;
}

static void check_fanout(const ConstraintVisit *visit, PinId pin, Slot slot)
{
  const Timing *t = visit->t;
  Range r = { NAN, NAN };
  PortId port = limiting_port(t, pin);
  if (port != NO_PORT) {
    at_most(&r, first_given(t->g->libs->ports.at[port].max_fanout,
                            port_library(t->g, port)->default_max_fanout));
    at_least(&r, t->g->libs->ports.at[port].min_fanout);
  }
  given_limits(t, pin, LIMIT_MAX_FANOUT, at_most, &r);
  net_limits(t, pin, LIMIT_MAX_FANOUT, at_most, &r);
  if (isnan(r.most) && isnan(r.least)) return;
  double fanout = query_fanout_load(t, slot), values[2] = { fanout, fanout };
  int edges[2] = { RISE, RISE };
  compare(visit, pin, CONSTRAINT_MAX_FANOUT, CONSTRAINT_MIN_FANOUT, &r, values, edges);
}

void query_fanout_limits(const ConstraintVisit *visit)
{
  if (constraint_wanted(visit, CONSTRAINT_MAX_FANOUT)
      || constraint_wanted(visit, CONSTRAINT_MIN_FANOUT))
    each_pin(visit, true, check_fanout);
}
