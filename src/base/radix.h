/* Radix sort by 64-bit keys, for very many items. */
#ifndef SL_BASE_RADIX_H
#define SL_BASE_RADIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t key;
  uint32_t id;
} RadixItem;

/* Sorts in ascending order; items with equal keys keep their order. `room` has space for count
   items. Returns false if interrupted; the order is then undefined. */
bool radix_sort(RadixItem *items, RadixItem *room, size_t count);

#endif
