/* Tests of base/hash.h against a plain array. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "tests/unit.h"

static void test_bytes(void)
{
  char text[40];
  for (int i = 0; i < 40; i++) text[i] = (char)('a' + i % 3);
  for (size_t length = 1; length < 40; length++) {
    uint32_t h = hash_bytes(text, length);
    CHECK(h == hash_bytes(text, length) && h != hash_bytes(text, length - 1));
    text[length / 2] ^= 1;               /* every byte counts */
    CHECK(h != hash_bytes(text, length));
    text[length / 2] ^= 1;
  }
}

/* The same random puts and removals on a map and on a plain array of values. */
static void test_against_array(void)
{
  enum { KEYS = 3000, STEPS = 60000 };
  uint32_t *want = mem_alloc(KEYS * sizeof *want), count = 0;
  memset(want, 0xff, KEYS * sizeof *want);
  Map *map = map_new();
  unsigned seed = 7;
  bool right = true;
  for (uint32_t step = 0; step < STEPS; step++) {
    uint32_t k = (uint32_t)rand_r(&seed) % KEYS;
    uint64_t key = k % 2 ? hash_pair(k, k) : k;       /* dense and sparse keys */
    right &= map_get(map, key) == want[k];
    if (rand_r(&seed) % 3) {
      count += want[k] == MAP_NO_VALUE;
      map_put(map, key, want[k] = step);
    } else {
      count -= want[k] != MAP_NO_VALUE;
      want[k] = MAP_NO_VALUE;
      map_remove(map, key);
    }
    right &= map_count(map) == count;
  }
  for (uint32_t k = 0; k < KEYS; k++) right &= map_get(map, k % 2 ? hash_pair(k, k) : k) == want[k];
  CHECK(right);
  map_free(map);
  mem_free(want);
}

static void test_reserve(void)
{
  Map *map = map_new();
  map_put(map, 0, 5);
  map_reserve(map, 10000);
  size_t bytes = map_bytes(map);
  for (uint32_t i = 1; i < 10000; i++) map_put(map, i, i);
  CHECK(map_bytes(map) == bytes && map_count(map) == 10000);
  CHECK(map_get(map, 0) == 5 && map_get(map, 9999) == 9999 && map_get(map, 10000) == MAP_NO_VALUE);
  map_remove(map, 123456);
  CHECK(map_count(map) == 10000);
  map_free(map);
  map_free(NULL);
}

/* After an interrupt there is no more room than before, and the map is as good as it was. */
static void test_reserve_interrupted(void)
{
  Map *map = map_new();
  map_put(map, 7, 70);
  size_t bytes = map_bytes(map);
  interrupt_set();
  map_reserve(map, 1000000);
  CHECK(map_bytes(map) == bytes && map_count(map) == 1 && map_get(map, 7) == 70);
  interrupt_clear();
  for (uint32_t i = 0; i < 100000; i++) map_put(map, i, i + 1);
  CHECK(map_count(map) == 100000 && map_get(map, 7) == 8 && map_get(map, 99999) == 100000);
  map_free(map);
}

void suite_hash(void)
{
  CU_pSuite s = CU_add_suite("base/hash", NULL, NULL);
  CU_add_test(s, "hash of bytes", test_bytes);
  CU_add_test(s, "map against an array", test_against_array);
  CU_add_test(s, "room in advance", test_reserve);
  CU_add_test(s, "room in advance, interrupted", test_reserve_interrupted);
}
