/* Reads options for scenarios, and runs a command in several scenarios. */
#include "tclbind/scenarios.h"

#include <string.h>

#include "base/memory.h"
#include "tclbind/args.h"

const char *scenario_name(const Session *s, ScenarioId id)
{
  return names_text(s->names, s->scenarios->scenarios.at[id].name);
}

bool scenarios_several(const Session *s) { return scenario_count(s->scenarios) > 1; }

/* --- corners, modes, places ------------------------------------------------------------------- */

/* The nearest of the names is shown with the error. */
static void no_such(Session *s, const char *code, const char *command, const char *kind,
                    const char *word, const char **names, uint32_t count)
{
  Text t = { 0 };
  text_add_nearest(&t, word, names, count);
  log_error(s->log, code, NOWHERE, "%s: there is no %s '%s'%s", command, kind, word, text_get(&t));
  text_free(&t);
  mem_free(names);
}

CornerId corner_named(Session *s, const char *command, const char *name)
{
  const ScenarioSet *set = s->scenarios;
  NameId id = names_find(s->names, name, strlen(name));
  CornerId corner = id == NO_NAME ? NO_CORNER : scenario_find_corner(set, id);
  if (corner != NO_CORNER) return corner;
  const char **names = mem_alloc(sizeof *names * ((size_t)set->corners.len + 1));
  uint32_t count = 0;
  for (CornerId c = 0; c < set->corners.len; c++)
    if (!set->corners.at[c]->deleted)
      names[count++] = names_text(s->names, set->corners.at[c]->name);
  no_such(s, "SCEN-002", command, "corner", name, names, count);
  return NO_CORNER;
}

ModeId mode_named(Session *s, const char *command, const char *name)
{
  const ScenarioSet *set = s->scenarios;
  NameId id = names_find(s->names, name, strlen(name));
  ModeId mode = id == NO_NAME ? NO_MODE : scenario_find_mode(set, id);
  if (mode != NO_MODE) return mode;
  const char **names = mem_alloc(sizeof *names * ((size_t)set->modes.len + 1));
  uint32_t count = 0;
  for (ModeId m = 0; m < set->modes.len; m++)
    if (!set->modes.at[m].deleted) names[count++] = names_text(s->names, set->modes.at[m].name);
  no_such(s, "SCEN-003", command, "mode", name, names, count);
  return NO_MODE;
}

ModeId mode_made(Session *s, const char *name, bool *made)
{
  NameId id = names_add_text(s->names, name);
  ModeId mode = scenario_find_mode(s->scenarios, id);
  *made = mode == NO_MODE;
  return *made ? scenario_add_mode(s->scenarios, id) : mode;
}

ScenarioPlace scenario_place(const Session *s)
{
  return (ScenarioPlace){ s->mode, s->corner, s->scenario };
}

void scenario_return(Session *s, const ScenarioPlace *place)
{
  const ScenarioSet *set = s->scenarios;
  bool gone = set->modes.at[place->mode].deleted || set->corners.at[place->corner]->deleted
              || (place->scenario != NO_SCENARIO && set->scenarios.at[place->scenario].deleted);
  if (gone) {
    session_use_scenario(s, scenario_first(set, NO_MODE, NO_CORNER));
    return;
  }
  s->mode = place->mode;
  s->corner = place->corner;
  s->scenario = place->scenario;
  session_refresh(s);
}

/* --- names ------------------------------------------------------------------------------------ */

static Status no_scenario(Session *s, const char *command, const char *word)
{
  const ScenarioSet *set = s->scenarios;
  const char **names = mem_alloc(sizeof *names * ((size_t)set->scenarios.len + 1));
  uint32_t count = 0;
  for (ScenarioId i = 0; i < set->scenarios.len; i++)
    if (!set->scenarios.at[i].deleted) names[count++] = scenario_name(s, i);
  no_such(s, "SCEN-001", command, "scenario", word, names, count);
  return FAILED;
}

static void add_once(ScenarioIds *ids, ScenarioId id)
{
  for (uint32_t i = 0; i < ids->len; i++)
    if (ids->at[i] == id) return;
  array_push(ids, id);
}

static Status add_named(Session *s, const char *command, const char *word, ScenarioIds *out)
{
  const ScenarioSet *set = s->scenarios;
  bool found = false;
  for (ScenarioId i = 0; i < set->scenarios.len; i++) {
    if (set->scenarios.at[i].deleted || !Tcl_StringMatch(scenario_name(s, i), word)) continue;
    add_once(out, i);
    found = true;
  }
  return found ? OK : no_scenario(s, command, word);
}

Status scenarios_named(Session *s, const char *command, Tcl_Obj *names, ScenarioIds *out)
{
  int count;
  Tcl_Obj **words;
  if (Tcl_ListObjGetElements(NULL, names, &count, &words) != TCL_OK)
    return no_scenario(s, command, Tcl_GetString(names));
  for (int i = 0; i < count; i++)
    if (add_named(s, command, Tcl_GetString(words[i]), out) != OK) return FAILED;
  return OK;
}

