/* Tells whether constraints name an object, which an optimizer must then keep. See named.h. */
#include "optimize/named.h"

#include <math.h>

/* What is looked for: a cell with its pins, or a net. */
typedef struct {
  const Netlist *n;
  InstId inst;                 /* NO_INST: a net */
  NetId  net;
} Sought;

static bool is_pin(const Sought *s, PinId pin)
{
  return s->inst != NO_INST && pin != NO_PIN && s->n->pins.at[pin].inst == s->inst;
}

static bool is_object(const Sought *s, Object o)
{
  switch (o.type) {
  case OBJ_PIN:
  case OBJ_PORT: return is_pin(s, o.id);
  case OBJ_CELL: return o.id == s->inst;
  case OBJ_NET:  return s->net != NO_NET && s->n->segs.at[o.id].net == s->net;
  default:       return false;
  }
}

#define ANY(array, test)                                   \
  for (uint32_t i = 0; i < (array).len; i++)               \
    if (test) return true

/* --- a function for each array of CONSTRAINT_ARRAYS: does a record name what is sought? ------- */
static bool clocks_name(const Sought *s, const Clock *k)
{
  if (k->deleted) return false;
  ANY(k->sources, is_pin(s, k->sources.at[i]));
  return k->generated && is_pin(s, k->master_pin);
}

static bool port_delay_names(const Sought *s, const PortDelay *d)
{
  return is_pin(s, d->pin) || is_pin(s, d->reference_pin);
}

static bool input_delays_name(const Sought *s, const PortDelay *d)
{
  return port_delay_names(s, d);
}

static bool output_delays_name(const Sought *s, const PortDelay *d)
{
  return port_delay_names(s, d);
}

static bool net_loads_name(const Sought *s, const NetLoad *l)
{
  return s->net != NO_NET && l->net == s->net && constraints_gives_wires(l);
}

static bool point_names(const Sought *s, const ExceptionPoint *p)
{
  ANY(p->objects, is_object(s, p->objects.at[i]));
  return false;
}

static bool exceptions_name(const Sought *s, const Exception *x)
{
  if (x->deleted) return false;
  if (point_names(s, &x->from) || point_names(s, &x->to)) return true;
  ANY(x->through, point_names(s, &x->through.at[i]));
  return false;
}

/* Is there a value? A record may stay after its last value is removed. */
static bool any(const float *values, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!isnan(values[i])) return true;
  return false;
}
#define ANY_VALUE(array) any((const float *)(array), sizeof(array) / sizeof(float))

static bool clock_pins_name(const Sought *s, const ClockPin *p)
{
  return is_pin(s, p->pin)
         && (p->propagated || ANY_VALUE(p->source_latency) || ANY_VALUE(p->network_latency)
             || ANY_VALUE(p->uncertainty));
}

static bool object_value_names(const Sought *s, const ObjectValue *v)
{
  return !isnan(v->value) && is_object(s, v->object);
}

static bool time_borrow_name(const Sought *s, const ObjectValue *v)
{
  return object_value_names(s, v);
}

static bool limits_name(const Sought *s, const ObjectValue *v)
{
  return object_value_names(s, v);
}

static bool data_checks_name(const Sought *s, const DataCheck *d)
{
  return ANY_VALUE(d->margin) && (is_pin(s, d->from) || is_pin(s, d->to));
}

static bool ideal_pins_name(const Sought *s, const IdealPin *p)
{
  return is_pin(s, p->pin) && (ANY_VALUE(p->latency) || ANY_VALUE(p->slew));
}

static bool gating_checks_name(const Sought *s, const GatingCheck *g)
{
  return (ANY_VALUE(g->margin) || g->level >= 0) && is_object(s, g->object);
}

static bool derates_name(const Sought *s, const Derate *d)
{
  return ANY_VALUE(d->factor) && is_object(s, d->object);
}

static bool pvts_name(const Sought *s, const InstPvt *p)
{
  return s->inst != NO_INST && p->inst == s->inst
         && (ANY_VALUE(p->process) || ANY_VALUE(p->voltage) || ANY_VALUE(p->temperature));
}

#define BY_PIN(array, Record)                                                              \
  static bool array##_name(const Sought *s, const Record *r) { return is_pin(s, r->pin); }
#define BY_OBJECT(array, Record)                                                                 \
  static bool array##_name(const Sought *s, const Record *r) { return is_object(s, r->object); }
/* No record of the array names a leaf cell, its pins or a net by its id. */
#define NAMES_NONE(array, Record)                                                              \
  static bool array##_name(const Sought *s, const Record *r) { return (void)s, (void)r, false; }

BY_PIN(senses, ClockSense)
BY_PIN(cases, PinCase)
BY_PIN(ideal_sources, IdealSource)
BY_OBJECT(disabled, DisabledTiming)
BY_OBJECT(gating_disabled, GatingDisabled)
NAMES_NONE(drives, PortDrive)                /* ports of the design */
NAMES_NONE(port_loads, PortLoad)
NAMES_NONE(wire_load_choices, WireLoadChoice)   /* the design, blocks, ports */
NAMES_NONE(inter_uncertainties, InterUncertainty)
NAMES_NONE(clock_groups, ClockGroups)
NAMES_NONE(net_voltages, NetVoltage)         /* supplies, by name */
NAMES_NONE(clocks_elsewhere, PinId)          /* clocks of another mode, which name the pin there */
NAMES_NONE(kept, KeptCommand)
NAMES_NONE(crossed_pairs, CrossedPair)
NAMES_NONE(commands, Said)

/* A new array without a function above does not compile. */
#define IN_ONE(type, array, owns, counts) ANY(c->array, array##_name(s, &c->array.at[i]));
#define IN_SEVERAL(type, array, number, owns, counts) \
  for (int k = 0; k < (number); k++) ANY(c->array[k], array##_name(s, &c->array[k].at[i]));

static bool in_constraints(const Sought *s, const Constraints *c)
{
  CONSTRAINT_ARRAYS(IN_ONE, IN_SEVERAL)
  return false;
}

static bool is_named(const ScenarioSet *set, const Sought *s)
{
  for (ModeId m = 0; m < set->modes.len; m++) {
    const Constraints *c = set->modes.at[m].constraints;
    if (c && in_constraints(s, c)) return true;
  }
  return false;
}

bool constraints_name_inst(const ScenarioSet *set, const Netlist *n, InstId inst)
{
  return is_named(set, &(Sought){ n, inst, NO_NET });
}

bool constraints_name_net(const ScenarioSet *set, const Netlist *n, NetId net)
{
  return is_named(set, &(Sought){ n, NO_INST, net });
}
