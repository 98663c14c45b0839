/* Gates, nets and pins of a sizing problem, and their numbers. */
#include "optimize/size_problem.h"

#include <stdlib.h>
#include <string.h>

#include "query/constraint.h"
#include "timing/derived.h"
#include "timing/slack.h"

#define NO_LIMIT 1e30f

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

static void put_arcs(SizeProblem *p, CellId id)
{
  const CornerLibs *m = p->t->corner_libs;
  const LibCell *cell = &m->libs->cells.at[id];
  for (uint32_t i = 0; i < cell->arc_count; i++) {
    LibArcId late = m->arc_for[LATE][cell->first_arc + i];
    const LibArc *arc = &m->libs->arcs.at[late];
    for (int edge = RISE; edge <= FALL; edge++) {
      SizeArc a = { .thresholds = corner_libs_thresholds_of(m, late, edge) };
      put_table(m->libs, arc->delay[edge], &a.delay, &a.delay_n1, &a.delay_n2);
      put_table(m->libs, arc->slew[edge], &a.slew, &a.slew_n1, &a.slew_n2);
      array_push(&p->arcs, a);
    }
  }
}

static float given(float own, float library)
{
  float x = isnan(own) ? library : own;
  return isnan(x) ? NO_LIMIT : x;
}

static void put_ports(SizeProblem *p, CellId id)
{
  const CornerLibs *m = p->t->corner_libs;
  const LibCell *cell = &m->libs->cells.at[m->cell_for[LATE][id]];
  const Library *library = &m->libs->libraries.at[cell->library];
  for (uint32_t i = 0; i < m->libs->cells.at[id].port_count; i++) {
    const Cond4 *cap = &m->port_cap[m->libs->cells.at[id].first_port + i];
    float worst = fmaxf(cap->v[condition_of(LATE, RISE)], cap->v[condition_of(LATE, FALL)]);
    float limit = i < cell->port_count
                      ? given(m->libs->ports.at[cell->first_port + i].max_cap,
                              library->default_max_cap)
                      : NO_LIMIT;
    array_push(&p->ports, (SizePort){ worst, limit });
  }
}

static void put_cells(SizeProblem *p)
{
  for (CellId id = 0; id < p->t->corner_libs->libs->cells.len; id++) {
    array_push(&p->cells, (SizeCell){ p->arcs.len / 2, p->ports.len });
    put_arcs(p, id);
    put_ports(p, id);
  }
}

static double area_of(const LibrarySet *libs, CellId id)
{
  return isnan(libs->cells.at[id].area) ? 0 : libs->cells.at[id].area;
}

/* --- gates ------------------------------------------------------------------------------------ */
/* All pins have a slot of their own, outputs within the limit, and nothing goes in and out. */
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

static void put_net(SizeProblem *p, SizeGate *gate, Slot driver, uint32_t port)
{
  for (int edge = RISE; edge <= FALL; edge++) array_push(&p->nets, (SizeNet){ .port = port });
  array_push(&p->net_slots, driver);
  gate->net_count += 2;
}

static void put_edges(SizeProblem *p, SizeGate *gate, Slot driver, const LibCell *cell,
                      uint32_t net)
{
  const Graph *g = p->t->g;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      if (!arc_shapes(g, a)) continue;
      array_push(&p->edge_arcs, a);
      array_push(&p->edge_at, e);
      array_push(&p->edges, (SizeEdge){ .arc = g->arcs.lib[a] - cell->first_arc,
                                        .net = net + pair.out });
      gate->edge_count++;
    }
}

static bool may_be_sized(const LibCell *c)
{
  return c->arc_count > 0 && c->sequential_count == 0
         && !(c->flags & (CELL_BLACK_BOX | CELL_CLOCK_GATE | CELL_STATETABLE));
}

