/* A driver as a current source: an effective capacitance for each threshold, and what loads see.
   doc/current_source.md derives this; in short:

   The driver's current is a(t) b(V), a function of time (the input's edge) times one of the
   output's voltage V, from 0 to 1.  With y(V) = integral of dV / b(V), the output crosses V when it
   would with the capacitance

     c(V) = integral of (dQ / dV) dy / y(V),

   Q being the charge that the load has drawn.  The library's tables tell that time: at c(V), the
   delay for the delay threshold, delay + slew g(V) for any other.  So each threshold has its own
   effective capacitance, and nothing is assumed of a(t).

   The load is a pi model.  The waveform is straight between levels, which are solved one after the
   other.  y(V) = (1 - s) V + s ln(1 / (1 - V)) lies between a constant current (s = 0) and a
   resistance (s = 1); the tables tell s of each arc.

   A load sees the waveform through one pole, behind a pure delay or beside a direct part: these
   have the mean and the variance of the wire's response.

   No branch depends on data but by ?:, and loops have fixed counts. */
#ifndef SL_MATH_CURRENT_SOURCE_H
#define SL_MATH_CURRENT_SOURCE_H

#include <math.h>

#include "math/ceff.h"
#include "math/rc.h"

/* Levels of the waveform: its start (V = 0), the lower, the delay and the upper threshold, one
   halfway between each two of these, and two above the upper one.  Knot CS_LEVELS is where V = 1.
   */
enum { CS_LOW = 2, CS_DELAY = 4, CS_HIGH = 6, CS_LEVELS = 9, CS_KNOTS = 10 };

/* Of thresholds: the levels, and ln(1 / (1 - v)). */
typedef struct {
  float v[CS_LEVELS], log_rest[CS_LEVELS];
} CsLevels;

