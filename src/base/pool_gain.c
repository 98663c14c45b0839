#include "base/pool_gain.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Times, ns: of a trial, of the first rest and of the longest one.  A trial is long enough for some
   time slices of the system, which are some 3 ms. */
#define TRIAL        20e6
#define FIRST_REST   100e6
#define LONGEST_REST 1.6e9
/* The first rest on a machine that has no processors to spare: it will hardly end so soon. */
#define BUSY_REST    400e6
/* In a rest, the system first needs so long to give the thread a core for itself. Then its speed is
   measured for so long. */
#define SETTLE       20e6
#define ALONE        60e6
/* Processors to spare end a rest after so long. */
#define SPARE        20e6
/* Shared runs must be so many times as fast as one thread: threads slow each other down a little
   through memory, and time that they wait for memory counts as work. */
#define WORTH 1.1
/* Without processors to spare a trial may be fast by luck, since other processes wait now and
   then. */
#define BUSY_WORTH 1.2
/* Threads that lost less of the time that passed did not harm each other. */
#define HARM 0.1
/* After each good trial the speed of one thread goes so much of the way back to 1, so that it is
   measured again when the machine may have changed. */
#define FORGET 0.01

/* How much of what a run has shown is new. */
#define LEARNED 0.25

/* Returns the entry of a function, or the one that it would get. */
static uint32_t entry_of(const GainCosts *c, const void *function)
{
  uint32_t first = (uint32_t)((uintptr_t)function >> 4) * 2654435761u >> 26, i = first;
  do {
    if (c->functions[i] == function || c->functions[i] == NULL) return i;
    i = (i + 1) % GAIN_KINDS;
  } while (i != first);
  return first;
}

void gain_learn(GainCosts *c, const void *function, double items, double ns)
{
  uint32_t i = entry_of(c, function);
  double cost = ns / items;
  if (c->functions[i] == function) cost = c->ns[i] + LEARNED * (cost - c->ns[i]);
  c->functions[i] = function;
  c->ns[i] = cost;
}

double gain_needed(const GainCosts *c, const void *function, double items)
{
  uint32_t i = entry_of(c, function);
  return c->functions[i] == function ? c->ns[i] * items : 0;
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

static bool is_worth(const PoolGain *g, bool spare)
{
  return g->shared_speed >= (spare ? WORTH : BUSY_WORTH) * g->alone_speed;
}

static void begin_rest(PoolGain *g, bool spare)
{
  double first = spare ? FIRST_REST : BUSY_REST, twice = fmax(2 * g->rest, first);
  g->rest = twice < LONGEST_REST ? twice : LONGEST_REST;
  g->left = g->rest;
  g->alone = (GainSum){ 0, 0, 0 };
  g->spare = 0;
  g->rated = false;
  g->no_spare |= g->by_spare;
  g->by_spare = false;
}

void gain_begin(PoolGain *g, bool spare)
{
  g->begun = true;
  if (!spare) begin_rest(g, false);
}

void gain_add_shared(PoolGain *g, GainSum run, bool spare)
{
  add(&g->shared, run);
  if (g->shared.passed < TRIAL) return;
  bool harm = g->shared.lost > HARM * g->shared.passed;
  g->shared_speed = rate(&g->shared);
  if (harm && !is_worth(g, spare)) {
    begin_rest(g, spare);
  } else {
    g->rest = 0;
    g->by_spare = g->no_spare = false;
    g->alone_speed += FORGET * (1 - g->alone_speed);
  }
}

static void add_spare(PoolGain *g, double passed, bool spare)
{
  g->spare = spare && !g->no_spare ? g->spare + passed : 0;
  if (g->spare < SPARE) return;
  g->by_spare = true;
  g->left = 0;
}

bool gain_is_measuring(const PoolGain *g)
{
  return gain_is_resting(g) && !g->rated && g->rest - g->left >= SETTLE;
}

void gain_add_alone(PoolGain *g, GainSum run, bool spare)
{
  bool measured = gain_is_measuring(g);
  g->left -= run.passed;
  add_spare(g, run.passed, spare);
  if (!measured) return;
  add(&g->alone, run);
  if (g->alone.passed < ALONE) return;
  g->rated = true;
  double speed = rate(&g->alone);
  g->alone_speed = speed < 1 ? speed : 1;
  if (is_worth(g, spare)) g->left = 0;
}
