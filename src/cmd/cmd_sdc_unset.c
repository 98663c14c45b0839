/* Constraints that go again: unset_... for what the set_... commands of ports, checks and limits say. */
#include <math.h>

#include "cmd/sdc.h"

/* --- drives and loads ------------------------------------------------------------------------------------------------ */

static void forget(Sdc *x, float at[CONDITION_COUNT], uint32_t conditions)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (conditions >> k & 1) constraints_put(x->c, &at[k], NAN);
}

static void forget_early_late(Sdc *x, float at[2], uint32_t early_late)
{
  for (int el = EARLY; el <= LATE; el++)
    if (early_late >> el & 1) constraints_put(x->c, &at[el], NAN);
}

static void forget_cell(Sdc *x, PortDrive *d, uint32_t conditions)
{
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!(conditions >> k & 1) || d->cell[k] == NO_CELL) continue;
    d->cell[k] = NO_CELL;
    d->from_port[k] = d->to_port[k] = NO_PORT;
    d->from_slew[k][RISE] = d->from_slew[k][FALL] = NAN;
    constraints_changed(x->c);
  }
}

typedef enum { DRIVE_CELL, DRIVE_RESISTANCE, DRIVE_SLEW } DriveKind;

static Status unset_drive(Session *s, Args *a, const char *command, DriveKind kind)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count, conditions = sdc_conditions(a);
  const Object *ports = sdc_objects(&x, "ports", &count);
  for (uint32_t i = 0; i < count; i++) {
    if (!constraints_find_drive(x.c, ports[i].id)) continue;
    PortDrive *d = constraints_drive(x.c, ports[i].id);
    if (kind == DRIVE_CELL) forget_cell(&x, d, conditions);
    else forget(&x, kind == DRIVE_SLEW ? d->slew : d->resistance, conditions);
  }
  return OK;
}

static Status run_unset_driving_cell(Session *s, Args *a) { return unset_drive(s, a, "unset_driving_cell", DRIVE_CELL); }
static Status run_unset_drive(Session *s, Args *a) { return unset_drive(s, a, "unset_drive", DRIVE_RESISTANCE); }
static Status run_unset_input_transition(Session *s, Args *a) { return unset_drive(s, a, "unset_input_transition", DRIVE_SLEW); }

static void unset_load_of(Sdc *x, Object o, uint32_t conditions)
{
  bool wire = args_flag(x->a, "-wire_load"), pin = args_flag(x->a, "-pin_load");
  if (o.type == OBJ_NET) {
    NetId net = x->c->netlist->segs.at[o.id].net;
    if (constraints_find_net_load(x->c, net)) forget(x, constraints_net_load(x->c, net)->wire_cap, conditions);
  } else if (constraints_find_port_load(x->c, o.id)) {
    PortLoad *l = constraints_port_load(x->c, o.id);
    if (pin || !wire) forget(x, l->pin_load, conditions);
    if (wire || !pin) forget(x, l->wire_load, conditions);
  }
}

static Status run_unset_load(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_load");
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  for (uint32_t i = 0; i < count; i++) unset_load_of(&x, objects[i], sdc_conditions(a));
  return OK;
}

static Status run_unset_resistance(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_resistance");
  uint32_t count;
  const Object *nets = sdc_objects(&x, "nets", &count);
  for (uint32_t i = 0; i < count; i++) {
    NetId net = x.c->netlist->segs.at[nets[i].id].net;
    if (constraints_find_net_load(x.c, net))
      forget_early_late(&x, constraints_net_load(x.c, net)->resistance, sdc_early_late(a));
  }
  return OK;
}

static Status run_unset_port_fanout_number(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_port_fanout_number");
  uint32_t count;
  const Object *ports = sdc_objects(&x, "ports", &count);
  for (uint32_t i = 0; i < count; i++)
    if (constraints_find_port_load(x.c, ports[i].id))
      forget_early_late(&x, constraints_port_load(x.c, ports[i].id)->fanout_number, sdc_early_late(a));
  return OK;
}

/* --- constants, ideal networks ------------------------------------------------------------------------------------------ */

static Status run_unset_logic(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_logic");
  uint32_t count;
  const Object *objects = sdc_objects(&x, "port_list", &count);
  for (uint32_t i = 0; i < count; i++) {
    const PinCase *r = constraints_find_case(x.c, objects[i].id);
    if (r && !r->is_case) constraints_unset_case(x.c, objects[i].id);
  }
  return OK;
}

static Status run_unset_ideal_network(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_ideal_network");
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  PinArray pins = { 0 };
  for (uint32_t i = 0; i < count; i++) sdc_add_pins(&x, objects[i], &pins);
  for (uint32_t i = 0; i < pins.len; i++) constraints_remove_ideal(x.c, pins.at[i]);
  array_free(&pins);
  return OK;
}

