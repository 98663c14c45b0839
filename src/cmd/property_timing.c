/* Properties that need timing. */
#include <math.h>

#include "tclbind/property.h"
#include "tclbind/session_timing.h"
#include "timing/derived.h"
#include "timing/sigma.h"
#include "timing/slack.h"

#define GET(name) \
  static Status name(Session *s, Object o, const Property *row, PropertyValue *value)

static void put_number(PropertyValue *property_value, double value)
{
  property_value->missing = isnan(value);
  property_value->number = property_value->missing ? 0 : value;
}

/* --- times of pins ---------------------------------------------------------------------------- */
/* row->param: which value, then a mask of conditions of which the worst counts. */
enum { ARRIVAL, REQUIRED, SLACK, SLEW, ARRIVAL_MEAN, ARRIVAL_SIGMA };
#define PARAM(kind, conditions) ((kind) << 4 | (conditions))
enum { EARLY_RISE = 1, EARLY_FALL = 2, LATE_RISE = 4, LATE_FALL = 8 };

/* A pin's slot: the load side of inout pins; a hierarchical pin stands for a driver of its net. */
static Slot pin_slot(const Graph *g, PinId pin)
{
  const Netlist *n = g->netlist;
  if (!pin_is_hierarchical(n, pin)) return graph_slot(g, pin, false);
  NetId net = netlist_pin_net(n, pin);
  if (net == NO_NET) return NO_SLOT;
  NetPins it = net_pins(n, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = graph_slot(g, p, true);
    if (s != NO_SLOT && slot_is_driver(g, s)) return s;
  }
  return NO_SLOT;
}

/* The slew of the worst arrival. */
static double variation_of(const Timing *t, Slot slot, int kind, int k)
{
  double worst = NAN, value = NAN;
  for (NodeId n = t->g->nodes.first[slot]; n < t->g->nodes.first[slot + 1]; n++) {
    TagId tag = graph_node_tag(t->g, slot, n);
    if (time_absent(t->arrival[n].v[k]) || t->g->by_tag.is_bare[tag]) continue;
    double base = query_tag_time(t, tag), arrival = base + t->arrival[n].v[k];
    if (k >= 2 ? arrival <= worst : arrival >= worst) continue;
    worst = arrival;
    value = kind == ARRIVAL_SIGMA ? sqrt(timing_variance(t, n, k)) : base + timing_mean(t, n, k);
  }
  return value;
}

/* NAN if there is none. */
static double value_of(const Timing *t, Slot slot, int kind, int k)
{
  if (kind == SLEW) return t->slew[slot].v[k];
  if (kind == ARRIVAL_MEAN || kind == ARRIVAL_SIGMA) return variation_of(t, slot, kind, k);
  PinTime p = query_pin_time(t, slot, k);
  if (kind == ARRIVAL) return p.arrives ? p.arrival : NAN;
  if (!p.arrives) return NAN;
  if (kind == REQUIRED) return p.constrained ? p.required : k >= 2 ? INFINITY : -INFINITY;
  return p.constrained ? p.slack : INFINITY;
}

/* Slack and required of late, arrival and slew of early: the least counts. */
static bool least_counts(int kind, int k)
{
  return kind == SLACK || (kind == REQUIRED ? k >= 2 : k < 2 && kind != ARRIVAL_SIGMA);
}

static double worst_of(const Timing *t, Slot slot, int kind, int mask)
{
  double worst = NAN;
  for (int k = 0; k < CONDITION_COUNT && slot != NO_SLOT; k++) {
    if (!(mask >> k & 1)) continue;
    double x = value_of(t, slot, kind, k);
    if (isnan(worst) || (least_counts(kind, k) ? x < worst : x > worst)) worst = x;
  }
  return worst;
}

static Status failed(Timings *timings)
{
  array_free(timings);
  return FAILED;
}

/* The worst over all scenarios. */
GET(pin_time)
{
  int kind = row->param >> 4, mask = row->param & 15;
  Timings all = { 0 };
  if (session_timings(s, NULL, kind == REQUIRED || kind == SLACK, &all) != OK) return failed(&all);
  double worst = NAN;
  for (uint32_t i = 0; i < all.len; i++) {
    const Graph *g = all.at[i]->g;
    double x = worst_of(all.at[i], pin_slot(g, o.id), kind, mask);
    /* an inout pin that drives */
    if (isnan(x)) x = worst_of(all.at[i], graph_slot(g, o.id, true), kind, mask);
    int k = condition_of(mask & (LATE_RISE | LATE_FALL) ? LATE : EARLY, RISE);
    if (isnan(worst) || (least_counts(kind, k) ? x < worst : x > worst)) worst = x;
  }
  array_free(&all);
  put_number(value, worst / s->units.scale[UNIT_TIME]);
  return OK;
}

