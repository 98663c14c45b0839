/* What becomes of each exception: where it counts, what counts in its stead, or why it speaks of no
   path. */
#ifndef SL_GRAPH_EXCEPTION_USE_H
#define SL_GRAPH_EXCEPTION_USE_H

#include "graph/graph.h"

typedef enum {
  USE_ENDS,                /* it counts at `ends` end points */
  USE_STOPS,               /* false wherever the path ends: `stops` pins let no data pass, or start
                              none */
  USE_LIKE,                /* paths that complete it are treated as those of `other`, which says the
                              same */
  USE_REPLACED,            /* `other` came later, for the same paths */
  USE_BEATEN,              /* wherever it speaks of a path, another such as `other` counts */
  USE_NO_START,            /* no path starts at -from */
  USE_NO_THROUGH,          /* no path reaches -through number `point` (from 1) in that order */
  USE_NO_END,              /* paths pass, and none ends at -to */
  USE_NO_WAY,              /* data goes on to no end from -from or from a -through */
  USE_NO_PATH              /* paths might pass: their edges, clocks or constants are others, or
                              nothing checks them */
} UseKind;

typedef struct {
  ExceptionId exception;
  uint8_t     kind;        /* UseKind */
  uint32_t    ends, stops, point;
  ExceptionId other;       /* NO_EXCEPTION */
  uint32_t    not_starts, not_ends;   /* objects of -from where no path starts, of -to where none is
                                         checked */
  Object      not_start, not_end;     /* the first of these */
} ExceptionUse;

typedef ARRAY(ExceptionUse) ExceptionUses;

/* Appends one record for each exception that is there.  Compiles the graph again, without what
   makes repeated steps quick. */
void exception_uses(const GraphInput *in, ExceptionUses *uses);

#endif
