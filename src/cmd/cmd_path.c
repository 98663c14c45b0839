/* Commands that find and report timing paths. */
#include <math.h>
#include <string.h>

#include "cmd/report/cmd_report.h"
#include "tclbind/console.h"
#include "cmd/path_none_text.h"
#include "tclbind/paths.h"
#include "tclbind/scenarios.h"
#include "graph/path_points.h"
#include "paths/path_merge.h"
#include "paths/retime.h"
#include "report/report_paths.h"

#define DELAY_TYPES "max|min|min_max|max_rise|max_fall|min_rise|min_fall"

/* Rows of both commands: which paths.  Hidden ones are short forms that scripts use although
   several options begin so. */
#define OPTIONS_QUERY                                                                             \
  { "-from", ARG_OBJECTS, .value = "objects", .kinds = OBJS_PATH_END,                             \
      .help = "startpoints: clocks, clock pins of registers, input ports, cells (a "              \
              "hierarchical cell stands for all inside)" },                                       \
  { "-rise_from", ARG_OBJECTS, .value = "objects", .kinds = OBJS_PATH_END,                        \
      .help = "the same, rising" },                                                               \
  { "-fall_from", ARG_OBJECTS, .value = "objects", .kinds = OBJS_PATH_END,                        \
      .help = "the same, falling" },                                                              \
  { "-through", ARG_OBJECTS, .value = "objects", .flags = OPT_REPEAT, .kinds = OBJS_THROUGH,      \
      .help = "pins, ports, cells or nets on the path; several -through are passed in order" },   \
  { "-rise_through", ARG_OBJECTS, .value = "objects", .flags = OPT_REPEAT, .kinds = OBJS_THROUGH, \
      .help = "the same, rising" },                                                               \
  { "-fall_through", ARG_OBJECTS, .value = "objects", .flags = OPT_REPEAT, .kinds = OBJS_THROUGH, \
      .help = "the same, falling" },                                                              \
  { "-to", ARG_OBJECTS, .value = "objects", .kinds = OBJS_PATH_END,                               \
      .help = "endpoints: capturing clocks, pins, ports, cells (a hierarchical cell stands for "  \
              "all inside)" },                                                                    \
  { "-rise_to", ARG_OBJECTS, .value = "objects", .kinds = OBJS_PATH_END,                          \
      .help = "the same, rising" },                                                               \
  { "-fall_to", ARG_OBJECTS, .value = "objects", .kinds = OBJS_PATH_END,                          \
      .help = "the same, falling" },                                                              \
  { "-delay_type", ARG_ENUM, .value = DELAY_TYPES,                                                \
      .help = "max: setup, the default; min: hold; min_max: as many paths of each, max first" },  \
  { "-path_delay", ARG_ENUM, .value = DELAY_TYPES, .help = "another name of -delay_type" },       \
  { "-max_paths", ARG_INT, .value = "N", .help = "number of paths in all; default: 1, or the "    \
                                                 "value of -nworst",                              \
      AT_LEAST(1) },                                                                              \
  { "-max", ARG_INT, .value = "N", .flags = OPT_HIDDEN, AT_LEAST(1) },                            \
  { "-max_paths_per_group", ARG_INT, .value = "N", .help = "number of paths for each path group", \
      AT_LEAST(1) },                                                                              \
  { "-nworst", ARG_INT, .value = "N", .preset = "1",                                              \
      .help = "number of paths for each endpoint, in each of its path groups", AT_LEAST(1) },     \
  { "-unique", ARG_FLAG, .help = "paths to an endpoint must differ in their pins, not only in "   \
                                 "edges" },                                                       \
  { "-max_deviations", ARG_INT, .value = "N",                                                     \
      .help = "only paths with at most N deviations from the worst path; for comparisons",        \
      RANGE(1, 65535) },                                                                          \
  { "-unique_pins", ARG_FLAG, .help = "another name of -unique" },                                \
  { "-slack_lesser_than", ARG_TIME, .value = "slack", .help = "only paths with less slack" },     \
  { "-slack_max", ARG_TIME, .value = "slack", .help = "only paths with this slack or less" },     \
  { "-slack_greater_than", ARG_TIME, .value = "slack",                                            \
      .help = "only those of the -nworst worst paths of each endpoint that have more slack" },    \
  { "-slack_min", ARG_TIME, .value = "slack",                                                     \
      .help = "the same for paths with this slack or more" },                                     \
  { "-group", ARG_LIST, .value = "names", .help = "only paths of these path groups" },            \
  { "-unconstrained", ARG_FLAG, .help = "report unconstrained paths too, after the others"        \
      },                                                                                          \
  { "-sort_by", ARG_ENUM, .value = "slack|group", .preset = "slack",                              \
      .help = "order of the paths" },                                                             \
  { "-pba_mode", ARG_ENUM, .value = "none|path|exhaustive", .preset = "none",                     \
      .help = "path: time the paths found again with their own slews; exhaustive: find the "      \
              "worst of all paths by that slack" },                                               \
  { "-pba_limit", ARG_INT, .value = "N", .preset = "100000",                                      \
      .help = "largest number of paths that an exhaustive search tries", AT_LEAST(1) },           \
  OPTIONS_SCENARIOS

