/* Commands that run the timer and write its numbers. */
#include "cmd/command.h"
#include "cmd/timing.h"
#include "report/timing_tables.h"

static const Option update_options[] = {
  { "-full", ARG_FLAG, .help = "compute everything anew, whatever is up to date" }, { 0 } };

static Status run_update_timing(Session *s, Args *a)
{
  Timer *t = session_timer(s);
  if (t && args_flag(a, "-full")) timer_invalidate(t);
  return session_timing(s, true) ? OK : FAILED;
}

static const Option model_options[] = {
  { "model", ARG_ENUM, .value = "lumped|elmore|ceff", .flags = OPT_REQUIRED, .help = "how drivers and wires are timed" }, { 0 } };

static Status run_set_delay_model(Session *s, Args *a)
{
  s->delay_model = args_enum(a, "model");
  s->delay_model_given = true;
  if (s->timer) timer_set_delay_model(s->timer, (DelayModel)s->delay_model);
  return OK;
}

static const Option common_options[] = {
  { "-edges", ARG_ENUM, .value = "any|same", .preset = "any", .help = "which pins count: passed with any edges (the default), or with the same ones" },
  { "-clock_pins", ARG_FLAG, .help = "a register's own clock pin counts where it launches and captures, not only the driver before it" },
  { "-required", ARG_ENUM, .value = "paths|ends", .preset = "paths", .help = "slacks inside the design: of the worst path through the pin "
    "(the default), or by required times that go back from the worst path of each end point" },
  { "state", ARG_ENUM, .value = "on|off", .flags = OPT_REQUIRED, .help = "whether slacks have the credit (they do unless told otherwise)" }, { 0 } };

static Status run_set_common_path_credit(Session *s, Args *a)
{
  s->common.off = args_enum(a, "state") == 1;
  s->common.same_transition = args_enum(a, "-edges") == 1;
  s->common.clock_pins = args_flag(a, "-clock_pins");
  s->common.ends_only = args_enum(a, "-required") == 1;
  if (s->timer) timer_set_common(s->timer, session_common_options(s));
  return OK;
}

static const Option tables_options[] = {
  { "folder", ARG_FILE, .value = "dir", .flags = OPT_REQUIRED, .help = "where the tables go; made when it does not exist" }, { 0 } };

static Status run_write_timing_tables(Session *s, Args *a)
{
  Timing *t = session_timing(s, true);
  return t ? write_timing_tables(t, &s->units, args_text(a, "folder"), s->separator, s->log) : FAILED;
}

const Command commands_timing[] = {
  { "update_timing", "timing", "bring arrivals, required times and slacks up to date", update_options, run_update_timing, CMD_NEEDS_DESIGN,
    "Reports do so by themselves; the command is for scripts that want the time spent at a known place.", "update_timing\n" },
  { "set_delay_model", "timing", "choose the delay model", model_options, run_set_delay_model, 0,
    "lumped: tables at the total capacitance, wires without delay.  elmore: the same with Elmore delays and the impulse rule for slews.  "
    "ceff: effective capacitance of the net's pi model (the default; nets without parasitics are lumped).", "set_delay_model ceff\n" },
  { "set_common_path_credit", "timing", "choose what of common clock paths slacks are credited for", common_options, run_set_common_path_credit, 0,
    "A launching and a capturing clock path cannot be late and early at once on the pins that both pass.  Every slack is credited with the "
    "difference of late and early arrival at the last of those pins; so are slacks of paths through latches and of pins inside the "
    "design.  Where clock paths part and meet again, the pin where they part counts for paths that leave the loop.",
    "set_common_path_credit on -edges any\n" },
  { "write_timing_tables", "timing", "write tables of all pins, end points and arcs", tables_options, run_write_timing_tables, CMD_NEEDS_DESIGN,
    "Writes pins.tsv.gz, endpoints.tsv.gz and arcs.tsv.gz: tab-separated, gzipped, times in seconds (end points in the user's unit). "
    "Where sigma counts (set_ocv_options -mode normal) each arc has its standard deviations, early and late, behind its delays.",
    "write_timing_tables tables\n" },
  { 0 }
};
