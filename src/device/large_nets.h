/* Large nets, which a device reduces again itself after an edit, because it has their trees. The
   host would have to read pins all over the design and send the numbers of all loads. A swap
   changes only which library pin's capacitance counts at a place of the tree. */
#ifndef SL_DEVICE_LARGE_NETS_H
#define SL_DEVICE_LARGE_NETS_H

#include "timing/credit.h"
#include "device/trees.h"

typedef struct LargeNets LargeNets;

/* Of trees with what lanes read; NULL: none of them is large. */
LargeNets *large_nets_new(const Timing *t, const Trees *trees);
void       large_nets_free(LargeNets *l);

/* Of any l, also NULL.  A net whose parasitics have changed is dropped: the host reduces it from
   here on. */
bool large_nets_has(const LargeNets *l, const Graph *g, Slot driver);
void large_nets_drop(LargeNets *l, const Graph *g, Slot driver);

/* A driver or load may be of another cell: its capacitance in the tree of its net; a driver's tree
   is to be reduced again. */
void large_nets_touch(LargeNets *l, const Timing *t, Slot slot);

/* What has been touched since the last time; until the next touch. */
TreeEdit large_nets_take(LargeNets *l);

#endif
