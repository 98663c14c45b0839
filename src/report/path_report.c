/* Paths as tables. */
#include "report/path_report.h"

#include <math.h>
#include <string.h>

#include "query/retime.h"
#include "query/slack.h"
#include "report/path_report_private.h"

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

static bool shows(const PathTable *x, unsigned field) { return x->v.r->fields & field; }

static void start_table(PathTable *x)
{
  uint32_t n = 0;
  x->columns[n++] = (PathColumn){ "Point", true, 60 };
  if (shows(x, PATH_FIELD_FANOUT)) x->columns[n++] = (PathColumn){ "Fanout", false, 0 };
  if (shows(x, PATH_FIELD_CAP)) x->columns[n++] = (PathColumn){ "Cap", false, 0 };
  if (shows(x, PATH_FIELD_SLEW)) x->columns[n++] = (PathColumn){ "Slew", false, 0 };
  if (shows(x, PATH_FIELD_VARIATION)) x->columns[n++] = (PathColumn){ "Mean", false, 0 };
  if (shows(x, PATH_FIELD_VARIATION)) x->columns[n++] = (PathColumn){ "Sigma", false, 0 };
  x->columns[n++] = (PathColumn){ "Incr", false, 0 };
  x->columns[n++] = (PathColumn){ "Path", false, 0 };
  x->columns[n++] = (PathColumn){ "", true, 0 };
  path_columns_start(&x->table, x->columns, n);
}

/* A row's numbers beside its times; NAN where it has none. */
typedef struct { double fanout, cap, slew, mean, sigma; } Extras;
static const Extras no_extras = { NAN, NAN, NAN, NAN, NAN };

static void row(PathTable *x, const char *label, const Extras *e, double incr, double time, const char *edge)
{
  int digits = x->v.r->digits;
  path_columns_text(&x->table, label);
  if (shows(x, PATH_FIELD_FANOUT)) path_columns_number(&x->table, e->fanout, 0);
  if (shows(x, PATH_FIELD_CAP)) path_columns_number(&x->table, e->cap / x->cap_unit, digits);
  if (shows(x, PATH_FIELD_SLEW)) path_columns_number(&x->table, e->slew / x->time_unit, digits);
  if (shows(x, PATH_FIELD_VARIATION)) path_columns_number(&x->table, e->mean / x->time_unit, digits);
  if (shows(x, PATH_FIELD_VARIATION)) path_columns_number(&x->table, e->sigma / x->time_unit, digits);
  path_columns_number(&x->table, incr / x->time_unit, digits);
  path_columns_number(&x->table, time / x->time_unit, digits);
  path_columns_text(&x->table, edge);
  path_columns_end_row(&x->table);
}

/* A row that adds to the time. */
static void add_row(PathTable *x, const char *label, double incr)
{
  x->time += incr;
  row(x, label, &no_extras, incr, x->time, "");
}

static void total_row(PathTable *x, const char *label, double time) { row(x, label, &no_extras, NAN, time, ""); }

static const char *clock_label(PathTable *x, ClockEdge e)
{
  text_clear(&x->label);
  text_printf(&x->label, "clock %s (%s edge)", path_clock_name(x->v.r->t, e), path_edge_name(clock_edge_edge(e)));
  return text_get(&x->label);
}

/* --- points ------------------------------------------------------------------------------------------------- */
static void net_row(PathTable *x, Slot driver)
{
  const Netlist *n = x->v.r->t->g->netlist;
  NetId net = netlist_pin_net(n, x->v.r->t->g->slot_pin[driver]);
  if (net == NO_NET) return;
  text_clear(&x->label);
  text_put(&x->label, "  ");
  netlist_net_name(n, net, x->v.r->separator, &x->label);
  text_put(&x->label, " (net)");
  row(x, text_get(&x->label), &no_extras, NAN, NAN, "");
}

/* base: absolute time of the clock edge that the point's arrival counts from. */
static void point_row(PathTable *x, const PathPoint *p, double base)
{
  const Timing *t = x->v.r->t;
  bool driver = slot_is_driver(t->g, p->slot);
  Extras e = { NAN, NAN, path_point_slew(&x->v, p, x->early_late), NAN, NAN };
  if (driver && path_fanout(t, p->slot)) {
    e.fanout = path_fanout(t, p->slot);
    e.cap = path_point_cap(t, p, x->early_late);
  }
  text_clear(&x->label);
  path_pin_name(x->v.r, p->slot, &x->label);
  text_printf(&x->label, " (%s)", path_pin_kind(t, p->slot));
  double time = base + p->arrival;
  e.sigma = sqrt(path_point_variance(&x->v, p, x->early_late));
  e.mean = x->early_late == LATE ? time - t->quantile * e.sigma : time + t->quantile * e.sigma;
  row(x, text_get(&x->label), &e, time - x->time, time, p->edge == RISE ? "r" : "f");
  x->time = time;
  if (driver && shows(x, PATH_FIELD_NET)) net_row(x, p->slot);
}

