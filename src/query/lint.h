/* The checks of check_timing: what is missing or suspicious in constraints and design, by
   category. */
#ifndef SL_QUERY_LINT_H
#define SL_QUERY_LINT_H

#include "timing/timing.h"

/* In the order of the report. A new category comes last, before LINT_COUNT. */
typedef enum {
  LINT_NO_CLOCK,
  LINT_MULTIPLE_CLOCK,
  LINT_NO_INPUT_DELAY,
  LINT_PARTIAL_INPUT_DELAY,
  LINT_NO_OUTPUT_DELAY,
  LINT_UNCONSTRAINED_ENDPOINTS,
  LINT_GENERATED_CLOCKS,
  LINT_UNUSED_CLOCKS,
  LINT_LOOPS,
  LINT_LATCHES,
  LINT_BLACK_BOXES,
  LINT_NO_DRIVER,
  LINT_MULTIPLE_DRIVER,
  LINT_UNANNOTATED_NETS,
  LINT_PARTIAL_NETS,
  LINT_PARTIAL_OUTPUT_DELAY,
  LINT_NO_DRIVING_CELL,
  LINT_IDEAL_CLOCKS,
  LINT_CLOCK_CROSSING,
  LINT_UNEXPANDABLE_CLOCKS,
  LINT_LATCH_FANOUT,
  LINT_DATA_CHECK_NO_CLOCK,
  LINT_DATA_CHECK_MULTIPLE_CLOCK,
  LINT_COUNT
} LintCategory;

typedef struct {
  const char *name, *meaning;
} LintInfo;
extern const LintInfo lint_infos[LINT_COUNT];
/* Returns the category of a name, or LINT_COUNT. */
LintCategory lint_find(const char *name);

/* Appends the objects of a category in the design's order: ports, pins, cells, nets or clocks. A
   loop is represented by the pin where it was cut. */
void query_lint(const Timing *t, LintCategory category, ObjectArray *out);

#endif
