/* Writes the delay and slew tables of library arcs as grids of cells (see FlatGrid in
   device/flat.h), in which the values of a pair of tables with the same axes lie together. */
#include "device/flat_grid.h"

#include <string.h>

#include "base/memory.h"

static const float *axis1(const float *pool, FlatTable t) { return pool + t.first; }
static const float *axis2(const float *pool, FlatTable t) { return axis1(pool, t) + t.n1; }
static const float *values(const float *pool, FlatTable t) { return axis2(pool, t) + t.n2; }

/* Is the table 0 everywhere, as for slews that a library does not give? */
static int is_nothing(const float *pool, FlatTable t)
{
  return t.n1 == 1 && t.n2 == 1 && values(pool, t)[0] == 0;
}

static int same_axes(const float *pool, FlatTable a, FlatTable b)
{
  return a.n1 == b.n1 && a.n2 == b.n2
         && memcmp(axis1(pool, a), axis1(pool, b), (size_t)(a.n1 + a.n2) * sizeof(float)) == 0;
}

static int fits(const float *pool, FlatTable delay, FlatTable slew)
{
  if (delay.n1 == 0 || delay.n1 > FLAT_AXIS || delay.n2 > FLAT_AXIS) return 0;
  return is_nothing(pool, slew) || same_axes(pool, delay, slew);
}

/* Returns the axes of a table. Axes with another hash differ. Axes with the same hash are nearly
   always equal. */
static uint32_t put_axes(GridMaker *maker, FlatTable t)
{
  FlatAxes a;
  memset(&a, 0, sizeof a);
  memcpy(a.of1, axis1(maker->pool, t), t.n1 * sizeof(float));
  memcpy(a.of2, axis2(maker->pool, t), t.n2 * sizeof(float));
  uint64_t key = hash_bytes((const char *)&a, sizeof a);
  uint32_t have = map_get(maker->axes_of, key);
  if (have != MAP_NO_VALUE && memcmp(&maker->axes.at[have], &a, sizeof a) == 0) return have;
  map_put(maker->axes_of, key, maker->axes.len);
  array_push(&maker->axes, a);
  return maker->axes.len - 1;
}

static void put_corners(const float *pool, FlatTable t, int i, int j, float *corner)
{
  const float *v = values(pool, t);
  int i1 = t.n1 < 2 ? i : i + 1, j1 = t.n2 < 2 ? j : j + 1;
  corner[0] = v[i * t.n2 + j];
  corner[1] = v[i1 * t.n2 + j];
  corner[2] = v[i * t.n2 + j1];
  corner[3] = v[i1 * t.n2 + j1];
}

static uint32_t put_cells(GridMaker *maker, FlatTable delay, FlatTable slew)
{
  uint64_t key = (uint64_t)delay.first << 32 | slew.first;
  uint32_t have = map_get(maker->first_of, key), first = maker->cells.len;
  int none = is_nothing(maker->pool, slew);
  if (have != MAP_NO_VALUE) return have;
  for (int i = 0; i < (delay.n1 < 2 ? 1 : delay.n1 - 1); i++)
    for (int j = 0; j < (delay.n2 < 2 ? 1 : delay.n2 - 1); j++) {
      FlatCell c;
      memset(&c, 0, sizeof c);
      put_corners(maker->pool, delay, i, j, c.delay);
      if (!none) put_corners(maker->pool, slew, i, j, c.slew);
      array_push(&maker->cells, c);
    }
  map_put(maker->first_of, key, first);
  return first;
}

GridMaker grid_maker_new(const float *pool)
{
  return (GridMaker){ .pool = pool, .axes_of = map_new(), .first_of = map_new() };
}

void grid_maker_end(GridMaker *maker)
{
  map_free(maker->axes_of);
  map_free(maker->first_of);
}

FlatGrid grid_maker_add(GridMaker *maker, FlatTable delay, FlatTable slew)
{
  FlatGrid r;
  memset(&r, 0, sizeof r);
  if (!fits(maker->pool, delay, slew)) {
    r.n1 = delay.n1 ? FLAT_NO_GRID : 0;
    return r;
  }
  r.axes = put_axes(maker, delay);
  r.n1 = delay.n1;
  r.n2 = delay.n2;
  r.first = put_cells(maker, delay, slew);
  return r;
}

/* Makes room for the axes and cells of more kinds, as much as the largest grids take. */
static void make_room(GridMaker *maker, Flat *f)
{
  f->count.axes = maker->axes.len;
  /* kinds without a grid read the first axes */
  f->count.axes_room = f->count.axes + (f->count.kind_room - f->count.kinds) * CONDITION_COUNT + 1;
  array_resize(&maker->axes, f->count.axes_room);
  memset(maker->axes.at + f->count.axes, 0,
         (f->count.axes_room - f->count.axes) * sizeof *maker->axes.at);
  f->count.cells = maker->cells.len;
  f->count.cell_room =
      f->count.cells
      + (f->count.kind_room - f->count.kinds) * CONDITION_COUNT * (FLAT_AXIS - 1) * (FLAT_AXIS - 1);
  array_resize(&maker->cells, f->count.cell_room);
  memset(maker->cells.at + f->count.cells, 0,
         (f->count.cell_room - f->count.cells) * sizeof *maker->cells.at);
}

static float bend_of(const Flat *f, const FlatKind *kind, int k)
{
  FlatTable d = kind->delay[k], s = kind->slew[k];
  if (d.n1 == 0 || s.n1 == 0) return 0;
  return cs_bend_of(&f->source_levels[kind->thresholds[k]],
                    (TableView){ f->pool + d.first, d.n1, d.n2 },
                    (TableView){ f->pool + s.first, s.n1, s.n2 });
}

static void put_grids_of_kind(Flat *f, GridMaker *maker, uint32_t kind)
{
  FlatGrid *grids = (FlatGrid *)f->grids + (size_t)CONDITION_COUNT * kind;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    grids[k] = grid_maker_add(maker, f->kinds[kind].delay[k], f->kinds[kind].slew[k]);
    grids[k].bend = bend_of(f, &f->kinds[kind], k);
    f->traits.plain_tables |= grids[k].n1 == FLAT_NO_GRID;
  }
}

void flat_grids(Flat *f)
{
  GridMaker g = grid_maker_new(f->pool);
  f->grids = mem_alloc_zero(CONDITION_COUNT * (size_t)f->count.kind_room + 1, sizeof *f->grids);
  for (uint32_t i = 0; i < f->count.kinds; i++) put_grids_of_kind(f, &g, i);
  make_room(&g, f);
  f->axes = g.axes.at;
  f->cells = g.cells.at;
  grid_maker_end(&g);
}

void flat_grids_of_last(Flat *f)
{
  GridMaker g = grid_maker_new(f->pool);
  g.axes.at = (FlatAxes *)f->axes;
  g.axes.len = f->count.axes;
  g.axes.cap = f->count.axes_room;
  g.cells.at = (FlatCell *)f->cells;
  g.cells.len = f->count.cells;
  g.cells.cap = f->count.cell_room;
  put_grids_of_kind(f, &g, f->count.kinds - 1);
  f->count.axes = g.axes.len;
  f->count.cells = g.cells.len;
  grid_maker_end(&g);
}

void flat_grids_free(Flat *f)
{
  mem_free((void *)f->grids);
  mem_free((void *)f->axes);
  mem_free((void *)f->cells);
}
