/* measure_density: times ways to work out density maps, of random shapes or of those of a file, on
   the CPU and on a device.  scripts/bench_density.tcl makes tables of what it prints. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/processors.h"
#include "base/sort.h"
#include "device/device.h"
#include "device/families.h"
#include "place/density_map.h"
#include "scripts/density/density_bench.h"

static const char usage[] =
    "usage: measure_density --bins COLUMNSxROWS ?--option value...?\n"
    "  --kind KIND        of random shapes: cells (the default) or nets\n"
    "  --count N          so many (100000)\n"
    "  --mean X           mean area in bins (2.3)\n"
    "  --largest X        largest area in bins (1000)\n"
    "  --seed N           (1)\n"
    "  --boxes FILE       shapes of a file: a line with the die's left, bottom, right and top,\n"
    "                     then one for each shape, with a weight behind it if that is not 1\n"
    "  --engine ENGINE    cpu (the default), cuda or emulated\n"
    "  --way WAY          forward (the default) or backward\n"
    "  --methods LIST     words with commas between; cpu: sequential naive copies corners own;\n"
    "                     cuda: naive lanes own; -fixed behind a word takes steps in place of\n"
    "                     doubles, which own always does (own)\n"
    "  --threads N        of the CPU (all)\n"
    "  --threshold N      shapes over at most so many bins go bin by bin in own and corners\n"
    "  --lanes N          of a device, for a shape in own: 1, 2 or 4\n"
    "  --repeat N         runs, whose median counts (5)\n"
    "  --check N          rows of the map, or shapes, that are compared with the definition (8)\n"
    "Prints lines: way, method, numbers, threads, milliseconds, largest error beside the value\n"
    "itself (1: something where there should be nothing).\n";

typedef struct {
  SampleOptions sample;
  const char   *boxes, *engine, *way, *methods;
  int           threads;
  uint32_t      threshold, lanes, repeat, check;
} Options;

typedef struct {
  const Options *o;
  Sample         x;
  bool           backward;
  double        *out;              /* the map, or densities */
  FamilyRun    *device;           /* NULL: the CPU */
} Bench;

static int fail(const char *what, const char *more)
{
  fprintf(stderr, "measure_density: %s%s\n", what, more);
  return 1;
}

/* --- options ---------------------------------------------------------------------------------- */
static bool take_number(const char *text, double least, double most, double *out)
{
  char *end;
  *out = strtod(text, &end);
  return end != text && *end == '\0' && *out >= least && *out <= most;
}

static bool take_sample_option(Options *o, const char *name, const char *value)
{
  double x = 0;
  bool right = true;
  if (strcmp(name, "--kind") == 0) {
    o->sample.kind = strcmp(value, "nets") == 0 ? SAMPLE_NETS : SAMPLE_CELLS;
    return strcmp(value, "nets") == 0 || strcmp(value, "cells") == 0;
  }
  if (strcmp(name, "--bins") == 0) {
    right = sscanf(value, "%ux%u", &o->sample.columns, &o->sample.rows) == 2;
    return right && (uint64_t)o->sample.columns * o->sample.rows <= DENSITY_MOST_BINS
           && o->sample.columns && o->sample.columns < 1u << 20 && o->sample.rows
           && o->sample.rows < 1u << 20;
  }
  right = take_number(value, 0, 1e9, &x);
  if (strcmp(name, "--count") == 0) o->sample.count = (uint32_t)x;
  else if (strcmp(name, "--mean") == 0) o->sample.mean = x;
  else if (strcmp(name, "--largest") == 0) o->sample.largest = x;
  else if (strcmp(name, "--seed") == 0) o->sample.seed = (uint64_t)x;
  else return false;
  return right;
}

