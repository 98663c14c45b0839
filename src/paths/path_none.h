/* Why a query finds no path: what of it must go before one is found. */
#ifndef SL_PATHS_PATH_NONE_H
#define SL_PATHS_PATH_NONE_H

#include "paths/path.h"

typedef enum {
  NONE_LIMITS,              /* limits of slack or groups leave all out */
  NONE_UNCONSTRAINED,       /* paths there are, but nothing constrains them */
  NONE_NO_END,              /* no object of -to is an end point */
  NONE_TO,                  /* paths come up to the last -through, but do not end at -to */
  NONE_THROUGH,             /* or only up to the one before */
  NONE_FROM,                /* no path starts at -from */
  NONE_AT_ALL               /* there is no path in the design */
} NoneReason;

typedef struct {
  NoneReason reason;
  uint32_t   through;       /* index of the -through that is not passed */
  uint32_t   objects;       /* of the option at fault */
  uint32_t   reached;       /* pins among these that any arrival reaches; of -to: end points */
  uint32_t   pins;          /* pins and ports among these */
  double     slack;         /* NONE_LIMITS: of the worst path without limits */
  PathGroup  group;         /* and its group */
} PathNone;

/* For a query that found nothing; its arrays are put back as they were.  FAILED when it was
   interrupted. */
Status query_path_none(const Timing *t, const PathQuery *q, Log *log, PathNone *out);

#endif
