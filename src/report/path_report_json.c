/* Paths as JSON: an array of objects with every number, in the user's units; what does not exist is
   left out or null. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "paths/retime.h"
#include "report/path_report_private.h"

typedef PathJson Json;

static bool is_plain(const char *s, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (s[i] == '"' || s[i] == '\\' || (unsigned char)s[i] < 0x20) return false;
  return true;
}

static void quote(Text *t, const char *s, size_t length, bool plain)
{
  text_char(t, '"');
  for (const char *end = s + length; !plain && s < end; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') text_printf(t, "\\%c", c);
    else if (c < 0x20) text_printf(t, "\\u%04x", c);
    else text_char(t, (char)c);
  }
  if (plain) text_add(t, s, length);
  text_char(t, '"');
}

/* The line of a member begins: keys are words of this file and need no backslash. */
static void next(Json *j, const char *key)
{
  size_t length = key ? strlen(key) : 0, indent = 2 * (size_t)j->depth;
  char *at = text_room(j->out, indent + length + 6), *start = at;
  if (!j->first) *at++ = ',';
  *at++ = '\n';
  memset(at, ' ', indent);
  at += indent;
  if (key) {
    *at++ = '"';
    memcpy(at, key, length);
    memcpy(at + length, "\": ", 3);
    at += length + 3;
  }
  j->out->len += (size_t)(at - start);
  j->first = false;
}

static void open(Json *j, const char *key, char bracket)
{
  next(j, key);
  text_char(j->out, bracket);
  j->depth++;
  j->first = true;
}

static void close(Json *j, char bracket)
{
  j->depth--;
  if (!j->first) {
    text_char(j->out, '\n');
    for (int i = 0; i < j->depth; i++) text_add(j->out, "  ", 2);
  }
  text_char(j->out, bracket);
  j->first = false;
}

static void put_text(Json *j, const char *key, const char *value)
{
  size_t length = strlen(value);
  next(j, key);
  quote(j->out, value, length, is_plain(value, length));
}

static void put_number(Json *j, const char *key, double value)
{
  next(j, key);
  if (isnan(value) || isinf(value)) text_add(j->out, "null", 4);
  else j->out->len += decimal_general(text_room(j->out, DECIMAL_ROOM), value == 0 ? 0.0 : value, 9);
}

static void put_time(Json *j, const char *key, double ps) { put_number(j, key, ps / j->time_unit); }

static void put_pin(Json *j, const char *key, Slot slot)
{
  PathLabel label = path_pin_label(&j->v, slot);
  next(j, key);
  quote(j->out, label.text, label.name, label.plain);
}

static void put_clock(Json *j, const char *key, const char *edge_key, ClockEdge e)
{
  if (e == NO_CLOCK_EDGE) return;
  put_text(j, key, path_clock_name(j->v.r->t, e));
  put_text(j, edge_key, path_edge_name(clock_edge_edge(e)));
}

/* --- points ----------------------------------------------------------------------------------- */
static void put_net(Json *j, const PathPoint *p, int early_late)
{
  const Timing *t = j->v.r->t;
  NetId net = netlist_pin_net(t->g->netlist, t->g->slots.pin[p->slot]);
  if (net == NO_NET) return;
  Text name = { 0 };
  netlist_net_name(t->g->netlist, net, j->v.r->separator, &name);
  put_text(j, "net", text_get(&name));
  put_number(j, "fanout", path_fanout(t, p->slot));
  put_number(j, "capacitance", path_point_cap(t, p, early_late) / j->cap_unit);
  text_free(&name);
}

static void put_cell(Json *j, Slot slot)
{
  PathLabel label = path_pin_label(&j->v, slot);
  next(j, "cell");
  quote(j->out, label.text + label.kind, label.whole - label.kind - 1, label.plain);
}

