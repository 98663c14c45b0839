/* Constraints: what surrounds the design: delays, drives and loads of ports, loads of nets. */
#include <math.h>

#include "base/interrupt.h"
#include "sdc/sdc_command.h"
#include "sdc/sdc_forget.h"

/* A flag is that of the command that said the values. */
static void put_bits(Sdc *sdc, uint8_t *bits, uint32_t conditions, bool on)
{
  uint8_t before = *bits;
  *bits = (uint8_t)(on ? *bits | conditions : *bits & ~conditions);
  if (*bits != before) constraints_changed(sdc->c);
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

static Status read_reference(Sdc *sdc, PinId *pin)
{
  uint32_t count;
  const Object *objects = sdc_objects(sdc, "-reference_pin", &count);
  *pin = NO_PIN;
  if (!args_given(sdc->a, "-reference_pin")) return OK;
  if (count != 1)
    return log_error(sdc->s->log, "SDC-030", sdc->where,
                     "%s: -reference_pin names %u pins, expected one", sdc->command, count);
  *pin = objects[0].id;
  if (!args_given(sdc->a, "-clock"))
    return log_error(sdc->s->log, "SDC-085", sdc->where, "%s: -reference_pin without -clock",
                     sdc->command);
  if (args_flag(sdc->a, "-source_latency_included")
      || args_flag(sdc->a, "-network_latency_included"))
    log_warning(sdc->s->log, "SDC-117", sdc->where,
                "%s: with -reference_pin the delay counts from the clock there, so "
                "-source_latency_included and -network_latency_included are not used",
                sdc->command);
  return OK;
}

/* Options about the clock mean nothing without a clock. */
static void warn_without_clock(Sdc *sdc, Delay *delay)
{
  static const char *const flags[] = { "-clock_fall", "-level_sensitive",
    "-source_latency_included",
                                       "-network_latency_included" };
  for (int i = 0; i < 4 && delay->clock == NO_CLOCK; i++)
    if (args_flag(sdc->a, flags[i]))
      log_warning(sdc->s->log, "SDC-031", sdc->where, "%s: %s without -clock is ignored",
                  sdc->command, flags[i]);
  if (delay->clock == NO_CLOCK) delay->clock_edge = RISE;
}

static Status read_delay(Sdc *sdc, bool output, Delay *delay)
{
  delay->output = output;
  delay->clock_edge = args_flag(sdc->a, "-clock_fall") ? FALL : RISE;
  delay->conditions = sdc_conditions(sdc->a);
  if (sdc_number(sdc, "delay", &delay->value) != OK
      || sdc_clock(sdc, "-clock", &delay->clock) != OK)
    return FAILED;
  if (read_reference(sdc, &delay->reference) != OK) return FAILED;
  warn_without_clock(sdc, delay);
  if (delay->clock != NO_CLOCK && args_flag(sdc->a, "-level_sensitive"))
    log_warning(
        sdc->s->log, "SDC-131", sdc->where,
        "%s: -level_sensitive: the latch outside counts as a register, nothing is borrowed there",
        sdc->command);
  return OK;
}

/* -add_delay to a value that is there keeps the worse of both: the conditions where it is the new
   one. */
static uint32_t worse_conditions(const PortDelay *delay, const Delay *the_delay)
{
  uint32_t worse = 0;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    float old = delay->delay[k];
    bool late = k >= condition_of(LATE, RISE);
    bool keeps = !isnan(old) && (late ? old > the_delay->value : old < the_delay->value);
    if (!keeps) worse |= the_delay->conditions & 1u << k;
  }
  return worse;
}

static void put_value(Sdc *sdc, PortDelay *delay, const Delay *the_delay, uint32_t conditions)
{
  bool counts = the_delay->reference == NO_PIN;
  put_bits(sdc, &delay->level_sensitive, conditions, args_flag(sdc->a, "-level_sensitive"));
  put_bits(sdc, &delay->source_latency_included, conditions,
           counts && args_flag(sdc->a, "-source_latency_included"));
  put_bits(sdc, &delay->network_latency_included, conditions,
           counts && args_flag(sdc->a, "-network_latency_included"));
  sdc_put(sdc, delay->delay, conditions, the_delay->value);
}

