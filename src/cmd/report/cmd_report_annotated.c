/* Commands that report annotated delays and checks. */
#include "cmd/report/cmd_report.h"
#include "report/report_annotated.h"

#define ROWS_LISTS                                                                         \
  { "-report_annotated", ARG_FLAG, .help = "list the annotated ones" },                    \
  { "-report_unannotated", ARG_FLAG, .help = "list the others" },                          \
  { "-list_annotated", ARG_FLAG, .flags = OPT_HIDDEN },                                    \
      { "-list_not_annotated", ARG_FLAG, .flags = OPT_HIDDEN },                            \
  { "-max_lines", ARG_INT, .value = "N", .help = "largest number of lines for each list; " \
                                                 "default: all",                           \
      AT_LEAST(0) },                                                                       \
  { "-constant_arcs", ARG_FLAG, .help = "also count arcs that a constant prevents from "   \
                                        "switching" },                                     \
      OPTIONS_SCENE

static const Option delay_options[] = {
  { "-cell", ARG_FLAG, .help = "arcs of cells" },
  { "-net", ARG_FLAG, .help = "wires between cells" },
  { "-from_in_ports", ARG_FLAG, .help = "wires from input ports" },
  { "-to_out_ports", ARG_FLAG, .help = "wires to output ports" }, ROWS_LISTS, { 0 } };

static const Option check_options[] = {
  { "-setup", ARG_FLAG, .help = "setup checks" },
  { "-hold", ARG_FLAG, .help = "hold checks" },
  { "-recovery", ARG_FLAG, .help = "recovery checks" },
  { "-removal", ARG_FLAG, .help = "removal checks" },
  { "-nochange", ARG_FLAG, .help = "nochange checks" },
  { "-width", ARG_FLAG, .help = "pulse widths" },
  { "-period", ARG_FLAG, .help = "periods" },
  { "-max_skew", ARG_FLAG, .help = "skew checks" }, ROWS_LISTS, { 0 } };

/* The first options of a command are its sorts, in their order. */
static AnnotatedReport asked(const Args *a, const Option *options, int sorts)
{
  AnnotatedReport r = {
    .constants = args_flag(a, "-constant_arcs"),
    .list_annotated = args_flag(a, "-report_annotated") || args_flag(a, "-list_annotated"),
    .list_others = args_flag(a, "-report_unannotated") || args_flag(a, "-list_not_annotated")
  };
  for (int k = 0; k < sorts; k++) r.sorts |= (unsigned)args_flag(a, options[k].name) << k;
  int lines = args_given(a, "-max_lines") ? args_int(a, "-max_lines") : 0;
  r.max_lines = lines > 0 ? (uint32_t)lines : 0;
  return r;
}

static Status run_report_annotated_delay(Session *s, Args *a)
{
  Text out = { 0 };
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  Sheet sheet = report_sheet(s, a, &out);
  AnnotatedReport r = asked(a, delay_options, DELAY_SORTS);
  report_annotated_delays(&sheet, t, s->annotations, &r);
  report_finish(a, &out);
  return OK;
}

static Status run_report_annotated_check(Session *s, Args *a)
{
  Text out = { 0 };
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  Sheet sheet = report_sheet(s, a, &out);
  AnnotatedReport r = asked(a, check_options, CHECK_SORTS);
  report_annotated_checks(&sheet, t, s->annotations, &r);
  report_finish(a, &out);
  return OK;
}

enum { REPORT = CMD_REDIRECT | CMD_NEEDS_DESIGN | CMD_EACH_SCENARIO };

const Command commands_report_annotated[] = {
  { "report_annotated_delay", "reporting", "count annotated delays", delay_options,
    run_report_annotated_delay, REPORT,
    "It counts cell arcs and wires, and those with a delay of read_sdf or set_annotated_delay. "
    "An arc counts as annotated if any of its values is annotated.",
    "report_annotated_delay -net -report_unannotated -max_lines 5\n" },
  { "report_annotated_check", "reporting", "count annotated checks", check_options,
    run_report_annotated_check, REPORT,
    "It counts the checks of library cells, and those with a margin of read_sdf or "
    "set_annotated_check.",
    "report_annotated_check -setup -hold\n" },
  { 0 }
};
