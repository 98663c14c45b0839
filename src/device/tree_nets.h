/* Nets that a device reduces again itself after an edit, because it has their trees. A swap changes
   only which library pin's capacitance counts at a pin of the tree. The host sends these pins and
   neither reads the net nor sends its numbers.

   A net is one of these if all pins that add to its trees are loads of the driver, or the driver. A
   net that the host has reduced since the trees were made is not: its tree is out of date. */
#ifndef SL_DEVICE_TREE_NETS_H
#define SL_DEVICE_TREE_NETS_H

#include "timing/credit.h"
#include "device/trees.h"

typedef struct TreeNets TreeNets;

/* Finds the nets among trees that have their records for lanes; NULL: there are none. */
TreeNets *tree_nets_new(const Timing *t, const Trees *trees);
void      tree_nets_free(TreeNets *nets);

/* Returns true if the device should reduce a driver's net.  many: the edit reaches many nets.  If
   it reaches few, only large nets are worth a kernel.  nets may be NULL. */
bool tree_nets_has(const TreeNets *nets, uint32_t driver_index, bool many);
/* Asks for the memory that these functions read of a driver. */
void tree_nets_expect(const TreeNets *nets, uint32_t driver_index);
/* Says that the host has reduced the net of a driver, or that its wires have changed.  nets may be
   NULL. */
void tree_nets_drop(TreeNets *nets, uint32_t driver_index);

/* What an edit changes in trees, in three steps. tree_nets_begin begins an edit, which has each
   driver and each pin once.  tree_nets_look and tree_nets_change only read, so several threads may
   call them. */
void tree_nets_begin(TreeNets *nets);
/* Says how the device reduces a net that it has: a number for tree_nets_touch, which adds the net
   to those that it must reduce. */
uint8_t tree_nets_look(const TreeNets *nets, uint32_t driver_index);
void    tree_nets_touch(TreeNets *nets, uint32_t driver_index, uint8_t look);
/* Returns the change of a pin whose cell may be another one: a load, or a driver. */
TreeChange tree_nets_change(const Timing *t, Slot slot);
void       tree_nets_touch_pin(TreeNets *nets, Slot slot, TreeChange change);

/* Returns the changes since the last call.  They are valid until the next tree_nets_begin. */
TreeEdit tree_nets_take(TreeNets *nets, const Timing *t);

#endif
