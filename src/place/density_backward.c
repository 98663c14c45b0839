/* Densities of shapes: those over few bins from the bins' weights, others from sums of weights in
   steps.  These sums come from a table, or bin by bin if all such shapes together have too few bins
   for a table. Sums in steps are exact, so both give the same bits. */
#include <math.h>

#include "base/interrupt.h"
#include "base/pool.h"
#include "place/density_work.h"

typedef struct {
  DensityWork         *work;
  const DensityShapes *shapes;
  const double        *weights;
  double              *density;
  _Atomic uint64_t     large;          /* bins of the shapes that are not small, about */
  uint64_t             most_large;     /* with more bins than these the table is made */
  int32_t              scale;
  bool                 has_signs;      /* some weights are below 0 */
} BackwardJob;

/* The table is worth its cost if shapes that are not small have so many times the grid's bins. */
enum { TABLE_WORTH = 2 };

static uint32_t batch_count(const DensityShapes *shapes)
{
  return (shapes->count + DENSITY_LANES - 1) / DENSITY_LANES;
}

/* --- shapes ----------------------------------------------------------------------------------- */
static uint32_t take_batch(const BackwardJob *job, uint32_t batch, DensityLanes *lanes)
{
  uint32_t from = batch * DENSITY_LANES, left = job->shapes->count - from,
           count = left < DENSITY_LANES ? left : DENSITY_LANES;
  density_lanes_take(lanes, job->shapes, from, count);
  return count;
}

/* Until it is known that the table is worth it. */
static void count_large(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  BackwardJob *job = context;
  DensityLanes l = { 0 };
  uint64_t bins = 0;
  (void)step;
  (void)thread;
  if (job->large > job->most_large) return;
  for (uint32_t i = from; i < to && bins <= job->most_large && !interrupt_seen(); i++) {
    take_batch(job, i, &l);
    bins += density_lanes_large(&l, &job->work->g, job->work->threshold);
  }
  if (bins) job->large += bins;
}

static bool needs_table(const BackwardJob *job) { return job->large > job->most_large; }

/* While a batch is worked out, what the next one reads is on its way. */
static void work_shapes(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const BackwardJob *job = context;
  const DensityWork *work = job->work;
  DensityField field = { &work->g,
                         job->weights,
                         needs_table(job) ? work->table : NULL,
                         density_power(job->scale),
                         density_power(-job->scale),
                         work->threshold,
                         job->has_signs };
  DensityLanes lanes[2] = { 0 };
  uint32_t counts[2] = { 0 };
  (void)step;
  (void)thread;
  for (uint32_t i = from; i <= to && !interrupt_seen(); i++) {
    DensityLanes *next = &lanes[i % 2];
    if (i < to) {
      counts[i % 2] = take_batch(job, i, next);
      density_lanes_place(next, &work->g);
      density_lanes_ahead(next, counts[i % 2], &field);
    }
    if (i > from)
      density_lanes_read(&lanes[(i - 1) % 2], counts[(i - 1) % 2], &field,
                         job->density + (size_t)(i - 1) * DENSITY_LANES);
  }
}

/* --- the table -------------------------------------------------------------------------------- */
static void find_most(const BackwardJob *job, uint32_t band)
{
  const DensityWork *work = job->work;
  size_t columns = work->g.x.count, first = (size_t)band << work->shift;
  work->most.at[band] = density_row_most(
      job->weights + first * columns, (uint32_t)((density_band_end(work, band) - first) * columns));
}

static void settle_scale(BackwardJob *job)
{
  const DensityWork *work = job->work;
  double most = 0;
  for (uint32_t b = 0; b < work->bands; b++) {
    most = density_max(most, fabs(work->most.at[b]));
    job->has_signs |= work->most.at[b] < 0;
  }
  job->scale = density_scale(most, (uint64_t)work->g.x.count * work->g.y.count);
}

/* The sums of the band's columns, added up along the row. */
static void sum_band(const BackwardJob *job, uint32_t band, int thread)
{
  DensityWork *work = job->work;
  uint32_t columns = work->g.x.count, end = density_band_end(work, band);
  uint64_t *sum = work->sums + (size_t)thread * DENSITY_ROWS * columns;
  memset(sum, 0, columns * sizeof *sum);
  for (uint32_t row = band << work->shift; row < end; row++)
    density_row_round(sum, job->weights + (size_t)row * columns, density_power(job->scale),
                      columns);
  density_row_total(work->below + (size_t)band * columns, sum, columns);
}

static void write_band(const BackwardJob *job, uint32_t band, int thread)
{
  const DensityWork *work = job->work;
  size_t columns = work->g.x.count;
  uint64_t *sum = work->sums + (size_t)thread * DENSITY_ROWS * columns, *total = sum + columns,
           *below_row = total + columns, *below = work->below + band * columns;
  memset(sum, 0, columns * sizeof *sum);
  memcpy(below_row, below, columns * sizeof *below_row);
  for (uint32_t row = band << work->shift; row < density_band_end(work, band); row++) {
    density_row_round(sum, job->weights + row * columns, density_power(job->scale),
                      work->g.x.count);
    density_row_total(total, sum, work->g.x.count);
    density_row_pairs(work->table + row * (columns + 1), below_row, total, below, work->g.x.count);
  }
}

enum { TABLE_MOST, TABLE_SCALE, TABLE_SUM, TABLE_BELOW, TABLE_WRITE, TABLE_STEPS };

static uint32_t table_count(void *context, uint32_t step)
{
  const BackwardJob *job = context;
  switch (step) {
  case TABLE_SCALE: return 1;
  case TABLE_BELOW: return density_column_blocks(job->work);
  default: return job->work->bands;
  }
}

static void work_table(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  BackwardJob *job = context;
  if (step == TABLE_BELOW) density_add_up_bands(job->work, from, to);
  if (step == TABLE_SCALE) settle_scale(job);
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) {
    if (step == TABLE_MOST) find_most(job, i);
    if (step == TABLE_SUM) sum_band(job, i, thread);
    if (step == TABLE_WRITE) write_band(job, i, thread);
  }
}

/* Finds the step and makes the table, if it is worth it. */
static void make_table(BackwardJob *job)
{
  DensityWork *work = job->work;
  uint32_t steps = needs_table(job) ? TABLE_STEPS : TABLE_SCALE + 1;
  PoolRun run = { work_table, table_count, job, steps, 1, ITEM_COST };
  if (needs_table(job) && work->table == NULL)
    work->table =
        mem_alloc_zero(((size_t)work->g.x.count + 1) * work->g.y.count, sizeof *work->table);
  array_reserve(&work->most, work->bands);
  pool_run(&run, work->threads);
}

/* Of a batch, ns, before any was measured. */
enum { BATCH_COST = 3000, COUNT_COST = 200 };

void density_backward(DensityWork *work, const double *weights, const DensityShapes *shapes,
                      double *density)
{
  BackwardJob j = { .work = work,
                    .shapes = shapes,
                    .weights = weights,
                    .density = density,
                    .most_large = TABLE_WORTH * (uint64_t)work->g.x.count * work->g.y.count };
  pool_items(batch_count(shapes), COUNT_COST, work->threads, count_large, &j);
  if (j.large && !interrupt_seen()) make_table(&j);
  pool_items(batch_count(shapes), BATCH_COST, work->threads, work_shapes, &j);
}
