/* The effective capacitance against the equations of Dartu, Menezes and Pileggi solved in double by
   bisection: nothing here is shared with math/ceff.h but the tables' values. */
#include "math/ceff.h"

#include <math.h>
#include <stdio.h>

#include "tests/small.h"
#include "tests/unit.h"

/* Response of a circuit with transfer function (1 + s n) / ((1 + s/p) (1 + s/q)), by partial
   fractions, to the ramp t, and its integral.  With q infinite there is one pole. */
typedef struct {
  double p, q, k, kp, kq;           /* t + k + kp exp(-p t) + kq exp(-q t) */
} Response;

static Response response_of(double c_far, double c_near, double r, double rd)
{
  Response o = { 0 };
  double a = r * rd * c_far * c_near, b = r * c_far + rd * (c_far + c_near), n = r * c_far;
  o.k = n - b;
  if (c_near == 0) {
    o.p = 1 / b;
    o.kp = -o.k;
    o.q = 1;
    return o;
  }
  double root = sqrt(b * b - 4 * a);
  o.p = 2 / (b + root);
  o.q = (b + root) / (2 * a);
  o.kp = (1 - o.p * n) / (o.p * (1 - o.p / o.q));
  o.kq = (1 - o.q * n) / (o.q * (1 - o.q / o.p));
  return o;
}

static double at_time(const Response *response, double t)
{
  return t <= 0 ? 0
                : t + response->k + response->kp * exp(-response->p * t)
                      + response->kq * exp(-response->q * t);
}

static double at_ramp(const Response *response, double t, double dt)
{
  return (at_time(response, t) - at_time(response, t - dt)) / dt;
}

/* Charge through rd up to time t of the unit-slope ramp. */
static double charge(const Response *response, double rd, double t)
{
  return -(response->k * t + response->kp / response->p * -expm1(-response->p * t)
           + response->kq / response->q * -expm1(-response->q * t))
         / rd;
}

/* Zero of a rising function between low and high: false position, halving the weight of an end that
   stays. */
static double zero(double (*f)(void *, double), void *data, double low, double high)
{
  double at_low = f(data, low), at_high = f(data, high), x = low;
  if (at_low >= 0) return low;
  if (at_high <= 0) return high;
  for (int i = 0, side = 0; i < 200 && high - low > 1e-12 * high; i++) {
    x = (low * at_high - high * at_low) / (at_high - at_low);
    if (i % 8 == 7) x = 0.5 * (low + high);
    double y = f(data, x);
    if (y == 0) break;
    if (y < 0) {
      low = x;
      at_low = y;
      if (side < 0) at_high *= 0.5;
      side = -1;
    } else {
      high = x;
      at_high = y;
      if (side > 0) at_low *= 0.5;
      side = 1;
    }
  }
  return x;
}

typedef struct {
  Response o;
  double   dt, elmore, level;
} Driven;

static double driver_gap(void *data, double t)
{
  const Driven *driven = data;
  return at_ramp(&driven->o, t, driven->dt) - driven->level;
}

/* When the voltage whose distance from d->level is gap crosses a level. */
static double crossing(double (*gap)(void *, double), Driven *driven, double level, double high)
{
  driven->level = level;
  while (gap(driven, high) < 0) high *= 2;
  return zero(gap, driven, 0, high);
}

/* --- the driver ------------------------------------------------------------------------------- */
/* Piecewise linear in the load, at the case's input slew. */
static double table_at(const DriverCase *driver_case, int table, double load)
{
  const float *slews = driver_case->data[table], *loads = slews + 7, *v = loads + 7;
  int i = 0, j = 0;
  while (i < 5 && driver_case->input_slew >= slews[i + 1]) i++;
  while (j < 5 && load >= loads[j + 1]) j++;
  double f = ((double)driver_case->input_slew - slews[i]) / ((double)slews[i + 1] - slews[i]);
  double low = v[7 * i + j] + f * ((double)v[7 * i + 7 + j] - v[7 * i + j]);
  double high = v[7 * i + j + 1] + f * ((double)v[7 * i + 8 + j] - v[7 * i + j + 1]);
  return low + (high - low) * (load - loads[j]) / ((double)loads[j + 1] - loads[j]);
}

typedef struct {
  Driven d;
  double vl, vth, distance, high;
} RampSearch;

static double ramp_gap(void *data, double dt)
{
  RampSearch *search = data;
  search->d.dt = dt;
  return crossing(driver_gap, &search->d, search->vth, search->high)
         - crossing(driver_gap, &search->d, search->vl, search->high) - search->distance;
}

/* Length of the ramp that makes rd and load cross vl and vth as far apart as the tables say; 0 when
   none does. */
