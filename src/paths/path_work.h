/* One query of paths at work: between path.c, which goes through its ends pool by pool, and what
   finds the paths of some. */
#ifndef SL_PATHS_PATH_WORK_H
#define SL_PATHS_PATH_WORK_H

#include <math.h>

#include "paths/path_private.h"

/* An end point in one path group, with its worst root. */
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
  const PathQuery *q;
  PathScope *scope;
  SearchedEnds ends;
  PathForest *forest;       /* of the host's searches */
  bool owns_forest;
  PathEffort effort;
  size_t memory;            /* bytes that may be used */
  Log *log;
  PathList found;           /* unique paths of the pool of ends at work: at most twice as many as
                               are wanted */
  double   worth;           /* paths with more slack than this are not among those wanted */
} PathWork;

static inline int path_compare(double a, double b) { return a < b ? -1 : a > b; }

/* The greatest slack of what is late. */
#define LEAST_LATE nextafter(0, -INFINITY)

/* --- ends (path_ends.c) ----------------------------------------------------------------------- */
/* All ends of the query in order of slack, those that nothing constrains behind the others;
   grouped: group by group. */
void path_find_ends(PathWork *x, bool grouped);
/* The roots of an end, in place of what is there. */
void path_end_roots(PathWork *x, const SearchedEnd *e, PathRoots *out);

/* --- the paths of ends [from, to) ------------------------------------------------------------- */
/* The `most` worst, of ends all constrained or none, in order of slack (path_worst.c).  FAILED:
   interrupted; or they do not fit, which the effort says. */
Status path_worst_of_ends(PathWork *x, uint32_t from, uint32_t to, uint32_t most, PathList *out);
/* Those that differ in their pins, to x->found (path_unique.c).  FAILED: interrupted. */
Status path_unique_of_ends(PathWork *x, uint32_t from, uint32_t to, uint32_t most);

/* --- lists of paths (path_list.c) ------------------------------------------------------------- */
/* Closes a path whose points, from `first` on, were just added. */
void path_list_add(const PathWork *x, PathList *l, const PathRoot *root, PathGroup group,
                   uint32_t first, double slack);
/* Paths from `first` on in order of slack, at most `most` of them; of their groups, each group's as
   they are. */
void path_list_order(PathList *l, uint32_t first, uint32_t most);
void path_list_order_groups(PathList *l, uint32_t first);
/* Keeps the points that paths still use, alone. */
void path_list_compact(PathList *l);
/* Appends all paths of a list, which is empty then. */
void path_list_move(PathList *from, PathList *to);

#endif
