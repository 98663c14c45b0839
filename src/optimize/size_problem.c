/* Makes the gates, candidates and library cells of a sizing problem. */
#include "optimize/size_scene.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "query/constraint.h"

#define REACH_SPANS 10              /* of the first pass */

/* --- the library ------------------------------------------------------------------------------ */
static void put_table(const LibrarySet *libs, TableId id, uint32_t *at, uint8_t *n1, uint8_t *n2)
{
  *at = SIZE_NONE;
  *n1 = *n2 = 0;
  if (id == NO_TABLE) return;
  *at = libs->tables.at[id].first;
  *n1 = (uint8_t)libs->tables.at[id].n1;
  *n2 = (uint8_t)libs->tables.at[id].n2;
}

static void put_arcs(SizeProblem *problem, const CornerLibs *libs, int el, CellId id)
{
  const LibCell *cell = &libs->libs->cells.at[id];
  for (uint32_t i = 0; i < cell->arc_count; i++) {
    LibArcId own = libs->arc_for[el][cell->first_arc + i];
    const LibArc *arc = &libs->libs->arcs.at[own];
    for (int edge = RISE; edge <= FALL; edge++) {
      SizeArc a = { .thresholds = corner_libs_thresholds_of(libs, own, edge) };
      put_table(libs->libs, arc->delay[edge], &a.delay, &a.delay_n1, &a.delay_n2);
      put_table(libs->libs, arc->slew[edge], &a.slew, &a.slew_n1, &a.slew_n2);
      array_push(&problem->arcs, a);
    }
  }
}

static float given(float own, float library)
{
  float x = isnan(own) ? library : own;
  return isnan(x) ? SIZE_NO_LIMIT : x;
}

/* Of a cell that the netlist names and no library has there is no limit. */
static float library_max_cap(const LibrarySet *libs, LibraryId library)
{
  return library == NO_LIBRARY ? NAN : libs->libraries.at[library].default_max_cap;
}

static void put_ports(SizeProblem *problem, const CornerLibs *libs, CellId id)
{
  const LibCell *cell = &libs->libs->cells.at[libs->cell_for[LATE][id]];
  float library_limit = library_max_cap(libs->libs, cell->library);
  for (uint32_t i = 0; i < libs->libs->cells.at[id].port_count; i++) {
    const Cond4 *cap = &libs->port_cap[libs->libs->cells.at[id].first_port + i];
    float worst = fmaxf(cap->v[condition_of(LATE, RISE)], cap->v[condition_of(LATE, FALL)]);
    float limit = i < cell->port_count
                      ? given(libs->libs->ports.at[cell->first_port + i].max_cap, library_limit)
                      : SIZE_NO_LIMIT;
    array_push(&problem->ports, (SizePort){ worst, limit });
  }
}

/* The arcs of an analysis and the ports of a scenario stand behind those of the scenarios before,
   in the same order. So a cell's own begin as far from there in all of them. */
static void put_scene_cells(SizeProblem *problem, SizeScene *scene)
{
  const CornerLibs *libs = scene->t->corner_libs;
  for (int el = LATE; el >= EARLY; el--) {
    scene->first_arc[el] = problem->arcs.len / 2;
    for (CellId id = 0; id < libs->libs->cells.len && (el == LATE || problem->costs.hold > 0); id++)
      put_arcs(problem, libs, el, id);
  }
  scene->first_port = problem->ports.len;
  for (CellId id = 0; id < libs->libs->cells.len; id++) put_ports(problem, libs, id);
}

static void put_cells(SizeProblem *problem)
{
  const LibrarySet *libs = problem->scenes[0].t->corner_libs->libs;
  uint32_t arcs = 0, ports = 0;
  for (CellId id = 0; id < libs->cells.len; id++) {
    array_push(&problem->cells, (SizeCell){ arcs, ports });
    arcs += libs->cells.at[id].arc_count;
    ports += libs->cells.at[id].port_count;
  }
  for (uint32_t k = 0; k < problem->scene_count; k++) put_scene_cells(problem, &problem->scenes[k]);
}

static double area_of(const LibrarySet *libs, CellId id)
{
  return isnan(libs->cells.at[id].area) ? 0 : libs->cells.at[id].area;
}

/* --- gates ------------------------------------------------------------------------------------ */
/* In a scenario: all pins have a slot of their own, outputs within the limit, and nothing goes in
   and out. */
