/* measure_sizing: times the choice of library cells for random drivers: the published kernels, ways
   beside them, the sizer's own kernels and the CPU, all on one problem.  scripts/bench_sizing.tcl
   makes tables of what it prints. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/processors.h"
#include "base/sort.h"
#include "device/device.h"
#include "device/families.h"
#include "scripts/sizing/sizing_bench.h"

static const char usage[] =
    "usage: measure_sizing ?--option value...?\n"
    "  --drivers N      (80000); 70 % have 1 to 32 candidates, 30 % have 33 to 41\n"
    "  --edges N        timing edges of a driver, 1 to 4 (1)\n"
    "  --model MODEL    a word of set_delay_model (lumped)\n"
    "  --seed N         (1)\n"
    "  --engine ENGINE  cpu (the default), cuda or emulated; the CPU is measured beside it\n"
    "  --costs LIST     words with commas between: keys (costs are given, and only compared),\n"
    "                   model (the engine's delay calculation), tables and cells (look-ups, for\n"
    "                   lumped), own (the sizer's kernels) (keys,tables,cells,own)\n"
    "  --ways LIST      lane block warp group fused_warp fused_group; own has lane warp group\n"
    "                   (all)\n"
    "  --threads N      of the CPU (all)\n"
    "  --repeat N       runs of kernels, whose median counts (5); of the CPU and with copies\n"
    "                   three at most, and fewer where they take long\n"
    "Prints lines: engine, costs, way, milliseconds of update_delay, of the selection, of both,\n"
    "of all with copies, megabytes copied, 1 if the choices are those of the CPU.  A dash: there\n"
    "is no such number.  Then a line \"problem\": drivers, candidates, drivers with equal best\n"
    "candidates, and a line \"memory\": gigabytes a second that the device reads.\n";

typedef struct {
  ProblemOptions problem;
  const char *engine, *costs, *ways;
  int         threads;
  uint32_t    repeat;
} Options;

typedef struct {
  const Options *options;
  const DeviceOps *on;               /* NULL: the CPU alone */
  Problem     p;
  LibcellDriver *drivers;            /* sorted */
  LibcellDriver *plain;              /* as the gates are */
  uint32_t   *owners;
  float      *keys;                  /* costs of all candidates, by the CPU */
  SizeChosen *right, *chosen;        /* by gate */
  uint32_t    few;
  bool        same;                  /* all choices so far are right */
} Bench;

FAMILY_KERNELS(libcell);
static const Family libcell_family = FAMILY_ROW(libcell, NULL);

static int fail(const char *what, const char *more)
{
  fprintf(stderr, "measure_sizing: %s%s\n", what, more);
  return 1;
}

/* --- times ------------------------------------------------------------------------------------ */
typedef bool (*Run)(Bench *bench, void *with);

enum { FEW_RUNS = 3 };
static const double long_run = 0.5, long_runs = 2;       /* seconds */

static uint32_t few_runs(const Bench *bench)
{
  return bench->options->repeat < FEW_RUNS ? bench->options->repeat : FEW_RUNS;
}

/* The median of a few runs behind one that is not counted. A long one counts, and is the only one;
   there are fewer where they take long together. Returns a negative number if a run failed. */
static double time_of(Bench *bench, Run run, void *with)
{
  double times[FEW_RUNS], all = 0, since = clock_seconds();
  uint32_t count = 0;
  if (!run(bench, with)) return -1;
  double first = clock_seconds() - since;
  if (first > long_run) return first;
  while (count < few_runs(bench) && all < long_runs) {
    since = clock_seconds();
    if (!run(bench, with)) return -1;
    times[count] = clock_seconds() - since;
    all += times[count++];
  }
  return median_of(times, count);
}

static void say_ms(double seconds)
{
  if (seconds > 0) printf(" %.4f", 1e3 * seconds);
  else printf(" -");
}

