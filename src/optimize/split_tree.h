/* Trees of parasitics where a buffer comes in or goes. */
#ifndef SL_OPTIMIZE_SPLIT_TREE_H
#define SL_OPTIMIZE_SPLIT_TREE_H

#include "optimize/edits.h"

/* A tree in arrays of its own. */
typedef struct {
  ARRAY(RcNode) nodes;
  ARRAY(RcTap) taps;
  uint32_t flags;
  float    total_cap;
} TreeCopy;

void tree_copy_free(TreeCopy *t);
/* The only piece of a net, whose nodes all hang on its root; false: it has another form. */
bool tree_copy_of(TreeCopy *t, const Parasitics *p, NetId net);
bool tree_copy_has(const TreeCopy *t, PinId pin);
void tree_copy_rename(TreeCopy *t, PinId from, PinId to);

/* Takes the loads off, with what of the tree is theirs alone: `in` then stands where they parted,
   `out` at the root of their tree.  False, with nothing done, where some other pin is among
   them. */
bool tree_split(TreeCopy *t, const PinId *loads, uint32_t count, PinId in, PinId out,
                TreeCopy *behind);
/* The reverse: the root of `behind` at the place of `in`; taps of in and out go.  False where a
   tree lacks its pin, or `out` is not at the root. */
bool tree_join(TreeCopy *t, PinId in, const TreeCopy *behind, PinId out);
/* A wire without parasitics of its own: all pins of a net at one node. */
void tree_of_net(TreeCopy *t, const Netlist *n, NetId net);

#endif
