/* Stores constants of pins and disabled arcs. */
#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

void constraints_set_case(Constraints *c, PinId pin, CaseValue value, bool is_case)
{
  PinCase *pin_case = RECORD(c, &c->cases, key_of(KEY_cases, 0, pin),
                             (PinCase){ pin, CASE_COUNT, false, CASE_COUNT });
  PinCase now = { pin, (uint8_t)value, is_case, pin_case->logic };
  if (!is_case)
    now = (PinCase){ pin, pin_case->is_case ? pin_case->value : (uint8_t)value, pin_case->is_case,
                     (uint8_t)value };
  if (pin_case->value == now.value && pin_case->is_case == now.is_case
      && pin_case->logic == now.logic)
    return;
  *pin_case = now;
  constraints_changed(c);
}

void constraints_unset_case(Constraints *c, PinId pin, bool is_case)
{
  PinCase *pin_case = FIND(c, &c->cases, key_of(KEY_cases, 0, pin));
  if (pin_case == NULL || (is_case ? !pin_case->is_case : pin_case->logic == CASE_COUNT)) return;
  if (is_case ? pin_case->logic == CASE_COUNT : !pin_case->is_case) {
    REMOVE(c, &c->cases, key_of(KEY_cases, 0, pin), key_of(KEY_cases, 0, LAST(c->cases).pin));
    return;
  }
  *pin_case = is_case ? (PinCase){ pin, pin_case->logic, false, pin_case->logic }
    : (PinCase){ pin, pin_case->value, true, CASE_COUNT };
  constraints_changed(c);
}

const PinCase *constraints_find_case(const Constraints *c, PinId pin)
{
  return FIND(c, &c->cases, key_of(KEY_cases, 0, pin));
}

BY_PIN(cases, PinCase)

/* --- disabled arcs ---------------------------------------------------------------------------- */

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

BY_OBJECT(disabled, DisabledTiming)
