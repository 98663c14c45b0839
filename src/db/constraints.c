/* Life of the constraints, and the records that are found by pin, net or object: clock pins, port
   delays, drives, loads, constants, disabled arcs, derates, limits. Other kinds have files
   constraints_*.c. */
#include "db/constraints.h"

#include <math.h>

#include "db/constraints/constraints_private.h"

static void fill_nan(float *at, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) at[i] = NAN;
}

/* A field of a record that is an array of floats, of any dimensions. */
#define FILL(field) fill_nan((float *)&(field), sizeof(field) / sizeof(float))

/* --- life ------------------------------------------------------------------------------------- */

Constraints *constraints_new(const Netlist *netlist)
{
  Constraints *c = mem_alloc_zero(1, sizeof *c);
  c->netlist = netlist;
  c->operating_condition[EARLY] = c->operating_condition[LATE] = NO_CONDITION;
  c->voltage[EARLY] = c->voltage[LATE] = c->wire_load_min_block = NAN;
  c->index = map_new();
  c->clock_by_name = map_new();
  return c;
}

/* --- functions for each array of CONSTRAINT_ARRAYS -------------------------------------------- */

void release_CLOCK(Clock *clock)
{
  array_free(&clock->waveform);
  array_free(&clock->sources);
  array_free(&clock->edges);
  array_free(&clock->edge_shift);
}

void release_EXCEPTION(Exception *e) { exception_clear(e); }
void release_GROUPS(ClockGroups *g) { array_free(&g->group_of); }

#define RELEASE_NOTHING(array)
#define RELEASE_EACH(array, release) \
  for (uint32_t i = 0; i < (array)->len; i++) release(&(array)->at[i]);
#define RELEASE_CLOCK(array)     RELEASE_EACH(array, release_CLOCK)
#define RELEASE_EXCEPTION(array) RELEASE_EACH(array, release_EXCEPTION)
#define RELEASE_GROUPS(array)    RELEASE_EACH(array, release_GROUPS)

#define RELEASE(array, name, owns, counts) \
  RELEASE_##owns(&c->name)                 \
  array_free(&c->name);
#define RELEASE_SEVERAL(array, name, number, owns, counts) \
  for (int k = 0; k < (number); k++) {                     \
    RELEASE_##owns(&c->name[k])                            \
    array_free(&c->name[k]);                               \
  }

void constraints_free(Constraints *c)
{
  if (c == NULL) return;
  CONSTRAINT_ARRAYS(RELEASE, RELEASE_SEVERAL)
  path_index_free(c->paths);
  map_free(c->index);
  map_free(c->clock_by_name);
  mem_free(c);
}

#define ANY_NEVER(array)
#define ANY_ALWAYS(array) \
  if ((array)->len) return true;
#define ANY_IF_LIVE(array)                       \
  for (uint32_t i = 0; i < (array)->len; i++)    \
    if (!(array)->at[i].deleted) return true;

