/* Shapes on a grid, DENSITY_LANES at a time: the same numbers as math/density.h has for one, in
   loops that compilers turn into vectors. */
#ifndef SL_PLACE_DENSITY_LANES_H
#define SL_PLACE_DENSITY_LANES_H

#include "math/density.h"

enum { DENSITY_LANES = 64, DENSITY_WIDTH = 4 };

/* Spans along both axes and what else is asked of shapes, by lane. */
typedef struct {
  double  box[4][DENSITY_LANES];
  double  weight[DENSITY_LANES];
  int32_t first[2][DENSITY_LANES], last[2][DENSITY_LANES];
  double  part[2][3][DENSITY_LANES];
  double  most[DENSITY_LANES];               /* of density_most */
  double  column[DENSITY_WIDTH][DENSITY_LANES];     /* parts of the first columns, 0 behind the
                                                       last */
} DensityLanes;

/* Where a band's shapes are added: rows [from, to). */
typedef struct {
  uint64_t *map;             /* of the whole grid */
  uint64_t *second;          /* second differences of the band's rows */
  uint32_t  columns;
  int32_t   from, to;
  uint32_t  threshold;
  bool      large;           /* was anything added to `second`? */
} DensityBand;

/* Boxes and weights: of shapes [from, from + count), or of those of some ids. */
void density_lanes_take(DensityLanes *l, const DensityShapes *s, uint32_t from, uint32_t count);
void density_lanes_gather(DensityLanes *l, const DensityShapes *s, const uint32_t *ids,
                          uint32_t count);
/* Their spans. */
void density_lanes_place(DensityLanes *l, const DensityGrid *g);
/* The most that each adds. */
void density_lanes_most(DensityLanes *l, const DensityGrid *g);
/* Adds what lies in the band; scale: of weights. */
void density_lanes_add(const DensityLanes *l, uint32_t count, double scale, DensityBand *band);

/* What densities of shapes are read from. */
typedef struct {
  const DensityGrid *g;
  const double      *weights;      /* of bins */
  DensityTable       table;        /* of shapes that are not small */
  double             step;         /* of its sums */
  uint32_t           threshold;
} DensityField;

/* Backward: their densities. */
void density_lanes_read(const DensityLanes *l, uint32_t count, const DensityField *f, double *out);

static inline DensitySpan density_lane_span(const DensityLanes *l, int axis, uint32_t n)
{
  return (DensitySpan){ l->first[axis][n], l->last[axis][n],
                        { l->part[axis][0][n], l->part[axis][1][n], l->part[axis][2][n] } };
}

/* sum[i] += x[i] */
void density_row_add(uint64_t *sum, const uint64_t *x, uint32_t count);
/* map[i] += sum of sum[0..i]; total[i]: that sum */
void density_row_scan(uint64_t *map, const uint64_t *sum, uint64_t *total, uint32_t count);
/* In place: sums, to which `below` is added, become densities. */
void density_row_finish(uint64_t *map, const uint64_t *below, double step, uint32_t count);
/* out[i] = the weight in steps */
void density_row_round(uint64_t *out, const double *weights, double scale, uint32_t count);
double density_row_most(const double *weights, uint32_t count);

#endif
