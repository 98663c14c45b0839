/* Reports on what the design must meet: limits, endpoints, pulses. */
#ifndef SL_REPORT_REPORT_LIMITS_H
#define SL_REPORT_REPORT_LIMITS_H

#include "query/constraint.h"
#include "report/path_report.h"
#include "report/sheet.h"

typedef enum { CONSTRAINTS_SUMMARY, CONSTRAINTS_VIOLATORS, CONSTRAINTS_ALL } ConstraintList;

typedef struct {
  ConstraintQuery query;
  ConstraintList  list;
  uint32_t        most;               /* largest number for each kind and group; 0 means no limit */
  bool            verbose;            /* report each in full: paths of endpoints, edges of pulses */
  bool            slack_only;         /* one line for each kind and group */
  const PathReport *paths;            /* layout of paths, for verbose */
} ConstraintReport;

void report_constraints(const Sheet *sheet, const Timing *t, const ConstraintReport *report);

/* Appends the pins with a violation of the kinds (with `all`, with any result), each once, in the
   order of PinIds. */
void constraint_pins(const Timing *t, const ConstraintQuery *query, bool all, ObjectArray *out);

#endif