/* --- clocks at pins --------------------------------------------------------------------------- */
/* row->param: clocks in the clock network only, or launching edges of data as well. */
static void add_clocks(const Graph *g, Slot slot, bool network_only, PropertyValue *value)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag->clock_edge == NO_CLOCK_EDGE || tag_is_hidden(tag) || (network_only && !tag->is_clock))
      continue;
    Object clock = { OBJ_CLOCK, clock_edge_clock(tag->clock_edge) };
    bool known = false;
    for (uint32_t k = 0; k < value->objects.len; k++) known |= value->objects.at[k].id == clock.id;
    if (!known) array_push(&value->objects, clock);
  }
}

/* The worst of both sides of an inout pin. */
static void add_pin_clocks(const Graph *g, PinId pin, bool network_only, PropertyValue *value)
{
  Slot slots[2] = { pin_slot(g, pin), graph_slot(g, pin, true) };
  for (int k = 0; k < 2; k++)
    if (slots[k] != NO_SLOT) add_clocks(g, slots[k], network_only, value);
}

GET(pin_clocks)
{
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  add_pin_clocks(t->g, o.id, row->param, value);
  return OK;
}

GET(pin_is_clock)
{
  (void)row;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  add_pin_clocks(t->g, o.id, true, value);
  value->number = value->objects.len > 0;
  return OK;
}

GET(pin_constant)
{
  (void)row;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  Slot slot = pin_slot(t->g, o.id);
  value->missing = slot == NO_SLOT || t->g->slots.logic[slot] > 1;
  if (!value->missing) text_printf(&value->text, "%d", t->g->slots.logic[slot]);
  return OK;
}

GET(pin_is_constant)
{
  Status status = pin_constant(s, o, row, value);
  value->number = !value->missing;
  value->missing = false;
  text_clear(&value->text);
  return status;
}

/* --- nets ------------------------------------------------------------------------------------- */
enum { CAP_TOTAL, CAP_PINS, CAP_WIRE };

/* Late analysis, larger edge: the load that the net's drivers see. */
static double net_cap(const Timing *t, NetId net, int kind)
{
  const Graph *g = t->g;
  double total = NAN, of_seen = 0, pins[2] = { 0, 0 };
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot load = g->slots.of_pin[p], driver = graph_slot(g, p, true);
    if (load == NO_SLOT) continue;
    for (int edge = RISE; edge <= FALL; edge++) {
      if (!slot_is_driver(g, load))
        pins[edge] += timing_pin_cap(t, load).v[condition_of(LATE, edge)];
      if (!slot_is_driver(g, driver)) continue;
      double seen = t->nets.load_cap[graph_driver_index(g, driver)].v[condition_of(LATE, edge)];
      if (seen <= total) continue;
      total = seen;
      of_seen = timing_other_pins(t, driver, 0).v[condition_of(LATE, edge)];
      of_seen += timing_own_cap_seen(t, driver).v[condition_of(LATE, edge)];
    }
  }
  double of_pins = pins[RISE] > pins[FALL] ? pins[RISE] : pins[FALL];
  if (kind == CAP_PINS) return of_pins;
  if (isnan(total)) return kind == CAP_TOTAL ? of_pins : 0;
  return kind == CAP_TOTAL ? total : total - of_seen;
}

GET(net_capacitance)
{
  Timings all = { 0 };
  double most = NAN;
  if (session_timings(s, NULL, false, &all) != OK) return failed(&all);
  for (uint32_t i = 0; i < all.len; i++) {
    double cap = net_cap(all.at[i], s->netlist->segs.at[o.id].net, row->param);
    if (!(cap <= most)) most = cap;
  }
  array_free(&all);
  put_number(value, most / s->units.scale[UNIT_CAPACITANCE]);
  return OK;
}

GET(net_annotated)
{
  (void)row;
  const Parasitics *parasitics = s->parasitics[LATE];
  value->number = parasitics && parasitics_has(parasitics, s->netlist->segs.at[o.id].net);
  return OK;
}

/* --- design ----------------------------------------------------------------------------------- */
enum { WNS, TNS, WORST_SLACK, VIOLATIONS, END_POINTS };

/* For each endpoint, its worst slack over the scenarios. */
GET(design_slack)
{
  (void)o;
  Timings all = { 0 };
  if (session_slack_timings(s, NULL, &all) != OK) return failed(&all);
  SlackSummary k = query_slacks_of((const Timing *const *)all.at, all.len, row->param & 1);
  array_free(&all);
  double unit = s->units.scale[UNIT_TIME];
  switch (row->param >> 1) {
    case WNS: put_number(value, (k.worst < 0 ? k.worst : 0) / unit); break;
    case TNS: put_number(value, k.total / unit); break;
    case WORST_SLACK: put_number(value, k.worst / unit); break;
    case VIOLATIONS: value->number = k.violations; break;
    default: value->number = k.ends; break;
  }
  return OK;
}

