/* The published choice of library cells and the ways beside it (device/device_libcell.h): answers
   worked out by hand, and random problems beside the definition, on every engine. */
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/memory.h"
#include "device/device.h"
#include "device/device_libcell.h"
#include "tests/unit.h"

FAMILY_KERNELS(libcell);
static const Family libcell_family = FAMILY_ROW(libcell, NULL);

/* --- every way on every engine ---------------------------------------------------------------- */
enum { MOST_ENGINES = 2 };

static uint32_t engines(const DeviceOps *on[MOST_ENGINES])
{
  char text[200];
  on[0] = &emulated_device;
#ifdef HAVE_CUDA
  if (cuda_device.available(0, text, sizeof text)) {
    on[1] = &cuda_device;
    return 2;
  }
#endif
  (void)text;
  return 1;
}

typedef struct {
  SizingArrays a;
  const float *keys;                 /* [candidates], or NULL */
  const SizeChosen *right;           /* [gates] */
} Case;

static bool choose(FamilyRun *run, const Case *the_case, LibcellCost cost, LibcellWay way,
                   uint32_t repeats, SizeChosen *chosen)
{
  uint32_t few;
  LibcellDriver *drivers = libcell_drivers(&the_case->a, &few);
  uint32_t *owners = libcell_owners(&the_case->a);
  LibcellDesign design = { the_case->a, drivers, few, way < LIBCELL_FUSED_WARP ? owners : NULL,
                           the_case->keys };
  LibcellSelect select = { .cost = cost, .way = way, .repeats = repeats, .chosen = chosen };
  memset(chosen, 0x55, the_case->a.gates * sizeof *chosen);
  bool done = family_run(run, LIBCELL_DESIGN, &design) && family_run(run, LIBCELL_SELECT, &select);
  if (repeats) CHECK(select.all > 0 && (select.update > 0) == (cost && way < LIBCELL_FUSED_WARP));
  mem_free(drivers);
  mem_free(owners);
  return done;
}

static void check_ways(const Case *the_case, const DeviceOps *on, LibcellCost cost)
{
  EngineOptions options = engine_options_preset();
  FamilyRun *run = family_open(&libcell_family, on, &options, 1);
  SizeChosen *chosen = mem_alloc(the_case->a.gates * sizeof *chosen);
  CHECK(family_run(run, LIBCELL_LIBRARY, (void *)&the_case->a));
  for (int way = LIBCELL_BY_LANE; way <= LIBCELL_FUSED_GROUP; way++) {
    CHECK(choose(run, the_case, cost, (LibcellWay)way, way % 3, chosen));
    CHECK(memcmp(chosen, the_case->right, the_case->a.gates * sizeof *chosen) == 0);
  }
  mem_free(chosen);
  family_close(run);
}

static void check_case(const Case *the_case)
{
  const DeviceOps *on[MOST_ENGINES];
  for (uint32_t i = 0, n = engines(on); i < n; i++)
    for (int cost = the_case->keys ? LIBCELL_KEYS : LIBCELL_MODEL;
         cost <= (the_case->keys ? LIBCELL_KEYS : LIBCELL_CELLS); cost++)
      check_ways(the_case, on[i], (LibcellCost)cost);
}

static void check_both_orders(const Case *the_case)
{
  check_case(the_case);
  setenv("SLACKLINE_EMULATED", "reversed", 1);
  check_case(the_case);
  unsetenv("SLACKLINE_EMULATED");
}

/* --- by hand ---------------------------------------------------------------------------------- */
/* A: a delay of 10 and 1 for each fF; B: of 5 and 2 for each fF; C: as A, and the axes of its slews
   are others, so that its tables form no grid. */
enum { A, B, C };
static const float pool[] = { 0, 10, 0, 10, 10, 20, 10, 20,      /* A */
                              0, 10, 0, 10, 5,  25, 5,  25,      /* B */
                              0, 10, 0, 10, 7,  7,  7,  7,       /* slews */
                              0, 10, 0, 20, 7,  7,  7,  7 };
