/* Wires worked out from a placement: for each net the Steiner tree of its pins, of which each wire
   is a resistor with half of its capacitance at both ends, put into Parasitics as a net of a SPEF
   file is. */
#ifndef SL_PLACE_WIRE_RC_H
#define SL_PLACE_WIRE_RC_H

#include "db/parasitics.h"
#include "db/placement.h"

/* kOhm and fF of a micron of wire.  access: microns of wire between each pin and the tree, for the
   vias and the way within a row that a tree through the pins' centres does not have. */
typedef struct { double resistance, cap, access; } WireRc;

typedef struct {
  uint32_t nets;               /* that have a tree now */
  uint32_t unplaced_pins;      /* pins without a place, taken to be where the net's first one is */
  uint32_t unplaced_nets;      /* without any placed pin, or but one pin: they have none */
  NetId    first_unplaced;     /* the first net with a pin without a place; NO_NET */
  double   length;             /* of all trees, microns; without the ways to pins */
} WireCounts;

typedef struct WireEstimator WireEstimator;
WireEstimator *wire_estimator_new(const Placement *p);
void           wire_estimator_free(WireEstimator *e);
/* Appends the net's piece (parasitics_append) and counts it; nothing where it has no tree. */
void wire_estimate(WireEstimator *e, NetId net, WireRc rc, Parasitics *to, WireCounts *counts);

/* Is it a net that a signal runs on: with a driver and a load, no supply, no constant? */
bool net_has_wires(const Netlist *n, NetId net);

typedef struct {
  WireRc         signal, clock;
  const uint8_t *is_clock;     /* by NetId; NULL: none is of a clock */
  int            threads;      /* 0: all */
} WireOptions;

/* All nets, by several threads; the same for any number of them.  The pieces take the place of
   what `to` had.  False: interrupted, and `to` is as it was. */
bool wires_estimate_all(const Placement *p, const WireOptions *options, Parasitics *to,
                        WireCounts *counts);

#endif
