/* Commands that report nets, delays, cells and parasitics. */
#include "cmd/report/cmd_report.h"
#include "report/report_parasitics.h"
#include "report/cells.h"
#include "report/delays.h"

static const Option net_options[] = { { "nets", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_NET),
                                        .flags = OPT_REQUIRED | OPT_REST, .help = "nets" },
                                      { "-connections", ARG_FLAG, .flags = OPT_HIDDEN },
                                      { "-verbose", ARG_FLAG, .flags = OPT_HIDDEN },
                                      OPTIONS_SCENE,
                                      OPTION_DIGITS,
                                      { 0 } };

static Status run_report_net(Session *s, Args *a)
{
  Text out = { 0 };
  uint32_t count;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  const Object *nets = args_objects(a, "nets", 0, &count);
  Sheet sheet = report_sheet(s, a, &out);
  report_nets(&sheet, t, nets, count);
  report_finish(a, &out);
  return OK;
}

/* --- delay calculation ------------------------------------------------------------------------ */
static const Option calculation_options[] = {
  { "-from", ARG_OBJECTS, .value = "pin", .kinds = OBJS_PORT_PIN, .flags = OPT_REQUIRED,
    .help = "pin where the arc, wire or check begins" },
  { "-to", ARG_OBJECTS, .value = "pin", .kinds = OBJS_PORT_PIN, .flags = OPT_REQUIRED,
    .help = "where it ends" },
  { "-min", ARG_FLAG, .help = "early analysis only" },
  { "-max", ARG_FLAG, .help = "late analysis only" },
  OPTIONS_SCENE,
  OPTION_DIGITS,
  { 0 }
};

static Status nothing_between(Session *s, PinId from, PinId to)
{
  Text a = { 0 }, b = { 0 };
  netlist_pin_name(s->netlist, from, s->separator, &a);
  netlist_pin_name(s->netlist, to, s->separator, &b);
  log_error(s->log, "RPT-005", NOWHERE,
            "report_delay_calculation: no arc or wire leads from %s to %s", text_get(&a),
            text_get(&b));
  text_free(&a);
  text_free(&b);
  return FAILED;
}

static Status run_report_delay_calculation(Session *s, Args *a)
{
  Text out = { 0 };
  uint32_t count;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  PinId from = args_objects(a, "-from", 0, &count)[0].id,
        to = args_objects(a, "-to", 0, &count)[0].id;
  bool min = args_flag(a, "-min"), max = args_flag(a, "-max");
  unsigned analyses = (unsigned)((min || !max) << EARLY | (max || !min) << LATE);
  Sheet sheet = report_sheet(s, a, &out);
  bool any = report_delay_calculation(&sheet, t, from, to, analyses);
  if (any) report_finish(a, &out);
  text_free(&out);
  return any ? OK : nothing_between(s, from, to);
}

/* --- cells ------------------------------------------------------------------------------------ */
static const Option cell_options[] = { { "cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL),
                                         .flags = OPT_REQUIRED | OPT_REST, .help = "cells" },
                                       { "-summary", ARG_FLAG, .help = "leave the pins out" },
                                       { "-connections", ARG_FLAG, .flags = OPT_HIDDEN },
                                       { "-verbose", ARG_FLAG, .flags = OPT_HIDDEN },
                                       { 0 } };

static Status run_report_cell(Session *s, Args *a)
{
  Text out = { 0 };
  uint32_t count;
  const Object *cells = args_objects(a, "cells", 0, &count);
  Sheet sheet = report_sheet(s, a, &out);
  report_cells(&sheet, cells, count, !args_flag(a, "-summary"));
  report_finish(a, &out);
  return OK;
}

static const Option lib_cell_options[] = {
  { "lib_cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_LIB_CELL), .flags = OPT_REQUIRED | OPT_REST,
    .help = "library cells" },
  OPTION_DIGITS,
  { 0 }
};

