/* Common path credit on a device, run by the CPU: credits, lists of launches and of captures,
   slacks are the CPU backend's bytes, whatever the order within a kernel, where lists begin without
   room, and after edits. */
#include <stdlib.h>
#include <string.h>

#include "update/backend.h"
#include "timing/credit.h"
#include "device/flat_credit.h"
#include "tests/small.h"
#include "tests/unit.h"

static const CommonOptions ways[] = { { .on = true },
                                      { .on = true, .drivers_only = true },
                                      { .on = true, .same_transition = true },
                                      { .on = true, .required = COMMON_BY_ENDS } };
enum { WAYS = sizeof ways / sizeof *ways };

static Timer *timer_on(Small *small, const Backend *backend, CommonOptions way)
{
  TimerInput in = { .netlist = small->netlist,
                    .libs = small->libs,
                    .constraints = small->constraints };
  Timer *timer = timer_new(&in, small->log);
  timer->threads = 1;
  timer_set_backend(timer, backend);
  timer_set_delay_model(timer, DELAY_LUMPED);
  timer_set_common(timer, way);
  return timer;
}

/* The length of the longest. */
static uint32_t compare_lists(const Fronts *a, const Fronts *b)
{
  uint32_t longest = 0, differ = 0;
  CU_ASSERT_FATAL(a->count == b->count);
  for (size_t i = 0; i < a->count; i++) {
    uint32_t n, m;
    const CommonItem *x = fronts_get(a, i, &n), *y = fronts_get(b, i, &m);
    differ += n != m || (n && memcmp(x, y, n * sizeof *x) != 0);
    if (n > longest) longest = n;
  }
  CU_ASSERT(differ == 0);
  return longest;
}

/* What both have worked out; the length of the longest list. */
static uint32_t compare(const Timing *t, const Timing *cpu)
{
  const Graph *g = cpu->g;
  CU_ASSERT(memcmp(t->arrival, cpu->arrival, g->nodes.count * sizeof *t->arrival) == 0);
  CU_ASSERT(memcmp(t->required, cpu->required, g->nodes.count * sizeof *t->required) == 0);
  size_t ends = g->ends.path_ends.len * sizeof *t->end_slack;
  CU_ASSERT(memcmp(t->end_slack, cpu->end_slack, ends) == 0);
  CU_ASSERT(common_active(t) == common_active(cpu));
  if (!common_active(t) || !common_active(cpu)) return 0;
  CU_ASSERT(
      memcmp(t->common->credit, cpu->common->credit, g->common.count * sizeof *t->common->credit)
      == 0);
  uint32_t longest = compare_lists(t->common->launch, cpu->common->launch);
  uint32_t captures =
      common_captures(cpu) ? compare_lists(t->common->capture, cpu->common->capture) : 0;
  return captures > longest ? captures : longest;
}

/* All of it is there before anything comes back, but for what latches and reference pins need on
   the way. */
static bool stays_there(const Timing *t, CommonOptions way)
{
  unsigned made = way.required == COMMON_BY_ENDS ? NUMBERS_ALL & ~NUMBERS_CAPTURES : NUMBERS_ALL;
  if (t->g->arcs.latches.len || t->g->starts.references.len)
    made &= ~(NUMBERS_DELAYS | NUMBERS_ARRIVALS | NUMBERS_LAUNCHES);
  return (residency_away(&t->device.residency) & made) == (made & ~NUMBERS_NETS);
}

static uint32_t update_both(Timer *cpu, Timer *other)
{
  CU_ASSERT_FATAL(timer_update(cpu, true) == OK && timer_update(other, true) == OK);
  return compare(other->timing, cpu->timing);
}

/* The length of the longest list of some designs. */
static uint32_t check_designs(CreditKind kind, uint32_t times, unsigned count)
{
  uint32_t longest = 0, active = 0;
  for (unsigned seed = 1; seed <= count; seed++) {
    unsigned state = seed;
    Small *small = credit_design(&state, kind, times);
    Timer *cpu = timer_on(small, &cpu_backend, ways[seed % WAYS]),
          *other = timer_on(small, &emulated_backend, ways[seed % WAYS]);
    CU_ASSERT_FATAL(timers_update(&other, 1, true, 0) == OK);
    if (common_active(other->timing)) CU_ASSERT(stays_there(other->timing, ways[seed % WAYS]));
    uint32_t length = update_both(cpu, other);
    CU_ASSERT(strstr(test_log_text(), "CUDA-00") == NULL);
    if (length > longest) longest = length;
    active += common_active(cpu->timing);
    timer_free(cpu);
    timer_free(other);
    small_free(small);
  }
  CU_ASSERT(active > count / 2);
  return longest;
}

static void check_kinds(uint32_t times, unsigned count, uint32_t least)
{
  CU_ASSERT(check_designs(CREDIT_PLAIN, times, count) >= least);
  CU_ASSERT(check_designs(CREDIT_DIVIDED, times, count) >= least);
  CU_ASSERT(check_designs(CREDIT_DATA_CHECKS, times, count) >= least);
  CU_ASSERT(check_designs(CREDIT_LATCHES, times, count) >= least);
}

static void small_designs(void) { check_kinds(1, 80, 2); }

static void long_lists(void) { check_kinds(25, 8, 4); }

