/* The current source against circuits that are integrated in small steps.  The drivers of these
   circuits are what the model assumes, a(t) b(V), with tables made from the formulas; so what is
   left is the model's straight pieces. */
#include "math/driver.h"

#include <math.h>
#include <stdio.h>

#include "tests/unit.h"

static const Thresholds middle = { 0.5f, 0.2f, 0.8f, 1.0f };

/* --- a driver of known shape ------------------------------------------------------------------ */
/* The current is 1 fF/ps times a(t) / ((1 - s) + s / (1 - V)), and a(t) rises from 0 to 1 over
   `rise` ps.  A load of 1 fF and a step: V = 1 - exp(-t) for s = 1, and V = t for s = 0. */
typedef struct {
  double s, rise;
} Shape;

enum { LOADS = CUT_SEGMENTS + 1 };
static const float first_load = 2.0f, last_load = 40.0f;

typedef struct {
  float data[2][2 + LOADS + 2 * LOADS];
} Tables;

static double y_of(double s, double v) { return (1 - s) * v - s * log(1 - v); }

/* When the integral of a(t) reaches x. */
static double time_of(double rise, double x)
{
  return x < 0.5 * rise ? sqrt(2 * rise * x) : x + 0.5 * rise;
}

static double crossing(const Shape *shape, double load, double v)
{
  return time_of(shape->rise, load * y_of(shape->s, v));
}

/* The first row is of a step, the second one of the shape; input slews 0 and 1. */
static void fill(Tables *tables, Shape d, Thresholds v)
{
  Shape step = { d.s, 0 };
  for (int k = 0; k < 2; k++) {
    float *x = tables->data[k];
    x[0] = 0;
    x[1] = 1;
    for (int j = 0; j < LOADS; j++) {
      double load = first_load * pow(last_load / first_load, (double)j / (LOADS - 1));
      x[2 + j] = (float)load;
      for (int row = 0; row < 2; row++) {
        const Shape *of = row ? &d : &step;
        double delay = crossing(of, load, v.vth);
        double slew = (crossing(of, load, v.vh) - crossing(of, load, v.vl)) / v.derate;
        x[2 + LOADS + row * LOADS + j] = (float)(k ? slew : delay);
      }
    }
  }
}

static TableView view(const Tables *tables, int k)
{
  TableView v = { tables->data[k], 2, LOADS };
  return v;
}

typedef struct {
  DriverTables tables;
  Thresholds   v;
  CsLevels     levels;
  float        bend, c_far, c_near, r_pi;
} Problem;

static void solve(Problem *problem, CsSolution *solution)
{
  CsProblem c = { &problem->levels,
                  problem->bend,
                  { problem->c_far, problem->c_near, problem->r_pi } };
  driver_levels(&problem->tables, &c, solution);
}

static Problem problem(const Tables *tables, Thresholds v, float c_far, float c_near, float r)
{
  Problem p;
  p.tables =
      (DriverTables){ table_cut(view(tables, 0), 1), table_cut(view(tables, 1), 1), NULL, 0 };
  p.v = v;
  p.levels = cs_levels(v);
  p.bend = cs_bend_of(&p.levels, view(tables, 0), view(tables, 1));
  p.c_far = c_far;
  p.c_near = c_near;
  p.r_pi = r;
  return p;
}

/* --- the same circuit in small steps ---------------------------------------------------------- */
typedef struct {
  double at[3], load_at[3];         /* crossings of vl, vth, vh by the output and by the load */
} Crossings;

static void note(double *at, double level, double before, double now, double t, double h)
{
  if (*at < 0 && now >= level) *at = t + h * (level - before) / (now - before);
}

/* Implicit in the voltages, explicit in the driver's current, which is bounded. */
static Crossings simulate(Shape d, Thresholds v, const Problem *problem, double tau)
{
  Crossings c = { { -1, -1, -1 }, { -1, -1, -1 } };
  double levels[3] = { v.vl, v.vth, v.vh };
  double near = 0, far = 0, load = 0, g = 1 / problem->r_pi;
  double h = 1e-4 * (0.2 * (problem->c_far + problem->c_near) + d.rise);
  for (double t = 0; c.load_at[2] < 0 || c.at[2] < 0; t += h) {
    double a = d.rise > 0 && t < d.rise ? (t + 0.5 * h) / d.rise : 1;
    double i = near < 1 ? a / ((1 - d.s) + d.s / (1 - near)) : 0;
    /* near' = (i - g (near - far)) / c_near, far' = g (near - far) / c_far */
    double m = problem->c_near / h + g, q = problem->c_far / h + g;
    double b = problem->c_near / h * near + i, e = problem->c_far / h * far;
    double next = (b * q + g * e) / (m * q - g * g);
    double next_far = (e + g * next) / q, next_load = (load + h / tau * next) / (1 + h / tau);
    for (int k = 0; k < 3; k++) {
      note(&c.at[k], levels[k], near, next, t, h);
      note(&c.load_at[k], levels[k], load, next_load, t, h);
    }
    near = next;
    far = next_far;
    load = next_load;
  }
  return c;
}

