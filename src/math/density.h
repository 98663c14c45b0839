/* Density of rectangles on a grid of bins, for host and device. Computes where a rectangle lies on
   the grid and what it adds there.

   Forward, for a bin g:       density(g) = sum over shapes v of weight(v) * overlap(v, g) / area(g)
   Backward, for a shape v:    density(v) = sum over bins g of weight(g) * overlap(v, g) / area(v)

   (equations 2 and 3 of Guo, Mai, Lin: Ultrafast CPU/GPU kernels for density accumulation in
   placement, DAC 2021).  The corners of a shape may come in any order. Parts outside the grid
   overlap nothing. A shape without area adds nothing and has density 0.

   The overlap of a rectangle and a bin is the product of the parts of the bin that it covers along
   x and along y. Along each axis there are at most three different parts: that of the first bin,
   that of the bins between (1), and that of the last bin. So a shape adds at most nine different
   numbers. Each is rounded to a multiple of one step, a power of two. Sums of such multiples are
   exact, and the same in any order. Small numbers are added up in finer steps as well. There are
   two ways to add a shape: to add its number in each bin, or to add second differences at the
   corners of its nine regions (16 places), followed by a prefix sum over both axes after all
   shapes. Both give the same bits, because everything is exact modulo 2^64; only the sums of the
   bins must fit. */
#ifndef SL_MATH_DENSITY_H
#define SL_MATH_DENSITY_H

#include <stdbool.h>
#include <string.h>

#include "math/host_device.h"

/* One axis of a grid: bins [i * length / count, (i + 1) * length / count) from the origin on. */
typedef struct {
  double   origin, length;
  double   size, per;        /* of a bin; 1 / size */
  double   per_length;       /* 1 / length */
  double   last;             /* count - 1 */
  uint32_t count;
} DensityAxis;

typedef struct {
  DensityAxis x, y;          /* columns, rows */
} DensityGrid;

/* Left, bottom, right, top in the grid's unit; coordinates of a database are whole numbers.
   Aligned, so that a device reads 16 bytes at once. */
typedef struct { double at[4]; } __attribute__((aligned(16))) DensityBox;
typedef struct { int32_t at[4]; } __attribute__((aligned(16))) DensityIntBox;

/* Either boxes or int_boxes. */
typedef struct {
  const DensityBox    *boxes;
  const DensityIntBox *int_boxes;
  const double        *weights;        /* NULL: all are 1 */
  uint32_t             count;
} DensityShapes;

SL_HD DensityAxis density_axis(double from, double to, uint32_t count)
{
  DensityAxis a;
  a.origin = from;
  a.length = to - from;
  a.size = a.length / count;
  a.per = 1 / a.size;
  a.per_length = 1 / a.length;
  a.last = (double)count - 1;
  a.count = count;
  return a;
}

SL_HD DensityBox density_box(const DensityShapes *shapes, uint32_t i)
{
  if (shapes->boxes) return shapes->boxes[i];
  DensityIntBox b = shapes->int_boxes[i];
  DensityBox box = { { (double)b.at[0], (double)b.at[1], (double)b.at[2], (double)b.at[3] } };
  return box;
}

SL_HD double density_weight(const DensityShapes *shapes, uint32_t i)
{
  return shapes->weights ? shapes->weights[i] : 1;
}

SL_HD double density_min(double a, double b) { return a < b ? a : b; }
SL_HD double density_max(double a, double b) { return a > b ? a : b; }

SL_HD uint64_t density_bits(double x)
{
#ifdef __CUDA_ARCH__
  return (uint64_t)__double_as_longlong(x);
#else
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
#endif
}

SL_HD double density_number(uint64_t bits)
{
#ifdef __CUDA_ARCH__
  return __longlong_as_double((long long)bits);
#else
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
#endif
}

/* The bins that a shape overlaps along an axis, and the covered parts of the first bin, of the bins
   between, and of the last bin. With one bin the other parts are 0, with two bins the middle part
   is 0. */
typedef struct {
  int32_t first, last;       /* first > last: none */
  double  part[3];
} DensitySpan;

