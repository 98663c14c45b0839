/* Sorts runs with qsort and merges them, testing for an interrupt between the steps. Orders of
   plain numbers, and medians. */
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"

/* This many items are some milliseconds of work. */
enum { RUN = 1 << 14 };

typedef struct {
  size_t size;
  int  (*compare)(const void *, const void *);
} Kind;

/* Two neighbours, each in order, to one: [a, b) and [b, end). */
static bool merge(const Kind *kind, const char *a, const char *b, const char *end, char *to)
{
  const char *middle = b;
  for (size_t step = 0; a < middle && b < end; step++, to += kind->size) {
    if (step % RUN == 0 && interrupt_seen()) return false;
    const char **least = kind->compare(a, b) <= 0 ? &a : &b;
    memcpy(to, *least, kind->size);
    *least += kind->size;
  }
  memcpy(to, a, (size_t)(middle - a));
  memcpy(to + (middle - a), b, (size_t)(end - b));
  return true;
}

static size_t least_of(size_t a, size_t b) { return a < b ? a : b; }

/* Runs of a length to runs of twice that length. */
static bool merge_all(const Kind *kind, const char *from, char *to, size_t bytes, size_t run)
{
  for (size_t i = 0; i < bytes; i += 2 * run) {
    size_t middle = least_of(i + run, bytes), end = least_of(i + 2 * run, bytes);
    if (!merge(kind, from + i, from + middle, from + end, to + i)) return false;
  }
  return true;
}

static bool sort_runs(const Kind *kind, char *items, size_t count)
{
  for (size_t i = 0; i < count; i += RUN) {
    if (interrupt_seen()) return false;
    qsort(items + i * kind->size, least_of(RUN, count - i), kind->size, kind->compare);
  }
  return true;
}

bool sort_items(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  Kind k = { size, compare };
  if (count < 2) return true;
  if (!sort_runs(&k, items, count)) return false;
  size_t bytes = count * size, run = RUN * size;
  char *from = items, *room = count > RUN ? mem_alloc(bytes) : NULL, *to = room;
  bool whole = true;
  for (; run < bytes && whole; run *= 2) {
    whole = merge_all(&k, from, to, bytes, run);
    if (!whole) break;
    char *swapped = from;
    from = to;
    to = swapped;
  }
  if (from != (char *)items) memcpy(items, from, bytes);
  mem_free(room);
  return whole;
}

#define ORDER(name, type)                                     \
  int order_##name(const void *a, const void *b)              \
  {                                                           \
    type x = *(const type *)a, y = *(const type *)b;          \
    return (x > y) - (x < y);                                 \
  }
ORDER(int32, int32_t)
ORDER(uint32, uint32_t)
ORDER(uint64, uint64_t)
ORDER(float, float)
ORDER(double, double)

double median_of(double *values, uint32_t count)
{
  if (count == 0) return 0;
  qsort(values, count, sizeof *values, order_double);
  return values[count / 2];
}
