/* Places shapes on a grid, DENSITY_LANES at a time. The numbers are those of math/density.h for one
   shape, computed in loops that compilers turn into vector code. */
#ifndef SL_PLACE_DENSITY_LANES_H
#define SL_PLACE_DENSITY_LANES_H

#include "base/memory.h"
#include "math/density.h"

/* DENSITY_LANES is so small that two batches, and the data that they read, fit into the first-level
   cache of a core. */
enum { DENSITY_LANES = 32, DENSITY_WIDTH = 4 };

/* Boxes, weights and spans of shapes, by lane. first, last and part are the fields of DensitySpan,
   by axis. */
typedef struct {
  double  box[4][DENSITY_LANES];
  double  weight[DENSITY_LANES];
  int32_t first[2][DENSITY_LANES], last[2][DENSITY_LANES];
  double  part[2][3][DENSITY_LANES];
  double  most[DENSITY_LANES];               /* result of density_most */
  double  least[DENSITY_LANES];              /* result of density_least */
  double  column[DENSITY_WIDTH][DENSITY_LANES];     /* parts of the first columns; 0 after the last
                                                       column */
  int32_t small[DENSITY_LANES];              /* backward: 1 if it is taken bin by bin; else 0 */
} DensityLanes;

/* A shape that may add numbers that are faint: so small that rounding to steps matters
   (math/density.h). `weight` is in steps. */
typedef struct {
  DensitySpan x, y;
  double      weight;
} FaintShape;
typedef ARRAY(FaintShape) FaintShapes;

/* The band of rows [from, to) to which shapes are added. */
typedef struct {
  uint64_t *map, *fine;      /* maps of the whole grid, in steps and in fine steps */
  uint64_t *second;          /* second differences in the rows of the band */
  uint32_t  columns;
  int32_t   from, to;
  uint32_t  threshold;
  double    scale, per_step; /* weights times scale are in steps; fine steps of a step */
  bool      large;           /* something was added to `second` */
  FaintShapes *later;        /* large shapes that begin in the band and may add faint numbers. Large
                                shapes are added only in the bands of their corners, so their faint
                                numbers are added later, in all bands that they cover */
  bool      faint;           /* `fine` has sums; else its rows are not set */
  bool      lost;            /* fine steps are too coarse for something */
} DensityBand;

/* density_lanes_take loads the boxes of the shapes [from, from + count), density_lanes_weigh their
   weights. density_lanes_gather loads both, of the shapes with the given ids. */
void density_lanes_take(DensityLanes *lanes, const DensityShapes *shapes, uint32_t from,
                        uint32_t count);
void density_lanes_weigh(DensityLanes *lanes, const DensityShapes *shapes, uint32_t from,
                         uint32_t count);
void density_lanes_gather(DensityLanes *lanes, const DensityShapes *shapes, const uint32_t *ids,
                          uint32_t count);
/* density_lanes_place computes the spans of the shapes. density_lanes_columns computes the parts of
   their first columns, which density_lanes_add needs. */
void density_lanes_place(DensityLanes *lanes, const DensityGrid *grid);
void density_lanes_columns(DensityLanes *lanes);
/* Computes the most that each shape adds to a bin. */
void density_lanes_most(DensityLanes *lanes, const DensityGrid *grid);
/* Adds the parts of the shapes that lie in the band. */
void density_lanes_add(DensityLanes *lanes, uint32_t count, DensityBand *band);
/* For the rows of the band, adds to `fine` the part of each faint number that rounding to steps
   takes away. */
void density_fine_add(const FaintShape *shape, DensityBand *band);

/* An entry of the table of sums, in steps. `below` is the sum of the weights of all bins in earlier
   columns and lower rows. `above` also includes the entry's own row. A corner of a shape reads two
   entries side by side, which mostly lie in one line of the cache. */
typedef struct { uint64_t below, above; } DensityPair;

/* The input of backward runs. */
typedef struct {
  const DensityGrid *grid;
  const double      *weights;      /* weights of bins */
  const DensityPair *table;        /* [row][column], one column more than the grid has; NULL: sums
                                      are taken bin by bin */
  double             scale, step;  /* weights times scale are steps; a step is 1 / scale */
  uint32_t           threshold;
  bool               has_signs;    /* some weights are below 0 */
} DensityField;

/* Returns an upper bound of the number of bins that the shapes with more than `threshold` bins have
   together. */
uint64_t density_lanes_large(const DensityLanes *lanes, const DensityGrid *grid,
                             uint32_t threshold);
/* Fetches what density_lanes_read will read. It must be called first. */
void density_lanes_ahead(DensityLanes *lanes, uint32_t count, const DensityField *field);
/* Computes the densities of the shapes (backward). */
void density_lanes_read(DensityLanes *lanes, uint32_t count, const DensityField *field,
                        double *out);

static inline DensitySpan density_lane_span(const DensityLanes *lanes, int axis, uint32_t n)
{
  return (
      DensitySpan){ lanes->first[axis][n],
                    lanes->last[axis][n],
                    { lanes->part[axis][0][n], lanes->part[axis][1][n], lanes->part[axis][2][n] } };
}

/* Computes sum[i] += x[i]. */
void density_row_add(uint64_t *sum, const uint64_t *x, uint32_t count);
/* Adds the prefix sum of sum[0..i] to map[i], and stores the prefix sum in total[i]. */
void density_row_scan(uint64_t *map, const uint64_t *sum, uint64_t *total, uint32_t count);
/* Adds `below` to the sums and converts them to densities in place. fine: sums of fine steps, or
   NULL. */
void density_row_finish(uint64_t *map, const uint64_t *below, const uint64_t *fine, double step,
                        double per_fine, uint32_t count);
/* Convert weights to steps. density_row_round adds them to the sums; density_row_sum returns their
   sum. */
void density_row_round(uint64_t *sum, const double *weights, double scale, uint32_t count);
uint64_t density_row_sum(const double *weights, double scale, uint32_t count);
/* Stores in total[i] the prefix sum of sum[0..i]. */
void density_row_total(uint64_t *total, const uint64_t *sum, uint32_t count);
/* Writes a row of the table, count + 1 entries. below_row[i] is the sum of the bins below the row
   in the columns [0, i]. The call changes it to the sum that includes the row: total[i], which is
   the sum in the band of rows, plus below[i], which is the sum below the band. */
void density_row_pairs(DensityPair *out, uint64_t *below_row, const uint64_t *total,
                       const uint64_t *below, uint32_t count);
/* Returns the largest absolute weight; it is negated if any weight is below 0. */
double density_row_most(const double *weights, uint32_t count);

#endif