/* Returns the nearest whole number. It uses additions because conversions are slow on devices. */
#define DENSITY_SHIFT 6755399441055744.0      /* 1.5 * 2^52 */
SL_HD double density_nearest(double x) { return (x + DENSITY_SHIFT) - DENSITY_SHIFT; }
/* Converts a whole number below 2^31. */
SL_HD int32_t density_whole(double x) { return (int32_t)(uint32_t)density_bits(x + DENSITY_SHIFT); }

/* Returns the bin of a place in the grid, or the bin after it. Here places are distances from the
   origin times the number of bins, so a bin is as long as the axis. */
SL_HD double density_guess(const DensityAxis *axis, double place)
{
  double i = density_nearest(place * axis->per_length);
  return i < axis->last ? i : axis->last;
}

/* Returns where a shape lies along an axis. Bins are found by comparing with the lines i * length,
   so that each place is in exactly one bin, however numbers are rounded. Whole numbers as
   coordinates are not rounded (up to a product of length and count of 2^53). So the covered part of
   a bin is right even if it is a sliver. */
SL_HD DensitySpan density_span(const DensityAxis *axis, double from, double to)
{
  DensitySpan s;
  double low = density_max(density_min(from, to) - axis->origin, 0),
         high = density_min(density_max(from, to) - axis->origin, axis->length);
  bool some = low < high;
  low = some ? low * (axis->last + 1) : 0;
  high = some ? high * (axis->last + 1) : 0;
  double i = density_guess(axis, low), j = density_guess(axis, high);
  i += i * axis->length > low ? -1 : (i + 1) * axis->length <= low ? 1 : 0;
  j += j * axis->length >= high ? -1 : (j + 1) * axis->length < high ? 1 : 0;
  bool one = i == j;
  s.first = some ? density_whole(i) : 0;
  s.last = some ? density_whole(j) : -1;
  s.part[0] = ((one ? high : (i + 1) * axis->length) - low) * axis->per_length;
  s.part[1] = j > i + 1;
  s.part[2] = one ? 0 : (high - j * axis->length) * axis->per_length;
  return s;
}

SL_HD int32_t density_bins(const DensitySpan *span) { return span->last - span->first + 1; }

/* Returns true if a shape with these spans is added bin by bin. */
SL_HD bool density_is_small(const DensitySpan *x, const DensitySpan *y, uint32_t threshold)
{
  return (uint64_t)density_bins(x) * (uint64_t)density_bins(y) <= threshold;
}

/* Returns the covered part of a bin of the span. */
SL_HD double density_part(const DensitySpan *span, int32_t bin)
{
  return bin == span->first ? span->part[0] : bin == span->last ? span->part[2] : 1;
}

/* --- steps ------------------------------------------------------------------------------------ */
/* Numbers below 2^e in size are rounded to multiples of 2^-s. s is chosen so that the sum of
   `count` numbers in a bin stays below 2^63 steps, and so that a number takes at most 50 bits and
   is rounded by adding DENSITY_SHIFT.

   A number of fewer than 2^29 steps is faint: rounding it may change it by more than 1e-9 of
   itself. What rounding takes from faint numbers is added up as well, in steps that are 2^f times
   as fine. A bin with other numbers does not need this, and few numbers are faint. */
enum { DENSITY_SUM_BITS = 63, DENSITY_NUMBER_BITS = 50, DENSITY_MOST_EXPONENT = 960 };
enum { DENSITY_FAINT_BITS = 29 };
#define DENSITY_FAINT 536870912.0             /* 2^DENSITY_FAINT_BITS */

/* 2^e, -1022 <= e <= 1023 */
SL_HD double density_power(int32_t e) { return density_number((uint64_t)(e + 1023) << 52); }

/* e with x < 2^e; x >= 0.  Smaller numbers count as 2^-960, which only makes the step larger. */
SL_HD int32_t density_exponent(double x)
{
  int32_t e = (int32_t)(density_bits(x) >> 52) - 1022;
  return e < -DENSITY_MOST_EXPONENT ? -DENSITY_MOST_EXPONENT : e;
}

SL_HD int32_t density_count_bits(uint64_t count)
{
  int32_t bits = 0;
  for (int32_t step = 32; step; step >>= 1)
    if (count >> (bits + step)) bits += step;
  return count ? bits + 1 : 0;
}

