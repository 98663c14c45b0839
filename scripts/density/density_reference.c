/* Computes density maps by their definition in long double, and measures the errors of other maps
   against them. */
#include <math.h>

#include "base/memory.h"
#include "base/pool.h"
#include "scripts/density/density_bench.h"

/* Rows, or shapes, that are looked at: every so many-th. */
typedef struct {
  const DensityGrid   *grid;
  const DensityShapes *shapes;
  const double        *weights, *have;
  uint32_t             each;
  long double         *worst;                /* [item]: error beside the value itself */
} ReferenceJob;

/* The covered part of a bin. Times the number of bins, whole numbers as coordinates are exact. */
static long double overlap(double from, double to, const DensityAxis *axis, int64_t bin)
{
  long double origin = (long double)axis->origin, length = (long double)axis->length,
              low = ((long double)fmin(from, to) - origin) * axis->count,
              high = ((long double)fmax(from, to) - origin) * axis->count, left = bin * length,
              right = left + length;
  long double covered = (high < right ? high : right) - (low > left ? low : left);
  return covered > 0 ? covered / length : 0;
}

/* The bins that may overlap, with one to spare on both sides. */
static void range(double from, double to, const DensityAxis *axis, int64_t *first, int64_t *last)
{
  double low = floor((fmin(from, to) - axis->origin) / axis->size) - 1,
         high = floor((fmax(from, to) - axis->origin) / axis->size) + 1,
         most = (double)axis->count - 1;
  *first = (int64_t)fmax(0, fmin(low, most));
  *last = (int64_t)fmax(0, fmin(high, most));
}

/* Where nothing lies, anything but 0 is as wrong as can be. */
static void compare(ReferenceJob *job, uint32_t item, long double right, double have)
{
  long double off = fabsl(right - (long double)have);
  if (off > 0) job->worst[item] = fmaxl(job->worst[item], right != 0 ? off / fabsl(right) : 1);
}

static double worst_of(ReferenceJob *job, uint32_t items)
{
  long double worst = 0;
  for (uint32_t i = 0; i < items; i++) worst = fmaxl(worst, job->worst[i]);
  mem_free(job->worst);
  return (double)worst;
}

static void add_to_row(const ReferenceJob *job, uint32_t row, uint32_t i, long double *sum)
{
  DensityBox b = density_box(job->shapes, i);
  long double y = overlap(b.at[1], b.at[3], &job->grid->y, row);
  int64_t first, last;
  if (y <= 0) return;
  range(b.at[0], b.at[2], &job->grid->x, &first, &last);
  for (int64_t k = first; k <= last; k++)
    sum[k] += (long double)density_weight(job->shapes, i)
              * overlap(b.at[0], b.at[2], &job->grid->x, k) * y;
}

static void check_rows(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  ReferenceJob *job = context;
  (void)step;
  (void)thread;
  for (uint32_t item = from; item < to; item++) {
    uint32_t row = item * job->each;
    long double *sum = mem_alloc_zero(job->grid->x.count, sizeof *sum);
    for (uint32_t i = 0; i < job->shapes->count; i++) add_to_row(job, row, i, sum);
    for (uint32_t k = 0; k < job->grid->x.count; k++)
      compare(job, item, sum[k], job->have[(size_t)row * job->grid->x.count + k]);
    mem_free(sum);
  }
}

static ReferenceJob job_of(const DensityGrid *grid, const DensityShapes *shapes, const double *have,
                           uint32_t all, uint32_t items)
{
  ReferenceJob j = { grid, shapes, NULL, have, all / items, NULL };
  j.worst = mem_alloc_zero(items, sizeof *j.worst);
  return j;
}

double reference_forward(const DensityGrid *grid, const DensityShapes *shapes, const double *map,
                         uint32_t rows, int threads)
{
  uint32_t items = rows < grid->y.count ? rows : grid->y.count;
  ReferenceJob j = job_of(grid, shapes, map, grid->y.count, items);
  pool_items(items, 1e7f, threads, check_rows, &j);
  return worst_of(&j, items);
}

static void check_shapes(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  ReferenceJob *job = context;
  long double bin = (long double)job->grid->x.length * (long double)job->grid->y.length
                    / ((long double)job->grid->x.count * job->grid->y.count);
  (void)step;
  (void)thread;
  for (uint32_t item = from; item < to; item++) {
    uint32_t i = item * job->each;
    DensityBox b = density_box(job->shapes, i);
    int64_t column, right, row, top;
    long double sum = 0, width = (long double)b.at[2] - b.at[0],
                height = (long double)b.at[3] - b.at[1], area = fabsl(width * height);
    range(b.at[0], b.at[2], &job->grid->x, &column, &right);
    range(b.at[1], b.at[3], &job->grid->y, &row, &top);
    for (; row <= top; row++)
      for (int64_t k = column; k <= right; k++)
        sum += (long double)job->weights[(size_t)row * job->grid->x.count + (size_t)k]
               * overlap(b.at[0], b.at[2], &job->grid->x, k)
               * overlap(b.at[1], b.at[3], &job->grid->y, row);
    compare(job, item, area > 0 ? sum * bin / area : 0, job->have[i]);
  }
}

double reference_backward(const DensityGrid *grid, const double *weights,
                          const DensityShapes *density_shapes, const double *density,
                          uint32_t shapes, int threads)
{
  uint32_t items = shapes < density_shapes->count ? shapes : density_shapes->count;
  if (items == 0) return 0;
  ReferenceJob j = job_of(grid, density_shapes, density, density_shapes->count, items);
  j.weights = weights;
  pool_items(items, 1e5f, threads, check_shapes, &j);
  return worst_of(&j, items);
}
