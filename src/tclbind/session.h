/* A session: one design and what belongs to it, as the commands see it. */
#ifndef SL_TCLBIND_SESSION_H
#define SL_TCLBIND_SESSION_H

#include "base/arena.h"
#include "base/log.h"
#include "base/units.h"
#include "db/scenario.h"
#include "timing/options.h"
#include "graph/graph.h"
#include "paths/path.h"

struct Timer;            /* update/timer.h */
struct TimerShare;       /* update/share.h */
struct VerilogFiles;     /* read/verilog/verilog.h */
struct LibertyTally;     /* read/liberty/liberty.h */
struct ObjectRef;        /* tclbind/object_value.h */
struct UserProperties;   /* tclbind/property.h */
struct PathStore;        /* tclbind/paths.h */
struct GivenTexts;       /* tclbind/handle.h */
struct Command;          /* tclbind/command.h */
struct Property;         /* tclbind/property.h */

/* The rows of all commands and of all properties: tables of rows, each of which ends with a row of
   zeros; NULL behind the last table. */
typedef struct {
  const struct Command *const *commands;
  const struct Property *const *properties;
} SessionRows;


typedef struct Session {
  SessionRows rows;
  Log        *log;
  Names      *names;
  LibrarySet *libs;
  struct VerilogFiles *verilog;
  struct LibertyTally *liberty_unused; /* constructs that libraries had and that are not used */
  Netlist    *netlist;                 /* NULL until link_design */
  ScenarioSet *scenarios;              /* all modes, corners and scenarios; one of each at least */
  ModeId      mode;                    /* the current ones, which commands without a name of one are
                                          for: */
  CornerId    corner;
  ScenarioId  scenario;                /* NO_SCENARIO: the current mode is in none yet */
  /* what the current ones have: session_use_... sets these */
  Parasitics *parasitics[2];           /* early, late: the same object unless read with -min/-max */
  Annotations *annotations;            /* annotated delays; NULL until the first */
  struct Variation *variation;         /* on-chip variation (db/ocv_tables.h); NULL until the first
                                          word of it */
  Constraints *constraints;            /* NULL until link_design */
  struct Timer *timer;                 /* of the current scenario; NULL until its first update */
  ARRAY(Constraints *) constraints_before;   /* copies, while SDC files are read, the innermost
                                          last: what a failure goes back to; NULL: of a design that
                                          is gone */
  ARRAY(struct Timer *) timers;        /* by ScenarioId; NULL until the first update; may be
                                          shorter */
  struct TimerShare *share;            /* of the timers; NULL: there are none */
  UnitSet     units;                   /* the user's: of the first library, or set_cmd_units */
  bool        units_given;
  char        separator;               /* hierarchy: '/' */
  int         digits;
  int         delay_model;             /* DelayModel, when delay_model_given */
  bool        delay_model_given;
  struct {                             /* set_common_path_credit; see CommonOptions of
                                          timing/timing.h */
    bool off, same_transition, drivers_only;
    uint8_t required;
  } common;
  bool        no_black_boxes;          /* set_black_boxes: link_design takes no cell that no library
                                          has */
  GraphRules  rules;                   /* set_inout_paths, set_default_arcs */
  int         threads;                 /* 0: all */
  uint8_t     engine;                  /* EngineKind of update/backend.h: what the user asked for */
  EngineOptions engine_options;        /* set_engine_option, -device */
  const struct Backend *backend;       /* what computes; NULL until the first question */
  Text        engine_why;              /* on what it runs, or why it is another one */
  InstId      current_instance;
  struct ObjectRef *design_ref, *library_ref;   /* what typed Tcl values point at; a new one for
                                                   each design */
  ARRAY(struct ObjectRef *) clock_refs;         /* the same for clocks, by ModeId; NULL until one is
                                                   needed */
  struct UserProperties *user_properties;
  struct GivenTexts *texts;            /* names that are texts of objects; NULL: none yet */
  struct PathStore *paths;             /* paths that get_timing_paths found; NULL: none */
  PathEffort  path_effort;             /* of the last search for paths */
  /* Names of objects that only timing knows (arcs, paths); set with the timer. */
  void      (*name_more)(const struct Session *s, Object o, Text *t);
  void       *shell;                   /* the Console: interpreter, output, scripts
                                          (tclbind/console.h) */
} Session;

Session *session_new(SessionRows rows, LogSink sink, void *data);
void     session_free(Session *s);

/* Takes a linked netlist (or NULL) in place of the old design: constraints, parasitics and timing
   of the old one go, and objects that refer to it become stale. */
void session_set_netlist(Session *s, Netlist *netlist);

/* Is an SDC file being read whose failure is taken back? */
bool session_reads_sdc(const Session *s);

/* Forgets timing results of all scenarios: the next question updates from the start. */
void session_drop_timer(Session *s);

/* Another scenario, with its mode and corner, is the current one; or another mode: the scenario is
   then the first of the mode in the current corner, else the first of the mode, else none. */
void session_use_scenario(Session *s, ScenarioId scenario);
void session_use_mode(Session *s, ModeId mode);
/* After a change of what belongs to the current ones: sets the pointers above again. */
void session_refresh(Session *s);
/* Removes a scenario that is not the last one, and a mode that no scenario has. */
void session_remove_scenario(Session *s, ScenarioId scenario);
void session_remove_mode(Session *s, ModeId mode);
struct Timer *session_timer_at(const Session *s, ScenarioId scenario);      /* NULL: none yet */

/* "cpu, 2 threads (...)": which engine worked out the current scenario's numbers (before there are
   any: which will), and why another one than was asked for. */
void session_engine_text(Session *s, Text *t);
/* The engine for what the user asked; the CPU's, with one warning, where that cannot be had. */
const struct Backend *session_backend(Session *s);
/* Of all timers, from their next update on. */
void session_set_engine_options(Session *s, EngineOptions options);

#endif
