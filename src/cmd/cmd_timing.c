/* Commands that run the timer and write its numbers. */
#include "tclbind/scenarios.h"
#include "write/timing_tables.h"

static const Option update_options[] = {
  { "-full", ARG_FLAG, .help = "compute everything anew, whatever is up to date" },
  OPTIONS_SCENARIOS,
  { 0 }
};

static Status run_update_timing(Session *s, Args *a)
{
  ScenarioIds ids = { 0 };
  Timings timings = { 0 };
  Status status = scenarios_asked(s, a, &ids);
  for (uint32_t i = 0; i < ids.len && status == OK && args_flag(a, "-full"); i++) {
    Timer *t = session_timer_of(s, ids.at[i]);
    if (t) timer_invalidate(t);
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
    .help = "which pins count: passed with any edges (the default), or with the same ones" },
  { "-drivers_only", ARG_FLAG,
    .help = "a register's own clock pin does not count where it launches and captures, but the "
            "driver before it" },
  { "-required", ARG_ENUM, .value = "paths|ends|launches", .preset = "paths",
    .help = "slacks inside the design: of the worst path through the "
            "pin (the default); by required times that go back from the end points, each with the "
            "credit by which its worst slack gains; or back by those launches "
            "alone that no other one is worse than whatever its credit, as in timers that drop the "
            "others on the way" },
  { "state", ARG_ENUM, .value = "on|off", .flags = OPT_REQUIRED,
    .help = "whether slacks have the credit (they do unless told otherwise)" },
  { 0 }
};

static Status run_set_common_path_credit(Session *s, Args *a)
{
  s->common.off = args_enum(a, "state") == 1;
  s->common.same_transition = args_enum(a, "-edges") == 1;
  s->common.drivers_only = args_flag(a, "-drivers_only");
  s->common.required = (uint8_t)args_enum(a, "-required");
  for (uint32_t i = 0; i < s->timers.len; i++)
    if (s->timers.at[i]) timer_set_common(s->timers.at[i], session_common_options(s));
  return OK;
}

static const Option inout_options[] = {
  { "state", ARG_ENUM, .value = "on|off", .flags = OPT_REQUIRED,
    .help = "whether such paths are timed (they are not unless told otherwise)" },
  { 0 }
};

/* Graphs are compiled with it, so all of them go. */
static Status run_set_inout_paths(Session *s, Args *a)
{
  bool on = args_enum(a, "state") == 0;
  if (s->rules.inout_paths != on) session_drop_timer(s);
  s->rules.inout_paths = on;
  return OK;
}

static const Option default_arcs_options[] = {
  { "where", ARG_ENUM, .value = "otherwise|always|never", .flags = OPT_REQUIRED,
    .help = "where no sibling's condition is true for good (so unless told otherwise), everywhere, "
            "or nowhere" },
  { 0 }
};

static Status run_set_default_arcs(Session *s, Args *a)
{
  static const uint8_t rules[] = { DEFAULT_ARCS_OTHERWISE, DEFAULT_ARCS_ALWAYS,
                                   DEFAULT_ARCS_NEVER };
  uint8_t rule = rules[args_enum(a, "where")];
  if (s->rules.default_arcs != rule) session_drop_timer(s);
  s->rules.default_arcs = rule;
  return OK;
}

