/* Commands for annotated delays, slews and checks: files of SDF, and single values. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "tclbind/console.h"
#include "tclbind/scenarios.h"
#include "sdc/sdc_command.h"
#include "tclbind/session_timing.h"
#include "db/sdf_condition.h"
#include "update/timer.h"
#include "read/sdf/sdf.h"
#include "write/sdf_file.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0.1.0"
#endif

enum { IN_SCENARIO = CMD_NEEDS_DESIGN | CMD_NEEDS_SCENARIO | CMD_IN_SCENARIO };
#define ROW_END_SCENARIO OPTIONS_IN_SCENARIO, ROW_END

/* Each scenario has its own store. */
static Annotations *annotations_of(Session *s)
{
  return s->annotations = scenario_annotations(s->scenarios, s->scenario);
}

/* --- read_sdf --------------------------------------------------------------------------------- */
#define TYPES "min|typ|max"
static const Option read_options[] = {
  { "-path", ARG_TEXT, .value = "instance",
    .help = "hierarchical cell that the file's names are relative to" },
  { "-type", ARG_ENUM, .value = TYPES,
    .help = "member of min:typ:max for early and late analysis" },
  { "-min_type", ARG_ENUM, .value = TYPES, .help = "member for early analysis; default min" },
  { "-max_type", ARG_ENUM, .value = TYPES, .help = "member for late analysis; default max" },
  { "-cond_use", ARG_ENUM, .value = "min|max|min_max",
    .help = "for an arc without a condition in the library, use the smallest or the largest of "
            "several conditional delays, or each for its analysis" },
  { "-unescaped_dividers", ARG_FLAG,
    .help = "accepted without effect: names are found with and without escaped dividers" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "SDF file, plain or gzip" },
  OPTIONS_IN_SCENARIO,
  { 0 }
};

static Status read_options_of(Session *s, Args *a, SdfOptions *options)
{
  static const SdfCondUse uses[] = { SDF_COND_MIN, SDF_COND_MAX, SDF_COND_MIN_MAX };
  const char *path = args_text(a, "-path");
  *options = sdf_options();
  if (args_given(a, "-type"))
    options->type[EARLY] = options->type[LATE] = (SdfType)args_enum(a, "-type");
  if (args_given(a, "-min_type")) options->type[EARLY] = (SdfType)args_enum(a, "-min_type");
  if (args_given(a, "-max_type")) options->type[LATE] = (SdfType)args_enum(a, "-max_type");
  if (args_given(a, "-cond_use")) options->cond_use = uses[args_enum(a, "-cond_use")];
  if (path) options->scope = netlist_find_inst(s->netlist, TOP_INST, path, s->separator);
  if (options->scope != NO_INST
      && (options->scope == TOP_INST || !inst_is_leaf(s->netlist, options->scope)))
    return OK;
  return log_error(s->log, "CMD-029", NOWHERE, "read_sdf: there is no hierarchical cell '%s'",
                   path);
}

static Status run_read_sdf(Session *s, Args *a)
{
  double started = clock_seconds();
  const char *path = args_text(a, "file");
  SdfOptions options;
  SdfRead got;
  if (read_options_of(s, a, &options) != OK) return FAILED;
  if (read_sdf(annotations_of(s), s->netlist, path, &options, s->log, &got) != OK) return FAILED;
  if (s->timer) timer_invalidate(s->timer);
  log_sum_up(s->log);
  log_info(s->log, "FILE-100",
           "%s: %u of %u cells, %u of %u cell delays, %u of %u wire delays, %u of %u checks, %u "
           "constructs passed over (%.2f s, %.0f MB)",
           path, got.cells_found, got.cells, got.delays_used, got.delays, got.wires_used, got.wires,
           got.checks_used, got.checks, got.skipped, clock_seconds() - started,
           (double)mem_peak() / 1e6);
  return OK;
}

/* --- write_sdf -------------------------------------------------------------------------------- */
static const Option write_options[] = {
  { "-divider", ARG_ENUM, .value = "/|.", .help = "hierarchy divider; default /" },
  { "-include_typ", ARG_FLAG, .help = "write min:typ:max, with the mean as typ; else min::max" },
  { "-digits", ARG_INT, .value = "N", .preset = "3", .help = "digits after the point, 0 to 9",
    RANGE(0, 9) },
  { "-gzip", ARG_FLAG, .help = "compress the file; so does a name that ends in .gz" },
  { "-no_timestamp", ARG_FLAG, .help = "without DATE" },
  { "-no_version", ARG_FLAG, .help = "leave VERSION out" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "file to write" },
  OPTIONS_ONE_SCENARIO,
  { 0 }
};

