/* Density maps (math/density.h), a family of kernels (device/family.h): the CPU's functions and a
   device's give the same bits.  C and C++. */
#ifndef SL_DEVICE_DEVICE_DENSITY_H
#define SL_DEVICE_DEVICE_DENSITY_H

#include "device/family.h"
#include "math/density.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Operations, with what they take: a DensityGiven; a DensityWeights; a DensityCall, behind those,
   as often as wanted.  The CPU reads the arrays where they are, so they must outlive the runs. */
enum { DENSITY_PUT_SHAPES, DENSITY_PUT_WEIGHTS, DENSITY_RUN };

typedef struct {
  const DensityGrid   *grid;
  const DensityShapes *shapes;
} DensityGiven;

/* Of the grid's bins, [row][column]: for backward runs. */
typedef struct {
  const double *weights;
} DensityWeights;

/* What is done: a map of shapes, or shapes' densities of bins' weights. */
typedef enum { DENSITY_FORWARD, DENSITY_BACKWARD } DensityWay;

/* How it is done; 0 of each number: the preset. */
typedef struct {
  uint32_t threshold;        /* shapes over at most so many bins are taken bin by bin; UINT32_MAX:
                                all of them, as the published naive kernels do.  Of backward runs
                                the same for the same bits */
  uint32_t lanes;            /* threads of a device that share a shape, forward: 1, 2 or 4 */
  bool     doubles;          /* of a device, forward, bin by bin alone: sums of doubles, in any
                                order, in place of fixed steps; for comparison */
} DensityPlan;

typedef struct {
  DensityWay  way;
  DensityPlan plan;
  uint32_t    repeats;       /* 0: once, without a time */
  double     *out;           /* the map [row][column], or densities of shapes */
  double      seconds;       /* the median of the repeats, without copies: of a device by its own
                                clock and with its caches cold */
} DensityCall;

enum { DENSITY_MOST_REPEATS = 1000 };

/* The CPU's functions: density_host.c. */
extern const FamilyHost density_host;

static inline int density_compare_times(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

#ifdef __cplusplus
}
#endif

#endif
