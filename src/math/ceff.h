/* The effective capacitance of a driver with a pi load, after Dartu, Menezes and Pileggi (TCAD
   1996). Times are in ps, capacitances in fF, resistances in kOhm, voltages are fractions of the
   swing.

   The driver is a voltage ramp (start t0, length dt, from 0 to 1) in series with a resistance rd.
   Its load is the near capacitance c_near, the resistance r_pi and the far capacitance c_far. The
   three unknowns t0, dt and ceff satisfy three equations:

     (1) (2)  the ramp through rd into ceff crosses the delay threshold and the lower slew
              threshold when the library's tables say so at the load ceff;
     (3)      over the time T = min(slew / (vh - vl), 1.4 dt) ceff draws the charge that the pi
              load draws.

   The usual method is Newton's on all three. Here equations (1) and (2) are solved in advance. With
   times divided by rd*ceff they depend only on the time between the two crossings divided by
   rd*ceff, and a ramp table holds their solution for a pair of thresholds. One equation in ceff
   remains. Its solution lies in (0, c_far + c_near] and is found by a safeguarded secant method
   without branches. A search that is done keeps its value in further steps, so the bits are the
   same alone or in a vector.

   The waveform at the output under the pi load is then a sum of two exponentials for each corner of
   the ramp. It gives the output's slew. Through one more pole with the Elmore constant of a load it
   gives the delay and slew of that load. */
#ifndef SL_MATH_CEFF_H
#define SL_MATH_CEFF_H

#include <math.h>

#include "math/delay_model.h"
#include "math/explog.h"
#include "math/table.h"

/* The thresholds of one edge, as fractions of the swing. */
typedef struct {
  float vth, vl, vh;      /* delay threshold, lower and upper slew threshold */
  float derate;           /* slew_derate_from_library: measured slew = table slew * derate */
} Thresholds;

/* A ramp table describes the response of one pole to a ramp, with times in units of rd*ceff: the
   ramp takes u, and the response crosses vl at s and vth at s + d. The table has RAMP_FLOATS floats
   for one pair of thresholds: the least possible d, which is that of an infinitely short ramp,
   ln((1 - vl) / (1 - vth)); then u*w at RAMP_STEPS + 1 points; then (s + d)*w at as many points.
   Point i belongs to q = i / RAMP_STEPS, with d = least / (1 - q^2) and w = 1 - q^2. Both columns
   are smooth and finite over the whole range. */
enum {
  RAMP_STEPS = 512,
  RAMP_U = 1,
  RAMP_S = RAMP_U + RAMP_STEPS + 1,
  RAMP_FLOATS = RAMP_S + RAMP_STEPS + 1
};

/* --- the pi load behind rd -----------------------------------------------------------------------
   Response to the unit-slope ramp: v(t) = t + k1 + k3 exp(-p1 t) + k4 exp(-p2 t). */
typedef struct {
  float c_far, c_near, r_pi, rd;
  float p1, p2, k1, k3, k4;
} PiDriver;

/* Is the near capacitance negligible? Such loads use a form of their own (driver_delay). */
SL_HD int pi_is_far_only(float c_far, float c_near) { return c_near < c_far * 1e-3f; }

SL_HD PiDriver pi_driver(float c_far, float c_near, float r_pi, float rd)
{
  PiDriver d;
  d.c_far = c_far;
  d.c_near = c_near;
  d.r_pi = r_pi;
  d.rd = rd;
  /* Without near capacitance there is one pole. The other one moves far away, and its term
     vanishes. */
  int one_pole = pi_is_far_only(c_far, c_near);
  float c_near_used = one_pole ? 0.0f : c_near;
  float a = r_pi * rd * c_far * c_near_used;
  float b = rd * (c_far + c_near_used) + r_pi * c_far;
  float disc = b * b - 4.0f * a;
  float root = sqrtf(disc > 0 ? disc : 0);
  /* slow pole first by the stable form of the quadratic's roots */
  float p2 = 2.0f / (b + root);
  float p1 = one_pole ? 1e6f * p2 : (b + root) / (2.0f * a);
  float z = 1.0f / (r_pi * c_far);
  float apart = p1 - p2;
  apart = apart > 1e-6f * p1 ? apart : 1e-6f * p1;
  d.p1 = p1;
  d.p2 = p2;
  d.k1 = -rd * (c_far + c_near_used);
  d.k3 = one_pole ? 0.0f : p2 * (p1 - z) / (z * p1 * apart);
  d.k4 = -d.k1 - d.k3;                   /* v(0) = 0 */
  return d;
}

