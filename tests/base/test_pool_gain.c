/* Tests of base/pool_gain.h: when runs are shared.  Times in ns are worked out from the header. */
#include "base/pool_gain.h"
#include "tests/unit.h"

#define MS 1e6

/* Adds runs of 5 ms with a speed until something is rated differently, at most `ms` in all. Threads
   lose `lost` of the time. Returns the ms that were added. */
static double add_losing(PoolGain *g, double speed, double lost, double ms)
{
  bool resting = gain_is_resting(g);
  double added = 0;
  GainSum run = { speed * 5 * MS, 5 * MS, lost * 5 * MS };
  for (; added < ms && gain_is_resting(g) == resting; added += 5)
    (resting ? gain_add_alone : gain_add_shared)(g, run);
  return added;
}

static double add(PoolGain *g, double speed, double ms) { return add_losing(g, speed, 0.5, ms); }

static void idle_machine(void)
{
  PoolGain g = GAIN_NEW;
  CU_ASSERT(!gain_is_resting(&g));
  CU_ASSERT_EQUAL(add(&g, 1.9, 1000), 1000);
  CU_ASSERT(!gain_is_resting(&g));
}

/* One item is as long as the others together: no thread loses its core. */
static void one_long_item(void)
{
  PoolGain g = GAIN_NEW;
  CU_ASSERT_EQUAL(add_losing(&g, 1.0, 0.05, 1000), 1000);
  CU_ASSERT(!gain_is_resting(&g));
}

/* Another process has one of two cores: two threads are no faster than one. */
static void rests_double(void)
{
  static const double rests[] = { 100, 200, 400, 800, 1600, 1600 };
  PoolGain g = GAIN_NEW;
  for (int i = 0; i < 6; i++) {
    CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 20);
    CU_ASSERT(gain_is_resting(&g));
    CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), rests[i]);
  }
  CU_ASSERT_EQUAL(add(&g, 1.9, 1000), 1000);            /* the other process has ended */
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 20);
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 100);
}

/* Many processes: one thread has a fifth of a core, two have two fifths. 20 ms of the rest are not
   measured, 60 ms are. */
static void slow_alone(void)
{
  PoolGain g = GAIN_NEW;
  CU_ASSERT_EQUAL(add(&g, 0.4, 1e4), 20);
  CU_ASSERT_EQUAL(add(&g, 0.2, 1e4), 80);
  CU_ASSERT_DOUBLE_EQUAL(g.alone_speed, 0.2, 1e-12);
  CU_ASSERT_EQUAL(add(&g, 0.4, 40), 40);
  CU_ASSERT(!gain_is_resting(&g));
  CU_ASSERT_DOUBLE_EQUAL(g.alone_speed, 0.2 + 0.01 * 0.8 + 0.01 * 0.792, 1e-12);
  CU_ASSERT_EQUAL(add(&g, 0.4, 1e4), 22 * 20);  /* until 0.4 < 1.1 * (1 - 0.8 * 0.99^23) */
  CU_ASSERT(gain_is_resting(&g));
}

/* A machine that counts more time on a core than has passed. */
static void no_speed_above_one(void)
{
  PoolGain g = GAIN_NEW;
  add(&g, 1.0, 20);
  add(&g, 1.3, 1e4);
  CU_ASSERT_EQUAL(g.alone_speed, 1);
}

void suite_pool_gain(void)
{
  CU_pSuite s = CU_add_suite("base/pool_gain", NULL, NULL);
  CU_add_test(s, "an idle machine: always shared", idle_machine);
  CU_add_test(s, "slow, but no core lost: shared", one_long_item);
  CU_add_test(s, "no gain: rests double, and begin again after a good trial", rests_double);
  CU_add_test(s, "one thread is slow too: the rest ends", slow_alone);
  CU_add_test(s, "one thread is never faster than its core", no_speed_above_one);
}
