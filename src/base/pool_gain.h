/* Decides whether the pool shares its next run, by what sharing gained so far.

   On a machine whose cores are busy, two threads may do less than one: each step waits for the
   thread that lost its core. So runs are measured. A speed is work by time: the ns that threads had
   a core for the work, by the ns that passed. One thread that keeps its core has speed 1.

   Shared runs of some 20 ms together are a trial. If threads lost their cores, and the runs were
   hardly faster than one thread, the next runs are not shared. (Runs may also be slow because one
   item is large. Then sharing does no harm.) This rest is 100 ms long. It doubles with each trial
   that fails, up to 1.6 s. During a rest the speed of one thread is measured: it is below 1 if
   other processes take its core too. If it is much lower than that of shared runs, the rest
   ends. */
#ifndef SL_BASE_POOL_GAIN_H
#define SL_BASE_POOL_GAIN_H

#include <stdbool.h>

typedef struct {
  double work, passed;       /* ns */
  double lost;               /* ns that threads had no core in the midst of their work */
} GainSum;

/* Begins with GAIN_NEW: runs are shared. */
typedef struct {
  GainSum shared, alone;     /* since the last rating */
  double  shared_speed, alone_speed;     /* as rated last */
  double  rest, left;        /* ns: length of the last rest, 0 after a good trial; what is left of
                                it */
} PoolGain;

#define GAIN_NEW { .alone_speed = 1 }

static inline bool gain_is_resting(const PoolGain *g) { return g->left > 0; }

/* gain_add_shared takes a shared run: the time that passed in its shared steps, and what its
   threads did in them. gain_add_alone takes a run of one thread during a rest. */
void gain_add_shared(PoolGain *g, GainSum run);
void gain_add_alone(PoolGain *g, GainSum run);

#endif
