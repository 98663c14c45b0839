/* Stores the sources of ideal networks, and the values of pins in them. */
#include <math.h>

#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

static uint64_t ideal_key(const IdealSource *source)
{
  return key_of(KEY_ideal_sources, source->of_net, source->pin);
}

void constraints_add_ideal(Constraints *c, IdealSource source)
{
  IdealSource *ideal_source = RECORD(c, &c->ideal_sources, ideal_key(&source), source);
  if (ideal_source->no_propagation == source.no_propagation) return;
  ideal_source->no_propagation = source.no_propagation;
  constraints_changed(c);
}

void constraints_remove_ideal(Constraints *c, PinId pin, bool of_net)
{
  const IdealSource wanted = { .pin = pin, .of_net = of_net };
  REMOVE(c, &c->ideal_sources, ideal_key(&wanted), ideal_key(&LAST(c->ideal_sources)));
}

BY_PIN(ideal_sources, IdealSource)

static IdealPin new_ideal_pin(PinId pin)
{
  IdealPin r = { .pin = pin };
  FILL(r.latency);
  FILL(r.slew);
  return r;
}

IdealPin *constraints_ideal_pin(Constraints *c, PinId pin)
{
  return RECORD(c, &c->ideal_pins, key_of(KEY_ideal_pins, 0, pin), new_ideal_pin(pin));
}

const IdealPin *constraints_find_ideal_pin(const Constraints *c, PinId pin)
{
  return FIND(c, &c->ideal_pins, key_of(KEY_ideal_pins, 0, pin));
}

bool named_by_ideal_pins(const Sought *sought, const IdealPin *pin)
{
  return is_sought_pin(sought, pin->pin) && (ANY_VALUE(pin->latency) || ANY_VALUE(pin->slew));
}
