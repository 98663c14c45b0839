/* Delays, slews and arrivals, level by level: one thread a driver, for its arcs and its loads alike, so that no thread meets
   another and a level is one launch. */
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

SL_KERNEL floating_arrivals(SL_VIEW(v))
{
  SL_EACH(i, v.f.floating_count) load_arrivals(&v, v.f.floating[i], FLAT_NONE, 0);
}

SL_KERNEL level_forward(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, level.count)
  {
    DriverWork w = driver_work(&v, level, i);
    driver_delays(&v, &w);
    net_arrivals(&v, &w);
  }
}

SL_KERNEL level_arrivals(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, level.count)
  {
    DriverWork w = driver_work(&v, level, i);
    net_arrivals(&v, &w);
  }
}

DEVICE_FN void launch_forward(Device *d)
{
  SL_LAUNCH(d, d->f->port_slot_count, put_port_slews, d->view);
  SL_LAUNCH(d, d->f->port_load_count, put_port_wires, d->view);
  SL_LAUNCH(d, d->f->floating_count, floating_arrivals, d->view);
  for (uint32_t l = 0; l < d->f->level_count; l++) SL_LAUNCH(d, d->f->levels[l].count, level_forward, d->view, d->f->levels[l]);
}

DEVICE_FN void launch_arrivals(Device *d)
{
  SL_LAUNCH(d, d->f->floating_count, floating_arrivals, d->view);
  for (uint32_t l = 0; l < d->f->level_count; l++) SL_LAUNCH(d, d->f->levels[l].count, level_arrivals, d->view, d->f->levels[l]);
}
