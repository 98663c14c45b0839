/* Sigma in arrivals and slacks: closed forms on chains, the model's recurrence on random designs,
   updates. */
#include <math.h>
#include <stdlib.h>

#include "timing/credit.h"
#include "cpu/cpu.h"
#include "timing/sigma.h"
#include "tests/small.h"
#include "tests/unit.h"

enum { QUANTILE = 3 };

typedef struct {
  Small     *small;
  Variation *variation;
  Timer     *timer;
} Fixture;

static void coefficient(Variation *variation, Object o, uint8_t delays, uint8_t paths, float value)
{
  OcvTable t = { .kind = OCV_COEFFICIENT,
                 .delays = delays,
                 .conditions = 15,
                 .paths = paths,
                 .distance_count = 1,
                 .depth_count = 1 };
  variation_use(variation, o, variation_add_table(variation, t, NULL, NULL, &value));
}

static TimerInput input_of(const Fixture *fixture)
{
  return (TimerInput){ .netlist = fixture->small->netlist,
                       .libs = fixture->small->libs,
                       .constraints = fixture->small->constraints,
                       .variation = fixture->variation };
}

/* Cells vary by 10 %, wires by 20 % (they have no delay here). */
static Fixture fixture(const char *verilog)
{
  Fixture f = { small_new(verilog), variation_new(), NULL };
  ClockId clock = small_clock(f.small, "clk", 1000, 0, 500, "clk");
  f.small->constraints->clocks.at[clock].propagated = true;
  coefficient(f.variation, (Object){ OBJ_DESIGN, 0 }, 1 << OCV_CELL, 3, 0.1f);
  coefficient(f.variation, (Object){ OBJ_DESIGN, 0 }, 1 << OCV_NET, 3, 0.2f);
  variation_set_options(
      f.variation,
      (OcvOptions){ .tables = OCV_TABLES_REPLACE, .mode = OCV_NORMAL, .quantile = QUANTILE });
  TimerInput in = input_of(&f);
  f.timer = timer_new(&in, f.small->log);
  return f;
}

static const Timing *update(Fixture *fixture)
{
  CU_ASSERT_FATAL(timer_update(fixture->timer, true) == OK);
  return fixture->timer->timing;
}

static void fixture_free(Fixture *fixture)
{
  timer_free(fixture->timer);
  variation_free(fixture->variation);
  small_free(fixture->small);
}

static Slot slot_of(const Fixture *fixture, const char *pin, bool driver)
{
  return graph_slot(fixture->timer->graph, small_pin(fixture->small, pin), driver);
}

/* The delay of the only rising edge to a driver's rising output (BUF, DFF). */
static double rising_delay(const Fixture *fixture, const char *pin, int el)
{
  const Graph *g = fixture->timer->graph;
  Slot s = slot_of(fixture, pin, true);
  for (uint32_t e = g->arcs.edge_first[g->arcs.first[s]];
       e < g->arcs.edge_first[g->arcs.first[s] + 1]; e++)
    if (graph_edge_pair(g, g->arcs.first[s], e - g->arcs.edge_first[g->arcs.first[s]]).out == RISE)
      return fixture->timer->timing->edge_delay[e].v[el];
  return NAN;
}

/* --- a chain ---------------------------------------------------------------------------------- */
static const char chain[] = "module top(clk, o);\ninput clk; output o;\nBUF r(.A(clk), "
                            ".Y(kr));\nBUF k1(.A(kr), .Y(k));\nBUF k2(.A(kr), .Y(l));\n"
                            "DFF f(.CK(k), .D(z), .Q(q));\nBUF a(.A(q), .Y(x));\nBUF b(.A(x), "
                            ".Y(d));\nDFF h(.CK(l), .D(d), .Q(z));\n"
                            "BUF e(.A(z), .Y(o));\nendmodule\n";

static double square(double x) { return x * x; }

