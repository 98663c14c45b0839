/* Constraint commands: checks, derates, disabled timing, constants, ideal networks, limits. */
#include <math.h>

#include "base/interrupt.h"
#include "tclbind/object_value.h"
#include "sdc/sdc_command.h"
#include "sdc/sdc_forget.h"

static const Object the_design = { OBJ_DESIGN, 0 };

/* The objects of an option; the design when it was not given. */
static const Object *objects_or_design(Sdc *sdc, const char *option, uint32_t *count)
{
  if (args_given(sdc->a, option)) return sdc_objects(sdc, option, count);
  *count = 1;
  return &the_design;
}

/* --- constants -------------------------------------------------------------------------------- */

static const char *const case_names[CASE_COUNT] = {
  [CASE_ZERO] = "0", [CASE_ONE] = "1", [CASE_RISE] = "rise", [CASE_FALL] = "fall",
    [CASE_UNKNOWN] = "unknown" };

/* Another constant by a command of the same kind goes; of the two kinds both stay, and
   set_case_analysis counts. */
static void warn_if_other(Sdc *sdc, Object pin, CaseValue value, bool is_case)
{
  const PinCase *old = constraints_find_case(sdc->c, pin.id);
  if (old == NULL) return;
  uint8_t by_case = old->is_case ? old->value : CASE_COUNT, same = is_case ? by_case : old->logic,
    other = is_case ? old->logic : by_case;
  Text name = { 0 };
  object_name(sdc->s, pin, &name);
  if (same != CASE_COUNT && same != value)
    log_warning(sdc->s->log, "SDC-049", sdc->where,
                "%s: %s is %s now and was %s by an earlier command; the later one counts",
                sdc->command, text_get(&name), case_names[value], case_names[same]);
  if (other != CASE_COUNT && other != value)
    log_warning(sdc->s->log, "SDC-140", sdc->where,
                "%s: %s is %s here and %s by %s; set_case_analysis counts", sdc->command,
                text_get(&name), case_names[value], case_names[other],
                is_case ? "set_logic_..." : "set_case_analysis");
  text_free(&name);
}

static Status put_cases(Sdc *sdc, const char *option, CaseValue value, bool is_case)
{
  uint32_t count;
  const Object *objects = sdc_objects(sdc, option, &count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    warn_if_other(sdc, objects[i], value, is_case);
    constraints_set_case(sdc->c, objects[i].id, value, is_case);
  }
  return OK;
}

static Status run_set_case_analysis(Session *s, Args *a)
{
  static const uint8_t values[] = { CASE_ZERO, CASE_ONE,  CASE_ZERO, CASE_ONE,
                                    CASE_RISE, CASE_RISE, CASE_FALL, CASE_FALL };
  Sdc x = sdc_begin(s, a, "set_case_analysis");
  int word = args_enum(a, "value");
  return put_cases(&x, "pins", (CaseValue)values[word < 0 ? 0 : word], true);
}

