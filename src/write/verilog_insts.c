/* Writes instances and their connections as Verilog. */
#include "base/interrupt.h"
#include "write/verilog_private.h"

static void bit(Writer *w, InstId scope, PinId pin)
{
  SegId seg = w->n->pins.at[pin].seg;
  if (seg != NO_SEG) write_seg(w, seg);
  else if (netlist_pin_direction(w->n, pin) == DIR_INPUT) text_put(&w->out, "1'bz");
  else write_name_id(w, write_new_name(w, scope, "open"));     /* nothing cannot be written there */
}

static void begin(Writer *w, NameId port, bool *first)
{
  text_put(&w->out, *first ? "\n    ." : ",\n    .");
  *first = false;
  write_name_id(w, port);
  text_char(&w->out, '(');
}

static void scalar(Writer *w, PinId pin, bool keep_open, bool *first)
{
  SegId seg = w->n->pins.at[pin].seg;
  if (seg == NO_SEG && !keep_open) return;
  begin(w, netlist_pin_port_name(w->n, pin), first);
  if (seg != NO_SEG) write_seg(w, seg);
  text_char(&w->out, ')');
}

static void bus(Writer *w, InstId scope, NameId name, const PinId *pins, uint32_t count,
                bool *first)
{
  bool open = true;
  for (uint32_t i = 0; i < count && open; i++)
    open = pins[i] == NO_PIN || w->n->pins.at[pins[i]].seg == NO_SEG;
  if (open) return;
  begin(w, name, first);
  if (count > 1) text_char(&w->out, '{');
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_put(&w->out, ", ");
    bit(w, scope, pins[i]);
  }
  text_put(&w->out, count > 1 ? "})" : ")");
}

static void leaf(Writer *w, InstId scope, InstId inst, bool *first)
{
  const Netlist *n = w->n;
  const Inst *i = &n->insts.at[inst];
  const LibCell *cell = &n->libs->cells.at[i->master];
  ARRAY(PinId) pins = { 0 };
  for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
    const LibPort *port = &n->libs->ports.at[p];
    if (port->is_state) continue;
    if (port->bus == NO_BUS) {
      scalar(w, netlist_pin_of_port(n, inst, p), (cell->flags & CELL_BLACK_BOX) != 0, first);
      continue;
    }
    const LibBus *b = &n->libs->buses.at[port->bus];
    if (b->first != p) continue;
    uint32_t count = (uint32_t)(b->from > b->to ? b->from - b->to : b->to - b->from) + 1;
    array_clear(&pins);
    for (uint32_t k = 0; k < count; k++) array_push(&pins, netlist_pin_of_port(n, inst, p + k));
    bus(w, scope, b->name, pins.at, count, first);
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
static uint32_t gate_nets(const Writer *w, InstId inst, SegId *segs)
{
  const Netlist *n = w->n;
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
static bool gate(Writer *w, InstId inst)
{
  const Netlist *n = w->n;
  if (!inst_is_leaf(n, inst)) return false;
  const LibCell *cell = &n->libs->cells.at[n->insts.at[inst].master];
  if (!(cell->flags & CELL_BLACK_BOX) || !write_is_gate(w, netlist_inst_master_name(n, inst)))
    return false;
  SegId *segs = mem_alloc(sizeof *segs * (cell->port_count + 1));
  for (uint32_t i = 0; i < cell->port_count; i++) segs[i] = NO_SEG;
  uint32_t count = gate_nets(w, inst, segs);
  if (count) text_printf(&w->out, "  %s ", names_text(n->names, netlist_inst_master_name(n, inst)));
  if (count) write_name_id(w, n->insts.at[inst].name);
  for (uint32_t i = 0; i < count; i++) {
    text_put(&w->out, i ? ", " : " (");
    if (segs[i] != NO_SEG) write_seg(w, segs[i]);
  }
  if (count) text_put(&w->out, ");\n");
  mem_free(segs);
  return count > 0;
}

static void supplies(Writer *w, InstId inst, bool *first)
{
  uint32_t from, to;
  write_supplies_of(w->n, inst, &from, &to);
  for (uint32_t i = from; i < to; i++) {
    const SupplyPin *p = &w->n->supplies.at[i];
    if (!seg_is_live(w->n, p->seg)) continue;
    begin(w, p->pin, first);
    write_seg(w, p->seg);
    text_char(&w->out, ')');
  }
}

static void block(Writer *w, InstId scope, InstId inst, bool *first)
{
  const Netlist *n = w->n;
  const Inst *i = &n->insts.at[inst];
  const Module *m = &n->modules.at[i->master];
  ARRAY(PinId) pins = { 0 };
  for (uint32_t p = 0; p < m->port_count; p++) {
    uint32_t b = n->module_ports.at[m->first_port + p].bus;
    if (b == NO_BUS) {
      scalar(w, i->first_pin + p, false, first);
    } else if (n->module_buses.at[b].first == m->first_port + p) {
      const ModuleBus *mb = &n->module_buses.at[b];
      uint32_t count = (uint32_t)(mb->from > mb->to ? mb->from - mb->to : mb->to - mb->from) + 1;
      array_clear(&pins);
      for (uint32_t k = 0; k < count; k++) array_push(&pins, i->first_pin + p + k);
      bus(w, scope, mb->name, pins.at, count, first);
    }
  }
  array_free(&pins);
}

static void flush(Writer *w)
{
  if (w->out.len >= 1 << 16) write_flush(w);
}

static void child(Writer *w, InstId scope, InstId i)
{
  const Netlist *n = w->n;
  bool first = true;
  if (gate(w, i)) {
    flush(w);
    return;
  }
  text_put(&w->out, "  ");
  if (inst_is_leaf(n, i)) write_name_id(w, netlist_inst_master_name(n, i));
  else write_name_id(w, w->module_name[w->group[w->scope_of[i]]]);
  text_char(&w->out, ' ');
  write_name_id(w, n->insts.at[i].name);
  text_put(&w->out, " (");
  if (inst_is_leaf(n, i)) leaf(w, scope, i, &first);
  else block(w, scope, i, &first);
  if (w->options->supplies) supplies(w, i, &first);
  text_put(&w->out, ");\n");
  flush(w);
}

static NameId inst_name(const Netlist *n, uint32_t inst) { return n->insts.at[inst].name; }

void write_children(Writer *w, uint32_t s)
{
  const Netlist *n = w->n;
  InstId scope = w->scopes.at[s];
  ARRAY(InstId) children = { 0 };
  for (InstId i = n->insts.at[scope].first_child; i != NO_INST; i = n->insts.at[i].next_sibling)
    if (!(n->insts.at[i].flags & INST_DELETED)) array_push(&children, i);
  if (w->options->sorted) write_sort_ids(n, children.at, children.len, inst_name);
  for (uint32_t i = 0; i < children.len && !interrupt_seen(); i++) child(w, scope, children.at[i]);
  array_free(&children);
}
