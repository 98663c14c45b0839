/* Nets that several drivers fight for: one pass over the pins, with the first driver of each net. */
#include "read/link_private.h"

/* In place of the first driver: the net has its warning. */
#define TOLD (NO_PIN - 1)

/* Does the pin hold its net at all times?  Three-state outputs and inouts may let go; of black boxes nothing is known. */
static bool drives_always(const Netlist *n, const Inst *inst, const Pin *pin)
{
  if (inst->flags & INST_HIERARCHICAL) return n->module_ports.at[pin->port].direction == DIR_INPUT;
  const LibPort *port = &n->libs->ports.at[pin->port];
  return port->direction == DIR_OUTPUT && port->three_state == NO_FUNCTION;
}

static void warn(const Linker *k, NetId net, PinId first, PinId second)
{
  Text name = { 0 }, a = { 0 }, b = { 0 };
  netlist_net_name(k->n, net, '/', &name);
  netlist_pin_name(k->n, first, '/', &a);
  netlist_pin_name(k->n, second, '/', &b);
  log_warning(k->log, "LINK-012", NOWHERE, "net '%.200s' has several drivers: '%.200s', '%.200s'", text_get(&name),
              text_get(&a), text_get(&b));
  text_free(&name);
  text_free(&a);
  text_free(&b);
}

static void take_driver(const Linker *k, PinId *driver, PinId pin)
{
  NetId net = netlist_pin_net(k->n, pin);
  if (net == NO_NET || driver[net] == TOLD) return;
  if (driver[net] == NO_PIN) {
    driver[net] = pin;
    return;
  }
  warn(k, net, driver[net], pin);
  driver[net] = TOLD;
}

void link_warn_drivers(Linker *k)
{
  const Netlist *n = k->n;
  PinId *driver = mem_alloc(sizeof *driver * (n->nets.len + 1));
  memset(driver, 0xff, sizeof *driver * n->nets.len);      /* NO_PIN */
  for (InstId i = 0; i < n->insts.len; i++) {
    const Inst *inst = &n->insts.at[i];
    bool leaf = inst_is_leaf(n, i);
    if (!leaf && i != TOP_INST) continue;
    if (leaf && n->libs->cells.at[inst->master].flags & CELL_BLACK_BOX) continue;
    for (PinId p = inst->first_pin; p < inst->first_pin + inst->pin_count; p++)
      if (drives_always(n, inst, &n->pins.at[p])) take_driver(k, driver, p);
  }
  mem_free(driver);
}
