/* One driver and its loads: a timing edge's delay and slew from its tables and the net's reduced
   numbers, and what its loads see.  The CPU backend solves many at a time in lanes
   (cpu/cpu_lanes.c), with the bits of these functions. */
#ifndef SL_MATH_DRIVER_H
#define SL_MATH_DRIVER_H

#include "math/ceff.h"
#include "math/condition.h"

/* A timing edge of an arc for one analysis: its tables at the input's slew, its output's
   thresholds, the net. */
typedef struct {
  TableCut   delay, slew;
  Thresholds v;
  int        ramp_base;
  float      c_far, c_near, r_pi;
} DriverProblem;

typedef struct {
  int      lumped, solved;          /* not solved: plain capacitance, loads take Elmore delays */
  float    delay, slew;
  float    ceff, rd, dt;
  PiDriver driver;
  float    tl, tth, th;             /* crossings of the output, after t0; of solved ones, as dt and
                                       driver */
} DriverSolution;

typedef struct {
  float delay, slew;
} LoadSolution;

SL_HD float driver_ceff(const float *ramps, const DriverProblem *p, PiDriver d)
{
  if (pi_is_far_only(p->c_far, p->c_near)) return p->c_far;
  CeffSearch s = ceff_start(d);
  for (int step = 0; step < CEFF_STEPS && !s.done; step++) {
    Ramp ramp = ramp_of(ramps, p->ramp_base, p->v, d.rd, s.x1, cut_value(&p->delay, s.x1),
                        cut_value(&p->slew, s.x1));
    s = ceff_step(s, charge_balance(d, p->v, ramp, s.x1));
  }
  return s.x1;
}

/* The output's waveform, where there is a ramp at the ceff found. */
SL_HD void driver_wave(const float *ramps, const DriverProblem *p, DriverSolution *r)
{
  r->driver = pi_driver(p->c_far, p->c_near, p->r_pi, r->rd);
  r->ceff = driver_ceff(ramps, p, r->driver);
  float delay = cut_value(&p->delay, r->ceff), slew = cut_value(&p->slew, r->ceff);
  Ramp ramp = ramp_of(ramps, p->ramp_base, p->v, r->rd, r->ceff, delay, slew);
  r->solved = ramp.ratio > 1.0001f && ramp.dt > 0 && slew > 0;
  if (!r->solved) return;
  r->dt = ramp.dt;
  Wave w = wave_of_driver(r->driver, r->dt);
  r->tl = driver_crossing(&w, p->v.vl);
  r->tth = driver_crossing(&w, p->v.vth);
  r->th = driver_crossing(&w, p->v.vh);
  r->delay = driver_delay(ramp, pi_is_far_only(p->c_far, p->c_near), r->tth);
  r->slew = (r->th - r->tl) / p->v.derate;
}

SL_HD void driver_solve(const float *ramps, const DriverProblem *p, DriverSolution *r)
{
  const DriverSolution none = { 0 };
  float total = p->c_far + p->c_near;
  *r = none;
  r->delay = cut_value(&p->delay, total);
  r->slew = cut_value(&p->slew, total);
  r->ceff = total;
  r->rd = driver_resistance(p->v.vth, r->delay, cut_value(&p->delay, total + 1.0f));
  r->lumped = pi_is_lumped(p->c_far, p->c_near, p->r_pi, r->rd);
  if (!r->lumped) driver_wave(ramps, p, r);
  r->slew = r->slew > 0 ? r->slew : 0;
}

/* A load follows the driver at once, after its Elmore constant, when that is next to nothing or the
   driver has no wave. */
SL_HD int load_follows(const DriverSolution *d, float elmore)
{
  return !d->solved || elmore < d->slew * 1e-3f;
}

/* A load crosses about 0.7 of its Elmore constant after its driver: where its search begins. */
SL_HD LoadSolution load_solve(const DriverSolution *d, Thresholds v, float elmore)
{
  LoadSolution r;
  if (load_follows(d, elmore)) {
    r.delay = elmore;
    r.slew = d->slew;
    return r;
  }
  Wave w = wave_of_load(d->driver, d->dt, elmore);
  float late = 0.7f * elmore;
  float tl = wave_crossing(&w, v.vl, d->tl + late), tth = wave_crossing(&w, v.vth, d->tth + late);
  float th = wave_crossing(&w, v.vh, d->th + late);
  r.delay = tth - d->tth;
  r.slew = (th - tl) / v.derate;
  if (r.delay < 0) r.delay = elmore;
  if (r.slew < d->slew) r.slew = d->slew;
  return r;
}

/* By the impulse rule: slew_out^2 = slew_in^2 + impulse^2. */
SL_HD float impulse_slew(float slew, float impulse)
{
  float square = slew * slew + impulse;
  return square > 0 ? sqrtf(square) : 0;
}

/* A load of another library measures with its own thresholds.  The edge being a straight line
   between the driver's, the crossing moves by the difference of the delay thresholds, the slew by
   the ratio of the spans. */
SL_HD void threshold_move(const Thresholds *driver, const Thresholds *load, float load_vth,
                          int edge, float *delay, float *slew)
{
  float move = *slew * driver->derate * (load_vth - driver->vth) / (driver->vh - driver->vl);
  if (time_absent(*slew)) return;
  *delay += edge == RISE ? move : -move;
  *slew *= (load->vh - load->vl) / load->derate / ((driver->vh - driver->vl) / driver->derate);
}

#endif
