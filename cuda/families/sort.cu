/* Sorting by 64-bit keys and prefix sums (see sort.h): with CUB on a device, and with a plain radix
   sort in the emulation. */
#include "cuda/families/sort_view.h"

#ifdef __CUDACC__

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#define DO(call) device_check(d, (call), __FILE__, __LINE__)

size_t sort_room_bytes(Device *d, uint32_t count)
{
  size_t sort = 0, scan = 0;
  cub::DoubleBuffer<uint64_t> keys(NULL, NULL);
  cub::DoubleBuffer<uint32_t> ids(NULL, NULL);
  DO(cub::DeviceRadixSort::SortPairs(NULL, sort, keys, ids, count, 0, 64, d->stream));
  DO(cub::DeviceScan::ExclusiveSum(NULL, scan, (const uint32_t *)NULL, (uint32_t *)NULL, count,
                                   d->stream));
  return sort > scan ? sort : scan;
}

void sort_by_keys(Device *d, SortRoom *room, uint32_t count)
{
  if (d->error.file || count == 0) return;
  cub::DoubleBuffer<uint64_t> keys(room->keys, room->other_keys);
  cub::DoubleBuffer<uint32_t> ids(room->ids, room->other_ids);
  DO(cub::DeviceRadixSort::SortPairs(room->room, room->room_bytes, keys, ids, count, 0, 64,
                                     d->stream));
  room->keys = keys.Current();
  room->other_keys = keys.Alternate();
  room->ids = ids.Current();
  room->other_ids = ids.Alternate();
}

void scan_counts(Device *d, SortRoom *room, const uint32_t *in, uint32_t *out, uint32_t count)
{
  if (!d->error.file && count)
    DO(cub::DeviceScan::ExclusiveSum(room->room, room->room_bytes, in, out, count, d->stream));
}

#else

size_t sort_room_bytes(Device *d, uint32_t count)
{
  (void)d;
  (void)count;
  return 1;
}

/* Does one pass of a radix sort, by 16 bits. */
static void sort_pass(SortRoom *room, uint32_t count, int shift)
{
  enum { DIGITS = 1 << 16 };
  uint32_t *first = (uint32_t *)mem_alloc_zero(DIGITS + 1, sizeof *first);
  for (uint32_t i = 0; i < count; i++) first[(room->keys[i] >> shift & (DIGITS - 1)) + 1]++;
  for (uint32_t k = 0; k < DIGITS; k++) first[k + 1] += first[k];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t to = first[room->keys[i] >> shift & (DIGITS - 1)]++;
    room->other_keys[to] = room->keys[i];
    room->other_ids[to] = room->ids[i];
  }
  mem_free(first);
}

void sort_by_keys(Device *d, SortRoom *room, uint32_t count)
{
  (void)d;
  for (int shift = 0; shift < 64; shift += 16) {
    sort_pass(room, count, shift);
    uint64_t *keys = room->keys;
    uint32_t *ids = room->ids;
    room->keys = room->other_keys;
    room->ids = room->other_ids;
    room->other_keys = keys;
    room->other_ids = ids;
  }
}

void scan_counts(Device *d, SortRoom *room, const uint32_t *in, uint32_t *out, uint32_t count)
{
  uint32_t sum = 0;
  (void)d;
  (void)room;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t x = in[i];
    out[i] = sum;
    sum += x;
  }
}

#endif
