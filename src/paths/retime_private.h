/* Shared by the parts of path re-timing. Private to src/paths. */
#ifndef SL_PATHS_RETIME_PRIVATE_H
#define SL_PATHS_RETIME_PRIVATE_H

#include "paths/retime.h"

/* A slack that is worse than the graph's by less than this (ps) is rounding. */
#define WORSE_LEAST 1e-3

/* Re-times one path: writes the path, its points and their other numbers, and the record. Computes
   graph_slack if it is NAN. */
void retime_path(const Timing *t, PathList *list, Path *path, RetimedPath *retimed_path);
/* Re-times all paths from `first` on. slack_known means that their slacks are those of the graph.
   Returns false if interrupted. */
bool retime_all(const Timing *t, PathList *list, uint32_t first, bool slack_known);
/* Adds the paths from `first` on to a report. */
void retime_count(const PathList *list, uint32_t first, RetimeReport *report);

/* A path with its key for sorting a result. */
typedef struct {
  Path      path;
  PathGroup group;            /* 0 unless sorted by group */
  bool      free;             /* it is unconstrained */
  double    key;
  uint32_t  order;
} RetimeOrder;
/* Returns the sorted keys of all paths from `first` on. The caller frees them. */
RetimeOrder *retime_keys(const Timing *t, const PathQuery *query, const PathList *list,
                         uint32_t first);

#endif
