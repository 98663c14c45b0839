/* Commands that run the timer and write its numbers. */
#include "tclbind/scenarios.h"
#include "write/timing_tables.h"

static const Option update_options[] = {
  { "-full", ARG_FLAG, .help = "compute everything again, even if it is up to date" },
  OPTIONS_SCENARIOS,
  { 0 }
};

static Status run_update_timing(Session *s, Args *a)
{
  ScenarioIds ids = { 0 };
  Timings timings = { 0 };
  Status status = scenarios_asked(s, a, &ids);
  for (uint32_t i = 0; i < ids.len && status == OK && args_flag(a, "-full"); i++) {
    Timer *timer = session_timer_of(s, ids.at[i]);
    if (timer) timer_invalidate(timer);
  }
  if (status == OK) status = session_timings_of(s, &ids, true, 0, &timings);
  array_free(&ids);
  array_free(&timings);
  return status;
}

static const Option model_options[] = { { "model", ARG_ENUM, .value = DELAY_MODEL_WORDS,
                                          .flags = OPT_REQUIRED,
                                          .help = "how drivers and wires are timed" },
                                        { 0 } };

static Status run_set_delay_model(Session *s, Args *a)
{
  s->delay_model = args_enum(a, "model");
  s->delay_model_given = true;
  for (uint32_t i = 0; i < s->timers.len; i++)
    if (s->timers.at[i]) timer_set_delay_model(s->timers.at[i], (DelayModel)s->delay_model);
  return OK;
}

static const Option common_options[] = {
  { "-edges", ARG_ENUM, .value = "any|same", .preset = "any",
    .help = "any: pins that both paths pass, with any edges; same: only pins that both pass with "
            "the same edge" },
  { "-drivers_only", ARG_FLAG,
    .help = "if a register launches and captures, its clock pin does not count, but the driver "
            "before it does" },
  { "-required", ARG_ENUM, .value = "paths|ends|launches", .preset = "paths",
    .help = "slacks of pins inside the design. paths: slack of the worst path through the pin. "
            "ends: required times go back from the endpoints, each with the credit of its worst "
            "slack. launches: they go back only along launches that are the worst for some "
            "credit, as in timers that drop the other launches" },
  { "state", ARG_ENUM, .value = "on|off", .flags = OPT_REQUIRED,
    .help = "whether slacks have the credit; on at the start" },
  { 0 }
};

static Status run_set_common_path_credit(Session *s, Args *a)
{
  s->common.on = args_enum(a, "state") == 0;
  s->common.same_transition = args_enum(a, "-edges") == 1;
  s->common.drivers_only = args_flag(a, "-drivers_only");
  s->common.required = (uint8_t)args_enum(a, "-required");
  for (uint32_t i = 0; i < s->timers.len; i++)
    if (s->timers.at[i]) timer_set_common(s->timers.at[i], s->common);
  return OK;
}

static const Option inout_options[] = {
  { "state", ARG_ENUM, .value = "on|off", .flags = OPT_REQUIRED,
    .help = "whether such paths are timed; off at the start" },
  { 0 }
};

/* Graphs are compiled with it, so all of them must be dropped. */
static Status run_set_inout_paths(Session *s, Args *a)
{
  bool on = args_enum(a, "state") == 0;
  if (s->rules.inout_paths != on) session_drop_timers(s);
  s->rules.inout_paths = on;
  return OK;
}

static const Option default_arcs_options[] = {
  { "where", ARG_ENUM, .value = "otherwise|always|never", .flags = OPT_REQUIRED,
    .help = "when the arc without a condition counts (at the start: otherwise)" },
  { 0 }
};

static Status run_set_default_arcs(Session *s, Args *a)
{
  static const uint8_t rules[] = { DEFAULT_ARCS_OTHERWISE, DEFAULT_ARCS_ALWAYS,
                                   DEFAULT_ARCS_NEVER };
  uint8_t rule = rules[args_enum(a, "where")];
  if (s->rules.default_arcs != rule) session_drop_timers(s);
  s->rules.default_arcs = rule;
  return OK;
}

