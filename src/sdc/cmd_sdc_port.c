/* Constraints: what surrounds the design: delays, drives and loads of ports, loads of nets. */
#include <math.h>

#include "base/interrupt.h"
#include "sdc/sdc_command.h"
#include "sdc/sdc_forget.h"

/* A flag is that of the command that said the values. */
static void put_bits(Sdc *x, uint8_t *bits, uint32_t conditions, bool on)
{
  uint8_t before = *bits;
  *bits = (uint8_t)(on ? *bits | conditions : *bits & ~conditions);
  if (*bits != before) constraints_changed(x->c);
}

/* --- set_input_delay, set_output_delay -------------------------------------------------------- */

typedef struct {
  bool     output;
  float    value;
  ClockId  clock;
  int      clock_edge;
  PinId    reference;
  uint32_t conditions;
} Delay;

static Status read_reference(Sdc *x, PinId *pin)
{
  uint32_t count;
  const Object *objects = sdc_objects(x, "-reference_pin", &count);
  *pin = NO_PIN;
  if (!args_given(x->a, "-reference_pin")) return OK;
  if (count != 1)
    return log_error(x->s->log, "SDC-030", x->where,
                     "%s: -reference_pin names %u pins, expected one", x->command, count);
  *pin = objects[0].id;
  if (!args_given(x->a, "-clock"))
    return log_error(x->s->log, "SDC-085", x->where, "%s: -reference_pin without -clock",
                     x->command);
  if (args_flag(x->a, "-source_latency_included") || args_flag(x->a, "-network_latency_included"))
    log_warning(x->s->log, "SDC-117", x->where,
                "%s: with -reference_pin the delay counts from the clock there, so "
        "-source_latency_included and -network_latency_included are not used", x->command);
  return OK;
}

/* Options about the clock mean nothing without a clock. */
static void warn_without_clock(Sdc *x, Delay *d)
{
  static const char *const flags[] = { "-clock_fall", "-level_sensitive",
    "-source_latency_included",
                                       "-network_latency_included" };
  for (int i = 0; i < 4 && d->clock == NO_CLOCK; i++)
    if (args_flag(x->a, flags[i]))
      log_warning(x->s->log, "SDC-031", x->where, "%s: %s without -clock is ignored", x->command,
                  flags[i]);
  if (d->clock == NO_CLOCK) d->clock_edge = RISE;
}

static Status read_delay(Sdc *x, bool output, Delay *d)
{
  d->output = output;
  d->clock_edge = args_flag(x->a, "-clock_fall") ? FALL : RISE;
  d->conditions = sdc_conditions(x->a);
  if (sdc_number(x, "delay", &d->value) != OK || sdc_clock(x, "-clock", &d->clock) != OK)
    return FAILED;
  if (read_reference(x, &d->reference) != OK) return FAILED;
  warn_without_clock(x, d);
  if (d->clock != NO_CLOCK && args_flag(x->a, "-level_sensitive"))
    log_warning(
        x->s->log, "SDC-131", x->where,
        "%s: -level_sensitive: the latch outside counts as a register, nothing is borrowed there",
        x->command);
  return OK;
}

/* -add_delay to a value that is there keeps the worse of both: the conditions where it is the new
   one. */
static uint32_t worse_conditions(const PortDelay *r, const Delay *d)
{
  uint32_t worse = 0;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    float old = r->delay[k];
    bool late = k >= condition_of(LATE, RISE);
    bool keeps = !isnan(old) && (late ? old > d->value : old < d->value);
    if (!keeps) worse |= d->conditions & 1u << k;
  }
  return worse;
}

static void put_value(Sdc *x, PortDelay *r, const Delay *d, uint32_t conditions)
{
  bool counts = d->reference == NO_PIN;
  put_bits(x, &r->level_sensitive, conditions, args_flag(x->a, "-level_sensitive"));
  put_bits(x, &r->source_latency_included, conditions,
           counts && args_flag(x->a, "-source_latency_included"));
  put_bits(x, &r->network_latency_included, conditions,
           counts && args_flag(x->a, "-network_latency_included"));
  sdc_put(x, r->delay, conditions, d->value);
}

