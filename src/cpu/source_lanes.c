/* The delay model `current_source` in lanes: the steps of driver_levels and cs_load
   (math/current_source.h) with the same bits.  One level after the other is solved for all lanes.
   Loops hold one formula each: GCC does not vectorise longer ones. */
#include "cpu/source_lanes.h"

#include <string.h>

#include "base/clones.h"

/* --- heights of the levels -------------------------------------------------------------------- */
typedef struct { float v[CS_LEVELS][LANES], derate[LANES]; } Heights;

SL_CLONES
static void set_heights(const ThresholdLanes *lanes, Heights *heights)
{
  memset(heights->v[0], 0, sizeof heights->v[0]);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    Thresholds v = cs_thresholds(lanes_thresholds(lanes, i));
    heights->v[CS_LOW][i] = v.vl;
    heights->v[CS_DELAY][i] = v.vth;
    heights->v[CS_HIGH][i] = v.vh;
    heights->v[CS_HIGH + 1][i] = 1.0f - 0.5f * (1.0f - v.vh);
    heights->v[CS_HIGH + 2][i] = 1.0f - 0.125f * (1.0f - v.vh);
    heights->derate[i] = v.derate;
  }
  for (int k = 1; k < CS_HIGH; k += 2) {
#pragma omp simd
    for (int i = 0; i < LANES; i++)
      heights->v[k][i] = 0.5f * (heights->v[k - 1][i] + heights->v[k + 1][i]);
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
static void read_row(const DriverLanes *lanes, int table, SourceState *state, const float *load,
                     float *value)
{
  const float *x = lanes->row_x[table], *y = lanes->row_y[table], *dy = lanes->row_dy[table];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    state->row_x[i] = x[i];
    state->row_y[i] = y[i];
    state->row_dy[i] = dy[i];
  }
  for (int k = 1; k < lanes->segments; k++) {
    const float *xk = x + k * LANES, *yk = y + k * LANES, *dyk = dy + k * LANES;
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      int in = load[i] >= xk[i];
      float nx = xk[i], ny = yk[i], ndy = dyk[i];
      state->row_x[i] = in ? nx : state->row_x[i];
      state->row_y[i] = in ? ny : state->row_y[i];
      state->row_dy[i] = in ? ndy : state->row_dy[i];
    }
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    value[i] = state->row_y[i] + state->row_dy[i] * (load[i] - state->row_x[i]);
}

/* Both tables of every lane, slews measured. */
SL_CLONES
static void read_tables(const DriverLanes *lanes, SourceState *state, const float *load,
                        ReadingLanes *reading_lanes)
{
  read_row(lanes, 0, state, load, reading_lanes->delay);
  read_row(lanes, 1, state, load, reading_lanes->slew);
#pragma omp simd
  for (int i = 0; i < LANES; i++) reading_lanes->slew[i] *= state->heights.derate[i];
}

SL_CLONES
static void set_logs(SourceState *state)
{
  for (int k = 0; k < CS_LEVELS; k++) {
#pragma omp simd
    for (int i = 0; i < LANES; i++) state->log_rest[k][i] = -m_log(1.0f - state->heights.v[k][i]);
  }
}

SL_CLONES
static void set_bends(const DriverLanes *lanes, SourceState *state)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsLevels levels;
    levels.v[CS_LOW] = state->heights.v[CS_LOW][i];
    levels.v[CS_DELAY] = state->heights.v[CS_DELAY][i];
    levels.v[CS_HIGH] = state->heights.v[CS_HIGH][i];
    levels.log_rest[CS_LOW] = state->log_rest[CS_LOW][i];
    levels.log_rest[CS_DELAY] = state->log_rest[CS_DELAY][i];
    levels.log_rest[CS_HIGH] = state->log_rest[CS_HIGH][i];
    float slew_slope = lanes->table_slope[1][i] * state->heights.derate[i];
    state->bend[i] = cs_bend(&levels, lanes->table_slope[0][i], slew_slope);
  }
}

