/* Delays at ports that count from a clock's arrival at a reference pin. */
#ifndef SL_GRAPH_REFERENCES_H
#define SL_GRAPH_REFERENCES_H

#include "graph/graph.h"

/* Does the delay count from the arrival of a propagated clock at its reference pin? */
bool   delay_has_reference(const Constraints *c, const PortDelay *d);
/* The node of a clock edge at a pin; NO_NODE_ID where it does not arrive. */
NodeId graph_clock_node(const Graph *g, PinId pin, ClockEdge edge);
/* The transition that such a node has: `edge`, or where that cannot arrive the other. */
int    graph_clock_node_edge(const Graph *g, NodeId node, int edge);

#endif
