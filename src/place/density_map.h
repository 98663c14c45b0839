/* Computes density maps on the CPU. math/density.h explains them. Devices compute the same bits
   (device/device_density.h).

   Shapes over few bins are taken bin by bin, others by their corners and a prefix sum.  The grid is
   cut into bands of rows that fit into the cache of a core. First the threads sort shapes by band.
   Then one thread per band adds the shapes and computes the prefix sums of the rows. At the end the
   sums of the bands below are added to each band. No number is written by two threads, and there is
   only one map. */
#ifndef SL_PLACE_DENSITY_MAP_H
#define SL_PLACE_DENSITY_MAP_H

#include "base/log.h"
#include "math/density.h"

/* A shape over at most this many bins is added bin by bin, a larger one by its corners. The number
   was chosen by measurement (doc/density.md). Forward results do not depend on it. Backward results
   depend on it in their last bits. */
enum { DENSITY_THRESHOLD = 16 };

/* The largest number of bins of a grid, and the largest number of bins along one axis. */
enum { DENSITY_MOST_BINS = 1 << 28, DENSITY_MOST_LINES = 1 << 26 };

/* Along each axis, the length of the grid times its number of bins must not exceed this limit. Up
   to the limit, bins are found without rounding if coordinates are whole numbers (math/density.h).
   Above it, the part of a bin that a thin shape covers may be off by the rounding of doubles.
   placement_grid refuses grids above the limit. */
#define DENSITY_MOST_EXACT 9007199254740992.0     /* 2^53 */

/* The largest absolute value of a weight. With larger weights, products or sums could become
   infinite. */
#define DENSITY_MOST_WEIGHT 1e300

/* Memory for maps of one grid. It is kept from call to call. */
typedef struct DensityWork DensityWork;

/* threshold: DENSITY_THRESHOLD, or another value for measurements. */
DensityWork *density_work_new(const DensityGrid *grid, uint32_t threshold, int threads);
void density_work_free(DensityWork *work);

/* Computes the map [row][column]. After an interrupt the map must not be used. The relative error
   of each density is at most 1e-9, unless the density is below density_exact_from(&range, s->count)
   (math/density.h), where range is the result. This bound is mostly 0. If weights have both signs,
   the error is at most 1e-9 of the sum of the absolute values that are added, unless this sum is
   below the bound. */
DensityRange density_forward(DensityWork *work, const DensityShapes *shapes, double *map);
/* Computes the densities of shapes. weights has the weights of the bins, [row][column]. The
   relative error of each density is at most 1e-9. There is one exception: if a weight is negative,
   the density of a shape over more than 256 bins (DENSITY_MANY) has an error of at most half a
   step. On a grid of 2^20 bins a step is 2^-42 of the largest weight. */
void density_backward(DensityWork *work, const double *weights, const DensityShapes *shapes,
                      double *density);

/* Makes a grid over [from, to) of both axes. Fails if there are no bins, too many bins, or no area,
   or if a number or the area is not finite (DENS-001 to DENS-003). */
Status density_grid(const double from[2], const double to[2], const uint32_t count[2],
                    DensityGrid *grid, Log *log);
/* Fails if a coordinate, a width or a height is not a finite number, or if a weight is beyond
   DENSITY_MOST_WEIGHT (DENS-004, DENS-005). */
Status density_check_shapes(const DensityShapes *shapes, Log *log);
/* Fails if the weight of a bin is beyond DENSITY_MOST_WEIGHT (DENS-005). */
Status density_check_weights(const DensityGrid *grid, const double *weights, Log *log);

#endif