/* cs_shape of every lane. */
SL_CLONES
static void set_shapes(SourceState *state)
{
  float scale[LANES];
  for (int k = 0; k < CS_LEVELS; k++) {
    const float *v = state->heights.v[k];
#pragma omp simd
    for (int i = 0; i < LANES; i++)
      state->y[k][i] = v[i] + state->bend[i] * (state->log_rest[k][i] - v[i]);
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++) scale[i] = 1.0f / (state->y[CS_HIGH][i] - state->y[CS_LOW][i]);
  for (int k = 0; k < CS_LEVELS; k++) {
#pragma omp simd
    for (int i = 0; i < LANES; i++)
      state->g[k][i] = (state->y[k][i] - state->y[CS_DELAY][i]) * scale[i];
  }
}

SL_CLONES
static void set_curves(CurveLanes *lanes, const float *near, const float *middle,
                       const float *total, const float *u)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float by = 1.0f / (u[i] * (1.0f - u[i]));
    CsCurve r = cs_curve(near[i], middle[i], total[i], u[i], by);
    lanes->at[i] = r.at;
    lanes->slope[i] = r.slope;
    lanes->bend[i] = r.bend;
  }
}

/* Where the tables are read for their parabolas. */
SL_CLONES
static void set_middle(const DriverLanes *lanes, SourceState *state, const ReadingLanes *total,
                       float *u, float *load)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    PiModel net = { lanes->c_far[i], lanes->c_near[i], lanes->r_pi[i] };
    DelaySlew all = { total->delay[i], total->slew[i] };
    state->tau[i] = cs_tau(net, all);
    state->by_tau[i] = 1.0f / state->tau[i];
    state->least[i] = cs_least_step(total->slew[i]);
    u[i] = cs_middle(-state->g[0][i] * total->slew[i], state->by_tau[i]);
    load[i] = net.c_near + u[i] * net.c_far;
  }
}

static void start(const DriverLanes *lanes, SourceState *state)
{
  float load[LANES], u[LANES];
  ReadingLanes near, middle, total;
  set_heights(&lanes->v, &state->heights);
  set_logs(state);
  set_bends(lanes, state);
  set_shapes(state);
  for (int i = 0; i < LANES; i++) load[i] = lanes->c_far[i] + lanes->c_near[i];
  read_tables(lanes, state, load, &total);
  read_tables(lanes, state, lanes->c_near, &near);
  set_middle(lanes, state, &total, u, load);
  read_tables(lanes, state, load, &middle);
  set_curves(&state->delay, near.delay, middle.delay, total.delay, u);
  set_curves(&state->slew, near.slew, middle.slew, total.slew, u);
  for (int i = 0; i < LANES; i++)
    state->time[i] = state->u[i] = state->lag[i] = state->c[0][i] = state->step[0][i] = 0;
}

SL_HD CsCurve lane_curve(const CurveLanes *lanes, int i)
{
  CsCurve r = { lanes->at[i], lanes->slope[i], lanes->bend[i] };
  return r;
}

SL_HD CsStep lane_step(const SourceState *state, int i)
{
  CsStep p = { state->dv[i], state->step_lag[i], state->fixed[i], state->weight[i] };
  return p;
}

SL_CLONES
static void set_steps(SourceState *state, int k)
{
  const float *before = state->heights.v[k - 1], *v = state->heights.v[k], *y0 = state->y[k - 1],
              *y = state->y[k];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsGap gap = { v[i] - before[i], y0[i], y[i] };
    CsStep p = cs_step_of(gap, state->lag[i], state->u[i]);
    state->dv[i] = p.dv;
    state->step_lag[i] = p.lag;
    state->fixed[i] = p.fixed;
    state->weight[i] = p.weight;
  }
}

