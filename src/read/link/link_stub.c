/* A module without contents that has the name of a library cell.  Its port list gives the order of
   positional connections and the direction of buses.  Timing comes from the cell. */
#include "read/link/link_private.h"

/* The pin of the cell that a bit of a module's port stands for, as its index in the cell;
   NO_INDEX. */
static uint32_t pin_named(const Linker *linker, const Master *master, NameId name)
{
  PortId p = library_find_port(linker->libs, master->cell, name);
  if (p == NO_PORT || linker->libs->ports.at[p].is_state) return NO_INDEX;
  return p - linker->libs->cells.at[master->cell].first_port;
}

/* No name is made: what nothing is called no cell has. */
static uint32_t bit_named(const Linker *linker, const Master *master, NameId base, int32_t index)
{
  Text t = { 0 };
  text_printf(&t, "%s[%d]", names_text(linker->names, base), index);
  NameId name = names_find(linker->names, t.at, t.len);
  text_free(&t);
  return name == NO_NAME ? NO_INDEX : pin_named(linker, master, name);
}

static int32_t index_at(const VerilogPort *port, uint32_t bit)
{
  return port->from > port->to ? port->from - (int32_t)bit : port->from + (int32_t)bit;
}

static Where place_of(const Linker *linker, const VerilogModule *module)
{
  return (Where){ names_text(linker->names, module->file), module->line, 0 };
}

/* Buses of one width and other indices: the left ends are the same bit, and so on. */
static bool ranges_differ(const VerilogPort *port, const LibBus *bus)
{
  int32_t low = port->from < port->to ? port->from : port->to;
  int32_t lib_low = bus->from < bus->to ? bus->from : bus->to;
  uint32_t width = verilog_bus_width(port->from, port->to);
  return width == verilog_bus_width(bus->from, bus->to) && low != lib_low;
}

static void tell_range(const Linker *linker, const Master *master, const VerilogPort *port,
                       const LibBus *bus)
{
  const char *what = ranges_differ(port, bus) ? "their left ends are the same bit"
                                              : "only bits of the same index are connected";
  log_warning(linker->log, "LINK-015", place_of(linker, master->stub),
              "port '%.60s' of module '%.60s' is [%d:%d], of the library cell [%d:%d]: %s",
              names_text(linker->names, port->name), names_text(linker->names, master->name),
              port->from, port->to, bus->from, bus->to, what);
}

static uint32_t bit_of_bus(const Linker *linker, const Master *master, const LibBus *bus,
                           uint32_t place)
{
  return bus->first - linker->libs->cells.at[master->cell].first_port + place;
}

static void add_bus_pins(Linker *linker, Master *master, const VerilogPort *port)
{
  BusId bus = library_find_bus(linker->libs, master->cell, port->name);
  const LibBus *lib_bus = bus == NO_BUS ? NULL : &linker->libs->buses.at[bus];
  uint32_t width = verilog_bus_width(port->from, port->to), missing = 0;
  bool by_place = lib_bus && ranges_differ(port, lib_bus);
  for (uint32_t i = 0; i < width; i++) {
    uint32_t pin = by_place ? bit_of_bus(linker, master, lib_bus, i)
                            : bit_named(linker, master, port->name, index_at(port, i));
    missing += pin == NO_INDEX;
    array_push(&master->stub_pins, pin);
  }
  bool same =
      !by_place && !missing && lib_bus && width == verilog_bus_width(lib_bus->from, lib_bus->to);
  if (lib_bus && !same) tell_range(linker, master, port, lib_bus);
}

static void add_scalar_pin(Linker *linker, Master *master, const VerilogPort *port)
{
  uint32_t pin = pin_named(linker, master, port->name);
  BusId bus = library_find_bus(linker->libs, master->cell, port->name);
  if (pin == NO_INDEX && bus != NO_BUS
      && linker->libs->buses.at[bus].from == linker->libs->buses.at[bus].to)
    pin = bit_of_bus(linker, master, &linker->libs->buses.at[bus], 0);
  array_push(&master->stub_pins, pin);
}

/* Supply pins and what else the cell has not count as agreeing. */
static bool directions_agree(const Linker *linker, const Master *master, uint32_t p)
{
  uint8_t said = master->stub->ports.at[p].direction;
  uint32_t first = master->first_pin.at[p];
  uint32_t pin = first < master->stub_pins.len ? master->stub_pins.at[first] : NO_INDEX;
  if (said == DIR_UNKNOWN || pin == NO_INDEX) return true;
  return linker->libs->ports.at[linker->libs->cells.at[master->cell].first_port + pin].direction
         == said;
}

static void check_directions(const Linker *linker, const Master *master)
{
  for (uint32_t p = 0; p < master->stub->ports.len; p++) {
    if (directions_agree(linker, master, p)) continue;
    log_warning(linker->log, "LINK-014", place_of(linker, master->stub),
                "port '%.60s' of module '%.60s' has another direction in the library cell, "
                "which counts",
                names_text(linker->names, master->stub->ports.at[p].name),
                names_text(linker->names, master->name));
    return;
  }
}

/* For each pin of the cell: true if the module lists it.  LINK-015 reports bits of a bus that a
   range leaves out. */
static uint8_t *listed_pins(const Linker *linker, const Master *master)
{
  const LibCell *cell = &linker->libs->cells.at[master->cell];
  uint8_t *listed = mem_alloc_zero((size_t)cell->port_count + 1, 1);
  for (uint32_t i = 0; i < master->stub_pins.len; i++)
    if (master->stub_pins.at[i] != NO_INDEX) listed[master->stub_pins.at[i]] = 1;
  for (uint32_t i = 0; i < master->stub->ports.len; i++) {
    BusId bus = library_find_bus(linker->libs, master->cell, master->stub->ports.at[i].name);
    if (bus == NO_BUS) continue;
    const LibBus *lib_bus = &linker->libs->buses.at[bus];
    memset(listed + bit_of_bus(linker, master, lib_bus, 0), 1,
           verilog_bus_width(lib_bus->from, lib_bus->to));
  }
  return listed;
}