#define ARC(delay, slew) { delay, slew, 2, 2, 2, 2, 0 }
static const SizeArc arcs[] = { ARC(0, 16),  ARC(0, 16), ARC(8, 16),
                                ARC(8, 16), ARC(0, 24), ARC(0, 24) };
static const SizeCell cells[] = { { 0, 0 }, { 1, 0 }, { 2, 0 } };
static const SizePort ports[] = { { 0, 1e30f } };
static const Thresholds thresholds = { 0.5f, 0.2f, 0.8f, 1 };
static const float ramps[64];
static const int ramp_base;

/* Five drivers with 2, 3, 1, 41 and 9 candidates, and loads of 2, 8, 8, 8 and 5 fF. With 2 fF A has
   12 ps and B 9, with 8 fF A and C 18 and B 21, and with 5 fF all have 15. The edges rise, but
   those of drivers 1 and 4 fall. */
enum { HAND_GATES = 5, HAND_CANDIDATES = 56 };
static const uint32_t hand_counts[] = { 2, 3, 1, 41, 9 }, hand_now[] = { 0, 1, 0, 2, 5 };
static const float hand_loads[] = { 2, 8, 8, 8, 5 };
static const SizeChosen hand_right[] = { { 1, 3 }, { 0, 3 }, { 0, 0 }, { 33, 3 }, { 0, 0 } };

typedef struct {
  SizeGate gates[HAND_GATES];
  SizeEdge edges[HAND_GATES];
  SizeNet  nets[2 * HAND_GATES];
  uint32_t candidates[HAND_CANDIDATES];
  float    own_costs[HAND_CANDIDATES];
} Hand;

static uint32_t hand_cell(uint32_t gate, uint32_t i)
{
  if (gate == 2) return B;
  if (gate == 3) return i == 33 ? C : i == 40 ? A : B;
  return i % 3;
}

static Case by_hand(Hand *hand)
{
  uint32_t n = 0;
  memset(hand, 0, sizeof *hand);
  for (uint32_t i = 0; i < HAND_GATES; i++) {
    uint32_t net = i == 1 || i == 4;
    hand->gates[i] = (SizeGate){ .first_candidate = n,
                                 .candidate_count = hand_counts[i],
                                 .now = hand_now[i],
                                 .first_edge = i,
                                 .edge_count = 1,
                                 .first_net = 2 * i,
                                 .net_count = 2 };
    hand->edges[i] = (SizeEdge){ .net = net, .input_slew = 5, .delay = 10, .weight = 1 };
    hand->nets[2 * i + net] = (SizeNet){ .load = hand_loads[i], .slew_limit = 1e30f };
    for (uint32_t c = 0; c < hand_counts[i]; c++) hand->candidates[n++] = hand_cell(i, c);
  }
  CHECK(n == HAND_CANDIDATES);
  SizeView v = { .gates = hand->gates,
                 .edges = hand->edges,
                 .nets = hand->nets,
                 .candidates = hand->candidates,
                 .own_costs = hand->own_costs,
                 .cells = cells,
                 .arcs = arcs,
                 .ports = ports,
                 .pool = pool,
                 .ramps = ramps,
                 .thresholds = &thresholds,
                 .ramp_base = &ramp_base,
                 .gate_count = HAND_GATES,
                 .segments = 1,
                 .model = DELAY_LUMPED };
  return (Case){ { v, 3, 6, 1, sizeof pool / sizeof *pool, 64, 1, HAND_GATES, HAND_GATES,
                   2 * HAND_GATES, 0, HAND_CANDIDATES },
                 NULL, hand_right };
}

static void test_by_hand(void)
{
  Hand h;
  Case c = by_hand(&h);
  check_both_orders(&c);
}

/* Those with at most 8 candidates come first, then 9 to 16, and so on. */
static void test_drivers(void)
{
  Hand h;
  Case c = by_hand(&h);
  uint32_t few, *owners = libcell_owners(&c.a);
  LibcellDriver *driver = libcell_drivers(&c.a, &few);
  static const uint32_t order[] = { 0, 1, 2, 4, 3 };
  CHECK(few == 3);
  for (uint32_t i = 0; i < HAND_GATES; i++) {
    CHECK(driver[i].gate == order[i]);
    CHECK(driver[i].count == hand_counts[order[i]] && driver[i].now == hand_now[order[i]]);
  }
  CHECK(driver[3].first == 47 && driver[4].first == 6);
  CHECK(owners[0] == 0 && owners[1] == 0 && owners[2] == 1 && owners[5] == 2 && owners[6] == 3
        && owners[46] == 3 && owners[47] == 4 && owners[55] == 4);
  mem_free(driver);
  mem_free(owners);
}

