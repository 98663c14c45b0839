/* Life of a session, the current mode, corner and scenario, the choice of a backend, and replacing
   the design. */
#include "tclbind/densities.h"
#include "tclbind/session.h"

#include "base/processors.h"
#include "tclbind/handle.h"
#include "tclbind/object_value.h"
#include "tclbind/paths.h"
#include "tclbind/property.h"
#include "db/ocv_tables.h"
#include "db/placement.h"
#include "optimize/edit_rules.h"
#include "optimize/edits.h"
#include "update/backend.h"
#include "update/share.h"
#include "update/timer.h"
#include "read/liberty/liberty.h"
#include "read/link/link.h"
#include "read/verilog/verilog.h"

Session *session_new(SessionRows rows, LogSink sink, void *data)
{
  Session *s = mem_alloc_zero(1, sizeof *s);
  s->rows = rows;
  s->log = log_new(sink, data);
  s->names = names_new();
  s->libs = library_set_new(s->names);
  s->scenarios = scenario_set_new(s->names);
  s->liberty_unused = mem_alloc_zero(1, sizeof *s->liberty_unused);
  s->units = units_default();
  s->separator = '/';
  s->digits = 3;
  s->engine_options = engine_options_preset();
  s->common.on = true;
  s->library_ref = object_ref_new(s);
  s->design_ref = object_ref_new(s);
  s->edit_rules = edit_rules_new();
  return s;
}

void session_drop_timers(Session *s)
{
  path_store_forget(s);
  for (uint32_t i = 0; i < s->timers.len; i++) timer_free(s->timers.at[i]);
  array_free(&s->timers);
  timer_share_free(s->share);
  s->share = NULL;
  s->timer = NULL;
}

/* --- the current mode, corner and scenario ---------------------------------------------------- */

struct Timer *session_timer_at(const Session *s, ScenarioId scenario)
{
  return scenario < s->timers.len ? s->timers.at[scenario] : NULL;
}

void session_refresh(Session *s)
{
  s->constraints = s->scenarios->modes.at[s->mode].constraints;
  for (int el = EARLY; el <= LATE; el++)
    s->parasitics[el] = corner_parasitics(s->scenarios, s->corner, el);
  s->annotations =
      s->scenario == NO_SCENARIO ? NULL : s->scenarios->scenarios.at[s->scenario].annotations;
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
  if (s->scenario != NO_SCENARIO && s->scenarios->scenarios.at[s->scenario].mode == mode)
    found = s->scenario;
  if (found != NO_SCENARIO) session_use_scenario(s, found);
  s->scenario = found;
  s->mode = mode;
  session_refresh(s);
}

void session_remove_scenario(Session *s, ScenarioId scenario)
{
  struct Timer *timer = session_timer_at(s, scenario);
  path_store_forget(s);
  timer_free(timer);
  if (timer) s->timers.at[scenario] = NULL;
  scenario_remove(s->scenarios, scenario);
  if (s->scenario == scenario)
    session_use_scenario(s, scenario_first(s->scenarios, NO_MODE, NO_CORNER));
}

static void end_clock_ref(Session *s, ModeId mode)
{
  if (mode < s->clock_refs.len && s->clock_refs.at[mode]) object_ref_end(s->clock_refs.at[mode]);
  if (mode < s->clock_refs.len) s->clock_refs.at[mode] = NULL;
}

void session_remove_mode(Session *s, ModeId mode)
{
  if (s->share) share_drop_constraints(s->share, s->scenarios->modes.at[mode].constraints);
  end_clock_ref(s, mode);
  scenario_remove_mode(s->scenarios, mode);
  if (s->mode == mode) session_use_scenario(s, scenario_first(s->scenarios, NO_MODE, NO_CORNER));
}

/* --- the engine ------------------------------------------------------------------------------- */

/* The next question chooses again. */
static void forget_backend(Session *s)
{
  s->backend = NULL;
  text_free(&s->engine_why);
}

/* Counts leaf cells and ports. */
static uint32_t pin_count(const Netlist *n)
{
  uint32_t count = 0;
  for (InstId i = 0; n && i < n->insts.len; i++)
    if (i == TOP_INST || inst_is_there(n, i))
      count += n->insts.at[i].pin_count;
  return count;
}

/* Looked for once: a device takes its time to answer. */
const Backend *session_backend(Session *s)
{
  if (s->backend) return s->backend;
  s->backend = backend_choose((EngineKind)s->engine, &s->engine_options,
                              s->engine == ENGINE_AUTO ? pin_count(s->netlist) : 0, &s->engine_why);
  if ((s->engine == ENGINE_CUDA || s->engine == ENGINE_EMULATED) && s->backend == &cpu_backend)
    log_warning(s->log, "CUDA-001", NOWHERE, "%s; the CPU computes", text_get(&s->engine_why));
  return s->backend;
}