/* The times in seconds, and the bytes copied for them; 0: there is no such number. */
typedef struct {
  double update, select, all, copied;
  size_t bytes;
} Measured;

static void say(Bench *bench, const char *engine, const char *costs, const char *way, Measured x)
{
  bool same = memcmp(bench->chosen, bench->right, bench->p.a.gates * sizeof *bench->right) == 0;
  printf("%s %s %s", engine, costs, way);
  say_ms(x.update);
  say_ms(x.select);
  say_ms(x.all);
  say_ms(x.copied);
  printf(" %.1f %d\n", 1e-6 * (double)x.bytes, same);
  fflush(stdout);
  bench->same = bench->same && same;
  memset(bench->chosen, 0x55, bench->p.a.gates * sizeof *bench->chosen);
}

/* --- the CPU ---------------------------------------------------------------------------------- */
static void compare_keys(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bench *bench = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    const SizeGate *gate = &bench->p.a.view.gates[i];
    const float *costs = bench->keys + gate->first_candidate;
    uint32_t best = size_least(costs, gate->candidate_count);
    bench->chosen[i] = (SizeChosen){ best, costs[gate->now] - costs[best] };
  }
}

enum { KEYS_NS = 40, COST_NS = 2000 };

static bool cpu_keys(Bench *bench, void *with)
{
  (void)with;
  pool_items(bench->p.a.gates, KEYS_NS, bench->options->threads, compare_keys, bench);
  return true;
}

static bool own_select(Bench *bench, void *with)
{
  SizingSelect call = { NULL, bench->p.a.gates, SIZING_BY_GROUP, bench->chosen };
  uint32_t *list = mem_alloc((bench->p.a.gates + 1) * sizeof *list);
  for (uint32_t i = 0; i < bench->p.a.gates; i++) list[i] = i;
  call.gates = list;
  bool done = family_run(with, SIZING_SELECT, &call);
  mem_free(list);
  return done;
}

static void price_all(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bench *bench = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    const SizeGate *gate = &bench->p.a.view.gates[i];
    for (uint32_t c = 0; c < gate->candidate_count; c++)
      bench->keys[gate->first_candidate + c] = size_cost(&bench->p.a.view, gate, c);
  }
}

static FamilyRun *open_run(const Bench *bench, const Family *family, const DeviceOps *on)
{
  EngineOptions options = engine_options_preset();
  return family_open(family, on, &options, bench->options->threads);
}

/* The definition: costs one by one, the first least. Then the CPU's own ways. */
static int measure_cpu(Bench *bench)
{
  pool_items(bench->p.a.gates, COST_NS, bench->options->threads, price_all, bench);
  cpu_keys(bench, NULL);
  memcpy(bench->right, bench->chosen, bench->p.a.gates * sizeof *bench->right);
  say(bench, "cpu", "keys", "own", (Measured){ .all = time_of(bench, cpu_keys, NULL) });
  FamilyRun *run = open_run(bench, &sizing_family, NULL);
  family_run(run, SIZING_LIBRARY, &bench->p.a);
  family_run(run, SIZING_DESIGN, &bench->p.a);
  say(bench, "cpu", "own", "own", (Measured){ .all = time_of(bench, own_select, run) });
  family_close(run);
  return 0;
}

/* Of two equal candidates the first must be chosen. */
static uint32_t count_ties(const Bench *bench)
{
  uint32_t ties = 0;
  for (uint32_t i = 0; i < bench->p.a.gates; i++) {
    const SizeGate *gate = &bench->p.a.view.gates[i];
    uint32_t best = bench->right[i].best;
    const float *costs = bench->keys + gate->first_candidate;
    if (problem_first_equal(&bench->p, i, best) != best) return 0;
    if (best + 1 < gate->candidate_count)
      ties += size_key(costs[best + 1]) == size_key(costs[best]);
  }
  return ties;
}

/* --- the published kernels and those beside them ---------------------------------------------- */
static const char *const costs_words[] = { "keys", "model", "tables", "cells" };
static const char *const way_words[] = { "lane", "block", "warp", "group", "fused_warp",
                                         "fused_group" };

