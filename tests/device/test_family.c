/* A family of kernels that the tests alone register (histogram.h): on the CPU, in the emulation
   and, where there is one, on a CUDA device, without a design and on one; when the device fails;
   and which device is chosen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/memory.h"
#include "device/device.h"
#include "tests/device/histogram.h"
#include "tests/small.h"
#include "tests/unit.h"
#include "update/backend.h"

/* --- its functions for the CPU ---------------------------------------------------------------- */
static void keep_values(void *state, void *call, int threads)
{
  (void)threads;
  *(HistogramValues *)state = *(const HistogramValues *)call;
}

static void count_kept(void *state, void *call, int threads)
{
  const HistogramValues *values = state;
  HistogramCall *histogram_call = call;
  (void)threads;
  memset(histogram_call->counts, 0, histogram_call->bins * sizeof *histogram_call->counts);
  for (uint32_t i = 0; i < values->count; i++)
    histogram_call->counts[histogram_bin(values->values[i], histogram_call->low,
                                         histogram_call->width, histogram_call->bins)]++;
}

static const FamilyFunction functions[] = {
  [HISTOGRAM_PUT] = keep_values,
  [HISTOGRAM_COUNT] = count_kept,
};
const FamilyHost histogram_host = { .state_bytes = sizeof(HistogramValues),
                                    .operations = functions };

FAMILY_KERNELS(histogram);
static const Family histogram = FAMILY_ROW(histogram, &histogram_host);
/* The same without functions for the CPU. */
static const Family kernels_alone = FAMILY_ROW(histogram, NULL);

/* --- engines ---------------------------------------------------------------------------------- */
enum { MOST_ENGINES = 3 };

/* NULL: the CPU. */
static uint32_t engines(const DeviceOps *on[MOST_ENGINES])
{
  char text[200];
  on[0] = NULL;
  on[1] = &emulated_device;
#ifdef HAVE_CUDA
  if (cuda_device.available(0, text, sizeof text)) {
    on[2] = &cuda_device;
    return 3;
  }
#endif
  (void)text;
  return 2;
}

static FamilyRun *open_on(const DeviceOps *on)
{
  EngineOptions options = engine_options_preset();
  return family_open(&histogram, on, &options, 2);
}

/* By hand: bins [0, 2), [2, 4), [4, ...); what is below is in the first. */
static float few[] = { 0, 1.5f, 2, 3.75f, 4, 100, -3 };
static const uint32_t few_counts[] = { 3, 2, 2 };

static bool counts_few(FamilyRun *run)
{
  uint32_t counts[3] = { 9, 9, 9 };
  HistogramCall call = { 0, 2, 3, counts };
  HistogramValues values = { few, sizeof few / sizeof *few };
  return family_run(run, HISTOGRAM_PUT, &values) && family_run(run, HISTOGRAM_COUNT, &call)
         && memcmp(counts, few_counts, sizeof counts) == 0;
}

static void test_few(void)
{
  const DeviceOps *on[MOST_ENGINES];
  for (uint32_t i = 0, n = engines(on); i < n; i++) {
    FamilyRun *run = open_on(on[i]);
    CHECK(counts_few(run));
    CHECK_TEXT(family_use(run).engine, on[i] ? on[i]->name : "cpu");
    CHECK(family_use(run).seconds > 0);
    family_close(run);
  }
}

enum { MANY = 300000, BINS = 1000 };

static float *random_values(void)
{
  float *values = mem_alloc(MANY * sizeof *values);
  unsigned seed = 5;
  for (uint32_t i = 0; i < MANY; i++) values[i] = (float)(rand_r(&seed) % 1000000) * 1e-3f;
  return values;
}

/* What was put stays there, for counts in other bins; a longer array takes its place. */
static void count_twice(const DeviceOps *on, const float *values, uint32_t counts[2][BINS])
{
  FamilyRun *run = open_on(on);
  HistogramValues all = { values, MANY };
  HistogramCall fine = { 0, 1, BINS, counts[0] }, coarse = { 100, 300, 3, counts[1] };
  CHECK(counts_few(run));
  CHECK(family_run(run, HISTOGRAM_PUT, &all) && family_run(run, HISTOGRAM_COUNT, &fine)
        && family_run(run, HISTOGRAM_COUNT, &coarse));
  if (on) CHECK(family_use(run).bytes == MANY * sizeof *values + BINS * sizeof **counts);
  family_close(run);
}

