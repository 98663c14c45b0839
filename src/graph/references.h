/* Delays at ports that count from a clock at a reference pin. */
#ifndef SL_GRAPH_REFERENCES_H
#define SL_GRAPH_REFERENCES_H

#include "graph/graph.h"

/* Where a delay counts from: the arrival at a clock's node (propagated: of the reference pin; else
   of a source), or NO_NODE_ID: the clock's source latency is a number. */
typedef struct {
  NodeId  node;
  uint8_t edge;               /* of the node */
  bool    at_source;
  bool    arrives;            /* the clock comes to the reference pin at all */
  PlaceId place;              /* what was given at pins on the way there */
} ReferencePoint;
ReferencePoint graph_reference(const Graph *g, const PortDelay *d);

#endif
