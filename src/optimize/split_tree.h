/* Splits and joins trees of parasitics where a buffer is inserted or removed. */
#ifndef SL_OPTIMIZE_SPLIT_TREE_H
#define SL_OPTIMIZE_SPLIT_TREE_H

#include "optimize/edits.h"

/* A copy of a tree, which owns its arrays. */
typedef struct {
  ARRAY(RcNode) nodes;
  ARRAY(RcTap) taps;
  uint32_t flags;
  PieceNumbers numbers;
} TreeCopy;

void tree_copy_free(TreeCopy *copy);
/* Copies the piece of a net. Returns false if the net has several pieces, if some nodes are not
   connected to the root, or if the piece has another form than a plain tree (OTHER_FORMS in
   split_tree.c). */
bool tree_copy_of(TreeCopy *copy, const Parasitics *parasitics, NetId net);
bool tree_copy_has(const TreeCopy *copy, PinId pin);
void tree_copy_rename(TreeCopy *copy, PinId from, PinId to);

/* Moves the loads to `behind`, with the part of the tree that serves only them. Pin `in` becomes a
   tap at the node where that part was cut off. Pin `out` becomes a tap on the root of `behind`.
   Each part takes its share of total_cap. Returns false and changes nothing if that part contains
   another pin. */
bool tree_split(TreeCopy *copy, const PinId *loads, uint32_t count, PinId in, PinId out,
                TreeCopy *behind);
/* Does the reverse: puts the root of `behind` at the place of `in` and removes the taps of `in` and
   `out`. Returns false if a tree lacks its pin or `out` is not at the root. */
bool tree_join(TreeCopy *copy, PinId in, const TreeCopy *behind, PinId out);
/* Makes the tree of a net without parasitics: all pins at one node. */
void tree_of_net(TreeCopy *copy, const Netlist *n, NetId net);

#endif
