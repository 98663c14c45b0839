/* A module without contents that has the name of a library cell.  Its port list gives the order of
   positional connections and the direction of buses.  Timing comes from the cell. */
#include "read/link/link_private.h"

/* The pin of the cell that a bit of a module's port stands for, as its index in the cell;
   NO_INDEX. */
static uint32_t pin_named(const Linker *k, const Master *m, NameId name)
{
  PortId p = library_find_port(k->libs, m->cell, name);
  if (p == NO_PORT || k->libs->ports.at[p].is_state) return NO_INDEX;
  return p - k->libs->cells.at[m->cell].first_port;
}

/* No name is made: what nothing is called no cell has. */
static uint32_t bit_named(const Linker *k, const Master *m, NameId base, int32_t index)
{
  Text t = { 0 };
  text_printf(&t, "%s[%d]", names_text(k->names, base), index);
  NameId name = names_find(k->names, t.at, t.len);
  text_free(&t);
  return name == NO_NAME ? NO_INDEX : pin_named(k, m, name);
}

static int32_t index_at(const VerilogPort *port, uint32_t bit)
{
  return port->from > port->to ? port->from - (int32_t)bit : port->from + (int32_t)bit;
}

static Where place_of(const Linker *k, const VerilogModule *module)
{
  return (Where){ names_text(k->names, module->file), module->line, 0 };
}

/* Buses of one width and other indices: the left ends are the same bit, and so on. */
static bool ranges_differ(const VerilogPort *port, const LibBus *b)
{
  int32_t low = port->from < port->to ? port->from : port->to;
  int32_t lib_low = b->from < b->to ? b->from : b->to;
  uint32_t width = verilog_bus_width(port->from, port->to);
  return width == verilog_bus_width(b->from, b->to) && low != lib_low;
}

static void tell_range(const Linker *k, const Master *m, const VerilogPort *port, const LibBus *b)
{
  const char *what = ranges_differ(port, b) ? "their left ends are the same bit"
                                            : "only bits of the same index are connected";
  log_warning(k->log, "LINK-015", place_of(k, m->stub),
              "port '%.60s' of module '%.60s' is [%d:%d], of the library cell [%d:%d]: %s",
              names_text(k->names, port->name), names_text(k->names, m->name), port->from, port->to,
              b->from, b->to, what);
}

static uint32_t bit_of_bus(const Linker *k, const Master *m, const LibBus *b, uint32_t place)
{
  return b->first - k->libs->cells.at[m->cell].first_port + place;
}

static void add_bus_pins(Linker *k, Master *m, const VerilogPort *port)
{
  BusId bus = library_find_bus(k->libs, m->cell, port->name);
  const LibBus *b = bus == NO_BUS ? NULL : &k->libs->buses.at[bus];
  uint32_t width = verilog_bus_width(port->from, port->to), missing = 0;
  bool by_place = b && ranges_differ(port, b);
  for (uint32_t i = 0; i < width; i++) {
    uint32_t pin = by_place ? bit_of_bus(k, m, b, i)
                            : bit_named(k, m, port->name, index_at(port, i));
    missing += pin == NO_INDEX;
    array_push(&m->stub_pins, pin);
  }
  bool same = !by_place && !missing && b && width == verilog_bus_width(b->from, b->to);
  if (b && !same) tell_range(k, m, port, b);
}

static void add_scalar_pin(Linker *k, Master *m, const VerilogPort *port)
{
  uint32_t pin = pin_named(k, m, port->name);
  BusId bus = library_find_bus(k->libs, m->cell, port->name);
  if (pin == NO_INDEX && bus != NO_BUS && k->libs->buses.at[bus].from == k->libs->buses.at[bus].to)
    pin = bit_of_bus(k, m, &k->libs->buses.at[bus], 0);
  array_push(&m->stub_pins, pin);
}

/* Supply pins and what else the cell has not count as agreeing. */
static bool directions_agree(const Linker *k, const Master *m, uint32_t p)
{
  uint8_t said = m->stub->ports.at[p].direction;
  uint32_t first = m->first_pin.at[p];
  uint32_t pin = first < m->stub_pins.len ? m->stub_pins.at[first] : NO_INDEX;
  if (said == DIR_UNKNOWN || pin == NO_INDEX) return true;
  return k->libs->ports.at[k->libs->cells.at[m->cell].first_port + pin].direction == said;
}

static void check_directions(const Linker *k, const Master *m)
{
  for (uint32_t p = 0; p < m->stub->ports.len; p++) {
    if (directions_agree(k, m, p)) continue;
    log_warning(k->log, "LINK-014", place_of(k, m->stub),
                "port '%.60s' of module '%.60s' has another direction in the library cell, "
                "which counts",
                names_text(k->names, m->stub->ports.at[p].name), names_text(k->names, m->name));
    return;
  }
}

/* For each pin of the cell: true if the module lists it.  LINK-015 reports bits of a bus that a
   range leaves out. */
static uint8_t *listed_pins(const Linker *k, const Master *m)
{
  const LibCell *cell = &k->libs->cells.at[m->cell];
  uint8_t *listed = mem_alloc_zero((size_t)cell->port_count + 1, 1);
  for (uint32_t i = 0; i < m->stub_pins.len; i++)
    if (m->stub_pins.at[i] != NO_INDEX) listed[m->stub_pins.at[i]] = 1;
  for (uint32_t i = 0; i < m->stub->ports.len; i++) {
    BusId bus = library_find_bus(k->libs, m->cell, m->stub->ports.at[i].name);
    if (bus == NO_BUS) continue;
    const LibBus *b = &k->libs->buses.at[bus];
    memset(listed + bit_of_bus(k, m, b, 0), 1, verilog_bus_width(b->from, b->to));
  }
  return listed;
}