static void put_delay(Sdc *x, Object pin, const Delay *d)
{
  bool add = args_flag(x->a, "-add_delay");
  PortDelay *r = constraints_port_delay(x->c,
                                        &(DelayKey){ d->output, pin.id, d->clock, d->clock_edge,
                                          d->reference, d->conditions }, add);
  r->said = sdc_said(x);
  r->command = sdc_command_id(x);
  put_value(x, r, d, add ? worse_conditions(r, d) : d->conditions);
  sdc_note_order(x, (ValuePair){ d->output ? PAIR_OUTPUT_DELAY : PAIR_INPUT_DELAY,
                                 (uint8_t)d->clock_edge, d->clock, pin });
}

static Status set_delay(Session *s, Args *a, const char *command, bool output)
{
  Sdc x = sdc_begin(s, a, command);
  Delay d;
  uint32_t count;
  const Object *objects = sdc_objects(&x, "port_pin_list", &count);
  if (read_delay(&x, output, &d) != OK) return FAILED;
  sdc_warn_nothing_behind(&x, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    if (sdc_port_has_side(&x, objects[i].id, output)) put_delay(&x, objects[i], &d);
  return OK;
}

static Status run_set_input_delay(Session *s, Args *a)
{
  return set_delay(s, a, "set_input_delay", false);
}
static Status run_set_output_delay(Session *s, Args *a)
{
  return set_delay(s, a, "set_output_delay", true);
}

static Status unset_delay(Session *s, Args *a, const char *command, bool output)
{
  Sdc x = sdc_begin(s, a, command);
  ClockId clock;
  uint32_t count;
  const Object *objects = sdc_objects(&x, "port_pin_list", &count);
  if (sdc_clock(&x, "-clock", &clock) != OK) return FAILED;
  int edge = args_flag(a, "-clock_fall") ? FALL : args_given(a, "-clock") ? RISE : -1;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    constraints_unset_delay(x.c, output, objects[i].id, clock, !args_given(a, "-clock"), edge,
                            sdc_conditions(a));
  return OK;
}

static Status run_unset_input_delay(Session *s, Args *a)
{
  return unset_delay(s, a, "unset_input_delay", false);
}
static Status run_unset_output_delay(Session *s, Args *a)
{
  return unset_delay(s, a, "unset_output_delay", true);
}

static const Option set_delay_options[] = {
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  ROW_CLOCK("the clock that the delay refers to"),
  { "-clock_fall", ARG_FLAG, .help = "the delay refers to the falling edge of the clock" },
  { "-level_sensitive", ARG_FLAG, .help = "there is a latch outside; it is treated like a "
                                          "register" },
  { "-reference_pin", ARG_OBJECTS, .value = "pin", .kinds = OBJS_PORT_PIN,
    .help = "the delay counts from the clock's arrival at this pin; for an ideal clock from its "
            "source" },
  { "-source_latency_included", ARG_FLAG, .help = "the delay includes the source latency of the "
                                                  "clock" },
  { "-network_latency_included", ARG_FLAG, .help = "the delay includes the network latency of "
                                                   "the clock" },
  { "-add_delay", ARG_FLAG,
    .help = "keep the other delays of the port; for one clock edge the worse value stays" },
  { "delay", ARG_TIME, .value = "delay", .flags = OPT_REQUIRED,
    .help = "delay outside the design" },
  ROW_OBJECTS("port_pin_list", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"),
  ROW_END
};

static const Option unset_delay_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX,
  ROW_CLOCK("delays of this clock only; default: of all clocks"),
  { "-clock_fall", ARG_FLAG, .help = "delays of the falling clock edge" },
  ROW_OBJECTS("port_pin_list", OBJS_PORT_PIN, OPT_REQUIRED, "ports or pins"),
  ROW_END };

/* --- drives ----------------------------------------------------------------------------------- */

static void drop_driving_cell(Sdc *x, PortDrive *d, uint32_t conditions)
{
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!(conditions >> k & 1) || d->cell[k] == NO_CELL) continue;
    d->cell[k] = NO_CELL;
    d->from_port[k] = d->to_port[k] = NO_PORT;
    d->from_slew[k][RISE] = d->from_slew[k][FALL] = NAN;
    d->multiply_by[k] = 1;
    d->dont_scale &= (uint8_t)~(1u << k);
    d->no_design_rule &= (uint8_t)~(1u << k);
    constraints_changed(x->c);
  }
}

