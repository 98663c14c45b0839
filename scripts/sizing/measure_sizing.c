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
    "  --model MODEL    lumped (the default), ceff or current_source\n"
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
  const Options *o;
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
typedef bool (*Run)(Bench *b, void *with);

enum { FEW_RUNS = 3 };
static const double long_run = 0.5, long_runs = 2;       /* seconds */

static uint32_t few_runs(const Bench *b)
{
  return b->o->repeat < FEW_RUNS ? b->o->repeat : FEW_RUNS;
}

/* The median of a few runs behind one that is not counted. A long one counts, and is the only one;
   there are fewer where they take long together. Returns a negative number if a run failed. */
static double time_of(Bench *b, Run run, void *with)
{
  double times[FEW_RUNS], all = 0, since = clock_seconds();
  uint32_t count = 0;
  if (!run(b, with)) return -1;
  double first = clock_seconds() - since;
  if (first > long_run) return first;
  while (count < few_runs(b) && all < long_runs) {
    since = clock_seconds();
    if (!run(b, with)) return -1;
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

static void say(Bench *b, const char *engine, const char *costs, const char *way, Measured x)
{
  bool same = memcmp(b->chosen, b->right, b->p.a.gates * sizeof *b->right) == 0;
  printf("%s %s %s", engine, costs, way);
  say_ms(x.update);
  say_ms(x.select);
  say_ms(x.all);
  say_ms(x.copied);
  printf(" %.1f %d\n", 1e-6 * (double)x.bytes, same);
  fflush(stdout);
  b->same = b->same && same;
  memset(b->chosen, 0x55, b->p.a.gates * sizeof *b->chosen);
}

/* --- the CPU ---------------------------------------------------------------------------------- */
static void compare_keys(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bench *b = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    const SizeGate *g = &b->p.a.view.gates[i];
    const float *costs = b->keys + g->first_candidate;
    uint32_t best = size_least(costs, g->candidate_count);
    b->chosen[i] = (SizeChosen){ best, costs[g->now] - costs[best] };
  }
}

enum { KEYS_NS = 40, COST_NS = 2000 };

static bool cpu_keys(Bench *b, void *with)
{
  (void)with;
  pool_items(b->p.a.gates, KEYS_NS, b->o->threads, compare_keys, b);
  return true;
}

static bool own_select(Bench *b, void *with)
{
  SizingSelect call = { NULL, b->p.a.gates, SIZING_BY_GROUP, b->chosen };
  uint32_t *list = mem_alloc((b->p.a.gates + 1) * sizeof *list);
  for (uint32_t i = 0; i < b->p.a.gates; i++) list[i] = i;
  call.gates = list;
  bool done = family_run(with, SIZING_SELECT, &call);
  mem_free(list);
  return done;
}

static void price_all(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bench *b = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    const SizeGate *g = &b->p.a.view.gates[i];
    for (uint32_t c = 0; c < g->candidate_count; c++)
      b->keys[g->first_candidate + c] = size_cost(&b->p.a.view, g, c);
  }
}

static FamilyRun *open_run(const Bench *b, const Family *f, const DeviceOps *on)
{
  EngineOptions options = engine_options_preset();
  return family_open(f, on, &options, b->o->threads);
}

/* The definition: costs one by one, the first least. Then the CPU's own ways. */
static int measure_cpu(Bench *b)
{
  pool_items(b->p.a.gates, COST_NS, b->o->threads, price_all, b);
  cpu_keys(b, NULL);
  memcpy(b->right, b->chosen, b->p.a.gates * sizeof *b->right);
  say(b, "cpu", "keys", "own", (Measured){ .all = time_of(b, cpu_keys, NULL) });
  FamilyRun *run = open_run(b, &sizing_family, NULL);
  family_run(run, SIZING_LIBRARY, &b->p.a);
  family_run(run, SIZING_DESIGN, &b->p.a);
  say(b, "cpu", "own", "own", (Measured){ .all = time_of(b, own_select, run) });
  family_close(run);
  return 0;
}

