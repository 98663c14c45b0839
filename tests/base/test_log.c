/* Tests of base/log.h: lines, limits, the first error, suppressed codes and stored lines. */
#include "base/log.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit.h"

static Where at(uint32_t line, uint32_t column) { return (Where){ "a.v", line, column }; }

static void test_lines(void)
{
  Log *log = test_log();
  log_warning(log, "VLOG-001", at(3, 7), "net %s", "n1");
  log_warning(log, "VLOG-002", at(3, 0), "line");
  log_warning(log, "VLOG-003", at(0, 5), "file");
  log_warning(log, "VLOG-004", NOWHERE, "nowhere");
  log_info(log, "VLOG-005", "%d modules", 2);
  CHECK_TEXT(test_log_text(), "a.v:3:7: warning: net n1 [VLOG-001]\na.v:3: warning: line "
                              "[VLOG-002]\na.v: warning: file [VLOG-003]\n"
                              "warning: nowhere [VLOG-004]\n2 modules\n");
  CHECK(log_total(log, SEVERITY_WARNING) == 4 && log_total(log, SEVERITY_INFO) == 1
        && !log_failed(log));
}

/* A few of each code are shown; the rest is counted and summed up, and then counting begins
   again. */
static void test_limit(void)
{
  Log *log = test_log();
  log_limit(log, 2);
  for (uint32_t i = 1; i <= 6; i++) log_warning(log, "SPEF-001", NOWHERE, "w%u", i);
  log_warning(log, "SPEF-002", NOWHERE, "other");
  CHECK_TEXT(test_log_text(),
             "warning: w1 [SPEF-001]\nwarning: w2 [SPEF-001]\nwarning: other [SPEF-002]\n");
  log_sum_up(log);
  CHECK(strstr(test_log_text(), "4 more like it; see report_messages SPEF-001 [SPEF-001]") != NULL);
  size_t length = strlen(test_log_text());
  log_sum_up(log);
  CHECK(strlen(test_log_text()) == length);
  log_warning(log, "SPEF-001", NOWHERE, "again");
  CHECK(strstr(test_log_text(), "again") != NULL);
  CHECK(log_count(log, "SPEF-001") == 7 && log_count(log, "SPEF-002") == 1
        && log_count(log, "SPEF-003") == 0);
}

static void test_first_error_wins(void)
{
  Log *log = test_log();
  CHECK(log_take_error(log) == NULL);
  CHECK(log_error(log, "LIB-001", at(1, 2), "first %d", 1) == FAILED);
  CHECK(log_error(log, "LIB-002", at(9, 9), "a consequence") == FAILED);
  CHECK(log_failed(log));
  CHECK_TEXT(log_take_error(log), "a.v:1:2: error: first 1 [LIB-001]");
  CHECK(!log_failed(log) && log_take_error(log) == NULL);
  log_error(log, "LIB-003", NOWHERE, "next operation");
  CHECK_TEXT(log_take_error(log), "error: next operation [LIB-003]");
  CHECK_TEXT(test_log_text(), "");
  CHECK(log_total(log, SEVERITY_ERROR) == 3);
}

static void test_suppress(void)
{
  Log *log = test_log();
  log_suppress(log, "SDC-001", true);
  log_warning(log, "SDC-001", NOWHERE, "unseen");
  log_error(log, "SDC-001", NOWHERE, "errors cannot be suppressed");
  CHECK(log_failed(log) && log_count(log, "SDC-001") == 2);
  log_suppress(log, "SDC-001", false);
  log_warning(log, "SDC-001", NOWHERE, "seen");
  CHECK_TEXT(test_log_text(), "warning: seen [SDC-001]\n");
}

static void write_code(void *data, const char *code, uint32_t count)
{
  char *text = data;
  sprintf(text + strlen(text), "%s %u;", code, count);
}

static void test_codes(void)
{
  char text[200] = "";
  Log *log = log_new(NULL, NULL);
  log_suppress(log, "A-001", true);       /* named and not used: does not count */
  log_warning(log, "B-002", NOWHERE, "x");
  log_error(log, "B-001", NOWHERE, "x");
  log_warning(log, "B-002", NOWHERE, "x");
  log_each_code(log, write_code, text);
  CHECK_TEXT(text, "B-002 2;B-001 1;");
  log_free(log);
  log_free(NULL);
}

static void write_line(void *data, const char *line)
{
  char *text = data;
  sprintf(text + strlen(text), "%s;", line);
}

/* Shown, held back and suppressed ones. */
static void test_kept(void)
{
  char text[400] = "";
  Log *log = test_log();
  log_limit(log, 1);
  log_suppress(log, "B-002", true);
  for (uint32_t i = 1; i <= 3; i++) log_warning(log, "B-001", at(i, 0), "w%u", i);
  log_warning(log, "B-002", NOWHERE, "x");
  log_each_line(log, "B-001", write_line, text);
  log_each_line(log, "B-002", write_line, text);
  log_each_line(log, "B-003", write_line, text);
  CHECK_TEXT(text,
             "a.v:1: warning: w1 [B-001];a.v:2: warning: w2 [B-001];a.v:3: warning: w3 [B-001];"
             "warning: x [B-002];");
}

void suite_log(void)
{
  CU_pSuite s = CU_add_suite("base/log", NULL, NULL);
  CU_add_test(s, "lines", test_lines);
  CU_add_test(s, "limits and sum-up", test_limit);
  CU_add_test(s, "the first error wins", test_first_error_wins);
  CU_add_test(s, "suppressed codes", test_suppress);
  CU_add_test(s, "codes in order of use", test_codes);
  CU_add_test(s, "kept lines", test_kept);
}
