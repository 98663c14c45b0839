/* Properties of timing paths. */
#include <math.h>

#include "cmd/object.h"
#include "cmd/paths.h"
#include "cmd/property.h"
#include "engine/sigma.h"
#include "query/retime.h"

typedef struct {
  const Timing   *t;
  const PathList *list;
  const Path     *p;
} View;

#define GET(name) static Status name(Session *s, Object o, const Property *row, PropertyValue *v)

static Status view_of(Session *s, Object o, View *x)
{
  uint32_t index;
  x->list = path_store_list(s, o.id, &index);
  if (x->list == NULL) return log_error(s->log, "PATH-006", NOWHERE, "the path is stale: timing was updated since it was found");
  x->p = &x->list->paths.at[index];
  x->t = path_store_timing(s, x->p);
  return OK;
}

/* --- pins and clocks --------------------------------------------------------------------------------------------- */
static Object pin_object(const Timing *t, Slot slot)
{
  PinId pin = t->g->slot_pin[slot];
  return (Object){ pin_is_top_port(t->g->netlist, pin) ? OBJ_PORT : OBJ_PIN, pin };
}

enum { START, END };

GET(path_pin)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  array_push(&v->objects, pin_object(x.t, (row->param == START ? path_start(x.list, x.p) : path_end(x.list, x.p))->slot));
  return OK;
}

GET(path_clock)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  ClockEdge e = NO_CLOCK_EDGE;
  if (row->param == START) e = path_launch(x.t, x.list, x.p);
  else if (x.p->row != NO_ROW) e = x.t->g->rows.at[x.p->row].capture_clock;
  v->missing = e == NO_CLOCK_EDGE;
  v->mode = s->scenarios->scenarios.at[x.p->source].mode;
  if (!v->missing) array_push(&v->objects, (Object){ OBJ_CLOCK, clock_edge_clock(e) });
  return OK;
}

GET(path_clock_edge)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  ClockEdge e = NO_CLOCK_EDGE;
  if (row->param == START) e = path_launch(x.t, x.list, x.p);
  else if (x.p->row != NO_ROW) e = x.t->g->rows.at[x.p->row].capture_clock;
  v->missing = e == NO_CLOCK_EDGE;
  if (!v->missing) text_put(&v->text, clock_edge_edge(e) == RISE ? "rise" : "fall");
  return OK;
}

/* --- sigma ---------------------------------------------------------------------------------------------------------------- */
static double point_sigma(const View *x, const PathPoint *p)
{
  const RetimedPoint *own = retimed_point(x->list, x->p, p);
  return sqrt(own ? own->variance : timing_variance(x->t, p->node, condition_of(x->p->early_late, p->edge)));
}

static float point_slew(const View *x, const PathPoint *p)
{
  const RetimedPoint *own = retimed_point(x->list, x->p, p);
  return own ? own->slew : x->t->slew[p->slot].v[condition_of(x->p->early_late, p->edge)];
}

/* --- numbers ---------------------------------------------------------------------------------------------------------- */
enum { SLACK, GRAPH_SLACK, PBA_SLACK, ARRIVAL, REQUIRED, CREDIT, LAUNCH_TIME, LENGTH, MEAN, SIGMA };

static double number_of(const View *x, int what)
{
  switch (what) {
  case SLACK: return x->p->slack;
  case GRAPH_SLACK: return retimed_of(x->list, x->p) ? retimed_of(x->list, x->p)->graph_slack : x->p->slack;
  case PBA_SLACK: return x->p->retimed ? x->p->slack : NAN;
  case ARRIVAL: return path_launch_time(x->t, x->list, x->p) + x->p->arrival;
  case REQUIRED: return path_required(x->t, x->list, x->p);
  case CREDIT: return path_credit(x->t, x->list, x->p);
  case LAUNCH_TIME: return path_launch_time(x->t, x->list, x->p);
  case MEAN:
    return path_launch_time(x->t, x->list, x->p) + x->p->arrival -
           (x->p->early_late == LATE ? 1 : -1) * (double)x->t->quantile * point_sigma(x, path_end(x->list, x->p));
  case SIGMA: return point_sigma(x, path_end(x->list, x->p));
  default: return 0;
  }
}

GET(path_number)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  double number = number_of(&x, row->param);
  v->missing = isnan(number);
  v->number = v->missing ? 0 : number / s->units.scale[UNIT_TIME];
  return OK;
}

