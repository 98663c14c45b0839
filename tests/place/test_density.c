/* Density maps: by hand, and random ones beside the definition in long double; the CPU with several
   thresholds and threads, and the devices, byte for byte. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/memory.h"
#include "device/device.h"
#include "device/families.h"
#include "place/density_map.h"
#include "tests/unit.h"

static DensityGrid grid_of(double left, double bottom, double right, double top, uint32_t columns,
                           uint32_t rows)
{
  DensityGrid g = { 0 };
  Log *log = test_log();
  CHECK(density_grid((double[]){ left, bottom }, (double[]){ right, top },
                     (uint32_t[]){ columns, rows }, &g, log)
        == OK);
  return g;
}

static size_t bins_of(const DensityGrid *grid) { return (size_t)grid->x.count * grid->y.count; }

/* Returns the number from which on densities are exact. */
static double forward(const DensityGrid *grid, const DensityShapes *shapes, uint32_t threshold,
                      int threads, double *map)
{
  DensityWork *work = density_work_new(grid, threshold, threads);
  memset(map, 0x55, bins_of(grid) * sizeof *map);
  DensityRange range = density_forward(work, shapes, map);
  density_work_free(work);
  return density_exact_from(&range, shapes->count);
}

static void backward(const DensityGrid *grid, const double *weights, const DensityShapes *shapes,
                     uint32_t threshold, int threads, double *out)
{
  DensityWork *work = density_work_new(grid, threshold, threads);
  memset(out, 0x55, shapes->count * sizeof *out);
  density_backward(work, weights, shapes, out);
  density_work_free(work);
}

/* --- by hand ---------------------------------------------------------------------------------- */
/* Bins of 10 by 10 from (0, 0) on, 4 columns and 2 rows. */
typedef struct {
  int32_t box[4];
  double  weight;
  double  map[8];            /* the lower row first */
} ByHand;

static const ByHand by_hand[] = {
  /* a quarter of each of four bins, and half of the two between */
  { { 5, 5, 25, 15 }, 2, { 0.5, 1, 0.5, 0, 0.5, 1, 0.5, 0 } },
  /* corners in another order */
  { { 25, 15, 5, 5 }, 2, { 0.5, 1, 0.5, 0, 0.5, 1, 0.5, 0 } },
  { { 5, 15, 25, 5 }, 2, { 0.5, 1, 0.5, 0, 0.5, 1, 0.5, 0 } },
  /* on lines */
  { { 10, 0, 30, 10 }, 1, { 0, 1, 1, 0, 0, 0, 0, 0 } },
  /* all, and more than all */
  { { 0, 0, 40, 20 }, 1, { 1, 1, 1, 1, 1, 1, 1, 1 } },
  { { -100, -7, 41, 1000 }, 3, { 3, 3, 3, 3, 3, 3, 3, 3 } },
  /* partly outside: two tenths of a column, half of a row */
  { { 38, 15, 60, 25 }, 1, { 0, 0, 0, 0, 0, 0, 0, 0.1 } },
  /* outside, and touching from outside */
  { { 50, 0, 60, 10 }, 1, { 0 } },
  { { 40, 0, 60, 10 }, 1, { 0 } },
  { { -10, 0, 0, 10 }, 1, { 0 } },
  { { 0, 20, 10, 30 }, 1, { 0 } },
  /* no area */
  { { 5, 5, 5, 15 }, 1, { 0 } },
  { { 5, 5, 25, 5 }, 1, { 0 } },
  { { 10, 10, 10, 10 }, 1, { 0 } },
  /* within a bin; weights below 0 and 0 */
  { { 2, 2, 4, 7 }, -1, { -0.1, 0, 0, 0, 0, 0, 0, 0 } },
  { { 0, 0, 40, 20 }, 0, { 0 } },
};

static void test_by_hand(void)
{
  DensityGrid g = grid_of(0, 0, 40, 20, 4, 2);
  for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
    const ByHand *hand = &by_hand[i];
    DensityIntBox box;
    memcpy(box.at, hand->box, sizeof box.at);
    DensityShapes s = { NULL, &box, &hand->weight, 1 };
    double map[8];
    for (uint32_t threshold = 0; threshold < 10; threshold += 3) {
      forward(&g, &s, threshold, 1, map);
      for (int bin = 0; bin < 8; bin++) CHECK_NEAR(map[bin], hand->map[bin], 1e-15);
    }
  }
}

