/* Constraint commands: path exceptions and path groups. */
#include <assert.h>
#include <math.h>

#include "base/interrupt.h"
#include "tclbind/object_value.h"
#include "sdc/sdc_command.h"

static void copy_objects(ExceptionPoint *point, const Object *objects, uint32_t count)
{
  array_reserve(&point->objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) array_push(&point->objects, objects[i]);
}

static const uint8_t edges_of_way[] = { EDGE_BOTH, EDGE_RISE, EDGE_FALL };

/* One of -from, -rise_from, -fall_from (or of -to ...). */
static Status read_end(Sdc *sdc, const char *const names[3], bool *has, ExceptionPoint *point)
{
  for (int way = 0; way < 3; way++) {
    uint32_t count;
    if (!args_given(sdc->a, names[way])) continue;
    if (*has)
      return log_error(sdc->s->log, "SDC-041", sdc->where,
                       "%s: only one of %s, %s and %s may be given", sdc->command, names[0],
                       names[1], names[2]);
    const Object *objects = sdc_objects(sdc, names[way], &count);
    *has = true;
    point->edges = edges_of_way[way];
    assert(count);
    sdc_warn_nothing_behind(sdc, objects, count);
    copy_objects(point, objects, count);
  }
  return OK;
}

static void read_through(Sdc *sdc, Exception *exception)
{
  const char *name;
  uint32_t position = 0, use, count;
  while (args_next_of(sdc->a, "-through,-rise_through,-fall_through", &position, &name, &use)) {
    const Object *objects = args_objects(sdc->a, name, use, &count);
    ExceptionPoint p = { .edges = name[1] == 'r'   ? EDGE_RISE
                                  : name[1] == 'f' ? EDGE_FALL
                                                   : EDGE_BOTH };
    assert(count);
    copy_objects(&p, objects, count);
    array_push(&exception->through, p);
  }
}

static Status read_paths(Sdc *sdc, Exception *exception)
{
  static const char *const from[] = { "-from", "-rise_from", "-fall_from" }, *const to[] = {
    "-to", "-rise_to", "-fall_to"
  };
  *exception = (Exception){ .checks = 1 << SETUP | 1 << HOLD,
                            .end_edges = EDGE_BOTH,
                            .from.edges = EDGE_BOTH,
                            .to.edges = EDGE_BOTH,
                            .weight = NAN,
                            .critical_range = NAN };
  if (read_end(sdc, from, &exception->has_from, &exception->from) != OK
      || read_end(sdc, to, &exception->has_to, &exception->to) != OK)
    return FAILED;
  read_through(sdc, exception);
  exception->comment = sdc_name(sdc, "-comment");
  exception->file = sdc_file(sdc);
  exception->line = sdc->where.line;
  return OK;
}

/* -rise_to with -fall: no path has both edges at its end.  Of a clock -rise_to is the edge that
   captures, whatever the data does. */
static bool edges_are_opposed(Sdc *sdc, const Exception *exception)
{
  if (!exception->has_to || exception->to.edges & exception->end_edges) return false;
  for (uint32_t i = 0; i < exception->to.objects.len; i++)
    if (exception->to.objects.at[i].type == OBJ_CLOCK) return false;
  sdc_warn_opposed_edges(sdc, exception->to.edges);
  return true;
}

static bool speaks_of_all(const Exception *exception)
{
  return !exception->has_from && !exception->has_to && exception->through.len == 0;
}

/* Takes over the lists of the exception. */
static void store(Sdc *sdc, Exception *exception)
{
  if (args_flag(sdc->a, "-reset_path")) {
    exception->reset_path = true;
    constraints_reset_paths(sdc->c, exception);
  }
  *constraints_add_exception(sdc->c, (ExceptionType)exception->type) = *exception;
  *exception = (Exception){ 0 };
}

/* --- false paths, delays, margins ------------------------------------------------------------- */

