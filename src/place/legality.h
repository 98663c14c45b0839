/* Checks whether a placement is legal. It finds cells that overlap, that are not on rows or sites,
   or that lie outside the die. */
#ifndef SL_PLACE_LEGALITY_H
#define SL_PLACE_LEGALITY_H

#include "db/placement.h"

/* Computes the area of the union of boxes. Returns false if interrupted. */
bool boxes_area(const Box *boxes, uint32_t count, double *area);

enum { OVERLAPS_COUNTED = 10000000 };

typedef struct {
  uint32_t    pairs;           /* pairs of overlapping components; at most OVERLAPS_COUNTED */
  uint32_t    cells;           /* components that overlap another one */
  double      area;            /* overlap of the counted pairs, in square database units */
  ComponentId a, b;            /* the pair with the lowest ids; NO_COMPONENT: none */
} Overlaps;

/* Finds overlaps between placed components whose area is not 0. Components of class COVER lie above
   others and do not count. The search sweeps along x in horizontal bands. The height of a band is
   the least height of any component, but at least 1/8192 of the height of the box around all
   components. The time grows with n log n plus the number of pairs found. Returns false if
   interrupted. */
bool find_overlaps(const Placement *placement, Overlaps *out);

typedef struct {
  uint32_t    off_row, off_site, off_die;      /* off_row, off_site: components of class CORE;
                                                  off_die: all components */
  ComponentId first_off_row, first_off_site, first_off_die;
} OffGrid;

bool find_off_grid(const Placement *placement, OffGrid *out);

/* Does a component belong on rows? It is of class CORE, of no class, or a block as high as a
   row. */
bool component_is_core(const Placement *placement, const Component *component);
/* Does a component only fill space? Its class is CORE SPACER, or there is a netlist and the
   component is not in it. */
bool component_is_filler(const Placement *placement, const Component *component);

typedef struct {
  uint32_t count[4];           /* by PlaceStatus */
  double   area[4];
  uint32_t cores, blocks, fillers, others;     /* by kind */
  double   core_area, block_area, filler_area; /* square microns */
  double   row_area;           /* union of the rows, without the parts that blocks cover */
  double   die_area;
  double   utilisation;        /* core_area without fillers, divided by row_area; NAN without
                                  rows */
} PlacementArea;

bool placement_area(const Placement *placement, PlacementArea *out);

#endif