static CellRange others_of(SizeProblem *p, CellId cell, const EditRules *rules)
{
  const AlternativeOptions options = { false, false };
  CellRange *r = &p->others_of.at[cell];
  if (r->count != SIZE_NONE) return *r;
  CellArray found = { 0 };
  alternatives_of(p->t->g->libs, rules, cell, &options, &found, NULL);
  *r = (CellRange){ p->others.len, found.len };
  for (uint32_t i = 0; i < found.len; i++) array_push(&p->others, found.at[i]);
  array_free(&found);
  return *r;
}

static void put_candidate(SizeProblem *p, SizeGate *gate, InstId id, CellId cell)
{
  double area = area_of(p->t->g->libs, cell);
  double own = p->costs.leakage * leakage_with(p->leakage, id, cell) + p->costs.area * area;
  array_push(&p->candidates, cell);
  array_push(&p->own_costs, (float)own);
  array_push(&p->areas, (float)area);
  gate->candidate_count++;
}

/* The present cell, then those by name that can replace it in the graph as it is. */
static void put_candidates(SizeProblem *p, SizeGate *gate, InstId id, const SizeChoice *choice)
{
  CellId own = p->t->g->netlist->insts.at[id].master;
  CellRange others = others_of(p, own, choice->rules);
  put_candidate(p, gate, id, own);
  for (uint32_t i = others.first; i < others.first + others.count; i++)
    if (graph_may_swap_cell(choice->graph, id, p->others.at[i]))
      put_candidate(p, gate, id, p->others.at[i]);
  p->other_graph += others.count > 0 && gate->candidate_count == 1;
}

static void drop_candidates(SizeProblem *p, const SizeGate *gate)
{
  p->candidates.len = p->own_costs.len = p->areas.len = gate->first_candidate;
}

/* False: no other cell can replace it. */
static bool put_gate(SizeProblem *p, InstId id, const SizeChoice *choice)
{
  const Graph *g = p->t->g;
  const Inst *in = &g->netlist->insts.at[id];
  const LibCell *cell = &g->libs->cells.at[in->master];
  SizeGate gate = { .first_candidate = p->candidates.len, .first_edge = p->edges.len,
                    .first_net = p->nets.len, .first_pin = p->pins.len };
  put_candidates(p, &gate, id, choice);
  if (gate.candidate_count == 1) {
    drop_candidates(p, &gate);
    return false;
  }
  for (PinId pin = in->first_pin; pin < in->first_pin + in->pin_count; pin++) {
    Slot s = g->slots.of_pin[pin];
    uint32_t port = g->netlist->pins.at[pin].port - cell->first_port;
    if (slot_is_driver(g, s)) {
      put_net(p, &gate, s, port);
      put_edges(p, &gate, s, cell, gate.net_count - 2);
    } else {
      array_push(&p->pins, (SizePin){ .port = port });
      array_push(&p->pin_slots, s);
      array_push(&p->pin_rooms, NO_LIMIT);
      gate.pin_count++;
    }
  }
  array_push(&p->insts, id);
  array_push(&p->gates, gate);
  return true;
}

static void put_gates(SizeProblem *p, const SizeChoice *choice)
{
  const Graph *g = p->t->g;
  const Netlist *n = g->netlist;
  for (InstId id = 0; id < n->insts.len; id++) {
    if (!inst_is_leaf(n, id)) continue;
    bool may = may_be_sized(&g->libs->cells.at[n->insts.at[id].master])
               && has_plain_pins(g, &n->insts.at[id]) && choice->may_change(choice->data, id);
    if (!may || !put_gate(p, id, choice)) p->fixed_cells++;
  }
}

/* --- weights ---------------------------------------------------------------------------------- */
#define KEPT 0.5f            /* of the weights of the passes before */
#define LEAST_MULTIPLIER 1e-5

/* Worst late time of a slot's edge. */
static float late_slack(const Timing *t, Slot s, int edge)
{
  float worst = NO_LIMIT;
  int k = condition_of(LATE, edge);
  for (NodeId n = t->g->nodes.first[s]; n < t->g->nodes.first[s + 1]; n++) {
    float a = t->arrival[n].v[k], r = t->required[n].v[k];
    if (time_absent(a) || time_absent(r)) continue;
    worst = fminf(worst, r - a);
  }
  return worst;
}

