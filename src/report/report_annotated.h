/* Which delays and checks are annotated: counts and lists. */
#ifndef SL_REPORT_REPORT_ANNOTATED_H
#define SL_REPORT_REPORT_ANNOTATED_H

#include "query/annotated_delays.h"
#include "report/sheet.h"

typedef struct {
  unsigned sorts;                         /* mask of DelaySort or CheckSort; 0: all */
  bool     list_annotated, list_others;
  bool     constants;                     /* arcs that a constant keeps from switching as well, in a
                                             column of their own */
  uint32_t max_lines;                     /* of each list; 0: all */
} AnnotatedReport;

void report_annotated_delays(const Sheet *s, const Timing *t, const Annotations *a,
                             const AnnotatedReport *r);
void report_annotated_checks(const Sheet *s, const Timing *t, const Annotations *a,
                             const AnnotatedReport *r);

#endif
