/* Places shapes on a grid, DENSITY_LANES at a time. The numbers are those of math/density.h for one
   shape, computed in loops that compilers turn into vector code. */
#ifndef SL_PLACE_DENSITY_LANES_H
#define SL_PLACE_DENSITY_LANES_H

#include "math/density.h"

enum { DENSITY_LANES = 64, DENSITY_WIDTH = 4 };

/* Boxes, weights and spans of shapes, by lane. */
typedef struct {
  double  box[4][DENSITY_LANES];
  double  weight[DENSITY_LANES];
  int32_t first[2][DENSITY_LANES], last[2][DENSITY_LANES];
  double  part[2][3][DENSITY_LANES];
  double  most[DENSITY_LANES];               /* result of density_most */
  double  column[DENSITY_WIDTH][DENSITY_LANES];     /* parts of the first columns; 0 behind the last
                                                       column */
} DensityLanes;

/* The band of rows [from, to) to which shapes are added. */
typedef struct {
  uint64_t *map;             /* map of the whole grid */
  uint64_t *second;          /* second differences in the rows of the band */
  uint32_t  columns;
  int32_t   from, to;
  uint32_t  threshold;
  bool      large;           /* something was added to `second` */
} DensityBand;

/* Load the boxes and weights of the shapes [from, from + count), or of the shapes with the given
   ids. */
void density_lanes_take(DensityLanes *l, const DensityShapes *s, uint32_t from, uint32_t count);
void density_lanes_gather(DensityLanes *l, const DensityShapes *s, const uint32_t *ids,
                          uint32_t count);
/* Computes their spans. */
void density_lanes_place(DensityLanes *l, const DensityGrid *g);
/* Computes the most that each shape adds to a bin. */
void density_lanes_most(DensityLanes *l, const DensityGrid *g);
/* Adds the parts of the shapes that lie in the band. Weights are multiplied by scale. */
void density_lanes_add(const DensityLanes *l, uint32_t count, double scale, DensityBand *band);

/* The input of backward runs. */
typedef struct {
  const DensityGrid *g;
  const double      *weights;      /* weights of bins */
  DensityTable       table;        /* read for shapes that are not small */
  double             step;         /* step of the sums in the table */
  uint32_t           threshold;
} DensityField;

/* Computes the densities of the shapes (backward). */
void density_lanes_read(const DensityLanes *l, uint32_t count, const DensityField *f, double *out);

static inline DensitySpan density_lane_span(const DensityLanes *l, int axis, uint32_t n)
{
  return (DensitySpan){ l->first[axis][n], l->last[axis][n],
                        { l->part[axis][0][n], l->part[axis][1][n], l->part[axis][2][n] } };
}

/* Computes sum[i] += x[i]. */
void density_row_add(uint64_t *sum, const uint64_t *x, uint32_t count);
/* Adds the prefix sum of sum[0..i] to map[i], and stores the prefix sum in total[i]. */
void density_row_scan(uint64_t *map, const uint64_t *sum, uint64_t *total, uint32_t count);
/* Adds `below` to the sums and converts them to densities in place. */
void density_row_finish(uint64_t *map, const uint64_t *below, double step, uint32_t count);
/* Stores in out[i] the weight in steps. */
void density_row_round(uint64_t *out, const double *weights, double scale, uint32_t count);
double density_row_most(const double *weights, uint32_t count);

#endif
