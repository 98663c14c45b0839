/* Which pins of a net lie behind a hierarchical pin. */
#ifndef SL_GRAPH_HIERARCHY_H
#define SL_GRAPH_HIERARCHY_H

#include "db/netlist.h"

/* Leaf pins and top ports of a hierarchical pin's net, told apart by side: those inside its block that the pin leads to
   (through blocks further down), and all others.  A net that leaves a block and comes back by another pin counts as
   outside there, as the wire does. */
void hierarchy_each(const Netlist *n, PinId hierarchical, void (*visit)(void *data, PinId pin, bool inside), void *data);

/* Does a wire from one pin of the net to another pass through the hierarchical pin? */
bool hierarchy_crosses(const Netlist *n, PinId hierarchical, PinId from, PinId to);

#endif
