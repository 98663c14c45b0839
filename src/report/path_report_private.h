/* Shared by the tables and the JSON of paths; private to src/report. */
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
/* What a pin belongs to: its cell's name, "in", "out" or "inout". */
const char *path_pin_kind(const Timing *t, Slot slot);
const char *path_clock_name(const Timing *t, ClockEdge e);
/* Of a path's point its own where the path is re-timed. */
float    path_point_slew(const PathView *v, const PathPoint *x, int early_late);
float    path_point_variance(const PathView *v, const PathPoint *x, int early_late);
const char *path_term_name(const Timing *t, const Path *p, TermKind kind);
const char *path_edge_name(int edge);

/* The report of one path: with the timing that it belongs to. */
static inline PathReport path_report_of(const PathReport *r, const Path *p)
{
  PathReport own = *r;
  if (r->sources) own.t = r->sources[p->source].t;
  return own;
}

/* A table under way: the columns that are shown, and the time of the last row. */
typedef struct {
  PathView v;
  PathColumns  table;
  PathColumn   columns[MOST_COLUMNS];
  double   time;            /* ps, absolute */
  double   time_unit, cap_unit;
  int      early_late;      /* whose slews and capacitances */
  Text     label;
} PathTable;

/* Formats of several lines append the path x->v.p; of a table of paths they add its row. */
void path_table_text(PathTable *x, Text *out);
void path_line_start(PathTable *x, bool titles);
void path_line_row(PathTable *x);

typedef struct {
  PathView v;
  Text    *out;
  double   time_unit, cap_unit;
  int      depth;
  bool     first;           /* in its object or array */
} PathJson;

void path_json_text(PathJson *j);

#endif
