/* Removes constraints: the unset_... commands for the set_... commands of ports, checks and
   limits. */
#include <math.h>

#include "base/interrupt.h"
#include "sdc/sdc_command.h"

/* Removes what a command sets for one object.  `what`: the command's own choice of a kind. */
typedef void (*Forget)(Sdc *x, Object o, int what);

static Status forget_each(Session *s, Args *a, const char *command, const char *option,
                          Forget forget_one, int what)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count;
  const Object *objects = sdc_objects(&x, option, &count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) forget_one(&x, objects[i], what);
  return OK;
}

/* The same of the design where no objects are given. */
static Status forget_each_or_design(Session *s, Args *a, const char *command, Forget forget_one,
                                    int what)
{
  if (args_given(a, "objects")) return forget_each(s, a, command, "objects", forget_one, what);
  Sdc x = sdc_begin(s, a, command);
  forget_one(&x, (Object){ OBJ_DESIGN, 0 }, what);
  return OK;
}

#define UNSET(name_, option_, forget_, what_)          \
  static Status run_unset_##name_(Session *s, Args *a) \
      { return forget_each(s, a, "unset_" #name_, option_, forget_, what_); }
#define UNSET_OR_DESIGN(name_, forget_, what_)         \
  static Status run_unset_##name_(Session *s, Args *a) \
      { return forget_each_or_design(s, a, "unset_" #name_, forget_, what_); }

/* --- drives and loads ------------------------------------------------------------------------- */

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

enum { DRIVE_CELL, DRIVE_RESISTANCE, DRIVE_SLEW };

static void forget_drive(Sdc *x, Object port, int what)
{
  if (!constraints_find_drive(x->c, port.id)) return;
  PortDrive *d = constraints_drive(x->c, port.id);
  if (what == DRIVE_CELL) sdc_drop_driving_cell(x, d, sdc_conditions(x->a));
  else forget(x, what == DRIVE_SLEW ? d->slew : d->resistance, sdc_conditions(x->a));
}

UNSET(driving_cell, "ports", forget_drive, DRIVE_CELL)
UNSET(drive, "ports", forget_drive, DRIVE_RESISTANCE)
UNSET(input_transition, "ports", forget_drive, DRIVE_SLEW)

/* The values that include the pins' capacitances are removed, so nothing is left to subtract them
   from. */
static void forget_net_cap(Sdc *x, NetLoad *l, uint32_t conditions)
{
  forget(x, l->wire_cap, conditions);
  l->subtract_pin_load &= (uint8_t)~conditions;
}

static void forget_load(Sdc *x, Object o, int what)
{
  bool wire = args_flag(x->a, "-wire_load"), pin = args_flag(x->a, "-pin_load");
  (void)what;
  if (o.type == OBJ_NET) {
    NetId net = x->c->netlist->segs.at[o.id].net;
    if (constraints_find_net_load(x->c, net))
      forget_net_cap(x, constraints_net_load(x->c, net), sdc_conditions(x->a));
  } else if (constraints_find_port_load(x->c, o.id)) {
    PortLoad *l = constraints_port_load(x->c, o.id);
    if (pin || !wire) forget(x, l->pin_load, sdc_conditions(x->a));
    if (wire || !pin) forget(x, l->wire_load, sdc_conditions(x->a));
  }
}

UNSET(load, "objects", forget_load, 0)

static void forget_resistance(Sdc *x, Object o, int what)
{
  NetId net = x->c->netlist->segs.at[o.id].net;
  (void)what;
  if (constraints_find_net_load(x->c, net))
    forget_early_late(x, constraints_net_load(x->c, net)->resistance, sdc_early_late(x->a));
}

UNSET(resistance, "nets", forget_resistance, 0)

static void forget_fanout(Sdc *x, Object port, int what)
{
  (void)what;
  if (constraints_find_port_load(x->c, port.id))
    forget_early_late(x, constraints_port_load(x->c, port.id)->fanout_number, sdc_early_late(x->a));
}

UNSET(port_fanout_number, "ports", forget_fanout, 0)

/* --- constants, ideal networks ---------------------------------------------------------------- */

static void forget_logic(Sdc *x, Object o, int what)
{
  (void)what;
  constraints_unset_case(x->c, o.id, false);
}

UNSET(logic, "port_list", forget_logic, 0)

static void forget_ideal(Sdc *x, Object o, int of_net)
{
  PinArray pins = { 0 };
  sdc_add_pins(x, o, &pins);
  for (uint32_t i = 0; i < pins.len; i++) constraints_remove_ideal(x->c, pins.at[i], of_net);
  array_free(&pins);
}

UNSET(ideal_network, "objects", forget_ideal, false)
UNSET(ideal_net, "nets", forget_ideal, true)

enum { IDEAL_LATENCY, IDEAL_SLEW };

static void forget_ideal_value(Sdc *x, Object o, int what)
{
  PinArray pins = { 0 };
  sdc_add_behind(x, o.id, &pins);
  for (uint32_t i = 0; i < pins.len; i++) {
    if (!constraints_find_ideal_pin(x->c, pins.at[i])) continue;
    IdealPin *p = constraints_ideal_pin(x->c, pins.at[i]);
    forget(x, what == IDEAL_SLEW ? p->slew : p->latency, sdc_conditions(x->a));
  }
  array_free(&pins);
}

UNSET(ideal_latency, "objects", forget_ideal_value, IDEAL_LATENCY)
UNSET(ideal_transition, "objects", forget_ideal_value, IDEAL_SLEW)

/* --- checks and limits ------------------------------------------------------------------------ */

static void forget_gating(Sdc *x, Object o, int what)
{
  (void)what;
  constraints_remove_gating_check(x->c, o);
}

UNSET_OR_DESIGN(clock_gating_check, forget_gating, 0)

static void forget_borrow(Sdc *x, Object o, int what)
{
  (void)what;
  if (!isnan(constraints_find_time_borrow(x->c, o))) constraints_set_time_borrow(x->c, o, NAN);
}

UNSET(max_time_borrow, "objects", forget_borrow, 0)

static void forget_limit(Sdc *x, Object o, int kind)
{
  if (!isnan(constraints_find_limit(x->c, (LimitKind)kind, o)))
    constraints_set_limit(x->c, (LimitKind)kind, o, NAN);
}

UNSET_OR_DESIGN(max_capacitance, forget_limit, LIMIT_MAX_CAP)
UNSET_OR_DESIGN(min_capacitance, forget_limit, LIMIT_MIN_CAP)
UNSET_OR_DESIGN(max_fanout, forget_limit, LIMIT_MAX_FANOUT)
UNSET(fanout_load, "ports", forget_limit, LIMIT_FANOUT_LOAD)
UNSET_OR_DESIGN(max_area, forget_limit, LIMIT_MAX_AREA)

/* Clocks keep limits of their own, by edge. */
static void forget_slew(Sdc *x, Object o, int kind)
{
  bool clock = args_flag(x->a, "-clock_path"), data = args_flag(x->a, "-data_path");
  if (o.type != OBJ_CLOCK) {
    forget_limit(x, o, kind);
    return;
  }
  Clock *k = &x->c->clocks.at[o.id];
  if (clock || !data) forget_early_late(x, k->max_slew_clock, sdc_edges(x->a));
  if (data || !clock) forget_early_late(x, k->max_slew_data, sdc_edges(x->a));
}

UNSET_OR_DESIGN(max_transition, forget_slew, LIMIT_MAX_SLEW)

static void forget_width(Sdc *x, Object o, int what)
{
  bool low = args_flag(x->a, "-low"), high = args_flag(x->a, "-high");
  (void)what;
  if (low || !high) forget_limit(x, o, LIMIT_PULSE_LOW);
  if (high || !low) forget_limit(x, o, LIMIT_PULSE_HIGH);
}

UNSET_OR_DESIGN(min_pulse_width, forget_width, 0)

/* --- everything ------------------------------------------------------------------------------- */

static Status run_unset_constraints(Session *s, Args *a)
{
  (void)a;
  constraints_changed(s->constraints);
  Constraints *empty = constraints_new(s->netlist);
  empty->version = s->constraints->version - 1;      /* differs from the present one, so that the
                                                        graph compiles again */
  constraints_restore(s->constraints, empty);
  return OK;
}

/* --- table ------------------------------------------------------------------------------------ */

#define KINDS_LIMIT (KIND_DESIGN | OBJS_PORT_PIN | OBJ_BIT(OBJ_CELL))

static const Option no_options[] = { ROW_END };
static const Option drive_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX, ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "ports"),
  ROW_END
};
static const Option load_options[] = {
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  { "-pin_load", ARG_FLAG, .help = "for ports: only the load of pins" },
  { "-wire_load", ARG_FLAG, .help = "for ports: only the load of the wire outside" },
  ROW_OBJECTS("objects", OBJ_BIT(OBJ_PORT) | OBJ_BIT(OBJ_NET), OPT_REQUIRED, "ports or nets"),
  ROW_END
};
static const Option net_options[] = { ROWS_MIN_MAX,
                                      ROW_OBJECTS("nets", OBJ_BIT(OBJ_NET), OPT_REQUIRED, "nets"),
                                      ROW_END };
static const Option port_options[] = {
  ROWS_MIN_MAX, ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "ports"), ROW_END
};
static const Option logic_options[] = {
  ROW_OBJECTS("port_list", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"), ROW_END
};
static const Option ideal_options[] = { ROW_OBJECTS("objects", OBJS_PORT_PIN | OBJ_BIT(OBJ_NET),
                                                    OPT_REQUIRED,
                                                    "ports, pins or nets where the network starts"),
                                        ROW_END };
static const Option ideal_net_options[] = {
  ROW_OBJECTS("nets", OBJ_BIT(OBJ_NET), OPT_REQUIRED, "nets"), ROW_END };
static const Option ideal_value_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX,
  ROW_OBJECTS("objects", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"), ROW_END
};
static const Option gating_options[] = {
  ROW_OBJECTS("objects", KIND_DESIGN | KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL), 0,
              "clocks, cells, pins; default: the design"),
  ROW_END
};
static const Option borrow_options[] = { ROW_OBJECTS("objects", KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL),
                                                     OPT_REQUIRED, "clocks, latches or their pins"),
                                         ROW_END };