static int word_of(const char *const *words, int count, const char *word)
{
  int i = 0;
  while (i < count && strcmp(words[i], word) != 0) i++;
  return i;
}

typedef struct {
  FamilyRun *run;
  LibcellDesign design;
  LibcellSelect select;
} Libcell;

static bool copy_and_select(Bench *bench, void *with)
{
  Libcell *libcell = with;
  (void)bench;
  return family_run(libcell->run, LIBCELL_DESIGN, &libcell->design)
         && family_run(libcell->run, LIBCELL_SELECT, &libcell->select);
}

static size_t bytes_of(const LibcellDesign *design)
{
  const SizingArrays *arrays = &design->problem;
  size_t bytes = arrays->gates * (sizeof(LibcellDriver) + sizeof(SizeChosen));
  if (design->keys) return bytes + arrays->candidates * sizeof(float);
  if (design->owners) bytes += arrays->candidates * sizeof(uint32_t);
  return bytes + arrays->gates * sizeof(SizeGate) + arrays->edges * sizeof(SizeEdge)
         + arrays->nets * sizeof(SizeNet) + arrays->candidates * (sizeof(uint32_t) + sizeof(float));
}

/* Only these two ways need sorted drivers. */
static bool is_sorted(LibcellWay way)
{
  return way == LIBCELL_BY_GROUP || way == LIBCELL_FUSED_GROUP;
}

static bool is_fused(LibcellWay way) { return way >= LIBCELL_FUSED_WARP; }

static int measure_libcell(Bench *bench, FamilyRun *run, LibcellCost cost, LibcellWay way)
{
  Libcell x = { .run = run };
  x.design = (LibcellDesign){ bench->p.a, is_sorted(way) ? bench->drivers : bench->plain,
                              is_sorted(way) ? bench->few : 0, is_fused(way) ? NULL : bench->owners,
                              cost == LIBCELL_KEYS ? bench->keys : NULL };
  x.select = (LibcellSelect){ .cost = cost, .way = way, .chosen = bench->chosen };
  double copied = time_of(bench, copy_and_select, &x);
  x.select.repeats = bench->options->repeat;
  if (copied < 0 || !family_run(run, LIBCELL_SELECT, &x.select))
    return fail("the device failed: ", family_error(run)->text);
  say(bench, bench->on->name, costs_words[cost], way_words[way],
      (Measured){ x.select.update, x.select.select, x.select.all, copied, bytes_of(&x.design) });
  return 0;
}

static int measure_costs(Bench *bench, FamilyRun *run, const char *word)
{
  int cost = word_of(costs_words, 4, word), status = 0;
  char *words = mem_text(bench->options->ways, strlen(bench->options->ways)), *state = NULL;
  if (cost == 4) status = fail("there are no costs ", word);
  if (cost >= LIBCELL_TABLES && delay_has(bench->options->problem.model, DELAY_BY_WAVE))
    status = fail("look-ups alone are for lumped, not ", word);
  for (char *w = strtok_r(words, ",", &state); w && status == 0; w = strtok_r(NULL, ",", &state)) {
    int way = word_of(way_words, 6, w);
    if (way == 6) status = fail("there is no way ", w);
    else if (cost == LIBCELL_KEYS && is_fused((LibcellWay)way)) continue;
    else status = measure_libcell(bench, run, (LibcellCost)cost, (LibcellWay)way);
  }
  mem_free(words);
  return status;
}

/* --- the sizer's own kernels ------------------------------------------------------------------ */
typedef struct {
  FamilyRun *run, *flood;            /* flood: its reading empties the device's caches */
  SizingSelect select;
} Own;

static bool copy_and_select_own(Bench *bench, void *with)
{
  Own *own = with;
  return family_run(own->run, SIZING_DESIGN, &bench->p.a)
         && family_run(own->run, SIZING_SELECT, &own->select);
}