static Status unset_ideal_value(Session *s, Args *a, const char *command, bool slew)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  for (uint32_t i = 0; i < count; i++) {
    if (!constraints_find_ideal_pin(x.c, objects[i].id)) continue;
    IdealPin *p = constraints_ideal_pin(x.c, objects[i].id);
    forget(&x, slew ? p->slew : p->latency, sdc_conditions(a));
  }
  return OK;
}

static Status run_unset_ideal_latency(Session *s, Args *a) { return unset_ideal_value(s, a, "unset_ideal_latency", false); }
static Status run_unset_ideal_transition(Session *s, Args *a) { return unset_ideal_value(s, a, "unset_ideal_transition", true); }

/* --- checks and limits ------------------------------------------------------------------------------------------------------ */

static const Object the_design = { OBJ_DESIGN, 0 };

static const Object *objects_or_design(Sdc *x, uint32_t *count)
{
  *count = 1;
  return args_given(x->a, "objects") ? sdc_objects(x, "objects", count) : &the_design;
}

static Status run_unset_clock_gating_check(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_clock_gating_check");
  uint32_t count;
  const Object *objects = objects_or_design(&x, &count);
  for (uint32_t i = 0; i < count; i++) constraints_remove_gating_check(x.c, objects[i]);
  return OK;
}

static Status run_unset_max_time_borrow(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_max_time_borrow");
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  for (uint32_t i = 0; i < count; i++)
    if (!isnan(constraints_find_time_borrow(x.c, objects[i]))) constraints_set_time_borrow(x.c, objects[i], NAN);
  return OK;
}

static Status unset_limit(Session *s, Args *a, const char *command, LimitKind kind)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count;
  const Object *objects = objects_or_design(&x, &count);
  for (uint32_t i = 0; i < count; i++)
    if (objects[i].type != OBJ_CLOCK && !isnan(constraints_find_limit(x.c, kind, objects[i])))
      constraints_set_limit(x.c, kind, objects[i], NAN);
  return OK;
}

#define UNSET_LIMIT(name_, kind_) \
  static Status run_unset_##name_(Session *s, Args *a) { return unset_limit(s, a, "unset_" #name_, kind_); }
UNSET_LIMIT(max_capacitance, LIMIT_MAX_CAP)
UNSET_LIMIT(min_capacitance, LIMIT_MIN_CAP)
UNSET_LIMIT(max_fanout, LIMIT_MAX_FANOUT)
UNSET_LIMIT(fanout_load, LIMIT_FANOUT_LOAD)
UNSET_LIMIT(max_area, LIMIT_MAX_AREA)

static Status run_unset_max_transition(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_max_transition");
  uint32_t count, edges = sdc_edges(a);
  bool clock = args_flag(a, "-clock_path"), data = args_flag(a, "-data_path");
  const Object *objects = objects_or_design(&x, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (objects[i].type != OBJ_CLOCK) continue;
    Clock *k = &x.c->clocks.at[objects[i].id];
    if (clock || !data) forget_early_late(&x, k->max_slew_clock, edges);      /* by edge */
    if (data || !clock) forget_early_late(&x, k->max_slew_data, edges);
  }
  return unset_limit(s, a, "unset_max_transition", LIMIT_MAX_SLEW);
}

/* --- everything -------------------------------------------------------------------------------------------------------------- */

static Status run_unset_constraints(Session *s, Args *a)
{
  (void)a;
  constraints_changed(s->constraints);
  Constraints *empty = constraints_new(s->netlist);
  empty->version = s->constraints->version - 1;      /* differs from the present one, so that the graph compiles again */
  empty->value_version = s->constraints->value_version;
  constraints_restore(s->constraints, empty);
  return OK;
}

/* --- table ----------------------------------------------------------------------------------------------------------------- */

#define KINDS_LIMIT (KIND_DESIGN | OBJS_PORT_PIN | OBJ_BIT(OBJ_CELL))

static const Option no_options[] = { ROW_END };
static const Option drive_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX, ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "ports"), ROW_END };
static const Option load_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX,
  { "-pin_load", ARG_FLAG, .help = "of ports: only what stands for pins" },
  { "-wire_load", ARG_FLAG, .help = "of ports: only the outer wire's" },
  ROW_OBJECTS("objects", OBJ_BIT(OBJ_PORT) | OBJ_BIT(OBJ_NET), OPT_REQUIRED, "ports or nets"), ROW_END };
