/* Commands that report checks, what they cover, disabled arcs and constants. */
#include <string.h>

#include "cmd/report/cmd_report.h"
#include "query/coverage.h"
#include "report/checks.h"

/* --- check_timing ----------------------------------------------------------------------------- */
static const Option check_options[] = {
  { "-verbose", ARG_FLAG, .help = "list the objects" },
  { "-include", ARG_LIST, .value = "categories", .help = "only these categories" },
  { "-exclude", ARG_LIST, .value = "categories", .flags = OPT_PATTERNS,
    .help = "all but these categories" },
  { "-objects", ARG_LIST, .value = "categories",
    .help = "return the objects of these categories as a collection, without a report" },
  OPTIONS_IN_SCENARIO,
  { 0 }
};

static Status category_mask(Session *s, Args *a, const char *option, uint32_t *mask)
{
  int count;
  Tcl_Obj **words, *list = args_object(a, option);
  *mask = 0;
  if (list == NULL || Tcl_ListObjGetElements(NULL, list, &count, &words) != TCL_OK) return OK;
  for (int i = 0; i < count; i++) {
    const char *word = Tcl_GetString(words[i]), *names[LINT_COUNT];
    LintCategory k = lint_find(word);
    *mask |= k < LINT_COUNT ? 1u << k : 0;
    if (k < LINT_COUNT) continue;
    for (int n = 0; n < LINT_COUNT; n++) names[n] = lint_infos[n].name;
    const char *near = text_nearest(word, names, LINT_COUNT);
    return log_error(s->log, "RPT-003", NOWHERE, "check_timing: there is no category '%s'%s%s%s",
                     word, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  }
  return OK;
}

static Status return_lint_objects(Args *a, const Timing *t, uint32_t wanted)
{
  ObjectArray found = { 0 };
  for (int k = 0; k < LINT_COUNT; k++)
    if (wanted >> k & 1) query_lint(t, (LintCategory)k, &found);
  args_return_objects(a, found.at, found.len);
  array_free(&found);
  return OK;
}

static Status run_check_timing(Session *s, Args *a)
{
  Text out = { 0 };
  uint32_t include, exclude, objects;
  if (category_mask(s, a, "-include", &include) != OK
      || category_mask(s, a, "-exclude", &exclude) != OK
      || category_mask(s, a, "-objects", &objects) != OK)
    return FAILED;
  if (!args_given(a, "-include")) include = (1u << LINT_COUNT) - 1;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  if (args_given(a, "-objects")) return return_lint_objects(a, t, objects);
  Sheet sheet = report_sheet(s, a, &out);
  report_lint(&sheet, t, include & ~exclude, args_flag(a, "-verbose"));
  report_finish(a, &out);
  return OK;
}

/* --- coverage --------------------------------------------------------------------------------- */
static const Option coverage_options[] = { { "-status_details", ARG_LIST,
                                             .value = "met|violated|untested",
                                             .help = "list these checks one by one" },
                                           OPTIONS_SCENARIOS,
                                           OPTION_DIGITS,
                                           { 0 } };

static Status detail_mask(Session *s, Args *a, unsigned *mask)
{
  static const char *const words[] = { "met", "violated", "untested" };
  int count;
  Tcl_Obj **given, *list = args_object(a, "-status_details");
  *mask = 0;
  if (list == NULL || Tcl_ListObjGetElements(NULL, list, &count, &given) != TCL_OK) return OK;
  for (int i = 0; i < count; i++) {
    int k = 0;
    while (k < 3 && strcmp(words[k], Tcl_GetString(given[i])) != 0) k++;
    if (k == 3)
      return log_error(
          s->log, "RPT-004", NOWHERE,
          "report_analysis_coverage: -status_details takes met, violated and untested, not '%s'",
          Tcl_GetString(given[i]));
    *mask |= 1u << k;
  }
  return OK;
}

static Status run_report_analysis_coverage(Session *s, Args *a)
{
  Text out = { 0 };
  unsigned details;
  if (detail_mask(s, a, &details) != OK) return FAILED;
  Timing *t = session_timing(s, true);
  if (t == NULL) return FAILED;
  Sheet sheet = report_sheet(s, a, &out);
  report_coverage(&sheet, t, details);
  report_finish(a, &out);
  return OK;
}

/* --- arcs, constants -------------------------------------------------------------------------- */
static const Option disabled_options[] = { { "cells", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL),
                                             .flags = OPT_REST,
                                             .help = "cells; default: all" },
                                           OPTIONS_IN_SCENARIO,
                                           { 0 } };

