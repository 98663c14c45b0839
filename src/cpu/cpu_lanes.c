/* Solves many drivers or loads at a time, one in each lane of a vector. The steps and the bits are
   those of math/driver.h; loops over lanes have no branches, so that the compiler vectorises
   them. */
#include "cpu/cpu_lanes.h"

#include "base/clones.h"
#include "base/memory.h"
#include "cpu/source_lanes.h"

DriverLanes *driver_lanes_new(int segments)
{
  DriverLanes *lanes = mem_alloc_zero(1, sizeof *lanes);
  lanes->segments = segments;
  for (int k = 0; k < 2; k++) {
    lanes->row_x[k] = mem_alloc_zero((size_t)segments * LANES, sizeof(float));
    lanes->row_y[k] = mem_alloc_zero((size_t)segments * LANES, sizeof(float));
    lanes->row_dy[k] = mem_alloc_zero((size_t)segments * LANES, sizeof(float));
  }
  return lanes;
}

void driver_lanes_free(DriverLanes *lanes)
{
  if (lanes == NULL) return;
  for (int k = 0; k < 2; k++) {
    mem_free(lanes->row_x[k]);
    mem_free(lanes->row_y[k]);
    mem_free(lanes->row_dy[k]);
  }
  mem_free(lanes);
}

void driver_lanes_rows(DriverLanes *lanes, int i, TableView delay, TableView slew, float input_slew,
                       int model)
{
  row_set((TableRow){ lanes->row_x[0] + i, lanes->row_y[0] + i, lanes->row_dy[0] + i },
          lanes->segments, LANES, delay, input_slew);
  row_set((TableRow){ lanes->row_x[1] + i, lanes->row_y[1] + i, lanes->row_dy[1] + i },
          lanes->segments, LANES, slew, input_slew);
  if (!delay_has(model, DELAY_BY_THRESHOLD)) return;
  lanes->table_slope[0][i] = cs_table_slope(delay);
  lanes->table_slope[1][i] = cs_table_slope(slew);
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

#define FROM_LANE(field) r.field = lanes->field[i];
#define TO_LANE(field)   lanes->field[i] = r.field;

SL_HD PiDriver lane_driver(const DriverState *lanes, int i)
{
  PiDriver r;
  PI_DRIVER(FROM_LANE)
  return r;
}

SL_HD CeffSearch lane_search(const DriverState *lanes, int i)
{
  CeffSearch r;
  CEFF_SEARCH(FROM_LANE)
  FROM_LANE(done)
  return r;
}

SL_HD void put_search(DriverState *lanes, int i, CeffSearch r){ CEFF_SEARCH(TO_LANE) TO_LANE(done) }

SL_HD WaveCrossings lane_crossings(const CrossingLanes *lanes, int i)
{
  WaveCrossings r;
  FROM_LANE(tl)
  FROM_LANE(tth)
  FROM_LANE(th)
  return r;
}

SL_HD void put_wave(WaveLanes *lanes, int i, Wave r){ WAVE(TO_LANE) }

SL_HD Wave lane_wave(const WaveLanes *lanes, int i)
{
  Wave r;
  WAVE(FROM_LANE)
  return r;
}

/* --- tables ----------------------------------------------------------------------------------- */
/* row_value of every lane: the row of one of the two tables at load[]. */
SL_CLONES
static void rows_at(const DriverLanes *lanes, int table, DriverState *state, float *out)
{
  const float *x = lanes->row_x[table], *y = lanes->row_y[table], *dy = lanes->row_dy[table];
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    state->x[i] = x[i];
    state->y[i] = y[i];
    state->dy[i] = dy[i];
  }
  for (int k = 1; k < lanes->segments; k++) {
    const float *xk = x + k * LANES, *yk = y + k * LANES, *dyk = dy + k * LANES;
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      int in = state->load[i] >= xk[i];
      float nx = xk[i], ny = yk[i], ndy = dyk[i];
      state->x[i] = in ? nx : state->x[i];
      state->y[i] = in ? ny : state->y[i];
      state->dy[i] = in ? ndy : state->dy[i];
    }
  }
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    out[i] = state->y[i] + state->dy[i] * (state->load[i] - state->x[i]);
}

