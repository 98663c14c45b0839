/* Commands that report limits, pulse widths and violations. */
#include <string.h>

#include "tclbind/args.h"
#include "cmd/report/cmd_report.h"
#include "report/report_limits.h"

/* --- which kinds ------------------------------------------------------------------------------ */
/* Options that choose kinds; several may name one. */
static const struct { const char *option; uint32_t kinds;
} kind_options[] = { { "-max_delay", 1u << CONSTRAINT_MAX_DELAY },
                     { "-min_delay", 1u << CONSTRAINT_MIN_DELAY },
                     { "-recovery", 1u << CONSTRAINT_RECOVERY },
                     { "-removal", 1u << CONSTRAINT_REMOVAL },
                     { "-clock_gating_setup", 1u << CONSTRAINT_GATING_SETUP },
                     { "-clock_gating_hold", 1u << CONSTRAINT_GATING_HOLD },
                     { "-data_setup", 1u << CONSTRAINT_DATA_SETUP },
                     { "-data_hold", 1u << CONSTRAINT_DATA_HOLD },
                     { "-nochange",
                       1u << CONSTRAINT_NOCHANGE_SETUP | 1u << CONSTRAINT_NOCHANGE_HOLD },
                     { "-min_pulse_width", 1u << CONSTRAINT_PULSE_WIDTH },
                     { "-min_period", 1u << CONSTRAINT_MIN_PERIOD },
                     { "-max_skew", 1u << CONSTRAINT_MAX_SKEW },
                     { "-max_transition", 1u << CONSTRAINT_MAX_SLEW },
                     { "-min_transition", 1u << CONSTRAINT_MIN_SLEW },
                     { "-max_slew", 1u << CONSTRAINT_MAX_SLEW },
                     { "-min_slew", 1u << CONSTRAINT_MIN_SLEW },
                     { "-max_capacitance", 1u << CONSTRAINT_MAX_CAP },
                     { "-min_capacitance", 1u << CONSTRAINT_MIN_CAP },
                     { "-max_fanout", 1u << CONSTRAINT_MAX_FANOUT },
                     { "-min_fanout", 1u << CONSTRAINT_MIN_FANOUT },
                     { "-max_area", 1u << CONSTRAINT_MAX_AREA } };
enum { KIND_OPTIONS = sizeof kind_options / sizeof *kind_options };

#define OPTIONS_KIND                                                                              \
  { "-max_delay", ARG_FLAG, .help = "setup, output delays, latches, maximum delays" },            \
  { "-min_delay", ARG_FLAG, .help = "hold, output delays, minimum delays" },                      \
  { "-recovery", ARG_FLAG, .help = "recovery" }, { "-removal", ARG_FLAG, .help = "removal" },     \
  { "-clock_gating_setup", ARG_FLAG, .help = "setup of clock gates" },                            \
  { "-clock_gating_hold", ARG_FLAG, .help = "hold of clock gates" },                              \
  { "-data_setup", ARG_FLAG, .help = "setup between data pins" },                                 \
      { "-data_hold", ARG_FLAG, .help = "hold between data pins" },                               \
  { "-nochange", ARG_FLAG, .help = "data that must not change during a pulse" },                  \
  { "-min_pulse_width", ARG_FLAG, .help = "widths of clock pulses" },                             \
      { "-min_period", ARG_FLAG, .help = "periods of clocks" },                                   \
  { "-max_skew", ARG_FLAG, .help = "skews between two pins of a cell" },                          \
  { "-max_transition", ARG_FLAG, .help = "longest transitions" },                                 \
      { "-min_transition", ARG_FLAG, .help = "shortest transitions" },                            \
  { "-max_slew", ARG_FLAG, .flags = OPT_HIDDEN }, { "-min_slew", ARG_FLAG, .flags = OPT_HIDDEN }, \
  { "-max_capacitance", ARG_FLAG, .help = "largest loads" },                                      \
      { "-min_capacitance", ARG_FLAG, .help = "smallest loads" },                                 \
  { "-max_fanout", ARG_FLAG, .help = "largest fan-out" },                                         \
      { "-min_fanout", ARG_FLAG, .help = "smallest fan-out" },                                    \
  { "-max_area", ARG_FLAG, .help = "area of the design" }

#define KINDS_PLACE (OBJS_PORT_PIN | OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET))