typedef struct {
  double delay, slew, load_delay, load_slew;
} Worst;

static void worse(double *worst, double have, double want, double least)
{
  double off = fabs(have - want) / fmax(want, least);
  *worst = fmax(*worst, off);
}

static void compare(Worst *worst, Shape d, double ratio, double near)
{
  Tables t;
  fill(&t, d, middle);
  /* 20 fF; the driver is about 1 ps / fF */
  Problem p = problem(&t, middle, (float)(20 * (1 - near)), (float)(20 * near), (float)ratio);
  float elmore = p.r_pi * p.c_far;
  CsSolution r;
  solve(&p, &r);
  DelaySlew l = cs_load(r.step, &p.levels, elmore, elmore * elmore);
  Crossings c = simulate(d, middle, &p, elmore);
  CHECK_NEAR(p.bend, fmax(d.s, CS_LEAST_BEND), 1e-3);
  worse(&worst->delay, r.delay, c.at[1], 0);
  worse(&worst->slew, r.slew, c.at[2] - c.at[0], 0);
  worse(&worst->load_delay, r.delay + l.delay, c.load_at[1], 0);
  worse(&worst->load_slew, l.slew, c.load_at[2] - c.load_at[0], 0);
}

/* Drivers between a current and a resistance, loads with resistance from next to none to four times
   the driver's. */
static Worst worst_of(double rise)
{
  Worst w = { 0, 0, 0, 0 };
  double s[] = { 0.15, 0.4 }, ratio[] = { 0.02, 0.3, 1, 4 };
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 4; k++) {
      Shape d = { s[i], rise };
      compare(&w, d, ratio[k], 0.2);
    }
  printf("  current source, input of %g ps: delay %.4f slew %.4f load delay %.4f load slew %.4f\n",
         rise, w.delay, w.slew, w.load_delay, w.load_slew);
  return w;
}

static void test_circuits(void)
{
  for (int rise = 0; rise <= 5; rise += 5) {
    Worst w = worst_of(rise);
    CHECK(w.delay < 0.025);
    CHECK(w.slew < 0.06);
    CHECK(w.load_delay < 0.04);
    CHECK(w.load_slew < 0.05);
  }
}

/* Where the input takes longer than the output, the waveform begins more slowly than the model
   says. */
static void test_slow_input(void)
{
  Worst w = worst_of(40);
  CHECK(w.delay < 0.04);
  CHECK(w.slew < 0.14);
  CHECK(w.load_delay < 0.06);
  CHECK(w.load_slew < 0.08);
}

/* A resistance of 1 and a step drive 1 fF behind another resistance of 1: V jumps to 1/2 and is
   then 1 - exp(-t/2) / 2.  It crosses 0.8 at 2 ln 2.5, the effective capacitance there is 2 ln 2.5
   / ln 5. */
static void test_resistance_by_hand(void)
{
  Tables t;
  Shape d = { 1, 0 };
  fill(&t, d, middle);
  Problem p = problem(&t, middle, 10, 0, 1);
  CsSolution r;
  solve(&p, &r);
  CHECK_NEAR(p.bend, 1, 1e-4);
  CHECK_NEAR(cs_level_time(&r, CS_HIGH), 20 * log(2.5), 0.06 * 20 * log(2.5));
  CHECK_NEAR(r.c[CS_HIGH], 20 * log(2.5) / log(5), 0.06 * 20 * log(2.5) / log(5));
  CHECK(cs_level_time(&r, CS_LOW) < 0.3);
}