/* --- drivers ---------------------------------------------------------------------------------- */
/* Tables at the total capacitance, the driver's resistance, and which lanes are plain capacitances.
   Those go through the rest with a load that does no harm. */
SL_CLONES
static void classify(const DriverLanes *lanes, DriverState *state)
{
  for (int i = 0; i < LANES; i++) state->load[i] = lanes->c_far[i] + lanes->c_near[i];
  rows_at(lanes, 0, state, state->total_delay);
  rows_at(lanes, 1, state, state->total_slew);
  for (int i = 0; i < LANES; i++) state->load[i] += 1.0f;
  rows_at(lanes, 0, state, state->delay);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float rd = driver_resistance(lanes->v.vth[i], state->total_delay[i], state->delay[i]);
    int lumped = pi_is_lumped(lanes->c_far[i], lanes->c_near[i], lanes->r_pi[i], rd);
    state->lumped[i] = lumped;
    state->rd[i] = lumped ? 1.0f : rd;
    state->c_far[i] = lumped ? 1.0f : lanes->c_far[i];
    state->c_near[i] = lumped ? 1.0f : lanes->c_near[i];
    state->r_pi[i] = lumped ? 1.0f : lanes->r_pi[i];
  }
}

SL_CLONES
static void start_search(DriverState *state)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    PiDriver d = pi_driver(state->c_far[i], state->c_near[i], state->r_pi[i], state->rd[i]);
    state->p1[i] = d.p1;
    state->p2[i] = d.p2;
    state->k1[i] = d.k1;
    state->k3[i] = d.k3;
    state->k4[i] = d.k4;
    CeffSearch c = ceff_start(d);
    c.done |= state->lumped[i];
    put_search(state, i, c);
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
static void search_step(const DriverLanes *lanes, DriverState *state, const float *ramps)
{
  for (int i = 0; i < LANES; i++) state->load[i] = state->x1[i];
  rows_at(lanes, 0, state, state->delay);
  rows_at(lanes, 1, state, state->slew);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    PiDriver d = lane_driver(state, i);
    Thresholds v = lanes_thresholds(&lanes->v, i);
    Ramp r =
        ramp_of(ramps, lanes->ramp_base[i], v, d.rd, state->x1[i], state->delay[i], state->slew[i]);
    put_search(state, i, ceff_step(lane_search(state, i), charge_balance(d, v, r, state->x1[i])));
  }
}

/* At the ceff found: the tables' values, the ramp, and whether there is one. */
SL_CLONES
static void finish_search(const DriverLanes *lanes, DriverState *state, const float *ramps)
{
  for (int i = 0; i < LANES; i++) state->load[i] = state->x1[i];
  rows_at(lanes, 0, state, state->delay);
  rows_at(lanes, 1, state, state->slew);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    Ramp r = ramp_of(ramps, lanes->ramp_base[i], lanes_thresholds(&lanes->v, i), state->rd[i],
                     state->x1[i], state->delay[i], state->slew[i]);
    int solved = !state->lumped[i] && ramp_fits(r, state->slew[i]);
    state->solved[i] = solved;
    state->t0[i] = r.t0;
    state->dt[i] = solved ? r.dt : 1.0f;
  }
}

/* --- crossings: waves by lane, then Newton steps for one threshold ---------------------------- */
/* wave_crossing of every lane. */
SL_CLONES
static void crossings(const WaveLanes *lanes, const float *threshold, const float *guess,
                      float *crossing)
{
  int in_tail[LANES], done[LANES] = { 0 };
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    Wave wave = lane_wave(lanes, i);
    in_tail[i] = threshold[i] > wave.at_end;
    crossing[i] = wave_start(&wave, threshold[i], guess[i]);
  }
  for (int step = 0; step < WAVE_STEPS && !all_done(done); step++) {
#pragma omp simd
    for (int i = 0; i < LANES; i++) {
      Wave wave = lane_wave(lanes, i);
      float next = wave_step(&wave, threshold[i], in_tail[i], crossing[i]);
      int settled = wave_settles(crossing[i], next);
      crossing[i] = done[i] ? crossing[i] : next;
      done[i] |= settled;
    }
  }
}

