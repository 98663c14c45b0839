/* Levels of random graphs: the host's and the devices' beside what the definition says
   (graph/levels.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/memory.h"
#include "update/backend.h"
#include "tests/unit.h"

/* Drivers first; their nets, of which some have several; loads of each net; arcs from loads, some
   from drivers. */
typedef struct {
  LevelInput in;
  uint32_t   driver_count;
  LevelArc  *arcs;
  uint32_t  *driver_first, *load_first, *net_drivers, *net_loads;
} Random;

static uint32_t below(unsigned *seed, uint32_t n) { return (uint32_t)rand_r(seed) % n; }

static void random_nets(Random *random, unsigned *seed, uint32_t loads)
{
  LevelInput *in = &random->in;
  uint32_t driver = 0, load = 0;
  for (uint32_t net = 0; net < in->net_count; net++) {
    random->driver_first[net] = driver;
    random->load_first[net] = load;
    uint32_t drivers = below(seed, 10) ? 1 : below(seed, 4),
             many = below(seed, 20) ? below(seed, 4) : below(seed, 200);
    for (; drivers && driver < random->driver_count; drivers--, driver++)
      random->net_drivers[driver] = driver;
    for (; many && load < loads; many--, load++)
      random->net_loads[load] = random->driver_count + load;
  }
  random->driver_first[in->net_count] = driver;
  random->load_first[in->net_count] = load;
}

/* Most from lower to higher ranks of drivers, where a load has its net's; with loops a few the
   other way. */
static void random_arcs(Random *random, unsigned *seed, bool loops)
{
  uint32_t *rank = mem_alloc_zero(random->in.vertex_count, sizeof *rank);
  for (uint32_t d = 0; d < random->driver_count; d++) rank[d] = below(seed, random->driver_count);
  for (uint32_t net = 0; net < random->in.net_count; net++)
    for (uint32_t l = random->load_first[net]; l < random->load_first[net + 1]; l++)
      for (uint32_t d = random->driver_first[net]; d < random->driver_first[net + 1]; d++)
        if (rank[random->net_drivers[d]] > rank[random->net_loads[l]])
          rank[random->net_loads[l]] = rank[random->net_drivers[d]];
  uint32_t kept = 0;
  for (uint32_t a = 0; a < random->in.arc_count; a++) {
    LevelArc arc = { below(seed, random->in.vertex_count), below(seed, random->driver_count) };
    bool rises = rank[arc.from] < rank[arc.to];
    if (rises || (loops && below(seed, 300) == 0)) random->arcs[kept++] = arc;
  }
  random->in.arc_count = kept;
  mem_free(rank);
}

static Random *random_new(unsigned seed, uint32_t drivers, uint32_t arcs, bool loops)
{
  Random *random = mem_alloc_zero(1, sizeof *random);
  uint32_t loads = 2 * drivers, nets = drivers;
  random->driver_count = drivers;
  random->arcs = mem_alloc(sizeof *random->arcs * (arcs + 1));
  random->driver_first = mem_alloc(sizeof(uint32_t) * (nets + 1));
  random->load_first = mem_alloc(sizeof(uint32_t) * (nets + 1));
  random->net_drivers = mem_alloc(sizeof(uint32_t) * (drivers + 1));
  random->net_loads = mem_alloc(sizeof(uint32_t) * (loads + 1));
  random->in = (LevelInput){ .vertex_count = drivers + loads,
                             .arc_count = arcs,
                             .net_count = nets,
                             .arcs = random->arcs,
                             .driver_first = random->driver_first,
                             .load_first = random->load_first,
                             .net_drivers = random->net_drivers,
                             .net_loads = random->net_loads };
  random_nets(random, &seed, loads);
  random_arcs(random, &seed, loops);
  return random;
}

static void random_free(Random *random)
{
  void *arrays[] = { random->arcs, random->driver_first, random->load_first, random->net_drivers,
                     random->net_loads };
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) mem_free(arrays[i]);
  mem_free(random);
}

/* --- the definition, until nothing changes ---------------------------------------------------- */
static bool raise_to(uint32_t *level, uint32_t at, uint32_t least)
{
  if (level[at] >= least) return false;
  level[at] = least;
  return true;
}

static bool raise_all(const LevelInput *in, uint32_t *level)
{
  bool raised = false;
  for (uint32_t a = 0; a < in->arc_count; a++)
    raised |= raise_to(level, in->arcs[a].to, level[in->arcs[a].from] + 1);
  for (uint32_t net = 0; net < in->net_count; net++)
    for (uint32_t d = in->driver_first[net]; d < in->driver_first[net + 1]; d++)
      for (uint32_t l = in->load_first[net]; l < in->load_first[net + 1]; l++)
        raised |= raise_to(level, in->net_loads[l], level[in->net_drivers[d]]);
  return raised;
}

