/* Published ways to work out density maps on a CPU, for comparison. */
#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "scripts/density/density_bench.h"

struct Baseline {
  BaselineWay way;
  bool        fixed;
  DensityGrid g;
  uint32_t    threshold;
  int         threads;
  uint64_t   *map, *second;        /* [thread][row][column] for copies; numbers' bits */
  double     *table;
};

/* What is under way; threads take shapes. */
typedef struct {
  Baseline            *baseline;
  const DensityShapes *shapes;
  const double        *weights;
  double              *out;
  double               scale;      /* of weights; 1: doubles */
  double               step;
} BaselineJob;

static size_t bins_of(const Baseline *baseline)
{
  return (size_t)baseline->g.x.count * baseline->g.y.count;
}

Baseline *baseline_new(BaselineWay way, bool fixed, const DensityGrid *grid, uint32_t threshold,
                       int threads)
{
  Baseline *baseline = mem_alloc_zero(1, sizeof *baseline);
  *baseline = (Baseline){ way, fixed, *grid, threshold, threads, NULL, NULL, NULL };
  size_t copies = way == WAY_COPIES ? (size_t)threads : 1;
  baseline->map = mem_alloc_zero(copies * bins_of(baseline), sizeof *baseline->map);
  if (way == WAY_CORNERS)
    baseline->second = mem_alloc_zero(bins_of(baseline), sizeof *baseline->second);
  if (way == WAY_CORNERS)
    baseline->table = mem_alloc_zero(bins_of(baseline), sizeof *baseline->table);
  return baseline;
}

void baseline_free(Baseline *baseline)
{
  mem_free(baseline->map);
  mem_free(baseline->second);
  mem_free(baseline->table);
  mem_free(baseline);
}

/* --- additions -------------------------------------------------------------------------------- */
static inline void add_alone(uint64_t *at, double x, bool fixed)
{
  *at = fixed ? *at + density_round(x) : density_bits(density_number(*at) + x);
}

static inline void add_atomic(uint64_t *at, double x, bool fixed)
{
  _Atomic uint64_t *sum = (_Atomic uint64_t *)at;
  if (fixed) {
    atomic_fetch_add_explicit(sum, density_round(x), memory_order_relaxed);
    return;
  }
  uint64_t seen = atomic_load_explicit(sum, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(sum, &seen, density_bits(density_number(seen) + x),
                                                memory_order_relaxed, memory_order_relaxed)) {}
}

static inline void spans_of(const BaselineJob *job, uint32_t i, DensitySpan *x, DensitySpan *y)
{
  DensityBox b = density_box(job->shapes, i);
  *x = density_span(&job->baseline->g.x, b.at[0], b.at[2]);
  *y = density_span(&job->baseline->g.y, b.at[1], b.at[3]);
}

static inline void add_bins(const BaselineJob *job, uint64_t *map, const DensitySpan *x,
                            const DensitySpan *y, double weight, bool atomic)
{
  for (int32_t row = y->first; row <= y->last; row++) {
    uint64_t *at = map + (size_t)row * job->baseline->g.x.count;
    double part = weight * density_part(y, row);
    for (int32_t i = x->first; i <= x->last; i++)
      if (atomic) add_atomic(&at[i], part * density_part(x, i), job->baseline->fixed);
      else add_alone(&at[i], part * density_part(x, i), job->baseline->fixed);
  }
}

static void add_some(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *job = context;
  BaselineWay way = job->baseline->way;
  uint64_t *map =
      job->baseline->map + (way == WAY_COPIES ? (size_t)thread * bins_of(job->baseline) : 0);
  (void)step;
  for (uint32_t i = from; i < to; i++) {
    DensitySpan x, y;
    spans_of(job, i, &x, &y);
    add_bins(job, map, &x, &y, density_weight(job->shapes, i) * job->scale, way == WAY_NAIVE);
  }
}

