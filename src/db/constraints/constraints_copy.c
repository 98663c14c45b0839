/* Copies constraints, so that a command can go back to the copy. */
#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

#define OWN_NOTHING(array, name)
#define OWN_MEMORY(array, name) \
  for (uint32_t i = 0; i < (array)->len; i++) own_##name(&(array)->at[i]);

#define OWN(array, name, owns, counts, forgets) \
  OWN_ARRAY(&copy->name);                       \
  OWN_##owns(&copy->name, name)
#define OWN_SEVERAL(array, name, number, owns, counts, forgets) \
  for (int k = 0; k < (number); k++) {                          \
    OWN_ARRAY(&copy->name[k]);                                  \
    OWN_##owns(&copy->name[k], name)                            \
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
    const Clock *clock = &c->clocks.at[id];
    if (clock->deleted || !clock->generated) continue;
    const double *waveform = clock->waveform.len ? clock->waveform.at : NULL;
    constraints_derive_clock(saved, id,
                             &(DerivedClock){ clock->derived_master, clock->master_inverted,
                                              clock->period, waveform, clock->waveform.len });
  }
}

/* Objects that stand for clocks made since must not come to stand for later ones. */
static void keep_clock_ids(Constraints *saved, const Constraints *c)
{
  for (ClockId id = saved->clocks.len; id < c->clocks.len; id++) {
    Clock gone = c->clocks.at[id];
    own_clocks(&gone);
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
