/* What is there before the levels: numbers of ports, which the host works out, and pins that
   nothing drives. */
#include "cuda/arrival.h"
#include "cuda/kernel.h"

SL_KERNEL put_port_slews(SL_VIEW(v))
{
  SL_EACH(i, v.f.port_slot_count) v.n.slew[v.f.port_slot[i]] = v.n.port_slew[i];
}

SL_KERNEL put_port_wires(SL_VIEW(v))
{
  SL_EACH(i, v.f.port_load_count) v.n.wire_delay[v.f.port_load[i]] = v.n.port_wire[i];
}

/* Of ports among the drivers of nets with several. */
SL_KERNEL put_port_extras(SL_VIEW(v))
{
  SL_EACH(i, v.f.port_extra_count)
  {
    v.n.extra_delay[v.f.port_extra[i]] = v.n.port_extra_delay[i];
    v.n.extra_slew[v.f.port_extra[i]] = v.n.port_extra_slew[i];
  }
}

SL_KERNEL floating_arrivals(SL_VIEW(v))
{
  SL_EACH(i, v.f.floating_count) load_arrivals(&v, v.f.floating[i], FLAT_NONE, 0);
}

DEVICE_FN void launch_ports(Device *d, int delays)
{
  if (delays) {
    SL_LAUNCH(d, d->f->port_slot_count, put_port_slews, d->view);
    SL_LAUNCH(d, d->f->port_load_count, put_port_wires, d->view);
    SL_LAUNCH(d, d->f->port_extra_count, put_port_extras, d->view);
  }
  SL_LAUNCH(d, d->f->floating_count, floating_arrivals, d->view);
}
