/* Commands that report on the whole design: worst slacks, size, engine, clocks. */
#include "cmd/report/cmd_report.h"

#include <math.h>

#include "update/backend.h"
#include "timing/slack.h"
#include "report/report_clocks.h"
#include "report/design.h"

Sheet report_sheet(const Session *s, const Args *a, Text *out)
{
  int digits = s->digits;
  if (args_given(a, "-digits")) digits = args_int(a, "-digits");
  digits = digits < 0 ? 0 : digits > MOST_DIGITS ? MOST_DIGITS : digits;
  return (Sheet){ s->netlist, s->libs, s->constraints, &s->units, s->separator, digits, out };
}

void report_nothing_constrained(Session *s, const Args *a, const SlackSummary *summary,
                                int early_late)
{
  if (isfinite(summary->worst)) return;
  log_warning(s->log, "RPT-013", args_where(a),
              "%s: no end point has a slack (%s): nothing is constrained", args_command(a),
              early_late == EARLY ? "min, hold" : "max, setup");
}

void report_finish(Args *a, Text *out)
{
  args_write(a, text_get(out), out->len);
  text_free(out);
}

/* --- digits ----------------------------------------------------------------------------------- */
static const Option digits_options[] = {
  { "digits", ARG_INT, .value = "N", .flags = OPT_REQUIRED, .help = "digits after the point",
    RANGE(0, MOST_DIGITS) }, { 0 } };

static Status run_set_default_digits(Session *s, Args *a)
{
  s->digits = args_int(a, "digits");
  return OK;
}

/* --- worst slacks ----------------------------------------------------------------------------- */
#define MIN_MAX                                          \
  { "-min", ARG_FLAG, .help = "early analysis (hold)" }, \
  { "-max", ARG_FLAG, .help = "late analysis (setup); the default" }

static const Option slack_options[] = { MIN_MAX, OPTIONS_SCENE, OPTION_DIGITS, { 0 } };

typedef double (*SlackValue)(const SlackSummary *summary);

static double wns_of(const SlackSummary *summary)
{
  return summary->worst < 0 ? summary->worst : 0;
}
static double tns_of(const SlackSummary *summary) { return summary->total; }
static double worst_of(const SlackSummary *summary) { return summary->worst; }

static Status report_slack_value(Session *s, Args *a, const char *what, SlackValue value)
{
  ScenarioIds ids = { 0 };
  Timings timings = { 0 };
  Status status = scenarios_asked(s, a, &ids);
  if (status == OK) status = session_slack_timings(s, &ids, &timings);
  Text out = { 0 };
  Sheet sheet = report_sheet(s, a, &out);
  for (int el = LATE; el >= EARLY && status == OK; el--) {
    bool wanted =
        el == EARLY ? args_flag(a, "-min") : args_flag(a, "-max") || !args_flag(a, "-min");
    if (!wanted) continue;
    SlackSummary k = query_slacks_of((const Timing *const *)timings.at, timings.len, el);
    report_nothing_constrained(s, a, &k, el);
    text_printf(&out, "%s %s ", what, el == LATE ? "max" : "min");
    sheet_unit(&sheet, &out, UNIT_TIME, value(&k));
    text_char(&out, '\n');
  }
  report_finish(a, &out);
  array_free(&ids);
  array_free(&timings);
  return status;
}

static Status run_report_wns(Session *s, Args *a)
{
  return report_slack_value(s, a, "wns", wns_of);
}
static Status run_report_tns(Session *s, Args *a)
{
  return report_slack_value(s, a, "tns", tns_of);
}
static Status run_report_worst_slack(Session *s, Args *a)
{
  return report_slack_value(s, a, "worst slack", worst_of);
}

/* --- design and engine ------------------------------------------------------------------------ */
static const Option design_options[] = { OPTIONS_IN_SCENARIO, OPTION_DIGITS, { 0 } };

static Status run_report_design(Session *s, Args *a)
{
  Text out = { 0 };
  if (session_timing(s, false) == NULL) return FAILED;
  Sheet sheet = report_sheet(s, a, &out);
  report_design(&sheet, s->timer);
  report_finish(a, &out);
  return OK;
}

enum { MOST_REPEATS = 100000 };

static Status measure(Session *s, int repeats)
{
  if (repeats < 1 || repeats > MOST_REPEATS)
    return log_error(s->log, "RPT-009", NOWHERE,
                     "report_engine: -repeat takes a number from 1 to %d, not %d", MOST_REPEATS,
                     repeats);
  if (s->timer->backend->residency)
    s->timer->backend->residency->measure(s->timer->timing, (uint32_t)repeats);
  else
    log_info(s->log, "RPT-010",
             "report_engine: no device has done this update, so there is nothing for -repeat to "
             "measure");
  return OK;
}

