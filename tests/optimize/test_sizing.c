/* Costs of library cells in a gate's place: worked out by hand; and random problems, on the CPU, in
   the emulation and, where there is one, on a CUDA device, by each way of reduction. */
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/memory.h"
#include "device/device.h"
#include "device/families.h"
#include "tests/unit.h"

/* --- by hand ---------------------------------------------------------------------------------- */
/* Two cells with one input (port 0) and one output (port 1).  Tables of one slew and two loads, 0
   and 10 fF: the small cell has delay 10 + 2 load and slew 20 + 4 load, the large one 8 + load and
   16 + 2 load. */
static const float pool[] = { 0, 0, 10, 10, 30, /* delay of the small cell */
                              0, 0, 10, 20, 60, /* its slew */
                              0, 0, 10, 8,  18, /* delay of the large cell */
                              0, 0, 10, 16, 36 };
#define SMALL_ARC { 0, 5, 1, 2, 1, 2, 0 }
#define LARGE_ARC { 10, 15, 1, 2, 1, 2, 0 }
static const SizeArc arcs[] = { SMALL_ARC, SMALL_ARC, LARGE_ARC, LARGE_ARC };
static const SizeCell cells[] = { { 0, 0 }, { 1, 2 } };
static const SizePort ports[] = { { 1, 1e30f }, { 0, 6 }, { 2, 1e30f }, { 0, 12 } };
static const uint32_t candidates[] = { 0, 1 };
static const float own_costs[] = { 3, 5 };
/* At 5 fF: the small cell's delay is 20 and its slew 40, the large one's 13 and 26. */
static const SizeEdge edges[] = { { 0, 0, 0, 20, 0.5f, 0, 0 },
                                  { 0, 1, 0, 20, 0, 0, 0 } };
static const SizeNet nets[] = { { 1, 0, 0, 0, 5, 40, 0.1f, 1e30f, 1, 0 },
                                { 1, 0, 0, 0, 5, 40, 0, 30, 2, 0 } };
static const SizePin pins[] = { { 0, 1, 0.25f, 9, 9.5f } };
static const SizeGate gate = { 0, 2, 0, 0, 2, 0, 2, 0, 1 };

static SizeView by_hand(void)
{
  return (SizeView){ .gates = &gate, .edges = edges, .nets = nets, .pins = pins,
                     .candidates = candidates, .own_costs = own_costs, .cells = cells,
                     .arcs = arcs, .ports = ports, .pool = pool, .excess = { 0.01f, 4 },
                     .gate_count = 1, .segments = 4, .model = DELAY_LUMPED };
}

/* The small cell as it is: its own 3; the falling slew of 40 is 10 above its limit at 2 pins, 0.01
   each.  The large one: 5; 7 ps less at a weight of 0.5; 14 ps less slew at 0.1, and 26 meets the
   limit; 1 fF more at the input costs 0.25, and makes its net's load 0.5 fF too large at 4. */
static void test_by_hand(void)
{
  SizeView v = by_hand();
  CHECK_NEAR(size_cost(&v, &gate, 0), 3 + 2 * 0.01 * 10, 1e-5);
  CHECK_NEAR(size_cost(&v, &gate, 1), 5 - 0.5 * 7 - 0.1 * 14 + 0.25 + 4 * 0.5, 1e-5);
}

/* Loads above an output's limit: half for each edge of the output.  6.5 fF is 0.5 above the small
   cell's limit of 6. */
static void test_load_limit(void)
{
  SizeView v = by_hand();
  SizeNet heavy[2];
  memcpy(heavy, nets, sizeof heavy);
  heavy[0].load = heavy[1].load = 6.5f;
  float before = size_cost(&v, &gate, 0);
  v.nets = heavy;
  /* 3 ps more delay at 0.5, 6 ps more slew: at 0.1, and above the limit at 2 pins */
  CHECK_NEAR(size_cost(&v, &gate, 0) - before, 0.5 * 3 + 0.1 * 6 + 2 * 0.01 * 6 + 4 * 0.5, 1e-5);
  /* 0.3 of the 0.5 fF may stay at both edges, then 1 of 0.5 */
  heavy[0].kept_load = heavy[1].kept_load = 0.3f;
  CHECK_NEAR(size_cost(&v, &gate, 0) - before, 0.5 * 3 + 0.1 * 6 + 2 * 0.01 * 6 + 4 * 0.2, 1e-5);
  heavy[0].kept_load = heavy[1].kept_load = 1;
  CHECK_NEAR(size_cost(&v, &gate, 0) - before, 0.5 * 3 + 0.1 * 6 + 2 * 0.01 * 6, 1e-5);
}

/* 3 ps more delay, of which 1 is free: 2 ps at a late weight of 0.25. Less delay saves
   nothing. */
