/* Modes, corners and scenarios: the conditions under which one netlist is analysed.

     Mode       a set of constraints
     Corner     libraries for early and late analysis, parasitics for both
     Scenario   a mode in a corner, and what is annotated there

   There is always one of each. Without other scenarios a design is timed in the scenario "default",
   which is the mode "default" in the corner "default". The first scenario that is added replaces
   it; the default mode and corner stay for scenarios that use them. Ids are indices; the id of a
   removed object is marked as deleted and never used again. This module holds no times. */
#ifndef SL_DB_SCENARIO_H
#define SL_DB_SCENARIO_H

#include "db/annotation.h"
#include "db/constraints.h"
#include "db/library.h"
#include "db/netlist.h"
#include "db/parasitics.h"

typedef uint32_t ModeId, CornerId, ScenarioId, ParasiticsId;
#define NO_MODE       UINT32_MAX
#define NO_CORNER     UINT32_MAX
#define NO_SCENARIO   UINT32_MAX
#define NO_PARASITICS UINT32_MAX

typedef ARRAY(LibraryId) LibraryList;

typedef struct {
  NameId       name;
  Constraints *constraints;            /* owned; NULL without a design */
  bool         deleted;
} Mode;

/* libraries: a cell takes its numbers from the cell of the same name in the first library of the
   list that has one. If only one list has entries, it serves both analyses. If both are empty, all
   libraries count as read_liberty -min and -max say. */
typedef struct {
  NameId       name;
  LibraryList  libraries[2];           /* EARLY, LATE */
  ParasiticsId parasitics[2];          /* EARLY, LATE; may be the same set */
  bool         deleted;
  bool         checked;                /* missing cells were reported */
} Corner;

typedef struct {
  NameId       name;
  ModeId       mode;
  CornerId     corner;
  Annotations *annotations;            /* annotated delays, owned; NULL until the first one */
  bool         deleted;
} Scenario;

typedef struct {
  NameId      name;                    /* NO_NAME if it belongs to one corner */
  Parasitics *data;                    /* owned; NULL if no longer in use */
} ParasiticsSet;

typedef struct ScenarioSet {
  Names *names;                        /* not owned */
  ARRAY(Mode) modes;
  ARRAY(Corner *) corners;
  ARRAY(Scenario) scenarios;
  ARRAY(ParasiticsSet) parasitics;
  const Netlist *netlist;              /* NULL without a design */
  bool preset;                         /* the default scenario is the only one */
} ScenarioSet;

typedef ARRAY(ScenarioId) ScenarioIds;
typedef ARRAY(CornerId) CornerIds;

ScenarioSet *scenario_set_new(Names *names);
void         scenario_set_free(ScenarioSet *set);
/* Sets another design (or NULL). Constraints become empty; parasitics and annotation are removed.
   Modes, corners and scenarios stay. */
void         scenario_set_design(ScenarioSet *set, const Netlist *netlist);

/* Do the constraints of any mode name the cell or one of its pins, or the net by one of its
   segments or by its id? */
bool         scenarios_name_inst(const ScenarioSet *set, InstId inst);
bool         scenarios_name_net(const ScenarioSet *set, NetId net);

/* Return the name of a mode, corner or scenario (OBJ_MODE, ...), or NO_NAME if it was removed, and
   the number of ids of a type. */
NameId       scenario_object_name(const ScenarioSet *set, Object o);
uint32_t     scenario_object_count(const ScenarioSet *set, uint32_t type);
/* Find an object by name among those that were not removed. The result is NO_... if there is
   none. */
ModeId       scenario_find_mode(const ScenarioSet *set, NameId name);
CornerId     scenario_find_corner(const ScenarioSet *set, NameId name);
ScenarioId   scenario_find(const ScenarioSet *set, NameId name);
ParasiticsId scenario_find_parasitics(const ScenarioSet *set, NameId name);

/* The name must be new. */
ModeId       scenario_add_mode(ScenarioSet *set, NameId name);
CornerId     scenario_add_corner(ScenarioSet *set, NameId name);
ScenarioId   scenario_add(ScenarioSet *set, NameId name, ModeId mode, CornerId corner);
ParasiticsId scenario_add_parasitics(ScenarioSet *set, NameId name);

/* Remove an object. No scenario may use the mode or corner; the last scenario may not be
   removed. */
void         scenario_remove_mode(ScenarioSet *set, ModeId mode);
void         scenario_remove_corner(ScenarioSet *set, CornerId corner);
void         scenario_remove(ScenarioSet *set, ScenarioId scenario);
/* Returns the annotated delays of a scenario; makes an empty store if it has none. */
Annotations *scenario_annotations(ScenarioSet *set, ScenarioId scenario);
/* Returns the first scenario that is not removed and has this mode (NO_MODE: any) and corner
   (NO_CORNER: any), or NO_SCENARIO. */
ScenarioId   scenario_first(const ScenarioSet *set, ModeId mode, CornerId corner);
uint32_t     scenario_count(const ScenarioSet *set);
/* Sets clocks_elsewhere of a mode's constraints to the clock sources of the other modes that
   scenarios use. */
void         scenario_tell_clocks(const ScenarioSet *set, ModeId mode);

/* --- corners ---------------------------------------------------------------------------------- */
void         corner_add_library(Corner *corner, LibraryId library, bool early, bool late);
bool         corner_has_libraries(const Corner *corner);
/* Do two corners take their numbers from the same libraries? NULL stands for a corner without
   lists. */
bool         corner_same_libraries(const Corner *a, const Corner *b);
/* Returns the cell whose numbers the corner uses for a cell of the netlist. If the corner names
   libraries and none of them has the cell, *missing (if not NULL) is set, and the result is the
   cell that linking uses. */
CellId corner_cell(const LibrarySet *libs, const Corner *corner, CellId cell, int early_late,
                   bool *missing);

/* Returns how many library cells of the netlist are missing from the corner's libraries; *first is
   the first one. */
uint32_t     corner_missing(const Corner *corner, const Netlist *n, CellId *first);

/* Returns the corner's parasitics, or NULL. */
Parasitics  *corner_parasitics(const ScenarioSet *set, CornerId corner, int early_late);
/* Gives the corner parasitics of its own for the given analyses, which it may change. A set is made
   if there was none, and copied if another corner or a name shares it. Returns true if a set was
   made or copied; pointers to the old set must then be renewed. */
bool         corner_own_parasitics(ScenarioSet *set, CornerId corner, bool early, bool late);
/* Sets the parasitics of a corner. With NO_PARASITICS that analysis keeps its set. */
void corner_use_parasitics(ScenarioSet *set, CornerId corner, ParasiticsId early,
                           ParasiticsId late);
/* Removes a set that no corner uses. */
void         scenario_remove_parasitics(ScenarioSet *set, ParasiticsId id);
/* Does the corner use the set? */
bool         corner_uses(const ScenarioSet *set, CornerId corner, ParasiticsId id);

#endif