SL_CLONES
static void driver_waves(const DriverState *state, WaveLanes *lanes)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++)
    put_wave(lanes, i, wave_of_driver(lane_driver(state, i), state->dt[i]));
}

/* --- by model: these steps are compiled with the model as a constant ------ */
SL_HD DriverWave driver_lane(const DriverLanes *lanes, const DriverState *state,
                             const CrossingLanes *at, int i)
{
  DriverWave w;
  w.v = lanes_thresholds(&lanes->v, i);
  w.pi = lane_driver(state, i);
  w.ceff = state->x1[i];
  w.table.delay = state->delay[i];
  w.table.slew = state->slew[i];
  w.t0 = state->t0[i];
  w.dt = state->dt[i];
  w.at = lane_crossings(at, i);
  return w;
}

SL_HD void measure_drivers(DriverLanes *lanes, const DriverState *state, const CrossingLanes *at,
                           int model)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    int solved = state->solved[i];
    DriverWave w = driver_lane(lanes, state, at, i);
    DelaySlew r = driver_measure(model, &w);
    float slew = solved ? r.slew : state->total_slew[i];
    lanes->delay[i] = solved ? r.delay : state->total_delay[i];
    lanes->slew[i] = slew > 0 ? slew : 0;
    lanes->ceff[i] = solved ? state->x1[i] : lanes->c_far[i] + lanes->c_near[i];
  }
}

SL_CLONES
static void store_drivers(DriverLanes *lanes, const DriverState *state, const CrossingLanes *at,
                          int model)
{
#define MEASURE_DRIVERS(NAME, ...) \
  case DELAY_##NAME: measure_drivers(lanes, state, at, DELAY_##NAME); break;
  switch (model) { DELAY_WAVE_MODELS(MEASURE_DRIVERS) default: break; }
}

static void store_shapes(DriverLanes *lanes, const DriverState *state, const CrossingLanes *at)
{
  for (int i = 0; i < lanes->count; i++) {
    DriverWave w = driver_lane(lanes, state, at, i);
    lanes->shape[i] = driver_shape(&w);
    lanes->shape[i].slew = lanes->slew[i];
    if (!state->solved[i]) lanes->shape[i].dt = 0;
  }
}

/* Idle lanes repeat the first. */
static void fill_drivers(DriverLanes *lanes)
{
  Thresholds v = lanes_thresholds(&lanes->v, 0);
  for (int i = lanes->count; i < LANES; i++) {
    lanes->c_far[i] = lanes->c_far[0];
    lanes->c_near[i] = lanes->c_near[0];
    lanes->r_pi[i] = lanes->r_pi[0];
    lanes_put_thresholds(&lanes->v, i, &v);
    lanes->ramp_base[i] = lanes->ramp_base[0];
    lanes->table_slope[0][i] = lanes->table_slope[0][0];
    lanes->table_slope[1][i] = lanes->table_slope[1][0];
    for (int k = 0; k < 2 * lanes->segments; k++) {
      int at = (k >> 1) * LANES, t = k & 1;
      lanes->row_x[t][at + i] = lanes->row_x[t][at];
      lanes->row_y[t][at + i] = lanes->row_y[t][at];
      lanes->row_dy[t][at + i] = lanes->row_dy[t][at];
    }
  }
}

