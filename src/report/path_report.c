/* Writes paths as tables. */
#include "report/path_report.h"

#include <math.h>
#include <string.h>

#include "paths/retime.h"
#include "timing/slack.h"
#include "report/path_report_private.h"
#include "report/sheet.h"

static void put_words(Text *text, const char *const *words, size_t count)
{
  for (size_t i = 0; i < count; i++) text_put(text, words[i]);
}

static bool shows(const PathTable *table, unsigned field)
{
  return table->v.report->fields & field;
}

/* --- fields ----------------------------------------------------------------------------------- */

static const PathField fields[] = { { "slew", PATH_FIELD_SLEW, true },
                                    { "transition", PATH_FIELD_SLEW, false },
                                    { "transition_time", PATH_FIELD_SLEW, false },
                                    { "capacitance", PATH_FIELD_CAP, true },
                                    { "fanout", PATH_FIELD_FANOUT, true },
                                    { "nets", PATH_FIELD_NET, false },
                                    { "net", PATH_FIELD_NET, true },
                                    { "input_pins", PATH_FIELD_INPUT_PIN, true },
                                    { "input_pin", PATH_FIELD_INPUT_PIN, false },
                                    { "src_attr", 0, false },
                                    { "variation", PATH_FIELD_VARIATION, true },
                                    { "graph_slack", PATH_FIELD_GRAPH_SLACK, true } };
enum { FIELDS = sizeof fields / sizeof *fields };

const PathField *path_field_find(const char *name)
{
  size_t length = strlen(name);
  for (int i = 0; i < FIELDS && length; i++)
    if (strncmp(fields[i].name, name, length) == 0) return &fields[i];
  return NULL;
}

void path_field_names(Text *text)
{
  int left = 0;
  for (int i = 0; i < FIELDS; i++) left += fields[i].listed;
  for (int i = 0; i < FIELDS; i++) {
    if (!fields[i].listed) continue;
    left--;
    text_printf(text, "%s%s", fields[i].name, left > 1 ? ", " : left ? " and " : "");
  }
}

/* --- columns of points ------------------------------------------------------------------------ */

/* Numbers of a point other than its times, in ps and fF; NAN: none. */
static double fanout_of(const PathTable *table, const PathPoint *point, double time)
{
  (void)time;
  const Timing *t = table->v.report->t;
  uint32_t fanout = slot_is_driver(t->g, point->slot) ? path_fanout(t, point->slot) : 0;
  return fanout ? fanout : NAN;
}

static double cap_of(const PathTable *table, const PathPoint *point, double time)
{
  return isnan(fanout_of(table, point, time))
             ? NAN
             : path_point_cap(table->v.report->t, point, table->early_late);
}

static double slew_of(const PathTable *table, const PathPoint *point, double time)
{
  (void)time;
  return path_point_slew(&table->v, point, table->early_late);
}

static double sigma_of(const PathTable *table, const PathPoint *point, double time)
{
  (void)time;
  return sqrt(path_point_variance(&table->v, point, table->early_late));
}

static double mean_of(const PathTable *table, const PathPoint *point, double time)
{
  double away = table->v.report->t->sigma.quantile * sigma_of(table, point, time);
  return table->early_late == LATE ? time - away : time + away;
}

/* A field with a column, in the order of the table. */
typedef enum { AS_COUNT, AS_CAPACITANCE, AS_TIME } ColumnUnit;
static const struct {
  const char *title;
  unsigned    field;
  ColumnUnit  unit;
  double    (*value)(const PathTable *table, const PathPoint *point, double time);
} point_columns[] = { { "Fanout", PATH_FIELD_FANOUT, AS_COUNT, fanout_of },
                      { "Cap", PATH_FIELD_CAP, AS_CAPACITANCE, cap_of },
                      { "Slew", PATH_FIELD_SLEW, AS_TIME, slew_of },
                      { "Mean", PATH_FIELD_VARIATION, AS_TIME, mean_of },
                      { "Sigma", PATH_FIELD_VARIATION, AS_TIME, sigma_of } };
enum { POINT_COLUMNS = sizeof point_columns / sizeof *point_columns };
_Static_assert(POINT_COLUMNS + 4 <= MOST_COLUMNS, "label, Incr, Path and edge stand beside them");

