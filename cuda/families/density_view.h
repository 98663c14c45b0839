/* Density maps: kernels (math/density.h has the formulas).

   Forward: sums of bins are 64-bit whole numbers in steps, added by atomics, so that their order
   does not matter. Small shapes add to `map` bin by bin, others to `second` (second differences
   along both axes), at 16 places. The lanes of a shape take columns side by side, which lie side by
   side in memory: their additions to one row are one or two accesses. The prefix sum takes two
   launches: sums of strips of rows by column; then the block of a strip begins with the sums of the
   strips below it, adds up its columns, scans its rows, and adds `map`. What rounding takes from
   small numbers is added to `fine`, bin by bin.

   Backward: the same two launches make a table of sums from bins' weights in steps; a lane for
   each shape reads 16 of its numbers, or the weights bin by bin. */
#ifndef SL_CUDA_FAMILIES_DENSITY_VIEW_H
#define SL_CUDA_FAMILIES_DENSITY_VIEW_H

#include "cuda/block_kernel.h"
#include "device/device_density.h"

enum {
  DENSITY_STRIP = 4,                  /* rows of a strip; with 8, a map of 1024 x 1024 gives too few
                                         blocks */
  DENSITY_GROUP = 16,                 /* strips of a group, whose sums are kept too */
  DENSITY_TILE = 512,                 /* columns of a row that a block scans at a time */
  DENSITY_PIECE = 4,                  /* columns of a tile that a lane scans */
  DENSITY_PIECES = DENSITY_TILE / DENSITY_PIECE,
  DENSITY_SCAN_LANES = DENSITY_STRIP * DENSITY_PIECES,
  /* lanes that each scan a piece do not meet in one bank */
  DENSITY_TILE_STEP = DENSITY_TILE + DENSITY_PIECES,
  DENSITY_TEAM = 16,                  /* number of lanes whose numbers one lane compares */
  DENSITY_TEAMS = THREADS / DENSITY_TEAM,
  DENSITY_LONG = 8,                   /* the lanes of a block share a region with more bins */
  DENSITY_LONG_REGIONS = 64,          /* such regions that a block notes */
  DENSITY_HEAP = 8,                   /* pieces of a row whose sum is kept too */
  DENSITY_HEAPS = DENSITY_PIECES / DENSITY_HEAP
};

typedef struct {
  DensityGrid   g;
  DensityShapes shapes;
  double       *weights;              /* of bins */
  uint64_t     *map;                  /* sums; then densities, as bits */
  uint64_t     *fine;                 /* sums of fine steps. Few are used; 0 between runs. */
  uint64_t     *second;               /* second differences; 0 between runs */
  uint64_t     *table;                /* backward */
  uint64_t     *strips, *groups;      /* sums [strip or group][column] */
  double       *density;              /* of shapes */
  uint64_t     *most;                 /* [2]: by turn, the largest number as bits; 0 for the next
                                         turn */
  uint64_t     *lost;                 /* [2]: by turn, 1 if the fine steps are too coarse for some
                                         number; backward: 1 if a weight is below 0 */
  uint32_t      turn;                 /* 0 or 1 */
  uint32_t      threshold;
  uint32_t      lanes, lane_bits;     /* lanes for a shape: 1 << lane_bits */
  bool          reversed;             /* see SL_EACH */
} DensityView;

/* Where a shape lies, and its weight. */
typedef struct {
  DensitySpan x, y;
  double      weight;
} DensityPlaced;

SL_HD uint32_t density_strip_count(const DensityGrid *grid)
{
  return (grid->y.count + DENSITY_STRIP - 1) / DENSITY_STRIP;
}
SL_HD uint32_t density_group_count(const DensityGrid *grid)
{
  return (density_strip_count(grid) + DENSITY_GROUP - 1) / DENSITY_GROUP;
}
SL_HD uint64_t density_bin_count(const DensityGrid *grid)
{
  return (uint64_t)grid->x.count * grid->y.count;
}

