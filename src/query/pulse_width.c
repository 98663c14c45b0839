/* Clocks at the pins that they reach: widths of pulses, periods, skews between two pins of a
   cell. */
#include <math.h>

#include "base/interrupt.h"
#include "timing/credit.h"
#include "timing/derived.h"
#include "timing/scaling.h"
#include "graph/clocks/clocks.h"
#include "query/constraint.h"
#include "query/fan.h"
#include "timing/slack.h"

/* Arrival of a clock tag's edge at a slot, relative to the tag's clock edge; of an ideal clock its
   latency.  NAN where that edge does not arrive. */
static double clock_arrival(const Timing *t, Slot slot, uint32_t index, int edge, int early_late)
{
  const Graph *g = t->g;
  TagId tag = tag_set_tags(g->tags, g->nodes.slot_tags[slot])[index];
  NodeId node = g->nodes.first[slot] + index;
  if (!(g->nodes.edges[node] >> edge & 1)) return NAN;
  if (g->by_tag.is_ideal[tag]) return timing_ideal_latency(t, tag, condition_of(early_late, edge));
  float a = t->arrival[node].v[condition_of(early_late, edge)];
  return time_absent(a) ? NAN : a;
}

static const Tag *tag_at(const Graph *g, Slot slot, uint32_t index)
{
  return &g->tags->tags.at[tag_set_tags(g->tags, g->nodes.slot_tags[slot])[index]];
}

static uint32_t tags_at(const Graph *g, Slot slot)
{
  return tag_set_count(g->tags, g->nodes.slot_tags[slot]);
}

/* --- widths ----------------------------------------------------------------------------------- */
/* The width that constraints give for a pin: for itself, its cell, the cells around it; NAN:
   none. */
static float named_width(const Timing *t, PinId pin, LimitKind limit)
{
  const Netlist *n = t->g->netlist;
  bool is_port = pin_is_top_port(n, pin);
  float x =
      constraints_find_limit(t->constraints, limit, (Object){ is_port ? OBJ_PORT : OBJ_PIN, pin });
  for (InstId i = is_port ? NO_INST : n->pins.at[pin].inst; isnan(x) && i != NO_INST;
       i = n->insts.at[i].parent)
    x = constraints_find_limit(t->constraints, limit, (Object){ OBJ_CELL, i });
  return x;
}

/* The same of a clock's pulse there, and then of the clock, of the design; NAN. */
static float given_width(const Timing *t, PinId pin, ClockId clock, LimitKind limit)
{
  float x = named_width(t, pin, limit);
  if (isnan(x)) x = constraints_find_limit(t->constraints, limit, (Object){ OBJ_CLOCK, clock });
  return isnan(x) ? constraints_find_limit(t->constraints, limit, (Object){ OBJ_DESIGN, 0 }) : x;
}

float query_pin_limit(const Timing *t, Slot slot, PinId pin, PinLimit which)
{
  PortId id = constraint_port(t, pin);
  const LibPort *port = id == NO_PORT ? NULL : &t->g->libs->ports.at[id];
  const Override *override =
      t->overrides ? overrides_find(&t->overrides->limits, slot, which) : NULL;
  int kind = which == PIN_WIDTH_HIGH  ? SCALE_PULSE + RISE
             : which == PIN_WIDTH_LOW ? SCALE_PULSE + FALL
                                      : SCALE_PERIOD;
  float x = port == NULL              ? NAN
            : which == PIN_WIDTH_HIGH ? port->min_pulse_high
            : which == PIN_WIDTH_LOW  ? port->min_pulse_low
                                      : port->min_period;
  if (port) x *= scaling_limit_factor(t, slot, id, LATE, kind);
  if (override == NULL) return x;
  return override->add && !isnan(x) ? x + override->value : override->value;
}

/* despite: reasons for being off that do not matter, ARC_OFF_... */
static float pin_limit(const Timing *t, Slot slot, PinId pin, PinLimit which, uint8_t despite)
{
  bool off = t->g->slots.flags[slot] & SLOT_UNLIMITED && !(despite & ARC_OFF_DISABLED);
  return off ? NAN : query_pin_limit(t, slot, pin, which);
}

static bool check_limits(const Check *check, ArcType type, uint8_t despite)
{
  return check->type == type && !(check->off & ~despite);
}
static bool limits_edge(const Check *check, int edge) { return !(check->off_edges >> edge & 1); }