#define ANY(array, name, owns, counts) ANY_##counts(&c->name)
#define ANY_SEVERAL(array, name, number, owns, counts) \
  for (int k = 0; k < (number); k++) { ANY_##counts(&c->name[k]) }

static bool any_record(const Constraints *c)
{
  CONSTRAINT_ARRAYS(ANY, ANY_SEVERAL)
  return false;
}

static bool any_setting(const Constraints *c)
{
  bool conditions = c->operating_condition[EARLY] != NO_CONDITION ||
    c->operating_condition[LATE] != NO_CONDITION || c->analysis_given;
  bool wires = c->wire_load_mode != WIRE_MODE_NONE || !isnan(c->wire_load_min_block);
  return conditions || wires || !isnan(c->voltage[EARLY]) || !isnan(c->voltage[LATE]);
}

bool constraints_are_empty(const Constraints *c) { return !any_record(c) && !any_setting(c); }

void constraints_put(Constraints *c, float *at, float value)
{
  if (*at == value || (isnan(*at) && isnan(value))) return;
  constraints_changed(c);
  *at = value;
}

/* --- records by key --------------------------------------------------------------------------- */

/* The record of a key in an array; on first use it is added as given.  Evaluates to a pointer. */
#define RECORD(c, array, key, ...)            \
  ({ uint64_t key_ = (key);                   \
     uint32_t i_ = map_get((c)->index, key_); \
     if (i_ == MAP_NO_VALUE) {                \
       i_ = (array)->len;                     \
       array_push(array, __VA_ARGS__);        \
       map_put((c)->index, key_, i_);         \
       constraints_changed(c);                \
     }                                        \
     &(array)->at[i_]; })

#define FIND(c, array, key) \
  ({ uint32_t i_ = map_get((c)->index, (key)); i_ == MAP_NO_VALUE ? NULL : &(array)->at[i_]; })

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

static PortDrive new_drive(PinId pin)
{
  PortDrive r = { .pin = pin };
  for (int k = 0; k < CONDITION_COUNT; k++) {
    r.multiply_by[k] = 1;
    r.cell[k] = NO_CELL;
    r.from_port[k] = r.to_port[k] = NO_PORT;
  }
  FILL(r.from_slew);
  FILL(r.slew);
  FILL(r.resistance);
  return r;
}

PortDrive *constraints_drive(Constraints *c, PinId pin)
{
  return RECORD(c, &c->drives, key_of(KEY_drives, 0, pin), new_drive(pin));
}

const PortDrive *constraints_find_drive(const Constraints *c, PinId pin)
{
  return FIND(c, &c->drives, key_of(KEY_drives, 0, pin));
}

static PortLoad new_port_load(PinId pin)
{
  PortLoad r = { .pin = pin };
  FILL(r.pin_load);
  FILL(r.wire_load);
  FILL(r.fanout_number);
  return r;
}

PortLoad *constraints_port_load(Constraints *c, PinId pin)
{
  return RECORD(c, &c->port_loads, key_of(KEY_port_loads, 0, pin), new_port_load(pin));
}

const PortLoad *constraints_find_port_load(const Constraints *c, PinId pin)
{
  return FIND(c, &c->port_loads, key_of(KEY_port_loads, 0, pin));
}

static NetLoad new_net_load(NetId net)
{
  NetLoad r = { .net = net };
  FILL(r.wire_cap);
  FILL(r.resistance);
  return r;
}

NetLoad *constraints_net_load(Constraints *c, NetId net)
{
  return RECORD(c, &c->net_loads, key_of(KEY_net_loads, 0, net), new_net_load(net));
}

const NetLoad *constraints_find_net_load(const Constraints *c, NetId net)
{
  return FIND(c, &c->net_loads, key_of(KEY_net_loads, 0, net));
}

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

/* A net is known by the first segment of its electrical net, whichever of its names was used. */
static Object normal_object(const Constraints *c, Object o)
{
  if (o.type != OBJ_NET || c->netlist == NULL) return o;
  return (Object){ OBJ_NET, c->netlist->nets.at[c->netlist->segs.at[o.id].net].first_seg };
}

static Derate new_derate(Object object)
{
  Derate r = { .object = object };
  FILL(r.factor);
  return r;
}

Derate *constraints_derate(Constraints *c, Object object)
{
  object = normal_object(c, object);
  return RECORD(c, &c->derates, key_of_object(KEY_derates, object), new_derate(object));
}

const Derate *constraints_find_derate(const Constraints *c, Object object)
{
  return FIND(c, &c->derates, key_of_object(KEY_derates, normal_object(c, object)));
}

void constraints_clear_derates(Constraints *c)
{
  if (c->derates.len == 0) return;
  for (uint32_t i = 0; i < c->derates.len; i++) map_remove(c->index, key_of_object(KEY_derates,
      c->derates.at[i].object));
  array_clear(&c->derates);
  constraints_changed(c);
}

static GatingCheck new_gating_check(Object object)
{
  GatingCheck r = { .object = object, .level = -1 };
  FILL(r.margin);
  return r;
}

GatingCheck *constraints_gating_check(Constraints *c, Object object)
{
  return RECORD(c, &c->gating_checks, key_of_object(KEY_gating_checks, object),
                new_gating_check(object));
}

const GatingCheck *constraints_find_gating_check(const Constraints *c, Object object)
{
  return FIND(c, &c->gating_checks, key_of_object(KEY_gating_checks, object));
}

ObjectValue *constraints_set_limit(Constraints *c, LimitKind kind, Object object, float value)
{
  ObjectValue *r = RECORD(c, &c->limits[kind], key_of_object(KEY_limits + kind, object),
                          ((ObjectValue){ object, NAN, 0 }));
  constraints_put(c, &r->value, value);
  return r;
}

const ObjectValue *constraints_find_limit_record(const Constraints *c, LimitKind kind,
                                                 Object object)
{
  return FIND(c, &c->limits[kind], key_of_object(KEY_limits + kind, object));
}

float constraints_find_limit(const Constraints *c, LimitKind kind, Object object)
{
  const ObjectValue *r = constraints_find_limit_record(c, kind, object);
  return r ? r->value : NAN;
}

ObjectValue *constraints_set_time_borrow(Constraints *c, Object object, float value)
{
  ObjectValue *r = RECORD(c, &c->time_borrow, key_of_object(KEY_time_borrow, object),
                          ((ObjectValue){ object, NAN, 0 }));
  constraints_put(c, &r->value, value);
  return r;
}

float constraints_find_time_borrow(const Constraints *c, Object object)
{
  const ObjectValue *r = FIND(c, &c->time_borrow, key_of_object(KEY_time_borrow, object));
  return r ? r->value : NAN;
}

static uint64_t ideal_key(const IdealSource *s)
{
  return key_of(KEY_ideal_sources, s->of_net, s->pin);
}

void constraints_add_ideal(Constraints *c, IdealSource source)
{
  IdealSource *r = RECORD(c, &c->ideal_sources, ideal_key(&source), source);
  if (r->no_propagation == source.no_propagation) return;
  r->no_propagation = source.no_propagation;
  constraints_changed(c);
}

/* --- records that go again: the last one takes the place -------------------------------------- */

#define REMOVE(c, array, key, key_of_last)              \
  do {                                                  \
    uint64_t gone_ = (key);                             \
    uint32_t at_ = map_get((c)->index, gone_);          \
    if (at_ == MAP_NO_VALUE) break;                     \
    map_remove((c)->index, gone_);                      \
    if (at_ != (array)->len - 1) {                      \
      map_put((c)->index, (key_of_last), at_);          \
      (array)->at[at_] = (array)->at[(array)->len - 1]; \
    }                                                   \
    (array)->len--;                                     \
    constraints_changed(c);                             \
  } while (0)

#define LAST(array) ((array).at[(array).len - 1])

void constraints_set_case(Constraints *c, PinId pin, CaseValue value, bool is_case)
{
  PinCase *r = RECORD(c, &c->cases, key_of(KEY_cases, 0, pin),
                      (PinCase){ pin, CASE_COUNT, false, CASE_COUNT });
  PinCase now = { pin, (uint8_t)value, is_case, r->logic };
  if (!is_case)
    now = (PinCase){ pin, r->is_case ? r->value : (uint8_t)value, r->is_case, (uint8_t)value };
  if (r->value == now.value && r->is_case == now.is_case && r->logic == now.logic) return;
  *r = now;
  constraints_changed(c);
}

void constraints_unset_case(Constraints *c, PinId pin, bool is_case)
{
  PinCase *r = FIND(c, &c->cases, key_of(KEY_cases, 0, pin));
  if (r == NULL || (is_case ? !r->is_case : r->logic == CASE_COUNT)) return;
  if (is_case ? r->logic == CASE_COUNT : !r->is_case) {
    REMOVE(c, &c->cases, key_of(KEY_cases, 0, pin), key_of(KEY_cases, 0, LAST(c->cases).pin));
    return;
  }
  *r = is_case ? (PinCase){ pin, r->logic, false, r->logic }
    : (PinCase){ pin, r->value, true, CASE_COUNT };
  constraints_changed(c);
}

const PinCase *constraints_find_case(const Constraints *c, PinId pin)
{
  return FIND(c, &c->cases, key_of(KEY_cases, 0, pin));
}

void constraints_remove_gating_check(Constraints *c, Object object)
{
  REMOVE(c, &c->gating_checks, key_of_object(KEY_gating_checks, object),
         key_of_object(KEY_gating_checks, LAST(c->gating_checks).object));
}

void constraints_remove_ideal(Constraints *c, PinId pin, bool of_net)
{
  const IdealSource wanted = { .pin = pin, .of_net = of_net };
  REMOVE(c, &c->ideal_sources, ideal_key(&wanted), ideal_key(&LAST(c->ideal_sources)));
}

GatingDisabled *constraints_disable_gating(Constraints *c, Object object, bool on)
{
  uint64_t key = key_of_object(KEY_gating_disabled, object);
  if (on) return RECORD(c, &c->gating_disabled, key, (GatingDisabled){ .object = object });
  REMOVE(c, &c->gating_disabled, key,
         key_of_object(KEY_gating_disabled, LAST(c->gating_disabled).object));
  return NULL;
}

bool constraints_gating_is_disabled(const Constraints *c, Object object)
{
  return map_get(c->index, key_of_object(KEY_gating_disabled, object)) != MAP_NO_VALUE;
}

/* --- commands --------------------------------------------------------------------------------- */
CommandId constraints_add_command(Constraints *c, Said said)
{
  array_push(&c->commands, said);
  return c->commands.len;
}

bool constraints_any_given(const float *at, int count)
{
  for (int i = 0; i < count; i++)
    if (!isnan(at[i])) return true;
  return false;
}

Said constraints_command(const Constraints *c, CommandId id)
{
  return id ? c->commands.at[id - 1] : (Said){ NULL, NO_NAME, 0 };
}

/* --- chains: several records of one pin or object ------------------------------------------------

   index[key] is the first record; .next leads to the next one.  Chains are short: the clocks of one
   pin, or the port pairs of one cell. */

#define NO_RECORD MAP_NO_VALUE

/* Replaces the link to `old` (in the index or in a record's next) by a link to `new`. */
#define RELINK(c, array, key, old, new)                                 \
  do {                                                                  \
    uint32_t at_ = map_get((c)->index, (key));                          \
    if (at_ == (old)) {                                                 \
      if ((new) == NO_RECORD) map_remove((c)->index, (key));            \
      else map_put((c)->index, (key), (new));                           \
      break;                                                            \
    }                                                                   \
    while ((array)->at[at_].next != (old)) at_ = (array)->at[at_].next; \
    (array)->at[at_].next = (new);                                      \
  } while (0)

static PortDelayArray *delays_of(Constraints *c, bool output)
{
  return output ? &c->output_delays : &c->input_delays;
}

static const PortDelay *const_delays(const Constraints *c, bool output)
{
  return output ? c->output_delays.at : c->input_delays.at;
}

static uint64_t delay_key(bool output, PinId pin)
{
  return key_of(output ? KEY_output_delays : KEY_input_delays, 0, pin);
}

static void remove_delay(Constraints *c, bool output, uint32_t i)
{
  PortDelayArray *delays = delays_of(c, output);
  RELINK(c, delays, delay_key(output, delays->at[i].pin), i, delays->at[i].next);
  uint32_t last = delays->len - 1;
  if (i != last) {
    RELINK(c, delays, delay_key(output, delays->at[last].pin), last, i);
    delays->at[i] = delays->at[last];
  }
  delays->len--;
  constraints_changed(c);
}

static PortDelay new_delay(PinId pin, ClockId clock, int clock_edge, uint32_t next)
{
  PortDelay r = { .pin = pin,
                  .clock = clock,
                  .clock_edge = (uint8_t)clock_edge,
                  .reference_pin = NO_PIN,
                  .next = next };
  FILL(r.delay);
  return r;
}

static bool delay_is_of(const PortDelay *d, ClockId clock, int clock_edge)
{
  return d->clock == clock && d->clock_edge == clock_edge;
}

/* True when nothing is left. */
static bool forget_delay(Constraints *c, PortDelay *d, uint32_t conditions)
{
  bool empty = true;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (conditions >> k & 1) constraints_put(c, &d->delay[k], NAN);
    empty = empty && isnan(d->delay[k]);
  }
  d->source_latency_included &= (uint8_t)~conditions;
  d->network_latency_included &= (uint8_t)~conditions;
  d->level_sensitive &= (uint8_t)~conditions;
  return empty;
}