static void put_delay(Sdc *sdc, Object pin, const Delay *delay)
{
  bool add = args_flag(sdc->a, "-add_delay");
  PortDelay *port_delay =
      constraints_port_delay(sdc->c,
                             &(DelayKey){ delay->output, pin.id, delay->clock, delay->clock_edge,
                                          delay->reference, delay->conditions },
                             add);
  port_delay->said = sdc_said(sdc);
  port_delay->command = sdc_command_id(sdc);
  put_value(sdc, port_delay, delay, add ? worse_conditions(port_delay, delay) : delay->conditions);
  sdc_note_order(sdc, (ValuePair){ delay->output ? PAIR_OUTPUT_DELAY : PAIR_INPUT_DELAY,
                                   (uint8_t)delay->clock_edge, delay->clock, pin });
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
    if (sdc_port_has_direction(&x, objects[i].id, output)) put_delay(&x, objects[i], &d);
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

static void drop_driving_cell(Sdc *sdc, PortDrive *drive, uint32_t conditions)
{
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!(conditions >> k & 1) || drive->cell[k] == NO_CELL) continue;
    drive->cell[k] = NO_CELL;
    drive->from_port[k] = drive->to_port[k] = NO_PORT;
    drive->from_slew[k][RISE] = drive->from_slew[k][FALL] = NAN;
    drive->multiply_by[k] = 1;
    drive->dont_scale &= (uint8_t)~(1u << k);
    drive->no_design_rule &= (uint8_t)~(1u << k);
    constraints_changed(sdc->c);
  }
}

/* The last of set_drive, set_driving_cell and set_input_transition decides (the first and the
   last go together). */
static bool resistance_decides(const PortDrive *drive, uint32_t conditions)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (conditions >> k & 1 && !isnan(drive->resistance[k]) && !isnan(drive->slew[k])) return true;
  return false;
}

/* count: ports with a resistance and a transition; first: one of them. */
static void tell_of_idle_transition(const Sdc *sdc, uint32_t count, PinId first)
{
  Text name = { 0 };
  if (count == 0) return;
  netlist_pin_name(sdc->s->netlist, first, sdc->s->separator, &name);
  log_warning(sdc->s->log, "SDC-175", sdc->where,
              "%s: set_drive gives %s (%u port(s)) its transition, resistance times load; that of "
              "set_input_transition has no effect, expected one of the two",
              sdc->command, text_get(&name), count);
  text_free(&name);
}

static Status set_drive_value(Sdc *sdc, const char *option, bool slew)
{
  float value;
  PinId first = NO_PIN;
  uint32_t both = 0, count, conditions = sdc_conditions(sdc->a);
  const Object *ports = sdc_objects(sdc, "ports", &count);
  if (sdc_number_not_negative(sdc, option, &value) != OK) return FAILED;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (!sdc_port_has_direction(sdc, ports[i].id, false)) continue;
    PortDrive *drive = constraints_drive(sdc->c, ports[i].id);
    drop_driving_cell(sdc, drive, conditions);
    sdc_put(sdc, slew ? drive->slew : drive->resistance, conditions, value);
    *(slew ? &drive->said_of_slew : &drive->said_of_drive) = sdc_command_id(sdc);
    sdc_note_order(sdc, PAIR_OF(slew ? PAIR_INPUT_SLEW : PAIR_DRIVE, ports[i]));
    if (resistance_decides(drive, conditions) && both++ == 0) first = ports[i].id;
  }
  tell_of_idle_transition(sdc, both, first);
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

static const char *cell_text(Sdc *sdc, CellId cell)
{
  return names_text(sdc->s->names, sdc->s->libs->cells.at[cell].name);
}

static Status read_driving_cell(Sdc *sdc, CellId *cell)
{
  uint32_t count;
  const Object *cells = sdc_objects(sdc, "-lib_cell", &count);
  const LibrarySet *libs = sdc->s->libs;
  const char *library = args_text(sdc->a, "-library");
  if (count == 0)
    return log_error(sdc->s->log, "SDC-034", sdc->where, "%s: -lib_cell names no library cell",
                     sdc->command);
  *cell = cells[0].id;
  if (library == NULL) return OK;
  LibraryId id = library_find(libs, library);
  if (id == NO_LIBRARY)
    return log_error(sdc->s->log, "SDC-034", sdc->where, "%s: there is no library %s", sdc->command,
                     library);
  NameId name = libs->cells.at[*cell].name;
  *cell = library_find_cell_in(libs, id, name);
  if (*cell != NO_CELL) return OK;
  return log_error(sdc->s->log, "SDC-034", sdc->where, "%s: library %s has no cell %s",
                   sdc->command, library, names_text(sdc->s->names, name));
}

