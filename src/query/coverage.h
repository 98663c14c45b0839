/* Finds out which checks were made, and why others were not. */
#ifndef SL_QUERY_COVERAGE_H
#define SL_QUERY_COVERAGE_H

#include "timing/timing.h"

typedef enum { COVERED_MET, COVERED_VIOLATED, COVERED_NOT } Covered;
typedef enum {
  UNTESTED_NONE,               /* the check was made */
  UNTESTED_CONSTANT,           /* a constant at the data pin or the clock pin */
  UNTESTED_CONDITION,          /* constants switch all variants of the check off */
  UNTESTED_NO_CLOCK,           /* no clock reaches the clock pin */
  UNTESTED_NO_PATH,            /* nothing arrives at the data pin */
  UNTESTED_UNCONSTRAINED,      /* no clock launches the data */
  UNTESTED_CLOCKS,             /* the clocks of data and check are in groups that exclude each
                                  other */
  UNTESTED_EXCEPTION,          /* exceptions stop all data */
  UNTESTED_NO_DELAY,           /* an output port without an output delay */
  UNTESTED_DISABLED,           /* set_disable_timing */
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

void query_coverage(const Timing *t, void (*visit)(void *data, const Coverage *coverage),
                    void *data);

#endif
