/* A driver as a current source: an effective capacitance for each threshold, and what loads see.
   doc/current_source.md derives this; in short:

   The driver's current is a(t) b(V), a function of time (the input's edge) times one of the
   output's voltage V, from 0 to 1.  With y(V) = integral of dV / b(V), the output crosses V at
   the same time as with a capacitor of

     c(V) = integral of (dQ / dV) dy / y(V),

   Q is the charge that the load has drawn.  The library's tables give that time: at c(V), the
   delay for the delay threshold, delay + slew g(V) for any other.  So each threshold has its own
   effective capacitance, and nothing is assumed of a(t).

   The load is a pi model.  The waveform is straight between levels, which are solved one after the
   other, each in closed form with one step of Newton's method.  y(V) = (1 - s) V +
   s ln(1 / (1 - V)) lies between a constant current (s = 0) and a resistance (s = 1); the tables
   give s of each arc.

   A load sees the waveform through a pure delay followed by a pole, or through a pole in parallel
   with a direct part.  Both have the mean and the variance of the wire's response.

   A driver is solved without branches that depend on data, and all loops have fixed counts. */
#ifndef SL_MATH_CURRENT_SOURCE_H
#define SL_MATH_CURRENT_SOURCE_H

#include <math.h>

#include "math/ceff.h"
#include "math/rc.h"

/* Levels of the waveform: its start (V = 0), the lower, the delay and the upper threshold, one
   halfway between each two of these, and two above the upper one.  V = 1 at knot
   CS_LEVELS. */
enum { CS_LOW = 2, CS_DELAY = 4, CS_HIGH = 6, CS_LEVELS = 9, CS_KNOTS = 10 };

/* The levels for one set of thresholds, and ln(1 / (1 - v)) of each.  derate: the time between the
   outer thresholds divided by the slew of the tables. */
typedef struct {
  float v[CS_LEVELS], log_rest[CS_LEVELS], derate;
} CsLevels;

/* The model has no start or end of an edge, and its delay threshold lies between the others.  A
   library with other thresholds gets the nearest that fit, and straight edges between them. */
#define CS_LEAST_LEVEL 0.01f

SL_HD Thresholds cs_thresholds(Thresholds t)
{
  const float one = CS_LEAST_LEVEL;
  Thresholds r;
  r.vth = f_clamp(t.vth, 2 * one, 1.0f - 2 * one);
  r.vl = f_clamp(t.vl, one, r.vth - one);
  r.vh = f_clamp(t.vh, r.vth + one, 1.0f - one);
  r.derate = t.derate * ((r.vh - r.vl) / (t.vh - t.vl));
  return r;
}

SL_HD CsLevels cs_levels(Thresholds given)
{
  CsLevels l;
  Thresholds t = cs_thresholds(given);
  l.derate = t.derate;
  l.v[0] = 0;
  l.v[CS_LOW] = t.vl;
  l.v[CS_DELAY] = t.vth;
  l.v[CS_HIGH] = t.vh;
  for (int k = 1; k < CS_HIGH; k += 2) l.v[k] = 0.5f * (l.v[k - 1] + l.v[k + 1]);
  l.v[CS_HIGH + 1] = 1.0f - 0.5f * (1.0f - t.vh);
  l.v[CS_HIGH + 2] = 1.0f - 0.125f * (1.0f - t.vh);
  for (int k = 0; k < CS_LEVELS; k++) l.log_rest[k] = -m_log(1.0f - l.v[k]);
  return l;
}

/* --- the shape of the driver ---------------------------------------------------------------------
   s comes from the tables where the input is fastest and the load largest.  There a(t) is constant
   while the output moves, a level is crossed in a time proportional to c y(V), and so the slopes of
   slew and delay by the load have the ratio (y(vh) - y(vl)) / y(vth).

   s is at least CS_LEAST_BEND.  Below a drain voltage VD0 a transistor that drove the current I is
   a resistance of VD0 / (2 I) (Sakurai and Newton, 1990).  At V = 1, s is that resistance times I /
   VDD. VD0 is hardly less than a fifth of the supply in any process. */
#define CS_LEAST_BEND 0.1f

