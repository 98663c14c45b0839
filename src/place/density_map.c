/* Computes density maps on the CPU in bands of rows (density_map.h explains how). density_lanes.c
   has the loops over shapes. */
#include <math.h>

#include "base/interrupt.h"
#include "place/density_work.h"

/* Bytes of a band's rows, of the map and of second differences, that a core's cache holds; rows of
   a band are 1 << shift. */
enum { BAND_BYTES = 256 << 10, LEAST_SHIFT = 3, MOST_SHIFT = 7 };

static uint32_t band_shift(const DensityGrid *grid)
{
  uint32_t shift = LEAST_SHIFT;
  while (shift < MOST_SHIFT && ((size_t)grid->x.count << (shift + 1)) * 16 <= BAND_BYTES) shift++;
  return shift;
}

size_t density_band_cells(const DensityWork *work)
{
  return (size_t)work->g.x.count << work->shift;
}

DensityWork *density_work_new(const DensityGrid *grid, uint32_t threshold, int threads)
{
  DensityWork *work = mem_alloc_zero(1, sizeof *work);
  size_t columns = grid->x.count, many = (size_t)threads;
  work->g = *grid;
  work->threshold = threshold;
  work->threads = threads;
  work->shift = band_shift(grid);
  work->bands = (grid->y.count + (1u << work->shift) - 1) >> work->shift;
  work->faint = mem_alloc_zero(work->bands, sizeof *work->faint);
  work->later = mem_alloc_zero(work->bands, sizeof *work->later);
  work->reach = mem_alloc(work->bands * sizeof *work->reach);
  work->group_reach = mem_alloc((work->bands / REACH_GROUP + 1) * sizeof *work->group_reach);
  work->second = mem_alloc_zero(many * density_band_cells(work), sizeof *work->second);
  work->sums = mem_alloc(many * DENSITY_ROWS * columns * sizeof *work->sums);
  work->below = mem_alloc(work->bands * columns * sizeof *work->below);
  return work;
}

void density_work_free(DensityWork *work)
{
  if (work == NULL) return;
  mem_free(work->fine);
  mem_free(work->faint);
  for (uint32_t b = 0; b < work->bands; b++) array_free(&work->later[b]);
  mem_free(work->later);
  mem_free(work->reach);
  mem_free(work->group_reach);
  mem_free(work->second);
  mem_free(work->sums);
  mem_free(work->below);
  mem_free(work->table);
  array_free(&work->entries);
  array_free(&work->ids);
  array_free(&work->segments);
  array_free(&work->most);
  mem_free(work);
}

/* --- the prefix sum of bands ------------------------------------------------------------------ */
uint32_t density_band_end(const DensityWork *work, uint32_t band)
{
  uint64_t end = (uint64_t)(band + 1) << work->shift;
  return end < work->g.y.count ? (uint32_t)end : work->g.y.count;
}

void density_add_up_bands(DensityWork *work, uint32_t from, uint32_t to)
{
  uint32_t columns = work->g.x.count,
           end = to * COLUMN_BLOCK < columns ? to * COLUMN_BLOCK : columns;
  uint64_t sum[COLUMN_BLOCK];
  for (uint32_t first = from * COLUMN_BLOCK; first < end; first += COLUMN_BLOCK) {
    uint32_t count = columns - first < COLUMN_BLOCK ? columns - first : COLUMN_BLOCK;
    memset(sum, 0, sizeof sum);
    for (uint32_t band = 0; band < work->bands; band++) {
      uint64_t *below = work->below + (size_t)band * columns + first;
      for (uint32_t i = 0; i < count; i++) {
        uint64_t own = below[i];
        below[i] = sum[i];
        sum[i] += own;
      }
    }
  }
}

uint32_t density_column_blocks(const DensityWork *work)
{
  return (work->g.x.count + COLUMN_BLOCK - 1) / COLUMN_BLOCK;
}

/* --- grids and what lies on them -------------------------------------------------------------- */
/* Of a bin: beside coordinates, so that rounding moves no line of the grid by more than 1e-6 of it;
   so that areas are no denormal numbers. */
