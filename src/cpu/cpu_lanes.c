#include "cpu/cpu_lanes.h"

#include "base/clones.h"
#include "base/memory.h"

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

void driver_lanes_rows(DriverLanes *l, int i, TableView delay, TableView slew, float input_slew)
{
  row_set((TableRow){ l->row_x[0] + i, l->row_y[0] + i, l->row_dy[0] + i }, l->segments, LANES,
          delay, input_slew);
  row_set((TableRow){ l->row_x[1] + i, l->row_y[1] + i, l->row_dy[1] + i }, l->segments, LANES,
          slew, input_slew);
}

/* State between the steps of a solution, by lane. */
typedef struct {
  float x[LANES], y[LANES], dy[LANES];
  float load[LANES], delay[LANES], slew[LANES];
  float rd[LANES], total_delay[LANES], total_slew[LANES];
  float k3[LANES], k4[LANES], k1[LANES], p1[LANES], p2[LANES];
  float c_far[LANES], c_near[LANES], r_pi[LANES];
  float x0[LANES], f0[LANES], h0[LANES], x1[LANES], low[LANES], high[LANES];
  float t0[LANES], dt[LANES];
  int   lumped[LANES], done[LANES];
} DriverState;

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

SL_HD PiDriver state_driver(const DriverState *s, int i)
{
  PiDriver d;
  d.c_far = s->c_far[i];
  d.c_near = s->c_near[i];
  d.r_pi = s->r_pi[i];
  d.rd = s->rd[i];
  d.p1 = s->p1[i];
  d.p2 = s->p2[i];
  d.k1 = s->k1[i];
  d.k3 = s->k3[i];
  d.k4 = s->k4[i];
  return d;
}

SL_HD Thresholds lane_thresholds(const DriverLanes *l, int i)
{
  Thresholds v;
  v.vth = l->vth[i];
  v.vl = l->vl[i];
  v.vh = l->vh[i];
  v.derate = l->derate[i];
  return v;
}

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
    float rd = driver_resistance(l->vth[i], s->total_delay[i], s->delay[i]);
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
    int fixed = pi_is_far_only(s->c_far[i], s->c_near[i]);
    s->done[i] = fixed | s->lumped[i];
    s->x0[i] = c.x0;
    s->f0[i] = c.f0;
    s->x1[i] = fixed ? d.c_far : c.x1;
    s->h0[i] = c.h0;
    s->low[i] = c.low;
    s->high[i] = c.high;
  }
}

/* Whether each lane is done. */
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
    PiDriver d = state_driver(s, i);
    Thresholds v = lane_thresholds(l, i);
    Ramp r = ramp_of(ramps, l->ramp_base[i], v, d.rd, s->x1[i], s->delay[i], s->slew[i]);
    float f = charge_balance(d, v, r, s->x1[i]);
    CeffSearch c = { s->x0[i], s->f0[i], s->h0[i], s->x1[i], s->low[i], s->high[i], s->done[i] };
    c = ceff_step(c, f);
    s->x0[i] = c.x0;
    s->f0[i] = c.f0;
    s->h0[i] = c.h0;
    s->x1[i] = c.x1;
    s->low[i] = c.low;
    s->high[i] = c.high;
    s->done[i] = c.done;
  }
}

/* At the ceff found: the tables' values, the ramp, and whether there is one. */
SL_CLONES
static void finish_search(DriverLanes *l, DriverState *s, const float *ramps)
{
  for (int i = 0; i < LANES; i++) s->load[i] = s->x1[i];
  rows_at(l, 0, s, s->delay);
  rows_at(l, 1, s, s->slew);
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    Ramp r = ramp_of(ramps, l->ramp_base[i], lane_thresholds(l, i), s->rd[i], s->x1[i], s->delay[i],
                     s->slew[i]);
    int solved = !s->lumped[i] && r.ratio > 1.0001f && r.dt > 0 && s->slew[i] > 0;
    l->solved[i] = solved;
    s->t0[i] = r.t0;
    s->dt[i] = solved ? r.dt : 1.0f;
  }
}

/* --- crossings: waves by lane, then Newton steps for one threshold ---------------------------- */
typedef struct {
  float k[LANES], a[LANES], b[LANES], c[LANES], p[LANES], q[LANES], s[LANES];
  float ta[LANES], tb[LANES], tc[LANES], dt[LANES], inverse_dt[LANES], at_end[LANES];
} WaveLanes;

SL_HD void put_wave(WaveLanes *w, int i, Wave r)
{
  w->k[i] = r.k;
  w->a[i] = r.a;
  w->b[i] = r.b;
  w->c[i] = r.c;
  w->p[i] = r.p;
  w->q[i] = r.q;
  w->s[i] = r.s;
  w->ta[i] = r.ta;
  w->tb[i] = r.tb;
  w->tc[i] = r.tc;
  w->dt[i] = r.dt;
  w->inverse_dt[i] = r.inverse_dt;
  w->at_end[i] = r.at_end;
}

