/* The vector loops of density maps: places DENSITY_LANES shapes on the grid, adds them to the map,
   and reads them back. The numbers are those of math/density.h. */
#include "place/density_lanes.h"

#include "base/clones.h"

SL_CLONES
static void take_boxes(DensityLanes *lanes, const DensityBox *boxes, uint32_t count)
{
#pragma omp simd
  for (uint32_t n = 0; n < count; n++) {
    lanes->box[0][n] = boxes[n].at[0];
    lanes->box[1][n] = boxes[n].at[1];
    lanes->box[2][n] = boxes[n].at[2];
    lanes->box[3][n] = boxes[n].at[3];
  }
}

SL_CLONES
static void take_int_boxes(DensityLanes *lanes, const DensityIntBox *boxes, uint32_t count)
{
#pragma omp simd
  for (uint32_t n = 0; n < count; n++) {
    lanes->box[0][n] = boxes[n].at[0];
    lanes->box[1][n] = boxes[n].at[1];
    lanes->box[2][n] = boxes[n].at[2];
    lanes->box[3][n] = boxes[n].at[3];
  }
}

void density_lanes_take(DensityLanes *lanes, const DensityShapes *shapes, uint32_t from,
                        uint32_t count)
{
  if (shapes->boxes) take_boxes(lanes, shapes->boxes + from, count);
  else take_int_boxes(lanes, shapes->int_boxes + from, count);
}

void density_lanes_weigh(DensityLanes *lanes, const DensityShapes *shapes, uint32_t from,
                         uint32_t count)
{
  for (uint32_t n = 0; n < count; n++) lanes->weight[n] = density_weight(shapes, from + n);
}

void density_lanes_gather(DensityLanes *lanes, const DensityShapes *shapes, const uint32_t *ids,
                          uint32_t count)
{
  for (uint32_t n = 0; n < count; n++) {
    DensityBox b = density_box(shapes, ids[n]);
    for (int k = 0; k < 4; k++) lanes->box[k][n] = b.at[k];
    lanes->weight[n] = density_weight(shapes, ids[n]);
  }
}

