/* Stores what is said of clocks at pins: latencies, uncertainties, senses. */
#include <math.h>

#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

static ClockPin new_clock_pin(PinId pin, ClockId clock)
{
  ClockPin r = { .pin = pin, .clock = clock };
  FILL(r.source_latency);
  FILL(r.network_latency);
  FILL(r.uncertainty);
  return r;
}

ClockPin *constraints_clock_pin(Constraints *c, PinId pin, ClockId clock)
{
  return RECORD(c, &c->clock_pins, key_of(KEY_clock_pins, clock, pin), new_clock_pin(pin, clock));
}

const ClockPin *constraints_find_clock_pin(const Constraints *c, PinId pin, ClockId clock)
{
  return FIND(c, &c->clock_pins, key_of(KEY_clock_pins, clock, pin));
}

void forget_clocks_clock_pins(Constraints *c)
{
  PURGE(c, &c->clock_pins, clock_is_gone(c, c->clock_pins.at[i].clock),
        key_of(KEY_clock_pins, c->clock_pins.at[i].clock, c->clock_pins.at[i].pin));
}

bool named_by_clock_pins(const Sought *sought, const ClockPin *pin)
{
  return is_sought_pin(sought, pin->pin)
         && (pin->propagated || ANY_VALUE(pin->source_latency) || ANY_VALUE(pin->network_latency)
             || ANY_VALUE(pin->uncertainty));
}

/* --- senses ----------------------------------------------------------------------------------- */

static uint64_t sense_key(const ClockSense *sense)
{
  return key_of(sense->data ? KEY_DATA_SENSE : KEY_CLOCK_SENSE, sense->clock, sense->pin);
}

void constraints_set_sense(Constraints *c, ClockSense sense)
{
  uint32_t i = map_get(c->index, sense_key(&sense));
  if (i == MAP_NO_VALUE) {
    map_put(c->index, sense_key(&sense), c->senses.len);
    array_push(&c->senses, sense);
  } else {
    if (c->senses.at[i].kind == sense.kind) return;
    c->senses.at[i] = sense;
  }
  constraints_changed(c);
}

void constraints_unset_sense(Constraints *c, ClockSense sense)
{
  uint32_t i = map_get(c->index, sense_key(&sense)), last = c->senses.len - 1;
  if (i == MAP_NO_VALUE) return;
  map_remove(c->index, sense_key(&sense));
  if (i != last) {
    c->senses.at[i] = c->senses.at[last];
    map_put(c->index, sense_key(&c->senses.at[i]), i);
  }
  c->senses.len--;
  constraints_changed(c);
}

void forget_clocks_senses(Constraints *c)
{
  PURGE(c, &c->senses, clock_is_gone(c, c->senses.at[i].clock), sense_key(&c->senses.at[i]));
}

BY_PIN(senses, ClockSense)

/* --- clocks of other modes -------------------------------------------------------------------- */

void constraints_set_clocks_elsewhere(Constraints *c, const PinArray *pins)
{
  bool same = pins->len == c->clocks_elsewhere.len
              && (pins->len == 0
                  || memcmp(pins->at, c->clocks_elsewhere.at, pins->len * sizeof *pins->at) == 0);
  if (same) return;
  array_clear(&c->clocks_elsewhere);
  for (uint32_t i = 0; i < pins->len; i++) array_push(&c->clocks_elsewhere, pins->at[i]);
  constraints_changed(c);
}

NAMES_NONE(clocks_elsewhere, PinId)   /* the other mode names the pin */