enum { MOST_STEP = 3 };      /* by what factor a multiplier changes at most */

/* The multipliers of ends.  One that is late pays more and more, up to what its negative slack
   costs; one with slack to spare pays less and less.  So at last those that are neither late nor
   early by much have a multiplier in between: the Lagrangian relaxation of a cost that is linear in
   total negative slack. */
static void weigh_ends(SizeProblem *p, float span)
{
  const Timing *t = p->t;
  uint32_t count;
  const PinId *pins = end_slacks_pins(t, &count);
  if (!p->filled) array_resize(&p->multipliers, count);
  for (uint32_t i = 0; i < count; i++) {
    Slot s = t->g->slots.of_pin[pins[i]];
    double slack = slot_end_slack(t, s, LATE) - p->slack_margin;
    double step = exp(-slack / (2 * span)), m = p->filled ? p->multipliers.at[i] : 1;
    if (isinf(slack)) continue;
    if (!p->filled) m = step / (1 + step);
    else m *= step > MOST_STEP ? MOST_STEP : step < 1.0 / MOST_STEP ? 1.0 / MOST_STEP : step;
    m = !(m < 1) ? 1 : m < LEAST_MULTIPLIER ? LEAST_MULTIPLIER : m;
    p->multipliers.at[i] = (float)m;
    if (m < 2 * LEAST_MULTIPLIER) continue;
    float rise = late_slack(t, s, RISE), fall = late_slack(t, s, FALL);
    p->weights[s].v[condition_of(LATE, fall < rise ? FALL : RISE)] += (float)(p->costs.time * m);
  }
}

/* The slack of the worst path over a timing edge. */
static float edge_slack(const Timing *t, ArcId a, uint32_t e, EdgePair pair)
{
  const Graph *g = t->g;
  int in = condition_of(LATE, pair.in), out = condition_of(LATE, pair.out);
  float worst = NO_LIMIT, delay = t->edge_delay[e].v[LATE];
  NodePairs it = node_pairs(g, g->arcs.map[a], g->arcs.from[a], g->arcs.to[a]);
  while (node_pairs_next(&it)) {
    if (!(it.mask >> (2 * pair.in + pair.out) & 1)) continue;
    bool clock = graph_node_is_clock(g, g->arcs.to[a], it.to);
    float from = t->arrival[it.from].v[in], required = t->required[it.to].v[out];
    if (time_absent(from) || time_absent(required)) continue;
    float derate = timing_derate(t, t->derates.arc, a, clock, out);
    worst = fminf(worst, required - (from + delay * derate));
  }
  return worst;
}

/* Shares the weight of a driver's edge among the timing edges that end there: those whose paths are
   about as late as the latest take most. */
static void share_weight(SizeProblem *p, Slot driver, int edge, float smooth)
{
  const Timing *t = p->t;
  const Graph *g = t->g;
  float weight = p->weights[driver].v[condition_of(LATE, edge)];
  float worst = late_slack(t, driver, edge), sum = 0;
  for (int pass = 0; pass < 2; pass++)
    for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
      if (!arc_on(g, a) || graph_arc_is_launch(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
      for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
        EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
        if (pair.out != edge) continue;
        float behind = edge_slack(t, a, e, pair) - worst;
        if (!(behind < 20 * smooth)) continue;
        float share = expf(-fmaxf(behind, 0) / smooth);
        if (pass == 0) sum += share;
        else {
          float part = weight * share / sum;
          p->edge_weights[e] += part * (p->filled ? 1 - KEPT : 1);
          p->weights[g->arcs.from[a]].v[condition_of(LATE, pair.in)] += part;
        }
      }
    }
}

/* From the last level to the first: loads pass their weight to drivers, drivers to the loads before
   them. */