static void start_table(PathTable *table)
{
  uint32_t n = 0;
  table->columns[n++] = (PathColumn){ "Point", true, 60 };
  for (int i = 0; i < POINT_COLUMNS; i++)
    if (shows(table, point_columns[i].field))
      table->columns[n++] = (PathColumn){ point_columns[i].title, false, 0 };
  table->columns[n++] = (PathColumn){ "Incr", false, 0 };
  table->columns[n++] = (PathColumn){ "Path", false, 0 };
  table->columns[n++] = (PathColumn){ "", true, 0 };
  path_columns_start(&table->table, table->columns, n, true);
}

/* The number of one column; empty if there is no point. */
static void point_number(PathTable *table, int column, const PathPoint *point, double time)
{
  double value = point ? point_columns[column].value(table, point, time) : NAN;
  int digits = table->v.report->digits;
  switch (point_columns[column].unit) {
  case AS_COUNT: digits = 0; break;
  case AS_CAPACITANCE:
    value /= table->cap_unit;
    digits = sheet_small_digits(value, digits);
    break;
  case AS_TIME: value /= table->time_unit; break;
  }
  path_columns_number(&table->table, value, digits);
}

/* The text after a row's label, in the last cell. */
static void numbers(PathTable *table, const PathPoint *point, double incr, double time,
                    const char *edge)
{
  int digits = table->v.report->digits;
  for (int i = 0; i < POINT_COLUMNS; i++)
    if (shows(table, point_columns[i].field)) point_number(table, i, point, time);
  path_columns_number(&table->table, incr / table->time_unit, digits);
  path_columns_number(&table->table, time / table->time_unit, digits);
  path_columns_text(&table->table, edge);
  path_columns_end_row(&table->table);
}

/* A row that belongs to no point. */
static void row(PathTable *table, const char *label, double incr, double time, const char *edge)
{
  path_columns_text(&table->table, label);
  numbers(table, NULL, incr, time, edge);
}

static void pin_cell(PathTable *table, Slot slot)
{
  PathLabel label = path_pin_label(&table->v, slot);
  text_add(path_columns_begin(&table->table), label.text, label.whole);
  path_columns_end(&table->table);
}

/* A row that adds to the time. */
static void add_row(PathTable *table, const char *label, double incr)
{
  table->time += incr;
  row(table, label, incr, table->time, "");
}

static void total_row(PathTable *table, const char *label, double time)
{
  row(table, label, NAN, time, "");
}

static const char *clock_label(PathTable *table, ClockEdge e)
{
  text_clear(&table->label);
  const char *words[] = { "clock ", path_clock_name(table->v.report->t, e), " (",
                          path_edge_name(clock_edge_edge(e)), " edge)" };
  put_words(&table->label, words, sizeof words / sizeof *words);
  return text_get(&table->label);
}

/* --- points ----------------------------------------------------------------------------------- */
static void net_row(PathTable *table, Slot driver)
{
  const Netlist *n = table->v.report->t->g->netlist;
  NetId net = netlist_pin_net(n, table->v.report->t->g->slots.pin[driver]);
  if (net == NO_NET) return;
  Text *cell = path_columns_begin(&table->table);
  text_put(cell, "  ");
  netlist_net_name(n, net, table->v.report->separator, cell);
  text_put(cell, " (net)");
  path_columns_end(&table->table);
  numbers(table, NULL, NAN, NAN, "");
}

/* base: absolute time of the clock edge that the point's arrival counts from. */
static void point_row(PathTable *table, const PathPoint *point, double base)
{
  const Timing *t = table->v.report->t;
  double time = base + point->arrival;
  pin_cell(table, point->slot);
  numbers(table, point, time - table->time, time, point->edge == RISE ? "r" : "f");
  table->time = time;
  if (shows(table, PATH_FIELD_NET) && slot_is_driver(t->g, point->slot))
    net_row(table, point->slot);
}

/* A register's clock pin inside a path: on the way to the source of a generated clock. */
static bool launches(const PathTable *table, const PathPoint *next)
{
  const Graph *g = table->v.report->t->g;
  return next->kind == LINK_ARC && graph_arc_is_launch(g, next->link);
}

/* Input pins between the first and the last point are shown on demand; short reports show these two
   alone. */
static void points_rows(PathTable *table, const PathPoint *points, uint32_t count, double base)
{
  bool brief = table->v.report->format == PATH_SHORT;
  for (uint32_t i = 0; i < count; i++) {
    bool inner = i > 0 && i + 1 < count;
    bool input = !slot_is_driver(table->v.report->t->g, points[i].slot);
    if (inner
        && (brief
            || (input && !shows(table, PATH_FIELD_INPUT_PIN) && !launches(table, &points[i + 1]))))
      continue;
    point_row(table, &points[i], base);
  }
}

