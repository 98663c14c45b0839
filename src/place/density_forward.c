/* Computes the map of shapes (density_map.h). */
#include "base/interrupt.h"
#include "base/pool.h"
#include "place/density_work.h"

/* Shapes that a thread sorts at a time; bands in which a shape may be. */
enum { CHUNK = 2048, MOST_BANDS_EACH = 4, CHUNK_ENTRIES = CHUNK * MOST_BANDS_EACH };

typedef struct {
  DensityWork         *w;
  const DensityShapes *s;
  uint64_t            *map;
  uint32_t             chunks, threshold;
  double               largest;
  _Atomic bool         lost;
} ForwardJob;

/* The bands that a shape of some rows touches, each once; how many. */
static uint32_t touched_bands(const DensityWork *w, const DensitySpan *y, bool small,
                              uint32_t bands[MOST_BANDS_EACH])
{
  uint32_t count = 0, rows = w->g.y.count;
  if (small) {
    for (uint32_t b = (uint32_t)y->first >> w->shift; b <= (uint32_t)y->last >> w->shift; b++)
      bands[count++] = b;
    return count;
  }
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t row = (uint32_t)density_place(y, k), band = row >> w->shift;
    bool have = row >= rows;
    for (uint32_t i = 0; i < count; i++) have |= bands[i] == band;
    if (!have) bands[count++] = band;
  }
  return count;
}

