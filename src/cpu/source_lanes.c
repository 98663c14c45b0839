/* The delay model `current_source` in lanes: the steps of driver_levels and cs_load
   (math/current_source.h) with the same bits.  One level after the other is solved for all lanes.
   Loops hold one formula each: GCC does not vectorise longer ones. */
#include "cpu/source_lanes.h"

#include <string.h>

#include "base/clones.h"

/* --- heights of the levels -------------------------------------------------------------------- */
typedef struct { float v[CS_LEVELS][LANES]; } Heights;

SL_CLONES
static void set_heights(const ThresholdLanes *t, Heights *h)
{
  memset(h->v[0], 0, sizeof h->v[0]);
  memcpy(h->v[CS_LOW], t->vl, sizeof t->vl);
  memcpy(h->v[CS_DELAY], t->vth, sizeof t->vth);
  memcpy(h->v[CS_HIGH], t->vh, sizeof t->vh);
  for (int k = 1; k < CS_HIGH; k += 2) {
#pragma omp simd
    for (int i = 0; i < LANES; i++) h->v[k][i] = 0.5f * (h->v[k - 1][i] + h->v[k + 1][i]);
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    h->v[CS_HIGH + 1][i] = 1.0f - 0.5f * (1.0f - t->vh[i]);
    h->v[CS_HIGH + 2][i] = 1.0f - 0.125f * (1.0f - t->vh[i]);
  }
}

/* --- drivers: CsProgress by lane -------------------------------------------------------------- */
#define LINE(X) X(c) X(delay) X(slew) X(delay_slope) X(slew_slope)
typedef struct { LINE(LANES_OF) } LineLanes;

typedef struct {
  Heights   heights;
  float     bend[LANES];
  float     log_rest[CS_LEVELS][LANES], y[CS_LEVELS][LANES], g[CS_LEVELS][LANES];
  LineLanes line;
  float     least[LANES], lag[LANES], cy[LANES], h[LANES];
  float     at_c[LANES], at_lag[LANES];
  float     x[LANES], row_y[LANES];                /* of read_row */
  float     c[CS_LEVELS][LANES], time[CS_LEVELS][LANES], step[CS_KNOTS][LANES];
} SourceState;

SL_HD CsLine lane_line(const LineLanes *l, int i)
{
  CsLine r = { l->c[i], l->delay[i], l->slew[i], l->delay_slope[i], l->slew_slope[i] };
  return r;
}

/* cut_value and cut_slope of every lane at line.c. */
SL_CLONES
static void read_row(const DriverLanes *l, int table, SourceState *s, float *value, float *slope)
{
  const float *x = l->row_x[table], *y = l->row_y[table], *dy = l->row_dy[table];
  const float *load = s->line.c;
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    s->x[i] = x[i];
    s->row_y[i] = y[i];
    slope[i] = dy[i];
  }
  for (int k = 1; k < l->segments; k++) {
    const float *xk = x + k * LANES, *yk = y + k * LANES, *dyk = dy + k * LANES;
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      int in = load[i] >= xk[i];
      float nx = xk[i], ny = yk[i], ndy = dyk[i];
      s->x[i] = in ? nx : s->x[i];
      s->row_y[i] = in ? ny : s->row_y[i];
      slope[i] = in ? ndy : slope[i];
    }
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++) value[i] = s->row_y[i] + slope[i] * (load[i] - s->x[i]);
}

/* cs_line of every lane. */
SL_CLONES
static void read_lines(const DriverLanes *l, SourceState *s, const float *c)
{
  memcpy(s->line.c, c, sizeof s->line.c);
  read_row(l, 0, s, s->line.delay, s->line.delay_slope);
  read_row(l, 1, s, s->line.slew, s->line.slew_slope);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    s->line.slew[i] *= l->v.derate[i];
    s->line.slew_slope[i] *= l->v.derate[i];
  }
}

SL_CLONES
static void set_logs(SourceState *s)
{
  for (int k = 0; k < CS_LEVELS; k++) {
#pragma omp simd
    for (int i = 0; i < LANES; i++) s->log_rest[k][i] = -m_log(1.0f - s->heights.v[k][i]);
  }
}

