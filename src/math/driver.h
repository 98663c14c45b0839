/* Solves one driver and its loads: the delay and slew of a timing edge from its tables and the
   reduced net, and the delays and slews at the loads. Units are ps, fF and kOhm. The CPU solves
   many drivers at a time in lanes (cpu/cpu_lanes.c); its results have the same bits as these
   functions. */
#ifndef SL_MATH_DRIVER_H
#define SL_MATH_DRIVER_H

#include "math/ceff.h"
#include "math/condition.h"
#include "math/current_source.h"
#include "math/delay_model.h"
#include "math/rc.h"

/* Delay and slew of an edge and, for reports, the numbers on the way. */
typedef struct {
  int   lumped;                  /* the net's resistance is negligible: one capacitor
                                    (pi_is_lumped) */
  float delay, slew;
  float ceff;                    /* where the tables were looked up */
  float rd, t0;                  /* ceff: driver resistance; start of the ramp, if the driver has a
                                    waveform */
  DriverShape shape;             /* for the loads */
} DriverSolution;

/* --- what a model makes of a driver ----------------------------------------------------------- */
SL_HD DelaySlew driver_measure(int model, const DriverWave *wave)
{
  switch (model) {
  case DELAY_CEFF:
  default: return ceff_driver(wave);
  }
}

/* shape.slew is left to the caller. */
SL_HD DriverShape driver_shape(const DriverWave *wave)
{
  DriverShape s;
  s.slew = 0;
  s.dt = wave->dt;
  s.p1 = wave->pi.p1;
  s.p2 = wave->pi.p2;
  s.k1 = wave->pi.k1;
  s.k3 = wave->pi.k3;
  s.k4 = wave->pi.k4;
  s.tl = wave->at.tl;
  s.tth = wave->at.tth;
  s.th = wave->at.th;
  return s;
}

/* --- what a model with a ramp makes of a load; current_source has load_source ----------------- */
SL_HD int shape_has_wave(const DriverShape *shape) { return shape->dt > 0; }

/* If the wire's Elmore constant is less than a thousandth of the driver's slew, or if the driver
   has no waveform, the load has the driver's slew, and its delay is the Elmore constant. */
SL_HD int load_inherits(const DriverShape *shape, WireMoments wire)
{
  return !shape_has_wave(shape) || wire.elmore < shape->slew * 1e-3f;
}

SL_HD DelaySlew load_inherited(const DriverShape *shape, WireMoments wire)
{
  DelaySlew r;
  r.delay = wire.elmore;
  r.slew = shape->slew;
  return r;
}

SL_HD Wave wave_at_load(int model, const DriverShape *shape, WireMoments wire)
{
  switch (model) {
  case DELAY_CEFF:
  default: return wave_of_load(shape, wire.elmore);
  }
}

/* The search for a load's crossing begins 0.7 Elmore constants after that of the driver. */
SL_HD float load_guess(float driver_at, WireMoments wire) { return driver_at + 0.7f * wire.elmore; }

SL_HD DelaySlew load_measure(int model, const DriverShape *shape, Thresholds v, WireMoments wire,
                             WaveCrossings at)
{
  switch (model) {
  case DELAY_CEFF:
  default: return ceff_load(shape, v, wire.elmore, at);
  }
}

/* A load of current_source. It needs neither wave_at_load nor load_measure. */
SL_HD DelaySlew load_source(const DriverShape *shape, Thresholds v, WireMoments wire)
{
  float step[CS_KNOTS];
  CsLevels levels = cs_levels(v);
  cs_shape_steps(shape, step);
  return cs_load(step, &levels, wire.elmore, wire.impulse_sq);
}

SL_HD DelaySlew load_solve(int model, const DriverShape *shape, Thresholds v, WireMoments wire)
{
  WaveCrossings at;
  if (load_inherits(shape, wire)) return load_inherited(shape, wire);
  if (delay_by_levels(model)) return load_source(shape, v, wire);
  Wave w = wave_at_load(model, shape, wire);
  at.tl = wave_crossing(&w, v.vl, load_guess(shape->tl, wire));
  at.tth = wave_crossing(&w, v.vth, load_guess(shape->tth, wire));
  at.th = wave_crossing(&w, v.vh, load_guess(shape->th, wire));
  return load_measure(model, shape, v, wire, at);
}

/* Converts a delay and slew to the thresholds of a load from another library. The edge is taken as
   a straight line between the driver's thresholds. So the delay moves by the difference of the
   delay thresholds, and the slew scales by the ratio of the spans. */
SL_HD void threshold_move(const Thresholds *driver, const Thresholds *load, float load_vth,
                          int edge, float *delay, float *slew)
{
  float move = *slew * driver->derate * (load_vth - driver->vth) / (driver->vh - driver->vl);
  if (time_absent(*slew)) return;
  *delay += edge == RISE ? move : -move;
  *slew *= (load->vh - load->vl) / load->derate / ((driver->vh - driver->vl) / driver->derate);
}

/* --- driver_solve: with tables cut at the input's slew ---------------------------------------- */
typedef struct {
  TableCut     delay, slew;
  const float *ramps;            /* ramp tables, and the index where the table for the output's
                                    thresholds begins */
  int          ramp_base;
} DriverTables;

SL_HD DelaySlew driver_tables_at(const DriverTables *tables, float cap)
{
  DelaySlew r;
  r.delay = cut_value(&tables->delay, cap);
  r.slew = cut_value(&tables->slew, cap);
  return r;
}

SL_HD Ramp driver_ramp(const DriverTables *tables, Thresholds v, float rd, float ceff, DelaySlew at)
{
  return ramp_of(tables->ramps, tables->ramp_base, v, rd, ceff, at.delay, at.slew);
}

SL_HD float driver_bend(const DriverTables *tables, const CsLevels *levels)
{
  return cs_bend_of(levels, tables->delay.t, tables->slew.t);
}

SL_HD const CsLevels *driver_own_levels(Thresholds v, CsLevels *own)
{
  *own = cs_levels(v);
  return own;
}

#define SOLVE_PART(name) driver_##name
#define SOLVE_TABLES     const DriverTables
#define SOLVE_AT         driver_tables_at
#define SOLVE_RAMP       driver_ramp
#define SOLVE_BEND       driver_bend
#define SOLVE_LEVELS(tables, v, own) driver_own_levels(v, own)
#include "math/driver_solve.h"

#endif