#define FORMATS "full|full_clock|full_clock_expanded|short|end|summary|slack_only|json"
#define OPTIONS_LAYOUT                                                                         \
  { "-format", ARG_ENUM, .value = FORMATS, .preset = "full", .help = "level of detail" },      \
  { "-path_type", ARG_ENUM, .value = FORMATS, .help = "another name of -format" },             \
  { "-path", ARG_ENUM, .value = FORMATS, .flags = OPT_HIDDEN },                                \
  { "-fields", ARG_LIST, .value = "names", .flags = OPT_PATTERNS,                              \
      .help = "further columns and rows: slew capacitance fanout net input_pins variation "    \
              "graph_slack" },                                                                 \
  { "-slew", ARG_FLAG, .help = "show slews" },                                                 \
  { "-transition_time", ARG_FLAG, .help = "another name of -slew" },                           \
  { "-capacitance", ARG_FLAG, .help = "show the capacitance that drivers see" },               \
  { "-fanout", ARG_FLAG, .help = "show the number of loads of drivers" },                      \
  { "-nets", ARG_FLAG, .help = "show nets" },                                                  \
  { "-input_pins", ARG_FLAG, .help = "show input pins, so that wires and cells have separate " \
                                     "rows" },                                                 \
  OPTION_DIGITS,                                                                               \
  { "-significant_digits", ARG_INT, .value = "N", .help = "another name of -digits",           \
      RANGE(0, 15) },                                                                          \
  { "-no_line_splits", ARG_FLAG, .help = "keep long names and their numbers on one line" },    \
  { "-nosplit", ARG_FLAG, .help = "another name of -no_line_splits" }

/* --- the query -------------------------------------------------------------------------------- */
static void add_point(Args *a, const char *option, uint32_t use, uint8_t edges, PathObjects *out)
{
  uint32_t count;
  const Object *objects = args_objects(a, option, use, &count);
  for (uint32_t i = 0; i < count; i++) array_push(out, (PathObject){ objects[i], edges });
}

static uint8_t edges_of(const char *option)
{
  return strncmp(option, "-rise", 5) == 0   ? EDGE_RISE
         : strncmp(option, "-fall", 5) == 0 ? EDGE_FALL
                                            : EDGE_BOTH;
}

static void read_points(Args *a, PathQuery *query)
{
  static const char *const from[] = { "-from", "-rise_from", "-fall_from" }, *const to[] = {
    "-to", "-rise_to", "-fall_to"
  };
  for (int i = 0; i < 3; i++) {
    add_point(a, from[i], 0, edges_of(from[i]), &query->from);
    add_point(a, to[i], 0, edges_of(to[i]), &query->to);
  }
  uint32_t position = 0, use;
  const char *name;
  while (args_next_of(a, "-through,-rise_through,-fall_through", &position, &name, &use)) {
    PathObjects point = { 0 };
    add_point(a, name, use, edges_of(name), &point);
    array_resize(&query->through, query->through.len + 1);
    memcpy(&query->through.at[query->through.len - 1], &point, sizeof point);
  }
}

