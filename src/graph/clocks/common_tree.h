/* The tree of clock pins, for common path credit (math/common_path.h).

   A point is a pin that a propagated clock passes, for one clock. The parent of a point is the last
   driver that every path of the clock to it passes. That is the driver before it, or, if several
   paths meet again, the driver where they parted. A generated clock begins below the last pin of
   its master's network that leads to it, a register's clock pin or a load. Point 0 is the root
   above all clocks.

   A leaf is 2 * point + edge. The edge is the clock's edge (RISE, FALL) that launches a tag. */
#ifndef SL_GRAPH_CLOCKS_COMMON_TREE_H
#define SL_GRAPH_CLOCKS_COMMON_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "math/common_path.h"

struct Graph;

typedef struct {
  uint32_t  count;                 /* number of points; 1 if there is only the root */
  CommonPoint *point;              /* [count]; parents have lower numbers than their children */
  uint32_t *least;                 /* see math/common_path.h */
  uint32_t  order_count;
  uint32_t *slot;                  /* [count] */
  uint8_t  *edge_above;            /* [count] */
  uint32_t *leaf_of_node;          /* [nodes]: 0 for data and ideal clocks */
  uint32_t *clock_nodes;           /* [clock_node_count]: nodes with a leaf, ascending */
  uint32_t  clock_node_count;
  bool      mixed;                 /* some path ends compare different edges or clocks */
  bool      one_clock;             /* all points belong to one clock */
} CommonTree;

void common_tree_build(struct Graph *g);
void common_tree_free(CommonTree *tree);

#endif