static Status run_report_lib_cell(Session *s, Args *a)
{
  Text out = { 0 };
  uint32_t count;
  const Object *cells = args_objects(a, "lib_cells", 0, &count);
  Sheet sheet = report_sheet(s, a, &out);
  report_lib_cells(&sheet, cells, count);
  report_finish(a, &out);
  return OK;
}

/* --- parasitics ------------------------------------------------------------------------------- */
static const Option annotation_options[] = {
  { "nets", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_NET), .flags = OPT_REST,
    .help = "report these nets instead of counts" },
  { "-report_unannotated", ARG_FLAG,
    .help = "list drivers without parasitics and with partial ones" },
  { "-list", ARG_ENUM, .value = "partial|unannotated|annotated|all",
    .help = "which drivers to list" },
  OPTIONS_IN_SCENARIO,
  OPTION_DIGITS,
  { 0 }
};

static Status run_report_parasitic_annotation(Session *s, Args *a)
{
  static const unsigned lists[] = { 1u << ANNOTATED_PARTLY, 1u << NOT_ANNOTATED, 1u << ANNOTATED,
                                    7 };
  Text out = { 0 };
  uint32_t count;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  const Object *nets = args_objects(a, "nets", 0, &count);
  unsigned list = args_given(a, "-list") ? lists[args_enum(a, "-list")] : 0;
  if (args_flag(a, "-report_unannotated")) list |= 1u << NOT_ANNOTATED | 1u << ANNOTATED_PARTLY;
  Sheet sheet = report_sheet(s, a, &out);
  if (nets) report_net_annotation(&sheet, t, nets, count);
  else report_annotation(&sheet, t, list);
  report_finish(a, &out);
  return OK;
}

enum { REPORT = CMD_REDIRECT | CMD_NEEDS_DESIGN, REPORT_EACH = REPORT | CMD_EACH_SCENARIO };

const Command commands_report_delay[] = {
  { "report_net", "reporting", "drivers, loads, capacitances and delays of nets", net_options,
    run_report_net, REPORT_EACH,
    "For each driver it shows the capacitances that it sees, its pi model if the delay model has "
    "one, and its slew. For each load it shows capacitance, Elmore constant, delay and "
    "slew.",
    "report_net exec/n1508\n" },
  { "report_delay_calculation", "reporting",
    "explain the delay of an arc, a wire or a check", calculation_options,
    run_report_delay_calculation, REPORT_EACH,
    "For an arc it shows input slew, load or pi model, the steps of the delay model (effective "
    "capacitance and ramp; under current_source each level of the waveform with its effective "
    "capacitance and when it is crossed), the corners of the tables around it, delay and slew. "
    "For a wire it shows the Elmore constant, the wire's response under current_source, and the "
    "delay after each arc of its driver. Where a cell drives a net with parasitics, the results "
    "of all delay models stand beside each other; after a port there are only those of the "
    "present model. For a check it shows slews and margins.",
    "set load [lindex [get_pins -hierarchical -filter {direction == input && !is_hierarchical} *] "
    "9]\n"
    "set driver [get_property [get_nets -of_objects $load] driver]\n"
    "report_delay_calculation -from $driver -to $load -max\n" },
  { "report_cell", "reporting", "cells and their pins", cell_options, run_report_cell, REPORT, NULL,
    "report_cell exec/g1508\n" },
  { "report_lib_cell", "reporting", "library cells, their pins and arcs", lib_cell_options,
    run_report_lib_cell, CMD_REDIRECT, NULL, "report_lib_cell [lindex [get_lib_cells *] 0]\n" },
  { "report_parasitic_annotation", "reporting", "which nets have parasitics", annotation_options,
    run_report_parasitic_annotation, REPORT | CMD_IN_SCENARIO,
    "The report counts drivers. A driver is partially annotated if its parasitics do not reach "
    "one of its loads, or if they have no node for the driver. In the second case the driver "
    "sees their capacitance without resistance.",
    "report_parasitic_annotation -list partial\n" },
  { 0 }
};
