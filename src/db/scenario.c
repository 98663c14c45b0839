/* The set of modes, corners and scenarios, and the parasitics that corners share. */
#include "db/scenario.h"

#include <stdlib.h>

#include "base/sort.h"

/* --- lifetime --------------------------------------------------------------------------------- */

ScenarioSet *scenario_set_new(Names *names)
{
  ScenarioSet *set = mem_alloc_zero(1, sizeof *set);
  NameId preset = names_add_text(names, "default");
  set->names = names;
  scenario_add(set, preset, scenario_add_mode(set, preset), scenario_add_corner(set, preset));
  set->preset = true;
  return set;
}

static void drop_parasitics(ScenarioSet *set)
{
  for (uint32_t i = 0; i < set->parasitics.len; i++) parasitics_free(set->parasitics.at[i].data);
  array_clear(&set->parasitics);
  for (CornerId c = 0; c < set->corners.len; c++)
    set->corners.at[c]->parasitics[EARLY] = set->corners.at[c]->parasitics[LATE] = NO_PARASITICS;
}

static void drop_annotations(Scenario *scenario)
{
  annotations_free(scenario->annotations);
  scenario->annotations = NULL;
}

void scenario_set_free(ScenarioSet *set)
{
  if (set == NULL) return;
  scenario_set_design(set, NULL);
  for (CornerId c = 0; c < set->corners.len; c++) {
    array_free(&set->corners.at[c]->libraries[EARLY]);
    array_free(&set->corners.at[c]->libraries[LATE]);
    mem_free(set->corners.at[c]);
  }
  array_free(&set->modes);
  array_free(&set->corners);
  array_free(&set->scenarios);
  array_free(&set->parasitics);
  mem_free(set);
}

static void renew_constraints(ScenarioSet *set, Mode *mode)
{
  if (mode->constraints) constraints_free(mode->constraints);
  mode->constraints = set->netlist && !mode->deleted ? constraints_new(set->netlist) : NULL;
}

void scenario_set_design(ScenarioSet *set, const Netlist *netlist)
{
  set->netlist = netlist;
  drop_parasitics(set);
  for (ScenarioId i = 0; i < set->scenarios.len; i++) drop_annotations(&set->scenarios.at[i]);
  for (ModeId m = 0; m < set->modes.len; m++) renew_constraints(set, &set->modes.at[m]);
}

/* --- as objects ------------------------------------------------------------------------------- */

uint32_t scenario_object_count(const ScenarioSet *set, uint32_t type)
{
  return type == OBJ_MODE     ? set->modes.len
         : type == OBJ_CORNER ? set->corners.len
                              : set->scenarios.len;
}

NameId scenario_object_name(const ScenarioSet *set, Object o)
{
  if (o.id >= scenario_object_count(set, o.type)) return NO_NAME;
  if (o.type == OBJ_MODE) return set->modes.at[o.id].deleted ? NO_NAME : set->modes.at[o.id].name;
  if (o.type == OBJ_CORNER)
    return set->corners.at[o.id]->deleted ? NO_NAME : set->corners.at[o.id]->name;
  return set->scenarios.at[o.id].deleted ? NO_NAME : set->scenarios.at[o.id].name;
}

/* --- finding ---------------------------------------------------------------------------------- */

ModeId scenario_find_mode(const ScenarioSet *set, NameId name)
{
  for (ModeId m = 0; m < set->modes.len; m++)
    if (!set->modes.at[m].deleted && set->modes.at[m].name == name) return m;
  return NO_MODE;
}

CornerId scenario_find_corner(const ScenarioSet *set, NameId name)
{
  for (CornerId c = 0; c < set->corners.len; c++)
    if (!set->corners.at[c]->deleted && set->corners.at[c]->name == name) return c;
  return NO_CORNER;
}

ScenarioId scenario_find(const ScenarioSet *set, NameId name)
{
  for (ScenarioId i = 0; i < set->scenarios.len; i++)
    if (!set->scenarios.at[i].deleted && set->scenarios.at[i].name == name) return i;
  return NO_SCENARIO;
}

