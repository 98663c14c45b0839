/* What of a placement is laid on a grid of bins: rectangles with weights, in database units. */
#ifndef SL_PLACE_DENSITY_SHAPES_H
#define SL_PLACE_DENSITY_SHAPES_H

#include "db/placement.h"
#include "math/density.h"

typedef enum {
  DENSITY_OF_CELLS,          /* area of placed components but fillers: share of the bin's area */
  DENSITY_OF_PINS,           /* pins of nets: per square micron */
  DENSITY_OF_NETS,           /* wires to route: microns per square micron */
  DENSITY_OF_MACROS,         /* area of blocks */
  DENSITY_KINDS
} DensityKind;

/* Wires to route (RUDY: Spindler, Johannes, 2007): a net is taken to have width + height of the box
   around its pins in wires, evenly spread over the box.  A box is at least as wide and as high as
   the least pitch of routing layers, so that no area is 0. */

/* Whose a shape is: a ComponentId; with a netlist a NetId or PinId, else a PlacedNetId or an index
   of Placement.pins. */
typedef struct {
  DensityKind kind;
  bool     of_netlist;       /* ids of nets and pins are the netlist's */
  ARRAY(DensityIntBox) boxes;
  ARRAY(double) weights;
  ARRAY(uint32_t) ids;
  uint32_t unplaced;         /* what has no place and so no shape */
} PlacedShapes;

/* Nets of supplies and constants, and those with less than two pins at places, have no shape. */
PlacedShapes placed_shapes(const Placement *p, DensityKind kind);
void         placed_shapes_free(PlacedShapes *s);

static inline DensityShapes density_shapes_of(const PlacedShapes *s)
{
  return (DensityShapes){ NULL, s->boxes.at, s->weights.at, s->boxes.len };
}

/* The box of a net as it counts; false: fewer than two of its pins have places. */
bool density_net_box(const Placement *p, uint32_t net, Box *box);

/* Of class CORE SPACER: a filler.  Of class BLOCK, and higher than a row. */
bool component_is_spacer(const Placement *p, const Component *c);
bool component_is_macro(const Placement *p, const Component *c);

/* A grid of so many bins, or of bins so large (microns), over the die; neither: DENSITY_BINS bins
   along the longer side.  What is wrong with it: density_grid.  DENS-006: no die area. */
enum { DENSITY_BINS = 128 };
typedef struct {
  bool     by_count;
  uint32_t columns, rows;
  double   size;             /* microns; 0: not given */
} BinChoice;
Status placement_grid(const Placement *p, const BinChoice *choice, DensityGrid *g, Log *log);

#endif