SL_CLONES
static void set_time_curves(SourceState *state, int k)
{
  const float *start = state->g[0], *g = state->g[k];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float since = k > 1 ? g[i] : g[i] - start[i];
    CsCurve c = cs_time_curve(lane_curve(&state->delay, i), lane_curve(&state->slew, i), since, k,
                              state->time[i], state->by_tau[i]);
    state->time_curve.at[i] = c.at;
    state->time_curve.slope[i] = c.slope;
    state->time_curve.bend[i] = c.bend;
  }
}

SL_CLONES
static void guess(SourceState *state)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    state->x[i] = cs_guess(lane_step(state, i), lane_curve(&state->time_curve, i), state->u[i],
                           state->least[i] * state->by_tau[i]);
}

SL_CLONES
static void arrive(SourceState *state)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsArrival a = cs_arrive(lane_step(state, i), lane_curve(&state->time_curve, i), state->x[i],
                            state->least[i] * state->by_tau[i]);
    state->x[i] = a.x;
    state->u[i] = a.u;
    state->lag[i] = a.lag;
  }
}

/* The time of the first level is that of its capacitance. */
SL_CLONES
static void set_first_times(SourceState *state)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    state->time[i] = cs_curve_value(lane_curve(&state->delay, i), state->u[i])
                     + state->g[1][i] * cs_curve_value(lane_curve(&state->slew, i), state->u[i]);
}

SL_CLONES
static void settle(const DriverLanes *lanes, SourceState *state, int k)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float step = state->x[i] * state->tau[i];
    state->step[k][i] = step;
    state->c[k][i] = lanes->c_near[i] + state->u[i] * lanes->c_far[i];
    state->time[i] += step;
  }
  if (k == 1) set_first_times(state);
}

static void advance(const DriverLanes *lanes, SourceState *state, int k)
{
  set_steps(state, k);
  set_time_curves(state, k);
  guess(state);
  arrive(state);
  settle(lanes, state, k);
}

SL_CLONES
static void set_tails(SourceState *state)
{
  int last = CS_LEVELS - 1;
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float dy = state->y[last][i] - state->y[last - 1][i];
    state->step[CS_LEVELS][i] =
        cs_tail(state->heights.v[last][i], state->bend[i], dy, state->step[last][i]);
  }
}

SL_CLONES
static void stretch(SourceState *state, int low, const float *time)
{
  float *a = state->step[low + 1], *b = state->step[low + 2];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float by = time[i] / (a[i] + b[i]);
    a[i] *= by;
    b[i] *= by;
  }
}

SL_CLONES
static void put_drivers(DriverLanes *lanes, const SourceState *state, const ReadingLanes *delay,
                        const float *before, const float *behind)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    lanes->delay[i] = delay->delay[i];
    lanes->slew[i] = (before[i] + behind[i]) / state->heights.derate[i];
    lanes->ceff[i] = state->c[CS_DELAY][i];
  }
}

/* driver_thresholds of every lane. */
SL_CLONES
static void read_thresholds(DriverLanes *lanes, SourceState *state)
{
  ReadingLanes low, delay, high;
  float before[LANES], behind[LANES];
  read_tables(lanes, state, state->c[CS_LOW], &low);
  read_tables(lanes, state, state->c[CS_DELAY], &delay);
  read_tables(lanes, state, state->c[CS_HIGH], &high);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    DelaySlew a = { low.delay[i], low.slew[i] }, d = { delay.delay[i], delay.slew[i] },
              h = { high.delay[i], high.slew[i] };
    before[i] = cs_low_to_delay(a, d, state->g[CS_LOW][i], state->least[i]);
    behind[i] = cs_delay_to_high(d, h, state->g[CS_HIGH][i], state->least[i]);
  }
  stretch(state, CS_LOW, before);
  stretch(state, CS_DELAY, behind);
  put_drivers(lanes, state, &delay, before, behind);
}

static void put_shapes(DriverLanes *lanes, const SourceState *state)
{
  for (int i = 0; i < lanes->count; i++) {
    DriverShape *shape = &lanes->shape[i];
    shape->slew = lanes->slew[i];
#define PUT_STEP(field, k) shape->field = state->step[k][i];
    CS_SHAPE(PUT_STEP)
  }
}