/* Returns the larger limit of the pin itself and its arcs; NAN: none. */
static float library_width(const Timing *t, Slot slot, PinId pin, int open_edge, uint8_t despite)
{
  const Graph *g = t->g;
  float width =
      pin_limit(t, slot, pin, open_edge == RISE ? PIN_WIDTH_HIGH : PIN_WIDTH_LOW, despite);
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    float margin;
    if (!check_limits(check, ARC_MIN_PULSE_WIDTH, despite) || !limits_edge(check, open_edge))
      continue;
    if (!timing_check_margin(t, check, open_edge, LATE, &margin)) continue;
    if (isnan(width) || margin > width) width = margin;
  }
  return width;
}

/* Constraints of clocks and design hold at registers; those of pins and cells, and the library's,
   where they are. */
static bool is_clocked_pin(const Timing *t, Slot slot, PinId pin)
{
  const Graph *g = t->g;
  PortId port = constraint_port(t, pin);
  return g->slots.flags[slot] & SLOT_CLOCK_PIN
         || (port != NO_PORT && g->libs->ports.at[port].is_clock);
}

/* The common part of two clock paths, which cannot be late and early at once. */
static double clock_credit(const Timing *t, Slot slot, uint32_t index, Slot other_slot,
                           uint32_t other)
{
  const Graph *g = t->g;
  return common_leaf_credit(t, common_leaf(t, slot, g->nodes.first[slot] + index),
                            common_leaf(t, other_slot, g->nodes.first[other_slot] + other));
}

/* How much the bounds of a source latency may move two edges of a clock against each other where
   early and late are two chips. */
static double source_bounds(const Graph *g, const Tag *tag, int side)
{
  return fabs(clock_capture_shift(g, tag->clock_edge, graph_pin_values(g, tag)->source, side));
}

/* The pulse that a clock tag's edge opens and the opposite edge of the same clock closes.  The
   closing edge is of the same chip as the opening one, which with on-chip variation may be late
   and early at once.  Where early and late are two chips, the source's bounds still let it open
   late and close early: on the slow chip it opens late, and the other bound closes it; on the
   fast one it closes early, and the other bound opens it. */
typedef struct {
  Slot     slot;
  uint32_t opening, closing;   /* tags */
  int      edge, side;         /* that opens; the analysis (EARLY, LATE) of its arrival */
} Pulse;

static void take_pulse(const Timing *t, const Pulse *pulse, Constraint *worst)
{
  const Graph *g = t->g;
  const Tag *tag = tag_at(g, pulse->slot, pulse->opening);
  double start = clock_edge_time(t->constraints, tag->clock_edge),
         between = clock_pulse_width(t->constraints, tag->clock_edge);
  double open = clock_arrival(t, pulse->slot, pulse->opening, pulse->edge, pulse->side);
  double close = clock_arrival(t, pulse->slot, pulse->closing, !pulse->edge,
                               graph_capture_side(g, pulse->side));
  if (pulse->side == LATE) close -= source_bounds(g, tag_at(g, pulse->slot, pulse->closing), LATE);
  else open += source_bounds(g, tag, EARLY);
  if (isnan(open) || isnan(close)) return;
  float given = given_width(t, worst->pin, clock_edge_clock(tag->clock_edge),
                            pulse->edge == RISE ? LIMIT_PULSE_HIGH : LIMIT_PULSE_LOW);
  double required = isnan(given) ? worst->required : given;
  double credit = clock_credit(t, pulse->slot, pulse->opening, pulse->slot, pulse->closing),
         width = between + close - open + credit;
  if (isnan(required) || (worst->clock != NO_CLOCK && width - required >= worst->slack)) return;
  worst->clock = clock_edge_clock(tag->clock_edge);
  worst->actual = width;
  worst->credit = credit;
  worst->close = start + between + close;
  worst->open = start + open;
  worst->slack = width - required;
}

static void pulse(const ConstraintVisit *visit, Slot slot, uint32_t opening, int edge,
                  Constraint *worst)
{
  const Graph *g = visit->g;
  const Tag *tag = tag_at(g, slot, opening);
  bool two_chips = visit->t->constraints->analysis != ANALYSIS_ON_CHIP;
  for (uint32_t i = 0; tag_is_clock(tag) && i < tags_at(g, slot); i++) {
    const Tag *other = tag_at(g, slot, i);
    if (!tag_is_clock(other) || other->clock_edge != (tag->clock_edge ^ 1)) continue;
    for (int side = LATE; side >= (two_chips ? EARLY : LATE); side--)
      take_pulse(visit->t, &(Pulse){ slot, opening, i, edge, side }, worst);
  }
}

