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
   rest. (Runs may also be slow because one item is large. Then sharing does no harm.) During a rest
   that follows a trial, the speed of one thread is measured. This speed is below 1 if other
   processes use the core of the thread too. If it is much lower than the speed of shared runs, the
   rest ends.

   The length of a rest depends on how many threads of other processes want a processor (GainRoom).
   The first rest is 100 ms long if the system has a processor for each thread. It is 3.2 s long if
   there is little room: the threads of the pool together get less than twice the processor time
   that one of them would get without the others. An example is two threads on two cores beside one
   other process. Otherwise the first rest is 400 ms long. Each trial that fails doubles the rest,
   up to 1.6 s, or 12.8 s where the first rest is 3.2 s. The long rests have this reason: a trial
   beside another process costs more than its 20 ms, because afterwards the system needs some time
   until each process has a core for itself again. For the same reason the pool begins with a rest
   if there is little room before its first run.

   A rest also ends if the other processes have ended. To see this, the pool keeps a sum. It adds
   the time in which the system has a processor for each thread, and subtracts the time in which the
   system has too few. The sum never falls below 0. When it reaches 20 ms, the rest ends. (So a
   process that runs for a moment, for example the one that waits for an answer of this program,
   does not prolong the rest much.) On some machines the system does not see that its processors are
   taken. So if the trial after such a rest fails, free processors do not end a rest until a trial
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

/* What the system has for the threads of the pool, from little to much. */
typedef enum {
  ROOM_LITTLE,               /* the threads together get less than twice the processor time that
                                one of them would get without the others */
  ROOM_SOME,
  ROOM_FOR_ALL,              /* a processor for each */
} GainRoom;

/* Begins with GAIN_NEW: runs are shared. */
typedef struct {
  GainSum shared, alone;     /* since the last rating */
  double  shared_speed, alone_speed;     /* as rated last */
  double  rest, left;        /* ns: length of the last rest, 0 after a good trial; what is left of
                                it */
  double  free;              /* ns: the time of the rest with ROOM_FOR_ALL minus the time without
                                it; never below 0 */
  bool    rated;             /* alone_speed is of this rest */
  bool    ended_by_free;     /* the last rest ended because `free` was large enough */
  bool    ignores_free;      /* at present `free` does not end rests */
  bool    begun;             /* gain_begin was called */
} PoolGain;

#define GAIN_NEW { .alone_speed = 1 }

static inline bool gain_is_resting(const PoolGain *gain) { return gain->left > 0; }
/* Returns true if the pool should measure the time that the next run of one thread is on a core.
   Asking for this time has a price: Linux then ends the thread's time slice exactly on time, and
   not at the next timer tick. So the thread gets less of a busy core than others. */
bool gain_is_measuring(const PoolGain *gain);

/* Learns from a run of one thread. `function` identifies the function of the run; any pointer that
   is unique to it will do. The table has room for few functions: when it is full, a new one may
   replace another. */
void gain_learn(GainCosts *costs, const void *function, double items, double ns);
/* Returns the ns that one thread needs for this many items; 0 if this is not known. */
double gain_needed(const GainCosts *costs, const void *function, double items);

/* Returns what `threads` threads get if `others` threads of other processes want a processor too,
   and the system divides its processors evenly. */
GainRoom gain_room(int threads, int others, int processors);
/* Before the first run: if there is little room, the pool begins with a rest. */
void gain_begin(PoolGain *gain, GainRoom room);
/* gain_add_shared takes a shared run: the time that passed in its shared steps, and what its
   threads did in them. gain_add_alone takes a run of one thread during a rest; its work counts if
   gain_is_measuring. room: as it was before the shared run, or after the run of one thread. */
void gain_add_shared(PoolGain *gain, GainSum run, GainRoom room);
void gain_add_alone(PoolGain *gain, GainSum run, GainRoom room);

#endif
