/* Stores checks and limits: clock gating, time borrowing, pulses, loads, checks of data pins. */
#include <math.h>

#include "base/hash.h"
#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

/* --- clock gating ----------------------------------------------------------------------------- */

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

bool named_by_gating_checks(const Sought *s, const GatingCheck *g)
{
  return (ANY_VALUE(g->margin) || g->level >= 0) && is_sought_object(s, g->object);
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

static bool value_names(const Sought *s, const ObjectValue *v)
{
  return !isnan(v->value) && is_sought_object(s, v->object);
}

bool named_by_limits(const Sought *s, const ObjectValue *v) { return value_names(s, v); }
bool named_by_time_borrow(const Sought *s, const ObjectValue *v) { return value_names(s, v); }

/* --- data checks ------------------------------------------------------------------------------ */

bool data_check_is_empty(const DataCheck *d)
{
  for (int check = 0; check < 2; check++)
    for (int edges = 0; edges < 4; edges++)
      if (!isnan(d->margin[check][edges >> 1][edges & 1])) return false;
  return true;
}

/* Two pins may be checked against each other by many commands, each for another clock, and a pin by
   thousands of others, so the index has a key for each pair and clock.  26 bits stand for reference
   and clock; records that have them alike by chance are chained. */
static uint64_t check_key(const DataCheckSpec *s)
{
  uint64_t from = hash_u64(hash_pair(s->from, s->clock));
  return key_of(KEY_data_checks, (uint32_t)(from >> 32), s->to);
}

static DataCheck *find(Constraints *c, const DataCheckSpec *s)
{
  uint32_t i = map_get(c->index, check_key(s));
  for (; i != MAP_NO_VALUE; i = c->data_checks.at[i].next) {
    DataCheck *d = &c->data_checks.at[i];
    if (d->from == s->from && d->clock == s->clock) return d;
  }
  return NULL;
}

static DataCheck *add(Constraints *c, const DataCheckSpec *s)
{
  uint64_t key = check_key(s);
  DataCheck d = { .from = s->from, .to = s->to, .clock = s->clock, .next = map_get(c->index, key) };
  for (int check = 0; check < 2; check++)
    for (int edges = 0; edges < 4; edges++) d.margin[check][edges >> 1][edges & 1] = NAN;
  array_push(&c->data_checks, d);
  map_put(c->index, key, c->data_checks.len - 1);
  return &c->data_checks.at[c->data_checks.len - 1];
}

DataCheck *constraints_set_data_check(Constraints *c, const DataCheckSpec *s, float margin)
{
  DataCheck *d = find(c, s);
  if (d == NULL && isnan(margin)) return NULL;
  if (d == NULL) d = add(c, s);
  for (int check = 0; check < 2; check++)
    for (int from = RISE; from <= FALL; from++)
      for (int to = RISE; to <= FALL; to++) {
        bool meant = s->checks >> check & 1 && s->from_edges >> from & 1 && s->to_edges >> to & 1;
        float *at = &d->margin[check][from][to];
        if (!meant || *at == margin || (isnan(*at) && isnan(margin))) continue;
        *at = margin;
        constraints_changed(c);           /* margins stand in the graph's checks */
      }
  return d;
}

void forget_clocks_data_checks(Constraints *c)
{
  for (uint32_t i = 0; i < c->data_checks.len; i++) {
    const DataCheck *d = &c->data_checks.at[i];
    if (d->clock == NO_CLOCK || !c->clocks.at[d->clock].deleted) continue;
    DataCheckSpec all = { d->from, d->to, d->clock, EDGE_BOTH, EDGE_BOTH, 3 };
    constraints_set_data_check(c, &all, NAN);
  }
}

bool named_by_data_checks(const Sought *s, const DataCheck *d)
{
  return ANY_VALUE(d->margin) && (is_sought_pin(s, d->from) || is_sought_pin(s, d->to));
}