/* The last of set_drive, set_driving_cell and set_input_transition decides (the first and the
   last go together). */
static bool resistance_decides(const PortDrive *d, uint32_t conditions)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (conditions >> k & 1 && !isnan(d->resistance[k]) && !isnan(d->slew[k])) return true;
  return false;
}

/* count: ports with a resistance and a transition; first: one of them. */
static void tell_of_idle_transition(const Sdc *x, uint32_t count, PinId first)
{
  Text name = { 0 };
  if (count == 0) return;
  netlist_pin_name(x->s->netlist, first, x->s->separator, &name);
  log_warning(x->s->log, "SDC-175", x->where,
              "%s: set_drive gives %s (%u port(s)) its transition, resistance times load; that of "
              "set_input_transition has no effect, expected one of the two",
              x->command, text_get(&name), count);
  text_free(&name);
}

static Status set_drive_value(Sdc *x, const char *option, bool slew)
{
  float value;
  PinId first = NO_PIN;
  uint32_t both = 0, count, conditions = sdc_conditions(x->a);
  const Object *ports = sdc_objects(x, "ports", &count);
  if (sdc_number_not_negative(x, option, &value) != OK) return FAILED;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (!sdc_port_has_side(x, ports[i].id, false)) continue;
    PortDrive *d = constraints_drive(x->c, ports[i].id);
    drop_driving_cell(x, d, conditions);
    sdc_put(x, slew ? d->slew : d->resistance, conditions, value);
    *(slew ? &d->said_of_slew : &d->said_of_drive) = sdc_command_id(x);
    sdc_note_order(x, PAIR_OF(slew ? PAIR_INPUT_SLEW : PAIR_DRIVE, ports[i]));
    if (resistance_decides(d, conditions) && both++ == 0) first = ports[i].id;
  }
  tell_of_idle_transition(x, both, first);
  return OK;
}

static Status run_set_drive(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_drive");
  return set_drive_value(&x, "resistance", false);
}

static Status run_set_input_transition(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_input_transition");
  if (args_given(a, "-clock") || args_flag(a, "-clock_fall"))
    log_warning(s->log, "SDC-033", x.where,
                "set_input_transition: %s is not used; the transition holds for all clocks",
                args_given(a, "-clock") ? "-clock" : "-clock_fall");
  return set_drive_value(&x, "transition", true);
}

static const Option set_drive_options[] = {
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  { "resistance", ARG_RES, .value = "resistance", .flags = OPT_REQUIRED,
    .help = "resistance of the driver" },
  ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "input ports"),
  ROW_END
};

static const Option set_input_transition_options[] = {
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  { "-clock", ARG_TEXT, .value = "clock", .help = "read without effect" },
  { "-clock_fall", ARG_FLAG, .help = "read without effect" },
  { "transition", ARG_TIME, .value = "transition", .flags = OPT_REQUIRED,
    .help = "transition time at the port" },
  ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "input ports"),
  ROW_END
};

typedef struct {
  CellId cell;
  PortId from, to;
  float  from_slew[2];
  float  multiply_by;
  bool   dont_scale, no_design_rule;
} DrivingCell;

static const char *cell_text(Sdc *x, CellId cell)
{
  return names_text(x->s->names, x->s->libs->cells.at[cell].name);
}

static Status read_driving_cell(Sdc *x, CellId *cell)
{
  uint32_t count;
  const Object *cells = sdc_objects(x, "-lib_cell", &count);
  const LibrarySet *libs = x->s->libs;
  const char *library = args_text(x->a, "-library");
  if (count == 0)
    return log_error(x->s->log, "SDC-034", x->where, "%s: -lib_cell names no library cell",
                     x->command);
  *cell = cells[0].id;
  if (library == NULL) return OK;
  LibraryId id = library_find(libs, library);
  if (id == NO_LIBRARY)
    return log_error(x->s->log, "SDC-034", x->where, "%s: there is no library %s", x->command,
                     library);
  NameId name = libs->cells.at[*cell].name;
  *cell = library_find_cell_in(libs, id, name);
  if (*cell != NO_CELL) return OK;
  return log_error(x->s->log, "SDC-034", x->where, "%s: library %s has no cell %s", x->command,
                   library, names_text(x->s->names, name));
}

