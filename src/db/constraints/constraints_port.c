/* Stores what surrounds the design: delays, drives and loads of ports, loads of nets. */
#include <math.h>

#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

/* --- delays ----------------------------------------------------------------------------------- */

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

static bool delay_is_of(const PortDelay *delay, ClockId clock, int clock_edge)
{
  return delay->clock == clock && delay->clock_edge == clock_edge;
}

/* True when nothing is left. */
static bool forget_delay(Constraints *c, PortDelay *delay, uint32_t conditions)
{
  bool empty = true;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (conditions >> k & 1) constraints_put(c, &delay->delay[k], NAN);
    empty = empty && isnan(delay->delay[k]);
  }
  delay->source_latency_included &= (uint8_t)~conditions;
  delay->network_latency_included &= (uint8_t)~conditions;
  delay->level_sensitive &= (uint8_t)~conditions;
  return empty;
}

/* Without -add_delay the pin's other records are removed.  Records of the same clock edge with
   another reference pin are removed only for the conditions that are given again. */
static bool is_overwritten(Constraints *c, const DelayKey *key, PortDelay *delay)
{
  return !delay_is_of(delay, key->clock, key->clock_edge)
         || forget_delay(c, delay, key->conditions);
}

/* Removing moves records, so each round starts from the beginning. */
static void remove_other_delays(Constraints *c, const DelayKey *key, uint32_t kept)
{
  PortDelayArray *delays = delays_of(c, key->output);
  uint32_t i = map_get(c->index, delay_key(key->output, key->pin));
  while (i != NO_RECORD) {
    if (i == kept || !is_overwritten(c, key, &delays->at[i])) {
      i = delays->at[i].next;
      continue;
    }
    remove_delay(c, key->output, i);
    if (kept == delays->len) kept = i;      /* it was the last, and took the place */
    i = map_get(c->index, delay_key(key->output, key->pin));
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
static uint32_t find_delay_from(const Constraints *c, const DelayKey *key)
{
  const PortDelay *delays = const_delays(c, key->output);
  uint32_t i = find_delay(c, key->output, key->pin, key->clock, key->clock_edge);
  while (i != NO_RECORD
         && !(delay_is_of(&delays[i], key->clock, key->clock_edge)
              && delays[i].reference_pin == key->reference_pin))
    i = delays[i].next;
  return i;
}

PortDelay *constraints_port_delay(Constraints *c, const DelayKey *the_key, bool add)
{
  PortDelayArray *delays = delays_of(c, the_key->output);
  if (!add) remove_other_delays(c, the_key, find_delay_from(c, the_key));
  uint32_t i = find_delay_from(c, the_key);
  if (i != NO_RECORD) return &delays->at[i];
  uint64_t key = delay_key(the_key->output, the_key->pin);
  array_push(delays,
             new_delay(the_key->pin, the_key->clock, the_key->clock_edge, map_get(c->index, key)));
  i = delays->len - 1;
  delays->at[i].reference_pin = the_key->reference_pin;
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
    PortDelay *delay = &delays->at[i];
    bool match =
        (any_clock || delay->clock == clock) && (clock_edge < 0 || delay->clock_edge == clock_edge);
    bool gone = match && forget_delay(c, delay, conditions);
    if (gone) remove_delay(c, output, i);
    i = gone ? map_get(c->index, delay_key(output, pin)) : delay->next;
  }
}

/* Removing moves the last record, which has been visited, to the place of the removed one.  So the
   walk goes backwards. */
static void purge_delays(Constraints *c, bool output)
{
  for (uint32_t i = output ? c->output_delays.len : c->input_delays.len; i-- > 0;) {
    PortDelay d = output ? c->output_delays.at[i] : c->input_delays.at[i];
    if (clock_is_gone(c, d.clock))
      constraints_unset_delay(c, output, d.pin, d.clock, false, d.clock_edge, ~0u);
  }
}

void forget_clocks_input_delays(Constraints *c) { purge_delays(c, false); }
void forget_clocks_output_delays(Constraints *c) { purge_delays(c, true); }

static void forget_references(Constraints *c, PortDelay *delays, uint32_t len, PinRange pins)
{
  for (uint32_t i = 0; i < len; i++) {
    if (!in_range(delays[i].reference_pin, pins)) continue;
    delays[i].reference_pin = NO_PIN;
    constraints_changed(c);
  }
}

static bool refers_to(const PortDelay *delays, uint32_t len, PinRange pins)
{
  for (uint32_t i = 0; i < len; i++)
    if (in_range(delays[i].reference_pin, pins)) return true;
  return false;
}

bool would_forget_input_delays(const Constraints *c, PinRange pins)
{
  return refers_to(c->input_delays.at, c->input_delays.len, pins);
}

bool would_forget_output_delays(const Constraints *c, PinRange pins)
{
  return refers_to(c->output_delays.at, c->output_delays.len, pins);
}

void forget_pins_input_delays(Constraints *c, PinRange pins, ClockArray *gone)
{
  (void)gone;
  forget_references(c, c->input_delays.at, c->input_delays.len, pins);
}

void forget_pins_output_delays(Constraints *c, PinRange pins, ClockArray *gone)
{
  (void)gone;
  forget_references(c, c->output_delays.at, c->output_delays.len, pins);
}

static bool delay_names(const Sought *sought, const PortDelay *delay)
{
  return is_sought_pin(sought, delay->pin) || is_sought_pin(sought, delay->reference_pin);
}

bool named_by_input_delays(const Sought *sought, const PortDelay *delay)
{
  return delay_names(sought, delay);
}
bool named_by_output_delays(const Sought *sought, const PortDelay *delay)
{
  return delay_names(sought, delay);
}

/* --- drives and loads ------------------------------------------------------------------------- */

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

NAMES_NONE(drives, PortDrive)   /* ports of the design */
NAMES_NONE(port_loads, PortLoad)

bool named_by_net_loads(const Sought *sought, const NetLoad *load)
{
  return sought->net != NO_NET && load->net == sought->net && constraints_gives_wires(load);
}
