/* Properties of timing paths. */
#include <math.h>

#include "tclbind/object_value.h"
#include "tclbind/paths.h"
#include "tclbind/property.h"
#include "timing/sigma.h"
#include "paths/retime.h"
#include "report/path_parts.h"

typedef struct {
  const Timing   *t;
  const PathList *list;
  const Path     *path;
} View;

#define GET(name) \
  static Status name(Session *s, Object o, const Property *row, PropertyValue *value)

static Status view_of(Session *s, Object o, View *view)
{
  uint32_t index;
  view->list = path_store_list(s, o.id, &index);
  if (view->list == NULL)
    return log_error(s->log, "PATH-006", NOWHERE,
                     "the path is stale: timing was updated since it was found");
  view->path = &view->list->paths.at[index];
  view->t = path_store_timing(s, view->path);
  return OK;
}

/* --- pins and clocks -------------------------------------------------------------------------- */
static Object pin_object(const Timing *t, Slot slot)
{
  PinId pin = t->g->slots.pin[slot];
  return (Object){ pin_is_top_port(t->g->netlist, pin) ? OBJ_PORT : OBJ_PIN, pin };
}

enum { START, END };

GET(path_pin)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  array_push(
      &value->objects,
      pin_object(
          x.t,
          (row->param == START ? path_start(x.list, x.path) : path_end(x.list, x.path))->slot));
  return OK;
}

static ClockEdge clock_edge_of(const View *view, int which)
{
  if (which == START) return path_launch(view->t, view->list, view->path);
  return view->path->end_id == NO_PATH_END
             ? NO_CLOCK_EDGE
             : view->t->g->ends.path_ends.at[view->path->end_id].capture_clock;
}

GET(path_clock)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  ClockEdge e = clock_edge_of(&x, row->param);
  value->missing = e == NO_CLOCK_EDGE;
  value->mode = s->scenarios->scenarios.at[x.path->source].mode;
  if (!value->missing) array_push(&value->objects, (Object){ OBJ_CLOCK, clock_edge_clock(e) });
  return OK;
}

GET(path_clock_edge)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  ClockEdge e = clock_edge_of(&x, row->param);
  value->missing = e == NO_CLOCK_EDGE;
  if (!value->missing) text_put(&value->text, clock_edge_edge(e) == RISE ? "rise" : "fall");
  return OK;
}

/* --- sigma ------------------------------------------------------------------------------------ */
static double point_sigma(const View *view, const PathPoint *point)
{
  const RetimedPoint *own = retimed_point(view->list, view->path, point);
  return sqrt(own ? own->variance
                  : timing_variance(view->t, point->node,
                                    condition_of(view->path->early_late, point->edge)));
}

/* A property of a point of the path, or of a point of its clock paths, which are not re-timed. */
static float point_slew(const View *view, const PathPoint *point, int early_late, bool of_clock)
{
  const RetimedPoint *own = of_clock ? NULL : retimed_point(view->list, view->path, point);
  return own ? own->slew : view->t->slew[point->slot].v[condition_of(early_late, point->edge)];
}

/* --- numbers ---------------------------------------------------------------------------------- */
enum { SLACK, GRAPH_SLACK, PBA_SLACK, ARRIVAL, REQUIRED, CREDIT, LAUNCH_TIME, MEAN, SIGMA };

static double number_of(const View *view, int kind)
{
  switch (kind) {
  case SLACK: return view->path->slack;
  case GRAPH_SLACK:
    return retimed_of(view->list, view->path) ? retimed_of(view->list, view->path)->graph_slack
                                              : view->path->slack;
  case PBA_SLACK: return view->path->retimed ? view->path->slack : NAN;
  case ARRIVAL: return path_launch_time(view->t, view->list, view->path) + view->path->arrival;
  case REQUIRED: return path_required(view->t, view->list, view->path);
  case CREDIT: return path_credit(view->t, view->list, view->path);
  case LAUNCH_TIME: return path_launch_time(view->t, view->list, view->path);
  case MEAN:
    return path_launch_time(view->t, view->list, view->path) + view->path->arrival
           - (view->path->early_late == LATE ? 1 : -1) * (double)view->t->sigma.quantile
                 * point_sigma(view, path_end(view->list, view->path));
  case SIGMA: return point_sigma(view, path_end(view->list, view->path));
  default: return 0;
  }
}

enum { LATENCY, EXTERNAL, GIVEN };