static const Option engine_options[] = {
  { "name", ARG_TEXT, .value = "name",
    .help = "schedule, graph, narrow_level, device, least_pins or least_paths; default: list all "
            "options" },
  { "value", ARG_TEXT, .value = "value",
    .help = "value of the option; default: show the option" },
  { 0 }
};

static void list_engine_option(const Session *s, Args *a, const EngineOptionRow *row)
{
  char value[16], range[40];
  snprintf(range, sizeof range, "%d to %d", row->least, row->most);
  args_print(a, "%-12s  %-8s  %-15s  %s\n", row->name,
             engine_option_text(&s->engine_options, row, value), row->words ? row->words : range,
             row->help);
}

static Status no_engine_option(Session *s, const char *name)
{
  Text all = { 0 };
  for (const EngineOptionRow *row = engine_option_rows; row->name; row++)
    text_printf(&all, "%s%s", all.len ? ", " : "", row->name);
  log_error(s->log, "CUDA-004", NOWHERE,
            "set_engine_option: there is no option '%.60s'; there are %s", name, text_get(&all));
  text_free(&all);
  return FAILED;
}

static Status set_engine_option(Session *s, const EngineOptionRow *row, const char *value)
{
  EngineOptions options = s->engine_options;
  if (!engine_option_set(&options, row, value)) {
    if (row->words)
      return log_error(s->log, "CUDA-005", NOWHERE,
                       "set_engine_option: %s is one of %s, not '%.60s'", row->name, row->words,
                       value);
    return log_error(s->log, "CUDA-005", NOWHERE,
                     "set_engine_option: %s is a whole number from %d to %d, not '%.60s'",
                     row->name, row->least, row->most, value);
  }
  session_set_engine_options(s, options);
  return OK;
}

static Status run_set_engine_option(Session *s, Args *a)
{
  const char *name = args_text(a, "name"), *value = args_text(a, "value");
  const EngineOptionRow *row = name ? engine_option_find(name) : NULL;
  if (name && row == NULL) return no_engine_option(s, name);
  if (value) return set_engine_option(s, row, value);
  if (row) list_engine_option(s, a, row);
  for (row = engine_option_rows; name == NULL && row->name; row++) list_engine_option(s, a, row);
  return OK;
}

static const Option tables_options[] = {
  OPTIONS_SCENARIOS,
  { "folder", ARG_FILE, .value = "dir", .flags = OPT_REQUIRED,
    .help = "folder of the tables; it is made if it does not exist" },
  { 0 }
};

static Status run_write_timing_tables(Session *s, Args *a)
{
  ScenarioIds ids = { 0 };
  Timings timings = { 0 };
  Status status = scenarios_asked(s, a, &ids);
  if (status == OK) status = session_timings(s, &ids, true, &timings);
  TimingTables how = { .units = &s->units, .separator = s->separator, .threads = s->threads };
  if (status == OK)
    status = write_timing_tables((const Timing *const *)timings.at, timings.len, &how,
                                 args_text(a, "folder"), s->log);
  array_free(&ids);
  array_free(&timings);
  return status;
}

