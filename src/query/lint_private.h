/* Categories of query/lint.h with files of their own. Private to src/query. */
#ifndef SL_QUERY_LINT_PRIVATE_H
#define SL_QUERY_LINT_PRIVATE_H

#include "query/lint.h"

void lint_latch_loops(const Graph *g, ObjectArray *out);
void lint_ideal_clocks(const Constraints *c, ObjectArray *out);
/* Clocks that capture data of another clock, and those among them without a common period. */
void lint_clock_crossing(const Graph *g, ObjectArray *out);
void lint_unexpandable_clocks(const Graph *g, ObjectArray *out);
/* Reference pins of data checks whose data no clock launches, or several clocks do. */
void lint_data_references(const Graph *g, bool several, ObjectArray *out);

#endif