GET(path_number)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  double number = number_of(&x, row->param);
  value->missing = isnan(number);
  value->number = value->missing ? 0 : number / s->units.scale[UNIT_TIME];
  return OK;
}

enum { PINS, LEVELS };

GET(path_length)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  const PathPoint *point = path_start(x.list, x.path);
  for (uint32_t i = 0; i < x.path->count; i++)
    value->number += row->param == PINS || point[i].kind == LINK_ARC;
  return OK;
}

/* What is added to the edge's time at the launch; empty if nothing is. */
GET(path_launch_number)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  PathLaunch launch = path_launch_detail(x.t, x.list, x.path);
  value->missing = row->param == EXTERNAL && !launch.is_input;
  double number = row->param == LATENCY ? launch.latency
                  : row->param == GIVEN ? launch.given
                                        : launch.external;
  value->number = value->missing ? 0 : number / s->units.scale[UNIT_TIME];
  return OK;
}

/* One term of the required time. */
GET(path_term)
{
  View x = { 0 };
  RequiredTerm terms[MOST_TERMS];
  if (view_of(s, o, &x) != OK) return FAILED;
  uint32_t count = path_required_terms(x.t, x.list, x.path, terms);
  value->missing = true;
  for (uint32_t i = 0; i < count; i++) {
    if (!(row->param >> terms[i].kind & 1)) continue;
    value->missing = false;
    value->number += terms[i].value / s->units.scale[UNIT_TIME];
  }
  return OK;
}

/* --- texts ------------------------------------------------------------------------------------ */
enum { GROUP, TYPE, CHECK, SCENARIO };

static const char *text_of(const Session *s, const View *view, int kind)
{
  if (kind == GROUP) return path_group_name(view->t, view->path->group);
  if (kind == CHECK) return path_check_name(view->t, view->path);
  if (kind == SCENARIO)
    return names_text(s->names, s->scenarios->scenarios.at[view->path->source].name);
  return view->path->early_late == LATE ? "max" : "min";
}

GET(path_text)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  text_put(&value->text, text_of(s, &x, row->param));
  return OK;
}

/* The multicycle path or path delay that applies, written as its command. */
static void exception_text(const Session *s, const View *view, ExceptionId id, Text *text)
{
  const Exception *exception = &view->t->constraints->exceptions.at[id];
  if (exception->type == EXC_MULTICYCLE)
    text_printf(text, "set_multicycle_path %d", exception->cycles);
  else
    text_printf(text, "%s %g", exception->type == EXC_MAX_DELAY ? "set_max_delay" : "set_min_delay",
                exception->delay / s->units.scale[UNIT_TIME]);
}

GET(path_exception)
{
  (void)row;
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  const Graph *g = x.t->g;
  ExceptionId id = x.path->end_id == NO_PATH_END
                       ? NO_EXCEPTION
                       : g->ends.details.at[g->ends.path_ends.at[x.path->end_id].detail].exception;
  value->missing = id == NO_EXCEPTION;
  if (!value->missing) exception_text(s, &x, id, &value->text);
  return OK;
}

/* --- points ----------------------------------------------------------------------------------- */
static void add_value(Tcl_Obj *dict, const char *key, Tcl_Obj *value)
{
  Tcl_ListObjAppendElement(NULL, dict, Tcl_NewStringObj(key, -1));
  Tcl_ListObjAppendElement(NULL, dict, value);
}

static void add_number(Tcl_Obj *dict, const char *key, double value)
{
  Text t = { 0 };
  number_text(value, &t);
  add_value(dict, key, Tcl_NewStringObj(text_get(&t), (int)t.len));
  text_free(&t);
}

/* Net, fanout and load of a driver. */
static void add_net(Session *s, const View *view, const PathPoint *point, int early_late,
                    Tcl_Obj *dict)
{
  const Netlist *n = view->t->g->netlist;
  NetId net = netlist_pin_net(n, view->t->g->slots.pin[point->slot]);
  if (net == NO_NET) return;
  add_value(dict, "net", object_value(s, (Object){ OBJ_NET, n->nets.at[net].first_seg }));
  add_value(dict, "fanout", Tcl_NewWideIntObj(path_fanout(view->t, point->slot)));
  add_number(dict, "capacitance",
             path_point_cap(view->t, point, early_late) / s->units.scale[UNIT_CAPACITANCE]);
}

/* Points of the path or of one of its clock paths. */
typedef struct {
  const PathPoint *at;
  uint32_t count;
  double   base;            /* time of the edge that arrivals count from */
  int      early_late;
  double   slack;           /* of the path; NAN: of a clock's */
} Points;