const Command commands_timing[] = {
  { "update_timing", "timing", "update arrivals, required times and slacks",
    update_options, run_update_timing, CMD_NEEDS_DESIGN,
    "Reports update the scenarios that they show. The command is for scripts that want to spend "
    "the time at a known place. Ctrl-C stops the update (TIME-001). The design and its constraints "
    "stay as they are, and the next report or update computes all times again.",
    "update_timing\n" },
  { "set_delay_model", "timing", "choose the delay model", model_options, run_set_delay_model,
    CMD_CHANGES,
    DELAY_MODEL_TEXTS,
    "set_delay_model ceff\n" },
  { "set_common_path_credit", "timing",
    "set common path credit (CRPR)",
    common_options, run_set_common_path_credit, CMD_CHANGES,
    "The launching and the capturing clock path cannot be late and early at once on the pins "
    "that both pass.  So every slack is credited with the difference of late and early arrival "
    "at the last common pin.  This includes slacks of paths through latches and of pins inside "
    "the design, widths of pulses, skews between clock pins of a cell, and least periods.  If "
    "clock paths part and meet again, paths downstream of the place where they meet have the "
    "credit of the pin where they part.  The clock path of a delay at a port leads to the "
    "reference pin, or for a propagated generated clock to its source.",
    "set_common_path_credit on -edges any\n" },
  { "set_inout_paths", "timing", "set whether paths from an inout pin back into its own cell are "
                                 "timed",
    inout_options, run_set_inout_paths, CMD_CHANGES,
    "A pad cell that drives its inout pin also reads it, so data comes back through the cell's "
    "own receiver. Such a path is false if the two directions are used in turn, and it is not "
    "timed by default. Data from another driver of the net, or from a port, and data that starts "
    "at the pin (a clock, an input delay, a path delay) always continues into the cell.",
    "set_inout_paths on\nreport_wns\nset_inout_paths off\n" },
  { "set_default_arcs", "timing",
    "set when arcs without a condition count beside conditional ones",
    default_arcs_options, run_set_default_arcs, CMD_CHANGES,
    "A library may give an arc several times: with conditions (when), and once without a "
    "condition, for all other cases.  These arcs are siblings: they are between the same pins, of "
    "one type, and for the same edges of the output.  otherwise: the arc without a condition "
    "counts unless constants make the condition of a sibling true.  always: it counts in every "
    "case, which may be pessimistic.  never: it does not count if it has siblings.  The same "
    "holds for checks.",
    "set_default_arcs always\nreport_wns\nset_default_arcs otherwise\n" },
  { "set_engine_option", "timing", "set or list options of the CUDA engine",
    engine_options, run_set_engine_option, CMD_REDIRECT | CMD_CHANGES,
    "A change takes effect at the next update.  schedule: net has one thread for each net; pin "
    "spreads arcs and loads over lanes; cte has blocks of threads that share the arcs of their "
    "nets; auto is the fastest.  graph: on captures the kernels of an update once and runs them "
    "as one CUDA graph; off starts them one by one.  narrow_level: with schedule pin, "
    "consecutive levels with at most N timing edges share one kernel, in which a few blocks of "
    "threads wait for each other; 0 gives each level its own kernel.  device: number of the "
    "device, like the program's option -device.  least_pins: with -engine auto, designs with at "
    "least N pins are timed on a device; for smaller designs set-up and copies take as long as "
    "the CPU does.  least_paths: searches for at least N paths (report_timing, get_timing_paths) "
    "run on the device.  Results are the same bytes with all values.",
    "set_engine_option schedule pin\nset_engine_option\n" },
  { "write_timing_tables", "timing", "write tables of all pins, endpoints and arcs",
    tables_options, run_write_timing_tables, CMD_NEEDS_DESIGN,
    "It writes pins.tsv.gz, endpoints.tsv.gz and arcs.tsv.gz: tab-separated, gzipped, with times "
    "in seconds, and slacks of endpoints in the user's unit.  pins.tsv.gz also has the level of "
    "each pin in the graph.  With several scenarios each place has the worst value of all, and "
    "arcs have the delays of each scenario, in the order of scenarios.  If sigma counts "
    "(set_ocv_options -mode normal), the early and late standard "
    "deviations of each arc follow its delays.  Inside the network of an ideal clock, required "
    "times and slacks include the delay of the network, as in tables of other timers.  Slacks of "
    "properties and report_slacks are those of paths and do not include it.",
    "write_timing_tables tables\n" },
  { 0 }
};
