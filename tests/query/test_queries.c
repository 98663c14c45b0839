/* Read-only queries over the example design: delays worked out again have the engine's bits; cones
   are each other's reverse; skew and coverage agree with a direct count. */
#include <math.h>

#include "update/timer.h"
#include "query/parasitic_coverage.h"
#include "query/clock_tree.h"
#include "query/least_period.h"
#include "query/coverage.h"
#include "query/delay_calc.h"
#include "query/fan.h"
#include "query/lint.h"
#include "timing/slack.h"
#include "tests/small.h"
#include "tests/unit.h"

/* One for all tests: making the ramp tables takes longest. */
static Small *fixture;

/* A suite's setup cannot check, so the first test makes the clock. */
static void add_clock(void)
{
  if (fixture->constraints->clocks.len) return;
  ClockId clock = small_clock(fixture, "clk", 1000, 0, 500, "clk");
  fixture->constraints->clocks.at[clock].propagated = true;
  constraints_changed(fixture->constraints);
}

static const Timing *timing_with(DelayModel model)
{
  add_clock();
  timer_set_delay_model(fixture->timer, model);
  CHECK(timer_update(fixture->timer, true) == OK);
  return fixture->timer->timing;
}

static int setup(void)
{
  fixture = small_example();
  if (fixture == NULL) return 1;
  small_timer(fixture)->threads = 0;
  return 0;
}

static int teardown(void)
{
  small_free(fixture);
  return 0;
}

/* --- delays ----------------------------------------------------------------------------------- */
typedef struct {
  uint32_t edges, wrong_delays, wrong_slews, wrong_wires, solved;
} Tally;

static void worsen(float *have, int el, float x)
{
  if (el == LATE ? x > *have : x < *have) *have = x;
}

/* Latches pass data on outside the levels: the slew that their arcs saw may have been another
   one. */
static bool drives_as_latch(const Graph *g, Slot driver)
{
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    if (g->arcs.flags[a] & ARC_LATCH) return true;
  return false;
}

/* The merged slew of a driver and the merged delay of its first load, over all arcs. */
static void check_driver(const Timing *t, Slot driver, int el, int out, Tally *tally)
{
  const Graph *g = t->g;
  float slew = el == LATE ? ABSENT_LATE : ABSENT_EARLY, wire = slew;
  Slot load = g->nets.load_first[driver];
  int k = condition_of(el, out);
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1] && arc_on(g, a); e++) {
      ArcCalc c;
      if (!query_arc_calc(t, a, e, el, &c) || c.pair.out != out) continue;
      tally->edges++;
      const StageEdge *edge = &c.steps.edge;
      tally->solved += edge->waves && shape_has_wave(&edge->solution.shape);
      tally->wrong_delays += edge->delay != t->edge_delay[e].v[el];
      worsen(&slew, el, edge->slew);
      if (g->nets.load_count[driver])
        worsen(&wire, el, stage_wire(t, edge, (StageLoad){ driver, load, NO_EXTRA }, k).delay);
    }
  if (time_absent(slew)) return;
  tally->wrong_slews += slew != t->slew[driver].v[k];
  if (g->nets.load_count[driver])
    tally->wrong_wires += wire != t->wires.delay[graph_load_index(g, load)].v[k];
}

static Tally check_delays(DelayModel model)
{
  Tally n = { 0 };
  const Timing *t = timing_with(model);
  for (Slot s = 0; s < t->g->slots.count; s++)
    if (slot_is_driver(t->g, s) && !(t->g->slots.flags[s] & SLOT_PORT) && !drives_as_latch(t->g, s))
      for (int k = 0; k < CONDITION_COUNT; k++) check_driver(t, s, k >> 1, k & 1, &n);
  CHECK(n.edges > 1000);
  CHECK(n.wrong_delays == 0);
  CHECK(n.wrong_slews == 0);
  CHECK(n.wrong_wires == 0);
  return n;
}