typedef Status (*ReadMore)(Sdc *sdc, Exception *exception);

static Status check_paths(Sdc *sdc, const Exception *exception, bool needs_path)
{
  if (!speaks_of_all(exception)) return OK;
  if (needs_path)
    return log_error(sdc->s->log, "SDC-042", sdc->where, "%s: none of -from, -through and -to",
                     sdc->command);
  log_warning(sdc->s->log, "SDC-043", sdc->where,
              "%s: without -from, -through and -to it speaks of every path", sdc->command);
  return OK;
}

/* All that -from or -to named was left out, and a warning has said so. */
static bool lacks_ends(const Exception *exception)
{
  return (exception->has_from && exception->from.objects.len == 0)
         || (exception->has_to && exception->to.objects.len == 0);
}

static Status read_exception(Sdc *sdc, ExceptionType type, ReadMore more, bool needs_path)
{
  Exception e;
  Status status = read_paths(sdc, &e);
  e.type = (uint8_t)type;
  e.end_edges = (uint8_t)sdc_edges(sdc->a);
  if (status == OK) status = check_paths(sdc, &e, needs_path);
  if (status == OK) status = more(sdc, &e);
  if (status == OK && !lacks_ends(&e) && !edges_are_opposed(sdc, &e)) store(sdc, &e);
  exception_clear(&e);
  return status;
}

static Status more_of_false_path(Sdc *sdc, Exception *exception)
{
  exception->checks = (uint8_t)sdc_checks(sdc->a);
  return OK;
}

static Status run_set_false_path(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_false_path");
  bool narrowed = args_flag(a, "-setup") || args_flag(a, "-hold") || args_flag(a, "-rise")
                  || args_flag(a, "-fall");
  return read_exception(&x, EXC_FALSE, more_of_false_path, !narrowed);
}

/* Removes hierarchical cells from an end's objects.  Returns how many there were; *first: one of
   them. */
static uint32_t leave_out_blocks(const Sdc *sdc, ExceptionPoint *point, Object *first)
{
  uint32_t kept = 0, count = point->objects.len;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    Object o = point->objects.at[i];
    if (o.type == OBJ_CELL && !inst_is_leaf(sdc->c->netlist, o.id)) *first = o;
    else point->objects.at[kept++] = o;
  }
  point->objects.len = kept;
  return count - kept;
}

/* A path delay makes paths start and end where it says so, and a block says no such places. */
static void leave_out_ends(Sdc *sdc, Exception *exception)
{
  Object first = { OBJ_NONE, 0 };
  uint32_t left_out = leave_out_blocks(sdc, &exception->from, &first)
                      + leave_out_blocks(sdc, &exception->to, &first);
  if (left_out == 0) return;
  Text name = { 0 };
  object_name(sdc->s, first, &name);
  if (left_out > 1) text_printf(&name, " and %u more", left_out - 1);
  log_warning(
      sdc->s->log, "SDC-129", sdc->where,
      "%s: %s: paths of a delay neither start nor end at a hierarchical cell, which is left out; "
      "expected ports, pins, clocks or leaf cells",
      sdc->command, text_get(&name));
  text_free(&name);
}

static Status more_of_delay(Sdc *sdc, Exception *exception)
{
  float value;
  leave_out_ends(sdc, exception);
  if (sdc_number(sdc, "delay", &value) != OK) return FAILED;
  exception->delay = args_number(sdc->a, "delay");
  exception->checks = exception->type == EXC_MAX_DELAY ? 1 << SETUP : 1 << HOLD;
  exception->ignore_clock_latency = args_flag(sdc->a, "-ignore_clock_latency");
  exception->probe = args_flag(sdc->a, "-probe");
  return OK;
}

static Status run_set_max_delay(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_max_delay");
  return read_exception(&x, EXC_MAX_DELAY, more_of_delay, false);
}

static Status run_set_min_delay(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_min_delay");
  return read_exception(&x, EXC_MIN_DELAY, more_of_delay, false);
}

