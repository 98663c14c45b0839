/* Writes modules of library cells whose buses a module that was read lists in the opposite order.
   The bits of connections are written in the library's order, which is right for a reader that
   knows the cell from the library.  The modules state that order, so that it also counts if the
   other module was read. */
#include "write/verilog_private.h"

static bool is_used(const Netlist *n, CellId cell)
{
  for (InstId i = 1; i < n->insts.len; i++)
    if (inst_is_there(n, i)
        && n->insts.at[i].master == cell)
      return true;
  return false;
}

static CellId cell_of(const Netlist *n, uint32_t i)
{
  return n->libs->buses.at[n->reversed_buses.at[i]].cell;
}

static bool is_told(const Netlist *n, uint32_t i)
{
  for (uint32_t k = 0; k < i; k++)
    if (cell_of(n, k) == cell_of(n, i)) return true;
  return false;
}

/* The bits of a bus are one port, told at its first bit; states and inner pins are none. */
static bool is_listed(const LibrarySet *libs, PortId p)
{
  const LibPort *port = &libs->ports.at[p];
  if (port->is_state || port->direction == DIR_INTERNAL) return false;
  return port->bus == NO_BUS || libs->buses.at[port->bus].first == p;
}

static NameId listed_name(const LibrarySet *libs, PortId p)
{
  const LibPort *port = &libs->ports.at[p];
  return port->bus == NO_BUS ? port->name : libs->buses.at[port->bus].name;
}

static void declare(Writer *writer, PortId p)
{
  const LibrarySet *libs = writer->n->libs;
  const LibPort *port = &libs->ports.at[p];
  text_printf(&writer->out, "  %s ", write_direction(port->direction));
  if (port->bus != NO_BUS) {
    const LibBus *bus = &libs->buses.at[port->bus];
    text_printf(&writer->out, "[%d:%d] ", bus->from, bus->to);
  }
  write_name_id(writer, listed_name(libs, p));
  text_put(&writer->out, ";\n");
}

static void write_stub(Writer *writer, CellId id)
{
  const LibrarySet *libs = writer->n->libs;
  const LibCell *cell = &libs->cells.at[id];
  const char *between = "";
  text_put(&writer->out, "module ");
  write_name_id(writer, cell->name);
  text_put(&writer->out, " (");
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    if (!is_listed(libs, p)) continue;
    text_put(&writer->out, between);
    write_name_id(writer, listed_name(libs, p));
    between = ", ";
  }
  text_put(&writer->out, ");\n");
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++)
    if (is_listed(libs, p)) declare(writer, p);
  text_put(&writer->out, "endmodule\n\n");
}

void write_stubs(Writer *writer)
{
  const Netlist *n = writer->n;
  for (uint32_t i = 0; i < n->reversed_buses.len; i++) {
    CellId cell = cell_of(n, i);
    if (is_told(n, i) || write_is_gate(writer, n->libs->cells.at[cell].name) || !is_used(n, cell))
      continue;
    write_stub(writer, cell);
  }
}