/* What is on a loop or behind one rises for ever: past the number of vertices it has no level. */
static void define(const LevelInput *in, uint32_t *level)
{
  memset(level, 0, sizeof *level * in->vertex_count);
  bool raised = true;
  for (uint32_t round = 0; raised && round < 2 * in->vertex_count + 2; round++)
    raised = raise_all(in, level);
  for (uint32_t v = 0; v < in->vertex_count; v++)
    if (level[v] > in->vertex_count) level[v] = NO_LEVEL;
}

/* --- tests ------------------------------------------------------------------------------------ */
typedef ARRAY(const Backend *) Backends;

static Backends devices(void)
{
  Backends b = { 0 };
  Text what = { 0 };
  array_push(&b, &emulated_backend);
#ifdef HAVE_CUDA
  if (cuda_backend.available(0, &what)) array_push(&b, &cuda_backend);
#endif
  text_free(&what);
  return b;
}

static bool all_say(const LevelInput *in, const Backends *backends, const uint32_t *right)
{
  uint32_t *level = mem_alloc(sizeof *level * (in->vertex_count + 1));
  EngineOptions options = engine_options_preset();
  Text why = { 0 };
  levels_find(in, level);
  bool same = memcmp(level, right, sizeof *level * in->vertex_count) == 0;
  for (uint32_t i = 0; i < backends->len; i++) {
    memset(level, 0x55, sizeof *level * in->vertex_count);
    same &= backends->at[i]->levels(&options, in, level, &why)
            && memcmp(level, right, sizeof *level * in->vertex_count) == 0;
  }
  mem_free(level);
  text_free(&why);
  return same;
}

/* How many vertices have no level. */
static uint32_t check_random(unsigned seed, uint32_t drivers, bool loops)
{
  Backends b = devices();
  Random *random = random_new(seed, drivers, 3 * drivers, loops);
  uint32_t *right = mem_alloc(sizeof *right * (random->in.vertex_count + 1)), none = 0;
  define(&random->in, right);
  CHECK(all_say(&random->in, &b, right));
  for (uint32_t v = 0; v < random->in.vertex_count; v++) none += right[v] == NO_LEVEL;
  mem_free(right);
  random_free(random);
  array_free(&b);
  return none;
}

static void test_random(void)
{
  uint32_t none = 0;
  for (unsigned seed = 1; seed <= 30; seed++) CHECK(check_random(seed, 5 + 20 * seed, false) == 0);
  for (unsigned seed = 1; seed <= 30; seed++) none += check_random(seed, 5 + 20 * seed, true);
  CHECK(none > 0);
}

static void test_reversed(void)
{
  setenv("SLACKLINE_EMULATED", "reversed", 1);
  test_random();
  unsetenv("SLACKLINE_EMULATED");
}

/* Frontiers of many more vertices than a kernel has lanes. */
static void test_large(void)
{
  Backends b = devices();
  Random *random = random_new(7, 400000, 900000, false);
  uint32_t *right = mem_alloc(sizeof *right * random->in.vertex_count);
  levels_find(&random->in, right);
  CHECK(all_say(&random->in, &b, right));
  mem_free(right);
  random_free(random);
  array_free(&b);
}

static void test_fails(void)
{
  EngineOptions options = engine_options_preset();
  Random *random = random_new(1, 50, 100, false);
  uint32_t *level = mem_alloc(sizeof *level * random->in.vertex_count);
  static const char *const faults[][2] = { { "fail=levels", "levels" },
                                           { "lost=1", "levels" },
                                           { "memory=1000", "needs" } };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    Text why = { 0 };
    setenv("SLACKLINE_EMULATED", faults[i][0], 1);
    CHECK(!emulated_backend.levels(&options, &random->in, level, &why)
          && strstr(text_get(&why), faults[i][1]) != NULL);
    text_free(&why);
  }
  unsetenv("SLACKLINE_EMULATED");
  mem_free(level);
  random_free(random);
}

void suite_levels(void)
{
  CU_pSuite s = CU_add_suite("device/levels", NULL, NULL);
  CU_add_test(s, "random graphs", test_random);
  CU_add_test(s, "each kernel from its end", test_reversed);
  CU_add_test(s, "many vertices", test_large);
  CU_add_test(s, "a device that fails", test_fails);
}
