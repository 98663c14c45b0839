/* Computes the waveform of a driver in one lane: driver_solve with the same numbers, for tables
   that form a grid.

   The tables of different lanes are at different addresses, so each load of a lane is a separate
   cache access of any width. So a grid cell of both tables is stored in one place and kept while
   the capacitance stays in its segment, and so is a segment of a ramp table. */
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
SL_HD uint32_t grid_step(const FlatGrid *g) { return g->n2 < 2 ? 1 : g->n2 - 1; }

/* Returns delay and slew. first: the cell of the first row at the position of the second axis. */
SL_HD DelaySlew cells_at(const FlatView *v, uint32_t first, uint32_t step, GridPlace i,
                         float fraction)
{
  FlatCell c = v->f.cells[first + (uint32_t)i.segment * step];
  DelaySlew r;
  r.delay = cell_value(c.delay, i.fraction, fraction);
  r.slew = cell_value(c.slew, i.fraction, fraction);
  return r;
}

/* Returns delay and slew at a position of the second axis. */
SL_HD DelaySlew grid_at(const FlatView *v, const FlatGrid *g, const FlatAxes *axes, float x1,
                        GridPlace j)
{
  return cells_at(v, g->first + (uint32_t)j.segment, grid_step(g), grid_place(axes->of1, g->n1, x1),
                  j.fraction);
}

/* --- a grid cut at an input slew: cut_value for two tables at once ---------------------------- */
typedef struct {
  float     axis[FLAT_AXIS];
  uint32_t  n, row, first;         /* number of points; first cell of the row, and of the grid */
  float     fraction;
  float     from, to;              /* where the present segment applies: straight lines from x on */
  float     x;
  DelaySlew y, slope;
} GridCut;

SL_HD GridCut grid_cut(const FlatGrid *g, const FlatAxes *axes, float input)
{
  GridCut c;
  GridPlace p = grid_place(axes->of1, g->n1, input);
  for (int k = 0; k < FLAT_AXIS; k++) c.axis[k] = axes->of2[k];
  c.n = g->n2;
  c.first = g->first;
  c.row = g->first + (uint32_t)p.segment * grid_step(g);
  c.fraction = p.fraction;
  c.from = 1.0f;                   /* none */
  c.to = 0.0f;
  c.x = 0;
  c.y.delay = c.y.slew = c.slope.delay = c.slope.slew = 0;
  return c;
}

SL_HD void grid_segment(const FlatView *v, GridCut *c, float load)
{
  float low = c->axis[0], high = c->axis[1];
  uint32_t segment = 0;
  c->from = -TABLE_ROW_END;
  c->to = c->n > 2 ? c->axis[1] : TABLE_ROW_END;
  for (uint32_t k = 1; k < FLAT_AXIS - 1; k++) {
    int in = k + 1 < c->n && load >= c->axis[k];
    low = in ? c->axis[k] : low;
    high = in ? c->axis[k + 1] : high;
    c->from = in ? c->axis[k] : c->from;
    c->to = in ? (k + 2 < c->n ? c->axis[k + 1] : TABLE_ROW_END) : c->to;
    segment = in ? k : segment;
  }
  FlatCell cell = v->f.cells[c->row + segment];
  c->y.delay = lerp(cell.delay[0], cell.delay[1], c->fraction);
  c->y.slew = lerp(cell.slew[0], cell.slew[1], c->fraction);
  float delay = lerp(cell.delay[2], cell.delay[3], c->fraction),
        slew = lerp(cell.slew[2], cell.slew[3], c->fraction);
  int one = c->n < 2;
  c->x = one ? 0 : low;
  c->slope.delay = one ? 0 : (delay - c->y.delay) / (high - low);
  c->slope.slew = one ? 0 : (slew - c->y.slew) / (high - low);
}

SL_HD DelaySlew grid_cut_value(const FlatView *v, GridCut *c, float load)
{
  DelaySlew r;
  if (!(load >= c->from && load < c->to)) grid_segment(v, c, load);
  r.delay = c->y.delay + c->slope.delay * (load - c->x);
  r.slew = c->y.slew + c->slope.slew * (load - c->x);
  return r;
}

/* --- grid_solve: driver_solve for tables that are a grid -------------------------------------- */
typedef struct {
  const FlatView *v;
  GridCut cut;
  FlatThresholds t;
} GridTables;

SL_HD DelaySlew grid_tables_at(GridTables *g, float cap)
{
  return grid_cut_value(g->v, &g->cut, cap);
}

SL_HD Ramp grid_ramp(const GridTables *g, Thresholds v, float rd, float ceff, DelaySlew at)
{
  RampPlace p = ramp_place(g->t.ramp_least, v, rd, ceff, at.slew);
  FlatRampSegment r = g->v->f.ramp_segments[g->t.ramp_segment + (uint32_t)p.segment];
  return ramp_between(&p, at.delay, r.u, r.u_next, r.s, r.s_next);
}

/* Returns the shape of the driver from the last cell of the tables' first row. */
SL_HD float grid_bend(const GridTables *g, const CsLevels *levels)
{
  const GridCut *c = &g->cut;
  if (c->n < 2) return cs_bend(levels, 0, 0);
  float low = c->axis[0], high = c->axis[1];
  for (uint32_t k = 2; k < FLAT_AXIS; k++) {
    low = k < c->n ? c->axis[k - 1] : low;
    high = k < c->n ? c->axis[k] : high;
  }
  FlatCell last = g->v->f.cells[c->first + c->n - 2];
  float delay = (last.delay[2] - last.delay[0]) / (high - low),
        slew = (last.slew[2] - last.slew[0]) / (high - low);
  return cs_bend(levels, delay, slew * levels->derate);
}

#define SOLVE_PART(name) grid_##name
#define SOLVE_TABLES     GridTables
#define SOLVE_AT         grid_tables_at
#define SOLVE_RAMP       grid_ramp
#define SOLVE_BEND       grid_bend
#include "math/driver_solve.h"

#endif