static void weigh(SizeProblem *p, float smooth)
{
  const Graph *g = p->t->g;
  memset(p->weights, 0, g->slots.count * sizeof *p->weights);
  for (uint32_t e = 0; e < g->arcs.edge_count; e++) p->edge_weights[e] *= p->filled ? KEPT : 0;
  weigh_ends(p, smooth);
  for (uint32_t level = g->levels.count; level-- > 0;)
    for (Slot s = g->levels.first[level]; s < g->levels.loads[level]; s++) {
      Cond4 *w = &p->weights[s];
      for (Slot l = g->nets.load_first[s]; l < g->nets.load_first[s] + g->nets.load_count[s]; l++)
        for (int k = 2; k < CONDITION_COUNT; k++) w->v[k] += p->weights[l].v[k];
      for (int edge = RISE; edge <= FALL; edge++)
        if (w->v[condition_of(LATE, edge)] > 0) share_weight(p, s, edge, smooth);
    }
}

/* --- numbers of nets, pins and edges ---------------------------------------------------------- */
static float late4(const Cond4 *x, int edge) { return x->v[condition_of(LATE, edge)]; }

/* The tables of a graph's timing edge: its slope over input slew or load, by a small step. */
static SizeTimes edge_slope(const SizeProblem *p, const SizeView *v, ArcId a, EdgePair pair,
                            float slew, float load, bool by_load)
{
  const Graph *g = p->t->g;
  CellId cell = g->netlist->insts.at[g->netlist->pins.at[g->slots.pin[g->arcs.to[a]]].inst].master;
  const LibCell *lib = &g->libs->cells.at[cell];
  const SizeArc *arc =
      &v->arcs[2 * (v->cells[cell].first_arc + g->arcs.lib[a] - lib->first_arc) + pair.out];
  float step = by_load ? fmaxf(0.05f * load, 0.05f) : fmaxf(0.05f * slew, 0.5f);
  SizeNet before = { .load = load }, behind = { .load = by_load ? load + step : load };
  SizeTimes x = size_edge_times(v, arc, slew, &before),
            y = size_edge_times(v, arc, by_load ? slew : slew + step, &behind);
  return (SizeTimes){ (y.delay - x.delay) / step, (y.slew - x.slew) / step };
}

/* What a ps more slew at a load costs in the gate behind it: its edges' delays. */
static float load_slew_cost(const SizeProblem *p, const SizeView *v, Slot load, int edge)
{
  const Graph *g = p->t->g;
  float cost = 0;
  for (uint32_t i = g->arcs.out_first[load]; i < g->arcs.out_first[load + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!arc_on(g, a)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      if (pair.in != edge || p->edge_weights[e] <= 0) continue;
      uint32_t d = graph_driver_index(g, g->arcs.to[a]);
      cost += p->edge_weights[e]
              * edge_slope(p, v, a, pair, late4(&p->t->slew[load], edge),
                           late4(&p->t->nets.load_cap[d], pair.out), false)
                    .delay;
    }
  }
  return cost;
}

static void fill_net(const SizeProblem *p, const SizeView *v, SizeNet *net, Slot driver, int edge)
{
  const Timing *t = p->t;
  const Graph *g = t->g;
  uint32_t d = graph_driver_index(g, driver);
  PiModel pi = timing_pi(t, d, condition_of(LATE, edge));
  bool waves = delay_has(t->delay_model, DELAY_BY_WAVE) && t->nets.has_rc[d];
  net->c_far = waves ? pi.c_far : 0;
  net->c_near = pi.c_near;
  net->r_pi = pi.r_pi;
  net->load = late4(&t->nets.load_cap[d], edge);
  net->slew = late4(&t->slew[driver], edge);
  net->slew_cost = 0;
  double room = p->slew_limits[driver];
  uint32_t pins = 1;
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++, pins++) {
    net->slew_cost += load_slew_cost(p, v, l, edge);
    room += p->slew_limits[l] - (late4(&t->slew[l], edge) - net->slew);
  }
  net->slew_limit = room / pins > 1e29 ? NO_LIMIT : (float)(room / pins);
  net->pins = 0.5f * (float)pins;           /* each pin counts once, not for both edges */
}

/* What a fF more on a driver's net costs: its edges' delays, its slew's excess, and by its slew the
   gates behind. */
