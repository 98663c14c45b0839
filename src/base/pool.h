/* Threads that share work, on machines whose cores are busy with other work as well.

   Work is steps one behind the other, a step is items, and threads claim chunks of a step's items
   from a counter.  A step is over when its items are done, not when all threads have come: a thread
   that the system has taken off its core delays the chunk that it is in and nothing else.  Chunks
   are sized by what items cost, as measured in the same run; a step too short to share is done by
   the thread that ended the one before, and a run of such steps by one thread without any meeting.
   Who waits spins for some microseconds and then sleeps, which leaves the core to those that work.

   There is one pool for the process.  Its threads are made when first needed.  Work that is begun
   inside other work, or beside it, is done by the thread that begins it. */
#ifndef SL_BASE_POOL_H
#define SL_BASE_POOL_H

#include <stdbool.h>
#include <stdint.h>

/* Items [from, to) of a step.  thread: a number below the run's threads, one thread's alone: for
   scratch memory of its own. */
typedef void (*PoolWork)(void *context, uint32_t step, uint32_t from, uint32_t to, int thread);
/* Items of a step: the same number whenever it is asked. */
typedef uint32_t (*PoolCount)(void *context, uint32_t step);

typedef struct {
  PoolWork  work;
  PoolCount count;
  void     *context;
  uint32_t  steps;
  uint32_t  grain;       /* chunks are multiples of it; 0: 1 */
  float     cost;        /* what an item is expected to take until it has been measured, ns */
} PoolRun;

/* All steps in order; back when all is done.  What steps wrote can be read by those behind them. */
void pool_run(const PoolRun *run, int threads);
/* One step of so many items. */
void pool_items(uint32_t count, float cost, int threads, PoolWork work, void *context);

/* One thread at a time, for what is rare and short. */
void pool_enter(void);
void pool_leave(void);

/* The number of the thread in the innermost run; 0 outside. */
int  pool_thread(void);

#endif