static void test_room(void)
{
  SizeView v = by_hand();
  SizeNet heavy[2];
  SizeEdge near[2];
  memcpy(heavy, nets, sizeof heavy);
  memcpy(near, edges, sizeof near);
  heavy[0].load = heavy[1].load = 6.5f;
  near[0].room = 1;
  near[0].late_weight = 0.25f;
  v.edges = near;
  CHECK_NEAR(size_cost(&v, &gate, 0), 3 + 2 * 0.01 * 10, 1e-5);
  CHECK_NEAR(size_cost(&v, &gate, 1), 5 - 0.5 * 7 - 0.1 * 14 + 0.25 + 4 * 0.5, 1e-5);
  v.nets = heavy;
  float with = size_cost(&v, &gate, 0);
  v.edges = edges;
  CHECK_NEAR(with - size_cost(&v, &gate, 0), 0.25 * 2, 1e-5);
}

static void test_key(void)
{
  static const float rising[] = { -1e30f, -2, -1e-30f, 0, 1e-30f, 0.5f, 3, 1e30f };
  for (int i = 0; i + 1 < 8; i++) CHECK(size_key(rising[i]) < size_key(rising[i + 1]));
  static const float costs[] = { 3, -1, 2, -1, 5 };
  CHECK(size_least(costs, 5) == 1);            /* the first of equals */
  CHECK(size_least(costs, 1) == 0);
}

/* --- random problems -------------------------------------------------------------------------- */
enum { GATES = 300, MOST_CANDIDATES = 41, CELLS = 50, EDGES = 5 };

typedef struct {
  unsigned seed;
  SizeView v;
  SizeGate gates[GATES];
  SizeEdge edges[GATES * EDGES];
  SizeNet  nets[2 * GATES];
  SizePin  pins[2 * GATES];
  uint32_t candidates[GATES * MOST_CANDIDATES], list[GATES];
  float    own_costs[GATES * MOST_CANDIDATES];
  SizeCell cells[CELLS];
  SizeArc  arcs[2 * CELLS * 2];
  SizePort ports[3 * CELLS];
  float    pool[8 * CELLS * 11];
  uint32_t candidate_count, floats;
} Random;

static float uniform(Random *random, float low, float high)
{
  return low + (high - low) * (float)rand_r(&random->seed) / (float)RAND_MAX;
}

/* Axes of two slews and three loads, values that rise with both. */
static uint32_t random_table(Random *random)
{
  uint32_t at = random->floats;
  const float axes[] = { 5, 100, 1, 10, 40 };
  float value = uniform(random, 1, 20), by_slew = uniform(random, 0, 0.3f),
        by_load = uniform(random, 0.1f, 3);
  for (int i = 0; i < 5; i++) random->pool[random->floats++] = axes[i];
  for (int i = 0; i < 2; i++)
    for (int j = 2; j < 5; j++)
      random->pool[random->floats++] = value + by_slew * axes[i] + by_load * axes[j];
  return at;
}

static void random_cells(Random *random)
{
  for (uint32_t c = 0; c < CELLS; c++) {
    random->cells[c] = (SizeCell){ 2 * c, 3 * c };
    for (uint32_t a = 4 * c; a < 4 * c + 4; a++) {
      uint32_t delay = random_table(random), slew = random_table(random);
      random->arcs[a] = (SizeArc){ delay, slew, 2, 3, 2, 3, 0 };
    }
    for (int p = 0; p < 3; p++)
      random->ports[3 * c + (uint32_t)p] =
          (SizePort){ uniform(random, 0.5f, 4), uniform(random, 5, 60) };
  }
}

static void random_gate(Random *random, uint32_t i)
{
  SizeGate *gate = &random->gates[i];
  *gate = (SizeGate){ .first_candidate = random->candidate_count,
                      .first_edge = EDGES * i,
                      .edge_count = EDGES,
                      .first_net = 2 * i,
                      .net_count = 2,
                      .first_pin = 2 * i,
                      .pin_count = 2 };
  gate->candidate_count = rand_r(&random->seed) % 10 < 7 ? 1 + rand_r(&random->seed) % 32
                                                         : 33 + rand_r(&random->seed) % 9;
  gate->now = rand_r(&random->seed) % gate->candidate_count;
  for (uint32_t c = 0; c < gate->candidate_count; c++) {
    random->candidates[random->candidate_count] = rand_r(&random->seed) % CELLS;
    random->own_costs[random->candidate_count++] = uniform(random, 0, 5);
  }
  for (uint32_t e = gate->first_edge; e < gate->first_edge + EDGES; e++)
    random->edges[e] = (SizeEdge){ rand_r(&random->seed) % 2,
                                   rand_r(&random->seed) % 2,
                                   uniform(random, 1, 150),
                                   uniform(random, 5, 90),
                                   rand_r(&random->seed) % 3 ? uniform(random, 0, 1) : 0,
                                   uniform(random, 0, 20),
                                   rand_r(&random->seed) % 3 ? uniform(random, 0, 1) : 0 };
  for (uint32_t n = gate->first_net; n < gate->first_net + 2; n++) {
    float c_far = uniform(random, 0, 30), c_near = uniform(random, 0, 20);
    random->nets[n] = (SizeNet){ 2,
                                 rand_r(&random->seed) % 4 ? c_far : 0,
                                 c_near,
                                 uniform(random, 0, 2),
                                 c_far + c_near,
                                 uniform(random, 5, 90),
                                 uniform(random, 0, 1),
                                 uniform(random, 20, 200),
                                 uniform(random, 1, 4),
                                 rand_r(&random->seed) % 3 ? 0 : uniform(random, 0, 5) };
  }
  for (uint32_t p = gate->first_pin; p < gate->first_pin + 2; p++)
    random->pins[p] = (SizePin){ p & 1, uniform(random, 0.5f, 4), uniform(random, 0, 2),
                                 uniform(random, 1, 50), uniform(random, 5, 60) };
}