/* Supply pins and states are no matter of lists. */
static bool wants_place(Linker *linker, const Master *master, const LibPort *port)
{
  if (port->is_state || port->direction == DIR_INTERNAL) return false;
  return !link_is_supply(linker, master->cell, port->name, NULL, REF_NONE);
}

/* Pins of the cell that no place means.  A module without a list leaves the library's order. */
static void check_listed(Linker *linker, const Master *master)
{
  const LibCell *cell = &linker->libs->cells.at[master->cell];
  const LibPort *ports = &linker->libs->ports.at[cell->first_port];
  uint32_t count = 0, first = 0;
  if (master->stub->ports.len == 0) return;
  uint8_t *listed = listed_pins(linker, master);
  for (uint32_t p = 0; p < cell->port_count; p++)
    if (!listed[p] && wants_place(linker, master, &ports[p]) && count++ == 0) first = p;
  mem_free(listed);
  if (count == 0) return;
  log_warning(linker->log, "LINK-022", place_of(linker, master->stub),
              "module '%.60s' does not list %u pin%s of the library cell, here '%.60s': "
              "connections by position leave %s open",
              names_text(linker->names, master->name), count, count == 1 ? "" : "s",
              names_text(linker->names, ports[first].name), count == 1 ? "it" : "them");
}

/* Returns true if the port lists the bits of the cell's bus in the opposite order. */
static void note_reversed(Linker *linker, const Master *master, uint32_t p)
{
  uint32_t first = master->first_pin.at[p], width = master->first_pin.at[p + 1] - first;
  BusId bus = library_find_bus(linker->libs, master->cell, master->stub->ports.at[p].name);
  if (bus == NO_BUS || width < 2) return;
  const LibBus *lib_bus = &linker->libs->buses.at[bus];
  if (verilog_bus_width(lib_bus->from, lib_bus->to) != width) return;
  for (uint32_t i = 0; i < width; i++)
    if (master->stub_pins.at[first + i] != bit_of_bus(linker, master, lib_bus, width - 1 - i))
      return;
  array_push(&linker->reversed, bus);
}

void link_enter_stub(Linker *linker, uint32_t master)
{
  Master *the_master = &linker->masters.at[master];
  for (uint32_t p = 0; p < the_master->stub->ports.len; p++) {
    const VerilogPort *port = &the_master->stub->ports.at[p];
    array_push(&the_master->first_pin, the_master->stub_pins.len);
    if (port->name == NO_NAME) continue;
    map_put(linker->port_by_name, hash_pair(master, port->name), p);
    if (port->is_bus) add_bus_pins(linker, the_master, port);
    else add_scalar_pin(linker, the_master, port);
  }
  array_push(&the_master->first_pin, the_master->stub_pins.len);
  for (uint32_t p = 0; p < the_master->stub->ports.len; p++) note_reversed(linker, the_master, p);
  check_directions(linker, the_master);
  check_listed(linker, the_master);
}

/* --- which pins of a cell a connection means -------------------------------------------------- */
static CellTarget stub_target(const Master *master, uint32_t p)
{
  uint32_t first = master->first_pin.at[p];
  return (CellTarget){ master->stub->ports.at[p].name, first, master->first_pin.at[p + 1] - first,
                       true };
}

static CellTarget bus_target(const Linker *linker, const Master *master, BusId bus)
{
  const LibBus *lib_bus = &linker->libs->buses.at[bus];
  uint32_t first = lib_bus->first - linker->libs->cells.at[master->cell].first_port;
  return (CellTarget){ lib_bus->name, first, verilog_bus_width(lib_bus->from, lib_bus->to), false };
}

static CellTarget target_at(const Linker *linker, const Master *master, uint32_t c)
{
  BusId bus = NO_BUS;
  uint32_t listed = master->stub ? master->stub->ports.len : 0;
  if (listed) return c < listed ? stub_target(master, c) : (CellTarget){ .width = NO_INDEX };
  uint32_t port = link_cell_position(linker, master, c, &bus);
  if (port == NO_INDEX) return (CellTarget){ .width = NO_INDEX };
  if (bus != NO_BUS) return bus_target(linker, master, bus);
  NameId name = linker->libs->ports.at[linker->libs->cells.at[master->cell].first_port + port].name;
  return (CellTarget){ name, port, 1, false };
}

CellTarget link_cell_target(Linker *linker, uint32_t master, const VerilogInst *inst, uint32_t c)
{
  Master *the_master = &linker->masters.at[master];
  NameId name = verilog_conn_port(inst, c);
  if (inst->positional) return target_at(linker, the_master, c);
  uint32_t port = link_cell_port(linker, the_master, c, name);
  if (port != NO_INDEX) return (CellTarget){ name, port, 1, false };
  port = the_master->stub ? map_get(linker->port_by_name, hash_pair(master, name)) : MAP_NO_VALUE;
  if (port != MAP_NO_VALUE) return stub_target(the_master, port);
  BusId bus = link_cell_bus(linker, the_master, name);
  return bus == NO_BUS ? (CellTarget){ .name = name } : bus_target(linker, the_master, bus);
}

uint32_t link_target_pin(const Master *master, const CellTarget *target, uint32_t i)
{
  return target->by_stub ? master->stub_pins.at[target->first + i] : target->first + i;
}
