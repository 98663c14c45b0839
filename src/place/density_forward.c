/* Computes the map of shapes (density_map.h). */
#include "base/interrupt.h"
#include "base/pool.h"
#include "place/density_work.h"

/* Shapes that a thread sorts at a time; bands in which a shape may be. */
enum { CHUNK = 2048, MOST_BANDS_EACH = 4, CHUNK_ENTRIES = CHUNK * MOST_BANDS_EACH };

typedef struct {
  DensityWork         *work;
  const DensityShapes *shapes;
  uint64_t            *map;
  uint32_t             chunks, threshold;
  double               largest;
  _Atomic bool         lost;
} ForwardJob;

/* The bands that a shape of some rows touches, each once; how many. */
static uint32_t touched_bands(const DensityWork *work, const DensitySpan *span, bool small,
                              uint32_t bands[MOST_BANDS_EACH])
{
  uint32_t count = 0, rows = work->g.y.count;
  if (small) {
    for (uint32_t b = (uint32_t)span->first >> work->shift;
         b <= (uint32_t)span->last >> work->shift; b++)
      bands[count++] = b;
    return count;
  }
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t row = (uint32_t)density_place(span, k), band = row >> work->shift;
    bool have = row >= rows;
    for (uint32_t i = 0; i < count; i++) have |= bands[i] == band;
    if (!have) bands[count++] = band;
  }
  return count;
}

static uint32_t list_entries(const ForwardJob *job, const DensityLanes *lanes, uint32_t from,
                             uint32_t count, BandEntry *out)
{
  uint32_t made = 0, bands[MOST_BANDS_EACH];
  for (uint32_t n = 0; n < count; n++) {
    DensitySpan x = { lanes->first[0][n], lanes->last[0][n], { 0 } },
                y = { lanes->first[1][n], lanes->last[1][n], { 0 } };
    if (x.last < x.first || y.last < y.first) continue;
    uint32_t touched =
        touched_bands(job->work, &y, density_is_small(&x, &y, job->threshold), bands);
    for (uint32_t i = 0; i < touched; i++) out[made++] = (BandEntry){ from + n, bands[i] };
  }
  return made;
}

/* Entries in the order of bands, and within a band in their own. */
static void sort_entries(const BandEntry *entries, uint32_t count, uint32_t bands,
                         uint32_t *segments, uint32_t *ids)
{
  memset(segments, 0, (bands + 1) * sizeof *segments);
  for (uint32_t i = 0; i < count; i++) segments[entries[i].band + 1]++;
  for (uint32_t b = 0; b < bands; b++) segments[b + 1] += segments[b];
  for (uint32_t i = 0; i < count; i++) ids[segments[entries[i].band]++] = entries[i].id;
  memmove(segments + 1, segments, bands * sizeof *segments);
  segments[0] = 0;
}

static void sort_chunk(const ForwardJob *job, uint32_t chunk, int thread)
{
  DensityWork *work = job->work;
  BandEntry *entries = work->entries.at + (size_t)thread * CHUNK_ENTRIES;
  uint32_t from = chunk * CHUNK,
           end = job->shapes->count - from < CHUNK ? job->shapes->count : from + CHUNK, made = 0;
  double most = 0;
  DensityLanes l = { 0 };
  for (; from < end; from += DENSITY_LANES) {
    uint32_t count = end - from < DENSITY_LANES ? end - from : DENSITY_LANES;
    density_lanes_take(&l, job->shapes, from, count);
    density_lanes_weigh(&l, job->shapes, from, count);
    density_lanes_place(&l, &work->g);
    density_lanes_most(&l, &work->g);
    for (uint32_t n = 0; n < count; n++) most = density_max(most, l.most[n]);
    made += list_entries(job, &l, from, count, entries + made);
  }
  sort_entries(entries, made, work->bands, work->segments.at + (size_t)chunk * (work->bands + 1),
               work->ids.at + (size_t)chunk * CHUNK_ENTRIES);
  work->most.at[chunk] = most;
}