ParasiticsId scenario_find_parasitics(const ScenarioSet *set, NameId name)
{
  for (ParasiticsId p = 0; p < set->parasitics.len; p++)
    if (set->parasitics.at[p].data && set->parasitics.at[p].name == name) return p;
  return NO_PARASITICS;
}

bool scenarios_name_inst(const ScenarioSet *set, InstId inst)
{
  for (ModeId m = 0; m < set->modes.len; m++)
    if (set->modes.at[m].constraints
        && constraints_name_inst(set->modes.at[m].constraints, inst)) return true;
  return false;
}

bool scenarios_name_net(const ScenarioSet *set, NetId net)
{
  for (ModeId m = 0; m < set->modes.len; m++)
    if (set->modes.at[m].constraints
        && constraints_name_net(set->modes.at[m].constraints, net)) return true;
  return false;
}

ScenarioId scenario_first(const ScenarioSet *set, ModeId mode, CornerId corner)
{
  for (ScenarioId i = 0; i < set->scenarios.len; i++) {
    const Scenario *scenario = &set->scenarios.at[i];
    if (!scenario->deleted && (mode == NO_MODE || scenario->mode == mode)
        && (corner == NO_CORNER || scenario->corner == corner))
      return i;
  }
  return NO_SCENARIO;
}

uint32_t scenario_count(const ScenarioSet *set)
{
  uint32_t count = 0;
  for (ScenarioId i = 0; i < set->scenarios.len; i++) count += !set->scenarios.at[i].deleted;
  return count;
}

/* --- adding and removing ---------------------------------------------------------------------- */

ModeId scenario_add_mode(ScenarioSet *set, NameId name)
{
  array_push(&set->modes, (Mode){ .name = name });
  renew_constraints(set, &set->modes.at[set->modes.len - 1]);
  return set->modes.len - 1;
}

CornerId scenario_add_corner(ScenarioSet *set, NameId name)
{
  Corner *corner = mem_alloc_zero(1, sizeof *corner);
  corner->name = name;
  corner->parasitics[EARLY] = corner->parasitics[LATE] = NO_PARASITICS;
  array_push(&set->corners, corner);
  return set->corners.len - 1;
}

ScenarioId scenario_add(ScenarioSet *set, NameId name, ModeId mode, CornerId corner)
{
  Annotations *inherited = NULL;
  if (set->preset) {
    Scenario *first = &set->scenarios.at[0];
    if (first->corner == corner) {
      inherited = first->annotations;
      first->annotations = NULL;
    }
    drop_annotations(first);
    first->deleted = true;
  }
  set->preset = false;
  array_push(&set->scenarios,
             (Scenario){ .name = name, .mode = mode, .corner = corner, .annotations = inherited });
  return set->scenarios.len - 1;
}

Annotations *scenario_annotations(ScenarioSet *set, ScenarioId scenario)
{
  Scenario *the_scenario = &set->scenarios.at[scenario];
  if (the_scenario->annotations == NULL) the_scenario->annotations = annotations_new();
  return the_scenario->annotations;
}

ParasiticsId scenario_add_parasitics(ScenarioSet *set, NameId name)
{
  array_push(&set->parasitics, (ParasiticsSet){ name, parasitics_new() });
  return set->parasitics.len - 1;
}

void scenario_remove_mode(ScenarioSet *set, ModeId mode)
{
  set->modes.at[mode].deleted = true;
  renew_constraints(set, &set->modes.at[mode]);
}

/* Sets of parasitics with a name stay: another corner may be given them. */
static void free_unused(ScenarioSet *set, ParasiticsId id)
{
  if (id == NO_PARASITICS || set->parasitics.at[id].name != NO_NAME) return;
  for (CornerId c = 0; c < set->corners.len; c++)
    if (corner_uses(set, c, id)) return;
  parasitics_free(set->parasitics.at[id].data);
  set->parasitics.at[id].data = NULL;
}

static void set_parasitics(ScenarioSet *set, Corner *corner, int early_late, ParasiticsId id)
{
  ParasiticsId old = corner->parasitics[early_late];
  corner->parasitics[early_late] = id;
  free_unused(set, old);
}

