/* Finds out what each exception does: where it applies, what applies instead of it, or why it
   applies to no path. For report_exceptions. */
#ifndef SL_GRAPH_EXCEPTION_USE_H
#define SL_GRAPH_EXCEPTION_USE_H

#include "graph/graph.h"

typedef enum {
  USE_ENDS,                /* it applies at `ends` endpoints */
  USE_STOPS,               /* it makes paths false whatever their end: `stops` pins pass no data or
                              start none */
  USE_LIKE,                /* its paths are treated like those of `other`, which has the same
                              effect */
  USE_REPLACED,            /* `other` came later for the same paths */
  USE_BEATEN,              /* another exception, for example `other`, has priority wherever it
                              applies */
  USE_NO_START,            /* no path starts at -from */
  USE_NO_THROUGH,          /* no path reaches -through number `point` (from 1) in that order */
  USE_NO_END,              /* paths pass its points, but none ends at -to */
  USE_NO_WAY,              /* from -from or from a -through data reaches no endpoint */
  USE_NO_PATH              /* paths could pass, but their edges, clocks or constants do not match,
                              or nothing checks them */
} UseKind;

typedef struct {
  ExceptionId exception;
  uint8_t     kind;        /* UseKind */
  uint32_t    ends, stops, point;
  ExceptionId other;       /* NO_EXCEPTION */
  uint32_t    not_starts, not_ends;   /* number of objects of -from where no path starts, and of -to
                                         where none is checked */
  Object      not_start, not_end;     /* the first such objects */
} ExceptionUse;

typedef ARRAY(ExceptionUse) ExceptionUses;

/* Appends one record for each exception. It compiles the graph once more, without the caches that
   make repeated steps fast. */
void exception_uses(const GraphInput *in, ExceptionUses *uses);

#endif