SL_HD CsLevels cs_levels(Thresholds t)
{
  CsLevels l;
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
SL_HD float cs_bend(const CsLevels *l, float delay_slope, float slew_slope)
{
  float span = l->v[CS_HIGH] - l->v[CS_LOW], delay = l->v[CS_DELAY];
  float log_span = l->log_rest[CS_HIGH] - l->log_rest[CS_LOW], log_delay = l->log_rest[CS_DELAY];
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

SL_HD float cs_bend_of(const CsLevels *l, TableView delay, TableView slew, float derate)
{
  return cs_bend(l, cs_table_slope(delay), cs_table_slope(slew) * derate);
}

/* y of the levels, and g: a level is crossed at delay + slew g. */
typedef struct {
  float y[CS_LEVELS], g[CS_LEVELS];
} CsShape;

SL_HD CsShape cs_shape(const CsLevels *l, float s)
{
  CsShape r;
  for (int k = 0; k < CS_LEVELS; k++) r.y[k] = l->v[k] + s * (l->log_rest[k] - l->v[k]);
  float scale = 1.0f / (r.y[CS_HIGH] - r.y[CS_LOW]);
  for (int k = 0; k < CS_LEVELS; k++) r.g[k] = (r.y[k] - r.y[CS_DELAY]) * scale;
  return r;
}

/* --- the tables near a load ------------------------------------------------------------------- */
typedef struct {
  float c, delay, slew;             /* at the load c; slew measured (derated) */
  float delay_slope, slew_slope;    /* of the segment that c is in */
} CsLine;

/* When a level of this g is crossed with the load c. */
SL_HD float cs_line_time(const CsLine *l, float g, float c)
{
  return l->delay + g * l->slew + (l->delay_slope + g * l->slew_slope) * (c - l->c);
}

/* The slope that cut_value has at a load, with the same bits. */
SL_HD float cut_slope(const TableCut *c, float load)
{
  if (!c->laid_out) {
    const float *loads = c->t.data + c->t.n1, *a = loads + c->t.n2 + c->segment * c->t.n2,
                *b = c->t.n1 < 2 ? a : a + c->t.n2;
    int k = axis_segment(loads, c->t.n2, load);
    float y = lerp(a[k], b[k], c->fraction), next = lerp(a[k + 1], b[k + 1], c->fraction);
    return (next - y) / (loads[k + 1] - loads[k]);
  }
  float dy = c->dy[0];
  for (int k = 1; k < CUT_SEGMENTS; k++) dy = load >= c->x[k] ? c->dy[k] : dy;
  return dy;
}

SL_HD CsLine cs_line(const TableCut *delay, const TableCut *slew, float derate, float c)
{
  CsLine l;
  l.c = c;
  l.delay = cut_value(delay, c);
  l.slew = cut_value(slew, c) * derate;
  l.delay_slope = cut_slope(delay, c);
  l.slew_slope = cut_slope(slew, c) * derate;
  return l;
}

/* --- from one level to the next ------------------------------------------------------------------
   h is the time between them.  The far end lags behind the output; over h the lag goes on as

     lag(h) = (dv / h) tau (1 - e) + lag e,   e = exp(-h / tau).

   What the far end gains is the charge, the charge gives the effective capacitance, and the tables
   there give h. */
typedef struct {
  float c_far, c_near, tau;
  float lag, cy;                    /* at the level before; cy: c(V) y(V) */
  float dv, dy, y;                  /* the step, and y at its end */
  float base, by_c, c0;             /* the tables: h = base + by_c (c - c0) */
} CsStep;

/* 1 - exp(-x) without cancellation. */
SL_HD float one_minus_exp(float x)
{
  float series = x * (1.0f - x * (0.5f - x * (1.0f / 6.0f - x * (1.0f / 24.0f))));
  return x < 0.05f ? series : 1.0f - m_exp(-x);
}

typedef struct {
  float c, lag, slope;              /* at the end of h; slope: dc / dh */
} CsPoint;

SL_HD CsPoint cs_at(const CsStep *p, float h)
{
  CsPoint r;
  float over = p->tau / h, gone = one_minus_exp(h / p->tau), steady = p->dv * over;
  float change = (steady - p->lag) * gone;
  float by_h = ((steady - p->lag) * (1.0f - gone) - steady * over * gone) / p->tau;
  float weight = p->dy * p->c_far / (p->dv * p->y);
  r.lag = p->lag + change;
  r.c = (p->cy + p->dy * p->c_near) / p->y + weight * (p->dv - change);
  r.slope = -weight * by_h;
  return r;
}

/* One step of Newton's method for h.  The equation is concave: from the right no step leaves that
   side. */
SL_HD float cs_newton(const CsStep *p, float h, float least)
{
  CsPoint at = cs_at(p, h);
  float off = p->base + p->by_c * (at.c - p->c0) - h, slope = p->by_c * at.slope - 1.0f;
  float next = h - off / (slope < -0.1f ? slope : -0.1f);
  return next > least ? next : least;
}

/* Where the search begins: the far end has caught up. */
SL_HD float cs_longest(const CsStep *p, float least)
{
  float weight = p->dy * p->c_far / (p->dv * p->y);
  float c = (p->cy + p->dy * p->c_near) / p->y + weight * (p->dv + p->lag);
  float h = p->base + p->by_c * (c - p->c0);
  return h > least ? h : least;
}

/* --- a driver ------------------------------------------------------------------------------------
   The levels are solved by who holds the tables (driver_solve.h, cpu/source_lanes.c), with these
   parts. */
typedef struct {
  Thresholds v;
  CsLevels   levels;
  float      bend;                  /* s of the arc */
  PiModel    net;
} CsProblem;

typedef struct {
  float delay, slew;
  float c[CS_LEVELS];               /* effective capacitance by level */
  float time[CS_LEVELS];            /* when a level is crossed; [0]: the start of the motion */
  float step[CS_KNOTS];             /* from the knot before; more than 0 but for [0] */
} CsSolution;

/* No level follows the one before in less than this part of the slew: a straight piece needs some
   length. */
#define CS_LEAST_STEP 1e-4f
/* A net that reacts faster than this (ps) is one capacitor. */
#define CS_LEAST_TAU 1e-6f
enum { CS_STEPS = 2 };

SL_HD float cs_least_step(float slew) { return CS_LEAST_STEP * (slew > 1e-3f ? slew : 1e-3f); }

/* From a level to the next: heights, and y at the end. */
typedef struct { float dv, dy, y; } CsGap;

SL_HD CsStep cs_step_of(PiModel net, CsGap gap, float lag, float cy)
{
  CsStep e;
  float tau = net.r_pi * net.c_far;
  e.c_far = net.c_far;
  e.c_near = net.c_near;
  e.tau = tau > CS_LEAST_TAU ? tau : CS_LEAST_TAU;
  e.lag = lag;
  e.cy = cy;
  e.dv = gap.dv;
  e.dy = gap.dy;
  e.y = gap.y;
  e.base = e.by_c = e.c0 = 0;
  return e;
}

/* g: of the level.  The first piece (k = 1) begins where the tables say at the load that it ends
   with: its length is a part of the slew, and g that of the level less that of the start. */
SL_HD void cs_use_line(CsStep *e, float g, const CsLine *l, int k, float before)
{
  e->base = g * l->slew + (k > 1 ? l->delay - before : 0.0f);
  e->by_c = g * l->slew_slope + (k > 1 ? l->delay_slope : 0.0f);
  e->c0 = l->c;
}

/* Beyond the last level a parabola that ends level and has the area of an exponential with the
   slope there.  v: of the last level; dy: to it from the one before. */
SL_HD float cs_tail(float v, float bend, float dy, float last_step)
{
  float left = 1.0f - v, dy_by_dv = 1.0f - bend + bend / left;
  return 3.0f * left * last_step * dy_by_dv / dy;
}

/* The thresholds are read from the tables where they are crossed; so is the first level, whose
   capacitance may be far from the total one.  The others use the same segments. */
SL_HD int cs_looks_up(int k) { return (k == 1) | ((k <= CS_HIGH) & (k % 2 == 0)); }

/* What is known at a level.  line: of the tables where they were read last. */
typedef struct {
  CsShape shape;
  CsLine  line;
  CsStep  e;
  CsPoint at;
  float   least, lag, cy, h;
} CsProgress;

SL_HD CsProgress cs_start(const CsProblem *p, CsLine line, CsSolution *r)
{
  CsProgress s;
  s.shape = cs_shape(&p->levels, p->bend);
  s.line = line;
  s.least = cs_least_step(line.slew);
  s.lag = s.cy = 0;
  r->c[0] = r->time[0] = r->step[0] = 0;
  return s;
}

SL_HD float cs_gap_g(const CsProgress *s, int k)
{
  return k > 1 ? s->shape.g[k] : s->shape.g[1] - s->shape.g[0];
}

/* Where level k is crossed (s->at), with the tables' line at hand. */
SL_HD void cs_seek(const CsProblem *p, CsProgress *s, int k, const CsSolution *r)
{
  CsGap gap;
  gap.dv = p->levels.v[k] - p->levels.v[k - 1];
  gap.dy = s->shape.y[k] - s->shape.y[k - 1];
  gap.y = s->shape.y[k];
  s->e = cs_step_of(p->net, gap, s->lag, s->cy);
  cs_use_line(&s->e, cs_gap_g(s, k), &s->line, k, r->time[k - 1]);
  s->h = cs_longest(&s->e, s->least);
  for (int i = 0; i < CS_STEPS; i++) s->h = cs_newton(&s->e, s->h, s->least);
  s->at = cs_at(&s->e, s->h);
}

/* The same with the tables' line there. */
SL_HD void cs_seek_again(CsProgress *s, CsLine line, int k, const CsSolution *r)
{
  s->line = line;
  cs_use_line(&s->e, cs_gap_g(s, k), &s->line, k, r->time[k - 1]);
  s->at = cs_at(&s->e, cs_newton(&s->e, s->h, s->least));
}

SL_HD void cs_settle(CsProgress *s, int k, CsSolution *r)
{
  if (k == 1) r->time[0] = cs_line_time(&s->line, s->shape.g[0], s->at.c);
  float time = cs_line_time(&s->line, s->shape.g[k], s->at.c), step = time - r->time[k - 1];
  r->time[k] = step > s->least ? time : r->time[k - 1] + s->least;
  r->step[k] = step > s->least ? step : s->least;
  r->c[k] = s->at.c;
  s->lag = s->at.lag;
  s->cy = s->at.c * s->shape.y[k];
}

SL_HD void cs_finish(const CsProblem *p, const CsProgress *s, CsSolution *r)
{
  int last = CS_LEVELS - 1;
  float dy = s->shape.y[last] - s->shape.y[last - 1];
  r->step[CS_LEVELS] = cs_tail(p->levels.v[last], p->bend, dy, r->step[last]);
  r->delay = r->time[CS_DELAY];
  r->slew = (r->time[CS_HIGH] - r->time[CS_LOW]) / p->v.derate;
}

/* What a driver's loads need: its slew and the lengths of the pieces, by knot.  Times count from
   the crossing of the delay threshold. */
#define CS_SHAPE(X) \
  X(dt, 1) X(p1, 2) X(p2, 3) X(k1, 4) X(k3, 5) X(k4, 6) X(tl, 7) X(tth, 8) X(th, 9)

SL_HD DriverShape cs_driver_shape(const CsSolution *r)
{
  DriverShape s;
  s.slew = r->slew;
#define CS_SHAPE_PUT(field, k) s.field = r->step[k];
  CS_SHAPE(CS_SHAPE_PUT)
  return s;
}

SL_HD void cs_shape_steps(const DriverShape *s, float step[CS_KNOTS])
{
  step[0] = 0;
#define CS_SHAPE_GET(field, k) step[k] = s->field;
  CS_SHAPE(CS_SHAPE_GET)
}

/* A straight edge of a measured slew, whose delay threshold is crossed at 0: what a port has.  An
   edge of no length is a step. */
#define CS_LEAST_EDGE 1e-3f

SL_HD void cs_ramp(const CsLevels *l, float slew, CsSolution *r)
{
  float given = slew / (l->v[CS_HIGH] - l->v[CS_LOW]);
  float length = given > CS_LEAST_EDGE ? given : CS_LEAST_EDGE;
  for (int k = 0; k < CS_LEVELS; k++) {
    r->c[k] = 0;
    r->time[k] = length * (l->v[k] - l->v[CS_DELAY]);
    r->step[k] = k > 0 ? length * (l->v[k] - l->v[k - 1]) : 0.0f;
  }
  r->step[CS_LEVELS] = length * (1.0f - l->v[CS_LEVELS - 1]);
  r->delay = 0;
  r->slew = length * (l->v[CS_HIGH] - l->v[CS_LOW]);
}

/* --- a load ------------------------------------------------------------------------------------
   The wire's response has the mean elmore and the variance impulse.  A variance up to elmore^2: a
   pole behind a pure delay.  A larger one: a part of the edge comes at once, the rest through a
   pole. */
typedef struct {
  float part, tau, shift;           /* output = V - part lag, later by shift */
} CsWire;

SL_HD CsWire cs_wire(float elmore, float impulse)
{
  CsWire w;
  float square = elmore * elmore, sum = square + impulse;
  int direct = impulse > square;
  float sigma = sqrtf(impulse > 0 ? impulse : 0.0f);
  float tau = direct ? 0.5f * sum / (elmore > CS_LEAST_TAU ? elmore : CS_LEAST_TAU) : sigma;
  w.part = direct ? 2.0f * square / sum : 1.0f;
  w.tau = tau > CS_LEAST_TAU ? tau : CS_LEAST_TAU;
  w.shift = direct ? 0.0f : elmore - sigma;
  return w;
}

/* What a load sees is smooth: the waveform is a parabola on each piece, v + first t + second t^2,
   and its slope goes from knot to knot.  Straight pieces would lag by the slope before a threshold
   where the slope behind it counts. */
typedef struct {
  float begin, h, v, first, second;
  float lag;                        /* of the load, at the start of the piece */
  int   last;                       /* V = 1 from here on */
} CsPiece;

/* x - (1 - exp(-x)) without cancellation. */
SL_HD float exp_remainder(float x)
{
  float series = x * x * (0.5f - x * (1.0f / 6.0f - x * (1.0f / 24.0f - x * (1.0f / 120.0f))));
  return x < 0.1f ? series : x - (1.0f - m_exp(-x));
}

/* lag' = V' - lag / tau */
SL_HD float cs_lag_at(const CsWire *w, const CsPiece *p, float t)
{
  float x = t / w->tau, rest = exp_remainder(x);
  return p->lag + (w->tau * p->first - p->lag) * (x - rest)
         + 2.0f * p->second * w->tau * w->tau * rest;
}

enum { CS_LOAD_STEPS = 3 };

/* One step of Newton's method for when the load crosses a level on a piece. */
SL_HD float cs_crossing_step(const CsWire *w, const CsPiece *p, float level, float t)
{
  float lag = cs_lag_at(w, p, t), rate = p->first + 2.0f * p->second * t;
  float off = p->v + t * (p->first + p->second * t) - w->part * lag - level;
  float slope = (1.0f - w->part) * rate + w->part / w->tau * lag, flat = 1e-3f / p->h;
  return f_clamp(t - off / (slope > flat ? slope : flat), 0.0f, p->h);
}

/* Beyond the waveform's end only the lag is left, an exponential: the time after the piece's
   beginning. */
SL_HD float cs_crossing_in_tail(const CsWire *w, const CsPiece *p, float level)
{
  float over = w->part * p->lag / (1.0f - level);
  return w->tau * m_log(over > 1.0f ? over : 1.0f);
}

/* The search begins where the chord of the piece crosses. */
SL_HD float cs_crossing(const CsWire *w, const CsPiece *p, float level, float chord)
{
  float t = f_clamp(chord, 0.0f, p->h);
  for (int i = 0; i < CS_LOAD_STEPS; i++) t = cs_crossing_step(w, p, level, t);
  return p->begin + (p->last ? cs_crossing_in_tail(w, p, level) : t);
}

/* The slope at a knot between pieces of h and next, rising by dv and dv_next: of a parabola through
   the three knots, and not so large that a piece would fall. */
SL_HD float cs_knot_slope(float h, float dv, float next, float dv_next)
{
  float before = dv / h, after = dv_next / next;
  float slope = (before * next + after * h) / (h + next), most = 2.0f * f_min(before, after);
  return slope < most ? slope : most;
}

/* Moves p on: the piece of length h to the height `to`.  start, end: slopes there. */
SL_HD void cs_next_piece(CsPiece *p, float h, float to, float start, float end)
{
  p->h = h;
  p->second = 0.5f * (end - start) / h;
  p->first = (to - p->v) / h - p->second * h;
}

SL_HD float cs_height(const CsLevels *l, int knot) { return knot < CS_LEVELS ? l->v[knot] : 1.0f; }

/* The slope at a knot; none at the end, and at the start what makes the first slope even. */
SL_HD float cs_slope_at(const float step[CS_KNOTS], const CsLevels *l, int knot)
{
  if (knot >= CS_LEVELS) return 0;
  float here = cs_height(l, knot);
  return cs_knot_slope(step[knot], here - cs_height(l, knot - 1), step[knot + 1],
                       cs_height(l, knot + 1) - here);
}

SL_HD float cs_first_slope(float v, float step, float slope) { return 2.0f * v / step - slope; }

/* Where the waveform begins, as the delay threshold is crossed at 0. */
SL_HD float cs_begin(float to1, float to2, float to3, float to4)
{
  return -(((to1 + to2) + to3) + to4);
}

/* The pieces on which a load crosses the thresholds vl, vth, vh, and where about. */
SL_HD void cs_places(const float step[CS_KNOTS], const CsLevels *l, const CsWire *w, CsPiece at[3],
                     float chord[3])
{
  CsPiece p = { cs_begin(step[1], step[2], step[3], step[4]), 0, 0, 0, 0, 0, 0 };
  int found[3] = { 0, 0, 0 };
  float start = cs_first_slope(l->v[1], step[1], cs_slope_at(step, l, 1));
  for (int k = 1; k <= CS_KNOTS; k++) {
    int last = k == CS_KNOTS;
    float to = cs_height(l, k), end = cs_slope_at(step, l, k);
    cs_next_piece(&p, last ? 1.0f : step[last ? 0 : k], to, start, end);
    p.last = last;
    float lag = cs_lag_at(w, &p, p.h);
    float before = p.v - w->part * p.lag, after = to - w->part * lag, rise = after - before;
    for (int i = 0; i < 3; i++) {
      float level = l->v[CS_LOW + 2 * i];
      int here = (found[i] == 0) & (last | (after >= level));
      at[i] = here ? p : at[i];
      chord[i] = here ? p.h * (level - before) / (rise > 1e-9f ? rise : 1e-9f) : chord[i];
      found[i] |= here;
    }
    p.begin += p.h;
    p.v = to;
    p.lag = lag;
    start = end;
  }
}

/* A load's delay and slew from the driver's pieces (CsSolution.step); impulse: WireMoments. */
SL_HD DelaySlew cs_load(const float step[CS_KNOTS], const CsLevels *l, float derate, float elmore,
                        float impulse)
{
  CsWire w = cs_wire(elmore, impulse);
  const CsPiece none = { 0, 1, 0, 0, 0, 0, 0 };
  CsPiece at[3] = { none, none, none };
  float chord[3] = { 0, 0, 0 };
  cs_places(step, l, &w, at, chord);
  float low = cs_crossing(&w, &at[0], l->v[CS_LOW], chord[0]);
  float middle = cs_crossing(&w, &at[1], l->v[CS_DELAY], chord[1]);
  float high = cs_crossing(&w, &at[2], l->v[CS_HIGH], chord[2]);
  DelaySlew r;
  r.delay = f_max(middle + w.shift, 0);
  r.slew = f_max((high - low) / derate, 0);
  return r;
}

#endif
