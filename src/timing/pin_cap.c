/* Computes capacitances of pins, and the part of them that a driver sees. */
#include "timing/derived.h"
#include "timing/scaling.h"

Cond4 timing_pin_cap(const Timing *t, Slot slot)
{
  const Netlist *n = t->g->netlist;
  if (!(t->g->slots.flags[slot] & SLOT_PORT)) {
    Cond4 cap = t->corner_libs->port_cap[n->pins.at[t->g->slots.pin[slot]].port];
    PortId port = n->pins.at[t->g->slots.pin[slot]].port;
    for (int k = 0; t->scaling && k < CONDITION_COUNT; k++)
      cap.v[k] = scaling_port_cap(t, scaling_point(t, slot), port, k, cap.v[k]);
    return cap;
  }
  uint32_t i = map_get(t->ports.cap_of, slot);
  return i == MAP_NO_VALUE ? (Cond4){ { 0, 0, 0, 0 } } : t->ports.caps.at[i];
}

static void add4(Cond4 *to, Cond4 x)
{
  for (int k = 0; k < CONDITION_COUNT; k++) to->v[k] += x.v[k];
}

bool timing_own_cap_counts(const Timing *t, Slot driver)
{
  return !delay_has(t->delay_model, DELAY_CONTEST_RULES)
         || t->g->slots.flags[driver] & SLOT_BIDIRECTIONAL;
}

Slot timing_cap_slot(const Graph *g, Slot driver)
{
  return g->slots.flags[driver] & SLOT_BIDIRECTIONAL ? g->slots.of_pin[g->slots.pin[driver]]
                                                     : driver;
}

Cond4 timing_own_cap(const Timing *t, Slot driver)
{
  return timing_own_cap_counts(t, driver) ? timing_pin_cap(t, timing_cap_slot(t->g, driver))
                                          : (Cond4){ { 0, 0, 0, 0 } };
}

Cond4 timing_own_cap_seen(const Timing *t, Slot driver)
{
  const Netlist *n = t->g->netlist;
  PinId pin = t->g->slots.pin[driver];
  NetId net = netlist_pin_net(n, pin);
  if (timing_own_cap_counts(t, driver)) return timing_own_cap(t, driver);
  const NetLoad *given = constraints_find_net_load(t->constraints, net);
  Cond4 own = timing_pin_cap(t, timing_cap_slot(t->g, driver));
  bool given_wires = given && constraints_gives_wires(given);
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (given_wires || !parasitics_holds_pin(t->parasitics[k >> 1], n, net, pin)) own.v[k] = 0;
  return own;
}

Cond4 timing_other_pins(const Timing *t, Slot driver, uint32_t flags)
{
  const Graph *g = t->g;
  Cond4 sum = { { 0, 0, 0, 0 } };
  NetPins it = net_pins(g->netlist, netlist_pin_net(g->netlist, g->slots.pin[driver]), false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = p < g->pin_count ? g->slots.of_pin[p] : NO_SLOT;
    if (s == NO_SLOT || p == g->slots.pin[driver] || parasitics_pin_included(g->netlist, flags, p))
      continue;
    add4(&sum, timing_pin_cap(t, s));
  }
  return sum;
}

uint32_t timing_given_wires(const Timing *t, NetId net)
{
  if (t->constraints->net_loads.len == 0 || net == NO_NET) return 0;
  const NetLoad *given = constraints_find_net_load(t->constraints, net);
  uint32_t conditions = 0;
  for (int k = 0; given && k < CONDITION_COUNT; k++)
    if (!isnan(given->wire_cap[k]) || !isnan(given->resistance[k >> 1])) conditions |= 1u << k;
  return conditions;
}