static void test_same_counts(void)
{
  static uint32_t counts[2][2][BINS];
  const DeviceOps *on[MOST_ENGINES];
  float *values = random_values();
  uint32_t n = engines(on), all = 0;
  count_twice(NULL, values, counts[0]);
  for (uint32_t i = 0; i < BINS; i++) all += counts[0][0][i];
  CHECK(all == MANY);
  for (uint32_t i = 1; i < n; i++) {
    memset(counts[1], 0, sizeof counts[1]);
    count_twice(on[i], values, counts[1]);
    CHECK(memcmp(counts[0], counts[1], sizeof counts[0]) == 0);
  }
  mem_free(values);
}

static void test_reversed(void)
{
  setenv("SLACKLINE_EMULATED", "reversed", 1);
  test_same_counts();
  unsetenv("SLACKLINE_EMULATED");
}

/* Without functions for the CPU it runs the emulation. */
static void test_no_functions(void)
{
  EngineOptions options = engine_options_preset();
  FamilyRun *run = family_open(&kernels_alone, NULL, &options, 1);
  CHECK(counts_few(run));
  CHECK_TEXT(family_use(run).engine, "emulated");
  family_close(run);
}

/* --- a device that fails ---------------------------------------------------------------------- */
/* The first attempt fails, and says what; the next is the CPU's. */
static void check_fault(const char *fault, const char *why)
{
  setenv("SLACKLINE_EMULATED", fault, 1);
  FamilyRun *run = open_on(&emulated_device);
  CHECK(!counts_few(run));
  CHECK(strstr(family_error(run)->text, why) != NULL);
  CHECK_TEXT(family_use(run).engine, "cpu");
  CHECK(counts_few(run));
  family_close(run);
  unsetenv("SLACKLINE_EMULATED");
}

static void test_fails(void)
{
  check_fault("fail=put_values", "put_values: the emulated device is lost");
  check_fault("fail=count", "count: the emulated device is lost");
  check_fault("lost=2", "count: the emulated device is lost");
  check_fault("memory=20", "needs");
}

/* --- a design --------------------------------------------------------------------------------- */
static void test_no_design(void)
{
  uint32_t count;
  HistogramCall call = { 0, 1, 1, &count };
  FamilyRun *run = open_on(&emulated_device);
  CHECK(!family_run(run, HISTOGRAM_SLEWS, &call));
  CHECK_TEXT(family_error(run)->text, "count_slews: it reads a design");
  family_close(run);
}

/* Registers and gates whose nets have different loads. */
static const char design[] =
    "module top(clk, a, y); input clk; input [3:0] a; output [3:0] y; wire [3:0] n, q;\n"
    "AND2 g0 (.A(a[0]), .B(a[1]), .Y(n[0])); OR2 g1 (.A(n[0]), .B(q[1]), .Y(n[1]));\n"
    "XOR2 g2 (.A(n[1]), .B(n[0]), .Y(n[2])); INV g3 (.A(n[2]), .Y(n[3]));\n"
    "DFF r0 (.CK(clk), .D(n[0]), .Q(q[0])); DFF r1 (.CK(clk), .D(n[1]), .Q(q[1]));\n"
    "DFF r2 (.CK(clk), .D(n[2]), .Q(q[2])); DFF r3 (.CK(clk), .D(n[3]), .Q(q[3]));\n"
    "BUF o0 (.A(q[0]), .Y(y[0])); BUF o1 (.A(q[1]), .Y(y[1]));\n"
    "BUF o2 (.A(q[2]), .Y(y[2])); BUF o3 (.A(q[3]), .Y(y[3])); endmodule";

static Timer *timer_on(Small *small, const Backend *backend)
{
  TimerInput in = { .netlist = small->netlist,
                    .libs = small->libs,
                    .constraints = small->constraints,
                    .parasitics = { small->parasitics, small->parasitics } };
  Timer *timer = timer_new(&in, small->log);
  timer->threads = 1;
  timer_set_backend(timer, backend);
  return timer;
}

enum { SLEW_BINS = 12 };

