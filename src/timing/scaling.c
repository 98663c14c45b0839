/* Scales libraries to operating conditions: the point of each instance, the factors at each point,
   and scaled copies of tables. */
#include "timing/scaling.h"

#include <math.h>

static uint32_t bits_of(float x)
{
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* --- points ----------------------------------------------------------------------------------- */
typedef struct { float process, voltage, temperature; } Point;

static const OperatingConditions *default_conditions(const LibrarySet *libs, LibraryId library)
{
  NameId name = libs->libraries.at[library].default_operating_conditions;
  for (uint32_t i = 0; name != NO_NAME && i < libs->conditions.len; i++)
    if (libs->condition_library.at[i] == library && libs->conditions.at[i].name == name)
      return &libs->conditions.at[i];
  return NULL;
}

static void overlay(float *at, float value)
{
  if (!isnan(value)) *at = value;
}

/* Returns the name of the operating condition whose point the design has, for the scaled cells of
   the library. NO_NAME: there is none, or the point is another one. */
static NameId condition_of_point(const LibrarySet *libs, const Constraints *c, LibraryId library,
                                 int early_late)
{
  uint32_t set = c->operating_condition[early_late];
  const OperatingConditions *conditions = set != NO_CONDITION ? &libs->conditions.at[set]
      : default_conditions(libs, library);
  return conditions && isnan(c->voltage[early_late]) ? conditions->name : NO_NAME;
}

/* Returns the point of a library's cells in an analysis. own: the set_pvt of the instance. */
static Point point_of(const LibrarySet *libs, const Constraints *c, LibraryId library,
                      int early_late, const InstPvt *own)
{
  const Library *the_library = &libs->libraries.at[library];
  uint32_t set = c->operating_condition[early_late];
  const OperatingConditions *conditions =
      set != NO_CONDITION ? &libs->conditions.at[set] : default_conditions(libs, library);
  Point p = { the_library->nom_process, the_library->nom_voltage, the_library->nom_temperature };
  if (conditions) {
    overlay(&p.process, conditions->process);
    overlay(&p.voltage, conditions->voltage);
    overlay(&p.temperature, conditions->temperature);
  }
  overlay(&p.voltage, c->voltage[early_late]);
  if (own) {
    overlay(&p.process, own->process[early_late]);
    overlay(&p.voltage, own->voltage[early_late]);
    overlay(&p.temperature, own->temperature[early_late]);
  }
  return p;
}

/* Returns 1 + k (x - nominal). Unknown values change nothing. */
static float change(float k, float x, float nominal)
{
  float by = k * (x - nominal);
  return isnan(by) ? 1 : 1 + by;
}

static float factor_at(const Library *library, const ScaleFactors *factors, const Point *point,
                       int kind)
{
  const float *k = factors->k[kind];
  float factor = change(k[SCALE_BY_PROCESS], point->process, library->nom_process)
                 * change(k[SCALE_BY_VOLTAGE], point->voltage, library->nom_voltage)
                 * change(k[SCALE_BY_TEMPERATURE], point->temperature, library->nom_temperature);
  return factor > 0 ? factor : 0;
}

/* Returns the analysis whose factor counts. With a single condition, the late factor serves both
   analyses. */
static int side_of(const Constraints *c, int early_late)
{
  return c->analysis == ANALYSIS_SINGLE ? LATE : early_late;
}

static LibraryId group_library(const LibrarySet *libs, uint32_t group)
{
  return group < libs->libraries.len ? group
      : libs->factor_sets.at[group - libs->libraries.len].library;
}

static const ScaleFactors *group_factors(const LibrarySet *libs, uint32_t group)
{
  return group < libs->libraries.len ? &libs->libraries.at[group].factors
      : &libs->factor_sets.at[group - libs->libraries.len].factors;
}

static void add_point(Scaling *scaling, const LibrarySet *libs, const Constraints *c,
                      const InstPvt *own)
{
  for (int el = EARLY; el <= LATE; el++)
    for (uint32_t group = 0; group < scaling->group_count; group++) {
      LibraryId l = group_library(libs, group);
      Point p = point_of(libs, c, l, side_of(c, el), own);
      for (int kind = 0; kind < SCALE_COUNT; kind++)
        array_push(&scaling->factor,
                   factor_at(&libs->libraries.at[l], group_factors(libs, group), &p, kind));
    }
  scaling->point_count++;
}

/* Gives a point to a cell, or to all leaf cells in a block. Blocks inside with a point of their own
   have already got it. */
static void give_point(Scaling *scaling, const Netlist *n, InstId inst, uint32_t point)
{
  if (map_get(scaling->inst_point, inst) != MAP_NO_VALUE) return;
  map_put(scaling->inst_point, inst, point);
  for (InstId child = n->insts.at[inst].first_child; child != NO_INST;
       child = n->insts.at[child].next_sibling)
    give_point(scaling, n, child, point);
}

static uint32_t depth_of(const Netlist *n, InstId inst)
{
  uint32_t depth = 0;
  for (; n->insts.at[inst].parent != NO_INST; inst = n->insts.at[inst].parent) depth++;
  return depth;
}

static void add_inst_points(Scaling *scaling, const Graph *g, const Constraints *c)
{
  uint32_t deepest = 0;
  for (uint32_t i = 0; i < c->pvts.len; i++) {
    uint32_t depth = depth_of(g->netlist, c->pvts.at[i].inst);
    if (depth > deepest) deepest = depth;
    add_point(scaling, g->libs, c, &c->pvts.at[i]);
  }
  for (uint32_t depth = deepest + 1; depth-- > 0;)
    for (uint32_t i = 0; i < c->pvts.len; i++)
      if (depth_of(g->netlist, c->pvts.at[i].inst) == depth)
        give_point(scaling, g->netlist, c->pvts.at[i].inst, i + 1);
}

/* --- tables ----------------------------------------------------------------------------------- */
static void copy_table(Scaling *scaling, const LibrarySet *libs, TableId id, float factor)
{
  if (id == NO_TABLE || map_get(scaling->place, hash_pair(id, bits_of(factor))) != MAP_NO_VALUE)
    return;
  const Table *table = &libs->tables.at[id];
  uint32_t axes = (uint32_t)table->n1 + table->n2, values = (uint32_t)table->n1 * table->n2,
           first = scaling->pool.len;
  array_resize(&scaling->pool, first + axes + values);
  for (uint32_t i = 0; i < axes + values; i++)
    scaling->pool.at[first + i] = libs->pool.at[table->first + i] * (i < axes ? 1 : factor);
  map_put(scaling->place, hash_pair(id, bits_of(factor)), first);
}

static void add_table(Scaling *scaling, const LibrarySet *libs, TableId id, float factor)
{
  if (factor != 1) copy_table(scaling, libs, id, factor);
}

/* Returns the group of factors of a cell. */
static uint32_t group_of(const LibrarySet *libs, CellId cell)
{
  const LibCell *lib_cell = &libs->cells.at[cell];
  return lib_cell->factors ? libs->libraries.len + lib_cell->factors - 1 : lib_cell->library;
}

static uint32_t arc_group(const LibrarySet *libs, const LibArc *arc)
{
  return group_of(libs, libs->ports.at[arc->to].cell);
}

static float factor_of(const Scaling *scaling, uint32_t point, int early_late, uint32_t group,
                       int kind)
{
  if (group >= scaling->group_count || kind < 0) return 1;
  return scaling->factor
      .at[((2 * point + (uint32_t)early_late) * scaling->group_count + group) * SCALE_COUNT
          + (uint32_t)kind];
}

/* Returns the kind of factor of a check's table; -1: none. */
static int check_kind(const LibArc *arc, int edge)
{
  switch (arc->type) {
  case ARC_SETUP: case ARC_NON_SEQ_SETUP: return SCALE_SETUP + edge;
  case ARC_HOLD: case ARC_NON_SEQ_HOLD: return SCALE_HOLD + edge;
  case ARC_RECOVERY: return SCALE_RECOVERY + edge;
  case ARC_REMOVAL: return SCALE_REMOVAL + edge;
  case ARC_MIN_PULSE_WIDTH: return SCALE_PULSE + edge;
  case ARC_MIN_PERIOD: return SCALE_PERIOD;
  case ARC_SKEW: return SCALE_SKEW + edge;
  case ARC_NOCHANGE: case ARC_NOCHANGE_LOW: return SCALE_NOCHANGE + edge;
  default: return -1;
  }
}

static int table_kind(const LibArc *arc, int edge, bool slew)
{
  if (slew) return SCALE_TRANSITION + edge;
  return arc_type_is_check((ArcType)arc->type) ? check_kind(arc, edge) : SCALE_CELL + edge;
}

static void add_arc_tables(Scaling *scaling, const LibrarySet *libs, const LibArc *arc)
{
  uint32_t group = arc_group(libs, arc);
  for (uint32_t point = 0; point < scaling->point_count; point++)
    for (int el = EARLY; el <= LATE; el++)
      for (int edge = RISE; edge <= FALL; edge++) {
        add_table(scaling, libs, arc->delay[edge],
                  factor_of(scaling, point, el, group, table_kind(arc, edge, false)));
        add_table(scaling, libs, arc->slew[edge],
                  factor_of(scaling, point, el, group, table_kind(arc, edge, true)));
      }
}

/* --- scaled cells ----------------------------------------------------------------------------- */
/* Copies the tables of a scaled cell's arc. They must be in the pool, because a table outside of it
   is taken for the arc's own. */
static void put_scaled_arc(Scaling *scaling, const LibrarySet *libs, int early_late, LibArcId from,
                           LibArcId to)
{
  const LibArc *arc = &libs->arcs.at[to];
  for (int edge = RISE; edge <= FALL; edge++) {
    copy_table(scaling, libs, arc->delay[edge], 1);
    copy_table(scaling, libs, arc->slew[edge], 1);
  }
  map_put(scaling->scaled_arc, hash_pair((uint32_t)early_late, from), to);
}

static void add_scaled_cell(Scaling *scaling, const LibrarySet *libs, const ScaledCell *scaled,
                            int early_late)
{
  const LibCell *cell = &libs->cells.at[scaled->cell];
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    LibArcId to = library_arc_for(libs, a, scaled->scaled, early_late);
    if (to == NO_LIB_ARC) continue;
    if (early_late == EARLY) to += libs->arcs.at[to].early;
    put_scaled_arc(scaling, libs, early_late, early_late == EARLY ? a + libs->arcs.at[a].early : a,
                   to);
  }
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    PortId to = library_find_port(libs, scaled->scaled, libs->ports.at[p].name);
    if (to != NO_PORT) map_put(scaling->scaled_port, hash_pair((uint32_t)early_late, p), to);
  }
}