/* Slopes by the load, of measured slews. */
SL_HD float cs_bend(const CsLevels *levels, float delay_slope, float slew_slope)
{
  float span = levels->v[CS_HIGH] - levels->v[CS_LOW], delay = levels->v[CS_DELAY];
  float log_span = levels->log_rest[CS_HIGH] - levels->log_rest[CS_LOW],
        log_delay = levels->log_rest[CS_DELAY];
  float constant = slew_slope * delay - delay_slope * span;
  float by_s = delay_slope * (log_span - span) - slew_slope * (log_delay - delay);
  /* by_s <= 0: beyond what any s gives */
  float s = by_s > 0 ? constant / by_s : constant > 0 ? 1.0f : 0.0f;
  return f_clamp(s, CS_LEAST_BEND, 1.0f);
}

/* Slope between the last two loads of a table's first row. */
SL_HD float cs_table_slope(TableView t)
{
  const float *loads = t.data + t.n1, *row = loads + t.n2;
  int n = t.n2;
  return n < 2 ? 0.0f : (row[n - 1] - row[n - 2]) / (loads[n - 1] - loads[n - 2]);
}

SL_HD float cs_bend_of(const CsLevels *levels, TableView delay, TableView slew)
{
  return cs_bend(levels, cs_table_slope(delay), cs_table_slope(slew) * levels->derate);
}

SL_HD float cs_y(const CsLevels *levels, float s, int k)
{
  return levels->v[k] + s * (levels->log_rest[k] - levels->v[k]);
}

/* What gives g: a level is crossed at delay + slew g. */
typedef struct {
  float bend, delay_y, scale;
} CsShape;

SL_HD CsShape cs_shape(const CsLevels *levels, float s)
{
  CsShape r;
  r.bend = s;
  r.delay_y = cs_y(levels, s, CS_DELAY);
  r.scale = 1.0f / (cs_y(levels, s, CS_HIGH) - cs_y(levels, s, CS_LOW));
  return r;
}

SL_HD float cs_g(const CsLevels *levels, CsShape s, int k)
{
  return (cs_y(levels, s.bend, k) - s.delay_y) * s.scale;
}

/* --- the tables between the near and the total capacitance --------------------------------------
   u says how much of the far capacitance counts: c = near + u far.  The levels are solved with a
   parabola in u for each table.  It has no kinks, where a level would jump, and takes three
   readings of the tables.  Beyond u = 1 it goes on straight. */
typedef struct { float at, slope, bend; } CsCurve;    /* at + u (slope + bend (u - 1)) */

/* The least slope of a parabola, as a part of the slope of its chord. */
#define CS_LEAST_SLOPE 0.1f

/* Through a table's values at u = 0 and 1, and through that at u if it is monotone so.  by: 1 /
   (u (1 - u)). */
SL_HD CsCurve cs_curve(float near, float middle, float total, float u, float by)
{
  CsCurve c;
  c.at = near;
  c.slope = total - near;
  float most = (1.0f - CS_LEAST_SLOPE) * f_abs(c.slope);
  c.bend = f_clamp((near + c.slope * u - middle) * by, -most, most);
  return c;
}

SL_HD float cs_curve_value(CsCurve c, float u)
{
  float in = f_min(u, 1.0f);
  return c.at + in * (c.slope + c.bend * (in - 1.0f)) + (u - in) * (c.slope + c.bend);
}

SL_HD float cs_curve_slope(CsCurve c, float u)
{
  return c.slope + c.bend * (2.0f * f_min(u, 1.0f) - 1.0f);
}

/* Where the tables are read for the parabolas: near the u of the delay threshold of a ramp that
   takes `time` up to it. */
SL_HD float cs_middle(float time, float by_tau)
{
  float x = f_max(time * by_tau, 0.0f);
  return f_clamp(x / (x + 2.0f), 0.2f, 0.8f);
}

/* --- from one level to the next ------------------------------------------------------------------
   x is the time between them by tau = r c_far.  The far end lags the output by `lag`; over x this
   becomes

     lag(x) = lag + change,   change = (dv / x - lag) (1 - exp(-x)).

   What the far end gains, dv - change, is the charge, the charge gives u, and the parabolas there
   give x. */
typedef struct {
  float dv, lag;                    /* height of the step; lag at the level before */
  float fixed, weight;              /* u = fixed + weight (dv - change) at the level */
} CsStep;