/* Returns the charge that the pi load has drawn at time t of the unit-slope ramp. */
SL_HD float pi_charge(PiDriver d, float t)
{
  float e1 = m_exp(-d.p1 * t), e2 = m_exp(-d.p2 * t);
  float inner = d.k3 / d.p1 * (1.0f - e1) + d.k4 / d.p2 * (1.0f - e2);
  return (-d.k1 * t - inner) / d.rd;
}

/* --- the ramp for a given ceff ---------------------------------------------------------------- */
typedef struct {
  float t0, dt;           /* start after the input crosses its threshold; length */
  float delay, slew;      /* of the tables at ceff; the slew as measured (derated) */
  float ratio;            /* time between the crossings divided by the least possible one; below 1
                             no such ramp exists */
} Ramp;

/* The place in a ramp table that belongs to a given time between the crossings: a segment, a
   fraction of it, and the scale of all times. */
typedef struct {
  int   segment;
  float fraction, scale, slew, ratio;
} RampPlace;

/* least is the first number of the ramp table. */
SL_HD RampPlace ramp_place(float least, Thresholds v, float rd, float ceff, float table_slew)
{
  RampPlace p;
  p.slew = table_slew * v.derate;
  float rc = rd * ceff;
  float distance = p.slew * (v.vth - v.vl) / (v.vh - v.vl);
  p.ratio = distance / (rc * least);
  float w = 1.0f / (p.ratio > 1.0f ? p.ratio : 1.0f);
  float at = sqrtf(1.0f - w) * (float)RAMP_STEPS;
  int i = (int)at;
  p.segment = i < RAMP_STEPS ? i : RAMP_STEPS - 1;
  p.fraction = at - (float)p.segment;
  p.scale = rc / (w > 1e-6f ? w : 1e-6f);
  return p;
}

/* Interpolates between the table's points at both ends of the segment. */
SL_HD Ramp ramp_between(const RampPlace *place, float delay, float u, float u_next, float s,
                        float s_next)
{
  Ramp r;
  r.delay = delay;
  r.slew = place->slew;
  r.ratio = place->ratio;
  r.dt = lerp(u, u_next, place->fraction) * place->scale;
  r.t0 = delay - lerp(s, s_next, place->fraction) * place->scale;
  return r;
}

/* Returns the ramp for a load ceff. The ramp table for the thresholds v begins at tables[base]. */
SL_HD Ramp ramp_of(const float *tables, int base, Thresholds v, float rd, float ceff, float delay,
                   float table_slew)
{
  RampPlace p = ramp_place(tables[base], v, rd, ceff, table_slew);
  int u = base + RAMP_U + p.segment, s = base + RAMP_S + p.segment;
  return ramp_between(&p, delay, tables[u], tables[u + 1], tables[s], tables[s + 1]);
}

/* Is there a ramp that fits the tables' values? */
SL_HD int ramp_fits(Ramp r, float table_slew)
{
  return r.ratio > 1.0001f && r.dt > 0 && table_slew > 0;
}

/* Charge balance at ceff: > 0 where the pi load draws more than ceff does; divided by what ceff
   draws. */
SL_HD float charge_balance(PiDriver d, Thresholds v, Ramp r, float ceff)
{
  float t = r.slew / (v.vh - v.vl), limit = 1.4f * r.dt;
  t = t > limit ? limit : t;
  float rc = d.rd * ceff;
  float own = ceff * (t - rc * (1.0f - m_exp(-t / rc)));
  own = own > 1e-30f ? own : 1e-30f;
  return pi_charge(d, t) / own - 1.0f;
}

