/* Categories of query/lint.h that have files of their own; private to src/query. */
#ifndef SL_QUERY_LINT_PRIVATE_H
#define SL_QUERY_LINT_PRIVATE_H

#include "query/lint.h"

void lint_latch_loops(const Graph *g, ObjectArray *out);
void lint_ideal_clocks(const Constraints *c, ObjectArray *out);
/* Clocks that capture what another clock launches; of those pairs, clocks without a common
   period. */
void lint_clock_crossing(const Graph *g, ObjectArray *out);
void lint_unexpandable_clocks(const Graph *g, ObjectArray *out);
/* References of data checks that no clock launches, or several. */
void lint_data_references(const Graph *g, bool several, ObjectArray *out);

#endif
