/* Tests that lanes give the bits of math/driver.h, for drivers and for loads. */
#include "cpu/cpu_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/small.h"
#include "tests/unit.h"

static void put_case(DriverLanes *l, int i, const DriverCase *c, DelayModel model)
{
  l->c_far[i] = c->c_far;
  l->c_near[i] = c->c_near;
  l->r_pi[i] = c->r_pi;
  lanes_put_thresholds(&l->v, i, &c->v);
  l->ramp_base[i] = c->ramp_base;
  TableView delay = { c->data[0], 7, 7 }, slew = { c->data[1], 7, 7 };
  driver_lanes_rows(l, i, delay, slew, c->input_slew, model);
}

static bool same_shape(const DriverShape *a, const DriverShape *b)
{
#define SAME_FIELD(field) &&a->field == b->field
  return true DRIVER_SHAPE(SAME_FIELD);
}

/* Without a waveform the shape's slew alone counts. */
static bool same_driver(const DriverLanes *l, int i, const DriverSolution *r)
{
  const DriverShape *have = &l->shape[i];
  bool same = l->delay[i] == r->delay && l->slew[i] == r->slew && l->ceff[i] == r->ceff
              && have->slew == r->slew && shape_has_wave(have) == shape_has_wave(&r->shape);
  return same && (!shape_has_wave(have) || same_shape(have, &r->shape));
}

/* Lanes keep rubbish of earlier rounds beyond count; that must not matter. */
static void test_drivers_of(DelayModel model)
{
  LibrarySet *libs;
  Names *names;
  CornerLibs *m = driver_libs(&libs, &names);
  DriverLanes *l = driver_lanes_new(DRIVER_SEGMENTS);
  DriverCase *c = mem_alloc(LANES * sizeof *c);
  unsigned seed = 1;
  uint32_t wrong = 0, solved = 0;
  for (int round = 0; round < 150; round++) {
    l->count = round < LANES ? round + 1 : 1 + rand_r(&seed) % LANES;
    for (int i = 0; i < l->count; i++) {
      c[i] = driver_random(m, &seed);
      put_case(l, i, &c[i], model);
    }
    driver_lanes_solve(l, model, m->ramps.at);
    for (int i = 0; i < l->count; i++) {
      DriverSolution r = driver_scalar(model, m, &c[i]);
      wrong += !same_driver(l, i, &r);
      solved += shape_has_wave(&r.shape);
    }
  }
  CHECK(wrong == 0);
  CHECK(solved > 2000);
  driver_lanes_free(l);
  mem_free(c);
  corner_libs_free(m);
  library_set_free(libs);
  names_free(names);
}

static void test_drivers(void)
{
#define TEST_DRIVERS(NAME, ...) test_drivers_of(DELAY_##NAME);
  DELAY_WAVE_MODELS(TEST_DRIVERS)
}

static void put_load(LoadLanes *l, int i, const DriverCase *c, const DriverSolution *d,
                     WireMoments wire)
{
  lanes_put_shape(&l->driver, i, &d->shape);
  lanes_put_thresholds(&l->v, i, &c->v);
  l->elmore[i] = wire.elmore;
  l->impulse_sq[i] = wire.impulse_sq;
}

static void test_loads_of(DelayModel model)
{
  LibrarySet *libs;
  Names *names;
  CornerLibs *m = driver_libs(&libs, &names);
  LoadLanes *l = mem_alloc_zero(1, sizeof *l);
  DelaySlew want[LANES];
  unsigned seed = 2;
  uint32_t wrong = 0;
  for (int round = 0; round < 150; round++) {
    int most = round < LANES ? round + 1 : 1 + rand_r(&seed) % LANES;
    l->count = 0;
    while (l->count < most) {
      DriverCase c = driver_random(m, &seed);
      DriverSolution d = driver_scalar(model, m, &c);
      if (!shape_has_wave(&d.shape)) continue;
      float elmore = d.slew * driver_uniform(&seed, 0.001f, 2);
      WireMoments wire = { elmore, elmore * elmore * driver_uniform(&seed, 0, 2) };
      put_load(l, l->count, &c, &d, wire);
      want[l->count++] = load_solve(model, &d.shape, c.v, wire);
    }
    load_lanes_solve(l, model);
    for (int i = 0; i < l->count; i++)
      wrong += l->delay[i] != want[i].delay || l->slew[i] != want[i].slew;
  }
  CHECK(wrong == 0);
  mem_free(l);
  corner_libs_free(m);
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
