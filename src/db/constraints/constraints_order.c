/* Sorts records by the objects that they apply to. */
#include <stdlib.h>

#include "db/constraints.h"

typedef struct {
  uint32_t ids[4], at;
} RecordKey;

static int by_ids(const void *pa, const void *pb)
{
  const RecordKey *a = pa, *b = pb;
  for (int i = 0; i < 4; i++)
    if (a->ids[i] != b->ids[i]) return a->ids[i] < b->ids[i] ? -1 : 1;
  return a->at < b->at ? -1 : a->at > b->at;
}

static uint32_t *sorted(RecordKey *keys, uint32_t count)
{
  uint32_t *order = mem_alloc(((size_t)count + 1) * sizeof *order);
  if (count) qsort(keys, count, sizeof *keys, by_ids);
  for (uint32_t i = 0; i < count; i++) order[i] = keys[i].at;
  mem_free(keys);
  return order;
}

uint32_t *record_order(const void *records, size_t size, uint32_t count, int ids)
{
  RecordKey *keys = mem_alloc_zero((size_t)count + 1, sizeof *keys);
  for (uint32_t i = 0; i < count; i++) {
    memcpy(keys[i].ids, (const char *)records + i * size, (size_t)ids * sizeof(uint32_t));
    keys[i].at = i;
  }
  return sorted(keys, count);
}

uint32_t *delay_order(const PortDelay *delays, uint32_t count)
{
  RecordKey *keys = mem_alloc_zero((size_t)count + 1, sizeof *keys);
  for (uint32_t i = 0; i < count; i++)
    keys[i] =
      (RecordKey){ { delays[i].pin, delays[i].clock, delays[i].clock_edge,
        delays[i].reference_pin }, i };
  return sorted(keys, count);
}
