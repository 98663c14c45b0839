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
  Baseline            *b;
  const DensityShapes *s;
  const double        *weights;
  double              *out;
  double               scale;      /* of weights; 1: doubles */
  double               step;
} BaselineJob;

static size_t bins_of(const Baseline *b) { return (size_t)b->g.x.count * b->g.y.count; }

Baseline *baseline_new(BaselineWay way, bool fixed, const DensityGrid *g, uint32_t threshold,
                       int threads)
{
  Baseline *b = mem_alloc_zero(1, sizeof *b);
  *b = (Baseline){ way, fixed, *g, threshold, threads, NULL, NULL, NULL };
  size_t copies = way == WAY_COPIES ? (size_t)threads : 1;
  b->map = mem_alloc_zero(copies * bins_of(b), sizeof *b->map);
  if (way == WAY_CORNERS) b->second = mem_alloc_zero(bins_of(b), sizeof *b->second);
  if (way == WAY_CORNERS) b->table = mem_alloc_zero(bins_of(b), sizeof *b->table);
  return b;
}

void baseline_free(Baseline *b)
{
  mem_free(b->map);
  mem_free(b->second);
  mem_free(b->table);
  mem_free(b);
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

static inline void spans_of(const BaselineJob *j, uint32_t i, DensitySpan *x, DensitySpan *y)
{
  DensityBox b = density_box(j->s, i);
  *x = density_span(&j->b->g.x, b.at[0], b.at[2]);
  *y = density_span(&j->b->g.y, b.at[1], b.at[3]);
}

static inline void add_bins(const BaselineJob *j, uint64_t *map, const DensitySpan *x,
                            const DensitySpan *y, double weight, bool atomic)
{
  for (int32_t row = y->first; row <= y->last; row++) {
    uint64_t *at = map + (size_t)row * j->b->g.x.count;
    double part = weight * density_part(y, row);
    for (int32_t i = x->first; i <= x->last; i++)
      if (atomic) add_atomic(&at[i], part * density_part(x, i), j->b->fixed);
      else add_alone(&at[i], part * density_part(x, i), j->b->fixed);
  }
}

static void add_some(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *j = context;
  BaselineWay way = j->b->way;
  uint64_t *map = j->b->map + (way == WAY_COPIES ? (size_t)thread * bins_of(j->b) : 0);
  (void)step;
  for (uint32_t i = from; i < to; i++) {
    DensitySpan x, y;
    spans_of(j, i, &x, &y);
    add_bins(j, map, &x, &y, density_weight(j->s, i) * j->scale, way == WAY_NAIVE);
  }
}

/* Doubles, or sums in steps, of all copies; ready for the next time. */
static void gather(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *j = context;
  size_t bins = bins_of(j->b), columns = j->b->g.x.count;
  int copies = j->b->way == WAY_COPIES ? j->b->threads : 1;
  (void)step;
  (void)thread;
  for (size_t i = from * columns; i < to * columns; i++) {
    uint64_t sum = 0;
    double   real = 0;
    for (int c = 0; c < copies; c++) {
      uint64_t *at = &j->b->map[(size_t)c * bins + i];
      sum += *at;
      real += density_number(*at);
      *at = 0;
    }
    j->out[i] = j->b->fixed ? density_of_sum(sum, j->step) : real;
  }
}

/* --- corners, as published -------------------------------------------------------------------- */
/* The share of a corner at (x, y), in bins, whose shape goes on to the right and up: three second
   differences, and what the one bin has of its own. */
static void add_corner(const BaselineJob *j, double x, double y, double weight)
{
  uint32_t columns = j->b->g.x.count, rows = j->b->g.y.count, i = (uint32_t)x, k = (uint32_t)y;
  double px = i + 1 - x, py = k + 1 - y;
  if (i >= columns || k >= rows) return;
  uint64_t *second = j->b->second + (size_t)k * columns + i;
  if (i + 1 < columns) add_atomic(second + 1, weight * py, false);
  if (k + 1 < rows) add_atomic(second + columns, weight * px, false);
  if (i + 1 < columns && k + 1 < rows)
    add_atomic(second + columns + 1, weight * (1 - px - py), false);
  add_atomic(j->b->map + (size_t)k * columns + i, weight * px * py, false);
}

static double bins_from(const DensityAxis *a, double at)
{
  double x = (at - a->origin) * a->per;
  return x < 0 ? 0 : x > a->count ? a->count : x;
}

static void add_corners(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *j = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    DensitySpan x, y;
    double weight = density_weight(j->s, i);
    spans_of(j, i, &x, &y);
    if (density_is_small(&x, &y, j->b->threshold)) {
      add_bins(j, j->b->map, &x, &y, weight, true);
      continue;
    }
    DensityBox b = density_box(j->s, i);
    double x1 = bins_from(&j->b->g.x, b.at[0]), x2 = bins_from(&j->b->g.x, b.at[2]),
           y1 = bins_from(&j->b->g.y, b.at[1]), y2 = bins_from(&j->b->g.y, b.at[3]);
    add_corner(j, x1, y1, weight);
    add_corner(j, x1, y2, -weight);
    add_corner(j, x2, y1, -weight);
    add_corner(j, x2, y2, weight);
  }
}

