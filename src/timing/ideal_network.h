/* Computes required times of pins inside the networks of ideal clocks. The required time of such a
   pin is that of the worst path through the pin.

   A launch of an ideal clock begins at the clock's latency, whatever the delay of the network up to
   the clock pin. The engine's required times go back over launch arcs as if the launch began at the
   arrival at the pin. So arrival, delay and required time of neighbours add up, as in tables of
   other timers, but slacks of pins in the network include delays that no path has. The functions
   here correct the required time of each launch by the difference. The slack of a pin in the
   network is then that of the worst path through it. */
#ifndef SL_TIMING_IDEAL_NETWORK_H
#define SL_TIMING_IDEAL_NETWORK_H

#include "timing/timing.h"

/* Returns what common_required returns, corrected if the node is inside such a network.  The cost
   is proportional to the network downstream of the node. */
float ideal_network_required(const Timing *t, Slot slot, NodeId node, int condition);

#endif
