/* Required times of pins inside ideal clock networks, as the paths through them have it.

   A launch of an ideal clock begins at its latency, whatever the network's delay up to the clock
   pin.  The engine's required times go back over launching arcs as though it began at the arrival
   there: arrival, delay and required time of neighbours add up, as in other timers' tables, but
   slacks of the network's pins count delays that no path has.  Here a launch's required time is put
   off by what it leaves out: the slack of a network's pin is the worst of the paths through it. */
#ifndef SL_TIMING_IDEAL_NETWORK_H
#define SL_TIMING_IDEAL_NETWORK_H

#include "timing/timing.h"

/* As common_required for nodes that are not inside; beside the node's arrival.  Costs the network
   behind the node. */
float ideal_network_required(const Timing *t, Slot slot, NodeId node, int condition);

#endif
