#include "cmd/session.h"

#include <unistd.h>

#include "cmd/object.h"
#include "cmd/paths.h"
#include "cmd/property.h"
#include "db/variation.h"
#include "engine/share.h"
#include "engine/timer.h"
#include "read/liberty.h"
#include "read/link.h"
#include "read/verilog.h"

Session *session_new(LogSink sink, void *data)
{
  Session *s = mem_alloc_zero(1, sizeof *s);
  s->log = log_new(sink, data);
  s->names = names_new();
  s->libs = library_set_new(s->names);
  s->scenarios = scenario_set_new(s->names);
  s->liberty_unused = mem_alloc_zero(1, sizeof *s->liberty_unused);
  s->units = units_default();
  s->separator = '/';
  s->digits = 3;
  s->library_ref = object_ref_new(s);
  s->design_ref = object_ref_new(s);
  return s;
}

void session_drop_timer(Session *s)
{
  path_store_forget(s);
  for (uint32_t i = 0; i < s->timers.len; i++) timer_free(s->timers.at[i]);
  array_free(&s->timers);
  timer_share_free(s->share);
  s->share = NULL;
  s->timer = NULL;
}

/* --- the current mode, corner and scenario --------------------------------------------------------------- */

struct Timer *session_timer_at(const Session *s, ScenarioId scenario)
{
  return scenario < s->timers.len ? s->timers.at[scenario] : NULL;
}

void session_refresh(Session *s)
{
  s->constraints = s->scenarios->modes.at[s->mode].constraints;
  for (int el = EARLY; el <= LATE; el++) s->parasitics[el] = corner_parasitics(s->scenarios, s->corner, el);
  s->annotations = s->scenario == NO_SCENARIO ? NULL : s->scenarios->scenarios.at[s->scenario].annotations;
  s->timer = session_timer_at(s, s->scenario);
}

void session_use_scenario(Session *s, ScenarioId scenario)
{
  s->scenario = scenario;
  s->mode = s->scenarios->scenarios.at[scenario].mode;
  s->corner = s->scenarios->scenarios.at[scenario].corner;
  session_refresh(s);
}

void session_use_mode(Session *s, ModeId mode)
{
  ScenarioId found = scenario_first(s->scenarios, mode, s->corner);
  if (found == NO_SCENARIO) found = scenario_first(s->scenarios, mode, NO_CORNER);
  if (s->scenario != NO_SCENARIO && s->scenarios->scenarios.at[s->scenario].mode == mode) found = s->scenario;
  if (found != NO_SCENARIO) session_use_scenario(s, found);
  s->scenario = found;
  s->mode = mode;
  session_refresh(s);
}

void session_remove_scenario(Session *s, ScenarioId scenario)
{
  struct Timer *t = session_timer_at(s, scenario);
  path_store_forget(s);
  timer_free(t);
  if (t) s->timers.at[scenario] = NULL;
  scenario_remove(s->scenarios, scenario);
  if (s->scenario == scenario) session_use_scenario(s, scenario_first(s->scenarios, NO_MODE, NO_CORNER));
}

static void end_clock_ref(Session *s, ModeId mode)
{
  if (mode < s->clock_refs.len && s->clock_refs.at[mode]) object_ref_end(s->clock_refs.at[mode]);
  if (mode < s->clock_refs.len) s->clock_refs.at[mode] = NULL;
}

void session_remove_mode(Session *s, ModeId mode)
{
  if (s->share) share_forget(s->share, s->scenarios->modes.at[mode].constraints);
  end_clock_ref(s, mode);
  scenario_remove_mode(s->scenarios, mode);
  if (s->mode == mode) session_use_scenario(s, scenario_first(s->scenarios, NO_MODE, NO_CORNER));
}

/* --- the design ------------------------------------------------------------------------------------------ */

void session_set_netlist(Session *s, Netlist *netlist)
{
  session_drop_timer(s);
  scenario_set_design(s->scenarios, netlist);
  for (ModeId m = 0; m < s->clock_refs.len; m++) end_clock_ref(s, m);
  constraints_free(s->constraints_before);
  s->constraints_before = NULL;
  if (s->variation) variation_remove(s->variation, 1u << OCV_DERATE | 1u << OCV_COEFFICIENT);
  if (s->netlist) netlist_free(s->netlist);
  object_ref_end(s->design_ref);
  user_properties_forget_design(s->user_properties);
  s->design_ref = object_ref_new(s);
  s->netlist = netlist;
  session_refresh(s);
  s->current_instance = TOP_INST;
}

void session_free(Session *s)
{
  if (s == NULL) return;
  session_set_netlist(s, NULL);
  object_ref_end(s->design_ref);
  object_ref_end(s->library_ref);
  user_properties_free(s->user_properties);
  path_store_free(s);
  if (s->verilog) verilog_files_free(s->verilog);
  array_free(&s->clock_refs);
  scenario_set_free(s->scenarios);
  variation_free(s->variation);
  library_set_free(s->libs);
  liberty_tally_free(s->liberty_unused);
  mem_free(s->liberty_unused);
  names_free(s->names);
  log_free(s->log);
  mem_free(s);
}

void session_engine_text(const Session *s, Text *t)
{
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int threads = s->threads > 0 ? s->threads : cores > 0 ? (int)cores : 1;
  text_printf(t, "cpu, %d thread%s", threads, threads == 1 ? "" : "s");
  /* -engine: 0 auto, 1 cpu, 2 cuda; there is no other engine than the CPU's to choose yet */
  if (s->engine == 2) text_put(t, " (cuda was asked for: this version has no CUDA engine)");
  else if (s->engine == 0) text_put(t, " (auto: this version has no other engine)");
}
