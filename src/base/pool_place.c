#include "base/pool_place.h"

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

void place_leave(PoolPlace *p)
{
  p->thread = (int)syscall(SYS_gettid);
  p->processor = sched_getcpu();
}

void place_avoid(PoolPlace *p)
{
  if (p->thread == 0 || p->processor < 0 || p->processor != sched_getcpu()) return;
  if (sched_getaffinity(p->thread, sizeof p->mask, &p->mask) != 0) return;
  cpu_set_t others = p->mask;
  CPU_CLR(p->processor, &others);
  if (CPU_COUNT(&others) == 0) return;
  p->moved = sched_setaffinity(p->thread, sizeof others, &others) == 0;
}

void place_return(PoolPlace *p)
{
  if (p->moved) sched_setaffinity(0, sizeof p->mask, &p->mask);
  p->moved = false;
}
#else
void place_leave(PoolPlace *p) { (void)p; }
void place_avoid(PoolPlace *p) { (void)p; }
void place_return(PoolPlace *p) { (void)p; }
#endif
