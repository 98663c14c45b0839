/* Makes random drivers for tests of delay models: libraries with other thresholds, tables of a
   driver, and its solution without lanes. */
#include "tests/small.h"

#include <stdio.h>
#include <stdlib.h>

#include "read/liberty/liberty.h"
#include "tests/unit.h"

static const char library_text[] =
    "library (%s) { delay_model : table_lookup; time_unit : \"1ps\"; capacitive_load_unit (1, ff); "
    "voltage_unit : \"1V\";"
    " current_unit : \"1mA\"; pulling_resistance_unit : \"1kohm\"; slew_derate_from_library : %g;"
    " input_threshold_pct_rise : 50; input_threshold_pct_fall : 50; output_threshold_pct_rise : "
    "50; output_threshold_pct_fall : %d;"
    " slew_lower_threshold_pct_rise : %d; slew_lower_threshold_pct_fall : %d; "
    "slew_upper_threshold_pct_rise : %d;"
    " slew_upper_threshold_pct_fall : %d; cell (C%s) { pin (A) { direction : input; capacitance : "
    "1; } } }";

static void add_library(LibrarySet *set, const char *name, double derate, int threshold, int lower)
{
  char text[2000];
  snprintf(text, sizeof text, library_text, name, derate, threshold, lower, lower, 100 - lower,
           100 - lower, name);
  CU_ASSERT_FATAL(read_liberty_text(set, name, text, NULL, test_log()) == OK);
}

CornerLibs *driver_libs(LibrarySet **libs, Names **names)
{
  *names = names_new();
  *libs = library_set_new(*names);
  add_library(*libs, "a", 1, 50, 20);
  add_library(*libs, "b", 0.5, 50, 30);
  add_library(*libs, "c", 1, 45, 10);
  return corner_libs_new(*libs, NULL);
}

float driver_uniform(unsigned *seed, float low, float high)
{
  return low + (high - low) * (float)(rand_r(seed) / (double)RAND_MAX);
}

/* Tables of a stage with resistance r: nearly linear in the load, bent where load and input slew
   meet. */
static void fill_tables(DriverCase *driver_case, float r, float own, unsigned *seed)
{
  float bend = driver_uniform(seed, 0.05f, 0.3f), knee = driver_uniform(seed, 2, 20);
  for (int k = 0; k < 2; k++) {
    float *slews = driver_case->data[k], *loads = slews + 7, *values = loads + 7;
    for (int i = 0; i < 7; i++) slews[i] = (float)(4 << i);
    for (int j = 0; j < 7; j++) loads[j] = j ? (float)(2 << j) * 0.9f : 0.3f;
    for (int i = 0; i < 7; i++)
      for (int j = 0; j < 7; j++)
        values[7 * i + j] = k == 0 ? own + 0.7f * r * loads[j]
                                         + bend * slews[i] * (loads[j] + 1) / (loads[j] + knee)
                                   : 0.8f * own + 1.7f * r * loads[j] + 0.1f * slews[i];
  }
}

DriverCase driver_random(const CornerLibs *libs, unsigned *seed)
{
  DriverCase c;
  float r = driver_uniform(seed, 0.3f, 12), share = driver_uniform(seed, 0, 1),
        total = driver_uniform(seed, 0.5f, 15);
  total *= total;
  fill_tables(&c, r, driver_uniform(seed, 2, 30), seed);
  c.input_slew = driver_uniform(seed, 2, 300);
  c.c_far = total * share;
  c.c_near = rand_r(seed) % 10 ? total - c.c_far : 0;
  c.r_pi = r * driver_uniform(seed, 0, 3) * driver_uniform(seed, 0, 1);
  uint32_t index = (uint32_t)rand_r(seed) % (2 * libs->libs->libraries.len);
  c.v = libs->thresholds[index];
  c.ramp_base = libs->ramp_base[index];
  return c;
}

DriverSolution driver_scalar(DelayModel model, const CornerLibs *libs,
                             const DriverCase *driver_case)
{
  DriverSolution r;
  DriverTables tables = {
    table_cut((TableView){ driver_case->data[0], 7, 7 }, driver_case->input_slew),
    table_cut((TableView){ driver_case->data[1], 7, 7 }, driver_case->input_slew), libs->ramps.at,
    driver_case->ramp_base
  };
  driver_solve(model, &tables,
               (PiModel){ driver_case->c_far, driver_case->c_near, driver_case->r_pi },
               driver_case->v, &r);
  return r;
}
