/* Tests of base/output.h: one gzip member, the same bytes for any number of threads, errors and
   interrupts. */
#include "base/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "tests/unit.h"

enum { BLOCKS = 40, BROKEN_OFF = 12 };

/* Blocks of all sizes: none, a few bytes, and more than there is room for at a time, of lines or of
   what cannot be compressed. */
static void format(void *data, uint32_t block, Text *out)
{
  unsigned seed = block;
  uint32_t lines = block % 7 == 3 ? 0 : block % 5 == 0 ? 30000 : block * 11;
  if (data && block == BROKEN_OFF) interrupt_set();
  for (uint32_t i = 0; i < lines; i++) {
    if (block == 10 || block == 11)
      text_printf(out, "%c%c%c\n", rand_r(&seed) & 255, rand_r(&seed) & 255, rand_r(&seed) & 255);
    else text_printf(out, "%u of %u is a line\n", i, block);
  }
}

static void format_some(void *data, uint32_t block, Text *out)
{
  const uint32_t *some = data;
  if (block == *some) format(NULL, 5, out);
}

static void whole_text(Text *text)
{
  for (uint32_t i = 0; i < BLOCKS; i++) {
    Text block = { 0 };
    format(NULL, i, &block);
    text_add(text, block.at, block.len);
    text_free(&block);
  }
}

static void read_bytes(const char *path, Text *text)
{
  FILE *f = fopen(path, "rb");
  for (size_t n = 1; f && n > 0; text->len += n) n = fread(text_room(text, 1 << 16), 1, 1 << 16, f);
  *text_room(text, 0) = '\0';
  if (f) fclose(f);
}

/* Is it one gzip member, to its last byte, of this text? */
static bool is_member_of(const Text *packed, const Text *text)
{
  z_stream z = { .next_in = (Bytef *)packed->at, .avail_in = (uInt)packed->len };
  Bytef *out = mem_alloc(text->len + 1);
  inflateInit2(&z, 16 + MAX_WBITS);
  z.next_out = out;
  z.avail_out = (uInt)text->len + 1;
  bool ended = inflate(&z, Z_FINISH) == Z_STREAM_END;
  bool same = ended && z.avail_in == 0 && z.total_out == text->len
              && (text->len == 0 || memcmp(out, text->at, text->len) == 0);
  inflateEnd(&z);
  mem_free(out);
  return same;
}

static void test_member(void)
{
  Text text = { 0 }, first = { 0 };
  whole_text(&text);
  for (int threads = 1; threads <= 5; threads += 2) {
    Output o = { test_file("blocks.gz", ""), BLOCKS, threads, 1, format, NULL };
    Text packed = { 0 };
    CHECK(output_write(&o, test_log()) == OK);
    read_bytes(o.path, &packed);
    CHECK(is_member_of(&packed, &text));
    if (threads == 1) text_add(&first, packed.at, packed.len);
    CHECK(packed.len == first.len && memcmp(packed.at, first.at, first.len) == 0);
    text_free(&packed);
  }
  text_free(&text);
  text_free(&first);
}

static void test_plain(void)
{
  Output o = { test_file("blocks.txt", ""), BLOCKS, 3, 0, format, NULL };
  Text text = { 0 }, have = { 0 };
  whole_text(&text);
  CHECK(output_write(&o, test_log()) == OK);
  read_bytes(o.path, &have);
  CHECK(have.len == text.len && memcmp(have.at, text.at, text.len) == 0);
  text_free(&text);
  text_free(&have);
}

/* No block, none with a text, one alone, first and last. */
static void test_few(void)
{
  Text text = { 0 };
  format(NULL, 5, &text);
  for (uint32_t blocks = 0; blocks < 4; blocks++)
    for (uint32_t some = 0; some <= blocks; some++) {
      Output o = { test_file("few.gz", ""), blocks, 0, 9, format_some, &some };
      Text packed = { 0 };
      CHECK(output_write(&o, test_log()) == OK);
      read_bytes(o.path, &packed);
      CHECK(is_member_of(&packed, some < blocks ? &text : &(Text){ 0 }));
      text_free(&packed);
    }
  text_free(&text);
}

static void test_errors(void)
{
  Log *log = test_log();
  CHECK(output_write(&(Output){ "/dev/full", BLOCKS, 2, 1, format, NULL }, log) == FAILED);
  CHECK_TEXT(log_take_error(log),
             "/dev/full: error: writing the file failed: No space left on device [FILE-005]");
  /* less than is buffered */
  CHECK(output_write(&(Output){ "/dev/full", 2, 1, 0, format, NULL }, log) == FAILED);
  CHECK(output_write(&(Output){ "/nowhere/at/all", 1, 1, 1, format, NULL }, log = test_log())
        == FAILED);
  CHECK_TEXT(log_take_error(log),
             "/nowhere/at/all: error: cannot write the file: No such file or directory [FILE-005]");
}

/* No error, and the file that was there. */
static void test_interrupt(void)
{
  for (int threads = 1; threads <= 4; threads++) {
    Log *log = test_log();
    Output o = { test_file("broken_off.gz", "before"), BLOCKS, threads, 1, format, "" };
    Text packed = { 0 };
    CHECK(output_write(&o, log) == FAILED && !log_failed(log));
    interrupt_clear();
    read_bytes(o.path, &packed);
    CHECK_TEXT(text_get(&packed), "before");
    text_free(&packed);
  }
}

void suite_output(void)
{
  CU_pSuite s = CU_add_suite("base/output", NULL, NULL);
  CU_add_test(s, "one gzip member, the same with any number of threads", test_member);
  CU_add_test(s, "plain text", test_plain);
  CU_add_test(s, "few blocks, and empty ones", test_few);
  CU_add_test(s, "full disk, no folder", test_errors);
  CU_add_test(s, "interrupted", test_interrupt);
}
