/* Sorting and prefix sums on a device, with CUB, and as plain loops for the emulation. */
#ifndef SL_CUDA_FAMILIES_SORT_VIEW_H
#define SL_CUDA_FAMILIES_SORT_VIEW_H

#include "cuda/device_state.h"

/* Memory for sorts and scans: two copies of each array, because sorts use both. */
typedef struct {
  uint64_t *keys, *other_keys;
  uint32_t *ids, *other_ids;
  char     *room;                  /* scratch memory of CUB */
  size_t    room_bytes;
} SortRoom;

/* Returns the bytes that CUB needs for this many elements. */
size_t sort_room_bytes(Device *d, uint32_t count);
/* Sorts ids by ascending keys. Equal keys keep their order. The two copies of an array may change
   places. */
void   sort_by_keys(Device *d, SortRoom *room, uint32_t count);
/* Writes to out[i] the sum of the numbers before i. */
void scan_counts(Device *d, SortRoom *room, const uint32_t *in, uint32_t *out, uint32_t count);

#endif
