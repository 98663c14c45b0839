/* Sorting by keys of 64 bits, for very many of them. */
#ifndef SL_BASE_RADIX_H
#define SL_BASE_RADIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t key;
  uint32_t id;
} RadixItem;

/* Ascending by key; equal ones keep their order.  room: for as many items.  False: interrupted, the
   order is anything. */
bool radix_sort(RadixItem *items, RadixItem *room, size_t count);

#endif