SL_CLONES
static void set_bends(const DriverLanes *l, SourceState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsLevels levels;
    levels.v[CS_LOW] = s->heights.v[CS_LOW][i];
    levels.v[CS_DELAY] = s->heights.v[CS_DELAY][i];
    levels.v[CS_HIGH] = s->heights.v[CS_HIGH][i];
    levels.log_rest[CS_LOW] = s->log_rest[CS_LOW][i];
    levels.log_rest[CS_DELAY] = s->log_rest[CS_DELAY][i];
    levels.log_rest[CS_HIGH] = s->log_rest[CS_HIGH][i];
    s->bend[i] = cs_bend(&levels, l->table_slope[0][i], l->table_slope[1][i] * l->v.derate[i]);
  }
}

/* cs_shape of every lane. */
SL_CLONES
static void set_shapes(SourceState *s)
{
  for (int k = 0; k < CS_LEVELS; k++) {
    const float *v = s->heights.v[k];
#pragma omp simd
    for (int i = 0; i < LANES; i++)
      s->y[k][i] = v[i] + s->bend[i] * (s->log_rest[k][i] - v[i]);
  }
  for (int k = 0; k < CS_LEVELS; k++) {
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      float scale = 1.0f / (s->y[CS_HIGH][i] - s->y[CS_LOW][i]);
      s->g[k][i] = (s->y[k][i] - s->y[CS_DELAY][i]) * scale;
    }
  }
}

static void start(DriverLanes *l, SourceState *s)
{
  float total[LANES];
  for (int i = 0; i < LANES; i++) total[i] = l->c_far[i] + l->c_near[i];
  set_heights(&l->v, &s->heights);
  set_logs(s);
  set_bends(l, s);
  set_shapes(s);
  read_lines(l, s, total);
  for (int i = 0; i < LANES; i++) {
    s->least[i] = cs_least_step(s->line.slew[i]);
    s->lag[i] = s->cy[i] = s->c[0][i] = s->time[0][i] = s->step[0][i] = 0;
  }
}

SL_HD CsStep lane_step(const DriverLanes *l, const SourceState *s, int k, int i)
{
  PiModel net = { l->c_far[i], l->c_near[i], l->r_pi[i] };
  CsGap gap = { s->heights.v[k][i] - s->heights.v[k - 1][i], s->y[k][i] - s->y[k - 1][i],
                s->y[k][i] };
  CsLine line = lane_line(&s->line, i);
  CsStep e = cs_step_of(net, gap, s->lag[i], s->cy[i]);
  cs_use_line(&e, k > 1 ? s->g[k][i] : s->g[1][i] - s->g[0][i], &line, k, s->time[k - 1][i]);
  return e;
}

SL_CLONES
static void seek(const DriverLanes *l, SourceState *s, int k)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsStep e = lane_step(l, s, k, i);
    s->h[i] = cs_longest(&e, s->least[i]);
  }
  for (int step = 0; step < CS_STEPS; step++) {
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      CsStep e = lane_step(l, s, k, i);
      s->h[i] = cs_newton(&e, s->h[i], s->least[i]);
    }
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsStep e = lane_step(l, s, k, i);
    CsPoint at = cs_at(&e, s->h[i]);
    s->at_c[i] = at.c;
    s->at_lag[i] = at.lag;
  }
}

SL_CLONES
static void seek_again(const DriverLanes *l, SourceState *s, int k)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsStep e = lane_step(l, s, k, i);
    CsPoint at = cs_at(&e, cs_newton(&e, s->h[i], s->least[i]));
    s->at_c[i] = at.c;
    s->at_lag[i] = at.lag;
  }
}

SL_CLONES
static void begin_motion(SourceState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsLine line = lane_line(&s->line, i);
    s->time[0][i] = cs_line_time(&line, s->g[0][i], s->at_c[i]);
  }
}

