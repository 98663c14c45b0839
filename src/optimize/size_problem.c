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

static void put_arcs(SizeProblem *p, const CornerLibs *m, int el, CellId id)
{
  const LibCell *cell = &m->libs->cells.at[id];
  for (uint32_t i = 0; i < cell->arc_count; i++) {
    LibArcId own = m->arc_for[el][cell->first_arc + i];
    const LibArc *arc = &m->libs->arcs.at[own];
    for (int edge = RISE; edge <= FALL; edge++) {
      SizeArc a = { .thresholds = corner_libs_thresholds_of(m, own, edge) };
      put_table(m->libs, arc->delay[edge], &a.delay, &a.delay_n1, &a.delay_n2);
      put_table(m->libs, arc->slew[edge], &a.slew, &a.slew_n1, &a.slew_n2);
      array_push(&p->arcs, a);
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

static void put_ports(SizeProblem *p, const CornerLibs *m, CellId id)
{
  const LibCell *cell = &m->libs->cells.at[m->cell_for[LATE][id]];
  float library_limit = library_max_cap(m->libs, cell->library);
  for (uint32_t i = 0; i < m->libs->cells.at[id].port_count; i++) {
    const Cond4 *cap = &m->port_cap[m->libs->cells.at[id].first_port + i];
    float worst = fmaxf(cap->v[condition_of(LATE, RISE)], cap->v[condition_of(LATE, FALL)]);
    float limit = i < cell->port_count
                      ? given(m->libs->ports.at[cell->first_port + i].max_cap,
                              library_limit)
                      : SIZE_NO_LIMIT;
    array_push(&p->ports, (SizePort){ worst, limit });
  }
}

/* The arcs of an analysis and the ports of a scenario stand behind those of the scenarios before,
   in the same order. So a cell's own begin as far from there in all of them. */
static void put_scene_cells(SizeProblem *p, SizeScene *s)
{
  const CornerLibs *m = s->t->corner_libs;
  for (int el = LATE; el >= EARLY; el--) {
    s->first_arc[el] = p->arcs.len / 2;
    for (CellId id = 0; id < m->libs->cells.len && (el == LATE || p->costs.hold > 0); id++)
      put_arcs(p, m, el, id);
  }
  s->first_port = p->ports.len;
  for (CellId id = 0; id < m->libs->cells.len; id++) put_ports(p, m, id);
}

static void put_cells(SizeProblem *p)
{
  const LibrarySet *libs = p->scenes[0].t->corner_libs->libs;
  uint32_t arcs = 0, ports = 0;
  for (CellId id = 0; id < libs->cells.len; id++) {
    array_push(&p->cells, (SizeCell){ arcs, ports });
    arcs += libs->cells.at[id].arc_count;
    ports += libs->cells.at[id].port_count;
  }
  for (uint32_t k = 0; k < p->scene_count; k++) put_scene_cells(p, &p->scenes[k]);
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

static bool may_be_sized(const LibCell *c)
{
  return c->arc_count > 0 && c->sequential_count == 0
         && !(c->flags & (CELL_BLACK_BOX | CELL_CLOCK_GATE | CELL_STATETABLE));
}

static bool is_plain(const SizeProblem *p, const Inst *in)
{
  for (uint32_t k = 0; k < p->scene_count; k++)
    if (!has_plain_pins(p->scenes[k].t->g, in)) return false;
  return true;
}

static CellRange others_of(SizeProblem *p, CellId cell, const EditRules *rules)
{
  const AlternativeOptions options = { false, false };
  CellRange *r = &p->others_of.at[cell];
  if (r->count != SIZE_NONE) return *r;
  CellArray found = { 0 };
  alternatives_of(size_graph(p)->libs, rules, cell, &options, &found, NULL);
  *r = (CellRange){ p->others.len, found.len };
  for (uint32_t i = 0; i < found.len; i++) array_push(&p->others, found.at[i]);
  array_free(&found);
  return *r;
}

static void put_candidate(SizeProblem *p, SizeGate *gate, InstId id, CellId cell)
{
  double area = area_of(size_graph(p)->libs, cell);
  double leakage = leakage_with(p->leakage, id, cell);
  double own = p->costs.leakage * leakage + p->costs.area * area;
  array_push(&p->candidates, cell);
  array_push(&p->leakages, (float)leakage);
  array_push(&p->own_costs, (float)own);
  array_push(&p->areas, (float)area);
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
static void put_candidates(SizeProblem *p, SizeGate *gate, InstId id, const SizeChoice *choice)
{
  CellId own = size_graph(p)->netlist->insts.at[id].master;
  CellRange others = others_of(p, own, choice->rules);
  put_candidate(p, gate, id, own);
  for (uint32_t i = others.first; i < others.first + others.count; i++)
    if (may_swap(choice, id, p->others.at[i]))
      put_candidate(p, gate, id, p->others.at[i]);
  p->other_graph += others.count > 0 && gate->candidate_count == 1;
}

static void drop_candidates(SizeProblem *p, const SizeGate *gate)
{
  p->candidates.len = p->own_costs.len = p->leakages.len = p->areas.len = gate->first_candidate;
}

/* Timing edges that end at an output, in all views. */
static uint32_t count_edges(const SizeProblem *p, PinId out)
{
  uint32_t count = 0;
  for (uint32_t k = 0; k < p->scene_count; k++) {
    const Graph *g = p->scenes[k].t->g;
    Slot driver = graph_slot(g, out, true);
    count += g->arcs.edge_first[g->arcs.first[driver + 1]]
             - g->arcs.edge_first[g->arcs.first[driver]];
  }
  return count * (p->costs.hold > 0 ? 2 : 1);
}

static void put_out(SizeProblem *p, PinId pin)
{
  array_push(&p->outs, pin);
  uint32_t edges = count_edges(p, pin);
  array_resize(&p->edges, p->edges.len + edges);
}

/* The least and the greatest capacitance that the candidates have at an input. */
static void put_in(SizeProblem *p, SizeGate *gate, PinId pin, uint32_t port)
{
  float least = SIZE_NO_LIMIT, most = 0;
  for (uint32_t i = gate->first_candidate; i < p->candidates.len; i++) {
    float cap = p->ports.at[p->cells.at[p->candidates.at[i]].first_port + port].cap;
    least = fminf(least, cap);
    most = fmaxf(most, cap);
  }
  array_push(&p->ins, pin);
  array_push(&p->pins, (SizePin){ .port = port });
  array_push(&p->rooms, (PinRoom){ 0, 0, 0 });
  array_push(&p->least_caps, least);
  array_push(&p->most_caps, most);
  gate->pin_count++;
}

/* A gate has room for the nets of as many views as can count at once. */
static void put_nets(SizeProblem *p, uint32_t outs)
{
  uint32_t views = p->scene_count * (p->costs.hold > 0 ? 2 : 1);
  for (uint32_t i = 0; i < 2 * outs * views && i < 2 * SIZE_OUTPUTS; i++)
    array_push(&p->nets, (SizeNet){ 0 });
}

/* False: no other cell can replace it. */
static bool put_gate(SizeProblem *p, InstId id, const SizeChoice *choice)
{
  const Graph *g = size_graph(p);
  const Inst *in = &g->netlist->insts.at[id];
  const LibCell *cell = &g->libs->cells.at[in->master];
  SizeGate gate = { .first_candidate = p->candidates.len, .first_edge = p->edges.len,
                    .first_net = p->nets.len, .first_pin = p->pins.len };
  put_candidates(p, &gate, id, choice);
  if (gate.candidate_count == 1) {
    drop_candidates(p, &gate);
    return false;
  }
  array_push(&p->first_outs, p->outs.len);
  for (PinId pin = in->first_pin; pin < in->first_pin + in->pin_count; pin++)
    if (slot_is_driver(g, g->slots.of_pin[pin])) put_out(p, pin);
    else put_in(p, &gate, pin, g->netlist->pins.at[pin].port - cell->first_port);
  put_nets(p, p->outs.len - p->first_outs.at[p->first_outs.len - 1]);
  array_push(&p->insts, id);
  array_push(&p->most_gains, 0);
  array_push(&p->gates, gate);
  return true;
}

static void put_inst(SizeProblem *p, InstId id, const SizeChoice *choice)
{
  const Graph *g = size_graph(p);
  const Inst *in = &g->netlist->insts.at[id];
  if (!choice->may_change(choice->data, id)) {
    p->left_cells++;
    return;
  }
  bool may = may_be_sized(&g->libs->cells.at[in->master]) && is_plain(p, in);
  if (!may || !put_gate(p, id, choice)) p->fixed_cells++;
}

static void put_gates(SizeProblem *p, const SizeChoice *choice)
{
  const Netlist *n = size_graph(p)->netlist;
  for (InstId id = 0; id < n->insts.len && !interrupt_seen(); id++)
    if (inst_is_there(n, id)) put_inst(p, id, choice);
  array_push(&p->first_outs, p->outs.len);
}

static void put_leakages(SizeProblem *p)
{
  const Netlist *n = size_graph(p)->netlist;
  p->leakage_of = mem_alloc_zero((size_t)n->insts.len + 1, sizeof *p->leakage_of);
  for (InstId id = 0; id < n->insts.len; id++)
    if (inst_is_there(n, id)) p->leakage_of[id] = (float)leakage_of(p->leakage, id);
}

/* --- numbers ---------------------------------------------------------------------------------- */
static void put_slew_limit(void *data, const Constraint *c)
{
  SizeScene *s = data;
  const Graph *g = s->t->g;
  Slot slot = graph_slot(g, c->pin, true);
  if (slot == NO_SLOT || !slot_is_driver(g, slot)) slot = g->slots.of_pin[c->pin];
  if (slot != NO_SLOT) s->slew_limits[slot] = (float)c->required;
}

static void fill_limits(SizeScene *s)
{
  ConstraintQuery q = { .kinds = 1u << CONSTRAINT_MAX_SLEW };
  for (Slot i = 0; i < s->t->g->slots.count; i++) s->slew_limits[i] = SIZE_NO_LIMIT;
  query_constraints(s->t, &q, put_slew_limit, s);
}

void size_problem_time(SizeProblem *p, const Timing *const *timings)
{
  for (uint32_t k = 0; k < p->scene_count; k++) p->scenes[k].t = timings[k];
}

void size_problem_fill(SizeProblem *p, float smooth)
{
  if (!p->filled) p->reach = REACH_SPANS * smooth;
  for (uint32_t k = 0; k < p->scene_count; k++) {
    size_weigh(p, &p->scenes[k], LATE, smooth);
    if (p->costs.hold > 0) size_weigh(p, &p->scenes[k], EARLY, smooth);
    size_fill_drivers(p, &p->scenes[k]);
  }
  size_fill_gates(p);
  p->filled = true;
}

void size_problem_price(SizeProblem *p, double area_price)
{
  float more = (float)(area_price - p->area_price);
  for (uint32_t i = 0; i < p->own_costs.len; i++) p->own_costs.at[i] += more * p->areas.at[i];
  p->area_price = area_price;
}

/* Returns the sum over the gates of what the present cells have, over the sum of the means of the
   candidates; 1 if they have nothing. values: beside candidates. */
static double present_share(const SizeProblem *p, const float *values)
{
  double present = 0, mean = 0;
  for (uint32_t i = 0; i < p->gates.len; i++) {
    const SizeGate *g = &p->gates.at[i];
    double sum = 0;
    for (uint32_t c = 0; c < g->candidate_count; c++) sum += values[g->first_candidate + c];
    present += values[g->first_candidate + g->now];
    mean += sum / g->candidate_count;
  }
  return present > 0 && mean > 0 ? present / mean : 1;
}

void size_problem_scale(SizeProblem *p, float delay)
{
  p->costs.time /= delay;
  p->costs.hold /= delay;
  p->costs.leakage *= present_share(p, p->leakages.at);
  p->costs.area *= present_share(p, p->areas.at);
  for (uint32_t i = 0; i < p->own_costs.len; i++)
    p->own_costs.at[i] = (float)(p->costs.leakage * p->leakages.at[i]
                                 + (p->costs.area + p->area_price) * p->areas.at[i]);
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

float size_middle_delay(const SizeProblem *p)
{
  const Graph *g = size_graph(p);
  ARRAY(float) delays = { 0 };
  for (uint32_t i = 0; i < p->outs.len; i++) {
    Slot driver = graph_slot(g, p->outs.at[i], true);
    for (uint32_t e = g->arcs.edge_first[g->arcs.first[driver]];
         e < g->arcs.edge_first[g->arcs.first[driver + 1]]; e++) {
      float delay = p->scenes[0].t->edge_delay[e].v[LATE];
      if (delay > 0 && !time_absent(delay)) array_push(&delays, delay);
    }
  }
  float middle = delays.len ? of_rank(delays.at, delays.len, delays.len / 2) : 1;
  array_free(&delays);
  return middle;
}

/* --- life ------------------------------------------------------------------------------------- */
static float *zeros(uint32_t count) { return mem_alloc_zero((size_t)count + 1, sizeof(float)); }

static void open_scene(SizeScene *s, const Timing *t, bool hold)
{
  const Graph *g = t->g;
  s->t = t;
  s->weights = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *s->weights);
  s->edge_weights[LATE] = zeros(g->arcs.edge_count);
  if (hold) s->edge_weights[EARLY] = zeros(g->arcs.edge_count);
  s->edge_parts = zeros(g->arcs.edge_count);
  s->edge_slews = zeros(g->arcs.edge_count);
  s->edge_rooms = zeros(g->arcs.edge_count);
  s->rooms = mem_alloc(((size_t)g->slots.count + 1) * sizeof *s->rooms);
  s->slew_limits = zeros(g->slots.count);
  s->kept_loads = zeros(g->nets.driver_count);
  s->drivers = mem_alloc(((size_t)g->nets.driver_count + 1) * sizeof *s->drivers);
  fill_limits(s);
}

static void close_scene(SizeScene *s)
{
  array_free(&s->multipliers[EARLY]);
  array_free(&s->multipliers[LATE]);
  array_free(&s->targets);
  array_free(&s->floors);
  mem_free(s->weights);
  mem_free(s->edge_weights[EARLY]);
  mem_free(s->edge_weights[LATE]);
  mem_free(s->edge_parts);
  mem_free(s->edge_slews);
  mem_free(s->edge_rooms);
  mem_free(s->rooms);
  mem_free(s->slew_limits);
  mem_free(s->kept_loads);
  mem_free(s->drivers);
}

SizeProblem *size_problem_new(const Timing *const *timings, uint32_t count, const SizeCosts *costs,
                              const SizeChoice *choice, Leakage *leakage, int threads)
{
  SizeProblem *p = mem_alloc_zero(1, sizeof *p);
  p->costs = *costs;
  p->leakage = leakage;
  p->threads = threads;
  p->scene_count = count;
  p->scenes = mem_alloc_zero(count, sizeof *p->scenes);
  for (uint32_t k = 0; k < count; k++) open_scene(&p->scenes[k], timings[k], costs->hold > 0);
  for (CellId c = 0; c < size_graph(p)->libs->cells.len; c++)
    array_push(&p->others_of, (CellRange){ 0, SIZE_NONE });
  put_cells(p);
  put_gates(p, choice);
  put_leakages(p);
  return p;
}

void size_problem_free(SizeProblem *p)
{
  for (uint32_t k = 0; k < p->scene_count; k++) close_scene(&p->scenes[k]);
  mem_free(p->scenes);
  array_free(&p->others);
  array_free(&p->others_of);
  array_free(&p->insts);
  array_free(&p->gates);
  array_free(&p->candidates);
  array_free(&p->own_costs);
  array_free(&p->leakages);
  mem_free(p->leakage_of);
  array_free(&p->areas);
  array_free(&p->edges);
  array_free(&p->first_outs);
  array_free(&p->outs);
  array_free(&p->nets);
  array_free(&p->ins);
  array_free(&p->pins);
  array_free(&p->rooms);
  array_free(&p->least_caps);
  array_free(&p->most_caps);
  array_free(&p->most_gains);
  array_free(&p->cells);
  array_free(&p->arcs);
  array_free(&p->ports);
  mem_free(p);
}

SizeView size_problem_view(const SizeProblem *p)
{
  const CornerLibs *m = p->scenes[0].t->corner_libs;
  return (SizeView){ .gates = p->gates.at, .edges = p->edges.at, .nets = p->nets.at,
                     .pins = p->pins.at, .candidates = p->candidates.at,
                     .own_costs = p->own_costs.at, .cells = p->cells.at, .arcs = p->arcs.at,
                     .ports = p->ports.at, .pool = m->libs->pool.at, .ramps = m->ramps.at,
                     .thresholds = m->thresholds, .ramp_base = m->ramp_base,
                     .excess = { (float)p->costs.slew, (float)p->costs.load },
                     .gate_count = p->gates.len, .segments = m->row_segments,
                     .model = (uint8_t)p->scenes[0].t->delay_model };
}

double size_area(const Graph *g)
{
  double area = 0;
  for (InstId i = 0; i < g->netlist->insts.len; i++)
    if (inst_is_there(g->netlist, i)) area += area_of(g->libs, g->netlist->insts.at[i].master);
  return area;
}
