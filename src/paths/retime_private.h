/* Between the parts of path re-timing; private to src/paths. */
#ifndef SL_PATHS_RETIME_PRIVATE_H
#define SL_PATHS_RETIME_PRIVATE_H

#include "paths/retime.h"

/* Less than this (ps) worse than the graph says is rounding. */
#define WORSE_LEAST 1e-3

/* One path: writes the path, its points, what stands beside them, and the record.  A graph_slack of
   NAN in the record is worked out. */
void retime_path(const Timing *t, PathList *l, Path *p, RetimedPath *r);
/* All from `first` on; slack_known: their slacks are the graph's.  False when interrupted. */
bool retime_all(const Timing *t, PathList *l, uint32_t first, bool slack_known);
/* Adds paths from `first` on to a report. */
void retime_count(const PathList *l, uint32_t first, RetimeReport *report);

/* A path in the order of a result. */
typedef struct {
  Path      path;
  PathGroup group;            /* 0 unless the order is by group */
  bool      free;             /* nothing constrains it */
  double    key;
  uint32_t  order;
} RetimeOrder;
/* Of all from `first` on, in order; the caller frees them. */
RetimeOrder *retime_keys(const Timing *t, const PathQuery *q, const PathList *l, uint32_t first);

#endif
