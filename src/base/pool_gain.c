/* Rates shared runs and runs of one thread, and decides when the pool rests (base/pool_gain.h). */
#include "base/pool_gain.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* The time of a trial, ns.  It is long enough for some time slices of the system, which are some
   3 ms. */
#define TRIAL 20e6
/* The first rest and the longest one, ns. */
static const struct {
  double first, longest;
} rests[] = {
  [ROOM_LITTLE] = { 3.2e9, 12.8e9 }, [ROOM_SOME] = { 400e6, 1.6e9 },
  [ROOM_FOR_ALL] = { 100e6, 1.6e9 }
};
/* With less than this many times the time of one thread there is little room. */
#define LITTLE 2
/* In a rest, the system first needs so long to give the thread a core for itself. Then its speed is
   measured for so long. */
#define SETTLE       20e6
#define ALONE        60e6
/* Room for all ends a rest after so long. */
#define FREE         20e6
/* Shared runs must be so many times as fast as one thread: threads slow each other down a little
   through memory, and time that they wait for memory counts as work. */
#define WORTH 1.1
/* Without room for all a trial may be fast by luck, since other processes wait now and then. */
#define BUSY_WORTH 1.2
/* Threads that lost less of the time that passed did not harm each other. */
#define HARM 0.1
/* After each good trial the speed of one thread goes so much of the way back to 1, so that it is
   measured again when the machine may have changed. */
#define FORGET 0.01

/* How much of what a run has shown is new. */
#define LEARNED 0.25

/* Returns the entry of a function, or the one that it would get. */
static uint32_t entry_of(const GainCosts *costs, const void *function)
{
  uint32_t first = (uint32_t)((uintptr_t)function >> 4) * 2654435761u >> 26, i = first;
  do {
    if (costs->functions[i] == function || costs->functions[i] == NULL) return i;
    i = (i + 1) % GAIN_KINDS;
  } while (i != first);
  return first;
}

void gain_learn(GainCosts *costs, const void *function, double items, double ns)
{
  uint32_t i = entry_of(costs, function);
  double cost = ns / items;
  if (costs->functions[i] == function) cost = costs->ns[i] + LEARNED * (cost - costs->ns[i]);
  costs->functions[i] = function;
  costs->ns[i] = cost;
}

double gain_needed(const GainCosts *costs, const void *function, double items)
{
  uint32_t i = entry_of(costs, function);
  return costs->functions[i] == function ? costs->ns[i] * items : 0;
}

static void add(GainSum *sum, GainSum run)
{
  sum->work += run.work;
  sum->passed += run.passed;
  sum->lost += run.lost;
}

static double rate(GainSum *sum)
{
  double speed = sum->work / sum->passed;
  *sum = (GainSum){ 0, 0, 0 };
  return speed;
}

/* The processors that `threads` threads get on average. */
static double processors_of(int threads, int others, int processors)
{
  int wanted = threads + others;
  return wanted <= processors ? threads : (double)threads * processors / wanted;
}

GainRoom gain_room(int threads, int others, int processors)
{
  if (threads + others <= processors) return ROOM_FOR_ALL;
  double alone = processors_of(1, others, processors);
  return processors_of(threads, others, processors) < LITTLE * alone ? ROOM_LITTLE : ROOM_SOME;
}

static bool is_worth(const PoolGain *gain, GainRoom room)
{
  return gain->shared_speed >= (room == ROOM_FOR_ALL ? WORTH : BUSY_WORTH) * gain->alone_speed;
}

static void begin_rest(PoolGain *gain, GainRoom room)
{
  gain->rest = fmin(fmax(2 * gain->rest, rests[room].first), rests[room].longest);
  gain->left = gain->rest;
  gain->alone = (GainSum){ 0, 0, 0 };
  gain->free = 0;
  gain->rated = false;
  gain->ignores_free |= gain->ended_by_free;
  gain->ended_by_free = false;
}

void gain_begin(PoolGain *gain, GainRoom room)
{
  gain->begun = true;
  if (room == ROOM_LITTLE) begin_rest(gain, room);
}

void gain_add_shared(PoolGain *gain, GainSum run, GainRoom room)
{
  add(&gain->shared, run);
  if (gain->shared.passed < TRIAL) return;
  bool harm = gain->shared.lost > HARM * gain->shared.passed;
  gain->shared_speed = rate(&gain->shared);
  if (harm && !is_worth(gain, room)) {
    begin_rest(gain, room);
  } else {
    gain->rest = 0;
    gain->ended_by_free = gain->ignores_free = false;
    gain->alone_speed += FORGET * (1 - gain->alone_speed);
  }
}

static void add_free(PoolGain *gain, double passed, GainRoom room)
{
  if (gain->ignores_free) return;
  gain->free = fmax(gain->free + (room == ROOM_FOR_ALL ? passed : -passed), 0);
  if (gain->free < FREE) return;
  gain->ended_by_free = true;
  gain->left = 0;
}

/* Before the first trial there is no speed to compare with. */
bool gain_is_measuring(const PoolGain *gain)
{
  return gain_is_resting(gain) && !gain->rated && gain->shared_speed > 0
         && gain->rest - gain->left >= SETTLE;
}

void gain_add_alone(PoolGain *gain, GainSum run, GainRoom room)
{
  bool measured = gain_is_measuring(gain);
  gain->left -= run.passed;
  add_free(gain, run.passed, room);
  if (!measured) return;
  add(&gain->alone, run);
  if (gain->alone.passed < ALONE) return;
  gain->rated = true;
  double speed = rate(&gain->alone);
  gain->alone_speed = speed < 1 ? speed : 1;
  if (is_worth(gain, room)) gain->left = 0;
}