/* The greatest slack that is less than a limit (toward: -INFINITY) or equals it (INFINITY), the
   least one likewise. What shows as the limit does equals it: slacks are shown as floats in the
   user's unit, so a limit stands for all that round to its float. */
static double slack_limit(const Session *s, double limit, double toward)
{
  double unit = s->units.scale[UNIT_TIME];
  float own = (float)(limit / unit);
  return ((double)own + (double)nextafterf(own, (float)toward)) / 2 * unit;
}

/* Returns the tighter of the given limits; NAN: no limit. */
static void read_limits(const Session *s, Args *a, PathQuery *query)
{
  double lesser = slack_limit(s, args_number(a, "-slack_lesser_than"), -INFINITY);
  double greater = slack_limit(s, args_number(a, "-slack_greater_than"), INFINITY);
  query->slack_max = fmin(lesser, slack_limit(s, args_number(a, "-slack_max"), INFINITY));
  query->slack_min = fmax(greater, slack_limit(s, args_number(a, "-slack_min"), -INFINITY));
}

static void read_counts(Args *a, PathQuery *query)
{
  query->worst = (uint32_t)args_int(a, "-nworst");
  query->group_paths = (uint32_t)args_int(a, "-max_paths_per_group");
  const char *count = args_given(a, "-max_paths") ? "-max_paths" : "-max";
  query->max_paths = args_given(a, count) ? (uint32_t)args_int(a, count)
                     : query->group_paths ? UINT32_MAX
                                          : query->worst;
  query->deviations =
      args_given(a, "-max_deviations") ? (uint32_t)args_int(a, "-max_deviations") : 0;
  query->unique = args_flag(a, "-unique") || args_flag(a, "-unique_pins");
  query->unconstrained = args_flag(a, "-unconstrained");
  query->by_group = args_enum(a, "-sort_by") == 1;
}

/* --- groups ----------------------------------------------------------------------------------- */
typedef struct {
  const Timing *t;
  Tcl_Obj *names;           /* NULL: all */
} Groups;

/* Those of -group that no scenario looked at has. */
typedef struct {
  Tcl_Obj **names;
  int   count;
  bool *exist;              /* [count] */
} NamedGroups;

static bool name_is(Tcl_Obj *names, const char *name)
{
  int count;
  Tcl_Obj **words;
  if (strcmp(Tcl_GetString(names), name) == 0) return true;        /* "gated clock" is one name */
  if (Tcl_ListObjGetElements(NULL, names, &count, &words) != TCL_OK) return false;
  for (int i = 0; i < count; i++)
    if (strcmp(Tcl_GetString(words[i]), name) == 0) return true;
  return false;
}

static bool wants_group(void *data, PathGroup group)
{
  const Groups *groups = data;
  return name_is(groups->names, path_group_name(groups->t, group));
}

static NamedGroups named_groups(const Args *a)
{
  NamedGroups g = { NULL, 0, NULL };
  Tcl_Obj *names = args_object(a, "-group");
  if (names == NULL || Tcl_ListObjGetElements(NULL, names, &g.count, &g.names) != TCL_OK) return g;
  g.exist = mem_alloc_zero((size_t)g.count + 1, sizeof *g.exist);
  return g;
}

static void find_groups(NamedGroups *groups, const Args *a, const Timing *t)
{
  bool whole = groups->count && path_group_exists(t, Tcl_GetString(args_object(a, "-group")));
  for (int i = 0; i < groups->count; i++)
    groups->exist[i] |= whole || path_group_exists(t, Tcl_GetString(groups->names[i]));
}

static void tell_groups(const NamedGroups *groups, Session *s, const Args *a)
{
  for (int i = 0; i < groups->count; i++)
    if (!groups->exist[i])
      log_warning(s->log, "PATH-013", args_where(a), "-group: there is no path group '%.60s'",
                  Tcl_GetString(groups->names[i]));
}