static Status run_write_sdf(Session *s, Args *a)
{
  double started = clock_seconds();
  const char *path = args_text(a, "file");
  char date[64];
  time_t now = time(NULL);
  strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y", localtime(&now));
  SdfFileOptions o = { .divider = args_enum(a, "-divider") == 1 ? '.' : '/',
                       .digits = args_int(a, "-digits"),
                       .unit = s->units.scale[UNIT_TIME],
                       .typical = args_flag(a, "-include_typ"),
                       .gzip = args_gzip(a) };
  SdfWritten w;
  if (!args_flag(a, "-no_timestamp")) o.date = date;
  if (!args_flag(a, "-no_version")) o.version = PACKAGE_VERSION;
  if (scenarios_only_one(s, a) != OK) return FAILED;
  Timing *t = session_timing(s, true);
  if (t == NULL || write_sdf(t, path, &o, s->log, &w) != OK) return FAILED;
  log_info(s->log, "FILE-100",
           "%s: %u cells, %u cell delays, %u wire delays, %u checks, %u arcs left out that are off "
           "(%.2f s, %.0f MB)",
           path, w.cells, w.delays, w.wires, w.checks, w.off, clock_seconds() - started,
           (double)mem_peak() / 1e6);
  return OK;
}

/* --- what a command applies to ---------------------------------------------------------------- */
typedef struct {
  Session     *s;
  const char  *command;
  Annotations *annotations;
  Map         *from;         /* PinIds; NULL: any */
  const Object *to;          /* NULL: any */
  uint32_t    to_count;
  const char  *condition;    /* NULL: any */
  uint32_t    edges;         /* at the end, mask */
  uint32_t    early_late;
  uint32_t    clock_edges;   /* of checks */
  bool        remove, increment;
  float       value;
  uint32_t    done;          /* records reached */
} AnnotateCommand;

static Map *pins_of_option(const Args *a, const char *option)
{
  uint32_t count;
  const Object *objects = args_objects(a, option, 0, &count);
  if (!args_given(a, option)) return NULL;
  Map *map = map_new();
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) map_put(map, objects[i].id, 1);
  return map;
}

static void annotate_begin(AnnotateCommand *ac, Session *s, const Args *a, const char *command,
                           bool points)
{
  *ac = (AnnotateCommand){ .s = s,
                           .command = command,
                           .annotations = annotations_of(s),
                           .edges = sdc_edges(a),
                           .early_late = sdc_early_late(a),
                           .clock_edges = EDGE_BOTH };
  if (!points) return;
  ac->from = pins_of_option(a, "-from");
  if (args_given(a, "-to")) ac->to = args_objects(a, "-to", 0, &ac->to_count);
}

static bool starts_at(const AnnotateCommand *ac, PinId pin)
{
  return ac->from == NULL || map_get(ac->from, pin) != MAP_NO_VALUE;
}

/* A thousand edits are a whole update; PinIds that the timer has to look at otherwise. */
static void touch(AnnotateCommand *ac, PinId pin)
{
  enum { MANY = 1000 };
  ac->done++;
  if (ac->s->timer == NULL) return;
  if (ac->done > MANY) timer_invalidate(ac->s->timer);
  else timer_touch_pin(ac->s->timer, pin);
}

/* Puts or forgets the values of a record; their places are bits. */
static void apply(AnnotateCommand *ac, AnnotationKind kind, PinId from, PinId to, LibArcId lib,
                  uint32_t values)
{
  if (ac->remove) {
    AnnotationId id = annotations_find(ac->annotations, kind, from, to, lib);
    if (id == NO_ANNOTATION
        || !((ac->annotations->records.at[id].replaced | ac->annotations->records.at[id].added)
             & values))
      return;
    annotations_remove(ac->annotations, id, values);
  } else if (values) {
    AnnotationId id = annotations_at(ac->annotations, kind, from, to, lib);
    for (uint32_t v = 0; v < annotation_values(kind); v++)
      if (values >> v & 1) annotations_put(ac->annotations, id, v, ac->value, ac->increment);
  } else {
    return;
  }
  touch(ac, to);
}