/* Doubles, or sums in steps, of all copies; ready for the next time. */
static void gather(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *job = context;
  size_t bins = bins_of(job->baseline), columns = job->baseline->g.x.count;
  int copies = job->baseline->way == WAY_COPIES ? job->baseline->threads : 1;
  (void)step;
  (void)thread;
  for (size_t i = from * columns; i < to * columns; i++) {
    uint64_t sum = 0;
    double   real = 0;
    for (int c = 0; c < copies; c++) {
      uint64_t *at = &job->baseline->map[(size_t)c * bins + i];
      sum += *at;
      real += density_number(*at);
      *at = 0;
    }
    job->out[i] = job->baseline->fixed ? density_of_sum(sum, job->step) : real;
  }
}

/* --- corners, as published -------------------------------------------------------------------- */
/* The share of a corner at (x, y), in bins, whose shape goes on to the right and up: three second
   differences, and what the one bin has of its own. */
static void add_corner(const BaselineJob *job, double x, double y, double weight)
{
  uint32_t columns = job->baseline->g.x.count, rows = job->baseline->g.y.count, i = (uint32_t)x,
           k = (uint32_t)y;
  double px = i + 1 - x, py = k + 1 - y;
  if (i >= columns || k >= rows) return;
  uint64_t *second = job->baseline->second + (size_t)k * columns + i;
  if (i + 1 < columns) add_atomic(second + 1, weight * py, false);
  if (k + 1 < rows) add_atomic(second + columns, weight * px, false);
  if (i + 1 < columns && k + 1 < rows)
    add_atomic(second + columns + 1, weight * (1 - px - py), false);
  add_atomic(job->baseline->map + (size_t)k * columns + i, weight * px * py, false);
}

static double bins_from(const DensityAxis *axis, double at)
{
  double x = (at - axis->origin) * axis->per;
  return x < 0 ? 0 : x > axis->count ? axis->count : x;
}

static void add_corners(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *job = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    DensitySpan x, y;
    double weight = density_weight(job->shapes, i);
    spans_of(job, i, &x, &y);
    if (density_is_small(&x, &y, job->baseline->threshold)) {
      add_bins(job, job->baseline->map, &x, &y, weight, true);
      continue;
    }
    DensityBox b = density_box(job->shapes, i);
    double x1 = bins_from(&job->baseline->g.x, b.at[0]),
           x2 = bins_from(&job->baseline->g.x, b.at[2]),
           y1 = bins_from(&job->baseline->g.y, b.at[1]),
           y2 = bins_from(&job->baseline->g.y, b.at[3]);
    add_corner(job, x1, y1, weight);
    add_corner(job, x1, y2, -weight);
    add_corner(job, x2, y1, -weight);
    add_corner(job, x2, y2, weight);
  }
}

/* Along rows in place, of bits of doubles or of doubles. */
static void sum_rows(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *job = context;
  size_t columns = job->baseline->g.x.count;
  (void)step;
  (void)thread;
  for (size_t row = from; row < to; row++) {
    double sum = 0;
    for (size_t i = row * columns; i < (row + 1) * columns; i++) {
      sum += job->weights ? job->weights[i] : density_number(job->baseline->second[i]);
      job->baseline->table[i] = sum;
      if (!job->weights) job->baseline->second[i] = 0;
    }
  }
}

enum { COLUMNS_EACH = 64 };

/* Up columns; forward, `map` is added. */
static void sum_columns(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *job = context;
  size_t columns = job->baseline->g.x.count, rows = job->baseline->g.y.count,
         first = (size_t)from * COLUMNS_EACH,
         end = (size_t)to * COLUMNS_EACH < columns ? (size_t)to * COLUMNS_EACH : columns;
  (void)step;
  (void)thread;
  for (size_t row = 0; row < rows; row++)
    for (size_t i = row * columns + first; i < row * columns + end; i++) {
      if (row) job->baseline->table[i] += job->baseline->table[i - columns];
      if (job->weights) continue;
      job->out[i] = job->baseline->table[i] + density_number(job->baseline->map[i]);
      job->baseline->map[i] = 0;
    }
}

