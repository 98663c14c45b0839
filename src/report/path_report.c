/* Writes paths as tables. */
#include "report/path_report.h"

#include <math.h>
#include <string.h>

#include "paths/retime.h"
#include "timing/slack.h"
#include "report/path_report_private.h"
#include "report/sheet.h"

static void put_words(Text *t, const char *const *words, size_t count)
{
  for (size_t i = 0; i < count; i++) text_put(t, words[i]);
}

static bool shows(const PathTable *x, unsigned field) { return x->v.r->fields & field; }

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

void path_field_names(Text *t)
{
  int left = 0;
  for (int i = 0; i < FIELDS; i++) left += fields[i].listed;
  for (int i = 0; i < FIELDS; i++) {
    if (!fields[i].listed) continue;
    left--;
    text_printf(t, "%s%s", fields[i].name, left > 1 ? ", " : left ? " and " : "");
  }
}

/* --- columns of points ------------------------------------------------------------------------ */

/* Numbers of a point other than its times, in ps and fF; NAN: none. */
static double fanout_of(const PathTable *x, const PathPoint *p, double time)
{
  (void)time;
  const Timing *t = x->v.r->t;
  uint32_t fanout = slot_is_driver(t->g, p->slot) ? path_fanout(t, p->slot) : 0;
  return fanout ? fanout : NAN;
}

static double cap_of(const PathTable *x, const PathPoint *p, double time)
{
  return isnan(fanout_of(x, p, time)) ? NAN : path_point_cap(x->v.r->t, p, x->early_late);
}

static double slew_of(const PathTable *x, const PathPoint *p, double time)
{
  (void)time;
  return path_point_slew(&x->v, p, x->early_late);
}

static double sigma_of(const PathTable *x, const PathPoint *p, double time)
{
  (void)time;
  return sqrt(path_point_variance(&x->v, p, x->early_late));
}

static double mean_of(const PathTable *x, const PathPoint *p, double time)
{
  double away = x->v.r->t->sigma.quantile * sigma_of(x, p, time);
  return x->early_late == LATE ? time - away : time + away;
}

/* A field with a column, in the order of the table. */
typedef enum { AS_COUNT, AS_CAPACITANCE, AS_TIME } ColumnUnit;
static const struct {
  const char *title;
  unsigned    field;
  ColumnUnit  unit;
  double    (*value)(const PathTable *x, const PathPoint *p, double time);
} point_columns[] = { { "Fanout", PATH_FIELD_FANOUT, AS_COUNT, fanout_of },
                      { "Cap", PATH_FIELD_CAP, AS_CAPACITANCE, cap_of },
                      { "Slew", PATH_FIELD_SLEW, AS_TIME, slew_of },
                      { "Mean", PATH_FIELD_VARIATION, AS_TIME, mean_of },
                      { "Sigma", PATH_FIELD_VARIATION, AS_TIME, sigma_of } };
enum { POINT_COLUMNS = sizeof point_columns / sizeof *point_columns };
_Static_assert(POINT_COLUMNS + 4 <= MOST_COLUMNS, "label, Incr, Path and edge stand beside them");

static void start_table(PathTable *x)
{
  uint32_t n = 0;
  x->columns[n++] = (PathColumn){ "Point", true, 60 };
  for (int i = 0; i < POINT_COLUMNS; i++)
    if (shows(x, point_columns[i].field))
      x->columns[n++] = (PathColumn){ point_columns[i].title, false, 0 };
  x->columns[n++] = (PathColumn){ "Incr", false, 0 };
  x->columns[n++] = (PathColumn){ "Path", false, 0 };
  x->columns[n++] = (PathColumn){ "", true, 0 };
  path_columns_start(&x->table, x->columns, n, true);
}

/* The number of one column; empty if there is no point. */
static void point_number(PathTable *x, int column, const PathPoint *p, double time)
{
  double value = p ? point_columns[column].value(x, p, time) : NAN;
  int digits = x->v.r->digits;
  switch (point_columns[column].unit) {
  case AS_COUNT: digits = 0; break;
  case AS_CAPACITANCE:
    value /= x->cap_unit;
    digits = sheet_small_digits(value, digits);
    break;
  case AS_TIME: value /= x->time_unit; break;
  }
  path_columns_number(&x->table, value, digits);
}

