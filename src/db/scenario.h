/* Modes, corners and scenarios: what one netlist is analysed under.

     Mode       a set of constraints
     Corner     libraries for early and late analysis, parasitics for both
     Scenario   a mode in a corner, and what is annotated there

   There is always one of each: a design that names none is timed in the scenario "default" of the
   mode "default" in the corner "default".  The first scenario that is added takes its place; mode
   and corner stay for those that use them. Ids are indices and never used again; what was removed
   is marked.  No times here. */
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
  Constraints *constraints;            /* NULL without a design */
  bool         deleted;
} Mode;

/* libraries: a cell's numbers are those of the cell of its name in the first library of the list
   that has it; where only one list has any, it serves both analyses; where both are empty, all
   libraries do, as read_liberty -min and -max say. */
typedef struct {
  NameId       name;
  LibraryList  libraries[2];           /* EARLY, LATE */
  ParasiticsId parasitics[2];
  bool         deleted;
  bool         checked;                /* what it lacks has been said */
} Corner;

typedef struct {
  NameId       name;
  ModeId       mode;
  CornerId     corner;
  Annotations *annotations;            /* annotated delays; NULL until the first */
  bool         deleted;
} Scenario;

typedef struct {
  NameId      name;                    /* NO_NAME: a corner's own */
  Parasitics *data;                    /* NULL: not in use any more */
} ParasiticsSet;

typedef struct ScenarioSet {
  Names *names;                        /* not owned */
  ARRAY(Mode) modes;
  ARRAY(Corner *) corners;
  ARRAY(Scenario) scenarios;
  ARRAY(ParasiticsSet) parasitics;
  const Netlist *netlist;              /* NULL: none yet */
  bool preset;                         /* there is the scenario that nobody asked for, and no
                                          other */
} ScenarioSet;

typedef ARRAY(ScenarioId) ScenarioIds;
typedef ARRAY(CornerId) CornerIds;

ScenarioSet *scenario_set_new(Names *names);
void         scenario_set_free(ScenarioSet *set);
/* Another design (or NULL): constraints are empty again, parasitics and annotation go; modes,
   corners and scenarios stay. */
void         scenario_set_design(ScenarioSet *set, const Netlist *netlist);

/* The name of a mode, a corner or a scenario (OBJ_MODE, ...) and how many ids of its type there
   are; NO_NAME: it was removed. */
NameId       scenario_object_name(const ScenarioSet *set, Object o);
uint32_t     scenario_object_count(const ScenarioSet *set, uint32_t type);
/* By name, among those that were not removed. */
ModeId       scenario_find_mode(const ScenarioSet *set, NameId name);
CornerId     scenario_find_corner(const ScenarioSet *set, NameId name);
ScenarioId   scenario_find(const ScenarioSet *set, NameId name);
ParasiticsId scenario_find_parasitics(const ScenarioSet *set, NameId name);

/* The name must be new. */
ModeId       scenario_add_mode(ScenarioSet *set, NameId name);
CornerId     scenario_add_corner(ScenarioSet *set, NameId name);
ScenarioId   scenario_add(ScenarioSet *set, NameId name, ModeId mode, CornerId corner);
ParasiticsId scenario_add_parasitics(ScenarioSet *set, NameId name);

/* Of modes and corners that no scenario uses, and of scenarios of which one stays. */
void         scenario_remove_mode(ScenarioSet *set, ModeId mode);
void         scenario_remove_corner(ScenarioSet *set, CornerId corner);
void         scenario_remove(ScenarioSet *set, ScenarioId scenario);
/* A scenario's store of annotated delays, made where it has none. */
Annotations *scenario_annotations(ScenarioSet *set, ScenarioId scenario);
/* The first living scenario of a mode (NO_MODE: of any) and a corner (NO_CORNER: any);
   NO_SCENARIO. */
ScenarioId   scenario_first(const ScenarioSet *set, ModeId mode, CornerId corner);
uint32_t     scenario_count(const ScenarioSet *set);
/* Lets a mode's constraints know where the clocks of the other modes start that are in scenarios
   (clocks_elsewhere). */
void         scenario_tell_clocks(const ScenarioSet *set, ModeId mode);

/* --- corners ---------------------------------------------------------------------------------- */
void         corner_add_library(Corner *c, LibraryId library, bool early, bool late);
bool         corner_has_libraries(const Corner *c);
/* Do two corners (NULL: no lists) take their numbers from the same libraries? */
bool         corner_same_libraries(const Corner *a, const Corner *b);
/* The cell whose numbers stand for a cell of the netlist; *lacks (may be NULL) is set when the
   corner names libraries and none has it: it is then the one of the libraries that linking uses. */
CellId corner_cell(const LibrarySet *libs, const Corner *c, CellId cell, int early_late,
                   bool *lacks);

/* How many of the library cells that a netlist uses a corner's libraries lack, and the first of
   them. */
uint32_t     corner_missing(const Corner *c, const Netlist *n, CellId *first);

/* NULL: none. */
Parasitics  *corner_parasitics(const ScenarioSet *set, CornerId corner, int early_late);
/* Makes sets that the corner may change for the analyses asked for: its own, made or copied where
   it had none or another corner or a name shares it.  True when a set was made or copied, so that
   what knew the old one must ask again. */
bool         corner_own_parasitics(ScenarioSet *set, CornerId corner, bool early, bool late);
/* Gives a corner sets; NO_PARASITICS: that analysis keeps its own. */
void corner_use_parasitics(ScenarioSet *set, CornerId corner, ParasiticsId early,
                           ParasiticsId late);
/* A set that no corner uses. */
void         scenario_remove_parasitics(ScenarioSet *set, ParasiticsId id);
/* Is the set used by a corner? */
bool         corner_uses(const ScenarioSet *set, CornerId corner, ParasiticsId id);

#endif
