/* Stores operating conditions, voltages, wire loads, and commands without effect. */
#include <math.h>

#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

/* Index of a key's record in an array that now has `count`; *made: it is to be added at that
   place. */
static uint32_t place_of(Constraints *c, uint64_t key, uint32_t count, bool *made)
{
  uint32_t at = map_get(c->index, key);
  *made = at == MAP_NO_VALUE;
  if (!*made) return at;
  map_put(c->index, key, count);
  constraints_changed(c);
  return count;
}

InstPvt *constraints_pvt(Constraints *c, InstId inst)
{
  bool made;
  uint32_t at = place_of(c, key_of(KEY_pvts, 0, inst), c->pvts.len, &made);
  if (made) array_push(&c->pvts, (InstPvt){ inst, { NAN, NAN }, { NAN, NAN }, { NAN, NAN }, 0 });
  return &c->pvts.at[at];
}

const InstPvt *constraints_find_pvt(const Constraints *c, InstId inst)
{
  uint32_t at = map_get(c->index, key_of(KEY_pvts, 0, inst));
  return at == MAP_NO_VALUE ? NULL : &c->pvts.at[at];
}

bool named_by_pvts(const Sought *sought, const InstPvt *pvt)
{
  return sought->inst != NO_INST && pvt->inst == sought->inst
         && (ANY_VALUE(pvt->process) || ANY_VALUE(pvt->voltage) || ANY_VALUE(pvt->temperature));
}

NetVoltage *constraints_net_voltage(Constraints *c, NameId net)
{
  bool made;
  uint32_t at = place_of(c, key_of(KEY_net_voltages, 0, net), c->net_voltages.len, &made);
  if (made) array_push(&c->net_voltages, (NetVoltage){ net, { NAN, NAN } });
  return &c->net_voltages.at[at];
}

WireLoadChoice *constraints_wire_load(Constraints *c, Object object)
{
  bool made;
  uint64_t key = key_of_object(KEY_wire_load_choices, object);
  uint32_t at = place_of(c, key, c->wire_load_choices.len, &made);
  if (made)
    array_push(&c->wire_load_choices, (WireLoadChoice){ object,
                                                        { NO_WIRE_LOAD, NO_WIRE_LOAD },
                                                        { NO_NAME, NO_NAME },
                                                        { NO_LIBRARY, NO_LIBRARY },
                                                        0,
                                                        0 });
  return &c->wire_load_choices.at[at];
}

const WireLoadChoice *constraints_find_wire_load(const Constraints *c, Object object)
{
  uint32_t at = map_get(c->index, key_of_object(KEY_wire_load_choices, object));
  return at == MAP_NO_VALUE ? NULL : &c->wire_load_choices.at[at];
}

/* Few: no index. */
void constraints_keep(Constraints *c, NameId command, NameId key, NameId text)
{
  for (uint32_t i = 0; i < c->kept.len; i++) {
    if (c->kept.at[i].command != command || c->kept.at[i].key != key) continue;
    c->kept.at[i].text = text;
    return;
  }
  array_push(&c->kept, (KeptCommand){ command, key, text });
}

NAMES_NONE(net_voltages, NetVoltage)   /* supplies, by name */
NAMES_NONE(wire_load_choices, WireLoadChoice)   /* the design, blocks, ports */
NAMES_NONE(kept, KeptCommand)
