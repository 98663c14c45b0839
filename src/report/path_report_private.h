/* Shared by the tables and the JSON of paths. Private to src/report. */
#ifndef SL_REPORT_PATH_REPORT_PRIVATE_H
#define SL_REPORT_PATH_REPORT_PRIVATE_H

#include "report/path_columns.h"
#include "report/path_labels.h"
#include "report/path_parts.h"
#include "report/path_report.h"

typedef struct {
  const PathReport *report;
  const PathList   *list;
  const Path       *path;
  PathLabels       *labels;
} PathView;

static inline PathLabel path_pin_label(const PathView *view, Slot slot)
{
  return path_label(view->labels, view->report->t, slot, view->report->separator);
}
/* Returns the text in brackets of a pin: the name of its cell, or "in", "out" or "inout". */
const char *path_pin_kind(const Timing *t, Slot slot);
const char *path_clock_name(const Timing *t, ClockEdge e);
/* Slew and variance at a point: the path's own if it is re-timed. */
float    path_point_slew(const PathView *view, const PathPoint *point, int early_late);
float    path_point_variance(const PathView *view, const PathPoint *point, int early_late);
const char *path_term_name(const Timing *t, const Path *path, TermKind kind);
const char *path_edge_name(int edge);

/* Returns the report with the timing that the path belongs to. */
static inline PathReport path_report_of(const PathReport *report, const Path *path)
{
  PathReport own = *report;
  if (report->sources) own.t = report->sources[path->source].t;
  return own;
}

/* The state of a table: its columns, and the time of the last row. */
typedef struct {
  PathView v;
  PathColumns  table;
  PathColumn   columns[MOST_COLUMNS];
  double   time;            /* ps, absolute */
  double   time_unit, cap_unit;
  int      early_late;      /* the analysis whose slews and capacitances are shown: that of the path
                               for its arrival, and that of the capture for the required time */
  Text     label;
} PathTable;

/* path_table_text appends the path table->v.path in a format with several lines. path_line_start
   begins a table of paths, and path_line_row adds the row of the path. */
void path_table_text(PathTable *table, Text *out);
void path_line_start(PathTable *table, bool titles);
void path_line_row(PathTable *table);

typedef struct {
  PathView v;
  Text    *out;
  double   time_unit, cap_unit;
  int      depth;
  bool     first;           /* the next value is the first in its object or array */
} PathJson;

void path_json_text(PathJson *json);

#endif
