/* Properties that need no timing. */
#include <math.h>

#include "optimize/edit_rules.h"
#include "tclbind/object_value.h"
#include "tclbind/property.h"
#include "tclbind/session_timing.h"

#define GET(name) \
  static Status name(Session *s, Object o, const Property *row, PropertyValue *value)
#define UNUSED (void)s, (void)o, (void)row

static Status truth(PropertyValue *value, bool is)
{
  value->number = is;
  return OK;
}

static Status number(PropertyValue *property_value, double value)
{
  property_value->missing = isnan(value);
  property_value->number = property_value->missing ? 0 : value;
  return OK;
}

static Status name(const Session *s, PropertyValue *value, NameId id)
{
  value->missing = id == NO_NAME;
  text_put(&value->text, names_text(s->names, id));
  return OK;
}

/* --- of every object -------------------------------------------------------------------------- */

GET(get_full_name)
{
  UNUSED;
  object_name(s, o, &value->text);
  return OK;
}

GET(get_name)
{
  UNUSED;
  object_base_name(s, o, &value->text);
  return OK;
}

GET(get_class)
{
  UNUSED;
  text_put(&value->text, object_type_name(o.type));
  return OK;
}

/* --- libraries, their cells and pins ---------------------------------------------------------- */

static const LibCell *lib_cell(const Session *s, Object o) { return &s->libs->cells.at[o.id]; }
static const LibPort *lib_pin(const Session *s, Object o) { return &s->libs->ports.at[o.id]; }

GET(lib_filename)
{
  UNUSED;
  return name(s, value, s->libs->libraries.at[o.id].file);
}

GET(cell_library)
{
  UNUSED;
  LibraryId library = lib_cell(s, o)->library;
  if (library != NO_LIBRARY) array_push(&value->objects, (Object){ OBJ_LIB, library });
  return OK;
}

GET(cell_filename)
{
  UNUSED;
  LibraryId library = lib_cell(s, o)->library;
  return name(s, value, library == NO_LIBRARY ? NO_NAME : s->libs->libraries.at[library].file);
}

GET(cell_area)
{
  UNUSED;
  return number(value, lib_cell(s, o)->area);
}

GET(cell_leakage)
{
  UNUSED;
  return number(value, lib_cell(s, o)->leakage / s->units.scale[UNIT_POWER]);
}

GET(cell_footprint)
{
  UNUSED;
  return name(s, value, lib_cell(s, o)->footprint);
}

GET(cell_threshold)
{
  UNUSED;
  return name(s, value, library_threshold_group(s->libs, o.id));
}

enum { IS_BUFFER = 1 << 16, IS_INVERTER = 1 << 17, IS_HIERARCHICAL = 1 << 18 };

/* row->param: a flag of the cell, or one of the above. */
static bool cell_is(const Session *s, CellId cell, int kind)
{
  if (cell == NO_CELL) return false;
  if (kind == IS_BUFFER) return library_cell_is_buffer(s->libs, cell);
  if (kind == IS_INVERTER) return library_cell_is_inverter(s->libs, cell);
  if (kind == CELL_DONT_USE) return rules_dont_use(s->edit_rules, s->libs, cell);
  if (kind == CELL_DONT_TOUCH) return rules_dont_touch_lib_cell(s->edit_rules, s->libs, cell);
  return (s->libs->cells.at[cell].flags & (unsigned)kind) != 0;
}

GET(cell_flag) { return truth(value, cell_is(s, o.id, row->param)); }

GET(lib_pin_direction)
{
  UNUSED;
  text_put(&value->text, direction_name(lib_pin(s, o)->direction));
  return OK;
}

GET(lib_pin_capacitance)
{
  UNUSED;
  return number(value, lib_pin(s, o)->cap_nominal / s->units.scale[UNIT_CAPACITANCE]);
}

GET(lib_pin_is_clock)
{
  UNUSED;
  return truth(value, lib_pin(s, o)->is_clock);
}

GET(lib_pin_function)
{
  UNUSED;
  return truth(value, lib_pin(s, o)->function != NO_FUNCTION);
}

