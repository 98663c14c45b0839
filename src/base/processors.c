/* Finds the number of processors that the process may use: its affinity, and the quotas of control
   groups of versions 1 and 2. */
#include "base/processors.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

#include "base/pool.h"

/* --- control groups --------------------------------------------------------------------------- */
enum { LINE = 4096, NAME = 2 * LINE, MOST = 1 << 20 };

/* A tree of groups: version 2, or the cpu controller's of version 1. */
typedef struct {
  const char *root;
  const char *mount;       /* below root */
  bool        old;
} Groups;

/* Returns the number of whole processors for quota / period; 0 if the numbers set no limit. */
static int whole(double quota, double period)
{
  if (!(quota > 0 && period > 0)) return 0;
  double count = ceil(quota / period);
  return count < MOST ? (int)count : MOST;
}

/* Reads the first two numbers of a file.  Returns how many there are. */
static int numbers(const char *name, double n[2])
{
  FILE *f = fopen(name, "r");
  if (f == NULL) return 0;
  int count = fscanf(f, "%lf %lf", &n[0], &n[1]);
  fclose(f);
  return count > 0 ? count : 0;
}

static bool file_numbers(const Groups *groups, const char *group, const char *file, double n[2],
                         int count)
{
  char name[NAME + 64];
  snprintf(name, sizeof name, "%s%s%s/%s", groups->root, groups->mount, group, file);
  return numbers(name, n) >= count;
}

/* The limit of one group.  "max 100000" of version 2 and -1 of version 1 mean no limit. */
static int group_quota(const Groups *groups, const char *group)
{
  double both[2], period[2];
  if (!groups->old)
    return file_numbers(groups, group, "cpu.max", both, 2) ? whole(both[0], both[1]) : 0;
  if (!file_numbers(groups, group, "cpu.cfs_quota_us", both, 1)) return 0;
  return file_numbers(groups, group, "cpu.cfs_period_us", period, 1) ? whole(both[0], period[0])
                                                                     : 0;
}

static int smaller_quota(int a, int b) { return a == 0 || (b > 0 && b < a) ? b : a; }

/* The limit of a group and the groups around it.  In a container the path may be the host's; a file
   that does not exist sets no limit. */
static int path_quota(const Groups *groups, char *path)
{
  int least = 0;
  for (char *end = path + strlen(path); end >= path; end--) {
    if (*end != '/' && *end != '\0') continue;
    *end = '\0';
    least = smaller_quota(least, group_quota(groups, path));
  }
  return least;
}

/* Returns true if a list of controllers, such as "cpu,cpuacct", contains cpu. */
static bool lists_cpu(const char *from, const char *to)
{
  for (const char *end; from < to; from = end + 1) {
    end = memchr(from, ',', (size_t)(to - from));
    if (end == NULL) end = to;
    if (end - from == 3 && strncmp(from, "cpu", 3) == 0) return true;
  }
  return false;
}

/* A line of /proc/self/cgroup, "number:controllers:path"; none are listed for version 2. */
static int line_quota(const char *root, char *line)
{
  char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
  if (path == NULL) return 0;
  line[strcspn(line, "\n")] = '\0';
  bool old = path > controllers + 1;
  if (old && !lists_cpu(controllers + 1, path)) return 0;
  return path_quota(&(Groups){ root, old ? "/sys/fs/cgroup/cpu" : "/sys/fs/cgroup", old },
                    path + 1);
}

int processors_quota(const char *root)
{
  char name[NAME], line[LINE];
  int least = 0;
  snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
  FILE *f = fopen(name, "r");
  if (f == NULL) return 0;
  while (fgets(line, sizeof line, f)) least = smaller_quota(least, line_quota(root, line));
  fclose(f);
  return least;
}

/* --- the whole system ------------------------------------------------------------------------- */
int processors_open_load(const char *root)
{
  char name[NAME];
  snprintf(name, sizeof name, "%s/proc/loadavg", root);
  return open(name, O_RDONLY | O_CLOEXEC);
}

int processors_wanted(int file)
{
  char line[128];
  int count = 0;
  ssize_t bytes = file >= 0 ? pread(file, line, sizeof line - 1, 0) : 0;
  if (bytes <= 0) return 0;
  line[bytes] = '\0';
  return sscanf(line, "%*f %*f %*f %d/", &count) == 1 && count > 0 ? count : 0;
}

int processors_online(void)
{
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 && count < MOST ? (int)count : 1;
}

/* --- processors ------------------------------------------------------------------------------- */
#ifdef __linux__
/* Returns 0 if the system needs more room than that. */
static int affinity_of(int most)
{
  cpu_set_t *set = CPU_ALLOC((size_t)most);
  size_t bytes = CPU_ALLOC_SIZE((size_t)most);
  int count = set && sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
  CPU_FREE(set);
  return count;
}

static int affinity(void)
{
  for (int most = 1024; most <= MOST; most *= 4) {
    int count = affinity_of(most);
    if (count > 0) return count;
  }
  return 0;
}
#else
static int affinity(void) { return 0; }
#endif

/* The system's limit rarely changes while a process runs, and reading it takes ten files. */
static pthread_once_t asked = PTHREAD_ONCE_INIT;
static int allowed;

static void ask_system(void)
{
  int count = affinity(), quota = processors_quota("");
  if (count == 0) count = processors_online();
  if (quota > 0 && quota < count) count = quota;
  allowed = count > 0 ? count : 1;
}

/* The first of a list of numbers, as for levels of nested regions. */
static int threads_of_environment(void)
{
  const char *given = getenv("OMP_NUM_THREADS");
  char *end;
  if (given == NULL) return 0;
  long count = strtol(given, &end, 10);
  end += strspn(end, " \t");
  if (count <= 0 || (*end && *end != ',')) return 0;
  return (int)(count < POOL_MOST_THREADS ? count : POOL_MOST_THREADS);
}

int processors_usable(void)
{
  int count = threads_of_environment();
  if (count > 0) return count;
  pthread_once(&asked, ask_system);
  return allowed < POOL_MOST_THREADS ? allowed : POOL_MOST_THREADS;
}