static float driver_cap_cost(const SizeProblem *p, const SizeView *v, Slot driver,
                             const SizeNet net[2], float *room)
{
  const Timing *t = p->t;
  const Graph *g = t->g;
  float cost = 0, slope[2] = { 0, 0 }, slews[2] = { -1, -1 };
  uint32_t d = graph_driver_index(g, driver);
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    if (!arc_shapes(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      float input = timing_input_slew(t, g->arcs.from[a], graph_arc_is_launch(g, a),
                                      condition_of(LATE, pair.in));
      if (time_absent(input)) continue;
      SizeTimes s = edge_slope(p, v, a, pair, input, late4(&t->nets.load_cap[d], pair.out), true);
      cost += p->edge_weights[e] * s.delay;
      if (input > slews[pair.out]) {
        slews[pair.out] = input;
        slope[pair.out] = s.slew;
      }
    }
  }
  for (int edge = RISE; edge <= FALL; edge++) {
    float over = net[edge].slew > net[edge].slew_limit ? v->excess.slew * net[edge].pins : 0;
    if (slope[edge] > 0)
      *room = fminf(*room, (net[edge].slew_limit - net[edge].slew) / slope[edge]);
    cost += slope[edge] * (net[edge].slew_cost + over);
  }
  return cost;
}

typedef struct { float cost, load, limit, room; } DriverCost;

/* Once for each driver of a cell, whether it can be sized or not. */
static DriverCost driver_cost(const SizeProblem *p, const SizeView *v, Slot driver)
{
  const Graph *g = p->t->g;
  DriverCost c = { 0, 0, NO_LIMIT, NO_LIMIT };
  SizeNet net[2];
  if (driver == NO_SLOT || g->slots.flags[driver] & (SLOT_PORT | SLOT_IDEAL)) return c;
  for (int edge = RISE; edge <= FALL; edge++)
    fill_net(p, v, &net[edge], driver, edge);
  c.cost = driver_cap_cost(p, v, driver, net, &c.room);
  c.load = fmaxf(net[RISE].load, net[FALL].load);
  PinId pin = g->slots.pin[driver];
  CellId cell = g->netlist->insts.at[g->netlist->pins.at[pin].inst].master;
  uint32_t port = g->netlist->pins.at[pin].port - g->libs->cells.at[cell].first_port;
  c.limit = v->ports[v->cells[cell].first_port + port].limit;
  c.room = fminf(c.room, c.limit - c.load);
  return c;
}

static void put_slew_limit(void *data, const Constraint *c)
{
  SizeProblem *p = data;
  const Graph *g = p->t->g;
  Slot s = graph_slot(g, c->pin, true);
  if (s == NO_SLOT || !slot_is_driver(g, s)) s = g->slots.of_pin[c->pin];
  if (s != NO_SLOT) p->slew_limits[s] = (float)c->required;
}

static void fill_limits(SizeProblem *p)
{
  const Graph *g = p->t->g;
  ConstraintQuery q = { 1u << CONSTRAINT_MAX_SLEW, NULL };
  for (Slot s = 0; s < g->slots.count; s++) p->slew_limits[s] = NO_LIMIT;
  query_constraints(p->t, &q, put_slew_limit, p);
}

static void fill_edges(SizeProblem *p)
{
  const Timing *t = p->t;
  const Graph *g = t->g;
  for (uint32_t i = 0; i < p->edges.len; i++) {
    SizeEdge *e = &p->edges.at[i];
    ArcId a = p->edge_arcs.at[i];
    EdgePair pair = graph_edge_pair(g, a, p->edge_at.at[i] - g->arcs.edge_first[a]);
    float slew = timing_input_slew(t, g->arcs.from[a], graph_arc_is_launch(g, a),
                                   condition_of(LATE, pair.in));
    e->input_slew = time_absent(slew) ? 0 : slew;
    e->delay = t->edge_delay[p->edge_at.at[i]].v[LATE];
    e->weight = p->edge_weights[p->edge_at.at[i]];
  }
}