static void a_chain_adds_squares(void)
{
  Fixture f = fixture(chain);
  const Timing *t = update(&f);
  static const char *const launch[] = { "r/Y", "k1/Y", "f/Q", "a/Y", "b/Y" };
  double mean = 0, variance = 0;
  for (int i = 0; i < 5; i++) {
    double delay = rising_delay(&f, launch[i], LATE);
    mean += delay;
    variance += square(0.1 * delay);
  }
  NodeId end = t->g->nodes.first[slot_of(&f, "h/D", false)];
  CU_ASSERT_DOUBLE_EQUAL(timing_mean(t, end, condition_of(LATE, RISE)), mean, 1e-3);
  CU_ASSERT_DOUBLE_EQUAL(timing_variance(t, end, condition_of(LATE, RISE)), variance, 1e-3);
  CU_ASSERT_DOUBLE_EQUAL(t->arrival[end].v[condition_of(LATE, RISE)],
                         mean + QUANTILE * sqrt(variance), 1e-3);
  CU_ASSERT_DOUBLE_EQUAL(timing_mean(t, end, condition_of(EARLY, RISE)), mean, 1e-3);
  CU_ASSERT_DOUBLE_EQUAL(t->arrival[end].v[condition_of(EARLY, RISE)],
                         mean - QUANTILE * sqrt(variance), 1e-3);
  fixture_free(&f);
}

/* The buffer r is common to launch and capture: it neither delays nor varies in the slack. */
static void a_slack_has_one_sigma_without_what_is_common(void)
{
  Fixture f = fixture(chain);
  const Timing *t = update(&f);
  static const char *const data[] = { "k1/Y", "f/Q", "a/Y", "b/Y" };
  double mean = 0, variance = square(0.1 * rising_delay(&f, "k2/Y", EARLY));
  for (int i = 0; i < 4; i++) {
    double delay = rising_delay(&f, data[i], LATE);
    mean += delay;
    variance += square(0.1 * delay);
  }
  Slot s = slot_of(&f, "h/D", false);
  uint32_t found = 0;
  for (PathEndId r = t->g->ends.first_end[s]; r < t->g->ends.first_end[s + 1]; r++) {
    const PathEnd *end = &t->g->ends.path_ends.at[r];
    if (end->type != END_SETUP && end->type != END_HOLD) continue;
    double margin = t->check_margin[end->check].v[RISE];
    double slack = end->type == END_SETUP ? 1000 + rising_delay(&f, "k2/Y", EARLY) - margin - mean
                                          : mean - rising_delay(&f, "k2/Y", LATE) - margin;
    double check = end->type == END_HOLD ? 2 + 0.01 * t->slew[s].v[condition_of(EARLY, RISE)] : 0;
    CU_ASSERT_DOUBLE_EQUAL(t->sigma.check[end->check].v[RISE], check, 1e-4);
    CU_ASSERT_DOUBLE_EQUAL(t->end_slack[r].v[RISE],
                           slack - QUANTILE * sqrt(variance + check * check), 2e-3);
    found++;
  }
  CU_ASSERT_EQUAL(found, 2);
  /* a pin inside has the slack of the path through it, and its required time stands beside its
     arrival */
  NodeId inner = t->g->nodes.first[slot_of(&f, "a/Y", true)];
  float required = common_required(t, inner, condition_of(LATE, RISE)),
        slack = t->end_slack[t->g->ends.first_end[s]].v[RISE];
  bool setup = t->g->ends.path_ends.at[t->g->ends.first_end[s]].type == END_SETUP;
  if (setup)
    CU_ASSERT_DOUBLE_EQUAL(required - t->arrival[inner].v[condition_of(LATE, RISE)], slack, 2e-3);
  fixture_free(&f);
}

static void the_nearest_coefficient_counts(void)
{
  Fixture f = fixture(chain);
  coefficient(f.variation, (Object){ OBJ_CELL, small_inst(f.small, "a") }, 1 << OCV_CELL,
              1 << PATH_DATA, 0.5f);
  /* no data there */
  coefficient(f.variation, (Object){ OBJ_CELL, small_inst(f.small, "k1") }, 1 << OCV_CELL,
              1 << PATH_DATA, 0.5f);
  const Timing *t = update(&f);
  double before =
      timing_variance(t, t->g->nodes.first[slot_of(&f, "f/Q", true)], condition_of(LATE, RISE));
  double after =
      timing_variance(t, t->g->nodes.first[slot_of(&f, "a/Y", true)], condition_of(LATE, RISE));
  CU_ASSERT_DOUBLE_EQUAL(after - before, square(0.5 * rising_delay(&f, "a/Y", LATE)), 1e-3);
  double clock =
      timing_variance(t, t->g->nodes.first[slot_of(&f, "k1/Y", true)], condition_of(LATE, RISE));
  CU_ASSERT_DOUBLE_EQUAL(clock,
                         square(0.1 * rising_delay(&f, "r/Y", LATE))
                             + square(0.1 * rising_delay(&f, "k1/Y", LATE)),
                         1e-3);
  fixture_free(&f);
}

