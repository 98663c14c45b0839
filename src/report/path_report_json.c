/* Paths as JSON: an array of objects with every number, in the user's units; what does not exist is
   left out or null. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "paths/retime.h"
#include "report/path_report_private.h"

typedef PathJson Json;

static bool is_plain(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (text[i] == '"' || text[i] == '\\' || (unsigned char)text[i] < 0x20) return false;
  return true;
}

static void quote(Text *text, const char *name, size_t length, bool plain)
{
  text_char(text, '"');
  for (const char *end = name + length; !plain && name < end; name++) {
    unsigned char c = (unsigned char)*name;
    if (c == '"' || c == '\\') text_printf(text, "\\%c", c);
    else if (c < 0x20) text_printf(text, "\\u%04x", c);
    else text_char(text, (char)c);
  }
  if (plain) text_add(text, name, length);
  text_char(text, '"');
}

/* The line of a member begins: keys are words of this file and need no backslash. */
static void next(Json *json, const char *key)
{
  size_t length = key ? strlen(key) : 0, indent = 2 * (size_t)json->depth;
  char *at = text_room(json->out, indent + length + 6), *start = at;
  if (!json->first) *at++ = ',';
  *at++ = '\n';
  memset(at, ' ', indent);
  at += indent;
  if (key) {
    *at++ = '"';
    memcpy(at, key, length);
    memcpy(at + length, "\": ", 3);
    at += length + 3;
  }
  json->out->len += (size_t)(at - start);
  json->first = false;
}

static void open(Json *json, const char *key, char bracket)
{
  next(json, key);
  text_char(json->out, bracket);
  json->depth++;
  json->first = true;
}

static void close(Json *json, char bracket)
{
  json->depth--;
  if (!json->first) {
    text_char(json->out, '\n');
    for (int i = 0; i < json->depth; i++) text_add(json->out, "  ", 2);
  }
  text_char(json->out, bracket);
  json->first = false;
}

static void put_text(Json *json, const char *key, const char *value)
{
  size_t length = strlen(value);
  next(json, key);
  quote(json->out, value, length, is_plain(value, length));
}

static void put_number(Json *json, const char *key, double value)
{
  next(json, key);
  if (isnan(value) || isinf(value)) text_add(json->out, "null", 4);
  else
    json->out->len +=
        decimal_general(text_room(json->out, DECIMAL_ROOM), value == 0 ? 0.0 : value, 9);
}

static void put_time(Json *json, const char *key, double ps)
{
  put_number(json, key, ps / json->time_unit);
}

static void put_pin(Json *json, const char *key, Slot slot)
{
  PathLabel label = path_pin_label(&json->v, slot);
  next(json, key);
  quote(json->out, label.text, label.name, label.plain);
}

static void put_clock(Json *json, const char *key, const char *edge_key, ClockEdge e)
{
  if (e == NO_CLOCK_EDGE) return;
  put_text(json, key, path_clock_name(json->v.report->t, e));
  put_text(json, edge_key, path_edge_name(clock_edge_edge(e)));
}

/* --- points ----------------------------------------------------------------------------------- */
static void put_net(Json *json, const PathPoint *point, int early_late)
{
  const Timing *t = json->v.report->t;
  NetId net = netlist_pin_net(t->g->netlist, t->g->slots.pin[point->slot]);
  if (net == NO_NET) return;
  Text name = { 0 };
  netlist_net_name(t->g->netlist, net, json->v.report->separator, &name);
  put_text(json, "net", text_get(&name));
  put_number(json, "fanout", path_fanout(t, point->slot));
  put_number(json, "capacitance", path_point_cap(t, point, early_late) / json->cap_unit);
  text_free(&name);
}

static void put_cell(Json *json, Slot slot)
{
  PathLabel label = path_pin_label(&json->v, slot);
  next(json, "cell");
  quote(json->out, label.text + label.kind, label.whole - label.kind - 1, label.plain);
}

static void put_points(Json *json, const char *key, const PathPoint *points, uint32_t count,
                       double base, int early_late)
{
  const Timing *t = json->v.report->t;
  open(json, key, '[');
  for (uint32_t i = 0; i < count; i++) {
    const PathPoint *point = &points[i];
    open(json, NULL, '{');
    put_pin(json, "pin", point->slot);
    if (!(t->g->slots.flags[point->slot] & SLOT_PORT)) put_cell(json, point->slot);
    put_text(json, "edge", path_edge_name(point->edge));
    put_time(json, "incr", i ? point->arrival - points[i - 1].arrival : 0);
    put_time(json, "arrival", base + point->arrival);
    put_time(json, "slew", path_point_slew(&json->v, point, early_late));
    if (slot_is_driver(t->g, point->slot)) put_net(json, point, early_late);
    close(json, '}');
  }
  close(json, ']');
}