/* --- limits ----------------------------------------------------------------------------------- */
/* Without resistance: the tables' numbers at the total capacitance, continuously. */
static void test_no_resistance(void)
{
  Tables t;
  Shape d = { 0.3, 12 };
  fill(&t, d, middle);
  float before = 1e30f;
  for (float r = 1; r > 1e-7f; r *= 0.1f) {
    Problem p = problem(&t, middle, 15, 5, r);
    CsSolution o;
    solve(&p, &o);
    float off = f_abs(o.delay - cut_value(&p.tables.delay, 20))
                + f_abs(o.slew - cut_value(&p.tables.slew, 20));
    CHECK(off <= before + 1e-5f);
    before = off;
  }
  CHECK(before < 2e-5f);
  Problem p = problem(&t, middle, 0, 20, 0);
  CsSolution o;
  solve(&p, &o);
  CHECK_NEAR(o.delay, cut_value(&p.tables.delay, 20), 1e-5);
  CHECK_NEAR(o.slew, cut_value(&p.tables.slew, 20), 1e-5);
  DelaySlew l = cs_load(o.step, &p.levels, 0, 0);
  CHECK_NEAR(l.delay, 0, 1e-4);
  CHECK_NEAR(l.slew, o.slew, 1e-4);
}

/* With ever more resistance the output is ever earlier, down to the tables at the near capacitance.
   */
static void test_much_resistance(void)
{
  Tables t;
  Shape d = { 0.3, 12 };
  fill(&t, d, middle);
  float before = 1e30f;
  CsSolution o;
  Problem p = problem(&t, middle, 15, 5, 0);
  for (float r = 1e-4f; r < 1e6f; r *= 1.05f) {
    p.r_pi = r;
    solve(&p, &o);
    CHECK(o.delay <= before + 1e-4f);
    CHECK(before - o.delay < 0.6f || before > 1e29f);
    before = o.delay;
  }
  CHECK_NEAR(o.delay, cut_value(&p.tables.delay, 5), 0.01);
  CHECK_NEAR(o.slew, cut_value(&p.tables.slew, 5), 0.01);
}

/* A pole much slower than its driver: a step into it, ln 2 and ln 4 of its time.  One much faster:
   the driver's edge, later by the mean. */
static void test_loads(void)
{
  Tables t;
  Shape d = { 0.3, 12 };
  fill(&t, d, middle);
  Problem p = problem(&t, middle, 15, 5, 0.3f);
  CsSolution o;
  solve(&p, &o);
  DelaySlew slow = cs_load(o.step, &p.levels, 1e5f, 1e10f);
  CHECK_NEAR(slow.delay, 1e5 * log(2), 30);
  CHECK_NEAR(slow.slew, 1e5 * log(4), 30);
  DelaySlew fast = cs_load(o.step, &p.levels, 0.02f, 0.0004f);
  CHECK_NEAR(fast.delay, 0.02, 2e-3);
  CHECK_NEAR(fast.slew, o.slew, 2e-2);
  float before = 0;
  for (float elmore = 1e-4f; elmore < 1e4f; elmore *= 1.03f) {
    DelaySlew l = cs_load(o.step, &p.levels, elmore, elmore * elmore);
    CHECK(l.delay >= before);
    before = l.delay;
  }
}

/* A ramp of 10 ps from 0 to 1 into a pole of 4 ps: 1 - V = (4/10) (e^2.5 - 1) exp(-t/4) behind its
   end; 0.8 at 4 ln(2 (e^2.5 - 1)) after its start.  Before, V = (t - 4 (1 - exp(-t/4))) / 10: 0.2
   at 4.7932, 0.5 at 8.5253. A step: ln 2 and ln 4. */
static void test_ports(void)
{
  CsLevels l = cs_levels(middle);
  CsSolution o;
  cs_ramp(&l, 6, &o);
  DelaySlew r = cs_load(o.step, &l, 4, 16);
  CHECK_NEAR(r.delay, 8.5253 - 5, 0.01);
  CHECK_NEAR(r.slew, 4 * log(2 * (exp(2.5) - 1)) - 4.7932, 0.05);
  cs_ramp(&l, 0, &o);
  Thresholds half = { 0.5f, 0.2f, 0.8f, 0.5f };
  CsLevels l2 = cs_levels(half);
  r = cs_load(o.step, &l2, 100, 10000);
  CHECK_NEAR(r.delay, 100 * log(2), 0.01);
  CHECK_NEAR(r.slew, 200 * log(4), 0.02);
  /* 40 % of the edge at once: delay 0.5 at tau ln(0.6 / 0.5) */
  r = cs_load(o.step, &l, 60, 2 * 0.6f * 100 * 100 - 3600);
  CHECK_NEAR(r.delay, 100 * log(1.2), 0.05);
}