/* Without -add_delay the pin's other records are removed.  Records of the same clock edge with
   another reference pin are removed only for the conditions that are given again. */
static bool is_overwritten(Constraints *c, const DelayKey *k, PortDelay *d)
{
  return !delay_is_of(d, k->clock, k->clock_edge) || forget_delay(c, d, k->conditions);
}

/* Removing moves records, so each round starts from the beginning. */
static void remove_other_delays(Constraints *c, const DelayKey *k, uint32_t kept)
{
  PortDelayArray *delays = delays_of(c, k->output);
  uint32_t i = map_get(c->index, delay_key(k->output, k->pin));
  while (i != NO_RECORD) {
    if (i == kept || !is_overwritten(c, k, &delays->at[i])) {
      i = delays->at[i].next;
      continue;
    }
    remove_delay(c, k->output, i);
    if (kept == delays->len) kept = i;      /* it was the last, and took the place */
    i = map_get(c->index, delay_key(k->output, k->pin));
  }
}

static uint32_t find_delay(const Constraints *c, bool output, PinId pin, ClockId clock,
                           int clock_edge)
{
  const PortDelay *delays = const_delays(c, output);
  uint32_t i = map_get(c->index, delay_key(output, pin));
  while (i != NO_RECORD && !delay_is_of(&delays[i], clock, clock_edge)) i = delays[i].next;
  return i;
}