static void test_delay_calc(void)
{
  for (int model = 0; model < DELAY_MODEL_COUNT; model++) {
    uint32_t solved = check_delays(model).solved;
    CHECK(delay_has(model, DELAY_BY_WAVE) ? solved > 100 : solved == 0);
  }
}

/* --- cones ------------------------------------------------------------------------------------ */
static bool cone_has(const Graph *g, bool backward, PinId from, PinId to)
{
  PinArray pins = { 0 };
  bool found = false;
  query_fan(g, &(FanQuery){ backward, true, false, 0, 0, TRACE_TIMING }, &from, 1, &pins);
  for (uint32_t i = 0; i < pins.len; i++) found |= pins.at[i] == to;
  array_free(&pins);
  return found;
}

static uint32_t cone_size(const Graph *g, const FanQuery *query, PinId from)
{
  PinArray pins = { 0 };
  query_fan(g, query, &from, 1, &pins);
  uint32_t count = pins.len;
  array_free(&pins);
  return count;
}

static void test_cones(void)
{
  const Graph *g = timing_with(DELAY_LUMPED)->g;
  uint32_t differ = 0, inside = 0;
  for (PinId a = 0; a < g->netlist->pins.len; a += 3989) {
    for (PinId b = 0; b < g->netlist->pins.len; b += 2801) {
      if (g->slots.of_pin[a] == NO_SLOT || g->slots.of_pin[b] == NO_SLOT) continue;
      bool forth = cone_has(g, false, a, b), back = cone_has(g, true, b, a);
      inside += forth;
      differ += forth != back;
    }
    if (g->slots.of_pin[a] == NO_SLOT) continue;
    uint32_t all = cone_size(g, &(FanQuery){ true, true, false, 0, 0, TRACE_TIMING }, a);
    CHECK(cone_size(g, &(FanQuery){ true, true, false, 2, 0, TRACE_TIMING }, a) <= all);
    CHECK(cone_size(g, &(FanQuery){ true, true, false, 0, 1, TRACE_TIMING }, a) <= all);
    CHECK(cone_size(g, &(FanQuery){ true, true, true, 0, 0, TRACE_TIMING }, a) <= all);
    CHECK(cone_size(g, &(FanQuery){ true, false, false, 0, 0, TRACE_TIMING }, a) <= all);
  }
  CHECK(differ == 0);
  CHECK(inside > 0);
}

/* --- clocks ----------------------------------------------------------------------------------- */
/* Skew over all pairs of registers, each with a search of its own. */
static double brute_skew(const Timing *t, ClockId clock)
{
  const Graph *g = t->g;
  double worst = 0;
  for (CheckId i = 0; i < g->ends.checks.len; i += 61) {
    const Check *check = &g->ends.checks.at[i];
    if (check->type != ARC_SETUP) continue;
    double capture = query_clock_latency(t, check->clock, clock, check->clock_edge, EARLY, false);
    PinArray starts = { 0 };
    query_fan(g, &(FanQuery){ true, true, true, 0, 0, TRACE_TIMING }, &g->slots.pin[check->data], 1,
              &starts);
    for (uint32_t k = 0; k < starts.len; k++) {
      Slot s = g->slots.of_pin[starts.at[k]];
      if (slot_is_driver(g, s)) continue;
      double launch = query_clock_latency(t, s, clock, RISE, LATE, false);
      if (!isnan(launch) && !isnan(capture) && fabs(launch - capture) > worst)
        worst = fabs(launch - capture);
    }
    array_free(&starts);
  }
  return worst;
}

