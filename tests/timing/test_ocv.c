/* Derates by depth against all paths of random small designs. */
#include <math.h>
#include <stdlib.h>

#include "timing/variation.h"
#include "math/normal_sum.h"
#include "tests/small.h"
#include "tests/unit.h"

static uint32_t below(unsigned *seed, uint32_t n) { return (uint32_t)rand_r(seed) % n; }

/* --- tables ----------------------------------------------------------------------------------- */
static void tables_interpolate_and_hold_at_their_ends(void)
{
  static const float two[] = { 100, 300, 1, 2, 4, 1.2f, 1.1f, 1.0f, 1.4f, 1.3f, 1.2f },
                     by_depth[] = { 0, 1, 3, 1.5f, 1.1f },
                     by_distance[] = { 100, 200, 0, 1.1f, 1.2f }, one[] = { 0, 0, 1.07f };
  TableView t = { two, 2, 3 };
  CU_ASSERT_DOUBLE_EQUAL(ocv_derate(t, 100, 1), 1.2, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(ocv_derate(t, 0, 0), 1.2, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(ocv_derate(t, 200, 3), 1.15, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(ocv_derate(t, 1000, 1.5f), 1.35, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(ocv_derate(t, 1000, 100), 1.2, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(ocv_derate((TableView){ by_depth, 1, 2 }, 77, 2), 1.3, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(ocv_derate((TableView){ by_distance, 2, 1 }, 150, 9), 1.15, 1e-6);
  CU_ASSERT_DOUBLE_EQUAL(ocv_derate((TableView){ one, 1, 1 }, 150, 9), 1.07, 1e-6);
}

/* --- designs ---------------------------------------------------------------------------------- */
/* Clock cells k0..k5 in a tree, registers, gates on anything before them. */
static Small *make_design(unsigned *seed)
{
  enum { CLOCKS = 6, REGISTERS = 4, GATES = 10 };
  static const char *const gate[] = { "AND2", "OR2", "XOR2" };
  Text t = { 0 };
  text_put(&t, "module top(clk, i0, i1, o);\ninput clk, i0, i1; output o;\n");
  for (uint32_t i = 0; i < CLOCKS; i++) {
    uint32_t n = below(seed, i + 1);
    text_printf(&t, "%s c%u(.A(", below(seed, 4) ? "BUF" : "INV", i);
    if (n == 0) text_put(&t, "clk");
    else text_printf(&t, "k%u", n - 1);
    text_printf(&t, "), .Y(k%u));\n", i);
  }
  for (uint32_t i = 0; i < GATES; i++) {
    text_printf(&t, "%s g%u(", gate[below(seed, 3)], i);
    for (int pin = 0; pin < 2; pin++) {
      uint32_t n = below(seed, REGISTERS + 2 + i);
      text_printf(&t, ".%c(%s%u), ", 'A' + pin, n < REGISTERS ? "q" : n < REGISTERS + 2 ? "i" : "s",
                  n < REGISTERS ? n : n < REGISTERS + 2 ? n - REGISTERS : n - REGISTERS - 2);
    }
    text_printf(&t, ".Y(s%u));\n", i);
  }
  for (uint32_t i = 0; i < REGISTERS; i++)
    text_printf(&t, "DFF f%u(.CK(k%u), .D(s%u), .Q(q%u));\n", i, below(seed, CLOCKS),
                below(seed, GATES), i);
  text_printf(&t, "BUF last(.A(s%u), .Y(o));\nendmodule\n", GATES - 1);
  Small *small = small_new(text_get(&t));
  text_free(&t);
  ClockId clock = small_clock(small, "clk", 1000, 0, 500, "clk");
  small->constraints->clocks.at[clock].propagated = true;
  PortDelay *in =
      constraints_input_delay(small->constraints, small_pin(small, "i0"), clock, RISE, false);
  for (int k = 0; k < CONDITION_COUNT; k++) in->delay[k] = 50;
  if (below(seed, 2)) {
    PortDelay *out =
        constraints_output_delay(small->constraints, small_pin(small, "o"), clock, RISE, false);
    for (int k = 0; k < CONDITION_COUNT; k++) out->delay[k] = 10;
  }
  return small;
}

/* --- every path ------------------------------------------------------------------------------- */
enum { MOST_LINKS = 60, MOST_ARCS = 200, MOST_SLOTS = 300 };

typedef struct {
  const Graph *g;
  /* [data, clock]; of paths that end */
  uint32_t arc_depth[MOST_ARCS][2], wire_depth[MOST_SLOTS][2];
  uint32_t arc_any[MOST_ARCS][2], wire_any[MOST_SLOTS][2];         /* of all */
  /* of the path at work: arcs, or loads + MOST_ARCS */
  uint32_t link[MOST_LINKS];
  uint32_t links, cells, wires;
  uint8_t *is_end;                                                 /* by node */
} Brute;

static void lower(uint32_t *have, uint32_t depth)
{
  if (*have == 0 || depth < *have) *have = depth;
}

static void record(Brute *brute, bool clock, bool ends)
{
  for (uint32_t i = 0; i < brute->links; i++) {
    uint32_t l = brute->link[i];
    if (l < MOST_ARCS) {
      lower(&brute->arc_any[l][clock], brute->cells);
      if (ends) lower(&brute->arc_depth[l][clock], brute->cells);
    } else {
      lower(&brute->wire_any[l - MOST_ARCS][clock], brute->wires);
      if (ends) lower(&brute->wire_depth[l - MOST_ARCS][clock], brute->wires);
    }
  }
}

static bool go(Brute *brute, Slot s, NodeId n);

/* One link on; true when it comes to an end. */
static bool step(Brute *brute, uint32_t link, NodePairs it, Slot from, NodeId from_node, Slot to)
{
  bool arc = link < MOST_ARCS, comes = false;
  while (node_pairs_next(&it)) {
    if (it.from != from_node) continue;
    CU_ASSERT_FATAL(brute->links < MOST_LINKS);
    Brute *before = mem_alloc(sizeof *before);
    before->links = brute->links;
    before->cells = brute->cells;
    before->wires = brute->wires;
    memcpy(before->link, brute->link, sizeof brute->link);
    bool launch =
        graph_node_is_clock(brute->g, from, from_node) != graph_node_is_clock(brute->g, to, it.to);
    if (launch) brute->links = brute->cells = brute->wires = 0;
    brute->link[brute->links++] = link;
    brute->cells += arc;
    brute->wires += !arc;
    bool ends = go(brute, to, it.to);
    brute->links = before->links;
    brute->cells = before->cells;
    brute->wires = before->wires;
    memcpy(brute->link, before->link, sizeof brute->link);
    mem_free(before);
    /* the clock's path ends here, if data that it launches does */
    if (launch) record(brute, true, ends);
    comes |= ends;
  }
  return comes;
}

static bool go(Brute *brute, Slot s, NodeId n)
{
  const Graph *g = brute->g;
  bool ends = brute->is_end[n];
  record(brute, graph_node_is_clock(g, s, n), ends);
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (arc_on(g, a))
      ends |= step(brute, a, node_pairs(g, g->arcs.map[a], s, g->arcs.to[a]), s, n, g->arcs.to[a]);
  }
  for (Slot l = g->nets.load_first[s]; l < g->nets.load_first[s] + g->nets.load_count[s]; l++)
    ends |= step(brute, MOST_ARCS + l, node_pairs(g, g->nets.wire_map[l], s, l), s, n, l);
  return ends;
}

/* Paths that no end is on count where no other passes; a dead end's depth is that of the part up to
   the arc. */
static uint32_t wanted(uint32_t ends, uint32_t any) { return ends ? ends : any; }

static void find_depths(Brute *brute)
{
  const Graph *g = brute->g;
  brute->is_end = mem_alloc_zero((size_t)g->nodes.count + 1, 1);
  for (PathEndId r = 0; r < g->ends.path_ends.len; r++) {
    const PathEnd *end = &g->ends.path_ends.at[r];
    brute->is_end[end->data] = 1;
    if (end->capture != NO_NODE_ID) brute->is_end[end->capture] = 1;
  }
  for (uint32_t i = 0; i < g->starts.seeds.len; i++) {
    Slot s = g->starts.seeds.at[i].slot;
    brute->links = brute->cells = brute->wires = 0;
    go(brute, s,
       g->nodes.first[s] + tag_set_find(g->tags, g->nodes.slot_tags[s], g->starts.seeds.at[i].tag));
  }
  mem_free(brute->is_end);
}

static void depths_are_those_of_all_paths(void)
{
  uint32_t deep = 0;
  for (unsigned seed = 1; seed <= 100; seed++) {
    unsigned state = seed;
    Small *small = make_design(&state);
    const Graph *g = small_graph(small);
    CU_ASSERT_FATAL(g->arcs.count < MOST_ARCS && g->slots.count < MOST_SLOTS);
    Brute *brute = mem_alloc_zero(1, sizeof *brute);
    brute->g = g;
    find_depths(brute);
    PathDepths *depths = path_depths_new(g, (PathPlaces){ NULL, 0 });
    for (int clock = 0; clock < 2; clock++) {
      for (ArcId a = 0; a < g->arcs.count; a++) {
        CU_ASSERT_EQUAL(path_depth_arc(depths, a, clock).depth,
                        wanted(brute->arc_depth[a][clock], brute->arc_any[a][clock]));
        deep += brute->arc_depth[a][clock] > 2;
      }
      for (Slot l = 0; l < g->slots.count; l++)
        if (!slot_is_driver(g, l))
          CU_ASSERT_EQUAL(path_depth_wire(depths, l, clock).depth,
                          wanted(brute->wire_depth[l][clock], brute->wire_any[l][clock]));
    }
    path_depths_free(depths);
    mem_free(brute);
    small_free(small);
  }
  CU_ASSERT(deep > 500);
}

/* --- distances -------------------------------------------------------------------------------- */
static void distances_span_the_cells_of_paths(void)
{
  Small *small = small_new("module top(clk, o);\ninput clk; output o;\nDFF f(.CK(clk), .D(d), "
                           ".Q(q));\nBUF a(.A(q), .Y(x));\nBUF b(.A(x), .Y(d));\n"
                           "BUF c(.A(x), .Y(o));\nendmodule\n");
  small_clock(small, "clk", 1000, 0, 500, "clk");
  const Graph *g = small_graph(small);
  float places[32];
  for (int i = 0; i < 32; i++) places[i] = NAN;
  static const struct {
    const char *name;
    float x, y;
  } at[] = { { "f", 0, 0 }, { "a", 30, 0 }, { "b", 30, 40 } };
  for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
    InstId inst = small_inst(small, at[i].name);
    places[2 * inst] = at[i].x;
    places[2 * inst + 1] = at[i].y;
  }
  PathDepths *depths = path_depths_new(g, (PathPlaces){ places, 16 });
  Slot y = small_slot(small, "b/Y", true);
  PathMetric m = path_depth_arc(depths, g->arcs.first[y], false);
  CU_ASSERT_EQUAL(m.depth, 3);
  CU_ASSERT_DOUBLE_EQUAL(m.distance, 50, 1e-4);
  /* c is not placed */
  m = path_depth_arc(depths, g->arcs.first[small_slot(small, "c/Y", true)], false);
  CU_ASSERT_DOUBLE_EQUAL(m.distance, 30, 1e-4);
  path_depths_free(depths);
  small_free(small);
}

/* --- arrivals --------------------------------------------------------------------------------- */
static Variation *make_variation(void)
{
  static const float depths[] = { 1, 4, 8 }, late[] = { 1.3f, 1.2f, 1.1f },
                     early[] = { 0.7f, 0.8f, 0.9f }, clock[] = { 1.25f, 1.1f, 1.05f };
  Variation *variation = variation_new();
  OcvTable t = { .kind = OCV_DERATE,
                 .delays = 1 << OCV_CELL,
                 .conditions = 12,
                 .paths = 3,
                 .distance_count = 1,
                 .depth_count = 3 };
  variation_use(variation, (Object){ OBJ_DESIGN, 0 },
                variation_add_table(variation, t, NULL, depths, late));
  t.paths = 1 << PATH_CLOCK;
  variation_use(variation, (Object){ OBJ_DESIGN, 0 },
                variation_add_table(variation, t, NULL, depths, clock));
  t.paths = 3;
  t.conditions = 3;
  variation_use(variation, (Object){ OBJ_DESIGN, 0 },
                variation_add_table(variation, t, NULL, depths, early));
  return variation;
}

/* The worst arrival at a node's condition over all paths to it, each arc with its own factor. */
typedef struct {
  const Timing *t;
  const Variation *variation;
  const PathDepths *depths;
} Arrivals;

static double worst_arrival(const Arrivals *arrivals, Slot s, NodeId node, int k)
{
  const Graph *g = arrivals->t->g;
  double worst = k >> 1 == LATE ? -1e30 : 1e30;
  bool clock = graph_node_is_clock(g, s, node);
  if (g->slots.flags[s] & SLOT_SEED) return arrivals->t->arrival[node].v[k];
  if (!slot_is_driver(g, s)) {
    NodePairs it = node_pairs(g, g->nets.wire_map[s], g->nets.wire_driver[s], s);
    while (node_pairs_next(&it))
      if (it.to == node) worst = worst_arrival(arrivals, g->nets.wire_driver[s], it.from, k);
    return worst;
  }
  for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++) {
    float depth = (float)path_depth_arc(arrivals->depths, a, clock).depth;
    double factor = ocv_derate(ocv_table_view(arrivals->variation, k >> 1 == EARLY ? 2
                                                                   : clock         ? 1
                                                                                   : 0),
                               0, depth);
    NodePairs it = node_pairs(g, g->arcs.map[a], g->arcs.from[a], s);
    while (node_pairs_next(&it))
      for (uint32_t e = g->arcs.edge_first[a]; it.to == node && e < g->arcs.edge_first[a + 1];
           e++) {
        EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
        if (p.out != (k & 1) || !(it.mask >> (2 * p.in + p.out) & 1)) continue;
        double before =
            worst_arrival(arrivals, g->arcs.from[a], it.from, condition_of(k >> 1, p.in));
        double here = before + arrivals->t->edge_delay[e].v[k >> 1] * factor;
        if (fabs(before) < 1e29 && (k >> 1 == LATE ? here > worst : here < worst)) worst = here;
      }
  }
  return worst;
}

static void arrivals_have_each_arcs_own_factor(void)
{
  for (unsigned seed = 1; seed <= 20; seed++) {
    unsigned state = seed;
    Small *small = make_design(&state);
    Variation *variation = make_variation();
    TimerInput in = { .netlist = small->netlist,
                      .libs = small->libs,
                      .constraints = small->constraints,
                      .variation = variation };
    Timer *timer = timer_new(&in, small->log);
    CU_ASSERT_FATAL(timer_update(timer, true) == OK);
    const Graph *g = timer->graph;
    Arrivals x = { timer->timing, variation, path_depths_new(g, (PathPlaces){ NULL, 0 }) };
    for (PathEndId r = 0; r < g->ends.path_ends.len; r++)
      for (int k = 0; k < CONDITION_COUNT; k++) {
        const PathEnd *end = &g->ends.path_ends.at[r];
        float have = timer->timing->arrival[end->data].v[k];
        if (!time_absent(have))
          CU_ASSERT_DOUBLE_EQUAL(have, worst_arrival(&x, end->slot, end->data, k), 2e-3);
      }
    path_depths_free((PathDepths *)x.depths);
    timer_free(timer);
    variation_free(variation);
    small_free(small);
  }
}

/* --- updates ---------------------------------------------------------------------------------- */
static void same_as_full(Small *small, const Timer *timer, const Variation *variation)
{
  TimerInput in = { .netlist = small->netlist,
                    .libs = small->libs,
                    .constraints = small->constraints,
                    .variation = variation };
  Timer *full = timer_new(&in, small->log);
  full->threads = 2;
  CU_ASSERT_FATAL(timer_update(full, true) == OK);
  const Timing *a = timer->timing, *b = full->timing;
  CU_ASSERT(memcmp(a->arrival, b->arrival, a->g->nodes.count * sizeof *a->arrival) == 0);
  CU_ASSERT(memcmp(a->required, b->required, a->g->nodes.count * sizeof *a->required) == 0);
  size_t ends = a->g->ends.path_ends.len * sizeof *a->end_slack;
  CU_ASSERT(memcmp(a->end_slack, b->end_slack, ends) == 0);
  timer_free(full);
}

static void updates_are_full_ones(void)
{
  for (unsigned seed = 1; seed <= 20; seed++) {
    unsigned state = seed;
    Small *small = make_design(&state);
    Variation *variation = make_variation();
    if (seed & 1) variation_use(variation, (Object){ OBJ_LIB_CELL, small_cell(small, "AND2") }, 1);
    TimerInput in = { .netlist = small->netlist,
                      .libs = small->libs,
                      .constraints = small->constraints,
                      .variation = variation };
    Timer *timer = timer_new(&in, small->log);
    CU_ASSERT_FATAL(timer_update(timer, true) == OK);
    for (int i = 0; i < 4; i++) {
      char name[] = { 'g', (char)('0' + below(&state, 10)), 0 };
      InstId inst = small_inst(small, name);
      CellId old = small->netlist->insts.at[inst].master;
      if (netlist_swap_cell(small->netlist, inst,
                            small_cell(small, below(&state, 2) ? "AND2" : "OR2"), small->log)
          != OK)
        continue;
      timer_cell_swapped(timer, inst, old);
      CU_ASSERT_FATAL(timer_update(timer, true) == OK);
      same_as_full(small, timer, variation);
    }
    variation_set_options(variation, (OcvOptions){ .tables = OCV_TABLES_OFF, .quantile = 3 });
    CU_ASSERT_FATAL(timer_update(timer, true) == OK);
    same_as_full(small, timer, NULL);
    timer_free(timer);
    variation_free(variation);
    small_free(small);
  }
}

void suite_ocv(void)
{
  CU_pSuite s = CU_add_suite("ocv", NULL, NULL);
  CU_add_test(s, "tables interpolate and hold at their ends",
              tables_interpolate_and_hold_at_their_ends);
  CU_add_test(s, "depths are those of all paths", depths_are_those_of_all_paths);
  CU_add_test(s, "distances span the cells of paths", distances_span_the_cells_of_paths);
  CU_add_test(s, "arrivals have each arc's own factor", arrivals_have_each_arcs_own_factor);
  CU_add_test(s, "updates are full ones", updates_are_full_ones);
}