/* --- starts ----------------------------------------------------------------------------------- */
/* Objects of -from where no path starts, in the first scenario that was searched. */
typedef struct {
  bool     looked;
  uint32_t count;
  Object   first;
  uint8_t  edges;                  /* of the first */
  bool     dead;                   /* paths may start at all of them, and none goes on to an end */
} Strangers;

static bool any_goes_on(const Timing *t, const PathQuery *query)
{
  PathOnward *ways = path_onward_new(t->g, NULL);
  bool any = false;
  for (uint32_t i = 0; i < query->from.len && !any; i++)
    any = path_start_goes_on(ways, query->from.at[i].object, query->from.at[i].edges);
  path_onward_free(ways);
  return any;
}

static void find_strangers(Strangers *strangers, const Timing *t, const PathQuery *query)
{
  if (strangers->looked) return;
  strangers->looked = true;
  for (uint32_t i = 0; i < query->from.len; i++) {
    if (path_starts_at(t->g, NULL, query->from.at[i].object)) continue;
    if (strangers->count++ == 0) strangers->first = query->from.at[i].object;
  }
  strangers->dead = strangers->count == 0 && query->from.len && !any_goes_on(t, query);
  if (!strangers->dead) return;
  strangers->first = query->from.at[0].object;
  strangers->edges = query->from.at[0].edges;
}

static void tell_strangers(const Strangers *strangers, Session *s, const Args *a)
{
  if (strangers->count == 0 && !strangers->dead) return;
  Text name = { 0 };
  object_name(s, strangers->first, &name);
  if (strangers->dead) {
    if (strangers->edges != EDGE_BOTH)
      text_printf(&name, " with its %s edge", strangers->edges == EDGE_RISE ? "rising" : "falling");
    log_warning(s->log, "PATH-014", args_where(a), "-from: from %s %s no path goes on to an end",
                object_type_name(strangers->first.type), text_get(&name));
    text_free(&name);
    return;
  }
  if (strangers->count > 1)
    text_printf(&name, " and %u more object%s are", strangers->count - 1,
                strangers->count == 2 ? "" : "s");
  else text_put(&name, " is");
  log_warning(s->log, "PATH-014", args_where(a), "-from: %s %s not where a path starts",
              object_type_name(strangers->first.type), text_get(&name));
  text_free(&name);
}

/* --- running it ------------------------------------------------------------------------------- */
/* Over all analyses and scenarios. */
typedef struct {
  PathList    *list;
  RetimeReport report;
  NamedGroups  groups;
  Strangers    strangers;
} Found;

typedef struct { int early_late; uint8_t edges; } DelayType;

/* The types that a value of -delay_type stands for: one or two. */
static int types_of(int type, DelayType *types)
{
  static const DelayType all[] = { { LATE, 0 },         { EARLY, 0 },        { LATE, 0 },
                                   { LATE, EDGE_RISE }, { LATE, EDGE_FALL }, { EARLY, EDGE_RISE },
                                   { EARLY, EDGE_FALL } };
  types[0] = all[type < 0 ? 0 : type];
  types[1] = (DelayType){ EARLY, 0 };
  return type == 2 ? 2 : 1;
}

/* Finds paths, or times them again, as -pba_mode says. */
static Status find_in_mode(Session *s, Args *a, const Timing *t, const PathQuery *query,
                           Found *found)
{
  RetimeReport report = { .complete = true, .certain = INFINITY };
  uint32_t first = found->list->paths.len;
  PbaMode mode = (PbaMode)args_enum(a, "-pba_mode");
  if (mode == PBA_EXHAUSTIVE) {
    ExhaustivePlan plan = { (uint32_t)args_int(a, "-pba_limit"), path_store_bounds(s),
                            session_timer_at(s, s->scenario)->updates };
    if (query_paths_exhaustive(t, query, &plan, s->log, found->list, &report) != OK) return FAILED;
  } else {
    if (query_paths(t, query, s->log, found->list) != OK) return FAILED;
    if (mode == PBA_NONE) return OK;
    if (retime_paths(t, found->list, first, s->log, &report) != OK) return FAILED;
    retime_order(t, query, found->list, first);
  }
  found->report.paths += report.paths;
  found->report.worse += report.worse;
  if (report.most_worse > found->report.most_worse) found->report.most_worse = report.most_worse;
  if (report.certain < found->report.certain) found->report.certain = report.certain;
  found->report.complete &= report.complete;
  return OK;
}

