/* Which checks were made, and why others were not. */
#ifndef SL_QUERY_COVERAGE_H
#define SL_QUERY_COVERAGE_H

#include "engine/timing.h"

typedef enum { COVERED_MET, COVERED_VIOLATED, COVERED_NOT } Covered;
typedef enum {
  UNTESTED_NONE, UNTESTED_CONSTANT, UNTESTED_NO_CLOCK, UNTESTED_NO_PATH, UNTESTED_UNCONSTRAINED, UNTESTED_EXCEPTION,
  UNTESTED_NO_DELAY, UNTESTED_COUNT
} Untested;
extern const char *const untested_names[UNTESTED_COUNT];
extern const char *const coverage_kinds[];       /* by RowType */

/* One check at an end point: variants of the library's check with conditions count as one. */
typedef struct {
  RowType  type;
  Slot     slot, clock;        /* clock NO_SLOT: of an output */
  Covered  covered;
  Untested reason;
  float    slack;
} Coverage;

void query_coverage(const Timing *t, void (*visit)(void *data, const Coverage *c), void *data);

#endif
