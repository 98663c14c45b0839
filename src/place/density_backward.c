/* Densities of shapes: those over few bins from the bins' weights, others from sums of weights in
   steps.  These sums come from a table, or bin by bin if all such shapes together have too few bins
   for a table. Sums in steps are exact, so both give the same bits. */
#include <math.h>

#include "base/interrupt.h"
#include "base/pool.h"
#include "place/density_work.h"

typedef struct {
  DensityWork         *w;
  const DensityShapes *s;
  const double        *weights;
  double              *density;
  _Atomic uint64_t     large;          /* bins of the shapes that are not small, about */
  uint64_t             most_large;     /* with more bins than these the table is made */
  int32_t              scale;
  bool                 has_signs;      /* some weights are below 0 */
} BackwardJob;

/* The table is worth its cost if shapes that are not small have so many times the grid's bins. */
enum { TABLE_WORTH = 2 };

static uint32_t batch_count(const DensityShapes *s)
{
  return (s->count + DENSITY_LANES - 1) / DENSITY_LANES;
}

/* --- shapes ----------------------------------------------------------------------------------- */
static uint32_t take_batch(const BackwardJob *j, uint32_t batch, DensityLanes *l)
{
  uint32_t from = batch * DENSITY_LANES, left = j->s->count - from,
           count = left < DENSITY_LANES ? left : DENSITY_LANES;
  density_lanes_take(l, j->s, from, count);
  return count;
}

/* Until it is known that the table is worth it. */
static void count_large(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  BackwardJob *j = context;
  DensityLanes l = { 0 };
  uint64_t bins = 0;
  (void)step;
  (void)thread;
  if (j->large > j->most_large) return;
  for (uint32_t i = from; i < to && bins <= j->most_large && !interrupt_seen(); i++) {
    take_batch(j, i, &l);
    bins += density_lanes_large(&l, &j->w->g, j->w->threshold);
  }
  if (bins) j->large += bins;
}

static bool needs_table(const BackwardJob *j) { return j->large > j->most_large; }

/* While a batch is worked out, what the next one reads is on its way. */
static void work_shapes(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BackwardJob *j = context;
  const DensityWork *w = j->w;
  DensityField field = { &w->g, j->weights, needs_table(j) ? w->table : NULL,
                         density_power(j->scale), density_power(-j->scale), w->threshold,
                         j->has_signs };
  DensityLanes lanes[2] = { 0 };
  uint32_t counts[2] = { 0 };
  (void)step;
  (void)thread;
  for (uint32_t i = from; i <= to && !interrupt_seen(); i++) {
    DensityLanes *next = &lanes[i % 2];
    if (i < to) {
      counts[i % 2] = take_batch(j, i, next);
      density_lanes_place(next, &w->g);
      density_lanes_ahead(next, counts[i % 2], &field);
    }
    if (i > from)
      density_lanes_read(&lanes[(i - 1) % 2], counts[(i - 1) % 2], &field,
                         j->density + (size_t)(i - 1) * DENSITY_LANES);
  }
}

/* --- the table -------------------------------------------------------------------------------- */
static void find_most(const BackwardJob *j, uint32_t band)
{
  const DensityWork *w = j->w;
  size_t columns = w->g.x.count, first = (size_t)band << w->shift;
  w->most.at[band] = density_row_most(
      j->weights + first * columns,
      (uint32_t)((density_band_end(w, band) - first) * columns));
}

static void settle_scale(BackwardJob *j)
{
  const DensityWork *w = j->w;
  double most = 0;
  for (uint32_t b = 0; b < w->bands; b++) {
    most = density_max(most, fabs(w->most.at[b]));
    j->has_signs |= w->most.at[b] < 0;
  }
  j->scale = density_scale(most, (uint64_t)w->g.x.count * w->g.y.count);
}

/* The sums of the band's columns, added up along the row. */
static void sum_band(const BackwardJob *j, uint32_t band, int thread)
{
  DensityWork *w = j->w;
  uint32_t columns = w->g.x.count, end = density_band_end(w, band);
  uint64_t *sum = w->sums + (size_t)thread * DENSITY_ROWS * columns;
  memset(sum, 0, columns * sizeof *sum);
  for (uint32_t row = band << w->shift; row < end; row++)
    density_row_round(sum, j->weights + (size_t)row * columns, density_power(j->scale), columns);
  density_row_total(w->below + (size_t)band * columns, sum, columns);
}

static void write_band(const BackwardJob *j, uint32_t band, int thread)
{
  const DensityWork *w = j->w;
  size_t columns = w->g.x.count;
  uint64_t *sum = w->sums + (size_t)thread * DENSITY_ROWS * columns, *total = sum + columns,
           *below_row = total + columns, *below = w->below + band * columns;
  memset(sum, 0, columns * sizeof *sum);
  memcpy(below_row, below, columns * sizeof *below_row);
  for (uint32_t row = band << w->shift; row < density_band_end(w, band); row++) {
    density_row_round(sum, j->weights + row * columns, density_power(j->scale), w->g.x.count);
    density_row_total(total, sum, w->g.x.count);
    density_row_pairs(w->table + row * (columns + 1), below_row, total, below, w->g.x.count);
  }
}

enum { TABLE_MOST, TABLE_SCALE, TABLE_SUM, TABLE_BELOW, TABLE_WRITE, TABLE_STEPS };

static uint32_t table_count(void *context, uint32_t step)
{
  const BackwardJob *j = context;
  switch (step) {
  case TABLE_SCALE: return 1;
  case TABLE_BELOW: return density_column_blocks(j->w);
  default: return j->w->bands;
  }
}

static void work_table(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  BackwardJob *j = context;
  if (step == TABLE_BELOW) density_add_up_bands(j->w, from, to);
  if (step == TABLE_SCALE) settle_scale(j);
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) {
    if (step == TABLE_MOST) find_most(j, i);
    if (step == TABLE_SUM) sum_band(j, i, thread);
    if (step == TABLE_WRITE) write_band(j, i, thread);
  }
}

/* Finds the step and makes the table, if it is worth it. */
static void make_table(BackwardJob *j)
{
  DensityWork *w = j->w;
  uint32_t steps = needs_table(j) ? TABLE_STEPS : TABLE_SCALE + 1;
  PoolRun run = { work_table, table_count, j, steps, 1, ITEM_COST };
  if (needs_table(j) && w->table == NULL)
    w->table = mem_alloc_zero(((size_t)w->g.x.count + 1) * w->g.y.count, sizeof *w->table);
  array_reserve(&w->most, w->bands);
  pool_run(&run, w->threads);
}

/* Of a batch, ns, before any was measured. */
enum { BATCH_COST = 3000, COUNT_COST = 200 };

void density_backward(DensityWork *w, const double *weights, const DensityShapes *s,
                      double *density)
{
  BackwardJob j = { .w = w, .s = s, .weights = weights, .density = density,
    .most_large = TABLE_WORTH * (uint64_t)w->g.x.count * w->g.y.count };
  pool_items(batch_count(s), COUNT_COST, w->threads, count_large, &j);
  if (j.large && !interrupt_seen()) make_table(&j);
  pool_items(batch_count(s), BATCH_COST, w->threads, work_shapes, &j);
}
