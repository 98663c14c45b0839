/* Tests of base/input.h: windows, byte order marks, damaged gzip files, and files that are
   refused. */
#include "base/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "tests/unit.h"

enum { LINES = 60000 };          /* more than two windows of text */

/* Line i holds its number and some more characters; one line is longer than a window. */
static void make_text(Text *text)
{
  for (uint32_t i = 1; i <= LINES; i++) {
    text_printf(text, "%u", i);
    for (uint32_t k = i == LINES / 2 ? 700000 : i % 13; k > 0; k--) text_char(text, 'x');
    text_char(text, '\n');
  }
}

/* Reads a line as readers do: a run of characters, kept together when the window moves under it. */
static bool read_line(Input *in, char **start)
{
  *start = in->cur;
  for (;;) {
    while (*in->cur && *in->cur != '\n') in->cur++;
    if (*in->cur == '\n') return true;
    if (in->cur != in->end || !input_refill(in, start)) return false;
  }
}

/* Every line, its number and place, and the text as a whole. */
static void check_lines(Input *in, const Text *want)
{
  Text have = { 0 };
  char *start;
  bool right = true;
  uint32_t lines = 0;
  while (read_line(in, &start)) {
    lines++;
    Where w = input_where_at(in, start), end = input_where(in);
    right &= (uint32_t)atoi(start) == lines && w.line == lines && w.column == 1;
    right &= end.column == (uint32_t)(in->cur - start) + 1;
    in->cur++;
    text_add(&have, start, (size_t)(in->cur - start));
    right &= input_offset(in) == (int64_t)have.len;
    input_newline(in);
  }
  CHECK(right && lines == LINES);
  CHECK(have.len == want->len && memcmp(have.at, want->at, have.len) == 0);
  CHECK(!in->failed);
  text_free(&have);
}

static const char *gzip_file(const char *name, const Text *text)
{
  const char *path = test_file(name, "");
  gzFile f = gzopen(path, "wb1");
  gzwrite(f, text->at, (unsigned)text->len);
  gzclose(f);
  return path;
}

static void test_windows(void)
{
  Log *log = test_log();
  Text t = { 0 };
  make_text(&t);
  Input *in = input_open(test_file("plain.txt", t.at), log);
  CHECK(in != NULL);
  if (in) check_lines(in, &t);
  input_close(in);
  in = input_open(gzip_file("packed.gz", &t), log);
  CHECK(in != NULL);
  if (in) check_lines(in, &t);
  input_close(in);
  in = input_open_text("memory", t.at, log);
  CHECK(in != NULL);
  if (in) check_lines(in, &t);
  input_close(in);
  CHECK(!log_failed(log));
  text_free(&t);
}

/* A byte order mark is no text, and columns count without it; one alone is an empty file. */
static void test_mark(void)
{
  Log *log = test_log();
  Input *in = input_open(test_file("mark.txt", "\xef\xbb\xbfword\n"), log);
  CHECK(in && strcmp(in->cur, "word\n") == 0 && input_where(in).column == 1);
  input_close(in);
  CHECK(!log_failed(log));
  CHECK(input_open(test_file("mark_alone.txt", "\xef\xbb\xbf"), log) == NULL);
  const char *error = log_take_error(log);
  CHECK(error && strstr(error, "[FILE-003]"));
}

/* A cut gzip file gives what it can, then fails, and stays failed. */
static void test_truncated(void)
{
  Log *log = test_log();
  Text t = { 0 };
  make_text(&t);
  const char *path = gzip_file("cut.gz", &t);
  CHECK(truncate(path, 60000) == 0);
  Input *in = input_open(path, log);
  CHECK(in != NULL);
  char *start;
  uint32_t lines = 0;
  while (in && read_line(in, &start)) {
    in->cur++;
    lines++;
  }
  CHECK(lines > 10 && lines < LINES);
  CHECK(in && in->failed && !input_refill(in, NULL));
  input_close(in);
  const char *error = log_take_error(log);
  CHECK(error && strstr(error, "cut.gz: error: ") && strstr(error, "[FILE-004]"));
  text_free(&t);
}