/* The port of an option, or NO_PORT when it was not given. */
static Status read_cell_port(Sdc *sdc, const char *option, CellId cell, PortId *port)
{
  const char *text = args_text(sdc->a, option);
  *port = NO_PORT;
  if (text == NULL) return OK;
  const char *slash = strrchr(text, '/');          /* lib/cell/pin of a collection */
  if (slash) text = slash + 1;
  NameId name = names_find(sdc->s->names, text, strlen(text));
  if (name != NO_NAME) *port = library_find_port(sdc->s->libs, cell, name);
  if (*port != NO_PORT) return OK;
  return log_error(sdc->s->log, "SDC-035", sdc->where, "%s: cell %s has no pin %s", sdc->command,
                   cell_text(sdc, cell), text);
}

static bool is_output(const LibPort *port)
{
  return port->direction == DIR_OUTPUT || port->direction == DIR_INOUT;
}

static Status only_output(Sdc *sdc, CellId cell, PortId *port)
{
  const LibCell *lc = &sdc->s->libs->cells.at[cell];
  uint32_t outputs = 0;
  for (PortId p = lc->first_port; p < lc->first_port + lc->port_count; p++) {
    if (!is_output(&sdc->s->libs->ports.at[p])) continue;
    if (outputs++ == 0) *port = p;
  }
  if (outputs == 1) return OK;
  return log_error(sdc->s->log, "SDC-035", sdc->where,
                   "%s: cell %s has %u outputs; -pin must say which one drives", sdc->command,
                   cell_text(sdc, cell), outputs);
}

/* The first input of the cell with a delay arc to the port (or: has `from` one?). */
static Status find_input(Sdc *sdc, DrivingCell *cell)
{
  const LibCell *lc = &sdc->s->libs->cells.at[cell->cell];
  PortId best = NO_PORT;
  for (LibArcId i = lc->first_arc; i < lc->first_arc + lc->arc_count; i++) {
    const LibArc *arc = &sdc->s->libs->arcs.at[i];
    if (arc->to != cell->to || arc_type_is_check((ArcType)arc->type)
        || (cell->from != NO_PORT && arc->from != cell->from))
      continue;
    if (arc->from != NO_PORT && (best == NO_PORT || arc->from < best)) best = arc->from;
  }
  cell->from = best;
  if (best != NO_PORT) return OK;
  return log_error(sdc->s->log, "SDC-035", sdc->where,
                   "%s: cell %s has no such delay arc to pin %s", sdc->command,
                   cell_text(sdc, cell->cell),
                   names_text(sdc->s->names, sdc->s->libs->ports.at[cell->to].name));
}

static Status read_driver(Sdc *sdc, DrivingCell *cell)
{
  if (read_driving_cell(sdc, &cell->cell) != OK
      || read_cell_port(sdc, "-pin", cell->cell, &cell->to) != OK)
    return FAILED;
  if (read_cell_port(sdc, "-from_pin", cell->cell, &cell->from) != OK) return FAILED;
  if (cell->to == NO_PORT && only_output(sdc, cell->cell, &cell->to) != OK) return FAILED;
  if (find_input(sdc, cell) != OK) return FAILED;
  if (sdc_number_not_negative(sdc, "-input_transition_rise", &cell->from_slew[RISE]) != OK)
    return FAILED;
  if (sdc_number_not_negative(sdc, "-input_transition_fall", &cell->from_slew[FALL]) != OK)
    return FAILED;
  cell->dont_scale = args_flag(sdc->a, "-dont_scale");
  cell->no_design_rule = args_flag(sdc->a, "-no_design_rule");
  return sdc_number_not_negative(sdc, "-multiply_by", &cell->multiply_by);
}

