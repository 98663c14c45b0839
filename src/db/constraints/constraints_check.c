/* Stores checks and limits: clock gating, time borrowing, pulses, loads, checks of data pins. */
#include <math.h>

#include "base/hash.h"
#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

/* --- clock gating ----------------------------------------------------------------------------- */

static GatingCheck new_gating_check(Object object)
{
  GatingCheck r = { .object = object, .open_value = -1 };
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

void constraints_remove_gating_check(Constraints *c, Object object)
{
  REMOVE(c, &c->gating_checks, key_of_object(KEY_gating_checks, object),
         key_of_object(KEY_gating_checks, LAST(c->gating_checks).object));
}

void forget_clocks_gating_checks(Constraints *c)
{
  PURGE(c, &c->gating_checks, object_is_gone(c, c->gating_checks.at[i].object),
        key_of_object(KEY_gating_checks, c->gating_checks.at[i].object));
}

bool named_by_gating_checks(const Sought *sought, const GatingCheck *check)
{
  return (ANY_VALUE(check->margin) || check->open_value >= 0)
         && is_sought_object(sought, check->object);
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

BY_OBJECT(gating_disabled, GatingDisabled)

/* --- limits, time borrowing ------------------------------------------------------------------- */

ObjectValue *constraints_set_limit(Constraints *c, LimitKind kind, Object object, float value)
{
  ObjectValue *object_value = RECORD(c, &c->limits[kind], key_of_object(KEY_limits + kind, object),
                                     ((ObjectValue){ object, NAN, 0 }));
  constraints_put(c, &object_value->value, value);
  return object_value;
}

const ObjectValue *constraints_find_limit_record(const Constraints *c, LimitKind kind,
                                                 Object object)
{
  return FIND(c, &c->limits[kind], key_of_object(KEY_limits + kind, object));
}

float constraints_find_limit(const Constraints *c, LimitKind kind, Object object)
{
  const ObjectValue *value = constraints_find_limit_record(c, kind, object);
  return value ? value->value : NAN;
}

ObjectValue *constraints_set_time_borrow(Constraints *c, Object object, float value)
{
  ObjectValue *object_value = RECORD(c, &c->time_borrow, key_of_object(KEY_time_borrow, object),
                                     ((ObjectValue){ object, NAN, 0 }));
  constraints_put(c, &object_value->value, value);
  return object_value;
}

float constraints_find_time_borrow(const Constraints *c, Object object)
{
  const ObjectValue *value = FIND(c, &c->time_borrow, key_of_object(KEY_time_borrow, object));
  return value ? value->value : NAN;
}

void forget_clocks_limits(Constraints *c)
{
  for (uint32_t kind = 0; kind < LIMIT_COUNT; kind++)
    PURGE(c, &c->limits[kind], object_is_gone(c, c->limits[kind].at[i].object),
          key_of_object(KEY_limits + kind, c->limits[kind].at[i].object));
}

void forget_clocks_time_borrow(Constraints *c)
{
  PURGE(c, &c->time_borrow, object_is_gone(c, c->time_borrow.at[i].object),
        key_of_object(KEY_time_borrow, c->time_borrow.at[i].object));
}

static bool value_names(const Sought *sought, const ObjectValue *value)
{
  return !isnan(value->value) && is_sought_object(sought, value->object);
}

bool named_by_limits(const Sought *sought, const ObjectValue *value)
{
  return value_names(sought, value);
}
bool named_by_time_borrow(const Sought *sought, const ObjectValue *value)
{
  return value_names(sought, value);
}

/* --- data checks ------------------------------------------------------------------------------ */

bool data_check_is_empty(const DataCheck *data_check)
{
  for (int check = 0; check < 2; check++)
    for (int edges = 0; edges < 4; edges++)
      if (!isnan(data_check->margin[check][edges >> 1][edges & 1])) return false;
  return true;
}

/* Two pins may be checked against each other by many commands, each for another clock, and a pin by
   thousands of others, so the index has a key for each pair and clock.  26 bits stand for reference
   and clock; records that have them alike by chance are chained. */
static uint64_t check_key(const DataCheckSpec *spec)
{
  uint64_t from = hash_u64(hash_pair(spec->from, spec->clock));
  return key_of(KEY_data_checks, (uint32_t)(from >> 32), spec->to);
}

static DataCheck *find(Constraints *c, const DataCheckSpec *spec)
{
  uint32_t i = map_get(c->index, check_key(spec));
  for (; i != MAP_NO_VALUE; i = c->data_checks.at[i].next) {
    DataCheck *check = &c->data_checks.at[i];
    if (check->from == spec->from && check->clock == spec->clock) return check;
  }
  return NULL;
}

static DataCheck *add(Constraints *c, const DataCheckSpec *spec)
{
  uint64_t key = check_key(spec);
  DataCheck d = {
    .from = spec->from, .to = spec->to, .clock = spec->clock, .next = map_get(c->index, key)
  };
  for (int check = 0; check < 2; check++)
    for (int edges = 0; edges < 4; edges++) d.margin[check][edges >> 1][edges & 1] = NAN;
  array_push(&c->data_checks, d);
  map_put(c->index, key, c->data_checks.len - 1);
  return &c->data_checks.at[c->data_checks.len - 1];
}

DataCheck *constraints_set_data_check(Constraints *c, const DataCheckSpec *spec, float margin)
{
  DataCheck *data_check = find(c, spec);
  if (data_check == NULL && isnan(margin)) return NULL;
  if (data_check == NULL) data_check = add(c, spec);
  for (int check = 0; check < 2; check++)
    for (int from = RISE; from <= FALL; from++)
      for (int to = RISE; to <= FALL; to++) {
        bool meant =
            spec->checks >> check & 1 && spec->from_edges >> from & 1 && spec->to_edges >> to & 1;
        float *at = &data_check->margin[check][from][to];
        if (!meant || *at == margin || (isnan(*at) && isnan(margin))) continue;
        *at = margin;
        constraints_changed(c);           /* margins stand in the graph's checks */
      }
  return data_check;
}

void forget_clocks_data_checks(Constraints *c)
{
  for (uint32_t i = 0; i < c->data_checks.len; i++) {
    const DataCheck *check = &c->data_checks.at[i];
    if (check->clock == NO_CLOCK || !c->clocks.at[check->clock].deleted) continue;
    DataCheckSpec all = { check->from, check->to, check->clock, EDGE_BOTH, EDGE_BOTH, 3 };
    constraints_set_data_check(c, &all, NAN);
  }
}

bool named_by_data_checks(const Sought *sought, const DataCheck *check)
{
  return ANY_VALUE(check->margin)
         && (is_sought_pin(sought, check->from) || is_sought_pin(sought, check->to));
}
