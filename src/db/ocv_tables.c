/* The store of AOCV tables and POCV coefficients. */
#include "db/ocv_tables.h"

#include <math.h>
#include <string.h>

#include "db/placement.h"

Variation *variation_new(void)
{
  Variation *v = mem_alloc_zero(1, sizeof *v);
  v->options = (OcvOptions){ OCV_TABLES_REPLACE, OCV_SCALAR, 3, 1e-3f };
  return v;
}

void variation_free(Variation *v)
{
  if (v == NULL) return;
  array_free(&v->tables);
  array_free(&v->values);
  array_free(&v->uses);
  array_free(&v->places);
  mem_free(v);
}

static void push_values(Variation *v, const float *values, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) array_push(&v->values, values ? values[i] : 0);
}

uint32_t variation_add_table(Variation *v, OcvTable table, const float *distances,
                             const float *depths, const float *values)
{
  table.first = v->values.len;
  push_values(v, distances, table.distance_count);
  push_values(v, depths, table.depth_count);
  push_values(v, values, (uint32_t)table.distance_count * table.depth_count);
  array_push(&v->tables, table);
  v->version++;
  return v->tables.len - 1;
}

void variation_use(Variation *v, Object object, uint32_t table)
{
  array_push(&v->uses, (OcvUse){ object, table });
  v->version++;
}

static uint32_t add_lib_derate(Variation *v, const LibrarySet *libs, const LibDerate *d)
{
  const Table *t = &libs->tables.at[d->table];
  const float *distances = &libs->pool.at[t->first], *depths = distances + t->n1;
  OcvTable table = { .kind = OCV_DERATE, .delays = 1u << OCV_CELL, .conditions = d->conditions,
                     .paths = d->paths,
                     .distance_count = t->n1, .depth_count = t->n2 };
  return variation_add_table(v, table, distances, depths, depths + t->n2);
}

/* Returns true if a derate applies to a cell.  A group of the cell hides a group of the library
   with the same name. */
static bool derates_cell(const LibrarySet *libs, const LibDerate *d, CellId c)
{
  const LibCell *cell = &libs->cells.at[c];
  NameId name = cell->derates == NO_NAME ? libs->libraries.at[d->library].default_derates
                                         : cell->derates;
  if (name != d->name || cell->flags & CELL_SCALED) return false;
  return d->cell == c || (d->cell == NO_CELL && !library_has_derate(libs, d->library, c, name));
}

void variation_add_library(Variation *v, const LibrarySet *libs, LibraryId library)
{
  const Library *l = &libs->libraries.at[library];
  for (uint32_t i = 0; i < libs->derates.len; i++) {
    const LibDerate *d = &libs->derates.at[i];
    if (d->library != library) continue;
    uint32_t table = add_lib_derate(v, libs, d);
    for (CellId c = l->first_cell; c < l->first_cell + l->cell_count; c++)
      if (derates_cell(libs, d, c)) variation_use(v, (Object){ OBJ_LIB_CELL, c }, table);
  }
}

/* Tables keep their places: those without uses cost a few bytes until all are gone. */
void variation_remove(Variation *v, uint32_t kinds)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < v->uses.len; i++)
    if (!(kinds >> v->tables.at[v->uses.at[i].table].kind & 1)) v->uses.at[kept++] = v->uses.at[i];
  if (kept == v->uses.len) return;
  v->uses.len = kept;
  if (kept == 0) {
    array_clear(&v->tables);
    array_clear(&v->values);
  }
  v->version++;
}

void variation_set_options(Variation *v, OcvOptions options)
{
  const OcvOptions *o = &v->options;
  if (o->tables == options.tables && o->mode == options.mode && o->quantile == options.quantile
      && o->distance_unit == options.distance_unit)
    return;
  v->options = options;
  v->version++;
}

bool variation_has(const Variation *v, OcvKind kind)
{
  for (uint32_t i = 0; v && i < v->uses.len; i++)
    if (v->tables.at[v->uses.at[i].table].kind == kind) return true;
  return false;
}

/* --- places ----------------------------------------------------------------------------------- */
bool variation_by_distance(const Variation *v)
{
  for (uint32_t i = 0; i < v->uses.len; i++)
    if (v->tables.at[v->uses.at[i].table].distance_count > 1) return true;
  return false;
}

/* Writes the centre of a cell. Returns true if it has changed. */
static bool put_place(float at[2], const Placement *p, InstId inst, double scale)
{
  Box box;
  float centre[2] = { NAN, NAN }, before[2] = { at[0], at[1] };
  if (placement_of_cell(p, inst, &box)) {
    centre[0] = (float)(scale * 0.5 * ((double)box.x0 + box.x1));
    centre[1] = (float)(scale * 0.5 * ((double)box.y0 + box.y1));
  }
  memcpy(at, centre, sizeof centre);
  return memcmp(before, centre, sizeof centre) != 0;
}

static OcvPlacesOf places_of(const Variation *v, const Placement *p)
{
  if (p == NULL || p->netlist == NULL) return (OcvPlacesOf){ 0 };
  return (OcvPlacesOf){ p, p->version, p->netlist->edit_count, v->version };
}

static bool same_places_of(const OcvPlacesOf *a, const OcvPlacesOf *b)
{
  return a->placement == b->placement && a->version == b->version && a->edits == b->edits
         && a->tables == b->tables;
}

void variation_forget_placement(Variation *v) { v->places_of = (OcvPlacesOf){ 0 }; }

void variation_place_cells(Variation *v, const Placement *p)
{
  OcvPlacesOf of = places_of(v, p);
  if (of.placement && same_places_of(&of, &v->places_of)) return;
  bool placed = of.placement && variation_by_distance(v);
  uint32_t count = placed ? 2 * p->netlist->insts.len : 0;
  bool changed = v->places.len != count;
  array_resize(&v->places, count);
  if (changed && count) memset(v->places.at, 0, count * sizeof *v->places.at);
  for (InstId i = 0; 2 * i < count; i++)
    changed |= put_place(v->places.at + 2 * i, p, i,
                         1 / (double)v->options.distance_unit / p->physical->units);
  v->version += changed;
  v->places_of = places_of(v, p);
}

bool variation_by_lib_cell(const Variation *v)
{
  if (v == NULL) return false;
  for (uint32_t i = 0; i < v->uses.len; i++)
    if (v->uses.at[i].object.type == OBJ_LIB_CELL) return true;
  return variation_is_normal(v) && variation_has(v, OCV_COEFFICIENT);
}