static bool same_driver(const PortDrive *drive, int k, const DrivingCell *cell)
{
  return drive->cell[k] == cell->cell && drive->from_port[k] == cell->from
         && drive->to_port[k] == cell->to && drive->multiply_by[k] == cell->multiply_by
         && (drive->dont_scale >> k & 1) == cell->dont_scale
         && (drive->no_design_rule >> k & 1) == cell->no_design_rule
         && drive->from_slew[k][RISE] == cell->from_slew[RISE]
         && drive->from_slew[k][FALL] == cell->from_slew[FALL];
}

static void put_driver(Sdc *sdc, PortDrive *drive, const DrivingCell *cell, uint32_t conditions)
{
  drive->said_of_cell = sdc_command_id(sdc);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!(conditions >> k & 1)) continue;
    constraints_put(sdc->c, &drive->slew[k], NAN);
    constraints_put(sdc->c, &drive->resistance[k], NAN);
    if (same_driver(drive, k, cell)) continue;
    drive->cell[k] = cell->cell;
    drive->from_port[k] = cell->from;
    drive->to_port[k] = cell->to;
    drive->from_slew[k][RISE] = cell->from_slew[RISE];
    drive->from_slew[k][FALL] = cell->from_slew[FALL];
    drive->multiply_by[k] = cell->multiply_by;
    put_bits(sdc, &drive->dont_scale, 1u << k, cell->dont_scale);
    put_bits(sdc, &drive->no_design_rule, 1u << k, cell->no_design_rule);
    constraints_changed(sdc->c);
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
    if (sdc_port_has_direction(&x, ports[i].id, false))
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

typedef enum { DRIVE_CELL, DRIVE_RESISTANCE, DRIVE_SLEW } DriveValue;

static void forget_drive(Sdc *sdc, Object port, DriveValue kind)
{
  if (!constraints_find_drive(sdc->c, port.id)) return;
  PortDrive *drive = constraints_drive(sdc->c, port.id);
  if (kind == DRIVE_CELL) drop_driving_cell(sdc, drive, sdc_conditions(sdc->a));
  else
    sdc_put(sdc, kind == DRIVE_SLEW ? drive->slew : drive->resistance, sdc_conditions(sdc->a), NAN);
}

UNSET_KIND(driving_cell, "ports", forget_drive, DRIVE_CELL)
UNSET_KIND(drive, "ports", forget_drive, DRIVE_RESISTANCE)
UNSET_KIND(input_transition, "ports", forget_drive, DRIVE_SLEW)

static const Option unset_drive_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX, ROW_OBJECTS("ports", OBJ_BIT(OBJ_PORT), OPT_REQUIRED, "ports"),
  ROW_END
};

/* --- loads ------------------------------------------------------------------------------------ */

static void put_load(Sdc *sdc, Object o, uint32_t conditions, float value)
{
  if (sdc_is_pin(o)) {
    PortLoad *load = constraints_port_load(sdc->c, o.id);
    bool wire = args_flag(sdc->a, "-wire_load"), pin = args_flag(sdc->a, "-pin_load") || !wire;
    if (wire) sdc_put(sdc, load->wire_load, conditions, value);
    if (wire) sdc_note_order(sdc, PAIR_OF(PAIR_WIRE_LOAD, o));
    if (pin) sdc_put(sdc, load->pin_load, conditions, value);
    if (pin) sdc_note_order(sdc, PAIR_OF(PAIR_PIN_LOAD, o));
    return;
  }
  NetLoad *load = constraints_net_load(sdc->c, sdc->c->netlist->segs.at[o.id].net);
  sdc_put(sdc, load->wire_cap, conditions, value);
  sdc_note_order(sdc, PAIR_OF(PAIR_NET_CAP, o));
  put_bits(sdc, &load->subtract_pin_load, conditions, args_flag(sdc->a, "-subtract_pin_load"));
}

/* Flags of ports say nothing of nets, and the other way round. */
static void warn_of_load_flags(Sdc *sdc, const Object *objects, uint32_t count)
{
  static const char *const flags[] = { "-subtract_pin_load", "-pin_load", "-wire_load" };
  bool pins = false, nets = false;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    *(sdc_is_pin(objects[i]) ? &pins : &nets) = true;
  for (int f = 0; f < 3; f++) {
    bool idle = args_flag(sdc->a, flags[f]) && (f == 0 ? pins : nets);
    if (idle)
      log_warning(sdc->s->log, "SDC-135", sdc->where,
                  "%s: %s goes with %s only; it is ignored for %s", sdc->command, flags[f],
                  f == 0 ? "nets" : "ports", f == 0 ? "ports" : "nets");
  }
}