SL_CLONES
static void place_axis(DensityLanes *lanes, const DensityAxis *axis, int k)
{
  DensityAxis a = *axis;
  const double *from = lanes->box[k], *to = lanes->box[k + 2];
  int32_t *first = lanes->first[k], *last = lanes->last[k];
  double *part0 = lanes->part[k][0], *part1 = lanes->part[k][1], *part2 = lanes->part[k][2];
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
void density_lanes_columns(DensityLanes *lanes)
{
  for (int k = 0; k < DENSITY_WIDTH; k++) {
    const int32_t *first = lanes->first[0], *last = lanes->last[0];
    const double *part0 = lanes->part[0][0], *part2 = lanes->part[0][2];
    double *column = lanes->column[k];
#pragma omp simd
    for (int n = 0; n < DENSITY_LANES; n++) {
      int32_t bin = first[n] + k;
      column[n] = bin > last[n] ? 0 : k == 0 ? part0[n] : bin == last[n] ? part2[n] : 1;
    }
  }
}

void density_lanes_place(DensityLanes *lanes, const DensityGrid *grid)
{
  place_axis(lanes, &grid->x, 0);
  place_axis(lanes, &grid->y, 1);
}

SL_CLONES
void density_lanes_most(DensityLanes *lanes, const DensityGrid *grid)
{
  DensityGrid g = *grid;
#pragma omp simd
  for (int n = 0; n < DENSITY_LANES; n++) {
    DensityBox b = { { lanes->box[0][n], lanes->box[1][n], lanes->box[2][n], lanes->box[3][n] } };
    lanes->most[n] = density_most(&g, &b, lanes->weight[n]);
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
    double part = density_after(y, r);
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

static void clear_fine(DensityBand *band)
{
  if (!band->faint)
    memset(band->fine + (size_t)band->from * band->columns, 0,
           (size_t)(band->to - band->from) * band->columns * sizeof *band->fine);
  band->faint = true;
}

/* What rounding takes from faint numbers, for the bins of a row. */
static void add_fine_row(const DensitySpan *span, double weight, double part, double fine,
                         uint64_t *row)
{
  for (uint32_t k = 0; k < 3; k++) {
    uint64_t number = density_cell_fine(weight, span->part[k], part, fine);
    if (number == 0) continue;
    for (int32_t i = density_range_first(span, k); i <= density_range_last(span, k); i++)
      row[i] += number;
  }
}

void density_fine_add(const FaintShape *shape, DensityBand *band)
{
  int32_t from = shape->y.first > band->from ? shape->y.first : band->from,
          end = shape->y.last < band->to ? shape->y.last + 1 : band->to;
  if (from < end) clear_fine(band);
  for (int32_t j = from; j < end; j++)
    add_fine_row(&shape->x, shape->weight, density_part(&shape->y, j), band->per_step,
                 band->fine + (size_t)j * band->columns);
}

static __attribute__((noinline)) void add_faint(const DensityLanes *lanes, uint32_t n,
                                                DensityBand *band)
{
  FaintShape s = { density_lane_span(lanes, 0, n), density_lane_span(lanes, 1, n),
                   lanes->weight[n] * band->scale };
  if (density_is_small(&s.x, &s.y, band->threshold)) density_fine_add(&s, band);
  else if (s.y.first >= band->from && s.y.first < band->to) array_push(band->later, s);
  band->lost |= density_has_faint(lanes->least[n] * band->per_step, lanes->weight[n]);
}

SL_CLONES
static void find_least(DensityLanes *lanes, double scale)
{
#pragma omp simd
  for (int n = 0; n < DENSITY_LANES; n++) {
    DensitySpan x = density_lane_span(lanes, 0, (uint32_t)n),
                y = density_lane_span(lanes, 1, (uint32_t)n);
    lanes->least[n] = density_least(&x, &y, lanes->weight[n] * scale);
  }
}

SL_CLONES
void density_lanes_add(DensityLanes *lanes, uint32_t count, DensityBand *band)
{
  find_least(lanes, band->scale);
  for (uint32_t n = 0; n < count; n++) {
    DensitySpan x = density_lane_span(lanes, 0, n), y = density_lane_span(lanes, 1, n);
    double column[DENSITY_WIDTH], weight = lanes->weight[n] * band->scale;
    for (int k = 0; k < DENSITY_WIDTH; k++) column[k] = lanes->column[k][n];
    if (density_is_small(&x, &y, band->threshold)) {
      add_bins(&x, &y, weight, column, band);
    } else {
      add_corners(&x, &y, weight, band);
      band->large = true;
    }
    if (density_has_faint(lanes->least[n], lanes->weight[n])) add_faint(lanes, n, band);
  }
}

/* --- backward --------------------------------------------------------------------------------- */
SL_CLONES
static void find_small(DensityLanes *lanes, uint32_t threshold)
{
#pragma omp simd
  for (int n = 0; n < DENSITY_LANES; n++) {
    double x = (double)lanes->last[0][n] - lanes->first[0][n] + 1,
           y = (double)lanes->last[1][n] - lanes->first[1][n] + 1;
    lanes->small[n] = x * y <= threshold;
  }
}

/* Bins along an axis: less than the length in bins and 2, by the rounding of these numbers. */
#define SPARE_BINS (2 + 1e-6)

SL_CLONES
uint64_t density_lanes_large(const DensityLanes *lanes, const DensityGrid *grid, uint32_t threshold)
{
  DensityGrid g = *grid;
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int n = 0; n < DENSITY_LANES; n++) {
    double x = lanes->box[2][n] - lanes->box[0][n], y = lanes->box[3][n] - lanes->box[1][n];
    x = density_min((x < 0 ? -x : x) * g.x.per, g.x.last) + SPARE_BINS;
    y = density_min((y < 0 ? -y : y) * g.y.per, g.y.last) + SPARE_BINS;
    sum += x * y > threshold ? x * y : 0;
  }
  return (uint64_t)sum;
}

/* Fetches a row's ends of a shape that is taken bin by bin. */
static inline void fetch_bins(const double *row, int32_t first, int32_t last)
{
  __builtin_prefetch(row + first);
  __builtin_prefetch(row + last);
}

static inline void fetch_corner(const DensityPair *pair)
{
  __builtin_prefetch(pair);
  __builtin_prefetch(&pair[1].above);
}

/* What is read of several shapes comes from memory at the same time. */
void density_lanes_ahead(DensityLanes *lanes, uint32_t count, const DensityField *field)
{
  size_t columns = field->grid->x.count;
  find_small(lanes, field->threshold);
  for (uint32_t n = 0; n < count; n++) {
    int32_t left = lanes->first[0][n], right = lanes->last[0][n], low = lanes->first[1][n],
            high = lanes->last[1][n];
    if (right < left || high < low) continue;
    if (field->table && !lanes->small[n]) {
      const DensityPair *below = field->table + (size_t)low * (columns + 1),
                        *above = field->table + (size_t)high * (columns + 1);
      fetch_corner(below + left);
      fetch_corner(below + right);
      fetch_corner(above + left);
      fetch_corner(above + right);
    } else if (lanes->small[n]) {
      for (int32_t j = low; j <= high; j++)
        fetch_bins(field->weights + (size_t)j * columns, left, right);
    } else {
      fetch_bins(field->weights + (size_t)low * columns, left, right);
    }
  }
}

/* The sums at the corners of the nine regions, of shapes that are not small: [row][column]. */
typedef struct { uint64_t at[4][4][DENSITY_LANES]; } DensityCorners;

static void read_corners(const DensityLanes *lanes, uint32_t count, const DensityField *field,
                         DensityCorners *corner)
{
  size_t columns = field->grid->x.count + 1;
  for (uint32_t n = 0; n < count; n++) {
    if (lanes->small[n]) continue;
    for (int r = 0; r < 2; r++) {
      const DensityPair *row =
          field->table + (size_t)(r ? lanes->last[1][n] : lanes->first[1][n]) * columns;
      for (int k = 0; k < 2; k++) {
        const DensityPair *pair = row + (k ? lanes->last[0][n] : lanes->first[0][n]);
        corner->at[2 * r][2 * k][n] = pair[0].below;
        corner->at[2 * r + 1][2 * k][n] = pair[0].above;
        corner->at[2 * r][2 * k + 1][n] = pair[1].below;
        corner->at[2 * r + 1][2 * k + 1][n] = pair[1].above;
      }
    }
  }
}

/* density_region_sum, for all lanes. */
SL_CLONES
static void sum_regions(const DensityLanes *lanes, const DensityCorners *corner, double *out)
{
#pragma omp simd
  for (int n = 0; n < DENSITY_LANES; n++) {
    double sum = 0;
    for (int r = 0; r < 3; r++) {
      double part = 0;
      for (int k = 0; k < 3; k++) {
        uint64_t region = (corner->at[r + 1][k + 1][n] - corner->at[r][k + 1][n])
                          - (corner->at[r + 1][k][n] - corner->at[r][k][n]);
        part += density_of_sum(region, lanes->part[0][k][n]);
      }
      sum += part * lanes->part[1][r][n];
    }
    out[n] = sum;
  }
}

/* Adds the three parts of a row to the sums of its regions. */
static inline void add_row(const DensityField *field, const DensitySpan *span, int32_t row,
                           uint64_t region[3])
{
  const double *from = field->weights + (size_t)row * field->grid->x.count + span->first;
  uint32_t last = (uint32_t)(span->last - span->first);
  region[0] += density_round(from[0] * field->scale);
  if (last > 1) region[1] += density_row_sum(from + 1, field->scale, last - 1);
  if (last > 0) region[2] += density_round(from[last] * field->scale);
}

/* density_region_sum without a table. */
static double sum_rows(const DensityField *field, const DensitySpan *x, const DensitySpan *y)
{
  uint64_t region[3][3] = { { 0 } };
  double sum = 0;
  for (int32_t j = y->first; j <= y->last; j++)
    add_row(field, x, j, region[j == y->first ? 0 : j == y->last ? 2 : 1]);
  for (int r = 0; r < 3; r++) {
    double part = 0;
    for (int k = 0; k < 3; k++) part += density_of_sum(region[r][k], x->part[k]);
    sum += part * y->part[r];
  }
  return sum;
}

/* Sets `small` for shapes whose sums are faint too, and turns the sums from steps to weights. */
SL_CLONES
static void find_direct(DensityLanes *lanes, const DensityField *field, double *sum)
{
  DensityField f = *field;
#pragma omp simd
  for (int n = 0; n < DENSITY_LANES; n++) {
    DensitySpan x = density_lane_span(lanes, 0, (uint32_t)n),
                y = density_lane_span(lanes, 1, (uint32_t)n);
    lanes->small[n] |= density_sum_is_faint(sum[n], density_overlap(&x, &y), f.has_signs);
    sum[n] *= f.step;
  }
}

/* density_direct_sum of a lane. Where the shape has few columns, DENSITY_WIDTH are added up; behind
   the last one they count nothing. */
static double sum_bins(const DensityLanes *lanes, uint32_t n, const DensityField *field)
{
  DensitySpan x = density_lane_span(lanes, 0, n), y = density_lane_span(lanes, 1, n);
  uint32_t columns = field->grid->x.count;
  double sum = 0;
  if (x.last >= x.first + DENSITY_WIDTH || x.first + DENSITY_WIDTH > (int32_t)columns)
    return density_direct_sum(field->weights, columns, &x, &y);
  for (int32_t j = y.first; j <= y.last; j++) {
    const double *row = field->weights + (size_t)j * columns + x.first;
    double part = 0;
    for (int k = 0; k < DENSITY_WIDTH; k++) part += row[k] * lanes->column[k][n];
    sum += part * density_part(&y, j);
  }
  return sum;
}

SL_CLONES
static void divide_by_areas(const DensityLanes *lanes, const DensityGrid *grid, double *sum)
{
  DensityGrid g = *grid;
#pragma omp simd
  for (int n = 0; n < DENSITY_LANES; n++) {
    DensityBox b = { { lanes->box[0][n], lanes->box[1][n], lanes->box[2][n], lanes->box[3][n] } };
    sum[n] = density_per_area(&g, &b, sum[n]);
  }
}

static void sum_all_rows(const DensityLanes *lanes, uint32_t count, const DensityField *field,
                         double *sum)
{
  for (uint32_t n = 0; n < count; n++) {
    DensitySpan x = density_lane_span(lanes, 0, n), y = density_lane_span(lanes, 1, n);
    if (!lanes->small[n]) sum[n] = sum_rows(field, &x, &y);
  }
}

void density_lanes_read(DensityLanes *lanes, uint32_t count, const DensityField *field, double *out)
{
  DensityCorners corner;
  double sum[DENSITY_LANES] = { 0 };
  if (field->table) {
    read_corners(lanes, count, field, &corner);
    sum_regions(lanes, &corner, sum);
  } else {
    sum_all_rows(lanes, count, field, sum);
  }
  find_direct(lanes, field, sum);
  density_lanes_columns(lanes);
  for (uint32_t n = 0; n < count; n++)
    if (lanes->small[n]) sum[n] = sum_bins(lanes, n, field);
  divide_by_areas(lanes, field->grid, sum);
  memcpy(out, sum, count * sizeof *out);
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
void density_row_finish(uint64_t *restrict map, const uint64_t *restrict below,
                        const uint64_t *restrict fine, double step, double per_fine,
                        uint32_t count)
{
  if (fine)
    for (uint32_t i = 0; i < count; i++)
      map[i] = density_bits(density_of_sums(map[i] + below[i], fine[i], step, per_fine));
  else
    for (uint32_t i = 0; i < count; i++)
      map[i] = density_bits(density_of_sum(map[i] + below[i], step));
}

SL_CLONES
void density_row_round(uint64_t *restrict sum, const double *restrict weights, double scale,
                       uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) sum[i] += density_round(weights[i] * scale);
}

void density_row_total(uint64_t *restrict total, const uint64_t *restrict sum, uint32_t count)
{
  uint64_t run = 0;
  for (uint32_t i = 0; i < count; i++) total[i] = run += sum[i];
}

SL_CLONES
void density_row_pairs(DensityPair *restrict out, uint64_t *restrict below_row,
                       const uint64_t *restrict total, const uint64_t *restrict below,
                       uint32_t count)
{
  out[0] = (DensityPair){ 0, 0 };
  for (uint32_t i = 0; i < count; i++) {
    uint64_t above = total[i] + below[i];
    out[i + 1].below = below_row[i];
    out[i + 1].above = above;
    below_row[i] = above;
  }
}

SL_CLONES
uint64_t density_row_sum(const double *weights, double scale, uint32_t count)
{
  uint64_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (uint32_t i = 0; i < count; i++) sum += density_round(weights[i] * scale);
  return sum;
}

SL_CLONES
double density_row_most(const double *weights, uint32_t count)
{
  double most = 0, least = 0;
#pragma omp simd reduction(max : most) reduction(min : least)
  for (uint32_t i = 0; i < count; i++) {
    most = weights[i] > most ? weights[i] : most;
    least = weights[i] < least ? weights[i] : least;
  }
  return least < 0 ? -density_max(most, -least) : most;
}
