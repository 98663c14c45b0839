/* Writes report_cell and report_lib_cell. */
#include "report/cells.h"

#include "base/interrupt.h"

static void add_flags(const LibrarySet *libs, CellId id, Text *text)
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
    if (cell->flags & words[i].flag) text_printf(text, ", %s", words[i].word);
  if (library_cell_is_buffer(libs, id)) text_put(text, ", buffer");
  if (library_cell_is_inverter(libs, id)) text_put(text, ", inverter");
}

static const char *library_name(const Sheet *sheet, const LibCell *cell)
{
  if (cell->library == NO_LIBRARY) return "no library";
  return names_text(sheet->libs->names, sheet->libs->libraries.at[cell->library].name);
}

/* --- of the design ---------------------------------------------------------------------------- */
static void pin_rows(const Sheet *sheet, const Inst *inst)
{
  Grid *grid = grid_new("llll", 2);
  grid_row(grid, "pin|direction|net|driven by");
  for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++) {
    NetId net = netlist_pin_net(sheet->netlist, p);
    cell_name(grid, sheet, netlist_pin_port_name(sheet->netlist, p));
    grid_text(grid, direction_name(netlist_pin_direction(sheet->netlist, p)));
    if (sheet->netlist->pins.at[p].seg == NO_SEG) grid_text(grid, "(unconnected)");
    else {
      netlist_seg_name(sheet->netlist, sheet->netlist->pins.at[p].seg, sheet->separator,
                       grid_open(grid));
      grid_close(grid);
    }
    PinId driver = NO_PIN;
    if (net != NO_NET) {
      NetPins it = net_pins(sheet->netlist, net, false);
      for (PinId q; (q = net_pins_next(&it)) != NO_PIN;)
        if (q != p && netlist_pin_drives(sheet->netlist, q)) driver = q;
    }
    cell_pin(grid, sheet, driver);
  }
  grid_finish(grid, sheet->out);
}

static void report_cell(const Sheet *sheet, InstId id, bool with_pins)
{
  const Inst *inst = &sheet->netlist->insts.at[id];
  text_put(sheet->out, "cell ");
  netlist_inst_name(sheet->netlist, id, sheet->separator, sheet->out);
  text_printf(sheet->out, ": %s",
              names_text(sheet->netlist->names, netlist_inst_master_name(sheet->netlist, id)));
  if (inst_is_leaf(sheet->netlist, id)) {
    const LibCell *cell = &sheet->libs->cells.at[inst->master];
    text_printf(sheet->out, " (%s), area %.3f", library_name(sheet, cell), cell->area);
    add_flags(sheet->libs, inst->master, sheet->out);
  } else {
    uint32_t children = 0;
    for (InstId i = inst->first_child; i != NO_INST; i = sheet->netlist->insts.at[i].next_sibling)
      children += !(sheet->netlist->insts.at[i].flags & INST_DELETED);
    text_printf(sheet->out, ", hierarchical, %u cell%s", children, children == 1 ? "" : "s");
  }
  text_char(sheet->out, '\n');
  if (with_pins) pin_rows(sheet, inst);
}

void report_cells(const Sheet *sheet, const Object *cells, uint32_t count, bool with_pins)
{
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    report_cell(sheet, cells[i].id, with_pins);
}

/* --- of libraries ----------------------------------------------------------------------------- */
static void port_rows(const Sheet *sheet, const LibCell *cell)
{
  Grid *grid = grid_new("llrrrl", 2);
  grid_row(grid, "pin|direction|capacitance|max load|max slew|function");
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    const LibPort *port = &sheet->libs->ports.at[p];
    if (port->is_state) continue;
    grid_text(grid, names_text(sheet->libs->names, port->name));
    grid_printf(grid, "%s%s", direction_name(port->direction), port->is_clock ? ", clock" : "");
    cell_cap(grid, sheet, port->cap_nominal);
    cell_cap(grid, sheet, port->max_cap);
    cell_time(grid, sheet, port->max_slew);
    if (port->function != NO_FUNCTION)
      library_function_text(sheet->libs, port->function, grid_open(grid));
    grid_close(grid);
  }
  grid_finish(grid, sheet->out);
}

static const char *sense_text(const LibArc *arc)
{
  static const char *const words[] = { "positive", "negative", "both" };
  if (arc_type_is_check((ArcType)arc->type)) return "";
  return words[arc->sense];
}

static void arc_rows(const Sheet *sheet, const LibCell *cell)
{
  if (cell->arc_count == 0) return;
  Grid *grid = grid_new("llllll", 2);
  grid_row(grid, "from|to|type|sense|edge|when");
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    const LibArc *arc = &sheet->libs->arcs.at[a];
    grid_text(grid, names_text(sheet->libs->names, sheet->libs->ports.at[arc->from].name));
    grid_text(grid, names_text(sheet->libs->names, sheet->libs->ports.at[arc->to].name));
    grid_text(grid, sheet_arc_type((ArcType)arc->type));
    grid_text(grid, sense_text(arc));
    grid_text(grid, arc->edge == EDGE_ANY ? "" : edge_name(arc->edge));
    if (arc->when != NO_FUNCTION) library_function_text(sheet->libs, arc->when, grid_open(grid));
    grid_close(grid);
  }
  text_char(sheet->out, '\n');
  grid_finish(grid, sheet->out);
}

void report_lib_cells(const Sheet *sheet, const Object *cells, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const LibCell *cell = &sheet->libs->cells.at[cells[i].id];
    text_printf(sheet->out, "library cell %s (%s): area %.3f, leakage %.6g",
                names_text(sheet->libs->names, cell->name), library_name(sheet, cell), cell->area,
                cell->leakage / sheet->units->scale[UNIT_POWER]);
    add_flags(sheet->libs, cells[i].id, sheet->out);
    text_char(sheet->out, '\n');
    port_rows(sheet, cell);
    arc_rows(sheet, cell);
  }
}