static void host_slews(const Timing *t, uint32_t counts[SLEW_BINS])
{
  memset(counts, 0, SLEW_BINS * sizeof *counts);
  for (uint32_t i = 0; i < t->g->slots.count; i++)
    counts[histogram_bin(t->slew[i].v[condition_of(LATE, RISE)], 0, 1, SLEW_BINS)]++;
}

/* The device alone has the slews, or the host has them too, or alone. */
static void check_slews(Small *small, const Backend *backend)
{
  uint32_t counts[2][SLEW_BINS], used = 0;
  HistogramCall call = { 0, 1, SLEW_BINS, counts[0] };
  Timer *timer = timer_on(small, backend);
  CHECK(timers_update(&timer, 1, true, 0) == OK);
  CHECK(residency_away(&timer->timing->device.residency) & NUMBERS_DELAYS);
  CHECK(backend->residency->run(timer->timing, &histogram, HISTOGRAM_SLEWS, &call));
  CHECK(residency_away(&timer->timing->device.residency) & NUMBERS_DELAYS);
  CHECK(timer_update(timer, true) == OK);
  host_slews(timer->timing, counts[1]);
  CHECK(memcmp(counts[0], counts[1], sizeof counts[0]) == 0);
  for (int i = 0; i < SLEW_BINS; i++) used += counts[1][i] != 0;
  CHECK(used >= 3);
  backend->residency->changed(timer->timing);
  memset(counts[0], 0, sizeof counts[0]);
  CHECK(backend->residency->run(timer->timing, &histogram, HISTOGRAM_SLEWS, &call));
  CHECK(memcmp(counts[0], counts[1], sizeof counts[0]) == 0);
  timer_free(timer);
}

static Small *clocked_design(void)
{
  Small *small = small_new(design);
  small_clock(small, "c", 300, 0, 150, "clk");
  constraints_changed(small->constraints);
  return small;
}

static void test_design(void)
{
  Small *small = clocked_design();
  check_slews(small, &emulated_backend);
#ifdef HAVE_CUDA
  Text what = { 0 };
  if (cuda_backend.available(0, &what)) check_slews(small, &cuda_backend);
  text_free(&what);
#endif
  small_free(small);
}

/* The numbers that were on the device are lost with it, and the next update makes them again. */
static void test_design_fails(void)
{
  uint32_t counts[SLEW_BINS];
  HistogramCall call = { 0, 1, SLEW_BINS, counts };
  Small *small = clocked_design();
  Timer *timer = timer_on(small, &emulated_backend);
  setenv("SLACKLINE_EMULATED", "fail=count_slews", 1);
  CHECK(timers_update(&timer, 1, true, 0) == OK);
  CHECK(!emulated_backend.residency->run(timer->timing, &histogram, HISTOGRAM_SLEWS, &call));
  CHECK(!emulated_backend.residency->fetch(timer->timing, NUMBERS_DELAYS));
  CHECK(timer_update(timer, true) == OK);
  CHECK(residency_away(&timer->timing->device.residency) == 0);
  unsetenv("SLACKLINE_EMULATED");
  timer_free(timer);
  small_free(small);
}

/* --- which device ----------------------------------------------------------------------------- */
static void test_choice(void)
{
  EngineOptions o = engine_options_preset();
  Text why = { 0 };
  CHECK(backend_for_family(ENGINE_CPU, &o, 1000, 10, &why) == NULL);
  CHECK(backend_for_family(ENGINE_EMULATED, &o, 1, 10, &why) == &emulated_device);
  text_clear(&why);
  CHECK(backend_for_family(ENGINE_AUTO, &o, 9, 10, &why) == NULL);
  CHECK_TEXT(text_get(&why), "auto: 9 items, a device is taken from 10 on");
  text_free(&why);
}

void suite_family(void)
{
  CU_pSuite s = CU_add_suite("device/family", NULL, NULL);
  CU_add_test(s, "a few values", test_few);
  CU_add_test(s, "many values", test_same_counts);
  CU_add_test(s, "each kernel from its end", test_reversed);
  CU_add_test(s, "no functions for the CPU", test_no_functions);
  CU_add_test(s, "a device that fails", test_fails);
  CU_add_test(s, "no design", test_no_design);
  CU_add_test(s, "the slews of a design", test_design);
  CU_add_test(s, "a device with a design fails", test_design_fails);
  CU_add_test(s, "the choice of a device", test_choice);
}
