/* The delay model `current_source` in lanes: the steps of driver_levels and cs_load
   (math/current_source.h) with the same bits.  One level after the other is solved for all lanes.
   Loops hold one formula each: GCC does not vectorise longer ones. */
#include "cpu/source_lanes.h"

#include <string.h>

#include "base/clones.h"

/* --- heights of the levels -------------------------------------------------------------------- */
typedef struct { float v[CS_LEVELS][LANES], derate[LANES]; } Heights;

SL_CLONES
static void set_heights(const ThresholdLanes *t, Heights *h)
{
  memset(h->v[0], 0, sizeof h->v[0]);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    Thresholds v = cs_thresholds(lanes_thresholds(t, i));
    h->v[CS_LOW][i] = v.vl;
    h->v[CS_DELAY][i] = v.vth;
    h->v[CS_HIGH][i] = v.vh;
    h->v[CS_HIGH + 1][i] = 1.0f - 0.5f * (1.0f - v.vh);
    h->v[CS_HIGH + 2][i] = 1.0f - 0.125f * (1.0f - v.vh);
    h->derate[i] = v.derate;
  }
  for (int k = 1; k < CS_HIGH; k += 2) {
#pragma omp simd
    for (int i = 0; i < LANES; i++) h->v[k][i] = 0.5f * (h->v[k - 1][i] + h->v[k + 1][i]);
  }
}

/* --- drivers: CsProgress by lane -------------------------------------------------------------- */
typedef struct { float at[LANES], slope[LANES], bend[LANES]; } CurveLanes;
typedef struct { float delay[LANES], slew[LANES]; } ReadingLanes;

typedef struct {
  Heights    heights;
  float      bend[LANES];
  float      log_rest[CS_LEVELS][LANES], y[CS_LEVELS][LANES], g[CS_LEVELS][LANES];
  CurveLanes delay, slew, time_curve;
  float      tau[LANES], by_tau[LANES], least[LANES];
  float      time[LANES], u[LANES], lag[LANES];
  float      dv[LANES], step_lag[LANES], fixed[LANES], weight[LANES];   /* CsStep */
  float      x[LANES];
  float      row_x[LANES], row_y[LANES], row_dy[LANES];                 /* of read_row */
  float      c[CS_LEVELS][LANES], step[CS_KNOTS][LANES];
} SourceState;

/* cut_value of every lane. */
SL_CLONES
static void read_row(const DriverLanes *l, int table, SourceState *s, const float *load,
                     float *value)
{
  const float *x = l->row_x[table], *y = l->row_y[table], *dy = l->row_dy[table];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    s->row_x[i] = x[i];
    s->row_y[i] = y[i];
    s->row_dy[i] = dy[i];
  }
  for (int k = 1; k < l->segments; k++) {
    const float *xk = x + k * LANES, *yk = y + k * LANES, *dyk = dy + k * LANES;
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      int in = load[i] >= xk[i];
      float nx = xk[i], ny = yk[i], ndy = dyk[i];
      s->row_x[i] = in ? nx : s->row_x[i];
      s->row_y[i] = in ? ny : s->row_y[i];
      s->row_dy[i] = in ? ndy : s->row_dy[i];
    }
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    value[i] = s->row_y[i] + s->row_dy[i] * (load[i] - s->row_x[i]);
}

/* Both tables of every lane, slews measured. */
SL_CLONES
static void read_tables(const DriverLanes *l, SourceState *s, const float *load, ReadingLanes *r)
{
  read_row(l, 0, s, load, r->delay);
  read_row(l, 1, s, load, r->slew);
#pragma omp simd
  for (int i = 0; i < LANES; i++) r->slew[i] *= s->heights.derate[i];
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
    float slew_slope = l->table_slope[1][i] * s->heights.derate[i];
    s->bend[i] = cs_bend(&levels, l->table_slope[0][i], slew_slope);
  }
}

/* cs_shape of every lane. */
SL_CLONES
static void set_shapes(SourceState *s)
{
  float scale[LANES];
  for (int k = 0; k < CS_LEVELS; k++) {
    const float *v = s->heights.v[k];
#pragma omp simd
    for (int i = 0; i < LANES; i++)
      s->y[k][i] = v[i] + s->bend[i] * (s->log_rest[k][i] - v[i]);
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++) scale[i] = 1.0f / (s->y[CS_HIGH][i] - s->y[CS_LOW][i]);
  for (int k = 0; k < CS_LEVELS; k++) {
#pragma omp simd
    for (int i = 0; i < LANES; i++)
      s->g[k][i] = (s->y[k][i] - s->y[CS_DELAY][i]) * scale[i];
  }
}

