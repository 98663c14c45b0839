/* Swaps of many cells. What two library cells have in common is found once for the two, and not for
   each instance. */
#ifndef SL_DB_NETLIST_SWAP_H
#define SL_DB_NETLIST_SWAP_H

#include "db/netlist.h"

/* Returns the number of pins of an instance of `from` if `to` has the same ports in the same order,
   so that every instance of `from` may be swapped for `to`; 0 if netlist_may_swap_cell must say. */
uint32_t netlist_alike_pins(const LibrarySet *libs, CellId from, CellId to);
/* Swaps a leaf that has this number of pins. */
void     netlist_swap_alike(Netlist *n, InstId inst, CellId to);
/* The same, but the caller adds to Netlist.edit_count: several threads may swap different
   leaves. */
void     netlist_swap_uncounted(Netlist *n, InstId inst, CellId to);

#endif
