/* Makes random samples of shapes for the benchmark of density maps, and reads samples of files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scripts/density/density_bench.h"

/* Coordinates of a bin's width, so that places are whole numbers as in a database. */
enum { BIN = 1000 };

/* splitmix64 */
static uint64_t next(uint64_t *seed)
{
  uint64_t x = *seed += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

static double uniform(uint64_t *seed) { return (double)(next(seed) >> 11) * 0x1p-53; }

static double normal(uint64_t *seed)
{
  double a = uniform(seed), b = uniform(seed);
  return sqrt(-2 * log(1 - a)) * cos(2 * 3.14159265358979323846 * b);
}

/* A rectangle of so many bins somewhere in the die, its sides at most the die's. */
static DensityIntBox box_of(const SampleOptions *options, double width, double height,
                            uint64_t *seed)
{
  double most_x = (double)options->columns * BIN, most_y = (double)options->rows * BIN;
  double w = fmin(fmax(1, round(width * BIN)), most_x),
         h = fmin(fmax(1, round(height * BIN)), most_y);
  double x = floor(uniform(seed) * (most_x - w + 1)), y = floor(uniform(seed) * (most_y - h + 1));
  return (DensityIntBox){ { (int32_t)x, (int32_t)y, (int32_t)(x + w), (int32_t)(y + h) } };
}

/* One macro in so many bins' worth of mean that cells lack, of areas that fall from the largest
   by a factor each. */
static double next_macro(double *left, double *area)
{
  double now = fmin(*area, fmax(*left, 2));
  *left -= now;
  *area *= 0.9;
  if (*area < 50) *area = 50;
  return now;
}

static void make_cells(const SampleOptions *options, DensityIntBox *boxes, uint64_t *seed)
{
  double left = (options->mean - 2) * options->count, area = options->largest;
  for (uint32_t i = 0; i < options->count; i++) {
    if (left > 2 || (i == 0 && options->largest > 2)) {
      double now = next_macro(&left, &area), ratio = exp(0.4 * normal(seed));
      boxes[i] = box_of(options, sqrt(now * ratio), sqrt(now / ratio), seed);
    } else {
      boxes[i] = box_of(options, sqrt(2), sqrt(2), seed);
    }
  }
}

/* Areas exp(m + s * z): s of 1.8 is what nets of placements have, m from the mean. */
static void make_nets(const SampleOptions *options, DensityIntBox *boxes, uint64_t *seed)
{
  const double s = 1.8;
  double m = log(options->mean) - s * s / 2;
  for (uint32_t i = 0; i < options->count; i++) {
    double area = fmin(exp(m + s * normal(seed)), options->largest),
           ratio = exp(0.6 * normal(seed));
    boxes[i] = box_of(options, sqrt(area * ratio), sqrt(area / ratio), seed);
  }
}

/* Macros lie anywhere among cells, as in a netlist. */
static void shuffle(DensityIntBox *boxes, uint32_t count, uint64_t *seed)
{
  for (uint32_t i = count; i > 1; i--) {
    uint32_t k = (uint32_t)(next(seed) % i);
    DensityIntBox b = boxes[k];
    boxes[k] = boxes[i - 1];
    boxes[i - 1] = b;
  }
}

static void weigh_nets(Sample *sample)
{
  sample->weights = mem_alloc((size_t)sample->s.count * sizeof *sample->weights + 1);
  for (uint32_t i = 0; i < sample->s.count; i++) {
    const int32_t *b = sample->boxes[i].at;
    double w = (b[2] - b[0]) / (double)BIN, h = (b[3] - b[1]) / (double)BIN;
    sample->weights[i] = w > 0 && h > 0 ? (w + h) / (w * h) : 0;
  }
  sample->s.weights = sample->weights;
}

static void weigh_bins(Sample *sample, uint64_t *seed)
{
  size_t bins = (size_t)sample->g.x.count * sample->g.y.count;
  sample->bins = mem_alloc(bins * sizeof *sample->bins);
  for (size_t i = 0; i < bins; i++) sample->bins[i] = 2 * uniform(seed) - 1;
}

Sample sample_new(const SampleOptions *options)
{
  Sample x = { 0 };
  uint64_t seed = options->seed;
  x.g.x = density_axis(0, (double)options->columns * BIN, options->columns);
  x.g.y = density_axis(0, (double)options->rows * BIN, options->rows);
  x.boxes = mem_alloc((size_t)options->count * sizeof *x.boxes + 1);
  x.s = (DensityShapes){ NULL, x.boxes, NULL, options->count };
  if (options->kind == SAMPLE_CELLS) make_cells(options, x.boxes, &seed);
  else make_nets(options, x.boxes, &seed);
  shuffle(x.boxes, options->count, &seed);
  if (options->kind == SAMPLE_NETS) weigh_nets(&x);
  weigh_bins(&x, &seed);
  return x;
}

static bool read_boxes(FILE *in, Sample *sample, double die[4])
{
  ARRAY(DensityIntBox) boxes = { 0 };
  ARRAY(double) weights = { 0 };
  char line[256];
  bool right = fgets(line, sizeof line, in)
               && sscanf(line, "%lf %lf %lf %lf", &die[0], &die[1], &die[2], &die[3]) == 4;
  while (right && fgets(line, sizeof line, in)) {
    DensityIntBox b;
    double weight = 1;
    right = sscanf(line, "%d %d %d %d %lf", &b.at[0], &b.at[1], &b.at[2], &b.at[3], &weight) >= 4;
    array_push(&boxes, b);
    array_push(&weights, weight);
  }
  sample->boxes = boxes.at;
  sample->weights = weights.at;
  sample->s = (DensityShapes){ NULL, boxes.at, weights.at, boxes.len };
  return right;
}

bool sample_read(const char *file, const SampleOptions *options, Sample *sample)
{
  FILE *in = fopen(file, "r");
  double die[4] = { 0 };
  uint64_t seed = options->seed;
  *sample = (Sample){ 0 };
  bool right = in && read_boxes(in, sample, die) && die[2] > die[0] && die[3] > die[1];
  if (in) fclose(in);
  if (!right) {
    fprintf(stderr, "measure_density: %s: no boxes of whole numbers in a die\n", file);
    sample_free(sample);
    return false;
  }
  sample->g.x = density_axis(die[0], die[2], options->columns);
  sample->g.y = density_axis(die[1], die[3], options->rows);
  weigh_bins(sample, &seed);
  return true;
}

void sample_free(Sample *sample)
{
  mem_free(sample->boxes);
  mem_free(sample->weights);
  mem_free(sample->bins);
  *sample = (Sample){ 0 };
}
