/* Computes density maps of the session's placement with the session's engine. Keeps the densities
   of cells and nets until the placement or the netlist changes. */
#ifndef SL_TCLBIND_DENSITIES_H
#define SL_TCLBIND_DENSITIES_H

#include "place/density_shapes.h"
#include "tclbind/property.h"
#include "tclbind/session.h"

typedef struct DensityStore DensityStore;
void density_store_free(DensityStore *store);

/* Fails with DENS-009 if no placement was read. */
Status session_check_placement(const Session *s, const char *command);
/* Returns the function that reports DENS-009 for a property; NULL if there is a placement. */
PropertyWhy *session_placement_missing(const Session *s);

/* Compute a map, and the densities of shapes. Every engine gives the same bits. If a device fails,
   the CPU takes over, with the warning DENS-010. Fail if a number is not finite (DENS-004,
   DENS-005). */
Status session_density_map(Session *s, const DensityGrid *grid, const DensityShapes *shapes,
                           double *map);
Status session_shape_densities(Session *s, const DensityGrid *grid, const double *map,
                               const DensityShapes *shapes, double *out);

/* Computes the density property. For a cell it is the average density of cells over its area, for a
   net the average routing demand over the box around its pins. The grid is that of placement_grid
   without a choice. *density is NAN for an object without a place. */
Status session_density(Session *s, Object o, double *density);

/* Computes the box of a cell, net, pin or port on a map. Returns false if it has no place. */
bool object_shape(const Session *s, Object o, DensityIntBox *box);

#endif