/* The query's paths in the current scenario. */
static Status find_here(Session *s, Args *a, PathQuery *query, Found *found)
{
  PathList *out = found->list;
  const Timing *t = session_timing(s, true);
  if (t == NULL) return FAILED;
  Groups groups = { t, args_object(a, "-group") };
  uint32_t first = out->paths.len;
  if (groups.names) {
    query->wants_group = wants_group;
    query->data = &groups;
    find_groups(&found->groups, a, t);
  }
  path_query_free(query);
  read_points(a, query);
  find_strangers(&found->strangers, t, query);
  query->effort = &s->path_effort;
  Status status = find_in_mode(s, a, t, query, found);
  for (uint32_t i = first; i < out->paths.len; i++) out->paths.at[i].source = s->scenario;
  return status;
}

/* The timings of all scenarios, by id: those that were not searched may be out of date. */
static void all_timings(const Session *s, Timings *out)
{
  for (ScenarioId i = 0; i < s->scenarios->scenarios.len; i++) {
    Timer *timer = session_timer_at(s, i);
    array_push(out, timer ? timer->timing : NULL);
  }
}

static Status find_of_type(Session *s, Args *a, PathQuery *query, Found *found)
{
  PathList *out = found->list;
  uint32_t first = out->paths.len;
  ScenarioLoop l;
  Status status = OK;
  if (scenario_loop_begin(&l, s, a) != OK) return FAILED;
  status = scenarios_update(s, &l.ids);
  while (status == OK && scenario_loop_next(&l))
    if (l.fits) status = find_here(s, a, query, found);
  uint32_t searched = l.ids.len;
  scenario_loop_end(&l);
  if (status == OK && searched > 1) {
    Timings timings = { 0 };
    all_timings(s, &timings);
    query_merge_paths(out, first, query, (const Timing *const *)timings.at);
    array_free(&timings);
  }
  return status;
}

/* Re-timed paths that are worse than the graph says, and what an exhaustive search could not
   settle. */
static void tell_retimed(Session *s, Args *a, const RetimeReport *report)
{
  double unit = s->units.scale[UNIT_TIME];
  int digits = s->digits > 3 ? s->digits : 3;
  if (report->worse)
    log_warning(s->log, "PATH-011", args_where(a),
                "%u of %u paths have less slack with their own slews than in the graph, at most "
                "%.*f less: delays that fall "
                "where slews rise",
                report->worse, report->paths, digits, report->most_worse / unit);
  if (!report->complete)
    log_warning(s->log, "PATH-012", args_where(a),
                "the search stopped at -pba_limit: paths with less slack than %.*f are all there, "
                "others may be missing",
                digits, report->certain / unit);
}

/* brief: of their points only the first and the last will be looked at. */
static Status find_paths(Session *s, Args *a, bool brief, Found *found)
{
  found->report = (RetimeReport){ .complete = true, .certain = INFINITY };
  found->groups = named_groups(a);
  PathQuery q = { .brief = brief && args_enum(a, "-pba_mode") == PBA_NONE };
  DelayType types[2];
  read_counts(a, &q);
  read_limits(s, a, &q);
  int count =
      types_of(args_enum(a, args_given(a, "-delay_type") ? "-delay_type" : "-path_delay"), types);
  Status status = OK;
  for (int i = 0; i < count && status == OK; i++) {
    q.early_late = types[i].early_late;
    q.end_edges = types[i].edges;
    status = find_of_type(s, a, &q, found);
  }
  path_query_free(&q);
  if (status == OK) tell_groups(&found->groups, s, a);
  if (status == OK) tell_retimed(s, a, &found->report);
  mem_free(found->groups.exist);
  return status;
}