/* 1 - exp(-x) without cancellation. */
SL_HD float one_minus_exp(float x)
{
  float series = x * (1.0f - x * (0.5f - x * (1.0f / 6.0f - x * (1.0f / 24.0f))));
  return x < 0.05f ? series : 1.0f - m_exp(-x);
}

/* From a level to the next: its height, and y at both ends. */
typedef struct { float dv, y_before, y; } CsGap;

/* lag, u: at the level before. */
SL_HD CsStep cs_step_of(CsGap gap, float lag, float u)
{
  CsStep p;
  float by = 1.0f / (gap.dv * gap.y);
  p.dv = gap.dv;
  p.lag = lag;
  p.fixed = u * (gap.y_before * (gap.dv * by));
  p.weight = (gap.y - gap.y_before) * by;
  return p;
}

/* The time of level k from the time before, by tau.  g: of the level.  The first piece (k = 1)
   begins where the tables say at the load that it ends with: its length is a part of the slew, and
   g that of the level less that of the start. */
SL_HD CsCurve cs_time_curve(CsCurve delay, CsCurve slew, float g, int k, float before, float by_tau)
{
  CsCurve c;
  c.at = (g * slew.at + (k > 1 ? delay.at - before : 0.0f)) * by_tau;
  c.slope = (g * slew.slope + (k > 1 ? delay.slope : 0.0f)) * by_tau;
  c.bend = (g * slew.bend + (k > 1 ? delay.bend : 0.0f)) * by_tau;
  return c;
}

/* Where the search for x begins: with x / (1 + x) for 1 - exp(-x), and the time's line at the u of
   the level before, the equation is quadratic.  It is exact for a fast and for a slow wire. */
SL_HD float cs_guess(CsStep p, CsCurve time, float u, float least)
{
  float slope = cs_curve_slope(time, u), by_change = slope * p.weight;
  float most = cs_curve_value(time, u) + slope * (p.fixed + p.weight * p.dv - u);
  float half = 0.5f * (most + by_change * p.lag - 1.0f), rest = most - by_change * p.dv;
  float square = half * half + rest, root = sqrtf(square > 0 ? square : 0.0f);
  /* the larger root, without cancellation */
  float below = root - half, x = half >= 0 ? half + root : rest / (below > 0 ? below : 1.0f);
  return x > least ? x : least;
}

/* At a level. */
typedef struct { float x, u, lag; } CsArrival;

/* One step of Newton's method from the guess x; u and lag move on along their slopes.  It has no
   branch and ends after this step, so all results are continuous. */
SL_HD CsArrival cs_arrive(CsStep p, CsCurve time, float x, float least)
{
  float inverse = 1.0f / x, gone = one_minus_exp(x), steady = p.dv * inverse;
  float away = steady - p.lag, change = away * gone;
  float by_x = away * (1.0f - gone) - steady * inverse * gone, u_by_x = p.weight * by_x;
  float u = p.fixed + p.weight * (p.dv - change);
  float off = cs_curve_value(time, u) - x, slope = 1.0f + cs_curve_slope(time, u) * u_by_x;
  CsArrival a;
  a.x = f_max(x + off / (slope > 0.1f ? slope : 0.1f), least);
  a.u = u - u_by_x * (a.x - x);
  a.lag = p.lag + change + by_x * (a.x - x);
  return a;
}

/* --- a driver ------------------------------------------------------------------------------------
   The tables are read by who holds them (driver_solve.h, cpu/source_lanes.c). */
typedef struct {
  const CsLevels *levels;
  float           bend;             /* s of the arc */
  PiModel         net;
} CsProblem;

typedef struct {
  float delay, slew;
  float c[CS_LEVELS];               /* effective capacitance by level */
  float step[CS_KNOTS];             /* from the knot before; more than 0 but for [0] */
} CsSolution;

/* No level follows the one before in less than this part of the slew: a straight piece needs some
   length. */
#define CS_LEAST_STEP 1e-4f
/* A net that reacts faster than this (ps) is one capacitor. */
#define CS_LEAST_TAU 1e-6f
/* A net that is faster than the edge by this factor is one capacitor too, and one that is slower by
   it is as good as open.  So squares of the ratio stay finite. */
#define CS_MOST_RATIO 1e12f
#define CS_LEAST_EDGE_TIME 1e-3f

