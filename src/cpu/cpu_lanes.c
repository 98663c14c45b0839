/* Solves many drivers or loads at a time, one in each lane of a vector. The steps and the bits are
   those of math/driver.h; loops over lanes have no branches, so that the compiler vectorises
   them. */
#include "cpu/cpu_lanes.h"

#include "base/clones.h"
#include "base/memory.h"
#include "cpu/source_lanes.h"

DriverLanes *driver_lanes_new(int segments)
{
  DriverLanes *l = mem_alloc_zero(1, sizeof *l);
  l->segments = segments;
  for (int k = 0; k < 2; k++) {
    l->row_x[k] = mem_alloc_zero((size_t)segments * LANES, sizeof(float));
    l->row_y[k] = mem_alloc_zero((size_t)segments * LANES, sizeof(float));
    l->row_dy[k] = mem_alloc_zero((size_t)segments * LANES, sizeof(float));
  }
  return l;
}

void driver_lanes_free(DriverLanes *l)
{
  if (l == NULL) return;
  for (int k = 0; k < 2; k++) {
    mem_free(l->row_x[k]);
    mem_free(l->row_y[k]);
    mem_free(l->row_dy[k]);
  }
  mem_free(l);
}

void driver_lanes_rows(DriverLanes *l, int i, TableView delay, TableView slew, float input_slew,
                       int model)
{
  row_set((TableRow){ l->row_x[0] + i, l->row_y[0] + i, l->row_dy[0] + i }, l->segments, LANES,
          delay, input_slew);
  row_set((TableRow){ l->row_x[1] + i, l->row_y[1] + i, l->row_dy[1] + i }, l->segments, LANES,
          slew, input_slew);
  if (!delay_has(model, DELAY_BY_THRESHOLD)) return;
  l->table_slope[0][i] = cs_table_slope(delay);
  l->table_slope[1][i] = cs_table_slope(slew);
}

/* --- state between the steps, by lane --------------------------------------------------------- */
#define PI_DRIVER(X)   X(c_far) X(c_near) X(r_pi) X(rd) X(p1) X(p2) X(k1) X(k3) X(k4)
#define CEFF_SEARCH(X) X(x0) X(f0) X(h0) X(x1) X(low) X(high)
#define WAVE(X)                                                                                   \
  X(k) X(a) X(b) X(c) X(p) X(q) X(s) X(ta) X(tb) X(tc) X(dt) X(inverse_dt) X(at_end)

typedef struct {
  PI_DRIVER(LANES_OF)
  CEFF_SEARCH(LANES_OF)
  int   done[LANES], lumped[LANES], solved[LANES];
  float total_delay[LANES], total_slew[LANES];
  float load[LANES], delay[LANES], slew[LANES];    /* the tables' values at load */
  float t0[LANES], dt[LANES];
  float x[LANES], y[LANES], dy[LANES];             /* of rows_at */
} DriverState;

typedef struct { float tl[LANES], tth[LANES], th[LANES]; } CrossingLanes;

typedef struct { WAVE(LANES_OF) } WaveLanes;

#define FROM_LANE(field) r.field = l->field[i];
#define TO_LANE(field)   l->field[i] = r.field;

SL_HD PiDriver lane_driver(const DriverState *l, int i)
{
  PiDriver r;
  PI_DRIVER(FROM_LANE)
  return r;
}

SL_HD CeffSearch lane_search(const DriverState *l, int i)
{
  CeffSearch r;
  CEFF_SEARCH(FROM_LANE)
  FROM_LANE(done)
  return r;
}

SL_HD void put_search(DriverState *l, int i, CeffSearch r)
{
  CEFF_SEARCH(TO_LANE)
  TO_LANE(done)
}

SL_HD WaveCrossings lane_crossings(const CrossingLanes *l, int i)
{
  WaveCrossings r;
  FROM_LANE(tl)
  FROM_LANE(tth)
  FROM_LANE(th)
  return r;
}

SL_HD void put_wave(WaveLanes *l, int i, Wave r) { WAVE(TO_LANE) }

