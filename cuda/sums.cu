/* Computes worst and total slacks of endpoints, by blocks of endpoints (see cuda/sums.h). */
#include "cuda/private.h"
#include "cuda/sums.h"

SL_KERNEL sum_end_points(SL_VIEW(v), uint32_t count)
{
  SL_BLOCKS(b, count) sum_block(&v, b);
}

void launch_end_sums(Device *d)
{
  uint32_t blocks = end_block_count(d->design->f->count.summed_slots);
  SL_LAUNCH_BLOCKS(d, d->stream, blocks, THREADS, sum_end_points, d->design->view, blocks);
}

bool device_end_sums(Device *d, EndSum *out)
{
  double since = device_now();
  if (!device_enter(d, "sums")) return false;
  launch_end_sums(d);
  device_get(d, out, d->design->view.n.end_sums,
             2 * end_block_count(d->design->f->count.summed_slots) * sizeof *out);
  d->design->use.download = device_finish(d, since);
  return d->error.file == NULL;
}
