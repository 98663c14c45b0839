#include "tests/driver.h"

#include <stdio.h>
#include <stdlib.h>

#include "read/liberty.h"
#include "tests/unit.h"

static const char library_text[] =
  "library (%s) { delay_model : table_lookup; time_unit : \"1ps\"; capacitive_load_unit (1, ff); voltage_unit : \"1V\";"
  " current_unit : \"1mA\"; pulling_resistance_unit : \"1kohm\"; slew_derate_from_library : %g;"
  " input_threshold_pct_rise : 50; input_threshold_pct_fall : 50; output_threshold_pct_rise : 50; output_threshold_pct_fall : %d;"
  " slew_lower_threshold_pct_rise : %d; slew_lower_threshold_pct_fall : %d; slew_upper_threshold_pct_rise : %d;"
  " slew_upper_threshold_pct_fall : %d; cell (C%s) { pin (A) { direction : input; capacitance : 1; } } }";

static void add_library(LibrarySet *set, const char *name, double derate, int threshold, int lower)
{
  char text[2000];
  snprintf(text, sizeof text, library_text, name, derate, threshold, lower, lower, 100 - lower, 100 - lower, name);
  CU_ASSERT_FATAL(read_liberty_text(set, name, text, NULL, test_log()) == OK);
}

Model *driver_model(LibrarySet **libs, Names **names)
{
  *names = names_new();
  *libs = library_set_new(*names);
  add_library(*libs, "a", 1, 50, 20);
  add_library(*libs, "b", 0.5, 50, 30);
  add_library(*libs, "c", 1, 45, 10);
  return model_new(*libs, NULL);
}

float driver_uniform(unsigned *seed, float low, float high)
{
  return low + (high - low) * (float)(rand_r(seed) / (double)RAND_MAX);
}

/* Tables of a stage with resistance r: nearly linear in the load, bent where load and input slew meet. */
static void fill_tables(DriverCase *c, float r, float own, unsigned *seed)
{
  float bend = driver_uniform(seed, 0.05f, 0.3f), knee = driver_uniform(seed, 2, 20);
  for (int k = 0; k < 2; k++) {
    float *slews = c->data[k], *loads = slews + 7, *values = loads + 7;
    for (int i = 0; i < 7; i++) slews[i] = (float)(4 << i);
    for (int j = 0; j < 7; j++) loads[j] = j ? (float)(2 << j) * 0.9f : 0.3f;
    for (int i = 0; i < 7; i++)
      for (int j = 0; j < 7; j++)
        values[7 * i + j] = k == 0 ? own + 0.7f * r * loads[j] + bend * slews[i] * (loads[j] + 1) / (loads[j] + knee)
                                   : 0.8f * own + 1.7f * r * loads[j] + 0.1f * slews[i];
  }
}

DriverCase driver_random(const Model *m, unsigned *seed)
{
  DriverCase c;
  float r = driver_uniform(seed, 0.3f, 12), share = driver_uniform(seed, 0, 1), total = driver_uniform(seed, 0.5f, 15);
  total *= total;
  fill_tables(&c, r, driver_uniform(seed, 2, 30), seed);
  c.input_slew = driver_uniform(seed, 2, 300);
  c.c1 = total * share;
  c.c2 = rand_r(seed) % 10 ? total - c.c1 : 0;
  c.rpi = r * driver_uniform(seed, 0, 3) * driver_uniform(seed, 0, 1);
  uint32_t index = (uint32_t)rand_r(seed) % (2 * m->libs->libraries.len);
  c.v = m->thresholds[index];
  c.ramp_base = m->ramp_base[index];
  return c;
}

static float at_load(const DriverCase *c, int table, float load)
{
  float x[DRIVER_SEGMENTS], y[DRIVER_SEGMENTS], dy[DRIVER_SEGMENTS];
  TableRow row = { x, y, dy };
  row_set(row, DRIVER_SEGMENTS, 1, (TableView){ c->data[table], 7, 7 }, c->input_slew);
  return row_value(row, DRIVER_SEGMENTS, 1, load);
}

static void search_ceff(const Model *m, const DriverCase *c, DriverResult *r)
{
  CeffSearch s = ceff_start(r->driver);
  for (int step = 0; step < CEFF_STEPS; step++) {
    Ramp ramp = ramp_of(m->ramps.at, c->ramp_base, c->v, r->rd, s.x1, at_load(c, 0, s.x1), at_load(c, 1, s.x1));
    s = ceff_step(s, charge_balance(r->driver, c->v, ramp, s.x1));
  }
  r->ceff = s.x1;
}

static void measure(const DriverCase *c, DriverResult *r)
{
  Wave w = wave_of_driver(r->driver, r->dt);
  r->tl = wave_crossing(&w, c->v.vl, 0);
  r->tth = wave_crossing(&w, c->v.vth, 0);
  r->th = wave_crossing(&w, c->v.vh, 0);
  r->slew = (r->th - r->tl) / c->v.derate;
}

DriverResult driver_scalar(const Model *m, const DriverCase *c)
{
  DriverResult r = { 0 };
  float total = c->c1 + c->c2;
  r.delay = at_load(c, 0, total);
  r.slew = at_load(c, 1, total);
  r.ceff = total;
  r.rd = driver_resistance(c->v.vth, r.delay, at_load(c, 0, total + 1.0f));
  r.lumped = pi_is_lumped(c->c1, c->c2, c->rpi, r.rd);
  if (!r.lumped) {
    r.driver = pi_driver(c->c1, c->c2, c->rpi, r.rd);
    if (c->c2 < c->c1 * 1e-3f) r.ceff = c->c1;
    else search_ceff(m, c, &r);
    float delay = at_load(c, 0, r.ceff), slew = at_load(c, 1, r.ceff);
    Ramp ramp = ramp_of(m->ramps.at, c->ramp_base, c->v, r.rd, r.ceff, delay, slew);
    r.solved = ramp.ratio > 1.0001f && ramp.dt > 0 && slew > 0;
    r.dt = ramp.dt;
    if (r.solved) {
      r.delay = delay;
      measure(c, &r);
    }
  }
  r.delay = r.delay > 0 ? r.delay : 0;
  r.slew = r.slew > 0 ? r.slew : 0;
  return r;
}

LoadResult load_scalar(const DriverCase *c, const DriverResult *d, float elmore)
{
  Wave w = wave_of_load(d->driver, d->dt, elmore);
  float late = 0.7f * elmore;
  float tl = wave_crossing(&w, c->v.vl, d->tl + late), tth = wave_crossing(&w, c->v.vth, d->tth + late);
  float th = wave_crossing(&w, c->v.vh, d->th + late);
  LoadResult r = { tth - d->tth, (th - tl) / c->v.derate };
  if (r.delay < 0) r.delay = elmore;
  if (r.slew < d->slew) r.slew = d->slew;
  return r;
}