/* Nets with parasitics, which no longer count where constraints give wires. */
static void warn_of_annotated(const Sdc *sdc, const Object *objects, uint32_t count)
{
  uint32_t found = 0;
  Text name = { 0 };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (objects[i].type != OBJ_NET) continue;
    NetId net = sdc->c->netlist->segs.at[objects[i].id].net;
    bool annotated = false;
    for (int el = EARLY; el <= LATE; el++)
      annotated |= sdc->s->parasitics[el] && parasitics_has(sdc->s->parasitics[el], net);
    if (annotated && found++ == 0) netlist_net_name(sdc->c->netlist, net, sdc->s->separator, &name);
  }
  if (found)
    log_warning(sdc->s->log, "NET-015", sdc->where,
                "%s counts before the parasitics of %u net(s), for instance %s", sdc->command,
                found, text_get(&name));
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
static void warn_of_small_load(const Sdc *sdc, const Object *objects, uint32_t count, float value)
{
  uint32_t found = 0, conditions = sdc_conditions(sdc->a);
  Text name = { 0 };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (objects[i].type != OBJ_NET) continue;
    NetId net = sdc->c->netlist->segs.at[objects[i].id].net;
    bool less = false;
    for (int k = 0; k < CONDITION_COUNT; k++)
      less |= conditions >> k & 1 && value < pin_capacitance(sdc->c->netlist, net, k);
    if (less && found++ == 0) netlist_net_name(sdc->c->netlist, net, sdc->s->separator, &name);
  }
  if (found > 1) text_printf(&name, " and %u more", found - 1);
  if (found)
    log_warning(sdc->s->log, "SDC-174", sdc->where,
                "%s: -subtract_pin_load: the pins have more than "
                "the value, expected a total with the wire's; there is no wire capacitance at %s",
                sdc->command, text_get(&name));
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
static void forget_net_cap(Sdc *sdc, NetLoad *load, uint32_t conditions)
{
  sdc_put(sdc, load->wire_cap, conditions, NAN);
  load->subtract_pin_load &= (uint8_t)~conditions;
}

static void forget_load(Sdc *sdc, Object o)
{
  bool wire = args_flag(sdc->a, "-wire_load"), pin = args_flag(sdc->a, "-pin_load");
  if (o.type == OBJ_NET) {
    NetId net = sdc->c->netlist->segs.at[o.id].net;
    if (constraints_find_net_load(sdc->c, net))
      forget_net_cap(sdc, constraints_net_load(sdc->c, net), sdc_conditions(sdc->a));
  } else if (constraints_find_port_load(sdc->c, o.id)) {
    PortLoad *load = constraints_port_load(sdc->c, o.id);
    if (pin || !wire) sdc_put(sdc, load->pin_load, sdc_conditions(sdc->a), NAN);
    if (wire || !pin) sdc_put(sdc, load->wire_load, sdc_conditions(sdc->a), NAN);
  }
}

UNSET(load, "objects", forget_load)

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

static void forget_resistance(Sdc *sdc, Object o)
{
  NetId net = sdc->c->netlist->segs.at[o.id].net;
  if (constraints_find_net_load(sdc->c, net))
    sdc_put_early_late(sdc, constraints_net_load(sdc->c, net)->resistance, sdc_early_late(sdc->a),
                       NAN);
}

UNSET(resistance, "nets", forget_resistance)

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
    PortLoad *load = constraints_port_load(x.c, ports[i].id);
    sdc_put_early_late(&x, load->fanout_number, sdc_early_late(a), value);
    load->said_of_fanout = sdc_command_id(&x);
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

static void forget_fanout(Sdc *sdc, Object port)
{
  if (constraints_find_port_load(sdc->c, port.id))
    sdc_put_early_late(sdc, constraints_port_load(sdc->c, port.id)->fanout_number,
                       sdc_early_late(sdc->a), NAN);
}

UNSET(port_fanout_number, "ports", forget_fanout)

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