/* With a single operating condition, early times equal the late ones. */
static void warn_single(const AnnotateCommand *ac)
{
  if (ac->s->constraints->analysis != ANALYSIS_SINGLE || ac->early_late != 1u << EARLY) return;
  log_warning(ac->s->log, "ANN-006", NOWHERE,
              "%s: -min alone has no effect in a single operating condition", ac->command);
}

static uint32_t edge_values(const AnnotateCommand *ac)
{
  uint32_t values = 0;
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (ac->early_late >> (k >> 1) & 1 && ac->edges >> (k & 1) & 1) values |= 1u << k;
  return values;
}

/* --- arcs and checks of cells ----------------------------------------------------------------- */
static uint32_t arc_values(const AnnotateCommand *ac, const LibArc *arc)
{
  uint32_t values = 0;
  for (int out = RISE; out <= FALL; out++)
    for (int in = RISE; in <= FALL; in++)
      for (int el = EARLY; el <= LATE; el++)
        if (ac->edges >> out & 1 && ac->early_late >> el & 1
            && lib_arc_input_edges(arc, out) >> in & 1)
          values |= 1u << annotation_cell_value(el, in, out);
  return values;
}

/* Takes the edges that the check has. */
static uint32_t check_values(const AnnotateCommand *ac, const LibArc *arc)
{
  uint32_t values = edge_values(ac);
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (arc->delay[k & 1] == NO_TABLE) values &= ~(1u << k);
  return values;
}

/* The instance's pin for a port of its cell or of the same cell in another library. */
static PinId pin_of(const AnnotateCommand *ac, InstId inst, PortId port)
{
  return netlist_find_pin_of(ac->s->netlist, inst, ac->s->libs->ports.at[port].name);
}

typedef bool ArcFilter(const AnnotateCommand *ac, const LibArc *arc);

static bool is_delay(const AnnotateCommand *ac, const LibArc *arc)
{
  (void)ac;
  return !arc_type_is_check((ArcType)arc->type);
}

/* The arcs of a cell that end at a pin of the instance (NO_PIN: any) and begin where the
   command says. */
static void each_cell_arc(AnnotateCommand *ac, InstId inst, CellId cell, PinId to,
                          ArcFilter *filter)
{
  const LibrarySet *libs = ac->s->libs;
  const LibCell *lib_cell = &libs->cells.at[cell];
  for (LibArcId id = lib_cell->first_arc; id < lib_cell->first_arc + lib_cell->arc_count; id++) {
    const LibArc *arc = &libs->arcs.at[id];
    if (!filter(ac, arc)) continue;
    PinId start = pin_of(ac, inst, arc->from), end = pin_of(ac, inst, arc->to);
    if (start == NO_PIN || end == NO_PIN || (to != NO_PIN && end != to) || !starts_at(ac, start))
      continue;
    if (ac->condition && !sdf_condition_is(libs, id, ac->condition)) continue;
    if (filter == is_delay) apply(ac, ANNOTATE_CELL, start, end, id, arc_values(ac, arc));
    else apply(ac, ANNOTATE_CHECK, start, end, id, check_values(ac, arc));
  }
}

/* Calls for each instance with a pin in -to, or else in -from, or for all. */
static void each_instance(AnnotateCommand *ac, const Object *pins, uint32_t count, bool ends,
                          int early_late, ArcFilter *filter)
{
  const Netlist *n = ac->s->netlist;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    InstId inst = n->pins.at[pins[i].id].inst;
    if (inst == TOP_INST || !inst_is_leaf(n, inst)) continue;
    CellId cell = n->insts.at[inst].master;
    Map *from = ac->from, *one = NULL;
    if (!ends) {
      ac->from = one = map_new();       /* each start by itself: an instance may have several of
                                          them */
      map_put(one, pins[i].id, 1);
    }
    each_cell_arc(ac, inst, early_late < 0 ? cell : library_cell_for(n->libs, cell, early_late),
                  ends ? pins[i].id : NO_PIN, filter);
    map_free(one);
    ac->from = from;
  }
}