/* The text after a row's label, in the last cell. */
static void numbers(PathTable *x, const PathPoint *p, double incr, double time, const char *edge)
{
  int digits = x->v.r->digits;
  for (int i = 0; i < POINT_COLUMNS; i++)
    if (shows(x, point_columns[i].field)) point_number(x, i, p, time);
  path_columns_number(&x->table, incr / x->time_unit, digits);
  path_columns_number(&x->table, time / x->time_unit, digits);
  path_columns_text(&x->table, edge);
  path_columns_end_row(&x->table);
}

/* A row that belongs to no point. */
static void row(PathTable *x, const char *label, double incr, double time, const char *edge)
{
  path_columns_text(&x->table, label);
  numbers(x, NULL, incr, time, edge);
}

static void pin_cell(PathTable *x, Slot slot)
{
  PathLabel label = path_pin_label(&x->v, slot);
  text_add(path_columns_begin(&x->table), label.text, label.whole);
  path_columns_end(&x->table);
}

/* A row that adds to the time. */
static void add_row(PathTable *x, const char *label, double incr)
{
  x->time += incr;
  row(x, label, incr, x->time, "");
}

static void total_row(PathTable *x, const char *label, double time)
{
  row(x, label, NAN, time, "");
}

static const char *clock_label(PathTable *x, ClockEdge e)
{
  text_clear(&x->label);
  const char *words[] = { "clock ", path_clock_name(x->v.r->t, e), " (",
                          path_edge_name(clock_edge_edge(e)), " edge)" };
  put_words(&x->label, words, sizeof words / sizeof *words);
  return text_get(&x->label);
}

/* --- points ----------------------------------------------------------------------------------- */
static void net_row(PathTable *x, Slot driver)
{
  const Netlist *n = x->v.r->t->g->netlist;
  NetId net = netlist_pin_net(n, x->v.r->t->g->slots.pin[driver]);
  if (net == NO_NET) return;
  Text *cell = path_columns_begin(&x->table);
  text_put(cell, "  ");
  netlist_net_name(n, net, x->v.r->separator, cell);
  text_put(cell, " (net)");
  path_columns_end(&x->table);
  numbers(x, NULL, NAN, NAN, "");
}

/* base: absolute time of the clock edge that the point's arrival counts from. */
static void point_row(PathTable *x, const PathPoint *p, double base)
{
  const Timing *t = x->v.r->t;
  double time = base + p->arrival;
  pin_cell(x, p->slot);
  numbers(x, p, time - x->time, time, p->edge == RISE ? "r" : "f");
  x->time = time;
  if (shows(x, PATH_FIELD_NET) && slot_is_driver(t->g, p->slot)) net_row(x, p->slot);
}

/* A register's clock pin inside a path: on the way to the source of a generated clock. */
static bool launches(const PathTable *x, const PathPoint *next)
{
  const Graph *g = x->v.r->t->g;
  return next->kind == LINK_ARC && graph_arc_is_launch(g, next->link);
}

/* Input pins between the first and the last point are shown on demand; short reports show these two
   alone. */
static void points_rows(PathTable *x, const PathPoint *points, uint32_t count, double base)
{
  bool brief = x->v.r->format == PATH_SHORT;
  for (uint32_t i = 0; i < count; i++) {
    bool inner = i > 0 && i + 1 < count;
    bool input = !slot_is_driver(x->v.r->t->g, points[i].slot);
    if (inner
        && (brief || (input && !shows(x, PATH_FIELD_INPUT_PIN) && !launches(x, &points[i + 1]))))
      continue;
    point_row(x, &points[i], base);
  }
}

static bool expands_clocks(const PathTable *x)
{
  return x->v.r->format == PATH_FULL_CLOCK || x->v.r->format == PATH_FULL_CLOCK_EXPANDED;
}