/* Adds the scaled cells of the conditions in force. */
static void add_scaled_cells(Scaling *scaling, const LibrarySet *libs, const Constraints *c)
{
  for (uint32_t i = 0; i < libs->scaled_cells.len; i++) {
    const ScaledCell *scaled = &libs->scaled_cells.at[i];
    if (scaled->cell == NO_CELL) continue;
    LibraryId library = libs->cells.at[scaled->cell].library;
    for (int el = EARLY; el <= LATE; el++)
      if (condition_of_point(libs, c, library, side_of(c, el)) == scaled->condition)
        add_scaled_cell(scaling, libs, scaled, el);
  }
}

/* Returns the arc that replaces an arc of the model; NULL: none. */
static const LibArc *scaled_arc(const Scaling *scaling, const LibrarySet *libs, int early_late,
                                const LibArc *arc)
{
  LibArcId id = (LibArcId)(arc - libs->arcs.at);
  uint32_t to = map_get(scaling->scaled_arc, hash_pair((uint32_t)early_late, id));
  return to == MAP_NO_VALUE ? NULL : &libs->arcs.at[to];
}

/* --- driving cells ---------------------------------------------------------------------------- */
static float drive_factor(const Scaling *scaling, const PortDrive *drive, int condition,
                          uint32_t group, int kind)
{
  bool scales = !(drive->dont_scale >> condition & 1);
  return drive->multiply_by[condition]
         * (scales ? factor_of(scaling, 0, condition >> 1, group, kind) : 1);
}

