/* Path-based analysis: times found paths again, each with the slews and delays of its own arcs.

   The graph has the worst numbers at each pin, so the slew of a path there may come from another
   path. A re-timed path is computed from its start, arc by arc, by the engine's delay calculation
   (update/stage.h). It uses the slew along the path, the path's own depth and distance for derates
   by depth (OcvPaths), its own variance if sigma counts, and the margin of the check at its own
   slew. These numbers stay those of the graph: the start (clock paths, input delays, data that a
   latch passes on), driving cells of ports and their wires, ideal networks, data arcs of latches,
   the capturing clock, the borrowing limit of a latch, and the credit. A path of clock nodes (a
   clock that ends as data) keeps all its numbers.

   A path is identified by its pins and edges, not by conditions of arcs. Of parallel arcs between
   two of its points the worst delay and the worst slew count. So a path that meets no other path
   has exactly the numbers of the graph.

   Each path is computed separately and writes only its own numbers, so results do not depend on the
   number of threads. */
#ifndef SL_PATHS_RETIME_H
#define SL_PATHS_RETIME_H

#include "paths/path.h"

typedef enum { PBA_NONE, PBA_PATH, PBA_EXHAUSTIVE } PbaMode;

typedef struct {
  uint32_t paths;             /* number of re-timed paths */
  uint32_t worse;             /* those with less slack than in the graph, because delays fall with
                                 slews */
  double   most_worse;        /* the largest such difference, ps */
  bool     complete;          /* for an exhaustive search: no other path can be among the worst */
  double   certain;           /* if not complete: all paths with less slack than this (ps) were
                                 found */
} RetimeReport;

/* Re-times the paths from `first` on. Their slacks and arrivals, and the arrivals of their points,
   change; retimed_of and retimed_point return the other numbers. The list keeps its order. Returns
   FAILED with a message if interrupted; the list is then unusable. */
Status retime_paths(const Timing *t, PathList *list, uint32_t first, Log *log,
                    RetimeReport *report);

/* Sorts the paths from `first` on as the result of a query, by their new slacks, and removes those
   outside of the query's limits. */
void   retime_order(const Timing *t, const PathQuery *query, PathList *list, uint32_t first);

typedef struct {
  uint32_t limit;             /* largest number of paths to try (for each group, if the query counts
                                 by group) */
  struct RetimeBounds *bounds;      /* bounds that queries share (paths/retime_bound.h); NULL:
                                       computed for this query */
  uint64_t version;           /* version of the timing's numbers, for bounds */
} ExhaustivePlan;
/* Appends the query's paths with the worst re-timed slacks among all paths, not only among the
   worst paths of the graph. Unconstrained paths are those of the graph, re-timed. */
Status query_paths_exhaustive(const Timing *t, const PathQuery *query, const ExhaustivePlan *plan,
                              Log *log, PathList *out, RetimeReport *report);

/* Copies a path with its points and, if it is re-timed, its other numbers. */
void retime_append_path(const PathList *from, const Path *path, PathList *out);

/* --- results; NULL if the path is not re-timed ------------------------------------------------ */
static inline const RetimedPath *retimed_of(const PathList *list, const Path *path)
{
  return path->retimed ? &list->retimed.at[path->retimed - 1] : NULL;
}

/* point is a point of the path in the list. */
static inline const RetimedPoint *retimed_point(const PathList *list, const Path *path,
                                                const PathPoint *point)
{
  const PathPoint *start = path_start(list, path);
  return path->retimed && point >= start && point < start + path->count
             ? &list->retimed_points.at[point - list->points.at]
             : NULL;
}

#endif