/* Along rows in place, of bits of doubles or of doubles. */
static void sum_rows(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *j = context;
  size_t columns = j->b->g.x.count;
  (void)step;
  (void)thread;
  for (size_t row = from; row < to; row++) {
    double sum = 0;
    for (size_t i = row * columns; i < (row + 1) * columns; i++) {
      sum += j->weights ? j->weights[i] : density_number(j->b->second[i]);
      j->b->table[i] = sum;
      if (!j->weights) j->b->second[i] = 0;
    }
  }
}

enum { COLUMNS_EACH = 64 };

/* Up columns; forward, `map` is added. */
static void sum_columns(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *j = context;
  size_t columns = j->b->g.x.count, rows = j->b->g.y.count, first = (size_t)from * COLUMNS_EACH,
         end = (size_t)to * COLUMNS_EACH < columns ? (size_t)to * COLUMNS_EACH : columns;
  (void)step;
  (void)thread;
  for (size_t row = 0; row < rows; row++)
    for (size_t i = row * columns + first; i < row * columns + end; i++) {
      if (row) j->b->table[i] += j->b->table[i - columns];
      if (j->weights) continue;
      j->out[i] = j->b->table[i] + density_number(j->b->map[i]);
      j->b->map[i] = 0;
    }
}

static void prefix_sum(BaselineJob *j)
{
  Baseline *b = j->b;
  pool_items(b->g.y.count, 2000, b->threads, sum_rows, j);
  pool_items((b->g.x.count + COLUMNS_EACH - 1) / COLUMNS_EACH, 50000, b->threads, sum_columns, j);
}

/* --- forward ---------------------------------------------------------------------------------- */
static void settle_scale(BaselineJob *j)
{
  double most = 0;
  for (uint32_t i = 0; i < j->s->count; i++) {
    DensityBox b = density_box(j->s, i);
    most = density_max(most, density_most(&j->b->g, &b, density_weight(j->s, i)));
  }
  int32_t scale = density_scale(most, j->s->count);
  j->scale = density_power(scale);
  j->step = density_power(-scale);
}

void baseline_forward(Baseline *b, const DensityShapes *s, double *map)
{
  BaselineJob j = { b, s, NULL, map, 1, 1 };
  if (b->fixed) settle_scale(&j);
  if (b->way == WAY_CORNERS) {
    pool_items(s->count, 50, b->threads, add_corners, &j);
    prefix_sum(&j);
    return;
  }
  pool_items(s->count, 50, b->way == WAY_SEQUENTIAL ? 1 : b->threads, add_some, &j);
  pool_items(b->g.y.count, 2000, b->way == WAY_SEQUENTIAL ? 1 : b->threads, gather, &j);
}

/* --- backward --------------------------------------------------------------------------------- */
static double table_at(const Baseline *b, int64_t i, int64_t k)
{
  return i < 0 || k < 0 ? 0 : b->table[(size_t)k * b->g.x.count + (size_t)i];
}

/* The sum below and to the left of (x, y), in bins: between four corners' sums. */
static double sum_below(const Baseline *b, double x, double y)
{
  int64_t i = (int64_t)x, k = (int64_t)y, right = i < b->g.x.count ? i : i - 1,
          above = k < b->g.y.count ? k : k - 1;
  double px = x - (double)i, py = y - (double)k, p00 = table_at(b, i - 1, k - 1),
         p10 = table_at(b, right, k - 1), p01 = table_at(b, i - 1, above),
         p11 = table_at(b, right, above);
  return p00 + px * (p10 - p00) + py * (p01 - p00) + px * py * (p11 - p10 - p01 + p00);
}

static double corners_sum(const Baseline *b, const DensityBox *box)
{
  double x1 = bins_from(&b->g.x, box->at[0]), x2 = bins_from(&b->g.x, box->at[2]),
         y1 = bins_from(&b->g.y, box->at[1]), y2 = bins_from(&b->g.y, box->at[3]);
  return sum_below(b, x2, y2) - sum_below(b, x1, y2) - sum_below(b, x2, y1) + sum_below(b, x1, y1);
}

static void find_some(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BaselineJob *j = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    DensitySpan x, y;
    DensityBox b = density_box(j->s, i);
    spans_of(j, i, &x, &y);
    bool bin_by_bin = j->b->way != WAY_CORNERS || density_is_small(&x, &y, j->b->threshold);
    double sum = bin_by_bin ? density_direct_sum(j->weights, j->b->g.x.count, &x, &y)
                            : corners_sum(j->b, &b);
    j->out[i] = density_per_area(&j->b->g, &b, sum);
  }
}

void baseline_backward(Baseline *b, const double *weights, const DensityShapes *s, double *density)
{
  BaselineJob j = { b, s, weights, density, 1, 1 };
  if (b->way == WAY_CORNERS) prefix_sum(&j);
  pool_items(s->count, 50, b->way == WAY_SEQUENTIAL ? 1 : b->threads, find_some, &j);
}