static const LibArc *drive_scaled_arc(const Scaling *scaling, const LibrarySet *libs,
                                      const PortDrive *drive, int condition, const LibArc *arc)
{
  return drive->dont_scale >> condition & 1 ? NULL : scaled_arc(scaling, libs, condition >> 1, arc);
}

static void add_drive_arc(Scaling *scaling, const LibrarySet *libs, const PortDrive *drive,
                          int condition, const LibArc *arc)
{
  int edge = condition & 1;
  const LibArc *other = drive_scaled_arc(scaling, libs, drive, condition, arc);
  uint32_t group = arc_group(libs, arc);
  add_table(scaling, libs, arc->delay[edge],
            drive_factor(scaling, drive, condition, group, SCALE_CELL + edge));
  add_table(scaling, libs, arc->slew[edge],
            drive_factor(scaling, drive, condition, group, SCALE_TRANSITION + edge));
  if (other == NULL) return;
  copy_table(scaling, libs, other->delay[edge], drive->multiply_by[condition]);
  copy_table(scaling, libs, other->slew[edge], drive->multiply_by[condition]);
}

static void add_drive_tables(Scaling *scaling, const CornerLibs *corner_libs,
                             const PortDrive *drive, int condition)
{
  const LibrarySet *libs = corner_libs->libs;
  if (drive->cell[condition] == NO_CELL) return;
  const LibCell *cell = &libs->cells.at[drive->cell[condition]];
  for (LibArcId i = cell->first_arc; i < cell->first_arc + cell->arc_count; i++) {
    const LibArc *arc = &libs->arcs.at[corner_libs->arc_for[condition >> 1][i]];
    if (!arc_type_is_check((ArcType)arc->type)) add_drive_arc(scaling, libs, drive, condition, arc);
  }
}

