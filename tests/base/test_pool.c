/* Tests of base/pool.h: all items of a step are done before the next step, also in nested runs. */
#include <stdatomic.h>

#include "base/memory.h"
#include "base/pool.h"
#include "tests/unit.h"

/* Items of steps of many sizes, each of which reads what the step before wrote. */
typedef struct {
  uint32_t *size;              /* by step */
  uint32_t *first;             /* by step: where its items lie */
  uint32_t *value;             /* by item: 0 or once written */
  atomic_uint written, wrong;
  int       threads;
  atomic_int inside[64];       /* by thread */
} Steps;

static uint32_t step_items(void *context, uint32_t step) { return ((Steps *)context)->size[step]; }

/* All items of the step before must be there. */
static bool before_is_done(const Steps *steps, uint32_t step)
{
  if (step == 0) return true;
  for (uint32_t i = steps->first[step - 1]; i < steps->first[step]; i++)
    if (steps->value[i] != step) return false;
  return true;
}

static void do_items(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Steps *steps = context;
  if (thread < 0 || thread >= steps->threads || thread != pool_thread())
    atomic_fetch_add(&steps->wrong, 1);
  if (atomic_fetch_add(&steps->inside[thread], 1) != 0) atomic_fetch_add(&steps->wrong, 1);
  if (!before_is_done(steps, step)) atomic_fetch_add(&steps->wrong, 1);
  for (uint32_t i = from; i < to; i++) {
    for (volatile int spent = 0; spent < (int)(i % 97); spent++) {}
    steps->value[steps->first[step] + i] += step + 1;
    atomic_fetch_add(&steps->written, 1);
  }
  atomic_fetch_sub(&steps->inside[thread], 1);
}

static Steps steps_new(uint32_t count, int threads)
{
  Steps s = { mem_alloc(count * sizeof *s.size),
              mem_alloc((count + 1) * sizeof *s.first),
              NULL,
              0,
              0,
              threads,
              { 0 } };
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; i++) {
    s.size[i] = i % 7 == 0 ? 0 : i % 5 == 0 ? 2000 : i * 37 % 60;
    s.first[i] = total;
    total += s.size[i];
  }
  s.first[count] = total;
  s.value = mem_alloc_zero(total + 1, sizeof *s.value);
  return s;
}

static void steps_free(Steps *steps)
{
  mem_free(steps->size);
  mem_free(steps->first);
  mem_free(steps->value);
}

/* A step without items has nothing that the next one could miss. */
static void pool_steps(void)
{
  static const int threads[] = { 1, 2, 3, 16 };
  for (int k = 0; k < 4; k++)
    for (int repeat = 0; repeat < 20; repeat++) {
      Steps s = steps_new(200, threads[k]);
      pool_run(
          &(PoolRun){
              .work = do_items, .count = step_items, .context = &s, .steps = 200, .cost = 50 },
          threads[k]);
      CHECK(atomic_load(&s.written) == s.first[200]);
      CHECK(atomic_load(&s.wrong) == 0);
      steps_free(&s);
    }
}

typedef struct {
  atomic_uint items, wrong;
} Inner;

static void inner_items(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Inner *inner = context;
  (void)step;
  if (thread != 0 || pool_thread() != 0) atomic_fetch_add(&inner->wrong, 1);
  atomic_fetch_add(&inner->items, to - from);
}

static void outer_items(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  (void)step;
  for (uint32_t i = from; i < to; i++) pool_items(10, 1000, 4, inner_items, context);
  if (pool_thread() != thread) atomic_fetch_add(&((Inner *)context)->wrong, 1);
}

static void pool_nested(void)
{
  Inner x = { 0, 0 };
  pool_items(100, 1e6f, 4, outer_items, &x);
  CHECK(atomic_load(&x.items) == 1000);
  CHECK(atomic_load(&x.wrong) == 0);
}

static void ask_inside(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++)
    if (pool_would_share(4)) atomic_fetch_add(&((Inner *)context)->wrong, 1);
}

/* Work inside of other work is done by one thread, whether or not the other work was shared. */
static void pool_asked(void)
{
  Inner x = { 0, 0 };
  CHECK(!pool_would_share(0));
  CHECK(!pool_would_share(1));
  pool_items(100, 1e6f, 4, ask_inside, &x);
  CHECK(atomic_load(&x.wrong) == 0);
}

static void pool_nothing(void)
{
  Inner x = { 0, 0 };
  pool_items(0, 1000, 4, inner_items, &x);
  pool_run(&(PoolRun){ .work = inner_items, .count = step_items, .context = &x, .steps = 0 }, 4);
  CHECK(atomic_load(&x.items) == 0);
}

void suite_pool(void)
{
  CU_pSuite s = CU_add_suite("base/pool", NULL, NULL);
  CU_add_test(s, "steps in order, each item once, one thread a number", pool_steps);
  CU_add_test(s, "work inside work", pool_nested);
  CU_add_test(s, "would work be shared?", pool_asked);
  CU_add_test(s, "nothing to do", pool_nothing);
}