/* None means all. */
static uint32_t kinds_of(const Args *a)
{
  uint32_t kinds = 0;
  for (int i = 0; i < KIND_OPTIONS; i++)
    if (args_flag(a, kind_options[i].option)) kinds |= kind_options[i].kinds;
  return kinds ? kinds : (1u << CONSTRAINT_COUNT) - 1;
}

/* --- where ------------------------------------------------------------------------------------ */
static void mark_pins(const Netlist *n, Object o, uint8_t *marks)
{
  if (o.type == OBJ_CELL) {
    const Inst *inst = &n->insts.at[o.id];
    for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++) marks[p] = 1;
  } else if (o.type == OBJ_NET) {
    NetPins it = net_pins(n, n->segs.at[o.id].net, false);
    for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) marks[p] = 1;
  } else {
    marks[o.id] = 1;
  }
}

/* The pins of the options' objects, one mark each; NULL when none were given. */
static uint8_t *place_of(const Session *s, const Args *a, const char *const *options)
{
  uint8_t *marks = NULL;
  for (; *options; options++) {
    uint32_t count;
    if (!args_given(a, *options)) continue;
    const Object *objects = args_objects(a, *options, 0, &count);
    if (marks == NULL) marks = mem_alloc_zero((size_t)s->netlist->pins.len + 1, 1);
    for (uint32_t i = 0; i < count; i++) mark_pins(s->netlist, objects[i], marks);
  }
  return marks;
}

/* --- reports ---------------------------------------------------------------------------------- */
static void write_text(void *data, const char *text, size_t length)
{
  text_add(data, text, length);
}

static Status run_report(Session *s, Args *a, ConstraintReport *report, const char *const *places)
{
  Text out = { 0 };
  int most = args_given(a, "-max_count") ? args_int(a, "-max_count") : 0;
  Timing *t = session_timing(s, true);
  if (t == NULL) return FAILED;
  Sheet sheet = report_sheet(s, a, &out);
  PathReport paths = { .t = t,
                       .units = &s->units,
                       .separator = s->separator,
                       .digits = sheet.digits,
                       .format = PATH_FULL,
                       .split = true,
                       .threads = s->threads,
                       .write = write_text,
                       .data = &out };
  uint8_t *marks = place_of(s, a, places);
  report->query.pins = marks;
  report->most = (uint32_t)most;
  report->verbose = args_flag(a, "-verbose");
  report->paths = &paths;
  report_constraints(&sheet, t, report);
  mem_free(marks);
  report_finish(a, &out);
  return OK;
}

static const Option constraint_options[] = {
  { "-violators", ARG_FLAG, .help = "list violations" },
  { "-all_violators", ARG_FLAG, .flags = OPT_HIDDEN },
  { "-all", ARG_FLAG, .help = "list all results" },
  { "-verbose", ARG_FLAG, .help = "report each in full: paths of endpoints, edges of pulses" },
  { "-format", ARG_ENUM, .value = "table|end|slack_only",
    .help = "slack_only: the worst slack of each constraint" },
  { "-max_count", ARG_INT, .value = "N", .help = "largest number of results for each constraint; "
                                                 "0 means all",
    AT_LEAST(0) },
  { "-of_objects", ARG_OBJECTS, .value = "objects", .kinds = KINDS_PLACE,
    .help = "only at these pins, ports, cells or nets" },
  { "-net", ARG_OBJECTS, .value = "nets", .kinds = OBJ_BIT(OBJ_NET), .flags = OPT_HIDDEN },
  OPTIONS_KIND,
  OPTIONS_SCENE,
  OPTION_DIGITS,
  { "-no_line_splits", ARG_FLAG, .flags = OPT_HIDDEN },
  { "-nosplit", ARG_FLAG, .flags = OPT_HIDDEN },
  { 0 }
};

static Status run_report_constraints(Session *s, Args *a)
{
  static const char *const places[] = { "-of_objects", "-net", NULL };
  ConstraintReport r = { .query = { .kinds = kinds_of(a) },
                         .slack_only = args_enum(a, "-format") == 2 };
  if (args_flag(a, "-violators") || args_flag(a, "-all_violators")) r.list = CONSTRAINTS_VIOLATORS;
  else if (args_flag(a, "-all") || args_flag(a, "-verbose") || args_given(a, "-max_count"))
    r.list = CONSTRAINTS_ALL;
  return run_report(s, a, &r, places);
}

