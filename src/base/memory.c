/* Heap allocation that never returns NULL, growable arrays, and the memory that the system still
   has: its own figure, and the limits of control groups and of the process. */
#include "base/memory.h"
#include "base/pool.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#ifdef __linux__
#include <malloc.h>
#endif

static void abort_when_full(size_t bytes)
{
  fprintf(stderr, "slackline: out of memory (%zu bytes asked for)\n", bytes);
  abort();
}

/* Process-wide by nature, as the heap is. */
static MemoryFull when_full = abort_when_full;

/* The defaults of glibc are 128 KiB for both, and rise to 64 and 32 MiB as large arrays are freed.
   32 MiB is the most that it takes for the second one. */
enum { KEPT_MOST = 256 << 20, MAPPED_LEAST = 32 << 20 };

void mem_keep_freed(void)
{
#ifdef M_TRIM_THRESHOLD
  mallopt(M_TRIM_THRESHOLD, KEPT_MOST);
  mallopt(M_MMAP_THRESHOLD, MAPPED_LEAST);
#endif
}

void mem_on_full(MemoryFull handler) { when_full = handler ? handler : abort_when_full; }

static void *checked(void *p, size_t bytes)
{
  if (p == NULL) {
    when_full(bytes);
    abort();
  }
  return p;
}

/* Large arrays in large pages, where the system has them on demand: to touch a million small ones
   takes longer than to fill them, and a look-up anywhere in them does not wait for the address of
   its page. */
enum { LARGE_PAGE = 2 << 20, LARGE_ARRAY = 4 * LARGE_PAGE };

static void *in_large_pages(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  uintptr_t first = ((uintptr_t)p + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE,
            end = ((uintptr_t)p + bytes) / LARGE_PAGE * LARGE_PAGE;
  if (p && bytes >= LARGE_ARRAY && end > first) madvise((void *)first, end - first, MADV_HUGEPAGE);
#else
  (void)bytes;
#endif
  return p;
}

void *mem_alloc(size_t bytes)
{
  return checked(in_large_pages(malloc(bytes ? bytes : 1), bytes), bytes);
}

void *mem_alloc_zero(size_t count, size_t size)
{
  if (size && count > SIZE_MAX / size) checked(NULL, SIZE_MAX);
  return checked(in_large_pages(calloc(count ? count : 1, size ? size : 1), count * size),
                 count * size);
}

enum { SMALL_PAGE = 4096 };

static void touch_share(void *p, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  volatile char *at = p;
  (void)step;
  (void)thread;
  for (size_t i = from; i < to; i++) at[i * SMALL_PAGE] = at[i * SMALL_PAGE];
}

void mem_touch(void *p, size_t bytes, int threads)
{
  pool_items((uint32_t)((bytes + SMALL_PAGE - 1) / SMALL_PAGE), 300, threads, touch_share, p);
}

/* realloc moves an array before large pages can be requested for its new place. So a large array
   that grows is copied to new memory, for which they are requested first. */
void *mem_resize(void *old, size_t bytes)
{
  if (old == NULL) return mem_alloc(bytes);
#ifdef __linux__
  size_t have = bytes >= LARGE_ARRAY ? malloc_usable_size(old) : bytes;
  if (have < bytes) {
    void *p = mem_alloc(bytes);
    memcpy(p, old, have);
    free(old);
    return p;
  }
#endif
  return checked(realloc(old, bytes ? bytes : 1), bytes);
}

void mem_free(void *p) { free(p); }

char *mem_text(const char *text, size_t length)
{
  char *copy = mem_alloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

size_t mem_peak(void)
{
  struct rusage use;
  if (getrusage(RUSAGE_SELF, &use) != 0) return 0;
  return (size_t)use.ru_maxrss * 1024;
}

/* The number behind a word in a file of the system's; SIZE_MAX when there is none. */
static size_t system_number(const char *file, const char *word)
{
  char line[160];
  unsigned long long n;
  size_t found = SIZE_MAX, length = strlen(word);
  FILE *f = fopen(file, "r");
  if (f == NULL) return SIZE_MAX;
  while (found == SIZE_MAX && fgets(line, sizeof line, f))
    if (strncmp(line, word, length) == 0 && sscanf(line + length, "%llu", &n) == 1)
      found = (size_t)n;
  fclose(f);
  return found;
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Returns how much of a limit is left; SIZE_MAX: no limit. */
static size_t left_of(size_t most, size_t used)
{
  if (most == SIZE_MAX || used == SIZE_MAX) return SIZE_MAX;
  return most > used ? most - used : 0;
}

/* The smallest rest among the limits of a control group and of all groups around it. */
static size_t left_of_groups(void)
{
  char line[2048], file[4096];
  size_t left = SIZE_MAX;
  FILE *f = fopen("/proc/self/cgroup", "r");
  bool found = false;
  while (f && !found && fgets(line, sizeof line, f)) found = strncmp(line, "0::/", 4) == 0;
  if (f) fclose(f);
  if (!found) strcpy(line, "0::/");
  for (char *path = line + 3, *end = path + strcspn(path, "\n"); end >= path; end--) {
    if (*end != '/' && *end != '\n' && *end != '\0') continue;
    *end = '\0';
    snprintf(file, sizeof file, "/sys/fs/cgroup%s/memory.max", path);
    size_t most = system_number(file, "");
    snprintf(file, sizeof file, "/sys/fs/cgroup%s/memory.current", path);
    left = smaller(left, left_of(most, system_number(file, "")));
  }
  return left;
}

/* The rest of the process's own limit (ulimit -v). */
static size_t left_of_process(void)
{
  struct rlimit limit;
  size_t used = system_number("/proc/self/status", "VmSize:");
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || used == SIZE_MAX)
    return SIZE_MAX;
  return left_of(limit.rlim_cur, used * 1024);
}

size_t mem_available(void)
{
  size_t free = system_number("/proc/meminfo", "MemAvailable:");
  if (free != SIZE_MAX) free *= 1024;
  return smaller(free, smaller(left_of_groups(), left_of_process()));
}

void *array_grow(void *at, uint32_t *cap, uint64_t need, size_t size)
{
  if (need > UINT32_MAX) checked(NULL, SIZE_MAX);
  uint64_t grown = *cap < 8 ? 8 : (uint64_t)*cap + *cap / 2;
  if (grown < need) grown = need;
  if (grown > UINT32_MAX) grown = UINT32_MAX;
  at = mem_resize(at, (size_t)grown * size);
  *cap = (uint32_t)grown;
  return at;
}
