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
static DensityIntBox box_of(const SampleOptions *o, double width, double height, uint64_t *seed)
{
  double most_x = (double)o->columns * BIN, most_y = (double)o->rows * BIN;
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

static void make_cells(const SampleOptions *o, DensityIntBox *boxes, uint64_t *seed)
{
  double left = (o->mean - 2) * o->count, area = o->largest;
  for (uint32_t i = 0; i < o->count; i++) {
    if (left > 2 || (i == 0 && o->largest > 2)) {
      double now = next_macro(&left, &area), ratio = exp(0.4 * normal(seed));
      boxes[i] = box_of(o, sqrt(now * ratio), sqrt(now / ratio), seed);
    } else {
      boxes[i] = box_of(o, sqrt(2), sqrt(2), seed);
    }
  }
}

/* Areas exp(m + s * z): s of 1.8 is what nets of placements have, m from the mean. */
static void make_nets(const SampleOptions *o, DensityIntBox *boxes, uint64_t *seed)
{
  const double s = 1.8;
  double m = log(o->mean) - s * s / 2;
  for (uint32_t i = 0; i < o->count; i++) {
    double area = fmin(exp(m + s * normal(seed)), o->largest), ratio = exp(0.6 * normal(seed));
    boxes[i] = box_of(o, sqrt(area * ratio), sqrt(area / ratio), seed);
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

static void weigh_nets(Sample *x)
{
  x->weights = mem_alloc((size_t)x->s.count * sizeof *x->weights + 1);
  for (uint32_t i = 0; i < x->s.count; i++) {
    const int32_t *b = x->boxes[i].at;
    double w = (b[2] - b[0]) / (double)BIN, h = (b[3] - b[1]) / (double)BIN;
    x->weights[i] = w > 0 && h > 0 ? (w + h) / (w * h) : 0;
  }
  x->s.weights = x->weights;
}

static void weigh_bins(Sample *x, uint64_t *seed)
{
  size_t bins = (size_t)x->g.x.count * x->g.y.count;
  x->bins = mem_alloc(bins * sizeof *x->bins);
  for (size_t i = 0; i < bins; i++) x->bins[i] = 2 * uniform(seed) - 1;
}

Sample sample_new(const SampleOptions *o)
{
  Sample x = { 0 };
  uint64_t seed = o->seed;
  x.g.x = density_axis(0, (double)o->columns * BIN, o->columns);
  x.g.y = density_axis(0, (double)o->rows * BIN, o->rows);
  x.boxes = mem_alloc((size_t)o->count * sizeof *x.boxes + 1);
  x.s = (DensityShapes){ NULL, x.boxes, NULL, o->count };
  if (o->kind == SAMPLE_CELLS) make_cells(o, x.boxes, &seed);
  else make_nets(o, x.boxes, &seed);
  shuffle(x.boxes, o->count, &seed);
  if (o->kind == SAMPLE_NETS) weigh_nets(&x);
  weigh_bins(&x, &seed);
  return x;
}

static bool read_boxes(FILE *in, Sample *x, double die[4])
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
  x->boxes = boxes.at;
  x->weights = weights.at;
  x->s = (DensityShapes){ NULL, boxes.at, weights.at, boxes.len };
  return right;
}

bool sample_read(const char *file, const SampleOptions *o, Sample *x)
{
  FILE *in = fopen(file, "r");
  double die[4] = { 0 };
  uint64_t seed = o->seed;
  *x = (Sample){ 0 };
  bool right = in && read_boxes(in, x, die) && die[2] > die[0] && die[3] > die[1];
  if (in) fclose(in);
  if (!right) {
    fprintf(stderr, "measure_density: %s: no boxes of whole numbers in a die\n", file);
    sample_free(x);
    return false;
  }
  x->g.x = density_axis(die[0], die[2], o->columns);
  x->g.y = density_axis(die[1], die[3], o->rows);
  weigh_bins(x, &seed);
  return true;
}

void sample_free(Sample *x)
{
  mem_free(x->boxes);
  mem_free(x->weights);
  mem_free(x->bins);
  *x = (Sample){ 0 };
}