static bool take_option(Options *o, const char *name, const char *value)
{
  double x = 0;
  if (strcmp(name, "--boxes") == 0) o->boxes = value;
  else if (strcmp(name, "--engine") == 0) o->engine = value;
  else if (strcmp(name, "--way") == 0) o->way = value;
  else if (strcmp(name, "--methods") == 0) o->methods = value;
  else if (strcmp(name, "--threads") == 0 && take_number(value, 1, 1024, &x)) o->threads = (int)x;
  else if (strcmp(name, "--threshold") == 0 && take_number(value, 0, 4e9, &x))
    o->threshold = (uint32_t)x;
  else if (strcmp(name, "--lanes") == 0 && take_number(value, 1, 4, &x) && x != 3)
    o->lanes = (uint32_t)x;
  else if (strcmp(name, "--repeat") == 0 && take_number(value, 1, 1000, &x))
    o->repeat = (uint32_t)x;
  else if (strcmp(name, "--check") == 0 && take_number(value, 1, 1e6, &x)) o->check = (uint32_t)x;
  else return take_sample_option(o, name, value);
  return true;
}

/* --- one method ------------------------------------------------------------------------------- */
typedef void (*Run)(Bench *b, void *with);

static double time_once(Bench *b, Run run, void *with)
{
  double since = clock_seconds();
  run(b, with);
  return clock_seconds() - since;
}

/* The median of runs behind one that is not counted unless it takes more than this, in seconds. */
enum { LONG_RUN = 1 };

static double time_of(Bench *b, Run run, void *with)
{
  double first = time_once(b, run, with);
  if (first > LONG_RUN) return first;
  double *times = mem_alloc(b->o->repeat * sizeof *times);
  for (uint32_t i = 0; i < b->o->repeat; i++) times[i] = time_once(b, run, with);
  double median = median_of(times, b->o->repeat);
  mem_free(times);
  return median;
}

static double error_of(const Bench *b)
{
  const Sample *x = &b->x;
  return b->backward ? reference_backward(&x->g, x->bins, &x->s, b->out, b->o->check * 64,
                                          b->o->threads)
                     : reference_forward(&x->g, &x->s, b->out, b->o->check, b->o->threads);
}

static void say(const Bench *b, const char *method, const char *numbers, int threads,
                double seconds)
{
  printf("%s %s %s %d %.4f %.2g\n", b->backward ? "backward" : "forward", method, numbers, threads,
         1e3 * seconds, error_of(b));
  fflush(stdout);
}

static void run_own(Bench *b, void *with)
{
  if (b->backward) density_backward(with, b->x.bins, &b->x.s, b->out);
  else density_forward(with, &b->x.s, b->out);
}

static void run_baseline(Bench *b, void *with)
{
  if (b->backward) baseline_backward(with, b->x.bins, &b->x.s, b->out);
  else baseline_forward(with, &b->x.s, b->out);
}

static void measure_own(Bench *b)
{
  uint32_t threshold = b->o->threshold ? b->o->threshold : DENSITY_THRESHOLD;
  DensityWork *w = density_work_new(&b->x.g, threshold, b->o->threads);
  double seconds = time_of(b, run_own, w);
  density_work_free(w);
  say(b, "own", "fixed", b->o->threads, seconds);
}

enum { PUBLISHED_THRESHOLD = 4 };

static int measure_baseline(Bench *b, const char *name, bool fixed)
{
  static const char *const names[] = { "sequential", "naive", "copies", "corners" };
  int way = 0;
  while (way < 4 && strcmp(names[way], name) != 0) way++;
  if (way == 4) return fail("there is no method ", name);
  uint32_t threshold = b->o->threshold ? b->o->threshold : PUBLISHED_THRESHOLD;
  Baseline *w = baseline_new((BaselineWay)way, fixed && way != WAY_CORNERS, &b->x.g, threshold,
                             b->o->threads);
  double seconds = time_of(b, run_baseline, w);
  baseline_free(w);
  say(b, name, fixed && way != WAY_CORNERS ? "fixed" : "double",
      way == WAY_SEQUENTIAL ? 1 : b->o->threads, seconds);
  return 0;
}

static int device_failed(const Bench *b)
{
  return fail("the device failed: ", family_error(b->device)->text);
}

