/* Makes the timers of scenarios on first use and brings them up to date. */
#include "tclbind/session_timing.h"

#include "tclbind/tell_contradiction.h"
#include "device/flat.h"

/* Missing data of a corner is reported once, before its numbers are first used. */
static void check_corner(Session *s, Corner *corner)
{
  CellId first = NO_CELL;
  uint32_t count = corner->checked ? 0 : corner_missing(corner, s->netlist, &first);
  corner->checked = true;
  if (count == 0) return;
  const char *cell = names_text(s->names, s->libs->cells.at[first].name);
  log_warning(s->log, "SCEN-008", NOWHERE,
              "the libraries of corner %s lack %u of the design's library cells (%s%s); these have "
              "the numbers of "
              "the libraries that the design is linked to",
              names_text(s->names, corner->name), count, cell, count > 1 ? ", ..." : "");
}

static Timer *make_timer(Session *s, ScenarioId id)
{
  const Scenario *sc = &s->scenarios->scenarios.at[id];
  TimerInput in = { .netlist = s->netlist,
                    .libs = s->libs,
                    .constraints = s->scenarios->modes.at[sc->mode].constraints,
                    .corner = s->scenarios->corners.at[sc->corner],
                    .rules = s->rules };
  if (s->share == NULL) s->share = timer_share_new();
  while (s->timers.len <= id) array_push(&s->timers, NULL);
  s->timers.at[id] = timer_new_in(s->share, &in, s->log);
  timer_set_engine_options(s->timers.at[id], s->engine_options);
  timer_set_common(s->timers.at[id], s->common);
  if (s->delay_model_given) timer_set_delay_model(s->timers.at[id], (DelayModel)s->delay_model);
  check_corner(s, s->scenarios->corners.at[sc->corner]);
  if (id == s->scenario) s->timer = s->timers.at[id];
  return s->timers.at[id];
}

Status session_check_scenario(const Session *s, ScenarioId id)
{
  if (id != NO_SCENARIO) return OK;
  return log_error(s->log, "SCEN-007", NOWHERE,
                   "mode %s is in no scenario, so it has no timing; use create_scenario, or "
                   "current_scenario for another one",
                   names_text(s->names, s->scenarios->modes.at[s->mode].name));
}

Timer *session_timer_of(Session *s, ScenarioId id)
{
  if (s->netlist == NULL) {
    log_error(s->log, "CMD-009", NOWHERE, "no design is linked; use link_design first");
    return NULL;
  }
  if (session_check_scenario(s, id) != OK) return NULL;
  contradictions_tell(s);
  scenario_tell_clocks(s->scenarios, s->scenarios->scenarios.at[id].mode);
  Timer *timer = session_timer_at(s, id);
  if (timer == NULL) timer = make_timer(s, id);
  for (int el = EARLY; el <= LATE; el++)
    timer->in.parasitics[el] =
        corner_parasitics(s->scenarios, s->scenarios->scenarios.at[id].corner, el);
  timer->in.annotations = s->scenarios->scenarios.at[id].annotations;
  if (s->variation) variation_place_cells(s->variation, s->placement);
  timer->in.variation = s->variation;
  timer->threads = s->threads;
  timer_set_backend(timer, session_backend(s));
  return timer;
}

Timing *session_timing_of(Session *s, ScenarioId id, bool required)
{
  Timer *timer = session_timer_of(s, id);
  if (timer == NULL || timer_update(timer, required) != OK) return NULL;
  return timer->timing;
}

Timer *session_timer(Session *s) { return session_timer_of(s, s->scenario); }
Timing *session_timing(Session *s, bool required)
{
  return session_timing_of(s, s->scenario, required);
}

Status session_timings(Session *s, const ScenarioIds *which, bool required, Timings *out)
{
  return session_timings_of(s, which, required, NUMBERS_ALL, out);
}

Status session_slack_timings(Session *s, const ScenarioIds *which, Timings *out)
{
  Status status = session_timings_of(s, which, true, NUMBERS_SUMS, out);
  if (status != OK || out->len == 1) return status;
  array_clear(out);
  return session_timings_of(s, which, true, NUMBERS_ENDS, out);
}

Status session_update(Session *s)
{
  Timer *timer = session_timer(s);
  return timer == NULL ? FAILED : timers_update(&timer, 1, true, 0);
}

Status session_timings_of(Session *s, const ScenarioIds *which, bool required, unsigned groups,
                          Timings *out)
{
  uint32_t count = which ? which->len : s->scenarios->scenarios.len;
  ARRAY(Timer *) timers = { 0 };
  Status status = OK;
  for (uint32_t i = 0; i < count && status == OK; i++) {
    ScenarioId id = which ? which->at[i] : i;
    if (s->scenarios->scenarios.at[id].deleted) continue;
    array_push(&timers, session_timer_of(s, id));
    if (timers.at[timers.len - 1] == NULL) status = FAILED;
  }
  if (status == OK) status = timers_update(timers.at, timers.len, required, groups);
  for (uint32_t i = 0; i < timers.len && status == OK; i++) array_push(out, timers.at[i]->timing);
  array_free(&timers);
  return status;
}
