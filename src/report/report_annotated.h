/* Reports which delays and checks are annotated: counts and lists. */
#ifndef SL_REPORT_REPORT_ANNOTATED_H
#define SL_REPORT_REPORT_ANNOTATED_H

#include "query/annotated_delays.h"
#include "report/sheet.h"

typedef struct {
  unsigned sorts;                         /* mask of DelaySort or CheckSort; 0 means all */
  bool     list_annotated, list_others;
  bool     constants;                     /* also count arcs that a constant prevents from
                                             switching, in a separate column */
  uint32_t max_lines;                     /* for each list; 0 means no limit */
} AnnotatedReport;

void report_annotated_delays(const Sheet *sheet, const Timing *t, const Annotations *annotations,
                             const AnnotatedReport *report);
void report_annotated_checks(const Sheet *sheet, const Timing *t, const Annotations *annotations,
                             const AnnotatedReport *report);

#endif