/* The port of an option, or NO_PORT when it was not given. */
static Status read_cell_port(Sdc *x, const char *option, CellId cell, PortId *port)
{
  const char *text = args_text(x->a, option);
  *port = NO_PORT;
  if (text == NULL) return OK;
  const char *slash = strrchr(text, '/');          /* lib/cell/pin of a collection */
  if (slash) text = slash + 1;
  NameId name = names_find(x->s->names, text, strlen(text));
  if (name != NO_NAME) *port = library_find_port(x->s->libs, cell, name);
  if (*port != NO_PORT) return OK;
  return log_error(x->s->log, "SDC-035", x->where, "%s: cell %s has no pin %s", x->command,
                   cell_text(x, cell), text);
}

static bool is_output(const LibPort *p)
{
  return p->direction == DIR_OUTPUT || p->direction == DIR_INOUT;
}

static Status only_output(Sdc *x, CellId cell, PortId *port)
{
  const LibCell *lc = &x->s->libs->cells.at[cell];
  uint32_t outputs = 0;
  for (PortId p = lc->first_port; p < lc->first_port + lc->port_count; p++) {
    if (!is_output(&x->s->libs->ports.at[p])) continue;
    if (outputs++ == 0) *port = p;
  }
  if (outputs == 1) return OK;
  return log_error(x->s->log, "SDC-035", x->where,
                   "%s: cell %s has %u outputs; -pin must say which one drives", x->command,
                   cell_text(x, cell), outputs);
}

/* The first input of the cell with a delay arc to the port (or: has `from` one?). */
static Status find_input(Sdc *x, DrivingCell *d)
{
  const LibCell *lc = &x->s->libs->cells.at[d->cell];
  PortId best = NO_PORT;
  for (LibArcId i = lc->first_arc; i < lc->first_arc + lc->arc_count; i++) {
    const LibArc *arc = &x->s->libs->arcs.at[i];
    if (arc->to != d->to || arc_type_is_check((ArcType)arc->type) || (d->from != NO_PORT
        && arc->from != d->from)) continue;
    if (arc->from != NO_PORT && (best == NO_PORT || arc->from < best)) best = arc->from;
  }
  d->from = best;
  if (best != NO_PORT) return OK;
  return log_error(x->s->log, "SDC-035", x->where, "%s: cell %s has no such delay arc to pin %s",
                   x->command, cell_text(x, d->cell),
                   names_text(x->s->names, x->s->libs->ports.at[d->to].name));
}

static Status read_driver(Sdc *x, DrivingCell *d)
{
  if (read_driving_cell(x, &d->cell) != OK || read_cell_port(x, "-pin", d->cell, &d->to) != OK)
    return FAILED;
  if (read_cell_port(x, "-from_pin", d->cell, &d->from) != OK) return FAILED;
  if (d->to == NO_PORT && only_output(x, d->cell, &d->to) != OK) return FAILED;
  if (find_input(x, d) != OK) return FAILED;
  if (sdc_number_not_negative(x, "-input_transition_rise", &d->from_slew[RISE]) != OK)
    return FAILED;
  if (sdc_number_not_negative(x, "-input_transition_fall", &d->from_slew[FALL]) != OK)
    return FAILED;
  d->dont_scale = args_flag(x->a, "-dont_scale");
  d->no_design_rule = args_flag(x->a, "-no_design_rule");
  return sdc_number_not_negative(x, "-multiply_by", &d->multiply_by);
}

static bool same_driver(const PortDrive *p, int k, const DrivingCell *d)
{
  return p->cell[k] == d->cell && p->from_port[k] == d->from && p->to_port[k] == d->to
         && p->multiply_by[k] == d->multiply_by && (p->dont_scale >> k & 1) == d->dont_scale
         && (p->no_design_rule >> k & 1) == d->no_design_rule
         && p->from_slew[k][RISE] == d->from_slew[RISE]
         && p->from_slew[k][FALL] == d->from_slew[FALL];
}