/* The clock (or enable) of a flip-flop or latch: arcs that a clock edge starts leave from it. */
static bool port_clocks_register(const Session *s, PortId port)
{
  const LibCell *cell = &s->libs->cells.at[s->libs->ports.at[port].cell];
  for (uint32_t i = 0; i < cell->arc_count; i++) {
    const LibArc *arc = &s->libs->arcs.at[cell->first_arc + i];
    if (arc->from == port && arc_type_is_launch((ArcType)arc->type)) return true;
  }
  return false;
}

GET(lib_pin_is_register_clock)
{
  UNUSED;
  return truth(value, port_clocks_register(s, o.id));
}

GET(lib_pin_max_cap)
{
  UNUSED;
  return number(value, lib_pin(s, o)->max_cap / s->units.scale[UNIT_CAPACITANCE]);
}

GET(lib_pin_max_slew)
{
  UNUSED;
  return number(value, lib_pin(s, o)->max_slew / s->units.scale[UNIT_TIME]);
}

GET(lib_pin_max_fanout)
{
  UNUSED;
  return number(value, lib_pin(s, o)->max_fanout);
}

/* The mean slope of delay over load between the loads of the table's ends, at its first slew. */
static double table_slope(const LibrarySet *set, TableId id)
{
  if (id == NO_TABLE) return NAN;
  const Table *table = &set->tables.at[id];
  if (table->n2 < 2) return NAN;
  const float *axis1 = &set->pool.at[table->first], *axis2 = axis1 + table->n1,
              *values = axis2 + table->n2;
  return (values[table->n2 - 1] - values[0]) / (axis2[table->n2 - 1] - axis2[0]);
}

GET(lib_pin_drive_resistance)
{
  UNUSED;
  const LibCell *cell = &s->libs->cells.at[lib_pin(s, o)->cell];
  double most = NAN;
  for (uint32_t i = 0; i < cell->arc_count; i++) {
    const LibArc *arc = &s->libs->arcs.at[cell->first_arc + i];
    if (arc->to != o.id || arc_type_is_check(arc->type)) continue;
    for (int edge = 0; edge < 2; edge++) {
      double r = table_slope(s->libs, arc->delay[edge]);
      if (!isnan(r) && !(r <= most)) most = r;
    }
  }
  return number(value, most / s->units.scale[UNIT_RESISTANCE]);
}

GET(lib_pin_cell)
{
  UNUSED;
  array_push(&value->objects, (Object){ OBJ_LIB_CELL, lib_pin(s, o)->cell });
  return OK;
}

/* --- instances -------------------------------------------------------------------------------- */

GET(inst_ref_name)
{
  UNUSED;
  return name(s, value, netlist_inst_master_name(s->netlist, o.id));
}

GET(inst_flag)
{
  bool leaf = inst_is_leaf(s->netlist, o.id);
  if (row->param == IS_HIERARCHICAL) return truth(value, !leaf);
  return truth(value, leaf && cell_is(s, netlist_inst_cell(s->netlist, o.id), row->param));
}

GET(inst_dont_touch)
{
  (void)row;
  return truth(value, rules_of_inst(s->edit_rules, s->netlist, o.id, NULL) != TOUCH_ALLOWED);
}

GET(inst_size_only)
{
  (void)row;
  return truth(value, rules_size_only(s->edit_rules, s->netlist, o.id));
}

GET(net_dont_touch)
{
  (void)row;
  return truth(value,
               rules_dont_touch_net(s->edit_rules, s->netlist, s->netlist->segs.at[o.id].net));
}

GET(inst_area)
{
  UNUSED;
  CellId cell = netlist_inst_cell(s->netlist, o.id);
  return number(value, cell == NO_CELL ? NAN : (double)s->libs->cells.at[cell].area);
}

GET(inst_lib_cell)
{
  UNUSED;
  CellId cell = netlist_inst_cell(s->netlist, o.id);
  if (cell != NO_CELL) array_push(&value->objects, (Object){ OBJ_LIB_CELL, cell });
  return OK;
}