static void settle_scale(ForwardJob *job)
{
  job->largest = 0;
  for (uint32_t c = 0; c < job->chunks; c++)
    job->largest = density_max(job->largest, job->work->most.at[c]);
}

static int32_t scale_of(const ForwardJob *job)
{
  return density_scale(job->largest, job->shapes->count);
}

static void add_ids(const ForwardJob *job, DensityLanes *lanes, const uint32_t *ids, uint32_t count,
                    DensityBand *band)
{
  density_lanes_gather(lanes, job->shapes, ids, count);
  density_lanes_place(lanes, &job->work->g);
  density_lanes_columns(lanes);
  density_lanes_add(lanes, count, band);
}

/* A shape will be read soon. */
static void read_ahead(const DensityShapes *shapes, uint32_t id)
{
  if (shapes->boxes) __builtin_prefetch(shapes->boxes + id);
  else __builtin_prefetch(shapes->int_boxes + id);
  if (shapes->weights) __builtin_prefetch(shapes->weights + id);
}

/* A band's shapes, DENSITY_LANES at a time, whichever chunks they are of. */
static void add_shapes(const ForwardJob *job, uint32_t number, DensityBand *band)
{
  const DensityWork *work = job->work;
  uint32_t ids[DENSITY_LANES], have = 0;
  DensityLanes l = { 0 };
  for (uint32_t chunk = 0; chunk < job->chunks && !interrupt_seen(); chunk++) {
    const uint32_t *segment = work->segments.at + (size_t)chunk * (work->bands + 1) + number,
                   *from = work->ids.at + (size_t)chunk * CHUNK_ENTRIES;
    for (uint32_t i = segment[0]; i < segment[1]; i++) {
      ids[have++] = from[i];
      read_ahead(job->shapes, from[i]);
      if (have < DENSITY_LANES) continue;
      add_ids(job, &l, ids, have, band);
      have = 0;
    }
  }
  add_ids(job, &l, ids, have, band);
}

static void scan_band(const DensityWork *work, const DensityBand *band, uint64_t *sum,
                      uint64_t *total)
{
  memset(sum, 0, band->columns * sizeof *sum);
  for (int32_t row = band->from; row < band->to; row++) {
    density_row_add(sum, band->second + (size_t)(row - band->from) * band->columns, band->columns);
    density_row_scan(band->map + (size_t)row * band->columns, sum, total, band->columns);
  }
  memset(band->second, 0, density_band_cells(work) * sizeof *band->second);
}

static DensityBand make_band(const ForwardJob *job, uint32_t number, int thread)
{
  const DensityWork *work = job->work;
  return (DensityBand){ .map = job->map,
                        .fine = work->fine,
                        .second = work->second + (size_t)thread * density_band_cells(work),
                        .columns = work->g.x.count,
                        .from = (int32_t)(number << work->shift),
                        .to = (int32_t)density_band_end(work, number),
                        .threshold = job->threshold,
                        .scale = density_power(scale_of(job)),
                        .per_step = density_power(density_fine_bits(job->shapes->count)),
                        .later = work->later + number };
}

/* Notes the last row of the shapes in `later`. */
static void note_reach(DensityWork *work, uint32_t number)
{
  int32_t last = -1;
  for (uint32_t i = 0; i < work->later[number].len; i++)
    if (work->later[number].at[i].y.last > last) last = work->later[number].at[i].y.last;
  work->reach[number] = last;
}

static void work_band(ForwardJob *job, uint32_t number, int thread)
{
  DensityWork *work = job->work;
  size_t columns = work->g.x.count;
  uint64_t *total = work->below + number * columns;
  DensityBand band = make_band(job, number, thread);
  array_clear(band.later);
  memset(job->map + (size_t)band.from * columns, 0,
         (size_t)(band.to - band.from) * columns * sizeof *job->map);
  add_shapes(job, number, &band);
  work->faint[number] = band.faint;
  note_reach(work, number);
  if (band.lost) job->lost = true;
  if (band.large)
    scan_band(work, &band, work->sums + (size_t)thread * DENSITY_ROWS * columns, total);
  else memset(total, 0, columns * sizeof *total);
}