/* The clock network from its source to a pin. */
static void clock_rows(PathTable *x, Slot slot, NodeId node, int edge, double base, bool last_too)
{
  PathPoints points = { 0 };
  if (x->v.r->format == PATH_FULL_CLOCK_EXPANDED)
    query_expanded_clock_path(x->v.r->t, slot, node, edge, x->early_late, &points);
  else query_clock_path(x->v.r->t, slot, node, edge, x->early_late, &points);
  int condition = condition_of(x->early_late, points.at[0].edge);
  add_row(x, "clock source latency",
          points.at[0].arrival - timing_drive_delay(x->v.r->t, points.at[0].slot, condition));
  points_rows(x, points.at, points.len - !last_too, base);
  array_free(&points);
}

/* --- header ----------------------------------------------------------------------------------- */
static void put_pin(const PathTable *x, Slot slot, Text *t)
{
  PathLabel label = path_pin_label(&x->v, slot);
  text_add(t, label.text, label.name);
}

static void add_clock_words(const PathTable *x, ClockEdge e, const char *verb, Text *t)
{
  if (e == NO_CLOCK_EDGE) return;
  const char *words[] = { ", ",    verb,
                          " by ",  path_clock_name(x->v.r->t, e),
                          " (",    path_edge_name(clock_edge_edge(e)),
                          " edge)" };
  put_words(t, words, sizeof words / sizeof *words);
}

static const char *start_kind(const PathTable *x)
{
  const Timing *t = x->v.r->t;
  const PathPoint *start = path_start(x->v.list, x->v.p);
  if (path_from_register(t, x->v.list, x->v.p))
    return t->g->libs->arcs.at[t->g->arcs.lib[start[1].link]].type == ARC_LATCH_ENABLE ? "latch"
                                                                                      : "register";
  if (path_from_latch(t, x->v.list, x->v.p)) return "latch";
  if (t->g->slots.flags[start->slot] & SLOT_CLOCK_SOURCE) return "clock source";
  return t->g->slots.flags[start->slot] & SLOT_PORT ? "input port" : "pin";
}

static const char *end_kind(const PathTable *x)
{
  const Graph *g = x->v.r->t->g;
  Slot slot = path_end(x->v.list, x->v.p)->slot;
  if (g->slots.flags[slot] & SLOT_PORT) return "output port";
  if (x->v.p->end_id == NO_PATH_END
      || g->ends.path_ends.at[x->v.p->end_id].check == UINT32_MAX)
    return "pin";
  switch (g->ends.path_ends.at[x->v.p->end_id].type) {
  case END_GATING_SETUP: case END_GATING_HOLD: return "clock gate";
  case END_LATCH_SETUP: return "latch";
  case END_DATA_SETUP: case END_DATA_HOLD: return "data check";
  default: return "register";
  }
}

static void header(const PathTable *x, Text *out)
{
  const PathReport *r = x->v.r;
  const Path *p = x->v.p;
  text_put(out, "Startpoint: ");
  put_pin(x, path_start(x->v.list, p)->slot, out);
  text_put(out, " (");
  text_put(out, start_kind(x));
  add_clock_words(x, path_launch(r->t, x->v.list, p), "launched", out);
  text_put(out, ")\nEndpoint:   ");
  put_pin(x, path_end(x->v.list, p)->slot, out);
  text_put(out, " (");
  text_put(out, end_kind(x));
  if (p->end_id != NO_PATH_END)
    add_clock_words(x, r->t->g->ends.path_ends.at[p->end_id].capture_clock, "captured", out);
  const char *words[] = { ")\nPath group: ",
                          path_group_name(r->t, p->group),
                          "\nPath type:  ",
                          p->early_late == LATE ? "max" : "min",
                          " (",
                          path_check_name(r->t, p),
                          ")\n" };
  put_words(out, words, sizeof words / sizeof *words);
  const char *scenario[] = { "Scenario:   ", r->sources ? r->sources[p->source].name : "", "\n\n" };
  if (r->sources) put_words(out, scenario, 3);
  else text_char(out, '\n');
}

/* Returns true if the path starts where a generated clock takes over from its master. */
static bool starts_generated(const PathTable *x, const PathPoint *start)
{
  uint32_t from, to;
  const Timing *t = x->v.r->t;
  graph_links(t->g, start->slot, &from, &to);
  return to > from && t->g->slots.flags[start->slot] & SLOT_CLOCK_SOURCE
         && tag_is_clock(&t->g->tags->tags.at[graph_node_tag(t->g, start->slot, start->node)]);
}