static bool has_plain_pins(const Graph *g, const Inst *in)
{
  uint32_t outputs = 0;
  for (PinId pin = in->first_pin; pin < in->first_pin + in->pin_count; pin++) {
    Slot s = g->slots.of_pin[pin];
    if (s == NO_SLOT || g->slots.flags[s] & SLOT_BIDIRECTIONAL) return false;
    outputs += slot_is_driver(g, s);
  }
  return outputs > 0 && outputs <= SIZE_OUTPUTS;
}

static bool may_be_sized(const LibCell *cell)
{
  return cell->arc_count > 0 && cell->sequential_count == 0
         && !(cell->flags & (CELL_BLACK_BOX | CELL_CLOCK_GATE | CELL_STATETABLE));
}

static bool is_plain(const SizeProblem *problem, const Inst *in)
{
  for (uint32_t k = 0; k < problem->scene_count; k++)
    if (!has_plain_pins(problem->scenes[k].t->g, in)) return false;
  return true;
}

static CellRange others_of(SizeProblem *problem, CellId cell, const EditRules *rules)
{
  const AlternativeOptions options = { false, false };
  CellRange *range = &problem->others_of.at[cell];
  if (range->count != SIZE_NONE) return *range;
  CellArray found = { 0 };
  alternatives_of(size_graph(problem)->libs, rules, cell, &options, &found, NULL);
  *range = (CellRange){ problem->others.len, found.len };
  for (uint32_t i = 0; i < found.len; i++) array_push(&problem->others, found.at[i]);
  array_free(&found);
  return *range;
}

static void put_candidate(SizeProblem *problem, SizeGate *gate, InstId id, CellId cell)
{
  double area = area_of(size_graph(problem)->libs, cell);
  double leakage = leakage_with(problem->leakage, id, cell);
  double own = problem->costs.leakage * leakage + problem->costs.area * area;
  array_push(&problem->candidates, cell);
  array_push(&problem->leakages, (float)leakage);
  array_push(&problem->own_costs, (float)own);
  array_push(&problem->areas, (float)area);
  gate->candidate_count++;
}

/* Can the cell take an instance's place in all graphs as they are? */
static bool may_swap(const SizeChoice *choice, InstId id, CellId cell)
{
  for (uint32_t k = 0; k < choice->graph_count; k++)
    if (!graph_may_swap_cell(choice->graphs[k], id, cell)) return false;
  return true;
}

/* The present cell, then those by name that can replace it in the graph as it is. */
static void put_candidates(SizeProblem *problem, SizeGate *gate, InstId id,
                           const SizeChoice *choice)
{
  CellId own = size_graph(problem)->netlist->insts.at[id].master;
  CellRange others = others_of(problem, own, choice->rules);
  put_candidate(problem, gate, id, own);
  for (uint32_t i = others.first; i < others.first + others.count; i++)
    if (may_swap(choice, id, problem->others.at[i]))
      put_candidate(problem, gate, id, problem->others.at[i]);
  problem->other_graph += others.count > 0 && gate->candidate_count == 1;
}

static void drop_candidates(SizeProblem *problem, const SizeGate *gate)
{
  problem->candidates.len = problem->own_costs.len = problem->leakages.len = problem->areas.len =
      gate->first_candidate;
}

/* Timing edges that end at an output, in all views. */
static uint32_t count_edges(const SizeProblem *problem, PinId out)
{
  uint32_t count = 0;
  for (uint32_t k = 0; k < problem->scene_count; k++) {
    const Graph *g = problem->scenes[k].t->g;
    Slot driver = graph_slot(g, out, true);
    count += g->arcs.edge_first[g->arcs.first[driver + 1]]
             - g->arcs.edge_first[g->arcs.first[driver]];
  }
  return count * (problem->costs.hold > 0 ? 2 : 1);
}

static void put_out(SizeProblem *problem, PinId pin)
{
  array_push(&problem->outs, pin);
  uint32_t edges = count_edges(problem, pin);
  array_resize(&problem->edges, problem->edges.len + edges);
}

