/* Tests of base/radix.h: ascending and stable order, and interrupts. */
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/radix.h"
#include "tests/unit.h"

/* Ascending, and equal keys in the order in which they came. */
static bool in_order(const RadixItem *items, size_t count)
{
  for (size_t i = 1; i < count; i++)
    if (items[i - 1].key > items[i].key
        || (items[i - 1].key == items[i].key && items[i - 1].id >= items[i].id))
      return false;
  return true;
}

static bool sorts(size_t count, uint64_t mask, unsigned seed)
{
  RadixItem *items = mem_alloc((count + 1) * sizeof *items),
            *room = mem_alloc((count + 1) * sizeof *room);
  uint64_t sum = 0, after = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t key =
        ((uint64_t)rand_r(&seed) << 42 ^ (uint64_t)rand_r(&seed) << 21 ^ (uint64_t)rand_r(&seed))
        & mask;
    items[i] = (RadixItem){ key, (uint32_t)i };
    sum += key * (i + 1);
  }
  bool good = radix_sort(items, room, count) && in_order(items, count);
  for (size_t i = 0; i < count; i++) after += items[i].key * (items[i].id + 1ull);
  mem_free(items);
  mem_free(room);
  return good && after == sum;
}

static void any_keys(void)
{
  CHECK(sorts(0, UINT64_MAX, 1));
  CHECK(sorts(1, UINT64_MAX, 2));
  CHECK(sorts(10000, UINT64_MAX, 3));
}

/* An odd and an even number of digits that tell keys apart, and none. */
static void few_digits(void)
{
  CHECK(sorts(5000, 7, 4));
  CHECK(sorts(5000, 0xff000ff, 5));
  CHECK(sorts(5000, 0xfull << 60, 6));
  CHECK(sorts(5000, 0, 7));
}

static void interrupted(void)
{
  RadixItem items[2] = { { 2, 0 }, { 1, 1 } }, room[2];
  interrupt_set();
  CHECK(!radix_sort(items, room, 2));
  interrupt_clear();
  CHECK(radix_sort(items, room, 2));
}

void suite_radix(void)
{
  CU_pSuite s = CU_add_suite("base/radix", NULL, NULL);
  CU_add_test(s, "any keys", any_keys);
  CU_add_test(s, "few digits that tell keys apart", few_digits);
  CU_add_test(s, "an interrupt", interrupted);
}