SL_HD void density_lane_add(uint64_t *sum, uint64_t x)
{
#ifdef __CUDA_ARCH__
  atomicAdd((unsigned long long *)sum, (unsigned long long)x);
#else
  *sum += x;
#endif
}

/* For comparison: the order of such sums is not fixed. */
SL_HD void density_lane_add_double(uint64_t *sum, double x)
{
#if defined __CUDA_ARCH__
  atomicAdd((double *)sum, x);
#else
  *sum = density_bits(density_number(*sum) + x);
#endif
}

/* Numbers from 0 on are ordered as their bits are; adding 0 makes 0 of -0. Most blocks find that
   another has seen a number as large, so that they need not wait for each other. */
SL_HD void density_lane_largest(uint64_t *most, double x)
{
  uint64_t bits = density_bits(x + 0.0);
#ifdef __CUDA_ARCH__
  if (*(volatile uint64_t *)most < bits)
    atomicMax((unsigned long long *)most, (unsigned long long)bits);
#else
  if (bits > *most) *most = bits;
#endif
}

/* The exponent of steps: of what the shapes add to a bin; of bins' weights in the table. */
SL_HD int32_t density_view_scale(const DensityView *view, DensityWay way)
{
  uint64_t count = way == DENSITY_FORWARD ? view->shapes.count : density_bin_count(&view->g);
  return density_scale(density_number(view->most[view->turn]), count);
}

/* --- the largest number, and zeros ------------------------------------------------------------ */
SL_BLOCK_FN double density_lane_most(const DensityView *view, uint32_t from, uint32_t step,
                                     DensityWay way)
{
  double most = 0;
  if (way == DENSITY_BACKWARD) {
    bool has_signs = false;
    SL_UNROLL(4)
    for (uint64_t i = from; i < density_bin_count(&view->g); i += step) {
      double w = view->weights[i];
      has_signs |= w < 0;
      most = density_max(most, w < 0 ? -w : w);
    }
    if (has_signs) view->lost[view->turn] = 1;
    return most;
  }
  SL_UNROLL(4)
  for (uint64_t i = from; i < view->shapes.count; i += step) {
    DensityBox b = density_box(&view->shapes, (uint32_t)i);
    most =
        density_max(most, density_most(&view->g, &b, density_weight(&view->shapes, (uint32_t)i)));
  }
  return most;
}

SL_HD void density_clear(uint64_t *at, uint64_t count, uint32_t from, uint32_t step)
{
  for (uint64_t i = from; i < count; i += step) at[i] = 0;
}

SL_BLOCK_FN void density_prepare(const DensityView *view, uint32_t block, uint32_t blocks,
                                 DensityWay way)
{
  SL_SHARED(double, most, THREADS);
  SL_SHARED(double, teams, DENSITY_TEAMS);
  SL_LANES(t, THREADS)
  {
    uint32_t from = block * THREADS + t, step = blocks * THREADS;
    if (way == DENSITY_FORWARD) density_clear(view->map, density_bin_count(&view->g), from, step);
    density_clear(view->groups, (uint64_t)density_group_count(&view->g) * view->g.x.count, from,
                  step);
    most[t] = density_lane_most(view, from, step, way);
  }
  SL_SYNC();
  SL_LANES(t, DENSITY_TEAMS)
  {
    double largest = 0;
    for (uint32_t i = 0; i < DENSITY_TEAM; i++)
      largest = density_max(largest, most[t * DENSITY_TEAM + i]);
    teams[t] = largest;
  }
  SL_SYNC();
  SL_LANES(t, 1)
  {
    double largest = 0;
    for (uint32_t i = 0; i < DENSITY_TEAMS; i++) largest = density_max(largest, teams[i]);
    density_lane_largest(&view->most[view->turn], largest);
    if (block == t) view->most[1 - view->turn] = view->lost[1 - view->turn] = 0;
  }
}

