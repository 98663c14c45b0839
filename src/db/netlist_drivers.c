/* Drivers that hold a net at all times. */
#include "db/netlist.h"

/* Three-state outputs and inouts may let go; of black boxes nothing is known. */
bool netlist_pin_holds(const Netlist *n, PinId pin)
{
  const Pin *the_pin = &n->pins.at[pin];
  const Inst *inst = &n->insts.at[the_pin->inst];
  if (inst->flags & INST_HIERARCHICAL)
    return the_pin->inst == TOP_INST && n->module_ports.at[the_pin->port].direction == DIR_INPUT;
  if (n->libs->cells.at[inst->master].flags & CELL_BLACK_BOX) return false;
  const LibPort *port = &n->libs->ports.at[the_pin->port];
  return port->direction == DIR_OUTPUT && port->three_state == NO_FUNCTION;
}

NetHolders netlist_net_holders(const Netlist *n, NetId net)
{
  uint32_t flags = n->nets.at[net].flags;
  bool one = flags & (NET_CONSTANT_ONE | NET_POWER),
       zero = flags & (NET_CONSTANT_ZERO | NET_GROUND);
  NetHolders h = { NO_PIN, NO_PIN, one ? 1 : zero ? 0 : -1 };
  NetPins it = net_pins(n, net, false);
  for (PinId p; h.second == NO_PIN && (p = net_pins_next(&it)) != NO_PIN;) {
    if (!netlist_pin_holds(n, p)) continue;
    if (h.first == NO_PIN) h.first = p;
    else h.second = p;
  }
  return h;
}
