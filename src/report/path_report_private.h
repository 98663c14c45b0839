/* Shared by the tables and the JSON of paths; private to src/report. */
#ifndef SL_REPORT_PATH_REPORT_PRIVATE_H
#define SL_REPORT_PATH_REPORT_PRIVATE_H

#include "report/path_columns.h"
#include "report/path_parts.h"
#include "report/path_report.h"

typedef struct {
  const PathReport *r;
  const PathList   *list;
  const Path       *p;
} PathView;

void path_pin_name(const PathReport *r, Slot slot, Text *t);
/* What a pin belongs to: its cell's name, "in", "out" or "inout". */
const char *path_pin_kind(const Timing *t, Slot slot);
const char *path_clock_name(const Timing *t, ClockEdge e);
const char *path_term_name(const Timing *t, const Path *p, TermKind kind);
const char *path_edge_name(int edge);

/* The report of one path: with the timing that it belongs to. */
static inline PathReport path_report_of(const PathReport *r, const Path *p)
{
  PathReport own = *r;
  if (r->sources) own.t = r->sources[p->source].t;
  return own;
}

void path_json(const PathReport *r, const PathList *list, const uint32_t *indices, uint32_t count);

#endif