static void put_driver(Sdc *x, PortDrive *p, const DrivingCell *d, uint32_t conditions)
{
  p->said_of_cell = sdc_command_id(x);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!(conditions >> k & 1)) continue;
    constraints_put(x->c, &p->slew[k], NAN);
    constraints_put(x->c, &p->resistance[k], NAN);
    if (same_driver(p, k, d)) continue;
    p->cell[k] = d->cell;
    p->from_port[k] = d->from;
    p->to_port[k] = d->to;
    p->from_slew[k][RISE] = d->from_slew[RISE];
    p->from_slew[k][FALL] = d->from_slew[FALL];
    p->multiply_by[k] = d->multiply_by;
    put_bits(x, &p->dont_scale, 1u << k, d->dont_scale);
    put_bits(x, &p->no_design_rule, 1u << k, d->no_design_rule);
    constraints_changed(x->c);
  }
}

static Status run_set_driving_cell(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_driving_cell");
  DrivingCell d;
  uint32_t count;
  const Object *ports = sdc_objects(&x, "ports", &count);
  if (read_driver(&x, &d) != OK) return FAILED;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    if (sdc_port_has_side(&x, ports[i].id, false))
      put_driver(&x, constraints_drive(x.c, ports[i].id), &d, sdc_conditions(a));
  return OK;
}

static const Option set_driving_cell_options[] = {
  { "-lib_cell", ARG_OBJECTS, .value = "cell", .kinds = OBJ_BIT(OBJ_LIB_CELL),
    .flags = OPT_REQUIRED | OPT_PATTERNS, .help = "the cell that drives the ports" },
  { "-library", ARG_TEXT, .value = "library", .help = "library of the cell" },
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  { "-pin", ARG_TEXT, .value = "pin", .help = "output of the cell; needed if it has several" },
  { "-from_pin", ARG_TEXT, .value = "pin",
    .help = "switching input of the cell; default: the first with an arc to the output" },
  { "-input_transition_rise", ARG_TIME, .value = "transition", .preset = "0",
    .help = "rising transition at that input" },
  { "-input_transition_fall", ARG_TIME, .value = "transition", .preset = "0",
    .help = "falling transition at that input" },
  { "-multiply_by", ARG_FLOAT, .value = "factor", .preset = "1",
    .help = "factor on delay and transition at the port" },
  { "-dont_scale", ARG_FLAG, .help = "do not scale the tables of the cell to the operating "
                                     "condition" },
  { "-no_design_rule", ARG_FLAG, .help = "do not apply the design rules of the cell to the port" },
  ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "input ports"),
  ROW_END
};

enum { DRIVE_CELL, DRIVE_RESISTANCE, DRIVE_SLEW };

static void forget_drive(Sdc *x, Object port, int what)
{
  if (!constraints_find_drive(x->c, port.id)) return;
  PortDrive *d = constraints_drive(x->c, port.id);
  if (what == DRIVE_CELL) drop_driving_cell(x, d, sdc_conditions(x->a));
  else sdc_put(x, what == DRIVE_SLEW ? d->slew : d->resistance, sdc_conditions(x->a), NAN);
}

UNSET(driving_cell, "ports", forget_drive, DRIVE_CELL)
UNSET(drive, "ports", forget_drive, DRIVE_RESISTANCE)
UNSET(input_transition, "ports", forget_drive, DRIVE_SLEW)

static const Option unset_drive_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX, ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "ports"),
  ROW_END
};

/* --- loads ------------------------------------------------------------------------------------ */

static void put_load(Sdc *x, Object o, uint32_t conditions, float value)
{
  if (sdc_is_pin(o)) {
    PortLoad *l = constraints_port_load(x->c, o.id);
    bool wire = args_flag(x->a, "-wire_load"), pin = args_flag(x->a, "-pin_load") || !wire;
    if (wire) sdc_put(x, l->wire_load, conditions, value);
    if (wire) sdc_note_order(x, PAIR_OF(PAIR_WIRE_LOAD, o));
    if (pin) sdc_put(x, l->pin_load, conditions, value);
    if (pin) sdc_note_order(x, PAIR_OF(PAIR_PIN_LOAD, o));
    return;
  }
  NetLoad *l = constraints_net_load(x->c, x->c->netlist->segs.at[o.id].net);
  sdc_put(x, l->wire_cap, conditions, value);
  sdc_note_order(x, PAIR_OF(PAIR_NET_CAP, o));
  put_bits(x, &l->subtract_pin_load, conditions, args_flag(x->a, "-subtract_pin_load"));
}