/* A register's clock pin inside a path: on the way to the source of a generated clock. */
static bool launches(const PathTable *x, const PathPoint *next)
{
  const Graph *g = x->v.r->t->g;
  return next->kind == LINK_ARC && arc_type_is_launch((ArcType)g->libs->arcs.at[g->arc_lib[next->link]].type);
}

/* Input pins between the first and the last point are shown on demand; short reports show these two alone. */
static void points_rows(PathTable *x, const PathPoint *points, uint32_t count, double base)
{
  bool brief = x->v.r->format == PATH_SHORT;
  for (uint32_t i = 0; i < count; i++) {
    bool inner = i > 0 && i + 1 < count;
    bool input = !slot_is_driver(x->v.r->t->g, points[i].slot);
    if (inner && (brief || (input && !shows(x, PATH_FIELD_INPUT_PIN) && !launches(x, &points[i + 1])))) continue;
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
  if (x->v.r->format == PATH_FULL_CLOCK_EXPANDED) query_expanded_clock_path(x->v.r->t, slot, node, edge, x->early_late, &points);
  else query_clock_path(x->v.r->t, slot, node, edge, x->early_late, &points);
  int condition = condition_of(x->early_late, points.at[0].edge);
  add_row(x, "clock source latency", points.at[0].arrival - timing_drive_delay(x->v.r->t, points.at[0].slot, condition));
  points_rows(x, points.at, points.len - !last_too, base);
  array_free(&points);
}

/* --- header -------------------------------------------------------------------------------------------------- */
static void add_clock_words(const PathTable *x, ClockEdge e, const char *verb, Text *t)
{
  if (e != NO_CLOCK_EDGE)
    text_printf(t, ", %s by %s (%s edge)", verb, path_clock_name(x->v.r->t, e), path_edge_name(clock_edge_edge(e)));
}

static const char *start_kind(const PathTable *x)
{
  const Timing *t = x->v.r->t;
  const PathPoint *start = path_start(x->v.list, x->v.p);
  if (path_from_register(t, x->v.list, x->v.p))
    return t->g->libs->arcs.at[t->g->arc_lib[start[1].link]].type == ARC_LATCH_ENABLE ? "latch" : "register";
  if (path_from_latch(t, x->v.list, x->v.p)) return "latch";
  if (t->g->slot_flags[start->slot] & SLOT_CLOCK_SOURCE) return "clock source";
  return t->g->slot_flags[start->slot] & SLOT_PORT ? "input port" : "pin";
}

static const char *end_kind(const PathTable *x)
{
  const Graph *g = x->v.r->t->g;
  Slot slot = path_end(x->v.list, x->v.p)->slot;
  if (g->slot_flags[slot] & SLOT_PORT) return "output port";
  if (x->v.p->row == NO_ROW || g->rows.at[x->v.p->row].check == UINT32_MAX) return "pin";
  switch (g->rows.at[x->v.p->row].type) {
  case ROW_GATING_SETUP: case ROW_GATING_HOLD: return "clock gate";
  case ROW_LATCH_SETUP: return "latch";
  case ROW_DATA_SETUP: case ROW_DATA_HOLD: return "data check";
  default: return "register";
  }
}

static void header(const PathTable *x, Text *out)
{
  const PathReport *r = x->v.r;
  const Path *p = x->v.p;
  text_put(out, "Startpoint: ");
  path_pin_name(r, path_start(x->v.list, p)->slot, out);
  text_printf(out, " (%s", start_kind(x));
  add_clock_words(x, path_launch(r->t, x->v.list, p), "launched", out);
  text_put(out, ")\nEndpoint:   ");
  path_pin_name(r, path_end(x->v.list, p)->slot, out);
  text_printf(out, " (%s", end_kind(x));
  if (p->row != NO_ROW) add_clock_words(x, r->t->g->rows.at[p->row].capture_clock, "captured", out);
  text_printf(out, ")\nPath group: %s\n", path_group_name(r->t, p->group));
  text_printf(out, "Path type:  %s (%s)\n", p->early_late == LATE ? "max" : "min", path_check_name(r->t, p));
  if (r->sources) text_printf(out, "Scenario:   %s\n", r->sources[p->source].name);
  text_char(out, '\n');
}

/* Does the path start where a generated clock takes over from its master? */
static bool starts_generated(const PathTable *x, const PathPoint *start)
{
  uint32_t from, to;
  const Timing *t = x->v.r->t;
  graph_links(t->g, start->slot, &from, &to);
  return to > from && t->g->slot_flags[start->slot] & SLOT_CLOCK_SOURCE && tag_is_clock(&t->g->tags->tags.at[query_node_tag(t, start->slot, start->node)]);
}

/* --- both sides ------------------------------------------------------------------------------------------------- */
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
  if (from_register && !launch.ideal && expands_clocks(x)) clock_rows(x, start->slot, start->node, start->edge, base, false);
  else if (starts_generated(x, start) && r->format == PATH_FULL_CLOCK_EXPANDED) clock_rows(x, start->slot, start->node, start->edge, base, false);
  else if (!from_register && !launch.is_input && !path_from_latch(r->t, x->v.list, p)) add_row(x, "clock source latency", launch.latency);
  else if (edge != NO_CLOCK_EDGE) add_row(x, launch.ideal ? "clock network delay (ideal)" : "clock network delay (propagated)", launch.latency);
  if (launch.is_input) add_row(x, "input external delay", launch.external);
  if (launch.given != 0) add_row(x, "time given to startpoint", launch.given);
  points_rows(x, start, p->count, base);
  total_row(x, "data arrival time", base + p->arrival);
}

