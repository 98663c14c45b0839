/* Makes the shapes of a placement that are laid on a grid of bins. Shapes are rectangles with
   weights, in database units. */
#ifndef SL_PLACE_DENSITY_SHAPES_H
#define SL_PLACE_DENSITY_SHAPES_H

#include "db/placement.h"
#include "math/density.h"

typedef enum {
  DENSITY_OF_CELLS,          /* outlines of placed components, without fillers; density: covered
                                share of the area */
  DENSITY_OF_PINS,           /* pins of nets; density: pins per square micron */
  DENSITY_OF_NETS,           /* wires to route; density: microns per square micron */
  DENSITY_OF_MACROS,         /* outlines of blocks; density: covered share of the area */
  DENSITY_KINDS
} DensityKind;

/* Wires to route follow RUDY (Spindler, Johannes, 2007): the wires of a net are assumed to be as
   long as the width plus the height of the box around its pins, and to be spread evenly over the
   box. A box is at least as wide and as high as the least pitch of the routing layers, so that no
   area is 0. */

/* The shapes of one kind. The id of a cell or macro is its ComponentId. Shapes of other kinds have
   the id of a net or pin. */
typedef struct {
  DensityKind kind;
  bool     of_netlist;       /* a design is linked. The ids of nets and pins are then NetIds and
                                PinIds; else PlacedNetIds and indices of Placement.pins */
  ARRAY(DensityIntBox) boxes;
  ARRAY(double) weights;
  ARRAY(uint32_t) ids;
  uint32_t unplaced;         /* number of objects without a place, which have no shape */
} PlacedShapes;

/* Makes the shapes of a kind. Nets of supplies and constants have no shape, nor have nets with
   fewer than two placed pins. */
PlacedShapes placed_shapes(const Placement *placement, DensityKind kind);
void         placed_shapes_free(PlacedShapes *shapes);

static inline DensityShapes density_shapes_of(const PlacedShapes *shapes)
{
  return (DensityShapes){ NULL, shapes->boxes.at, shapes->weights.at, shapes->boxes.len };
}

/* Computes the box of a net, with its least width and height. Returns false if fewer than two pins
   are placed. */
bool density_net_box(const Placement *placement, uint32_t net, Box *box);

/* component_is_spacer: is it a filler (class CORE SPACER)? component_is_macro: is it of class BLOCK
   and higher than a row? */
bool component_is_spacer(const Placement *placement, const Component *component);
bool component_is_macro(const Placement *placement, const Component *component);

/* Makes a grid over the die, by the number or by the size of bins. Without a choice the longer side
   has DENSITY_BINS bins. Fails as density_grid does, if there is no die area (DENS-006), or if
   lines between bins cannot be exact (DENS-020, DENSITY_MOST_EXACT). */
enum { DENSITY_BINS = 128 };
typedef struct {
  bool     by_count;
  uint32_t columns, rows;
  double   size;             /* microns; 0: not given */
} BinChoice;
Status placement_grid(const Placement *placement, const BinChoice *choice, DensityGrid *grid,
                      Log *log);

#endif