static double own_launches(Bench *bench, Own *own)
{
  double times[LIBCELL_MOST_REPEATS];
  for (uint32_t i = 0; i < bench->options->repeat; i++) {
    LibcellRead cold = { 128 << 20, 1, 0 };
    if (!family_run(own->flood, LIBCELL_READ, &cold)
        || !family_run(own->run, SIZING_SELECT, &own->select))
      return -1;
    times[i] = family_use(own->run).kernel_seconds;
  }
  return median_of(times, bench->options->repeat);
}

static size_t own_bytes(const SizingArrays *arrays)
{
  return arrays->gates * (sizeof(SizeGate) + 2 * sizeof(uint32_t) + sizeof(SizeChosen))
         + arrays->edges * sizeof(SizeEdge) + arrays->nets * sizeof(SizeNet)
         + arrays->candidates * (2 * sizeof(uint32_t) + sizeof(float));
}

static int measure_own(Bench *bench, FamilyRun *flood)
{
  static const char *const words[] = { "lane", "warp", "group" };
  uint32_t *list = mem_alloc((bench->p.a.gates + 1) * sizeof *list);
  Own x = { open_run(bench, &sizing_family, bench->on),
            flood,
            { list, bench->p.a.gates, 0, bench->chosen } };
  bool good = family_run(x.run, SIZING_LIBRARY, &bench->p.a);
  for (uint32_t i = 0; i < bench->p.a.gates; i++) list[i] = i;
  for (int way = SIZING_BY_LANE; way <= SIZING_BY_GROUP && good; way++) {
    x.select.reduction = (SizingReduction)way;
    double copied = time_of(bench, copy_and_select_own, &x), all = own_launches(bench, &x);
    good = copied >= 0 && all >= 0;
    if (good)
      say(bench, bench->on->name, "own", words[way],
          (Measured){ .all = all, .copied = copied, .bytes = own_bytes(&bench->p.a) });
  }
  int status = good ? 0 : fail("the device failed: ", family_error(x.run)->text);
  family_close(x.run);
  mem_free(list);
  return status;
}

/* --- all of them ------------------------------------------------------------------------------ */
static void measure_memory(Bench *bench, FamilyRun *run)
{
  bool emulated = strcmp(bench->on->name, "emulated") == 0;
  LibcellRead read = { emulated ? 4 << 20 : 1u << 30, bench->options->repeat, 0 };
  if (family_run(run, LIBCELL_READ, &read) && read.seconds > 0)
    printf("memory %.0f\n", 1e-9 * (double)read.bytes / read.seconds);
}

static int measure_device(Bench *bench)
{
  char *words = mem_text(bench->options->costs, strlen(bench->options->costs)), *state = NULL;
  FamilyRun *run = open_run(bench, &libcell_family, bench->on);
  int status = family_run(run, LIBCELL_LIBRARY, &bench->p.a)
                   ? 0
                   : fail("the device failed: ", family_error(run)->text);
  for (char *w = strtok_r(words, ",", &state); w && status == 0; w = strtok_r(NULL, ",", &state))
    status = strcmp(w, "own") == 0 ? measure_own(bench, run) : measure_costs(bench, run, w);
  if (status == 0) measure_memory(bench, run);
  family_close(run);
  mem_free(words);
  return status;
}

static bool choose_device(Bench *bench)
{
  if (strcmp(bench->options->engine, "emulated") == 0) bench->on = &emulated_device;
#ifdef HAVE_CUDA
  if (strcmp(bench->options->engine, "cuda") == 0) bench->on = &cuda_device;
#endif
  return bench->on != NULL || strcmp(bench->options->engine, "cpu") == 0;
}

