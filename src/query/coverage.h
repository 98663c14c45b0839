/* Tells which checks were made, and why others were not. */
#ifndef SL_QUERY_COVERAGE_H
#define SL_QUERY_COVERAGE_H

#include "timing/timing.h"

typedef enum { COVERED_MET, COVERED_VIOLATED, COVERED_NOT } Covered;
typedef enum {
  UNTESTED_NONE,
  UNTESTED_CONSTANT,
  UNTESTED_CONDITION,
  UNTESTED_NO_CLOCK,
  UNTESTED_NO_PATH,
  UNTESTED_UNCONSTRAINED,
  UNTESTED_CLOCKS,
  UNTESTED_EXCEPTION,
  UNTESTED_NO_DELAY,
  UNTESTED_DISABLED,
  UNTESTED_COUNT
} Untested;
extern const char *const untested_names[UNTESTED_COUNT];

/* Kinds of checks: first the PathEndTypes, then those of clock pins. */
enum {
  COVERAGE_PULSE_WIDTH = END_TYPE_COUNT,
  COVERAGE_MIN_PERIOD,
  COVERAGE_MAX_SKEW,
  COVERAGE_KINDS
};
extern const char *const coverage_kinds[COVERAGE_KINDS];

/* A check at an endpoint. Variants of a library check with different conditions count as one. */
typedef struct {
  uint8_t  kind;               /* PathEndType, or COVERAGE_... */
  Slot     slot, clock;        /* clock is NO_SLOT for an output */
  Covered  covered;
  Untested reason;
  float    slack;
} Coverage;

void query_coverage(const Timing *t, void (*visit)(void *data, const Coverage *c), void *data);

#endif