static bool expands_clocks(const PathTable *table)
{
  return table->v.report->format == PATH_FULL_CLOCK
         || table->v.report->format == PATH_FULL_CLOCK_EXPANDED;
}

/* The clock network from its source to a pin. */
static void clock_rows(PathTable *table, Slot slot, NodeId node, int edge, double base,
                       bool last_too)
{
  PathPoints points = { 0 };
  if (table->v.report->format == PATH_FULL_CLOCK_EXPANDED)
    query_expanded_clock_path(table->v.report->t, slot, node, edge, table->early_late, &points);
  else query_clock_path(table->v.report->t, slot, node, edge, table->early_late, &points);
  int condition = condition_of(table->early_late, points.at[0].edge);
  add_row(table, "clock source latency",
          points.at[0].arrival
              - timing_drive_delay(table->v.report->t, points.at[0].slot, condition));
  points_rows(table, points.at, points.len - !last_too, base);
  array_free(&points);
}

/* --- header ----------------------------------------------------------------------------------- */
static void put_pin(const PathTable *table, Slot slot, Text *text)
{
  PathLabel label = path_pin_label(&table->v, slot);
  text_add(text, label.text, label.name);
}

static void add_clock_words(const PathTable *table, ClockEdge e, const char *verb, Text *text)
{
  if (e == NO_CLOCK_EDGE) return;
  const char *words[] = { ", ",    verb,
                          " by ",  path_clock_name(table->v.report->t, e),
                          " (",    path_edge_name(clock_edge_edge(e)),
                          " edge)" };
  put_words(text, words, sizeof words / sizeof *words);
}

static const char *start_kind(const PathTable *table)
{
  const Timing *t = table->v.report->t;
  const PathPoint *start = path_start(table->v.list, table->v.path);
  if (path_from_register(t, table->v.list, table->v.path))
    return t->g->libs->arcs.at[t->g->arcs.lib[start[1].link]].type == ARC_LATCH_ENABLE ? "latch"
                                                                                      : "register";
  if (path_from_latch(t, table->v.list, table->v.path)) return "latch";
  if (t->g->slots.flags[start->slot] & SLOT_CLOCK_SOURCE) return "clock source";
  return t->g->slots.flags[start->slot] & SLOT_PORT ? "input port" : "pin";
}

static const char *end_kind(const PathTable *table)
{
  const Graph *g = table->v.report->t->g;
  Slot slot = path_end(table->v.list, table->v.path)->slot;
  if (g->slots.flags[slot] & SLOT_PORT) return "output port";
  if (table->v.path->end_id == NO_PATH_END
      || g->ends.path_ends.at[table->v.path->end_id].check == UINT32_MAX)
    return "pin";
  switch (g->ends.path_ends.at[table->v.path->end_id].type) {
  case END_GATING_SETUP: case END_GATING_HOLD: return "clock gate";
  case END_LATCH_SETUP: return "latch";
  case END_DATA_SETUP: case END_DATA_HOLD: return "data check";
  default: return "register";
  }
}

static void header(const PathTable *table, Text *out)
{
  const PathReport *report = table->v.report;
  const Path *path = table->v.path;
  text_put(out, "Startpoint: ");
  put_pin(table, path_start(table->v.list, path)->slot, out);
  text_put(out, " (");
  text_put(out, start_kind(table));
  add_clock_words(table, path_launch(report->t, table->v.list, path), "launched", out);
  text_put(out, ")\nEndpoint:   ");
  put_pin(table, path_end(table->v.list, path)->slot, out);
  text_put(out, " (");
  text_put(out, end_kind(table));
  if (path->end_id != NO_PATH_END)
    add_clock_words(table, report->t->g->ends.path_ends.at[path->end_id].capture_clock, "captured",
                    out);
  const char *words[] = { ")\nPath group: ",
                          path_group_name(report->t, path->group),
                          "\nPath type:  ",
                          path->early_late == LATE ? "max" : "min",
                          " (",
                          path_check_name(report->t, path),
                          ")\n" };
  put_words(out, words, sizeof words / sizeof *words);
  const char *scenario[] = { "Scenario:   ",
                             report->sources ? report->sources[path->source].name : "", "\n\n" };
  if (report->sources) put_words(out, scenario, 3);
  else text_char(out, '\n');
}

/* Returns true if the path starts where a generated clock takes over from its master. */
static bool starts_generated(const PathTable *table, const PathPoint *start)
{
  uint32_t from, to;
  const Timing *t = table->v.report->t;
  graph_links(t->g, start->slot, &from, &to);
  return to > from && t->g->slots.flags[start->slot] & SLOT_CLOCK_SOURCE
         && tag_is_clock(&t->g->tags->tags.at[graph_node_tag(t->g, start->slot, start->node)]);
}

