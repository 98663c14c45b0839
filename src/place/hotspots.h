/* What a density map shows: its average and largest value, how values are spread, the densest
   places and what lies there. */
#ifndef SL_PLACE_HOTSPOTS_H
#define SL_PLACE_HOTSPOTS_H

#include "base/memory.h"
#include "math/density.h"

/* Ranges of the histogram, of equal width from 0 to the largest value (or from the least one,
   where that is below 0). */
enum { HISTOGRAM_RANGES = 12 };

typedef struct {
  double   least, largest, mean;
  uint64_t bins, over;                         /* all; those over the threshold */
  double   low, step;                          /* of the histogram */
  uint64_t histogram[HISTOGRAM_RANGES];
} DensitySummary;

DensitySummary density_summary(const DensityGrid *g, const double *map, double threshold);

/* The three shapes that bring most to a bin, and what each brings; NO_SHAPE: there are fewer. */
#define NO_SHAPE UINT32_MAX
enum { HOTSPOT_SHAPES = 3 };
typedef struct {
  uint32_t column, row;
  double   density;
  uint32_t count;                              /* shapes with a part of it */
  uint32_t shape[HOTSPOT_SHAPES];
  double   part[HOTSPOT_SHAPES];
} Hotspot;
typedef ARRAY(Hotspot) Hotspots;

/* Up to `most` bins over the threshold, the densest first, each the densest of the bins within
   HOTSPOT_RADIUS columns and rows; of equal ones the lowest and then the leftmost. */
enum { HOTSPOT_RADIUS = 2 };
Hotspots density_hotspots(const DensityGrid *g, const double *map, double threshold, uint32_t most);
/* Finds what lies there. */
void     hotspots_look(Hotspots *h, const DensityGrid *g, const DensityShapes *s);

#endif