static Status run_report_disabled_timing(Session *s, Args *a)
{
  Text out = { 0 };
  uint32_t count;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  const Object *cells = args_objects(a, "cells", 0, &count);
  Sheet sheet = report_sheet(s, a, &out);
  report_disabled_arcs(&sheet, t, cells, count);
  report_finish(a, &out);
  return OK;
}

static const Option constant_options[] = {
  { "objects", ARG_OBJECTS, .kinds = OBJS_PORT_PIN | OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET),
    .flags = OPT_REQUIRED | OPT_REST, .help = "pins, ports, cells or nets" },
  OPTIONS_IN_SCENARIO,
  { 0 }
};

static Status run_report_constant(Session *s, Args *a)
{
  Text out = { 0 };
  uint32_t count;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  const Object *objects = args_objects(a, "objects", 0, &count);
  Sheet sheet = report_sheet(s, a, &out);
  report_constants(&sheet, t, objects, count);
  report_finish(a, &out);
  return OK;
}

static const Option case_options[] = { { "-all", ARG_FLAG,
                                         .help = "include set_logic_zero and set_logic_one" },
                                       OPTIONS_IN_SCENARIO,
                                       { 0 } };

static Status run_report_case_analysis(Session *s, Args *a)
{
  Text out = { 0 };
  Sheet sheet = report_sheet(s, a, &out);
  report_cases(&sheet, args_flag(a, "-all"));
  report_finish(a, &out);
  return OK;
}

enum {
  REPORT = CMD_REDIRECT | CMD_NEEDS_DESIGN | CMD_IN_SCENARIO,
  REPORT_EACH = CMD_REDIRECT | CMD_NEEDS_DESIGN | CMD_EACH_SCENARIO
};

const Command commands_report_check[] = {
  { "check_timing", "reporting", "check constraints and design for omissions and suspicious "
                                 "objects", check_options,
    run_check_timing, REPORT,
    "Categories: no_clock, multiple_clock, no_input_delay, partial_input_delay, no_output_delay, "
    "unconstrained_endpoints, generated_clocks, unused_clocks, loops, latches, black_boxes, "
    "no_driver, multiple_driver, unannotated_nets, partial_nets, partial_output_delay, "
    "no_driving_cell, ideal_clocks, clock_crossing, unexpandable_clocks, latch_fanout, "
    "data_check_no_clock, data_check_multiple_clock.\nlatch_fanout names latches in loops, "
    "through which time borrowing may continue.",
    "check_timing\ncheck_timing -verbose -include {no_clock no_input_delay}\ncheck_timing -objects "
    "no_driving_cell\n" },
  { "report_analysis_coverage", "reporting", "count checks that are met, violated or untested, "
                                             "and say why",
    coverage_options, run_report_analysis_coverage, REPORT_EACH,
    "A library check with several conditions counts once. Reasons for untested checks are: a "
    "constant at one of the pins; a condition that constants make false; no clock; no path; a "
    "path that no clock launches; clocks without paths between them; a false path; no output "
    "delay; set_disable_timing.\nA clock gating check that is inferred counts only where it "
    "compares something, or where set_disable_timing switches it off. No row tells of gates under "
    "set_disable_inferred_clock_gating.",
    "report_analysis_coverage -status_details untested\n" },
  { "report_disabled_timing", "reporting", "list timing arcs and checks that are off, with reasons",
    disabled_options, run_report_disabled_timing, REPORT,
    "Reasons are constants at the cell, set_disable_timing, a loop that was cut there, and a "
    "type that is not timed (preset and clear).",
    "report_disabled_timing\n" },
  { "report_constant", "reporting", "logic values of pins, cells and nets", constant_options,
    run_report_constant, REPORT, NULL, "report_constant exec/g1508\n" },
  { "report_case_analysis", "reporting", "list constants of set_case_analysis", case_options,
    run_report_case_analysis, REPORT, NULL, "report_case_analysis\n" },
  { 0 }
};
