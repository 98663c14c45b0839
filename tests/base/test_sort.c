/* Tests of base/sort.h: any number of items, and interrupts. */
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/sort.h"
#include "tests/unit.h"

enum { MOST = 100000 };

static int by_number(const void *a, const void *b)
{
  unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return x < y ? -1 : x > y;
}

static void fill(unsigned *items, size_t count)
{
  unsigned seed = 5;
  for (size_t i = 0; i < count; i++) items[i] = (unsigned)rand_r(&seed);
}

/* As qsort does it. */
static void any_count(void)
{
  static const size_t counts[] = { 0, 1, 2, 1000, 16384, 16385, 50000, 65536, MOST };
  unsigned *items = mem_alloc(MOST * sizeof *items), *same = mem_alloc(MOST * sizeof *same);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    fill(items, counts[i]);
    fill(same, counts[i]);
    CHECK(sort_items(items, counts[i], sizeof *items, by_number));
    qsort(same, counts[i], sizeof *same, by_number);
    CHECK(memcmp(items, same, counts[i] * sizeof *same) == 0);
  }
  mem_free(items);
  mem_free(same);
}

/* At any look: nothing is lost. */
static void interrupted(void)
{
  unsigned *items = mem_alloc(MOST * sizeof *items), *same = mem_alloc(MOST * sizeof *same);
  bool whole = false;
  fill(same, MOST);
  qsort(same, MOST, sizeof *same, by_number);
  for (uint32_t looks = 1; !whole; looks++) {
    fill(items, MOST);
    interrupt_after(looks);
    whole = sort_items(items, MOST, sizeof *items, by_number);
    interrupt_after(0);
    interrupt_clear();
    CHECK(whole == (looks > 1 && memcmp(items, same, MOST * sizeof *same) == 0));
    qsort(items, MOST, sizeof *items, by_number);
    CHECK(memcmp(items, same, MOST * sizeof *same) == 0);
  }
  mem_free(items);
  mem_free(same);
}

void suite_sort(void)
{
  CU_pSuite s = CU_add_suite("base/sort", NULL, NULL);
  CU_add_test(s, "any count", any_count);
  CU_add_test(s, "an interrupt", interrupted);
}
