/* Clocks, records for pairs and groups of clocks, and the removal of everything that belongs to a
   deleted clock. */
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

static void purge_deleted(Constraints *c);

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
  if (deleted) purge_deleted(c);
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

/* --- senses ----------------------------------------------------------------------------------- */

static uint64_t sense_key(const ClockSense *s)
{
  return key_of(s->data ? KEY_DATA_SENSE : KEY_CLOCK_SENSE, s->clock, s->pin);
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

/* --- pairs of clocks -------------------------------------------------------------------------- */

static uint64_t inter_key(ClockId from, int from_edge, ClockId to, int to_edge)
{
  return key_of(KEY_inter_uncertainties, from << 1 | (uint32_t)from_edge,
                to << 1 | (uint32_t)to_edge);
}

static uint64_t inter_key_of(const InterUncertainty *u)
{
  return inter_key(u->from, u->from_edges == EDGE_FALL, u->to, u->to_edges == EDGE_FALL);
}

static void remove_inter(Constraints *c, uint32_t i)
{
  map_remove(c->index, inter_key_of(&c->inter_uncertainties.at[i]));
  uint32_t last = c->inter_uncertainties.len - 1;
  if (i != last) {
    map_put(c->index, inter_key_of(&c->inter_uncertainties.at[last]), i);
    c->inter_uncertainties.at[i] = c->inter_uncertainties.at[last];
  }
  c->inter_uncertainties.len--;
  constraints_changed(c);
}

static void set_inter(Constraints *c, ClockId from, int from_edge, ClockId to, int to_edge,
                      uint32_t checks, float value)
{
  uint64_t key = inter_key(from, from_edge, to, to_edge);
  uint32_t i = map_get(c->index, key);
  if (i == MAP_NO_VALUE && isnan(value)) return;
  if (i == MAP_NO_VALUE) {
    i = c->inter_uncertainties.len;
    array_push(&c->inter_uncertainties,
               (InterUncertainty){
                   from, to, (uint8_t)(1 << from_edge), (uint8_t)(1 << to_edge), { NAN, NAN } });
    map_put(c->index, key, i);
  }
  InterUncertainty *u = &c->inter_uncertainties.at[i];
  for (int k = HOLD; k <= SETUP; k++)
    if (checks >> k & 1) constraints_put(c, &u->value[k], value);
  if (isnan(u->value[HOLD]) && isnan(u->value[SETUP])) remove_inter(c, i);
}

void constraints_set_inter_uncertainty(Constraints *c, ClockId from, uint32_t from_edges,
                                       ClockId to, uint32_t to_edges, uint32_t checks, float value)
{
  for (int f = RISE; f <= FALL; f++)
    for (int t = RISE; t <= FALL; t++)
      if ((from_edges >> f & 1) && (to_edges >> t & 1)) set_inter(c, from, f, to, t, checks, value);
}

/* --- groups of clocks ------------------------------------------------------------------------- */

static void remove_groups(Constraints *c, ClockGroups *g)
{
  g->deleted = true;
  array_free(&g->group_of);
  constraints_changed(c);
}

bool constraints_remove_clock_groups(Constraints *c, ClockGroupsType type, bool all, NameId name)
{
  bool found = false;
  for (uint32_t i = 0; i < c->clock_groups.len; i++) {
    ClockGroups *g = &c->clock_groups.at[i];
    if (g->deleted || g->type != type || !(all || g->name == name)) continue;
    remove_groups(c, g);
    found = true;
  }
  return found;
}

ClockGroups *constraints_add_clock_groups(Constraints *c, ClockGroupsType type, NameId name)
{
  if (name != NO_NAME) constraints_remove_clock_groups(c, type, false, name);
  array_push(&c->clock_groups,
             (ClockGroups){ .name = name, .type = (uint8_t)type, .comment = NO_NAME });
  constraints_changed(c);
  return &c->clock_groups.at[c->clock_groups.len - 1];
}

/* --- deleting --------------------------------------------------------------------------------- */

static bool is_gone(const Constraints *c, ClockId id)
{
  return id != NO_CLOCK && c->clocks.at[id].deleted;
}

static bool object_is_gone(const Constraints *c, Object o)
{
  return o.type == OBJ_CLOCK && is_gone(c, o.id);
}

static void purge_groups(Constraints *c)
{
  for (uint32_t i = 0; i < c->clock_groups.len; i++) {
    ClockGroups *g = &c->clock_groups.at[i];
    uint32_t kept = 0, before = g->group_of.len;
    for (uint32_t j = 0; j + 1 < g->group_of.len; j += 2) {
      if (is_gone(c, g->group_of.at[j])) continue;
      g->group_of.at[kept] = g->group_of.at[j];
      g->group_of.at[kept + 1] = g->group_of.at[j + 1];
      kept += 2;
    }
    g->group_of.len = kept;
    if (!g->deleted && before && kept == 0) remove_groups(c, g);
  }
}

/* Removing moves the last record, which has been visited, to the place of the removed one.  So the
   walk goes backwards. */
static void purge_delays(Constraints *c, bool output)
{
  for (uint32_t i = output ? c->output_delays.len : c->input_delays.len; i-- > 0;) {
    PortDelay d = output ? c->output_delays.at[i] : c->input_delays.at[i];
    if (is_gone(c, d.clock))
      constraints_unset_delay(c, output, d.pin, d.clock, false, d.clock_edge, ~0u);
  }
}

static void purge_pairs(Constraints *c)
{
  for (uint32_t i = c->inter_uncertainties.len; i-- > 0;) {
    const InterUncertainty *u = &c->inter_uncertainties.at[i];
    if (is_gone(c, u->from) || is_gone(c, u->to)) remove_inter(c, i);
  }
}

/* Keeps the records of an array that do not name a deleted clock, and indexes their new places. */
#define PURGE(c, array, gone, key)                           \
  do {                                                       \
    uint32_t kept_ = 0;                                      \
    for (uint32_t i = 0; i < (array)->len; i++) {            \
      if (gone) { map_remove((c)->index, (key)); continue; } \
      map_put((c)->index, (key), kept_);                     \
      (array)->at[kept_++] = (array)->at[i];                 \
    }                                                        \
    (array)->len = kept_;                                    \
  } while (0)

static void purge_records(Constraints *c)
{
  PURGE(c, &c->clock_pins, is_gone(c, c->clock_pins.at[i].clock),
        key_of(KEY_clock_pins, c->clock_pins.at[i].clock, c->clock_pins.at[i].pin));
  PURGE(c, &c->senses, is_gone(c, c->senses.at[i].clock), sense_key(&c->senses.at[i]));
  PURGE(c, &c->gating_checks, object_is_gone(c, c->gating_checks.at[i].object),
        key_of_object(KEY_gating_checks, c->gating_checks.at[i].object));
  PURGE(c, &c->time_borrow, object_is_gone(c, c->time_borrow.at[i].object),
        key_of_object(KEY_time_borrow, c->time_borrow.at[i].object));
  for (int limit = LIMIT_PULSE_LOW; limit <= LIMIT_PULSE_HIGH; limit++)
    PURGE(c, &c->limits[limit], object_is_gone(c, c->limits[limit].at[i].object),
          key_of_object(KEY_limits + (uint32_t)limit, c->limits[limit].at[i].object));
  constraints_purge_data_checks(c);
}

/* Everything that names a clock marked deleted forgets it. */
static void purge_deleted(Constraints *c)
{
  for (ClockId id = 0; id < c->clocks.len; id++) {
    Clock *k = &c->clocks.at[id];
    if (is_gone(c, k->master)) k->master = NO_CLOCK;
    if (is_gone(c, k->derived_master)) k->derived_master = NO_CLOCK;
    if (k->deleted && constraints_find_clock(c, k->name) == id)
      map_remove(c->clock_by_name, k->name);
  }
  purge_delays(c, false);
  purge_delays(c, true);
  purge_pairs(c);
  purge_groups(c);
  purge_records(c);
  constraints_purge_exceptions(c);
  constraints_changed(c);
}

void constraints_delete_clocks(Constraints *c, const ClockId *clocks, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    c->clocks.at[clocks[i]].deleted = true;
    array_clear(&c->clocks.at[clocks[i]].sources);
  }
  if (count) purge_deleted(c);
}

