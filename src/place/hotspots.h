/* Summarises a density map: its average and largest value, a histogram, the densest places, and the
   shapes that lie there. */
#ifndef SL_PLACE_HOTSPOTS_H
#define SL_PLACE_HOTSPOTS_H

#include "base/memory.h"
#include "math/density.h"

/* The number of ranges of the histogram. They have equal widths from 0, or from the least value if
   it is negative, to the largest value. */
enum { HISTOGRAM_RANGES = 12 };

typedef struct {
  double   least, largest, mean;
  uint64_t bins, over;                         /* all bins; bins over the threshold */
  double   low, step;                          /* start and width of the ranges of the histogram */
  uint64_t histogram[HISTOGRAM_RANGES];
} DensitySummary;

DensitySummary density_summary(const DensityGrid *grid, const double *map, double threshold);

/* A hotspot, with the three shapes that add most to it. NO_SHAPE: there are fewer shapes. */
#define NO_SHAPE UINT32_MAX
enum { HOTSPOT_SHAPES = 3 };
typedef struct {
  uint32_t column, row;
  double   density;
  uint32_t count;                              /* number of shapes that overlap the bin */
  uint32_t shape[HOTSPOT_SHAPES];
  double   part[HOTSPOT_SHAPES];               /* what each of them adds to the bin: its weight
                                                  times the covered part of the bin */
} Hotspot;
typedef ARRAY(Hotspot) Hotspots;

/* Finds up to `most` bins over the threshold, the densest first. Each is the densest bin within
   HOTSPOT_RADIUS columns and rows. Of equally dense bins the lowest counts, and then the
   leftmost. */
enum { HOTSPOT_RADIUS = 2 };
Hotspots density_hotspots(const DensityGrid *grid, const double *map, double threshold,
                          uint32_t most);
/* Finds the shapes that lie at the hotspots. */
void     hotspots_look(Hotspots *hotspots, const DensityGrid *grid, const DensityShapes *shapes);

#endif
