/* Shared by the tables and the JSON of paths; private to src/report. */
#ifndef SL_REPORT_PATH_REPORT_PRIVATE_H
#define SL_REPORT_PATH_REPORT_PRIVATE_H

#include "report/path_columns.h"
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
/* Of a path's point its own where the path is re-timed. */
float    path_point_slew(const PathView *v, const PathPoint *x, int early_late);
float    path_point_variance(const PathView *v, const PathPoint *x, int early_late);
/* Loads of the net and capacitance that a driver sees. */
uint32_t path_fanout(const Timing *t, Slot driver);
float    path_point_cap(const Timing *t, const PathPoint *x, int early_late);
const char *path_check_name(const Timing *t, const Path *p);       /* "setup", "output hold", ... */
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
