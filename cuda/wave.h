/* Computes the waveform of a driver in one lane: driver_solve with the same numbers, for tables
   that form a grid.

   The tables of different lanes are at different addresses, so each read of a lane is a cache
   access of its own, however wide it is. So a grid cell of both tables is stored in one place
   and kept while the capacitance stays in its segment, and so is a segment of a ramp table. */
#ifndef SL_CUDA_WAVE_H
#define SL_CUDA_WAVE_H

#include "cuda/kernel.h"

/* --- grids: table_value for two tables at once ------------------------------------------------ */
typedef struct {
  int   segment;
  float fraction;
} GridPlace;

SL_HD GridPlace grid_place(const float *axis, uint32_t n, float x)
{
  GridPlace p;
  float low = axis[0], high = axis[1];
  p.segment = 0;
  for (uint32_t k = 1; k < FLAT_AXIS - 1; k++) {
    int in = k + 1 < n && x >= axis[k];
    low = in ? axis[k] : low;
    high = in ? axis[k + 1] : high;
    p.segment = in ? (int)k : p.segment;
  }
  p.fraction = n < 2 ? 0.0f : (x - low) / (high - low);
  return p;
}

SL_HD float cell_value(const float *corner, float f1, float f2)
{
  return lerp(lerp(corner[0], corner[1], f1), lerp(corner[2], corner[3], f1), f2);
}

/* Returns the number of cells of a row. */
SL_HD uint32_t grid_step(const FlatGrid *grid) { return grid->n2 < 2 ? 1 : grid->n2 - 1; }

/* Returns delay and slew. first: the cell of the first row at the position of the second axis. */
SL_HD DelaySlew cells_at(const FlatView *view, uint32_t first, uint32_t step, GridPlace i,
                         float fraction)
{
  FlatCell c = view->f.cells[first + (uint32_t)i.segment * step];
  DelaySlew r;
  r.delay = cell_value(c.delay, i.fraction, fraction);
  r.slew = cell_value(c.slew, i.fraction, fraction);
  return r;
}

/* Returns delay and slew at a position of the second axis. */
SL_HD DelaySlew grid_at(const FlatView *view, const FlatGrid *grid, const FlatAxes *axes, float x1,
                        GridPlace j)
{
  return cells_at(view, grid->first + (uint32_t)j.segment, grid_step(grid),
                  grid_place(axes->of1, grid->n1, x1), j.fraction);
}

/* --- a grid cut at an input slew: cut_value for two tables at once ---------------------------- */
typedef struct {
  const float *axis;
  uint32_t  n, row;                /* number of points; first cell of the row */
  float     fraction;
  float     from, to;              /* where the present segment applies: straight lines from x on */
  float     x;
  DelaySlew y, slope;
} GridCut;

SL_HD GridCut grid_cut(const FlatView *view, const FlatGrid *grid, float input)
{
  GridCut c;
  const FlatAxes *axes = &view->f.axes[grid->axes];
  GridPlace p = grid_place(axes->of1, grid->n1, input);
  c.axis = axes->of2;
  c.n = grid->n2;
  c.row = grid->first + (uint32_t)p.segment * grid_step(grid);
  c.fraction = p.fraction;
  c.from = 1.0f;                   /* none */
  c.to = 0.0f;
  c.x = 0;
  c.y.delay = c.y.slew = c.slope.delay = c.slope.slew = 0;
  return c;
}

/* The axis is read again, so that it takes no registers. Its points rise. */
SL_HD void grid_segment(const FlatView *view, GridCut *cut, float load)
{
  uint32_t segment = 0;
  for (uint32_t k = 1; k < FLAT_AXIS - 1; k++) segment += k + 1 < cut->n && load >= cut->axis[k];
  float low = cut->axis[segment], high = cut->axis[segment + 1];
  FlatCell cell = view->f.cells[cut->row + segment];
  cut->from = segment ? low : -TABLE_ROW_END;
  cut->to = segment + 2 < cut->n ? high : TABLE_ROW_END;
  cut->y.delay = lerp(cell.delay[0], cell.delay[1], cut->fraction);
  cut->y.slew = lerp(cell.slew[0], cell.slew[1], cut->fraction);
  float delay = lerp(cell.delay[2], cell.delay[3], cut->fraction),
        slew = lerp(cell.slew[2], cell.slew[3], cut->fraction);
  int one = cut->n < 2;
  cut->x = one ? 0 : low;
  cut->slope.delay = one ? 0 : (delay - cut->y.delay) / (high - low);
  cut->slope.slew = one ? 0 : (slew - cut->y.slew) / (high - low);
}

SL_HD DelaySlew grid_cut_value(const FlatView *view, GridCut *cut, float load)
{
  DelaySlew r;
  if (!(load >= cut->from && load < cut->to)) grid_segment(view, cut, load);
  r.delay = cut->y.delay + cut->slope.delay * (load - cut->x);
  r.slew = cut->y.slew + cut->slope.slew * (load - cut->x);
  return r;
}

/* --- grid_solve: driver_solve for tables that are a grid -------------------------------------- */
typedef struct {
  const FlatView *view;
  GridCut cut;
  FlatThresholds t;
  const CsLevels *levels;
  float bend;
} GridTables;

SL_HD DelaySlew grid_tables_at(GridTables *tables, float cap)
{
  return grid_cut_value(tables->view, &tables->cut, cap);
}

SL_HD Ramp grid_ramp(const GridTables *tables, Thresholds v, float rd, float ceff, DelaySlew at)
{
  RampPlace p = ramp_place(tables->t.ramp_least, v, rd, ceff, at.slew);
  FlatRampSegment r = tables->view->f.ramp_segments[tables->t.ramp_segment + (uint32_t)p.segment];
  return ramp_between(&p, at.delay, r.u, r.u_next, r.s, r.s_next);
}

#define SOLVE_PART(name) grid_##name
#define SOLVE_TABLES     GridTables
#define SOLVE_AT         grid_tables_at
#define SOLVE_RAMP       grid_ramp
#define SOLVE_BEND(tables, levels)   ((tables)->bend)
#define SOLVE_LEVELS(tables, v, own) ((void)(v), (void)(own), (tables)->levels)
#include "math/driver_solve.h"

#endif
