/* Reports on the whole design: worst slacks, size, engine, clocks. */
#include "cmd/cmd_report.h"

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

void report_nothing_constrained(Session *s, const Args *a, const SlackSummary *k, int early_late)
{
  if (isfinite(k->worst)) return;
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
#define MIN_MAX \
  { "-min", ARG_FLAG, .help = "of early arrivals (hold)" }, \
  { "-max", ARG_FLAG, .help = "of late arrivals (setup); the default" }

static const Option slack_options[] = { MIN_MAX, OPTIONS_SCENE, OPTION_DIGITS, { 0 } };

typedef double (*SlackValue)(const SlackSummary *k);

static double wns_of(const SlackSummary *k) { return k->worst < 0 ? k->worst : 0; }
static double tns_of(const SlackSummary *k) { return k->total; }
static double worst_of(const SlackSummary *k) { return k->worst; }

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
    .help = "run the phases on a device so many times again, and show medians" },
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
  { "-as_propagated", ARG_FLAG, .help = "ideal clocks too have the delays of their networks" }
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

static void latencies(const Sheet *s, const Timing *t, const Object *clocks, uint32_t count,
                      const Args *a)
{
  report_clock_latencies(s, t, clocks, count, args_flag(a, "-as_propagated"));
}

static Status run_report_clock_latency(Session *s, Args *a)
{
  return report_on_clocks(s, a, false, latencies);
}

static const Option skew_options[] = {
  { "-setup", ARG_FLAG, .help = "launch late, capture early; the default" },
  { "-hold", ARG_FLAG, .help = "launch early, capture late" },
  { "-clocks", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK), .help = CLOCKS_HELP },
  OPTION_AS_PROPAGATED,
  { "-include_internal_latency", ARG_FLAG, .flags = OPT_HIDDEN },
  OPTIONS_SCENE,
  OPTION_DIGITS,
  { 0 }
};

static void skews(const Sheet *s, const Timing *t, const Object *clocks, uint32_t count,
                  const Args *a)
{
  SkewReport r = { args_flag(a, "-hold") ? HOLD : SETUP, args_flag(a, "-as_propagated") };
  report_clock_skews(s, t, clocks, count, &r);
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
    .help = "paths from input ports and to output ports count as well" },
  OPTIONS_SCENARIOS,
  OPTION_DIGITS,
  { 0 }
};

static void tell_late_ends(Session *s, const Args *a, const Sheet *sheet, const LateEnds *late)
{
  for (uint32_t i = 0; i < late->len; i++) {
    const LateEnd *e = &late->at[i];
    Text pin = { 0 };
    sheet_pin(sheet, &pin, e->pin);
    log_warning(s->log, "RPT-014", args_where(a),
                "%s: no period of clock %s helps %s, whose slack is %.*f: no part of it is between "
                "launch and capture", args_command(a),
                names_text(s->names, s->constraints->clocks.at[e->clock].name), text_get(&pin),
                sheet->digits, e->slack / s->units.scale[UNIT_TIME]);
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
  { "set_default_digits", "reporting", "digits of reports that are given none", digits_options,
    run_set_default_digits, 0, "Three unless told otherwise; a report's own -digits goes before.",
    "set_default_digits 4\nreport_wns\nset_default_digits 3\n" },
  { "report_wns", "reporting", "worst negative slack", slack_options, run_report_wns, REPORT,
    "Zero when no slack is negative.", "report_wns\nreport_wns -min -digits 6\n" },
  { "report_tns", "reporting", "total negative slack over end points", slack_options,
    run_report_tns, REPORT, "Each end point counts with its worst slack over the scenarios.",
    "report_tns\n" },
  { "report_worst_slack", "reporting", "worst slack", slack_options, run_report_worst_slack, REPORT,
    NULL, "report_worst_slack -max\n" },
  { "report_design", "reporting", "size of the design: cells, nets, area, timing graph, memory",
    design_options, run_report_design, REPORT_IN,
    "A cell counts once: as black box, memory, macro, pad, clock gate, sequential, buffer, "
    "inverter or other combinational cell.",
    "report_design\n" },
  { "report_engine", "reporting", "engine, bytes per pin and arc, seconds of the last update",
    engine_options, run_report_engine, REPORT_IN,
    "engine says which one worked out the numbers and on what; where -engine auto chose, or it is "
    "not the one that was asked for, also why: no "
    "device, or what failed there, in the words of the warning, until a device works again.  "
    "Where phases ran on a device, also its memory by what it is for and the time of each phase "
    "there.  What has not been asked for yet is there "
    "still: the last copy back is of what was.",
    "report_engine\n" },
  { "report_clocks", "reporting", "clocks and their properties", clocks_options, run_report_clocks,
    REPORT_IN,
    "Waveforms, sources, latencies, transitions and uncertainties that constraints give, and how "
    "generated clocks are made.",
    "report_clocks\n" },
  { "report_clock_latency", "reporting", "shortest and longest clock latency at registers",
    latency_options, run_report_clock_latency, REPORT_EACH,
    "Source and network latency together, at the edge that triggers each register: the shortest "
    "early one and the longest late one.",
    "report_clock_latency\n" },
  { "report_clock_skew", "reporting",
    "largest skew between registers of a clock with a path between them", skew_options,
    run_report_clock_skew, REPORT_EACH,
    "Launching latency less capturing latency; of all pairs of registers of one clock with a data "
    "path between them the one with the largest "
    "difference, whatever its sign.  Clock uncertainty is added (setup) or taken off (hold).  "
    "Common-path pessimism is not taken off.  Ideal clocks have the latency that "
    "constraints give them, not that of their network, but with -as_propagated.",
    "report_clock_skew -setup\n" },
  { "report_clock_min_period", "reporting", "least period of clocks", period_options,
    run_report_clock_min_period, REPORT_EACH,
    "The period at which the worst setup slack between registers of the clock would be zero.  "
    "Paths between opposite edges count with the part of the period that they have.  Flip-flops "
    "and latches launch and capture.  A latch captures with its closing edge, or where "
    "set_max_time_borrow is used up.  A path that borrows goes on through the latch, also through "
    "chains and loops of latches.  It counts with all the time from its launch to its last "
    "capture.  Launch, latches on the way and capture have the same clock: what another clock "
    "launches does not go on through a latch here.  A path that no period helps asks for none; a "
    "warning tells where it is late.",
    "report_clock_min_period\n" },
  { 0 }
};
