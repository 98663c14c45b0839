/* Runs commands in several scenarios. */
#ifndef SL_TCLBIND_SCENARIOS_H
#define SL_TCLBIND_SCENARIOS_H

#include "tclbind/command.h"
#include "tclbind/session_timing.h"

/* The option -scenarios, and its names in other timers. */
#define OPTIONS_SCENARIOS                     \
  { "-scenarios", ARG_LIST, .value = "names", \
      .help = "only in these scenarios; default: all" }, ROWS_SCENARIOS_OTHER
#define OPTIONS_IN_SCENARIO                   \
  { "-scenarios", ARG_LIST, .value = "names", \
      .help = "in these scenarios; default: the current one" }, ROWS_SCENARIOS_OTHER
#define OPTIONS_ONE_SCENARIO                 \
  { "-scenarios", ARG_LIST, .value = "name", \
      .help = "in this scenario; default: the current one" }, ROWS_SCENARIOS_OTHER
#define ROWS_SCENARIOS_OTHER                                        \
  { "-scenes", ARG_LIST, .value = "names", .flags = OPT_HIDDEN },   \
      { "-scene", ARG_LIST, .value = "name", .flags = OPT_HIDDEN }, \
  { "-corner", ARG_LIST, .value = "name", .flags = OPT_HIDDEN }

/* Find a corner or mode by name. Return NO_CORNER or NO_MODE with an error in the log. */
CornerId corner_named(Session *s, const char *command, const char *name);
ModeId   mode_named(Session *s, const char *command, const char *name);
/* Returns the mode of a name; makes it if there is none. */
ModeId   mode_made(Session *s, const char *name, bool *made);

/* The current mode, corner and scenario, to be restored later. */
typedef struct {
  ModeId     mode;
  CornerId   corner;
  ScenarioId scenario;
} ScenarioPlace;
ScenarioPlace scenario_place(const Session *s);
/* uses the first scenario if it was removed */
void          scenario_return(Session *s, const ScenarioPlace *place);

/* Converts names and patterns to ids, each once. Reports an error for a name that matches
   nothing. */
Status scenarios_named(Session *s, const char *command, Tcl_Obj *names, ScenarioIds *out);
/* Lists the scenarios that the command's options name; all without options. */
Status scenarios_asked(Session *s, const Args *a, ScenarioIds *out);
/* Fails if the options name more than one scenario. */
Status scenarios_only_one(Session *s, const Args *a);
/* Are there several scenarios, so that reports must name them? */
bool   scenarios_several(const Session *s);
const char *scenario_name(const Session *s, ScenarioId id);

/* Makes each scenario of the command's options current in turn, and restores the current one at the
   end.  Clocks in the command's options are replaced by the clocks of the same names in each mode.
   l.fits is false if the mode has no clock of a name.

     ScenarioLoop l;
     if (scenario_loop_begin(&l, s, a) != OK) return FAILED;
     while (status == OK && scenario_loop_next(&l)) ...
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

Status scenario_loop_begin(ScenarioLoop *loop, Session *s, Args *a);
bool   scenario_loop_next(ScenarioLoop *loop);
void   scenario_loop_end(ScenarioLoop *loop);

/* Updates the timing of several scenarios at the same time. */
Status scenarios_update(Session *s, const ScenarioIds *ids);

/* Runs the function of a command with CMD_EACH_SCENARIO or CMD_IN_SCENARIO in each scenario. With
   several scenarios a line names each. */
Status scenarios_run(Session *s, Args *a);

#endif