/* --- both sides ------------------------------------------------------------------------------- */
static void arrival_rows(PathTable *table)
{
  const PathReport *report = table->v.report;
  const Path *path = table->v.path;
  const PathPoint *start = path_start(table->v.list, path);
  PathLaunch launch = path_launch_detail(report->t, table->v.list, path);
  double base = path_launch_time(report->t, table->v.list, path);
  bool from_register = path_from_register(report->t, table->v.list, path);
  ClockEdge edge = path_launch(report->t, table->v.list, path);
  table->early_late = path->early_late;
  table->time = 0;
  if (edge != NO_CLOCK_EDGE) add_row(table, clock_label(table, edge), base);
  if (from_register && !launch.ideal && expands_clocks(table))
    clock_rows(table, start->slot, start->node, start->edge, base, false);
  else if (starts_generated(table, start) && report->format == PATH_FULL_CLOCK_EXPANDED)
    clock_rows(table, start->slot, start->node, start->edge, base, false);
  else if (!from_register && !launch.is_input && !path_from_latch(report->t, table->v.list, path))
    add_row(table, "clock source latency", launch.latency);
  else if (edge != NO_CLOCK_EDGE)
    add_row(table,
            launch.ideal ? "clock network delay (ideal)" : "clock network delay (propagated)",
            launch.latency);
  if (launch.is_input) add_row(table, "input external delay", launch.external);
  if (launch.given != 0) add_row(table, "time given to startpoint", launch.given);
  points_rows(table, start, path->count, base);
  total_row(table, "data arrival time", base + path->arrival);
}

/* The pin where the capturing clock's edge is compared. */
static void capture_pin_row(PathTable *table, const PathEnd *end)
{
  const Graph *g = table->v.report->t->g;
  if (end->check == UINT32_MAX) return;
  Slot slot = g->ends.checks.at[end->check].clock;
  pin_cell(table, slot);
  numbers(table, NULL, NAN, table->time, end->capture_edge == RISE ? "r" : "f");
}

static void term_row(PathTable *table, const RequiredTerm *term, const PathEnd *end,
                     bool *pin_shown)
{
  const Timing *t = table->v.report->t;
  bool clock = term->kind == TERM_CLOCK_PROPAGATED || term->kind == TERM_CLOCK_IDEAL
               || term->kind == TERM_REFERENCE;
  if (term->kind == TERM_CLOCK_EDGE) {
    add_row(table, clock_label(table, end->capture_clock), term->value);
  } else if (term->kind == TERM_CLOCK_PROPAGATED && end->capture != NO_NODE_ID
             && expands_clocks(table)) {
    double after = table->time + term->value;
    clock_rows(table, graph_node_slot(t->g, end->capture), end->capture, end->time_edge,
               table->time, true);
    float shift = t->g->ends.details.at[end->detail].latency;       /* of the capture alone */
    table->time = after - shift;
    if (shift != 0) add_row(table, "clock source latency of the capture", shift);
    *pin_shown = true;
  } else {
    if (!clock && !*pin_shown && term->kind != TERM_PATH_DELAY && term->kind != TERM_MULTICYCLE) {
      capture_pin_row(table, end);
      *pin_shown = true;
    }
    add_row(table, path_term_name(t, table->v.path, term->kind), term->value);
  }
}

static void required_rows(PathTable *table)
{
  const Timing *t = table->v.report->t;
  const Path *path = table->v.path;
  const PathEnd *end = &t->g->ends.path_ends.at[path->end_id];
  RequiredTerm terms[MOST_TERMS];
  uint32_t count = path_required_terms(t, table->v.list, path, terms);
  bool pin_shown = table->v.report->format == PATH_SHORT;
  table->early_late = graph_capture_side(t->g, path->early_late);
  /* a path delay counts from the launching edge */
  table->time =
      t->g->ends.details.at[end->detail].path_delay ? path_launch_time(t, table->v.list, path) : 0;
  path_columns_end_row(&table->table);
  for (uint32_t i = 0; i < count; i++) term_row(table, &terms[i], end, &pin_shown);
  total_row(table, "data required time", path_required(t, table->v.list, path));
}

