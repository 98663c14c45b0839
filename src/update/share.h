/* Sharing among the timers of a design's scenarios: timers of one mode share its graph, timers of
   one corner its libraries.

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
  /* that it was made from; swaps in place move the first on.  Numbers of constraints are in the
     graph as well: seeds have delays and latencies, rows uncertainties and margins */
  uint64_t netlist_version, constraints_version, value_version;
  uint32_t library_count;
} SharedGraph;

typedef struct {
  CornerLibs   *libs;
  const Corner *corner;                             /* one of those that it is for */
} SharedLibs;

typedef struct TimerShare {
  ARRAY(SharedGraph *) graphs;                      /* the newest of each set of constraints */
  ARRAY(SharedLibs) libs;
  ARRAY(struct Timer *) timers;                     /* not owned */
  uint32_t library_count;                           /* that libs were made from */
  uint32_t reported; /* what a backend has told the log, once for all
                                                       timers and updates */
} TimerShare;

TimerShare *timer_share_new(void);
void        timer_share_free(TimerShare *share);    /* after its timers */
void        timer_share_leave(TimerShare *share, struct Timer *t);

/* The newest graph for constraints; NULL: none was made yet. */
SharedGraph *share_newest(const TimerShare *share, const Constraints *constraints);
/* Is a graph of the netlist as it is?  Of constraints and libraries as they are? */
bool share_netlist_is_old(const SharedGraph *g);
bool share_others_are_old(const SharedGraph *g);
/* The graph of everything as it is, made when it must be; counted for the caller.  NULL:
   interrupted. */
SharedGraph *share_take(TimerShare *share, const GraphInput *in, Log *log);
void         share_release(SharedGraph *g);
/* Constraints that go, with the graphs made from them. */
void         share_forget(TimerShare *share, const Constraints *constraints);

const CornerLibs *share_libs(TimerShare *share, const LibrarySet *libs, const Corner *corner);

#endif