void source_drivers_solve(DriverLanes *lanes)
{
  SourceState s;
  start(lanes, &s);
  for (int k = 1; k < CS_LEVELS; k++) advance(lanes, &s, k);
  set_tails(&s);
  read_thresholds(lanes, &s);
  put_shapes(lanes, &s);
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

static Steps steps_of(const LoadLanes *lanes)
{
  Steps s = { { NULL } };
#define STEP_LANES(field, k) s.at[k] = lanes->driver.field;
  CS_SHAPE(STEP_LANES)
  return s;
}

SL_HD CsWire lane_wire(const LoadState *state, int i)
{
  CsWire w = { state->part[i], state->tau[i], state->by_tau[i], state->shift[i] };
  return w;
}

SL_CLONES
static void start_loads(const LoadLanes *lanes, const Steps *steps, LoadState *state)
{
  const float *v1 = state->heights.v[1];
  const float *d1 = steps->at[1], *d2 = steps->at[2], *d3 = steps->at[3], *d4 = steps->at[4];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsWire w = cs_wire(lanes->elmore[i], lanes->impulse_sq[i]);
    state->part[i] = w.part;
    state->tau[i] = w.tau;
    state->by_tau[i] = w.by_tau;
    state->shift[i] = w.shift;
    state->one[i] = 1;
    state->v[i] = state->lag[i] = 0;
    state->begin[i] = cs_begin(d1[i], d2[i], d3[i], d4[i]);
    state->by_h[i] = 1.0f / d1[i];
    state->chord[i] = cs_chord_slope(state->by_h[i], 0, v1[i]);
  }
  for (int q = 0; q < 3; q++) memset(&state->at[q], 0, sizeof state->at[q]);
}

static const float *height(const LoadState *state, int knot)
{
  return knot < CS_LEVELS ? state->heights.v[knot] : state->one;
}

SL_CLONES
static void slopes_at(const Steps *steps, LoadState *state, int knot)
{
  const float *h = steps->at[knot], *next = steps->at[knot + 1], *here = height(state, knot),
              *after = height(state, knot + 1);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float by_next = 1.0f / next[i], chord = state->chord[i];
    float next_chord = cs_chord_slope(by_next, here[i], after[i]);
    float end = cs_knot_slope(h[i], chord, next[i], next_chord);
    state->by_next[i] = by_next;
    state->next_chord[i] = next_chord;
    state->end[i] = end;
  }
}

SL_CLONES
static void first_slopes(LoadState *state)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) state->start[i] = cs_first_slope(state->chord[i], state->end[i]);
}

/* Beyond the last level. */
static void level_off(LoadState *state)
{
  memset(state->end, 0, sizeof state->end);
  memset(state->next_chord, 0, sizeof state->next_chord);
  memcpy(state->by_next, state->one, sizeof state->by_next);
}

SL_CLONES
static void next_pieces(LoadState *state, const float *h)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsEnds slope = { state->start[i], state->end[i] };
    CsBow bow = cs_bow(state->by_h[i], state->chord[i], slope);
    CsLoadPiece p = cs_load_piece(h[i], state->v[i], bow, lane_wire(state, i), state->lag[i]);
    state->length[i] = p.length;
    state->first[i] = p.first;
    state->second[i] = p.second;
  }
}

SL_CLONES
static void look_behind(LoadState *state, const float *to)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    CsLoadPiece p = { 0, 0, state->first[i], state->second[i], state->lag[i] };
    float lag = cs_lag_at(p, state->length[i]);
    state->next_lag[i] = lag;
    state->after[i] = to[i] - state->part[i] * lag;
  }
}

/* Keeps the piece in lanes that cross the level on it. */
SL_CLONES
static void place(const LoadState *state, PlaceLanes *lanes, const float *level, int last)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float end_lag = state->next_lag[i];
    int here = (lanes->length[i] == 0) & (last | (state->after[i] >= level[i]));