/* The least and the greatest capacitance that the candidates have at an input. */
static void put_in(SizeProblem *problem, SizeGate *gate, PinId pin, uint32_t port)
{
  float least = SIZE_NO_LIMIT, most = 0;
  for (uint32_t i = gate->first_candidate; i < problem->candidates.len; i++) {
    float cap =
        problem->ports.at[problem->cells.at[problem->candidates.at[i]].first_port + port].cap;
    least = fminf(least, cap);
    most = fmaxf(most, cap);
  }
  array_push(&problem->ins, pin);
  array_push(&problem->pins, (SizePin){ .port = port });
  array_push(&problem->rooms, (PinRoom){ 0, 0, 0 });
  array_push(&problem->least_caps, least);
  array_push(&problem->most_caps, most);
  gate->pin_count++;
}

/* A gate has room for the nets of as many views as can count at once. */
static void put_nets(SizeProblem *problem, uint32_t outs)
{
  uint32_t views = problem->scene_count * (problem->costs.hold > 0 ? 2 : 1);
  for (uint32_t i = 0; i < 2 * outs * views && i < 2 * SIZE_OUTPUTS; i++)
    array_push(&problem->nets, (SizeNet){ 0 });
}

/* False: no other cell can replace it. */
static bool put_gate(SizeProblem *problem, InstId id, const SizeChoice *choice)
{
  const Graph *g = size_graph(problem);
  const Inst *in = &g->netlist->insts.at[id];
  const LibCell *cell = &g->libs->cells.at[in->master];
  SizeGate gate = { .first_candidate = problem->candidates.len,
                    .first_edge = problem->edges.len,
                    .first_net = problem->nets.len,
                    .first_pin = problem->pins.len };
  put_candidates(problem, &gate, id, choice);
  if (gate.candidate_count == 1) {
    drop_candidates(problem, &gate);
    return false;
  }
  array_push(&problem->first_outs, problem->outs.len);
  for (PinId pin = in->first_pin; pin < in->first_pin + in->pin_count; pin++)
    if (slot_is_driver(g, g->slots.of_pin[pin])) put_out(problem, pin);
    else put_in(problem, &gate, pin, g->netlist->pins.at[pin].port - cell->first_port);
  put_nets(problem, problem->outs.len - problem->first_outs.at[problem->first_outs.len - 1]);
  array_push(&problem->insts, id);
  array_push(&problem->most_gains, 0);
  array_push(&problem->gates, gate);
  return true;
}

static void put_inst(SizeProblem *problem, InstId id, const SizeChoice *choice)
{
  const Graph *g = size_graph(problem);
  const Inst *in = &g->netlist->insts.at[id];
  if (!choice->may_change(choice->data, id)) {
    problem->left_cells++;
    return;
  }
  bool may = may_be_sized(&g->libs->cells.at[in->master]) && is_plain(problem, in);
  if (!may || !put_gate(problem, id, choice)) problem->fixed_cells++;
}

static void put_gates(SizeProblem *problem, const SizeChoice *choice)
{
  const Netlist *n = size_graph(problem)->netlist;
  for (InstId id = 0; id < n->insts.len && !interrupt_seen(); id++)
    if (inst_is_there(n, id)) put_inst(problem, id, choice);
  array_push(&problem->first_outs, problem->outs.len);
}

static void put_leakages(SizeProblem *problem)
{
  const Netlist *n = size_graph(problem)->netlist;
  problem->leakage_of = mem_alloc_zero((size_t)n->insts.len + 1, sizeof *problem->leakage_of);
  for (InstId id = 0; id < n->insts.len; id++)
    if (inst_is_there(n, id)) problem->leakage_of[id] = (float)leakage_of(problem->leakage, id);
}

/* --- numbers ---------------------------------------------------------------------------------- */
static void put_slew_limit(void *data, const Constraint *constraint)
{
  SizeScene *scene = data;
  const Graph *g = scene->t->g;
  Slot slot = graph_slot(g, constraint->pin, true);
  if (slot == NO_SLOT || !slot_is_driver(g, slot)) slot = g->slots.of_pin[constraint->pin];
  if (slot != NO_SLOT) scene->slew_limits[slot] = (float)constraint->required;
}

static void fill_limits(SizeScene *scene)
{
  ConstraintQuery q = { .kinds = 1u << CONSTRAINT_MAX_SLEW };
  for (Slot i = 0; i < scene->t->g->slots.count; i++) scene->slew_limits[i] = SIZE_NO_LIMIT;
  query_constraints(scene->t, &q, put_slew_limit, scene);
}

void size_problem_time(SizeProblem *problem, const Timing *const *timings)
{
  for (uint32_t k = 0; k < problem->scene_count; k++) problem->scenes[k].t = timings[k];
}