static const Option pulse_options[] = {
  { "-violators", ARG_FLAG, .help = "only widths that are violated" },
  { "-verbose", ARG_FLAG, .help = "each in full" },
  { "-max_count", ARG_INT, .value = "N", .help = "largest number of results; 0 "
                                                 "means all", AT_LEAST(0) },
  OPTIONS_SCENE,
  OPTION_DIGITS,
  { "objects", ARG_OBJECTS, .kinds = KINDS_PLACE, .flags = OPT_REST,
    .help = "pins, ports, cells or nets; default: all" },
  { 0 }
};

static Status run_report_pulse_width(Session *s, Args *a)
{
  static const char *const places[] = { "objects", NULL };
  ConstraintReport r = { .query = { .kinds = 1u << CONSTRAINT_PULSE_WIDTH },
    .list = args_flag(a, "-violators") ? CONSTRAINTS_VIOLATORS : CONSTRAINTS_ALL };
  return run_report(s, a, &r, places);
}

static const Option violating_options[] = {
  { "-all", ARG_FLAG, .help = "all checked pins, violated or not" },
  OPTIONS_KIND,
  OPTIONS_SCENARIOS,
  { 0 }
};

/* The pins of any scenario, in PinId order. */
static void mark_violating(const Session *s, const Timings *timings, const ConstraintQuery *query,
                           bool all, ObjectArray *pins)
{
  uint8_t *marks = mem_alloc_zero((size_t)s->netlist->pins.len + 1, 1);
  for (uint32_t i = 0; i < timings->len; i++) {
    array_clear(pins);
    constraint_pins(timings->at[i], query, all, pins);
    for (uint32_t k = 0; k < pins->len; k++)
      marks[pins->at[k].id] = 1 + (pins->at[k].type == OBJ_PORT);
  }
  array_clear(pins);
  for (PinId p = 0; p < s->netlist->pins.len; p++)
    if (marks[p]) array_push(pins, (Object){ marks[p] > 1 ? OBJ_PORT : OBJ_PIN, p });
  mem_free(marks);
}

static Status run_get_violating_pins(Session *s, Args *a)
{
  ObjectArray pins = { 0 };
  ScenarioIds ids = { 0 };
  Timings timings = { 0 };
  Status status = scenarios_asked(s, a, &ids);
  if (status == OK) status = session_timings(s, &ids, true, &timings);
  ConstraintQuery q = { .kinds = kinds_of(a) };
  if (status == OK) mark_violating(s, &timings, &q, args_flag(a, "-all"), &pins);
  args_return_objects(a, pins.at, pins.len);
  array_free(&pins);
  array_free(&ids);
  array_free(&timings);
  return status;
}

enum { REPORT = CMD_REDIRECT | CMD_NEEDS_DESIGN | CMD_EACH_SCENARIO };

const Command commands_report_constraint[] = {
  { "report_constraints", "reporting", "summarize or list all limits and checks",
    constraint_options, run_report_constraints, REPORT,
    "Without -violators and -all it is a table with a row for each constraint and path group: "
    "the number checked and violated, the worst slack, and the cost, which is the sum of the "
    "violations. An endpoint counts once in each of its groups, with its worst slack. Options "
    "such as -max_transition select constraints; by default all are reported.\nA pulse width is "
    "the time from the late arrival of the opening edge to the early arrival of the closing "
    "edge. A skew is the time between the nearest edges of the two clocks. Of several limits on "
    "transition, load and fan-out (of pin, cell, port, design, clock and library) the strictest "
    "counts.",
    "report_constraints\nreport_constraints -violators -max_transition "
    "-max_capacitance\nreport_constraints -max_delay -verbose -max_count 1\n" },
  { "report_pulse_width", "reporting", "report widths of clock pulses at clock pins", pulse_options,
    run_report_pulse_width, REPORT,
    "A width is the time from the late arrival of the opening edge to the early arrival of the "
    "closing edge. It is compared with the widths of the library and of set_min_pulse_width.",
    "report_pulse_width -max_count 5\n" },
  { "get_violating_pins", "queries", "pins and ports where a constraint is violated",
    violating_options, run_get_violating_pins, CMD_NEEDS_DESIGN,
    "A violation in any of the scenarios counts. The options select constraints, as in "
    "report_constraints.",
    "get_violating_pins -max_transition\n" },
  { 0 }
};
