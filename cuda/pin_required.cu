/* Required times with two lanes for each timing edge, early and late. A lane computes the required
   time at the start of the edge, and if that is a load, also at the load's driver, less the wire's
   delay. (The minimum of differences has the same bits as the difference of the minimum, because
   rounding keeps the order.) */
#include "cuda/pin_out.h"
#include "cuda/private.h"

/* Takes required times of endpoints to the drivers before them. */
SL_KERNEL end_load_lanes(SL_VIEW(v))
{
  SL_EACH(i, 4 * v.f.count.end_loads) end_load_lane(&v, v.f.end_loads[i / 4], (int)(i % 4));
}

void start_pin_end_loads(Device *d)
{
  SL_START(d, 4 * d->design->f->count.end_loads, end_load_lanes, d->design->view);
}

SL_KERNEL out_lanes(SL_VIEW(v), FlatLevel level)
{
  SL_NEXT();
  SL_EACH(i, 2 * level.out_count)
  {
    FlatOut o = v.f.outs[level.first_out + i / 2];
    OutDelays d = out_delays(&v, &o, (int)(i % 2));
    SL_WAIT();
    out_lane(&v, &o, &d, (int)(i % 2));
  }
}

void start_pin_backward(Device *d)
{
  start_pin_end_loads(d);
  start_before_backward(d);
  for (uint32_t left = d->design->f->count.levels; left > 0;) {
    uint32_t behind = start_narrow_backward(d, left);
    FlatLevel level = d->design->f->levels[left - 1];
    if (behind == left) SL_OVERLAP(d, 2 * level.out_count, out_lanes, d->design->view, level);
    left = behind < left ? behind : left - 1;
  }
}