static Tcl_Obj *point_dict(Session *s, const View *view, const Points *points, uint32_t i)
{
  const PathPoint *point = &points->at[i];
  const Netlist *n = view->t->g->netlist;
  PinId pin = view->t->g->slots.pin[point->slot];
  double unit = s->units.scale[UNIT_TIME];
  Tcl_Obj *dict = Tcl_NewListObj(0, NULL);
  add_value(dict, "pin", object_value(s, pin_object(view->t, point->slot)));
  add_value(dict, "edge", Tcl_NewStringObj(point->edge == RISE ? "rise" : "fall", -1));
  add_number(dict, "arrival", (points->base + point->arrival) / unit);
  add_number(dict, "slew",
             point_slew(view, point, points->early_late, isnan(points->slack)) / unit);
  if (!isnan(points->slack)) {
    double slack = points->early_late == LATE ? points->slack : -points->slack;
    add_number(dict, "required", (points->base + point->arrival + slack) / unit);
    add_number(dict, "slack", points->slack / unit);
  }
  add_number(dict, "incr", i ? (point->arrival - point[-1].arrival) / unit : 0);
  if (!pin_is_top_port(n, pin))
    add_value(dict, "cell", object_value(s, (Object){ OBJ_CELL, n->pins.at[pin].inst }));
  if (slot_is_driver(view->t->g, point->slot)) add_net(s, view, point, points->early_late, dict);
  if (view->t->sigma.arrival_variance) add_number(dict, "sigma", point_sigma(view, point) / unit);
  return dict;
}

/* A list of dictionaries. */
static void set_points(Session *s, const View *view, const Points *points, PropertyValue *value)
{
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  for (uint32_t i = 0; i < points->count; i++)
    Tcl_ListObjAppendElement(NULL, list, point_dict(s, view, points, i));
  property_value_take(value, list);
}

GET(path_points)
{
  (void)row;
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  set_points(s, &x,
             &(Points){ path_start(x.list, x.path), x.path->count,
                        path_launch_time(x.t, x.list, x.path), x.path->early_late, x.path->slack },
             value);
  return OK;
}

/* From the clock's source (for a generated clock, its master's) to the pin that launches or
   captures, inclusive; empty if there is no clock network. */
GET(path_clock_points)
{
  View x = { 0 };
  PathPoints found = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  const Graph *g = x.t->g;
  const PathPoint *start = path_start(x.list, x.path);
  Points points = { .base = path_launch_time(x.t, x.list, x.path),
                    .early_late = x.path->early_late,
                    .slack = NAN };
  if (row->param == START && path_from_register(x.t, x.list, x.path)) {
    query_expanded_clock_path(x.t, start->slot, start->node, start->edge, points.early_late,
                              &found);
  } else if (row->param == END && x.path->end_id != NO_PATH_END
             && g->ends.path_ends.at[x.path->end_id].capture != NO_NODE_ID) {
    const PathEnd *end = &g->ends.path_ends.at[x.path->end_id];
    points.base = g->ends.details.at[end->detail].capture_time;
    points.early_late = graph_capture_side(g, x.path->early_late);
    query_expanded_clock_path(x.t, graph_node_slot(g, end->capture), end->capture, end->time_edge,
                              points.early_late, &found);
  }
  points.at = found.at;
  points.count = found.len;
  set_points(s, &x, &points, value);
  array_free(&found);
  return OK;
}

/* The pins alone, as objects. */
GET(path_pins)
{
  (void)row;
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  for (uint32_t i = 0; i < x.path->count; i++)
    array_push(&value->objects, pin_object(x.t, path_start(x.list, x.path)[i].slot));
  return OK;
}

