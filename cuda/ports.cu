/* Numbers before the first level: those of ports, which the host computes, and of pins without a
   driver. */
#include "cuda/arrival.h"
#include "cuda/kernel.h"
#include "cuda/private.h"

SL_KERNEL put_port_slews(SL_VIEW(v))
{
  SL_EACH(i, v.f.count.port_slots) v.n.slew[v.f.port_slot[i]] = v.n.port_slew[i];
}

SL_KERNEL put_port_wires(SL_VIEW(v))
{
  SL_EACH(i, v.f.count.port_loads) v.n.wire_delay[v.f.port_load[i]] = v.n.port_wire[i];
}

/* Stores the extra wires of ports that drive nets with several drivers. */
SL_KERNEL put_port_extras(SL_VIEW(v))
{
  SL_EACH(i, v.f.count.port_extras)
  {
    v.n.extra_delay[v.f.port_extra[i]] = v.n.port_extra_delay[i];
    v.n.extra_slew[v.f.port_extra[i]] = v.n.port_extra_slew[i];
  }
}

SL_KERNEL floating_arrivals(SL_VIEW(v))
{
  SL_EACH(i, v.f.count.floating) load_arrivals(&v, v.f.floating[i], FLAT_NONE, 0);
}

void start_ports(Device *d, int delays)
{
  if (delays) {
    SL_START(d, d->design->f->count.port_slots, put_port_slews, d->design->view);
    SL_START(d, d->design->f->count.port_loads, put_port_wires, d->design->view);
    SL_START(d, d->design->f->count.port_extras, put_port_extras, d->design->view);
  }
  SL_START(d, d->design->f->count.floating, floating_arrivals, d->design->view);
}
