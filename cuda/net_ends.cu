/* End points with schedule "net": one thread each, for its checks and rows. */
#include "cuda/ends.h"

SL_KERNEL loosen_net(SL_VIEW(v))
{
  SL_EACH(n, v.f.count.nodes) v.n.required[n] = cond_loosest();
}

SL_KERNEL end_points(SL_VIEW(v))
{
  SL_EACH(i, v.f.count.end_slots)
  {
    uint32_t slot = v.f.end_slots[i];
    for (uint32_t c = v.f.slot_first_check[slot]; c < v.f.slot_first_check[slot + 1]; c++) {
      check_margin(&v, v.f.check_order[c], RISE);
      check_margin(&v, v.f.check_order[c], FALL);
    }
    for (uint32_t r = v.f.slot_first_end[slot]; r < v.f.slot_first_end[slot + 1]; r++) {
      row_edge(&v, r, RISE);
      row_edge(&v, r, FALL);
    }
  }
}

DEVICE_FN void launch_net_ends(Device *d)
{
  SL_LAUNCH(d, d->f->count.nodes, loosen_net, d->view);
  SL_LAUNCH(d, d->f->count.end_slots, end_points, d->view);
}