SL_HD Wave lane_wave(const WaveLanes *l, int i)
{
  Wave r;
  WAVE(FROM_LANE)
  return r;
}

/* --- tables ----------------------------------------------------------------------------------- */
/* row_value of every lane: the row of one of the two tables at load[]. */
SL_CLONES
static void rows_at(const DriverLanes *l, int table, DriverState *s, float *out)
{
  const float *x = l->row_x[table], *y = l->row_y[table], *dy = l->row_dy[table];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    s->x[i] = x[i];
    s->y[i] = y[i];
    s->dy[i] = dy[i];
  }
  for (int k = 1; k < l->segments; k++) {
    const float *xk = x + k * LANES, *yk = y + k * LANES, *dyk = dy + k * LANES;
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      int in = s->load[i] >= xk[i];
      float nx = xk[i], ny = yk[i], ndy = dyk[i];
      s->x[i] = in ? nx : s->x[i];
      s->y[i] = in ? ny : s->y[i];
      s->dy[i] = in ? ndy : s->dy[i];
    }
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++) out[i] = s->y[i] + s->dy[i] * (s->load[i] - s->x[i]);
}

/* --- drivers ---------------------------------------------------------------------------------- */
/* Tables at the total capacitance, the driver's resistance, and which lanes are plain capacitances.
   Those go through the rest with a load that does no harm. */
SL_CLONES
static void classify(const DriverLanes *l, DriverState *s)
{
  for (int i = 0; i < LANES; i++) s->load[i] = l->c_far[i] + l->c_near[i];
  rows_at(l, 0, s, s->total_delay);
  rows_at(l, 1, s, s->total_slew);
  for (int i = 0; i < LANES; i++) s->load[i] += 1.0f;
  rows_at(l, 0, s, s->delay);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float rd = driver_resistance(l->v.vth[i], s->total_delay[i], s->delay[i]);
    int lumped = pi_is_lumped(l->c_far[i], l->c_near[i], l->r_pi[i], rd);
    s->lumped[i] = lumped;
    s->rd[i] = lumped ? 1.0f : rd;
    s->c_far[i] = lumped ? 1.0f : l->c_far[i];
    s->c_near[i] = lumped ? 1.0f : l->c_near[i];
    s->r_pi[i] = lumped ? 1.0f : l->r_pi[i];
  }
}

SL_CLONES
static void start_search(DriverState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    PiDriver d = pi_driver(s->c_far[i], s->c_near[i], s->r_pi[i], s->rd[i]);
    s->p1[i] = d.p1;
    s->p2[i] = d.p2;
    s->k1[i] = d.k1;
    s->k3[i] = d.k3;
    s->k4[i] = d.k4;
    CeffSearch c = ceff_start(d);
    c.done |= s->lumped[i];
    put_search(s, i, c);
  }
}

/* For each lane: whether it is done. */
static int all_done(const int *done)
{
  int all = 1;
  for (int i = 0; i < LANES; i++) all &= done[i];
  return all;
}

SL_CLONES
static void search_step(const DriverLanes *l, DriverState *s, const float *ramps)
{
  for (int i = 0; i < LANES; i++) s->load[i] = s->x1[i];
  rows_at(l, 0, s, s->delay);
  rows_at(l, 1, s, s->slew);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    PiDriver d = lane_driver(s, i);
    Thresholds v = lanes_thresholds(&l->v, i);
    Ramp r = ramp_of(ramps, l->ramp_base[i], v, d.rd, s->x1[i], s->delay[i], s->slew[i]);
    put_search(s, i, ceff_step(lane_search(s, i), charge_balance(d, v, r, s->x1[i])));
  }
}

/* At the ceff found: the tables' values, the ramp, and whether there is one. */
SL_CLONES
static void finish_search(const DriverLanes *l, DriverState *s, const float *ramps)
{
  for (int i = 0; i < LANES; i++) s->load[i] = s->x1[i];
  rows_at(l, 0, s, s->delay);
  rows_at(l, 1, s, s->slew);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    Ramp r = ramp_of(ramps, l->ramp_base[i], lanes_thresholds(&l->v, i), s->rd[i], s->x1[i],
                     s->delay[i], s->slew[i]);
    int solved = !s->lumped[i] && ramp_fits(r, s->slew[i]);
    s->solved[i] = solved;
    s->t0[i] = r.t0;
    s->dt[i] = solved ? r.dt : 1.0f;
  }
}

