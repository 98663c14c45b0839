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

DensitySummary density_summary(const DensityGrid *g, const double *map, double threshold)
{
  DensitySummary s = { .least = map[0], .largest = map[0],
    .bins = (uint64_t)g->x.count * g->y.count };
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
static bool is_densest_around(const DensityGrid *g, const double *map, uint32_t column,
                              uint32_t row)
{
  uint64_t own = (uint64_t)row * g->x.count + column;
  uint32_t left = column > HOTSPOT_RADIUS ? column - HOTSPOT_RADIUS : 0,
           low = row > HOTSPOT_RADIUS ? row - HOTSPOT_RADIUS : 0;
  for (uint32_t j = low; j <= row + HOTSPOT_RADIUS && j < g->y.count; j++)
    for (uint32_t i = left; i <= column + HOTSPOT_RADIUS && i < g->x.count; i++) {
      uint64_t other = (uint64_t)j * g->x.count + i;
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
static void insert_hotspot(Hotspots *h, const Hotspot *x, uint32_t most)
{
  if (h->len == most && (most == 0 || !denser(x, &h->at[most - 1]))) return;
  if (h->len < most) array_push(h, *x);
  uint32_t at = h->len - 1;
  for (; at > 0 && denser(x, &h->at[at - 1]); at--) h->at[at] = h->at[at - 1];
  h->at[at] = *x;
}

Hotspots density_hotspots(const DensityGrid *g, const double *map, double threshold, uint32_t most)
{
  Hotspots h = { 0 };
  double limit = limit_of(threshold);
  for (uint32_t row = 0; row < g->y.count && !interrupt_seen(); row++)
    for (uint32_t column = 0; column < g->x.count; column++) {
      double density = map[(uint64_t)row * g->x.count + column];
      if (!(density > limit)) continue;
      if (h.len == most && most && density < h.at[most - 1].density) continue;
      if (!is_densest_around(g, map, column, row)) continue;
      Hotspot x = { column, row, density, 0, { NO_SHAPE, NO_SHAPE, NO_SHAPE }, { 0 } };
      insert_hotspot(&h, &x, most);
    }
  return h;
}

static double size_of(double x) { return x < 0 ? -x : x; }

/* Those that bring most stay, the first of equal ones before others. */
static void take_shape(Hotspot *h, uint32_t shape, double part)
{
  uint32_t at = h->count < HOTSPOT_SHAPES ? h->count : HOTSPOT_SHAPES;
  h->count++;
  for (; at > 0 && size_of(part) > size_of(h->part[at - 1]); at--) {
    if (at == HOTSPOT_SHAPES) continue;
    h->shape[at] = h->shape[at - 1];
    h->part[at] = h->part[at - 1];
  }
  if (at == HOTSPOT_SHAPES) return;
  h->shape[at] = shape;
  h->part[at] = part;
}

void hotspots_look(Hotspots *h, const DensityGrid *g, const DensityShapes *s)
{
  for (uint32_t i = 0; i < s->count && !interrupt_seen(); i++) {
    DensityBox b = density_box(s, i);
    DensitySpan x = density_span(&g->x, b.at[0], b.at[2]),
                y = density_span(&g->y, b.at[1], b.at[3]);
    double weight = density_weight(s, i);
    for (uint32_t k = 0; k < h->len; k++) {
      int32_t column = (int32_t)h->at[k].column, row = (int32_t)h->at[k].row;
      if (column < x.first || column > x.last || row < y.first || row > y.last) continue;
      take_shape(&h->at[k], i, weight * density_part(&y, row) * density_part(&x, column));
    }
  }
}