/* --- both sides ------------------------------------------------------------------------------- */
static void arrival_rows(PathTable *x)
{
  const PathReport *r = x->v.r;
  const Path *p = x->v.p;
  const PathPoint *start = path_start(x->v.list, p);
  PathLaunch launch = path_launch_detail(r->t, x->v.list, p);
  double base = path_launch_time(r->t, x->v.list, p);
  bool from_register = path_from_register(r->t, x->v.list, p);
  ClockEdge edge = path_launch(r->t, x->v.list, p);
  x->early_late = p->early_late;
  x->time = 0;
  if (edge != NO_CLOCK_EDGE) add_row(x, clock_label(x, edge), base);
  if (from_register && !launch.ideal && expands_clocks(x))
    clock_rows(x, start->slot, start->node, start->edge, base, false);
  else if (starts_generated(x, start) && r->format == PATH_FULL_CLOCK_EXPANDED)
    clock_rows(x, start->slot, start->node, start->edge, base, false);
  else if (!from_register && !launch.is_input && !path_from_latch(r->t, x->v.list, p))
    add_row(x, "clock source latency", launch.latency);
  else if (edge != NO_CLOCK_EDGE)
    add_row(x, launch.ideal ? "clock network delay (ideal)" : "clock network delay (propagated)",
            launch.latency);
  if (launch.is_input) add_row(x, "input external delay", launch.external);
  if (launch.given != 0) add_row(x, "time given to startpoint", launch.given);
  points_rows(x, start, p->count, base);
  total_row(x, "data arrival time", base + p->arrival);
}

/* The pin where the capturing clock's edge is compared. */
static void capture_pin_row(PathTable *x, const PathEnd *k)
{
  const Graph *g = x->v.r->t->g;
  if (k->check == UINT32_MAX) return;
  Slot slot = g->ends.checks.at[k->check].clock;
  pin_cell(x, slot);
  numbers(x, NULL, NAN, x->time, k->capture_edge == RISE ? "r" : "f");
}

static void term_row(PathTable *x, const RequiredTerm *term, const PathEnd *k, bool *pin_shown)
{
  const Timing *t = x->v.r->t;
  bool clock = term->kind == TERM_CLOCK_PROPAGATED || term->kind == TERM_CLOCK_IDEAL
               || term->kind == TERM_REFERENCE;
  if (term->kind == TERM_CLOCK_EDGE) {
    add_row(x, clock_label(x, k->capture_clock), term->value);
  } else if (term->kind == TERM_CLOCK_PROPAGATED && k->capture != NO_NODE_ID && expands_clocks(x)) {
    double after = x->time + term->value;
    clock_rows(x, graph_node_slot(t->g, k->capture), k->capture, k->time_edge, x->time, true);
    float shift = t->g->ends.details.at[k->detail].latency;       /* of the capture alone */
    x->time = after - shift;
    if (shift != 0) add_row(x, "clock source latency of the capture", shift);
    *pin_shown = true;
  } else {
    if (!clock && !*pin_shown && term->kind != TERM_PATH_DELAY && term->kind != TERM_MULTICYCLE) {
      capture_pin_row(x, k);
      *pin_shown = true;
    }
    add_row(x, path_term_name(t, x->v.p, term->kind), term->value);
  }
}

static void required_rows(PathTable *x)
{
  const Timing *t = x->v.r->t;
  const Path *p = x->v.p;
  const PathEnd *k = &t->g->ends.path_ends.at[p->end_id];
  RequiredTerm terms[MOST_TERMS];
  uint32_t count = path_required_terms(t, x->v.list, p, terms);
  bool pin_shown = x->v.r->format == PATH_SHORT;
  x->early_late = graph_capture_side(t->g, p->early_late);
  /* a path delay counts from the launching edge */
  x->time = t->g->ends.details.at[k->detail].path_delay ? path_launch_time(t, x->v.list, p) : 0;
  path_columns_end_row(&x->table);
  for (uint32_t i = 0; i < count; i++) term_row(x, &terms[i], k, &pin_shown);
  total_row(x, "data required time", path_required(t, x->v.list, p));
}