static void test_clocks(void)
{
  const Timing *t = timing_with(DELAY_CEFF);
  ClockSkew k = query_clock_skew(t, 0, SETUP, false);
  LatencyRange r = query_latency_range(t, 0, false);
  CHECK(k.found);
  CHECK(r.count > 0);
  CHECK(fabs(k.skew) >= brute_skew(t, 0));
  CHECK(k.skew == k.launch_latency - k.capture_latency);
  CHECK(k.launch_latency <= r.latency[LATE] && k.capture_latency >= r.latency[EARLY]);
  MinPeriod own = query_min_period(t, 0, false), all = query_min_period(t, 0, true);
  CHECK(own.period > 0 && own.period <= all.period);
  CHECK(t->constraints->clocks.at[0].period - all.period <= query_slacks(t, LATE).worst + 1e-3
        || own.period < all.period);
}

/* --- coverage, lint, annotation --------------------------------------------------------------- */
typedef struct { uint32_t met, violated, untested; } Counts;

static void count_one(void *data, const Coverage *coverage)
{
  Counts *counts = data;
  counts->met += coverage->covered == COVERED_MET;
  counts->violated += coverage->covered == COVERED_VIOLATED;
  counts->untested += coverage->covered == COVERED_NOT;
  CHECK((coverage->covered == COVERED_NOT) == (coverage->reason != UNTESTED_NONE));
}

static void test_counts(void)
{
  Counts n = { 0 };
  const Timing *t = timing_with(DELAY_CEFF);
  query_coverage(t, count_one, &n);
  CHECK(n.met + n.violated > 0);
  CHECK(n.untested > 0);                      /* outputs have no delays here */
  CHECK((n.violated > 0)
        == (query_slacks(t, LATE).violations + query_slacks(t, EARLY).violations > 0));
  ObjectArray found = { 0 };
  query_lint(t, LINT_NO_OUTPUT_DELAY, &found);
  CHECK(found.len > 0);
  array_clear(&found);
  query_lint(t, LINT_LOOPS, &found);
  CHECK((found.len > 0) == (t->g->arcs.loops_cut > 0));
  array_clear(&found);
  query_lint(t, LINT_GENERATED_CLOCKS, &found);
  CHECK(found.len == 0);
  array_free(&found);
  CHECK(lint_find("no_clock") == LINT_NO_CLOCK && lint_find("nothing") == LINT_COUNT);
  AnnotationQuery *query = annotation_query_new(t->g, fixture->parasitics),
                  *none = annotation_query_new(t->g, NULL);
  uint32_t annotated = 0, loads, reached;
  for (Slot s = 0; s < t->g->slots.count; s++) {
    if (!slot_is_driver(t->g, s)) continue;
    annotated += annotation_of_driver(query, s, &loads, &reached) == ANNOTATED;
    CHECK(reached <= loads);
    CHECK(annotation_of_driver(none, s, &loads, &reached) == NOT_ANNOTATED);
  }
  CHECK(annotated > 0);
  annotation_query_free(query);
  annotation_query_free(none);
}

static void test_corners(void)
{
  const Timing *t = timing_with(DELAY_LUMPED);
  for (TableId id = 0; id < fixture->libs->tables.len; id += 97) {
    TableCorners k = query_table_corners(corner_libs_table(t->corner_libs, id), 20, 5);
    CHECK(k.result == library_table_value(fixture->libs, id, 20, 5));
    if (!k.outside_x && fixture->libs->tables.at[id].n1 > 1) CHECK(k.x[0] <= 20 && 20 <= k.x[1]);
    if (!k.outside_y && fixture->libs->tables.at[id].n2 > 1) CHECK(k.y[0] <= 5 && 5 <= k.y[1]);
  }
}

void suite_queries(void)
{
  CU_pSuite s = CU_add_suite("queries", setup, teardown);
  CU_add_test(s, "delays worked out again have the engine's bits", test_delay_calc);
  CU_add_test(s, "cones are each other's reverse", test_cones);
  CU_add_test(s, "skew, latency, least period", test_clocks);
  CU_add_test(s, "coverage, lint, annotation", test_counts);
  CU_add_test(s, "table corners", test_corners);
}