/* A byte inside a stored block: zlib gives all text and sees the damage at its end. */
static const char *damaged_file(const char *name, const Text *text)
{
  const char *path = test_file(name, "");
  gzFile f = gzopen(path, "wb0");
  gzwrite(f, text->at, (unsigned)text->len);
  gzclose(f);
  FILE *out = fopen(path, "r+b");
  fseek(out, 30, SEEK_SET);
  fputc('#', out);
  fclose(out);
  return path;
}

/* A reader's first error in a damaged file gives way to the damage; in sound files, and after
   closing, it stays. */
static void test_damaged(void)
{
  Log *log = test_log();
  Text t = { 0 };
  make_text(&t);
  Input *in = input_open(damaged_file("damaged.gz", &t), log);
  CHECK(in != NULL && !in->failed);
  if (in) log_error(log, "SPEF-007", input_where(in), "found \"%.5s\"", in->cur);
  const char *error = log_take_error(log);
  CHECK(error && strstr(error, "damaged.gz: error: ") && strstr(error, "[FILE-004]"));
  CHECK(in && in->failed && !input_refill(in, NULL));
  input_close(in);
  log_error(log, "SPEF-007", NOWHERE, "closed");
  CHECK_TEXT(log_take_error(log), "error: closed [SPEF-007]");
  in = input_open(gzip_file("sound.gz", &t), log);
  log_error(log, "SPEF-007", NOWHERE, "sound");
  CHECK_TEXT(log_take_error(log), "error: sound [SPEF-007]");
  CHECK(in && !in->failed);
  input_close(in);
  text_free(&t);
}

static void check_refused(const char *path, const char *code)
{
  Log *log = test_log();
  CHECK(input_open(path, log) == NULL);
  const char *error = log_take_error(log);
  CHECK(error && strstr(error, code) && strncmp(error, path, strlen(path)) == 0);
}

static void test_refused(void)
{
  char path[400];
  snprintf(path, sizeof path, "%s", test_file("empty.txt", ""));
  check_refused(path, "FILE-003");
  CHECK(input_is_empty(path));
  Text nothing = { 0 };
  text_clear(&nothing);
  snprintf(path, sizeof path, "%s", gzip_file("empty.gz", &nothing));
  check_refused(path, "FILE-003");
  CHECK(input_is_empty(path) && input_is_empty(test_file("mark_only.txt", "\xef\xbb\xbf")));
  CHECK(!input_is_empty(test_file("marked.txt", "\xef\xbb\xbf\n"))
        && !input_is_empty("no/such/file.v"));
  CHECK(!input_is_empty(test_path("")));
  check_refused(test_path(""), "FILE-002");
  check_refused("no/such/file.v", "FILE-001");
  Log *log = test_log();
  CHECK(input_open_text("memory", "", log) == NULL && log_failed(log));
  log_take_error(log);
}

/* A NUL inside is a byte of the file, told from the window's end by its place. */
static void test_binary(void)
{
  Log *log = test_log();
  const char *path = test_file("binary", "");
  FILE *f = fopen(path, "wb");
  fwrite("ab\0cd", 1, 5, f);
  fclose(f);
  Input *in = input_open(path, log);
  CHECK(in && in->end - in->cur == 5 && in->cur[2] == '\0' && in->cur[3] == 'c'
        && *in->end == '\0');
  input_close(in);
}

void suite_input(void)
{
  CU_pSuite s = CU_add_suite("base/input", NULL, NULL);
  CU_add_test(s, "lines over window edges", test_windows);
  CU_add_test(s, "byte order mark", test_mark);
  CU_add_test(s, "truncated gzip", test_truncated);
  CU_add_test(s, "damaged gzip", test_damaged);
  CU_add_test(s, "refused files", test_refused);
  CU_add_test(s, "binary file", test_binary);
}