static Status more_of_margin(Sdc *sdc, Exception *exception)
{
  float value;
  if (sdc_number(sdc, "margin", &value) != OK) return FAILED;
  exception->delay = args_number(sdc->a, "margin");
  exception->checks = (uint8_t)sdc_checks(sdc->a);
  return OK;
}

static Status run_set_path_margin(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_path_margin");
  return read_exception(&x, EXC_PATH_MARGIN, more_of_margin, false);
}

/* --- multicycle paths ------------------------------------------------------------------------- */

static Status read_side(Sdc *sdc, Exception *exception)
{
  bool start = args_flag(sdc->a, "-start"), end = args_flag(sdc->a, "-end");
  if (start && end)
    return log_error(sdc->s->log, "SDC-044", sdc->where, "%s: -start and -end exclude each other",
                     sdc->command);
  exception->cycles_clock_given = start || end;
  exception->cycles_of_start = start;
  return OK;
}

/* Negative multipliers make sense only for hold: -1 is the cycle of the launching edge if the setup
   check is at the same edge. */
static Status check_cycles(Sdc *sdc, int cycles)
{
  if (cycles >= 0 || sdc_checks(sdc->a) == 1 << HOLD) return OK;
  return log_error(
      sdc->s->log, "SDC-047", sdc->where,
      "%s: %d cycles for setup, expected 0 or more (only -hold takes a negative number)",
      sdc->command, cycles);
}

/* By default a setup multiplier counts cycles of the end clock, a hold multiplier those of the
   start clock. */
static void store_cycles(Sdc *sdc, const Exception *exception, int check, int cycles)
{
  Exception copy = exception_copy(exception);
  copy.checks = (uint8_t)(1 << check);
  copy.cycles = cycles;
  if (!copy.cycles_clock_given) copy.cycles_of_start = check == HOLD;
  store(sdc, &copy);
}

/* Without -setup and -hold the multiplier is for setup and hold gets 0: the edge before the new
   setup edge. */
static Status run_set_multicycle_path(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_multicycle_path");
  Exception e;
  int cycles = args_int(a, "path_multiplier");
  uint32_t checks = sdc_checks(a);
  Status status = read_paths(&x, &e);
  e.type = EXC_MULTICYCLE;
  e.end_edges = (uint8_t)sdc_edges(a);
  if (status == OK) status = check_paths(&x, &e, false);
  if (status == OK) status = read_side(&x, &e);
  if (status == OK) status = check_cycles(&x, cycles);
  if (status == OK && !edges_are_opposed(&x, &e)) {
    if (checks >> SETUP & 1) store_cycles(&x, &e, SETUP, cycles);
    if (checks >> HOLD & 1) store_cycles(&x, &e, HOLD, checks >> SETUP & 1 ? 0 : cycles);
  }
  exception_clear(&e);
  return status;
}

/* --- groups ----------------------------------------------------------------------------------- */

static Status read_group(Sdc *sdc, Exception *exception)
{
  if (read_paths(sdc, exception) != OK) return FAILED;
  exception->type = EXC_GROUP;
  exception->group = args_flag(sdc->a, "-default") ? NO_NAME : sdc_name(sdc, "-name");
  if (args_given(sdc->a, "-weight")
      && sdc_number_not_negative(sdc, "-weight", &exception->weight) != OK)
    return FAILED;
  if (args_given(sdc->a, "-critical_range")
      && sdc_number_not_negative(sdc, "-critical_range", &exception->critical_range) != OK)
    return FAILED;
  if (args_flag(sdc->a, "-default") == (args_text(sdc->a, "-name") != NULL))
    return log_error(sdc->s->log, "SDC-045", sdc->where, "%s: expected either -name or -default",
                     sdc->command);
  bool optimising = !isnan(exception->weight) || !isnan(exception->critical_range);
  if (optimising && !speaks_of_all(exception))
    log_warning(sdc->s->log, "SDC-046", sdc->where,
                "%s: a weight or range is for optimisation; it is kept, without effect on timing",
                sdc->command);
  if (!speaks_of_all(exception)) return OK;
  if (!optimising)
    return log_error(sdc->s->log, "SDC-042", sdc->where, "%s: none of -from, -through and -to",
                     sdc->command);
  log_warning(sdc->s->log, "SDC-046", sdc->where, "%s: a weight or range without paths is not used",
              sdc->command);
  return OK;
}

