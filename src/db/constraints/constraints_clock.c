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

static void drop_source(Clock *clock, PinId pin)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < clock->sources.len; i++)
    if (clock->sources.at[i] != pin) clock->sources.at[kept++] = clock->sources.at[i];
  clock->sources.len = kept;
}

/* Removes the pins from the sources of all other clocks. Returns true if that left a clock without
   a source; such clocks are marked deleted. */
static bool take_sources(Constraints *c, const Map *pins, ClockId keeper)
{
  bool deleted = false;
  for (ClockId id = 0; id < c->clocks.len; id++) {
    Clock *clock = &c->clocks.at[id];
    uint32_t kept = 0, before = clock->sources.len;
    if (id == keeper || clock->deleted) continue;
    for (uint32_t i = 0; i < before; i++)
      if (map_get(pins, clock->sources.at[i]) == MAP_NO_VALUE)
        clock->sources.at[kept++] = clock->sources.at[i];
    clock->sources.len = kept;
    if (before && kept == 0) clock->deleted = deleted = true;
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

bool clock_has_no_source(const Clock *clock) { return clock->sources.len == 0; }

ClockId constraints_add_clock(Constraints *c, NameId name, double period, const double *waveform,
                              uint32_t edge_count, const PinId *sources, uint32_t source_count,
                              bool add)
{
  ClockId id = clock_of_name(c, name);
  Clock *clock = &c->clocks.at[id];
  clock->period = period;
  clock->add = add;
  clock->generated = clock->invert = clock->combinational = false;
  clock->master_pin = NO_PIN;
  clock->master = clock->derived_master = NO_CLOCK;
  clock->master_inverted = false;
  clock->file = NO_NAME;
  clock->line = 0;
  clock->divide_by = clock->multiply_by = 0;
  clock->duty_cycle = NAN;
  clock->comment = NO_NAME;
  array_clear(&clock->edges);
  array_clear(&clock->edge_shift);
  array_clear(&clock->waveform);
  for (uint32_t i = 0; i < edge_count; i++) array_push(&clock->waveform, waveform[i]);
  set_sources(c, id, sources, source_count, add);
  if (clock_has_no_source(clock)) clock->propagated = false;
  constraints_changed(c);
  return id;
}

void constraints_derive_clock(Constraints *c, ClockId clock, const DerivedClock *derived_clock)
{
  Clock *the_clock = &c->clocks.at[clock];
  the_clock->derived_master = derived_clock->master;
  the_clock->master_inverted = derived_clock->inverted;
  the_clock->period = derived_clock->waveform ? derived_clock->period : NAN;
  array_clear(&the_clock->waveform);
  for (uint32_t i = 0; derived_clock->waveform && i < derived_clock->edge_count; i++)
    array_push(&the_clock->waveform, derived_clock->waveform[i]);
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
    Clock *clock = &c->clocks.at[id];
    if (clock_is_gone(c, clock->master)) clock->master = NO_CLOCK;
    if (clock_is_gone(c, clock->derived_master)) clock->derived_master = NO_CLOCK;
    if (clock->deleted && constraints_find_clock(c, clock->name) == id)
      map_remove(c->clock_by_name, clock->name);
  }
}

/* --- pins that go ----------------------------------------------------------------------------- */

/* True when the clock goes. */
static bool forget_sources(Constraints *c, Clock *clock, PinRange pins)
{
  uint32_t before = clock->sources.len;
  for (uint32_t i = clock->sources.len; i-- > 0;)
    if (in_range(clock->sources.at[i], pins)) drop_source(clock, clock->sources.at[i]);
  if (clock->sources.len == before && !(clock->generated && in_range(clock->master_pin, pins)))
    return false;
  if (clock_has_no_source(clock)) clock->add = clock->propagated = false;
  constraints_changed(c);
  return clock->generated && (clock->sources.len == 0 || in_range(clock->master_pin, pins));
}

static bool begins_at(const Clock *clock, PinRange pins)
{
  for (uint32_t i = 0; i < clock->sources.len; i++)
    if (in_range(clock->sources.at[i], pins)) return true;
  return clock->generated && in_range(clock->master_pin, pins);
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

bool named_by_clocks(const Sought *sought, const Clock *clock)
{
  if (clock->deleted) return false;
  ANY_OF(clock->sources, is_sought_pin(sought, clock->sources.at[i]));
  return clock->generated && is_sought_pin(sought, clock->master_pin);
}

/* --- memory ----------------------------------------------------------------------------------- */

void release_clocks(Clock *clock)
{
  array_free(&clock->waveform);
  array_free(&clock->sources);
  array_free(&clock->edges);
  array_free(&clock->edge_shift);
}

void own_clocks(Clock *clock)
{
  OWN_ARRAY(&clock->waveform);
  OWN_ARRAY(&clock->sources);
  OWN_ARRAY(&clock->edges);
  OWN_ARRAY(&clock->edge_shift);
}