GET(inst_pins)
{
  UNUSED;
  const Inst *inst = &s->netlist->insts.at[o.id];
  return number(value, inst->pin_count);
}

/* --- pins and ports --------------------------------------------------------------------------- */

/* The library's port of a leaf's pin; NO_PORT for the others. */
static PortId pin_port(const Session *s, PinId pin)
{
  const Pin *the_pin = &s->netlist->pins.at[pin];
  return the_pin->inst != TOP_INST && inst_is_leaf(s->netlist, the_pin->inst) ? the_pin->port
                                                                              : NO_PORT;
}

GET(pin_direction)
{
  UNUSED;
  text_put(&value->text, direction_name(netlist_pin_direction(s->netlist, o.id)));
  return OK;
}

GET(pin_of_block)
{
  UNUSED;
  return truth(value, pin_is_hierarchical(s->netlist, o.id));
}

GET(pin_is_port)
{
  UNUSED;
  return truth(value, pin_is_top_port(s->netlist, o.id));
}

static bool is_clock_source(const Session *s, PinId pin)
{
  for (ClockId c = 0; s->constraints && c < s->constraints->clocks.len; c++) {
    const Clock *clock = &s->constraints->clocks.at[c];
    for (uint32_t i = 0; i < clock->sources.len && !clock->deleted; i++)
      if (clock->sources.at[i] == pin) return true;
  }
  return false;
}

GET(pin_is_clock_source)
{
  UNUSED;
  return truth(value, is_clock_source(s, o.id));
}

GET(pin_is_register_clock)
{
  UNUSED;
  PortId port = pin_port(s, o.id);
  return truth(value, port != NO_PORT && port_clocks_register(s, port));
}

/* The capacitance of the library's port; for a top port, the value of set_load. */
GET(pin_capacitance)
{
  UNUSED;
  PortId port = pin_port(s, o.id);
  double cap = 0;
  if (port != NO_PORT) {
    cap = s->libs->ports.at[port].cap_nominal;
  } else if (s->constraints && pin_is_top_port(s->netlist, o.id)) {
    const PortLoad *load = constraints_find_port_load(s->constraints, o.id);
    int late = condition_of(LATE, RISE);
    if (load && !isnan(load->pin_load[late])) cap += load->pin_load[late];
    if (load && !isnan(load->wire_load[late])) cap += load->wire_load[late];
  }
  return number(value, cap / s->units.scale[UNIT_CAPACITANCE]);
}

GET(pin_net)
{
  UNUSED;
  SegId seg = s->netlist->pins.at[o.id].seg;
  if (seg != NO_SEG) array_push(&value->objects, (Object){ OBJ_NET, seg });
  return OK;
}

GET(pin_cell)
{
  UNUSED;
  array_push(&value->objects, (Object){ OBJ_CELL, s->netlist->pins.at[o.id].inst });
  return OK;
}

GET(pin_lib_pin)
{
  UNUSED;
  PortId port = pin_port(s, o.id);
  if (port != NO_PORT) array_push(&value->objects, (Object){ OBJ_LIB_PIN, port });
  return OK;
}

GET(pin_lib_pin_name)
{
  UNUSED;
  return name(s, value, netlist_pin_port_name(s->netlist, o.id));
}

/* --- nets ------------------------------------------------------------------------------------- */

/* Loads of the electrical net, or its drivers. */
static void each_end(const Session *s, SegId seg, bool drivers, PropertyValue *value)
{
  const Netlist *n = s->netlist;
  NetPins it = net_pins(n, n->segs.at[seg].net, false);
  for (PinId p = net_pins_next(&it); p != NO_PIN; p = net_pins_next(&it))
    if (drivers ? netlist_pin_drives(n, p) : netlist_pin_loads(n, p))
      array_push(&value->objects, (Object){ pin_is_top_port(n, p) ? OBJ_PORT : OBJ_PIN, p });
}

GET(net_fanout)
{
  UNUSED;
  each_end(s, o.id, false, value);
  value->number = value->objects.len;
  return OK;
}

GET(net_driver)
{
  UNUSED;
  each_end(s, o.id, true, value);
  return OK;
}