SL_CLONES
static void settle(SourceState *s, int k)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsLine line = lane_line(&s->line, i);
    float before = s->time[k - 1][i], least = s->least[i];
    float time = cs_line_time(&line, s->g[k][i], s->at_c[i]), step = time - before;
    float soonest = before + least;
    int later = step > least;
    s->time[k][i] = later ? time : soonest;
    s->step[k][i] = later ? step : least;
    s->c[k][i] = s->at_c[i];
    s->lag[i] = s->at_lag[i];
    s->cy[i] = s->at_c[i] * s->y[k][i];
  }
}

SL_CLONES
static void finish(DriverLanes *l, SourceState *s)
{
  int last = CS_LEVELS - 1;
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float dy = s->y[last][i] - s->y[last - 1][i];
    s->step[CS_LEVELS][i] = cs_tail(s->heights.v[last][i], s->bend[i], dy, s->step[last][i]);
    l->delay[i] = s->time[CS_DELAY][i];
    l->slew[i] = (s->time[CS_HIGH][i] - s->time[CS_LOW][i]) / l->v.derate[i];
    l->ceff[i] = s->c[CS_DELAY][i];
  }
}

static void put_shapes(DriverLanes *l, const SourceState *s)
{
  for (int i = 0; i < l->count; i++) {
    DriverShape *d = &l->shape[i];
    d->slew = l->slew[i];
#define PUT_STEP(field, k) d->field = s->step[k][i];
    CS_SHAPE(PUT_STEP)
  }
}

void source_drivers_solve(DriverLanes *l)
{
  SourceState s;
  start(l, &s);
  for (int k = 1; k < CS_LEVELS; k++) {
    seek(l, &s, k);
    if (cs_looks_up(k)) {
      float c[LANES];
      memcpy(c, s.at_c, sizeof c);
      read_lines(l, &s, c);
      seek_again(l, &s, k);
    }
    if (k == 1) begin_motion(&s);
    settle(&s, k);
  }
  finish(l, &s);
  put_shapes(l, &s);
}

/* --- loads ------------------------------------------------------------------------------------ */
/* The pieces on which the loads cross a threshold. */
#define PIECE(X) X(begin) X(h) X(v) X(first) X(second) X(lag)
typedef struct {
  PIECE(LANES_OF)
  float chord[LANES];
  int   last[LANES], found[LANES];
} PlaceLanes;

typedef struct {
  Heights    heights;
  float      one[LANES];
  float      part[LANES], tau[LANES], shift[LANES];             /* CsWire */
  PIECE(LANES_OF)                                              /* the piece at hand, and beyond */
  float      to[LANES], start[LANES], end[LANES], next_lag[LANES];
  PlaceLanes at[3];
  float      t[3][LANES];
} LoadState;

/* A driver's step to each knot. */
typedef struct { const float *at[CS_KNOTS]; } Steps;

static Steps steps_of(const LoadLanes *l)
{
  Steps s = { { NULL } };
#define STEP_LANES(field, k) s.at[k] = l->driver.field;
  CS_SHAPE(STEP_LANES)
  return s;
}

SL_HD CsWire lane_wire(const LoadState *s, int i)
{
  CsWire w = { s->part[i], s->tau[i], s->shift[i] };
  return w;
}

SL_CLONES
static void start_loads(const LoadLanes *l, const Steps *d, LoadState *s)
{
  const float *v1 = s->heights.v[1], *v2 = s->heights.v[2];
  const float *d1 = d->at[1], *d2 = d->at[2], *d3 = d->at[3], *d4 = d->at[4];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsWire w = cs_wire(l->elmore[i], l->impulse_sq[i]);
    s->part[i] = w.part;
    s->tau[i] = w.tau;
    s->shift[i] = w.shift;
    s->one[i] = 1;
    s->v[i] = s->lag[i] = 0;
    s->begin[i] = cs_begin(d1[i], d2[i], d3[i], d4[i]);
    s->start[i] = cs_first_slope(v1[i], d1[i], cs_knot_slope(d1[i], v1[i], d2[i], v2[i] - v1[i]));
  }
  for (int q = 0; q < 3; q++) memset(&s->at[q], 0, sizeof s->at[q]);
}

static const float *height(const LoadState *s, int knot)
{
  return knot < CS_LEVELS ? s->heights.v[knot] : s->one;
}

