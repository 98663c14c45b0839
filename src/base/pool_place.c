#include "base/pool_place.h"

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

void place_leave(PoolPlace *place)
{
  place->thread = (int)syscall(SYS_gettid);
  place->processor = sched_getcpu();
}

void place_avoid(PoolPlace *place)
{
  if (place->thread == 0 || place->processor < 0 || place->processor != sched_getcpu()) return;
  if (sched_getaffinity(place->thread, sizeof place->mask, &place->mask) != 0) return;
  cpu_set_t others = place->mask;
  CPU_CLR(place->processor, &others);
  if (CPU_COUNT(&others) == 0) return;
  place->moved = sched_setaffinity(place->thread, sizeof others, &others) == 0;
}

void place_return(PoolPlace *place)
{
  if (place->moved) sched_setaffinity(0, sizeof place->mask, &place->mask);
  place->moved = false;
}
#else
void place_leave(PoolPlace *place) { (void)place; }
void place_avoid(PoolPlace *place) { (void)place; }
void place_return(PoolPlace *place) { (void)place; }
#endif
