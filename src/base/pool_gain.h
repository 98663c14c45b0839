/* Decides whether the pool shares its next run, by what sharing gained so far.

   On a machine whose cores are busy, two threads may do less than one: each step waits for the
   thread that lost its core. So runs are measured. A speed is work divided by time: the time on a
   core that one thread would need for the work, divided by the time that passed (both in ns). One
   thread that keeps its core has speed 1. If one thread alone has done runs of the same function
   before, its time for each item gives the work of a run. Otherwise the work is the time that the
   threads were on a core during the run. This is more than one thread alone would need, because a
   thread that moves to another core finds an empty cache.

   Shared runs are rated in groups of about 20 ms, which are called trials. If threads lost their
   cores, and the runs were hardly faster than one thread, the next runs are not shared: this is a
   rest. (Runs may also be slow because one item is large. Then sharing does no harm.) The first
   rest is 100 ms long, or 400 ms if the system does not have a free processor for each thread. It
   doubles with each trial that fails, up to 1.6 s. During a rest the speed of one thread is
   measured: it is below 1 if other processes take its core too. If it is much lower than that of
   shared runs, the rest ends.

   A rest also ends after 20 ms in which the system always had processors to spare, because then the
   other processes have ended. On some machines the system does not see that its processors are
   taken. So if the trial after such a rest fails, spare processors do not end a rest until a trial
   is good. */
#ifndef SL_BASE_POOL_GAIN_H
#define SL_BASE_POOL_GAIN_H

#include <stdbool.h>

typedef struct {
  double work, passed;       /* ns */
  double lost;               /* ns that threads had no core in the midst of their work */
} GainSum;

enum { GAIN_KINDS = 64 };    /* a power of two */
/* The ns on a core that one thread needs for an item, by the function of the run. */
typedef struct {
  const void *functions[GAIN_KINDS];     /* NULL: empty */
  double      ns[GAIN_KINDS];
} GainCosts;

/* Begins with GAIN_NEW: runs are shared. */
typedef struct {
  GainSum shared, alone;     /* since the last rating */
  double  shared_speed, alone_speed;     /* as rated last */
  double  rest, left;        /* ns: length of the last rest, 0 after a good trial; what is left of
                                it */
  double  spare;             /* ns: how long the system has had processors to spare, in a rest */
  bool    rated;             /* alone_speed is of this rest */
  bool    by_spare;          /* the last rest ended because of that */
  bool    no_spare;          /* that does not end a rest */
  bool    begun;             /* gain_begin was called */
} PoolGain;

#define GAIN_NEW { .alone_speed = 1 }

static inline bool gain_is_resting(const PoolGain *g) { return g->left > 0; }
/* Returns true if the next run of one thread should have its time on a core measured. Asking for
   this time has a price: Linux then ends the thread's time slice exactly on time, and not at the
   next timer tick. So the thread gets less of a busy core than others. */
bool gain_is_measuring(const PoolGain *g);

/* Learns from a run of one thread. `function` identifies the function of the run; any pointer that
   is unique to it will do. The table has room for few functions: when it is full, a new one may
   replace another. */
void gain_learn(GainCosts *c, const void *function, double items, double ns);
/* Returns the ns that one thread needs for this many items; 0 if this is not known. */
double gain_needed(const GainCosts *c, const void *function, double items);

/* Before the first run: if the system has no processors to spare, it begins with a rest. */
void gain_begin(PoolGain *g, bool spare);
/* gain_add_shared takes a shared run: the time that passed in its shared steps, and what its
   threads did in them. gain_add_alone takes a run of one thread during a rest; its work counts if
   gain_is_measuring. spare: the system had processors for all threads when the run began. */
void gain_add_shared(PoolGain *g, GainSum run, bool spare);
void gain_add_alone(PoolGain *g, GainSum run, bool spare);

#endif