static void pin_pulse(const ConstraintVisit *visit, Slot slot, PinId pin, int edge)
{
  const Timing *t = visit->t;
  float library = library_width(t, slot, pin, edge, 0);
  LimitKind limit = edge == RISE ? LIMIT_PULSE_HIGH : LIMIT_PULSE_LOW;
  bool given = t->constraints->limits[limit].len
               && (is_clocked_pin(t, slot, pin) || !isnan(named_width(t, pin, limit)));
  if (isnan(library) && !given) return;
  Constraint worst = constraint_at(CONSTRAINT_PULSE_WIDTH, pin);
  worst.required = library;
  worst.edge = (uint8_t)edge;
  for (uint32_t i = 0; i < tags_at(visit->g, slot); i++) pulse(visit, slot, i, edge, &worst);
  if (worst.clock == NO_CLOCK) return;
  worst.required = worst.actual - worst.slack;
  visit->visit(visit->data, &worst);
}

static bool has_clock(const Graph *g, Slot slot)
{
  for (uint32_t i = 0; i < tags_at(g, slot); i++)
    if (tag_is_clock(tag_at(g, slot, i))) return true;
  return false;
}

void query_pulse_widths(const ConstraintVisit *visit)
{
  for (PinId p = 0; p < visit->g->netlist->pins.len && !interrupt_seen(); p++) {
    Slot slot = graph_arriving_slot(visit->g, p);
    if (slot == NO_SLOT || !constraint_pin_wanted(visit, p) || !has_clock(visit->g, slot)) continue;
    for (int edge = RISE; edge <= FALL; edge++) pin_pulse(visit, slot, p, edge);
  }
}

/* --- periods ---------------------------------------------------------------------------------- */
static float library_period(const Timing *t, Slot slot, PinId pin, uint8_t despite)
{
  const Graph *g = t->g;
  float period = pin_limit(t, slot, pin, PIN_PERIOD, despite);
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    for (int edge = RISE; edge <= FALL; edge++) {
      float margin;
      if (!check_limits(check, ARC_MIN_PERIOD, despite) || !limits_edge(check, edge)) continue;
      if (!timing_check_margin(t, check, edge, LATE, &margin)) continue;
      if (isnan(period) || margin > period) period = margin;
    }
  }
  return period;
}

/* Among several clocks, the one with the shortest period counts. */
static void pin_period(const ConstraintVisit *visit, Slot slot, PinId pin)
{
  const Graph *g = visit->g;
  float least = library_period(visit->t, slot, pin, 0);
  Constraint c = constraint_at(CONSTRAINT_MIN_PERIOD, pin);
  if (isnan(least)) return;
  for (uint32_t i = 0; i < tags_at(g, slot); i++) {
    const Tag *tag = tag_at(g, slot, i);
    if (!tag_is_clock(tag)) continue;
    double period = clock_edge_period(visit->t->constraints, tag->clock_edge);
    if (c.clock != NO_CLOCK && period >= c.actual) continue;
    c.clock = clock_edge_clock(tag->clock_edge);
    c.actual = period;
  }
  if (c.clock == NO_CLOCK) return;
  c.required = least;
  c.slack = c.actual - c.required;
  visit->visit(visit->data, &c);
}

void query_min_periods(const ConstraintVisit *visit)
{
  for (PinId p = 0; p < visit->g->netlist->pins.len && !interrupt_seen(); p++) {
    Slot slot = graph_arriving_slot(visit->g, p);
    if (slot != NO_SLOT && constraint_pin_wanted(visit, p) && has_clock(visit->g, slot))
      pin_period(visit, slot, p);
  }
}

/* --- skews ------------------------------------------------------------------------------------ */
/* From the reference's clock edge to the nearest edge of the other clock. */
static double nearest_edge(const Constraints *c, ClockEdge from, ClockEdge to)
{
  EdgeDistance d = clock_edge_distance(c, from, to);
  return -d.hold < d.setup ? d.hold : d.setup;
}

/* Two clock pins of a check: slots and tags, and from the reference's edge to the pin's nearest
   one. */
typedef struct {
  const Check *check;
  uint32_t reference, pin;
  double   base, between, credit;
} Skew;

/* Both pins are of one chip, where the later one may have the late bound of its source latency
   and the other one the early bound, unless one edge at the source makes both: what the bounds
   move the reference (r) or the pin (a), after which the pin comes or not. */
static void move_by_bounds(const Timing *t, const Skew *skew, bool late, int side, double *r,
                           double *a)
{
  const Graph *g = t->g;
  const Tag *reference = tag_at(g, skew->check->clock, skew->reference);
  const Tag *pin = tag_at(g, skew->check->data, skew->pin);
  Slot from = graph_pin_values(g, reference)->source,
       to = graph_pin_values(g, pin)->source;
  if (fabs(skew->between) < 1e-6
      && clock_share_source(g, reference->clock_edge, from, pin->clock_edge, to, side))
    return;
  bool moves_reference = (side == LATE) == late;
  double bounds = source_bounds(g, moves_reference ? reference : pin, side);
  *(moves_reference ? r : a) += side == LATE ? -bounds : bounds;
}

