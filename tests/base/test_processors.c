/* Tests of base/processors.h with control group files in a folder of the test's own. */
#include "base/processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit.h"

/* A root folder of our own with the files of control groups. */
typedef struct {
  char folder[64];
} Root;

static Root root_new(void)
{
  Root r = { "/tmp/slackline_root.XXXXXX" };
  CHECK(mkdtemp(r.folder) != NULL);
  return r;
}

/* Writes a file with the folders above it. */
static void put(const Root *root, const char *file, const char *text)
{
  char name[512];
  snprintf(name, sizeof name, "%s/%s", root->folder, file);
  for (char *at = strchr(name + strlen(root->folder) + 1, '/'); at; at = strchr(at + 1, '/')) {
    *at = '\0';
    mkdir(name, 0700);
    *at = '/';
  }
  FILE *f = fopen(name, "w");
  CU_ASSERT_FATAL(f != NULL);
  fputs(text, f);
  fclose(f);
}

static void root_free(const Root *root)
{
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", root->folder);
  CHECK(system(command) == 0);
}

typedef struct {
  int quota;
  const char *files[8];        /* names and texts */
} Case;

#define OWN "proc/self/cgroup"
#define CG  "sys/fs/cgroup/"

static const Case cases[] = {
  /* no groups at all; a group without files; no limit */
  { 0, { NULL } },
  { 0, { OWN, "0::/\n" } },
  { 0, { OWN, "0::/\n", CG "cpu.max", "max 100000\n" } },
  /* version 2: 2.0 -> 2, 1.5 -> 2, 0.1 -> 1, 2.00001 -> 3 processors */
  { 2, { OWN, "0::/\n", CG "cpu.max", "200000 100000\n" } },
  { 2, { OWN, "0::/\n", CG "cpu.max", "150000 100000\n" } },
  { 1, { OWN, "0::/\n", CG "cpu.max", "10000 100000\n" } },
  { 3, { OWN, "0::/\n", CG "cpu.max", "200001 100000\n" } },
  /* the least of the levels, wherever it is */
  { 3,
    { OWN, "0::/a/b\n", CG "a/b/cpu.max", "300000 100000\n", CG "a/cpu.max", "800000 100000\n" } },
  { 2,
    { OWN, "0::/a/b\n", CG "a/b/cpu.max", "300000 100000\n", CG "a/cpu.max", "100000 50000\n" } },
  { 4, { OWN, "0::/a/b\n", CG "a/b/cpu.max", "max 100000\n", CG "a/cpu.max", "400000 100000\n" } },
  { 5, { OWN, "0::/a/b\n", CG "a/b/cpu.max", "max 100000\n", CG "cpu.max", "500000 100000\n" } },
  /* the host's path, in a container that sees its own group alone */
  { 6, { OWN, "0::/docker/0123/x\n", CG "cpu.max", "600000 100000\n" } },
  /* a group beside ours does not count, nor one below it */
  { 0, { OWN, "0::/a\n", CG "b/cpu.max", "100000 100000\n", CG "a/c/cpu.max", "100000 100000\n" } },
  /* version 1: the cpu controller's line, of several */
  { 2,
    { OWN, "5:memory:/m\n4:cpu,cpuacct:/a\n3:cpuset:/\n", CG "cpu/a/cpu.cfs_quota_us", "200000\n",
      CG "cpu/a/cpu.cfs_period_us", "100000\n" } },
  { 0,
    { OWN, "4:cpu:/a\n", CG "cpu/a/cpu.cfs_quota_us", "-1\n", CG "cpu/a/cpu.cfs_period_us",
      "100000\n" } },
  { 0,
    { OWN, "4:cpuset,cpuacct:/a\n", CG "cpu/a/cpu.cfs_quota_us", "200000\n",
      CG "cpu/a/cpu.cfs_period_us", "100000\n" } },
  { 7,
    { OWN, "4:cpuacct,cpu:/\n0::/\n", CG "cpu/cpu.cfs_quota_us", "350000\n",
      CG "cpu/cpu.cfs_period_us", "50000\n" } },
  /* what cannot be read sets no limit */
  { 0, { OWN, "0::/\n", CG "cpu.max", "few\n" } },
  { 0, { OWN, "0::/\n", CG "cpu.max", "100000\n" } },
  { 0, { OWN, "0::/\n", CG "cpu.max", "100000 0\n" } },
  { 0, { OWN, "nothing\n:\n", CG "cpu.max", "100000 100000\n" } },
};

static void quotas(void)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Root r = root_new();
    for (int k = 0; k < 8 && cases[i].files[k]; k += 2)
      put(&r, cases[i].files[k], cases[i].files[k + 1]);
    int quota = processors_quota(r.folder);
    if (quota != cases[i].quota) printf("\ncase %zu: %d, expected %d\n", i, quota, cases[i].quota);
    CHECK(quota == cases[i].quota);
    root_free(&r);
  }
}

static int with_told(const char *text)
{
  setenv("OMP_NUM_THREADS", text, 1);
  return processors_usable();
}

/* A list is of levels of nested regions, of which there is one here. */
static void told(void)
{
  char *before = getenv("OMP_NUM_THREADS"), kept[32] = "";
  if (before) snprintf(kept, sizeof kept, "%s", before);
  unsetenv("OMP_NUM_THREADS");
  int usable = processors_usable();
  CHECK(usable >= 1);
  CHECK(with_told("3") == 3);
  CHECK(with_told("5,2") == 5);
  CHECK(with_told("1024") == 1024);
  CHECK(with_told("1025") == 1024);
  CHECK(with_told("99999999999999999999") == 1024);
  CHECK(with_told("0") == usable);
  CHECK(with_told("-4") == usable);
  CHECK(with_told("many") == usable);
  CHECK(with_told("4 ") == 4);
  CHECK(with_told("4abc") == usable);
  CHECK(with_told("1e1") == usable);
  if (before) setenv("OMP_NUM_THREADS", kept, 1);
  else unsetenv("OMP_NUM_THREADS");
}

static void wanted(void)
{
  static const char *const texts[] = { "0.50 0.40 0.30 3/512 12345\n", "0.50 0.40\n", "none\n",
                                       "0.50 0.40 0.30 -3/512 12345\n" };
  for (int i = 0; i < 4; i++) {
    Root r = root_new();
    CHECK(processors_wanted(processors_open_load(r.folder)) == 0);
    put(&r, "proc/loadavg", texts[i]);
    int file = processors_open_load(r.folder);
    CHECK(processors_wanted(file) == (i == 0 ? 3 : 0));
    if (i == 0) {
      put(&r, "proc/loadavg", "0.50 0.40 0.30 12/512 12345\n");
      CHECK(processors_wanted(file) == 12);
    }
    close(file);
    root_free(&r);
  }
  CHECK(processors_online() >= 1);
}

void suite_processors(void)
{
  CU_pSuite s = CU_add_suite("base/processors", NULL, NULL);
  CU_add_test(s, "quotas of control groups", quotas);
  CU_add_test(s, "a number that was told", told);
  CU_add_test(s, "threads that could run", wanted);
}