static Status run_unset_case_analysis(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_case_analysis");
  uint32_t count;
  const Object *objects = sdc_objects(&x, "pins", &count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    constraints_unset_case(x.c, objects[i].id, true);
  return OK;
}

static Status run_set_logic_zero(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_logic_zero");
  return put_cases(&x, "port_list", CASE_ZERO, false);
}

static Status run_set_logic_one(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_logic_one");
  return put_cases(&x, "port_list", CASE_ONE, false);
}

/* An unknown constant: the port never switches, and nothing follows from its level. */
static Status run_set_logic_dc(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_logic_dc");
  return put_cases(&x, "port_list", CASE_UNKNOWN, false);
}

static const Option set_case_analysis_options[] = {
  { "value", ARG_ENUM, .value = "0|1|zero|one|rise|rising|fall|falling", .flags = OPT_REQUIRED,
    .help = "constant value, or the only transition that happens" },
  ROW_OBJECTS("pins", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"),
  ROW_END };
static const Option unset_case_analysis_options[] = {
  ROW_OBJECTS("pins", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"), ROW_END
};
static const Option set_logic_options[] = {
  ROW_OBJECTS("port_list", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"), ROW_END
};

static void forget_logic(Sdc *sdc, Object o)
{
  constraints_unset_case(sdc->c, o.id, false);
}

UNSET(logic, "port_list", forget_logic)

static const Option unset_logic_options[] = {
  ROW_OBJECTS("port_list", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"), ROW_END
};

/* --- disabled timing -------------------------------------------------------------------------- */

#define KINDS_DISABLE \
    (OBJS_PORT_PIN | OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_LIB_CELL) | OBJ_BIT(OBJ_LIB_PIN))

static bool has_port(Sdc *sdc, Object o, NameId name)
{
  const Netlist *n = sdc->c->netlist;
  if (o.type == OBJ_LIB_CELL) return library_find_port(sdc->s->libs, o.id, name) != NO_PORT;
  if (o.type != OBJ_CELL) return false;
  return netlist_find_pin_of(n, o.id, name) != NO_PIN;
}

static Status object_error(Sdc *sdc, Object o, const char *code, const char *problem)
{
  Text t = { 0 };
  if (o.type == OBJ_CELL) netlist_inst_name(sdc->c->netlist, o.id, sdc->s->separator, &t);
  if (o.type == OBJ_LIB_CELL)
    text_put(&t, names_text(sdc->s->names, sdc->s->libs->cells.at[o.id].name));
  log_error(sdc->s->log, code, sdc->where, "%s: %s%s%s", sdc->command, text_get(&t),
            t.len ? " " : "", problem);
  text_free(&t);
  return FAILED;
}

/* -from and -to name ports of cells; each object must have them. */
static Status read_cell_port(Sdc *sdc, const char *option, NameId *name)
{
  const char *text = args_text(sdc->a, option);
  uint32_t count;
  const Object *objects = sdc_objects(sdc, "objects", &count);
  *name = NO_NAME;
  if (text == NULL) return OK;
  *name = names_find(sdc->s->names, text, strlen(text));
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (objects[i].type != OBJ_CELL && objects[i].type != OBJ_LIB_CELL)
      return object_error(sdc, objects[i], "SDC-050",
                          "-from and -to go with cells and library cells only");
    if (objects[i].type == OBJ_CELL && !inst_is_leaf(sdc->c->netlist, objects[i].id))
      return object_error(
          sdc, objects[i], "SDC-125",
          "is hierarchical and has no arcs of its own: expected leaf cells with -from and -to, or "
          "the cell without them, for all that is inside");
    if (*name == NO_NAME || !has_port(sdc, objects[i], *name))
      return object_error(sdc, objects[i], "SDC-050",
                          option[1] == 'f' ? "has no port of the name that -from gives"
                                           : "has no port of the name that -to gives");
  }
  return OK;
}

/* Returns true if the library cell has an arc, a check or a pin limit between ports with these
   names (NO_NAME: any). */
static bool cell_has_arc(const LibrarySet *libs, CellId cell, NameId from, NameId to)
{
  const LibCell *lc = &libs->cells.at[cell];
  PortId pin = from == NO_NAME || to == NO_NAME || from == to
    ? library_find_port(libs, cell, from == NO_NAME ? to : from) : NO_PORT;
  if (pin != NO_PORT && lib_port_has_limits(&libs->ports.at[pin])) return true;
  for (LibArcId a = lc->first_arc; a < lc->first_arc + lc->arc_count; a++) {
    NameId start = libs->ports.at[libs->arcs.at[a].from].name,
      end = libs->ports.at[libs->arcs.at[a].to].name;
    if ((from == NO_NAME || start == from) && (to == NO_NAME || end == to)) return true;
  }
  return false;
}

/* Returns true if the library cell has a gate with the inputs `to` and `from` (NO_NAME: any
   other). */
static bool is_gate(const LibrarySet *libs, CellId cell, NameId from, NameId to)
{
  const LibCell *lc = &libs->cells.at[cell];
  bool input = false, other = false;
  for (LibArcId a = lc->first_arc; a < lc->first_arc + lc->arc_count; a++) {
    if (libs->arcs.at[a].type != ARC_COMBINATIONAL) continue;
    NameId start = libs->ports.at[libs->arcs.at[a].from].name;
    input |= start == to;
    other |= start != to && (from == NO_NAME || start == from);
  }
  return input && other;
}

/* A clock gating check may be inferred between two inputs of a gate.  Which of them has the clock
   is not known yet. */
static bool may_gate(const LibrarySet *libs, CellId cell, NameId from, NameId to)
{
  return to != NO_NAME && is_gate(libs, cell, from, to);
}

static bool may_disable(const Sdc *sdc, Object o, NameId from, NameId to)
{
  if (from == NO_NAME && to == NO_NAME) return true;
  CellId cell = o.type == OBJ_CELL ? netlist_inst_cell(sdc->c->netlist, o.id) : o.id;
  return cell_has_arc(sdc->s->libs, cell, from, to) || may_gate(sdc->s->libs, cell, from, to);
}

/* -from and -to may name ports between which nothing is. */
static void warn_if_no_arc(Sdc *sdc, const Object *objects, uint32_t count, NameId from, NameId to)
{
  uint32_t without = 0;
  Text t = { 0 };
  if (from == NO_NAME && to == NO_NAME) return;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (may_disable(sdc, objects[i], from, to)) continue;
    if (without++ == 0) object_name(sdc->s, objects[i], &t);
  }
  if (without > 1) text_printf(&t, " and %u more", without - 1);
  if (without)
    log_warning(sdc->s->log, "SDC-126", sdc->where,
                "%s: %s: there is no arc or check%s%s%s%s, so nothing is disabled", sdc->command,
                text_get(&t), from == NO_NAME ? "" : " from ",
                from == NO_NAME ? "" : names_text(sdc->s->names, from), to == NO_NAME ? "" : " to ",
                to == NO_NAME ? "" : names_text(sdc->s->names, to));
  text_free(&t);
}

static Status disable(Session *s, Args *a, const char *command, bool on)
{
  Sdc x = sdc_begin(s, a, command);
  NameId from, to;
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  if (read_cell_port(&x, "-from", &from) != OK || read_cell_port(&x, "-to", &to) != OK)
    return FAILED;
  if (on) warn_if_no_arc(&x, objects, count, from, to);
  if (on) sdc_warn_nothing_behind(&x, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    DisabledTiming *timing = constraints_disable(x.c, objects[i], from, to, on);
    if (timing) timing->said = may_disable(&x, objects[i], from, to) ? sdc_command_id(&x) : 0;
  }
  return OK;
}

static Status run_set_disable_timing(Session *s, Args *a)
{
  return disable(s, a, "set_disable_timing", true);
}
static Status run_unset_disable_timing(Session *s, Args *a)
{
  return disable(s, a, "unset_disable_timing", false);
}

static const Option disable_timing_options[] = {
  { "-from", ARG_TEXT, .value = "port", .help = "arcs from this port of the cells only" },
  { "-to", ARG_TEXT, .value = "port", .help = "arcs to this port of the cells only" },
  ROW_OBJECTS("objects", KINDS_DISABLE, OPT_REQUIRED,
              "ports, pins, cells, library cells or library pins"),
  ROW_END };

/* --- ideal networks --------------------------------------------------------------------------- */

/* kind: the value that is set at each pin. */
static Status set_ideal(Sdc *sdc, const char *option, IdealSource kind)
{
  uint32_t count;
  const Object *objects = sdc_objects(sdc, option, &count);
  PinArray pins = { 0 };
  sdc_warn_nothing_behind(sdc, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) sdc_add_pins(sdc, objects[i], &pins);
  for (uint32_t i = 0; i < pins.len; i++) {
    kind.pin = pins.at[i];
    constraints_add_ideal(sdc->c, kind);
  }
  array_free(&pins);
  return OK;
}

static Status run_set_ideal_network(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_ideal_network");
  bool stays = args_flag(a, "-no_propagate") || args_flag(a, "-no_propagation");
  return set_ideal(&x, "objects", (IdealSource){ .no_propagation = stays });
}

static Status run_set_ideal_net(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_ideal_net");
  return set_ideal(&x, "nets", (IdealSource){ .of_net = true, .no_propagation = true });
}

static const Option set_ideal_network_options[] = {
  { "-no_propagate", ARG_FLAG, .help = "do not continue through the cells after it" },
  { "-no_propagation", ARG_FLAG, .flags = OPT_HIDDEN },   /* as the peer spells it */
  ROW_OBJECTS("objects", OBJS_PORT_PIN | OBJ_BIT(OBJ_NET), OPT_REQUIRED,
      "ports, pins or nets where the ideal network starts"),
  ROW_END };
static const Option set_ideal_net_options[] = {
  ROW_OBJECTS("nets", OBJ_BIT(OBJ_NET), OPT_REQUIRED, "nets"), ROW_END
};

static void forget_ideal(Sdc *sdc, Object o, bool of_net)
{
  PinArray pins = { 0 };
  sdc_add_pins(sdc, o, &pins);
  for (uint32_t i = 0; i < pins.len; i++) constraints_remove_ideal(sdc->c, pins.at[i], of_net);
  array_free(&pins);
}

UNSET_KIND(ideal_network, "objects", forget_ideal, false)
UNSET_KIND(ideal_net, "nets", forget_ideal, true)

static const Option unset_ideal_options[] = {
  ROW_OBJECTS("objects", OBJS_PORT_PIN | OBJ_BIT(OBJ_NET), OPT_REQUIRED,
              "ports, pins or nets where the network starts"),
  ROW_END
};
static const Option unset_ideal_net_options[] = {
  ROW_OBJECTS("nets", OBJ_BIT(OBJ_NET), OPT_REQUIRED, "nets"), ROW_END };

static Status set_ideal_value(Sdc *sdc, float value, bool slew)
{
  uint32_t count;
  const Object *objects = sdc_objects(sdc, "objects", &count);
  PinArray pins = { 0 };
  sdc_warn_nothing_behind(sdc, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    sdc_add_behind(sdc, objects[i].id, &pins);
  for (uint32_t i = 0; i < pins.len; i++) {
    IdealPin *ideal_pin = constraints_ideal_pin(sdc->c, pins.at[i]);
    sdc_put(sdc, slew ? ideal_pin->slew : ideal_pin->latency, sdc_conditions(sdc->a), value);
    *(slew ? &ideal_pin->said_of_slew : &ideal_pin->said_of_latency) = sdc_said(sdc);
    Object pin = { pin_is_top_port(sdc->c->netlist, pins.at[i]) ? OBJ_PORT : OBJ_PIN, pins.at[i] };
    sdc_note_order(sdc, PAIR_OF(slew ? PAIR_IDEAL_SLEW : PAIR_IDEAL_LATENCY, pin));
  }
  array_free(&pins);
  return OK;
}

static Status run_set_ideal_latency(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_ideal_latency");
  float value;
  return sdc_number(&x, "delay", &value) == OK ? set_ideal_value(&x, value, false) : FAILED;
}

static Status run_set_ideal_transition(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_ideal_transition");
  float value;
  return sdc_number_not_negative(&x, "transition_time", &value) == OK
             ? set_ideal_value(&x, value, true)
             : FAILED;
}

static const Option set_ideal_latency_options[] = {
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  { "delay", ARG_TIME, .value = "delay", .flags = OPT_REQUIRED,
    .help = "latency of the ideal network up to the pin" },
  ROW_OBJECTS("objects", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"),
  ROW_END
};
static const Option set_ideal_transition_options[] = {
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  { "transition_time", ARG_TIME, .value = "transition", .flags = OPT_REQUIRED,
    .help = "transition time at the pin" },
  ROW_OBJECTS("objects", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"),
  ROW_END
};

typedef enum { IDEAL_LATENCY, IDEAL_SLEW } IdealValue;

static void forget_ideal_value(Sdc *sdc, Object o, IdealValue kind)
{
  PinArray pins = { 0 };
  sdc_add_behind(sdc, o.id, &pins);
  for (uint32_t i = 0; i < pins.len; i++) {
    if (!constraints_find_ideal_pin(sdc->c, pins.at[i])) continue;
    IdealPin *pin = constraints_ideal_pin(sdc->c, pins.at[i]);
    sdc_put(sdc, kind == IDEAL_SLEW ? pin->slew : pin->latency, sdc_conditions(sdc->a), NAN);
  }
  array_free(&pins);
}

UNSET_KIND(ideal_latency, "objects", forget_ideal_value, IDEAL_LATENCY)
UNSET_KIND(ideal_transition, "objects", forget_ideal_value, IDEAL_SLEW)

static const Option unset_ideal_value_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX,
  ROW_OBJECTS("objects", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"), ROW_END
};

/* --- derates ---------------------------------------------------------------------------------- */

#define KINDS_DERATE (KIND_DESIGN | OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET) | OBJ_BIT(OBJ_LIB_CELL))

/* Bits by DerateKind.  Without flags cell and net delays; checks only when asked for. */
static uint32_t derate_kinds(const Args *a)
{
  uint32_t kinds = (uint32_t)args_flag(a, "-cell_delay") << DERATE_CELL_DELAY
                   | (uint32_t)args_flag(a, "-net_delay") << DERATE_NET_DELAY
                   | (uint32_t)args_flag(a, "-cell_check") << DERATE_CELL_CHECK;
  return kinds ? kinds : 1u << DERATE_CELL_DELAY | 1u << DERATE_NET_DELAY;
}

/* The kinds that make sense for an object: nets have net delays, leaf cells and cells of libraries
   have none. */
static uint32_t kinds_of(const Sdc *sdc, Object o, uint32_t kinds)
{
  if (o.type == OBJ_NET) return kinds & 1u << DERATE_NET_DELAY;
  if (o.type == OBJ_LIB_CELL || (o.type == OBJ_CELL && inst_is_leaf(sdc->c->netlist, o.id)))
    return kinds & ~(1u << DERATE_NET_DELAY);
  return kinds;
}

static void put_derate(Sdc *sdc, Object o, uint32_t kinds, int early_late, float factor)
{
  uint32_t edges = sdc_edges(sdc->a);
  bool clock = args_flag(sdc->a, "-clock"), data = args_flag(sdc->a, "-data");
  Derate *derate = constraints_derate(sdc->c, o);
  CommandId id = sdc_command_id(sdc);
  for (int kind = 0; kind < DERATE_KIND_COUNT; kind++)
    for (int path = PATH_DATA; path <= PATH_CLOCK; path++)
      for (int rf = RISE; rf <= FALL; rf++) {
        bool this_path = clock == data || (path == PATH_CLOCK ? clock : data);
        if ((kinds >> kind & 1) && this_path && (edges >> rf & 1))
          constraints_put(sdc->c, &derate->factor[kind][path][condition_of(early_late, rf)],
                          factor);
        if ((kinds >> kind & 1) && this_path && (edges >> rf & 1))
          derate->said[kind][path] = id;
      }
}

/* Checks are derated as data: -clock alone leaves them out. */
static void warn_of_checks(Sdc *sdc)
{
  if (args_flag(sdc->a, "-cell_check") && args_flag(sdc->a, "-clock")
      && !args_flag(sdc->a, "-data"))
    log_warning(sdc->s->log, "SDC-138", sdc->where,
                "%s: -cell_check has no effect with -clock: checks belong to data paths",
                sdc->command);
}

static void derate_object(Sdc *sdc, Object o, float factor)
{
  uint32_t kinds = kinds_of(sdc, o, derate_kinds(sdc->a));
  if (kinds == 0) {
    log_warning(sdc->s->log, "SDC-052", sdc->where,
                "%s: the kind of delay does not go with the kind of object; left out",
                sdc->command);
    return;
  }
  if (args_flag(sdc->a, "-early")) put_derate(sdc, o, kinds, EARLY, factor);
  if (args_flag(sdc->a, "-late")) put_derate(sdc, o, kinds, LATE, factor);
  sdc_note_order(sdc, PAIR_OF(PAIR_DERATE, o));
}

/* A factor far from 1 is more likely a percentage or a slip. */
static Status read_factor(Sdc *sdc, float *factor)
{
  if (sdc_number(sdc, "derate", factor) != OK) return FAILED;
  if (*factor <= 0)
    return log_error(sdc->s->log, "SDC-055", sdc->where, "%s: the factor %g is not above zero",
                     sdc->command, (double)*factor);
  if (*factor < 0.1f || *factor > 10)
    log_warning(sdc->s->log, "SDC-056", sdc->where,
                "%s: the factor %g is unusual, expected 0.1 to 10", sdc->command, (double)*factor);
  return OK;
}

static Status run_set_timing_derate(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_timing_derate");
  float factor;
  uint32_t count;
  const Object *objects = objects_or_design(&x, "objects", &count);
  if (read_factor(&x, &factor) != OK) return FAILED;
  if (!args_flag(a, "-early") && !args_flag(a, "-late"))
    return log_error(s->log, "SDC-051", x.where, "set_timing_derate: neither -early nor -late");
  warn_of_checks(&x);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) derate_object(&x, objects[i], factor);
  return OK;
}

static Status run_unset_timing_derate(Session *s, Args *a)
{
  (void)a;
  constraints_clear_derates(s->constraints);
  return OK;
}

static const Option set_timing_derate_options[] = {
  { "-early", ARG_FLAG, .help = "early delays" },
  { "-late", ARG_FLAG, .help = "late delays" },
  ROWS_RISE_FALL,
  { "-clock", ARG_FLAG, .help = "clock paths only" },
  { "-data", ARG_FLAG, .help = "data paths only" },
  { "-net_delay", ARG_FLAG, .help = "delays of nets" },
  { "-cell_delay", ARG_FLAG, .help = "delays of cells" },
  { "-cell_check", ARG_FLAG, .help = "margins of checks" },
  { "derate", ARG_FLOAT, .value = "factor", .flags = OPT_REQUIRED, .help = "factor" },
  ROW_OBJECTS("objects", KINDS_DERATE, 0,
              "cells (a hierarchical cell stands for all inside), library cells or nets; "
              "default: the design"),
  ROW_END };
static const Option no_options[] = { ROW_END };

/* --- clock gating ----------------------------------------------------------------------------- */

#define KINDS_GATING (KIND_DESIGN | KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL))

static Status read_margins(Sdc *sdc, float margin[2])
{
  static const char *const names[] = { [HOLD] = "-hold", [SETUP] = "-setup" };
  bool any = args_flag(sdc->a, "-low") || args_flag(sdc->a, "-high");
  for (int k = HOLD; k <= SETUP; k++) {
    margin[k] = NAN;
    if (!args_given(sdc->a, names[k])) continue;
    if (sdc_number(sdc, names[k], &margin[k]) != OK) return FAILED;
    any = true;
  }
  if (args_flag(sdc->a, "-low") && args_flag(sdc->a, "-high"))
    return log_error(sdc->s->log, "SDC-053", sdc->where, "%s: -low and -high exclude each other",
                     sdc->command);
  if (any) return OK;
  return log_error(sdc->s->log, "SDC-053", sdc->where, "%s: none of -setup, -hold, -low and -high",
                   sdc->command);
}

static void put_gating(Sdc *sdc, Object o, const float margin[2])
{
  uint32_t edges = sdc_edges(sdc->a);
  GatingCheck *check = constraints_gating_check(sdc->c, o);
  for (int k = HOLD; k <= SETUP; k++)
    for (int rf = RISE; rf <= FALL; rf++)
      if (!isnan(margin[k]) && (edges >> rf & 1))
        constraints_put(sdc->c, &check->margin[k][rf], margin[k]);
  int8_t open_value = args_flag(sdc->a, "-low")    ? 0
                      : args_flag(sdc->a, "-high") ? 1
                                                   : check->open_value;
  if (open_value != check->open_value) constraints_changed(sdc->c);
  check->said = sdc_command_id(sdc);
  check->open_value = open_value;
}

static Status run_set_clock_gating_check(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_clock_gating_check");
  float margin[2];
  uint32_t count;
  const Object *objects = objects_or_design(&x, "objects", &count);
  if (read_margins(&x, margin) != OK) return FAILED;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if ((args_flag(a, "-low") || args_flag(a, "-high")) && (objects[i].type == OBJ_DESIGN
        || objects[i].type == OBJ_CLOCK || objects[i].type == OBJ_PORT))
      return log_error(s->log, "SDC-053", x.where,
          "set_clock_gating_check: -low and -high go with pins and cells only");
  }
  sdc_warn_virtual_clocks(&x, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) put_gating(&x, objects[i], margin);
  return OK;
}

static const Option set_clock_gating_check_options[] = {
  { "-setup", ARG_TIME, .value = "time", .help = "setup margin of the gating signal" },
  { "-hold", ARG_TIME, .value = "time", .help = "hold margin of the gating signal" },
  ROWS_RISE_FALL,
  { "-low", ARG_FLAG, .help = "the clock passes while it is low" },
  { "-high", ARG_FLAG, .help = "the clock passes while it is high" },
  ROW_OBJECTS("objects", KINDS_GATING, 0, "clocks, cells or pins; default: the design"),
  ROW_END };

static void forget_gating(Sdc *sdc, Object o)
{
  constraints_remove_gating_check(sdc->c, o);
}

UNSET_OR_DESIGN(clock_gating_check, forget_gating)

static const Option unset_gating_options[] = {
  ROW_OBJECTS("objects", KIND_DESIGN | KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL), 0,
              "clocks, cells, pins; default: the design"),
  ROW_END
};

static Status disable_gating(Session *s, Args *a, const char *command, bool on)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    GatingDisabled *disabled = constraints_disable_gating(x.c, objects[i], on);
    if (disabled) disabled->said = sdc_said(&x);
  }
  return OK;
}