/* The state of the search for ceff: the last two points and a bracket. If done is set, x1 is the
   answer. */
typedef struct {
  float x0, f0, h0, x1, low, high;
  int   done;
} CeffSearch;

enum { CEFF_STEPS = 7 };

/* Without near capacitance there is nothing to search for. */
SL_HD CeffSearch ceff_start(PiDriver d)
{
  CeffSearch s;
  float total = d.c_far + d.c_near;
  s.done = pi_is_far_only(d.c_far, d.c_near);
  s.x0 = s.high = total;
  s.x1 = s.done ? d.c_far : total;
  s.f0 = 1.0f;
  s.low = 0;
  s.h0 = 0;
  return s;
}

/* Is f no more than rounding? */
SL_HD int ceff_stays(float f) { return f_abs(f) < 1e-5f; }
/* Can the search stop after the next secant? The secant through two points leaves an error in
   proportion to the product of their f. The bound on f alone covers corners of tables between the
   points, where the product says too little. */
SL_HD int ceff_settles(float f0, float f) { return f_abs(f) < 2.5e-4f && f_abs(f0 * f) < 1e-6f; }

/* Does one step: f is the charge balance at x1, and x1 becomes the next point. The first step (x0 =
   x1) is the fixed-point iteration ceff (1 + f). All others are secants, kept inside the bracket.
   They search the zero of h = ceff f, which is nearly linear where f varies as 1/ceff (if much of
   the load is shielded). */
SL_HD CeffSearch ceff_step(CeffSearch s, float f)
{
  CeffSearch n;
  n.low = f >= 0 ? s.x1 : s.low;
  n.high = f >= 0 ? s.high : s.x1;
  float h = s.x1 * f;
  float slope = h - s.h0, width = s.x1 - s.x0;
  float fixed = s.x1 + h;
  float secant = s.x1 - h * width / (slope != 0 ? slope : 1.0f);
  float still = slope != 0 ? secant : s.x1;
  float next = width == 0 ? fixed : still;
  int outside = (next < n.low) | (next > n.high);
  next = outside ? 0.5f * (n.low + n.high) : next;
  int stays = s.done | ceff_stays(f);
  n.x0 = s.x1;
  n.f0 = f;
  n.h0 = h;
  n.x1 = stays ? s.x1 : next;
  n.done = stays | (ceff_settles(s.f0, f) & !outside);
  return n;
}

/* --- crossings of the waveforms ------------------------------------------------------------------
   w(t) = (r(t) - r(t - dt)) / dt with r(t) = t + k + a exp(-p t) + b exp(-q t) + c exp(-s t), and
   r = 0 for t < 0.  On the ramp (t <= dt) r is convex, so Newton's method converges from the right.
   After the ramp 1 - w is a sum of falling exponentials of t - dt.  Its logarithm is nearly linear,
   and Newton's method is applied to that. */
typedef struct {
  float k, a, b, c;       /* ramp part */
  float p, q, s;
  float ta, tb, tc;       /* tail part: 1 - w = ta exp(-p x) + tb exp(-q x) + tc exp(-s x), x = t -
                             dt */
  float dt, inverse_dt;
  float at_end;           /* w(dt) */
} Wave;

SL_HD Wave wave_close(Wave w, float dt)
{
  float ea = m_exp(-w.p * dt), eb = m_exp(-w.q * dt), ec = m_exp(-w.s * dt);
  w.dt = dt;
  w.inverse_dt = 1.0f / dt;
  w.ta = w.a * (1.0f - ea) * w.inverse_dt;
  w.tb = w.b * (1.0f - eb) * w.inverse_dt;
  w.tc = w.c * (1.0f - ec) * w.inverse_dt;
  w.at_end = 1.0f - w.ta - w.tb - w.tc;
  return w;
}

/* Returns the waveform at the driver's output. */
SL_HD Wave wave_of_driver(PiDriver d, float dt)
{
  Wave w;
  w.k = d.k1;
  w.a = d.k3;
  w.b = d.k4;
  w.c = 0;
  w.p = d.p1;
  w.q = d.p2;
  w.s = d.p2;
  return wave_close(w, dt);
}