GET(net_loads)
{
  UNUSED;
  each_end(s, o.id, false, value);
  return OK;
}

/* --- clocks ----------------------------------------------------------------------------------- */

static const Clock *clock_of(const Session *s, Object o)
{
  return &s->constraints->clocks.at[o.id];
}

/* A generated clock's period, waveform and master follow from the graph. */
static Status derive_clocks(Session *s, Object o)
{
  return !clock_of(s, o)->generated || session_timing(s, false) ? OK : FAILED;
}

GET(clock_period)
{
  UNUSED;
  if (derive_clocks(s, o) != OK) return FAILED;
  value->missing = isnan(clock_of(s, o)->period);
  return number(value, clock_of(s, o)->period / s->units.scale[UNIT_TIME]);
}

GET(clock_waveform)
{
  UNUSED;
  if (derive_clocks(s, o) != OK) return FAILED;
  const Clock *clock = clock_of(s, o);
  for (uint32_t i = 0; i < clock->waveform.len; i++) {
    if (i) text_char(&value->text, ' ');
    number_text(clock->waveform.at[i] / s->units.scale[UNIT_TIME], &value->text);
  }
  return OK;
}

GET(clock_sources)
{
  UNUSED;
  const Clock *clock = clock_of(s, o);
  for (uint32_t i = 0; i < clock->sources.len; i++)
    array_push(&value->objects,
               (Object){ pin_is_top_port(s->netlist, clock->sources.at[i]) ? OBJ_PORT : OBJ_PIN,
                         clock->sources.at[i] });
  return OK;
}

GET(clock_is_generated)
{
  UNUSED;
  return truth(value, clock_of(s, o)->generated);
}

GET(clock_is_virtual)
{
  UNUSED;
  return truth(value, clock_of(s, o)->sources.len == 0);
}

GET(clock_is_propagated)
{
  UNUSED;
  return truth(value, clock_of(s, o)->propagated);
}

GET(clock_master)
{
  UNUSED;
  const Clock *clock = clock_of(s, o);
  if (!clock->generated || derive_clocks(s, o) != OK) return clock->generated ? FAILED : OK;
  ClockId master = clock_of(s, o)->derived_master != NO_CLOCK ? clock_of(s, o)->derived_master
                                                              : clock_of(s, o)->master;
  if (master != NO_CLOCK) array_push(&value->objects, (Object){ OBJ_CLOCK, master });
  return OK;
}

/* --- words ------------------------------------------------------------------------------------ */

const PropertyWord *property_words(const Property *row)
{
  static const PropertyWord directions[] = {
    { "input", "in" }, { "output", "out" }, { "inout", "bidirectional" }, { "internal", NULL },
    { "power", NULL }, { "ground", NULL }, { "unknown", NULL }, { NULL, NULL } };
  static const PropertyWord classes[] = {
    { "design", NULL }, { "port", NULL }, { "pin", NULL }, { "cell", "instance" }, { "net", NULL },
    { "clock", NULL }, { "library", "lib" }, { "lib_cell", "library_cell" },
      { "lib_pin", "library_pin" },
    { "timing_arc", NULL }, { "timing_path", NULL }, { "mode", NULL }, { "corner", NULL },
    { "scenario", "scene" }, { NULL, NULL } };
  if (row->get == pin_direction || row->get == lib_pin_direction) return directions;
  return row->get == get_class ? classes : NULL;
}

/* --- the table -------------------------------------------------------------------------------- */

#define NAMES(type) \
  { type, "name", PROP_TEXT, get_name, "name without the path to it", 0 }, \
  { type, "full_name", PROP_TEXT, get_full_name, "name with the path to it", 0 }, \
  { type, "object_class", PROP_TEXT, get_class, "kind of object", 0 }