static uint32_t list_entries(const ForwardJob *j, const DensityLanes *l, uint32_t from,
                             uint32_t count, BandEntry *out)
{
  uint32_t made = 0, bands[MOST_BANDS_EACH];
  for (uint32_t n = 0; n < count; n++) {
    DensitySpan x = { l->first[0][n], l->last[0][n], { 0 } },
                y = { l->first[1][n], l->last[1][n], { 0 } };
    if (x.last < x.first || y.last < y.first) continue;
    uint32_t touched = touched_bands(j->w, &y, density_is_small(&x, &y, j->threshold), bands);
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

static void sort_chunk(const ForwardJob *j, uint32_t chunk, int thread)
{
  DensityWork *w = j->w;
  BandEntry *entries = w->entries.at + (size_t)thread * CHUNK_ENTRIES;
  uint32_t from = chunk * CHUNK, end = j->s->count - from < CHUNK ? j->s->count : from + CHUNK,
           made = 0;
  double most = 0;
  DensityLanes l = { 0 };
  for (; from < end; from += DENSITY_LANES) {
    uint32_t count = end - from < DENSITY_LANES ? end - from : DENSITY_LANES;
    density_lanes_take(&l, j->s, from, count);
    density_lanes_weigh(&l, j->s, from, count);
    density_lanes_place(&l, &w->g);
    density_lanes_most(&l, &w->g);
    for (uint32_t n = 0; n < count; n++) most = density_max(most, l.most[n]);
    made += list_entries(j, &l, from, count, entries + made);
  }
  sort_entries(entries, made, w->bands, w->segments.at + (size_t)chunk * (w->bands + 1),
               w->ids.at + (size_t)chunk * CHUNK_ENTRIES);
  w->most.at[chunk] = most;
}

static void settle_scale(ForwardJob *j)
{
  j->largest = 0;
  for (uint32_t c = 0; c < j->chunks; c++)
    j->largest = density_max(j->largest, j->w->most.at[c]);
}

static int32_t scale_of(const ForwardJob *j) { return density_scale(j->largest, j->s->count); }

static void add_ids(const ForwardJob *j, DensityLanes *l, const uint32_t *ids, uint32_t count,
                    DensityBand *band)
{
  density_lanes_gather(l, j->s, ids, count);
  density_lanes_place(l, &j->w->g);
  density_lanes_columns(l);
  density_lanes_add(l, count, band);
}

/* A shape will be read soon. */
static void read_ahead(const DensityShapes *s, uint32_t id)
{
  if (s->boxes) __builtin_prefetch(s->boxes + id);
  else __builtin_prefetch(s->int_boxes + id);
  if (s->weights) __builtin_prefetch(s->weights + id);
}

/* A band's shapes, DENSITY_LANES at a time, whichever chunks they are of. */
static void add_shapes(const ForwardJob *j, uint32_t number, DensityBand *band)
{
  const DensityWork *w = j->w;
  uint32_t ids[DENSITY_LANES], have = 0;
  DensityLanes l = { 0 };
  for (uint32_t chunk = 0; chunk < j->chunks && !interrupt_seen(); chunk++) {
    const uint32_t *segment = w->segments.at + (size_t)chunk * (w->bands + 1) + number,
                   *from = w->ids.at + (size_t)chunk * CHUNK_ENTRIES;
    for (uint32_t i = segment[0]; i < segment[1]; i++) {
      ids[have++] = from[i];
      read_ahead(j->s, from[i]);
      if (have < DENSITY_LANES) continue;
      add_ids(j, &l, ids, have, band);
      have = 0;
    }
  }
  add_ids(j, &l, ids, have, band);
}

static void scan_band(const DensityWork *w, const DensityBand *band, uint64_t *sum, uint64_t *total)
{
  memset(sum, 0, band->columns * sizeof *sum);
  for (int32_t row = band->from; row < band->to; row++) {
    density_row_add(sum, band->second + (size_t)(row - band->from) * band->columns, band->columns);
    density_row_scan(band->map + (size_t)row * band->columns, sum, total, band->columns);
  }
  memset(band->second, 0, density_band_cells(w) * sizeof *band->second);
}

static DensityBand make_band(const ForwardJob *j, uint32_t number, int thread)
{
  const DensityWork *w = j->w;
  return (DensityBand){ .map = j->map, .fine = w->fine,
    .second = w->second + (size_t)thread * density_band_cells(w),
    .columns = w->g.x.count, .from = (int32_t)(number << w->shift),
    .to = (int32_t)density_band_end(w, number), .threshold = j->threshold,
    .scale = density_power(scale_of(j)),
    .per_step = density_power(density_fine_bits(j->s->count)), .later = w->later + number };
}

/* Notes the last row of the shapes in `later`. */
static void note_reach(DensityWork *w, uint32_t number)
{
  int32_t last = -1;
  for (uint32_t i = 0; i < w->later[number].len; i++)
    if (w->later[number].at[i].y.last > last) last = w->later[number].at[i].y.last;
  w->reach[number] = last;
}

static void work_band(ForwardJob *j, uint32_t number, int thread)
{
  DensityWork *w = j->w;
  size_t columns = w->g.x.count;
  uint64_t *total = w->below + number * columns;
  DensityBand band = make_band(j, number, thread);
  array_clear(band.later);
  memset(j->map + (size_t)band.from * columns, 0,
         (size_t)(band.to - band.from) * columns * sizeof *j->map);
  add_shapes(j, number, &band);
  w->faint[number] = band.faint;
  note_reach(w, number);
  if (band.lost) j->lost = true;
  if (band.large) scan_band(w, &band, w->sums + (size_t)thread * DENSITY_ROWS * columns, total);
  else memset(total, 0, columns * sizeof *total);
}

static void join_reach(DensityWork *w)
{
  for (uint32_t b = 0; b < w->bands; b++) {
    int32_t *group = &w->group_reach[b / REACH_GROUP];
    if (b % REACH_GROUP == 0 || w->reach[b] > *group) *group = w->reach[b];
  }
}

/* Adds to a band what is faint of shapes that are not small, from whichever band on. */
static void add_later(const ForwardJob *j, uint32_t number, int thread)
{
  const DensityWork *w = j->w;
  DensityBand band = make_band(j, number, thread);
  band.faint = w->faint[number];
  for (uint32_t b = 0; b <= number && !interrupt_seen(); b++) {
    if (b % REACH_GROUP == 0 && w->group_reach[b / REACH_GROUP] < band.from) b += REACH_GROUP - 1;
    else if (w->reach[b] >= band.from)
      for (uint32_t i = 0; i < w->later[b].len; i++) density_fine_add(&w->later[b].at[i], &band);
  }
  w->faint[number] = band.faint;
}

static void finish_band(const ForwardJob *j, uint32_t band)
{
  const DensityWork *w = j->w;
  size_t columns = w->g.x.count;
  for (uint32_t row = band << w->shift; row < density_band_end(w, band); row++)
    density_row_finish(j->map + row * columns, w->below + band * columns,
                       w->faint[band] ? w->fine + row * columns : NULL,
                       density_power(-scale_of(j)),
                       density_power(-density_fine_bits(j->s->count)), w->g.x.count);
}

enum {
  FORWARD_SORT, FORWARD_SCALE, FORWARD_ADD, FORWARD_REACH, FORWARD_LATER, FORWARD_BELOW,
  FORWARD_FINISH, FORWARD_STEPS
};

static uint32_t forward_count(void *context, uint32_t step)
{
  const ForwardJob *j = context;
  switch (step) {
  case FORWARD_SORT: return j->chunks;
  case FORWARD_SCALE:
  case FORWARD_REACH: return 1;
  case FORWARD_BELOW: return density_column_blocks(j->w);
  default: return j->w->bands;
  }
}

static void forward_work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  ForwardJob *j = context;
  if (step == FORWARD_BELOW) density_add_up_bands(j->w, from, to);
  if (step == FORWARD_SCALE) settle_scale(j);
  if (step == FORWARD_REACH) join_reach(j->w);
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) {
    if (step == FORWARD_SORT) sort_chunk(j, i, thread);
    if (step == FORWARD_ADD) work_band(j, i, thread);
    if (step == FORWARD_LATER) add_later(j, i, thread);
    if (step == FORWARD_FINISH) finish_band(j, i);
  }
}

DensityRange density_forward(DensityWork *w, const DensityShapes *s, double *map)
{
  uint32_t chunks = (s->count + CHUNK - 1) / CHUNK,
           most = ((MOST_BANDS_EACH - 1) << w->shift) + 1;      /* rows in so many bands at most */
  ForwardJob j = { .w = w, .s = s, .map = (uint64_t *)(void *)map, .chunks = chunks,
    .threshold = w->threshold < most ? w->threshold : most };
  PoolRun run = { forward_work, forward_count, &j, FORWARD_STEPS, 1, ITEM_COST };
  array_reserve(&w->entries, (uint64_t)w->threads * CHUNK_ENTRIES);
  array_reserve(&w->ids, (uint64_t)chunks * CHUNK_ENTRIES);
  array_reserve(&w->segments, (uint64_t)chunks * (w->bands + 1));
  array_reserve(&w->most, chunks);
  if (w->fine == NULL) w->fine = mem_alloc((size_t)w->g.x.count * w->g.y.count * sizeof *w->fine);
  pool_run(&run, w->threads);
  return (DensityRange){ j.largest, j.lost };
}