static void slack_rows(PathTable *table)
{
  const Path *path = table->v.path;
  const Timing *t = table->v.report->t;
  double required = path_required(t, table->v.list, path),
         arrival = path_launch_time(t, table->v.list, path) + path->arrival;
  bool late = path->early_late == LATE;
  path_columns_rule(&table->table);
  total_row(table, "data required time", late ? required : -required);
  total_row(table, "data arrival time", late ? -arrival : arrival);
  path_columns_rule(&table->table);
  total_row(table, path->slack < 0 ? "slack (VIOLATED)" : "slack (MET)", path->slack);
  if (shows(table, PATH_FIELD_GRAPH_SLACK) && retimed_of(table->v.list, path))
    total_row(table, "slack in the graph", retimed_of(table->v.list, path)->graph_slack);
}

void path_table_text(PathTable *table, Text *out)
{
  uint32_t width[MOST_COLUMNS] = { 0 };
  header(table, out);
  start_table(table);
  arrival_rows(table);
  if (table->v.path->end_id != NO_PATH_END) {
    required_rows(table);
    slack_rows(table);
  }
  path_columns_measure(&table->table, table->v.report->split, width);
  path_columns_print(&table->table, width, out);
  if (table->v.path->end_id == NO_PATH_END) text_put(out, "(Path is unconstrained)\n");
  text_put(out, "\n\n");
}

/* --- one line a path -------------------------------------------------------------------------- */
void path_line_row(PathTable *table)
{
  const PathReport *report = table->v.report;
  PathColumns *columns = &table->table;
  const Path *path = table->v.path;
  double base = path_launch_time(report->t, table->v.list, path),
         slack = isinf(path->slack) ? NAN : path->slack;
  if (report->format == PATH_SLACK_ONLY) {
    path_columns_text(columns, path_group_name(report->t, path->group));
    path_columns_number(columns, slack / table->time_unit, report->digits);
  } else if (report->format == PATH_SUMMARY) {
    pin_cell(table, path_start(table->v.list, path)->slot);
    pin_cell(table, path_end(table->v.list, path)->slot);
    path_columns_number(columns, slack / table->time_unit, report->digits);
  } else {
    pin_cell(table, path_end(table->v.list, path)->slot);
    path_columns_text(columns, path_group_name(report->t, path->group));
    path_columns_number(columns, path_required(report->t, table->v.list, path) / table->time_unit,
                        report->digits);
    path_columns_number(columns, (base + path->arrival) / table->time_unit, report->digits);
    path_columns_number(columns, slack / table->time_unit, report->digits);
  }
  const RetimedPath *own = retimed_of(table->v.list, path);
  if (shows(table, PATH_FIELD_GRAPH_SLACK))
    path_columns_number(columns,
                        (own && !isnan(slack) ? own->graph_slack : slack) / table->time_unit,
                        report->digits);
  if (report->sources) path_columns_text(columns, report->sources[path->source].name);
  path_columns_text(columns, path->slack < 0 ? "VIOLATED" : "");
  path_columns_end_row(columns);
}

static const PathColumn end_columns[] = { { "Endpoint", true, 60 }, { "Group", true, 0 },
                                          { "Required", false, 0 }, { "Arrival", false, 0 },
                                          { "Slack", false, 0 },    { "", true, 0 } };
static const PathColumn summary_columns[] = {
  { "Startpoint", true, 60 }, { "Endpoint", true, 0 }, { "Slack", false, 0 }, { "", true, 0 }
};
static const PathColumn slack_columns[] = { { "Group", true, 0 },
                                            { "Slack", false, 0 },
                                            { "", true, 0 } };

/* The last column is the verdict.  If there are several scenarios, the column before it names the
   scenario. */
void path_line_start(PathTable *table, bool titles)
{
  static const struct {
    const PathColumn *at;
    uint32_t count;
  } layouts[] = { { end_columns, 6 }, { summary_columns, 4 }, { slack_columns, 3 } };
  const PathReport *report = table->v.report;
  int layout = report->format == PATH_SLACK_ONLY ? 2 : report->format == PATH_SUMMARY;
  uint32_t n = layouts[layout].count;
  memcpy(table->columns, layouts[layout].at, n * sizeof *table->columns);
  if (report->fields & PATH_FIELD_GRAPH_SLACK) {
    table->columns[n] = table->columns[n - 1];
    table->columns[n - 1] = (PathColumn){ "Graph", false, 0 };
    n++;
  }
  if (report->sources) {
    table->columns[n] = table->columns[n - 1];
    table->columns[n - 1] = (PathColumn){ "Scenario", true, 0 };
    n++;
  }
  path_columns_start(&table->table, table->columns, n, titles);
}