static const Option limit_options[] = {
  ROW_OBJECTS("objects", KINDS_LIMIT, 0, "ports, pins or cells; default: the design"), ROW_END };
static const Option fanout_options[] = {
  ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "output ports"), ROW_END };
static const Option slew_options[] = {
  { "-clock_path", ARG_FLAG, .help = "for clocks: only the limit of clock networks" },
  { "-data_path", ARG_FLAG, .help = "for clocks: only the limit of data paths" },
  ROWS_RISE_FALL,
  ROW_OBJECTS("objects", KINDS_LIMIT | OBJ_BIT(OBJ_CLOCK), 0,
              "clocks, ports, pins or cells; default: the design"),
  ROW_END
};

static const Option width_options[] = {
  { "-low", ARG_FLAG, .help = "low pulses" },
  { "-high", ARG_FLAG, .help = "high pulses" },
  ROW_OBJECTS("objects", KIND_DESIGN | KINDS_CLOCK_PIN | OBJ_BIT(OBJ_CELL), 0,
              "clocks, pins or cells; default: the design"),
  ROW_END
};

const Command commands_sdc_unset[] = {
  SDC_FORGETTING("unset_driving_cell", "removes driving cells of ports", drive_options,
                 run_unset_driving_cell, NULL, "unset_driving_cell [get_ports test]\n"),
  SDC_FORGETTING("unset_drive", "removes the resistance of drivers of ports", drive_options,
                 run_unset_drive, NULL, "unset_drive [get_ports test]\n"),
  SDC_FORGETTING("unset_input_transition", "removes transition times of ports", drive_options,
                 run_unset_input_transition, NULL, "unset_input_transition [get_ports test]\n"),
  SDC_FORGETTING("unset_load", "removes loads of ports or nets", load_options, run_unset_load, NULL,
                 "unset_load [get_ports debug*]\n"),
  SDC_FORGETTING("unset_resistance", "removes the resistance of nets", net_options,
                 run_unset_resistance, NULL, "unset_resistance [get_nets test]\n"),
  SDC_FORGETTING("unset_port_fanout_number", "removes the number of pins outside of ports",
                 port_options, run_unset_port_fanout_number, NULL,
                 "unset_port_fanout_number [get_ports debug*]\n"),
  SDC_FORGETTING("unset_logic",
                 "removes constants of set_logic_zero, set_logic_one and set_logic_dc",
                 logic_options, run_unset_logic, NULL, "unset_logic [get_ports test]\n"),
  SDC_FORGETTING("unset_ideal_network", "ends ideal networks", ideal_options,
                 run_unset_ideal_network,
                 "Ideal nets of set_ideal_net stay; unset_ideal_net ends them.",
                 "unset_ideal_network [get_ports rst_n]\n"),
  SDC_FORGETTING("unset_ideal_net", "ends ideal nets", ideal_net_options,
                 run_unset_ideal_net,
                 "Networks of set_ideal_network stay; unset_ideal_network ends them.",
                 "unset_ideal_net [get_nets rst_n]\n"),
  SDC_FORGETTING("unset_ideal_latency", "removes latencies of ideal networks", ideal_value_options,
                 run_unset_ideal_latency, NULL, "unset_ideal_latency [get_ports rst_n]\n"),
  SDC_FORGETTING("unset_ideal_transition", "removes transition times of ideal networks",
                 ideal_value_options, run_unset_ideal_transition, NULL,
                 "unset_ideal_transition [get_ports rst_n]\n"),
  SDC_FORGETTING("unset_clock_gating_check", "removes margins of clock gating checks",
                 gating_options, run_unset_clock_gating_check, NULL,
                 "unset_clock_gating_check [get_clocks clk]\n"),
  SDC_FORGETTING("unset_max_time_borrow", "removes limits of time borrowing", borrow_options,
                 run_unset_max_time_borrow, NULL, "unset_max_time_borrow [get_clocks clk]\n"),
  SDC_FORGETTING("unset_max_transition", "removes limits of transition times", slew_options,
                 run_unset_max_transition, NULL, "unset_max_transition [current_design]\n"),
  SDC_FORGETTING("unset_max_capacitance", "removes upper limits of loads", limit_options,
                 run_unset_max_capacitance, NULL, "unset_max_capacitance [get_ports debug*]\n"),
  SDC_FORGETTING("unset_min_capacitance", "removes lower limits of loads", limit_options,
                 run_unset_min_capacitance, NULL, "unset_min_capacitance [get_ports debug*]\n"),
  SDC_FORGETTING("unset_max_fanout", "removes limits of fan-out", limit_options,
                 run_unset_max_fanout, NULL, "unset_max_fanout [current_design]\n"),
  SDC_FORGETTING("unset_fanout_load", "removes fan-out loads of ports", fanout_options,
                 run_unset_fanout_load, NULL, "unset_fanout_load [get_ports debug*]\n"),
  SDC_FORGETTING("unset_min_pulse_width", "removes least widths of clock pulses", width_options,
                 run_unset_min_pulse_width, NULL, "unset_min_pulse_width -high [get_clocks clk]\n"),
  SDC_FORGETTING("unset_max_area", "removes the limit of the area", no_options, run_unset_max_area,
                 NULL, "unset_max_area\n"),
  SDC_COMMAND("unset_constraints", "removes all constraints", no_options, run_unset_constraints,
              NULL, "write_sdc -no_timestamp all.sdc\nunset_constraints\nread_sdc all.sdc\n"),
  { 0 }
};