/* Returns s for the largest number and the number of shapes that may meet in a bin. */
SL_HD int32_t density_scale(double largest, uint64_t count)
{
  int32_t room = DENSITY_SUM_BITS - density_count_bits(count);
  return (room < DENSITY_NUMBER_BITS ? room : DENSITY_NUMBER_BITS) - density_exponent(largest);
}

/* Returns f for the number of shapes: rounding takes at most half a step from each, and these sums
   stay below 2^63 fine steps. */
SL_HD int32_t density_fine_bits(uint64_t count)
{
  int32_t room = DENSITY_SUM_BITS + 1 - density_count_bits(count);
  return room < DENSITY_NUMBER_BITS ? room : DENSITY_NUMBER_BITS;
}

/* Returns the nearest whole number; of two equally near ones, the even one. |x| < 2^51. */
SL_HD uint64_t density_round(double x)
{
  return density_bits(x + DENSITY_SHIFT) - density_bits(DENSITY_SHIFT);
}

SL_HD double density_of_sum(uint64_t sum, double step) { return (double)(int64_t)sum * step; }

/* With a sum of fine steps. per_fine: 2^-f */
SL_HD double density_of_sums(uint64_t sum, uint64_t fine, double step, double per_fine)
{
  return ((double)(int64_t)sum + (double)(int64_t)fine * per_fine) * step;
}

/* --- forward ---------------------------------------------------------------------------------- */
/* Returns the most that a shape adds to a bin, before rounding. */
SL_HD double density_most(const DensityGrid *grid, const DensityBox *box, double weight)
{
  double x = box->at[2] - box->at[0], y = box->at[3] - box->at[1];
  x = density_min((x < 0 ? -x : x) * grid->x.per, 1);
  y = density_min((y < 0 ? -y : y) * grid->y.per, 1);
  return (weight < 0 ? -weight : weight) * x * y;
}

/* Returns the bin of second difference k along an axis. Differences 0 to 3 are at the first bin,
   the bin after it, the last bin, and the bin after that. */
SL_HD int32_t density_place(const DensitySpan *span, uint32_t k)
{
  return (k < 2 ? span->first : span->last) + (int32_t)(k & 1);
}

/* Return the covered part before difference k, and from it on. */
SL_HD double density_before(const DensitySpan *span, uint32_t k)
{
  return k == 1 ? span->part[0] : k == 2 ? span->part[1] : k == 3 ? span->part[2] : 0;
}
SL_HD double density_after(const DensitySpan *span, uint32_t k)
{
  return k == 0 ? span->part[0] : k == 1 ? span->part[1] : k == 2 ? span->part[2] : 0;
}

/* Returns what is added to a bin, in steps. weight is in steps too. */
SL_HD uint64_t density_cell(double weight, double x, double y)
{
  return density_round(weight * y * x);
}

/* Returns the least that a shape adds to a bin that it overlaps, in steps, before rounding. Without
   such a bin this is a number that is not faint. */
SL_HD double density_least(const DensitySpan *x, const DensitySpan *y, double weight)
{
  double width = x->last > x->first ? density_min(x->part[0], x->part[2]) : x->part[0],
         height = y->last > y->first ? density_min(y->part[0], y->part[2]) : y->part[0],
         least = (weight < 0 ? -weight : weight) * width * height;
  return x->last < x->first || y->last < y->first ? DENSITY_SHIFT : least;
}

/* Returns true if some of what a shape adds is faint. */
SL_HD bool density_has_faint(double least, double weight)
{
  return least < DENSITY_FAINT && weight != 0;
}

/* Returns what rounding takes from a number if it is faint, in fine steps. fine: 2^f */
SL_HD uint64_t density_cell_fine(double weight, double x, double y, double fine)
{
  double number = weight * y * x, whole = density_nearest(number);
  return whole < DENSITY_FAINT && whole > -DENSITY_FAINT ? density_round((number - whole) * fine)
                                                         : 0;
}

/* Return the first and the last bin of one of the three ranges of a span, whose parts are equal. */
SL_HD int32_t density_range_first(const DensitySpan *span, uint32_t k)
{
  return k == 0 ? span->first : k == 1 ? span->first + 1 : span->last;
}
SL_HD int32_t density_range_last(const DensitySpan *span, uint32_t k)
{
  return k == 0 ? span->first : k == 1 ? span->last - 1 : span->last;
}