void size_problem_fill(SizeProblem *problem, float smooth)
{
  if (!problem->filled) problem->reach = REACH_SPANS * smooth;
  for (uint32_t k = 0; k < problem->scene_count; k++) {
    size_weigh(problem, &problem->scenes[k], LATE, smooth);
    if (problem->costs.hold > 0) size_weigh(problem, &problem->scenes[k], EARLY, smooth);
    size_fill_drivers(problem, &problem->scenes[k]);
  }
  size_fill_gates(problem);
  problem->filled = true;
}

void size_problem_price(SizeProblem *problem, double area_price)
{
  float more = (float)(area_price - problem->area_price);
  for (uint32_t i = 0; i < problem->own_costs.len; i++)
    problem->own_costs.at[i] += more * problem->areas.at[i];
  problem->area_price = area_price;
}

/* Returns the sum over the gates of what the present cells have, over the sum of the means of the
   candidates; 1 if they have nothing. values: beside candidates. */
static double present_share(const SizeProblem *problem, const float *values)
{
  double present = 0, mean = 0;
  for (uint32_t i = 0; i < problem->gates.len; i++) {
    const SizeGate *gate = &problem->gates.at[i];
    double sum = 0;
    for (uint32_t c = 0; c < gate->candidate_count; c++) sum += values[gate->first_candidate + c];
    present += values[gate->first_candidate + gate->now];
    mean += sum / gate->candidate_count;
  }
  return present > 0 && mean > 0 ? present / mean : 1;
}

void size_problem_scale(SizeProblem *problem, float delay)
{
  problem->costs.time /= delay;
  problem->costs.hold /= delay;
  problem->costs.leakage *= present_share(problem, problem->leakages.at);
  problem->costs.area *= present_share(problem, problem->areas.at);
  for (uint32_t i = 0; i < problem->own_costs.len; i++)
    problem->own_costs.at[i] =
        (float)(problem->costs.leakage * problem->leakages.at[i]
                + (problem->costs.area + problem->area_price) * problem->areas.at[i]);
}