/* --- wires ------------------------------------------------------------------------------------ */
static void each_wire(AnnotateCommand *ac, PinId pin, bool ends)
{
  const Netlist *n = ac->s->netlist;
  NetPins it = net_pins(n, netlist_pin_net(n, pin), false);
  if (!(ends ? netlist_pin_loads(n, pin) : netlist_pin_drives(n, pin))) return;
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    if (p == pin
        || !(ends ? netlist_pin_drives(n, p) && starts_at(ac, p) : netlist_pin_loads(n, p)))
      continue;
    apply(ac, ANNOTATE_WIRE, ends ? p : pin, ends ? pin : p, NO_LIB_ARC, edge_values(ac));
  }
}

/* --- finishing -------------------------------------------------------------------------------- */
static Status annotate_end(AnnotateCommand *ac, const char *what)
{
  map_free(ac->from);
  if (ac->done || ac->remove) return OK;
  return log_error(ac->s->log, "ANN-001", NOWHERE, "%s: there is no %s as the options say",
                   ac->command, what);
}

static Status read_value(Session *s, Args *a, const char *command, const char *option, float *value)
{
  Sdc x = sdc_begin(s, a, command);
  return sdc_number(&x, option, value);
}

static Status need_point(Session *s, const Args *a, const char *command)
{
  if (args_given(a, "-from") || args_given(a, "-to")) return OK;
  return log_error(s->log, "ANN-002", NOWHERE, "%s: -from, -to or both are needed", command);
}

/* --- delays ----------------------------------------------------------------------------------- */
#define ROWS_POINTS                                                        \
  { "-from", ARG_OBJECTS, .value = "pins", .kinds = OBJS_PORT_PIN,         \
    .help = "pins where the arcs or wires begin" },                        \
  { "-to", ARG_OBJECTS, .value = "pins", .kinds = OBJS_PORT_PIN,           \
    .help = "pins where the arcs or wires end" }
#define ROW_INCREMENT         \
    { "-increment", ARG_FLAG, \
    .help = "add the value to the annotated value, or to the computed value if none is annotated" }
#define ROWS_DELAY_KINDS                          \
  { "-cell", ARG_FLAG, .help = "arcs of cells" }, \
  { "-net", ARG_FLAG, .help = "wires" }
#define ROW_COND { "-cond", ARG_TEXT, .value = "condition", \
    .help = "only arcs with this condition, as SDF writes it" }

static const Option delay_options[] = {
  ROWS_DELAY_KINDS, ROWS_RISE_FALL, ROWS_MIN_MAX, ROW_INCREMENT, ROW_COND, ROWS_POINTS,
  { "delay", ARG_TIME, .flags = OPT_REQUIRED, .help = "delay" }, ROW_END_SCENARIO };

static void run_delays(AnnotateCommand *ac, const Args *a, bool cells)
{
  uint32_t count = ac->to_count;
  const Object *pins = ac->to ? ac->to : args_objects(a, "-from", 0, &count);
  if (cells) each_instance(ac, pins, count, ac->to != NULL, -1, is_delay);
  for (uint32_t i = 0; !cells && i < count && !interrupt_seen(); i++) each_wire(ac, pins[i].id,
  ac->to != NULL);
}

static Status run_set_annotated_delay(Session *s, Args *a)
{
  static const char command[] = "set_annotated_delay";
  AnnotateCommand ac;
  float value;
  bool cells = args_flag(a, "-cell");
  if (cells == args_flag(a, "-net"))
    return log_error(s->log, "ANN-003", NOWHERE, "%s: one of -cell and -net is needed", command);
  if (need_point(s, a, command) != OK || read_value(s, a, command, "delay", &value) != OK)
    return FAILED;
  annotate_begin(&ac, s, a, command, true);
  ac.value = value;
  ac.increment = args_flag(a, "-increment");
  ac.condition = args_text(a, "-cond");
  warn_single(&ac);
  run_delays(&ac, a, cells);
  return annotate_end(&ac, cells ? "cell arc" : "wire");
}

static void clear_all(Session *s, AnnotationKind kind)
{
  annotations_clear(annotations_of(s), kind);
  if (s->timer) timer_invalidate(s->timer);
}

static const Option remove_delay_options[] = {
  { "-all", ARG_FLAG, .help = "all in the design" }, ROWS_DELAY_KINDS, ROWS_POINTS, ROW_END_SCENARIO
};