static Status run_set_disable_inferred(Session *s, Args *a)
{
  return disable_gating(s, a, "set_disable_inferred_clock_gating", true);
}

static Status run_unset_disable_inferred(Session *s, Args *a)
{
  return disable_gating(s, a, "unset_disable_inferred_clock_gating", false);
}

static const Option disable_gating_options[] = {
  ROW_OBJECTS("objects", OBJS_PORT_PIN | OBJ_BIT(OBJ_CELL), OPT_REQUIRED,
      "cells (a hierarchical cell stands for all inside) or pins without inferred "
      "checks"), ROW_END };

/* --- time borrowing and limits ---------------------------------------------------------------- */

/* Returns true if the library cell has an arc through a latch at the port (NO_PORT: at any). */
static bool is_latch_port(const LibrarySet *libs, CellId id, PortId port)
{
  const LibCell *cell = &libs->cells.at[id];
  for (LibArcId i = cell->first_arc; i < cell->first_arc + cell->arc_count; i++) {
    const LibArc *arc = &libs->arcs.at[i];
    if ((arc->type == ARC_LATCH_ENABLE || arc->type == ARC_LATCH_DATA)
        && (port == NO_PORT || arc->from == port))
      return true;
  }
  return false;
}

static bool has_latch(const Session *s, InstId inst)
{
  const Netlist *n = s->netlist;
  if (inst_is_leaf(n, inst)) return is_latch_port(s->libs, n->insts.at[inst].master, NO_PORT);
  for (InstId i = n->insts.at[inst].first_child; i != NO_INST; i = n->insts.at[i].next_sibling)
    if (has_latch(s, i)) return true;
  return false;
}

