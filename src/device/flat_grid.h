/* Makes grids of pairs of tables: see FlatGrid in device/flat.h. */
#ifndef SL_DEVICE_FLAT_GRID_H
#define SL_DEVICE_FLAT_GRID_H

#include "base/memory.h"
#include "base/hash.h"
#include "device/flat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The grids made so far share axes and cells. The caller frees both arrays. */
typedef struct {
  const float *pool;               /* where tables are: the axes, then the values */
  ARRAY(FlatAxes) axes;
  ARRAY(FlatCell) cells;
  Map         *axes_of;            /* hash -> the last axes with this hash */
  Map         *first_of;           /* places of both tables in the pool -> first cell */
} GridMaker;

GridMaker grid_maker_new(const float *pool);
/* Returns the grid of a delay and a slew table. n1 is FLAT_NO_GRID if they have none, and 0 if
   there is no delay table. */
FlatGrid grid_maker_add(GridMaker *maker, FlatTable delay, FlatTable slew);
/* Frees what only the maker needs. */
void grid_maker_end(GridMaker *maker);

#ifdef __cplusplus
}
#endif

#endif
