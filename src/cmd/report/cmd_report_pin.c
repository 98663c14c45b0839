/* Commands that report times at pins: arrivals, required times, slacks, slews, edges. */
#include "cmd/report/cmd_report.h"
#include "report/pins.h"

static const Option pin_options[] = { { "pins", ARG_OBJECTS, .kinds = OBJS_PORT_PIN,
                                        .flags = OPT_REQUIRED | OPT_REST,
                                        .help = "pins and ports" },
                                      OPTIONS_SCENE,
                                      OPTION_DIGITS,
                                      { 0 } };

/* Hierarchical pins have no times of their own: what drives their net stands for them. */
static void add_leaves(const Session *s, Object o, ObjectArray *out)
{
  const Netlist *n = s->netlist;
  if (!pin_is_hierarchical(n, o.id)) {
    array_push(out, o);
    return;
  }
  NetId net = netlist_pin_net(n, o.id);
  if (net == NO_NET) return;
  NetPins it = net_pins(n, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    if (netlist_pin_drives(n, p))
      array_push(out, (Object){ pin_is_top_port(n, p) ? OBJ_PORT : OBJ_PIN, p });
}

static ObjectArray leaf_pins(const Session *s, const Args *a)
{
  ObjectArray leaves = { 0 };
  uint32_t count;
  const Object *pins = args_objects(a, "pins", 0, &count);
  for (uint32_t i = 0; i < count; i++) add_leaves(s, pins[i], &leaves);
  return leaves;
}

static Status report_times(Session *s, Args *a, PinReport what)
{
  Text out = { 0 };
  Timing *t = session_timing(s, what != PIN_ARRIVALS);
  if (t == NULL) return FAILED;
  ObjectArray leaves = leaf_pins(s, a);
  Sheet sheet = report_sheet(s, a, &out);
  report_pin_times(&sheet, t, what, leaves.at, leaves.len);
  array_free(&leaves);
  report_finish(a, &out);
  return OK;
}

static Status run_report_arrivals(Session *s, Args *a) { return report_times(s, a, PIN_ARRIVALS); }
static Status run_report_required(Session *s, Args *a) { return report_times(s, a, PIN_REQUIRED); }
static Status run_report_slacks(Session *s, Args *a) { return report_times(s, a, PIN_SLACKS); }

static Status run_report_slews(Session *s, Args *a)
{
  Text out = { 0 };
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  ObjectArray leaves = leaf_pins(s, a);
  Sheet sheet = report_sheet(s, a, &out);
  report_pin_slews(&sheet, t, leaves.at, leaves.len);
  array_free(&leaves);
  report_finish(a, &out);
  return OK;
}

static const Option edge_options[] = { { "-from", ARG_OBJECTS, .value = "pin",
                                         .kinds = OBJS_PORT_PIN,
                                         .help = "edges that leave this pin" },
                                       { "-to", ARG_OBJECTS, .value = "pin", .kinds = OBJS_PORT_PIN,
                                         .help = "edges that reach this pin" },
                                       OPTIONS_SCENE,
                                       OPTION_DIGITS,
                                       { 0 } };

static PinId pin_option(const Args *a, const char *option)
{
  uint32_t count;
  const Object *pins = args_objects(a, option, 0, &count);
  return count ? pins[0].id : NO_PIN;
}

static Status run_report_timing_edges(Session *s, Args *a)
{
  Text out = { 0 };
  PinId from = pin_option(a, "-from"), to = pin_option(a, "-to");
  if (from == NO_PIN && to == NO_PIN)
    return log_error(s->log, "RPT-001", NOWHERE, "report_timing_edges: -from or -to is needed");
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  Sheet sheet = report_sheet(s, a, &out);
  report_pin_edges(&sheet, t, from, to);
  report_finish(a, &out);
  return OK;
}

enum { REPORT = CMD_REDIRECT | CMD_NEEDS_DESIGN | CMD_EACH_SCENARIO };
#define TAGS "There is a row for each launching clock edge, separately for clock and data, with " \
             "rise and fall, early and late.  Times are absolute.  A hierarchical pin stands for " \
             "the drivers of its net."

const Command commands_report_pin[] = {
  { "report_arrivals", "reporting", "arrival times at pins", pin_options, run_report_arrivals,
    REPORT, TAGS, "report_arrivals [lindex [all_outputs] 0]\n" },
  { "report_required", "reporting", "required times at pins", pin_options, run_report_required,
    REPORT, TAGS, "report_required [lindex [all_outputs] 0]\n" },
  { "report_slacks", "reporting", "slacks at pins", pin_options, run_report_slacks, REPORT, TAGS,
    "report_slacks [lindex [all_outputs] 0]\n" },
  { "report_slews", "reporting", "transition times at pins", pin_options, run_report_slews, REPORT,
    "Registers with an ideal clock use set_clock_transition instead.",
    "report_slews [all_outputs]\n" },
  { "report_timing_edges", "reporting", "timing arcs and wires from or to a pin, with delays",
    edge_options, run_report_timing_edges, REPORT, "Arcs that are off are listed with the reason.",
    "report_timing_edges -to [lindex [all_outputs] 0]\n" },
  { 0 }
};