SL_HD float cs_least_step(float slew) { return CS_LEAST_STEP * (slew > 1e-3f ? slew : 1e-3f); }

/* total: the tables' values at the total capacitance. */
SL_HD float cs_tau(PiModel net, DelaySlew total)
{
  float edge = f_max(f_abs(total.delay) + f_abs(total.slew), CS_LEAST_EDGE_TIME);
  float least = f_max(CS_LEAST_TAU, edge * (1.0f / CS_MOST_RATIO));
  return f_clamp(net.r_pi * net.c_far, least, edge * CS_MOST_RATIO);
}

/* Beyond the last level a parabola that ends level and has the area of an exponential with the
   slope there.  v: of the last level; dy: to it from the one before. */
SL_HD float cs_tail(float v, float bend, float dy, float last_step)
{
  float left = 1.0f - v, dy_by_dv = 1.0f - bend + bend / left;
  return 3.0f * left * last_step * dy_by_dv / dy;
}

/* What is known at a level. */
typedef struct {
  CsShape shape;
  CsCurve delay, slew;
  float   tau, by_tau, least, time, u, lag;
} CsProgress;

/* Readings of the tables, slews measured: at u = 0, `u` and 1. */
SL_HD CsProgress cs_start(CsShape shape, PiModel net, float u, DelaySlew near, DelaySlew middle,
                          DelaySlew total)
{
  CsProgress s;
  s.shape = shape;
  s.tau = cs_tau(net, total);
  s.by_tau = 1.0f / s.tau;
  float by = 1.0f / (u * (1.0f - u));
  s.delay = cs_curve(near.delay, middle.delay, total.delay, u, by);
  s.slew = cs_curve(near.slew, middle.slew, total.slew, u, by);
  s.least = cs_least_step(total.slew);
  s.time = s.u = s.lag = 0;
  return s;
}

/* To level k. */
SL_HD void cs_advance(const CsProblem *problem, CsProgress *progress, int k, CsSolution *solution)
{
  const CsLevels *levels = problem->levels;
  float least = progress->least * progress->by_tau, y = cs_y(levels, problem->bend, k),
        g = cs_g(levels, progress->shape, k);
  CsGap gap = { levels->v[k] - levels->v[k - 1], cs_y(levels, problem->bend, k - 1), y };
  CsStep step = cs_step_of(gap, progress->lag, progress->u);
  float since = k > 1 ? g : g - cs_g(levels, progress->shape, 0); /* the first piece has no start */
  CsCurve time =
      cs_time_curve(progress->delay, progress->slew, since, k, progress->time, progress->by_tau);
  CsArrival a = cs_arrive(step, time, cs_guess(step, time, progress->u, least), least);
  solution->step[k] = a.x * progress->tau;
  solution->c[k] = problem->net.c_near + a.u * problem->net.c_far;
  progress->time =
      k > 1 ? progress->time + solution->step[k]
            : cs_curve_value(progress->delay, a.u) + g * cs_curve_value(progress->slew, a.u);
  progress->u = a.u;
  progress->lag = a.lag;
}

/* Times between the thresholds by the tables' values at their capacitances. g: of the outer one. */
SL_HD float cs_low_to_delay(DelaySlew low, DelaySlew delay, float g, float least)
{
  return f_max((delay.delay - low.delay) - g * low.slew, least);
}

SL_HD float cs_delay_to_high(DelaySlew delay, DelaySlew high, float g, float least)
{
  return f_max((high.delay - delay.delay) + g * high.slew, least);
}

/* Stretches the two pieces between thresholds to a time. */
SL_HD void cs_stretch(float step[CS_KNOTS], int low, float time)
{
  float by = time / (step[low + 1] + step[low + 2]);
  step[low + 1] *= by;
  step[low + 2] *= by;
}

/* When a level is crossed. */
SL_HD float cs_level_time(const CsSolution *solution, int k)
{
  float time = solution->delay;
  for (int i = 1; i <= CS_HIGH + 2; i++)
    time += i <= k && i > CS_DELAY   ? solution->step[i]
            : i > k && i <= CS_DELAY ? -solution->step[i]
                                     : 0.0f;
  return time;
}

/* What a driver's loads need: its slew and the lengths of the pieces, by knot.  Times count from
   the crossing of the delay threshold. */
