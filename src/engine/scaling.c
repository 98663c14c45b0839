#include "engine/scaling.h"

#include <math.h>

static uint32_t bits_of(float x)
{
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* --- points ---------------------------------------------------------------------------------------------------------- */
typedef struct { float process, voltage, temperature; } Point;

static const OperatingConditions *default_conditions(const LibrarySet *libs, LibraryId library)
{
  NameId name = libs->libraries.at[library].default_operating_conditions;
  for (uint32_t i = 0; name != NO_NAME && i < libs->conditions.len; i++)
    if (libs->condition_library.at[i] == library && libs->conditions.at[i].name == name) return &libs->conditions.at[i];
  return NULL;
}

static void overlay(float *at, float value)
{
  if (!isnan(value)) *at = value;
}

/* The point of a library's cells in an analysis; `own`: set_pvt of the instance. */
static Point point_of(const LibrarySet *libs, const Constraints *c, LibraryId library, int early_late, const InstPvt *own)
{
  const Library *l = &libs->libraries.at[library];
  uint32_t set = c->operating_condition[early_late];
  const OperatingConditions *conditions = set != NO_CONDITION ? &libs->conditions.at[set] : default_conditions(libs, library);
  Point p = { l->nom_process, l->nom_voltage, l->nom_temperature };
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

/* 1 + k (x - nominal); what is not known changes nothing. */
static float change(float k, float x, float nominal)
{
  float by = k * (x - nominal);
  return isnan(by) ? 1 : 1 + by;
}

static float factor_at(const Library *l, const Point *p, int kind)
{
  const float *k = l->scale[kind];
  float factor = change(k[SCALE_BY_PROCESS], p->process, l->nom_process) * change(k[SCALE_BY_VOLTAGE], p->voltage, l->nom_voltage) *
                 change(k[SCALE_BY_TEMPERATURE], p->temperature, l->nom_temperature);
  return factor > 0 ? factor : 0;
}

static void add_point(Scaling *s, const LibrarySet *libs, const Constraints *c, const InstPvt *own)
{
  for (int el = EARLY; el <= LATE; el++)
    for (LibraryId l = 0; l < libs->libraries.len; l++) {
      /* with a single condition the late one serves both */
      Point p = point_of(libs, c, l, c->analysis == ANALYSIS_SINGLE ? LATE : el, own);
      for (int kind = 0; kind < SCALE_COUNT; kind++) array_push(&s->factor, factor_at(&libs->libraries.at[l], &p, kind));
    }
  s->point_count++;
}

/* A cell and all leaf cells in it; blocks inside that have a point of their own were given theirs before. */
static void give_point(Scaling *s, const Netlist *n, InstId inst, uint32_t point)
{
  if (map_get(s->inst_point, inst) != MAP_NO_VALUE) return;
  map_put(s->inst_point, inst, point);
  for (InstId child = n->insts.at[inst].first_child; child != NO_INST; child = n->insts.at[child].next_sibling)
    give_point(s, n, child, point);
}

static uint32_t depth_of(const Netlist *n, InstId inst)
{
  uint32_t depth = 0;
  for (; n->insts.at[inst].parent != NO_INST; inst = n->insts.at[inst].parent) depth++;
  return depth;
}

static void add_inst_points(Scaling *s, const Graph *g, const Constraints *c)
{
  uint32_t deepest = 0;
  for (uint32_t i = 0; i < c->pvts.len; i++) {
    uint32_t depth = depth_of(g->netlist, c->pvts.at[i].inst);
    if (depth > deepest) deepest = depth;
    add_point(s, g->libs, c, &c->pvts.at[i]);
  }
  for (uint32_t depth = deepest + 1; depth-- > 0;)
    for (uint32_t i = 0; i < c->pvts.len; i++)
      if (depth_of(g->netlist, c->pvts.at[i].inst) == depth) give_point(s, g->netlist, c->pvts.at[i].inst, i + 1);
}

/* --- tables ------------------------------------------------------------------------------------------------------------ */
static void add_table(Scaling *s, const LibrarySet *libs, TableId id, float factor)
{
  if (id == NO_TABLE || factor == 1 || map_get(s->place, hash_pair(id, bits_of(factor))) != MAP_NO_VALUE) return;
  const Table *t = &libs->tables.at[id];
  uint32_t axes = (uint32_t)t->n1 + t->n2, values = (uint32_t)t->n1 * t->n2, first = s->pool.len;
  array_resize(&s->pool, first + axes + values);
  for (uint32_t i = 0; i < axes + values; i++)
    s->pool.at[first + i] = libs->pool.at[t->first + i] * (i < axes ? 1 : factor);
  map_put(s->place, hash_pair(id, bits_of(factor)), first);
}

static LibraryId library_of(const LibrarySet *libs, const LibArc *arc) { return libs->cells.at[libs->ports.at[arc->to].cell].library; }

static float factor_of(const Scaling *s, uint32_t point, int early_late, LibraryId library, int kind)
{
  if (library >= s->library_count || kind < 0) return 1;
  return s->factor.at[((2 * point + (uint32_t)early_late) * s->library_count + library) * SCALE_COUNT + (uint32_t)kind];
}

int scaling_check_kind(const LibArc *arc, int edge)
{
  switch (arc->type) {
  case ARC_SETUP: case ARC_NON_SEQ_SETUP: return SCALE_SETUP + edge;
  case ARC_HOLD: case ARC_NON_SEQ_HOLD: return SCALE_HOLD + edge;
  case ARC_RECOVERY: return SCALE_RECOVERY + edge;
  case ARC_REMOVAL: return SCALE_REMOVAL + edge;
  default: return -1;
  }
}

static void add_arc_tables(Scaling *s, const LibrarySet *libs, const LibArc *arc)
{
  bool check = arc_type_is_check((ArcType)arc->type);
  LibraryId library = library_of(libs, arc);
  for (uint32_t point = 0; point < s->point_count; point++)
    for (int el = EARLY; el <= LATE; el++)
      for (int edge = RISE; edge <= FALL; edge++) {
        int kind = check ? scaling_check_kind(arc, edge) : SCALE_CELL + edge;
        add_table(s, libs, arc->delay[edge], factor_of(s, point, el, library, kind));
        if (!check) add_table(s, libs, arc->slew[edge], factor_of(s, point, el, library, SCALE_TRANSITION + edge));
      }
}

static float drive_factor(const Scaling *s, const PortDrive *d, int early_late, LibraryId library, int kind)
{
  return d->multiply_by * (d->dont_scale ? 1 : factor_of(s, 0, early_late, library, kind));
}

static void add_drive_tables(Scaling *s, const Model *m, const PortDrive *d, int condition)
{
  const LibrarySet *libs = m->libs;
  if (d->cell[condition] == NO_CELL) return;
  const LibCell *cell = &libs->cells.at[d->cell[condition]];
  int el = condition >> 1, edge = condition & 1;
  for (LibArcId i = cell->first_arc; i < cell->first_arc + cell->arc_count; i++) {
    const LibArc *arc = &libs->arcs.at[m->arc_for[el][i]];
    if (arc_type_is_check((ArcType)arc->type)) continue;
    LibraryId library = library_of(libs, arc);
    add_table(s, libs, arc->delay[edge], drive_factor(s, d, el, library, SCALE_CELL + edge));
    add_table(s, libs, arc->slew[edge], drive_factor(s, d, el, library, SCALE_TRANSITION + edge));
  }
}

/* --- life ---------------------------------------------------------------------------------------------------------------- */
static bool library_scales(const Library *l)
{
  for (int kind = 0; kind < SCALE_COUNT; kind++)
    for (int by = 0; by < SCALE_BY_COUNT; by++)
      if (l->scale[kind][by] != 0) return true;
  return false;
}

static bool is_needed(const LibrarySet *libs, const Constraints *c)
{
  for (LibraryId l = 0; l < libs->libraries.len; l++)
    if (library_scales(&libs->libraries.at[l])) return true;
  for (uint32_t i = 0; i < c->drives.len; i++)
    if (c->drives.at[i].multiply_by != 1) return true;
  return false;
}

Scaling *scaling_new(const Graph *g, const Model *m, const Constraints *c)
{
  if (!is_needed(g->libs, c)) return NULL;
  Scaling *s = mem_alloc_zero(1, sizeof *s);
  s->place = map_new();
  s->inst_point = map_new();
  s->library_count = g->libs->libraries.len;
  add_point(s, g->libs, c, NULL);
  add_inst_points(s, g, c);
  for (LibArcId a = 0; a < g->libs->arcs.len; a++) add_arc_tables(s, g->libs, &g->libs->arcs.at[a]);
  for (uint32_t i = 0; i < c->drives.len; i++)
    for (int k = 0; k < CONDITION_COUNT; k++) add_drive_tables(s, m, &c->drives.at[i], k);
  return s;
}

void scaling_free(Scaling *s)
{
  if (s == NULL) return;
  map_free(s->place);
  map_free(s->inst_point);
  array_free(&s->pool);
  array_free(&s->factor);
  mem_free(s);
}

/* --- look-up --------------------------------------------------------------------------------------------------------------- */
static TableView scaled(const Timing *t, TableId id, float factor)
{
  if (factor == 1) return model_table(t->model, id);
  const Table *table = &t->model->libs->tables.at[id];
  uint32_t first = map_get(t->scaling->place, hash_pair(id, bits_of(factor)));
  return (TableView){ t->scaling->pool.at + first, table->n1, table->n2 };
}

uint32_t scaling_point(const Timing *t, Slot slot)
{
  if (t->scaling == NULL || t->scaling->point_count == 1) return 0;
  uint32_t point = map_get(t->scaling->inst_point, t->g->netlist->pins.at[t->g->slot_pin[slot]].inst);
  return point == MAP_NO_VALUE ? 0 : point;
}

float scaling_factor(const Scaling *s, LibraryId library, int early_late, int kind)
{
  return s ? factor_of(s, 0, early_late, library, kind) : 1;
}

TableView scaling_arc_table(const Timing *t, Slot slot, int early_late, const LibArc *arc, TableId table, int kind)
{
  return scaled(t, table, factor_of(t->scaling, scaling_point(t, slot), early_late, library_of(t->model->libs, arc), kind));
}

TableView scaling_drive_table(const Timing *t, const PortDrive *drive, int early_late, const LibArc *arc, TableId table, int kind)
{
  if (t->scaling == NULL) return model_table(t->model, table);
  return scaled(t, table, drive_factor(t->scaling, drive, early_late, library_of(t->model->libs, arc), kind));
}

float scaling_port_cap(const Timing *t, uint32_t point, PortId port, int early_late)
{
  return factor_of(t->scaling, point, early_late, t->model->library_for[early_late][t->model->libs->ports.at[port].cell], SCALE_PIN_CAP);
}

float scaling_pin_cap(const Timing *t, Slot slot, int early_late)
{
  return scaling_port_cap(t, scaling_point(t, slot), t->g->netlist->pins.at[t->g->slot_pin[slot]].port, early_late);
}
