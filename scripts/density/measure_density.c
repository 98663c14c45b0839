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
  const Options *options;
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

static bool take_sample_option(Options *options, const char *name, const char *value)
{
  double x = 0;
  bool right = true;
  if (strcmp(name, "--kind") == 0) {
    options->sample.kind = strcmp(value, "nets") == 0 ? SAMPLE_NETS : SAMPLE_CELLS;
    return strcmp(value, "nets") == 0 || strcmp(value, "cells") == 0;
  }
  if (strcmp(name, "--bins") == 0) {
    right = sscanf(value, "%ux%u", &options->sample.columns, &options->sample.rows) == 2;
    return right && (uint64_t)options->sample.columns * options->sample.rows <= DENSITY_MOST_BINS
           && options->sample.columns && options->sample.columns < 1u << 20 && options->sample.rows
           && options->sample.rows < 1u << 20;
  }
  right = take_number(value, 0, 1e9, &x);
  if (strcmp(name, "--count") == 0) options->sample.count = (uint32_t)x;
  else if (strcmp(name, "--mean") == 0) options->sample.mean = x;
  else if (strcmp(name, "--largest") == 0) options->sample.largest = x;
  else if (strcmp(name, "--seed") == 0) options->sample.seed = (uint64_t)x;
  else return false;
  return right;
}

static bool take_option(Options *options, const char *name, const char *value)
{
  double x = 0;
  if (strcmp(name, "--boxes") == 0) options->boxes = value;
  else if (strcmp(name, "--engine") == 0) options->engine = value;
  else if (strcmp(name, "--way") == 0) options->way = value;
  else if (strcmp(name, "--methods") == 0) options->methods = value;
  else if (strcmp(name, "--threads") == 0 && take_number(value, 1, 1024, &x))
    options->threads = (int)x;
  else if (strcmp(name, "--threshold") == 0 && take_number(value, 0, 4e9, &x))
    options->threshold = (uint32_t)x;
  else if (strcmp(name, "--lanes") == 0 && take_number(value, 1, 4, &x) && x != 3)
    options->lanes = (uint32_t)x;
  else if (strcmp(name, "--repeat") == 0 && take_number(value, 1, 1000, &x))
    options->repeat = (uint32_t)x;
  else if (strcmp(name, "--check") == 0 && take_number(value, 1, 1e6, &x))
    options->check = (uint32_t)x;
  else return take_sample_option(options, name, value);
  return true;
}

/* --- one method ------------------------------------------------------------------------------- */
typedef void (*Run)(Bench *bench, void *with);

static double time_once(Bench *bench, Run run, void *with)
{
  double since = clock_seconds();
  run(bench, with);
  return clock_seconds() - since;
}

/* The median of runs behind one that is not counted unless it takes more than this, in seconds. */
enum { LONG_RUN = 1 };

static double time_of(Bench *bench, Run run, void *with)
{
  double first = time_once(bench, run, with);
  if (first > LONG_RUN) return first;
  double *times = mem_alloc(bench->options->repeat * sizeof *times);
  for (uint32_t i = 0; i < bench->options->repeat; i++) times[i] = time_once(bench, run, with);
  double median = median_of(times, bench->options->repeat);
  mem_free(times);
  return median;
}

static double error_of(const Bench *bench)
{
  const Sample *sample = &bench->x;
  return bench->backward ? reference_backward(&sample->g, sample->bins, &sample->s, bench->out,
                                              bench->options->check * 64, bench->options->threads)
                         : reference_forward(&sample->g, &sample->s, bench->out,
                                             bench->options->check, bench->options->threads);
}

static void say(const Bench *bench, const char *method, const char *numbers, int threads,
                double seconds)
{
  printf("%s %s %s %d %.4f %.2g\n", bench->backward ? "backward" : "forward", method, numbers,
         threads, 1e3 * seconds, error_of(bench));
  fflush(stdout);
}

static void run_own(Bench *bench, void *with)
{
  if (bench->backward) density_backward(with, bench->x.bins, &bench->x.s, bench->out);
  else density_forward(with, &bench->x.s, bench->out);
}

static void run_baseline(Bench *bench, void *with)
{
  if (bench->backward) baseline_backward(with, bench->x.bins, &bench->x.s, bench->out);
  else baseline_forward(with, &bench->x.s, bench->out);
}