/* Mean and variance of part of a pole and the rest at once: 1 - part + part / (1 + tau s), later.
   */
static void test_wire_moments(void)
{
  float variances[] = { 0.0f, 30.0f, 99.9f, 100.0f, 100.1f, 250.0f, 4000.0f };
  for (int i = 0; i < 7; i++) {
    CsWire w = cs_wire(10, variances[i]);
    double mean = w.part * w.tau;
    CHECK_NEAR(mean + w.shift, 10, 1e-4);
    CHECK_NEAR(2 * w.part * w.tau * (double)w.tau - mean * mean, variances[i],
               1e-4 * variances[i] + 1e-6);
  }
  CsWire none = cs_wire(0, 0);
  CHECK(none.shift == 0 && none.tau > 0);
}

/* --- robustness ------------------------------------------------------------------------------- */
static float uniform(unsigned *seed, float low, float high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (float)(*seed >> 8) / 16777216.0f;
}

/* Liberty allows 0 and 1, and a delay threshold that is not between the others. */
static Thresholds any_thresholds(unsigned *seed)
{
  Thresholds v = { uniform(seed, 0.35f, 0.65f), uniform(seed, 0.05f, 0.3f),
                   uniform(seed, 0.7f, 0.95f), uniform(seed, 0.3f, 1) };
  float kind = uniform(seed, 0, 1);
  if (kind < 0.2f) v.vl = 0;
  if (kind > 0.1f && kind < 0.3f) v.vh = 1;
  if (kind > 0.9f) v.vth = uniform(seed, 0, 1) < 0.5f ? 0.5f * v.vl : 0.5f * (1 + v.vh);
  return v;
}

/* Any tables, nets and thresholds, sensible or not. */
static void one_random(unsigned *seed)
{
  Tables t;
  for (int k = 0; k < 2; k++) {
    float *x = t.data[k], wild = uniform(seed, 0, 1) < 0.3f ? 40.0f : 0.0f;
    x[0] = 0;
    x[1] = 1;
    for (int j = 0; j < LOADS; j++) x[2 + j] = (j ? x[1 + j] : 0) + uniform(seed, 0.1f, 5);
    for (int j = 0; j < 2 * LOADS; j++)
      x[2 + LOADS + j] = 3 * x[2 + j % LOADS] + uniform(seed, -wild, wild + 1);
  }
  Thresholds v = any_thresholds(seed);
  float far = uniform(seed, 0, 1) < 0.1f ? 0 : uniform(seed, 0, 200);
  float near = uniform(seed, 0, 1) < 0.1f ? 0 : uniform(seed, 0, 100);
  float r = m_exp(uniform(seed, -15, 10)) * (uniform(seed, 0, 1) < 0.1f ? 0.0f : 1.0f);
  Problem p = problem(&t, v, far, near, r);
  CsSolution o;
  solve(&p, &o);
  CHECK(isfinite(o.delay) && isfinite(o.slew) && o.slew > 0 && o.step[CS_LEVELS] > 0);
  float elmore = r * far * uniform(seed, 0, 2);
  DelaySlew l = cs_load(o.step, &p.levels, elmore, elmore * elmore * uniform(seed, 0, 4));
  CHECK(isfinite(l.delay) && isfinite(l.slew) && l.slew >= 0 && l.delay >= 0);
}

static void test_random(void)
{
  unsigned seed = 11;
  for (int i = 0; i < 10000; i++) one_random(&seed);
}

static float any_size(unsigned *seed, float least, float most)
{
  return m_exp(uniform(seed, m_log(least), m_log(most)));
}

/* All that readers accept: up to 1 TOhm and 1 mF, and slews as tables give beyond their ends. */
static void one_extreme(unsigned *seed)
{
  Tables t;
  float size = any_size(seed, 1e-3f, 1e12f);
  Shape d = { uniform(seed, 0.01f, 2) * size, uniform(seed, 0, 40) * size };
  Thresholds v = { 0.5f, 0.2f, 0.8f, 1 };
  fill(&t, d, v);
  float far = any_size(seed, 1e-6f, 1e12f), near = any_size(seed, 1e-6f, 1e12f),
        r = any_size(seed, 1e-12f, 1e9f);
  Problem p = problem(&t, v, far, near, r);
  CsSolution o;
  solve(&p, &o);
  CHECK(isfinite(o.delay) && isfinite(o.slew) && o.slew > 0 && o.step[CS_LEVELS] > 0);
  float elmore = any_size(seed, 1e-12f, 1e21f);
  DelaySlew l = cs_load(o.step, &p.levels, elmore, elmore * uniform(seed, 0, 2) * elmore);
  CHECK(isfinite(l.delay) && isfinite(l.slew) && l.slew >= 0 && l.delay >= 0);
}

