/* Sharing among the timers of a design's scenarios. Timers of one mode share the graph of the mode.
   Timers of one corner share the libraries of the corner.

   Graphs have a reference count. A structural edit makes a new graph, and each timer keeps the old
   one until it has carried its numbers over. Corners with the same libraries share one
   CornerLibs. */
#ifndef SL_UPDATE_SHARE_H
#define SL_UPDATE_SHARE_H

#include "timing/timing.h"

struct Timer;

typedef struct SharedGraph {
  Graph   *graph;
  uint32_t users;
  /* The versions that the graph was made from.  A swap in place advances netlist_version. */
  uint64_t netlist_version, constraints_version;
  uint32_t library_count;
} SharedGraph;

typedef struct {
  CornerLibs   *libs;
  const Corner *corner;                             /* one of the corners that use it */
} SharedLibs;

typedef struct TimerShare {
  ARRAY(SharedGraph *) graphs;                      /* the newest graph of each set of
                                                       constraints */
  ARRAY(SharedLibs) libs;
  ARRAY(struct Timer *) timers;                     /* not owned */
  uint32_t library_count;                           /* the number of libraries that libs were made
                                                       from */
  uint32_t reported; /* bits of what a backend has reported to the log, once for all timers and
                        updates */
} TimerShare;

TimerShare *timer_share_new(void);
void        timer_share_free(TimerShare *share);    /* call it after all timers are freed */
void        timer_share_leave(TimerShare *share, struct Timer *timer);

/* Returns the newest graph for these constraints. NULL: no graph has been made yet. */
SharedGraph *share_newest(const TimerShare *share, const Constraints *constraints);
/* share_netlist_is_old: the netlist has changed since the graph was made.  share_others_are_old:
   constraints or libraries have changed since then. */
bool share_netlist_is_old(const SharedGraph *graph);
bool share_others_are_old(const SharedGraph *graph);
/* Returns an up-to-date graph, which is made if necessary, and counts the caller as a user.  NULL:
   interrupted. */
SharedGraph *share_take(TimerShare *share, const GraphInput *in, Log *log);
void         share_release(SharedGraph *graph);
/* Forgets the graphs of constraints that are about to be freed. */
void         share_drop_constraints(TimerShare *share, const Constraints *constraints);

const CornerLibs *share_libs(TimerShare *share, const LibrarySet *libs, const Corner *corner);

#endif
