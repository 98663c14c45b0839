/* What the unit tests share.  Each tests/LAYER/test_THING.c defines suite_THING, which adds its
   tests to CUnit. */
#ifndef SL_TESTS_UNIT_H
#define SL_TESTS_UNIT_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/log.h"
#include "base/text.h"

/* A log that collects what it is told; test_log_text returns all lines so far. */
Log        *test_log(void);
const char *test_log_text(void);

/* Path of a file of the source tree's tests folder, and of ../shared (NULL when it is absent; says
   so once). */
const char *test_path(const char *relative);
const char *shared_path(const char *relative);

/* Files that are refused or warned of: folders tests/invalid/KIND/CASE with the file and, in
   `error`, the messages it gives. input: the name of the file (input.spef). read: reads the file,
   and adds to `messages` the error if it fails (log_take_error), else all that the log said. least:
   there are at least so many cases. */
void check_invalid(const char *kind, const char *input, int least,
                   void (*read)(const char *path, Text *messages));

/* Is this `make check-quick`? A suite then leaves out its tests that take seconds. */
bool quick_run(void);

/* Writes text to a fresh temporary file and returns its name (removed at the end of the run). */
const char *test_file(const char *name, const char *text);

#define CHECK(condition) CU_ASSERT(condition)
#define CHECK_TEXT(have, want) CU_ASSERT_STRING_EQUAL(have, want)
#define CHECK_NEAR(have, want, tolerance) CU_ASSERT_DOUBLE_EQUAL(have, want, tolerance)

#endif