#define CS_SHAPE(X) \
  X(dt, 1) X(p1, 2) X(p2, 3) X(k1, 4) X(k3, 5) X(k4, 6) X(tl, 7) X(tth, 8) X(th, 9)

SL_HD DriverShape cs_driver_shape(const CsSolution *solution)
{
  DriverShape s;
  s.slew = solution->slew;
#define CS_SHAPE_PUT(field, k) s.field = solution->step[k];
  CS_SHAPE(CS_SHAPE_PUT)
  return s;
}

SL_HD void cs_shape_steps(const DriverShape *shape, float step[CS_KNOTS])
{
  step[0] = 0;
#define CS_SHAPE_GET(field, k) step[k] = shape->field;
  CS_SHAPE(CS_SHAPE_GET)
}

/* A straight edge of a measured slew, whose delay threshold is crossed at 0: what a port has.  An
   edge of no length is a step. */
#define CS_LEAST_EDGE 1e-3f

SL_HD void cs_ramp(const CsLevels *levels, float slew, CsSolution *solution)
{
  float given = slew / (levels->v[CS_HIGH] - levels->v[CS_LOW]);
  float length = given > CS_LEAST_EDGE ? given : CS_LEAST_EDGE;
  for (int k = 0; k < CS_LEVELS; k++) {
    solution->c[k] = 0;
    solution->step[k] = k > 0 ? length * (levels->v[k] - levels->v[k - 1]) : 0.0f;
  }
  solution->step[CS_LEVELS] = length * (1.0f - levels->v[CS_LEVELS - 1]);
  solution->delay = 0;
  solution->slew = length * (levels->v[CS_HIGH] - levels->v[CS_LOW]);
}

/* --- a load ------------------------------------------------------------------------------------
   The wire's response has the mean elmore and the variance impulse_sq.  If the variance is at most
   elmore^2, the response is a pure delay followed by a pole.  If it is larger, a part of the edge
   comes at once and the rest through a pole. */
typedef struct {
  float part, tau, by_tau, shift;   /* output = V - part lag, later by shift; by_tau: 1 / tau */
} CsWire;

/* A wire is slow enough at this (ps, a quarter of an hour): squares stay finite. */
#define CS_MOST_TAU 1e15f

SL_HD CsWire cs_wire(float given_elmore, float given_impulse_sq)
{
  CsWire w;
  float elmore = f_min(given_elmore, CS_MOST_TAU),
        impulse_sq = f_min(given_impulse_sq, CS_MOST_TAU * CS_MOST_TAU);
  float square = elmore * elmore, sum = square + impulse_sq;
  int direct = impulse_sq > square;
  float sigma = sqrtf(impulse_sq > 0 ? impulse_sq : 0.0f);
  float tau = direct ? 0.5f * sum / (elmore > CS_LEAST_TAU ? elmore : CS_LEAST_TAU) : sigma;
  w.part = direct ? 2.0f * square / sum : 1.0f;
  w.tau = tau > CS_LEAST_TAU ? tau : CS_LEAST_TAU;
  w.by_tau = 1.0f / w.tau;
  w.shift = direct ? 0.0f : elmore - sigma;
  return w;
}

/* --- what a load sees ----------------------------------------------------------------------------
   It is smooth: the waveform is a parabola on each piece, and its slope goes from knot to knot.
   With straight pieces the lag at a threshold would follow from the slope before it, although
   the slope after it counts. A driver's pieces are the same for all its loads: their lengths are
   the steps, and their bows are worked out once. Piece k ends at knot k. */
typedef struct {
  float slope, bend;                /* V = height + slope t + bend t^2 / 2 */
} __attribute__((aligned(8))) CsBow;

enum { CS_PIECES = CS_KNOTS - 1 };

/* Bows are `step` apart: memory may have those of many drivers side by side. */
typedef struct {
  CsBow   *at;
  uint32_t step;
} CsBows;

SL_HD CsBow *cs_bow_of(CsBows b, int knot) { return &b.at[(uint32_t)(knot - 1) * b.step]; }

SL_HD float cs_height(const CsLevels *levels, int knot)
{
  return knot < CS_LEVELS ? levels->v[knot] : 1.0f;
}

/* The slope of a straight piece. by_h: 1 / its length. */
SL_HD float cs_chord_slope(float by_h, float from, float to) { return (to - from) * by_h; }

