/* Queries to the netlist: nets, names, directions and drivers of pins, leaves of a block, and the
   pins of a net. */
#include "db/netlist.h"

Netlist *netlist_new(Names *names, LibrarySet *libs, NameId top_name)
{
  Netlist *n = mem_alloc_zero(1, sizeof *n);
  n->names = names;
  n->libs = libs;
  n->top_name = top_name;
  n->inst_by_name = map_new();
  n->seg_by_name = map_new();
  n->inner_seg = map_new();
  n->port_by_name = map_new();
  n->last_child = map_new();
  return n;
}

void netlist_free(Netlist *n)
{
  if (n == NULL) return;
  array_free(&n->insts);
  array_free(&n->pins);
  array_free(&n->segs);
  array_free(&n->nets);
  array_free(&n->modules);
  array_free(&n->module_ports);
  array_free(&n->module_buses);
  array_free(&n->joins);
  array_free(&n->ties);
  array_free(&n->supplies);
  array_free(&n->reversed_buses);
  map_free(n->inst_by_name);
  map_free(n->seg_by_name);
  map_free(n->inner_seg);
  map_free(n->port_by_name);
  map_free(n->last_child);
  map_free(n->shared_names);
  mem_free(n);
}

#define ARRAY_BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

size_t netlist_bytes(const Netlist *n)
{
  return sizeof *n + ARRAY_BYTES(n->insts) + ARRAY_BYTES(n->pins) + ARRAY_BYTES(n->segs)
         + ARRAY_BYTES(n->nets) + ARRAY_BYTES(n->modules) + ARRAY_BYTES(n->module_ports)
         + ARRAY_BYTES(n->module_buses) + ARRAY_BYTES(n->joins) + ARRAY_BYTES(n->ties)
         + ARRAY_BYTES(n->supplies) + ARRAY_BYTES(n->reversed_buses) + map_bytes(n->inst_by_name)
         + map_bytes(n->seg_by_name) + map_bytes(n->inner_seg) + map_bytes(n->port_by_name)
         + map_bytes(n->last_child);
}

NetId netlist_pin_net(const Netlist *n, PinId pin)
{
  SegId seg = n->pins.at[pin].seg;
  return seg == NO_SEG ? NO_NET : n->segs.at[seg].net;
}

SegId netlist_inner_seg(const Netlist *n, PinId pin)
{
  uint32_t seg = map_get(n->inner_seg, pin);
  return seg == MAP_NO_VALUE ? NO_SEG : seg;
}

/* Returns true if the pin's port belongs to a library cell. */
static bool pin_of_leaf(const Netlist *n, PinId pin)
{
  return inst_is_leaf(n, n->pins.at[pin].inst);
}

NameId netlist_pin_port_name(const Netlist *n, PinId pin)
{
  uint32_t port = n->pins.at[pin].port;
  return pin_of_leaf(n, pin) ? n->libs->ports.at[port].name : n->module_ports.at[port].name;
}

Direction netlist_pin_direction(const Netlist *n, PinId pin)
{
  uint32_t port = n->pins.at[pin].port;
  return pin_of_leaf(n, pin) ? n->libs->ports.at[port].direction
                             : n->module_ports.at[port].direction;
}

bool netlist_pin_drives(const Netlist *n, PinId pin)
{
  if (pin_is_hierarchical(n, pin)) return false;
  Direction d = netlist_pin_direction(n, pin);
  return d == DIR_INOUT || d == (pin_is_top_port(n, pin) ? DIR_INPUT : DIR_OUTPUT);
}

bool netlist_pin_loads(const Netlist *n, PinId pin)
{
  if (pin_is_hierarchical(n, pin)) return false;
  Direction d = netlist_pin_direction(n, pin);
  return d == DIR_INOUT || d == (pin_is_top_port(n, pin) ? DIR_OUTPUT : DIR_INPUT);
}

void netlist_each_leaf(const Netlist *n, InstId inst, void (*visit)(void *, InstId), void *data)
{
  const Inst *cell = &n->insts.at[inst];
  if (cell->flags & INST_DELETED) return;
  if (inst != TOP_INST && inst_is_leaf(n, inst)) {
    visit(data, inst);
    return;
  }
  for (InstId child = cell->first_child; child != NO_INST; child = n->insts.at[child].next_sibling)
    netlist_each_leaf(n, child, visit, data);
}

NameId netlist_inst_master_name(const Netlist *n, InstId inst)
{
  uint32_t master = n->insts.at[inst].master;
  return inst_is_leaf(n, inst) ? n->libs->cells.at[master].name : n->modules.at[master].name;
}

CellId netlist_inst_cell(const Netlist *n, InstId inst)
{
  return inst_is_leaf(n, inst) ? n->insts.at[inst].master : NO_CELL;
}

NetPins net_pins(const Netlist *n, NetId net, bool hierarchical)
{
  SegId seg = net == NO_NET ? NO_SEG : n->nets.at[net].first_seg;
  return (NetPins){ n, seg, seg == NO_SEG ? NO_PIN : n->segs.at[seg].first_pin, hierarchical };
}

PinId net_pins_next(NetPins *it)
{
  const Netlist *n = it->n;
  while (it->seg != NO_SEG) {
    while (it->pin != NO_PIN) {
      PinId pin = it->pin;
      it->pin = n->pins.at[pin].next;
      if (it->hierarchical || !pin_is_hierarchical(n, pin)) return pin;
    }
    it->seg = n->segs.at[it->seg].next;
    if (it->seg != NO_SEG) it->pin = n->segs.at[it->seg].first_pin;
  }
  return NO_PIN;
}