/* A clock, a latch, its data or its enable pin, or a cell with latches in it. */
static bool may_borrow(const Session *s, Object o)
{
  const Netlist *n = s->netlist;
  if (o.type == OBJ_CLOCK) return true;
  if (o.type == OBJ_CELL) return has_latch(s, o.id);
  if (pin_is_top_port(n, o.id) || pin_is_hierarchical(n, o.id)) return false;
  return is_latch_port(s->libs, n->insts.at[n->pins.at[o.id].inst].master, n->pins.at[o.id].port);
}

/* The first of the objects that have no latch, and how many more there are. */
static void warn_of_no_latch(Sdc *sdc, const Object *objects, uint32_t count)
{
  uint32_t others = 0;
  Text name = { 0 };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (may_borrow(sdc->s, objects[i])) continue;
    if (name.len) others++;
    else object_name(sdc->s, objects[i], &name);
  }
  if (others) text_printf(&name, " and %u more of its objects", others);
  if (name.len)
    log_warning(sdc->s->log, "SDC-134", sdc->where,
                "%s: expected clocks, latches, their data or enable pins; it has no effect on %s",
                sdc->command, text_get(&name));
  text_free(&name);
}

static Status run_set_max_time_borrow(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_max_time_borrow");
  float value;
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  if (sdc_number_not_negative(&x, "limit", &value) != OK) return FAILED;
  warn_of_no_latch(&x, objects, count);
  sdc_warn_virtual_clocks(&x, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    constraints_set_time_borrow(x.c, objects[i], value)->said = sdc_command_id(&x);
  return OK;
}

static const Option set_max_time_borrow_options[] = {
  { "limit", ARG_TIME, .value = "limit", .flags = OPT_REQUIRED,
    .help = "longest time that latches may borrow" },
  ROW_OBJECTS("objects", KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL), OPT_REQUIRED,
      "clocks, latches, their data or enable pins, or cells with latches in them"),
  ROW_END };

