/* Constraint commands: checks between data pins, widths of pulses. */
#include <math.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "tclbind/object_value.h"
#include "sdc/sdc_command.h"
#include "sdc/sdc_forget.h"

/* --- data checks ------------------------------------------------------------------------------ */

typedef struct {
  const Object *objects;
  uint32_t count, edges;
} DataEnd;

/* One of -from, -rise_from and -fall_from (names[0..2]). */
static Status data_end(Sdc *sdc, const char *const names[3], DataEnd *end)
{
  static const uint32_t edges[] = { EDGE_BOTH, EDGE_RISE, EDGE_FALL };
  int given = 0;
  for (int i = 0; i < 3; i++) {
    if (!args_given(sdc->a, names[i])) continue;
    end->objects = sdc_objects(sdc, names[i], &end->count);
    end->edges = edges[i];
    given++;
  }
  if (given != 1)
    return log_error(sdc->s->log, "SDC-057", sdc->where, "%s: expected one of %s, %s and %s",
                     sdc->command, names[0], names[1], names[2]);
  for (uint32_t i = 0; i < end->count; i++)
    if (pin_is_hierarchical(sdc->c->netlist, end->objects[i].id))
      return log_error(sdc->s->log, "SDC-058", sdc->where,
                       "%s: pins of hierarchical cells are not checked; name a leaf pin or a port",
                       sdc->command);
  return OK;
}

/* Returns the first of the references that is constrained too; NULL: they are apart. */
static const Object *in_both(const DataEnd *from, const DataEnd *to)
{
  Map *constrained = map_new();
  const Object *found = NULL;
  for (uint32_t k = 0; k < to->count; k++) map_put(constrained, to->objects[k].id, 1);
  for (uint32_t i = 0; i < from->count && found == NULL; i++)
    if (map_get(constrained, from->objects[i].id) != MAP_NO_VALUE) found = &from->objects[i];
  map_free(constrained);
  return found;
}

static Status check_apart(Sdc *sdc, const DataEnd *from, const DataEnd *to)
{
  const Object *both = in_both(from, to);
  if (both == NULL) return OK;
  Text name = { 0 };
  object_name(sdc->s, *both, &name);
  log_error(sdc->s->log, "SDC-059", sdc->where,
            "%s: %s is both the reference and the constrained pin", sdc->command, text_get(&name));
  text_free(&name);
  return FAILED;
}

static Status put_data_checks(Sdc *sdc, float margin)
{
  static const char *const from_names[] = { "-from", "-rise_from", "-fall_from" };
  static const char *const to_names[] = { "-to", "-rise_to", "-fall_to" };
  DataEnd from = { 0 }, to = { 0 };
  ClockId clock;
  if (data_end(sdc, from_names, &from) != OK || data_end(sdc, to_names, &to) != OK
      || sdc_clock(sdc, "-clock", &clock) != OK)
    return FAILED;
  if (!isnan(margin) && check_apart(sdc, &from, &to) != OK) return FAILED;
  for (uint32_t i = 0; i < from.count; i++)
    for (uint32_t k = 0; k < to.count && !interrupt_seen(); k++) {
      DataCheckSpec spec = { from.objects[i].id, to.objects[k].id, clock,
                             from.edges,         to.edges,         sdc_checks(sdc->a) };
      DataCheck *check = constraints_set_data_check(sdc->c, &spec, margin);
      if (check && !isnan(margin)) check->said = sdc_command_id(sdc);
    }
  return OK;
}

static Status run_set_data_check(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_data_check");
  float margin;
  return sdc_number(&x, "margin", &margin) == OK ? put_data_checks(&x, margin) : FAILED;
}

static Status run_unset_data_check(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_data_check");
  return put_data_checks(&x, NAN);
}

#define ROW_DATA_CHECK(name_, text) \
  { name_, ARG_OBJECTS, .value = "pin", .kinds = OBJS_PORT_PIN, .help = text }
#define ROWS_DATA_CHECK                                       \
  ROW_DATA_CHECK("-from", "reference pin"),                   \
      ROW_DATA_CHECK("-rise_from", "reference pin, rising"),  \
  ROW_DATA_CHECK("-fall_from", "reference pin, falling"),     \
      ROW_DATA_CHECK("-to", "constrained pin"),               \
  ROW_DATA_CHECK("-rise_to", "constrained pin, rising"),      \
      ROW_DATA_CHECK("-fall_to", "constrained pin, falling"), \
  ROWS_SETUP_HOLD, ROW_CLOCK("only if this clock launches the reference")