static const char *const options[] = { "-scenarios", "-scenes", "-scene", "-corner" };
enum { OPTION_COUNT = sizeof options / sizeof *options };

static bool names_scenarios(const Args *a)
{
  bool given = false;
  for (int i = 0; i < OPTION_COUNT; i++) given |= args_given(a, options[i]);
  return given;
}

Status scenarios_asked(Session *s, const Args *a, ScenarioIds *out)
{
  for (int i = 0; i < OPTION_COUNT; i++)
    if (args_given(a, options[i])
        && scenarios_named(s, a->command->name, args_object(a, options[i]), out) != OK)
      return FAILED;
  for (ScenarioId i = 0; !names_scenarios(a) && i < s->scenarios->scenarios.len; i++)
    if (!s->scenarios->scenarios.at[i].deleted) array_push(out, i);
  return OK;
}

Status scenarios_only_one(Session *s, const Args *a)
{
  ScenarioIds ids = { 0 };
  Status status = names_scenarios(a) ? scenarios_asked(s, a, &ids) : OK;
  if (ids.len > 1)
    status = log_error(s->log, "SCEN-012", NOWHERE, "%s: %u scenarios are named, expected one",
                       a->command->name, ids.len);
  array_free(&ids);
  return status;
}

/* --- one after another ------------------------------------------------------------------------ */

static void copy_objects(ObjectArray *to, const ObjectArray *from)
{
  array_clear(to);
  for (uint32_t i = 0; i < from->len; i++) array_push(to, from->at[i]);
}

Status scenario_loop_begin(ScenarioLoop *loop, Session *s, Args *a)
{
  *loop = (ScenarioLoop){ .s = s, .a = a, .before = scenario_place(s) };
  if (scenarios_asked(s, a, &loop->ids) != OK) {
    array_free(&loop->ids);
    return FAILED;
  }
  array_resize(&loop->objects, a->uses.len);
  for (uint32_t i = 0; i < a->uses.len; i++) {
    memset(&loop->objects.at[i], 0, sizeof loop->objects.at[i]);
    copy_objects(&loop->objects.at[i], &a->uses.at[i].objects);
  }
  return OK;
}

/* The option's objects in the current mode; clocks by their names.  False when a list of clocks has
   none left. */
static bool translate(const ScenarioLoop *loop, const ObjectArray *given, ObjectArray *out)
{
  const Constraints *from = loop->s->scenarios->modes.at[loop->before.mode].constraints,
                    *to = loop->s->constraints;
  array_clear(out);
  for (uint32_t i = 0; i < given->len; i++) {
    Object o = given->at[i];
    if (o.type == OBJ_CLOCK && from != to)
      o.id = constraints_find_clock(to, from->clocks.at[o.id].name);
    if (o.type != OBJ_CLOCK || o.id != NO_CLOCK) array_push(out, o);
  }
  return out->len > 0 || given->len == 0;
}

bool scenario_loop_next(ScenarioLoop *loop)
{
  if (loop->at == loop->ids.len) return false;
  session_use_scenario(loop->s, loop->ids.at[loop->at++]);
  loop->fits = true;
  for (uint32_t i = 0; i < loop->objects.len; i++)
    loop->fits &= translate(loop, &loop->objects.at[i], &loop->a->uses.at[i].objects);
  return true;
}

void scenario_loop_end(ScenarioLoop *loop)
{
  scenario_return(loop->s, &loop->before);
  for (uint32_t i = 0; i < loop->objects.len; i++) {
    copy_objects(&loop->a->uses.at[i].objects, &loop->objects.at[i]);
    array_free(&loop->objects.at[i]);
  }
  array_free(&loop->objects);
  array_free(&loop->ids);
}

Status scenarios_update(Session *s, const ScenarioIds *ids)
{
  Timings timings = { 0 };
  Status status = session_timings_of(s, ids, true, 0, &timings);
  array_free(&timings);
  return status;
}

Status scenarios_run(Session *s, Args *a)
{
  ScenarioLoop l;
  Status status = OK;
  if ((a->command->flags & CMD_IN_SCENARIO) && !names_scenarios(a))
    return (a->command->flags & CMD_NEEDS_SCENARIO) && session_check_scenario(s, s->scenario) != OK
               ? FAILED
               : a->command->run(s, a);
  if (scenario_loop_begin(&l, s, a) != OK) return FAILED;
  bool reports = a->command->flags & CMD_REDIRECT;
  if (l.ids.len > 1 && reports) status = scenarios_update(s, &l.ids);
  while (status == OK && scenario_loop_next(&l)) {
    if (scenarios_several(s) && reports)
      args_print(a, "%sScenario %s\n", l.at > 1 ? "\n" : "", scenario_name(s, s->scenario));
    if (l.fits) status = a->command->run(s, a);
    else if (reports)
      args_print(a, "There is no clock of that name in mode %s.\n",
                 names_text(s->names, s->scenarios->modes.at[s->mode].name));
  }
  scenario_loop_end(&l);
  return status;
}
