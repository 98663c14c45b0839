/* Tests of base/pool_gain.h: when runs are shared.  Times in ns are worked out from the header. */
#include "base/pool_gain.h"
#include "tests/unit.h"

#define MS 1e6

/* Adds runs of 5 ms with a speed until something is rated differently, at most `ms` in all. Threads
   lose `lost` of the time. Returns the ms that were added. */
static double add_runs(PoolGain *gain, double speed, double lost, GainRoom room, double ms)
{
  bool resting = gain_is_resting(gain);
  double added = 0;
  GainSum run = { speed * 5 * MS, 5 * MS, lost * 5 * MS };
  for (; added < ms && gain_is_resting(gain) == resting; added += 5)
    if (resting) gain_add_alone(gain, run, room);
    else gain_add_shared(gain, run, room);
  return added;
}

static double add_losing(PoolGain *gain, double speed, double lost, double ms)
{
  return add_runs(gain, speed, lost, ROOM_SOME, ms);
}

static double add(PoolGain *gain, double speed, double ms)
{
  return add_losing(gain, speed, 0.5, ms);
}

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

/* By hand. Two threads on two cores beside one other thread get 2 * 2/3 = 1.33 cores, where one
   thread gets 1; beside eight others 0.4 and 0.22. Four threads on four cores beside three others
   get 2.29, where one gets 1; beside twelve others 1 and 0.31. Three threads beside two others: 1.8
   and 1. */
static void rooms(void)
{
  CU_ASSERT_EQUAL(gain_room(2, 0, 2), ROOM_FOR_ALL);
  CU_ASSERT_EQUAL(gain_room(2, 1, 2), ROOM_LITTLE);
  CU_ASSERT_EQUAL(gain_room(2, 8, 2), ROOM_LITTLE);
  CU_ASSERT_EQUAL(gain_room(3, 2, 3), ROOM_LITTLE);
  CU_ASSERT_EQUAL(gain_room(4, 1, 4), ROOM_SOME);
  CU_ASSERT_EQUAL(gain_room(4, 3, 4), ROOM_SOME);
  CU_ASSERT_EQUAL(gain_room(4, 12, 4), ROOM_SOME);
  CU_ASSERT_EQUAL(gain_room(16, 15, 16), ROOM_SOME);
  CU_ASSERT_EQUAL(gain_room(16, 32, 16), ROOM_SOME);
  CU_ASSERT_EQUAL(gain_room(2, 62, 64), ROOM_FOR_ALL);
  CU_ASSERT_EQUAL(gain_room(2, 63, 64), ROOM_LITTLE);
  CU_ASSERT_EQUAL(gain_room(1, 0, 1), ROOM_FOR_ALL);
}

/* Where there is little room, no trial is made first. */
static void begins_with_rest(void)
{
  PoolGain idle = GAIN_NEW, some = GAIN_NEW, little = GAIN_NEW;
  gain_begin(&idle, ROOM_FOR_ALL);
  CU_ASSERT(!gain_is_resting(&idle));
  gain_begin(&some, ROOM_SOME);
  CU_ASSERT(!gain_is_resting(&some));
  gain_begin(&little, ROOM_LITTLE);
  CU_ASSERT(gain_is_resting(&little));
  CU_ASSERT_EQUAL(add_runs(&little, 0.5, 0, ROOM_LITTLE, 100), 100);
  CU_ASSERT(!gain_is_measuring(&little));
  CU_ASSERT_EQUAL(add_runs(&little, 1.0, 0.5, ROOM_LITTLE, 1e5), 3100);
  CU_ASSERT(!gain_is_resting(&little));
}

/* Another process has one of two cores: rests are long. If it ends, 20 ms end the rest. */
static void long_rests(void)
{
  static const double rests[] = { 3200, 6400, 12800, 12800 };
  PoolGain g = GAIN_NEW;
  for (int i = 0; i < 4; i++) {
    CU_ASSERT_EQUAL(add_runs(&g, 1.19, 0.5, ROOM_LITTLE, 1e5), 20);
    CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_LITTLE, 1e5), rests[i]);
  }
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0.5, ROOM_LITTLE, 1e5), 20);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_LITTLE, 100), 100);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_FOR_ALL, 1e5), 20);
}

/* Two threads are no faster than one, although there should be room for more. */
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

/* The host of a virtual machine takes its processors, and the system does not see it: room for all
   ends the first rest alone. */
static void unseen_loss(void)
{
  static const double rests[] = { 20, 200, 400, 800, 1600, 1600 };
  PoolGain g = GAIN_NEW;
  for (int i = 0; i < 6; i++) {
    CU_ASSERT_EQUAL(add_runs(&g, 1.09, 0.5, ROOM_FOR_ALL, 1e4), 20);
    CU_ASSERT(gain_is_resting(&g));
    CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_FOR_ALL, 1e4), rests[i]);
  }
  CU_ASSERT_EQUAL(add_runs(&g, 1.11, 0.5, ROOM_FOR_ALL, 1000), 1000);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0.5, ROOM_FOR_ALL, 1e4), 20);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_FOR_ALL, 1e4), 20);
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

/* The other processes have ended: the rest is over after 20 ms, and 10 of these are left after
   15 ms with room and 5 ms without. If the trial behind it fails, the next rest is as long as
   without room. A good trial makes room count again. */
static void free_processors(void)
{
  PoolGain g = GAIN_NEW;
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 20);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_FOR_ALL, 15), 15);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_SOME, 5), 5);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_FOR_ALL, 1e4), 10);
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 20);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_FOR_ALL, 1e4), 800);
  CU_ASSERT_EQUAL(add(&g, 1.9, 20), 20);
  CU_ASSERT_EQUAL(add(&g, 1.0, 1e4), 20);
  CU_ASSERT_EQUAL(add_runs(&g, 1.0, 0, ROOM_FOR_ALL, 1e4), 20);
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
  CU_add_test(s, "room for threads beside others", rooms);
  CU_add_test(s, "with little room, a rest comes before the first trial", begins_with_rest);
  CU_add_test(s, "no gain: rests double, and begin again after a good trial", rests_double);
  CU_add_test(s, "rests are long where there is little room", long_rests);
  CU_add_test(s, "no gain on a machine that looks idle", unseen_loss);
  CU_add_test(s, "one thread is slow too: the rest ends", slow_alone);
  CU_add_test(s, "room for all ends a rest", free_processors);
  CU_add_test(s, "what an item needs, by function", costs);
  CU_add_test(s, "one thread is never faster than its core", no_speed_above_one);
}
