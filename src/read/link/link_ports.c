/* Finds the ports that the names and positions of connections mean. */
#include <stdio.h>

#include "read/link/link_private.h"
#include "read/verilog/verilog_lex.h"

NameId link_bit_name(Linker *linker, NameId base, int32_t index)
{
  Text t = { 0 };
  text_printf(&t, "%s[%d]", names_text(linker->names, base), index);
  NameId name = names_add(linker->names, t.at, t.len);
  text_free(&t);
  return name;
}

/* Instances of a master mostly list the same ports in the same order, so the last answer is tried
   first. */
static uint32_t *guess_of(Master *master, uint32_t c)
{
  if (c >= master->connected.len) return NULL;
  if (master->guess.len == 0) array_resize(&master->guess, master->connected.len);
  return &master->guess.at[c];
}

uint32_t link_cell_port(Linker *linker, Master *master, uint32_t c, NameId name)
{
  const LibCell *cell = &linker->libs->cells.at[master->cell];
  const LibPort *ports = linker->libs->ports.at + cell->first_port;
  uint32_t *guess = guess_of(master, c);
  if (guess && ports[*guess].name == name && !ports[*guess].is_state) return *guess;
  PortId p = library_find_port(linker->libs, master->cell, name);
  if (p == NO_PORT || linker->libs->ports.at[p].is_state) return NO_INDEX;
  if (guess) *guess = p - cell->first_port;
  return p - cell->first_port;
}

BusId link_cell_bus(const Linker *linker, const Master *master, NameId name)
{
  return library_find_bus(linker->libs, master->cell, name);
}

uint32_t link_module_port(Linker *linker, uint32_t master, uint32_t c, NameId name)
{
  Master *the_master = &linker->masters.at[master];
  uint32_t *guess = guess_of(the_master, c);
  if (guess && the_master->module->ports.at[*guess].name == name) return *guess;
  uint32_t p = map_get(linker->port_by_name, hash_pair(master, name));
  if (p == MAP_NO_VALUE) return NO_INDEX;
  if (guess) *guess = p;
  return p;
}

/* By position: the ports of the cell in the order of the file; a bus counts as one port. */
uint32_t link_cell_position(const Linker *linker, const Master *master, uint32_t c, BusId *bus)
{
  const LibCell *cell = &linker->libs->cells.at[master->cell];
  const LibPort *ports = linker->libs->ports.at + cell->first_port;
  *bus = NO_BUS;
  for (uint32_t p = 0; p < cell->port_count; p++) {
    if (ports[p].is_state || ports[p].direction == DIR_INTERNAL) continue;
    bool begins = ports[p].bus == NO_BUS
                  || linker->libs->buses.at[ports[p].bus].first == cell->first_port + p;
    if (!begins || c-- > 0) continue;
    *bus = ports[p].bus;
    return p;
  }
  return NO_INDEX;
}

/* A gate's outputs come first; all but the last connection for buf and not, else one. */
static bool gate_output(Keyword gate, uint32_t c, uint32_t count)
{
  if (gate == KEY_BUF || gate == KEY_NOT) return c + 1 < count;
  return c == 0;
}

uint8_t link_gate_direction(const Linker *linker, NameId port)
{
  return names_text(linker->names, port)[0] == 'o' ? DIR_OUTPUT : DIR_INPUT;
}

NameId link_box_port_name(Linker *linker, const Master *master, const VerilogInst *inst, uint32_t c)
{
  if (!inst->positional) return verilog_conn_port(inst, c);
  Text t = { 0 };
  bool gate = master->kind == MASTER_GATE;
  bool out = gate && gate_output(linker->files->keyword[master->name], c, inst->count);
  text_printf(&t, "%s%u", !gate ? "p" : out ? "out" : "in", c + 1);
  NameId name = names_add(linker->names, t.at, t.len);
  text_free(&t);
  return name;
}