static void join_reach(DensityWork *work)
{
  for (uint32_t b = 0; b < work->bands; b++) {
    int32_t *group = &work->group_reach[b / REACH_GROUP];
    if (b % REACH_GROUP == 0 || work->reach[b] > *group) *group = work->reach[b];
  }
}

/* Adds to a band what is faint of shapes that are not small, from whichever band on. */
static void add_later(const ForwardJob *job, uint32_t number, int thread)
{
  const DensityWork *work = job->work;
  DensityBand band = make_band(job, number, thread);
  band.faint = work->faint[number];
  for (uint32_t b = 0; b <= number && !interrupt_seen(); b++) {
    if (b % REACH_GROUP == 0 && work->group_reach[b / REACH_GROUP] < band.from)
      b += REACH_GROUP - 1;
    else if (work->reach[b] >= band.from)
      for (uint32_t i = 0; i < work->later[b].len; i++)
        density_fine_add(&work->later[b].at[i], &band);
  }
  work->faint[number] = band.faint;
}

static void finish_band(const ForwardJob *job, uint32_t band)
{
  const DensityWork *work = job->work;
  size_t columns = work->g.x.count;
  for (uint32_t row = band << work->shift; row < density_band_end(work, band); row++)
    density_row_finish(job->map + row * columns, work->below + band * columns,
                       work->faint[band] ? work->fine + row * columns : NULL,
                       density_power(-scale_of(job)),
                       density_power(-density_fine_bits(job->shapes->count)), work->g.x.count);
}

enum {
  FORWARD_SORT, FORWARD_SCALE, FORWARD_ADD, FORWARD_REACH, FORWARD_LATER, FORWARD_BELOW,
  FORWARD_FINISH, FORWARD_STEPS
};

static uint32_t forward_count(void *context, uint32_t step)
{
  const ForwardJob *job = context;
  switch (step) {
  case FORWARD_SORT: return job->chunks;
  case FORWARD_SCALE:
  case FORWARD_REACH: return 1;
  case FORWARD_BELOW: return density_column_blocks(job->work);
  default: return job->work->bands;
  }
}

static void forward_work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  ForwardJob *job = context;
  if (step == FORWARD_BELOW) density_add_up_bands(job->work, from, to);
  if (step == FORWARD_SCALE) settle_scale(job);
  if (step == FORWARD_REACH) join_reach(job->work);
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) {
    if (step == FORWARD_SORT) sort_chunk(job, i, thread);
    if (step == FORWARD_ADD) work_band(job, i, thread);
    if (step == FORWARD_LATER) add_later(job, i, thread);
    if (step == FORWARD_FINISH) finish_band(job, i);
  }
}

DensityRange density_forward(DensityWork *work, const DensityShapes *shapes, double *map)
{
  uint32_t chunks = (shapes->count + CHUNK - 1) / CHUNK,
           most = ((MOST_BANDS_EACH - 1) << work->shift) + 1; /* rows in so many bands at most */
  ForwardJob j = { .work = work,
                   .shapes = shapes,
                   .map = (uint64_t *)(void *)map,
                   .chunks = chunks,
                   .threshold = work->threshold < most ? work->threshold : most };
  PoolRun run = { forward_work, forward_count, &j, FORWARD_STEPS, 1, ITEM_COST };
  array_reserve(&work->entries, (uint64_t)work->threads * CHUNK_ENTRIES);
  array_reserve(&work->ids, (uint64_t)chunks * CHUNK_ENTRIES);
  array_reserve(&work->segments, (uint64_t)chunks * (work->bands + 1));
  array_reserve(&work->most, chunks);
  if (work->fine == NULL)
    work->fine = mem_alloc((size_t)work->g.x.count * work->g.y.count * sizeof *work->fine);
  pool_run(&run, work->threads);
  return (DensityRange){ j.largest, j.lost };
}