static void slack_rows(PathTable *x)
{
  const Path *p = x->v.p;
  const Timing *t = x->v.r->t;
  double required = path_required(t, x->v.list, p),
         arrival = path_launch_time(t, x->v.list, p) + p->arrival;
  bool late = p->early_late == LATE;
  path_columns_rule(&x->table);
  total_row(x, "data required time", late ? required : -required);
  total_row(x, "data arrival time", late ? -arrival : arrival);
  path_columns_rule(&x->table);
  total_row(x, p->slack < 0 ? "slack (VIOLATED)" : "slack (MET)", p->slack);
  if (shows(x, PATH_FIELD_GRAPH_SLACK) && retimed_of(x->v.list, p))
    total_row(x, "slack in the graph", retimed_of(x->v.list, p)->graph_slack);
}

void path_table_text(PathTable *x, Text *out)
{
  uint32_t width[MOST_COLUMNS] = { 0 };
  header(x, out);
  start_table(x);
  arrival_rows(x);
  if (x->v.p->end_id != NO_PATH_END) {
    required_rows(x);
    slack_rows(x);
  }
  path_columns_measure(&x->table, x->v.r->split, width);
  path_columns_print(&x->table, width, out);
  if (x->v.p->end_id == NO_PATH_END) text_put(out, "(Path is unconstrained)\n");
  text_put(out, "\n\n");
}

/* --- one line a path -------------------------------------------------------------------------- */
void path_line_row(PathTable *x)
{
  const PathReport *r = x->v.r;
  PathColumns *c = &x->table;
  const Path *p = x->v.p;
  double base = path_launch_time(r->t, x->v.list, p), slack = isinf(p->slack) ? NAN : p->slack;
  if (r->format == PATH_SLACK_ONLY) {
    path_columns_text(c, path_group_name(r->t, p->group));
    path_columns_number(c, slack / x->time_unit, r->digits);
  } else if (r->format == PATH_SUMMARY) {
    pin_cell(x, path_start(x->v.list, p)->slot);
    pin_cell(x, path_end(x->v.list, p)->slot);
    path_columns_number(c, slack / x->time_unit, r->digits);
  } else {
    pin_cell(x, path_end(x->v.list, p)->slot);
    path_columns_text(c, path_group_name(r->t, p->group));
    path_columns_number(c, path_required(r->t, x->v.list, p) / x->time_unit, r->digits);
    path_columns_number(c, (base + p->arrival) / x->time_unit, r->digits);
    path_columns_number(c, slack / x->time_unit, r->digits);
  }
  const RetimedPath *own = retimed_of(x->v.list, p);
  if (shows(x, PATH_FIELD_GRAPH_SLACK))
    path_columns_number(c, (own && !isnan(slack) ? own->graph_slack : slack) / x->time_unit,
                        r->digits);
  if (r->sources) path_columns_text(c, r->sources[p->source].name);
  path_columns_text(c, p->slack < 0 ? "VIOLATED" : "");
  path_columns_end_row(c);
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
void path_line_start(PathTable *x, bool titles)
{
  static const struct {
    const PathColumn *at;
    uint32_t count;
  } layouts[] = { { end_columns, 6 }, { summary_columns, 4 }, { slack_columns, 3 } };
  const PathReport *r = x->v.r;
  int layout = r->format == PATH_SLACK_ONLY ? 2 : r->format == PATH_SUMMARY;
  uint32_t n = layouts[layout].count;
  memcpy(x->columns, layouts[layout].at, n * sizeof *x->columns);
  if (r->fields & PATH_FIELD_GRAPH_SLACK) {
    x->columns[n] = x->columns[n - 1];
    x->columns[n - 1] = (PathColumn){ "Graph", false, 0 };
    n++;
  }
  if (r->sources) {
    x->columns[n] = x->columns[n - 1];
    x->columns[n - 1] = (PathColumn){ "Scenario", true, 0 };
    n++;
  }
  path_columns_start(&x->table, x->columns, n, titles);
}
