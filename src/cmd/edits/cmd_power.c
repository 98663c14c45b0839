/* Commands that report leakage, area and the use of library cells. */
#include "cmd/report/cmd_report.h"
#include "report/usage.h"
#include "update/timer.h"

#define WORDS_BY "kind|module|library|threshold|lib_cell"

static const Option power_options[] = {
  { "-leakage", ARG_FLAG, .help = "leakage power: what there is" },
  { "-by", ARG_ENUM, .value = WORDS_BY, .preset = "kind", .help = "one more table, by this" },
  OPTIONS_IN_SCENARIO,
  OPTION_DIGITS,
  { 0 }
};

static Status run_report_power(Session *s, Args *a)
{
  Timer *timer = session_timer(s);
  if (timer == NULL || timer_update(timer, false) != OK) return FAILED;
  Leakage *leakage = leakage_new(timer->graph, timer->in.corner, timer->timing->threads);
  if (leakage == NULL) return FAILED;
  if (!args_flag(a, "-leakage"))
    log_warning(s->log, "RPT-030", args_where(a),
                "report_power: internal and switching power are not worked out; -leakage asks for "
                "what is");
  Text out = { 0 };
  Sheet sheet = report_sheet(s, a, &out);
  report_leakage(&sheet, timer->graph, leakage, (CellGrouping)args_enum(a, "-by"));
  leakage_free(leakage);
  report_finish(a, &out);
  return OK;
}

static const Option area_options[] = {
  { "-by", ARG_ENUM, .value = WORDS_BY, .preset = "kind", .help = "the groups of the table" },
  OPTION_DIGITS,
  { 0 }
};

static Status run_report_area(Session *s, Args *a)
{
  Text out = { 0 };
  Sheet sheet = report_sheet(s, a, &out);
  report_area(&sheet, (CellGrouping)args_enum(a, "-by"));
  report_finish(a, &out);
  return OK;
}

static const Option usage_options[] = { OPTION_DIGITS, { 0 } };

static Status run_report_cell_usage(Session *s, Args *a)
{
  Text out = { 0 };
  Sheet sheet = report_sheet(s, a, &out);
  report_cell_usage(&sheet);
  report_finish(a, &out);
  return OK;
}

const Command commands_power[] = {
  { "report_power", "reporting", "report leakage power", power_options, run_report_power,
    CMD_NEEDS_DESIGN | CMD_REDIRECT | CMD_IN_SCENARIO | CMD_NEEDS_SCENARIO,
    "Power is in W, with the libraries of late analysis of the scenario. The leakage of a cell "
    "depends on its state. The leakage_power groups of Liberty with a condition count with the "
    "probability that the condition holds. For all other states, the group without a condition "
    "counts, or else cell_leakage_power. Input ports, clocks and outputs without a function are "
    "1 half of the time; constants and case analysis have their values. The probability of an "
    "output follows from the function of its cell, as if its inputs were independent; a register "
    "is 1 as often as its data. The rows are registers, other cells, cells that only clocks "
    "pass, macros and memories, and pads. Internal and switching power are not computed and "
    "shown as -.",
    "report_power -leakage\nreport_power -leakage -by module -digits 5\n" },
  { "report_area", "reporting", "report the area of the cells", area_options, run_report_area,
    CMD_NEEDS_DESIGN | CMD_REDIRECT,
    "The table has a row for each kind, module, library, threshold voltage group or library "
    "cell. A module counts the cells directly inside its instances. Cells of a module inside it "
    "count for that module.",
    "report_area\nreport_area -by module\n" },
  { "report_cell_usage", "reporting", "report how often each library cell is used", usage_options,
    run_report_cell_usage, CMD_NEEDS_DESIGN | CMD_REDIRECT, NULL, "report_cell_usage\n" },
  { 0 }
};
