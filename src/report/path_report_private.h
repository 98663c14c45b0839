/* Shared by the tables and the JSON of paths. Private to src/report. */
#ifndef SL_REPORT_PATH_REPORT_PRIVATE_H
#define SL_REPORT_PATH_REPORT_PRIVATE_H

#include "report/path_columns.h"
#include "report/path_labels.h"
#include "report/path_parts.h"
#include "report/path_report.h"

typedef struct {
  const PathReport *r;
  const PathList   *list;
  const Path       *p;
  PathLabels       *labels;
} PathView;

static inline PathLabel path_pin_label(const PathView *v, Slot slot)
{
  return path_label(v->labels, v->r->t, slot, v->r->separator);
}
/* Returns the text in brackets of a pin: the name of its cell, or "in", "out" or "inout". */
const char *path_pin_kind(const Timing *t, Slot slot);
const char *path_clock_name(const Timing *t, ClockEdge e);
/* Slew and variance at a point: the path's own if it is re-timed. */
float    path_point_slew(const PathView *v, const PathPoint *x, int early_late);
float    path_point_variance(const PathView *v, const PathPoint *x, int early_late);
const char *path_term_name(const Timing *t, const Path *p, TermKind kind);
const char *path_edge_name(int edge);

/* Returns the report with the timing that the path belongs to. */
static inline PathReport path_report_of(const PathReport *r, const Path *p)
{
  PathReport own = *r;
  if (r->sources) own.t = r->sources[p->source].t;
  return own;
}

/* The state of a table: its columns, and the time of the last row. */
typedef struct {
  PathView v;
  PathColumns  table;
  PathColumn   columns[MOST_COLUMNS];
  double   time;            /* ps, absolute */
  double   time_unit, cap_unit;
  int      early_late;      /* the analysis whose slews and capacitances are shown */
  Text     label;
} PathTable;

/* path_table_text appends the path x->v.p in a format with several lines. path_line_start begins a
   table of paths, and path_line_row adds the row of the path. */
void path_table_text(PathTable *x, Text *out);
void path_line_start(PathTable *x, bool titles);
void path_line_row(PathTable *x);

typedef struct {
  PathView v;
  Text    *out;
  double   time_unit, cap_unit;
  int      depth;
  bool     first;           /* the next value is the first in its object or array */
} PathJson;

void path_json_text(PathJson *j);

#endif