/* Flags of ports say nothing of nets, and the other way round. */
static void warn_of_load_flags(Sdc *x, const Object *objects, uint32_t count)
{
  static const char *const flags[] = { "-subtract_pin_load", "-pin_load", "-wire_load" };
  bool pins = false, nets = false;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    *(sdc_is_pin(objects[i]) ? &pins : &nets) = true;
  for (int f = 0; f < 3; f++) {
    bool idle = args_flag(x->a, flags[f]) && (f == 0 ? pins : nets);
    if (idle)
      log_warning(x->s->log, "SDC-135", x->where, "%s: %s goes with %s only; it is ignored for %s",
                  x->command, flags[f], f == 0 ? "nets" : "ports", f == 0 ? "ports" : "nets");
  }
}

/* Nets with parasitics, which no longer count where constraints give wires. */
static void warn_of_annotated(const Sdc *x, const Object *objects, uint32_t count)
{
  uint32_t found = 0;
  Text name = { 0 };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (objects[i].type != OBJ_NET) continue;
    NetId net = x->c->netlist->segs.at[objects[i].id].net;
    bool annotated = false;
    for (int el = EARLY; el <= LATE; el++)
      annotated |= x->s->parasitics[el] && parasitics_has(x->s->parasitics[el], net);
    if (annotated && found++ == 0) netlist_net_name(x->c->netlist, net, x->s->separator, &name);
  }
  if (found)
    log_warning(x->s->log, "NET-015", x->where,
                "%s counts before the parasitics of %u net(s), for instance %s", x->command, found,
                text_get(&name));
  text_free(&name);
}

/* The capacitance of all pins of a net by their libraries, without ports. */
static float pin_capacitance(const Netlist *n, NetId net, int condition)
{
  float sum = 0;
  NetPins it = net_pins(n, net, false);
  for (PinId pin = net_pins_next(&it); pin != NO_PIN; pin = net_pins_next(&it))
    if (!pin_is_top_port(n, pin)) sum += n->libs->ports.at[n->pins.at[pin].port].cap[condition];
  return sum;
}

/* -subtract_pin_load of less than the pins have leaves the wire nothing. */
static void warn_of_small_load(const Sdc *x, const Object *objects, uint32_t count, float value)
{
  uint32_t found = 0, conditions = sdc_conditions(x->a);
  Text name = { 0 };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (objects[i].type != OBJ_NET) continue;
    NetId net = x->c->netlist->segs.at[objects[i].id].net;
    bool less = false;
    for (int k = 0; k < CONDITION_COUNT; k++)
      less |= conditions >> k & 1 && value < pin_capacitance(x->c->netlist, net, k);
    if (less && found++ == 0) netlist_net_name(x->c->netlist, net, x->s->separator, &name);
  }
  if (found > 1) text_printf(&name, " and %u more", found - 1);
  if (found)
    log_warning(x->s->log, "SDC-174", x->where, "%s: -subtract_pin_load: the pins have more than "
                "the value, expected a total with the wire's; there is no wire capacitance at %s",
                x->command, text_get(&name));
  text_free(&name);
}

static Status run_set_load(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_load");
  float value;
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  if (sdc_number_not_negative(&x, "capacitance", &value) != OK) return FAILED;
  warn_of_load_flags(&x, objects, count);
  warn_of_annotated(&x, objects, count);
  if (args_flag(a, "-subtract_pin_load")) warn_of_small_load(&x, objects, count, value);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    put_load(&x, objects[i], sdc_conditions(a), value);
  return OK;
}

static const Option set_load_options[] = {
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  { "-subtract_pin_load", ARG_FLAG,
    .help = "for nets: the value includes the capacitance of the pins" },
  { "-pin_load", ARG_FLAG, .help = "for ports: the capacitance of pins (the default)" },
  { "-wire_load", ARG_FLAG, .help = "for ports: the capacitance of the wire outside" },
  { "capacitance", ARG_CAP, .value = "capacitance", .flags = OPT_REQUIRED, .help = "capacitance" },
  ROW_OBJECTS("objects", OBJ_BIT(OBJ_PORT) | OBJ_BIT(OBJ_NET), OPT_REQUIRED, "ports or nets"),
  ROW_END
};