/* Of two equal candidates the first must be chosen. */
static uint32_t count_ties(const Bench *b)
{
  uint32_t ties = 0;
  for (uint32_t i = 0; i < b->p.a.gates; i++) {
    const SizeGate *g = &b->p.a.view.gates[i];
    uint32_t best = b->right[i].best;
    const float *costs = b->keys + g->first_candidate;
    if (problem_first_equal(&b->p, i, best) != best) return 0;
    if (best + 1 < g->candidate_count) ties += size_key(costs[best + 1]) == size_key(costs[best]);
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

static bool copy_and_select(Bench *b, void *with)
{
  Libcell *x = with;
  (void)b;
  return family_run(x->run, LIBCELL_DESIGN, &x->design)
         && family_run(x->run, LIBCELL_SELECT, &x->select);
}

static size_t bytes_of(const LibcellDesign *c)
{
  const SizingArrays *p = &c->problem;
  size_t bytes = p->gates * (sizeof(LibcellDriver) + sizeof(SizeChosen));
  if (c->keys) return bytes + p->candidates * sizeof(float);
  if (c->owners) bytes += p->candidates * sizeof(uint32_t);
  return bytes + p->gates * sizeof(SizeGate) + p->edges * sizeof(SizeEdge)
         + p->nets * sizeof(SizeNet) + p->candidates * (sizeof(uint32_t) + sizeof(float));
}

/* Only these two ways need sorted drivers. */
static bool is_sorted(LibcellWay way)
{
  return way == LIBCELL_BY_GROUP || way == LIBCELL_FUSED_GROUP;
}

static bool is_fused(LibcellWay way) { return way >= LIBCELL_FUSED_WARP; }

static int measure_libcell(Bench *b, FamilyRun *run, LibcellCost cost, LibcellWay way)
{
  Libcell x = { .run = run };
  x.design = (LibcellDesign){ b->p.a, is_sorted(way) ? b->drivers : b->plain,
    is_sorted(way) ? b->few : 0, is_fused(way) ? NULL : b->owners,
    cost == LIBCELL_KEYS ? b->keys : NULL };
  x.select = (LibcellSelect){ .cost = cost, .way = way, .chosen = b->chosen };
  double copied = time_of(b, copy_and_select, &x);
  x.select.repeats = b->o->repeat;
  if (copied < 0 || !family_run(run, LIBCELL_SELECT, &x.select))
    return fail("the device failed: ", family_error(run)->text);
  say(b, b->on->name, costs_words[cost], way_words[way],
      (Measured){ x.select.update, x.select.select, x.select.all, copied, bytes_of(&x.design) });
  return 0;
}

static int measure_costs(Bench *b, FamilyRun *run, const char *word)
{
  int cost = word_of(costs_words, 4, word), status = 0;
  char *words = mem_text(b->o->ways, strlen(b->o->ways)), *state = NULL;
  if (cost == 4) status = fail("there are no costs ", word);
  if (cost >= LIBCELL_TABLES && delay_has(b->o->problem.model, DELAY_BY_WAVE))
    status = fail("look-ups alone are for lumped, not ", word);
  for (char *w = strtok_r(words, ",", &state); w && status == 0; w = strtok_r(NULL, ",", &state)) {
    int way = word_of(way_words, 6, w);
    if (way == 6) status = fail("there is no way ", w);
    else if (cost == LIBCELL_KEYS && is_fused((LibcellWay)way)) continue;
    else status = measure_libcell(b, run, (LibcellCost)cost, (LibcellWay)way);
  }
  mem_free(words);
  return status;
}

/* --- the sizer's own kernels ------------------------------------------------------------------ */
typedef struct {
  FamilyRun *run, *flood;            /* flood: its reading empties the device's caches */
  SizingSelect select;
} Own;

static bool copy_and_select_own(Bench *b, void *with)
{
  Own *x = with;
  return family_run(x->run, SIZING_DESIGN, &b->p.a)
         && family_run(x->run, SIZING_SELECT, &x->select);
}

static double own_launches(Bench *b, Own *x)
{
  double times[LIBCELL_MOST_REPEATS];
  for (uint32_t i = 0; i < b->o->repeat; i++) {
    LibcellRead cold = { 128 << 20, 1, 0 };
    if (!family_run(x->flood, LIBCELL_READ, &cold)
        || !family_run(x->run, SIZING_SELECT, &x->select))
      return -1;
    times[i] = family_use(x->run).kernel_seconds;
  }
  return median_of(times, b->o->repeat);
}

static size_t own_bytes(const SizingArrays *p)
{
  return p->gates * (sizeof(SizeGate) + 2 * sizeof(uint32_t) + sizeof(SizeChosen))
         + p->edges * sizeof(SizeEdge) + p->nets * sizeof(SizeNet)
         + p->candidates * (2 * sizeof(uint32_t) + sizeof(float));
}

static int measure_own(Bench *b, FamilyRun *flood)
{
  static const char *const words[] = { "lane", "warp", "group" };
  uint32_t *list = mem_alloc((b->p.a.gates + 1) * sizeof *list);
  Own x = { open_run(b, &sizing_family, b->on), flood, { list, b->p.a.gates, 0, b->chosen } };
  bool good = family_run(x.run, SIZING_LIBRARY, &b->p.a);
  for (uint32_t i = 0; i < b->p.a.gates; i++) list[i] = i;
  for (int way = SIZING_BY_LANE; way <= SIZING_BY_GROUP && good; way++) {
    x.select.reduction = (SizingReduction)way;
    double copied = time_of(b, copy_and_select_own, &x), all = own_launches(b, &x);
    good = copied >= 0 && all >= 0;
    if (good) say(b, b->on->name, "own", words[way],
                  (Measured){ .all = all, .copied = copied, .bytes = own_bytes(&b->p.a) });
  }
  int status = good ? 0 : fail("the device failed: ", family_error(x.run)->text);
  family_close(x.run);
  mem_free(list);
  return status;
}

/* --- all of them ------------------------------------------------------------------------------ */
static void measure_memory(Bench *b, FamilyRun *run)
{
  bool emulated = strcmp(b->on->name, "emulated") == 0;
  LibcellRead read = { emulated ? 4 << 20 : 1u << 30, b->o->repeat, 0 };
  if (family_run(run, LIBCELL_READ, &read) && read.seconds > 0)
    printf("memory %.0f\n", 1e-9 * (double)read.bytes / read.seconds);
}

static int measure_device(Bench *b)
{
  char *words = mem_text(b->o->costs, strlen(b->o->costs)), *state = NULL;
  FamilyRun *run = open_run(b, &libcell_family, b->on);
  int status = family_run(run, LIBCELL_LIBRARY, &b->p.a)
                   ? 0
                   : fail("the device failed: ", family_error(run)->text);
  for (char *w = strtok_r(words, ",", &state); w && status == 0; w = strtok_r(NULL, ",", &state))
    status = strcmp(w, "own") == 0 ? measure_own(b, run) : measure_costs(b, run, w);
  if (status == 0) measure_memory(b, run);
  family_close(run);
  mem_free(words);
  return status;
}

static bool choose_device(Bench *b)
{
  if (strcmp(b->o->engine, "emulated") == 0) b->on = &emulated_device;
#ifdef HAVE_CUDA
  if (strcmp(b->o->engine, "cuda") == 0) b->on = &cuda_device;
#endif
  return b->on != NULL || strcmp(b->o->engine, "cpu") == 0;
}

static void make_bench(Bench *b)
{
  size_t drivers = b->o->problem.drivers;
  b->p = problem_new(&b->o->problem);
  b->drivers = libcell_drivers(&b->p.a, &b->few);
  b->plain = mem_alloc((drivers + 1) * sizeof *b->plain);
  for (size_t i = 0; i < drivers; i++) b->plain[b->drivers[i].gate] = b->drivers[i];
  b->owners = libcell_owners(&b->p.a);
  b->keys = mem_alloc(((size_t)b->p.a.candidates + 1) * sizeof *b->keys);
  b->right = mem_alloc((drivers + 1) * sizeof *b->right);
  b->chosen = mem_alloc((drivers + 1) * sizeof *b->chosen);
}

static void free_bench(Bench *b)
{
  mem_free(b->drivers);
  mem_free(b->plain);
  mem_free(b->owners);
  mem_free(b->keys);
  mem_free(b->right);
  mem_free(b->chosen);
  problem_free(&b->p);
}

static int run_bench(const Options *o)
{
  Bench b = { .o = o, .same = true };
  if (!choose_device(&b)) return fail("there is no engine ", o->engine);
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

static bool take_model(Options *o, const char *word)
{
  int model = 0;
  while (model < DELAY_MODEL_COUNT && strcmp(delay_model_name(model), word) != 0) model++;
  o->problem.model = (uint8_t)model;
  return model < DELAY_MODEL_COUNT && model != DELAY_ELMORE;
}

static bool take_option(Options *o, const char *name, const char *value)
{
  double x = 0;
  if (strcmp(name, "--model") == 0) return take_model(o, value);
  if (strcmp(name, "--engine") == 0) o->engine = value;
  else if (strcmp(name, "--costs") == 0) o->costs = value;
  else if (strcmp(name, "--ways") == 0) o->ways = value;
  else if (strcmp(name, "--drivers") == 0 && take_number(value, 1, 2e7, &x))
    o->problem.drivers = (uint32_t)x;
  else if (strcmp(name, "--edges") == 0 && take_number(value, 1, 4, &x))
    o->problem.edges = (uint32_t)x;
  else if (strcmp(name, "--seed") == 0 && take_number(value, 0, 1e9, &x))
    o->problem.seed = (uint64_t)x;
  else if (strcmp(name, "--threads") == 0 && take_number(value, 1, 1024, &x)) o->threads = (int)x;
  else if (strcmp(name, "--repeat") == 0 && take_number(value, 1, LIBCELL_MOST_REPEATS, &x))
    o->repeat = (uint32_t)x;
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