/* Costs that are given. -0 is before 0, and negative costs are before both. */
static void test_keys(void)
{
  Hand h;
  Case c = by_hand(&h);
  static const SizeChosen right[] = { { 1, 0 }, { 2, 9 }, { 0, 0 }, { 32, 4 }, { 3, 2 } };
  float keys[HAND_CANDIDATES] = { 0, -0.0f, -1, 5, -4, 7 };
  for (int i = 6; i < 47; i++) keys[i] = 4;
  keys[6 + 32] = keys[6 + 40] = 0;
  for (int i = 0; i < 9; i++) keys[47 + i] = i == 3 || i == 4 ? -1 : 1;
  c.keys = keys;
  c.right = right;
  check_both_orders(&c);
}

/* --- random problems -------------------------------------------------------------------------- */
enum { CELLS = 60, GATES = 700, MOST = 41, EDGES = 3, TABLE = 18 + 81 };

typedef struct {
  unsigned seed;
  SizeGate gates[GATES];
  SizeEdge edges[GATES * EDGES];
  SizeNet  nets[2 * GATES];
  uint32_t candidates[GATES * MOST];
  float    own_costs[GATES * MOST], keys[GATES * MOST];
  SizeCell cells[CELLS];
  SizeArc  arcs[2 * CELLS];
  SizePort ports[CELLS];
  float    pool[4 * CELLS * TABLE];
  SizeChosen right[GATES];
  uint32_t count, floats;
} Random;

static float uniform(Random *random, float low, float high)
{
  return low + (high - low) * (float)rand_r(&random->seed) / (float)RAND_MAX;
}

/* Axes of up to 9 points, one more than a grid has. */
static uint32_t random_table(Random *random, uint8_t n1, uint8_t n2, const float *axes)
{
  uint32_t at = random->floats;
  for (int i = 0; i < n1 + n2; i++) random->pool[random->floats++] = axes[i];
  for (int i = 0; i < n1 * n2; i++) random->pool[random->floats++] = uniform(random, -2, 60);
  return at;
}

static void random_axes(Random *random, uint8_t n1, uint8_t n2, float *axes)
{
  for (int i = 0; i < n1 + n2; i++)
    axes[i] = (i == 0 || i == n1 ? 0 : axes[i - 1]) + (float)(1 + rand_r(&random->seed) % 20);
}

static void random_cells(Random *random)
{
  float axes[18];
  for (uint32_t c = 0; c < CELLS; c++) {
    random->cells[c] = (SizeCell){ c, c };
    random->ports[c] = (SizePort){ 1, uniform(random, 20, 90) };
    for (uint32_t a = 2 * c; a < 2 * c + 2; a++) {
      uint8_t n1 = (uint8_t)(1 + rand_r(&random->seed) % 9),
              n2 = (uint8_t)(1 + rand_r(&random->seed) % 9);
      random_axes(random, n1, n2, axes);
      uint32_t delay = random_table(random, n1, n2, axes);
      random->arcs[a] = (SizeArc){ delay, random_table(random, n1, n2, axes), n1, n2, n1, n2, 0 };
    }
  }
  random->arcs[3].delay = SIZE_NONE;
}

