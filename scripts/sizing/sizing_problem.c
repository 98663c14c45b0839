/* Makes random problems for the benchmark of sizing: a library, drivers and their candidates. */
#include <math.h>

#include "base/memory.h"
#include "scripts/sizing/sizing_bench.h"
#include "timing/corner_libs.h"

enum {
  FAMILIES = 60, STRENGTHS = 14, FAMILY = 41, CELLS = FAMILIES * FAMILY,
  AXIS = 7, TABLE = 2 * AXIS + AXIS * AXIS, CELL_FLOATS = 4 * TABLE
};

struct ProblemMemory {
  Names      *names;
  LibrarySet *libs;
  CornerLibs *corner;
  SizeGate   *gates;
  SizeEdge   *edges;
  SizeNet    *nets;
  uint32_t   *candidates;
  float      *own_costs;
  SizeCell    cells[CELLS];
  SizeArc     arcs[2 * CELLS];
  SizePort    ports[2 * CELLS];
  float       pool[CELLS * CELL_FLOATS];
  float       leakage[CELLS];
};

/* splitmix64 */
static uint64_t next(uint64_t *seed)
{
  uint64_t x = *seed += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

static float uniform(uint64_t *seed, float low, float high)
{
  return low + (high - low) * (float)(next(seed) >> 40) * 0x1p-24f;
}

static uint32_t below(uint64_t *seed, uint32_t count) { return (uint32_t)(next(seed) % count); }

/* --- the library ------------------------------------------------------------------------------ */
/* A table over slews of 5 to 320 ps and loads in proportion to the strength: base + resistance x
   load + by_slew x slew, and a product that bends it. */
static void fill_table(float *t, float strength, float base, float resistance, float by_slew)
{
  float *axis1 = t, *axis2 = t + AXIS, *values = t + 2 * AXIS;
  for (int i = 0; i < AXIS; i++) {
    axis1[i] = 5 * (float)(1 << i);
    axis2[i] = 0.75f * strength * (float)(1 << i);
  }
  for (int i = 0; i < AXIS; i++)
    for (int j = 0; j < AXIS; j++)
      values[i * AXIS + j] = base + resistance * axis2[j] + by_slew * axis1[i]
                             + 1e-4f * resistance * axis2[j] * axis1[i];
}

/* Cells of a family: strength 1, 1.25, ... each in three threshold voltages. */
static void fill_cell(ProblemMemory *memory, uint32_t cell, float base, float resistance)
{
  static const float slower[] = { 1.25f, 1, 0.8f }, leaks[] = { 0.1f, 1, 9 };
  uint32_t in_family = cell % FAMILY, voltage = in_family % 3;
  float strength = powf(1.25f, (float)(in_family / 3)), r = slower[voltage] * resistance / strength;
  memory->cells[cell] = (SizeCell){ cell, 2 * cell };
  memory->ports[2 * cell] = (SizePort){ 0.6f * strength, 1e30f };
  memory->ports[2 * cell + 1] = (SizePort){ 0, 48 * strength };
  memory->leakage[cell] = leaks[voltage] * strength;
  for (uint32_t edge = 0; edge < 2; edge++) {
    uint32_t delay = cell * CELL_FLOATS + 2 * edge * TABLE, slew = delay + TABLE;
    float b = (edge ? 1 : 1.1f) * base * slower[voltage];
    fill_table(memory->pool + delay, strength, b, r, 0.12f);
    fill_table(memory->pool + slew, strength, 0.8f * b, 1.7f * r, 0.05f);
    memory->arcs[2 * cell + edge] = (SizeArc){ delay, slew, AXIS, AXIS, AXIS, AXIS, edge };
  }
}

static void fill_library(ProblemMemory *memory, uint64_t *seed)
{
  for (uint32_t f = 0; f < FAMILIES; f++) {
    float base = uniform(seed, 4, 16), resistance = uniform(seed, 3, 8);
    for (uint32_t c = 0; c < FAMILY; c++) fill_cell(memory, f * FAMILY + c, base, resistance);
  }
}

/* Thresholds and ramp tables, as the timer makes them for a library. */
static void fill_thresholds(ProblemMemory *memory)
{
  Library lib = { .slew_derate = 1 };
  for (int edge = 0; edge < 2; edge++) {
    lib.output_threshold[edge] = lib.input_threshold[edge] = 0.5f;
    lib.slew_lower[edge] = 0.1f;
    lib.slew_upper[edge] = 0.9f;
  }
  memory->names = names_new();
  memory->libs = library_set_new(memory->names);
  array_push(&memory->libs->libraries, lib);
  memory->corner = corner_libs_new(memory->libs, NULL);
}

/* --- drivers ---------------------------------------------------------------------------------- */
static uint32_t count_of(uint64_t *seed)
{
  return below(seed, 10) < 7 ? 1 + below(seed, 32) : 33 + below(seed, 9);
}

/* Neighbours in a family; doubled: each twice. */
static void fill_candidates(ProblemMemory *memory, const SizeGate *gate, bool doubled,
                            uint64_t *seed)
{
  uint32_t kinds = doubled ? (gate->candidate_count + 1) / 2 : gate->candidate_count;
  uint32_t first = below(seed, FAMILIES) * FAMILY + below(seed, FAMILY - kinds + 1);
  float price = uniform(seed, 0, 1);
  for (uint32_t i = 0; i < gate->candidate_count; i++) {
    uint32_t cell = first + (doubled ? i / 2 : i);
    memory->candidates[gate->first_candidate + i] = cell;
    memory->own_costs[gate->first_candidate + i] = price * memory->leakage[cell];
  }
}

static void fill_loads(ProblemMemory *memory, const SizeGate *gate, uint64_t *seed)
{
  float far = uniform(seed, 0, 20) * uniform(seed, 0, 4), near = uniform(seed, 0.5f, 10);
  for (uint32_t i = 0; i < gate->edge_count; i++)
    memory->edges[gate->first_edge + i] = (SizeEdge){ .net = i & 1,
                                                      .input_slew = uniform(seed, 3, 150),
                                                      .delay = uniform(seed, 5, 60),
                                                      .weight = uniform(seed, 0, 1) };
  for (uint32_t i = 0; i < gate->net_count; i++)
    memory->nets[gate->first_net + i] = (SizeNet){ .port = 1,
                                                   .c_far = far,
                                                   .c_near = near,
                                                   .r_pi = uniform(seed, 0.05f, 1.5f),
                                                   .load = far + near,
                                                   .slew = uniform(seed, 5, 90),
                                                   .slew_cost = uniform(seed, 0, 0.3f),
                                                   .slew_limit = 320,
                                                   .pins = 1 };
}

/* One of a doubled pair has an even number, and only it may be chosen. */
static void fill_drivers(Problem *problem, const ProblemOptions *options, uint64_t *seed)
{
  ProblemMemory *memory = problem->memory;
  uint32_t nets = options->edges < 2 ? 1 : 2, candidates = 0;
  for (uint32_t i = 0; i < options->drivers; i++) {
    memory->gates[i] = (SizeGate){ .first_candidate = candidates,
                                   .candidate_count = count_of(seed),
                                   .first_edge = i * options->edges,
                                   .edge_count = options->edges,
                                   .first_net = i * nets,
                                   .net_count = nets };
    candidates += memory->gates[i].candidate_count;
  }
  memory->candidates = mem_alloc(((size_t)candidates + 1) * sizeof *memory->candidates);
  memory->own_costs = mem_alloc(((size_t)candidates + 1) * sizeof *memory->own_costs);
  problem->a.candidates = candidates;
  for (uint32_t i = 0; i < options->drivers; i++) {
    bool doubled = below(seed, 16) == 0 && memory->gates[i].candidate_count > 1;
    memory->gates[i].now = below(seed, memory->gates[i].candidate_count);
    fill_candidates(memory, &memory->gates[i], doubled, seed);
    fill_loads(memory, &memory->gates[i], seed);
    problem->doubled += doubled;
  }
}

static void fill_arrays(Problem *problem, const ProblemOptions *options)
{
  ProblemMemory *memory = problem->memory;
  SizingArrays *arrays = &problem->a;
  arrays->view = (SizeView){ .gates = memory->gates,
                             .edges = memory->edges,
                             .nets = memory->nets,
                             .candidates = memory->candidates,
                             .own_costs = memory->own_costs,
                             .cells = memory->cells,
                             .arcs = memory->arcs,
                             .ports = memory->ports,
                             .pool = memory->pool,
                             .ramps = memory->corner->ramps.at,
                             .thresholds = memory->corner->thresholds,
                             .ramp_base = memory->corner->ramp_base,
                             .excess = { 0.5f, 2 },
                             .gate_count = options->drivers,
                             .segments = AXIS - 1,
                             .model = options->model };
  arrays->cells = CELLS;
  arrays->arcs = arrays->ports = 2 * CELLS;
  arrays->floats = CELLS * CELL_FLOATS;
  arrays->ramps = memory->corner->ramps.len;
  arrays->thresholds = 2;
  arrays->gates = options->drivers;
  arrays->edges = options->drivers * options->edges;
  arrays->nets = options->drivers * (options->edges < 2 ? 1 : 2);
}

Problem problem_new(const ProblemOptions *options)
{
  Problem p = { .memory = mem_alloc_zero(1, sizeof *p.memory) };
  uint64_t seed = options->seed;
  p.memory->gates = mem_alloc(((size_t)options->drivers + 1) * sizeof *p.memory->gates);
  p.memory->edges =
      mem_alloc(((size_t)options->drivers + 1) * options->edges * sizeof *p.memory->edges);
  p.memory->nets = mem_alloc(((size_t)options->drivers + 1) * 2 * sizeof *p.memory->nets);
  fill_library(p.memory, &seed);
  fill_thresholds(p.memory);
  fill_drivers(&p, options, &seed);
  fill_arrays(&p, options);
  return p;
}

void problem_free(Problem *problem)
{
  ProblemMemory *memory = problem->memory;
  corner_libs_free(memory->corner);
  library_set_free(memory->libs);
  names_free(memory->names);
  mem_free(memory->gates);
  mem_free(memory->edges);
  mem_free(memory->nets);
  mem_free(memory->candidates);
  mem_free(memory->own_costs);
  mem_free(memory);
}

uint32_t problem_first_equal(const Problem *problem, uint32_t gate, uint32_t candidate)
{
  const SizeGate *size_gate = &problem->a.view.gates[gate];
  const uint32_t *cells = problem->a.view.candidates + size_gate->first_candidate;
  uint32_t first = 0;
  while (cells[first] != cells[candidate]) first++;
  return first;
}
