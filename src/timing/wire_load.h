/* Estimates for nets without parasitics, from wire load models (set_wire_load_model and related
   commands) and from set_resistance: capacitance (fF) and resistance (kOhm) of each driver's net,
   and the distribution of the resistance. */
#ifndef SL_TIMING_WIRE_LOAD_H
#define SL_TIMING_WIRE_LOAD_H

#include "timing/timing.h"

typedef struct WireEstimate {
  float   cap[2], resistance[2];     /* by early/late: fF, kOhm */
  uint8_t tree[2];                   /* TreeType */
  uint8_t lumped;                    /* the resistance is a given one (set_resistance): capacitance
                                        half on each side */
} WireEstimate;

/* By driver (graph_driver_index); NULL where no constraint asks for any. */
WireEstimate *wire_estimates(const Timing *t);

/* Length of a wire of that fanout: between the model's entries as on a straight line, beyond them
   by its slope. */
float wire_load_length(const LibrarySet *libs, const WireLoad *model, float fanout);

/* Capacitance that a port's own model (set_wire_load_model on ports) gives its wires outside,
   fF. */
float wire_load_outside(const Timing *t, const PortLoad *port, int early_late);

/* Do areas of cells decide which models are used?  Then any edit may change any net. */
bool  wire_load_by_area(const Constraints *c);

/* Pi model and Elmore constants of a driver's net with the estimate; true when the wire has a
   resistance.  `pins`: what the driver sees beside the wire, `own` of it at the driver's own
   pin. */
bool wire_load_reduce(Timing *t, Slot driver, const WireEstimate *w, const Cond4 *pins,
                      const Cond4 *own);

#endif
