/* Categories of query/lint.h with files of their own. Private to src/query. */
#ifndef SL_QUERY_LINT_PRIVATE_H
#define SL_QUERY_LINT_PRIVATE_H

#include "query/lint.h"

void lint_latch_loops(const Graph *g, ObjectArray *out);
void lint_ideal_clocks(const Constraints *c, ObjectArray *out);
/* lint_clock_crossing lists clocks that capture data of another clock. lint_unexpandable_clocks
   lists both clocks of each such pair whose periods have no common multiple. */
void lint_clock_crossing(const Graph *g, ObjectArray *out);
void lint_unexpandable_clocks(const Graph *g, ObjectArray *out);
/* Lists reference pins of data checks whose data no clock launches, or (several) more than one
   clock. */
void lint_data_references(const Graph *g, bool several, ObjectArray *out);

#endif