#define LEAST_SIZE   1e-10
#define LEAST_LENGTH 1e-100

static bool axis_is_finite(double from, double to) { return isfinite(from) && isfinite(to - from); }

Status density_grid(const double from[2], const double to[2], const uint32_t count[2],
                    DensityGrid *grid, Log *log)
{
  uint64_t bins = (uint64_t)count[0] * count[1];
  if (bins == 0 || bins > DENSITY_MOST_BINS)
    return log_error(log, "DENS-001", NOWHERE,
                     "a grid of %u x %u bins; expected 1 to %d bins in all", count[0], count[1],
                     DENSITY_MOST_BINS);
  if (count[0] > DENSITY_MOST_LINES || count[1] > DENSITY_MOST_LINES)
    return log_error(log, "DENS-001", NOWHERE,
                     "a grid of %u x %u bins; expected at most %d along an axis", count[0],
                     count[1], DENSITY_MOST_LINES);
  for (int k = 0; k < 2; k++) {
    double size = (to[k] - from[k]) / count[k], far = fmax(fabs(from[k]), fabs(to[k]));
    if (!axis_is_finite(from[k], to[k]) || !(to[k] > from[k]))
      return log_error(log, "DENS-002", NOWHERE,
                       "the die is from (%g, %g) to (%g, %g); expected an area above 0", from[0],
                       from[1], to[0], to[1]);
    if (!(size > LEAST_SIZE * far) || !(size > LEAST_LENGTH))
      return log_error(log, "DENS-003", NOWHERE,
                       "bins of %g by %g are too small for coordinates like %g",
                       (to[0] - from[0]) / count[0], (to[1] - from[1]) / count[1], far);
  }
  if (!isfinite((to[0] - from[0]) * (to[1] - from[1])))
    return log_error(log, "DENS-002", NOWHERE,
                     "the die is from (%g, %g) to (%g, %g); expected a finite area", from[0],
                     from[1], to[0], to[1]);
  grid->x = density_axis(from[0], to[0], count[0]);
  grid->y = density_axis(from[1], to[1], count[1]);
  return OK;
}

static bool is_weight(double x) { return fabs(x) <= DENSITY_MOST_WEIGHT; }

Status density_check_shapes(const DensityShapes *shapes, Log *log)
{
  for (uint32_t i = 0; i < shapes->count && !interrupt_seen(); i++) {
    DensityBox b = density_box(shapes, i);
    for (int k = 0; k < 4; k++)
      if (!isfinite(b.at[k]))
        return log_error(log, "DENS-004", NOWHERE,
                         "shape %u has a corner at %g; expected a finite number", i, b.at[k]);
    if (!isfinite(b.at[2] - b.at[0]) || !isfinite(b.at[3] - b.at[1]))
      return log_error(log, "DENS-004", NOWHERE,
                       "shape %u is %g by %g; expected finite numbers", i, b.at[2] - b.at[0],
                       b.at[3] - b.at[1]);
    if (!is_weight(density_weight(shapes, i)))
      return log_error(log, "DENS-005", NOWHERE,
                       "shape %u has weight %g; expected a number from -%g to %g", i,
                       density_weight(shapes, i), DENSITY_MOST_WEIGHT, DENSITY_MOST_WEIGHT);
  }
  return OK;
}

Status density_check_weights(const DensityGrid *grid, const double *weights, Log *log)
{
  uint64_t bins = (uint64_t)grid->x.count * grid->y.count;
  for (uint64_t i = 0; i < bins && !interrupt_seen(); i++)
    if (!is_weight(weights[i]))
      return log_error(log, "DENS-005", NOWHERE,
                       "the bin in column %u of row %u has weight %g; expected a number from -%g "
                       "to %g",
                       (uint32_t)(i % grid->x.count), (uint32_t)(i / grid->x.count), weights[i],
                       DENSITY_MOST_WEIGHT, DENSITY_MOST_WEIGHT);
  return OK;
}
