#include "place/density_lanes.h"

#include "base/clones.h"

void density_lanes_take(DensityLanes *l, const DensityShapes *s, uint32_t from, uint32_t count)
{
  for (uint32_t n = 0; n < count; n++) {
    DensityBox b = density_box(s, from + n);
    for (int k = 0; k < 4; k++) l->box[k][n] = b.at[k];
    l->weight[n] = density_weight(s, from + n);
  }
}

void density_lanes_gather(DensityLanes *l, const DensityShapes *s, const uint32_t *ids,
                          uint32_t count)
{
  for (uint32_t n = 0; n < count; n++) {
    DensityBox b = density_box(s, ids[n]);
    for (int k = 0; k < 4; k++) l->box[k][n] = b.at[k];
    l->weight[n] = density_weight(s, ids[n]);
  }
}

SL_CLONES
static void place_axis(DensityLanes *l, const DensityAxis *axis, int k)
{
  DensityAxis a = *axis;
  const double *from = l->box[k], *to = l->box[k + 2];
  int32_t *first = l->first[k], *last = l->last[k];
  double *part0 = l->part[k][0], *part1 = l->part[k][1], *part2 = l->part[k][2];
#pragma omp simd
  for (int n = 0; n < DENSITY_LANES; n++) {
    DensitySpan s = density_span(&a, from[n], to[n]);
    first[n] = s.first;
    last[n] = s.last;
    part0[n] = s.part[0];
    part1[n] = s.part[1];
    part2[n] = s.part[2];
  }
}

SL_CLONES
static void place_columns(DensityLanes *l)
{
  for (int k = 0; k < DENSITY_WIDTH; k++) {
    const int32_t *first = l->first[0], *last = l->last[0];
    const double *part0 = l->part[0][0], *part2 = l->part[0][2];
    double *column = l->column[k];
#pragma omp simd
    for (int n = 0; n < DENSITY_LANES; n++) {
      int32_t bin = first[n] + k;
      column[n] = bin > last[n] ? 0 : k == 0 ? part0[n] : bin == last[n] ? part2[n] : 1;
    }
  }
}

void density_lanes_place(DensityLanes *l, const DensityGrid *g)
{
  place_axis(l, &g->x, 0);
  place_axis(l, &g->y, 1);
  place_columns(l);
}

SL_CLONES
void density_lanes_most(DensityLanes *l, const DensityGrid *grid)
{
  DensityGrid g = *grid;
#pragma omp simd
  for (int n = 0; n < DENSITY_LANES; n++) {
    DensityBox b = { { l->box[0][n], l->box[1][n], l->box[2][n], l->box[3][n] } };
    l->most[n] = density_most(&g, &b, l->weight[n]);
  }
}

/* --- forward ---------------------------------------------------------------------------------- */
/* DENSITY_WIDTH columns from the first on, all of which there are; behind the last, 0 is added. */
static inline void add_narrow(const double *column, uint64_t *row, double weight)
{
  for (int k = 0; k < DENSITY_WIDTH; k++) row[k] += density_round(weight * column[k]);
}

static inline void add_bins(const DensitySpan *x, const DensitySpan *y, double weight,
                            const double *column, const DensityBand *band)
{
  int32_t from = y->first > band->from ? y->first : band->from,
          end = y->last < band->to ? y->last + 1 : band->to;
  bool narrow = x->last < x->first + DENSITY_WIDTH
                && x->first + DENSITY_WIDTH <= (int32_t)band->columns;
  for (int32_t j = from; j < end; j++) {
    uint64_t *row = band->map + (size_t)j * band->columns;
    double part = density_part(y, j);
    if (narrow) {
      add_narrow(column, row + x->first, weight * part);
      continue;
    }
    for (int32_t i = x->first; i <= x->last; i++)
      row[i] += density_cell(weight, density_part(x, i), part);
  }
}

