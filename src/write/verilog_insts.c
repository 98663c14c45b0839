/* Writes instances and their connections as Verilog. */
#include "base/interrupt.h"
#include "write/verilog_private.h"

static void bit(Writer *writer, InstId scope, PinId pin)
{
  SegId seg = writer->n->pins.at[pin].seg;
  if (seg != NO_SEG) write_seg(writer, seg);
  else if (netlist_pin_direction(writer->n, pin) == DIR_INPUT) text_put(&writer->out, "1'bz");
  else
    write_name_id(writer,
                  write_new_name(writer, scope, "open")); /* nothing cannot be written there */
}

static void begin(Writer *writer, NameId port, bool *first)
{
  text_put(&writer->out, *first ? "\n    ." : ",\n    .");
  *first = false;
  write_name_id(writer, port);
  text_char(&writer->out, '(');
}

static void scalar(Writer *writer, PinId pin, bool keep_open, bool *first)
{
  SegId seg = writer->n->pins.at[pin].seg;
  if (seg == NO_SEG && !keep_open) return;
  begin(writer, netlist_pin_port_name(writer->n, pin), first);
  if (seg != NO_SEG) write_seg(writer, seg);
  text_char(&writer->out, ')');
}

static void bus(Writer *writer, InstId scope, NameId name, const PinId *pins, uint32_t count,
                bool *first)
{
  bool open = true;
  for (uint32_t i = 0; i < count && open; i++)
    open = pins[i] == NO_PIN || writer->n->pins.at[pins[i]].seg == NO_SEG;
  if (open) return;
  begin(writer, name, first);
  if (count > 1) text_char(&writer->out, '{');
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(&writer->out, ", ");
    bit(writer, scope, pins[i]);
  }
  text_put(&writer->out, count > 1 ? "})" : ")");
}

static void leaf(Writer *writer, InstId scope, InstId inst, bool *first)
{
  const Netlist *n = writer->n;
  const Inst *the_inst = &n->insts.at[inst];
  const LibCell *cell = &n->libs->cells.at[the_inst->master];
  ARRAY(PinId) pins = { 0 };
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    const LibPort *port = &n->libs->ports.at[p];
    if (port->is_state) continue;
    if (port->bus == NO_BUS) {
      scalar(writer, netlist_pin_of_port(n, inst, p), (cell->flags & CELL_BLACK_BOX) != 0, first);
      continue;
    }
    const LibBus *lib_bus = &n->libs->buses.at[port->bus];
    if (lib_bus->first != p) continue;
    uint32_t count = (uint32_t)(lib_bus->from > lib_bus->to ? lib_bus->from - lib_bus->to
                                                            : lib_bus->to - lib_bus->from)
                     + 1;
    array_clear(&pins);
    for (uint32_t k = 0; k < count; k++) array_push(&pins, netlist_pin_of_port(n, inst, p + k));
    bus(writer, scope, lib_bus->name, pins.at, count, first);
  }
  array_free(&pins);
}

/* The place of a gate's port in the list of connections, which linking made its name of: out1, in2;
   0: of another name. */
static uint32_t gate_place(const char *port)
{
  unsigned at;
  int used = 0;
  if (sscanf(port, "out%9u%n", &at, &used) != 1 && sscanf(port, "in%9u%n", &at, &used) != 1)
    return 0;
  return port[used] ? 0 : at;
}

/* Returns the number of a gate's nets, which are in order of position; 0: it is no gate, or not
   connected by position. */
static uint32_t gate_nets(const Writer *writer, InstId inst, SegId *segs)
{
  const Netlist *n = writer->n;
  const LibCell *cell = &n->libs->cells.at[n->insts.at[inst].master];
  uint32_t most = 0;
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    PinId pin = netlist_pin_of_port(n, inst, p);
    SegId seg = n->pins.at[pin].seg;
    if (seg == NO_SEG) continue;
    uint32_t at = gate_place(names_text(n->names, netlist_pin_port_name(n, pin)));
    if (at == 0 || at > cell->port_count || segs[at - 1] != NO_SEG) return 0;
    segs[at - 1] = seg;
    if (at > most) most = at;
  }
  return most;
}

