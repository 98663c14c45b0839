/* Computes density maps by their definition in long double, and measures the errors of other maps
   against them. */
#include <math.h>

#include "base/memory.h"
#include "base/pool.h"
#include "scripts/density/density_bench.h"

/* Rows, or shapes, that are looked at: every so many-th. */
typedef struct {
  const DensityGrid   *g;
  const DensityShapes *s;
  const double        *weights, *have;
  uint32_t             each;
  long double         *worst;                /* [item]: error beside the value itself */
} ReferenceJob;

/* The covered part of a bin. Times the number of bins, whole numbers as coordinates are exact. */
static long double overlap(double from, double to, const DensityAxis *a, int64_t bin)
{
  long double origin = (long double)a->origin, length = (long double)a->length,
              low = ((long double)fmin(from, to) - origin) * a->count,
              high = ((long double)fmax(from, to) - origin) * a->count, left = bin * length,
              right = left + length;
  long double covered = (high < right ? high : right) - (low > left ? low : left);
  return covered > 0 ? covered / length : 0;
}

/* The bins that may overlap, with one to spare on both sides. */
static void range(double from, double to, const DensityAxis *a, int64_t *first, int64_t *last)
{
  double low = floor((fmin(from, to) - a->origin) / a->size) - 1,
         high = floor((fmax(from, to) - a->origin) / a->size) + 1, most = (double)a->count - 1;
  *first = (int64_t)fmax(0, fmin(low, most));
  *last = (int64_t)fmax(0, fmin(high, most));
}

/* Where nothing lies, anything but 0 is as wrong as can be. */
static void compare(ReferenceJob *j, uint32_t item, long double right, double have)
{
  long double off = fabsl(right - (long double)have);
  if (off > 0) j->worst[item] = fmaxl(j->worst[item], right != 0 ? off / fabsl(right) : 1);
}

static double worst_of(ReferenceJob *j, uint32_t items)
{
  long double worst = 0;
  for (uint32_t i = 0; i < items; i++) worst = fmaxl(worst, j->worst[i]);
  mem_free(j->worst);
  return (double)worst;
}

static void add_to_row(const ReferenceJob *j, uint32_t row, uint32_t i, long double *sum)
{
  DensityBox b = density_box(j->s, i);
  long double y = overlap(b.at[1], b.at[3], &j->g->y, row);
  int64_t first, last;
  if (y <= 0) return;
  range(b.at[0], b.at[2], &j->g->x, &first, &last);
  for (int64_t k = first; k <= last; k++)
    sum[k] += (long double)density_weight(j->s, i) * overlap(b.at[0], b.at[2], &j->g->x, k) * y;
}

static void check_rows(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  ReferenceJob *j = context;
  (void)step;
  (void)thread;
  for (uint32_t item = from; item < to; item++) {
    uint32_t row = item * j->each;
    long double *sum = mem_alloc_zero(j->g->x.count, sizeof *sum);
    for (uint32_t i = 0; i < j->s->count; i++) add_to_row(j, row, i, sum);
    for (uint32_t k = 0; k < j->g->x.count; k++)
      compare(j, item, sum[k], j->have[(size_t)row * j->g->x.count + k]);
    mem_free(sum);
  }
}

static ReferenceJob job_of(const DensityGrid *g, const DensityShapes *s, const double *have,
                           uint32_t all, uint32_t items)
{
  ReferenceJob j = { g, s, NULL, have, all / items, NULL };
  j.worst = mem_alloc_zero(items, sizeof *j.worst);
  return j;
}

double reference_forward(const DensityGrid *g, const DensityShapes *s, const double *map,
                         uint32_t rows, int threads)
{
  uint32_t items = rows < g->y.count ? rows : g->y.count;
  ReferenceJob j = job_of(g, s, map, g->y.count, items);
  pool_items(items, 1e7f, threads, check_rows, &j);
  return worst_of(&j, items);
}

static void check_shapes(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  ReferenceJob *j = context;
  long double bin = (long double)j->g->x.length * (long double)j->g->y.length
                    / ((long double)j->g->x.count * j->g->y.count);
  (void)step;
  (void)thread;
  for (uint32_t item = from; item < to; item++) {
    uint32_t i = item * j->each;
    DensityBox b = density_box(j->s, i);
    int64_t column, right, row, top;
    long double sum = 0, width = (long double)b.at[2] - b.at[0],
                height = (long double)b.at[3] - b.at[1], area = fabsl(width * height);
    range(b.at[0], b.at[2], &j->g->x, &column, &right);
    range(b.at[1], b.at[3], &j->g->y, &row, &top);
    for (; row <= top; row++)
      for (int64_t k = column; k <= right; k++)
        sum += (long double)j->weights[(size_t)row * j->g->x.count + (size_t)k]
               * overlap(b.at[0], b.at[2], &j->g->x, k) * overlap(b.at[1], b.at[3], &j->g->y, row);
    compare(j, item, area > 0 ? sum * bin / area : 0, j->have[i]);
  }
}

double reference_backward(const DensityGrid *g, const double *weights, const DensityShapes *s,
                          const double *density, uint32_t shapes, int threads)
{
  uint32_t items = shapes < s->count ? shapes : s->count;
  if (items == 0) return 0;
  ReferenceJob j = job_of(g, s, density, s->count, items);
  j.weights = weights;
  pool_items(items, 1e5f, threads, check_shapes, &j);
  return worst_of(&j, items);
}
