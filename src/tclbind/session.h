/* A session: one design and everything that belongs to it, as commands see it. */
#ifndef SL_TCLBIND_SESSION_H
#define SL_TCLBIND_SESSION_H

#include "base/arena.h"
#include "base/log.h"
#include "base/units.h"
#include "db/scenario.h"
#include "timing/options.h"
#include "graph/graph.h"
#include "paths/path.h"
#include "timing/timing.h"

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
struct Physical;         /* db/physical.h */
struct Placement;        /* db/placement.h */
struct DensityStore;     /* tclbind/densities.h */
struct Edits;            /* optimize/edits.h */
struct EditRules;        /* optimize/edit_rules.h */

/* The tables of all commands and of all properties. Each table ends with a row of zeros; NULL ends
   the list of tables. */
typedef struct {
  const struct Command *const *commands;
  const struct Property *const *properties;
} SessionRows;

/* WireRc of place/wire_rc.h, and whether set_wire_rc gave it. */
typedef struct {
  bool   given;
  double resistance, cap, access;
} SessionWireRc;

/* rc: of signals and of clocks, as they were when estimate_parasitics made the wires. Nets that are
   estimated again take these too, so that all wires have the same, and edits can be undone. */
typedef struct {
  CornerId      corner;
  SessionWireRc rc[2];
} EstimatedCorner;

typedef struct Session {
  SessionRows rows;
  Log        *log;
  Names      *names;
  LibrarySet *libs;
  struct VerilogFiles *verilog;
  struct LibertyTally *liberty_unused; /* constructs of libraries that were ignored */
  Netlist    *netlist;                 /* NULL until link_design */
  ScenarioSet *scenarios;              /* all modes, corners and scenarios; at least one of each */
  ModeId      mode;                    /* the current mode, corner and scenario, which commands use
                                          by default */
  CornerId    corner;
  ScenarioId  scenario;                /* NO_SCENARIO if the current mode is in no scenario */
  /* parts of the current mode, corner and scenario, set by session_use_... */
  Parasitics *parasitics[2];           /* early, late; the same object, unless read with -min or
                                          -max, or with triples of different numbers */
  Annotations *annotations;            /* annotated delays; NULL until the first */
  struct Variation *variation;         /* on-chip variation (db/ocv_tables.h); NULL until first
                                          used */
  Constraints *constraints;            /* NULL until link_design */
  struct Edits *edits;                 /* of the netlist; NULL: none yet (session_edits) */
  struct EditRules *edit_rules;        /* set_dont_touch, ... */
  struct Timer *timer;                 /* of the current scenario; NULL until its first update */
  struct Physical *physical;           /* layers and macros of LEF; NULL until the first read_lef
                                          or read_def */
  struct Placement *placement;         /* of read_def; NULL until then.  It knows the netlist
                                          where there is one */
  struct DensityStore *densities;      /* of the placement (tclbind/densities.h); NULL until the
                                          first */
  SessionWireRc wire_rc[2];            /* set_wire_rc, of signals and of clocks */
  ARRAY(EstimatedCorner) estimated;    /* corners whose parasitics are those of the placement, and
                                          follow its changes */
  ARRAY(uint8_t) clock_nets;           /* by NetId: 1 if a clock ran on the net when
                                          estimate_parasitics estimated all nets; may be shorter
                                          than the nets */
  ARRAY(Constraints *) constraints_before;   /* copies for restoring after a failed read_sdc, the
                                                innermost file last; NULL if the design was
                                                replaced */
  ARRAY(struct Timer *) timers;        /* by ScenarioId; entries are NULL until the first update;
                                          may be shorter than the scenarios */
  struct TimerShare *share;            /* shared by the timers; NULL if there are none */
  UnitSet     units;                   /* the user's units: those of the first library, or of
                                          set_cmd_units */
  bool        units_given;
  char        separator;               /* hierarchy: '/' */
  int         digits;
  int         delay_model;             /* DelayModel, valid if delay_model_given */
  bool        delay_model_given;
  CommonOptions common;                /* set_common_path_credit; on at the start */
  bool        no_black_boxes;          /* set_black_boxes: link_design accepts no unknown cell */
  GraphRules  rules;                   /* set_inout_paths, set_default_arcs */
  int         threads;                 /* 0 means all */
  uint8_t     engine;                  /* the user's choice, an EngineKind of update/backend.h */
  EngineOptions engine_options;        /* set_engine_option, -device */
  const struct Backend *backend;       /* the backend that computes; NULL before its first use */
  Text        engine_why;              /* what the engine runs on, or why it is not the chosen
                                          one */
  InstId      current_instance;
  struct ObjectRef *design_ref, *library_ref;   /* references that Tcl values hold; each design has
                                                   a new one */
  ARRAY(struct ObjectRef *) clock_refs;         /* the same for clocks, by ModeId; NULL until
                                                   needed */
  struct UserProperties *user_properties;
  struct GivenTexts *texts;            /* names that are texts of objects; NULL if none yet */
  struct PathStore *paths;             /* paths that get_timing_paths found; NULL if none */
  PathEffort  path_effort;             /* measurements of the last path search */
  /* Writes names of objects that only timing knows (arcs, paths). Set together with the timer. */
  void      (*name_more)(const struct Session *s, Object o, Text *text);
  void       *shell;                   /* the Console: interpreter, output, scripts
                                          (tclbind/console.h) */
} Session;

Session *session_new(SessionRows rows, LogSink sink, void *data);
void     session_free(Session *s);
/* Takes a placement (or NULL) in place of the one before, which goes. */
void session_set_placement(Session *s, struct Placement *placement);

/* Replaces the design by a linked netlist, or NULL. Frees constraints, parasitics and timing of the
   old design; its objects become stale. Takes ownership of n. */
void session_set_netlist(Session *s, Netlist *netlist);

/* The edits of the netlist, which must be there, with the timers to tell. */
struct Edits *session_edits(Session *s);

/* Returns true while read_sdc reads a file and will restore the constraints if the file fails. */
bool session_reads_sdc(const Session *s);

/* Frees the timing of all scenarios. The next query makes it from the start. */
void session_drop_timers(Session *s);

/* Make a scenario current, with its mode and corner, or make a mode current. With a mode, the
   current scenario becomes the first one of the mode in the current corner, else the first one of
   the mode, else none. */
void session_use_scenario(Session *s, ScenarioId scenario);
void session_use_mode(Session *s, ModeId mode);
/* Call it after a change of the current mode, corner or scenario. Sets the pointers above again. */
void session_refresh(Session *s);
/* Remove a scenario that is not the last one, or a mode that no scenario uses. */
void session_remove_scenario(Session *s, ScenarioId scenario);
void session_remove_mode(Session *s, ModeId mode);
struct Timer *session_timer_at(const Session *s, ScenarioId scenario);      /* NULL if none yet */

/* Appends a text such as "cpu, 2 threads (...)": the engine that computed the current scenario's
   numbers, or will compute them, and why it is not the chosen one. */
void session_engine_text(Session *s, Text *text);
/* Returns the backend of the user's choice. If it is not available, returns the CPU's, with one
   warning. */
const struct Backend *session_backend(Session *s);
/* Sets the options of all timers, from their next update on. */
void session_set_engine_options(Session *s, EngineOptions options);

#endif