static void test_extremes(void)
{
  unsigned seed = 23;
  for (int i = 0; i < 20000; i++) one_extreme(&seed);
}

/* More and more resistance: the output is never later, and the far end never earlier.  The input is
   not slower than the output, and the near capacitance a tenth at least: else the tables contradict
   the product a(t) b(V) too much (doc/current_source.md, limits). */
static void one_monotone(unsigned *seed)
{
  Tables t;
  Shape d = { uniform(seed, 0.1f, 1), uniform(seed, 0, 20) };
  Thresholds v = { 0.5f, uniform(seed, 0.1f, 0.3f), uniform(seed, 0.7f, 0.9f), 1 };
  fill(&t, d, v);
  float total = uniform(seed, 20, 40), near = total * uniform(seed, 0.1f, 0.9f);
  float far = total - near, at = 0, far_at = 0;
  for (float r = m_exp(uniform(seed, -6, -5)); r < 100; r *= 1.7f) {
    Problem p = problem(&t, v, far, near, r);
    CsSolution o;
    solve(&p, &o);
    DelaySlew l = cs_load(o.step, &p.levels, r * far, r * far * r * far);
    if (at > 0) CHECK(o.delay <= at + 1e-3f * o.slew);
    if (at > 0) CHECK(o.delay + l.delay >= far_at - 1e-3f * o.slew);
    at = o.delay;
    far_at = o.delay + l.delay;
  }
}

static void test_monotone(void)
{
  unsigned seed = 5;
  for (int i = 0; i < 10000; i++) one_monotone(&seed);
}

/* The resistance grows by 0.2 % a step.  The largest difference between a change of delay or slew
   and the change before, as a part of both together. The tables have a kink at each load. */
static double largest_jump(const Tables *tables, float far, float near)
{
  double worst = 0, before[2] = { 0, 0 }, change[2] = { 0, 0 };
  int steps = 0;
  for (float r = 0.02f; r < 20; r *= 1.002f, steps++) {
    Problem p = problem(tables, middle, far, near, r);
    CsSolution o;
    solve(&p, &o);
    double now[2] = { o.delay, o.slew };
    for (int k = 0; k < 2; k++) {
      double by = now[k] - before[k];
      if (steps > 1) worst = fmax(worst, fabs(by - change[k]) / (o.delay + o.slew));
      change[k] = by;
      before[k] = now[k];
    }
  }
  return worst;
}

static void test_jumps(void)
{
  for (int i = 0; i < 60; i++) {
    Tables t;
    Shape d = { 0.1 + 0.2 * (i % 3), 15.0 * (i / 3 % 5) };
    fill(&t, d, middle);
    CHECK(largest_jump(&t, 8.0f + 10.0f * (float)(i % 4), 1.0f + (float)(i / 15)) < 0.005);
  }
}

/* The slope of delay and slew by the load changes up to fivefold at each load. */
static void test_jumps_at_strong_kinks(void)
{
  unsigned seed = 3;
  for (int i = 0; i < 60; i++) {
    Tables t;
    Shape d = { 0.3, 12 };
    fill(&t, d, middle);
    for (int row = 0; row < 2; row++) {
      float delay = 5, slew = 6;
      for (int j = 0; j < LOADS; j++) {
        float by = t.data[0][2 + j] - (j ? t.data[0][1 + j] : 0), slope = uniform(&seed, 0.4f, 2);
        t.data[0][2 + LOADS + row * LOADS + j] = delay += by * slope;
        t.data[1][2 + LOADS + row * LOADS + j] = slew += 1.3f * by * slope;
      }
    }
    CHECK(largest_jump(&t, uniform(&seed, 5, 40), uniform(&seed, 1, 10)) < 0.008);
  }
}

