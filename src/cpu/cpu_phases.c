/* The phases of an update on the CPU, level by level. */
#include <string.h>

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
  const Forward *forward = context;
  if (forward->work[thread] == NULL) forward->work[thread] = delay_work_new(forward->t);
  if (parts & EVALUATE)
    delay_drivers(forward->work[thread], NULL, share.driver, share.driver_end - share.driver);
  for (Slot s = share.driver; parts & DRIVERS && s < share.driver_end; s++)
    delay_settle(forward->t, s);
  if (parts & DRIVERS) arrivals_between(forward->t, share.driver, share.driver_end);
  if (parts & LOADS) arrivals_between(forward->t, share.load, share.load_end);
}

bool cpu_forward(Timing *t)
{
  Forward f = { t, delay_works_new(t) };
  bool whole = level_run(t, &(LevelRun){ forward_share, &f, 0, t->g->levels.count, FORWARD_PARTS,
                                         false, delay_cost(t) });
  delay_works_free(t, f.work);
  return whole;
}

/* --- forward, where some delays stay ---------------------------------------------------------- */
typedef struct {
  Work *work;
  ARRAY(Slot)  list;                 /* marked drivers of a share */
  ARRAY(Cond4) before;               /* their slews, and those of their loads */
} MarkedWork;

typedef struct {
  Timing     *t;
  uint8_t    *marks;                 /* by slot */
  MarkedWork *work;                  /* by thread */
} Marked;

static void remember_slews(const Timing *t, MarkedWork *work, Slot driver)
{
  const GraphNets *nets = &t->g->nets;
  array_push(&work->before, t->slew[driver]);
  for (Slot s = nets->load_first[driver]; s < nets->load_first[driver] + nets->load_count[driver];
       s++)
    array_push(&work->before, t->slew[s]);
}

/* Marks the drivers that have another slew at an input. */
static void mark_behind(const Marked *marked, Slot slot, const Cond4 *before)
{
  const Graph *g = marked->t->g;
  if (memcmp(before, &marked->t->slew[slot], sizeof *before) == 0) return;
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++)
    if (arc_shapes(g, g->arcs.out[i]) && !(g->arcs.flags[g->arcs.out[i]] & ARC_LATCH))
      __atomic_store_n(&marked->marks[g->arcs.to[g->arcs.out[i]]], 1, __ATOMIC_RELAXED);
}

static void marked_share(void *context, LevelShare share, unsigned parts, int thread)
{
  const Marked *marked = context;
  Timing *t = marked->t;
  const GraphNets *nets = &t->g->nets;
  MarkedWork own = marked->work[thread], *work = &own; /* off the cache lines of other threads */
  uint32_t at = 0;
  (void)parts;
  if (work->work == NULL) work->work = delay_work_new(t);
  array_clear(&work->list);
  array_clear(&work->before);
  for (Slot s = share.driver; s < share.driver_end; s++)
    if (marked->marks[s]) {
      array_push(&work->list, s);
      remember_slews(t, work, s);
    }
  delay_drivers(work->work, work->list.at, 0, work->list.len);
  for (uint32_t i = 0; i < work->list.len; i++) delay_settle(t, work->list.at[i]);
  for (uint32_t i = 0; i < work->list.len; i++) {
    Slot driver = work->list.at[i];
    mark_behind(marked, driver, &work->before.at[at++]);
    for (Slot s = nets->load_first[driver]; s < nets->load_first[driver] + nets->load_count[driver];
         s++)
      mark_behind(marked, s, &work->before.at[at++]);
  }
  marked->work[thread] = own;
  arrivals_between(t, share.driver, share.driver_end);
  arrivals_between(t, share.load, share.load_end);
}

bool cpu_forward_marked(Timing *t, uint8_t *marks)
{
  Marked m = { t, marks, mem_alloc_zero((size_t)t->threads + 1, sizeof *m.work) };
  bool whole = level_run(t, &(LevelRun){ marked_share, &m, 0, t->g->levels.count, 1, false,
                                         delay_cost(t) });
  for (int i = 0; i < t->threads; i++) {
    if (m.work[i].work) delay_work_free(m.work[i].work);
    array_free(&m.work[i].list);
    array_free(&m.work[i].before);
  }
  mem_free(m.work);
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
