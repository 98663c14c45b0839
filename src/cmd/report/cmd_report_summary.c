/* Commands that report in short: path groups, bottlenecks, clock networks. */
#include "cmd/report/cmd_report.h"
#include "report/report_clocks.h"
#include "report/report_summary.h"

/* --- path groups ------------------------------------------------------------------------------ */
static const Option summary_options[] = {
  { "-max", ARG_FLAG, .help = "late analysis (setup) only" },
  { "-min", ARG_FLAG, .help = "early analysis (hold) only" },
  OPTIONS_SCENE,
  OPTION_DIGITS,
  { 0 }
};

static Status run_report_timing_summary(Session *s, Args *a)
{
  Text out = { 0 };
  Timing *t = session_timing(s, true);
  if (t == NULL) return FAILED;
  unsigned analyses =
      (unsigned)args_flag(a, "-min") << EARLY | (unsigned)args_flag(a, "-max") << LATE;
  Sheet sheet = report_sheet(s, a, &out);
  for (int el = LATE; el >= EARLY; el--) {
    SlackSummary k = query_slacks(t, el);
    if ((analyses ? analyses : 3) >> el & 1) report_nothing_constrained(s, a, &k, el);
  }
  report_timing_summary(&sheet, t, analyses ? analyses : 3);
  report_finish(a, &out);
  return OK;
}

/* --- bottlenecks ------------------------------------------------------------------------------ */
static const Option bottleneck_options[] = {
  { "-cost", ARG_ENUM, .value = "paths|end_points|slack", .preset = "paths",
    .help = "sort by the number of paths, by the number of endpoints, or by the sum of the "
            "violations" },
  { "-nets", ARG_FLAG, .help = "report nets instead of cells" },
  { "-delay_type", ARG_ENUM, .value = "max|min", .preset = "max",
    .help = "max: late analysis; min: early analysis" },
  { "-nworst", ARG_INT, .value = "N", .preset = "1", .help = "number of paths for each endpoint",
    AT_LEAST(1) },
  { "-slack_max", ARG_TIME, .value = "slack", .preset = "0",
    .help = "only paths with less slack" },
  { "-max_count", ARG_INT, .value = "N", .preset = "20", .help =
      "largest number of rows", AT_LEAST(1) },
  OPTIONS_SCENARIOS,
  OPTION_DIGITS,
  { 0 }
};

static Status run_report_bottleneck(Session *s, Args *a)
{
  Text out = { 0 };
  Bottlenecks list = { 0 };
  uint32_t paths;
  Timing *t = session_timing(s, true);
  if (t == NULL) return FAILED;
  BottleneckQuery q = { .early_late = args_enum(a, "-delay_type") == 0 ? LATE : EARLY,
                        .worst = (uint32_t)args_int(a, "-nworst"),
                        .slack_max = args_number(a, "-slack_max"),
                        .nets = args_flag(a, "-nets"),
                        .cost = (BottleneckCost)args_enum(a, "-cost") };
  Status status = query_bottlenecks(t, &q, s->log, &list, &paths);
  Sheet sheet = report_sheet(s, a, &out);
  if (status == OK)
    report_bottlenecks(&sheet, &q, &list, paths, (uint32_t)args_int(a, "-max_count"));
  array_free(&list);
  report_finish(a, &out);
  return status;
}

/* --- clock networks --------------------------------------------------------------------------- */
static const Option tree_options[] = {
  { "-tree", ARG_FLAG, .help = "list every driver and register with its latencies" },
  { "-clocks", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK),
    .help = "clocks; default: all" },
  OPTIONS_SCENE,
  OPTION_DIGITS,
  { 0 }
};

static void networks(const Sheet *sheet, const Timing *t, const Object *clocks, uint32_t count,
                     const Args *a)
{
  report_clock_networks(sheet, t, clocks, count, args_flag(a, "-tree"));
}

static Status run_report_clock_tree(Session *s, Args *a)
{
  return report_on_clocks(s, a, false, networks);
}

enum { REPORT = CMD_REDIRECT | CMD_NEEDS_DESIGN | CMD_EACH_SCENARIO };

const Command commands_report_summary[] = {
  { "report_timing_summary", "reporting",
    "summarize slacks by path group and kind of path, design rules and size", summary_options,
    run_report_timing_summary, REPORT,
    "Each path group has a row for all paths, and rows for paths between registers, from inputs, "
    "to outputs and from input to output. A row has the number of endpoints, the number of "
    "violations, the worst slack, the sum of the negative slacks, and the number of cells on the "
    "worst path. An endpoint with paths of several kinds counts in each of these rows, with the "
    "worst path of the kind, and once in the row of the group.",
    "report_timing_summary\nreport_timing_summary -max\n" },
  { "report_bottleneck", "reporting", "find cells or nets that many "
                                      "violating paths share", bottleneck_options,
    run_report_bottleneck, REPORT,
    "A cell counts once for each path through one of its outputs, including the launching "
    "register. A violation is the amount by which the slack is below -slack_max.",
    "report_bottleneck -max_count 5\nreport_bottleneck -nets -cost slack -nworst 5\n" },
  { "report_clock_tree", "reporting",
    "report clock networks: registers, levels, cells, latencies, transitions", tree_options,
    run_report_clock_tree, REPORT,
    "Levels are the least and the largest number of cells between source and register. The skew "
    "is over all registers, with or without paths between them; report_clock_skew counts only "
    "registers with a path. Networks of ideal clocks have the latencies of constraints.",
    "report_clock_tree\n" },
  { 0 }
};