void constraints_delete_clock(Constraints *c, ClockId clock)
{
  constraints_delete_clocks(c, &clock, 1);
}

/* --- pins that go ----------------------------------------------------------------------------- */

static bool is_within(PinId pin, PinId first, uint32_t count)
{
  return pin != NO_PIN && pin >= first && pin - first < count;
}

/* True when the clock goes. */
static bool forget_sources(Constraints *c, Clock *k, PinId first, uint32_t count)
{
  uint32_t before = k->sources.len;
  for (uint32_t i = k->sources.len; i-- > 0;)
    if (is_within(k->sources.at[i], first, count)) drop_source(k, k->sources.at[i]);
  if (k->sources.len == before && !(k->generated && is_within(k->master_pin, first, count)))
    return false;
  if (clock_has_no_source(k)) k->add = k->propagated = false;
  constraints_changed(c);
  return k->generated && (k->sources.len == 0 || is_within(k->master_pin, first, count));
}

static void forget_references(Constraints *c, PortDelay *delays, uint32_t len, PinId first,
                              uint32_t count)
{
  for (uint32_t i = 0; i < len; i++) {
    if (!is_within(delays[i].reference_pin, first, count)) continue;
    delays[i].reference_pin = NO_PIN;
    constraints_changed(c);
  }
}

static bool refers_to(const PortDelay *delays, uint32_t len, PinId first, uint32_t count)
{
  for (uint32_t i = 0; i < len; i++)
    if (is_within(delays[i].reference_pin, first, count)) return true;
  return false;
}

static bool begins_at(const Clock *k, PinId first, uint32_t count)
{
  for (uint32_t i = 0; i < k->sources.len; i++)
    if (is_within(k->sources.at[i], first, count)) return true;
  return k->generated && is_within(k->master_pin, first, count);
}

bool constraints_would_forget(const Constraints *c, PinId first, uint32_t count)
{
  for (ClockId id = 0; id < c->clocks.len; id++)
    if (!c->clocks.at[id].deleted && begins_at(&c->clocks.at[id], first, count)) return true;
  return refers_to(c->input_delays.at, c->input_delays.len, first, count)
         || refers_to(c->output_delays.at, c->output_delays.len, first, count);
}

void constraints_forget_pins(Constraints *c, PinId first, uint32_t count, ClockArray *gone)
{
  for (ClockId id = 0; id < c->clocks.len; id++)
    if (!c->clocks.at[id].deleted && forget_sources(c, &c->clocks.at[id], first, count))
      array_push(gone, id);
  forget_references(c, c->input_delays.at, c->input_delays.len, first, count);
  forget_references(c, c->output_delays.at, c->output_delays.len, first, count);
  constraints_delete_clocks(c, gone->at, gone->len);
}