static Status run_remove_annotated_delay(Session *s, Args *a)
{
  static const char command[] = "remove_annotated_delay";
  AnnotateCommand ac;
  bool cells = args_flag(a, "-cell") || !args_flag(a, "-net"),
       nets = args_flag(a, "-net") || !args_flag(a, "-cell");
  if (args_flag(a, "-all")) {
    if (cells) clear_all(s, ANNOTATE_CELL);
    if (nets) clear_all(s, ANNOTATE_WIRE);
    return OK;
  }
  if (need_point(s, a, command) != OK) return FAILED;
  annotate_begin(&ac, s, a, command, true);
  ac.edges = ac.early_late = 3;
  ac.remove = true;
  if (cells) run_delays(&ac, a, true);
  if (nets) run_delays(&ac, a, false);
  return annotate_end(&ac, "delay");
}

/* --- transitions ------------------------------------------------------------------------------ */
static const Option transition_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX, ROW_INCREMENT,
  { "transition", ARG_TIME, .flags = OPT_REQUIRED, .help = "transition time" },
  ROW_OBJECTS("pins", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"), ROW_END_SCENARIO };

static void run_transitions(AnnotateCommand *ac, const Args *a)
{
  uint32_t count;
  const Object *pins = args_objects(a, "pins", 0, &count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    if (!pin_is_hierarchical(ac->s->netlist, pins[i].id))
      apply(ac, ANNOTATE_SLEW, NO_PIN, pins[i].id, NO_LIB_ARC, edge_values(ac));
}

static Status run_set_annotated_transition(Session *s, Args *a)
{
  static const char command[] = "set_annotated_transition";
  AnnotateCommand ac;
  float value;
  if (read_value(s, a, command, "transition", &value) != OK) return FAILED;
  annotate_begin(&ac, s, a, command, false);
  ac.value = value;
  ac.increment = args_flag(a, "-increment");
  if (ac.value < 0 && !ac.increment)
    return log_error(s->log, "ANN-004", NOWHERE, "%s: a transition time is not negative", command);
  warn_single(&ac);
  run_transitions(&ac, a);
  return annotate_end(&ac, "pin of a leaf cell or port");
}

static const Option remove_transition_options[] = {
  { "-all", ARG_FLAG, .help = "all in the design" },
  ROW_OBJECTS("pins", OBJS_PORT_PIN, 0, "ports or pins"),
  ROW_END_SCENARIO
};

static Status run_remove_annotated_transition(Session *s, Args *a)
{
  AnnotateCommand ac;
  if (args_flag(a, "-all")) {
    clear_all(s, ANNOTATE_SLEW);
    return OK;
  }
  if (!args_given(a, "pins"))
    return log_error(s->log, "ANN-002", NOWHERE,
                     "remove_annotated_transition: pins or -all are needed");
  annotate_begin(&ac, s, a, "remove_annotated_transition", false);
  ac.edges = ac.early_late = 3;
  ac.remove = true;
  run_transitions(&ac, a);
  return annotate_end(&ac, "pin");
}

/* --- checks ----------------------------------------------------------------------------------- */
#define ROWS_CHECKS                                     \
  { "-setup", ARG_FLAG, .help = "setup checks" },       \
  { "-hold", ARG_FLAG, .help = "hold checks" },         \
  { "-recovery", ARG_FLAG, .help = "recovery checks" }, \
  { "-removal", ARG_FLAG, .help = "removal checks" }
static const Option check_options[] = {
  ROWS_CHECKS,
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  ROW_INCREMENT,
  ROW_COND,
  { "-clock", ARG_ENUM, .value = "rise|fall",
    .help = "only checks for this edge of the clock pin" },
  ROWS_POINTS,
  { "margin", ARG_TIME, .flags = OPT_REQUIRED, .help = "setup, hold, recovery or removal time" },
  ROW_END_SCENARIO
};

static bool meets_clock(const AnnotateCommand *ac, const LibArc *arc)
{
  return arc->edge > FALL || ac->clock_edges >> arc->edge & 1;
}
static bool is_setup(const AnnotateCommand *ac, const LibArc *arc)
{
  return (arc->type == ARC_SETUP || arc->type == ARC_NON_SEQ_SETUP) && meets_clock(ac, arc);
}
static bool is_hold(const AnnotateCommand *ac, const LibArc *arc)
{
  return (arc->type == ARC_HOLD || arc->type == ARC_NON_SEQ_HOLD) && meets_clock(ac, arc);
}
static bool is_recovery(const AnnotateCommand *ac, const LibArc *arc)
{
  return arc->type == ARC_RECOVERY && meets_clock(ac, arc);
}
static bool is_removal(const AnnotateCommand *ac, const LibArc *arc)
{
  return arc->type == ARC_REMOVAL && meets_clock(ac, arc);
}

static const struct {
  const char *option;
  ArcFilter  *filter;
  int         early_late;
} check_kinds[] = { { "-setup", is_setup, LATE },
                    { "-hold", is_hold, EARLY },
                    { "-recovery", is_recovery, LATE },
                    { "-removal", is_removal, EARLY } };

enum { CHECK_KINDS = sizeof check_kinds / sizeof *check_kinds };

static void run_checks(AnnotateCommand *ac, const Args *a)
{
  uint32_t count = ac->to_count;
  const Object *pins = ac->to ? ac->to : args_objects(a, "-from", 0, &count);
  for (int k = 0; k < CHECK_KINDS; k++)
    if (args_flag(a, check_kinds[k].option))
      each_instance(ac, pins, count, ac->to != NULL, check_kinds[k].early_late,
                    check_kinds[k].filter);
}

static bool is_check(const AnnotateCommand *ac, const LibArc *arc)
{
  return arc_type_is_check((ArcType)arc->type) && meets_clock(ac, arc);
}

/* Those that have no option are removed with the others alone. */
static void remove_checks(AnnotateCommand *ac, const Args *a)
{
  uint32_t count = ac->to_count;
  const Object *pins = ac->to ? ac->to : args_objects(a, "-from", 0, &count);
  for (int el = EARLY; el <= LATE; el++)
    each_instance(ac, pins, count, ac->to != NULL, el, is_check);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    for (int kind = ANNOTATE_WIDTH; kind <= ANNOTATE_PERIOD; kind++)
      if (starts_at(ac, pins[i].id))
        apply(ac, (AnnotationKind)kind, NO_PIN, pins[i].id, NO_LIB_ARC, edge_values(ac));
}

static uint32_t kinds_given(const Args *a)
{
  uint32_t count = 0;
  for (int k = 0; k < CHECK_KINDS; k++) count += args_flag(a, check_kinds[k].option);
  return count;
}

/* If early and late describe two different chips, a check takes only the value of its own
   analysis. */
static void warn_other_analysis(const AnnotateCommand *ac, const Args *a)
{
  for (int k = 0; k < CHECK_KINDS; k++) {
    if (!args_flag(a, check_kinds[k].option) || ac->early_late >> check_kinds[k].early_late & 1)
      continue;
    log_warning(ac->s->log, "ANN-005", NOWHERE,
                "%s: %s with %s alone has no effect where early and late are two chips",
                ac->command, check_kinds[k].option,
                check_kinds[k].early_late == LATE ? "-min" : "-max");
  }
}

static Status run_set_annotated_check(Session *s, Args *a)
{
  static const char command[] = "set_annotated_check";
  AnnotateCommand ac;
  float value;
  if (kinds_given(a) != 1)
    return log_error(s->log, "ANN-003", NOWHERE,
                     "%s: one of -setup, -hold, -recovery and -removal is needed", command);
  if (need_point(s, a, command) != OK || read_value(s, a, command, "margin", &value) != OK)
    return FAILED;
  annotate_begin(&ac, s, a, command, true);
  ac.value = value;
  ac.increment = args_flag(a, "-increment");
  ac.condition = args_text(a, "-cond");
  if (args_given(a, "-clock")) ac.clock_edges = 1u << args_enum(a, "-clock");
  if (s->constraints->analysis == ANALYSIS_BC_WC) warn_other_analysis(&ac, a);
  run_checks(&ac, a);
  return annotate_end(&ac, "check");
}

static const Option remove_check_options[] = {
  { "-all", ARG_FLAG, .help = "all in the design" }, ROWS_CHECKS, ROWS_POINTS, ROW_END_SCENARIO };

static Status run_remove_annotated_check(Session *s, Args *a)
{
  static const char command[] = "remove_annotated_check";
  AnnotateCommand ac;
  if (args_flag(a, "-all")) {
    for (int kind = ANNOTATE_CHECK; kind <= ANNOTATE_PERIOD; kind++)
      clear_all(s, (AnnotationKind)kind);
    return OK;
  }
  if (need_point(s, a, command) != OK) return FAILED;
  annotate_begin(&ac, s, a, command, true);
  ac.edges = ac.early_late = 3;
  ac.remove = true;
  if (kinds_given(a)) run_checks(&ac, a);
  else remove_checks(&ac, a);
  return annotate_end(&ac, "check");
}

/* --- rows ------------------------------------------------------------------------------------- */
#define KEEPS \
  "  Derates apply to annotated and to computed delays and checks.  A swapped cell loses the " \
  "annotation of its arcs, checks and pins; a disconnected pin loses the annotation of its wires."

const Command commands_annotate[] = {
  { "read_sdf", "files", "read delays and checks", read_options, run_read_sdf,
    IN_SCENARIO | CMD_READS,
    "Delays of arcs and wires and margins of checks replace the computed ones; slews stay "
    "computed. INCREMENT adds to the annotated value, or to the computed value if none is "
    "annotated. Names that the design does not have are counted and draw warnings. After an "
    "error in the file nothing is changed. Conditions (COND) are compared with the library's by "
    "meaning; an IOPATH without a condition applies to all arcs between its ports. With on-chip "
    "variation the larger of a check's margins for early and late analysis counts, with a single "
    "analysis the late one, else the one of the analysis that makes the check. WIDTH and PERIOD "
    "replace attributes and arcs of the library, or add a limit if the library has none. The "
    "larger of two values of a width or period counts, the smaller of a skew. RETAIN is the delay "
    "of early analysis." KEEPS,
    "write_sdf cpu.sdf\n"
    "read_sdf cpu.sdf\n" },
  { "write_sdf", "files", "write delays and checks", write_options, run_write_sdf, IN_SCENARIO,
    "Writes the delays in use, computed or annotated, without derates. min is the early delay, "
    "max the late delay. Arcs and checks with a condition (when, sdf_cond) are entries with COND; "
    "those without a condition come first. Arcs that are off (by constants, by "
    "set_disable_timing, or to cut a loop) are left out. Times are in the user's unit. Reading "
    "the file back gives the same "
    "delays and checks, to the digits written. Readers that take the larger of a check's early "
    "and late margins get the margin in use, because the other one is never larger.",
    "write_sdf -digits 4 -gzip cpu.sdf.gz\n" },
  { "set_annotated_delay", "annotation", "annotate delays of cell arcs or wires", delay_options,
    run_set_annotated_delay, IN_SCENARIO | CMD_ANNOTATES,
    "With -from alone, all arcs that begin there are annotated; with -to alone, all that end "
    "there. -rise and -fall are transitions at the end." KEEPS,
    "set gate exec/g1508\n"
    "set_annotated_delay -cell -to $gate/Y 0.12\n"
    "set_annotated_delay -net -from $gate/Y -increment 0.01\n" },
  { "set_annotated_transition", "annotation", "annotate transition times", transition_options,
    run_set_annotated_transition, IN_SCENARIO | CMD_ANNOTATES,
    "Loads inherit an annotated driver transition, unless they are annotated themselves.",
    "set_annotated_transition 0.08 exec/g1508/Y\n" },
  { "set_annotated_check", "annotation", "annotate margins of checks", check_options,
    run_set_annotated_check, IN_SCENARIO | CMD_ANNOTATES,
    "-from is the clock pin, -to the data pin. -rise and -fall are transitions of the data. With "
    "on-chip variation the larger of the margins for -min and -max counts, with a single analysis "
    "that for -max. Otherwise the margin of the analysis that makes the check counts: -max for "
    "setup and recovery, -min for hold and removal." KEEPS,
    "set_annotated_check -setup -to fetch/pc_reg_13/D 0.1\n" },
  { "remove_annotated_delay", "annotation", "remove annotated delays", remove_delay_options,
    run_remove_annotated_delay, IN_SCENARIO | CMD_ANNOTATES, "Delays are computed again.",
    "remove_annotated_delay -to exec/g1508/Y\n" },
  { "remove_annotated_transition", "annotation", "remove annotated transition times",
    remove_transition_options, run_remove_annotated_transition, IN_SCENARIO | CMD_ANNOTATES, NULL,
    "remove_annotated_transition exec/g1508/Y\n" },
  { "remove_annotated_check", "annotation", "remove annotated margins of checks",
    remove_check_options, run_remove_annotated_check, IN_SCENARIO | CMD_ANNOTATES,
    "Without a kind of check all checks lose their annotation, including widths, periods, skews "
    "and no-change checks.",
    "remove_annotated_check -all\n" },
  { 0 }
};
