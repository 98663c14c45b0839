/* Delays at ports with a reference pin. */
#ifndef SL_GRAPH_REFERENCES_H
#define SL_GRAPH_REFERENCES_H

#include "graph/graph.h"

/* The point that a delay counts from. It is the arrival at a node of the clock: at the reference
   pin for a propagated clock, else at a source. With NO_NODE_ID the source latency is a number. */
typedef struct {
  NodeId  node;
  uint8_t edge;               /* the edge at the node */
  bool    at_source;
  bool    arrives;            /* the clock reaches the reference pin */
  PinValuesId pin_values;     /* values that are given at pins on the way to the reference pin */
} ReferencePoint;
ReferencePoint graph_reference(const Graph *g, const PortDelay *delay);

#endif
