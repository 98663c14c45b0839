#include "base/pool_gain.h"

/* Times, ns: of a trial, of the first rest and of the longest one.  A trial is long enough for some
   time slices of the system, which are some 3 ms. */
#define TRIAL        20e6
#define FIRST_REST   100e6
#define LONGEST_REST 1.6e9
/* In a rest, the system first needs so long to give the thread a core for itself. Then its speed is
   measured for so long. */
#define SETTLE       20e6
#define ALONE        60e6
/* Shared runs must be so many times as fast as one thread: threads slow each other down a little
   through memory, and time that they wait for memory counts as work. */
#define WORTH 1.1
/* Threads that lost less of the time that passed did not harm each other. */
#define HARM 0.1
/* After each good trial the speed of one thread goes so much of the way back to 1, so that it is
   measured again when the machine may have changed. */
#define FORGET 0.01

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

static bool is_worth(const PoolGain *g) { return g->shared_speed >= WORTH * g->alone_speed; }

static void begin_rest(PoolGain *g)
{
  double twice = 2 * g->rest;
  g->rest = twice == 0 ? FIRST_REST : twice < LONGEST_REST ? twice : LONGEST_REST;
  g->left = g->rest;
  g->alone = (GainSum){ 0, 0, 0 };
}

void gain_add_shared(PoolGain *g, GainSum run)
{
  add(&g->shared, run);
  if (g->shared.passed < TRIAL) return;
  bool harm = g->shared.lost > HARM * g->shared.passed;
  g->shared_speed = rate(&g->shared);
  if (harm && !is_worth(g)) {
    begin_rest(g);
  } else {
    g->rest = 0;
    g->alone_speed += FORGET * (1 - g->alone_speed);
  }
}

void gain_add_alone(PoolGain *g, GainSum run)
{
  bool settled = g->rest - g->left >= SETTLE;
  g->left -= run.passed;
  if (!settled) return;
  add(&g->alone, run);
  if (g->alone.passed < ALONE) return;
  double speed = rate(&g->alone);
  g->alone_speed = speed < 1 ? speed : 1;
  if (is_worth(g)) g->left = 0;
}