static void forget_borrow(Sdc *sdc, Object o)
{
  if (!isnan(constraints_find_time_borrow(sdc->c, o))) constraints_set_time_borrow(sdc->c, o, NAN);
}

UNSET(max_time_borrow, "objects", forget_borrow)

static const Option unset_borrow_options[] = {
  ROW_OBJECTS("objects", KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL), OPT_REQUIRED,
              "clocks, latches or their pins"),
  ROW_END
};

static Status set_limit(Session *s, Args *a, const char *command, LimitKind kind,
                        const char *option)
{
  Sdc x = sdc_begin(s, a, command);
  float value;
  uint32_t count;
  const Object *objects = objects_or_design(&x, "objects", &count);
  if (sdc_number_not_negative(&x, option, &value) != OK) return FAILED;
  sdc_warn_hierarchical_pins(&x, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (kind == LIMIT_FANOUT_LOAD && !sdc_port_has_direction(&x, objects[i].id, true)) continue;
    constraints_set_limit(x.c, kind, objects[i], value)->said = sdc_command_id(&x);
    if (kind == LIMIT_MIN_CAP || kind == LIMIT_MAX_CAP)
      sdc_note_order(&x, PAIR_OF(PAIR_CAPACITANCE, objects[i]));
  }
  return OK;
}

