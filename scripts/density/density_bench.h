/* What the benchmark of density maps is made of: shapes like those of published designs, published
   ways to work out maps beside our own, and a reference. */
#ifndef SL_SCRIPTS_DENSITY_BENCH_H
#define SL_SCRIPTS_DENSITY_BENCH_H

#include "math/density.h"

/* --- samples ---------------------------------------------------------------------------------- */
typedef enum { SAMPLE_CELLS, SAMPLE_NETS } SampleKind;

typedef struct {
  SampleKind kind;
  uint32_t   count, columns, rows;
  double     mean, largest;        /* areas, in bins */
  uint64_t   seed;
} SampleOptions;

typedef struct {
  DensityGrid    g;
  DensityShapes  s;
  DensityIntBox *boxes;
  double        *weights;          /* NULL: all are 1 */
  double        *bins;             /* weights of bins */
} Sample;

/* Shapes of that number, with that mean and largest area, at random places.  Cells: most are of
   sqrt(2) by sqrt(2) bins, the least that placers spread a cell to, and the rest macros.  Nets:
   areas of a log-normal distribution, weight (width + height) / area. */
Sample sample_new(const SampleOptions *options);
/* Lines "left bottom right top ?weight?" in whole numbers behind a first line with those of the
   die, on so many columns and rows; false, with a message: it cannot be read. */
bool   sample_read(const char *file, const SampleOptions *options, Sample *out);
void   sample_free(Sample *sample);

/* --- other ways ------------------------------------------------------------------------------- */
typedef enum {
  WAY_SEQUENTIAL,            /* one thread, bin by bin */
  WAY_NAIVE,                 /* threads take shapes, and add to bins by atomic operations */
  WAY_COPIES,                /* a map for each thread, added up at the end (Gessler and others,
                                2020) */
  WAY_CORNERS                /* corners and prefix sums with atomic operations, in doubles (Guo,
                                2021) */
} BaselineWay;

typedef struct Baseline Baseline;

/* fixed: in steps, as our own; else doubles.  threshold: of WAY_CORNERS. */
Baseline *baseline_new(BaselineWay way, bool fixed, const DensityGrid *grid, uint32_t threshold,
                       int threads);
void baseline_free(Baseline *baseline);
void baseline_forward(Baseline *baseline, const DensityShapes *shapes, double *map);
/* WAY_CORNERS takes a table of doubles. */
void baseline_backward(Baseline *baseline, const double *weights, const DensityShapes *shapes,
                       double *density);

/* --- the reference ---------------------------------------------------------------------------- */
/* The largest difference from the definition in long double, over some rows of the map, or some
   shapes; relative to the value itself (1: something where there should be nothing). */
double reference_forward(const DensityGrid *grid, const DensityShapes *shapes, const double *map,
                         uint32_t rows, int threads);
double reference_backward(const DensityGrid *grid, const double *weights,
                          const DensityShapes *density_shapes, const double *density,
                          uint32_t shapes, int threads);

#endif
