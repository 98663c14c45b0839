/* Stores clocks, and removes clocks and their sources. */
#include <math.h>

#include "base/hash.h"
#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

ClockId constraints_find_clock(const Constraints *c, NameId name)
{
  return map_get(c->clock_by_name, name);
}

static Clock new_clock(NameId name)
{
  Clock k = { .name = name, .master = NO_CLOCK, .derived_master = NO_CLOCK, .file = NO_NAME };
  for (int i = 0; i < CONDITION_COUNT; i++)
    k.source_latency[EARLY][i] = k.source_latency[LATE][i] = k.network_latency[i] = k.slew[i] = NAN;
  for (int i = 0; i < 2; i++) k.uncertainty[i] = k.max_slew_clock[i] = k.max_slew_data[i] = NAN;
  return k;
}

static ClockId clock_of_name(Constraints *c, NameId name)
{
  ClockId id = constraints_find_clock(c, name);
  if (id != NO_CLOCK) return id;
  id = c->clocks.len;
  array_push(&c->clocks, new_clock(name));
  map_put(c->clock_by_name, name, id);
  return id;
}

static void drop_source(Clock *k, PinId pin)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < k->sources.len; i++)
    if (k->sources.at[i] != pin) k->sources.at[kept++] = k->sources.at[i];
  k->sources.len = kept;
}

/* Removes the pins from the sources of all other clocks. Returns true if that left a clock without
   a source; such clocks are marked deleted. */
static bool take_sources(Constraints *c, const Map *pins, ClockId keeper)
{
  bool deleted = false;
  for (ClockId id = 0; id < c->clocks.len; id++) {
    Clock *k = &c->clocks.at[id];
    uint32_t kept = 0, before = k->sources.len;
    if (id == keeper || k->deleted) continue;
    for (uint32_t i = 0; i < before; i++)
      if (map_get(pins, k->sources.at[i]) == MAP_NO_VALUE)
        k->sources.at[kept++] = k->sources.at[i];
    k->sources.len = kept;
    if (before && kept == 0) k->deleted = deleted = true;
  }
  return deleted;
}

static uint64_t source_key(PinId pin) { return key_of(KEY_CLOCK_SOURCE, 0, pin); }

bool constraints_had_clock(const Constraints *c, PinId pin)
{
  return map_get(c->index, source_key(pin)) != MAP_NO_VALUE;
}

/* The index knows which pins were sources before, so clocks are searched only if there is a
   conflict. */
static void set_sources(Constraints *c, ClockId id, const PinId *sources, uint32_t count, bool add)
{
  bool conflict = false;
  Map *own = map_new();
  array_clear(&c->clocks.at[id].sources);
  for (uint32_t i = 0; i < count; i++) {
    if (map_get(own, sources[i]) != MAP_NO_VALUE) continue;
    map_put(own, sources[i], 1);
    conflict |= constraints_had_clock(c, sources[i]);
    map_put(c->index, source_key(sources[i]), id);
    array_push(&c->clocks.at[id].sources, sources[i]);
  }
  bool deleted = conflict && !add && take_sources(c, own, id);
  map_free(own);
  if (deleted) constraints_purge_clocks(c);
}

bool clock_has_no_source(const Clock *k) { return k->sources.len == 0; }

ClockId constraints_add_clock(Constraints *c, NameId name, double period, const double *waveform,
                              uint32_t edge_count, const PinId *sources, uint32_t source_count,
                              bool add)
{
  ClockId id = clock_of_name(c, name);
  Clock *k = &c->clocks.at[id];
  k->period = period;
  k->add = add;
  k->generated = k->invert = k->combinational = false;
  k->master_pin = NO_PIN;
  k->master = k->derived_master = NO_CLOCK;
  k->master_inverted = false;
  k->file = NO_NAME;
  k->line = 0;
  k->divide_by = k->multiply_by = 0;
  k->duty_cycle = NAN;
  k->comment = NO_NAME;
  array_clear(&k->edges);
  array_clear(&k->edge_shift);
  array_clear(&k->waveform);
  for (uint32_t i = 0; i < edge_count; i++) array_push(&k->waveform, waveform[i]);
  set_sources(c, id, sources, source_count, add);
  if (clock_has_no_source(k)) k->propagated = false;
  constraints_changed(c);
  return id;
}

