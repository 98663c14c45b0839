/* Copies constraints, so that a command can go back to the copy. */
#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

/* The field holds the original's memory (a struct was assigned): it gets its own. */
#define OWN_ARRAY(a)                                                    \
  do {                                                                  \
    const void *from_ = (a)->at;                                        \
    uint32_t len_ = (a)->len;                                           \
    (a)->at = NULL;                                                     \
    (a)->len = (a)->cap = 0;                                            \
    if (len_ == 0) break;                                               \
    array_reserve(a, len_);                                             \
    memcpy((a)->at, from_, (size_t)len_ * sizeof *(a)->at);             \
    (a)->len = len_;                                                    \
  } while (0)

void own_CLOCK(Clock *clock)
{
  OWN_ARRAY(&clock->waveform);
  OWN_ARRAY(&clock->sources);
  OWN_ARRAY(&clock->edges);
  OWN_ARRAY(&clock->edge_shift);
}

void own_EXCEPTION(Exception *e) { *e = exception_copy(e); }
void own_GROUPS(ClockGroups *g) { OWN_ARRAY(&g->group_of); }

#define OWN_NOTHING(array)
#define OWN_EACH(array, own) \
  for (uint32_t i = 0; i < (array)->len; i++) own(&(array)->at[i]);
#define OWN_CLOCK(array)     OWN_EACH(array, own_CLOCK)
#define OWN_EXCEPTION(array) OWN_EACH(array, own_EXCEPTION)
#define OWN_GROUPS(array)    OWN_EACH(array, own_GROUPS)

#define OWN(array, name, owns, counts) \
  OWN_ARRAY(&copy->name);              \
  OWN_##owns(&copy->name)
#define OWN_SEVERAL(array, name, number, owns, counts) \
  for (int k = 0; k < (number); k++) {                 \
    OWN_ARRAY(&copy->name[k]);                         \
    OWN_##owns(&copy->name[k])                         \
  }

/* The index of exceptions by object is left out: the first reset makes it. */
Constraints *constraints_copy(const Constraints *c)
{
  Constraints *copy = mem_alloc(sizeof *copy);
  *copy = *c;
  CONSTRAINT_ARRAYS(OWN, OWN_SEVERAL)
  copy->index = map_copy(c->index);
  copy->clock_by_name = map_copy(c->clock_by_name);
  copy->paths = NULL;
  return copy;
}

/* The graph derives clocks without a change of version. */
static void keep_derived(Constraints *saved, const Constraints *c)
{
  for (ClockId id = 0; id < saved->clocks.len; id++) {
    const Clock *k = &c->clocks.at[id];
    if (k->deleted || !k->generated) continue;
    const double *waveform = k->waveform.len ? k->waveform.at : NULL;
    constraints_derive_clock(saved, id, &(DerivedClock){ k->derived_master, k->master_inverted,
                                                         k->period, waveform, k->waveform.len });
  }
}

/* Objects that stand for clocks made since must not come to stand for later ones. */
static void keep_clock_ids(Constraints *saved, const Constraints *c)
{
  for (ClockId id = saved->clocks.len; id < c->clocks.len; id++) {
    Clock gone = c->clocks.at[id];
    own_CLOCK(&gone);
    array_clear(&gone.sources);
    gone.deleted = true;
    array_push(&saved->clocks, gone);
  }
}

void constraints_restore(Constraints *c, Constraints *saved)
{
  bool changed = c->version != saved->version;
  if (!changed) keep_derived(saved, c);
  keep_clock_ids(saved, c);
  uint64_t version = c->version + changed;
  Constraints dropped = *c;
  *c = *saved;
  *saved = dropped;
  c->version = version;
  constraints_free(saved);
}
