/* Commands in several scenarios: which are asked for, and running in each of them. */
#ifndef SL_TCLBIND_SCENARIOS_H
#define SL_TCLBIND_SCENARIOS_H

#include "tclbind/command.h"
#include "tclbind/session_timing.h"

/* -scenarios, and the names that other timers have for it. */
#define OPTIONS_SCENARIOS                     \
  { "-scenarios", ARG_LIST, .value = "names", \
      .help = "in these scenarios only; all when left out" }, ROWS_SCENARIOS_OTHER
#define OPTIONS_IN_SCENARIO                   \
  { "-scenarios", ARG_LIST, .value = "names", \
      .help = "in these scenarios; the current one when left out" }, ROWS_SCENARIOS_OTHER
#define OPTIONS_ONE_SCENARIO                 \
  { "-scenarios", ARG_LIST, .value = "name", \
      .help = "in this scenario; the current one when left out" }, ROWS_SCENARIOS_OTHER
#define ROWS_SCENARIOS_OTHER                                        \
  { "-scenes", ARG_LIST, .value = "names", .flags = OPT_HIDDEN },   \
      { "-scene", ARG_LIST, .value = "name", .flags = OPT_HIDDEN }, \
  { "-corner", ARG_LIST, .value = "name", .flags = OPT_HIDDEN }

/* By name; NO_CORNER, NO_MODE with an error in the log. */
CornerId corner_named(Session *s, const char *command, const char *name);
ModeId   mode_named(Session *s, const char *command, const char *name);
/* The mode of a name, made when there is none. */
ModeId   mode_made(Session *s, const char *name, bool *made);

/* The current mode, corner and scenario, to return to. */
typedef struct {
  ModeId     mode;
  CornerId   corner;
  ScenarioId scenario;
} ScenarioPlace;
ScenarioPlace scenario_place(const Session *s);
/* the first scenario when it was removed */
void          scenario_return(Session *s, const ScenarioPlace *p);

/* Names and patterns to ids, each once; an error for what matches nothing. */
Status scenarios_named(Session *s, const char *command, Tcl_Obj *names, ScenarioIds *out);
/* Those that the command's options ask for; all without. */
Status scenarios_asked(Session *s, const Args *a, ScenarioIds *out);
/* An error where the options name more than one. */
Status scenarios_only_one(Session *s, const Args *a);
/* Is there more than one, so that reports must say which they mean? */
bool   scenarios_several(const Session *s);
const char *scenario_name(const Session *s, ScenarioId id);

/* The scenarios asked for, one after another as the current one, and at the end the one that was
   current again.  Clocks that the command's options name are in each the clocks of these names.

     ScenarioLoop l;
     if (scenario_loop_begin(&l, s, a) != OK) return FAILED;
     while (status == OK && scenario_loop_next(&l)) ...   // l.fits: false where there is no clock of a name
     scenario_loop_end(&l); */
typedef struct {
  Session    *s;
  Args       *a;
  ScenarioIds ids;
  uint32_t    at;
  bool        fits;
  ScenarioPlace before;
  ARRAY(ObjectArray) objects;        /* of the command's options, as given */
} ScenarioLoop;

Status scenario_loop_begin(ScenarioLoop *l, Session *s, Args *a);
bool   scenario_loop_next(ScenarioLoop *l);
void   scenario_loop_end(ScenarioLoop *l);

/* Brings them up to date, side by side. */
Status scenarios_update(Session *s, const ScenarioIds *ids);

/* A command with CMD_EACH_SCENARIO or CMD_IN_SCENARIO: its function in each scenario, under a line
   that says which where there are several. */
Status scenarios_run(Session *s, Args *a);

#endif