static void put_points(Json *j, const char *key, const PathPoint *points, uint32_t count,
                       double base, int early_late)
{
  const Timing *t = j->v.r->t;
  open(j, key, '[');
  for (uint32_t i = 0; i < count; i++) {
    const PathPoint *p = &points[i];
    open(j, NULL, '{');
    put_pin(j, "pin", p->slot);
    if (!(t->g->slots.flags[p->slot] & SLOT_PORT)) put_cell(j, p->slot);
    put_text(j, "edge", path_edge_name(p->edge));
    put_time(j, "incr", i ? p->arrival - points[i - 1].arrival : 0);
    put_time(j, "arrival", base + p->arrival);
    put_time(j, "slew", path_point_slew(&j->v, p, early_late));
    if (slot_is_driver(t->g, p->slot)) put_net(j, p, early_late);
    close(j, '}');
  }
  close(j, ']');
}

static void put_clock_path(Json *j, const char *key, Slot slot, NodeId node, int edge, double base,
                           int early_late)
{
  PathPoints points = { 0 };
  query_expanded_clock_path(j->v.r->t, slot, node, edge, early_late, &points);
  put_points(j, key, points.at, points.len, base, early_late);
  array_free(&points);
}

/* --- both sides ------------------------------------------------------------------------------- */
static void put_launch(Json *j)
{
  const Timing *t = j->v.r->t;
  const Path *p = j->v.p;
  const PathPoint *start = path_start(j->v.list, p);
  PathLaunch launch = path_launch_detail(t, j->v.list, p);
  double base = path_launch_time(t, j->v.list, p);
  put_clock(j, "startpoint_clock", "startpoint_clock_edge", path_launch(t, j->v.list, p));
  put_time(j, "launch_time", base);
  put_time(j, "launch_latency", launch.latency);
  if (launch.is_input) put_time(j, "input_delay", launch.external);
  if (launch.given != 0) put_time(j, "time_given", launch.given);
  if (path_from_register(t, j->v.list, p) && !launch.ideal)
    put_clock_path(j, "launch_clock_path", start->slot, start->node, start->edge, base,
                   p->early_late);
  put_points(j, "points", start, p->count, base, p->early_late);
  put_time(j, "arrival", base + p->arrival);
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

static void put_capture(Json *j)
{
  const Timing *t = j->v.r->t;
  const Path *p = j->v.p;
  const PathEnd *end = &t->g->ends.path_ends.at[p->end_id];
  RequiredTerm terms[MOST_TERMS];
  uint32_t count = path_required_terms(t, j->v.list, p, terms);
  put_clock(j, "endpoint_clock", "endpoint_clock_edge", end->capture_clock);
  if (end->check != UINT32_MAX)
    put_pin(j, "endpoint_clock_pin", t->g->ends.checks.at[end->check].clock);
  if (end->capture != NO_NODE_ID)
    put_clock_path(j, "capture_clock_path", graph_node_slot(t->g, end->capture), end->capture,
                   end->time_edge, t->g->ends.details.at[end->detail].capture_time,
                   graph_capture_side(t->g, p->early_late));
  open(j, "required_terms", '[');
  for (uint32_t i = 0; i < count; i++) {
    open(j, NULL, '{');
    put_text(j, "term", term_keys[terms[i].kind]);
    put_text(j, "name", path_term_name(t, p, terms[i].kind));
    put_time(j, "value", terms[i].value);
    close(j, '}');
  }
  close(j, ']');
  put_time(j, "required", path_required(t, j->v.list, p));
}

void path_json_text(PathJson *j)
{
  const Timing *t = j->v.r->t;
  const Path *p = j->v.p;
  open(j, NULL, '{');
  put_pin(j, "startpoint", path_start(j->v.list, p)->slot);
  put_pin(j, "endpoint", path_end(j->v.list, p)->slot);
  put_text(j, "path_group", path_group_name(t, p->group));
  put_text(j, "path_type", p->early_late == LATE ? "max" : "min");
  put_text(j, "check", path_check_name(t, p));
  if (j->v.r->sources) put_text(j, "scenario", j->v.r->sources[p->source].name);
  put_time(j, "slack", p->slack);
  if (retimed_of(j->v.list, p)) put_time(j, "graph_slack", retimed_of(j->v.list, p)->graph_slack);
  put_launch(j);
  if (p->end_id != NO_PATH_END) put_capture(j);
  close(j, '}');
}