/* --- crossings: waves by lane, then Newton steps for one threshold ---------------------------- */
/* wave_crossing of every lane. */
SL_CLONES
static void crossings(const WaveLanes *w, const float *threshold, const float *guess,
                      float *crossing)
{
  int in_tail[LANES], done[LANES] = { 0 };
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    Wave wave = lane_wave(w, i);
    in_tail[i] = threshold[i] > wave.at_end;
    crossing[i] = wave_start(&wave, threshold[i], guess[i]);
  }
  for (int step = 0; step < WAVE_STEPS && !all_done(done); step++) {
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      Wave wave = lane_wave(w, i);
      float next = wave_step(&wave, threshold[i], in_tail[i], crossing[i]);
      int settled = wave_settles(crossing[i], next);
      crossing[i] = done[i] ? crossing[i] : next;
      done[i] |= settled;
    }
  }
}

SL_CLONES
static void driver_waves(const DriverState *s, WaveLanes *w)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) put_wave(w, i, wave_of_driver(lane_driver(s, i), s->dt[i]));
}

/* --- by model: these steps are compiled with the model as a constant ------ */
SL_HD DriverWave driver_lane(const DriverLanes *l, const DriverState *s, const CrossingLanes *at,
                             int i)
{
  DriverWave w;
  w.v = lanes_thresholds(&l->v, i);
  w.pi = lane_driver(s, i);
  w.ceff = s->x1[i];
  w.table.delay = s->delay[i];
  w.table.slew = s->slew[i];
  w.t0 = s->t0[i];
  w.dt = s->dt[i];
  w.at = lane_crossings(at, i);
  return w;
}

SL_HD void measure_drivers(DriverLanes *l, const DriverState *s, const CrossingLanes *at, int model)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    int solved = s->solved[i];
    DriverWave w = driver_lane(l, s, at, i);
    DelaySlew r = driver_measure(model, &w);
    float slew = solved ? r.slew : s->total_slew[i];
    l->delay[i] = solved ? r.delay : s->total_delay[i];
    l->slew[i] = slew > 0 ? slew : 0;
    l->ceff[i] = solved ? s->x1[i] : l->c_far[i] + l->c_near[i];
  }
}

SL_CLONES
static void store_drivers(DriverLanes *l, const DriverState *s, const CrossingLanes *at, int model)
{
#define MEASURE_DRIVERS(NAME, ...) \
  case DELAY_##NAME: measure_drivers(l, s, at, DELAY_##NAME); break;
  switch (model) { DELAY_WAVE_MODELS(MEASURE_DRIVERS) default: break; }
}

static void store_shapes(DriverLanes *l, const DriverState *s, const CrossingLanes *at)
{
  for (int i = 0; i < l->count; i++) {
    DriverWave w = driver_lane(l, s, at, i);
    l->shape[i] = driver_shape(&w);
    l->shape[i].slew = l->slew[i];
    if (!s->solved[i]) l->shape[i].dt = 0;
  }
}

/* Idle lanes repeat the first. */
static void fill_drivers(DriverLanes *l)
{
  Thresholds v = lanes_thresholds(&l->v, 0);
  for (int i = l->count; i < LANES; i++) {
    l->c_far[i] = l->c_far[0];
    l->c_near[i] = l->c_near[0];
    l->r_pi[i] = l->r_pi[0];
    lanes_put_thresholds(&l->v, i, &v);
    l->ramp_base[i] = l->ramp_base[0];
    l->table_slope[0][i] = l->table_slope[0][0];
    l->table_slope[1][i] = l->table_slope[1][0];
    for (int k = 0; k < 2 * l->segments; k++) {
      int at = (k >> 1) * LANES, t = k & 1;
      l->row_x[t][at + i] = l->row_x[t][at];
      l->row_y[t][at + i] = l->row_y[t][at];
      l->row_dy[t][at + i] = l->row_dy[t][at];
    }
  }
}

