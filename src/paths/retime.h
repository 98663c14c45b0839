/* Path-based analysis: found paths timed again, each with the slews and delays of its own arcs
   alone.

   The graph's numbers are the worst at each pin: a path's slew there may be that of another path.
   A re-timed path is worked out from its start on, arc by arc, by the engine's delay calculation
   (update/stage.h) with the slew that comes along the path, its own depth and distance for tables
   by depth (OcvPaths), its own variance where sigma counts, and the check's margin at its own slew.
   What stays the graph's: the start (clock paths, input delays, what a latch passes on), ports'
   driving cells and their wires, ideal networks, latches' data arcs, the capturing clock, a latch's
   time to borrow, credit.  A path of clock nodes (a clock that ends as data) stays whole.

   A path is told by its pins and edges, not by conditions of arcs: of parallel arcs between two of
   its points the worst delay and the worst slew count.  So a path that meets no other anywhere has
   the graph's numbers to the bit.

   Each path is worked out alone from the flat arrays of graph and numbers, and writes only what is
   its own: results do not depend on threads. */
#ifndef SL_PATHS_RETIME_H
#define SL_PATHS_RETIME_H

#include "paths/path.h"

typedef enum { PBA_NONE, PBA_PATH, PBA_EXHAUSTIVE } PbaMode;

typedef struct {
  uint32_t paths;             /* re-timed */
  uint32_t worse;             /* of these, with less slack than the graph says: delays that fall
                                 with slews */
  double   most_worse;        /* by how much at most, ps */
  bool     complete;          /* of an exhaustive search: no other path can be among the worst */
  double   certain;           /* if not: paths with less slack than this (ps) are all there */
} RetimeReport;

/* Re-times the paths from `first` on: their slack, arrivals and points' arrivals change; retimed_of
   and retimed_point have the rest.  The list keeps its order.  FAILED with a message when
   interrupted; the list is then of no use. */
Status retime_paths(const Timing *t, PathList *list, uint32_t first, Log *log,
                    RetimeReport *report);

/* Paths from `first` on in the order of a query's result by their slacks, those out of the query's
   limits left out. */
void   retime_order(const Timing *t, const PathQuery *q, PathList *list, uint32_t first);

typedef struct {
  uint32_t limit;             /* how many paths may be tried (of each group, where the query counts
                                 by group) */
  struct RetimeBounds *bounds;      /* paths/retime_bound.h: shared by queries; NULL: worked out for
                                       this one */
  uint64_t version;           /* of the timing's numbers, for bounds */
} ExhaustivePlan;
/* The query's paths by re-timed slack: of all paths, not of those that are worst in the graph.
   Ends that nothing constrains come as from the graph, re-timed.  Appends the paths. */
Status query_paths_exhaustive(const Timing *t, const PathQuery *q, const ExhaustivePlan *plan,
                              Log *log, PathList *out, RetimeReport *report);

/* Copies a path with its points and, where it is re-timed, what stands beside them. */
void retime_append_path(const PathList *from, const Path *p, PathList *out);

/* --- results; NULL: not re-timed -------------------------------------------------------------- */
static inline const RetimedPath *retimed_of(const PathList *l, const Path *p)
{
  return p->retimed ? &l->retimed.at[p->retimed - 1] : NULL;
}

/* x: a point of the path in the list. */
static inline const RetimedPoint *retimed_point(const PathList *l, const Path *p,
                                                const PathPoint *x)
{
  const PathPoint *start = path_start(l, p);
  return p->retimed && x >= start && x < start + p->count ? &l->retimed_points.at[x - l->points.at]
                                                          : NULL;
}

#endif
