/* Reports on what the design must meet: limits, end points, pulses. */
#ifndef SL_REPORT_REPORT_LIMITS_H
#define SL_REPORT_REPORT_LIMITS_H

#include "query/constraint.h"
#include "report/path_report.h"
#include "report/sheet.h"

typedef enum { CONSTRAINTS_SUMMARY, CONSTRAINTS_VIOLATORS, CONSTRAINTS_ALL } ConstraintList;

typedef struct {
  ConstraintQuery query;
  ConstraintList  list;
  uint32_t        most;               /* of each kind and group; 0: any number */
  bool            verbose;            /* each in full: paths of end points, edges of pulses */
  bool            slack_only;         /* one line for each kind and group */
  const PathReport *paths;            /* how paths look; for verbose */
} ConstraintReport;

void report_constraints(const Sheet *s, const Timing *t, const ConstraintReport *r);

/* Pins with a violation (or any result when all) of the kinds, each once, in PinId order. */
void constraint_pins(const Timing *t, const ConstraintQuery *q, bool all, ObjectArray *out);

#endif
