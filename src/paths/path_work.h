/* The state of a running path query. path.c takes the ends in pools; the other files find the paths
   of a pool. */
#ifndef SL_PATHS_PATH_WORK_H
#define SL_PATHS_PATH_WORK_H

#include <math.h>

#include "paths/path_private.h"

/* An endpoint in one path group, with its worst root. */
typedef struct {
  PathRoot  root;
  PathGroup group;
  PinId     pin;
  bool      unconstrained;
} SearchedEnd;
typedef ARRAY(SearchedEnd) SearchedEnds;
typedef ARRAY(PathRoot) PathRoots;

typedef struct {
  const Timing *t;
  const PathQuery *query;
  PathScope *scope;
  SearchedEnds ends;
  PathForest *forest;       /* for searches on the host */
  bool owns_forest;
  PathEffort effort;
  size_t memory;            /* bytes that may be used */
  Log *log;
  PathList found;           /* unique paths of the current pool; at most twice as many as needed */
  double   worth;           /* paths with more slack than this are not needed */
} PathWork;

static inline int path_compare(double a, double b) { return a < b ? -1 : a > b; }

/* The largest slack of a late path. */
#define LEAST_LATE nextafter(0, -INFINITY)

/* --- ends (path_ends.c) ----------------------------------------------------------------------- */
/* Finds all ends of the query, ordered by slack, unconstrained ends last. With `grouped` they are
   ordered by group first. */
void path_find_ends(PathWork *work, bool grouped);
/* Replaces the content of *out by the roots of an end. */
void path_end_roots(PathWork *work, const SearchedEnd *end, PathRoots *out);

/* --- the paths of ends [from, to) ------------------------------------------------------------- */
/* Finds the `most` worst paths in order of slack (path_worst.c). The ends are all constrained or
   all unconstrained. Returns FAILED if interrupted, or if memory is too small; then effort.fit is
   set. */
Status path_worst_of_ends(PathWork *work, uint32_t from, uint32_t to, uint32_t most, PathList *out);
/* Finds paths that differ in their pins and appends them to work->found (path_unique.c). Returns
   FAILED if interrupted. */
Status path_unique_of_ends(PathWork *work, uint32_t from, uint32_t to, uint32_t most);

/* --- lists of paths (path_list.c) ------------------------------------------------------------- */
/* Adds a path whose points, from `first` on, were just added. */
void path_list_add(const PathWork *work, PathList *list, const PathRoot *root, PathGroup group,
                   uint32_t first, double slack);
/* path_list_order sorts the paths from `first` on by slack and keeps at most `most`.
   path_list_order_groups sorts them by group and keeps the order within each group. */
void path_list_order(PathList *list, uint32_t first, uint32_t most);
void path_list_order_groups(PathList *list, uint32_t first);
/* Removes points that no path uses. */
void path_list_compact(PathList *list);
/* Appends all paths of a list and empties it. */
void path_list_move(PathList *from, PathList *to);

#endif