const Property properties_path[] = {
  { OBJ_PATH, "startpoint", PROP_OBJECTS, path_pin, "register clock pin, input port, ...", START },
  { OBJ_PATH, "endpoint", PROP_OBJECTS, path_pin, "the pin or port where it ends", END },
  { OBJ_PATH, "startpoint_clock", PROP_OBJECTS, path_clock, "the launching clock", START },
  { OBJ_PATH, "endpoint_clock", PROP_OBJECTS, path_clock, "the capturing clock", END },
  { OBJ_PATH, "startpoint_clock_edge", PROP_TEXT, path_clock_edge, "rise or fall", START },
  { OBJ_PATH, "endpoint_clock_edge", PROP_TEXT, path_clock_edge, "rise or fall", END },
  { OBJ_PATH, "path_group", PROP_TEXT, path_text, "name of its group", GROUP },
  { OBJ_PATH, "path_type", PROP_TEXT, path_text, "max or min", TYPE },
  { OBJ_PATH, "scenario", PROP_TEXT, path_text, "name of the scenario that it is of", SCENARIO },
  { OBJ_PATH, "slack", PROP_NUMBER, path_number, "INF when unconstrained", SLACK },
  { OBJ_PATH, "graph_slack", PROP_NUMBER, path_number,
    "slack as the graph has it, also of a re-timed path", GRAPH_SLACK },
  { OBJ_PATH, "pba_slack", PROP_NUMBER, path_number,
    "slack with the path's own slews; only of paths found with -pba_mode", PBA_SLACK },
  { OBJ_PATH, "arrival", PROP_NUMBER, path_number, "time of the data at the end point", ARRIVAL },
  { OBJ_PATH, "arrival_mean", PROP_NUMBER, path_number, "mean of the arrival, where sigma counts",
    MEAN },
  { OBJ_PATH, "arrival_sigma", PROP_NUMBER, path_number,
    "standard deviation of the arrival; 0 where sigma does not count", SIGMA },
  { OBJ_PATH, "required", PROP_NUMBER, path_number, "time when it is due", REQUIRED },
  { OBJ_PATH, "credit", PROP_NUMBER, path_number, "credit for the common part of the clock paths",
    CREDIT },
  { OBJ_PATH, "crpr", PROP_NUMBER, path_number, "another name of credit", CREDIT },
  { OBJ_PATH, "check", PROP_TEXT, path_text, "setup, hold, output setup, ...; unconstrained",
    CHECK },
  { OBJ_PATH, "exception", PROP_TEXT, path_exception,
    "the multicycle path or path delay that applies", 0 },
  { OBJ_PATH, "launch_time", PROP_NUMBER, path_number, "time of the launching clock edge",
    LAUNCH_TIME },
  { OBJ_PATH, "launch_latency", PROP_NUMBER, path_launch_number, "latency of the launching clock",
    LATENCY },
  { OBJ_PATH, "input_delay", PROP_NUMBER, path_launch_number,
    "external delay of a path from a port", EXTERNAL },
  { OBJ_PATH, "time_given", PROP_NUMBER, path_launch_number,
    "what a latch's data comes after its opening edge", GIVEN },
  { OBJ_PATH, "capture_time", PROP_NUMBER, path_term,
    "time of the capturing clock edge, multicycles included; or the path delay asked for",
    1 << TERM_CLOCK_EDGE | 1 << TERM_MULTICYCLE | 1 << TERM_PATH_DELAY },
  { OBJ_PATH, "capture_latency", PROP_NUMBER, path_term, "latency of the capturing clock",
    1 << TERM_CLOCK_IDEAL | 1 << TERM_CLOCK_PROPAGATED | 1 << TERM_REFERENCE },
  { OBJ_PATH, "uncertainty", PROP_NUMBER, path_term, "as it counts in the required time",
    1 << TERM_UNCERTAINTY },
  { OBJ_PATH, "check_time", PROP_NUMBER, path_term,
    "what the library's check adds to the required time", 1 << TERM_CHECK },
  { OBJ_PATH, "output_delay", PROP_NUMBER, path_term, "as it counts in the required time",
    1 << TERM_OUTPUT_DELAY },
  { OBJ_PATH, "path_margin", PROP_NUMBER, path_term, "as it counts in the required time",
    1 << TERM_PATH_MARGIN },
  { OBJ_PATH, "time_borrowed", PROP_NUMBER, path_term, "by the latch at its end",
    1 << TERM_BORROWED },
  { OBJ_PATH, "length", PROP_INT, path_length, "number of its pins", PINS },
  { OBJ_PATH, "levels", PROP_INT, path_length,
    "number of cells that it passes, a launching register among them", LEVELS },
  { OBJ_PATH, "points", PROP_VALUE, path_points,
    "a list of dictionaries: pin, edge, arrival, slew, required, slack, incr, cell; of drivers "
    "net, fanout, capacitance; sigma where it counts",
    0 },
  { OBJ_PATH, "launch_clock_points", PROP_VALUE, path_clock_points,
    "the same of the clock's path to the launching register", START },
  { OBJ_PATH, "capture_clock_points", PROP_VALUE, path_clock_points,
    "the same of the clock's path to where it captures", END },
  { OBJ_PATH, "pins", PROP_OBJECTS, path_pins, "its pins in order", 0 },
  { 0 }
};