/* --- forward ---------------------------------------------------------------------------------- */
/* Adds to a column of bins: to its first bin, to those between, and to its last one. */
SL_HD void density_add_rows(const DensityView *view, uint64_t *at, int32_t rows,
                            const uint64_t number[3])
{
  uint32_t step = view->g.x.count;
  density_lane_add(at, number[0]);
  for (int32_t j = 2; j < rows; j++) density_lane_add(at += step, number[1]);
  if (rows > 1) density_lane_add(at + step, number[2]);
}

SL_HD void density_add_bins(const DensityView *view, const DensitySpan *x, const DensitySpan *y,
                            double weight, uint32_t lane)
{
  const double before = x->part[0], after = x->part[2], low = y->part[0], high = y->part[2];
  const int32_t first = x->first, last = x->last, rows = density_bins(y);
  uint64_t *row = view->map + (uint64_t)y->first * view->g.x.count;
  if (rows < 1) return;
  for (int32_t i = first + (int32_t)lane; i <= last; i += (int32_t)view->lanes) {
    double part = i == first ? before : i == last ? after : 1;
    uint64_t number[3] = { density_cell(weight, part, low), density_cell(weight, part, 1),
                           density_cell(weight, part, high) };
    density_add_rows(view, row + i, rows, number);
  }
}

/* The second differences in a column. */
SL_HD void density_add_column(const DensityView *view, const DensitySpan *x, const DensitySpan *y,
                              double weight, uint32_t k)
{
  uint32_t column = (uint32_t)density_place(x, k);
  double before = density_before(x, k), after = density_after(x, k);
  uint64_t below = 0;
  if (column >= view->g.x.count) return;
  for (uint32_t r = 0; r < 4; r++) {
    uint32_t row = (uint32_t)density_place(y, r);
    double part = density_after(y, r);
    uint64_t above = density_cell(weight, after, part) - density_cell(weight, before, part);
    if (row < view->g.y.count && above != below)
      density_lane_add(&view->second[(uint64_t)row * view->g.x.count + column], above - below);
    below = above;
  }
}

SL_HD bool density_is_faint(const DensityPlaced *placed, double scale)
{
  return density_has_faint(density_least(&placed->x, &placed->y, placed->weight * scale),
                           placed->weight);
}

/* What rounding takes from the numbers of one of the nine regions of a shape, in fine steps. */
typedef struct {
  uint64_t number;                    /* 0: these numbers are not faint */
  uint32_t first;                     /* bin */
  uint32_t columns, bins;             /* of the region */
} DensityFine;

SL_HD DensityFine density_fine_region(const DensityView *view, const DensityPlaced *placed,
                                      double scale, uint32_t k)
{
  const double fine = density_power(density_fine_bits(view->shapes.count));
  uint32_t kx = k % 3, ky = k / 3;
  int32_t column = density_range_first(&placed->x, kx), row = density_range_first(&placed->y, ky),
          columns = density_range_last(&placed->x, kx) - column + 1,
          rows = density_range_last(&placed->y, ky) - row + 1;
  DensityFine f = { density_cell_fine(placed->weight * scale, placed->x.part[kx],
                                      placed->y.part[ky], fine),
                    (uint32_t)row * view->g.x.count + (uint32_t)column, (uint32_t)columns,
                    (uint32_t)(columns * rows) };
  if (columns <= 0 || rows <= 0) f.number = 0;
  return f;
}

/* Adds to every step-th bin. */
SL_HD void density_add_region(const DensityView *view, const DensityFine *fine, uint32_t from,
                              uint32_t step)
{
  for (uint32_t i = from; i < fine->bins; i += step)
    density_lane_add(&view->fine[fine->first + (uint64_t)(i / fine->columns) * view->g.x.count
                                 + i % fine->columns],
                     fine->number);
}

/* Notes that fine steps are too coarse for something. */
SL_HD void density_note_lost(const DensityView *view, const DensityPlaced *placed, double scale)
{
  double fine = density_power(density_fine_bits(view->shapes.count));
  if (density_has_faint(density_least(&placed->x, &placed->y, placed->weight * scale) * fine,
                        placed->weight))
    view->lost[view->turn] = 1;
}