static double ramp_for(const DriverCase *driver_case, double rd, double load)
{
  double slew = table_at(driver_case, 1, load) * driver_case->v.derate, rc = rd * load;
  RampSearch r = { .d.o = response_of(load, 0, 0, rd),
                   .vl = driver_case->v.vl,
                   .vth = driver_case->v.vth };
  r.distance = slew * (r.vth - r.vl) / ((double)driver_case->v.vh - r.vl);
  if (r.distance <= 1.0001 * rc * log((1 - r.vl) / (1 - r.vth))) return 0;
  double high = 4 * r.distance / (r.vth - r.vl) + rc;
  r.high = high + rc;
  return zero(ramp_gap, &r, 1e-6 * high, high);
}

/* > 0: the pi load draws more than `load` does. */
static double balance(const DriverCase *driver_case, const Response *pi, double rd, double load)
{
  double dt = ramp_for(driver_case, rd, load);
  if (dt == 0) return -1;
  double t = table_at(driver_case, 1, load) * driver_case->v.derate
             / ((double)driver_case->v.vh - driver_case->v.vl);
  if (t > 1.4 * dt) t = 1.4 * dt;
  Response own = response_of(load, 0, 0, rd);
  return charge(pi, rd, t) / charge(&own, rd, t) - 1;
}

typedef struct {
  const DriverCase *driver_case;
  const Response   *pi;
  double rd;
} Balance;

static double minus_balance(void *data, double load)
{
  Balance *the_balance = data;
  return -balance(the_balance->driver_case, the_balance->pi, the_balance->rd, load);
}

/* The ceff, or 0 when the balance has not exactly one zero. */
static double solve(const DriverCase *driver_case, const Response *pi, double rd)
{
  enum { GRID = 24 };
  double total = (double)driver_case->c_far + driver_case->c_near, low = 0, high = 0, before = 1;
  int zeros = 0;
  for (int i = 1; i <= GRID; i++) {
    double x = total * i / GRID, f = balance(driver_case, pi, rd, x);
    if ((f > 0) != (before > 0)) {
      zeros++;
      low = total * (i - 1) / GRID;
      high = x;
    }
    before = f;
  }
  if (zeros != 1) return 0;
  Balance b = { driver_case, pi, rd };
  return zero(minus_balance, &b, low > 0 ? low : 1e-4 * total, high);
}

/* --- comparison ------------------------------------------------------------------------------- */
typedef struct {
  double relative, absolute;        /* largest of either where the other one is over its limit as
                                       well */
  uint32_t beyond;
} Error;

static void compare(Error *error, double have, double want)
{
  double absolute = fabs(have - want), relative = absolute / fabs(want);
  if (relative > 1e-3 && absolute > 0.01) error->beyond++;
  /* 1e-3 stands for 0.01 ps */
  double least = relative < absolute / 10 ? relative : absolute / 10;
  double worst = error->relative < error->absolute / 10 ? error->relative : error->absolute / 10;
  if (least > worst) *error = (Error){ relative, absolute, error->beyond };
}

static double load_gap(void *data, double t)
{
  /* the driver's response through one more pole: each term of the ramp response convolved with
     exp(-t/elmore)/elmore */
  const Driven *driven = data;
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    double x = t - (i ? driven->dt : 0), e = exp(-x / driven->elmore);
    if (x <= 0) continue;
    double y = x + (driven->o.k - driven->elmore) * (1 - e)
               + driven->o.kp * (exp(-driven->o.p * x) - e) / (1 - driven->o.p * driven->elmore)
               + driven->o.kq * (exp(-driven->o.q * x) - e) / (1 - driven->o.q * driven->elmore);
    sum += i ? -y : y;
  }
  return sum / driven->dt - driven->level;
}

typedef struct {
  Error ceff, delay, slew, load_delay, load_slew;
  uint32_t solved, other;           /* other: one side found a ramp, the other did not */
} Totals;

static void compare_load(Totals *totals, const DriverCase *driver_case,
                         const DriverSolution *solution, Driven d)
{
  double tth = crossing(driver_gap, &d, driver_case->v.vth, d.dt),
         tl = crossing(driver_gap, &d, driver_case->v.vl, d.dt);
  double th = crossing(driver_gap, &d, driver_case->v.vh, d.dt),
         own = (th - tl) / driver_case->v.derate;
  DelaySlew have =
      load_solve(DELAY_CEFF, &solution->shape, driver_case->v, (WireMoments){ (float)d.elmore, 0 });
  double lth = crossing(load_gap, &d, driver_case->v.vth, d.dt),
         ll = crossing(load_gap, &d, driver_case->v.vl, d.dt);
  double lh = crossing(load_gap, &d, driver_case->v.vh, d.dt),
         want = (lh - ll) / driver_case->v.derate;
  compare(&totals->load_delay, have.delay, lth - tth);
  compare(&totals->load_slew, have.slew, want > own ? want : own);
}