static Status run_set_max_capacitance(Session *s, Args *a)
{
  return set_limit(s, a, "set_max_capacitance", LIMIT_MAX_CAP, "cap");
}
static Status run_set_min_capacitance(Session *s, Args *a)
{
  return set_limit(s, a, "set_min_capacitance", LIMIT_MIN_CAP, "cap");
}
static Status run_set_max_fanout(Session *s, Args *a)
{
  return set_limit(s, a, "set_max_fanout", LIMIT_MAX_FANOUT, "fanout");
}
static Status run_set_fanout_load(Session *s, Args *a)
{
  return set_limit(s, a, "set_fanout_load", LIMIT_FANOUT_LOAD, "fanout");
}
static Status run_set_max_area(Session *s, Args *a)
{
  return set_limit(s, a, "set_max_area", LIMIT_MAX_AREA, "area");
}

#define KINDS_LIMIT (KIND_DESIGN | OBJS_PORT_PIN | OBJ_BIT(OBJ_CELL))
#define ROW_LIMITED ROW_OBJECTS("objects", KINDS_LIMIT, OPT_REQUIRED, \
    "the design, ports, pins or cells (a hierarchical cell stands for all inside)")

static const Option set_capacitance_options[] = { { "cap", ARG_CAP, .value = "capacitance",
                                                    .flags = OPT_REQUIRED, .help = "limit" },
                                                  ROW_LIMITED,
                                                  ROW_END };
static const Option set_max_fanout_options[] = { { "fanout", ARG_FLOAT, .value = "fanout",
                                                   .flags = OPT_REQUIRED, .help = "limit" },
                                                 ROW_LIMITED,
                                                 ROW_END };
static const Option set_fanout_load_options[] = {
  { "fanout", ARG_FLOAT, .value = "fanout", .flags = OPT_REQUIRED,
    .help = "fanout load of the ports" },
  ROW_OBJECTS("objects", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "output ports"),
  ROW_END
};
static const Option set_max_area_options[] = {
  { "area", ARG_FLOAT, .value = "area", .flags = OPT_REQUIRED, .help = "limit" },
  ROW_OBJECTS("objects", KIND_DESIGN, OPT_HIDDEN, "the design"), ROW_END };

UNSET_KIND_OR_DESIGN(max_capacitance, sdc_forget_limit, LIMIT_MAX_CAP)
UNSET_KIND_OR_DESIGN(min_capacitance, sdc_forget_limit, LIMIT_MIN_CAP)
UNSET_KIND_OR_DESIGN(max_fanout, sdc_forget_limit, LIMIT_MAX_FANOUT)
UNSET_KIND(fanout_load, "ports", sdc_forget_limit, LIMIT_FANOUT_LOAD)
UNSET_KIND_OR_DESIGN(max_area, sdc_forget_limit, LIMIT_MAX_AREA)

static const Option unset_limit_options[] = {
  ROW_OBJECTS("objects", KINDS_LIMIT, 0, "ports, pins or cells; default: the design"), ROW_END };
static const Option unset_fanout_options[] = {
  ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "output ports"), ROW_END };

/* Limits by path and edge for clocks; a plain limit for other objects. */
static void put_max_slew(Sdc *sdc, Object o, float value)
{
  bool clock = args_flag(sdc->a, "-clock_path"), data = args_flag(sdc->a, "-data_path");
  uint32_t edges = sdc_edges(sdc->a);
  if (o.type != OBJ_CLOCK) {
    constraints_set_limit(sdc->c, LIMIT_MAX_SLEW, o, value);
    return;
  }
  Clock *the_clock = &sdc->c->clocks.at[o.id];
  the_clock->said_of_slew = sdc_command_id(sdc);
  for (int rf = RISE; rf <= FALL; rf++) {
    if (!(edges >> rf & 1)) continue;
    if (clock || !data) constraints_put(sdc->c, &the_clock->max_slew_clock[rf], value);
    if (data || !clock) constraints_put(sdc->c, &the_clock->max_slew_data[rf], value);
  }
}

static Status run_set_max_transition(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_max_transition");
  static const char *const flags[] = { "-clock_path", "-data_path", "-rise", "-fall" };
  float value;
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  if (sdc_number_not_negative(&x, "slew", &value) != OK) return FAILED;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    for (int f = 0; f < 4; f++)
      if (objects[i].type != OBJ_CLOCK && args_flag(a, flags[f]))
        return log_error(s->log, "SDC-054", x.where, "set_max_transition: %s goes with clocks only",
                         flags[f]);
  sdc_warn_hierarchical_pins(&x, objects, count);
  bool in_network = args_flag(a, "-clock_path") && !args_flag(a, "-data_path");
  if (in_network) sdc_warn_virtual_clocks(&x, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) put_max_slew(&x, objects[i], value);
  return OK;
}

static const Option set_max_transition_options[] = {
  { "-clock_path", ARG_FLAG, .help = "for clocks: pins of clock networks only" },
  { "-data_path", ARG_FLAG, .help = "for clocks: pins of data paths only" },
  ROWS_RISE_FALL,
  { "slew", ARG_TIME, .value = "transition", .flags = OPT_REQUIRED, .help = "limit" },
  ROW_OBJECTS("objects", KINDS_LIMIT | OBJ_BIT(OBJ_CLOCK), OPT_REQUIRED,
              "the design, clocks, ports, pins or cells (a hierarchical cell stands for all "
              "inside)"),
  ROW_END };

/* Clocks keep limits of their own, by edge. */
static void forget_slew(Sdc *sdc, Object o)
{
  bool clock = args_flag(sdc->a, "-clock_path"), data = args_flag(sdc->a, "-data_path");
  if (o.type != OBJ_CLOCK) {
    sdc_forget_limit(sdc, o, LIMIT_MAX_SLEW);
    return;
  }
  Clock *the_clock = &sdc->c->clocks.at[o.id];
  if (clock || !data) sdc_put_early_late(sdc, the_clock->max_slew_clock, sdc_edges(sdc->a), NAN);
  if (data || !clock) sdc_put_early_late(sdc, the_clock->max_slew_data, sdc_edges(sdc->a), NAN);
}

UNSET_OR_DESIGN(max_transition, forget_slew)