static void prefix_sum(BaselineJob *job)
{
  Baseline *baseline = job->baseline;
  pool_items(baseline->g.y.count, 2000, baseline->threads, sum_rows, job);
  pool_items((baseline->g.x.count + COLUMNS_EACH - 1) / COLUMNS_EACH, 50000, baseline->threads,
             sum_columns, job);
}

/* --- forward ---------------------------------------------------------------------------------- */
static void settle_scale(BaselineJob *job)
{
  double most = 0;
  for (uint32_t i = 0; i < job->shapes->count; i++) {
    DensityBox b = density_box(job->shapes, i);
    most = density_max(most, density_most(&job->baseline->g, &b, density_weight(job->shapes, i)));
  }
  int32_t scale = density_scale(most, job->shapes->count);
  job->scale = density_power(scale);
  job->step = density_power(-scale);
}

void baseline_forward(Baseline *baseline, const DensityShapes *shapes, double *map)
{
  BaselineJob j = { baseline, shapes, NULL, map, 1, 1 };
  if (baseline->fixed) settle_scale(&j);
  if (baseline->way == WAY_CORNERS) {
    pool_items(shapes->count, 50, baseline->threads, add_corners, &j);
    prefix_sum(&j);
    return;
  }
  pool_items(shapes->count, 50, baseline->way == WAY_SEQUENTIAL ? 1 : baseline->threads, add_some,
             &j);
  pool_items(baseline->g.y.count, 2000, baseline->way == WAY_SEQUENTIAL ? 1 : baseline->threads,
             gather, &j);
}

/* --- backward --------------------------------------------------------------------------------- */
static double table_at(const Baseline *baseline, int64_t i, int64_t k)
{
  return i < 0 || k < 0 ? 0 : baseline->table[(size_t)k * baseline->g.x.count + (size_t)i];
}

/* The sum below and to the left of (x, y), in bins: between four corners' sums. */
static double sum_below(const Baseline *baseline, double x, double y)
{
  int64_t i = (int64_t)x, k = (int64_t)y, right = i < baseline->g.x.count ? i : i - 1,
          above = k < baseline->g.y.count ? k : k - 1;
  double px = x - (double)i, py = y - (double)k, p00 = table_at(baseline, i - 1, k - 1),
         p10 = table_at(baseline, right, k - 1), p01 = table_at(baseline, i - 1, above),
         p11 = table_at(baseline, right, above);
  return p00 + px * (p10 - p00) + py * (p01 - p00) + px * py * (p11 - p10 - p01 + p00);
}

static double corners_sum(const Baseline *baseline, const DensityBox *box)
{
  double x1 = bins_from(&baseline->g.x, box->at[0]), x2 = bins_from(&baseline->g.x, box->at[2]),
         y1 = bins_from(&baseline->g.y, box->at[1]), y2 = bins_from(&baseline->g.y, box->at[3]);
  return sum_below(baseline, x2, y2) - sum_below(baseline, x1, y2) - sum_below(baseline, x2, y1)
         + sum_below(baseline, x1, y1);
}

static void find_some(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *job = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    DensitySpan x, y;
    DensityBox b = density_box(job->shapes, i);
    spans_of(job, i, &x, &y);
    bool bin_by_bin =
        job->baseline->way != WAY_CORNERS || density_is_small(&x, &y, job->baseline->threshold);
    double sum = bin_by_bin ? density_direct_sum(job->weights, job->baseline->g.x.count, &x, &y)
                            : corners_sum(job->baseline, &b);
    job->out[i] = density_per_area(&job->baseline->g, &b, sum);
  }
}

void baseline_backward(Baseline *baseline, const double *weights, const DensityShapes *shapes,
                       double *density)
{
  BaselineJob j = { baseline, shapes, weights, density, 1, 1 };
  if (baseline->way == WAY_CORNERS) prefix_sum(&j);
  pool_items(shapes->count, 50, baseline->way == WAY_SEQUENTIAL ? 1 : baseline->threads, find_some,
             &j);
}