GET(path_length)
{
  (void)row;
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  v->number = x.p->count;
  return OK;
}

/* --- texts -------------------------------------------------------------------------------------------------------------- */
enum { GROUP, TYPE, SCENARIO };

static const char *text_of(const Session *s, const View *x, int what)
{
  if (what == GROUP) return path_group_name(x->t, x->p->group);
  if (what == SCENARIO) return names_text(s->names, s->scenarios->scenarios.at[x->p->source].name);
  return x->p->early_late == LATE ? "max" : "min";
}

GET(path_text)
{
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  text_put(&v->text, text_of(s, &x, row->param));
  return OK;
}

static void add_number(Tcl_Obj *dict, const char *key, double value)
{
  Text t = { 0 };
  number_text(value, &t);
  Tcl_ListObjAppendElement(NULL, dict, Tcl_NewStringObj(key, -1));
  Tcl_ListObjAppendElement(NULL, dict, Tcl_NewStringObj(text_get(&t), -1));
  text_free(&t);
}

static Tcl_Obj *point_dict(Session *s, const View *x, uint32_t i)
{
  const PathPoint *p = path_start(x->list, x->p) + i;
  double unit = s->units.scale[UNIT_TIME];
  Tcl_Obj *dict = Tcl_NewListObj(0, NULL);
  Tcl_ListObjAppendElement(NULL, dict, Tcl_NewStringObj("pin", -1));
  Tcl_ListObjAppendElement(NULL, dict, object_value(s, pin_object(x->t, p->slot)));
  Tcl_ListObjAppendElement(NULL, dict, Tcl_NewStringObj("edge", -1));
  Tcl_ListObjAppendElement(NULL, dict, Tcl_NewStringObj(p->edge == RISE ? "rise" : "fall", -1));
  add_number(dict, "arrival", (path_launch_time(x->t, x->list, x->p) + p->arrival) / unit);
  add_number(dict, "slew", point_slew(x, p) / unit);
  add_number(dict, "incr", i ? (p->arrival - p[-1].arrival) / unit : 0);
  if (x->t->arrival_variance) add_number(dict, "sigma", point_sigma(x, p) / unit);
  return dict;
}

/* A list of dictionaries. */
GET(path_points)
{
  (void)row;
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  Tcl_IncrRefCount(list);
  for (uint32_t i = 0; i < x.p->count; i++) Tcl_ListObjAppendElement(NULL, list, point_dict(s, &x, i));
  text_put(&v->text, Tcl_GetString(list));
  Tcl_DecrRefCount(list);
  return OK;
}

/* The pins alone, as objects. */
GET(path_pins)
{
  (void)row;
  View x = { 0 };
  if (view_of(s, o, &x) != OK) return FAILED;
  for (uint32_t i = 0; i < x.p->count; i++) array_push(&v->objects, pin_object(x.t, path_start(x.list, x.p)[i].slot));
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
  { OBJ_PATH, "graph_slack", PROP_NUMBER, path_number, "slack as the graph has it, also of a re-timed path", GRAPH_SLACK },
  { OBJ_PATH, "pba_slack", PROP_NUMBER, path_number, "slack with the path's own slews; only of paths found with -pba_mode", PBA_SLACK },
  { OBJ_PATH, "arrival", PROP_NUMBER, path_number, "time of the data at the end point", ARRIVAL },
  { OBJ_PATH, "arrival_mean", PROP_NUMBER, path_number, "mean of the arrival, where sigma counts", MEAN },
  { OBJ_PATH, "arrival_sigma", PROP_NUMBER, path_number, "standard deviation of the arrival; 0 where sigma does not count", SIGMA },
  { OBJ_PATH, "required", PROP_NUMBER, path_number, "time when it is due", REQUIRED },
  { OBJ_PATH, "crpr", PROP_NUMBER, path_number, "credit for the common part of the clock paths", CREDIT },
  { OBJ_PATH, "launch_time", PROP_NUMBER, path_number, "time of the launching clock edge", LAUNCH_TIME },
  { OBJ_PATH, "length", PROP_INT, path_length, "number of its pins", LENGTH },
  { OBJ_PATH, "points", PROP_TEXT, path_points, "a list of dictionaries: pin, edge, arrival, slew, incr, and where it counts sigma", 0 },
  { OBJ_PATH, "pins", PROP_OBJECTS, path_pins, "its pins in order", 0 },
  { 0 }
};