const PortDelay *constraints_find_delay(const Constraints *c, bool output, PinId pin, ClockId clock,
                                        int clock_edge)
{
  uint32_t i = find_delay(c, output, pin, clock, clock_edge);
  return i == NO_RECORD ? NULL : &const_delays(c, output)[i];
}

/* The record of a clock edge with a reference pin. */
static uint32_t find_delay_from(const Constraints *c, const DelayKey *k)
{
  const PortDelay *delays = const_delays(c, k->output);
  uint32_t i = find_delay(c, k->output, k->pin, k->clock, k->clock_edge);
  while (i != NO_RECORD &&
         !(delay_is_of(&delays[i], k->clock, k->clock_edge) &&
           delays[i].reference_pin == k->reference_pin))
    i = delays[i].next;
  return i;
}

PortDelay *constraints_port_delay(Constraints *c, const DelayKey *k, bool add)
{
  PortDelayArray *delays = delays_of(c, k->output);
  if (!add) remove_other_delays(c, k, find_delay_from(c, k));
  uint32_t i = find_delay_from(c, k);
  if (i != NO_RECORD) return &delays->at[i];
  uint64_t key = delay_key(k->output, k->pin);
  array_push(delays, new_delay(k->pin, k->clock, k->clock_edge, map_get(c->index, key)));
  i = delays->len - 1;
  delays->at[i].reference_pin = k->reference_pin;
  map_put(c->index, key, i);
  constraints_changed(c);
  return &delays->at[i];
}

