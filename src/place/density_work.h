/* Shared by density_map.c, density_forward.c and density_backward.c: the memory for maps of one
   grid, and prefix sums by bands of rows. */
#ifndef SL_PLACE_DENSITY_WORK_H
#define SL_PLACE_DENSITY_WORK_H

#include "base/memory.h"
#include "place/density_map.h"
#include "place/density_lanes.h"

/* A shape in a band of rows. */
typedef struct { uint32_t id, band; } BandEntry;

struct DensityWork {
  DensityGrid g;
  uint32_t  threshold;
  int       threads;
  uint32_t  shift, bands;    /* a band has 1 << shift rows */
  uint64_t *fine;            /* [row][column]: sums of fine steps, in the rows of bands that have
                                some */
  uint8_t  *faint;           /* [band]: has it sums of fine steps? */
  FaintShapes *later;        /* [band]: see DensityBand */
  int32_t *reach;            /* [band]: the last row of the shapes in `later`; -1: there is none */
  int32_t *group_reach;      /* [band / REACH_GROUP]: the largest of them */
  uint64_t *second;          /* [thread][row of a band][column]; zero between calls */
  uint64_t *sums;            /* [thread][DENSITY_ROWS][column]: sums of columns; backward also the
                                prefix sums of a row and of the rows below it */
  uint64_t *below;           /* [band][column]: first the sums in the last row of the band, then
                                those of all bands below it */
  DensityPair *table;        /* see DensityField; NULL until the first backward call needs it */
  ARRAY(BandEntry) entries;  /* forward: of a thread's chunk */
  ARRAY(uint32_t) ids;       /* the shapes of a chunk, sorted by band */
  ARRAY(uint32_t) segments;  /* [chunk][band]: where the shapes of a band begin and end in ids */
  ARRAY(double) most;        /* largest number that a shape of a chunk adds to a bin; backward:
                                largest weight in a band (density_row_most) */
};

/* DENSITY_ROWS: number of rows of sums that a thread works with. COLUMN_BLOCK: number of columns
   whose bands a thread adds up at a time. ITEM_COST: ns that the pool expects for an item.
   REACH_GROUP: number of bands for which group_reach has one entry. */
enum { DENSITY_ROWS = 3, COLUMN_BLOCK = 64, ITEM_COST = 50000, REACH_GROUP = 256 };

/* Returns the row after the last row of a band. */
uint32_t density_band_end(const DensityWork *work, uint32_t band);
size_t   density_band_cells(const DensityWork *work);
/* Turns the sums of each band in `below` into the sums of all bands below it, for the blocks [from,
   to) of columns. */
void     density_add_up_bands(DensityWork *work, uint32_t from, uint32_t to);
uint32_t density_column_blocks(const DensityWork *work);

#endif
