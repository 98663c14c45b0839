/* Finds nets that several drivers fight for, in one pass over the pins. */
#include "base/interrupt.h"
#include "read/link/link_private.h"

/* Replaces the first driver: the net has its warning. */
#define TOLD (NO_PIN - 1)

static void warn(const Linker *linker, NetId net, PinId first, PinId second)
{
  Text name = { 0 }, a = { 0 }, b = { 0 };
  netlist_net_name(linker->n, net, '/', &name);
  netlist_pin_name(linker->n, first, '/', &a);
  netlist_pin_name(linker->n, second, '/', &b);
  log_warning(linker->log, "LINK-012", NOWHERE,
              "net '%.200s' has several drivers: '%.200s', '%.200s'", text_get(&name), text_get(&a),
              text_get(&b));
  text_free(&name);
  text_free(&a);
  text_free(&b);
}

static bool is_zero(uint32_t flags) { return (flags & (NET_CONSTANT_ZERO | NET_GROUND)) != 0; }
static bool is_one(uint32_t flags) { return (flags & (NET_CONSTANT_ONE | NET_POWER)) != 0; }

static void warn_constant(const Linker *linker, NetId net, PinId driver)
{
  Text name = { 0 }, pin = { 0 };
  netlist_net_name(linker->n, net, '/', &name);
  netlist_pin_name(linker->n, driver, '/', &pin);
  log_warning(linker->log, "LINK-018", NOWHERE,
              "net '%.200s' is constant %d and driven by '%.200s': the constant counts",
              text_get(&name), is_one(linker->n->nets.at[net].flags), text_get(&pin));
  text_free(&name);
  text_free(&pin);
}

static void warn_both(const Linker *linker)
{
  for (NetId net = 0; net < linker->n->nets.len; net++) {
    uint32_t flags = linker->n->nets.at[net].flags;
    if (!is_zero(flags) || !is_one(flags)) continue;
    Text name = { 0 };
    netlist_net_name(linker->n, net, '/', &name);
    log_warning(linker->log, "LINK-019", NOWHERE,
                "net '%.200s' is made constant 0 and constant 1: 1 counts", text_get(&name));
    text_free(&name);
  }
}

static void take_driver(const Linker *linker, PinId *driver, PinId pin)
{
  NetId net = netlist_pin_net(linker->n, pin);
  if (net == NO_NET || driver[net] == TOLD) return;
  uint32_t flags = linker->n->nets.at[net].flags;
  /* where the supply comes in */
  if (pin_is_top_port(linker->n, pin) && flags & (NET_POWER | NET_GROUND)) return;
  if (is_zero(flags) || is_one(flags)) {
    warn_constant(linker, net, pin);
    driver[net] = TOLD;
    return;
  }
  if (driver[net] == NO_PIN) {
    driver[net] = pin;
    return;
  }
  warn(linker, net, driver[net], pin);
  driver[net] = TOLD;
}

void link_warn_drivers(Linker *linker)
{
  const Netlist *n = linker->n;
  PinId *driver = mem_alloc(sizeof *driver * (n->nets.len + 1));
  memset(driver, 0xff, sizeof *driver * n->nets.len);      /* NO_PIN */
  for (PinId p = 0; p < n->pins.len && !interrupt_seen(); p++)
    if (netlist_pin_holds(n, p)) take_driver(linker, driver, p);
  warn_both(linker);
  mem_free(driver);
}