PortDelay *constraints_input_delay(Constraints *c, PinId pin, ClockId clock, int clock_edge,
                                   bool add)
{
  return constraints_port_delay(c, &(DelayKey){ false, pin, clock, clock_edge, NO_PIN, ~0u }, add);
}

PortDelay *constraints_output_delay(Constraints *c, PinId pin, ClockId clock, int clock_edge,
                                    bool add)
{
  return constraints_port_delay(c, &(DelayKey){ true, pin, clock, clock_edge, NO_PIN, ~0u }, add);
}

void constraints_unset_delay(Constraints *c, bool output, PinId pin, ClockId clock, bool any_clock,
                             int clock_edge, uint32_t conditions)
{
  PortDelayArray *delays = delays_of(c, output);
  uint32_t i = map_get(c->index, delay_key(output, pin));
  while (i != NO_RECORD) {
    PortDelay *d = &delays->at[i];
    bool match =
        (any_clock || d->clock == clock) && (clock_edge < 0 || d->clock_edge == clock_edge);
    bool gone = match && forget_delay(c, d, conditions);
    if (gone) remove_delay(c, output, i);
    i = gone ? map_get(c->index, delay_key(output, pin)) : d->next;
  }
}

static void remove_disabled(Constraints *c, uint32_t i)
{
  RELINK(c, &c->disabled, key_of_object(KEY_disabled, c->disabled.at[i].object), i,
         c->disabled.at[i].next);
  uint32_t last = c->disabled.len - 1;
  if (i != last) {
    RELINK(c, &c->disabled, key_of_object(KEY_disabled, c->disabled.at[last].object), last, i);
    c->disabled.at[i] = c->disabled.at[last];
  }
  c->disabled.len--;
  constraints_changed(c);
}

DisabledTiming *constraints_disable(Constraints *c, Object object, NameId from, NameId to, bool on)
{
  uint64_t key = key_of_object(KEY_disabled, object);
  uint32_t first = map_get(c->index, key), i = first;
  while (i != NO_RECORD && (c->disabled.at[i].from != from || c->disabled.at[i].to != to))
    i = c->disabled.at[i].next;
  if (i != NO_RECORD && !on) remove_disabled(c, i);
  if (!on) return NULL;
  if (i != NO_RECORD) return &c->disabled.at[i];
  array_push(&c->disabled, ((DisabledTiming){ object, from, to, 0, first }));
  map_put(c->index, key, c->disabled.len - 1);
  constraints_changed(c);
  return &LAST(c->disabled);
}
