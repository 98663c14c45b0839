/* Tests that lanes give the bits of math/driver.h, for drivers and for loads. */
#include "cpu/cpu_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/small.h"
#include "tests/unit.h"

static void put_case(DriverLanes *lanes, int i, const DriverCase *driver_case, DelayModel model)
{
  lanes->c_far[i] = driver_case->c_far;
  lanes->c_near[i] = driver_case->c_near;
  lanes->r_pi[i] = driver_case->r_pi;
  lanes_put_thresholds(&lanes->v, i, &driver_case->v);
  lanes->ramp_base[i] = driver_case->ramp_base;
  TableView delay = { driver_case->data[0], 7, 7 }, slew = { driver_case->data[1], 7, 7 };
  driver_lanes_rows(lanes, i, delay, slew, driver_case->input_slew, model);
}

static bool same_shape(const DriverShape *a, const DriverShape *b)
{
#define SAME_FIELD(field) &&a->field == b->field
  return true DRIVER_SHAPE(SAME_FIELD);
}

/* Without a waveform the shape's slew alone counts. */
static bool same_driver(const DriverLanes *lanes, int i, const DriverSolution *solution)
{
  const DriverShape *have = &lanes->shape[i];
  bool same = lanes->delay[i] == solution->delay && lanes->slew[i] == solution->slew
              && lanes->ceff[i] == solution->ceff && have->slew == solution->slew
              && shape_has_wave(have) == shape_has_wave(&solution->shape);
  return same && (!shape_has_wave(have) || same_shape(have, &solution->shape));
}

/* Lanes keep rubbish of earlier rounds beyond count; that must not matter. */
static void test_drivers_of(DelayModel model)
{
  LibrarySet *libs;
  Names *names;
  CornerLibs *corner_libs = driver_libs(&libs, &names);
  DriverLanes *lanes = driver_lanes_new(DRIVER_SEGMENTS);
  DriverCase *driver_case = mem_alloc(LANES * sizeof *driver_case);
  unsigned seed = 1;
  uint32_t wrong = 0, solved = 0;
  for (int round = 0; round < 150; round++) {
    lanes->count = round < LANES ? round + 1 : 1 + rand_r(&seed) % LANES;
    for (int i = 0; i < lanes->count; i++) {
      driver_case[i] = driver_random(corner_libs, &seed);
      put_case(lanes, i, &driver_case[i], model);
    }
    driver_lanes_solve(lanes, model, corner_libs->ramps.at);
    for (int i = 0; i < lanes->count; i++) {
      DriverSolution r = driver_scalar(model, corner_libs, &driver_case[i]);
      wrong += !same_driver(lanes, i, &r);
      solved += shape_has_wave(&r.shape);
    }
  }
  CHECK(wrong == 0);
  CHECK(solved > 2000);
  driver_lanes_free(lanes);
  mem_free(driver_case);
  corner_libs_free(corner_libs);
  library_set_free(libs);
  names_free(names);
}

static void test_drivers(void)
{
#define TEST_DRIVERS(NAME, ...) test_drivers_of(DELAY_##NAME);
  DELAY_WAVE_MODELS(TEST_DRIVERS)
}

static void put_load(LoadLanes *lanes, int i, const DriverCase *driver_case,
                     const DriverSolution *solution, WireMoments wire)
{
  lanes_put_shape(&lanes->driver, i, &solution->shape);
  lanes_put_thresholds(&lanes->v, i, &driver_case->v);
  lanes->elmore[i] = wire.elmore;
  lanes->impulse_sq[i] = wire.impulse_sq;
}

static void test_loads_of(DelayModel model)
{
  LibrarySet *libs;
  Names *names;
  CornerLibs *corner_libs = driver_libs(&libs, &names);
  LoadLanes *lanes = mem_alloc_zero(1, sizeof *lanes);
  DelaySlew want[LANES];
  unsigned seed = 2;
  uint32_t wrong = 0;
  for (int round = 0; round < 150; round++) {
    int most = round < LANES ? round + 1 : 1 + rand_r(&seed) % LANES;
    lanes->count = 0;
    while (lanes->count < most) {
      DriverCase c = driver_random(corner_libs, &seed);
      DriverSolution d = driver_scalar(model, corner_libs, &c);
      if (!shape_has_wave(&d.shape)) continue;
      float elmore = d.slew * driver_uniform(&seed, 0.001f, 2);
      WireMoments wire = { elmore, elmore * elmore * driver_uniform(&seed, 0, 2) };
      put_load(lanes, lanes->count, &c, &d, wire);
      want[lanes->count++] = load_solve(model, &d.shape, c.v, wire);
    }
    load_lanes_solve(lanes, model);
    for (int i = 0; i < lanes->count; i++)
      wrong += lanes->delay[i] != want[i].delay || lanes->slew[i] != want[i].slew;
  }
  CHECK(wrong == 0);
  mem_free(lanes);
  corner_libs_free(corner_libs);
  library_set_free(libs);
  names_free(names);
}

static void test_loads(void)
{
#define TEST_LOADS(NAME, ...) test_loads_of(DELAY_##NAME);
  DELAY_WAVE_MODELS(TEST_LOADS)
}

void suite_lanes(void)
{
  CU_pSuite s = CU_add_suite("cpu/lanes", NULL, NULL);
  CU_add_test(s, "drivers equal the scalar solution", test_drivers);
  CU_add_test(s, "loads equal the scalar solution", test_loads);
}
