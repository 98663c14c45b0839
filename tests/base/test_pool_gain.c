/* Tests of base/pool_gain.h: when runs are shared.  Times in ns are worked out from the header. */
#include "base/pool_gain.h"
#include "tests/unit.h"

#define MS 1e6

/* Adds runs of 5 ms with a speed until something is rated differently, at most `ms` in all. Threads
   lose `lost` of the time. In a rest the system may have processors to spare. Returns the ms that
   were added. */
static double add_runs(PoolGain *g, double speed, double lost, bool spare, double ms)
{
  bool resting = gain_is_resting(g);
  double added = 0;
  GainSum run = { speed * 5 * MS, 5 * MS, lost * 5 * MS };
  for (; added < ms && gain_is_resting(g) == resting; added += 5)
    if (resting) gain_add_alone(g, run, spare);
    else gain_add_shared(g, run, spare);
  return added;
}

static double add_losing(PoolGain *g, double speed, double lost, double ms)
{
  return add_runs(g, speed, lost, false, ms);
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

/* A busy machine is not tried first. */
static void begins_with_rest(void)
{
  PoolGain idle = GAIN_NEW, busy = GAIN_NEW;
  gain_begin(&idle, true);
  CU_ASSERT(!gain_is_resting(&idle));
  gain_begin(&busy, false);
  CU_ASSERT(gain_is_resting(&busy));
  CU_ASSERT_EQUAL(add(&busy, 1.0, 1e4), 400);
  CU_ASSERT(!gain_is_resting(&busy));
}

/* Another process has one of two cores: two threads are no faster than one. */
static void rests_double(void)
{
  static const double rests[] = { 400, 800, 1600, 1600 };
  PoolGain g = GAIN_NEW;
  for (int i = 0; i < 4; i++) {
    CU_ASSERT_EQUAL(add(&g, 1.19, 1e4), 20);
    CU_ASSERT(gain_is_resting(&g));
    CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), rests[i]);
  }
  CU_ASSERT_EQUAL(add(&g, 1.21, 1000), 1000);           /* the other process has ended */
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 20);
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 400);
}

/* The host of a virtual machine takes its processors, and the system does not see it: processors to
   spare end the first rest alone. */
static void unseen_loss(void)
{
  static const double rests[] = { 20, 200, 400, 800, 1600, 1600 };
  PoolGain g = GAIN_NEW;
  for (int i = 0; i < 6; i++) {
    CU_ASSERT_EQUAL(add_runs(&g, 1.09, 0.5, true, 1e4), 20);
    CU_ASSERT(gain_is_resting(&g));
    CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, true, 1e4), rests[i]);
  }
  CU_ASSERT_EQUAL(add_runs(&g, 1.11, 0.5, true, 1000), 1000);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0.5, true, 1e4), 20);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, true, 1e4), 20);
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
  CU_ASSERT_EQUAL(add(&g, 0.4, 1e4), 18 * 20);  /* until 0.4 < 1.2 * (1 - 0.8 * 0.99^19) */
  CU_ASSERT(gain_is_resting(&g));
}

/* The other processes have ended: the rest is over after 20 ms. If the trial behind it fails, the
   next rest is as long as without spare processors. A good trial makes them count again. */
static void spare_processors(void)
{
  PoolGain g = GAIN_NEW;
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 20);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, true, 15), 15);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, false, 5), 5);       /* not for 20 ms at a stretch */
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, true, 1e4), 20);
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 20);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, true, 1e4), 800);
  CU_ASSERT_EQUAL(add(&g, 1.9, 20), 20);
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 20);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, true, 1e4), 20);
}

/* A quarter of each run is new. Each function has costs of its own, though the table is small. */
static void costs(void)
{
  static const char functions[200] = { 0 };
  GainCosts c = { { NULL }, { 0 } };
  CU_ASSERT_EQUAL(gain_needed(&c, functions, 10), 0);
  gain_learn(&c, functions, 10, 400);
  CU_ASSERT_DOUBLE_EQUAL(gain_needed(&c, functions, 3), 120, 1e-9);
  gain_learn(&c, functions, 1, 80);
  CU_ASSERT_DOUBLE_EQUAL(gain_needed(&c, functions, 1), 50, 1e-9);
  gain_learn(&c, functions + 1, 1, 7);
  CU_ASSERT_DOUBLE_EQUAL(gain_needed(&c, functions, 1), 50, 1e-9);
  CU_ASSERT_DOUBLE_EQUAL(gain_needed(&c, functions + 1, 2), 14, 1e-9);
  for (int i = 0; i < 200; i++) {
    gain_learn(&c, functions + i, 1, i + 1);
    double needed = gain_needed(&c, functions + i, 1);
    CU_ASSERT(i < 2 ? needed > 0 : needed == i + 1);
  }
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
  CU_add_test(s, "a busy machine is not tried first", begins_with_rest);
  CU_add_test(s, "no gain: rests double, and begin again after a good trial", rests_double);
  CU_add_test(s, "no gain on a machine that looks idle", unseen_loss);
  CU_add_test(s, "one thread is slow too: the rest ends", slow_alone);
  CU_add_test(s, "processors to spare end a rest", spare_processors);
  CU_add_test(s, "what an item needs, by function", costs);
  CU_add_test(s, "one thread is never faster than its core", no_speed_above_one);
}
