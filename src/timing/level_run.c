/* Runs the levels of a graph on the pool of threads; a level with nets of several drivers is split
   into parts. */
#include "timing/level_run.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pool.h"

typedef struct {
  const Graph    *g;
  const LevelRun *run;
  uint8_t        *split;         /* by level: does a load of the level have several drivers? */
} Levels;

static uint8_t *split_levels(const Graph *g)
{
  uint8_t *split = mem_alloc_zero((size_t)g->levels.count + 1, 1);
  for (uint32_t i = 0; i < g->nets.extra_wires.len; i++)
    split[g->slots.level[g->nets.extra_wires.at[i].load]] = 1;
  return split;
}

static uint32_t level_of(const Levels *levels, uint32_t step)
{
  uint32_t level = step / levels->run->parts;
  return levels->run->backward ? levels->run->end - 1 - level : levels->run->level + level;
}

/* Returns the number of pieces of work of a step. A level with loads but without drivers is one
   piece. */
static uint32_t items(void *context, uint32_t step)
{
  const Levels *levels = context;
  uint32_t level = level_of(levels, step),
           drivers = levels->g->levels.loads[level] - levels->g->levels.first[level];
  if (step % levels->run->parts && !levels->split[level]) return 0;
  return drivers ? drivers : levels->g->levels.first[level + 1] > levels->g->levels.loads[level];
}

static LevelShare share_of(const Graph *g, uint32_t level, uint32_t from, uint32_t to)
{
  Slot first = g->levels.first[level], loads = g->levels.loads[level];
  if (first == loads) return (LevelShare){ first, first, loads, g->levels.first[level + 1] };
  return (LevelShare){ first + from, first + to, from ? g->nets.load_first[first + from] : loads,
                       first + to == loads ? g->levels.first[level + 1]
                                           : g->nets.load_first[first + to] };
}

static void work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Levels *levels = context;
  if (interrupt_seen()) return;
  uint32_t level = level_of(levels, step), part = step % levels->run->parts;
  unsigned parts = levels->split[level] ? 1u << part : (1u << levels->run->parts) - 1;
  levels->run->work(levels->run->context, share_of(levels->g, level, from, to), parts, thread);
}

bool level_run(const Timing *t, const LevelRun *run)
{
  Levels x = { t->g, run, split_levels(t->g) };
  pool_run(&(PoolRun){ .work = work,
                       .count = items,
                       .context = &x,
                       .steps = (run->end - run->level) * run->parts,
                       .grain = 16,
                       .cost = run->cost },
           t->threads);
  mem_free(x.split);
  return !interrupt_seen();
}