static const Option engine_options[] = {
  { "-repeat", ARG_INT, .value = "N",
    .help = "repeat the phases on a device N times and show medians" },
  OPTIONS_IN_SCENARIO,
  OPTION_DIGITS,
  { 0 }
};

static Status run_report_engine(Session *s, Args *a)
{
  Text out = { 0 }, engine = { 0 };
  if (session_update(s) != OK) return FAILED;
  if (args_given(a, "-repeat") && measure(s, args_int(a, "-repeat")) != OK) return FAILED;
  Sheet sheet = report_sheet(s, a, &out);
  session_engine_text(s, &engine);
  report_engine(&sheet, s->timer, text_get(&engine));
  report_path_effort(&sheet, &s->path_effort);
  text_free(&engine);
  report_finish(a, &out);
  return OK;
}

/* --- clocks ----------------------------------------------------------------------------------- */
#define OPTION_AS_PROPAGATED \
  { "-as_propagated", ARG_FLAG, .help = "use the delays of their networks for ideal clocks too" }
#define CLOCKS_HELP "which clocks; all when left out"
static const Option clocks_options[] = { { "clocks", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CLOCK),
                                           .flags = OPT_REST, .help = CLOCKS_HELP },
                                         OPTIONS_IN_SCENARIO,
                                         OPTION_DIGITS,
                                         { 0 } };

static Status run_report_clocks(Session *s, Args *a)
{
  Text out = { 0 };
  uint32_t count;
  if (session_timing(s, false) == NULL) return FAILED;      /* generated clocks get their periods */
  const Object *clocks = args_objects(a, "clocks", 0, &count);
  Sheet sheet = report_sheet(s, a, &out);
  report_clocks(&sheet, clocks, count);
  report_finish(a, &out);
  return OK;
}

static const Option latency_options[] = {
  { "-clocks", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK), .help = CLOCKS_HELP },
  OPTION_AS_PROPAGATED,
  { "-include_internal_latency", ARG_FLAG, .flags = OPT_HIDDEN },
  OPTIONS_SCENE,
  OPTION_DIGITS,
  { 0 }
};

Status report_on_clocks(Session *s, Args *a, bool slacks, ClockReport report)
{
  Text out = { 0 };
  uint32_t count;
  Timing *t = session_timing(s, slacks);
  if (t == NULL) return FAILED;
  const Object *clocks = args_objects(a, "-clocks", 0, &count);
  Sheet sheet = report_sheet(s, a, &out);
  report(&sheet, t, clocks, count, a);
  report_finish(a, &out);
  return OK;
}

static void latencies(const Sheet *sheet, const Timing *t, const Object *clocks, uint32_t count,
                      const Args *a)
{
  report_clock_latencies(sheet, t, clocks, count, args_flag(a, "-as_propagated"));
}

static Status run_report_clock_latency(Session *s, Args *a)
{
  return report_on_clocks(s, a, false, latencies);
}

static const Option skew_options[] = {
  { "-setup", ARG_FLAG, .help = "late launch, early capture; the default" },
  { "-hold", ARG_FLAG, .help = "early launch, late capture" },
  { "-clocks", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK), .help = CLOCKS_HELP },
  OPTION_AS_PROPAGATED,
  { "-include_internal_latency", ARG_FLAG, .flags = OPT_HIDDEN },
  OPTIONS_SCENE,
  OPTION_DIGITS,
  { 0 }
};

static void skews(const Sheet *sheet, const Timing *t, const Object *clocks, uint32_t count,
                  const Args *a)
{
  SkewReport r = { args_flag(a, "-hold") ? HOLD : SETUP, args_flag(a, "-as_propagated") };
  report_clock_skews(sheet, t, clocks, count, &r);
}

static Status run_report_clock_skew(Session *s, Args *a)
{
  if (args_flag(a, "-setup") && args_flag(a, "-hold"))
    return log_error(s->log, "RPT-002", NOWHERE,
                     "report_clock_skew: -setup and -hold exclude each other");
  return report_on_clocks(s, a, true, skews);
}

static const Option period_options[] = {
  { "-clocks", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK), .help = CLOCKS_HELP },
  { "-include_port_paths", ARG_FLAG,
    .help = "include paths from input ports and to output ports" },
  OPTIONS_SCENARIOS,
  OPTION_DIGITS,
  { 0 }
};

static void tell_late_ends(Session *s, const Args *a, const Sheet *sheet, const LateEnds *late)
{
  for (uint32_t i = 0; i < late->len; i++) {
    const LateEnd *end = &late->at[i];
    Text pin = { 0 };
    sheet_pin(sheet, &pin, end->pin);
    log_warning(s->log, "RPT-014", args_where(a),
                "%s: no period of clock %s helps %s, whose slack is %.*f: no part of it is between "
                "launch and capture",
                args_command(a), names_text(s->names, s->constraints->clocks.at[end->clock].name),
                text_get(&pin), sheet->digits, end->slack / s->units.scale[UNIT_TIME]);
    text_free(&pin);
  }
}

