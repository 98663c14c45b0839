#include "cpu/cpu_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tests/random_case.h"
#include "tests/unit.h"

static void put_case(DriverLanes *l, int i, const DriverCase *c)
{
  l->c_far[i] = c->c_far;
  l->c_near[i] = c->c_near;
  l->r_pi[i] = c->r_pi;
  l->vth[i] = c->v.vth;
  l->vl[i] = c->v.vl;
  l->vh[i] = c->v.vh;
  l->derate[i] = c->v.derate;
  l->ramp_base[i] = c->ramp_base;
  TableView delay = { c->data[0], 7, 7 }, slew = { c->data[1], 7, 7 };
  driver_lanes_rows(l, i, delay, slew, c->input_slew);
}

static bool same_driver(const DriverLanes *l, int i, const DriverSolution *r)
{
  bool same = l->delay[i] == r->delay && l->slew[i] == r->slew && (l->solved[i] != 0) == r->solved;
  if (!r->solved) return same;
  const PiDriver *d = &l->driver[i];
  return same && l->dt[i] == r->dt && l->tl[i] == r->tl && l->tth[i] == r->tth && l->th[i] == r->th
         && d->p1 == r->driver.p1 && d->p2 == r->driver.p2 && d->k1 == r->driver.k1
         && d->k3 == r->driver.k3 && d->k4 == r->driver.k4;
}

/* Lanes keep rubbish of earlier rounds beyond count; that must not matter. */
static void test_drivers(void)
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
      put_case(l, i, &c[i]);
    }
    driver_lanes_solve(l, m->ramps.at);
    for (int i = 0; i < l->count; i++) {
      DriverSolution r = driver_scalar(m, &c[i]);
      wrong += !same_driver(l, i, &r);
      solved += r.solved;
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

static void put_load(LoadLanes *l, int i, const DriverCase *c, const DriverSolution *d,
                     float elmore)
{
  l->p1[i] = d->driver.p1;
  l->p2[i] = d->driver.p2;
  l->k1[i] = d->driver.k1;
  l->k3[i] = d->driver.k3;
  l->k4[i] = d->driver.k4;
  l->dt[i] = d->dt;
  l->vth[i] = c->v.vth;
  l->vl[i] = c->v.vl;
  l->vh[i] = c->v.vh;
  l->derate[i] = c->v.derate;
  l->tl[i] = d->tl;
  l->tth[i] = d->tth;
  l->th[i] = d->th;
  l->elmore[i] = elmore;
  l->driver_slew[i] = d->slew;
}

static void test_loads(void)
{
  LibrarySet *libs;
  Names *names;
  CornerLibs *m = driver_libs(&libs, &names);
  LoadLanes *l = mem_alloc_zero(1, sizeof *l);
  LoadSolution want[LANES];
  unsigned seed = 2;
  uint32_t wrong = 0;
  for (int round = 0; round < 150; round++) {
    int most = round < LANES ? round + 1 : 1 + rand_r(&seed) % LANES;
    l->count = 0;
    while (l->count < most) {
      DriverCase c = driver_random(m, &seed);
      DriverSolution d = driver_scalar(m, &c);
      if (!d.solved) continue;
      float elmore = d.slew * driver_uniform(&seed, 0.001f, 2);
      put_load(l, l->count, &c, &d, elmore);
      want[l->count++] = load_solve(&d, c.v, elmore);
    }
    load_lanes_solve(l);
    for (int i = 0; i < l->count; i++)
      wrong += l->delay[i] != want[i].delay || l->slew[i] != want[i].slew;
  }
  CHECK(wrong == 0);
  mem_free(l);
  corner_libs_free(m);
  library_set_free(libs);
  names_free(names);
}

void suite_lanes(void)
{
  CU_pSuite s = CU_add_suite("cpu/lanes", NULL, NULL);
  CU_add_test(s, "drivers equal the scalar solution", test_drivers);
  CU_add_test(s, "loads equal the scalar solution", test_loads);
}