/* Costs of so few different values that most drivers have several best candidates. */
static void random_gate(Random *random, uint32_t i)
{
  SizeGate *gate = &random->gates[i];
  *gate = (SizeGate){ .first_candidate = random->count,
                      .first_edge = EDGES * i,
                      .edge_count = EDGES,
                      .first_net = 2 * i,
                      .net_count = 2 };
  gate->candidate_count = rand_r(&random->seed) % 10 < 7 ? 1 + rand_r(&random->seed) % 32
                                                         : 33 + rand_r(&random->seed) % 9;
  gate->now = rand_r(&random->seed) % gate->candidate_count;
  for (uint32_t c = 0; c < gate->candidate_count; c++, random->count++) {
    random->candidates[random->count] = rand_r(&random->seed) % CELLS;
    random->own_costs[random->count] = (float)(rand_r(&random->seed) % 3);
    random->keys[random->count] = (float)(rand_r(&random->seed) % 7) - 3;
  }
  for (uint32_t e = gate->first_edge; e < gate->first_edge + EDGES; e++)
    random->edges[e] = (SizeEdge){ .net = rand_r(&random->seed) % 2,
                                   .input_slew = uniform(random, 0, 200),
                                   .delay = uniform(random, 0, 40),
                                   .weight = uniform(random, 0, 1) };
  for (uint32_t n = gate->first_net; n < gate->first_net + 2; n++)
    random->nets[n] = (SizeNet){ .load = uniform(random, 0, 120),
                                 .slew = uniform(random, 0, 60),
                                 .slew_cost = uniform(random, 0, 1),
                                 .slew_limit = 40,
                                 .pins = 2 };
}

static Case random_case(Random *random, unsigned seed)
{
  memset(random, 0, sizeof *random);
  random->seed = seed;
  random_cells(random);
  for (uint32_t i = 0; i < GATES; i++) random_gate(random, i);
  SizeView v = { .gates = random->gates,
                 .edges = random->edges,
                 .nets = random->nets,
                 .candidates = random->candidates,
                 .own_costs = random->own_costs,
                 .cells = random->cells,
                 .arcs = random->arcs,
                 .ports = random->ports,
                 .pool = random->pool,
                 .ramps = ramps,
                 .thresholds = &thresholds,
                 .ramp_base = &ramp_base,
                 .excess = { 0.5f, 2 },
                 .gate_count = GATES,
                 .segments = 8,
                 .model = DELAY_LUMPED };
  return (Case){ { v, CELLS, 2 * CELLS, CELLS, random->floats, 64, 1, GATES, GATES * EDGES,
                   2 * GATES, 0, random->count },
                 NULL,
                 random->right };
}

/* The definition: costs one by one, and the first least. */
static void choose_by_definition(Random *random, const Case *the_case)
{
  float costs[MOST];
  for (uint32_t i = 0; i < GATES; i++) {
    const SizeGate *gate = &random->gates[i];
    for (uint32_t k = 0; k < gate->candidate_count; k++)
      costs[k] = the_case->keys ? the_case->keys[gate->first_candidate + k]
                                : size_cost(&the_case->a.view, gate, k);
    uint32_t best = size_least(costs, gate->candidate_count);
    random->right[i] = (SizeChosen){ best, costs[gate->now] - costs[best] };
  }
}

static void test_random(void)
{
  Random *random = mem_alloc(sizeof *random);
  for (unsigned seed = 1; seed <= 3; seed++) {
    Case c = random_case(random, seed);
    choose_by_definition(random, &c);
    check_both_orders(&c);
    c.keys = random->keys;
    choose_by_definition(random, &c);
    check_both_orders(&c);
  }
  mem_free(random);
}

static void test_read(void)
{
  const DeviceOps *on[MOST_ENGINES];
  EngineOptions options = engine_options_preset();
  for (uint32_t i = 0, n = engines(on); i < n; i++) {
    FamilyRun *run = family_open(&libcell_family, on[i], &options, 1);
    LibcellRead read = { 1 << 20, 3, 0 };
    CHECK(family_run(run, LIBCELL_READ, &read));
    CHECK(read.seconds > 0);
    family_close(run);
  }
}

void suite_libcell(void)
{
  CU_pSuite s = CU_add_suite("device/libcell", NULL, NULL);
  CU_add_test(s, "choices by hand", test_by_hand);
  CU_add_test(s, "order of drivers", test_drivers);
  CU_add_test(s, "costs that are given", test_keys);
  CU_add_test(s, "random problems", test_random);
  CU_add_test(s, "reading memory", test_read);
}