/* Loads anywhere, and at the driver's poles or so close that the terms of pole and load hardly
   differ. */
static void compare_loads(Totals *totals, const DriverCase *driver_case,
                          const DriverSolution *solution, Driven d, unsigned *seed)
{
  static const double apart[] = { -1e-2, -2e-3, -1.001e-3, -4e-4,    -1e-4, -1e-6,
                                  1e-6,  1e-4,  4e-4,      1.001e-3, 2e-3,  1e-2 };
  double close = 1 + apart[(size_t)rand_r(seed) % (sizeof apart / sizeof *apart)];
  const double constants[] = { solution->slew * driver_uniform(seed, 0.001f, 2), close / d.o.p,
                               close / d.o.q };
  for (int i = 0; i < 3; i++) {
    d.elmore = (float)constants[i];
    if (!load_inherits(&solution->shape, (WireMoments){ (float)d.elmore, 0 }))
      compare_load(totals, driver_case, solution, d);
  }
}

static void report(const char *what, const Error *error)
{
  if (error->beyond)
    printf("%s: %u beyond the limits; worst %.3g relative, %.3g absolute\n", what, error->beyond,
           error->relative, error->absolute);
  CHECK(error->beyond == 0);
}

/* The table's; where all capacitance is far, the output's crossing, from where the ramp begins that
   has the table's delay into it alone. */
static double delay_of(const DriverCase *driver_case, double rd, double ceff, Driven *driven)
{
  double table = table_at(driver_case, 0, ceff);
  if (driver_case->c_near >= 1e-3f * driver_case->c_far) return table;
  Driven own = { .o = response_of(ceff, 0, 0, rd), .dt = driven->dt };
  double delay = table - crossing(driver_gap, &own, driver_case->v.vth, driven->dt)
                 + crossing(driver_gap, driven, driver_case->v.vth, driven->dt);
  return delay > 0 ? delay : 0;
}

static void compare_case(Totals *totals, const CornerLibs *libs, const DriverCase *driver_case,
                         unsigned *seed)
{
  DriverSolution r = driver_scalar(DELAY_CEFF, libs, driver_case);
  bool solved = shape_has_wave(&r.shape);
  if (r.lumped) return;
  double total = (double)driver_case->c_far + driver_case->c_near,
         rd = -log(driver_case->v.vth)
              * fabs(table_at(driver_case, 0, total + 1) - table_at(driver_case, 0, total));
  rd = r.rd;      /* a difference of nearly equal floats: taken as it is, so that the equations are
                     the same */
  bool far_only = driver_case->c_near < 1e-3f * driver_case->c_far;
  Driven d = { .o = response_of(driver_case->c_far, far_only ? 0 : driver_case->c_near,
                                driver_case->r_pi, rd) };
  double ceff = far_only ? driver_case->c_far : solve(driver_case, &d.o, rd);
  if (ceff == 0) return;
  d.dt = ramp_for(driver_case, rd, ceff);
  if ((d.dt > 0) != solved) totals->other++;
  if (d.dt == 0 || !solved) return;
  totals->solved++;
  compare(&totals->ceff, r.ceff, ceff);
  compare(&totals->delay, r.delay, delay_of(driver_case, rd, ceff, &d));
  double tl = crossing(driver_gap, &d, driver_case->v.vl, d.dt),
         th = crossing(driver_gap, &d, driver_case->v.vh, d.dt);
  compare(&totals->slew, r.slew, (th - tl) / driver_case->v.derate);
  compare_loads(totals, driver_case, &r, d, seed);
}

static void test_random(void)
{
  LibrarySet *libs;
  Names *names;
  CornerLibs *corner_libs = driver_libs(&libs, &names);
  Totals t = { 0 };
  unsigned seed = 4;
  for (int i = 0; i < 3000; i++) {
    DriverCase c = driver_random(corner_libs, &seed);
    compare_case(&t, corner_libs, &c, &seed);
  }
  report("ceff", &t.ceff);
  report("delay", &t.delay);
  report("slew", &t.slew);
  report("load delay", &t.load_delay);
  report("load slew", &t.load_slew);
  CHECK(t.solved > 1500);
  CHECK(t.other == 0);
  corner_libs_free(corner_libs);
  library_set_free(libs);
  names_free(names);
}

void suite_ceff(void)
{
  CU_pSuite s = CU_add_suite("math/ceff", NULL, NULL);
  CU_add_test(s, "random drivers against a solution in double", test_random);
}