/* late: the pin after the reference; sides of their arrivals. */
static void take_skew(const Timing *t, const Skew *the_skew, bool late, const int sides[2],
                      Constraint *worst)
{
  const Check *check = the_skew->check;
  double r = clock_arrival(t, check->clock, the_skew->reference, check->clock_edge, sides[0]),
         a = clock_arrival(t, check->data, the_skew->pin, worst->edge, sides[1]);
  move_by_bounds(t, the_skew, late, sides[1], &r, &a);
  double skew = (late ? the_skew->between + a - r : r - a - the_skew->between) - the_skew->credit;
  if (isnan(skew) || (worst->clock != NO_CLOCK && skew <= worst->actual)) return;
  worst->clock = clock_edge_clock(tag_at(t->g, check->data, the_skew->pin)->clock_edge);
  worst->actual = skew;
  worst->credit = the_skew->credit;
  worst->open = the_skew->base + r;
  worst->close = the_skew->base + the_skew->between + a;
}

/* The larger of late pin after early reference, and late reference after early pin; of one chip
   where early and late are two. */
static void skew_between(const ConstraintVisit *visit, const Check *check, uint32_t reference,
                         uint32_t at, Constraint *worst)
{
  const Timing *t = visit->t;
  const Constraints *constraints = t->constraints;
  ClockEdge ref_clock = tag_at(visit->g, check->clock, reference)->clock_edge,
            clock = tag_at(visit->g, check->data, at)->clock_edge;
  if (clocks_exclusive(constraints, clock_edge_clock(ref_clock), clock_edge_clock(clock))) return;
  Skew s = { check,
             reference,
             at,
             clock_edge_time(constraints, ref_clock),
             nearest_edge(constraints, ref_clock, clock),
             clock_credit(t, check->clock, reference, check->data, at) };
  for (int side = EARLY; side <= LATE; side++) {
    int sides[2] = { graph_capture_side(visit->g, side), side };
    take_skew(t, &s, side == LATE, sides, worst);
    if (sides[0] == side) take_skew(t, &s, side == EARLY, sides, worst);
  }
}

static void check_skew(const ConstraintVisit *visit, const Check *check, int edge)
{
  const Graph *g = visit->g;
  float limit;
  if (!limits_edge(check, edge) || !timing_check_margin(visit->t, check, edge, LATE, &limit))
    return;
  Constraint worst = constraint_at(CONSTRAINT_MAX_SKEW, g->slots.pin[check->data]);
  worst.reference = g->slots.pin[check->clock];
  worst.reference_edge = check->clock_edge;
  worst.edge = (uint8_t)edge;
  for (uint32_t r = 0; r < tags_at(g, check->clock); r++)
    for (uint32_t i = 0; i < tags_at(g, check->data) && tag_is_clock(tag_at(g, check->clock, r));
         i++)
      if (tag_is_clock(tag_at(g, check->data, i))) skew_between(visit, check, r, i, &worst);
  if (worst.clock == NO_CLOCK) return;
  worst.required = limit;
  worst.slack = limit - worst.actual;
  visit->visit(visit->data, &worst);
}

void query_max_skews(const ConstraintVisit *visit)
{
  const Graph *g = visit->g;
  for (PinId p = 0; p < g->netlist->pins.len && !interrupt_seen(); p++) {
    Slot slot = g->slots.of_pin[p];
    if (slot == NO_SLOT || !constraint_pin_wanted(visit, p)) continue;
    for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
      const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
      for (int edge = RISE; edge <= FALL && check->type == ARC_SKEW && !check->off; edge++)
        check_skew(visit, check, edge);
    }
  }
}

static bool has_skew(const Graph *g, Slot slot, uint8_t despite)
{
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++)
    if (check_limits(&g->ends.checks.at[g->ends.check_order[i]], ARC_SKEW, despite)) return true;
  return false;
}

uint32_t query_clock_limits(const Timing *t, Slot slot, PinId pin, uint8_t despite)
{
  return (isnan(library_width(t, slot, pin, RISE, despite)) ? 0u : 1u)
         | (isnan(library_width(t, slot, pin, FALL, despite)) ? 0u : 2u)
         | (isnan(library_period(t, slot, pin, despite)) ? 0u : 4u)
         | (has_skew(t->g, slot, despite) ? 8u : 0u);
}
