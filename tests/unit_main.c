/* Runs all unit test suites. */
#include "tests/unit.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define SUITES(X) \
  X(memory) X(names) X(hash) X(text) X(units) X(log) X(input) \
  X(explog) X(table) X(ceff) X(common_path) \
  X(library) X(netlist) X(constraints) X(parasitics) X(scenario) X(liberty) X(verilog) X(spef) X(sdf) \
  X(graph) X(exceptions) X(lanes) X(rc) X(timer) X(device) X(common) X(ocv) X(sigma) \
  X(queries) X(path)

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
  if (access(under("SL_SHARED", "../shared", ""), R_OK) == 0) return under("SL_SHARED", "../shared", relative);
  if (!said) printf("skipped: no ../shared\n");
  said = true;
  return NULL;
}

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

static void remove_files(void)
{
  char *rest = NULL;
  for (char *f = strtok_r(files.at, "\n", &rest); f; f = strtok_r(NULL, "\n", &rest)) remove(f);
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