static void fill_pins(SizeProblem *p, const SizeView *v)
{
  const Graph *g = p->t->g;
  DriverCost *costs = mem_alloc(((size_t)g->nets.driver_count + 1) * sizeof *costs);
  uint8_t *known = mem_alloc_zero(g->nets.driver_count + 1, 1);
  for (uint32_t i = 0; i < p->gates.len; i++) {
    const SizeGate *gate = &p->gates.at[i];
    const SizeCell *cell = &v->cells[p->candidates.at[gate->first_candidate + gate->now]];
    for (uint32_t j = gate->first_pin; j < gate->first_pin + gate->pin_count; j++) {
      Slot driver = g->nets.wire_driver[p->pin_slots.at[j]];
      SizePin *pin = &p->pins.at[j];
      DriverCost c = { 0, 0, NO_LIMIT, NO_LIMIT };
      if (driver != NO_SLOT) {
        uint32_t d = graph_driver_index(g, driver);
        if (!known[d]) costs[d] = driver_cost(p, v, driver);
        known[d] = 1;
        c = costs[d];
      }
      *pin = (SizePin){ pin->port, v->ports[cell->first_port + pin->port].cap, c.cost, c.load,
                        c.limit };
      p->pin_rooms.at[j] = c.room;
    }
  }
  mem_free(costs);
  mem_free(known);
}

void size_problem_fill(SizeProblem *p, float smooth)
{
  SizeView v = size_problem_view(p);
  weigh(p, smooth);
  for (uint32_t i = 0; i < p->nets.len; i++)
    fill_net(p, &v, &p->nets.at[i], p->net_slots.at[i / 2], (int)(i & 1));
  fill_edges(p);
  fill_pins(p, &v);
  p->filled = true;
}

void size_problem_price(SizeProblem *p, double area_price)
{
  float more = (float)(area_price - p->area_price);
  for (uint32_t i = 0; i < p->own_costs.len; i++) p->own_costs.at[i] += more * p->areas.at[i];
  p->area_price = area_price;
}

static int by_value(const void *pa, const void *pb)
{
  const float *a = pa, *b = pb;
  return (*a > *b) - (*a < *b);
}

float size_middle_delay(const SizeProblem *p)
{
  ARRAY(float) delays = { 0 };
  for (uint32_t i = 0; i < p->edge_at.len; i++) {
    float delay = p->t->edge_delay[p->edge_at.at[i]].v[LATE];
    if (delay > 0 && !time_absent(delay)) array_push(&delays, delay);
  }
  qsort(delays.at, delays.len, sizeof *delays.at, by_value);
  float middle = delays.len ? delays.at[delays.len / 2] : 1;
  array_free(&delays);
  return middle;
}

/* --- life ------------------------------------------------------------------------------------- */
SizeProblem *size_problem_new(const Timing *t, const SizeCosts *costs, const SizeChoice *choice,
                              Leakage *leakage)
{
  SizeProblem *p = mem_alloc_zero(1, sizeof *p);
  p->t = t;
  p->costs = *costs;
  p->leakage = leakage;
  for (CellId c = 0; c < t->g->libs->cells.len; c++)
    array_push(&p->others_of, (CellRange){ 0, SIZE_NONE });
  put_cells(p);
  put_gates(p, choice);
  p->weights = mem_alloc_zero((size_t)t->g->slots.count + 1, sizeof *p->weights);
  p->edge_weights = mem_alloc_zero((size_t)t->g->arcs.edge_count + 1, sizeof *p->edge_weights);
  p->slew_limits = mem_alloc_zero((size_t)t->g->slots.count + 1, sizeof *p->slew_limits);
  fill_limits(p);
  return p;
}

