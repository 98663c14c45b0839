/* Estimates for nets without parasitics, from wire load models (set_wire_load_model and related
   commands) and from set_resistance: capacitance (fF) and resistance (kOhm) of each driver's net,
   and the distribution of the resistance.  They are kept by condition, because set_load may give a
   net the load of one edge alone. */
#ifndef SL_TIMING_WIRE_LOAD_H
#define SL_TIMING_WIRE_LOAD_H

#include "timing/timing.h"

typedef struct WireEstimate {
  float   cap[CONDITION_COUNT], resistance[CONDITION_COUNT];     /* fF, kOhm */
  uint8_t tree[2];                   /* [EARLY, LATE]: TreeType */
  uint8_t lumped;                    /* bits by condition: the resistance is given
                                        (set_resistance), and the capacitance is not that of a
                                        model; half of the capacitance is on each side */
} WireEstimate;

/* Returns the estimates by driver (graph_driver_index); NULL if no constraint asks for any. */
WireEstimate *wire_estimates(const Timing *t);

/* Returns the length of a wire for a fanout.  It is interpolated between the model's entries, and
   extrapolated by the model's slope. */
float wire_load_length(const LibrarySet *libs, const WireLoad *model, float fanout);

/* Returns the capacitance, fF, that a port's own model (set_wire_load_model on ports) gives the
   wires outside. */
float wire_load_outside(const Timing *t, const PortLoad *port, int early_late);

/* Computes the pi model and the Elmore constants of a driver's net from the estimate.  Returns true
   if the wire has a resistance.  pins: capacitance that the driver sees besides the wire; own: the
   part of it at the driver's own pin. */
bool wire_load_reduce(Timing *t, Slot driver, const WireEstimate *estimate, const Cond4 *pins,
                      const Cond4 *own);

#endif
