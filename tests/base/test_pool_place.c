/* Tests of base/pool_place.h: a thread that sleeps, and another one that moves to its processor and
   wakes it there. */
#include "base/pool_place.h"
#include "tests/unit.h"

#ifdef __linux__
#include <pthread.h>
#include <semaphore.h>

typedef struct {
  PoolPlace place;
  sem_t     asleep, wake;
  int       woken_on;        /* processor */
  cpu_set_t after;           /* its mask when it has returned */
} Sleeper;

static void *sleeper_main(void *data)
{
  Sleeper *sleeper = data;
  place_leave(&sleeper->place);
  sem_post(&sleeper->asleep);
  while (sem_wait(&sleeper->wake) != 0) {}
  sleeper->woken_on = sched_getcpu();
  place_return(&sleeper->place);
  sched_getaffinity(0, sizeof sleeper->after, &sleeper->after);
  return NULL;
}

/* Runs a sleeper with the mask, and wakes it from its own processor. */
static void wake_from_own(Sleeper *sleeper, const cpu_set_t *mask)
{
  pthread_t id;
  cpu_set_t own;
  *sleeper = (Sleeper){ .woken_on = -1 };
  sem_init(&sleeper->asleep, 0, 0);
  sem_init(&sleeper->wake, 0, 0);
  sched_setaffinity(0, sizeof *mask, mask);              /* the sleeper inherits it */
  CU_ASSERT_FATAL(pthread_create(&id, NULL, sleeper_main, sleeper) == 0);
  while (sem_wait(&sleeper->asleep) != 0) {}
  CPU_ZERO(&own);
  CPU_SET(sleeper->place.processor, &own);
  CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof own, &own), 0);
  place_avoid(&sleeper->place);
  sem_post(&sleeper->wake);
  pthread_join(id, NULL);
  sem_destroy(&sleeper->asleep);
  sem_destroy(&sleeper->wake);
}

static int first_of(const cpu_set_t *set)
{
  int i = 0;
  while (!CPU_ISSET(i, set)) i++;
  return i;
}

static void woken_elsewhere(void)
{
  cpu_set_t before;
  Sleeper s;
  if (sched_getaffinity(0, sizeof before, &before) != 0) return;   /* too many processors */
  for (int i = 0; i < 20; i++) {
    wake_from_own(&s, &before);
    CU_ASSERT(CPU_COUNT(&before) == 1 || s.woken_on != s.place.processor);
    CU_ASSERT(CPU_EQUAL(&s.after, &before));
  }
  sched_setaffinity(0, sizeof before, &before);
}

/* With one processor there is no other: the thread is woken, and keeps its mask. */
static void only_processor(void)
{
  cpu_set_t before, one;
  Sleeper s;
  if (sched_getaffinity(0, sizeof before, &before) != 0) return;
  CPU_ZERO(&one);
  CPU_SET(first_of(&before), &one);
  wake_from_own(&s, &one);
  CU_ASSERT_EQUAL(s.woken_on, first_of(&before));
  CU_ASSERT(CPU_EQUAL(&s.after, &one));
  CU_ASSERT(!s.place.moved);
  sched_setaffinity(0, sizeof before, &before);
}

/* A thread that has not slept has no place. */
static void no_place(void)
{
  PoolPlace p = { 0 };
  place_avoid(&p);
  CU_ASSERT(!p.moved);
}
#endif

void suite_pool_place(void)
{
  CU_pSuite s = CU_add_suite("base/pool_place", NULL, NULL);
#ifdef __linux__
  CU_add_test(s, "a thread is woken off the waking thread's processor", woken_elsewhere);
  CU_add_test(s, "there is one processor", only_processor);
  CU_add_test(s, "a thread that has not slept", no_place);
#endif
  (void)s;
}