/* --- no path at all --------------------------------------------------------------------------- */
/* Says why there is no path: in the current scenario, or the first one asked for. */
static Status tell_none(Session *s, Args *a)
{
  ScenarioLoop l;
  PathQuery q = { 0 };
  PathNone none;
  DelayType types[2];
  if (scenario_loop_begin(&l, s, a) != OK) return FAILED;
  Status status = scenario_loop_next(&l) ? OK : FAILED;
  const Timing *t = status == OK && l.fits ? session_timing(s, true) : NULL;
  if (t) {
    Text text = { 0 };
    read_counts(a, &q);
    read_limits(s, a, &q);
    read_points(a, &q);
    types_of(args_enum(a, args_given(a, "-delay_type") ? "-delay_type" : "-path_delay"), types);
    q.early_late = types[0].early_late;
    q.end_edges = types[0].edges;
    status = query_path_none(t, &q, s->log, &none);
    if (status == OK) path_none_text(s, a, t, &q, &none, &text);
    log_answers(s->log, "PATH-009");
    if (status == OK)
      log_warning(s->log, "PATH-009", args_where(a), "report_timing: no paths: %s",
                  text_get(&text));
    text_free(&text);
  }
  path_query_free(&q);
  scenario_loop_end(&l);
  return status;
}

/* --- layout ----------------------------------------------------------------------------------- */
static Status no_field(Session *s, const char *name)
{
  Text names = { 0 };
  path_field_names(&names);
  Status status = log_error(s->log, "PATH-004", NOWHERE,
                            "-fields: there is no field '%s'; there are %s", name,
                            text_get(&names));
  text_free(&names);
  return status;
}

static Status read_fields(Session *s, Args *a, unsigned *out)
{
  int count;
  Tcl_Obj **words;
  if (!args_given(a, "-fields")) return OK;
  Tcl_ListObjGetElements(NULL, args_object(a, "-fields"), &count, &words);
  for (int i = 0; i < count; i++) {
    const PathField *field = path_field_find(Tcl_GetString(words[i]));
    if (field == NULL) return no_field(s, Tcl_GetString(words[i]));
    if (field->field == 0)
      log_warning(s->log, "PATH-005", args_where(a), "-fields: %s is not shown here", field->name);
    *out |= field->field;
  }
  return OK;
}

static void write_output(void *data, const char *text, size_t length)
{
  args_write(data, text, length);
}

static Status read_layout(Session *s, Args *a, PathReport *report)
{
  const char *format = args_given(a, "-path_type") ? "-path_type"
                       : args_given(a, "-path")    ? "-path"
                                                   : "-format";
  *report = (PathReport){ .units = &s->units,
                          .separator = s->separator,
                          .digits = s->digits,
                          .format = (PathFormat)args_enum(a, format),
                          .split = !args_flag(a, "-no_line_splits") && !args_flag(a, "-nosplit"),
                          .threads = s->threads,
                          .write = write_output,
                          .data = a };
  if (args_given(a, "-digits")) report->digits = args_int(a, "-digits");
  if (args_given(a, "-significant_digits")) report->digits = args_int(a, "-significant_digits");
  if (args_flag(a, "-slew") || args_flag(a, "-transition_time")) report->fields |= PATH_FIELD_SLEW;
  if (args_flag(a, "-capacitance")) report->fields |= PATH_FIELD_CAP;
  if (args_flag(a, "-fanout")) report->fields |= PATH_FIELD_FANOUT;
  if (args_flag(a, "-nets")) report->fields |= PATH_FIELD_NET;
  if (args_flag(a, "-input_pins")) report->fields |= PATH_FIELD_INPUT_PIN;
  return read_fields(s, a, &report->fields);
}