void scenario_remove_corner(ScenarioSet *set, CornerId corner)
{
  Corner *the_corner = set->corners.at[corner];
  the_corner->deleted = true;
  for (int el = EARLY; el <= LATE; el++) set_parasitics(set, the_corner, el, NO_PARASITICS);
}

void scenario_remove(ScenarioSet *set, ScenarioId scenario)
{
  drop_annotations(&set->scenarios.at[scenario]);
  set->scenarios.at[scenario].deleted = true;
}

/* --- clocks of other modes -------------------------------------------------------------------- */

static void add_sources(const Constraints *c, PinArray *pins)
{
  for (ClockId k = 0; k < c->clocks.len; k++)
    for (uint32_t i = 0; i < c->clocks.at[k].sources.len && !c->clocks.at[k].deleted; i++)
      array_push(pins, c->clocks.at[k].sources.at[i]);
}

void scenario_tell_clocks(const ScenarioSet *set, ModeId mode)
{
  PinArray pins = { 0 };
  uint32_t kept = 0;
  if (set->modes.at[mode].constraints == NULL) return;
  for (ModeId m = 0; m < set->modes.len; m++)
    if (m != mode && set->modes.at[m].constraints
        && scenario_first(set, m, NO_CORNER) != NO_SCENARIO)
      add_sources(set->modes.at[m].constraints, &pins);
  if (pins.len) qsort(pins.at, pins.len, sizeof *pins.at, order_uint32);
  for (uint32_t i = 0; i < pins.len; i++)
    if (i == 0 || pins.at[i] != pins.at[kept - 1]) pins.at[kept++] = pins.at[i];
  pins.len = kept;
  constraints_set_clocks_elsewhere(set->modes.at[mode].constraints, &pins);
  array_free(&pins);
}

/* --- corners: libraries ----------------------------------------------------------------------- */

void corner_add_library(Corner *corner, LibraryId library, bool early, bool late)
{
  if (early) array_push(&corner->libraries[EARLY], library);
  if (late) array_push(&corner->libraries[LATE], library);
  corner->checked = false;
}

bool corner_has_libraries(const Corner *corner)
{
  return corner && (corner->libraries[EARLY].len || corner->libraries[LATE].len);
}

static const LibraryList *list_for(const Corner *corner, int early_late)
{
  return corner->libraries[early_late].len ? &corner->libraries[early_late]
                                           : &corner->libraries[!early_late];
}

bool corner_same_libraries(const Corner *a, const Corner *b)
{
  if (!corner_has_libraries(a) || !corner_has_libraries(b))
    return corner_has_libraries(a) == corner_has_libraries(b);
  for (int el = EARLY; el <= LATE; el++) {
    const LibraryList *x = list_for(a, el), *y = list_for(b, el);
    if (x->len != y->len || memcmp(x->at, y->at, x->len * sizeof *x->at) != 0) return false;
  }
  return true;
}

static bool has_library(const LibraryList *list, LibraryId library)
{
  for (uint32_t i = 0; i < list->len; i++)
    if (list->at[i] == library) return true;
  return false;
}

/* The cell itself where its library is on the list, else that of the first library that has one;
   libraries of `without` do not count (NULL: all do).  NO_CELL. */
static CellId listed_cell(const LibrarySet *libs, const LibraryList *list,
                          const LibraryList *without, CellId cell)
{
  const LibCell *own = &libs->cells.at[cell];
  if (has_library(list, own->library) && !(without && has_library(without, own->library)))
    return cell;
  for (uint32_t i = 0; i < list->len; i++) {
    if (without && has_library(without, list->at[i])) continue;
    CellId found = library_find_cell_in(libs, list->at[i], own->name);
    if (found != NO_CELL) return found;
  }
  return NO_CELL;
}