static void put_clock_path(Json *json, const char *key, Slot slot, NodeId node, int edge,
                           double base, int early_late)
{
  PathPoints points = { 0 };
  query_expanded_clock_path(json->v.report->t, slot, node, edge, early_late, &points);
  put_points(json, key, points.at, points.len, base, early_late);
  array_free(&points);
}

/* --- both sides ------------------------------------------------------------------------------- */
static void put_launch(Json *json)
{
  const Timing *t = json->v.report->t;
  const Path *path = json->v.path;
  const PathPoint *start = path_start(json->v.list, path);
  PathLaunch launch = path_launch_detail(t, json->v.list, path);
  double base = path_launch_time(t, json->v.list, path);
  put_clock(json, "startpoint_clock", "startpoint_clock_edge", path_launch(t, json->v.list, path));
  put_time(json, "launch_time", base);
  put_time(json, "launch_latency", launch.latency);
  if (launch.is_input) put_time(json, "input_delay", launch.external);
  if (launch.given != 0) put_time(json, "time_given", launch.given);
  if (path_from_register(t, json->v.list, path) && !launch.ideal)
    put_clock_path(json, "launch_clock_path", start->slot, start->node, start->edge, base,
                   path->early_late);
  put_points(json, "points", start, path->count, base, path->early_late);
  put_time(json, "arrival", base + path->arrival);
}

static const char *const term_keys[TERM_COUNT] = { [TERM_CLOCK_EDGE] = "clock_edge",
                                                   [TERM_PATH_DELAY] = "path_delay",
                                                   [TERM_MULTICYCLE] = "multicycle",
                                                   [TERM_CLOCK_IDEAL] = "clock_latency",
                                                   [TERM_CLOCK_PROPAGATED] = "clock_latency",
                                                   [TERM_UNCERTAINTY] = "uncertainty",
                                                   [TERM_PATH_MARGIN] = "path_margin",
                                                   [TERM_COMMON_PATH] = "common_path_credit",
                                                   [TERM_OUTPUT_DELAY] = "output_delay",
                                                   [TERM_CHECK] = "check",
                                                   [TERM_BORROWED] = "borrowed",
                                                   [TERM_REFERENCE] = "reference_pin",
                                                   [TERM_VARIATION] = "variation" };

static void put_capture(Json *json)
{
  const Timing *t = json->v.report->t;
  const Path *path = json->v.path;
  const PathEnd *end = &t->g->ends.path_ends.at[path->end_id];
  RequiredTerm terms[MOST_TERMS];
  uint32_t count = path_required_terms(t, json->v.list, path, terms);
  put_clock(json, "endpoint_clock", "endpoint_clock_edge", end->capture_clock);
  if (end->check != UINT32_MAX)
    put_pin(json, "endpoint_clock_pin", t->g->ends.checks.at[end->check].clock);
  if (end->capture != NO_NODE_ID)
    put_clock_path(json, "capture_clock_path", graph_node_slot(t->g, end->capture), end->capture,
                   end->time_edge, t->g->ends.details.at[end->detail].capture_time,
                   graph_capture_side(t->g, path->early_late));
  open(json, "required_terms", '[');
  for (uint32_t i = 0; i < count; i++) {
    open(json, NULL, '{');
    put_text(json, "term", term_keys[terms[i].kind]);
    put_text(json, "name", path_term_name(t, path, terms[i].kind));
    put_time(json, "value", terms[i].value);
    close(json, '}');
  }
  close(json, ']');
  put_time(json, "required", path_required(t, json->v.list, path));
}

void path_json_text(PathJson *json)
{
  const Timing *t = json->v.report->t;
  const Path *path = json->v.path;
  open(json, NULL, '{');
  put_pin(json, "startpoint", path_start(json->v.list, path)->slot);
  put_pin(json, "endpoint", path_end(json->v.list, path)->slot);
  put_text(json, "path_group", path_group_name(t, path->group));
  put_text(json, "path_type", path->early_late == LATE ? "max" : "min");
  put_text(json, "check", path_check_name(t, path));
  if (json->v.report->sources)
    put_text(json, "scenario", json->v.report->sources[path->source].name);
  put_time(json, "slack", path->slack);
  if (retimed_of(json->v.list, path))
    put_time(json, "graph_slack", retimed_of(json->v.list, path)->graph_slack);
  put_launch(json);
  if (path->end_id != NO_PATH_END) put_capture(json);
  close(json, '}');
}
