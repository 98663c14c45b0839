/* Is a placement legal: cells that overlap, that lie beside rows or sites or outside of the die. */
#ifndef SL_PLACE_LEGALITY_H
#define SL_PLACE_LEGALITY_H

#include "db/placement.h"

/* The area that boxes cover, each part of it once.  False: interrupted. */
bool boxes_area(const Box *boxes, uint32_t count, double *area);

enum { OVERLAPS_COUNTED = 10000000 };

typedef struct {
  uint32_t    pairs;           /* of overlapping components; at most OVERLAPS_COUNTED */
  uint32_t    cells;           /* components that overlap another one */
  double      area;            /* of the counted pairs, square database units */
  ComponentId a, b;            /* the first pair from below; NO_COMPONENT */
} Overlaps;

/* Of placed components with area; those of class COVER lie above others.  A sweep along x in bands
   of rows: no more than n log n and the pairs found. */
bool find_overlaps(const Placement *p, Overlaps *out);

typedef struct {
  uint32_t    off_row, off_site, off_die;      /* components of class CORE; for the die any */
  ComponentId first_off_row, first_off_site, first_off_die;
} OffGrid;

bool find_off_grid(const Placement *p, OffGrid *out);

/* A component of the rows: of class CORE, of none, or a block as high as they are. */
bool component_is_core(const Placement *p, const Component *c);
/* One that only fills room: class CORE SPACER, and what is not in a netlist that is there. */
bool component_is_filler(const Placement *p, const Component *c);

typedef struct {
  uint32_t count[4];           /* by PlaceStatus */
  double   area[4];
  uint32_t cores, blocks, fillers, others;     /* by kind */
  double   core_area, block_area, filler_area; /* square microns */
  double   row_area;           /* of the rows, each part once, less what blocks cover of them */
  double   die_area;
  double   utilisation;        /* core_area without fillers over row_area; NAN without rows */
} PlacementArea;

bool placement_area(const Placement *p, PlacementArea *out);

#endif