/* Paths name their scenario if there are several. */
static void report(Session *s, Args *a, PathReport *path_report, const PathList *list,
                   const uint32_t *indices, uint32_t count)
{
  if (count == 0 && path_report->format != PATH_JSON) {
    args_print(a, "No paths.\n");
    return;
  }
  ARRAY(PathSource) sources = { 0 };
  for (ScenarioId i = 0; i < s->scenarios->scenarios.len; i++) {
    Timer *timer = session_timer_at(s, i);
    array_push(&sources, (PathSource){ timer ? timer->timing : NULL, scenario_name(s, i) });
  }
  if (scenarios_several(s)) path_report->sources = sources.at;
  else if (count) path_report->t = sources.at[list->paths.at[indices ? indices[0] : 0].source].t;
  report_paths(path_report, list, indices, count);
  array_free(&sources);
}

/* --- report_timing ---------------------------------------------------------------------------- */
static const Option report_options[] = {
  OPTIONS_QUERY, OPTIONS_LAYOUT,
  { "paths", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_PATH), .flags = OPT_PATTERNS,
    .help = "paths of get_timing_paths, instead of a search" }, { 0 } };

/* Paths given as objects; timing may have moved on since they were found.  Those of one search are
   reported from where they are. */
static Status report_given(Session *s, Args *a, PathReport *path_report)
{
  uint32_t count;
  const Object *objects = args_objects(a, "paths", 0, &count);
  const PathList *list = NULL;
  PathList gathered = { 0 };
  Status status = OK;
  bool several = false;
  int words;
  if (count == 0 && (Tcl_ListObjLength(NULL, args_object(a, "paths"), &words) != TCL_OK || words))
    return log_error(s->log, "CMD-022", NOWHERE, "report_timing: paths: '%.60s' is no timing path",
                     Tcl_GetString(args_object(a, "paths")));
  uint32_t *indices = mem_alloc(sizeof *indices * ((size_t)count + 1));
  for (uint32_t i = 0; i < count && status == OK; i++) {
    const PathList *of = path_store_list(s, objects[i].id, &indices[i]);
    several |= list && of != list;
    list = of;
    if (of == NULL)
      status = log_error(s->log, "PATH-006", NOWHERE,
                         "the paths are stale: timing was updated since they were found");
  }
  for (uint32_t i = 0; several && i < count && status == OK; i++) {
    list = path_store_list(s, objects[i].id, &indices[i]);
    retime_append_path(list, &list->paths.at[indices[i]], &gathered);
  }
  if (status == OK && several) report(s, a, path_report, &gathered, NULL, count);
  else if (status == OK) report(s, a, path_report, list, indices, count);
  path_list_free(&gathered);
  mem_free(indices);
  return status;
}

static Status run_report_timing(Session *s, Args *a)
{
  PathReport r;
  PathList list = { 0 };
  Found found = { .list = &list };
  if (read_layout(s, a, &r) != OK) return FAILED;
  if (args_given(a, "paths")) return report_given(s, a, &r);
  bool brief = r.format == PATH_END || r.format == PATH_SUMMARY || r.format == PATH_SLACK_ONLY;
  Status status = find_paths(s, a, brief, &found);
  if (status == OK) report(s, a, &r, &list, NULL, list.paths.len);
  if (status == OK && list.paths.len == 0) status = tell_none(s, a);
  else if (status == OK) tell_strangers(&found.strangers, s, a);
  path_list_free(&list);
  return status;
}

/* --- get_timing_paths ------------------------------------------------------------------------- */
static const Option find_options[] = { OPTIONS_QUERY, { 0 } };

static Status run_get_timing_paths(Session *s, Args *a)
{
  PathList list = { 0 };
  ObjectArray objects = { 0 };
  Found found = { .list = &list };
  if (find_paths(s, a, false, &found) != OK) {
    path_list_free(&list);
    return FAILED;
  }
  tell_strangers(&found.strangers, s, a);
  path_store_add(s, &list, &objects);
  args_return_objects(a, objects.at, objects.len);
  array_free(&objects);
  return OK;
}

/* --- report_path ------------------------------------------------------------------------------ */
static const Option path_options[] = {
  { "-max", ARG_FLAG, .help = "the latest arrival (the default)" },
  { "-min", ARG_FLAG, .help = "the earliest arrival" },
  OPTIONS_LAYOUT,
  OPTIONS_IN_SCENARIO,
  { "pin", ARG_OBJECTS, .flags = OPT_REQUIRED, .kinds = OBJS_PORT_PIN,
    .help = "pin where the path ends" },
  { "edge", ARG_ENUM, .value = "rise|fall|r|f|^|v|rising|falling", .flags = OPT_REQUIRED,
    .help = "edge at the pin" },
  { 0 }
};