static Status run_group_path(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "group_path");
  Exception e;
  Status status = read_group(&x, &e);
  if (status == OK && !speaks_of_all(&e)) {
    *constraints_add_exception(x.c, EXC_GROUP) = e;
    e = (Exception){ 0 };
  }
  exception_clear(&e);
  return status;
}

/* --- removal ---------------------------------------------------------------------------------- */

static Status run_unset_path_exceptions(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_path_exceptions");
  Exception e;
  Status status = read_paths(&x, &e);
  e.checks = (uint8_t)sdc_checks(a);
  e.end_edges = (uint8_t)sdc_edges(a);
  if (status == OK) status = check_paths(&x, &e, true);
  if (status == OK && !edges_are_opposed(&x, &e)) constraints_reset_paths(x.c, &e);
  exception_clear(&e);
  return status;
}

/* --- rows ------------------------------------------------------------------------------------- */

#define ROW_PATH_END(name_, text) { name_, ARG_OBJECTS, .value = "objects", \
    .kinds = OBJS_PATH_END, .help = text }
#define ROW_THROUGH(name_, text)                                                        \
  { name_, ARG_OBJECTS, .value = "objects", .kinds = OBJS_THROUGH, .flags = OPT_REPEAT, \
      .help = text }
#define ROWS_PATH                                                                                \
  ROW_PATH_END("-from",                                                                          \
      "paths that start here: clocks, ports, pins or cells (a hierarchical cell stands for all " \
      "inside)"),                                                                                \
  ROW_PATH_END("-rise_from", "as -from, rising"),                                                \
      ROW_PATH_END("-fall_from", "as -from, falling"),                                           \
  ROW_THROUGH("-through",                                                                        \
      "paths through one of these ports, pins, cells or nets; several -through are passed in "   \
      "order"),                                                                                  \
  ROW_THROUGH("-rise_through", "as -through, rising"),                                           \
      ROW_THROUGH("-fall_through", "as -through, falling"),                                      \
  ROW_PATH_END("-to", "paths that end here: clocks, ports, pins or cells (a hierarchical cell "  \
                      "stands for all inside)"),                                                 \
  ROW_PATH_END("-rise_to", "as -to, rising"), ROW_PATH_END("-fall_to", "as -to, falling")
#define ROWS_END_EDGES                                             \
  { "-rise", ARG_FLAG, .help = "rising edges at endpoints only" }, \
      { "-fall", ARG_FLAG, .help = "falling edges at endpoints only" }
#define ROW_RESET { "-reset_path", ARG_FLAG, \
    .help = "first remove these paths from earlier exceptions" }

static const Option set_false_path_options[] = {
  ROWS_SETUP_HOLD, ROWS_END_EDGES, ROW_RESET, ROW_COMMENT, ROWS_PATH, ROW_END };

static const Option set_delay_options[] = {
  ROWS_END_EDGES,
  { "-ignore_clock_latency", ARG_FLAG, .help = "ignore clock latencies" },
  ROW_RESET,
  { "-probe", ARG_FLAG, .help = "do not cut paths at pins inside them" },
  ROW_COMMENT,
  ROWS_PATH,
  { "delay", ARG_TIME, .value = "delay", .flags = OPT_REQUIRED,
    .help = "limit of the delay" },
  ROW_END
};

