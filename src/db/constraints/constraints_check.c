/* Stores the checks between data pins (set_data_check). */
#include <math.h>

#include "base/hash.h"
#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

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

void constraints_purge_data_checks(Constraints *c)
{
  for (uint32_t i = 0; i < c->data_checks.len; i++) {
    const DataCheck *d = &c->data_checks.at[i];
    if (d->clock == NO_CLOCK || !c->clocks.at[d->clock].deleted) continue;
    DataCheckSpec all = { d->from, d->to, d->clock, EDGE_BOTH, EDGE_BOTH, 3 };
    constraints_set_data_check(c, &all, NAN);
  }
}