/* The bits of positive floats are in the order of the floats. */
static uint32_t bits_of(float x)
{
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Finds the bucket with an element of a rank. Takes the elements before it off the rank. */
static uint32_t bucket_of(const uint32_t *counts, uint32_t *rank)
{
  uint32_t i = 0;
  for (; *rank >= counts[i]; i++) *rank -= counts[i];
  return i;
}

/* Returns the number that would be at place `rank` if all positive numbers were sorted. They are
   counted by the upper halves of their bits, and those of one upper half by the lower ones. */
static float of_rank(const float *at, uint32_t count, uint32_t rank)
{
  uint32_t *counts = mem_alloc_zero(1u << 16, sizeof *counts);
  for (uint32_t i = 0; i < count; i++) counts[bits_of(at[i]) >> 16]++;
  uint32_t upper = bucket_of(counts, &rank);
  memset(counts, 0, sizeof *counts << 16);
  for (uint32_t i = 0; i < count; i++)
    if (bits_of(at[i]) >> 16 == upper) counts[bits_of(at[i]) & 0xffff]++;
  uint32_t bits = upper << 16 | bucket_of(counts, &rank);
  mem_free(counts);
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

float size_middle_delay(const SizeProblem *problem)
{
  const Graph *g = size_graph(problem);
  ARRAY(float) delays = { 0 };
  for (uint32_t i = 0; i < problem->outs.len; i++) {
    Slot driver = graph_slot(g, problem->outs.at[i], true);
    for (uint32_t e = g->arcs.edge_first[g->arcs.first[driver]];
         e < g->arcs.edge_first[g->arcs.first[driver + 1]]; e++) {
      float delay = problem->scenes[0].t->edge_delay[e].v[LATE];
      if (delay > 0 && !time_absent(delay)) array_push(&delays, delay);
    }
  }
  float middle = delays.len ? of_rank(delays.at, delays.len, delays.len / 2) : 1;
  array_free(&delays);
  return middle;
}

/* --- life ------------------------------------------------------------------------------------- */
static float *zeros(uint32_t count) { return mem_alloc_zero((size_t)count + 1, sizeof(float)); }

static void open_scene(SizeScene *scene, const Timing *t, bool hold)
{
  const Graph *g = t->g;
  scene->t = t;
  scene->weights = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *scene->weights);
  scene->edge_weights[LATE] = zeros(g->arcs.edge_count);
  if (hold) scene->edge_weights[EARLY] = zeros(g->arcs.edge_count);
  scene->edge_parts = zeros(g->arcs.edge_count);
  scene->edge_slews = zeros(g->arcs.edge_count);
  scene->edge_rooms = zeros(g->arcs.edge_count);
  scene->rooms = mem_alloc(((size_t)g->slots.count + 1) * sizeof *scene->rooms);
  scene->slew_limits = zeros(g->slots.count);
  scene->kept_loads = zeros(g->nets.driver_count);
  scene->drivers = mem_alloc(((size_t)g->nets.driver_count + 1) * sizeof *scene->drivers);
  fill_limits(scene);
}

static void close_scene(SizeScene *scene)
{
  array_free(&scene->multipliers[EARLY]);
  array_free(&scene->multipliers[LATE]);
  array_free(&scene->targets);
  array_free(&scene->floors);
  mem_free(scene->weights);
  mem_free(scene->edge_weights[EARLY]);
  mem_free(scene->edge_weights[LATE]);
  mem_free(scene->edge_parts);
  mem_free(scene->edge_slews);
  mem_free(scene->edge_rooms);
  mem_free(scene->rooms);
  mem_free(scene->slew_limits);
  mem_free(scene->kept_loads);
  mem_free(scene->drivers);
}

SizeProblem *size_problem_new(const Timing *const *timings, uint32_t count, const SizeCosts *costs,
                              const SizeChoice *choice, Leakage *leakage, int threads)
{
  SizeProblem *problem = mem_alloc_zero(1, sizeof *problem);
  problem->costs = *costs;
  problem->leakage = leakage;
  problem->threads = threads;
  problem->scene_count = count;
  problem->scenes = mem_alloc_zero(count, sizeof *problem->scenes);
  for (uint32_t k = 0; k < count; k++) open_scene(&problem->scenes[k], timings[k], costs->hold > 0);
  for (CellId c = 0; c < size_graph(problem)->libs->cells.len; c++)
    array_push(&problem->others_of, (CellRange){ 0, SIZE_NONE });
  put_cells(problem);
  put_gates(problem, choice);
  put_leakages(problem);
  return problem;
}

void size_problem_free(SizeProblem *problem)
{
  for (uint32_t k = 0; k < problem->scene_count; k++) close_scene(&problem->scenes[k]);
  mem_free(problem->scenes);
  array_free(&problem->others);
  array_free(&problem->others_of);
  array_free(&problem->insts);
  array_free(&problem->gates);
  array_free(&problem->candidates);
  array_free(&problem->own_costs);
  array_free(&problem->leakages);
  mem_free(problem->leakage_of);
  array_free(&problem->areas);
  array_free(&problem->edges);
  array_free(&problem->first_outs);
  array_free(&problem->outs);
  array_free(&problem->nets);
  array_free(&problem->ins);
  array_free(&problem->pins);
  array_free(&problem->rooms);
  array_free(&problem->least_caps);
  array_free(&problem->most_caps);
  array_free(&problem->most_gains);
  array_free(&problem->cells);
  array_free(&problem->arcs);
  array_free(&problem->ports);
  mem_free(problem);
}

SizeView size_problem_view(const SizeProblem *problem)
{
  const CornerLibs *libs = problem->scenes[0].t->corner_libs;
  return (SizeView){ .gates = problem->gates.at,
                     .edges = problem->edges.at,
                     .nets = problem->nets.at,
                     .pins = problem->pins.at,
                     .candidates = problem->candidates.at,
                     .own_costs = problem->own_costs.at,
                     .cells = problem->cells.at,
                     .arcs = problem->arcs.at,
                     .ports = problem->ports.at,
                     .pool = libs->libs->pool.at,
                     .ramps = libs->ramps.at,
                     .thresholds = libs->thresholds,
                     .ramp_base = libs->ramp_base,
                     .excess = { (float)problem->costs.slew, (float)problem->costs.load },
                     .gate_count = problem->gates.len,
                     .segments = libs->row_segments,
                     .model = (uint8_t)problem->scenes[0].t->delay_model };
}

double size_area(const Graph *g)
{
  double area = 0;
  for (InstId i = 0; i < g->netlist->insts.len; i++)
    if (inst_is_there(g->netlist, i)) area += area_of(g->libs, g->netlist->insts.at[i].master);
  return area;
}