/* The values that include the pins' capacitances are removed, so nothing is left to subtract them
   from. */
static void forget_net_cap(Sdc *x, NetLoad *l, uint32_t conditions)
{
  sdc_put(x, l->wire_cap, conditions, NAN);
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
    if (pin || !wire) sdc_put(x, l->pin_load, sdc_conditions(x->a), NAN);
    if (wire || !pin) sdc_put(x, l->wire_load, sdc_conditions(x->a), NAN);
  }
}

UNSET(load, "objects", forget_load, 0)

static const Option unset_load_options[] = {
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  { "-pin_load", ARG_FLAG, .help = "for ports: only the load of pins" },
  { "-wire_load", ARG_FLAG, .help = "for ports: only the load of the wire outside" },
  ROW_OBJECTS("objects", OBJ_BIT(OBJ_PORT) | OBJ_BIT(OBJ_NET), OPT_REQUIRED, "ports or nets"),
  ROW_END
};

static Status run_set_resistance(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_resistance");
  float value;
  uint32_t count;
  const Object *nets = sdc_objects(&x, "nets", &count);
  if (sdc_number_not_negative(&x, "resistance", &value) != OK) return FAILED;
  warn_of_annotated(&x, nets, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    sdc_put_early_late(&x,
                       constraints_net_load(x.c, x.c->netlist->segs.at[nets[i].id].net)->resistance,
                       sdc_early_late(a), value);
    sdc_note_order(&x, PAIR_OF(PAIR_NET_RESISTANCE, nets[i]));
  }
  return OK;
}

static const Option set_resistance_options[] = {
  ROWS_MIN_MAX,
  { "resistance", ARG_RES, .value = "resistance", .flags = OPT_REQUIRED,
    .help = "resistance of the wire" },
  ROW_OBJECTS("nets", OBJ_BIT(OBJ_NET), OPT_REQUIRED, "nets"),
  ROW_END
};

static void forget_resistance(Sdc *x, Object o, int what)
{
  NetId net = x->c->netlist->segs.at[o.id].net;
  (void)what;
  if (constraints_find_net_load(x->c, net))
    sdc_put_early_late(x, constraints_net_load(x->c, net)->resistance, sdc_early_late(x->a), NAN);
}

UNSET(resistance, "nets", forget_resistance, 0)

static const Option unset_resistance_options[] = {
  ROWS_MIN_MAX, ROW_OBJECTS("nets", OBJ_BIT(OBJ_NET), OPT_REQUIRED, "nets"), ROW_END
};

static Status run_set_port_fanout_number(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_port_fanout_number");
  float value;
  uint32_t count;
  const Object *ports = sdc_objects(&x, "ports", &count);
  if (sdc_number_not_negative(&x, "fanout", &value) != OK) return FAILED;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    PortLoad *l = constraints_port_load(x.c, ports[i].id);
    sdc_put_early_late(&x, l->fanout_number, sdc_early_late(a), value);
    l->said_of_fanout = sdc_command_id(&x);
    sdc_note_order(&x, PAIR_OF(PAIR_FANOUT_NUMBER, ports[i]));
  }
  return OK;
}

static const Option set_port_fanout_number_options[] = {
  ROWS_MIN_MAX,
  { "fanout", ARG_FLOAT, .value = "fanout", .flags = OPT_REQUIRED,
    .help = "number of pins outside" },
  ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "ports"),
  ROW_END
};

static void forget_fanout(Sdc *x, Object port, int what)
{
  (void)what;
  if (constraints_find_port_load(x->c, port.id))
    sdc_put_early_late(x, constraints_port_load(x->c, port.id)->fanout_number,
                       sdc_early_late(x->a), NAN);
}

UNSET(port_fanout_number, "ports", forget_fanout, 0)

static const Option unset_fanout_number_options[] = {
  ROWS_MIN_MAX, ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "ports"), ROW_END
};

/* --- table ------------------------------------------------------------------------------------ */