void constraints_derive_clock(Constraints *c, ClockId clock, const DerivedClock *d)
{
  Clock *k = &c->clocks.at[clock];
  k->derived_master = d->master;
  k->master_inverted = d->inverted;
  k->period = d->waveform ? d->period : NAN;
  array_clear(&k->waveform);
  for (uint32_t i = 0; d->waveform && i < d->edge_count; i++)
    array_push(&k->waveform, d->waveform[i]);
}

/* --- deleting --------------------------------------------------------------------------------- */

void constraints_delete_clocks(Constraints *c, const ClockId *clocks, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    c->clocks.at[clocks[i]].deleted = true;
    array_clear(&c->clocks.at[clocks[i]].sources);
  }
  if (count) constraints_purge_clocks(c);
}

void constraints_delete_clock(Constraints *c, ClockId clock)
{
  constraints_delete_clocks(c, &clock, 1);
}

void forget_clocks_clocks(Constraints *c)
{
  for (ClockId id = 0; id < c->clocks.len; id++) {
    Clock *k = &c->clocks.at[id];
    if (clock_is_gone(c, k->master)) k->master = NO_CLOCK;
    if (clock_is_gone(c, k->derived_master)) k->derived_master = NO_CLOCK;
    if (k->deleted && constraints_find_clock(c, k->name) == id)
      map_remove(c->clock_by_name, k->name);
  }
}

/* --- pins that go ----------------------------------------------------------------------------- */

/* True when the clock goes. */
static bool forget_sources(Constraints *c, Clock *k, PinRange pins)
{
  uint32_t before = k->sources.len;
  for (uint32_t i = k->sources.len; i-- > 0;)
    if (in_range(k->sources.at[i], pins)) drop_source(k, k->sources.at[i]);
  if (k->sources.len == before && !(k->generated && in_range(k->master_pin, pins)))
    return false;
  if (clock_has_no_source(k)) k->add = k->propagated = false;
  constraints_changed(c);
  return k->generated && (k->sources.len == 0 || in_range(k->master_pin, pins));
}

static bool begins_at(const Clock *k, PinRange pins)
{
  for (uint32_t i = 0; i < k->sources.len; i++)
    if (in_range(k->sources.at[i], pins)) return true;
  return k->generated && in_range(k->master_pin, pins);
}

bool would_forget_clocks(const Constraints *c, PinRange pins)
{
  for (ClockId id = 0; id < c->clocks.len; id++)
    if (!c->clocks.at[id].deleted && begins_at(&c->clocks.at[id], pins)) return true;
  return false;
}

void forget_pins_clocks(Constraints *c, PinRange pins, ClockArray *gone)
{
  for (ClockId id = 0; id < c->clocks.len; id++)
    if (!c->clocks.at[id].deleted && forget_sources(c, &c->clocks.at[id], pins))
      array_push(gone, id);
}

bool named_by_clocks(const Sought *s, const Clock *k)
{
  if (k->deleted) return false;
  ANY_OF(k->sources, is_sought_pin(s, k->sources.at[i]));
  return k->generated && is_sought_pin(s, k->master_pin);
}

/* --- memory ----------------------------------------------------------------------------------- */

void release_clocks(Clock *k)
{
  array_free(&k->waveform);
  array_free(&k->sources);
  array_free(&k->edges);
  array_free(&k->edge_shift);
}

void own_clocks(Clock *k)
{
  OWN_ARRAY(&k->waveform);
  OWN_ARRAY(&k->sources);
  OWN_ARRAY(&k->edges);
  OWN_ARRAY(&k->edge_shift);
}
