/* What density.c and its parts share: the memory of maps of one grid, and prefix sums by bands of
   rows. */
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
  uint32_t  shift, bands;    /* rows of a band are 1 << shift */
  uint64_t *second;          /* [thread][row of a band][column]: zeros between calls */
  uint64_t *sums;            /* [thread][column] */
  uint64_t *below;           /* [band][column]: sums of its last row; then of all bands below it */
  uint64_t *table;           /* [row][column]; NULL until the first backward call needs it */
  ARRAY(BandEntry) entries;  /* forward: of a thread's chunk */
  ARRAY(uint32_t) ids;       /* of a chunk's shapes by band */
  ARRAY(uint32_t) segments;  /* where those of a band begin, [chunk][band], and where they end */
  ARRAY(double) most;        /* by chunk; backward: by band */
};

/* Columns whose bands a thread adds up at a time; what the pool expects that an item takes, ns. */
enum { COLUMN_BLOCK = 64, ITEM_COST = 50000 };

/* The row behind a band's last. */
uint32_t density_band_end(const DensityWork *w, uint32_t band);
size_t   density_band_cells(const DensityWork *w);
/* `below`: from what each band sums up to, what all before it do; blocks [from, to) of columns. */
void     density_add_up_bands(DensityWork *w, uint32_t from, uint32_t to);
uint32_t density_column_blocks(const DensityWork *w);

#endif
