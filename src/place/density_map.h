/* Density maps on the CPU: see math/density.h for what they are.  Devices find the same to the bit
   (device/device_density.h).

   Shapes over few bins are taken bin by bin, others by their corners and a prefix sum.  The grid is
   cut into bands of rows that a core's cache holds.  Threads sort shapes by band first; then each
   band is one thread's, which adds its shapes, and its rows' prefix sums.  What the bands below
   bring is added at the end.  No number is written by two threads, and there is one map. */
#ifndef SL_PLACE_DENSITY_MAP_H
#define SL_PLACE_DENSITY_MAP_H

#include "base/log.h"
#include "math/density.h"

/* Bins over which a shape may lie to be taken bin by bin.  Chosen by measurement: doc/density.md.
   Forward results do not depend on it; backward ones do in their last bits. */
enum { DENSITY_THRESHOLD = 16 };

/* The most bins of a grid, and the most of an axis. */
enum { DENSITY_MOST_BINS = 1 << 28, DENSITY_MOST_LINES = 1 << 26 };

/* Memory for maps of one grid, kept from call to call. */
typedef struct DensityWork DensityWork;

/* threshold: DENSITY_THRESHOLD, or another for measuring. */
DensityWork *density_work_new(const DensityGrid *g, uint32_t threshold, int threads);
void density_work_free(DensityWork *w);

/* The map [row][column].  After an interrupt it is not to be used. */
void density_forward(DensityWork *w, const DensityShapes *s, double *map);
/* Densities of shapes; weights of bins: [row][column]. */
void density_backward(DensityWork *w, const double *weights, const DensityShapes *s,
                      double *density);

/* A grid over [from, to) of both axes.  An error: no bins, too many, no area, numbers that are none
   (DENS-001 to DENS-003). */
Status density_grid(const double from[2], const double to[2], const uint32_t count[2],
                    DensityGrid *g, Log *log);
/* An error where a coordinate or a weight is not a finite number (DENS-004, DENS-005). */
Status density_check_shapes(const DensityShapes *s, Log *log);
/* Of bins' weights. */
Status density_check_weights(const DensityGrid *g, const double *weights, Log *log);

#endif