SL_CLONES
static void set_curves(CurveLanes *c, const float *near, const float *middle, const float *total,
                       const float *u)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float by = 1.0f / (u[i] * (1.0f - u[i]));
    CsCurve r = cs_curve(near[i], middle[i], total[i], u[i], by);
    c->at[i] = r.at;
    c->slope[i] = r.slope;
    c->bend[i] = r.bend;
  }
}

/* Where the tables are read for their parabolas. */
SL_CLONES
static void set_middle(const DriverLanes *l, SourceState *s, const ReadingLanes *total, float *u,
                       float *load)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    PiModel net = { l->c_far[i], l->c_near[i], l->r_pi[i] };
    DelaySlew all = { total->delay[i], total->slew[i] };
    s->tau[i] = cs_tau(net, all);
    s->by_tau[i] = 1.0f / s->tau[i];
    s->least[i] = cs_least_step(total->slew[i]);
    u[i] = cs_middle(-s->g[0][i] * total->slew[i], s->by_tau[i]);
    load[i] = net.c_near + u[i] * net.c_far;
  }
}

static void start(const DriverLanes *l, SourceState *s)
{
  float load[LANES], u[LANES];
  ReadingLanes near, middle, total;
  set_heights(&l->v, &s->heights);
  set_logs(s);
  set_bends(l, s);
  set_shapes(s);
  for (int i = 0; i < LANES; i++) load[i] = l->c_far[i] + l->c_near[i];
  read_tables(l, s, load, &total);
  read_tables(l, s, l->c_near, &near);
  set_middle(l, s, &total, u, load);
  read_tables(l, s, load, &middle);
  set_curves(&s->delay, near.delay, middle.delay, total.delay, u);
  set_curves(&s->slew, near.slew, middle.slew, total.slew, u);
  for (int i = 0; i < LANES; i++)
    s->time[i] = s->u[i] = s->lag[i] = s->c[0][i] = s->step[0][i] = 0;
}

SL_HD CsCurve lane_curve(const CurveLanes *c, int i)
{
  CsCurve r = { c->at[i], c->slope[i], c->bend[i] };
  return r;
}

SL_HD CsStep lane_step(const SourceState *s, int i)
{
  CsStep p = { s->dv[i], s->step_lag[i], s->fixed[i], s->weight[i] };
  return p;
}

SL_CLONES
static void set_steps(SourceState *s, int k)
{
  const float *before = s->heights.v[k - 1], *v = s->heights.v[k], *y0 = s->y[k - 1], *y = s->y[k];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsGap gap = { v[i] - before[i], y0[i], y[i] };
    CsStep p = cs_step_of(gap, s->lag[i], s->u[i]);
    s->dv[i] = p.dv;
    s->step_lag[i] = p.lag;
    s->fixed[i] = p.fixed;
    s->weight[i] = p.weight;
  }
}

SL_CLONES
static void set_time_curves(SourceState *s, int k)
{
  const float *start = s->g[0], *g = s->g[k];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float since = k > 1 ? g[i] : g[i] - start[i];
    CsCurve c = cs_time_curve(lane_curve(&s->delay, i), lane_curve(&s->slew, i), since, k,
                              s->time[i], s->by_tau[i]);
    s->time_curve.at[i] = c.at;
    s->time_curve.slope[i] = c.slope;
    s->time_curve.bend[i] = c.bend;
  }
}

SL_CLONES
static void guess(SourceState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    s->x[i] = cs_guess(lane_step(s, i), lane_curve(&s->time_curve, i), s->u[i],
                       s->least[i] * s->by_tau[i]);
}

SL_CLONES
static void arrive(SourceState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsArrival a = cs_arrive(lane_step(s, i), lane_curve(&s->time_curve, i), s->x[i],
                            s->least[i] * s->by_tau[i]);
    s->x[i] = a.x;
    s->u[i] = a.u;
    s->lag[i] = a.lag;
  }
}

/* The time of the first level is that of its capacitance. */
SL_CLONES
static void set_first_times(SourceState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    s->time[i] = cs_curve_value(lane_curve(&s->delay, i), s->u[i])
      + s->g[1][i] * cs_curve_value(lane_curve(&s->slew, i), s->u[i]);
}

