/* Estimates wires from a placement. The wires of a net are the Steiner tree of its pins. Each wire
   is a resistor with half of its capacitance at either end. The trees are put into Parasitics like
   the nets of a SPEF file. */
#ifndef SL_PLACE_WIRE_RC_H
#define SL_PLACE_WIRE_RC_H

#include "db/parasitics.h"
#include "db/placement.h"

/* kOhm and fF of a micron of wire. access: microns of wire between each pin and the tree. They
   stand for the vias and the way within a row, which a tree through the centres of pins lacks. */
typedef struct { double resistance, cap, access; } WireRc;

typedef struct {
  uint32_t nets;               /* nets that have got a tree */
  uint32_t unplaced_pins;      /* pins without a place; they are assumed to be at the net's first
                                  pin */
  uint32_t unplaced_nets;      /* nets without a placed pin, or with only one pin; they get no
                                  tree */
  NetId    first_unplaced;     /* the first net with an unplaced pin; NO_NET: none */
  double   length;             /* length of all trees in microns, without `access` */
} WireCounts;

typedef struct WireEstimator WireEstimator;
WireEstimator *wire_estimator_new(const Placement *placement);
void           wire_estimator_free(WireEstimator *estimator);
/* Appends the piece of a net (parasitics_append) and counts it. Does not append a net without a
   tree. */
void wire_estimate(WireEstimator *estimator, NetId net, WireRc rc, Parasitics *to,
                   WireCounts *counts);

/* Returns true if a net carries a signal: it has a driver and a load and is neither a supply nor a
   constant. */
bool net_has_wires(const Netlist *n, NetId net);

typedef struct {
  WireRc         signal, clock;
  const uint8_t *is_clock;     /* by NetId; NULL: no net carries a clock */
  int            threads;      /* 0: all */
} WireOptions;

/* Estimates all nets with several threads. The result is the same for any number of threads. The
   pieces replace the contents of `to`. Returns false if interrupted; `to` is unchanged then. */
bool wires_estimate_all(const Placement *placement, const WireOptions *options, Parasitics *to,
                        WireCounts *counts);

#endif
