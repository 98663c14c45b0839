/* The phases of an update on the CPU, level by level. */
#include "base/interrupt.h"
#include "base/memory.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "timing/level_run.h"
#include "cpu/cpu_work.h"

/* --- forward ---------------------------------------------------------------------------------- */
enum { EVALUATE = 1, DRIVERS = 2, LOADS = 4, FORWARD_PARTS = 3 };

typedef struct {
  Timing *t;
  Work  **work;        /* by thread */
} Forward;

static void arrivals_between(Timing *t, Slot from, Slot to)
{
  for (Slot s = from; s < to; s++) cpu_slot_arrival(t, s);
}

static void forward_share(void *context, LevelShare share, unsigned parts, int thread)
{
  const Forward *f = context;
  if (f->work[thread] == NULL) f->work[thread] = delay_work_new(f->t);
  if (parts & EVALUATE)
    delay_drivers(f->work[thread], NULL, share.driver, share.driver_end - share.driver);
  for (Slot s = share.driver; parts & DRIVERS && s < share.driver_end; s++) delay_settle(f->t, s);
  if (parts & DRIVERS) arrivals_between(f->t, share.driver, share.driver_end);
  if (parts & LOADS) arrivals_between(f->t, share.load, share.load_end);
}

bool cpu_forward(Timing *t)
{
  Forward f = { t, delay_works_new(t) };
  bool whole = level_run(t, &(LevelRun){ forward_share, &f, 0, t->g->levels.count, FORWARD_PARTS,
                                         false, delay_cost(t) });
  delay_works_free(t, f.work);
  return whole;
}

static void arrivals_share(void *context, LevelShare share, unsigned parts, int thread)
{
  (void)thread;
  if (parts & 1) arrivals_between(context, share.driver, share.driver_end);
  if (parts & 2) arrivals_between(context, share.load, share.load_end);
}

bool cpu_level_arrivals(Timing *t, uint32_t level, uint32_t end)
{
  return level_run(t, &(LevelRun){ arrivals_share, t, level, end, 2, false, 150 });
}

bool cpu_arrivals(Timing *t) { return cpu_level_arrivals(t, 0, t->g->levels.count); }

bool cpu_common_paths(Timing *t)
{
  cpu_common_credits(t);
  return !common_active(t) || cpu_level_fronts(t, 0, t->g->levels.count);
}

/* --- backward --------------------------------------------------------------------------------- */
static void required_share(void *context, LevelShare share, unsigned parts, int thread)
{
  (void)thread;
  cpu_share_required(context, share, parts);
}

bool cpu_backward(Timing *t)
{
  if (common_pruned(t)) return cpu_pruned_backward(t);
  if (common_captures(t)) return cpu_captures(t);
  return level_run(t, &(LevelRun){ required_share, t, 0, t->g->levels.count, 2, true, 150 });
}