SL_CLONES
static void settle(const DriverLanes *l, SourceState *s, int k)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float step = s->x[i] * s->tau[i];
    s->step[k][i] = step;
    s->c[k][i] = l->c_near[i] + s->u[i] * l->c_far[i];
    s->time[i] += step;
  }
  if (k == 1) set_first_times(s);
}

static void advance(const DriverLanes *l, SourceState *s, int k)
{
  set_steps(s, k);
  set_time_curves(s, k);
  guess(s);
  arrive(s);
  settle(l, s, k);
}

SL_CLONES
static void set_tails(SourceState *s)
{
  int last = CS_LEVELS - 1;
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float dy = s->y[last][i] - s->y[last - 1][i];
    s->step[CS_LEVELS][i] = cs_tail(s->heights.v[last][i], s->bend[i], dy, s->step[last][i]);
  }
}

SL_CLONES
static void stretch(SourceState *s, int low, const float *time)
{
  float *a = s->step[low + 1], *b = s->step[low + 2];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float by = time[i] / (a[i] + b[i]);
    a[i] *= by;
    b[i] *= by;
  }
}

SL_CLONES
static void put_drivers(DriverLanes *l, const SourceState *s, const ReadingLanes *delay,
                        const float *before, const float *behind)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    l->delay[i] = delay->delay[i];
    l->slew[i] = (before[i] + behind[i]) / s->heights.derate[i];
    l->ceff[i] = s->c[CS_DELAY][i];
  }
}

/* driver_thresholds of every lane. */
SL_CLONES
static void read_thresholds(DriverLanes *l, SourceState *s)
{
  ReadingLanes low, delay, high;
  float before[LANES], behind[LANES];
  read_tables(l, s, s->c[CS_LOW], &low);
  read_tables(l, s, s->c[CS_DELAY], &delay);
  read_tables(l, s, s->c[CS_HIGH], &high);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    DelaySlew a = { low.delay[i], low.slew[i] }, d = { delay.delay[i], delay.slew[i] },
              h = { high.delay[i], high.slew[i] };
    before[i] = cs_low_to_delay(a, d, s->g[CS_LOW][i], s->least[i]);
    behind[i] = cs_delay_to_high(d, h, s->g[CS_HIGH][i], s->least[i]);
  }
  stretch(s, CS_LOW, before);
  stretch(s, CS_DELAY, behind);
  put_drivers(l, s, &delay, before, behind);
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
  for (int k = 1; k < CS_LEVELS; k++) advance(l, &s, k);
  set_tails(&s);
  read_thresholds(l, &s);
  put_shapes(l, &s);
}

/* --- loads ------------------------------------------------------------------------------------ */
/* The pieces on which the loads cross a threshold, and when they begin. The length is 0 until one
   is found. */
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
  float      by_h[LANES], by_next[LANES];
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
    s->by_h[i] = 1.0f / d1[i];
    s->chord[i] = cs_chord_slope(s->by_h[i], 0, v1[i]);
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
    float by_next = 1.0f / next[i], chord = s->chord[i];
    float next_chord = cs_chord_slope(by_next, here[i], after[i]);
    float end = cs_knot_slope(h[i], chord, next[i], next_chord);
    s->by_next[i] = by_next;
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
  memcpy(s->by_next, s->one, sizeof s->by_next);
}

SL_CLONES
static void next_pieces(LoadState *s, const float *h)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsEnds slope = { s->start[i], s->end[i] };
    CsBow bow = cs_bow(s->by_h[i], s->chord[i], slope);
    CsLoadPiece p = cs_load_piece(h[i], s->v[i], bow, lane_wire(s, i), s->lag[i]);
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
    CsLoadPiece p = { 0, 0, s->first[i], s->second[i], s->lag[i] };
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
    s->by_h[i] = s->by_next[i];
  }
}

SL_HD CsLoadPiece lane_piece(const PlaceLanes *a, int i)
{
  CsLoadPiece p = { a->length[i], a->v[i], a->first[i], a->second[i], a->lag[i] };
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
    float x = cs_crossing_in_tail(a->lag[i], s->part[i], level[i]), before = t[i];
    float late = a->begin[i] + s->tau[i] * x;
    t[i] = a->v[i] == 1 ? late : before;
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
    l->slew[i] = f_max((s->t[2][i] - s->t[0][i]) / s->heights.derate[i], 0);
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
