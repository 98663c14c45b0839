/* Explains why a query finds no path: which part of the query must be dropped to find one. */
#ifndef SL_PATHS_PATH_NONE_H
#define SL_PATHS_PATH_NONE_H

#include "paths/path.h"

typedef enum {
  NONE_LIMITS,              /* the limits of slack, or the groups, exclude all paths */
  NONE_UNCONSTRAINED,       /* there are paths, but they are unconstrained */
  NONE_NO_END,              /* no object of -to is an endpoint */
  NONE_TO,                  /* paths pass the last -through, but none ends at -to */
  NONE_THROUGH,             /* no path passes -through number `through` */
  NONE_FROM,                /* no path starts at -from */
  NONE_AT_ALL               /* there is no path in the design */
} NoneReason;

typedef struct {
  NoneReason reason;
  uint32_t   through;       /* index of the -through that is not passed */
  uint32_t   objects;       /* objects of that option */
  uint32_t   reached;       /* those of `pins` with an arrival; for -to, those that are endpoints */
  uint32_t   pins;          /* pins and ports among the objects */
  double     slack;         /* NONE_LIMITS: slack of the worst path without the limits */
  PathGroup  group;         /* and its group */
} PathNone;

/* Call it for a query that found nothing. It changes the query's arrays during its work and
   restores them. Returns FAILED if interrupted. */
Status query_path_none(const Timing *t, const PathQuery *query, Log *log, PathNone *out);

#endif
