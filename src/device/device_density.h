/* Density maps (math/density.h) as a family of kernels (device/family.h). The CPU and a device
   compute the same bits. C and C++. */
#ifndef SL_DEVICE_DEVICE_DENSITY_H
#define SL_DEVICE_DEVICE_DENSITY_H

#include "device/family.h"
#include "math/density.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The operations take a DensityGiven, a DensityWeights and a DensityCall. DENSITY_RUN comes after
   the others and may be repeated. The CPU does not copy the arrays, so they must outlive the
   runs. */
enum { DENSITY_PUT_SHAPES, DENSITY_PUT_WEIGHTS, DENSITY_RUN };

typedef struct {
  const DensityGrid   *grid;
  const DensityShapes *shapes;
} DensityGiven;

/* The weights of the bins, [row][column], for backward runs. */
typedef struct {
  const double *weights;
} DensityWeights;

/* DENSITY_FORWARD computes a map from shapes. DENSITY_BACKWARD computes the densities of shapes
   from the weights of bins. */
typedef enum { DENSITY_FORWARD, DENSITY_BACKWARD } DensityWay;

/* How a run is done. A number that is 0 selects the preset. */
typedef struct {
  uint32_t threshold;        /* shapes over at most this many bins are taken bin by bin; UINT32_MAX:
                                all shapes, as in the published naive kernels. Backward runs give
                                the same bits only with the same threshold */
  uint32_t lanes;            /* forward: threads of a device that share a shape: 1, 2 or 4 */
  bool     doubles;          /* for comparison: a device adds doubles in any order instead of fixed
                                steps. Only forward and bin by bin */
} DensityPlan;

typedef struct {
  DensityWay  way;
  DensityPlan plan;
  uint32_t    repeats;       /* 0: run once without measuring the time */
  double     *out;           /* receives the map [row][column], or the densities of shapes */
  DensityRange range;        /* receives what the shapes add; only forward */
  double      seconds;       /* receives the median of the repeats, without copies. A device
                                measures by its own clock, with cold caches */
} DensityCall;

enum { DENSITY_MOST_REPEATS = 1000 };

/* The CPU's functions: density_host.c. */
extern const FamilyHost density_host;

#ifdef __cplusplus
}
#endif

#endif