static Random *random_problem(unsigned seed)
{
  Random *random = mem_alloc_zero(1, sizeof *random);
  random->seed = seed;
  random_cells(random);
  for (uint32_t i = 0; i < GATES; i++) random_gate(random, i);
  for (uint32_t i = 0; i < GATES; i++) random->list[i] = (i * 7 + 3) % GATES;
  static const Thresholds thresholds = { 0.5f, 0.2f, 0.8f, 1 };
  static const int no_ramps = 0;
  static const float ramps[64];
  random->v = (SizeView){ .gates = random->gates,
                          .edges = random->edges,
                          .nets = random->nets,
                          .pins = random->pins,
                          .candidates = random->candidates,
                          .own_costs = random->own_costs,
                          .cells = random->cells,
                          .arcs = random->arcs,
                          .ports = random->ports,
                          .pool = random->pool,
                          .ramps = ramps,
                          .thresholds = &thresholds,
                          .ramp_base = &no_ramps,
                          .excess = { 0.02f, 1 },
                          .gate_count = GATES,
                          .segments = 4,
                          .model = DELAY_LUMPED };
  return random;
}

static bool select_on(const Random *random, const DeviceOps *on, SizingReduction reduction,
                      int threads, SizeChosen *chosen)
{
  EngineOptions options = engine_options_preset();
  FamilyRun *run = family_open(&sizing_family, on, &options, threads);
  SizingArrays arrays = { random->v,      CELLS,     4 * CELLS, 3 * CELLS,
                          random->floats, 64,        1,         GATES,
                          EDGES * GATES,  2 * GATES, 2 * GATES, random->candidate_count };
  SizingSelect call = { random->list, GATES, reduction, chosen };
  bool good = family_run(run, SIZING_LIBRARY, &arrays) && family_run(run, SIZING_DESIGN, &arrays)
              && family_run(run, SIZING_SELECT, &call);
  family_close(run);
  return good;
}

/* The definition: the least of the costs, one by one. */
static void check_definition(const Random *random, const SizeChosen *chosen)
{
  for (uint32_t i = 0; i < GATES; i++) {
    const SizeGate *gate = &random->gates[random->list[i]];
    float least = size_cost(&random->v, gate, 0);
    uint32_t best = 0;
    for (uint32_t c = 1; c < gate->candidate_count; c++) {
      float cost = size_cost(&random->v, gate, c);
      if (cost < least) best = c, least = cost;
    }
    if (best != chosen[i].best) break;
    CHECK(chosen[i].gain == size_cost(&random->v, gate, gate->now) - least);
  }
}

static void check_engine(const Random *random, const DeviceOps *on, const SizeChosen *right)
{
  SizeChosen chosen[GATES];
  for (int way = SIZING_BY_LANE; way <= SIZING_BY_GROUP; way++) {
    memset(chosen, 0x55, sizeof chosen);
    CHECK(select_on(random, on, (SizingReduction)way, 1, chosen));
    CHECK(memcmp(chosen, right, sizeof chosen) == 0);
  }
}

static void test_random(void)
{
  char text[200];
  for (unsigned seed = 1; seed <= 5; seed++) {
    Random *random = random_problem(seed);
    SizeChosen right[GATES], shared[GATES];
    CHECK(select_on(random, NULL, SIZING_BY_LANE, 1, right));
    CHECK(select_on(random, NULL, SIZING_BY_LANE, 3, shared));
    CHECK(memcmp(right, shared, sizeof right) == 0);
    check_definition(random, right);
    check_engine(random, &emulated_device, right);
#ifdef HAVE_CUDA
    if (cuda_device.available(0, text, sizeof text)) check_engine(random, &cuda_device, right);
#endif
    (void)text;
    mem_free(random);
  }
}

void suite_sizing(void)
{
  CU_pSuite s = CU_add_suite("sizing", NULL, NULL);
  CU_add_test(s, "costs by hand", test_by_hand);
  CU_add_test(s, "limits of loads", test_load_limit);
  CU_add_test(s, "delay beyond an edge's room", test_room);
  CU_add_test(s, "order of costs", test_key);
  CU_add_test(s, "all engines choose the same", test_random);
}
