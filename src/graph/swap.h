/* Swaps of many cells in a graph by several threads. For a single cell see graph_swap_cell. */
#ifndef SL_GRAPH_SWAP_H
#define SL_GRAPH_SWAP_H

#include "graph/graph.h"

/* Returns false if no instance may be swapped in place. */
bool graph_takes_swaps(const Graph *g);
/* The same as graph_swap_cell for two cells that it has compared before, if graph_takes_swaps.
   Several threads may swap different instances.  Returns false, and changes nothing, if
   graph_swap_cell must say. */
bool graph_swap_known(Graph *g, InstId inst, CellId old_cell);

#endif