static const Option unset_slew_options[] = {
  { "-clock_path", ARG_FLAG, .help = "for clocks: only the limit of clock networks" },
  { "-data_path", ARG_FLAG, .help = "for clocks: only the limit of data paths" },
  ROWS_RISE_FALL,
  ROW_OBJECTS("objects", KINDS_LIMIT | OBJ_BIT(OBJ_CLOCK), 0,
              "clocks, ports, pins or cells; default: the design"),
  ROW_END
};

/* --- table ------------------------------------------------------------------------------------ */

const Command commands_sdc_check[] = {
  SDC_COMMAND("set_case_analysis", "holds ports or pins at a constant", set_case_analysis_options,
              run_set_case_analysis,
              "The value is propagated through the functions of cells; arcs that cannot switch "
              "are off. At a hierarchical pin it applies downstream of the pin only: inside or "
              "outside the block, whichever does not have the driver of the net. With rise or fall "
              "the pin is not constant, but passes only that transition. If a pin has several "
              "values, the last one counts, with a warning if they differ. The value has priority "
              "over set_logic_zero, set_logic_one and set_logic_dc, which count again after "
              "unset_case_analysis.",
              "set_case_analysis 0 [get_ports test]\n"),
  SDC_FORGETTING("unset_case_analysis", "removes constants of set_case_analysis",
                 unset_case_analysis_options, run_unset_case_analysis, NULL,
                 "unset_case_analysis [get_ports test]\n"),
  SDC_COMMAND("set_logic_zero", "sets ports to constant 0", set_logic_options,
              run_set_logic_zero, "It is propagated like a constant of set_case_analysis.",
              "set_logic_zero [get_ports test]\n"),
  SDC_COMMAND("set_logic_one", "sets ports to constant 1", set_logic_options, run_set_logic_one,
              "It is propagated like a constant of set_case_analysis.",
              "set_logic_one [get_ports test]\n"),
  SDC_COMMAND("set_logic_dc", "says that the values of ports do not matter", set_logic_options,
              run_set_logic_dc,
              "Nothing arrives from the ports; cells that they drive keep their other arcs.",
              "set_logic_dc [get_ports test]\n"),
  SDC_COMMAND("set_disable_timing", "disables timing arcs", disable_timing_options,
              run_set_disable_timing,
              "For a pin or library pin it disables the cell's arcs and checks from and to the "
              "pin. For a cell or library cell it disables all arcs and checks, or those that "
              "-from and -to name. A hierarchical cell stands for all cells inside, a "
              "hierarchical pin for the pins that its wires lead to. Checks are arcs from the "
              "clock pin to the checked pin: setup, hold, recovery, removal, data, no-change, skew "
              "and inferred clock gating checks. Limits of pulses and periods are arcs from a pin "
              "to itself. Wires stay enabled, and so do checks of set_data_check and limits of "
              "set_min_pulse_width. At a disabled port nothing arrives or starts.",
              "set_disable_timing -from CK -to D [get_cells fetch/pc_reg_0]\n"
              "set_disable_timing -from A -to Y [get_lib_cells */xor2_1r]\n"),
  SDC_FORGETTING("unset_disable_timing", "enables timing arcs again", disable_timing_options,
                 run_unset_disable_timing,
                 "The objects, -from and -to must be those of the set_disable_timing command.",
                 "unset_disable_timing -from A -to Y [get_lib_cells */xor2_1r]\n"),
  SDC_COMMAND(
      "set_ideal_network", "makes networks ideal, beginning at their "
                           "sources", set_ideal_network_options,
      run_set_ideal_network,
      "Drivers and wires in the network have only the delays and slews of set_ideal_latency and "
      "set_ideal_transition. The network continues through combinational cells whose inputs are "
      "all ideal.",
      "set_ideal_network [get_ports rst_n]\n"),
  SDC_COMMAND("set_ideal_net", "makes nets ideal", set_ideal_net_options, run_set_ideal_net,
              "Cells between ideal nets keep their delay. An ideal network that passes the net "
              "continues after it.",
              "set_ideal_net [get_nets rst_n]\n"),
  SDC_COMMAND("set_ideal_latency", "sets the latency of ideal networks", set_ideal_latency_options,
              run_set_ideal_latency,
              "Applies at pins of ideal networks (set_ideal_network): arrivals at the pin are "
              "later by the latency. Where the network begins, the latency is added to the delay "
              "of the cell or wire before it. A pin with a latency and no transition time has "
              "the transition time of its driver. Outside of ideal networks the latency has no "
              "effect (GRAPH-025).",
              "set_ideal_network [get_ports rst_n]\nset_ideal_latency 0.1 [get_ports rst_n]\n"),
  SDC_COMMAND("set_ideal_transition", "sets the transition time in ideal networks",
              set_ideal_transition_options, run_set_ideal_transition, NULL,
              "set_ideal_transition 0.05 [get_ports rst_n]\n"),
  SDC_COMMAND("set_timing_derate", "scales delays or checks", set_timing_derate_options,
              run_set_timing_derate,
              "Without -cell_delay, -net_delay and -cell_check the factor applies to delays of "
              "cells and nets. Without -clock and -data it applies to both kinds of paths. A "
              "negative delay d becomes d + (factor - 1) |d|, so a factor above 1 makes it later "
              "too. The factor of a hierarchical cell applies to all cells and wires inside. The "
              "factor of the nearest object counts: the cell or net, then the hierarchical cells "
              "around it from the innermost, then the library cell, then the design.",
              "set_timing_derate -late 1.08 -cell_delay [get_lib_cells */fa_1r]\n"
              "set_timing_derate -early 0.95\n"),
  SDC_FORGETTING("unset_timing_derate", "removes all derates", no_options, run_unset_timing_derate,
                 NULL, "unset_timing_derate\n"),
  SDC_COMMAND("set_clock_gating_check", "sets margins of clock gating checks",
              set_clock_gating_check_options, run_set_clock_gating_check,
              "Without this command inferred checks have margins of zero. A margin of a port, "
              "pin or cell applies to all clock gates in its fan-out; one of a hierarchical cell "
              "applies to the gates inside. The value nearest to a gate counts, then that of the "
              "clock, then that of the design. -high and -low apply only to a gate that is named "
              "by its input pin or cell. They replace the level that follows from the function of "
              "the gate. A gate that is neither AND-like nor OR-like has no check without them.",
              "set_clock_gating_check -setup 0.05 -hold 0.02 [get_clocks clk]\n"),
  SDC_COMMAND("set_disable_inferred_clock_gating", "infers no clock gating checks at cells or pins",
              disable_gating_options, run_set_disable_inferred, NULL,
              "set_disable_inferred_clock_gating [get_cells exec/g1937]\n"),
  SDC_FORGETTING("unset_disable_inferred_clock_gating", "infers clock gating checks again",
                 disable_gating_options, run_unset_disable_inferred, NULL,
                 "unset_disable_inferred_clock_gating [get_cells exec/g1937]\n"),
  SDC_COMMAND(
      "set_max_time_borrow", "limits time borrowing of latches", set_max_time_borrow_options,
      run_set_max_time_borrow,
      "Without this command a latch may borrow while it is open, less the setup time at the "
      "closing edge.",
      "set_max_time_borrow 0.4 [get_clocks clk]\n"),
  SDC_COMMAND("set_max_transition", "limits transition times", set_max_transition_options,
              run_set_max_transition,
              "A limit of the design applies everywhere, one of ports, pins and cells applies "
              "there, and one of clocks applies in their networks (-clock_path) and in the paths "
              "that they launch (-data_path). The smallest limit counts, including those of "
              "libraries. report_constraints reports violations.",
              "set_max_transition 0.4 [current_design]\n"),
  SDC_COMMAND("set_max_capacitance", "sets the largest load of drivers", set_capacitance_options,
              run_set_max_capacitance,
              "A limit of the design applies to every driver, one of ports, pins and cells "
              "applies there. The strictest limit counts, including those of libraries. "
              "report_constraints reports violations.",
              "set_max_capacitance 0.1 [get_ports debug*]\n"),
  SDC_COMMAND("set_min_capacitance", "sets the smallest load of drivers", set_capacitance_options,
              run_set_min_capacitance,
              "A limit of the design applies to every driver, one of ports, pins and cells "
              "applies there. The strictest limit counts, including those of libraries. A limit "
              "above set_max_capacitance of the same object draws a warning. report_constraints "
              "reports violations.",
              "set_min_capacitance 0.001 [get_ports debug*]\n"),
  SDC_COMMAND("set_max_fanout", "limits fanout", set_max_fanout_options, run_set_max_fanout,
              "A limit of the design applies to every driver, one of ports, pins and cells "
              "applies there. The strictest limit counts, including those of libraries. "
              "report_constraints reports violations.",
              "set_max_fanout 20 [current_design]\n"),
  SDC_COMMAND(
      "set_fanout_load", "sets the fanout load of output ports", set_fanout_load_options,
      run_set_fanout_load,
      "The value counts in the fan-out of the port's driver. A port without it counts as one load.",
      "set_fanout_load 2 [get_ports debug*]\n"),
  SDC_COMMAND("set_max_area", "limits the area", set_max_area_options, run_set_max_area,
              "report_constraints compares it with the area of the design.", "set_max_area 3000\n"),
  { 0 }
};

