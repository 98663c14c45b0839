/* Makes sure that a thread does not wake up on the processor of the thread that wakes it.

   Linux wakes a thread on the processor where it ran last, unless an idle processor is nearby.
   "Nearby" means that processors share a cache, and a virtual machine may show no such processors.
   While the thread slept, the thread that wakes it may have moved to the same processor. Then both
   share this processor, and others are idle until the system notices. For this reason one in ten
   updates on two virtual cores took as long as with one thread. So if the waking thread finds
   itself on the processor where the sleeping thread ran last, it first takes this processor out of
   the affinity mask of the sleeping thread. The woken thread restores its own mask.

   On systems other than Linux these functions do nothing. */
#ifndef SL_BASE_POOL_PLACE_H
#define SL_BASE_POOL_PLACE_H

#include <stdbool.h>

#ifdef __linux__
#include <sched.h>
#endif

/* Begins with zeros. */
typedef struct {
  int  thread;               /* the system's number of the thread; 0: it has not slept yet */
  int  processor;            /* where it ran when it went to sleep */
  bool moved;                /* its mask lacks this processor */
#ifdef __linux__
  cpu_set_t mask;            /* the mask that it had before */
#endif
} PoolPlace;

/* The thread calls place_leave before it sleeps, and place_return when it has been woken. Another
   thread calls place_avoid before it wakes this one. Nothing else touches the place meanwhile. If
   the mask has no other processor, or the system refuses, the thread is woken where it was. */
void place_leave(PoolPlace *place);
void place_avoid(PoolPlace *place);
void place_return(PoolPlace *place);

#endif