static void solve_by_ramps(DriverLanes *l, int model, const float *ramps)
{
  DriverState s;
  classify(l, &s);
  start_search(&s);
  for (int step = 0; step < CEFF_STEPS && !all_done(s.done); step++) search_step(l, &s, ramps);
  finish_search(l, &s, ramps);
  WaveLanes w;
  CrossingLanes at;
  const float no_guess[LANES] = { 0 };
  driver_waves(&s, &w);
  crossings(&w, l->v.vl, no_guess, at.tl);
  crossings(&w, l->v.vth, no_guess, at.tth);
  crossings(&w, l->v.vh, no_guess, at.th);
  store_drivers(l, &s, &at, model);
  store_shapes(l, &s, &at);
}

void driver_lanes_solve(DriverLanes *l, int model, const float *ramps)
{
  fill_drivers(l);
  if (delay_by_levels(model)) source_drivers_solve(l);
  else solve_by_ramps(l, model, ramps);
}

/* --- loads ------------------------------------------------------------------------------------ */
SL_HD WireMoments lane_moments(const LoadLanes *l, int i)
{
  WireMoments r;
  FROM_LANE(elmore)
  FROM_LANE(impulse_sq)
  return r;
}

SL_HD void waves_of_loads(const LoadLanes *l, WaveLanes *w, int model)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    DriverShape d = lanes_shape(&l->driver, i);
    put_wave(w, i, wave_at_load(model, &d, lane_moments(l, i)));
  }
}

SL_CLONES
static void load_waves(const LoadLanes *l, WaveLanes *w, int model)
{
#define WAVES_OF_LOADS(NAME, ...) \
  case DELAY_##NAME: waves_of_loads(l, w, DELAY_##NAME); break;
  switch (model) { DELAY_WAVE_MODELS(WAVES_OF_LOADS) default: break; }
}

static void load_crossings(const LoadLanes *l, const WaveLanes *w, const float *threshold,
                           const float *driver_at, float *crossing)
{
  float guess[LANES];
  for (int i = 0; i < LANES; i++) guess[i] = load_guess(driver_at[i], lane_moments(l, i));
  crossings(w, threshold, guess, crossing);
}

SL_HD void measure_loads(LoadLanes *l, const CrossingLanes *at, int model)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    DriverShape d = lanes_shape(&l->driver, i);
    DelaySlew r = load_measure(model, &d, lanes_thresholds(&l->v, i), lane_moments(l, i),
                               lane_crossings(at, i));
    l->delay[i] = r.delay;
    l->slew[i] = r.slew;
  }
}

SL_CLONES
static void store_loads(LoadLanes *l, const CrossingLanes *at, int model)
{
#define MEASURE_LOADS(NAME, ...) case DELAY_##NAME: measure_loads(l, at, DELAY_##NAME); break;
  switch (model) { DELAY_WAVE_MODELS(MEASURE_LOADS) default: break; }
}

static void fill_loads(LoadLanes *l)
{
  DriverShape d = lanes_shape(&l->driver, 0);
  Thresholds v = lanes_thresholds(&l->v, 0);
  for (int i = l->count; i < LANES; i++) {
    lanes_put_shape(&l->driver, i, &d);
    lanes_put_thresholds(&l->v, i, &v);
    l->elmore[i] = l->elmore[0];
    l->impulse_sq[i] = l->impulse_sq[0];
  }
}

static void solve_by_crossings(LoadLanes *l, int model)
{
  WaveLanes w;
  CrossingLanes at;
  load_waves(l, &w, model);
  load_crossings(l, &w, l->v.vl, l->driver.tl, at.tl);
  load_crossings(l, &w, l->v.vth, l->driver.tth, at.tth);
  load_crossings(l, &w, l->v.vh, l->driver.th, at.th);
  store_loads(l, &at, model);
}

void load_lanes_solve(LoadLanes *l, int model)
{
  fill_loads(l);
  if (delay_by_levels(model)) source_loads_solve(l);
  else solve_by_crossings(l, model);
}