void size_problem_free(SizeProblem *p)
{
  array_free(&p->others);
  array_free(&p->others_of);
  array_free(&p->insts);
  array_free(&p->gates);
  array_free(&p->candidates);
  array_free(&p->own_costs);
  array_free(&p->areas);
  array_free(&p->edge_arcs);
  array_free(&p->edge_at);
  array_free(&p->edges);
  array_free(&p->net_slots);
  array_free(&p->nets);
  array_free(&p->pin_slots);
  array_free(&p->pins);
  array_free(&p->pin_rooms);
  array_free(&p->cells);
  array_free(&p->arcs);
  array_free(&p->ports);
  array_free(&p->multipliers);
  mem_free(p->weights);
  mem_free(p->edge_weights);
  mem_free(p->slew_limits);
  mem_free(p);
}

SizeView size_problem_view(const SizeProblem *p)
{
  const CornerLibs *m = p->t->corner_libs;
  return (SizeView){ .gates = p->gates.at, .edges = p->edges.at, .nets = p->nets.at,
                     .pins = p->pins.at, 
                     .candidates = p->candidates.at, .own_costs = p->own_costs.at,
                     .cells = p->cells.at,
                     .arcs = p->arcs.at, .ports = p->ports.at, .pool = m->libs->pool.at,
                     .ramps = m->ramps.at, .thresholds = m->thresholds,
                     .ramp_base = m->ramp_base,
                     .excess = { (float)p->costs.slew, (float)p->costs.load },
                     .gate_count = p->gates.len, .segments = m->row_segments,
                     .model = (uint8_t)p->t->delay_model };
}

/* --- score ------------------------------------------------------------------------------------ */
static void add_excess(void *data, const Constraint *c)
{
  SizeScore *s = data;
  if (c->slack >= 0) return;
  if (c->kind == CONSTRAINT_MAX_SLEW) {
    s->slew_excess -= c->slack;
    s->slew_pins++;
  } else {
    s->load_excess -= c->slack;
    s->load_pins++;
  }
}

/* Cells' own part of the cost, and the sums that it is made of. */
static void add_cells(const SizeProblem *p, SizeScore *s)
{
  const Graph *g = p->t->g;
  for (InstId i = 0; i < g->netlist->insts.len; i++) {
    if (!inst_is_leaf(g->netlist, i)) continue;
    s->leakage += leakage_of(p->leakage, i);
  }
  s->area = size_area(g);
}

double size_area(const Graph *g)
{
  double area = 0;
  for (InstId i = 0; i < g->netlist->insts.len; i++)
    if (inst_is_leaf(g->netlist, i)) area += area_of(g->libs, g->netlist->insts.at[i].master);
  return area;
}

static double total_short(const SizeProblem *p)
{
  uint32_t count;
  double sum = 0;
  const PinId *pins = end_slacks_pins(p->t, &count);
  for (uint32_t i = 0; i < count; i++) {
    double slack = slot_end_slack(p->t, p->t->g->slots.of_pin[pins[i]], LATE);
    if (slack < p->slack_margin) sum += p->slack_margin - slack;
  }
  return sum;
}

SizeScore size_score(const SizeProblem *p)
{
  SizeScore s = { 0 };
  SlackSummary late = query_slacks(p->t, LATE);
  ConstraintQuery q = { 1u << CONSTRAINT_MAX_SLEW | 1u << CONSTRAINT_MAX_CAP, NULL };
  query_constraints(p->t, &q, add_excess, &s);
  add_cells(p, &s);
  s.total_negative = late.total;
  s.total_short = total_short(p);
  s.worst = late.worst < 0 ? late.worst : 0;
  s.cost = p->costs.leakage * s.leakage + p->costs.area * s.area + p->costs.time * s.total_short
           + p->costs.slew * s.slew_excess + p->costs.load * s.load_excess;
  return s;
}

static int order(double a, double b) { return (a > b) - (a < b); }

bool size_score_is_better(const SizeScore *a, const SizeScore *b)
{
  int rules = order(a->slew_excess, b->slew_excess);
  if (rules == 0) rules = order(a->load_excess, b->load_excess);
  if (rules == 0) rules = order(a->total_short, b->total_short);
  if (rules == 0) rules = order(-a->worst, -b->worst);
  return rules ? rules < 0 : a->cost < b->cost;
}