#define KEEP(field) float field = state->field[i]; lanes->field[i] = here ? field : lanes->field[i];
    PIECE(KEEP)
    lanes->end_lag[i] = here ? end_lag : lanes->end_lag[i];
  }
}

SL_CLONES
static void move_on(LoadState *state, const float *h, const float *to)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    state->begin[i] += h[i];
    state->v[i] = to[i];
    state->lag[i] = state->next_lag[i];
    state->start[i] = state->end[i];
    state->chord[i] = state->next_chord[i];
    state->by_h[i] = state->by_next[i];
  }
}

SL_HD CsLoadPiece lane_piece(const PlaceLanes *lanes, int i)
{
  CsLoadPiece p = { lanes->length[i], lanes->v[i], lanes->first[i], lanes->second[i],
                    lanes->lag[i] };
  return p;
}

/* cs_crossing of every lane. */
SL_CLONES
static void cross(LoadState *state, int q)
{
  const PlaceLanes *lanes = &state->at[q];
  const float *level = state->heights.v[CS_LOW + 2 * q];
  float *t = state->t[q], x[LANES];
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    x[i] = cs_crossing_near(lane_piece(lanes, i), state->part[i], lanes->end_lag[i], level[i]);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    x[i] = cs_crossing_step(lane_piece(lanes, i), state->part[i], level[i], x[i]);
    t[i] = lanes->begin[i] + state->tau[i] * x[i];
  }
}

/* The same where the waveform has ended. */
SL_CLONES
static void cross_in_tail(LoadState *state, int q)
{
  const PlaceLanes *lanes = &state->at[q];
  const float *level = state->heights.v[CS_LOW + 2 * q];
  float *t = state->t[q];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float x = cs_crossing_in_tail(lanes->lag[i], state->part[i], level[i]), before = t[i];
    float late = lanes->begin[i] + state->tau[i] * x;
    t[i] = lanes->v[i] == 1 ? late : before;
  }
}

/* Have all loads a place? */
SL_CLONES
static int all_found(const PlaceLanes *lanes)
{
  int all = 1;
  for (int i = 0; i < LANES; i++) all &= lanes->length[i] > 0;
  return all;
}

SL_CLONES
static void put_loads(LoadLanes *lanes, const LoadState *state)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    lanes->delay[i] = f_max(state->t[1][i] + state->shift[i], 0);
    lanes->slew[i] = f_max((state->t[2][i] - state->t[0][i]) / state->heights.derate[i], 0);
  }
}

/* Goes from piece to piece until all loads have crossed all thresholds.  Returns whether some do so
   behind the waveform's end. */
static int find_places(const Steps *steps, LoadState *state)
{
  for (int k = 1; k <= CS_KNOTS; k++) {
    int last = k == CS_KNOTS;
    const float *h = last ? state->one : steps->at[k], *to = height(state, k);
    if (k < CS_LEVELS) slopes_at(steps, state, k);
    else level_off(state);
    if (k == 1) first_slopes(state);
    next_pieces(state, h);
    look_behind(state, to);
    for (int q = 0; q < 3; q++)
      if (cs_may_cross(k, q)) place(state, &state->at[q], state->heights.v[CS_LOW + 2 * q], last);
    if (k >= CS_HIGH && !last && all_found(&state->at[2])) return 0;
    move_on(state, h, to);
  }
  return 1;
}

void source_loads_solve(LoadLanes *lanes)
{
  LoadState s;
  Steps d = steps_of(lanes);
  set_heights(&lanes->v, &s.heights);
  start_loads(lanes, &d, &s);
  int in_tail = find_places(&d, &s);
  for (int q = 0; q < 3; q++) cross(&s, q);
  for (int q = 0; q < 3 && in_tail; q++) cross_in_tail(&s, q);
  put_loads(lanes, &s);
}
