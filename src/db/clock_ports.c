/* Finds ports that lead to clock pins: follows nets and combinational arcs backwards from the clock
   pins of registers. */
#include "db/clock_ports.h"

#include "base/memory.h"

/* Nets on the way to clock pins, from these backward. */
typedef struct {
  const Netlist *n;
  uint8_t       *seen;        /* by NetId */
  ARRAY(NetId)   left;
  uint8_t       *ports;
} Search;

static void visit_net_of(Search *search, PinId pin)
{
  NetId net = pin == NO_PIN ? NO_NET : netlist_pin_net(search->n, pin);
  if (net == NO_NET || search->seen[net]) return;
  search->seen[net] = 1;
  array_push(&search->left, net);
}

static const LibCell *cell_of(const Netlist *n, InstId inst)
{
  CellId cell = netlist_inst_cell(n, inst);
  return cell == NO_CELL ? NULL : &n->libs->cells.at[cell];
}

static void visit_clock_pins(Search *search, InstId inst)
{
  const LibCell *cell = cell_of(search->n, inst);
  for (uint32_t i = 0; cell && i < cell->arc_count; i++) {
    const LibArc *arc = &search->n->libs->arcs.at[cell->first_arc + i];
    if (arc_type_is_launch(arc->type))
      visit_net_of(search, netlist_pin_of_port(search->n, inst, arc->from));
  }
}

static void visit_inputs(Search *search, InstId inst, PortId output)
{
  const LibCell *cell = cell_of(search->n, inst);
  for (uint32_t i = 0; cell && i < cell->arc_count; i++) {
    const LibArc *arc = &search->n->libs->arcs.at[cell->first_arc + i];
    if (arc_type_passes(arc->type) && arc->to == output)
      visit_net_of(search, netlist_pin_of_port(search->n, inst, arc->from));
  }
}

static void visit_drivers(Search *search, NetId net)
{
  PinId pin;
  for (NetPins it = net_pins(search->n, net, false); (pin = net_pins_next(&it)) != NO_PIN;) {
    const Pin *the_pin = &search->n->pins.at[pin];
    if (!netlist_pin_drives(search->n, pin)) continue;
    if (the_pin->inst == TOP_INST) search->ports[pin - search->n->insts.at[TOP_INST].first_pin] = 1;
    else visit_inputs(search, the_pin->inst, the_pin->port);
  }
}

uint8_t *clock_ports(const Netlist *n)
{
  Search q = { .n = n };
  q.seen = mem_alloc_zero((size_t)n->nets.len + 1, 1);
  q.ports = mem_alloc_zero((size_t)n->insts.at[TOP_INST].pin_count + 1, 1);
  for (InstId i = TOP_INST + 1; i < n->insts.len; i++)
    if (inst_is_there(n, i)) visit_clock_pins(&q, i);
  while (q.left.len) visit_drivers(&q, q.left.at[--q.left.len]);
  mem_free(q.seen);
  array_free(&q.left);
  return q.ports;
}