/* All regions of a shape. */
SL_APART void density_add_fine(const DensityView *view, const DensityPlaced *placed, double scale,
                               uint32_t lane)
{
  for (uint32_t k = 0; k < 9; k++) {
    DensityFine f = density_fine_region(view, placed, scale, k);
    if (f.number) density_add_region(view, &f, lane, view->lanes);
  }
  density_note_lost(view, placed, scale);
}

/* Regions over many bins, which all lanes of the block will share. */
typedef struct {
  DensityFine at[DENSITY_LONG_REGIONS];
  uint32_t    count;                  /* may be larger: the last ones did not fit */
} DensityLongRegions;

/* Region k of a shape: few bins are added at once, many are listed. */
SL_APART void density_add_faint(const DensityView *view, const DensityPlaced *placed, double scale,
                                uint32_t k, DensityLongRegions *later)
{
  DensityFine f = density_fine_region(view, placed, scale, k);
  if (k == 0) density_note_lost(view, placed, scale);
  if (f.number == 0) return;
  uint32_t at = f.bins > DENSITY_LONG ? lane_count(&later->count) : DENSITY_LONG_REGIONS;
  if (at < DENSITY_LONG_REGIONS) later->at[at] = f;
  else density_add_region(view, &f, 0, 1);
}

SL_HD DensityPlaced density_place_shape(const DensityView *view, uint32_t i)
{
  DensityBox b = density_box(&view->shapes, i);
  DensityPlaced p = { density_span(&view->g.x, b.at[0], b.at[2]),
                      density_span(&view->g.y, b.at[1], b.at[3]),
                      density_weight(&view->shapes, i) };
  return p;
}

SL_HD void density_add(const DensityView *view, const DensityPlaced *placed, double scale,
                       uint32_t lane)
{
  double weight = placed->weight * scale;
  if (density_is_small(&placed->x, &placed->y, view->threshold))
    density_add_bins(view, &placed->x, &placed->y, weight, lane);
  else
    for (uint32_t k = lane; k < 4; k += view->lanes)
      density_add_column(view, &placed->x, &placed->y, weight, k);
}

/* The faint numbers of a block's shapes. */
SL_BLOCK_FN void density_add_faint_block(const DensityView *view, const DensityPlaced *placed,
                                         const uint32_t *faint, uint32_t count, double scale)
{
  SL_SHARED(DensityLongRegions, later, 1);
  SL_LANES(t, 1) later[t].count = 0;
  SL_SYNC();
  SL_LANES(i, count * 9) density_add_faint(view, &placed[faint[i / 9]], scale, i % 9, later);
  SL_SYNC();
  uint32_t regions = later[0].count < DENSITY_LONG_REGIONS ? later[0].count : DENSITY_LONG_REGIONS;
  for (uint32_t r = 0; r < regions; r++)
    SL_LANES(t, THREADS) density_add_region(view, &later[0].at[r], t, THREADS);
}

/* The shapes of a block. Each is placed once, and listed if some of it is faint; then its lanes add
   it. */
SL_BLOCK_FN void density_add_block(const DensityView *view, uint32_t block)
{
  SL_SHARED(DensityPlaced, placed, THREADS);
  SL_SHARED(uint32_t, faint, THREADS);
  SL_SHARED(uint32_t, faint_count, 1);
  SL_SHARED(double, scale, 1);
  uint32_t first = block * THREADS, left = view->shapes.count - first,
           count = left < THREADS ? left : THREADS;
  SL_SYNC();
  SL_LANES(t, count) placed[t] = density_place_shape(view, first + t);
  SL_WAIT();
  SL_LANES(t, 1)
  {
    scale[t] = density_power(density_view_scale(view, DENSITY_FORWARD));
    faint_count[t] = 0;
  }
  SL_SYNC();
  SL_LANES(t, count) if (density_is_faint(&placed[t], scale[0])) faint[lane_count(faint_count)] = t;
  for (uint32_t turn = 0; turn < view->lanes; turn++) {
    SL_LANES(t, THREADS)
    {
      uint32_t i = turn * THREADS + t, shape = i >> view->lane_bits;
      if (shape < count) density_add(view, &placed[shape], scale[0], i & (view->lanes - 1));
      SL_REJOIN();
    }
  }
  SL_SYNC();
  if (faint_count[0]) density_add_faint_block(view, placed, faint, faint_count[0], scale[0]);
}