/* The slope at a knot between pieces of h and next, with the slopes of their chords: of a parabola
   through the three knots, and not so large that a piece would fall. */
SL_HD float cs_knot_slope(float h, float chord, float next, float next_chord)
{
  float slope = (chord * next + next_chord * h) / (h + next);
  float most = 2.0f * f_min(chord, next_chord);
  return slope < most ? slope : most;
}

/* The start's slope makes that of the first piece even. */
SL_HD float cs_first_slope(float chord, float end) { return 2.0f * chord - end; }

/* Slopes at both ends, which may differ from those of the parabola: it goes from knot to knot. */
typedef struct { float start, end; } CsEnds;

SL_HD CsBow cs_bow(float by_h, float chord, CsEnds slope)
{
  CsBow p;
  p.slope = chord - 0.5f * (slope.end - slope.start);
  p.bend = (slope.end - slope.start) * by_h;
  return p;
}

SL_HD void cs_put_bows(const float step[CS_KNOTS], const CsLevels *levels, CsBows to)
{
  float by_h = 1.0f / step[1], chord = cs_chord_slope(by_h, 0, levels->v[1]);
  CsEnds slope = { 0, 0 };
  for (int k = 1; k < CS_KNOTS; k++) {
    float next = k < CS_LEVELS ? step[k < CS_LEVELS ? k + 1 : 0] : 1.0f, by_next = 1.0f / next;
    float next_chord = cs_chord_slope(by_next, cs_height(levels, k), cs_height(levels, k + 1));
    slope.end = k < CS_LEVELS ? cs_knot_slope(step[k], chord, next, next_chord) : 0.0f;
    if (k == 1) slope.start = cs_first_slope(chord, slope.end);
    *cs_bow_of(to, k) = cs_bow(by_h, chord, slope);
    slope.start = slope.end;
    chord = next_chord;
    by_h = by_next;
  }
}

/* A piece and the load's lag where it begins.  x is the time from there by tau: V = v + first x +
   second x^2 / 2. */
typedef struct {
  float length;                     /* in x */
  float v, first, second;
  float lag;
} CsLoadPiece;

SL_HD CsLoadPiece cs_load_piece(float length, float height, CsBow bow, CsWire w, float lag)
{
  CsLoadPiece r;
  r.length = length * w.by_tau;
  r.v = height;
  r.first = w.tau * bow.slope;
  r.second = w.tau * (w.tau * bow.bend);
  r.lag = lag;
  return r;
}

/* x - (1 - exp(-x)) without cancellation. */
SL_HD float exp_remainder(float x)
{
  float series = x * x * (0.5f - x * (1.0f / 6.0f - x * (1.0f / 24.0f - x * (1.0f / 120.0f))));
  return x < 0.1f ? series : x - (1.0f - m_exp(-x));
}

/* The slope of the lag by x is V's less the lag. */
SL_HD float cs_lag_at(CsLoadPiece p, float x)
{
  float rest = exp_remainder(x);
  return p.lag + (p.first - p.lag) * (x - rest) + p.second * rest;
}

/* Where a load crosses a level on a piece: near where a parabola does that has the load's values at
   both ends of the piece and its slope at the end.  end_lag: the lag there. */
SL_HD float cs_crossing_near(CsLoadPiece p, float part, float end_lag, float level)
{
  float end = p.first + p.second * p.length, v = p.v + 0.5f * p.length * (p.first + end);
  float before = p.v - part * p.lag, after = v - part * end_lag, left = after - level;
  float fall = p.length * ((1.0f - part) * end + part * end_lag), bend = fall - (after - before);
  float square = fall * fall - 4.0f * bend * left;
  float sum = fall + sqrtf(square > 0 ? square : 0.0f);
  float back = 2.0f * left / (sum > 1e-9f ? sum : 1e-9f);
  return p.length * (1.0f - f_clamp(back, 0.0f, 1.0f));
}

/* One step of Newton's method for the same.  The slope is at least a thousandth by the length. */
SL_HD float cs_crossing_step(CsLoadPiece p, float part, float level, float x)
{
  float lag = cs_lag_at(p, x);
  float off = p.v + x * (p.first + 0.5f * p.second * x) - part * lag - level;
  float slope = (1.0f - part) * (p.first + p.second * x) + part * lag, rise = slope * p.length;
  return f_clamp(x - off * p.length / (rise > 1e-3f ? rise : 1e-3f), 0.0f, p.length);
}