static Status run_report_clock_min_period(Session *s, Args *a)
{
  Text out = { 0 };
  LateEnds late = { 0 };
  uint32_t count;
  Timing *t = session_timing(s, true);
  if (t == NULL) return FAILED;
  const Object *clocks = args_objects(a, "-clocks", 0, &count);
  Sheet sheet = report_sheet(s, a, &out);
  report_min_periods(&sheet, t, clocks, count, args_flag(a, "-include_port_paths"), &late);
  tell_late_ends(s, a, &sheet, &late);
  array_free(&late);
  report_finish(a, &out);
  return OK;
}

/* --- the table -------------------------------------------------------------------------------- */
enum {
  REPORT = CMD_REDIRECT | CMD_NEEDS_DESIGN,
  REPORT_IN = REPORT | CMD_IN_SCENARIO,
  REPORT_EACH = REPORT | CMD_EACH_SCENARIO
};

const Command commands_report[] = {
  { "set_default_digits", "reporting", "set the default number of digits in "
                                       "reports", digits_options,
    run_set_default_digits, CMD_CHANGES,
    "It is 3 at the start. The -digits of a report has priority.",
    "set_default_digits 4\nreport_wns\nset_default_digits 3\n" },
  { "report_wns", "reporting", "worst negative slack "
                               "over endpoints", slack_options, run_report_wns, REPORT,
    "It is 0 if no slack is negative.", "report_wns\nreport_wns -min -digits 6\n" },
  { "report_tns", "reporting", "total negative slack over endpoints", slack_options,
    run_report_tns, REPORT, "Each endpoint counts with its worst slack over the scenarios.",
    "report_tns\n" },
  { "report_worst_slack", "reporting", "worst slack", slack_options, run_report_worst_slack, REPORT,
    NULL, "report_worst_slack -max\n" },
  { "report_design", "reporting", "size of the design: cells, nets, area, timing graph, memory",
    design_options, run_report_design, REPORT_IN,
    "Each cell is counted once, as the first that applies: black box, memory, macro, pad, clock "
    "gate, sequential, buffer, inverter, other combinational cell.",
    "report_design\n" },
  { "report_engine", "reporting", "engine, bytes per pin and arc, seconds of the last update",
    engine_options, run_report_engine, REPORT_IN,
    "The row engine says which engine computed the numbers, and on what.  If -engine auto chose "
    "it, or if it is not the chosen engine, the row also says why: there is no device, or a "
    "device failed, with the text of the warning.  If phases ran on a device, the report has the "
    "device's memory by use, and the time of each phase.  Numbers that nobody has requested are "
    "still on the device; the row of the last copy counts only the numbers that were copied "
    "back.  The rows of the last update keep their values until such work is done again.  So "
    "a report before an edit and one after it show what the update computed.  New values in the "
    "row nets mean a whole update.  Its reason is a change of constraints, libraries, the delay "
    "model or other settings, an edit that reached too many cells, or update_timing -full.",
    "report_engine\n" },
  { "report_clocks", "reporting", "clocks and their properties", clocks_options, run_report_clocks,
    REPORT_IN,
    "It shows waveforms, sources, latencies, transitions and uncertainties of constraints, and "
    "how generated clocks are made.",
    "report_clocks\n" },
  { "report_clock_latency", "reporting", "shortest and longest clock latency at registers",
    latency_options, run_report_clock_latency, REPORT_EACH,
    "The latency is the sum of source and network latency, at the edge that triggers each "
    "register. The report has the shortest early latency and the longest late latency.",
    "report_clock_latency\n" },
  { "report_clock_skew", "reporting",
    "largest skew between registers of a clock with a path between them", skew_options,
    run_report_clock_skew, REPORT_EACH,
    "The skew is the launch latency less the capture latency.  The report has the pair of "
    "registers with the largest absolute skew among all pairs of one clock with a data path "
    "between them.  Clock uncertainty is added for setup and subtracted for hold.  Common path "
    "credit does not count.  An ideal clock has the latency of its constraints, or with "
    "-as_propagated that of its network.",
    "report_clock_skew -setup\n" },
  { "report_clock_min_period", "reporting", "least period of clocks", period_options,
    run_report_clock_min_period, REPORT_EACH,
    "The least period is the period at which the worst setup slack between registers of the "
    "clock is 0.  Paths between opposite edges count with their part of the period.  Flip-flops "
    "and latches launch and capture.  A latch captures at its closing edge, or when "
    "set_max_time_borrow is used up.  A path that borrows continues through the latch, also "
    "through chains and loops of latches, and counts with all the time from its launch to its "
    "last capture.  Launch, latches on the path and capture must have the same clock.  A path "
    "that is late at any period does not count; a warning names its endpoint.",
    "report_clock_min_period\n" },
  { 0 }
};
