/* Runs all unit test suites. */
#include "tests/unit.h"

#include <CUnit/Basic.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUITES(X)                                                                                  \
  X(memory) X(names) X(hash) X(text) X(decimal) X(radix) X(sort) X(pool) X(pool_gain)              \
  X(pool_place) X(processors) X(units) X(log) X(input) X(output) X(explog) X(table) X(ceff)        \
  X(current_source) X(common_path) X(library) X(netlist) X(constraints) X(contradiction)           \
  X(parasitics) X(scenario) X(liberty) X(verilog) X(spef) X(sdf) X(lef) X(def) X(steiner)          \
  X(legality) X(density) X(graph) X(exceptions) X(lanes) X(narrow) X(levels) X(residency) X(rc)    \
  X(timer) X(device) X(device_credit) X(family) X(common) X(ocv) X(sigma) X(queries) X(path)       \
  X(retime) X(split_tree) X(sizing) X(libcell)

#define DECLARE(name) void suite_##name(void);
SUITES(DECLARE)

static Text log_text;
static Log *the_log;
static Text files;      /* names of temporary files, one a line */

static void collect(void *data, const Message *message)
{
  (void)data;
  text_put(&log_text, message->line);
  text_char(&log_text, '\n');
}

Log *test_log(void)
{
  log_free(the_log);
  text_clear(&log_text);
  the_log = log_new(collect, NULL);
  return the_log;
}

const char *test_log_text(void) { return text_get(&log_text); }

static const char *under(const char *variable, const char *fallback, const char *relative)
{
  static char paths[8][4096];
  static int turn;
  const char *top = getenv(variable);
  char *path = paths[turn = (turn + 1) % 8];
  snprintf(path, sizeof paths[0], "%s/%s", top ? top : fallback, relative);
  return path;
}

const char *test_path(const char *relative) { return under("SL_TESTS", "tests", relative); }

const char *shared_path(const char *relative)
{
  static bool said;
  if (access(under("SL_SHARED", "../shared", ""), R_OK) == 0)
    return under("SL_SHARED", "../shared", relative);
  if (!said) printf("skipped: no ../shared\n");
  said = true;
  return NULL;
}

bool quick_run(void) { return getenv("SL_QUICK") != NULL; }

const char *test_file(const char *name, const char *text)
{
  static char path[256];
  const char *folder = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/sl-test-%d-%s", folder ? folder : "/tmp", (int)getpid(), name);
  FILE *f = fopen(path, "wb");
  if (f == NULL) return NULL;
  fputs(text, f);
  fclose(f);
  text_put(&files, path);
  text_char(&files, '\n');
  return path;
}

/* --- invalid files ---------------------------------------------------------------------------- */

static void read_all(const char *path, Text *text)
{
  char buffer[4096];
  FILE *f = fopen(path, "rb");
  for (size_t n; f && (n = fread(buffer, 1, sizeof buffer, f)) > 0;) text_add(text, buffer, n);
  if (f) fclose(f);
}

/* Without the folder, and with an end of line. */
static void add_shown(Text *text, const char *messages, const char *folder)
{
  size_t length = strlen(folder);
  for (const char *at; (at = strstr(messages, folder)) != NULL; messages = at + length + 1)
    text_add(text, messages, (size_t)(at - messages));
  text_put(text, messages);
  if (text->len && text->at[text->len - 1] != '\n') text_char(text, '\n');
}

static void check_case(const char *folder, const char *input,
                       void (*read)(const char *path, Text *messages))
{
  Text path = { 0 }, messages = { 0 }, have = { 0 }, want = { 0 };
  text_printf(&path, "%s/error", folder);
  read_all(text_get(&path), &want);
  text_clear(&path);
  text_printf(&path, "%s/%s", folder, input);
  read(text_get(&path), &messages);
  add_shown(&have, text_get(&messages), folder);
  if (strcmp(text_get(&have), text_get(&want)) != 0)
    printf("\n%s gives:\n%s", folder, text_get(&have));
  CHECK(want.len > 0);
  CHECK_TEXT(text_get(&have), text_get(&want));
  text_free(&path);
  text_free(&messages);
  text_free(&have);
  text_free(&want);
}

void check_invalid(const char *kind, const char *input, int least,
                   void (*read)(const char *path, Text *messages))
{
  char top[4096], folder[4400];
  snprintf(top, sizeof top, "%s/%s", test_path("invalid"), kind);
  DIR *dir = opendir(top);
  CU_ASSERT_FATAL(dir != NULL);
  int count = 0;
  for (struct dirent *e; (e = readdir(dir)) != NULL;) {
    if (e->d_name[0] == '.') continue;
    snprintf(folder, sizeof folder, "%s/%s", top, e->d_name);
    check_case(folder, input, read);
    count++;
  }
  closedir(dir);
  CHECK(count >= least);
}

static void remove_files(void)
{
  char *rest = NULL;
  for (char *text = strtok_r(files.at, "\n", &rest); text; text = strtok_r(NULL, "\n", &rest))
    remove(text);
}

int main(void)
{
  if (CU_initialize_registry() != CUE_SUCCESS) return 1;
#define ADD(name) suite_##name();
  SUITES(ADD)
  CU_basic_set_mode(CU_BRM_NORMAL);
  CU_basic_run_tests();
  unsigned failures = CU_get_number_of_failures();
  if (files.at) remove_files();
  CU_cleanup_registry();
  log_free(the_log);
  text_free(&log_text);
  text_free(&files);
  return failures ? 1 : 0;
}