/* Supply pins and states are no matter of lists. */
static bool wants_place(Linker *k, const Master *m, const LibPort *port)
{
  if (port->is_state || port->direction == DIR_INTERNAL) return false;
  return !link_is_supply(k, m->cell, port->name, NULL, REF_NONE);
}

/* Pins of the cell that no place means.  A module without a list leaves the library's order. */
static void check_listed(Linker *k, const Master *m)
{
  const LibCell *cell = &k->libs->cells.at[m->cell];
  const LibPort *ports = &k->libs->ports.at[cell->first_port];
  uint32_t count = 0, first = 0;
  if (m->stub->ports.len == 0) return;
  uint8_t *listed = listed_pins(k, m);
  for (uint32_t p = 0; p < cell->port_count; p++)
    if (!listed[p] && wants_place(k, m, &ports[p]) && count++ == 0) first = p;
  mem_free(listed);
  if (count == 0) return;
  log_warning(k->log, "LINK-022", place_of(k, m->stub),
              "module '%.60s' does not list %u pin%s of the library cell, here '%.60s': "
              "connections by position leave %s open", names_text(k->names, m->name), count,
              count == 1 ? "" : "s", names_text(k->names, ports[first].name),
              count == 1 ? "it" : "them");
}

/* Returns true if the port lists the bits of the cell's bus in the opposite order. */
static void note_reversed(Linker *k, const Master *m, uint32_t p)
{
  uint32_t first = m->first_pin.at[p], width = m->first_pin.at[p + 1] - first;
  BusId bus = library_find_bus(k->libs, m->cell, m->stub->ports.at[p].name);
  if (bus == NO_BUS || width < 2) return;
  const LibBus *b = &k->libs->buses.at[bus];
  if (verilog_bus_width(b->from, b->to) != width) return;
  for (uint32_t i = 0; i < width; i++)
    if (m->stub_pins.at[first + i] != bit_of_bus(k, m, b, width - 1 - i)) return;
  array_push(&k->reversed, bus);
}

void link_enter_stub(Linker *k, uint32_t master)
{
  Master *m = &k->masters.at[master];
  for (uint32_t p = 0; p < m->stub->ports.len; p++) {
    const VerilogPort *port = &m->stub->ports.at[p];
    array_push(&m->first_pin, m->stub_pins.len);
    if (port->name == NO_NAME) continue;
    map_put(k->port_by_name, hash_pair(master, port->name), p);
    if (port->is_bus) add_bus_pins(k, m, port);
    else add_scalar_pin(k, m, port);
  }
  array_push(&m->first_pin, m->stub_pins.len);
  for (uint32_t p = 0; p < m->stub->ports.len; p++) note_reversed(k, m, p);
  check_directions(k, m);
  check_listed(k, m);
}

/* --- which pins of a cell a connection means -------------------------------------------------- */
static CellTarget stub_target(const Master *m, uint32_t p)
{
  uint32_t first = m->first_pin.at[p];
  return (CellTarget){ m->stub->ports.at[p].name, first, m->first_pin.at[p + 1] - first, true };
}

static CellTarget bus_target(const Linker *k, const Master *m, BusId bus)
{
  const LibBus *b = &k->libs->buses.at[bus];
  uint32_t first = b->first - k->libs->cells.at[m->cell].first_port;
  return (CellTarget){ b->name, first, verilog_bus_width(b->from, b->to), false };
}

static CellTarget target_at(const Linker *k, const Master *m, uint32_t c)
{
  BusId bus = NO_BUS;
  uint32_t listed = m->stub ? m->stub->ports.len : 0;
  if (listed) return c < listed ? stub_target(m, c) : (CellTarget){ .width = NO_INDEX };
  uint32_t port = link_cell_position(k, m, c, &bus);
  if (port == NO_INDEX) return (CellTarget){ .width = NO_INDEX };
  if (bus != NO_BUS) return bus_target(k, m, bus);
  NameId name = k->libs->ports.at[k->libs->cells.at[m->cell].first_port + port].name;
  return (CellTarget){ name, port, 1, false };
}

CellTarget link_cell_target(Linker *k, uint32_t master, const VerilogInst *inst, uint32_t c)
{
  Master *m = &k->masters.at[master];
  NameId name = verilog_conn_port(inst, c);
  if (inst->positional) return target_at(k, m, c);
  uint32_t port = link_cell_port(k, m, c, name);
  if (port != NO_INDEX) return (CellTarget){ name, port, 1, false };
  port = m->stub ? map_get(k->port_by_name, hash_pair(master, name)) : MAP_NO_VALUE;
  if (port != MAP_NO_VALUE) return stub_target(m, port);
  BusId bus = link_cell_bus(k, m, name);
  return bus == NO_BUS ? (CellTarget){ .name = name } : bus_target(k, m, bus);
}

uint32_t link_target_pin(const Master *m, const CellTarget *t, uint32_t i)
{
  return t->by_stub ? m->stub_pins.at[t->first + i] : t->first + i;
}