static void test_backward_by_hand(void)
{
  DensityGrid g = grid_of(0, 0, 40, 20, 4, 2);
  const double weights[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  static const struct {
    DensityIntBox box;
    double density;
  } cases[] = {
    { { { 5, 5, 25, 15 } }, (25 * (1 + 3 + 5 + 7) + 50 * (2 + 6)) / 200.0 },
    { { { 0, 0, 40, 20 } }, 36 / 8.0 },
    { { { 25, 15, 5, 5 } }, (25 * (1 + 3 + 5 + 7) + 50 * (2 + 6)) / 200.0 },
    { { { 10, 0, 30, 10 } }, 2.5 },
    { { { 2, 2, 4, 7 } }, 1 },
    { { { 30, 10, 50, 20 } }, 4 },       /* what is outside weighs nothing */
    { { { 50, 0, 60, 10 } }, 0 },
    { { { 5, 5, 5, 15 } }, 0 },
  };
  enum { COUNT = sizeof cases / sizeof *cases };
  DensityIntBox boxes[COUNT];
  double density[COUNT];
  for (int i = 0; i < COUNT; i++) boxes[i] = cases[i].box;
  DensityShapes s = { NULL, boxes, NULL, COUNT };
  for (uint32_t threshold = 0; threshold < 10; threshold += 3) {
    backward(&g, weights, &s, threshold, 1, density);
    for (int i = 0; i < COUNT; i++) CHECK_NEAR(density[i], cases[i].density, 1e-14);
  }
}

/* --- random cases ----------------------------------------------------------------------------- */
/* grain: coordinates are multiples of it; 0: any numbers, which are rounded beside the grid. The
   others are exact, so that a density is right even if it comes from a sliver. */
typedef struct {
  unsigned      seed;
  double        grain;
  DensityGrid   g;
  DensityShapes s;
  DensityBox   *boxes;
  DensityIntBox *int_boxes;
  double       *weights, *bins;
} Case;

static uint32_t below(Case *the_case, uint32_t n) { return (uint32_t)rand_r(&the_case->seed) % n; }
static double part(Case *the_case) { return below(the_case, 1000001) / 1e6; }

/* A place along an axis: on a line, or anywhere, which may be outside. */
static double in_grains(const Case *the_case, double x)
{
  return the_case->grain > 0 ? floor(x / the_case->grain) * the_case->grain : x;
}

static double random_place(Case *the_case, const DensityAxis *axis)
{
  double length = axis->size * axis->count, at;
  if (below(the_case, 4) == 0) at = axis->origin + below(the_case, axis->count + 1) * axis->size;
  else at = axis->origin + length * (1.4 * part(the_case) - 0.2);
  return in_grains(the_case, at);
}

/* A length: none, a part of a bin, some bins, or more than the grid. */
static double random_length(Case *the_case, const DensityAxis *axis)
{
  double length;
  switch (below(the_case, 8)) {
  case 0: length = 0; break;
  case 1: length = axis->size * axis->count * (1 + part(the_case)); break;
  case 2:
  case 3: length = axis->size * axis->count * part(the_case); break;
  case 4: length = axis->size * below(the_case, axis->count + 1); break;
  default: length = axis->size * (0.01 + 3 * part(the_case));
  }
  return in_grains(the_case, length);
}

static void random_box(Case *the_case, uint32_t i)
{
  DensityBox *box = &the_case->boxes[i];
  const DensityAxis *axes[2] = { &the_case->g.x, &the_case->g.y };
  for (int k = 0; k < 2; k++) {
    double from = random_place(the_case, axes[k]), to = from + random_length(the_case, axes[k]);
    bool turned = below(the_case, 8) == 0;
    box->at[k] = turned ? to : from;
    box->at[k + 2] = turned ? from : to;
  }
  for (int k = 0; k < 4; k++) the_case->int_boxes[i].at[k] = (int32_t)box->at[k];
}

/* Of one size, of both signs, of sizes that differ by 1e12, and by more than fine steps take. */
enum { WEIGHTS_ALIKE, WEIGHTS_SIGNED, WEIGHTS_NONE, WEIGHTS_APART, WEIGHTS_FAR, WEIGHTS_KINDS };

static double random_weight(Case *the_case, uint32_t kind)
{
  double exponent = kind == WEIGHTS_FAR ? 80 : 12;
  if (kind == WEIGHTS_ALIKE) return part(the_case);
  if (kind == WEIGHTS_SIGNED) return 100 * part(the_case) - 50;
  return below(the_case, 10) ? pow(10, exponent * part(the_case) - exponent / 2) : 0;
}

static void random_weights(Case *the_case)
{
  uint32_t kind = below(the_case, WEIGHTS_KINDS);
  for (uint32_t i = 0; i < the_case->s.count; i++)
    the_case->weights[i] = random_weight(the_case, kind);
  the_case->s.weights = kind == WEIGHTS_NONE ? NULL : the_case->weights;
  for (size_t i = 0; i < bins_of(&the_case->g); i++)
    the_case->bins[i] = random_weight(the_case, kind);
}

/* Bins begin and end between whole numbers, mostly. */
static double random_end(Case *the_case, double from, double scale, uint32_t bins)
{
  return from
         + (below(the_case, 2) ? scale * (1 + below(the_case, 30 * bins))
                               : scale * bins * (1 + below(the_case, 30)));
}

/* Whole numbers as coordinates, as a database has them, are taken half the time. */
static Case random_case_of(unsigned seed, uint32_t most_bins, uint32_t most_shapes, double grain)
{
  Case c = { .seed = seed, .grain = grain };
  bool whole = below(&c, 2);
  if (whole) c.grain = 1;
  uint32_t columns = 1 + below(&c, most_bins), rows = 1 + below(&c, most_bins);
  double scale = whole ? 1 : grain > 0 ? (1 + below(&c, 2000)) * grain : part(&c) + 0.01,
         left = below(&c, 3000) * scale - 1000, bottom = below(&c, 3000) * scale - 1000;
  double right = random_end(&c, left, scale, columns), top = random_end(&c, bottom, scale, rows);
  c.g = grid_of(left, bottom, right, top, columns, rows);
  c.s.count = below(&c, most_shapes);
  c.boxes = mem_alloc_zero(c.s.count + 1, sizeof *c.boxes);
  c.int_boxes = mem_alloc_zero(c.s.count + 1, sizeof *c.int_boxes);
  c.weights = mem_alloc_zero(c.s.count + 1, sizeof *c.weights);
  c.bins = mem_alloc_zero(bins_of(&c.g), sizeof *c.bins);
  for (uint32_t i = 0; i < c.s.count; i++) random_box(&c, i);
  random_weights(&c);
  if (whole && below(&c, 2)) c.s.int_boxes = c.int_boxes;
  else c.s.boxes = c.boxes;
  return c;
}

static Case random_case(unsigned seed, uint32_t most_bins, uint32_t most_shapes)
{
  return random_case_of(seed, most_bins, most_shapes, 1.0 / 1024);
}

static void free_case(Case *the_case)
{
  mem_free(the_case->boxes);
  mem_free(the_case->int_boxes);
  mem_free(the_case->weights);
  mem_free(the_case->bins);
}

/* --- the definition --------------------------------------------------------------------------- */
/* The covered part of a bin. Times the number of bins, all is exact for numbers in grains: a bin is
   as long as the axis. */
static long double overlap(double from, double to, const DensityAxis *axis, uint32_t bin)
{
  long double origin = (long double)axis->origin, length = (long double)axis->length,
              low = ((long double)fmin(from, to) - origin) * axis->count,
              high = ((long double)fmax(from, to) - origin) * axis->count, left = bin * length,
              right = left + length;
  long double covered = (high < right ? high : right) - (low > left ? low : left);
  return covered > 0 ? covered / length : 0;
}

/* In areas of a bin. */
static long double overlap_area(const Case *the_case, const DensityBox *box, uint32_t column,
                                uint32_t row)
{
  long double x = overlap(box->at[0], box->at[2], &the_case->g.x, column);
  return x > 0 ? x * overlap(box->at[1], box->at[3], &the_case->g.y, row) : 0;
}

/* Values may be off by 1e-9 of the sum of the sizes of what is added, which is their own size if no
   weight is below 0. spare: a size that may be added to that. */
typedef struct {
  long double *sum, *size, most, spare;
} Reference;

static Reference reference_new(size_t count, double spare)
{
  return (Reference){ mem_alloc_zero(count + 1, sizeof(long double)),
                      mem_alloc_zero(count + 1, sizeof(long double)), 0, (long double)spare };
}

static void reference_add(Reference *reference, size_t i, long double x)
{
  reference->sum[i] += x;
  reference->size[i] += fabsl(x);
  if (reference->size[i] > reference->most) reference->most = reference->size[i];
}

/* Rounded coordinates leave slivers. Then values may be off by 1e-13 of the largest sum. */
static bool reference_is(Reference *reference, const Case *the_case, const double *have,
                         size_t count)
{
  long double worst = 0, rounded = the_case->grain > 0 ? 0 : 1e-4L * reference->most;
  for (size_t i = 0; i < count; i++) {
    long double size = reference->size[i] + reference->spare + rounded,
                off = fabsl((long double)have[i] - reference->sum[i]);
    if (!(off <= 1e-9L * size)) worst = fmaxl(worst, size > 0 ? off / size : INFINITY);
  }
  mem_free(reference->sum);
  mem_free(reference->size);
  if (worst > 0) printf("off by %Lg\n", worst);
  return worst == 0;
}

/* Each shape may be off by 1e-9 of the number from which on densities are exact. */
static bool forward_is_right(const Case *the_case, const double *map, double exact_from)
{
  Reference r = reference_new(bins_of(&the_case->g), exact_from * the_case->s.count);
  for (uint32_t i = 0; i < the_case->s.count; i++)
    for (size_t bin = 0; bin < bins_of(&the_case->g); bin++) {
      uint32_t column = (uint32_t)(bin % the_case->g.x.count),
               row = (uint32_t)(bin / the_case->g.x.count);
      DensityBox b = density_box(&the_case->s, i);
      long double w = the_case->s.weights ? (long double)the_case->s.weights[i] : 1;
      reference_add(&r, bin, w * overlap_area(the_case, &b, column, row));
    }
  return reference_is(&r, the_case, map, bins_of(&the_case->g));
}

static bool backward_is_right(const Case *the_case, const double *density)
{
  Reference r = reference_new(the_case->s.count, 0);
  long double bin_area = (long double)the_case->g.x.length * (long double)the_case->g.y.length
                         / (long double)bins_of(&the_case->g);
  r.most = 1;
  for (uint32_t i = 0; i < the_case->s.count; i++) {
    DensityBox b = density_box(&the_case->s, i);
    long double area = fabsl(((long double)b.at[2] - (long double)b.at[0])
                             * ((long double)b.at[3] - (long double)b.at[1]));
    for (size_t bin = 0; area > 0 && bin < bins_of(&the_case->g); bin++) {
      uint32_t column = (uint32_t)(bin % the_case->g.x.count),
               row = (uint32_t)(bin / the_case->g.x.count);
      reference_add(&r, i,
                    (long double)the_case->bins[bin] * overlap_area(the_case, &b, column, row)
                        * bin_area / area);
    }
  }
  return reference_is(&r, the_case, density, the_case->s.count);
}

/* --- the CPU ---------------------------------------------------------------------------------- */
static bool check_forward(const Case *the_case, double *map)
{
  static const uint32_t thresholds[] = { 0, 1, 4, 16, 100000 };
  double *other = mem_alloc(bins_of(&the_case->g) * sizeof *other);
  bool right = true;
  double exact_from = forward(&the_case->g, &the_case->s, DENSITY_THRESHOLD, 1, map);
  right &= forward_is_right(the_case, map, exact_from);
  for (int i = 0; i < 5; i++) {
    right &= forward(&the_case->g, &the_case->s, thresholds[i], 1 + i % 3, other) == exact_from;
    right &= memcmp(map, other, bins_of(&the_case->g) * sizeof *map) == 0;
  }
  mem_free(other);
  return right;
}

static bool check_backward(const Case *the_case, uint32_t threshold, double *density)
{
  double *other = mem_alloc(the_case->s.count * sizeof *other + 1);
  backward(&the_case->g, the_case->bins, &the_case->s, threshold, 1, density);
  backward(&the_case->g, the_case->bins, &the_case->s, threshold, 3, other);
  bool right = backward_is_right(the_case, density)
               && memcmp(density, other, the_case->s.count * sizeof *other) == 0;
  mem_free(other);
  return right;
}

/* --- devices ---------------------------------------------------------------------------------- */
enum { MOST_ENGINES = 3 };

/* NULL: the CPU's functions of the family. */
static uint32_t engines(const DeviceOps *on[MOST_ENGINES])
{
  uint32_t count = 0;
  char text[200];
  on[count++] = NULL;
  on[count++] = &emulated_device;
#ifdef HAVE_CUDA
  if (cuda_device.available(0, text, sizeof text)) on[count++] = &cuda_device;
#endif
  (void)text;
  return count;
}

static double exact_from_of(const Case *the_case)
{
  double *map = mem_alloc(bins_of(&the_case->g) * sizeof *map),
         exact_from = forward(&the_case->g, &the_case->s, DENSITY_THRESHOLD, 1, map);
  mem_free(map);
  return exact_from;
}

static bool device_is(const DeviceOps *on, const Case *the_case, const DensityPlan *plan,
                      const double *map, const double *density)
{
  EngineOptions options = engine_options_preset();
  FamilyRun *run = family_open(&density_family, on, &options, 2);
  size_t bins = bins_of(&the_case->g);
  double *out = mem_alloc((bins + the_case->s.count) * sizeof *out);
  DensityGiven given = { &the_case->g, &the_case->s };
  DensityWeights weights = { the_case->bins };
  DensityCall forward_call = { .way = DENSITY_FORWARD, .plan = *plan, .out = out },
              backward_call = { .way = DENSITY_BACKWARD, .plan = *plan, .repeats = 2,
                                .out = out + bins };
  memset(out, 0x55, (bins + the_case->s.count) * sizeof *out);
  bool done = family_run(run, DENSITY_PUT_SHAPES, &given)
              && family_run(run, DENSITY_PUT_WEIGHTS, &weights)
              && family_run(run, DENSITY_RUN, &backward_call)
              && family_run(run, DENSITY_RUN, &forward_call);
  bool same =
      done && density_exact_from(&forward_call.range, the_case->s.count) == exact_from_of(the_case)
      && memcmp(out, map, bins * sizeof *map) == 0
      && memcmp(out + bins, density, the_case->s.count * sizeof *density) == 0;
  mem_free(out);
  family_close(run);
  return same;
}

static bool check_devices(const Case *the_case, uint32_t threshold, const double *map,
                          const double *density)
{
  const DeviceOps *on[MOST_ENGINES];
  bool same = true;
  for (uint32_t i = engines(on); i-- > 0;)
    for (uint32_t lanes = 1; lanes <= 4; lanes *= 2) {
      DensityPlan plan = { threshold, lanes, false };
      same &= device_is(on[i], the_case, &plan, map, density);
    }
  return same;
}

static void check_case(Case *the_case)
{
  unsigned seed = the_case->seed;
  double *map = mem_alloc(bins_of(&the_case->g) * sizeof *map),
         *density = mem_alloc(the_case->s.count * sizeof *density + 1);
  uint32_t threshold = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 9 : UINT32_MAX;
  CHECK(check_forward(the_case, map));
  CHECK(check_backward(the_case, threshold, density));
  CHECK(check_devices(the_case, threshold, map, density));
  mem_free(map);
  mem_free(density);
  free_case(the_case);
}

static void check_random(unsigned seed, uint32_t most_bins, uint32_t most_shapes)
{
  Case c = random_case(seed, most_bins, most_shapes);
  check_case(&c);
}

static void test_random(void)
{
  for (unsigned seed = 1; seed <= 1000; seed++) check_random(seed, 12, 20);
}

/* Any numbers as coordinates. */
static void test_random_doubles(void)
{
  for (unsigned seed = 1; seed <= 200; seed++) {
    Case c = random_case_of(seed, 12, 20, 0);
    check_case(&c);
  }
}

/* Of several bands, strips, tiles and chunks of shapes. */
static void test_random_large(void)
{
  for (unsigned seed = 1; seed <= 4; seed++) check_random(seed, 300, 40);
  for (unsigned seed = 1; seed <= 4; seed++) check_random(seed, 20, 6000);
}

static void test_reversed(void)
{
  setenv("SLACKLINE_EMULATED", "reversed", 1);
  for (unsigned seed = 1; seed <= 50; seed++) check_random(seed, 30, 30);
  unsetenv("SLACKLINE_EMULATED");
}

/* A shape alone, whose weights are added up bin by bin, and among so many that the table is worth
   it: the same bits. */
static void check_alone(const Case *the_case, DensityWork *work, uint32_t i, double among)
{
  DensityShapes one = { the_case->s.boxes ? the_case->s.boxes + i : NULL,
                        the_case->s.int_boxes ? the_case->s.int_boxes + i : NULL, NULL, 1 };
  double alone = -1;
  density_backward(work, the_case->bins, &one, &alone);
  CHECK(memcmp(&alone, &among, sizeof alone) == 0);
}

static void test_table_or_not(void)
{
  for (unsigned seed = 1; seed <= 20; seed++) {
    Case c = random_case(seed, 60, 2000);
    double *among = mem_alloc_zero(c.s.count + 1, sizeof *among);
    DensityWork *work = density_work_new(&c.g, 1, 1);
    density_backward(work, c.bins, &c.s, among);
    for (uint32_t i = 0; i < c.s.count && i < 30; i++) check_alone(&c, work, i, among[i]);
    density_work_free(work);
    mem_free(among);
    free_case(&c);
  }
}

/* Wider than a tile, higher than a group of strips; one shape over all of it, one over one bin. */
static void test_wide(void)
{
  Case c = random_case(1, 1, 1);
  free_case(&c);
  c = (Case){ .g = grid_of(0, 0, 1100, 300, 1100, 300) };
  DensityBox boxes[2] = { { { 0.5, 0, 1099, 299.5 } }, { { 1030, 257, 1031, 258 } } };
  double *map = mem_alloc(bins_of(&c.g) * sizeof *map), density[2];
  c.s = (DensityShapes){ boxes, NULL, NULL, 2 };
  c.bins = mem_alloc(bins_of(&c.g) * sizeof *c.bins);
  for (size_t i = 0; i < bins_of(&c.g); i++) c.bins[i] = 1;
  forward(&c.g, &c.s, 4, 2, map);
  CHECK(map[0] == 0.5 && map[1] == 1 && map[1099] == 0 && map[257 * 1100 + 1030] == 2);
  CHECK(map[299 * 1100] == 0.25 && map[299 * 1100 + 1098] == 0.5);
  backward(&c.g, c.bins, &c.s, 4, 2, density);
  CHECK(density[0] == 1 && density[1] == 1);
  CHECK(check_devices(&c, 4, map, density));
  mem_free(c.bins);
  mem_free(map);
}

/* Weights far apart and far from 1: sums stay in range, and steps follow the largest number. */
static void test_extremes(void)
{
  DensityGrid g = grid_of(-1e9, 1e-3, -1e9 + 64, 2e-3, 8, 8);
  DensityBox boxes[3] = { { { -1e9, 0, -1e9 + 64, 1 } }, { { -1e9 + 8, 0, -1e9 + 16, 1 } },
    { { -1e300, -1e300, 1e300, 1e300 } } };
  double map[64];
  for (int e = -200; e <= 300; e += 100) {
    double weights[3] = { pow(10, e), -3 * pow(10, e), 0.5 * pow(10, e) };
    DensityShapes s = { boxes, NULL, weights, 3 };
    forward(&g, &s, 4, 1, map);
    CHECK_NEAR(map[0] / weights[0], 1.5, 1e-12);
    CHECK_NEAR(map[1] / weights[0], -1.5, 1e-12);
  }
  DensityShapes none = { boxes, NULL, NULL, 0 };
  forward(&g, &none, 4, 1, map);
  CHECK(map[0] == 0 && map[63] == 0);
}

/* A shape of weight 1 beside one of 1e17, as slivers, and one that is too light for fine steps. */
static void test_far_apart(void)
{
  DensityGrid g = grid_of(0, 0, 1000, 1000, 10, 10);
  DensityIntBox boxes[3] = { { { 0, 0, 100, 100 } }, { { 500, 500, 601, 601 } },
    { { 300, 0, 400, 100 } } };
  double map[100], weights[3] = { 1e17, 1, 0 };
  DensityShapes s = { NULL, boxes, weights, 3 };
  for (uint32_t threshold = 0; threshold < 10; threshold += 9) {
    CHECK(forward(&g, &s, threshold, 1, map) == 0);
    CHECK(map[0] == 1e17 && map[55] == 1 && map[3] == 0);
    CHECK_NEAR(map[56] / 1e-2, 1, 1e-9);
    CHECK_NEAR(map[66] / 1e-4, 1, 1e-9);
  }
  weights[2] = 1e-30;
  for (uint32_t threshold = 0; threshold < 10; threshold += 9) {
    double exact_from = forward(&g, &s, threshold, 1, map);
    CHECK(exact_from > 1e-30 && exact_from < 1e-3 && map[3] < exact_from);
    CHECK(map[0] == 1e17 && map[55] == 1);
  }
}

/* A shape over bins that weigh 1e-12 of another bin. */
static void test_far_apart_backward(void)
{
  DensityGrid g = grid_of(0, 0, 1000, 1000, 100, 100);
  double *bins = mem_alloc(10000 * sizeof *bins), density[2];
  DensityIntBox boxes[2] = { { { 0, 0, 1000, 1000 } }, { { 5, 5, 505, 505 } } };
  DensityShapes s = { NULL, boxes, NULL, 2 };
  for (int i = 0; i < 10000; i++) bins[i] = 1.0 / 3;
  bins[9999] = 1e14;
  for (int threads = 1; threads < 3; threads++) {
    backward(&g, bins, &s, 16, threads, density);
    CHECK_NEAR(density[0] / (1e10 + 9999.0 / 30000), 1, 1e-10);
    CHECK_NEAR(density[1] * 3, 1, 1e-12);
  }
  mem_free(bins);
}

/* --- what is refused -------------------------------------------------------------------------- */
static void check_grid(double left, double right, uint32_t columns, uint32_t rows, const char *code)
{
  Log *log = test_log();
  DensityGrid g;
  double from[2] = { left, 0 }, to[2] = { right, 10 };
  CHECK(density_grid(from, to, (uint32_t[]){ columns, rows }, &g, log) == FAILED);
  const char *error = log_take_error(log);
  CHECK(error && strstr(error, code));
}

static void test_refused(void)
{
  check_grid(0, 10, 0, 5, "DENS-001");
  check_grid(0, 10, 5, 0, "DENS-001");
  check_grid(0, 10, 1u << 31, 1, "DENS-001");
  check_grid(0, 10, 1, (1u << 26) + 1, "DENS-001");
  check_grid(0, 10, (1u << 26) + 1, 1, "DENS-001");
  check_grid(0, 10, 1u << 31, 1u << 31, "DENS-001");
  check_grid(0, 0, 5, 5, "DENS-002");
  check_grid(10, 0, 5, 5, "DENS-002");
  check_grid(0, NAN, 5, 5, "DENS-002");
  check_grid(-INFINITY, 0, 5, 5, "DENS-002");
  check_grid(1e12, 1e12 + 1, 1000, 5, "DENS-003");
  check_grid(0, 1e308, 5, 5, "DENS-002");
}

static void test_refused_shapes(void)
{
  DensityBox box = { { 0, 0, NAN, 1 } };
  DensityIntBox whole = { { 0, 0, 1, 1 } };
  double weight = INFINITY;
  DensityGrid g = grid_of(0, 0, 1, 1, 1, 1);
  Log *log = test_log();
  CHECK(density_check_shapes(&(DensityShapes){ &box, NULL, NULL, 1 }, log) == FAILED);
  CHECK(strstr(log_take_error(log), "DENS-004") != NULL);
  CHECK(density_check_shapes(&(DensityShapes){ NULL, &whole, &weight, 1 }, log) == FAILED);
  CHECK(strstr(log_take_error(log), "DENS-005") != NULL);
  CHECK(density_check_shapes(&(DensityShapes){ NULL, &whole, NULL, 1 }, log) == OK);
  weight = -1e300;
  CHECK(density_check_shapes(&(DensityShapes){ NULL, &whole, &weight, 1 }, log) == OK);
  CHECK(density_check_weights(&g, &weight, log) == OK);
  weight = -1.1e300;
  CHECK(density_check_shapes(&(DensityShapes){ NULL, &whole, &weight, 1 }, log) == FAILED);
  CHECK(strstr(log_take_error(log), "-1.1e+300; expected a number from -1e+300 to 1e+300") != NULL);
  CHECK(density_check_weights(&g, &weight, log) == FAILED);
  CHECK(strstr(log_take_error(log), "DENS-005") != NULL);
  box = (DensityBox){ { -1e308, 0, 1e308, 1 } };
  CHECK(density_check_shapes(&(DensityShapes){ &box, NULL, NULL, 1 }, log) == FAILED);
  CHECK(strstr(log_take_error(log), "DENS-004") != NULL);
  weight = NAN;
  CHECK(density_check_weights(&g, &weight, log) == FAILED);
  CHECK(strstr(log_take_error(log), "DENS-005") != NULL);
}

/* Faint shapes over thousands of rows, in more than a thousand bands: shape i covers rows
   [i * 997 % 100000, ...) of one column of two. */
static void test_many_bands(void)
{
  enum { ROWS = 200000, SHAPES = 200 };
  DensityGrid g = grid_of(0, 0, 20, 10 * ROWS, 2, ROWS);
  DensityIntBox boxes[SHAPES];
  double weights[SHAPES], density[SHAPES];
  double *map = mem_alloc(2 * ROWS * sizeof *map), *bins = mem_alloc(2 * ROWS * sizeof *bins),
         *sum = mem_alloc_zero(2 * ROWS, sizeof *sum);
  for (int i = 0; i < SHAPES; i++) {
    int column = i % 2, row = i * 997 % 100000, rows = 20 + i * i;
    boxes[i] = (DensityIntBox){ { 10 * column, 10 * row, 10 * column + 10, 10 * (row + rows) } };
    weights[i] = i ? 1e-7 / (1 + i) : 1;
    for (int r = row; r < row + rows; r++) sum[2 * r + column] += weights[i];
  }
  for (int i = 0; i < 2 * ROWS; i++) bins[i] = 1;
  Case c = { .g = g, .bins = bins, .s = { NULL, boxes, weights, SHAPES } };
  forward(&g, &c.s, DENSITY_THRESHOLD, 3, map);
  int wrong = 0;
  for (int i = 0; i < 2 * ROWS; i++) wrong += !(fabs(map[i] - sum[i]) <= 1e-9 * sum[i]);
  CHECK(wrong == 0);
  backward(&g, bins, &c.s, DENSITY_THRESHOLD, 1, density);
  CHECK(check_devices(&c, DENSITY_THRESHOLD, map, density));
  mem_free(map);
  mem_free(bins);
  mem_free(sum);
}

/* -0 is no large number: 0 and -0 beside others change nothing. */
static void test_minus_zero(void)
{
  DensityGrid g = grid_of(0, 0, 40, 20, 4, 2);
  DensityIntBox boxes[300];
  double weights[300], bins[8] = { -0.0, 1, 2, -0.0, 0, 3, -0.0, -0.0 };
  Case c = { .g = g, .bins = bins };
  for (int i = 0; i < 300; i++) {
    boxes[i] = (DensityIntBox){ { i % 40, i % 20, i % 40 + 9, i % 20 + 7 } };
    weights[i] = i < 10 ? 1 + i : i % 2 ? -0.0 : 0.0;
  }
  c.s = (DensityShapes){ NULL, boxes, weights, 300 };
  double map[8], density[300];
  forward(&g, &c.s, DENSITY_THRESHOLD, 1, map);
  CHECK(map[0] > 0 && map[7] >= 0);
  backward(&g, bins, &c.s, DENSITY_THRESHOLD, 1, density);
  CHECK(check_devices(&c, DENSITY_THRESHOLD, map, density));
  CHECK(check_devices(&c, UINT32_MAX, map, density));
}

static bool next_map_is(FamilyRun *run, const DensityPlan *plan, const double *map, double *out,
                        size_t bins)
{
  DensityCall call = { .way = DENSITY_FORWARD, .plan = *plan, .out = out };
  memset(out, 0x55, bins * sizeof *out);
  return family_run(run, DENSITY_RUN, &call) && memcmp(out, map, bins * sizeof *map) == 0;
}

/* Runs in turn with all thresholds and ways: none finds anything of those before it. */
static bool turns_are_right(FamilyRun *run, const Case *the_case)
{
  static const uint32_t thresholds[] = { 1, 9, UINT32_MAX, 1, 0, UINT32_MAX, 9 };
  size_t bins = bins_of(&the_case->g);
  double *map = mem_alloc(bins * sizeof *map), *out = mem_alloc(bins * sizeof *out),
         *density = mem_alloc(the_case->s.count * sizeof *density + 1);
  DensityGiven given = { &the_case->g, &the_case->s };
  DensityWeights weights = { the_case->bins };
  forward(&the_case->g, &the_case->s, DENSITY_THRESHOLD, 1, map);
  bool right =
      family_run(run, DENSITY_PUT_SHAPES, &given) && family_run(run, DENSITY_PUT_WEIGHTS, &weights);
  for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++) {
    DensityPlan plan = { thresholds[i], 4, false };
    DensityCall backward_call = { .way = DENSITY_BACKWARD, .plan = plan, .out = density };
    right &= next_map_is(run, &plan, map, out, bins);
    if (i % 2) right &= family_run(run, DENSITY_RUN, &backward_call);
  }
  mem_free(map);
  mem_free(out);
  mem_free(density);
  return right;
}

