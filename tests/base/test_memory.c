#include <stdint.h>

#include "base/arena.h"
#include "base/memory.h"
#include "tests/unit.h"

static bool all_zero(const char *p, size_t bytes)
{
  for (size_t i = 0; i < bytes; i++)
    if (p[i]) return false;
  return true;
}

/* Sizes from nothing to several chunks: zeroed, aligned, apart from each other. */
static void test_arena(void)
{
  Arena *arena = arena_new();
  enum { COUNT = 400 };
  char *at[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    at[i] = arena_alloc(arena, i * i);
    CHECK((uintptr_t)at[i] % 16 == 0 && all_zero(at[i], i * i));
    memset(at[i], (int)(i & 127) + 1, i * i);
  }
  for (size_t i = 1; i < COUNT; i++)
    CHECK(at[i][0] == (char)((i & 127) + 1) && at[i][i * i - 1] == (char)((i & 127) + 1));
  CHECK(arena_bytes(arena) > COUNT * COUNT / 3 * (size_t)COUNT);
  CHECK_TEXT(arena_text(arena, "clock gate", 5), "clock");
  CHECK_TEXT(arena_text(arena, "", 0), "");
  arena_free(arena);
  arena_free(NULL);
  CHECK(arena_bytes(NULL) == 0);
}

static void test_array(void)
{
  ARRAY(uint32_t) a = { 0 };
  for (uint32_t i = 0; i < 1000; i++) array_push(&a, i * 3);
  CHECK(a.len == 1000 && a.cap >= 1000);
  bool kept = true;
  for (uint32_t i = 0; i < 1000; i++) kept &= a.at[i] == i * 3;
  CHECK(kept);
  array_resize(&a, 10);
  CHECK(a.len == 10 && a.at[9] == 27);
  array_resize(&a, 2000);                /* what was cut off is not seen again */
  CHECK(a.len == 2000 && all_zero((const char *)(a.at + 10), 1990 * sizeof *a.at));
  array_clear(&a);
  CHECK(a.len == 0 && a.cap >= 2000);
  array_free(&a);
  CHECK(a.at == NULL && a.len == 0 && a.cap == 0);
}

void suite_memory(void)
{
  CU_pSuite s = CU_add_suite("base/memory", NULL, NULL);
  CU_add_test(s, "arena", test_arena);
  CU_add_test(s, "array", test_array);
}