#define PINS(type)                                                                            \
  NAMES(type),                                                                                \
  { type, "direction", PROP_TEXT, pin_direction, "input, output, inout, ...", 0 },            \
  { type, "is_hierarchical", PROP_BOOL, pin_of_block, "of a hierarchical cell", 0 },          \
  { type, "is_port", PROP_BOOL, pin_is_port, "port of the design", 0 },                       \
  { type, "is_clock_source", PROP_BOOL, pin_is_clock_source, "a clock is defined on it", 0 }, \
  { type, "is_register_clock", PROP_BOOL, pin_is_register_clock,                              \
      "clock of a flip-flop or enable of a latch", 0 },                                       \
  { type, "capacitance", PROP_NUMBER, pin_capacitance,                                        \
      "of the library's pin; of a port what set_load gave", 0 },                              \
  { type, "net", PROP_OBJECTS, pin_net, "net connected to it", 0 }

const Property properties_static[] = {
  NAMES(OBJ_DESIGN),
  NAMES(OBJ_LIB),
  { OBJ_LIB, "filename", PROP_TEXT, lib_filename, "file that it was read from", 0 },

  NAMES(OBJ_LIB_CELL),
  { OBJ_LIB_CELL, "library", PROP_OBJECTS, cell_library, "its library", 0 },
  { OBJ_LIB_CELL, "filename", PROP_TEXT, cell_filename, "file that it was read from", 0 },
  { OBJ_LIB_CELL, "area", PROP_NUMBER, cell_area, "area", 0 },
  { OBJ_LIB_CELL, "leakage", PROP_NUMBER, cell_leakage,
    "leakage power: cell_leakage_power, else the groups leakage_power (those without a condition, "
    "else the mean of the others), else the default of the library", 0 },
  { OBJ_LIB_CELL, "footprint", PROP_TEXT, cell_footprint, "footprint", 0 },
  { OBJ_LIB_CELL, "threshold_voltage_group", PROP_TEXT, cell_threshold,
    "threshold voltage group, the library's default where it has none", 0 },
  { OBJ_LIB_CELL, "is_buffer", PROP_BOOL, cell_flag, "a buffer", IS_BUFFER },
  { OBJ_LIB_CELL, "is_inverter", PROP_BOOL, cell_flag, "an inverter", IS_INVERTER },
  { OBJ_LIB_CELL, "is_clock_gate", PROP_BOOL, cell_flag, "an integrated clock gate",
    CELL_CLOCK_GATE },
  { OBJ_LIB_CELL, "is_macro", PROP_BOOL, cell_flag, "a macro", CELL_MACRO },
  { OBJ_LIB_CELL, "is_memory", PROP_BOOL, cell_flag, "a memory", CELL_MEMORY },
  { OBJ_LIB_CELL, "is_pad", PROP_BOOL, cell_flag, "a pad", CELL_PAD },
  { OBJ_LIB_CELL, "is_sequential", PROP_BOOL, cell_flag, "holds state", CELL_SEQUENTIAL },
  { OBJ_LIB_CELL, "dont_use", PROP_BOOL, cell_flag, "not for optimization", CELL_DONT_USE },
  { OBJ_LIB_CELL, "dont_touch", PROP_BOOL, cell_flag, "not to be changed", CELL_DONT_TOUCH },

  NAMES(OBJ_LIB_PIN),
  { OBJ_LIB_PIN, "lib_cell", PROP_OBJECTS, lib_pin_cell, "its cell", 0 },
  { OBJ_LIB_PIN, "direction", PROP_TEXT, lib_pin_direction, "input, output, inout, ...", 0 },
  { OBJ_LIB_PIN, "capacitance", PROP_NUMBER, lib_pin_capacitance, "capacitance", 0 },
  { OBJ_LIB_PIN, "is_clock", PROP_BOOL, lib_pin_is_clock, "marked as clock in the library", 0 },
  { OBJ_LIB_PIN, "is_register_clock", PROP_BOOL, lib_pin_is_register_clock,
    "clock of a flip-flop or enable of a latch", 0 },
  { OBJ_LIB_PIN, "has_function", PROP_BOOL, lib_pin_function, "has a logic function", 0 },
  { OBJ_LIB_PIN, "drive_resistance", PROP_NUMBER, lib_pin_drive_resistance,
    "steepest mean slope of delay over load of the arcs to it", 0 },
  { OBJ_LIB_PIN, "max_transition", PROP_NUMBER, lib_pin_max_slew, "longest transition allowed", 0 },
  { OBJ_LIB_PIN, "max_capacitance", PROP_NUMBER, lib_pin_max_cap, "largest load allowed", 0 },
  { OBJ_LIB_PIN, "max_fanout", PROP_NUMBER, lib_pin_max_fanout, "largest fanout allowed", 0 },

  NAMES(OBJ_CELL),
  { OBJ_CELL, "ref_name", PROP_TEXT, inst_ref_name, "name of its library cell or module", 0 },
  { OBJ_CELL, "lib_cell", PROP_OBJECTS, inst_lib_cell, "its library cell", 0 },
  { OBJ_CELL, "liberty_cell", PROP_OBJECTS, inst_lib_cell, "its library cell", 0 },
  { OBJ_CELL, "dont_touch", PROP_BOOL, inst_dont_touch, "edits are refused", 0 },
  { OBJ_CELL, "size_only", PROP_BOOL, inst_size_only, "to be swapped, but not removed", 0 },
  { OBJ_CELL, "is_hierarchical", PROP_BOOL, inst_flag, "has cells of its own", IS_HIERARCHICAL },
  { OBJ_CELL, "is_buffer", PROP_BOOL, inst_flag, "a buffer", IS_BUFFER },
  { OBJ_CELL, "is_inverter", PROP_BOOL, inst_flag, "an inverter", IS_INVERTER },
  { OBJ_CELL, "is_clock_gate", PROP_BOOL, inst_flag, "an integrated clock gate", CELL_CLOCK_GATE },
  { OBJ_CELL, "is_macro", PROP_BOOL, inst_flag, "a macro", CELL_MACRO },
  { OBJ_CELL, "is_memory", PROP_BOOL, inst_flag, "a memory", CELL_MEMORY },
  { OBJ_CELL, "is_sequential", PROP_BOOL, inst_flag, "holds state", CELL_SEQUENTIAL },
  { OBJ_CELL, "is_black_box", PROP_BOOL, inst_flag, "no library has its cell", CELL_BLACK_BOX },
  { OBJ_CELL, "area", PROP_NUMBER, inst_area, "area of its library cell", 0 },
  { OBJ_CELL, "pin_count", PROP_INT, inst_pins, "number of pins", 0 },

  PINS(OBJ_PIN),
  { OBJ_PIN, "cell", PROP_OBJECTS, pin_cell, "its cell", 0 },
  { OBJ_PIN, "lib_pin", PROP_OBJECTS, pin_lib_pin, "its library cell's pin", 0 },
  { OBJ_PIN, "lib_pin_name", PROP_TEXT, pin_lib_pin_name, "name within the cell", 0 },
  PINS(OBJ_PORT),

  NAMES(OBJ_NET),
  { OBJ_NET, "dont_touch", PROP_BOOL, net_dont_touch, "edits are refused", 0 },
  { OBJ_NET, "fanout", PROP_INT, net_fanout, "number of loads", 0 },
  { OBJ_NET, "driver", PROP_OBJECTS, net_driver, "pins and ports that drive it", 0 },
  { OBJ_NET, "loads", PROP_OBJECTS, net_loads, "pins and ports that it drives", 0 },

  NAMES(OBJ_CLOCK),
  { OBJ_CLOCK, "period", PROP_NUMBER, clock_period, "period", 0 },
  { OBJ_CLOCK, "waveform", PROP_TEXT, clock_waveform, "edges, rise first", 0 },
  { OBJ_CLOCK, "sources", PROP_OBJECTS, clock_sources, "pins and ports that it is defined on", 0 },
  { OBJ_CLOCK, "is_generated", PROP_BOOL, clock_is_generated, "made from another clock", 0 },
  { OBJ_CLOCK, "is_virtual", PROP_BOOL, clock_is_virtual, "has no source", 0 },
  { OBJ_CLOCK, "is_propagated", PROP_BOOL, clock_is_propagated, "delay of its network is computed",
    0 },
  { OBJ_CLOCK, "master_clock", PROP_OBJECTS, clock_master, "clock that it is generated from", 0 },
  { 0 }
};
