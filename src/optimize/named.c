/* Tells whether constraints name an object, which an optimizer must then keep. See named.h. */
#include "optimize/named.h"

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

static bool in_clock(const Sought *s, const Clock *k)
{
  if (k->deleted) return false;
  ANY(k->sources, is_pin(s, k->sources.at[i]));
  return k->generated && is_pin(s, k->master_pin);
}

static bool in_clocks(const Sought *s, const Constraints *c)
{
  ANY(c->clocks, in_clock(s, &c->clocks.at[i]));
  ANY(c->clock_pins, is_pin(s, c->clock_pins.at[i].pin));
  ANY(c->senses, is_pin(s, c->senses.at[i].pin));
  return false;
}

static bool in_delays(const Sought *s, const Constraints *c)
{
  ANY(c->input_delays, is_pin(s, c->input_delays.at[i].pin)
      || is_pin(s, c->input_delays.at[i].reference_pin));
  ANY(c->output_delays, is_pin(s, c->output_delays.at[i].pin)
      || is_pin(s, c->output_delays.at[i].reference_pin));
  ANY(c->net_loads, s->net != NO_NET && c->net_loads.at[i].net == s->net
      && constraints_gives_wires(&c->net_loads.at[i]));
  ANY(c->cases, is_pin(s, c->cases.at[i].pin));
  ANY(c->disabled, is_object(s, c->disabled.at[i].object));
  return false;
}

static bool in_point(const Sought *s, const ExceptionPoint *p)
{
  ANY(p->objects, is_object(s, p->objects.at[i]));
  return false;
}

static bool in_exception(const Sought *s, const Exception *x)
{
  if (x->deleted) return false;
  if (in_point(s, &x->from) || in_point(s, &x->to)) return true;
  ANY(x->through, in_point(s, &x->through.at[i]));
  return false;
}

static bool in_checks(const Sought *s, const Constraints *c)
{
  ANY(c->gating_checks, is_object(s, c->gating_checks.at[i].object));
  ANY(c->gating_disabled, is_object(s, c->gating_disabled.at[i].object));
  ANY(c->time_borrow, is_object(s, c->time_borrow.at[i].object));
  ANY(c->data_checks, is_pin(s, c->data_checks.at[i].from) || is_pin(s, c->data_checks.at[i].to));
  ANY(c->derates, is_object(s, c->derates.at[i].object));
  ANY(c->ideal_sources, is_pin(s, c->ideal_sources.at[i].pin));
  ANY(c->ideal_pins, is_pin(s, c->ideal_pins.at[i].pin));
  for (int k = 0; k < LIMIT_COUNT; k++) ANY(c->limits[k], is_object(s, c->limits[k].at[i].object));
  return false;
}

static bool is_named(const ScenarioSet *set, const Sought *s)
{
  for (ModeId m = 0; m < set->modes.len; m++) {
    const Constraints *c = set->modes.at[m].constraints;
    if (c == NULL) continue;
    if (in_clocks(s, c) || in_delays(s, c) || in_checks(s, c)) return true;
    ANY(c->exceptions, in_exception(s, &c->exceptions.at[i]));
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