SL_CLONES
static void slopes_at(const Steps *d, LoadState *s, int knot)
{
  const float *h = d->at[knot], *next = d->at[knot + 1], *before = height(s, knot - 1),
              *here = height(s, knot), *after = height(s, knot + 1);
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    s->end[i] = cs_knot_slope(h[i], here[i] - before[i], next[i], after[i] - here[i]);
}

SL_CLONES
static void next_pieces(LoadState *s, const float *h, const float *to)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsPiece p = { 0, 0, s->v[i], 0, 0, s->lag[i], 0 };
    CsWire w = lane_wire(s, i);
    cs_next_piece(&p, h[i], to[i], s->start[i], s->end[i]);
    s->h[i] = p.h;
    s->to[i] = to[i];
    s->first[i] = p.first;
    s->second[i] = p.second;
    s->next_lag[i] = cs_lag_at(&w, &p, p.h);
  }
}

/* Keeps the piece in lanes that cross the level on it. */
SL_CLONES
static void place(const LoadState *s, PlaceLanes *a, const float *level, int last)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float before = s->v[i] - s->part[i] * s->lag[i], after = s->to[i] - s->part[i] * s->next_lag[i];
    float rise = after - before;
    float chord = s->h[i] * (level[i] - before) / (rise > 1e-9f ? rise : 1e-9f);
    int here = (a->found[i] == 0) & (last | (after >= level[i]));
#define KEEP(field) float field = s->field[i]; a->field[i] = here ? field : a->field[i];
    PIECE(KEEP)
    a->chord[i] = here ? chord : a->chord[i];
    a->last[i] = here ? last : a->last[i];
    a->found[i] |= here;
  }
}

SL_CLONES
static void move_on(LoadState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    s->begin[i] += s->h[i];
    s->v[i] = s->to[i];
    s->lag[i] = s->next_lag[i];
    s->start[i] = s->end[i];
  }
}

SL_HD CsPiece lane_piece(const PlaceLanes *a, int i)
{
  CsPiece p = { a->begin[i], a->h[i], a->v[i], a->first[i], a->second[i], a->lag[i], a->last[i] };
  return p;
}

SL_CLONES
static void cross(LoadState *s, int q)
{
  const PlaceLanes *a = &s->at[q];
  const float *level = s->heights.v[CS_LOW + 2 * q];
  float *t = s->t[q], in_tail[LANES];
#pragma omp simd
  for (int i = 0; i < LANES; i++) t[i] = f_clamp(a->chord[i], 0.0f, a->h[i]);
  for (int step = 0; step < CS_LOAD_STEPS; step++) {
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      CsWire w = lane_wire(s, i);
      CsPiece p = lane_piece(a, i);
      t[i] = cs_crossing_step(&w, &p, level[i], t[i]);
    }
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsWire w = lane_wire(s, i);
    CsPiece p = lane_piece(a, i);
    in_tail[i] = cs_crossing_in_tail(&w, &p, level[i]);
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float x = in_tail[i], y = t[i];
    t[i] = a->begin[i] + (a->last[i] ? x : y);
  }
}

SL_CLONES
static void put_loads(LoadLanes *l, const LoadState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    l->delay[i] = f_max(s->t[1][i] + s->shift[i], 0);
    l->slew[i] = f_max((s->t[2][i] - s->t[0][i]) / l->v.derate[i], 0);
  }
}

void source_loads_solve(LoadLanes *l)
{
  LoadState s;
  Steps d = steps_of(l);
  set_heights(&l->v, &s.heights);
  start_loads(l, &d, &s);
  for (int k = 1; k <= CS_KNOTS; k++) {
    int last = k == CS_KNOTS;
    if (k < CS_LEVELS) slopes_at(&d, &s, k);
    else memset(s.end, 0, sizeof s.end);
    next_pieces(&s, last ? s.one : d.at[k], height(&s, k));
    for (int q = 0; q < 3; q++) place(&s, &s.at[q], s.heights.v[CS_LOW + 2 * q], last);
    move_on(&s);
  }
  for (int q = 0; q < 3; q++) cross(&s, q);
  put_loads(l, &s);
}