/* --- life ------------------------------------------------------------------------------------- */
static bool any_factor(const ScaleFactors *factors)
{
  for (int kind = 0; kind < SCALE_COUNT; kind++)
    for (int by = 0; by < SCALE_BY_COUNT; by++)
      if (factors->k[kind][by] != 0) return true;
  return false;
}

static bool is_needed(const LibrarySet *libs, const Constraints *c)
{
  for (LibraryId l = 0; l < libs->libraries.len; l++)
    if (any_factor(&libs->libraries.at[l].factors)) return true;
  for (uint32_t i = 0; i < libs->factor_sets.len; i++)
    if (any_factor(&libs->factor_sets.at[i].factors)) return true;
  if (libs->scaled_cells.len) return true;
  for (uint32_t i = 0; i < c->drives.len; i++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      if (c->drives.at[i].multiply_by[k] != 1) return true;
  return false;
}

Scaling *scaling_new(const Graph *g, const CornerLibs *libs, const Constraints *c)
{
  if (!is_needed(g->libs, c)) return NULL;
  Scaling *scaling = mem_alloc_zero(1, sizeof *scaling);
  scaling->place = map_new();
  scaling->inst_point = map_new();
  scaling->scaled_arc = map_new();
  scaling->scaled_port = map_new();
  scaling->library_count = g->libs->libraries.len;
  scaling->group_count = scaling->library_count + g->libs->factor_sets.len;
  add_point(scaling, g->libs, c, NULL);
  add_inst_points(scaling, g, c);
  for (LibArcId a = 0; a < g->libs->arcs.len; a++)
    add_arc_tables(scaling, g->libs, &g->libs->arcs.at[a]);
  add_scaled_cells(scaling, g->libs, c);
  for (uint32_t i = 0; i < c->drives.len; i++)
    for (int k = 0; k < CONDITION_COUNT; k++) add_drive_tables(scaling, libs, &c->drives.at[i], k);
  return scaling;
}

void scaling_free(Scaling *scaling)
{
  if (scaling == NULL) return;
  map_free(scaling->place);
  map_free(scaling->inst_point);
  map_free(scaling->scaled_arc);
  map_free(scaling->scaled_port);
  array_free(&scaling->pool);
  array_free(&scaling->factor);
  mem_free(scaling);
}

/* --- look-up ---------------------------------------------------------------------------------- */
static TableView copied(const Timing *t, TableId id, float factor)
{
  const Table *table = &t->corner_libs->libs->tables.at[id];
  uint32_t first = map_get(t->scaling->place, hash_pair(id, bits_of(factor)));
  return (TableView){ t->scaling->pool.at + first, table->n1, table->n2 };
}

static TableView scaled(const Timing *t, TableId id, float factor)
{
  return factor == 1 ? corner_libs_table(t->corner_libs, id) : copied(t, id, factor);
}

static TableId arc_table(const LibArc *arc, int edge, bool slew)
{
  return slew ? arc->slew[edge] : arc->delay[edge];
}

uint32_t scaling_point(const Timing *t, Slot slot)
{
  if (t->scaling == NULL || t->scaling->point_count == 1) return 0;
  uint32_t point =
      map_get(t->scaling->inst_point, t->g->netlist->pins.at[t->g->slots.pin[slot]].inst);
  return point == MAP_NO_VALUE ? 0 : point;
}

float scaling_factor(const Scaling *scaling, LibraryId library, int early_late, int kind)
{
  return scaling && library < scaling->library_count
             ? factor_of(scaling, 0, early_late, library, kind)
             : 1;
}

TableView scaling_arc_table(const Timing *t, Slot slot, int early_late, const LibArc *arc,
                            int edge, bool slew)
{
  uint32_t point = scaling_point(t, slot);
  const LibArc *other =
      point == 0 ? scaled_arc(t->scaling, t->corner_libs->libs, early_late, arc) : NULL;
  TableId table = other ? arc_table(other, edge, slew) : NO_TABLE;
  if (table != NO_TABLE) return copied(t, table, 1);
  return scaled(t, arc_table(arc, edge, slew),
                factor_of(t->scaling, point, early_late, arc_group(t->corner_libs->libs, arc),
                          table_kind(arc, edge, slew)));
}

TableView scaling_drive_table(const Timing *t, const PortDrive *drive, int condition,
                              const LibArc *arc, bool slew)
{
  int edge = condition & 1;
  if (t->scaling == NULL) return corner_libs_table(t->corner_libs, arc_table(arc, edge, slew));
  const LibrarySet *libs = t->corner_libs->libs;
  const LibArc *other = drive_scaled_arc(t->scaling, libs, drive, condition, arc);
  TableId table = other ? arc_table(other, edge, slew) : NO_TABLE;
  if (table != NO_TABLE) return copied(t, table, drive->multiply_by[condition]);
  return scaled(t, arc_table(arc, edge, slew),
                drive_factor(t->scaling, drive, condition, arc_group(t->corner_libs->libs, arc),
                             table_kind(arc, edge, slew)));
}

/* Returns the scaled_cell's port that replaces a port at a point; NO_PORT: none. */
static PortId scaled_port(const Timing *t, uint32_t point, PortId port, int early_late)
{
  const LibrarySet *libs = t->corner_libs->libs;
  if (point || map_count(t->scaling->scaled_port) == 0) return NO_PORT;
  CellId cell = t->corner_libs->cell_for[early_late][libs->ports.at[port].cell];
  if (cell != libs->ports.at[port].cell)
    port = library_find_port(libs, cell, libs->ports.at[port].name);
  return map_get(t->scaling->scaled_port, hash_pair((uint32_t)early_late, port));
}

float scaling_port_cap(const Timing *t, uint32_t point, PortId port, int condition, float cap)
{
  const LibrarySet *libs = t->corner_libs->libs;
  PortId other = scaled_port(t, point, port, condition >> 1);
  if (other != NO_PORT) return libs->ports.at[other].cap[condition];
  CellId cell = t->corner_libs->cell_for[condition >> 1][libs->ports.at[port].cell];
  return cap * factor_of(t->scaling, point, condition >> 1, group_of(libs, cell), SCALE_PIN_CAP);
}

PortId scaling_limit_port(const Timing *t, Slot slot, PortId port, int early_late)
{
  if (t->scaling == NULL || slot == NO_SLOT) return port;
  PortId other = scaled_port(t, scaling_point(t, slot), port, early_late);
  return other == NO_PORT ? port : other;
}

float scaling_limit_factor(const Timing *t, Slot slot, PortId port, int early_late, int kind)
{
  const LibrarySet *libs = t->corner_libs->libs;
  CellId cell = libs->ports.at[port].cell;
  if (t->scaling == NULL || libs->cells.at[cell].flags & CELL_SCALED) return 1;
  return factor_of(t->scaling, scaling_point(t, slot), early_late, group_of(libs, cell), kind);
}