static void solve_by_ramps(DriverLanes *lanes, int model, const float *ramps)
{
  DriverState s;
  classify(lanes, &s);
  start_search(&s);
  for (int step = 0; step < CEFF_STEPS && !all_done(s.done); step++) search_step(lanes, &s, ramps);
  finish_search(lanes, &s, ramps);
  WaveLanes w;
  CrossingLanes at;
  const float no_guess[LANES] = { 0 };
  driver_waves(&s, &w);
  crossings(&w, lanes->v.vl, no_guess, at.tl);
  crossings(&w, lanes->v.vth, no_guess, at.tth);
  crossings(&w, lanes->v.vh, no_guess, at.th);
  store_drivers(lanes, &s, &at, model);
  store_shapes(lanes, &s, &at);
}

void driver_lanes_solve(DriverLanes *lanes, int model, const float *ramps)
{
  fill_drivers(lanes);
  if (delay_by_levels(model)) source_drivers_solve(lanes);
  else solve_by_ramps(lanes, model, ramps);
}

/* --- loads ------------------------------------------------------------------------------------ */
SL_HD WireMoments lane_moments(const LoadLanes *lanes, int i)
{
  WireMoments r;
  FROM_LANE(elmore)
  FROM_LANE(impulse_sq)
  return r;
}

SL_HD void waves_of_loads(const LoadLanes *lanes, WaveLanes *wave_lanes, int model)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    DriverShape d = lanes_shape(&lanes->driver, i);
    put_wave(wave_lanes, i, wave_at_load(model, &d, lane_moments(lanes, i)));
  }
}

SL_CLONES
static void load_waves(const LoadLanes *lanes, WaveLanes *wave_lanes, int model)
{
#define WAVES_OF_LOADS(NAME, ...) \
  case DELAY_##NAME: waves_of_loads(lanes, wave_lanes, DELAY_##NAME); break;
  switch (model) { DELAY_WAVE_MODELS(WAVES_OF_LOADS) default: break; }
}

static void load_crossings(const LoadLanes *lanes, const WaveLanes *wave_lanes,
                           const float *threshold, const float *driver_at, float *crossing)
{
  float guess[LANES];
  for (int i = 0; i < LANES; i++) guess[i] = load_guess(driver_at[i], lane_moments(lanes, i));
  crossings(wave_lanes, threshold, guess, crossing);
}

SL_HD void measure_loads(LoadLanes *lanes, const CrossingLanes *at, int model)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    DriverShape d = lanes_shape(&lanes->driver, i);
    DelaySlew r = load_measure(model, &d, lanes_thresholds(&lanes->v, i), lane_moments(lanes, i),
                               lane_crossings(at, i));
    lanes->delay[i] = r.delay;
    lanes->slew[i] = r.slew;
  }
}

SL_CLONES
static void store_loads(LoadLanes *lanes, const CrossingLanes *at, int model)
{
#define MEASURE_LOADS(NAME, ...) case DELAY_##NAME: measure_loads(lanes, at, DELAY_##NAME); break;
  switch (model) { DELAY_WAVE_MODELS(MEASURE_LOADS) default: break; }
}

static void fill_loads(LoadLanes *lanes)
{
  DriverShape d = lanes_shape(&lanes->driver, 0);
  Thresholds v = lanes_thresholds(&lanes->v, 0);
  for (int i = lanes->count; i < LANES; i++) {
    lanes_put_shape(&lanes->driver, i, &d);
    lanes_put_thresholds(&lanes->v, i, &v);
    lanes->elmore[i] = lanes->elmore[0];
    lanes->impulse_sq[i] = lanes->impulse_sq[0];
  }
}

static void solve_by_crossings(LoadLanes *lanes, int model)
{
  WaveLanes w;
  CrossingLanes at;
  load_waves(lanes, &w, model);
  load_crossings(lanes, &w, lanes->v.vl, lanes->driver.tl, at.tl);
  load_crossings(lanes, &w, lanes->v.vth, lanes->driver.tth, at.tth);
  load_crossings(lanes, &w, lanes->v.vh, lanes->driver.th, at.th);
  store_loads(lanes, &at, model);
}

void load_lanes_solve(LoadLanes *lanes, int model)
{
  fill_loads(lanes);
  if (delay_by_levels(model)) source_loads_solve(lanes);
  else solve_by_crossings(lanes, model);
}