/* The pin where the capturing clock's edge is compared. */
static void capture_pin_row(PathTable *x, const Row *k)
{
  const Graph *g = x->v.r->t->g;
  if (k->check == UINT32_MAX) return;
  Slot slot = g->checks.at[k->check].clock;
  text_clear(&x->label);
  path_pin_name(x->v.r, slot, &x->label);
  text_printf(&x->label, " (%s)", path_pin_kind(x->v.r->t, slot));
  row(x, text_get(&x->label), &no_extras, NAN, x->time, k->capture_edge == RISE ? "r" : "f");
}

static void term_row(PathTable *x, const RequiredTerm *term, const Row *k, bool *pin_shown)
{
  const Timing *t = x->v.r->t;
  bool clock = term->kind == TERM_CLOCK_PROPAGATED || term->kind == TERM_CLOCK_IDEAL || term->kind == TERM_REFERENCE;
  if (term->kind == TERM_CLOCK_EDGE) {
    add_row(x, clock_label(x, k->capture_clock), term->value);
  } else if (term->kind == TERM_CLOCK_PROPAGATED && k->capture != NO_NODE_ID && expands_clocks(x)) {
    double after = x->time + term->value;
    clock_rows(x, graph_node_slot(t->g, k->capture), k->capture, k->time_edge, x->time, true);
    x->time = after;
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
  const Row *k = &t->g->rows.at[p->row];
  RequiredTerm terms[MOST_TERMS];
  uint32_t count = path_required_terms(t, x->v.list, p, terms);
  bool pin_shown = x->v.r->format == PATH_SHORT;
  x->early_late = graph_capture_side(t->g, p->early_late);
  /* a path delay counts from the launching edge */
  x->time = t->g->row_details.at[k->detail].path_delay ? path_launch_time(t, x->v.list, p) : 0;
  path_columns_end_row(&x->table);
  for (uint32_t i = 0; i < count; i++) term_row(x, &terms[i], k, &pin_shown);
  total_row(x, "data required time", path_required(t, x->v.list, p));
}

static void slack_rows(PathTable *x)
{
  const Path *p = x->v.p;
  const Timing *t = x->v.r->t;
  double required = path_required(t, x->v.list, p), arrival = path_launch_time(t, x->v.list, p) + p->arrival;
  bool late = p->early_late == LATE;
  path_columns_rule(&x->table);
  total_row(x, "data required time", late ? required : -required);
  total_row(x, "data arrival time", late ? -arrival : arrival);
  path_columns_rule(&x->table);
  text_clear(&x->label);
  text_printf(&x->label, "slack (%s)", p->slack < 0 ? "VIOLATED" : "MET");
  total_row(x, text_get(&x->label), p->slack);
  if (shows(x, PATH_FIELD_GRAPH_SLACK) && retimed_of(x->v.list, p)) total_row(x, "slack in the graph", retimed_of(x->v.list, p)->graph_slack);
}

static void full_path(PathTable *x, Text *out)
{
  header(x, out);
  start_table(x);
  arrival_rows(x);
  if (x->v.p->row != NO_ROW) {
    required_rows(x);
    slack_rows(x);
  }
  path_columns_print(&x->table, x->v.r->split, out);
  if (x->v.p->row == NO_ROW) text_put(out, "(Path is unconstrained)\n");
  text_put(out, "\n\n");
}

/* --- one line a path ------------------------------------------------------------------------------------------------- */
static void add_pin_cell(PathColumns *c, const PathReport *r, Slot slot)
{
  Text t = { 0 };
  path_pin_name(r, slot, &t);
  text_printf(&t, " (%s)", path_pin_kind(r->t, slot));
  path_columns_text(c, text_get(&t));
  text_free(&t);
}

static void end_row(PathTable *x, PathColumns *c)
{
  const PathReport *r = x->v.r;
  const Path *p = x->v.p;
  double base = path_launch_time(r->t, x->v.list, p), slack = isinf(p->slack) ? NAN : p->slack;
  if (r->format == PATH_SLACK_ONLY) {
    path_columns_text(c, path_group_name(r->t, p->group));
    path_columns_number(c, slack / x->time_unit, r->digits);
  } else if (r->format == PATH_SUMMARY) {
    add_pin_cell(c, r, path_start(x->v.list, p)->slot);
    add_pin_cell(c, r, path_end(x->v.list, p)->slot);
    path_columns_number(c, slack / x->time_unit, r->digits);
  } else {
    add_pin_cell(c, r, path_end(x->v.list, p)->slot);
    path_columns_text(c, path_group_name(r->t, p->group));
    path_columns_number(c, path_required(r->t, x->v.list, p) / x->time_unit, r->digits);
    path_columns_number(c, (base + p->arrival) / x->time_unit, r->digits);
    path_columns_number(c, slack / x->time_unit, r->digits);
  }
  const RetimedPath *own = retimed_of(x->v.list, p);
  if (shows(x, PATH_FIELD_GRAPH_SLACK)) path_columns_number(c, (own && !isnan(slack) ? own->graph_slack : slack) / x->time_unit, r->digits);
  if (r->sources) path_columns_text(c, r->sources[p->source].name);
  path_columns_text(c, p->slack < 0 ? "VIOLATED" : "");
  path_columns_end_row(c);
}

static const PathColumn end_columns[] = {
  { "Endpoint", true, 60 }, { "Group", true, 0 }, { "Required", false, 0 }, { "Arrival", false, 0 }, { "Slack", false, 0 }, { "", true, 0 } };
static const PathColumn summary_columns[] = { { "Startpoint", true, 60 }, { "Endpoint", true, 0 }, { "Slack", false, 0 }, { "", true, 0 } };
static const PathColumn slack_columns[] = { { "Group", true, 0 }, { "Slack", false, 0 }, { "", true, 0 } };

/* The last column is the verdict; before it the scenario, where there are several. */
static void start_lines(PathColumns *c, const PathReport *r, PathColumn columns[MOST_COLUMNS])
{
  static const struct { const PathColumn *at; uint32_t count; } layouts[] = { { end_columns, 6 }, { summary_columns, 4 }, { slack_columns, 3 } };
  int layout = r->format == PATH_SLACK_ONLY ? 2 : r->format == PATH_SUMMARY;
  uint32_t n = layouts[layout].count;
  memcpy(columns, layouts[layout].at, n * sizeof *columns);
  if (r->fields & PATH_FIELD_GRAPH_SLACK) {
    columns[n] = columns[n - 1];
    columns[n - 1] = (PathColumn){ "Graph", false, 0 };
    n++;
  }
  if (r->sources) {
    columns[n] = columns[n - 1];
    columns[n - 1] = (PathColumn){ "Scenario", true, 0 };
    n++;
  }
  path_columns_start(c, columns, n);
}

void report_paths(const PathReport *r, const PathList *list, const uint32_t *indices, uint32_t count)
{
  if (r->format == PATH_JSON) {
    path_json(r, list, indices, count);
    return;
  }
  PathTable x = { .v = { r, list, NULL }, .time_unit = r->units->scale[UNIT_TIME], .cap_unit = r->units->scale[UNIT_CAPACITANCE] };
  PathColumns lines = { 0 };
  Text out = { 0 };
  bool one_line = r->format == PATH_END || r->format == PATH_SUMMARY || r->format == PATH_SLACK_ONLY;
  if (one_line) start_lines(&lines, r, x.columns);
  for (uint32_t i = 0; i < count; i++) {
    x.v.p = &list->paths.at[indices ? indices[i] : i];
    PathReport own = path_report_of(r, x.v.p);
    x.v.r = &own;
    if (one_line) {
      end_row(&x, &lines);
      continue;
    }
    full_path(&x, &out);
    r->write(r->data, text_get(&out), out.len);
    text_clear(&out);
  }
  if (one_line) {
    path_columns_print(&lines, r->split, &out);
    r->write(r->data, text_get(&out), out.len);
  }
  text_free(&out);
  text_free(&x.label);
  path_columns_free(&lines);
  path_columns_free(&x.table);
}