SL_HD Wave lane_wave(const WaveLanes *w, int i)
{
  Wave r;
  r.k = w->k[i];
  r.a = w->a[i];
  r.b = w->b[i];
  r.c = w->c[i];
  r.p = w->p[i];
  r.q = w->q[i];
  r.s = w->s[i];
  r.ta = w->ta[i];
  r.tb = w->tb[i];
  r.tc = w->tc[i];
  r.dt = w->dt[i];
  r.inverse_dt = w->inverse_dt[i];
  r.at_end = w->at_end[i];
  return r;
}

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
  for (int i = 0; i < LANES; i++) put_wave(w, i, wave_of_driver(state_driver(s, i), s->dt[i]));
}

SL_CLONES
static void store_drivers(DriverLanes *l, const DriverState *s)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    int solved = l->solved[i];
    float measured = (l->th[i] - l->tl[i]) / l->derate[i];
    Ramp r = { s->t0[i], s->dt[i], s->delay[i], s->slew[i], 0 };
    float slew = solved ? measured : s->total_slew[i];
    l->delay[i] = solved ? driver_delay(r, pi_is_far_only(s->c_far[i], s->c_near[i]), l->tth[i])
      : s->total_delay[i];
    l->slew[i] = slew > 0 ? slew : 0;
    l->dt[i] = s->dt[i];
    l->ceff[i] = solved ? s->x1[i] : l->c_far[i] + l->c_near[i];
  }
  for (int i = 0; i < l->count; i++) l->driver[i] = state_driver(s, i);
}

void driver_lanes_solve(DriverLanes *l, const float *ramps)
{
  DriverState s;
  for (int i = l->count; i < LANES; i++) {      /* idle lanes repeat the first */
    l->c_far[i] = l->c_far[0];
    l->c_near[i] = l->c_near[0];
    l->r_pi[i] = l->r_pi[0];
    l->vth[i] = l->vth[0];
    l->vl[i] = l->vl[0];
    l->vh[i] = l->vh[0];
    l->derate[i] = l->derate[0];
    l->ramp_base[i] = l->ramp_base[0];
    for (int k = 0; k < 2 * l->segments; k++) {
      int at = (k >> 1) * LANES, t = k & 1;
      l->row_x[t][at + i] = l->row_x[t][at];
      l->row_y[t][at + i] = l->row_y[t][at];
      l->row_dy[t][at + i] = l->row_dy[t][at];
    }
  }
  classify(l, &s);
  start_search(&s);
  for (int step = 0; step < CEFF_STEPS && !all_done(s.done); step++) search_step(l, &s, ramps);
  finish_search(l, &s, ramps);
  WaveLanes w;
  const float no_guess[LANES] = { 0 };
  driver_waves(&s, &w);
  crossings(&w, l->vl, no_guess, l->tl);
  crossings(&w, l->vth, no_guess, l->tth);
  crossings(&w, l->vh, no_guess, l->th);
  store_drivers(l, &s);
}

/* --- loads ------------------------------------------------------------------------------------ */
SL_CLONES
static void load_waves(const LoadLanes *l, WaveLanes *w)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    PiDriver d;
    d.c_far = d.c_near = d.r_pi = d.rd = 0;
    d.p1 = l->p1[i];
    d.p2 = l->p2[i];
    d.k1 = l->k1[i];
    d.k3 = l->k3[i];
    d.k4 = l->k4[i];
    put_wave(w, i, wave_of_load(d, l->dt[i], l->elmore[i]));
  }
}

/* A load crosses about 0.7 of its Elmore constant after its driver. */
static void load_crossings(const LoadLanes *l, const WaveLanes *w, const float *threshold,
                           const float *driver_at, float *crossing)
{
  float guess[LANES];
  for (int i = 0; i < LANES; i++) guess[i] = driver_at[i] + 0.7f * l->elmore[i];
  crossings(w, threshold, guess, crossing);
}

SL_CLONES
static void store_loads(LoadLanes *l, const float *tl, const float *tth, const float *th)
{
#pragma omp simd
  for (int i = 0; i < LANES; i++) {
    float delay = tth[i] - l->tth[i], slew = (th[i] - tl[i]) / l->derate[i];
    l->delay[i] = delay < 0 ? l->elmore[i] : delay;
    l->slew[i] = slew < l->driver_slew[i] ? l->driver_slew[i] : slew;
  }
}

void load_lanes_solve(LoadLanes *l)
{
  WaveLanes w;
  float tl[LANES], tth[LANES], th[LANES];
  float *fields[] = { l->p1, l->p2,     l->k1, l->k3,  l->k4, l->dt,     l->vth,        l->vl,
                      l->vh, l->derate, l->tl, l->tth, l->th, l->elmore, l->driver_slew };
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
    for (int i = l->count; i < LANES; i++) fields[f][i] = fields[f][0];
  load_waves(l, &w);
  load_crossings(l, &w, l->vl, l->tl, tl);
  load_crossings(l, &w, l->vth, l->tth, tth);
  load_crossings(l, &w, l->vh, l->th, th);
  store_loads(l, tl, tth, th);
}