/* As published: each lane of a shape places it. */
SL_BLOCK_FN void density_add_apart(const DensityView *view, uint32_t shape, uint32_t lane)
{
  DensityPlaced p = density_place_shape(view, shape);
  double scale = density_power(density_view_scale(view, DENSITY_FORWARD));
  density_add_bins(view, &p.x, &p.y, p.weight * scale, lane);
  if (density_is_faint(&p, scale)) density_add_fine(view, &p, scale, lane);
}

SL_HD void density_add_doubles(const DensityView *view, uint32_t shape, uint32_t lane)
{
  DensityBox b = density_box(&view->shapes, shape);
  DensitySpan x = density_span(&view->g.x, b.at[0], b.at[2]),
              y = density_span(&view->g.y, b.at[1], b.at[3]);
  double weight = density_weight(&view->shapes, shape);
  for (int32_t j = y.first; j <= y.last; j++) {
    uint64_t *row = view->map + (uint64_t)j * view->g.x.count;
    double part = density_part(&y, j);
    for (int32_t i = x.first + (int32_t)lane; i <= x.last; i += (int32_t)view->lanes)
      density_lane_add_double(&row[i], weight * part * density_part(&x, i));
  }
}

/* --- the prefix sum --------------------------------------------------------------------------- */
SL_HD uint64_t density_source(const DensityView *view, uint64_t bin, double scale, DensityWay way)
{
  return way == DENSITY_FORWARD ? view->second[bin] : density_round(view->weights[bin] * scale);
}

SL_HD uint32_t density_strip_end(const DensityView *view, uint32_t strip)
{
  uint32_t end = (strip + 1) * DENSITY_STRIP;
  return end < view->g.y.count ? end : view->g.y.count;
}

/* The numbers of a strip in a column; 0 above the grid. They are read before any is used. */
SL_BLOCK_FN void density_read_strip(const DensityView *view, uint32_t strip, uint32_t column,
                                    double scale, DensityWay way, uint64_t source[DENSITY_STRIP])
{
  uint32_t row = strip * DENSITY_STRIP, rows = density_strip_end(view, strip) - row;
  SL_UNROLL(4)
  for (uint32_t r = 0; r < DENSITY_STRIP; r++)
    source[r] =
        r < rows ? density_source(view, (uint64_t)(row + r) * view->g.x.count + column, scale, way)
                 : 0;
}

/* Makes the second differences of a strip in a column 0 for the next run. */
SL_BLOCK_FN void density_forget_strip(const DensityView *view, uint32_t strip, uint32_t column,
                                      const uint64_t source[DENSITY_STRIP])
{
  uint64_t at = (uint64_t)strip * DENSITY_STRIP * view->g.x.count + column;
  SL_UNROLL(4)
  for (uint32_t r = 0; r < DENSITY_STRIP; r++)
    if (source[r]) view->second[at + r * view->g.x.count] = 0;
}

SL_BLOCK_FN void density_sum_strip(const DensityView *view, uint32_t strip, uint32_t column,
                                   DensityWay way)
{
  uint32_t columns = view->g.x.count;
  double scale = way == DENSITY_FORWARD ? 1 : density_power(density_view_scale(view, way));
  uint64_t sum = 0, source[DENSITY_STRIP];
  density_read_strip(view, strip, column, scale, way, source);
  SL_UNROLL(4)
  for (uint32_t r = 0; r < DENSITY_STRIP; r++) sum += source[r];
  view->strips[(uint64_t)strip * columns + column] = sum;
  density_lane_add(&view->groups[(uint64_t)(strip / DENSITY_GROUP) * columns + column], sum);
}