/* What shapes add to bins: the most, before rounding; 1 if fine steps are too coarse for something,
   else 0. */
typedef struct {
  double   largest;
  uint64_t lost;
} DensityRange;

/* Returns the number below which densities may be off by more than 1e-9 of themselves; mostly 0. */
SL_HD double density_exact_from(const DensityRange *range, uint64_t count)
{
  return range->lost ? DENSITY_FAINT * density_power(-density_fine_bits(count))
                           * density_power(-density_scale(range->largest, count))
                     : 0;
}

/* --- backward --------------------------------------------------------------------------------- */
SL_HD double density_area(const DensityBox *box)
{
  double x = box->at[2] - box->at[0], y = box->at[3] - box->at[1];
  return (x < 0 ? -x : x) * (y < 0 ? -y : y);
}

/* Returns the density of a shape from the sum over bins of weight times overlap; overlaps are in
   areas of a bin. */
SL_HD double density_per_area(const DensityGrid *grid, const DensityBox *box, double sum)
{
  double area = density_area(box);
  return area > 0 ? sum * (grid->x.size * grid->y.size) / area : 0;
}

/* The sums of the weights of all bins up to a row and a column, both inclusive: [row][column], in
   steps. */
typedef struct {
  const uint64_t *sums;
  uint32_t        columns;
} DensityTable;

/* Returns the sum of the weights of the bins before a column and a row. */
SL_HD uint64_t density_corner(const DensityTable *table, int32_t column, int32_t row)
{
  return column && row ? table->sums[(uint64_t)(row - 1) * table->columns + (uint32_t)(column - 1)]
                       : 0;
}

/* Returns the bins that a shape overlaps, in areas of a bin. */
SL_HD double density_overlap(const DensitySpan *x, const DensitySpan *y)
{
  double columns = density_max((double)(x->last - x->first) - 1, 0),
         rows = density_max((double)(y->last - y->first) - 1, 0);
  return (x->part[0] + columns + x->part[2]) * (y->part[0] + rows + y->part[2]);
}

/* Returns true if a sum of weights in steps is so small beside the overlap that rounding the
   weights may have changed it by more than 1e-9 of itself. Then the weights are added up as
   doubles. The sum of many weights of both signs is often that small although the weights are not;
   such a sum is taken as it is. */
enum { DENSITY_MANY = 256 };
SL_HD bool density_sum_is_faint(double sum, double overlap, bool has_signs)
{
  return ((sum < 0 ? -sum : sum) < overlap * DENSITY_FAINT)
         & (!has_signs | (overlap <= DENSITY_MANY));
}

/* Returns the sum over bins of weight times overlap, in steps and areas of a bin. The parts are
   equal within each of nine regions, and the sum of a region is an exact difference of four corners
   of the table. */
SL_HD double density_region_sum(const DensityTable *table, const DensitySpan *x,
                                const DensitySpan *y)
{
  uint64_t below[4];
  double sum = 0;
  int32_t column[4] = { x->first, x->first + 1, x->last, x->last + 1 };
  for (int k = 0; k < 4; k++) below[k] = density_corner(table, column[k], y->first);
  for (int r = 0; r < 3; r++) {
    int32_t row = r == 0 ? y->first + 1 : r == 1 ? y->last : y->last + 1;
    uint64_t above[4];
    double part = 0;
    for (int k = 0; k < 4; k++) above[k] = density_corner(table, column[k], row);
    for (int k = 0; k < 3; k++) {
      uint64_t region = (above[k + 1] - below[k + 1]) - (above[k] - below[k]);
      part += density_of_sum(region, x->part[k]);
    }
    sum += part * y->part[r];
    for (int k = 0; k < 4; k++) below[k] = above[k];
  }
  return sum;
}

/* Returns the same sum, not in steps, bin by bin from the weights. */
SL_HD double density_direct_sum(const double *weights, uint32_t columns, const DensitySpan *x,
                                const DensitySpan *y)
{
  double sum = 0;
  for (int32_t j = y->first; j <= y->last; j++) {
    const double *row = weights + (uint64_t)j * columns;
    double part = 0;
    for (int32_t i = x->first; i <= x->last; i++) part += row[i] * density_part(x, i);
    sum += part * density_part(y, j);
  }
  return sum;
}

#endif
