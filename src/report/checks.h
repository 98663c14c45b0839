/* Reports on what is checked and constrained, and what is not. */
#ifndef SL_REPORT_CHECKS_H
#define SL_REPORT_CHECKS_H

#include "query/lint.h"
#include "report/sheet.h"

/* wanted is a mask of 1 << LintCategory. Returns the number of objects found. */
uint32_t report_lint(const Sheet *sheet, const Timing *t, uint32_t wanted, bool verbose);
/* details is a mask of 1 << Covered: the checks to list one by one. */
void report_coverage(const Sheet *sheet, const Timing *t, unsigned details);
/* Lists the arcs that are off. cells NULL means the whole design. */
void report_disabled_arcs(const Sheet *sheet, const Timing *t, const Object *cells, uint32_t count);
void report_constants(const Sheet *sheet, const Timing *t, const Object *objects, uint32_t count);
void report_cases(const Sheet *sheet, bool all);

#endif
