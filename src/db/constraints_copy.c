/* Copies of constraints, to go back to. */
#include "db/constraints.h"
#include "db/constraints_private.h"

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

static void own_clock(Clock *clock)
{
  OWN_ARRAY(&clock->waveform);
  OWN_ARRAY(&clock->sources);
  OWN_ARRAY(&clock->edges);
  OWN_ARRAY(&clock->edge_shift);
}

static void own_records(Constraints *c)
{
  OWN_ARRAY(&c->inter_uncertainties);
  OWN_ARRAY(&c->clock_pins);
  OWN_ARRAY(&c->senses);
  OWN_ARRAY(&c->clocks_elsewhere);
  OWN_ARRAY(&c->input_delays);
  OWN_ARRAY(&c->output_delays);
  OWN_ARRAY(&c->drives);
  OWN_ARRAY(&c->port_loads);
  OWN_ARRAY(&c->net_loads);
  OWN_ARRAY(&c->cases);
  OWN_ARRAY(&c->disabled);
  OWN_ARRAY(&c->gating_checks);
  OWN_ARRAY(&c->gating_disabled);
  OWN_ARRAY(&c->time_borrow);
  OWN_ARRAY(&c->data_checks);
  for (int k = 0; k < LIMIT_COUNT; k++) OWN_ARRAY(&c->limits[k]);
  OWN_ARRAY(&c->derates);
  OWN_ARRAY(&c->ideal_sources);
  OWN_ARRAY(&c->ideal_pins);
  OWN_ARRAY(&c->net_voltages);
  OWN_ARRAY(&c->pvts);
  OWN_ARRAY(&c->wire_load_choices);
  OWN_ARRAY(&c->kept);
  OWN_ARRAY(&c->crossed_pairs);
  OWN_ARRAY(&c->commands);
}

/* The index of exceptions by object is left out: the first reset makes it. */
Constraints *constraints_copy(const Constraints *c)
{
  Constraints *copy = mem_alloc(sizeof *copy);
  *copy = *c;
  OWN_ARRAY(&copy->clocks);
  for (uint32_t i = 0; i < copy->clocks.len; i++) own_clock(&copy->clocks.at[i]);
  OWN_ARRAY(&copy->exceptions);
  for (uint32_t i = 0; i < copy->exceptions.len; i++)
    copy->exceptions.at[i] = exception_copy(&copy->exceptions.at[i]);
  OWN_ARRAY(&copy->clock_groups);
  for (uint32_t i = 0; i < copy->clock_groups.len; i++)
    OWN_ARRAY(&copy->clock_groups.at[i].group_of);
  own_records(copy);
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
    own_clock(&gone);
    array_clear(&gone.sources);
    gone.deleted = true;
    array_push(&saved->clocks, gone);
  }
}

void constraints_restore(Constraints *c, Constraints *saved)
{
  bool changed = c->version != saved->version || c->value_version != saved->value_version;
  if (!changed) keep_derived(saved, c);
  keep_clock_ids(saved, c);
  uint64_t version = c->version + changed, value_version = c->value_version + changed;
  Constraints dropped = *c;
  *c = *saved;
  *saved = dropped;
  c->version = version;
  c->value_version = value_version;
  constraints_free(saved);
}
