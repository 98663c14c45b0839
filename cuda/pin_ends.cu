/* Endpoints with a lane for each data edge of a check or path end. */
#include "cuda/end_lanes.h"
#include "cuda/private.h"

SL_KERNEL loosen(SL_VIEW(v))
{
  SL_EACH(n, v.f.count.nodes) v.n.required[n] = cond_loosest();
}

SL_KERNEL margin_lanes(SL_VIEW(v))
{
  SL_EACH(i, 2 * v.f.count.end_checks) check_margin(&v, v.f.end_checks[i / 2], (int)(i % 2));
}

SL_KERNEL path_end_lanes(SL_VIEW(v))
{
  SL_EACH(i, 2 * v.f.count.path_ends) path_end_edge(&v, i / 2, (int)(i % 2));
}

void start_pin_ends(Device *d)
{
  device_fork(d);
  SL_START_ASIDE(d, d->design->f->count.nodes, loosen, d->design->view);
  SL_START(d, 2 * d->design->f->count.end_checks, margin_lanes, d->design->view);
  device_join(d);
  SL_START(d, 2 * d->design->f->count.path_ends, path_end_lanes, d->design->view);
}