/* The second differences at the corners of the nine regions, of rows in the band. */
static inline void add_corners(const DensitySpan *x, const DensitySpan *y, double weight,
                               const DensityBand *band)
{
  uint64_t below[4] = { 0 };
  for (uint32_t r = 0; r < 4; r++) {
    int32_t j = density_place(y, r);
    double part = density_behind(y, r);
    uint64_t cell[5] = { 0 }, above[4];
    for (int k = 0; k < 3; k++) cell[k + 1] = density_cell(weight, x->part[k], part);
    for (int k = 0; k < 4; k++) above[k] = cell[k + 1] - cell[k];
    if (j >= band->from && j < band->to) {
      uint64_t *row = band->second + (size_t)(j - band->from) * band->columns;
      for (uint32_t k = 0; k < 4; k++) {
        uint32_t i = (uint32_t)density_place(x, k);
        if (i < band->columns) row[i] += above[k] - below[k];
      }
    }
    memcpy(below, above, sizeof below);
  }
}

SL_CLONES
void density_lanes_add(const DensityLanes *l, uint32_t count, double scale, DensityBand *band)
{
  for (uint32_t n = 0; n < count; n++) {
    DensitySpan x = density_lane_span(l, 0, n), y = density_lane_span(l, 1, n);
    double column[DENSITY_WIDTH];
    for (int k = 0; k < DENSITY_WIDTH; k++) column[k] = l->column[k][n];
    if (density_is_small(&x, &y, band->threshold)) {
      add_bins(&x, &y, l->weight[n] * scale, column, band);
    } else {
      add_corners(&x, &y, l->weight[n] * scale, band);
      band->large = true;
    }
  }
}

/* --- backward --------------------------------------------------------------------------------- */
/* What is read of several shapes comes from memory at the same time. */
static inline void read_ahead(const DensityLanes *l, uint32_t count, const DensityField *f)
{
  size_t columns = f->g->x.count;
  for (uint32_t n = 0; n < count; n++) {
    DensitySpan x = density_lane_span(l, 0, n), y = density_lane_span(l, 1, n);
    bool small = density_is_small(&x, &y, f->threshold);
    const uint64_t *from = small ? (const uint64_t *)(const void *)f->weights : f->table.sums;
    int32_t rows[4] = { y.first, y.last, y.first - 1, y.last - 1 };
    for (int r = 0; r < (small ? 2 : 4) && x.last >= x.first; r++) {
      size_t row = (size_t)(rows[r] > 0 ? rows[r] : 0) * columns;
      __builtin_prefetch(from + row + (size_t)x.first);
      __builtin_prefetch(from + row + (size_t)x.last);
    }
  }
}

SL_CLONES
void density_lanes_read(const DensityLanes *l, uint32_t count, const DensityField *f, double *out)
{
  read_ahead(l, count, f);
  for (uint32_t n = 0; n < count; n++) {
    DensitySpan x = density_lane_span(l, 0, n), y = density_lane_span(l, 1, n);
    DensityBox b = { { l->box[0][n], l->box[1][n], l->box[2][n], l->box[3][n] } };
    double sum = density_is_small(&x, &y, f->threshold)
                     ? density_direct_sum(f->weights, f->g->x.count, &x, &y)
                     : density_region_sum(&f->table, &x, &y, f->step);
    out[n] = density_per_area(f->g, &b, sum);
  }
}

/* --- rows ------------------------------------------------------------------------------------- */
SL_CLONES
void density_row_add(uint64_t *restrict sum, const uint64_t *restrict x, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) sum[i] += x[i];
}

void density_row_scan(uint64_t *restrict map, const uint64_t *restrict sum,
                      uint64_t *restrict total, uint32_t count)
{
  uint64_t run = 0;
  for (uint32_t i = 0; i < count; i++) {
    run += sum[i];
    map[i] += run;
    total[i] = run;
  }
}

SL_CLONES
void density_row_finish(uint64_t *restrict map, const uint64_t *restrict below, double step,
                        uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    map[i] = density_bits(density_of_sum(map[i] + below[i], step));
}

SL_CLONES
void density_row_round(uint64_t *restrict out, const double *restrict weights, double scale,
                       uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) out[i] = density_round(weights[i] * scale);
}

SL_CLONES
double density_row_most(const double *weights, uint32_t count)
{
  double most = 0;
#pragma omp simd reduction(max : most)
  for (uint32_t i = 0; i < count; i++) {
    double w = weights[i] < 0 ? -weights[i] : weights[i];
    most = w > most ? w : most;
  }
  return most;
}