/* Libraries of one analysis alone go before those of both. */
CellId corner_cell(const LibrarySet *libs, const Corner *corner, CellId cell, int early_late,
                   bool *missing)
{
  if (corner_has_libraries(corner) && libs->cells.at[cell].library != NO_LIBRARY) {
    CellId found =
        listed_cell(libs, list_for(corner, early_late), list_for(corner, !early_late), cell);
    if (found == NO_CELL) found = listed_cell(libs, list_for(corner, early_late), NULL, cell);
    if (found != NO_CELL) return found;
    if (missing) *missing = true;
  }
  return library_cell_for(libs, cell, early_late);
}

uint32_t corner_missing(const Corner *corner, const Netlist *n, CellId *first)
{
  uint32_t count = 0;
  Map *seen = map_new();
  for (InstId i = 1; i < n->insts.len && corner_has_libraries(corner); i++) {
    CellId cell = n->insts.at[i].master;
    bool missing = false;
    if (!inst_is_leaf(n, i) || (n->insts.at[i].flags & INST_DELETED)
        || map_get(seen, cell) != MAP_NO_VALUE)
      continue;
    map_put(seen, cell, 1);
    for (int el = EARLY; el <= LATE; el++) corner_cell(n->libs, corner, cell, el, &missing);
    if (missing && count++ == 0) *first = cell;
  }
  map_free(seen);
  return count;
}

/* --- corners: parasitics ---------------------------------------------------------------------- */

bool corner_uses(const ScenarioSet *set, CornerId corner, ParasiticsId id)
{
  const Corner *the_corner = set->corners.at[corner];
  return id != NO_PARASITICS
         && (the_corner->parasitics[EARLY] == id || the_corner->parasitics[LATE] == id);
}

Parasitics *corner_parasitics(const ScenarioSet *set, CornerId corner, int early_late)
{
  ParasiticsId id = set->corners.at[corner]->parasitics[early_late];
  return id == NO_PARASITICS ? NULL : set->parasitics.at[id].data;
}

static bool is_shared(const ScenarioSet *set, CornerId corner, ParasiticsId id)
{
  if (set->parasitics.at[id].name != NO_NAME) return true;
  for (CornerId c = 0; c < set->corners.len; c++)
    if (c != corner && corner_uses(set, c, id)) return true;
  return false;
}

static ParasiticsId copy_of(ScenarioSet *set, ParasiticsId from)
{
  ParasiticsId made = scenario_add_parasitics(set, NO_NAME);
  if (from != NO_PARASITICS)
    parasitics_copy(set->parasitics.at[made].data, set->parasitics.at[from].data);
  return made;
}

/* One set serves both analyses until one of them gets another set. */
bool corner_own_parasitics(ScenarioSet *set, CornerId corner, bool early, bool late)
{
  Corner *the_corner = set->corners.at[corner];
  ParasiticsId before[2] = { the_corner->parasitics[EARLY], the_corner->parasitics[LATE] };
  bool wanted[2] = { early, late }, one = before[EARLY] == before[LATE];
  if (one && (before[EARLY] == NO_PARASITICS || is_shared(set, corner, before[EARLY]))) {
    ParasiticsId made = copy_of(set, before[EARLY]);
    set_parasitics(set, the_corner, EARLY, made);
    set_parasitics(set, the_corner, LATE, made);
  }
  for (int el = EARLY; el <= LATE; el++) {
    ParasiticsId id = the_corner->parasitics[el];
    bool part = one ? early != late : id == NO_PARASITICS || is_shared(set, corner, id);
    if (wanted[el] && part) set_parasitics(set, the_corner, el, copy_of(set, id));
  }
  return the_corner->parasitics[EARLY] != before[EARLY]
         || the_corner->parasitics[LATE] != before[LATE];
}

void corner_use_parasitics(ScenarioSet *set, CornerId corner, ParasiticsId early, ParasiticsId late)
{
  if (early != NO_PARASITICS) set_parasitics(set, set->corners.at[corner], EARLY, early);
  if (late != NO_PARASITICS) set_parasitics(set, set->corners.at[corner], LATE, late);
}

void scenario_remove_parasitics(ScenarioSet *set, ParasiticsId id)
{
  set->parasitics.at[id].name = NO_NAME;
  free_unused(set, id);
}