static const Option net_options[] = { ROWS_MIN_MAX, ROW_OBJECTS("nets", OBJ_BIT(OBJ_NET), OPT_REQUIRED, "nets"), ROW_END };
static const Option port_options[] = { ROWS_MIN_MAX, ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "ports"), ROW_END };
static const Option logic_options[] = { ROW_OBJECTS("port_list", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"), ROW_END };
static const Option ideal_options[] = {
  ROW_OBJECTS("objects", OBJS_PORT_PIN | OBJ_BIT(OBJ_NET), OPT_REQUIRED, "ports, pins or nets where the network starts"), ROW_END };
static const Option ideal_value_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX, ROW_OBJECTS("objects", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"), ROW_END };
static const Option gating_options[] = {
  ROW_OBJECTS("objects", KIND_DESIGN | KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL), 0, "clocks, cells, pins; default: the design"),
  ROW_END };
static const Option borrow_options[] = {
  ROW_OBJECTS("objects", KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL), OPT_REQUIRED, "clocks, latches or their pins"), ROW_END };
static const Option limit_options[] = {
  ROW_OBJECTS("objects", KINDS_LIMIT, 0, "ports, pins or cells; default: the design"), ROW_END };
static const Option slew_options[] = {
  { "-clock_path", ARG_FLAG, .help = "of clocks: only the limit of clock networks" },
  { "-data_path", ARG_FLAG, .help = "of clocks: only the limit of data paths" },
  ROWS_RISE_FALL,
  ROW_OBJECTS("objects", KINDS_LIMIT | OBJ_BIT(OBJ_CLOCK), 0, "clocks, ports, pins or cells; default: the design"), ROW_END };

const Command commands_sdc_unset[] = {
  SDC_COMMAND("unset_driving_cell", "forgets driving cells of ports", drive_options, run_unset_driving_cell, NULL,
    "unset_driving_cell [get_ports test]\n"),
  SDC_COMMAND("unset_drive", "forgets the resistance of ports' drivers", drive_options, run_unset_drive, NULL,
    "unset_drive [get_ports test]\n"),
  SDC_COMMAND("unset_input_transition", "forgets transition times of ports", drive_options, run_unset_input_transition, NULL,
    "unset_input_transition [get_ports test]\n"),
  SDC_COMMAND("unset_load", "forgets loads of ports or nets", load_options, run_unset_load, NULL,
    "unset_load [get_ports debug*]\n"),
  SDC_COMMAND("unset_resistance", "forgets the resistance of nets", net_options, run_unset_resistance, NULL,
    "unset_resistance [get_nets test]\n"),
  SDC_COMMAND("unset_port_fanout_number", "forgets the number of pins behind ports", port_options,
    run_unset_port_fanout_number, NULL, "unset_port_fanout_number [get_ports debug*]\n"),
  SDC_COMMAND("unset_logic", "forgets constants of set_logic_zero, set_logic_one and set_logic_dc", logic_options,
    run_unset_logic, NULL, "unset_logic [get_ports test]\n"),
  SDC_COMMAND("unset_ideal_network", "makes ideal networks and nets plain again", ideal_options, run_unset_ideal_network,
    NULL, "unset_ideal_network [get_ports rst_n]\n"),
  SDC_COMMAND("unset_ideal_latency", "forgets latencies of ideal networks", ideal_value_options, run_unset_ideal_latency,
    NULL, "unset_ideal_latency [get_ports rst_n]\n"),
  SDC_COMMAND("unset_ideal_transition", "forgets transition times of ideal networks", ideal_value_options,
    run_unset_ideal_transition, NULL, "unset_ideal_transition [get_ports rst_n]\n"),
  SDC_COMMAND("unset_clock_gating_check", "forgets margins of clock gating checks", gating_options,
    run_unset_clock_gating_check, NULL, "unset_clock_gating_check [get_clocks clk]\n"),
  SDC_COMMAND("unset_max_time_borrow", "forgets limits of time borrowing", borrow_options, run_unset_max_time_borrow, NULL,
    "unset_max_time_borrow [get_clocks clk]\n"),
  SDC_COMMAND("unset_max_transition", "forgets limits of transition times", slew_options, run_unset_max_transition, NULL,
    "unset_max_transition [current_design]\n"),
  SDC_COMMAND("unset_max_capacitance", "forgets upper limits of loads", limit_options, run_unset_max_capacitance, NULL,
    "unset_max_capacitance [get_ports debug*]\n"),
  SDC_COMMAND("unset_min_capacitance", "forgets lower limits of loads", limit_options, run_unset_min_capacitance, NULL,
    "unset_min_capacitance [get_ports debug*]\n"),
  SDC_COMMAND("unset_max_fanout", "forgets limits of fanout", limit_options, run_unset_max_fanout, NULL,
    "unset_max_fanout [current_design]\n"),
  SDC_COMMAND("unset_fanout_load", "forgets fanout loads of ports", limit_options, run_unset_fanout_load, NULL,
    "unset_fanout_load [get_ports debug*]\n"),
  SDC_COMMAND("unset_max_area", "forgets the limit of the area", no_options, run_unset_max_area, NULL,
    "unset_max_area\n"),
  SDC_COMMAND("unset_constraints", "forgets all constraints", no_options, run_unset_constraints, NULL,
    "write_sdc -no_timestamp all.sdc\nunset_constraints\nread_sdc all.sdc\n"),
  { 0 } };