/* Rows [from, to) of an array with a number for each column. DENSITY_GROUP are read at a time. */
SL_BLOCK_FN uint64_t density_sum_rows(const uint64_t *at, uint32_t from, uint32_t to,
                                      uint32_t columns, uint32_t column)
{
  uint64_t sum = 0;
  for (uint32_t first = from; first < to; first += DENSITY_GROUP) {
    SL_UNROLL(16)
    for (uint32_t k = 0; k < DENSITY_GROUP; k++)
      sum += first + k < to ? at[(uint64_t)(first + k) * columns + column] : 0;
  }
  return sum;
}

/* Of a column below a strip. */
SL_BLOCK_FN uint64_t density_below(const DensityView *view, uint32_t strip, uint32_t column)
{
  uint32_t columns = view->g.x.count, group = strip / DENSITY_GROUP;
  return density_sum_rows(view->groups, 0, group, columns, column)
         + density_sum_rows(view->strips, group * DENSITY_GROUP, strip, columns, column);
}

/* Where a column of a strip's tile lies in the block's memory. */
SL_HD uint32_t density_tile_at(uint32_t row, uint32_t column)
{
  return row * DENSITY_TILE_STEP + column + column / DENSITY_PIECE;
}

/* A column of the tile: sums over all rows up to each. */
SL_BLOCK_FN void density_scan_column(const DensityView *view, uint64_t *tile, uint32_t strip,
                                     uint32_t first, uint32_t c, double scale, DensityWay way)
{
  uint32_t column = first + c;
  uint64_t sum = 0, source[DENSITY_STRIP] = { 0 };
  if (column < view->g.x.count) {
    density_read_strip(view, strip, column, scale, way, source);
    if (way == DENSITY_FORWARD) density_forget_strip(view, strip, column, source);
    sum = density_below(view, strip, column);
  }
  SL_UNROLL(4)
  for (uint32_t r = 0; r < DENSITY_STRIP; r++) {
    sum += source[r];
    tile[density_tile_at(r, c)] = sum;
  }
}

SL_HD uint64_t density_piece_sum(const uint64_t *tile, uint32_t row, uint32_t piece)
{
  uint64_t sum = 0;
  for (uint32_t c = 0; c < DENSITY_PIECE; c++)
    sum += tile[density_tile_at(row, piece * DENSITY_PIECE + c)];
  return sum;
}

SL_HD uint64_t density_heap_sum(const uint64_t *pieces, uint32_t heap)
{
  uint64_t sum = 0;
  for (uint32_t p = 0; p < DENSITY_HEAP; p++) sum += pieces[heap * DENSITY_HEAP + p];
  return sum;
}

/* Begins with the sums of the heaps and of the pieces before it. */
SL_BLOCK_FN void density_scan_piece(uint64_t *tile, const uint64_t *pieces, const uint64_t *heaps,
                                    uint64_t before, uint32_t row, uint32_t piece)
{
  uint32_t heap = piece / DENSITY_HEAP, first = heap * DENSITY_HEAP;
  SL_UNROLL(8)
  for (uint32_t h = 0; h < DENSITY_HEAPS; h++)
    before += h < heap ? heaps[row * DENSITY_HEAPS + h] : 0;
  SL_UNROLL(8)
  for (uint32_t p = 0; p < DENSITY_HEAP; p++)
    before += first + p < piece ? pieces[row * DENSITY_PIECES + first + p] : 0;
  for (uint32_t c = 0; c < DENSITY_PIECE; c++) {
    uint32_t at = density_tile_at(row, piece * DENSITY_PIECE + c);
    before += tile[at];
    tile[at] = before;
  }
}

/* Where there are no second differences. */
SL_HD void density_write(const DensityView *view, uint64_t bin, double step)
{
  double per_fine = density_power(-density_fine_bits(view->shapes.count));
  view->map[bin] = density_bits(density_of_sums(view->map[bin], view->fine[bin], step, per_fine));
  view->fine[bin] = 0;
}

