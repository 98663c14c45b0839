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
  float     by_tau[LANES], least[LANES], lag[LANES], cy[LANES];
  float     dv[LANES], step_lag[LANES], fixed[LANES], weight[LANES];   /* CsStep */
  float     most[LANES], by_change[LANES];                             /* CsEquation */
  float     x[LANES], at_c[LANES];
  float     row_x[LANES], row_y[LANES];                                /* of read_row */
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
    s->row_x[i] = x[i];
    s->row_y[i] = y[i];
    slope[i] = dy[i];
  }
  for (int k = 1; k < l->segments; k++) {
    const float *xk = x + k * LANES, *yk = y + k * LANES, *dyk = dy + k * LANES;
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      int in = load[i] >= xk[i];
      float nx = xk[i], ny = yk[i], ndy = dyk[i];
      s->row_x[i] = in ? nx : s->row_x[i];
      s->row_y[i] = in ? ny : s->row_y[i];
      slope[i] = in ? ndy : slope[i];
    }
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++) value[i] = s->row_y[i] + slope[i] * (load[i] - s->row_x[i]);
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
    PiModel net = { l->c_far[i], l->c_near[i], l->r_pi[i] };
    s->by_tau[i] = 1.0f / cs_tau(net);
    s->least[i] = cs_least_step(s->line.slew[i]);
    s->lag[i] = s->cy[i] = s->c[0][i] = s->time[0][i] = s->step[0][i] = 0;
  }
}

SL_HD CsStep lane_step(const SourceState *s, int i)
{
  CsStep p = { s->dv[i], s->step_lag[i], s->fixed[i], s->weight[i] };
  return p;
}

SL_HD CsEquation lane_equation(const SourceState *s, int i)
{
  CsEquation e = { s->most[i], s->by_change[i] };
  return e;
}

SL_CLONES
static void set_steps(const DriverLanes *l, SourceState *s, int k)
{
  const float *before = s->heights.v[k - 1], *v = s->heights.v[k], *y0 = s->y[k - 1], *y = s->y[k];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    PiModel net = { l->c_far[i], l->c_near[i], l->r_pi[i] };
    CsGap gap = { v[i] - before[i], y[i] - y0[i], y[i] };
    CsStep p = cs_step_of(net, gap, s->lag[i], s->cy[i]);
    s->dv[i] = p.dv;
    s->step_lag[i] = p.lag;
    s->fixed[i] = p.fixed;
    s->weight[i] = p.weight;
  }
}

/* cs_equation_at of every lane. */
SL_CLONES
static void set_equations(SourceState *s, int k)
{
  const float *start = s->g[0], *g = s->g[k], *before = s->time[k - 1];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsEquation e = cs_equation(lane_step(s, i), k > 1 ? g[i] : g[i] - start[i],
                               lane_line(&s->line, i), k, before[i], s->by_tau[i]);
    s->most[i] = e.most;
    s->by_change[i] = e.by_change;
  }
}

SL_CLONES
static void guess(SourceState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    s->x[i] = cs_guess(lane_step(s, i), lane_equation(s, i), s->least[i] * s->by_tau[i]);
}

SL_CLONES
static void newton(SourceState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    s->x[i] = cs_newton(lane_step(s, i), lane_equation(s, i), s->x[i],
                              s->least[i] * s->by_tau[i]);
}

SL_CLONES
static void arrive(SourceState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsStep p = lane_step(s, i);
    float change = cs_change(p, s->x[i]);
    s->at_c[i] = p.fixed + p.weight * (p.dv - change);
    s->lag[i] = p.lag + change;
  }
}

static void seek(const DriverLanes *l, SourceState *s, int k)
{
  set_steps(l, s, k);
  set_equations(s, k);
  guess(s);
  newton(s);
  arrive(s);
}

static void seek_again(const DriverLanes *l, SourceState *s, int k)
{
  float c[LANES];
  memcpy(c, s->at_c, sizeof c);
  read_lines(l, s, c);
  set_equations(s, k);
  newton(s);
  arrive(s);
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
    for (int i = 0; i < cs_look_ups(k); i++) seek_again(l, &s, k);
    if (k == 1) begin_motion(&s);
    settle(&s, k);
  }
  finish(l, &s);
  put_shapes(l, &s);
}

/* --- loads ------------------------------------------------------------------------------------ */
/* The pieces on which the loads cross a threshold: CsPlace by lane. */
#define PIECE(X) X(begin) X(length) X(v) X(first) X(second) X(lag)
typedef struct {
  PIECE(LANES_OF)
  float end_lag[LANES];
} PlaceLanes;

typedef struct {
  Heights    heights;
  float      one[LANES];
  float      part[LANES], tau[LANES], by_tau[LANES], shift[LANES];      /* CsWire */
  PIECE(LANES_OF)                                              /* the piece at hand, and beyond */
  float      chord[LANES], next_chord[LANES], start[LANES], end[LANES];
  float      next_lag[LANES], after[LANES];
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
  CsWire w = { s->part[i], s->tau[i], s->by_tau[i], s->shift[i] };
  return w;
}