/* --- thresholds and tables at the edge of what libraries may say ------------------------------ */
/* Without resistance the tables' delay and slew, whatever the thresholds are. */
static void test_thresholds(void)
{
  static const Thresholds all[] = {
    { 0.5f, 0, 1, 1 },     { 0.5f, 0, 0.8f, 1 },    { 0.5f, 0.2f, 1, 0.5f },
    { 0.1f, 0.2f, 0.8f, 1 }, { 0.9f, 0.2f, 0.8f, 1 }, { 0, 0, 1, 1 }, { 1, 0.4f, 0.6f, 1 },
  };
  Tables t;
  Shape d = { 0.3, 12 };
  fill(&t, d, middle);
  for (int i = 0; i < 7; i++) {
    Problem p = problem(&t, all[i], 15, 5, 0);
    CsSolution o;
    solve(&p, &o);
    CHECK_NEAR(o.delay, cut_value(&p.tables.delay, 20), 1e-4);
    CHECK_NEAR(o.slew, cut_value(&p.tables.slew, 20), 1e-4);
    DelaySlew l = cs_load(o.step, &p.levels, 0, 0);
    CHECK_NEAR(l.slew, o.slew, 1e-3);
    p.r_pi = 2;
    solve(&p, &o);
    CHECK(o.delay > 0 && isfinite(o.delay) && o.slew > 0 && isfinite(o.slew));
  }
  /* 0 to 1 as 0.01 to 0.99 of a straight edge */
  CsLevels l = cs_levels(all[0]);
  CHECK_NEAR(l.v[CS_LOW], 0.01, 1e-6);
  CHECK_NEAR(l.v[CS_HIGH], 0.99, 1e-6);
  CHECK_NEAR(l.derate, 0.98, 1e-6);
  /* thresholds that the model has stay as they are */
  l = cs_levels(middle);
  CHECK(l.v[CS_LOW] == 0.2f && l.v[CS_DELAY] == 0.5f && l.v[CS_HIGH] == 0.8f && l.derate == 1);
}

static void test_negative_slews(void)
{
  Tables t;
  Shape d = { 0.3, 12 };
  fill(&t, d, middle);
  for (int j = 0; j < 2 * LOADS; j++) t.data[1][2 + LOADS + j] -= 50;
  for (float r = 0; r < 10; r += 0.5f) {
    Problem p = problem(&t, middle, 15, 5, r);
    CsSolution o;
    solve(&p, &o);
    DelaySlew l = cs_load(o.step, &p.levels, r * 15, r * 15 * r * 15);
    CHECK(o.slew > 0 && o.slew < 1 && l.slew >= 0 && l.delay >= 0 && isfinite(o.delay));
  }
}

/* s of table slopes by hand: with thresholds 0.2, 0.5, 0.8 the slopes' ratio is (0.6 + 0.786 s) /
   (0.5 + 0.193 s). */
static void test_bend(void)
{
  CsLevels l = cs_levels(middle);
  double span = log(4) - 0.6, half = log(2) - 0.5;
  for (double s = 0.1; s < 1.05; s += 0.1)
    CHECK_NEAR(cs_bend(&l, 1, (float)((0.6 + span * s) / (0.5 + half * s))), s, 1e-4);
  CHECK(cs_bend(&l, 1, 1) == CS_LEAST_BEND);
  CHECK(cs_bend(&l, 1, 2.5f) == 1);
  CHECK(cs_bend(&l, 1, 100) == 1);
  CHECK(cs_bend(&l, 0, 0) == CS_LEAST_BEND);
  CHECK(cs_bend(&l, -1, 1) == 1 || cs_bend(&l, -1, 1) == CS_LEAST_BEND);
}

void suite_current_source(void)
{
  CU_pSuite s = CU_add_suite("math/current_source", NULL, NULL);
  CU_add_test(s, "circuits in small steps", test_circuits);
  CU_add_test(s, "circuits with slow inputs", test_slow_input);
  CU_add_test(s, "a resistance by hand", test_resistance_by_hand);
  CU_add_test(s, "no resistance: the tables", test_no_resistance);
  CU_add_test(s, "more and more resistance", test_much_resistance);
  CU_add_test(s, "slow and fast loads", test_loads);
  CU_add_test(s, "ports", test_ports);
  CU_add_test(s, "moments of the wire", test_wire_moments);
  CU_add_test(s, "10,000 random problems", test_random);
  CU_add_test(s, "extremes", test_extremes);
  CU_add_test(s, "10,000 times more and more resistance", test_monotone);
  CU_add_test(s, "no jumps at kinks of the tables", test_jumps);
  CU_add_test(s, "nor at strong ones", test_jumps_at_strong_kinks);
  CU_add_test(s, "thresholds of 0 and 1, and out of order", test_thresholds);
  CU_add_test(s, "tables with negative slews", test_negative_slews);
  CU_add_test(s, "the shape from tables", test_bend);
}