const Command commands_sdc_port[] = {
  SDC_COMMAND("set_input_delay", "sets the arrival times of inputs", set_delay_options,
              run_set_input_delay,
              "Without -clock the delay counts from time 0 and refers to no clock. Without "
              "-add_delay, delays of the port that refer to other clock edges are removed. At "
              "the source of a clock, a delay that refers to this clock has no effect.",
              "set_input_delay -clock clk 1.2 [get_ports test]\n"),
  SDC_COMMAND("set_output_delay", "sets the times that outputs need before the clock edge",
              set_delay_options, run_set_output_delay,
              "Without -add_delay, delays of the port that refer to other clock edges are removed.",
              "set_output_delay -clock clk -max 1.0 [get_ports debug*]\n"),
  SDC_FORGETTING("unset_input_delay", "removes delays of inputs", unset_delay_options,
                 run_unset_input_delay, NULL, "unset_input_delay -clock clk [get_ports test]\n"),
  SDC_FORGETTING("unset_output_delay", "removes delays of outputs", unset_delay_options,
                 run_unset_output_delay, NULL,
                 "unset_output_delay -clock clk [get_ports debug*]\n"),
  SDC_COMMAND("set_input_transition", "sets the transition time at inputs",
              set_input_transition_options, run_set_input_transition,
              "It replaces a driving cell of the port.",
              "set_input_transition 0.06 [get_ports test]\n"),
  SDC_COMMAND("set_driving_cell", "sets the library cell that drives inputs",
              set_driving_cell_options, run_set_driving_cell,
              "The port is driven by the arc of the cell. The delay of the cell with the port's "
              "load, less its delay without load, is added to the arrival at the port. It "
              "replaces an earlier resistance and transition of the port.",
              "set_driving_cell -lib_cell buf_2r -pin Y [get_ports test]\n"),
  SDC_COMMAND("set_drive", "sets the resistance of the drivers of inputs", set_drive_options,
              run_set_drive,
              "The resistance times the capacitance of the net is added to the delay of the "
              "port's wires. It also is the transition time at the port, even with "
              "set_input_transition. It replaces a driving cell of the port.",
              "set_drive 0.5 [get_ports test]\n"),
  SDC_COMMAND("set_load", "sets the load of ports or nets", set_load_options, run_set_load,
              "The load of a net replaces its wire in the analyses and for the edges of the "
              "options, even if the net has parasitics, with a warning. There only set_resistance "
              "gives the wire a resistance. unset_load restores the parasitics.",
              "set_load -pin_load 0.02 [get_ports debug*]\n"),
  SDC_COMMAND("set_resistance", "sets the resistance of nets", set_resistance_options,
              run_set_resistance,
              "The resistance lies before the loads, with half of the wire's capacitance on each "
              "side. If the net has parasitics, only their capacitance counts, with a warning. If "
              "it has the capacitance of a wire load model, the tree type distributes the "
              "resistance.",
              "set_resistance 0.1 [get_nets test]\n"),
  SDC_COMMAND("set_port_fanout_number", "sets the number of pins outside of ports",
              set_port_fanout_number_options, run_set_port_fanout_number,
              "They count in the fan-out of the port's net when a wire load is estimated.",
              "set_port_fanout_number 4 [get_ports debug*]\n"),
  { 0 }
};

/* The manual lists these behind all commands that set something. */
const Command commands_sdc_unset_port[] = {
  SDC_FORGETTING("unset_driving_cell", "removes driving cells of ports", unset_drive_options,
                 run_unset_driving_cell, NULL, "unset_driving_cell [get_ports test]\n"),
  SDC_FORGETTING("unset_drive", "removes the resistance of drivers of ports", unset_drive_options,
                 run_unset_drive, NULL, "unset_drive [get_ports test]\n"),
  SDC_FORGETTING("unset_input_transition", "removes transition times of ports", unset_drive_options,
                 run_unset_input_transition, NULL, "unset_input_transition [get_ports test]\n"),
  SDC_FORGETTING("unset_load", "removes loads of ports or nets", unset_load_options,
                 run_unset_load, NULL, "unset_load [get_ports debug*]\n"),
  SDC_FORGETTING("unset_resistance", "removes the resistance of nets", unset_resistance_options,
                 run_unset_resistance, NULL, "unset_resistance [get_nets test]\n"),
  SDC_FORGETTING("unset_port_fanout_number", "removes the number of pins outside of ports",
                 unset_fanout_number_options, run_unset_port_fanout_number, NULL,
                 "unset_port_fanout_number [get_ports debug*]\n"),
  { 0 }
};
