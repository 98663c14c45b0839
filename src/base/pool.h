/* A pool of threads that share work. It is made for machines whose cores are also busy with other
   work.

   Work is a sequence of steps, and each step has items. Each thread has a share of the items: an
   equal part of the step. It claims chunks of its own share. When this share is used up, it claims
   chunks of the shares of others. So the numbers that a thread reads are mostly in its own cache,
   because it wrote them in an earlier step or an earlier run. A step ends when all its items are
   done, not when all threads have arrived: a thread that the system has taken off its core delays
   only its own chunk. The size of chunks follows the cost of items, which is measured in the same
   run. A step that is too short to share is done by the thread that ended the step before. So
   several such steps in a row need no synchronisation. A waiting thread spins for some microseconds
   and then sleeps, which leaves the core to others.

   The process has one pool. Its threads are made when first needed. Work that begins while other
   work runs is done alone by the thread that begins it. The same is true of all work while the
   machine is so busy that sharing gains nothing (base/pool_gain.h). */
#ifndef SL_BASE_POOL_H
#define SL_BASE_POOL_H

#include <stdbool.h>
#include <stdint.h>

/* The largest number of threads of a run. */
enum { POOL_MOST_THREADS = 1024 };

/* Does items [from, to) of a step. `thread` is a number below the run's number of threads. No two
   threads have the same number at a time, so it can select scratch memory. */
typedef void (*PoolWork)(void *context, uint32_t step, uint32_t from, uint32_t to, int thread);
/* Returns how many items a step has. It must return the same number at each call. */
typedef uint32_t (*PoolCount)(void *context, uint32_t step);

typedef struct {
  PoolWork  work;
  PoolCount count;
  void     *context;
  uint32_t  steps;
  uint32_t  grain;       /* chunks are multiples of this; 0 means 1 */
  float     cost;        /* estimated time of an item in ns, used until it has been measured */
} PoolRun;

/* Does all steps in order and returns when all are done. A step sees what the steps before it
   wrote. */
void pool_run(const PoolRun *run, int threads);
/* Does one step of `count` items. */
void pool_items(uint32_t count, float cost, int threads, PoolWork work, void *context);

/* Would several threads share a long run now? One thread does it alone if `threads` is 1, during
   another run, or while sharing gains nothing. A caller asks this if one thread can do the work in
   another way, with less effort. */
bool pool_would_share(int threads);

/* A lock for rare and short work: one thread at a time is between the two calls. */
void pool_enter(void);
void pool_leave(void);

/* Returns the thread's number in the innermost run, or 0 outside of runs. */
int  pool_thread(void);

#endif