/* Moves tau away from 1 / p by a relative 5e-4. The term exp(-p t) of the driver, passed through a
   pole with time constant tau, has the factor 1 / (1 - p tau). Where the two poles meet, this term
   and that of the load's pole are large and nearly cancel. */
SL_HD float away_from_pole(float p, float tau)
{
  const float least = 5e-4f;
  float gap = 1.0f - p * tau;
  float wanted = gap >= 0 ? least : -least;
  /* p tau is then 1 - wanted, up to gap^2 */
  return f_abs(gap) < least ? tau * (1.0f + gap - wanted) : tau;
}

/* A load's waveform: the driver's through one pole with the load's Elmore constant. */
SL_HD Wave wave_of_load(const DriverShape *shape, float elmore)
{
  Wave w;
  float tau = away_from_pole(shape->p2, away_from_pole(shape->p1, elmore));
  w.k = shape->k1 - tau;
  w.a = shape->k3 / (1.0f - shape->p1 * tau);
  w.b = shape->k4 / (1.0f - shape->p2 * tau);
  w.c = -w.k - w.a - w.b;
  w.p = shape->p1;
  w.q = shape->p2;
  w.s = 1.0f / tau;
  return wave_close(w, shape->dt);
}

/* Does one Newton step towards the time at which wave crosses v. */
SL_HD float wave_step(const Wave *wave, float v, int in_tail, float t)
{
  float x = in_tail ? t - wave->dt : t;
  float ea = m_exp(-wave->p * x), eb = m_exp(-wave->q * x), ec = m_exp(-wave->s * x);
  float a = (in_tail ? wave->ta : wave->a) * ea, b = (in_tail ? wave->tb : wave->b) * eb,
        c = (in_tail ? wave->tc : wave->c) * ec;
  float sum = a + b + c, fall = wave->p * a + wave->q * b + wave->s * c;
  /* ramp: (t + k + sum) / dt = v, slope (1 - fall) / dt */
  float ramp_slope = 1.0f - fall;
  float ramp_next =
      t - (t + wave->k + sum - v * wave->dt) / (ramp_slope > 1e-4f ? ramp_slope : 1e-4f);
  ramp_next = f_clamp(ramp_next, 0.0f, wave->dt);
  /* tail: ln(sum) = ln(1 - v), slope -fall / sum */
  float gap = m_log(sum) - m_log(1.0f - v);
  float rate = fall / (sum > 1e-20f ? sum : 1e-20f);
  float least = 0.1f * f_min(wave->q, wave->s);
  float tail_next = x + gap / (rate > least ? rate : least);
  tail_next = (tail_next > 0 ? tail_next : 0) + wave->dt;
  return in_tail ? tail_next : ramp_next;
}

enum { WAVE_STEPS = 5 };

/* Has the iteration converged? The error after a Newton step varies as the square of the step.
   After a step of one part in 4,000 only rounding is left. */
SL_HD int wave_settles(float t, float next) { return f_abs(next - t) <= 2.5e-4f * next; }

SL_HD float wave_start(const Wave *wave, float v, float guess)
{
  float right = v * wave->dt - wave->k; /* the straight part of the ramp response, to the right of
                                            the crossing */
  float ramp = right < wave->dt ? right : wave->dt;
  float tail = guess > wave->dt ? guess : wave->dt;
  return v > wave->at_end ? tail : ramp;
}

/* The two kinds of step of wave_step as separate functions, with the same bits, for code that can
   branch. terms is 2 if the third exponential is absent, else 3. */
SL_HD float ramp_step(const Wave *wave, int terms, float v, float t)
{
  float a = wave->a * m_exp(-wave->p * t), b = wave->b * m_exp(-wave->q * t),
        c = terms > 2 ? wave->c * m_exp(-wave->s * t) : 0.0f;
  float sum = a + b + c, fall = wave->p * a + wave->q * b + (terms > 2 ? wave->s * c : 0.0f);
  float slope = 1.0f - fall;
  float next = t - (t + wave->k + sum - v * wave->dt) / (slope > 1e-4f ? slope : 1e-4f);
  return f_clamp(next, 0.0f, wave->dt);
}