static const Option set_data_check_options[] = { ROWS_DATA_CHECK,
                                                 { "margin", ARG_TIME, .value = "margin",
                                                   .flags = OPT_REQUIRED,
                                                   .help = "the least distance between the two" },
                                                 ROW_END };
static const Option unset_data_check_options[] = { ROWS_DATA_CHECK, ROW_END };

/* --- widths of pulses ------------------------------------------------------------------------- */

static void put_width(Sdc *sdc, LimitKind kind, Object o, float value)
{
  constraints_set_limit(sdc->c, kind, o, value)->said = sdc_command_id(sdc);
}

static Status run_set_min_pulse_width(Session *s, Args *a)
{
  static const Object design = { OBJ_DESIGN, 0 };
  Sdc x = sdc_begin(s, a, "set_min_pulse_width");
  bool low = args_flag(a, "-low"), high = args_flag(a, "-high");
  float value;
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  if (sdc_number_not_negative(&x, "value", &value) != OK) return FAILED;
  if (!args_given(a, "objects")) {
    objects = &design;
    count = 1;
  }
  sdc_warn_hierarchical_pins(&x, objects, count);
  sdc_warn_virtual_clocks(&x, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (low || !high) put_width(&x, LIMIT_PULSE_LOW, objects[i], value);
    if (high || !low) put_width(&x, LIMIT_PULSE_HIGH, objects[i], value);
  }
  return OK;
}

static const Option set_min_pulse_width_options[] = {
  { "-low", ARG_FLAG, .help = "low pulses" }, { "-high", ARG_FLAG, .help = "high pulses" },
  { "value", ARG_TIME, .value = "width", .flags = OPT_REQUIRED, .help = "least width" },
  ROW_OBJECTS("objects", KIND_DESIGN | KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL), 0,
      "clocks, pins or cells (a hierarchical cell stands for all inside); default: the design"),
  ROW_END };

static void forget_width(Sdc *sdc, Object o)
{
  bool low = args_flag(sdc->a, "-low"), high = args_flag(sdc->a, "-high");
  if (low || !high) sdc_forget_limit(sdc, o, LIMIT_PULSE_LOW);
  if (high || !low) sdc_forget_limit(sdc, o, LIMIT_PULSE_HIGH);
}

UNSET_OR_DESIGN(min_pulse_width, forget_width)

static const Option unset_width_options[] = {
  { "-low", ARG_FLAG, .help = "low pulses" },
  { "-high", ARG_FLAG, .help = "high pulses" },
  ROW_OBJECTS("objects", KIND_DESIGN | KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL), 0,
              "clocks, pins or cells; default: the design"),
  ROW_END
};

const Command commands_sdc_data[] = {
  SDC_OF_PAIRS("set_data_check", "checks one data pin against another", set_data_check_options,
               run_set_data_check,
               "Setup: data at the constrained pin must arrive before the reference by the "
               "margin. Both are launched by the same edge. If their clocks differ, the reference "
               "is launched by its clock's nearest edge at or before the launch of the data. "
               "Hold: data must arrive after the reference of one launching period earlier, by "
               "the margin; a multicycle path of -1 (-hold) moves it to the same edge. A "
               "multicycle path of n (-setup) moves both by n periods. Without -setup and -hold "
               "the margin applies to both.",
               "set_data_check -from fetch/pc_reg_13/D -to fetch/pc_reg_8/D -setup 0.1\n"),
  SDC_FORGETTING_PAIRS("unset_data_check", "removes data checks", unset_data_check_options,
                       run_unset_data_check,
                       "Pins and clock must be those of the set_data_check command. Edges, -setup "
                       "and -hold select what is removed.",
                       "unset_data_check -from fetch/pc_reg_13/D -to fetch/pc_reg_8/D -setup\n"),
  SDC_COMMAND("set_min_pulse_width", "sets the least width of clock pulses",
              set_min_pulse_width_options, run_set_min_pulse_width,
              "The value of the pin counts, else that of its cell, of the clock, or of the "
              "design. It replaces the width of the library. It is checked at clock pins of "
              "registers, and at pins and cells that the command names. report_pulse_width and "
              "report_constraints report violations.",
              "set_min_pulse_width -high 0.2 [get_clocks clk]\n"),
  { 0 }
};

/* The manual lists these behind all commands that set something. */
const Command commands_sdc_unset_width[] = {
  SDC_FORGETTING("unset_min_pulse_width", "removes least widths of clock pulses",
                 unset_width_options, run_unset_min_pulse_width, NULL,
                 "unset_min_pulse_width -high [get_clocks clk]\n"),
  { 0 }
};