static void make_bench(Bench *bench)
{
  size_t drivers = bench->options->problem.drivers;
  bench->p = problem_new(&bench->options->problem);
  bench->drivers = libcell_drivers(&bench->p.a, &bench->few);
  bench->plain = mem_alloc((drivers + 1) * sizeof *bench->plain);
  for (size_t i = 0; i < drivers; i++) bench->plain[bench->drivers[i].gate] = bench->drivers[i];
  bench->owners = libcell_owners(&bench->p.a);
  bench->keys = mem_alloc(((size_t)bench->p.a.candidates + 1) * sizeof *bench->keys);
  bench->right = mem_alloc((drivers + 1) * sizeof *bench->right);
  bench->chosen = mem_alloc((drivers + 1) * sizeof *bench->chosen);
}

static void free_bench(Bench *bench)
{
  mem_free(bench->drivers);
  mem_free(bench->plain);
  mem_free(bench->owners);
  mem_free(bench->keys);
  mem_free(bench->right);
  mem_free(bench->chosen);
  problem_free(&bench->p);
}

static int run_bench(const Options *options)
{
  Bench b = { .options = options, .same = true };
  if (!choose_device(&b)) return fail("there is no engine ", options->engine);
  make_bench(&b);
  int status = measure_cpu(&b);
  uint32_t ties = count_ties(&b);
  printf("problem %u %u %u %u\n", b.p.a.gates, b.p.a.candidates, b.p.doubled, ties);
  fflush(stdout);
  if (b.p.doubled && ties == 0) status = fail("of equal candidates not the first was chosen", "");
  if (b.on && status == 0) status = measure_device(&b);
  if (status == 0 && !b.same) status = fail("the choices differ", "");
  free_bench(&b);
  return status;
}

/* --- options ---------------------------------------------------------------------------------- */
static bool take_number(const char *text, double least, double most, double *out)
{
  char *end;
  *out = strtod(text, &end);
  return end != text && *end == '\0' && *out >= least && *out <= most;
}

static bool take_model(Options *options, const char *word)
{
  int model = 0;
  while (model < DELAY_MODEL_COUNT && strcmp(delay_model_name(model), word) != 0) model++;
  options->problem.model = (uint8_t)model;
  return model < DELAY_MODEL_COUNT;
}

static bool take_option(Options *options, const char *name, const char *value)
{
  double x = 0;
  if (strcmp(name, "--model") == 0) return take_model(options, value);
  if (strcmp(name, "--engine") == 0) options->engine = value;
  else if (strcmp(name, "--costs") == 0) options->costs = value;
  else if (strcmp(name, "--ways") == 0) options->ways = value;
  else if (strcmp(name, "--drivers") == 0 && take_number(value, 1, 2e7, &x))
    options->problem.drivers = (uint32_t)x;
  else if (strcmp(name, "--edges") == 0 && take_number(value, 1, 4, &x))
    options->problem.edges = (uint32_t)x;
  else if (strcmp(name, "--seed") == 0 && take_number(value, 0, 1e9, &x))
    options->problem.seed = (uint64_t)x;
  else if (strcmp(name, "--threads") == 0 && take_number(value, 1, 1024, &x))
    options->threads = (int)x;
  else if (strcmp(name, "--repeat") == 0 && take_number(value, 1, LIBCELL_MOST_REPEATS, &x))
    options->repeat = (uint32_t)x;
  else return false;
  return true;
}

int main(int argc, char **argv)
{
  Options o = { .problem = { 80000, 1, DELAY_LUMPED, 1 }, .engine = "cpu",
    .costs = "keys,tables,cells,own", .ways = "lane,block,warp,group,fused_warp,fused_group",
    .threads = processors_usable(), .repeat = 5 };
  if (argc % 2 == 0) {
    fputs(usage, stderr);
    return 2;
  }
  for (int i = 1; i < argc; i += 2)
    if (!take_option(&o, argv[i], argv[i + 1])) {
      fprintf(stderr, "measure_sizing: %s %s: no such option or value\n%s", argv[i], argv[i + 1],
              usage);
      return 2;
    }
  return run_bench(&o);
}