static const Option engine_options[] = {
  { "name", ARG_TEXT, .value = "name",
    .help = "schedule, graph, narrow_level, device, least_pins or least_paths; all options are "
            "listed when left out" },
  { "value", ARG_TEXT, .value = "value",
    .help = "what it shall be; the option is listed when left out" },
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
    .help = "where the tables go; made when it does not exist" },
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
  { "update_timing", "timing", "bring arrivals, required times and slacks up to date",
    update_options, run_update_timing, CMD_NEEDS_DESIGN,
    "Reports do so by themselves, in the scenarios that they show; the command is for scripts that "
    "want the time spent at a known place.",
    "update_timing\n" },
  { "set_delay_model", "timing", "choose the delay model", model_options, run_set_delay_model,
    CMD_CHANGES,
    DELAY_MODEL_TEXTS,
    "set_delay_model ceff\n" },
  { "set_common_path_credit", "timing",
    "choose what of common clock paths slacks are credited "
    "for",
    common_options, run_set_common_path_credit, CMD_CHANGES,
    "A launching and a capturing clock path cannot be late and early at once on the pins that both "
    "pass.  Every slack is credited with the "
    "difference of late and early arrival at the last of those pins; so are slacks of paths "
    "through latches and of pins inside the "
    "design, widths of pulses, skews between clock pins of a cell and least periods.  Where clock "
    "paths part and meet again, the pin where they part counts for paths that leave the loop.  A "
    "delay at a port by a "
    "propagated generated clock, or with -reference_pin, has the clock path to where it counts "
    "from.",
    "set_common_path_credit on -edges any\n" },
  { "set_inout_paths", "timing", "time paths that turn back at an inout pin into its own cell",
    inout_options, run_set_inout_paths, CMD_CHANGES,
    "A pad cell that drives its inout pin reads it as well: data then comes back by the cell's "
    "own receiver. Such a path is false where the two directions are used in turn, and is left "
    "out. What comes to the pin from another driver of its net, or from a port, and what starts "
    "at the pin itself (a clock, an input delay, a path delay) goes on into the cell either way.",
    "set_inout_paths on\nreport_wns\nset_inout_paths off\n" },
  { "set_default_arcs", "timing",
    "choose where arcs without a condition count beside conditional "
    "ones",
    default_arcs_options, run_set_default_arcs, CMD_CHANGES,
    "A library may give an arc several times: with conditions (when), and once without, for the "
    "rest.  Where constants make one of the conditions "
    "true, the arc without is not meant, and arrivals pass over the conditional one alone.  So do "
    "checks.  Siblings are arcs between the same pins, of one type, "
    "for the same edges of the output.  always: the arc without condition counts as well, which "
    "may be pessimistic.  never: it does not count "
    "where it has siblings at all.",
    "set_default_arcs always\nreport_wns\nset_default_arcs otherwise\n" },
  { "set_engine_option", "timing", "choose how the CUDA engine works, or list the choices",
    engine_options, run_set_engine_option, CMD_REDIRECT,
    "A change counts from the next update on.  schedule: net is one thread a net, pin spreads arcs "
    "and loads over lanes, cte has blocks of "
    "threads share the arcs of their nets, auto is the fastest one.  "
    "graph: on captures an update's launches once and runs them as one graph, off launches them "
    "one by one.  narrow_level: a level of so many "
    "timing edges or fewer is too little for a launch of its own, so with schedule pin a few "
    "blocks of threads that wait for each other work out a run of such "
    "levels; 0: none.  device: which of several, as "
    "the program's option -device.  least_pins: with -engine auto, designs of so many pins and "
    "more are timed on a device where there is one; below, "
    "setting it up and copying to and fro takes as long as the CPU does.  least_paths: searches "
    "for so many paths and more (report_timing, "
    "get_timing_paths) run on the device as well.  Results are the same bytes with every choice.",
    "set_engine_option schedule pin\nset_engine_option\n" },
  { "write_timing_tables", "timing", "write tables of all pins, end points and arcs",
    tables_options, run_write_timing_tables, CMD_NEEDS_DESIGN,
    "Writes pins.tsv.gz, endpoints.tsv.gz and arcs.tsv.gz: tab-separated, gzipped, times in "
    "seconds (end points in the user's unit).  Of several "
    "scenarios: in each place the worst of all, and for arcs the delays in each, in the scenarios' "
    "order.  Where sigma counts (set_ocv_options "
    "-mode normal) each arc has its standard deviations, early and late, in each scenario behind "
    "its delays.  Inside an ideal clock's network "
    "required times and slacks count the network's delay, as tables of other timers do; those of "
    "properties and report_slacks are those of the "
    "paths, which do not.",
    "write_timing_tables tables\n" },
  { 0 }
};
