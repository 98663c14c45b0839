/* The store of AOCV tables and POCV coefficients. */
#include "db/ocv_tables.h"

#include <math.h>
#include <string.h>

#include "db/placement.h"

Variation *variation_new(void)
{
  Variation *variation = mem_alloc_zero(1, sizeof *variation);
  variation->options = (OcvOptions){ OCV_TABLES_REPLACE, OCV_SCALAR, 3, 1e-3f };
  return variation;
}

void variation_free(Variation *variation)
{
  if (variation == NULL) return;
  array_free(&variation->tables);
  array_free(&variation->values);
  array_free(&variation->uses);
  array_free(&variation->places);
  mem_free(variation);
}

static void push_values(Variation *variation, const float *values, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) array_push(&variation->values, values ? values[i] : 0);
}

uint32_t variation_add_table(Variation *variation, OcvTable table, const float *distances,
                             const float *depths, const float *values)
{
  table.first = variation->values.len;
  push_values(variation, distances, table.distance_count);
  push_values(variation, depths, table.depth_count);
  push_values(variation, values, (uint32_t)table.distance_count * table.depth_count);
  array_push(&variation->tables, table);
  variation->version++;
  return variation->tables.len - 1;
}

void variation_use(Variation *variation, Object object, uint32_t table)
{
  array_push(&variation->uses, (OcvUse){ object, table });
  variation->version++;
}

static uint32_t add_lib_derate(Variation *variation, const LibrarySet *libs,
                               const LibDerate *derate)
{
  const Table *the_table = &libs->tables.at[derate->table];
  const float *distances = &libs->pool.at[the_table->first], *depths = distances + the_table->n1;
  OcvTable table = { .kind = OCV_DERATE,
                     .delays = 1u << OCV_CELL,
                     .conditions = derate->conditions,
                     .paths = derate->paths,
                     .distance_count = the_table->n1,
                     .depth_count = the_table->n2 };
  return variation_add_table(variation, table, distances, depths, depths + the_table->n2);
}

/* Returns true if a derate applies to a cell.  A group of the cell hides a group of the library
   with the same name. */
static bool derates_cell(const LibrarySet *libs, const LibDerate *derate, CellId c)
{
  const LibCell *cell = &libs->cells.at[c];
  NameId name = cell->derates == NO_NAME ? libs->libraries.at[derate->library].default_derates
                                         : cell->derates;
  if (name != derate->name || cell->flags & CELL_SCALED) return false;
  return derate->cell == c
         || (derate->cell == NO_CELL && !library_has_derate(libs, derate->library, c, name));
}

void variation_add_library(Variation *variation, const LibrarySet *libs, LibraryId library)
{
  const Library *the_library = &libs->libraries.at[library];
  for (uint32_t i = 0; i < libs->derates.len; i++) {
    const LibDerate *derate = &libs->derates.at[i];
    if (derate->library != library) continue;
    uint32_t table = add_lib_derate(variation, libs, derate);
    for (CellId c = the_library->first_cell; c < the_library->first_cell + the_library->cell_count;
         c++)
      if (derates_cell(libs, derate, c))
        variation_use(variation, (Object){ OBJ_LIB_CELL, c }, table);
  }
}

/* Tables keep their places: those without uses cost a few bytes until all are gone. */
void variation_remove(Variation *variation, uint32_t kinds)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < variation->uses.len; i++)
    if (!(kinds >> variation->tables.at[variation->uses.at[i].table].kind & 1))
      variation->uses.at[kept++] = variation->uses.at[i];
  if (kept == variation->uses.len) return;
  variation->uses.len = kept;
  if (kept == 0) {
    array_clear(&variation->tables);
    array_clear(&variation->values);
  }
  variation->version++;
}

void variation_set_options(Variation *variation, OcvOptions options)
{
  const OcvOptions *ocv_options = &variation->options;
  if (ocv_options->tables == options.tables && ocv_options->mode == options.mode
      && ocv_options->quantile == options.quantile
      && ocv_options->distance_unit == options.distance_unit)
    return;
  variation->options = options;
  variation->version++;
}

bool variation_has(const Variation *variation, OcvKind kind)
{
  for (uint32_t i = 0; variation && i < variation->uses.len; i++)
    if (variation->tables.at[variation->uses.at[i].table].kind == kind) return true;
  return false;
}

/* --- places ----------------------------------------------------------------------------------- */
bool variation_by_distance(const Variation *variation)
{
  for (uint32_t i = 0; i < variation->uses.len; i++)
    if (variation->tables.at[variation->uses.at[i].table].distance_count > 1) return true;
  return false;
}

/* Writes the centre of a cell. Returns true if it has changed. */
static bool put_place(float at[2], const Placement *placement, InstId inst, double scale)
{
  Box box;
  float centre[2] = { NAN, NAN }, before[2] = { at[0], at[1] };
  if (placement_of_cell(placement, inst, &box)) {
    centre[0] = (float)(scale * 0.5 * ((double)box.x0 + box.x1));
    centre[1] = (float)(scale * 0.5 * ((double)box.y0 + box.y1));
  }
  memcpy(at, centre, sizeof centre);
  return memcmp(before, centre, sizeof centre) != 0;
}

static OcvPlacesOf places_of(const Variation *variation, const Placement *placement)
{
  if (placement == NULL || placement->netlist == NULL) return (OcvPlacesOf){ 0 };
  return (OcvPlacesOf){ placement, placement->version, placement->netlist->edit_count,
                        variation->version };
}

static bool same_places_of(const OcvPlacesOf *a, const OcvPlacesOf *b)
{
  return a->placement == b->placement && a->version == b->version && a->edits == b->edits
         && a->tables == b->tables;
}

void variation_forget_placement(Variation *variation) { variation->places_of = (OcvPlacesOf){ 0 }; }

void variation_place_cells(Variation *variation, const Placement *placement)
{
  OcvPlacesOf of = places_of(variation, placement);
  if (of.placement && same_places_of(&of, &variation->places_of)) return;
  bool placed = of.placement && variation_by_distance(variation);
  uint32_t count = placed ? 2 * placement->netlist->insts.len : 0;
  bool changed = variation->places.len != count;
  array_resize(&variation->places, count);
  if (changed && count) memset(variation->places.at, 0, count * sizeof *variation->places.at);
  for (InstId i = 0; 2 * i < count; i++)
    changed |= put_place(variation->places.at + 2 * i, placement, i,
                         1 / (double)variation->options.distance_unit / placement->physical->units);
  variation->version += changed;
  variation->places_of = places_of(variation, placement);
}

bool variation_by_lib_cell(const Variation *variation)
{
  if (variation == NULL) return false;
  for (uint32_t i = 0; i < variation->uses.len; i++)
    if (variation->uses.at[i].object.type == OBJ_LIB_CELL) return true;
  return variation_is_normal(variation) && variation_has(variation, OCV_COEFFICIENT);
}