/* The manual lists these behind all commands that set something. */
const Command commands_sdc_unset_check[] = {
  SDC_FORGETTING("unset_logic",
                 "removes constants of set_logic_zero, set_logic_one and set_logic_dc",
                 unset_logic_options, run_unset_logic, NULL, "unset_logic [get_ports test]\n"),
  SDC_FORGETTING("unset_ideal_network", "ends ideal networks", unset_ideal_options,
                 run_unset_ideal_network,
                 "Ideal nets of set_ideal_net stay; unset_ideal_net ends them.",
                 "unset_ideal_network [get_ports rst_n]\n"),
  SDC_FORGETTING("unset_ideal_net", "ends ideal nets", unset_ideal_net_options,
                 run_unset_ideal_net,
                 "Networks of set_ideal_network stay; unset_ideal_network ends them.",
                 "unset_ideal_net [get_nets rst_n]\n"),
  SDC_FORGETTING("unset_ideal_latency", "removes latencies of ideal networks",
                 unset_ideal_value_options, run_unset_ideal_latency, NULL,
                 "unset_ideal_latency [get_ports rst_n]\n"),
  SDC_FORGETTING("unset_ideal_transition", "removes transition times of ideal networks",
                 unset_ideal_value_options, run_unset_ideal_transition, NULL,
                 "unset_ideal_transition [get_ports rst_n]\n"),
  SDC_FORGETTING("unset_clock_gating_check", "removes margins of clock gating checks",
                 unset_gating_options, run_unset_clock_gating_check, NULL,
                 "unset_clock_gating_check [get_clocks clk]\n"),
  SDC_FORGETTING("unset_max_time_borrow", "removes limits of time borrowing", unset_borrow_options,
                 run_unset_max_time_borrow, NULL, "unset_max_time_borrow [get_clocks clk]\n"),
  SDC_FORGETTING("unset_max_transition", "removes limits of transition times", unset_slew_options,
                 run_unset_max_transition, NULL, "unset_max_transition [current_design]\n"),
  SDC_FORGETTING("unset_max_capacitance", "removes upper limits of loads", unset_limit_options,
                 run_unset_max_capacitance, NULL, "unset_max_capacitance [get_ports debug*]\n"),
  SDC_FORGETTING("unset_min_capacitance", "removes lower limits of loads", unset_limit_options,
                 run_unset_min_capacitance, NULL, "unset_min_capacitance [get_ports debug*]\n"),
  SDC_FORGETTING("unset_max_fanout", "removes limits of fan-out", unset_limit_options,
                 run_unset_max_fanout, NULL, "unset_max_fanout [current_design]\n"),
  SDC_FORGETTING("unset_fanout_load", "removes fan-out loads of ports", unset_fanout_options,
                 run_unset_fanout_load, NULL, "unset_fanout_load [get_ports debug*]\n"),
  { 0 }
};

const Command commands_sdc_unset_area[] = {
  SDC_FORGETTING("unset_max_area", "removes the limit of the area", no_options, run_unset_max_area,
                 NULL, "unset_max_area\n"),
  { 0 }
};