/* Beyond the waveform's end (V = 1) only the lag is left, an exponential. */
SL_HD float cs_crossing_in_tail(float lag, float part, float level)
{
  float over = part * lag / (1.0f - level);
  return m_log(over > 1.0f ? over : 1.0f);
}

/* Where the waveform begins, as the delay threshold is crossed at 0. */
SL_HD float cs_begin(float to1, float to2, float to3, float to4)
{
  return -(((to1 + to2) + to3) + to4);
}

/* A load is not before the output: whether it may cross threshold i (vl, vth, vh) up to a knot. */
SL_HD int cs_may_cross(int knot, int i) { return knot >= CS_LOW + 2 * i; }

/* Where a load crosses a threshold: on the piece to this knot (0: not found), which begins at this
   time, with lags at both its ends. */
typedef struct {
  int   knot;
  float begin, length, lag, end_lag;
} CsPlace;

SL_HD float cs_crossing(CsBows bows, const CsLevels *levels, CsWire w, CsPlace a, float level)
{
  if (a.knot > CS_PIECES) return a.begin + w.tau * cs_crossing_in_tail(a.lag, w.part, level);
  CsLoadPiece p =
      cs_load_piece(a.length, cs_height(levels, a.knot - 1), *cs_bow_of(bows, a.knot), w, a.lag);
  float near = cs_crossing_near(p, w.part, a.end_lag, level);
  return a.begin + w.tau * cs_crossing_step(p, w.part, level, near);
}

/* A driver's waveform as loads see it. */
typedef struct {
  const float    *step;             /* [CS_KNOTS] */
  CsBows          bows;
  const CsLevels *levels;
} CsWaveform;

/* The places of the thresholds vl, vth, vh. */
SL_HD void cs_places(const CsWaveform *waveform, CsWire w, CsPlace at[3])
{
  const float *step = waveform->step;
  const CsLevels *levels = waveform->levels;
  CsPlace here = { 0, cs_begin(step[1], step[2], step[3], step[4]), 0, 0, 0 };
  for (int k = 1; k <= CS_PIECES; k++) {
    CsLoadPiece p = cs_load_piece(step[k], cs_height(levels, k - 1), *cs_bow_of(waveform->bows, k),
                                  w, here.lag);
    here.knot = k;
    here.length = step[k];
    here.end_lag = cs_lag_at(p, p.length);
    float after = cs_height(levels, k) - w.part * here.end_lag;
    for (int i = 0; i < 3; i++)
      if (cs_may_cross(k, i) && at[i].knot == 0 && after >= levels->v[CS_LOW + 2 * i]) at[i] = here;
    if (k >= CS_HIGH && at[2].knot) return;
    here.begin += step[k];
    here.lag = here.end_lag;
  }
  here.knot = CS_KNOTS;
  for (int i = 0; i < 3; i++)
    if (at[i].knot == 0) at[i] = here;
}

/* A load's delay and slew; impulse_sq: WireMoments. */
SL_HD DelaySlew cs_load_of(const CsWaveform *waveform, float elmore, float impulse_sq)
{
  CsWire w = cs_wire(elmore, impulse_sq);
  const CsPlace none = { 0, 0, 0, 0, 0 };
  const CsLevels *levels = waveform->levels;
  CsPlace at[3] = { none, none, none };
  float time[3];
  cs_places(waveform, w, at);
  for (int i = 0; i < 3; i++)
    time[i] = cs_crossing(waveform->bows, levels, w, at[i], levels->v[CS_LOW + 2 * i]);
  DelaySlew r;
  r.delay = f_max(time[1] + w.shift, 0);
  r.slew = f_max((time[2] - time[0]) / levels->derate, 0);
  return r;
}

/* The same from the driver's steps (CsSolution.step). */
SL_HD DelaySlew cs_load(const float step[CS_KNOTS], const CsLevels *levels, float elmore,
                        float impulse_sq)
{
  CsBow own[CS_PIECES];
  CsWaveform d = { step, { own, 1 }, levels };
  cs_put_bows(step, levels, d.bows);
  return cs_load_of(&d, elmore, impulse_sq);
}

#endif
