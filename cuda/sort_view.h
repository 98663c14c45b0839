/* Sorting and prefix sums on a device, with CUB, and as plain loops for the emulation. */
#ifndef SL_CUDA_SORT_VIEW_H
#define SL_CUDA_SORT_VIEW_H

#include "cuda/device_state.h"

/* Room for sorts and scans of so many elements: two of each array, of which sorts use both. */
typedef struct {
  uint64_t *keys, *other_keys;
  uint32_t *ids, *other_ids;
  char     *room;                  /* of the library */
  size_t    room_bytes;
} SortRoom;

/* Bytes of the library's room for so many elements. */
size_t sort_room_bytes(Device *d, uint32_t count);
/* Sorts ids by keys, ascending, equal ones in their order; the arrays may change places. */
void   sort_by_keys(Device *d, SortRoom *s, uint32_t count);
/* out[i]: sum of what comes before i. */
void scan_counts(Device *d, SortRoom *s, const uint32_t *in, uint32_t *out,
                 uint32_t count);

#endif