static void measure_own(Bench *bench)
{
  uint32_t threshold = bench->options->threshold ? bench->options->threshold : DENSITY_THRESHOLD;
  DensityWork *work = density_work_new(&bench->x.g, threshold, bench->options->threads);
  double seconds = time_of(bench, run_own, work);
  density_work_free(work);
  say(bench, "own", "fixed", bench->options->threads, seconds);
}

enum { PUBLISHED_THRESHOLD = 4 };

static int measure_baseline(Bench *bench, const char *name, bool fixed)
{
  static const char *const names[] = { "sequential", "naive", "copies", "corners" };
  int way = 0;
  while (way < 4 && strcmp(names[way], name) != 0) way++;
  if (way == 4) return fail("there is no method ", name);
  uint32_t threshold = bench->options->threshold ? bench->options->threshold : PUBLISHED_THRESHOLD;
  Baseline *baseline = baseline_new((BaselineWay)way, fixed && way != WAY_CORNERS, &bench->x.g,
                                    threshold, bench->options->threads);
  double seconds = time_of(bench, run_baseline, baseline);
  baseline_free(baseline);
  say(bench, name, fixed && way != WAY_CORNERS ? "fixed" : "double",
      way == WAY_SEQUENTIAL ? 1 : bench->options->threads, seconds);
  return 0;
}

static int device_failed(const Bench *bench)
{
  return fail("the device failed: ", family_error(bench->device)->text);
}

static int measure_on_device(Bench *bench, const char *name, bool fixed)
{
  bool own = strcmp(name, "own") == 0, lanes = strcmp(name, "lanes") == 0;
  DensityCall call = { .way = bench->backward ? DENSITY_BACKWARD : DENSITY_FORWARD,
                       .plan = { UINT32_MAX, lanes ? 4 : 1, !fixed && !own },
                       .repeats = bench->options->repeat,
                       .out = bench->out };
  if (own) call.plan = (DensityPlan){ bench->options->threshold, bench->options->lanes, false };
  if (!own && !lanes && strcmp(name, "naive") != 0) return fail("there is no method ", name);
  if (!family_run(bench->device, DENSITY_RUN, &call)) return device_failed(bench);
  say(bench, name, own || fixed ? "fixed" : "double", (int)(call.plan.lanes ? call.plan.lanes : 4),
      call.seconds);
  return 0;
}

static int measure(Bench *bench, char *word)
{
  char *dash = strchr(word, '-');
  bool fixed = dash && strcmp(dash, "-fixed") == 0;
  if (dash) *dash = '\0';
  if (bench->device) return measure_on_device(bench, word, fixed);
  if (strcmp(word, "own") == 0) measure_own(bench);
  else return measure_baseline(bench, word, fixed);
  return 0;
}

/* --- all of them ------------------------------------------------------------------------------ */
static int open_device(Bench *bench)
{
  EngineOptions options = engine_options_preset();
  const DeviceOps *on = strcmp(bench->options->engine, "emulated") == 0 ? &emulated_device : NULL;
  DensityGiven given = { &bench->x.g, &bench->x.s };
  DensityWeights weights = { bench->x.bins };
  if (strcmp(bench->options->engine, "cpu") == 0) return 0;
#ifdef HAVE_CUDA
  if (strcmp(bench->options->engine, "cuda") == 0) on = &cuda_device;
#endif
  if (on == NULL) return fail("there is no engine ", bench->options->engine);
  bench->device = family_open(&density_family, on, &options, bench->options->threads);
  return family_run(bench->device, DENSITY_PUT_SHAPES, &given)
                 && family_run(bench->device, DENSITY_PUT_WEIGHTS, &weights)
             ? 0
             : device_failed(bench);
}

static int measure_all(Bench *bench)
{
  char *words = mem_text(bench->options->methods, strlen(bench->options->methods)), *state = NULL;
  int status = open_device(bench);
  for (char *w = strtok_r(words, ",", &state); w && status == 0; w = strtok_r(NULL, ",", &state))
    status = measure(bench, w);
  family_close(bench->device);
  mem_free(words);
  return status;
}

static int run_bench(const Options *options)
{
  Bench b = { .options = options, .backward = strcmp(options->way, "backward") == 0 };
  if (!b.backward && strcmp(options->way, "forward") != 0)
    return fail("there is no way ", options->way);
  if (options->boxes == NULL) b.x = sample_new(&options->sample);
  else if (!sample_read(options->boxes, &options->sample, &b.x)) return 1;
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
