/* Densities of shapes: those over few bins from the bins' weights, others from a table of sums,
   which is made if there is such a shape. */
#include "base/interrupt.h"
#include "base/pool.h"
#include "place/density_work.h"

typedef struct {
  DensityWork         *w;
  const DensityShapes *s;
  const double        *weights;
  double              *density;
  _Atomic bool         large;          /* is there a shape for the table? */
  int32_t              scale;
} BackwardJob;

static uint32_t batch_count(const DensityShapes *s)
{
  return (s->count + DENSITY_LANES - 1) / DENSITY_LANES;
}

/* --- shapes ----------------------------------------------------------------------------------- */
/* Batches of spans that fit into a core's cache beside what they read. */
static void place_batch(const BackwardJob *j, uint32_t batch, DensityLanes *l, uint32_t *count)
{
  uint32_t from = batch * DENSITY_LANES, left = j->s->count - from;
  *count = left < DENSITY_LANES ? left : DENSITY_LANES;
  density_lanes_take(l, j->s, from, *count);
  density_lanes_place(l, &j->w->g);
}

/* Until one shape for the table is found. */
static void look_for_large(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  BackwardJob *j = context;
  DensityLanes l = { 0 };
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to && !j->large && !interrupt_seen(); i++) {
    uint32_t count;
    place_batch(j, i, &l, &count);
    for (uint32_t n = 0; n < count; n++) {
      DensitySpan x = density_lane_span(&l, 0, n), y = density_lane_span(&l, 1, n);
      if (!density_is_small(&x, &y, j->w->threshold)) j->large = true;
    }
  }
}

static void work_batch(const BackwardJob *j, uint32_t batch)
{
  const DensityWork *w = j->w;
  DensityField field = { &w->g, j->weights, { w->table, w->g.x.count }, density_power(-j->scale),
                         w->threshold };
  DensityLanes l = { 0 };
  uint32_t count;
  place_batch(j, batch, &l, &count);
  density_lanes_read(&l, count, &field, j->density + (size_t)batch * DENSITY_LANES);
}

static void work_shapes(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) work_batch(context, i);
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
  for (uint32_t b = 0; b < w->bands; b++) most = density_max(most, w->most.at[b]);
  j->scale = density_scale(most, (uint64_t)w->g.x.count * w->g.y.count);
}

/* Sums within the band. */
static void sum_band(const BackwardJob *j, uint32_t band, int thread)
{
  DensityWork *w = j->w;
  uint32_t columns = w->g.x.count, end = density_band_end(w, band);
  uint64_t *sum = w->sums + (size_t)thread * columns;
  memset(sum, 0, columns * sizeof *sum);
  for (uint32_t row = band << w->shift; row < end; row++) {
    uint64_t *out = w->table + (size_t)row * columns;
    density_row_round(out, j->weights + (size_t)row * columns, density_power(j->scale), columns);
    density_row_add(sum, out, columns);
    memset(out, 0, columns * sizeof *out);
    density_row_scan(out, sum, w->below + (size_t)band * columns, columns);
  }
}

static void add_below(const BackwardJob *j, uint32_t band)
{
  const DensityWork *w = j->w;
  size_t columns = w->g.x.count;
  for (uint32_t row = band << w->shift; row < density_band_end(w, band); row++)
    density_row_add(w->table + row * columns, w->below + band * columns, w->g.x.count);
}

enum { TABLE_MOST, TABLE_SCALE, TABLE_SUM, TABLE_BELOW, TABLE_ADD, TABLE_STEPS };

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
    if (step == TABLE_ADD) add_below(j, i);
  }
}

static void make_table(BackwardJob *j)
{
  DensityWork *w = j->w;
  PoolRun run = { work_table, table_count, j, TABLE_STEPS, 1, ITEM_COST };
  if (w->table == NULL)
    w->table = mem_alloc((size_t)w->g.x.count * w->g.y.count * sizeof *w->table);
  array_reserve(&w->most, w->bands);
  pool_run(&run, w->threads);
}

/* Of a batch, ns, before any was measured. */
enum { BATCH_COST = 3000 };

void density_backward(DensityWork *w, const double *weights, const DensityShapes *s,
                      double *density)
{
  BackwardJob j = { .w = w, .s = s, .weights = weights, .density = density };
  pool_items(batch_count(s), BATCH_COST, w->threads, look_for_large, &j);
  if (j.large && !interrupt_seen()) make_table(&j);
  pool_items(batch_count(s), BATCH_COST, w->threads, work_shapes, &j);
}
