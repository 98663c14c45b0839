/* Computes worst and total slacks of endpoints, by blocks of endpoints (see cuda/sums.h). */
#include "cuda/private.h"
#include "cuda/sums.h"

#include <string.h>

SL_KERNEL sum_end_points(SL_VIEW(v), uint32_t count)
{
  SL_BLOCKS(b, count) sum_block(&v, b);
}

void start_end_sums(Device *d)
{
  uint32_t blocks = end_block_count(d->design->f->count.summed_slots);
  SL_START_BLOCKS(d, d->stream, blocks, THREADS, sum_end_points, d->design->view, blocks);
}

static size_t sum_bytes(const Device *d)
{
  return 2 * end_block_count(d->design->f->count.summed_slots) * sizeof(EndSum);
}

void device_ask_end_sums(Device *d)
{
  struct DeviceDesign *design = d->design;
  if (shared_room(d, &design->sum_room, sum_bytes(d)) == NULL) return;
  start_end_sums(d);
  shared_get(d, &design->sum_room, design->view.n.end_sums, sum_bytes(d));
  design->sums_asked = true;
}

bool device_end_sums(Device *d, EndSum *out)
{
  double since = device_now();
  if (!device_enter(d, "sums")) return false;
  if (!d->design->sums_asked) device_ask_end_sums(d);
  shared_wait(d, &d->design->sum_room);
  if (d->error.file == NULL && sum_bytes(d)) memcpy(out, d->design->sum_room.at, sum_bytes(d));
  d->design->use.download = device_now() - since;
  return d->error.file == NULL;
}