/* --- merging ---------------------------------------------------------------------------------- */
/* The more varied way is worse at 3 sigma though it is the shorter one. */
static void the_worst_quantile_goes_on(void)
{
  Fixture f = fixture(
      "module top(clk, o);\ninput clk; output o;\nDFF f(.CK(clk), .D(d), .Q(q));\nBUF a(.A(q), "
      ".Y(x));\nBUF b1(.A(q), .Y(y));\n"
      "BUF b2(.A(y), .Y(z));\nAND2 g(.A(x), .B(z), .Y(d));\nBUF e(.A(d), .Y(o));\nendmodule\n");
  coefficient(f.variation, (Object){ OBJ_CELL, small_inst(f.small, "a") }, 1 << OCV_CELL, 3, 0.9f);
  const Timing *t = update(&f);
  NodeId out = t->g->nodes.first[slot_of(&f, "g/Y", true)];
  NodeId a = t->g->nodes.first[slot_of(&f, "a/Y", true)],
         b = t->g->nodes.first[slot_of(&f, "b2/Y", true)];
  int late = condition_of(LATE, RISE), early = condition_of(EARLY, RISE);
  CU_ASSERT(timing_mean(t, a, late) < timing_mean(t, b, late)
            && t->arrival[a].v[late] > t->arrival[b].v[late]);
  CU_ASSERT(timing_variance(t, out, late) > timing_variance(t, a, late));
  CU_ASSERT(t->arrival[a].v[early] < t->arrival[b].v[early]
            && timing_variance(t, out, early) > timing_variance(t, a, early));
  fixture_free(&f);
}

/* An arc's own sigma: of its library's table, at the slew and load of its delay, before the
   design's coefficient. */
static void librarys_sigma_counts_before_the_designs(void)
{
  Fixture f = fixture("module top(clk, o);\ninput clk; output o;\nDFF f(.CK(clk), .D(d), "
                      ".Q(q));\nAND2 g(.A(q), .B(q), .Y(d));\nBUF e(.A(d), .Y(o));\n"
                      "endmodule\n");
  const Timing *t = update(&f);
  const Graph *g = t->g;
  Slot y = slot_of(&f, "g/Y", true);
  for (ArcId a = g->arcs.first[y]; a < g->arcs.first[y + 1]; a++) {
    bool has = names_text(f.small->names,
                          f.small->libs->ports.at[g->libs->arcs.at[g->arcs.lib[a]].from].name)[0]
               == 'B';
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      int k = condition_of(LATE, p.out);
      double table = (p.out == RISE ? 1 : 1.5)
                     + 0.01 * t->slew[g->arcs.from[a]].v[condition_of(LATE, p.in)]
                     + 0.1 * t->nets.load_cap[graph_driver_index(g, y)].v[k];
      double wanted = has ? table : 0.1 * t->edge_delay[e].v[LATE];
      CU_ASSERT_DOUBLE_EQUAL(sqrt(timing_edge_variance(t, a, e, false, k)), wanted, 1e-4);
    }
  }
  fixture_free(&f);
}

/* --- random designs --------------------------------------------------------------------------- */
static uint32_t below(unsigned *seed, uint32_t n) { return (uint32_t)rand_r(seed) % n; }

static void random_text(Text *text, unsigned *seed)
{
  enum { CLOCKS = 5, REGISTERS = 5, GATES = 14 };
  static const char *const gate[] = { "AND2", "OR2", "XOR2" };
  text_put(text, "module top(clk, o);\ninput clk; output o;\n");
  for (uint32_t i = 0; i < CLOCKS; i++) {
    uint32_t n = below(seed, i + 1);
    text_printf(text, "%s c%u(.A(", below(seed, 4) ? "BUF" : "INV", i);
    if (n == 0) text_put(text, "clk");
    else text_printf(text, "k%u", n - 1);
    text_printf(text, "), .Y(k%u));\n", i);
  }
  for (uint32_t i = 0; i < GATES; i++) {
    text_printf(text, "%s g%u(", gate[below(seed, 3)], i);
    for (int pin = 0; pin < 2; pin++) {
      uint32_t n = below(seed, REGISTERS + i);
      text_printf(text, ".%c(%s%u), ", 'A' + pin, n < REGISTERS ? "q" : "s",
                  n < REGISTERS ? n : n - REGISTERS);
    }
    text_printf(text, ".Y(s%u));\n", i);
  }
  for (uint32_t i = 0; i < REGISTERS; i++)
    text_printf(text, "DFF f%u(.CK(k%u), .D(s%u), .Q(q%u));\n", i, below(seed, CLOCKS),
                below(seed, GATES), i);
  text_printf(text, "BUF last(.A(s%u), .Y(o));\nendmodule\n", GATES - 1);
}