/* and u (z, a, b); false: it is no gate. */
static bool gate(Writer *writer, InstId inst)
{
  const Netlist *n = writer->n;
  if (!inst_is_leaf(n, inst)) return false;
  const LibCell *cell = &n->libs->cells.at[n->insts.at[inst].master];
  if (!(cell->flags & CELL_BLACK_BOX) || !write_is_gate(writer, netlist_inst_master_name(n, inst)))
    return false;
  SegId *segs = mem_alloc(sizeof *segs * (cell->port_count + 1));
  for (uint32_t i = 0; i < cell->port_count; i++) segs[i] = NO_SEG;
  uint32_t count = gate_nets(writer, inst, segs);
  if (count)
    text_printf(&writer->out, "  %s ", names_text(n->names, netlist_inst_master_name(n, inst)));
  if (count) write_name_id(writer, n->insts.at[inst].name);
  for (uint32_t i = 0; i < count; i++) {
    text_put(&writer->out, i ? ", " : " (");
    if (segs[i] != NO_SEG) write_seg(writer, segs[i]);
  }
  if (count) text_put(&writer->out, ");\n");
  mem_free(segs);
  return count > 0;
}

static void supplies(Writer *writer, InstId inst, bool *first)
{
  uint32_t from, to;
  write_supplies_of(writer->n, inst, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    const SupplyPin *pin = &writer->n->supplies.at[i];
    if (!seg_is_live(writer->n, pin->seg)) continue;
    begin(writer, pin->pin, first);
    write_seg(writer, pin->seg);
    text_char(&writer->out, ')');
  }
}

static void block(Writer *writer, InstId scope, InstId inst, bool *first)
{
  const Netlist *n = writer->n;
  const Inst *cell = &n->insts.at[inst];
  const Module *module = &n->modules.at[cell->master];
  ARRAY(PinId) pins = { 0 };
  for (uint32_t p = 0; p < module->port_count; p++) {
    uint32_t b = n->module_ports.at[module->first_port + p].bus;
    if (b == NO_BUS) {
      scalar(writer, cell->first_pin + p, false, first);
    } else if (n->module_buses.at[b].first == module->first_port + p) {
      const ModuleBus *mb = &n->module_buses.at[b];
      uint32_t count = (uint32_t)(mb->from > mb->to ? mb->from - mb->to : mb->to - mb->from) + 1;
      array_clear(&pins);
      for (uint32_t k = 0; k < count; k++) array_push(&pins, cell->first_pin + p + k);
      bus(writer, scope, mb->name, pins.at, count, first);
    }
  }
  array_free(&pins);
}

static void flush(Writer *writer)
{
  if (writer->out.len >= 1 << 16) write_flush(writer);
}

static void child(Writer *writer, InstId scope, InstId i)
{
  const Netlist *n = writer->n;
  bool first = true;
  if (gate(writer, i)) {
    flush(writer);
    return;
  }
  text_put(&writer->out, "  ");
  if (inst_is_leaf(n, i)) write_name_id(writer, netlist_inst_master_name(n, i));
  else write_name_id(writer, writer->module_name[writer->group[writer->scope_of[i]]]);
  text_char(&writer->out, ' ');
  write_name_id(writer, n->insts.at[i].name);
  text_put(&writer->out, " (");
  if (inst_is_leaf(n, i)) leaf(writer, scope, i, &first);
  else block(writer, scope, i, &first);
  if (writer->options->supplies) supplies(writer, i, &first);
  text_put(&writer->out, ");\n");
  flush(writer);
}

static NameId inst_name(const Netlist *n, uint32_t inst) { return n->insts.at[inst].name; }

void write_children(Writer *writer, uint32_t s)
{
  const Netlist *n = writer->n;
  InstId scope = writer->scopes.at[s];
  ARRAY(InstId) children = { 0 };
  for (InstId i = n->insts.at[scope].first_child; i != NO_INST; i = n->insts.at[i].next_sibling)
    if (!(n->insts.at[i].flags & INST_DELETED)) array_push(&children, i);
  if (writer->options->sorted) write_sort_ids(n, children.at, children.len, inst_name);
  for (uint32_t i = 0; i < children.len && !interrupt_seen(); i++)
    child(writer, scope, children.at[i]);
  array_free(&children);
}
