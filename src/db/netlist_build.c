/* Builds modules, instances, pins and segments for linking, and derives the nets with a union-find
   forest. */
#include "db/netlist_build.h"

#include "db/netlist.h"

static void note_name(Netlist *n, NameId name)
{
  uint32_t length = names_length(n->names, name);
  if (length > n->longest_name) n->longest_name = length;
}

ModuleId netlist_add_module(Netlist *n, NameId name)
{
  array_push(&n->modules, (Module){ name, n->module_ports.len, 0, n->module_buses.len, 0 });
  return n->modules.len - 1;
}

uint32_t netlist_add_port(Netlist *n, NameId name, Direction direction, uint32_t bus)
{
  uint32_t port = n->module_ports.len, module = n->modules.len - 1;
  array_push(&n->module_ports, (ModulePort){ name, (uint8_t)direction, bus });
  n->modules.at[module].port_count++;
  if (map_get(n->port_by_name, hash_pair(module, name)) == MAP_NO_VALUE)
    map_put(n->port_by_name, hash_pair(module, name), port);
  note_name(n, name);
  return port;
}

uint32_t netlist_add_bus(Netlist *n, NameId name, int32_t from, int32_t to)
{
  array_push(&n->module_buses, (ModuleBus){ name, n->module_ports.len, from, to });
  n->modules.at[n->modules.len - 1].bus_count++;
  return n->module_buses.len - 1;
}

static void add_pin(Netlist *n, InstId inst, uint32_t port)
{
  array_push(&n->pins, (Pin){ inst, port, NO_SEG, NO_PIN });
  n->insts.at[inst].pin_count++;
}

/* A leaf's pins are the cell's ports without the states that the reader made. */
static void add_pins(Netlist *n, InstId inst, uint32_t master, bool hierarchical)
{
  if (hierarchical) {
    const Module *module = &n->modules.at[master];
    for (uint32_t i = 0; i < module->port_count; i++) add_pin(n, inst, module->first_port + i);
  } else {
    const LibCell *cell = &n->libs->cells.at[master];
    for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++)
      if (!n->libs->ports.at[p].is_state) add_pin(n, inst, p);
  }
}

static void add_to_parent(Netlist *n, InstId parent, InstId inst)
{
  uint32_t last = map_get(n->last_child, parent);
  if (last == MAP_NO_VALUE) n->insts.at[parent].first_child = inst;
  else n->insts.at[last].next_sibling = inst;
  map_put(n->last_child, parent, inst);
  map_put(n->inst_by_name, hash_pair(parent, n->insts.at[inst].name), inst);
}

InstId netlist_add_inst(Netlist *n, InstId parent, NameId name, uint32_t master, bool hierarchical)
{
  InstId inst = n->insts.len;
  array_push(&n->insts, (Inst){ .name = name,
                                .parent = parent,
                                .master = master,
                                .first_pin = n->pins.len,
                                .first_child = NO_INST,
                                .next_sibling = NO_INST,
                                .flags = hierarchical ? INST_HIERARCHICAL : 0 });
  add_pins(n, inst, master, hierarchical);
  if (parent != NO_INST) add_to_parent(n, parent, inst);
  if (!hierarchical) n->leaf_count++;
  note_name(n, name);
  n->edit_count++;
  return inst;
}

SegId netlist_begin_seg(Netlist *n, InstId scope, NameId name)
{
  SegId seg = n->segs.len;
  array_push(&n->segs, (Seg){ name, scope, seg, NO_PIN, NO_SEG });
  map_put(n->seg_by_name, hash_pair(scope, name), seg);
  note_name(n, name);
  return seg;
}

static SegId root_of(Netlist *n, SegId seg)
{
  Seg *segs = n->segs.at;
  while (segs[seg].net != seg) {
    segs[seg].net = segs[segs[seg].net].net;
    seg = segs[seg].net;
  }
  return seg;
}

void netlist_unite(Netlist *n, SegId a, SegId b)
{
  a = root_of(n, a);
  b = root_of(n, b);
  if (a < b) n->segs.at[b].net = a;
  else n->segs.at[a].net = b;
}

void netlist_begin_join(Netlist *n, SegId a, SegId b)
{
  array_push(&n->joins, (SegJoin){ a, b });
  netlist_unite(n, a, b);
}

void netlist_begin_tie(Netlist *n, SegId seg, uint32_t flags)
{
  array_push(&n->ties, (SegTie){ seg, flags });
}

/* Links every segment after its net's first one, in order: the loop goes backwards and puts each
   segment right after the root. */
static void chain_segs(Netlist *n)
{
  uint32_t nets = 0;
  for (SegId s = n->segs.len; s-- > 0;) {
    SegId root = root_of(n, s);
    n->segs.at[s].net = root;
    if (root == s) {
      nets++;
    } else {
      n->segs.at[s].next = n->segs.at[root].next;
      n->segs.at[root].next = s;
    }
  }
  array_reserve(&n->nets, nets);
}

static void number_nets(Netlist *n)
{
  for (SegId s = 0; s < n->segs.len; s++) {
    SegId root = n->segs.at[s].net;
    if (root == s) {
      n->segs.at[s].net = n->nets.len;
      array_push(&n->nets, (Net){ s, 0 });
    } else {
      n->segs.at[s].net = n->segs.at[root].net;    /* numbered already: root < s */
    }
  }
}

static void chain_pins(Netlist *n)
{
  for (PinId p = n->pins.len; p-- > 0;) {
    Pin *pin = &n->pins.at[p];
    if (pin->seg == NO_SEG) continue;
    pin->next = n->segs.at[pin->seg].first_pin;
    n->segs.at[pin->seg].first_pin = p;
  }
}

void netlist_settle(Netlist *n)
{
  chain_segs(n);
  number_nets(n);
  chain_pins(n);
  for (uint32_t i = 0; i < n->ties.len; i++)
    n->nets.at[n->segs.at[n->ties.at[i].seg].net].flags |= n->ties.at[i].flags;
  n->edit_count++;
}

SegId netlist_add_seg(Netlist *n, InstId scope, NameId name)
{
  SegId seg = netlist_begin_seg(n, scope, name);
  n->segs.at[seg].net = n->nets.len;
  array_push(&n->nets, (Net){ seg, 0 });
  n->edit_count++;
  return seg;
}
