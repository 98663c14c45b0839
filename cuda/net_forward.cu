/* Delays, slews and arrivals with schedule "net", level by level: one thread a driver, for its arcs
   and its loads alike, so that no thread meets another and a level is one launch. */
#include "cuda/arrival.h"
#include "cuda/kernel.h"

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

/* Loads of several drivers, of which others may be of the same level: by the first of the extra
   wires to each. */
SL_KERNEL shared_loads(SL_VIEW(v), FlatLevel level, int delays)
{
  SL_EACH(i, level.taken_count)
  {
    FlatExtra x = v.f.extras[level.first_taken + i];
    uint32_t driver = v.f.loads[x.load].driver;
    if (v.f.load_extra[x.load] != level.first_taken + i) continue;
    if (delays) shared_load_delays(&v, driver, x.slot, x.load);
    load_arrivals(&v, x.slot, driver, x.load);
  }
}

DEVICE_FN void launch_net_forward(Device *d)
{
  launch_ports(d, 1);
  for (uint32_t l = 0; l < d->f->count.levels; l++) {
    SL_LAUNCH(d, d->f->levels[l].count, level_forward, d->view, d->f->levels[l]);
    SL_LAUNCH(d, d->f->levels[l].taken_count, shared_loads, d->view, d->f->levels[l], 1);
  }
}

DEVICE_FN void launch_net_arrivals(Device *d)
{
  launch_ports(d, 0);
  for (uint32_t l = 0; l < d->f->count.levels; l++) {
    SL_LAUNCH(d, d->f->levels[l].count, level_arrivals, d->view, d->f->levels[l]);
    SL_LAUNCH(d, d->f->levels[l].taken_count, shared_loads, d->view, d->f->levels[l], 0);
  }
}