SL_CLONES
static void start_loads(const LoadLanes *l, const Steps *d, LoadState *s)
{
  const float *v1 = s->heights.v[1];
  const float *d1 = d->at[1], *d2 = d->at[2], *d3 = d->at[3], *d4 = d->at[4];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsWire w = cs_wire(l->elmore[i], l->impulse_sq[i]);
    s->part[i] = w.part;
    s->tau[i] = w.tau;
    s->by_tau[i] = w.by_tau;
    s->shift[i] = w.shift;
    s->one[i] = 1;
    s->v[i] = s->lag[i] = 0;
    s->begin[i] = cs_begin(d1[i], d2[i], d3[i], d4[i]);
    s->chord[i] = cs_chord_slope(d1[i], 0, v1[i]);
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
  const float *h = d->at[knot], *next = d->at[knot + 1], *here = height(s, knot),
              *after = height(s, knot + 1);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float chord = s->chord[i], next_chord = cs_chord_slope(next[i], here[i], after[i]);
    float end = cs_knot_slope(h[i], chord, next[i], next_chord);
    s->next_chord[i] = next_chord;
    s->end[i] = end;
  }
}

SL_CLONES
static void first_slopes(LoadState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) s->start[i] = cs_first_slope(s->chord[i], s->end[i]);
}

/* Beyond the last level. */
static void level_off(LoadState *s)
{
  memset(s->end, 0, sizeof s->end);
  memset(s->next_chord, 0, sizeof s->next_chord);
}

SL_CLONES
static void next_pieces(LoadState *s, const float *h)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsPiece p = { 0, 0, s->v[i], 0, 0, s->lag[i] };
    CsWire w = lane_wire(s, i);
    p = cs_next_piece(p, w, h[i], s->chord[i], s->start[i], s->end[i]);
    s->length[i] = p.length;
    s->first[i] = p.first;
    s->second[i] = p.second;
  }
}

SL_CLONES
static void look_behind(LoadState *s, const float *to)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsPiece p = { 0, 0, 0, s->first[i], s->second[i], s->lag[i] };
    float lag = cs_lag_at(p, s->length[i]);
    s->next_lag[i] = lag;
    s->after[i] = to[i] - s->part[i] * lag;
  }
}

/* Keeps the piece in lanes that cross the level on it. */
SL_CLONES
static void place(const LoadState *s, PlaceLanes *a, const float *level, int last)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float end_lag = s->next_lag[i];
    int here = (a->length[i] == 0) & (last | (s->after[i] >= level[i]));
#define KEEP(field) float field = s->field[i]; a->field[i] = here ? field : a->field[i];
    PIECE(KEEP)
    a->end_lag[i] = here ? end_lag : a->end_lag[i];
  }
}

SL_CLONES
static void move_on(LoadState *s, const float *h, const float *to)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    s->begin[i] += h[i];
    s->v[i] = to[i];
    s->lag[i] = s->next_lag[i];
    s->start[i] = s->end[i];
    s->chord[i] = s->next_chord[i];
  }
}

SL_HD CsPiece lane_piece(const PlaceLanes *a, int i)
{
  CsPiece p = { a->begin[i], a->length[i], a->v[i], a->first[i], a->second[i], a->lag[i] };
  return p;
}

/* cs_crossing of every lane. */
SL_CLONES
static void cross(LoadState *s, int q)
{
  const PlaceLanes *a = &s->at[q];
  const float *level = s->heights.v[CS_LOW + 2 * q];
  float *t = s->t[q], x[LANES];
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    x[i] = cs_crossing_near(lane_piece(a, i), s->part[i], a->end_lag[i], level[i]);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    x[i] = cs_crossing_step(lane_piece(a, i), s->part[i], level[i], x[i]);
    t[i] = a->begin[i] + s->tau[i] * x[i];
  }
}

/* The same where the waveform has ended. */
SL_CLONES
static void cross_in_tail(LoadState *s, int q)
{
  const PlaceLanes *a = &s->at[q];
  const float *level = s->heights.v[CS_LOW + 2 * q];
  float *t = s->t[q];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float x = cs_crossing_in_tail(lane_piece(a, i), s->part[i], level[i]), before = t[i];
    float late = a->begin[i] + s->tau[i] * x;
    t[i] = cs_is_last(lane_piece(a, i)) ? late : before;
  }
}

/* Have all loads a place? */
SL_CLONES
static int all_found(const PlaceLanes *a)
{
  int all = 1;
  for (int i = 0; i < LANES; i++) all &= a->length[i] > 0;
  return all;
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

/* Goes from piece to piece until all loads have crossed all thresholds.  Returns whether some do so
   behind the waveform's end. */
static int find_places(const Steps *d, LoadState *s)
{
  for (int k = 1; k <= CS_KNOTS; k++) {
    int last = k == CS_KNOTS;
    const float *h = last ? s->one : d->at[k], *to = height(s, k);
    if (k < CS_LEVELS) slopes_at(d, s, k);
    else level_off(s);
    if (k == 1) first_slopes(s);
    next_pieces(s, h);
    look_behind(s, to);
    for (int q = 0; q < 3; q++)
      if (cs_may_cross(k, q)) place(s, &s->at[q], s->heights.v[CS_LOW + 2 * q], last);
    if (k >= CS_HIGH && !last && all_found(&s->at[2])) return 0;
    move_on(s, h, to);
  }
  return 1;
}

void source_loads_solve(LoadLanes *l)
{
  LoadState s;
  Steps d = steps_of(l);
  set_heights(&l->v, &s.heights);
  start_loads(l, &d, &s);
  int in_tail = find_places(&d, &s);
  for (int q = 0; q < 3; q++) cross(&s, q);
  for (int q = 0; q < 3 && in_tail; q++) cross_in_tail(&s, q);
  put_loads(l, &s);
}