void session_set_engine_options(Session *s, EngineOptions options)
{
  bool choose = engine_options_choose_anew(&s->engine_options, &options);
  s->engine_options = options;
  if (choose) forget_backend(s);
  for (uint32_t i = 0; i < s->timers.len; i++)
    if (s->timers.at[i]) timer_set_engine_options(s->timers.at[i], options);
}

/* Returns why the CPU computed the numbers of the current scenario although there is a device;
   NULL: it did not, or there are no numbers yet. */
static const char *idle_device(const Session *s)
{
  const Timing *t = s->timer ? s->timer->timing : NULL;
  return t && t->device.report.name == NULL && t->device.report.idle[0] ? t->device.report.idle
                                                                        : NULL;
}

static void cpu_text(const Session *s, Text *text)
{
  int threads = s->threads > 0 ? s->threads : processors_usable();
  text_printf(text, "cpu, %d thread%s", threads, threads == 1 ? "" : "s");
}

void session_engine_text(Session *s, Text *text)
{
  const Backend *backend = session_backend(s);
  const char *idle = backend == &cpu_backend ? NULL : idle_device(s),
             *why = text_get(&s->engine_why);
  if (backend != &cpu_backend && idle == NULL) {
    text_printf(text, "%s, %s", backend->name, why);
    return;
  }
  cpu_text(s, text);
  if (idle)
    text_printf(text, s->engine == ENGINE_AUTO ? " (auto took %s: %s)" : " (%s was asked for: %s)",
                backend->name, idle);
  else if (*why) text_printf(text, " (%s)", why);
}

/* --- the design ------------------------------------------------------------------------------- */

struct Edits *session_edits(Session *s)
{
  if (s->edits == NULL) s->edits = edits_new(s->netlist, s->scenarios, s->log);
  edits_use_timers(s->edits, s->share);
  return s->edits;
}

static void forget_constraints_before(Session *s)
{
  for (uint32_t i = 0; i < s->constraints_before.len; i++) {
    if (s->constraints_before.at[i]) constraints_free(s->constraints_before.at[i]);
    s->constraints_before.at[i] = NULL;
  }
}

bool session_reads_sdc(const Session *s)
{
  uint32_t count = s->constraints_before.len;
  return count && s->constraints_before.at[count - 1] != NULL;
}

/* A placement that was read before its netlist, or whose netlist is linked again, stays. */
static void take_placement(Session *s, const Netlist *netlist)
{
  if (s->placement == NULL) return;
  if (netlist && s->placement->design == netlist->top_name) {
    placement_bind(s->placement, netlist);
    return;
  }
  session_set_placement(s, NULL);
}

void session_set_placement(Session *s, Placement *placement)
{
  density_store_free(s->densities);
  s->densities = NULL;
  if (s->variation) variation_forget_placement(s->variation);
  if (s->edits) edits_forget_places(s->edits);
  placement_free(s->placement);
  s->placement = placement;
}

void session_set_netlist(Session *s, Netlist *netlist)
{
  take_placement(s, netlist);
  array_clear(&s->estimated);
  array_clear(&s->clock_nets);
  session_drop_timers(s);
  edits_free(s->edits);
  s->edits = NULL;
  edit_rules_forget_design(s->edit_rules);
  scenario_set_design(s->scenarios, netlist);
  for (ModeId m = 0; m < s->clock_refs.len; m++) end_clock_ref(s, m);
  forget_constraints_before(s);
  if (s->variation) variation_remove(s->variation, 1u << OCV_DERATE | 1u << OCV_COEFFICIENT);
  for (LibraryId l = 0; s->variation && l < s->libs->libraries.len; l++)
    variation_add_library(s->variation, s->libs, l);
  if (s->netlist) netlist_free(s->netlist);
  object_ref_end(s->design_ref);
  user_properties_forget_design(s->user_properties);
  handle_forget_texts(s);
  s->design_ref = object_ref_new(s);
  s->netlist = netlist;
  if (s->engine == ENGINE_AUTO) forget_backend(s);
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
  edit_rules_free(s->edit_rules);
  path_store_free(s);
  if (s->verilog) verilog_files_free(s->verilog);
  array_free(&s->clock_refs);
  array_free(&s->constraints_before);
  scenario_set_free(s->scenarios);
  variation_free(s->variation);
  physical_free(s->physical);
  array_free(&s->estimated);
  array_free(&s->clock_nets);
  library_set_free(s->libs);
  liberty_tally_free(s->liberty_unused);
  mem_free(s->liberty_unused);
  names_free(s->names);
  text_free(&s->engine_why);
  log_free(s->log);
  mem_free(s);
}