static int measure_on_device(Bench *b, const char *name, bool fixed)
{
  bool own = strcmp(name, "own") == 0, lanes = strcmp(name, "lanes") == 0;
  DensityCall call = { .way = b->backward ? DENSITY_BACKWARD : DENSITY_FORWARD,
    .plan = { UINT32_MAX, lanes ? 4 : 1, !fixed && !own }, .repeats = b->o->repeat,
    .out = b->out };
  if (own) call.plan = (DensityPlan){ b->o->threshold, b->o->lanes, false };
  if (!own && !lanes && strcmp(name, "naive") != 0) return fail("there is no method ", name);
  if (!family_run(b->device, DENSITY_RUN, &call)) return device_failed(b);
  say(b, name, own || fixed ? "fixed" : "double",
      (int)(call.plan.lanes ? call.plan.lanes : 4), call.seconds);
  return 0;
}

static int measure(Bench *b, char *word)
{
  char *dash = strchr(word, '-');
  bool fixed = dash && strcmp(dash, "-fixed") == 0;
  if (dash) *dash = '\0';
  if (b->device) return measure_on_device(b, word, fixed);
  if (strcmp(word, "own") == 0) measure_own(b);
  else return measure_baseline(b, word, fixed);
  return 0;
}

/* --- all of them ------------------------------------------------------------------------------ */
static int open_device(Bench *b)
{
  EngineOptions options = engine_options_preset();
  const DeviceOps *on = strcmp(b->o->engine, "emulated") == 0 ? &emulated_device : NULL;
  DensityGiven given = { &b->x.g, &b->x.s };
  DensityWeights weights = { b->x.bins };
  if (strcmp(b->o->engine, "cpu") == 0) return 0;
#ifdef HAVE_CUDA
  if (strcmp(b->o->engine, "cuda") == 0) on = &cuda_device;
#endif
  if (on == NULL) return fail("there is no engine ", b->o->engine);
  b->device = family_open(&density_family, on, &options, b->o->threads);
  return family_run(b->device, DENSITY_PUT_SHAPES, &given)
                 && family_run(b->device, DENSITY_PUT_WEIGHTS, &weights)
             ? 0
             : device_failed(b);
}

static int measure_all(Bench *b)
{
  char *words = mem_text(b->o->methods, strlen(b->o->methods)), *state = NULL;
  int status = open_device(b);
  for (char *w = strtok_r(words, ",", &state); w && status == 0; w = strtok_r(NULL, ",", &state))
    status = measure(b, w);
  family_close(b->device);
  mem_free(words);
  return status;
}

static int run_bench(const Options *o)
{
  Bench b = { .o = o, .backward = strcmp(o->way, "backward") == 0 };
  if (!b.backward && strcmp(o->way, "forward") != 0) return fail("there is no way ", o->way);
  if (o->boxes == NULL) b.x = sample_new(&o->sample);
  else if (!sample_read(o->boxes, &o->sample, &b.x)) return 1;
  size_t bins = (size_t)b.x.g.x.count * b.x.g.y.count, count = b.x.s.count;
  b.out = mem_alloc_zero(count > bins ? count : bins, sizeof *b.out);
  int status = measure_all(&b);
  mem_free(b.out);
  sample_free(&b.x);
  return status;
}

int main(int argc, char **argv)
{
  Options o = { .sample = { SAMPLE_CELLS, 100000, 0, 0, 2.3, 1000, 1 }, .engine = "cpu",
    .way = "forward", .methods = "own", .threads = processors_usable(), .repeat = 5, .check = 8 };
  if (argc % 2 == 0) {
    fputs(usage, stderr);
    return 2;
  }
  for (int i = 1; i < argc; i += 2)
    if (!take_option(&o, argv[i], argv[i + 1])) {
      fprintf(stderr, "measure_density: %s %s: no such option or value\n%s", argv[i], argv[i + 1],
              usage);
      return 2;
    }
  if (o.sample.columns == 0) return fail("--bins is missing", "");
  return run_bench(&o);
}
