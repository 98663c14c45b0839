/* Writes report_cell and report_lib_cell. */
#include "report/cells.h"

#include "base/interrupt.h"

static void add_flags(const LibrarySet *libs, CellId id, Text *t)
{
  static const struct { uint32_t flag; const char *word;
  } words[] = { { CELL_SEQUENTIAL, "sequential" },
                { CELL_CLOCK_GATE, "clock gate" },
                { CELL_MACRO, "macro" },
                { CELL_MEMORY, "memory" },
                { CELL_PAD, "pad" },
                { CELL_BLACK_BOX, "black box" },
                { CELL_TEST_SCAN, "scan" },
                { CELL_DONT_USE, "do not use" },
                { CELL_DONT_TOUCH, "do not touch" } };
  const LibCell *cell = &libs->cells.at[id];
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (cell->flags & words[i].flag) text_printf(t, ", %s", words[i].word);
  if (library_cell_is_buffer(libs, id)) text_put(t, ", buffer");
  if (library_cell_is_inverter(libs, id)) text_put(t, ", inverter");
}

static const char *library_name(const Sheet *s, const LibCell *cell)
{
  if (cell->library == NO_LIBRARY) return "no library";
  return names_text(s->libs->names, s->libs->libraries.at[cell->library].name);
}

/* --- of the design ---------------------------------------------------------------------------- */
static void pin_rows(const Sheet *s, const Inst *inst)
{
  Grid *c = grid_new("llll", 2);
  grid_row(c, "pin|direction|net|driven by");
  for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++) {
    NetId net = netlist_pin_net(s->netlist, p);
    cell_name(c, s, netlist_pin_port_name(s->netlist, p));
    grid_text(c, direction_name(netlist_pin_direction(s->netlist, p)));
    if (s->netlist->pins.at[p].seg == NO_SEG) grid_text(c, "(unconnected)");
    else {
      netlist_seg_name(s->netlist, s->netlist->pins.at[p].seg, s->separator, grid_open(c));
      grid_close(c);
    }
    PinId driver = NO_PIN;
    if (net != NO_NET) {
      NetPins it = net_pins(s->netlist, net, false);
      for (PinId q; (q = net_pins_next(&it)) != NO_PIN;)
        if (q != p && netlist_pin_drives(s->netlist, q)) driver = q;
    }
    cell_pin(c, s, driver);
  }
  grid_finish(c, s->out);
}

static void report_cell(const Sheet *s, InstId id, bool with_pins)
{
  const Inst *inst = &s->netlist->insts.at[id];
  text_put(s->out, "cell ");
  netlist_inst_name(s->netlist, id, s->separator, s->out);
  text_printf(s->out, ": %s",
              names_text(s->netlist->names, netlist_inst_master_name(s->netlist, id)));
  if (inst_is_leaf(s->netlist, id)) {
    const LibCell *cell = &s->libs->cells.at[inst->master];
    text_printf(s->out, " (%s), area %.3f", library_name(s, cell), cell->area);
    add_flags(s->libs, inst->master, s->out);
  } else {
    uint32_t children = 0;
    for (InstId i = inst->first_child; i != NO_INST; i = s->netlist->insts.at[i].next_sibling)
      children += !(s->netlist->insts.at[i].flags & INST_DELETED);
    text_printf(s->out, ", hierarchical, %u cell%s", children, children == 1 ? "" : "s");
  }
  text_char(s->out, '\n');
  if (with_pins) pin_rows(s, inst);
}

void report_cells(const Sheet *s, const Object *cells, uint32_t count, bool with_pins)
{
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) report_cell(s, cells[i].id, with_pins);
}

/* --- of libraries ----------------------------------------------------------------------------- */
static void port_rows(const Sheet *s, const LibCell *cell)
{
  Grid *c = grid_new("llrrrl", 2);
  grid_row(c, "pin|direction|capacitance|max load|max slew|function");
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    const LibPort *port = &s->libs->ports.at[p];
    if (port->is_state) continue;
    grid_text(c, names_text(s->libs->names, port->name));
    grid_printf(c, "%s%s", direction_name(port->direction), port->is_clock ? ", clock" : "");
    cell_cap(c, s, port->cap_nominal);
    cell_cap(c, s, port->max_cap);
    cell_time(c, s, port->max_slew);
    if (port->function != NO_FUNCTION) library_function_text(s->libs, port->function, grid_open(c));
    grid_close(c);
  }
  grid_finish(c, s->out);
}

static const char *sense_text(const LibArc *arc)
{
  static const char *const words[] = { "positive", "negative", "both" };
  if (arc_type_is_check((ArcType)arc->type)) return "";
  return words[arc->sense];
}

static void arc_rows(const Sheet *s, const LibCell *cell)
{
  if (cell->arc_count == 0) return;
  Grid *c = grid_new("llllll", 2);
  grid_row(c, "from|to|type|sense|edge|when");
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    const LibArc *arc = &s->libs->arcs.at[a];
    grid_text(c, names_text(s->libs->names, s->libs->ports.at[arc->from].name));
    grid_text(c, names_text(s->libs->names, s->libs->ports.at[arc->to].name));
    grid_text(c, sheet_arc_type((ArcType)arc->type));
    grid_text(c, sense_text(arc));
    grid_text(c, arc->edge == EDGE_ANY ? "" : edge_name(arc->edge));
    if (arc->when != NO_FUNCTION) library_function_text(s->libs, arc->when, grid_open(c));
    grid_close(c);
  }
  text_char(s->out, '\n');
  grid_finish(c, s->out);
}

void report_lib_cells(const Sheet *s, const Object *cells, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const LibCell *cell = &s->libs->cells.at[cells[i].id];
    text_printf(s->out, "library cell %s (%s): area %.3f, leakage %.6g",
                names_text(s->libs->names, cell->name), library_name(s, cell), cell->area,
                cell->leakage / s->units->scale[UNIT_POWER]);
    add_flags(s->libs, cells[i].id, s->out);
    text_char(s->out, '\n');
    port_rows(s, cell);
    arc_rows(s, cell);
  }
}
