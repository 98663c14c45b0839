/* Summarises a density map (mean, extremes, histogram), and finds the hotspots: bins that are
   denser than their neighbours. */
#include "place/hotspots.h"

#include "base/interrupt.h"

/* Values that rounding keeps apart count as equal. */
#define ALMOST 1e-9

static double limit_of(double threshold)
{
  return threshold + ALMOST * (threshold < 0 ? -threshold : threshold);
}

DensitySummary density_summary(const DensityGrid *grid, const double *map, double threshold)
{
  DensitySummary s = { .least = map[0], .largest = map[0],
    .bins = (uint64_t)grid->x.count * grid->y.count };
  double sum = 0, limit = limit_of(threshold);
  for (uint64_t i = 0; i < s.bins && !interrupt_seen(); i++) {
    sum += map[i];
    if (map[i] < s.least) s.least = map[i];
    if (map[i] > s.largest) s.largest = map[i];
    s.over += map[i] > limit;
  }
  s.mean = sum / (double)s.bins;
  s.low = s.least < 0 ? s.least : 0;
  s.step = (s.largest - s.low) / HISTOGRAM_RANGES;
  for (uint64_t i = 0; i < s.bins && s.step > 0; i++) {
    uint32_t range = (uint32_t)((map[i] - s.low) / s.step);
    s.histogram[range < HISTOGRAM_RANGES ? range : HISTOGRAM_RANGES - 1]++;
  }
  return s;
}

/* --- hotspots --------------------------------------------------------------------------------- */
static bool is_densest_around(const DensityGrid *grid, const double *map, uint32_t column,
                              uint32_t row)
{
  uint64_t own = (uint64_t)row * grid->x.count + column;
  uint32_t left = column > HOTSPOT_RADIUS ? column - HOTSPOT_RADIUS : 0,
           low = row > HOTSPOT_RADIUS ? row - HOTSPOT_RADIUS : 0;
  for (uint32_t j = low; j <= row + HOTSPOT_RADIUS && j < grid->y.count; j++)
    for (uint32_t i = left; i <= column + HOTSPOT_RADIUS && i < grid->x.count; i++) {
      uint64_t other = (uint64_t)j * grid->x.count + i;
      double limit = limit_of(map[own]), same = 2 * map[own] - limit;
      if (map[other] > limit || (map[other] >= same && other < own)) return false;
    }
  return true;
}

static bool denser(const Hotspot *a, const Hotspot *b)
{
  if (a->density != b->density) return a->density > b->density;
  return a->row != b->row ? a->row < b->row : a->column < b->column;
}

/* The list stays sorted and not longer than `most`. */
static void insert_hotspot(Hotspots *hotspots, const Hotspot *hotspot, uint32_t most)
{
  if (hotspots->len == most && (most == 0 || !denser(hotspot, &hotspots->at[most - 1]))) return;
  if (hotspots->len < most) array_push(hotspots, *hotspot);
  uint32_t at = hotspots->len - 1;
  for (; at > 0 && denser(hotspot, &hotspots->at[at - 1]); at--)
    hotspots->at[at] = hotspots->at[at - 1];
  hotspots->at[at] = *hotspot;
}

Hotspots density_hotspots(const DensityGrid *grid, const double *map, double threshold,
                          uint32_t most)
{
  Hotspots h = { 0 };
  double limit = limit_of(threshold);
  for (uint32_t row = 0; row < grid->y.count && !interrupt_seen(); row++)
    for (uint32_t column = 0; column < grid->x.count; column++) {
      double density = map[(uint64_t)row * grid->x.count + column];
      if (!(density > limit)) continue;
      if (h.len == most && most && density < h.at[most - 1].density) continue;
      if (!is_densest_around(grid, map, column, row)) continue;
      Hotspot x = { column, row, density, 0, { NO_SHAPE, NO_SHAPE, NO_SHAPE }, { 0 } };
      insert_hotspot(&h, &x, most);
    }
  return h;
}

static double size_of(double x) { return x < 0 ? -x : x; }

/* Those that bring most stay, the first of equal ones before others. */
static void take_shape(Hotspot *hotspot, uint32_t shape, double part)
{
  uint32_t at = hotspot->count < HOTSPOT_SHAPES ? hotspot->count : HOTSPOT_SHAPES;
  hotspot->count++;
  for (; at > 0 && size_of(part) > size_of(hotspot->part[at - 1]); at--) {
    if (at == HOTSPOT_SHAPES) continue;
    hotspot->shape[at] = hotspot->shape[at - 1];
    hotspot->part[at] = hotspot->part[at - 1];
  }
  if (at == HOTSPOT_SHAPES) return;
  hotspot->shape[at] = shape;
  hotspot->part[at] = part;
}

void hotspots_look(Hotspots *hotspots, const DensityGrid *grid, const DensityShapes *shapes)
{
  for (uint32_t i = 0; i < shapes->count && !interrupt_seen(); i++) {
    DensityBox b = density_box(shapes, i);
    DensitySpan x = density_span(&grid->x, b.at[0], b.at[2]),
                y = density_span(&grid->y, b.at[1], b.at[3]);
    double weight = density_weight(shapes, i);
    for (uint32_t k = 0; k < hotspots->len; k++) {
      int32_t column = (int32_t)hotspots->at[k].column, row = (int32_t)hotspots->at[k].row;
      if (column < x.first || column > x.last || row < y.first || row > y.last) continue;
      take_shape(&hotspots->at[k], i, weight * density_part(&y, row) * density_part(&x, column));
    }
  }
}
