/* Tests of base/names.h: ids, lengths, single different bytes, and long texts. */
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "tests/unit.h"

static void test_empty(void)
{
  Names *names = names_new();
  CHECK(names_add(names, "", 0) == NO_NAME && names_find(names, "", 0) == NO_NAME);
  CHECK_TEXT(names_text(names, NO_NAME), "");
  CHECK(names_find(names, "clk", 3) == NO_NAME);
  names_free(names);
  names_free(NULL);
}

/* Ids count in order of first appearance; texts stay where they are while the table grows. */
static void test_many(void)
{
  enum { COUNT = 20000 };
  Names *names = names_new();
  NameId first = names_add_text(names, "n0");
  const char *text = names_text(names, first);
  char name[32];
  bool right = true;
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < COUNT; i++) {
      int length = snprintf(name, sizeof name, "n%u", i);
      right &= names_add(names, name, (size_t)length) == first + i;
    }
  CHECK(right);
  CHECK(names_text(names, first) == text);
  CHECK(names_count(names) >= COUNT && names_bytes(names) > COUNT * 5u);
  for (uint32_t i = 0; i < COUNT; i += 37) {
    int length = snprintf(name, sizeof name, "n%u", i);
    right &= names_find(names, name, (size_t)length) == first + i
             && strcmp(names_text(names, first + i), name) == 0;
    right &= names_length(names, first + i) == (uint32_t)length;
  }
  CHECK(right);
  names_free(names);
}

/* Only the given length counts, and a text longer than any block is kept whole. */
static void test_lengths(void)
{
  static char big[200001];
  Names *names = names_new();
  NameId ab = names_add(names, "abc", 2);
  CHECK(names_add_text(names, "ab") == ab && names_add_text(names, "abc") != ab);
  memset(big, 'x', sizeof big - 1);
  NameId id = names_add_text(names, big);
  CHECK(names_length(names, id) == sizeof big - 1 && strcmp(names_text(names, id), big) == 0);
  CHECK(names_find(names, big, sizeof big - 1) == id
        && names_find(names, big, sizeof big - 2) == NO_NAME);
  names_free(names);
}

/* Of each length, texts that differ in one byte, wherever it is. */
static void test_each_byte(void)
{
  enum { LONGEST = 70 };
  Names *names = names_new();
  char text[LONGEST];
  NameId next = names_count(names);
  bool right = true;
  for (int round = 0; round < 2; round++) {
    NameId want = next;
    for (size_t length = 1; length <= LONGEST; length++)
      for (size_t at = 0; at <= length; at++) {        /* at the length: no byte differs */
        memset(text, 'a', sizeof text);
        if (at < length) text[at] = 'b';
        right &= round ? names_find(names, text, length) == want
                       : names_add(names, text, length) == want;
        want++;
      }
  }
  CHECK(right);
  names_free(names);
}

/* Texts about as long as the blocks that hold them, between short ones. */
static void test_long_texts(void)
{
  enum { FROM = 65400, COUNT = 300 };
  static char big[FROM + COUNT];
  char name[16];
  Names *names = names_new();
  NameId first = names_count(names);
  bool right = true;
  memset(big, 'y', sizeof big);
  for (uint32_t i = 0; i < COUNT; i++) {
    names_add(names, big, FROM + i);
    snprintf(name, sizeof name, "s%u", i);
    names_add_text(names, name);
  }
  for (uint32_t i = 0; i < COUNT; i++) {
    snprintf(name, sizeof name, "s%u", i);
    right &= names_find(names, big, FROM + i) == first + 2 * i
             && names_length(names, first + 2 * i) == FROM + i;
    right &= strlen(names_text(names, first + 2 * i)) == FROM + i
             && strcmp(names_text(names, first + 2 * i + 1), name) == 0;
  }
  CHECK(right && names_count(names) == first + 2 * COUNT
        && names_bytes(names) > (size_t)FROM * COUNT);
  names_free(names);
}

/* Room for more changes no id and no text, and names that come later get the next ids. */
static void test_reserve(void)
{
  enum { COUNT = 5000 };
  char name[16];
  bool right = true;
  Names *names = names_new();
  NameId first = names_add_text(names, "before");
  const char *text = names_text(names, first);
  size_t bytes = names_bytes(names);
  names_reserve(names, COUNT);
  CHECK(names_bytes(names) > bytes && names_text(names, first) == text);
  CHECK(names_find(names, "before", 6) == first && names_count(names) == first + 1);
  bytes = names_bytes(names);
  names_reserve(names, 10);
  CHECK(names_bytes(names) == bytes);
  for (uint32_t i = 1; i < COUNT; i++) {
    int length = snprintf(name, sizeof name, "r%u", i);
    right &= names_add(names, name, (size_t)length) == first + i;
  }
  for (uint32_t i = 1; i < COUNT; i++) {
    int length = snprintf(name, sizeof name, "r%u", i);
    right &= names_find(names, name, (size_t)length) == first + i;
  }
  CHECK(right);
  names_free(names);
}

void suite_names(void)
{
  CU_pSuite s = CU_add_suite("base/names", NULL, NULL);
  CU_add_test(s, "the empty name", test_empty);
  CU_add_test(s, "many names", test_many);
  CU_add_test(s, "lengths", test_lengths);
  CU_add_test(s, "each byte counts", test_each_byte);
  CU_add_test(s, "texts as long as a block", test_long_texts);
  CU_add_test(s, "room for more names", test_reserve);
}