static void any_order(void)
{
  setenv("SLACKLINE_EMULATED", "reversed", 1);
  check_kinds(2, 20, 3);
  check_kinds(15, 4, 3);
  unsetenv("SLACKLINE_EMULATED");
}

static void lists_that_grow(void)
{
  setenv("SLACKLINE_EMULATED", "lists=1,reversed", 1);
  check_kinds(1, 20, 2);
  check_kinds(15, 4, 3);
  unsetenv("SLACKLINE_EMULATED");
}

/* A register with a hundred others behind it, below as many places of the clock's tree as there are
   buffers; a clock net as large. */
static Small *wide_design(void)
{
  Text t = { 0 };
  text_put(&t, "module top(clk, i0, o);\ninput clk, i0; output o;\nBUF c0(.A(clk), .Y(k0));\n");
  for (int i = 1; i < 24; i++)
    text_printf(&t, "BUF c%d(.A(k%d), .Y(k%d));\n", i, i % 3 ? i - 1 : i / 2, i);
  text_put(&t, "DFF f(.CK(k7), .D(i0), .Q(q)); BUF last(.A(m3), .Y(o));\n");
  for (int i = 0; i < 100; i++) {
    text_printf(&t, "AND2 g%d(.A(q), .B(m%d), .Y(d%d)); DFF f%d(.D(d%d), .Q(m%d), .CK(", i,
                (i * 7 + 1) % 100, i, i, i, i);
    if (i % 2) text_put(&t, "clk));\n");
    else text_printf(&t, "k%d));\n", i / 2 % 24);
  }
  text_put(&t, "endmodule\n");
  Small *small = small_new(text_get(&t));
  text_free(&t);
  ClockId clock = small_clock(small, "clk", 300, 0, 150, "clk");
  small->constraints->clocks.at[clock].propagated = true;
  Derate *derate = constraints_derate(small->constraints, (Object){ OBJ_DESIGN, 0 });
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      derate->factor[DERATE_CELL_DELAY][path][k] = k >> 1 == LATE ? 1.15f : 0.8f;
  return small;
}

static void wide_drivers(void)
{
  static const char *const settings[] = { "none", "reversed", "lists=1" };
  for (int i = 0; i < 3; i++) {
    setenv("SLACKLINE_EMULATED", settings[i], 1);
    Small *small = wide_design();
    Timer *cpu = timer_on(small, &cpu_backend, ways[0]),
          *other = timer_on(small, &emulated_backend, ways[0]);
    update_both(cpu, other);
    CU_ASSERT(cpu->graph->nets.load_count[graph_slot(cpu->graph, small_pin(small, "f/Q"), true)]
              > CREDIT_WIDE);
    CU_ASSERT(strstr(test_log_text(), "CUDA-00") == NULL);
    timer_free(cpu);
    timer_free(other);
    small_free(small);
  }
  unsetenv("SLACKLINE_EMULATED");
}

/* --- edits ------------------------------------------------------------------------------------ */
/* In place, in a graph of its own, whole again: lists that came back serve the CPU's updates, and
   new ones the device's. */
static void check_edits(CommonOptions way)
{
  for (unsigned seed = 1; seed <= 12; seed++) {
    unsigned state = seed;
    Small *small = credit_design(&state, (CreditKind)(seed % 2), 4);
    Timer *cpu = timer_on(small, &cpu_backend, way),
          *other = timer_on(small, &emulated_backend, way);
    update_both(cpu, other);
    for (int i = 0; i < 6; i++) {
      char name[] = { 'g', (char)('0' + rand_r(&state) % 8), 0 };
      small_swap(small, name, rand_r(&state) % 2 ? "AND2" : "OR2", cpu, other);
      if (i % 3 == 2) timer_invalidate(other);
      update_both(cpu, other);
    }
    timer_free(cpu);
    timer_free(other);
    small_free(small);
  }
}

static void edits(void)
{
  check_edits(ways[0]);
  check_edits(ways[3]);
}

/* An operation fails, whichever: the CPU's numbers. */
static void lost(void)
{
  char setting[20];
  uint32_t told = 0;
  for (int i = 1; i <= 18; i++) {
    unsigned state = 3;
    snprintf(setting, sizeof setting, "lost=%d", i);
    setenv("SLACKLINE_EMULATED", setting, 1);
    Small *small = credit_design(&state, CREDIT_PLAIN, 4);
    Timer *cpu = timer_on(small, &cpu_backend, ways[0]),
          *other = timer_on(small, &emulated_backend, ways[0]);
    CU_ASSERT(timers_update(&other, 1, true, 0) == OK);
    update_both(cpu, other);
    told += strstr(test_log_text(), "CUDA-002") != NULL;
    timer_free(cpu);
    timer_free(other);
    small_free(small);
  }
  unsetenv("SLACKLINE_EMULATED");
  CU_ASSERT(told >= 10 && told < 18);
}

void suite_device_credit(void)
{
  CU_pSuite s = CU_add_suite("device/device credit", NULL, NULL);
  CU_add_test(s, "small designs", small_designs);
  CU_add_test(s, "long lists", long_lists);
  CU_add_test(s, "any order within a kernel", any_order);
  CU_add_test(s, "lists that grow", lists_that_grow);
  CU_add_test(s, "wide drivers", wide_drivers);
  CU_add_test(s, "edits", edits);
  CU_add_test(s, "a device lost in mid-update", lost);
}
