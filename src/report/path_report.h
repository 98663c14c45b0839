/* What a report of timing paths shows: a table of some level of detail or JSON, its fields, units
   and scenarios. report/report_paths.h makes the report. */
#ifndef SL_REPORT_PATH_REPORT_H
#define SL_REPORT_PATH_REPORT_H

#include "base/units.h"
#include "paths/path.h"

typedef enum {
  PATH_FULL,
  PATH_FULL_CLOCK,
  PATH_FULL_CLOCK_EXPANDED,
  PATH_SHORT,
  PATH_END,
  PATH_SUMMARY,
  PATH_SLACK_ONLY,
  PATH_JSON
} PathFormat;

enum {
  PATH_FIELD_SLEW = 1,
  PATH_FIELD_CAP = 2,
  PATH_FIELD_FANOUT = 4,            /* number of loads of the net; max_fanout compares
                                       query_fanout_load instead */
  PATH_FIELD_NET = 8,
  PATH_FIELD_INPUT_PIN = 16,
  PATH_FIELD_VARIATION = 32,
  PATH_FIELD_GRAPH_SLACK = 64
};

/* The name of a field. A new field needs a bit above and a row of `fields` in path_report.c. If it
   has a value for each pin, it also needs a row of `point_columns`. If it has one value for each
   path, it needs lines in slack_rows, path_line_start and path_line_row. If it is a flag of
   report_timing too, as in other timers, it needs a row of the options and a line of read_layout in
   cmd/cmd_path.c. */
typedef struct {
  const char *name;
  unsigned    field;                /* 0: the name is accepted, and nothing is shown */
  bool        listed;               /* path_field_names lists it; false: another name of a
                                       listed field */
} PathField;

/* Finds a field by its name or by a beginning of its name; NULL: none. */
const PathField *path_field_find(const char *name);
/* Appends "slew, capacitance, ... and graph_slack". */
void path_field_names(Text *text);

/* A scenario that paths belong to, and its name in reports. */
typedef struct {
  const Timing *t;
  const char   *name;
} PathSource;

typedef struct {
  const Timing  *t;
  const PathSource *sources;        /* by Path.source, used instead of t; NULL if all paths are of t
                                       and the report names no scenario */
  const UnitSet *units;
  char       separator;
  int        digits;
  PathFormat format;
  unsigned   fields;
  bool       split;                 /* put long names on a line of their own */
  int        threads;               /* threads that format; 0 means one for each core */
  void     (*write)(void *data, const char *text, size_t length);
  void      *data;
} PathReport;

#endif
