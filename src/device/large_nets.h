/* Large nets, which a device reduces again itself after an edit, because it has their trees. The
   host would have to read pins all over the design and send the numbers of all loads. A swap
   changes only which library pin's capacitance counts at a place of the tree. */
#ifndef SL_DEVICE_LARGE_NETS_H
#define SL_DEVICE_LARGE_NETS_H

#include "timing/credit.h"
#include "device/trees.h"

typedef struct LargeNets LargeNets;

/* Finds the large nets among trees that have their records for lanes; NULL: none is large. */
LargeNets *large_nets_new(const Timing *t, const Trees *trees);
void       large_nets_free(LargeNets *l);

/* Returns true if a driver's net is among them.  l may be NULL.  large_nets_drop removes a net
   whose parasitics have changed; from then on the host reduces it. */
bool large_nets_has(const LargeNets *l, const Graph *g, Slot driver);
void large_nets_drop(LargeNets *l, const Graph *g, Slot driver);

/* Says that the cell of a driver or load may have changed: its capacitance in the net's tree is
   updated, and the tree of a driver is reduced again. */
void large_nets_touch(LargeNets *l, const Timing *t, Slot slot);

/* Returns the changes since the last call.  They are valid until the next touch. */
TreeEdit large_nets_take(LargeNets *l);

#endif