static Fixture random_fixture(unsigned *seed)
{
  Text t = { 0 };
  random_text(&t, seed);
  Fixture f = fixture(text_get(&t));
  text_free(&t);
  return f;
}

static bool same_numbers(const Timing *a, const Timing *b)
{
  const Graph *g = a->g;
  for (NodeId n = 0; n < g->nodes.count; n++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      if (common_required(a, n, k) != common_required(b, n, k)) return false;
  return memcmp(a->arrival, b->arrival, g->nodes.count * sizeof *a->arrival) == 0
         && memcmp(a->sigma.arrival_variance, b->sigma.arrival_variance,
                   g->nodes.count * sizeof *a->sigma.arrival_variance)
                == 0
         && memcmp(a->end_slack, b->end_slack, g->ends.path_ends.len * sizeof *a->end_slack) == 0;
}

static void same_as_full(Fixture *fixture, int threads)
{
  TimerInput in = input_of(fixture);
  Timer *full = timer_new(&in, fixture->small->log);
  full->threads = threads;
  CU_ASSERT_FATAL(timer_update(full, true) == OK);
  CU_ASSERT(same_numbers(fixture->timer->timing, full->timing));
  timer_free(full);
}

static void updates_are_full_ones(void)
{
  for (unsigned seed = 1; seed <= 30; seed++) {
    unsigned state = seed;
    Fixture f = random_fixture(&state);
    if (seed & 1) variation_remove(f.variation, 1u << OCV_COEFFICIENT);      /* swaps in place */
    update(&f);
    for (int i = 0; i < 4; i++) {
      char name[] = { 'g', (char)('0' + below(&state, 10)), 0 };
      const char *new_name = below(&state, 2) ? "AND2" : "OR2";
      InstId inst = small_inst(f.small, name);
      CellId old = f.small->netlist->insts.at[inst].master,
             new = library_find_cell(f.small->libs,
                                     names_find(f.small->names, new_name, strlen(new_name)));
      if (netlist_swap_cell(f.small->netlist, inst, new, f.small->log) != OK) continue;
      timer_cell_swapped(f.timer, inst, old);
      update(&f);
      same_as_full(&f, 1 + (int)below(&state, 3));
    }
    fixture_free(&f);
  }
}

/* At the quantile 0, numbers are those without sigma. */
static void without_sigma_nothing_changes(void)
{
  for (unsigned seed = 1; seed <= 10; seed++) {
    unsigned state = seed;
    Fixture f = random_fixture(&state);
    variation_set_options(f.variation,
                          (OcvOptions){ .tables = OCV_TABLES_REPLACE, .mode = OCV_NORMAL });
    Variation *none = variation_new();
    TimerInput in = input_of(&f);
    in.variation = none;
    Timer *plain = timer_new(&in, f.small->log);
    CU_ASSERT_FATAL(timer_update(plain, true) == OK);
    const Timing *t = update(&f), *timing = plain->timing;
    CU_ASSERT(timing->sigma.arrival_variance == NULL && t->sigma.arrival_variance != NULL);
    CU_ASSERT(memcmp(t->arrival, timing->arrival, t->g->nodes.count * sizeof *t->arrival) == 0);
    size_t ends = t->g->ends.path_ends.len * sizeof *t->end_slack;
    CU_ASSERT(memcmp(t->end_slack, timing->end_slack, ends) == 0);
    timer_free(plain);
    variation_free(none);
    fixture_free(&f);
  }
}

void suite_sigma(void)
{
  CU_pSuite s = CU_add_suite("sigma", NULL, NULL);
  CU_add_test(s, "a chain adds squares", a_chain_adds_squares);
  CU_add_test(s, "a slack has one sigma, without what is common",
              a_slack_has_one_sigma_without_what_is_common);
  CU_add_test(s, "the nearest coefficient counts", the_nearest_coefficient_counts);
  CU_add_test(s, "the worst quantile goes on", the_worst_quantile_goes_on);
  CU_add_test(s, "the library's sigma counts before the design's",
              librarys_sigma_counts_before_the_designs);
  CU_add_test(s, "updates are full ones", updates_are_full_ones);
  CU_add_test(s, "with no sigmas nothing changes", without_sigma_nothing_changes);
}