static Status run_report_path(Session *s, Args *a)
{
  static const uint8_t edges[] = { RISE, FALL, RISE, FALL, RISE, FALL, RISE, FALL };
  PathReport r;
  PathList list = { 0 };
  uint32_t count;
  Timing *t = session_timing(s, true);
  if (t == NULL || read_layout(s, a, &r) != OK) return FAILED;
  const Object *pins = args_objects(a, "pin", 0, &count);
  for (uint32_t i = 0; i < count; i++) {
    Slot slot = graph_arriving_slot(t->g, pins[i].id);
    if (slot != NO_SLOT)
      query_path_to(t, slot, edges[args_enum(a, "edge")], args_flag(a, "-min") ? EARLY : LATE,
                    &list);
  }
  for (uint32_t i = 0; i < list.paths.len; i++) list.paths.at[i].source = s->scenario;
  report(s, a, &r, &list, NULL, list.paths.len);
  path_list_free(&list);
  return OK;
}

const Command commands_path[] = {
  { "report_timing", "reporting", "the worst paths", report_options, run_report_timing,
    CMD_NEEDS_DESIGN | CMD_REDIRECT,
    "Paths are sorted by slack, the worst first.  Each endpoint has one path, or as many as "
    "-nworst says.  -max_paths counts over all path groups.  The group of a path is that of its "
    "capturing clock, or that of group_path, or one of 'asynchronous' (recovery and removal), "
    "'gated clock', 'path delay' (set_max_delay without a clock) and 'unconstrained'.  With "
    "several scenarios the paths are the worst over all of them, and each path names its "
    "scenario.  If sigma counts (set_ocv_options), times are quantiles.  -fields variation shows "
    "mean and sigma of each arrival.  The statistical adjustment is the amount that the slack "
    "gains because independent variations do not add up.  All paths but the worst to an endpoint "
    "take the variance at each pin from the worst path to that pin.\n\nThe graph has the worst "
    "slew of all paths at each pin.  With -pba_mode path each path found is timed again with the "
    "slews along the path.  It then has its own delays, wires and margin, its own depth and "
    "distance for tables by depth (read_ocv), and its own sigma.  Clock paths, drivers of ports, "
    "ideal networks and annotated numbers do not change.  The paths are those that are worst in "
    "the graph, sorted by their new slacks; limits of slack apply to both slacks.  -pba_mode "
    "exhaustive finds the paths that are worst by their own slack among all paths.  It searches "
    "until no other path can be worse, but tries at most -pba_limit paths; with steep tables by "
    "depth it may need many.  Unconstrained paths are reported as with -pba_mode path.  -fields "
    "graph_slack also shows the slack in the graph.",
    "report_timing -max_paths 2 -fields {slew capacitance fanout}\nreport_timing -delay_type min "
    "-format end\n"
    "report_timing -pba_mode exhaustive -fields {slew graph_slack}\n" },
  { "get_timing_paths", "reporting", "the worst paths as objects", find_options,
    run_get_timing_paths, CMD_NEEDS_DESIGN,
    "The paths have properties (list_properties timing_path), and report_timing accepts them.  "
    "They are valid until timing is updated after a change.  With -pba_mode (see report_timing) "
    "the properties slack and pba_slack are the slack of the path itself, and graph_slack is "
    "that of the graph.",
    "get_property [get_timing_paths] slack\nget_property [get_timing_paths -pba_mode path] "
    "graph_slack\n" },
  { "report_path", "reporting", "report the path with the worst arrival at a pin", path_options,
    run_report_path, CMD_NEEDS_DESIGN | CMD_REDIRECT | CMD_IN_SCENARIO,
    "The path is reported whether it is constrained or not.",
    "report_path -max fetch/pc_reg_13/D fall\n" },
  { 0 }
};