GET(design_area)
{
  (void)o;
  (void)row;
  double area = 0;
  for (InstId i = 1; i < s->netlist->insts.len; i++) {
    const Inst *inst = &s->netlist->insts.at[i];
    if (inst_is_leaf(s->netlist, i) && !(inst->flags & INST_DELETED))
      area += s->libs->cells.at[inst->master].area;
  }
  value->number = area;
  return OK;
}

/* --- the table -------------------------------------------------------------------------------- */
#define TIMES(type, word, kind, help)                                                             \
  { type, word "_max_rise", PROP_NUMBER, pin_time, help ", late, rise", PARAM(kind, LATE_RISE) }, \
  { type, word "_max_fall", PROP_NUMBER, pin_time, help ", late, fall", PARAM(kind, LATE_FALL) }, \
  { type, word "_max", PROP_NUMBER, pin_time, help ", late, worst edge",                          \
      PARAM(kind, LATE_RISE | LATE_FALL) },                                                       \
  { type, word "_min_rise", PROP_NUMBER, pin_time, help ", early, rise",                          \
      PARAM(kind, EARLY_RISE) },                                                                  \
  { type, word "_min_fall", PROP_NUMBER, pin_time, help ", early, fall",                          \
      PARAM(kind, EARLY_FALL) },                                                                  \
  { type, word "_min", PROP_NUMBER, pin_time, help ", early, worst edge",                         \
      PARAM(kind, EARLY_RISE | EARLY_FALL) }

/* actual_...: the words of another family of timers. */
#define PINS(type)                                                                              \
  TIMES(type, "arrival", ARRIVAL, "worst arrival"),                                             \
  TIMES(type, "arrival_mean", ARRIVAL_MEAN, "mean of the worst arrival"),                       \
  TIMES(type, "arrival_sigma", ARRIVAL_SIGMA, "standard deviation of the worst arrival"),       \
  TIMES(type, "required", REQUIRED, "required time of the worst slack"),                        \
  TIMES(type, "slack", SLACK, "worst slack"),                                                   \
  TIMES(type, "slew", SLEW, "transition time"),                                                 \
  { type, "actual_rise_transition_max", PROP_NUMBER, pin_time, "transition time, late, rise",   \
      PARAM(SLEW, LATE_RISE) },                                                                 \
  { type, "actual_fall_transition_max", PROP_NUMBER, pin_time, "transition time, late, fall",   \
      PARAM(SLEW, LATE_FALL) },                                                                 \
  { type, "actual_rise_transition_min", PROP_NUMBER, pin_time, "transition time, early, rise",  \
      PARAM(SLEW, EARLY_RISE) },                                                                \
  { type, "actual_fall_transition_min", PROP_NUMBER, pin_time, "transition time, early, fall",  \
      PARAM(SLEW, EARLY_FALL) },                                                                \
  { type, "clocks", PROP_OBJECTS, pin_clocks, "clocks that arrive or that launch what arrives", \
      0 },                                                                                      \
  { type, "network_clocks", PROP_OBJECTS, pin_clocks, "clocks in whose network it is", 1 },     \
  { type, "is_clock", PROP_BOOL, pin_is_clock, "in a clock's network", 0 },                     \
  { type, "is_constant", PROP_BOOL, pin_is_constant, "has a constant logic value", 0 },         \
  { type, "logic_value", PROP_TEXT, pin_constant, "constant logic value: 0 or 1", 0 }

#define SLACKS(word, kind, what, help) \
  { OBJ_DESIGN, word "_max", kind, design_slack, help ", late", (what) << 1 | LATE }, \
  { OBJ_DESIGN, word "_min", kind, design_slack, help ", early", (what) << 1 | EARLY }

const Property properties_timing[] = {
  PINS(OBJ_PIN),
  PINS(OBJ_PORT),
  { OBJ_NET, "total_capacitance", PROP_NUMBER, net_capacitance,
    "what its driver sees: pins and wires, late", CAP_TOTAL },
  { OBJ_NET, "total_capacitance_max", PROP_NUMBER, net_capacitance,
    "what its driver sees: pins and wires, late", CAP_TOTAL },
  { OBJ_NET, "pin_capacitance", PROP_NUMBER, net_capacitance, "of its loads' pins, late",
    CAP_PINS },
  { OBJ_NET, "wire_capacitance", PROP_NUMBER, net_capacitance, "of its wires, late", CAP_WIRE },
  { OBJ_NET, "has_parasitics", PROP_BOOL, net_annotated, "parasitics were read for it", 0 },
  { OBJ_DESIGN, "area", PROP_NUMBER, design_area, "area of its leaf cells", 0 },
  SLACKS("wns", PROP_NUMBER, WNS, "worst negative slack"),
  SLACKS("tns", PROP_NUMBER, TNS, "total negative slack"),
  SLACKS("worst_slack", PROP_NUMBER, WORST_SLACK, "worst slack"),
  SLACKS("violations", PROP_INT, VIOLATIONS, "end points with negative slack"),
  SLACKS("endpoints", PROP_INT, END_POINTS, "end points with slack"),
  { 0 }
};
