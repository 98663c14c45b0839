/* Density maps of the session's placement, worked out by the session's engine; and the densities of
   its cells and nets, kept until the placement or the netlist changes. */
#ifndef SL_TCLBIND_DENSITIES_H
#define SL_TCLBIND_DENSITIES_H

#include "place/density_shapes.h"
#include "tclbind/session.h"

typedef struct DensityStore DensityStore;
void density_store_free(DensityStore *d);

/* FAILED, DENS-009: no placement was read. */
Status session_check_placement(const Session *s, const char *command);

/* Map and densities of shapes, to the bit the same on every engine; where a device fails, the CPU
   does it, with a warning (DENS-010).  FAILED: numbers that are none (DENS-004, DENS-005). */
Status session_density_map(Session *s, const DensityGrid *g, const DensityShapes *shapes,
                           double *map);
Status session_shape_densities(Session *s, const DensityGrid *g, const double *map,
                               const DensityShapes *shapes, double *out);

/* The density attribute: of a cell the average density of cells over its area, of a net the average
   routing demand over the box around its pins, on the grid of placement_grid without a choice.
   *density is NAN for what has no place. */
Status session_density(Session *s, Object o, double *density);

/* Where a cell, net, pin or port lies, as it counts on a map; false: nowhere. */
bool object_shape(const Session *s, Object o, DensityIntBox *box);

#endif