/* log_rest is log(1 - v). */
SL_HD float tail_step(const Wave *wave, int terms, float log_rest, float t)
{
  float x = t - wave->dt;
  float a = wave->ta * m_exp(-wave->p * x), b = wave->tb * m_exp(-wave->q * x),
        c = terms > 2 ? wave->tc * m_exp(-wave->s * x) : 0.0f;
  float sum = a + b + c, fall = wave->p * a + wave->q * b + (terms > 2 ? wave->s * c : 0.0f);
  float gap = m_log(sum) - log_rest;
  float rate = fall / (sum > 1e-20f ? sum : 1e-20f);
  float least = 0.1f * f_min(wave->q, wave->s);
  float next = x + gap / (rate > least ? rate : least);
  return (next > 0 ? next : 0) + wave->dt;
}

SL_HD float crossing_of(const Wave *wave, int terms, float v, float guess)
{
  float t = wave_start(wave, v, guess);
  if (v > wave->at_end) {
    float log_rest = m_log(1.0f - v);
    for (int i = 0; i < WAVE_STEPS; i++) {
      float last = t;
      t = tail_step(wave, terms, log_rest, last);
      if (wave_settles(last, t)) break;
    }
  } else {
    for (int i = 0; i < WAVE_STEPS; i++) {
      float last = t;
      t = ramp_step(wave, terms, v, last);
      if (wave_settles(last, t)) break;
    }
  }
  return t;
}

SL_HD float wave_crossing(const Wave *wave, float v, float guess)
{
  return crossing_of(wave, 3, v, guess);
}
/* The same for a driver's waveform, which has two exponentials. */
SL_HD float driver_crossing(const Wave *wave, float v) { return crossing_of(wave, 2, v, 0); }

/* --- what `ceff` makes of the waveforms ------------------------------------------------------- */
/* When a waveform crosses the lower slew threshold, the delay threshold and the upper slew
   threshold, after the ramp's start. */
typedef struct { float tl, tth, th; } WaveCrossings;

/* A driver's waveform, and what it comes from. */
typedef struct {
  Thresholds    v;
  PiDriver      pi;
  float         ceff;
  DelaySlew     table;               /* the tables' values at ceff */
  float         t0, dt;              /* the ramp there */
  WaveCrossings at;
} DriverWave;

/* With near capacitance the charge has found a ceff, and the table's delay there is the answer.
   Without, no charge is balanced: the table's delay and slew at the far capacitance give the ramp
   alone, and were the output's only with that capacitance right at the driver.  Here the resistance
   stands between, and the output crosses earlier: the waveform's crossing. */
SL_HD DelaySlew ceff_driver(const DriverWave *wave)
{
  DelaySlew r;
  r.delay =
      pi_is_far_only(wave->pi.c_far, wave->pi.c_near) ? wave->t0 + wave->at.tth : wave->table.delay;
  r.slew = (wave->at.th - wave->at.tl) / wave->v.derate;
  return r;
}

/* No load is before its driver, and none is steeper. */
SL_HD DelaySlew ceff_load(const DriverShape *shape, Thresholds v, float elmore, WaveCrossings at)
{
  float delay = at.tth - shape->tth, slew = (at.th - at.tl) / v.derate;
  DelaySlew r;
  r.delay = delay < 0 ? elmore : delay;
  r.slew = slew < shape->slew ? shape->slew : slew;
  return r;
}

/* --- whether there is a waveform -------------------------------------------------------------- */
/* The load is as good as one capacitor. */
SL_HD int pi_is_lumped(float c_far, float c_near, float r_pi, float rd)
{
  return rd < 1e-5f /* 0.01 ohm */ || r_pi <= rd * 1e-3f || c_far <= 0 || c_far < c_near * 1e-3f;
}

/* Returns the driver's resistance. It follows from the slope of the delay table between the total
   capacitance and 1 fF more. */
SL_HD float driver_resistance(float vth, float delay_at, float delay_1ff_more)
{
  return -m_log(vth) * f_abs(delay_1ff_more - delay_at);
}

#endif