static void test_runs_in_turn(void)
{
  const DeviceOps *on[MOST_ENGINES];
  EngineOptions options = engine_options_preset();
  for (uint32_t i = engines(on); i-- > 0;) {
    FamilyRun *run = family_open(&density_family, on[i], &options, 2);
    for (unsigned seed = 1; seed <= 40; seed++) {
      Case c = random_case(seed, 5 + seed * 7 % 60, 5 + seed * 11 % 60);
      CHECK(turns_are_right(run, &c));
      free_case(&c);
    }
    family_close(run);
  }
}

/* A device that fails at one of the operations: then the CPU does all of them. */
static void test_device_fails(void)
{
  static const char *const faults[] = { "memory=100", "lost=1", "lost=2", "fail=density_run" };
  Case c = random_case(3, 10, 10);
  EngineOptions options = engine_options_preset();
  double *map = mem_alloc(bins_of(&c.g) * sizeof *map),
         *out = mem_alloc(bins_of(&c.g) * sizeof *out);
  forward(&c.g, &c.s, DENSITY_THRESHOLD, 1, map);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    DensityGiven given = { &c.g, &c.s };
    DensityCall call = { .way = DENSITY_FORWARD, .out = out };
    setenv("SLACKLINE_EMULATED", faults[i], 1);
    FamilyRun *run = family_open(&density_family, &emulated_device, &options, 1);
    CHECK(!family_run(run, DENSITY_PUT_SHAPES, &given) || !family_run(run, DENSITY_RUN, &call));
    CHECK(family_error(run)->file != NULL);
    CHECK(family_run(run, DENSITY_PUT_SHAPES, &given) && family_run(run, DENSITY_RUN, &call));
    CHECK(memcmp(out, map, bins_of(&c.g) * sizeof *map) == 0);
    family_close(run);
  }
  unsetenv("SLACKLINE_EMULATED");
  mem_free(map);
  mem_free(out);
  free_case(&c);
}

void suite_density(void);
void suite_density(void)
{
  CU_pSuite s = CU_add_suite("density", NULL, NULL);
  CU_add_test(s, "by hand", test_by_hand);
  CU_add_test(s, "backward by hand", test_backward_by_hand);
  CU_add_test(s, "random", test_random);
  CU_add_test(s, "random doubles", test_random_doubles);
  CU_add_test(s, "random, large", test_random_large);
  CU_add_test(s, "reversed", test_reversed);
  CU_add_test(s, "table or not", test_table_or_not);
  CU_add_test(s, "wide", test_wide);
  CU_add_test(s, "runs in turn", test_runs_in_turn);
  if (!quick_run()) CU_add_test(s, "many bands", test_many_bands);
  CU_add_test(s, "minus zero", test_minus_zero);
  CU_add_test(s, "extremes", test_extremes);
  CU_add_test(s, "far apart", test_far_apart);
  CU_add_test(s, "far apart, backward", test_far_apart_backward);
  CU_add_test(s, "refused grids", test_refused);
  CU_add_test(s, "refused shapes", test_refused_shapes);
  CU_add_test(s, "failing device", test_device_fails);
}