/* A column of the tile, whose numbers of the map are read before any is written. */
SL_BLOCK_FN void density_write_column(const DensityView *view, const uint64_t *tile, uint32_t strip,
                                      uint32_t first, uint32_t c, double step, DensityWay way)
{
  uint32_t columns = view->g.x.count, row = strip * DENSITY_STRIP,
           rows = density_strip_end(view, strip) - row;
  uint64_t at = (uint64_t)row * columns + first + c, small[DENSITY_STRIP], fine[DENSITY_STRIP];
  double per_fine = density_power(-density_fine_bits(view->shapes.count));
  if (first + c >= columns) return;
  if (way == DENSITY_BACKWARD) {
    for (uint32_t r = 0; r < rows; r++) view->table[at + r * columns] = tile[density_tile_at(r, c)];
    return;
  }
  SL_UNROLL(4)
  for (uint32_t r = 0; r < DENSITY_STRIP; r++) {
    small[r] = r < rows ? view->map[at + r * columns] : 0;
    fine[r] = r < rows ? view->fine[at + r * columns] : 0;
    if (fine[r]) view->fine[at + r * columns] = 0;
  }
  SL_UNROLL(4)
  for (uint32_t r = 0; r < DENSITY_STRIP; r++)
    if (r < rows)
      view->map[at + r * columns] = density_bits(
          density_of_sums(small[r] + tile[density_tile_at(r, c)], fine[r], step, per_fine));
}

SL_BLOCK_FN void density_scan(const DensityView *view, uint32_t strip, DensityWay way)
{
  SL_SHARED(uint64_t, tile, DENSITY_STRIP * DENSITY_TILE_STEP);
  SL_SHARED(uint64_t, pieces, DENSITY_SCAN_LANES);
  SL_SHARED(uint64_t, heaps, DENSITY_STRIP * DENSITY_HEAPS);
  SL_SHARED(uint64_t, left, DENSITY_STRIP);
  int32_t s = density_view_scale(view, way);
  double scale = density_power(s), step = density_power(-s);
  uint32_t columns = view->g.x.count;
  SL_LANES(r, DENSITY_STRIP) left[r] = 0;
  for (uint32_t first = 0; first < columns; first += DENSITY_TILE) {
    SL_SYNC();
    SL_LANES(c, DENSITY_TILE) density_scan_column(view, tile, strip, first, c, scale, way);
    SL_SYNC();
    SL_LANES(i, DENSITY_SCAN_LANES)
    pieces[i] = density_piece_sum(tile, i / DENSITY_PIECES, i % DENSITY_PIECES);
    SL_SYNC();
    SL_LANES(i, DENSITY_STRIP * DENSITY_HEAPS) heaps[i] = density_heap_sum(pieces, i);
    SL_SYNC();
    SL_LANES(i, DENSITY_SCAN_LANES)
    {
      uint32_t r = i / DENSITY_PIECES;
      density_scan_piece(tile, pieces, heaps, left[r], r, i % DENSITY_PIECES);
    }
    SL_SYNC();
    SL_LANES(c, DENSITY_TILE) density_write_column(view, tile, strip, first, c, step, way);
    SL_LANES(r, DENSITY_STRIP) left[r] = tile[density_tile_at(r, DENSITY_TILE - 1)];
  }
}

/* --- backward --------------------------------------------------------------------------------- */
SL_HD void density_of_shape(const DensityView *view, uint32_t i)
{
  DensityBox b = density_box(&view->shapes, i);
  DensitySpan x = density_span(&view->g.x, b.at[0], b.at[2]),
              y = density_span(&view->g.y, b.at[1], b.at[3]);
  DensityTable table = { view->table, view->g.x.count };
  double sum = 0;
  bool direct = density_is_small(&x, &y, view->threshold);
  if (!direct) {
    sum = density_region_sum(&table, &x, &y);
    direct = density_sum_is_faint(sum, density_overlap(&x, &y), view->lost[view->turn] != 0);
  }
  if (direct) sum = density_direct_sum(view->weights, view->g.x.count, &x, &y);
  else sum *= density_power(-density_view_scale(view, DENSITY_BACKWARD));
  view->density[i] = density_per_area(&view->g, &b, sum);
}

#endif