static const Option set_path_margin_options[] = {
  ROWS_SETUP_HOLD, ROWS_END_EDGES, ROW_COMMENT, ROWS_PATH,
  { "margin", ARG_TIME, .value = "margin", .flags = OPT_REQUIRED, .help =
      "time that is subtracted from the slack" },
  ROW_END };

static const Option set_multicycle_path_options[] = {
  ROWS_SETUP_HOLD,
  ROWS_END_EDGES,
  { "-start", ARG_FLAG, .help = "count cycles of the launching clock (the default for hold)" },
  { "-end", ARG_FLAG, .help = "count cycles of the capturing clock (the default for setup)" },
  ROW_RESET,
  ROW_COMMENT,
  ROWS_PATH,
  { "path_multiplier", ARG_INT, .value = "cycles", .flags = OPT_REQUIRED,
    .help = "number of cycles" },
  ROW_END
};

static const Option group_path_options[] = {
  { "-name", ARG_TEXT, .value = "name", .help = "name of the group" },
  { "-weight", ARG_FLOAT, .value = "weight", .help = "weight of the group for optimisation" },
  { "-critical_range", ARG_TIME, .value = "range",
    .help = "distance from the worst slack in which paths count, for optimisation" },
  { "-default", ARG_FLAG, .help = "move paths to the default group" },
  ROW_COMMENT, ROWS_PATH, ROW_END };

static const Option unset_path_exceptions_options[] = { ROWS_SETUP_HOLD, ROWS_END_EDGES, ROWS_PATH,
                                                        ROW_END };

const Command commands_sdc_exception[] = {
  SDC_COMMAND("set_false_path", "excludes paths from timing", set_false_path_options,
              run_set_false_path,
              "If the names of an option match nothing, the whole exception is ignored. It does "
              "not apply to all paths.",
              "set_false_path -from [get_ports rst_n]\n"),
  SDC_COMMAND("set_multicycle_path", "gives paths more clock cycles", set_multicycle_path_options,
              run_set_multicycle_path,
              "Without -setup and -hold the multiplier is that of setup, and the multiplier of "
              "hold is 0, so the hold check moves with the setup check. A setup multiplier is at "
              "least 0; a hold multiplier may be negative.",
              "set_multicycle_path 2 -setup -to [get_ports debug*]\n"
              "set_multicycle_path 1 -hold -to [get_ports debug*]\n"),
  SDC_COMMAND(
      "set_max_delay", "sets the largest delay of paths", set_delay_options, run_set_max_delay,
      "The limit replaces the time between the launching and the capturing clock edge.",
      "set_max_delay 2.5 -from [get_ports test] -to [all_outputs]\n"),
  SDC_COMMAND("set_min_delay", "sets the smallest delay of paths", set_delay_options,
              run_set_min_delay,
              "The limit replaces the time between the launching and the capturing clock edge. A "
              "limit above set_max_delay of the same paths draws a warning; both count.",
              "set_min_delay 0.1 -from [get_ports test] -to [all_outputs]\n"),
  SDC_COMMAND("set_path_margin", "requires more slack of paths", set_path_margin_options,
              run_set_path_margin, NULL, "set_path_margin 0.05 -setup -to [get_ports debug*]\n"),
  SDC_COMMAND("group_path", "puts paths into a group", group_path_options, run_group_path,
              "Reports name the group, and -group selects paths by it. Weights and critical "
              "ranges are stored for optimisation. A path is in one group. If several commands "
              "apply to it, the most specific one counts (-from pins, -to pins, -through, -from "
              "clocks, -to clocks); of equally specific ones the later counts.",
              "group_path -name outputs -to [all_outputs]\n"
              "report_timing -group outputs -format end\n"),
  SDC_FORGETTING("unset_path_exceptions", "removes paths from exceptions",
                 unset_path_exceptions_options, run_unset_path_exceptions,
                 "Path groups stay. Exceptions still apply to their other paths.",
                 "unset_path_exceptions -from [get_ports test] -to [all_outputs]\n"),
  { 0 }
};
