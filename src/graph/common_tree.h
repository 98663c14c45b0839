/* The tree of clock pins, for the pessimism that launching and capturing clock paths have in
   common.

   A place is a pin that a propagated clock passes, for one clock.  The parent of a place is the
   last driver that every path of the clock to it passes: the one before it, or where several paths
   meet again, the one where they part.  A generated clock begins below the last pin of its master's
   network that it comes from, be that a register's clock pin or a load.  Place 0 is the root above
   all clocks.

   A leaf is 2 * place + phase, the phase being the edge of the clock (RISE, FALL) that a tag is
   launched by. */
#ifndef SL_GRAPH_COMMON_TREE_H
#define SL_GRAPH_COMMON_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "math/common_path.h"

struct Graph;

typedef struct {
  uint32_t  count;                 /* places; 1: only the root */
  CommonPlace *place;              /* [count]; parents have lower numbers than their children */
  uint32_t *least;                 /* see math/common_path.h */
  uint32_t  order_count;
  uint32_t *slot;                  /* [count] */
  uint8_t  *phase_above;           /* [count] */
  uint32_t *leaf_of_node;          /* [nodes]: 0 for data and ideal clocks */
  uint32_t *clock_nodes;           /* [clock_node_count]: nodes with a leaf, ascending */
  uint32_t  clock_node_count;
  bool      mixed;                 /* some rows compare different phases, or clocks */
  bool      one_clock;             /* places of one clock alone */
} CommonTree;

void common_tree_build(struct Graph *g);
void common_tree_free(CommonTree *tree);

#endif
