/* Computes the boxes around the placed pins of nets, and their half perimeters.

   The nets are those of the netlist if there is one, else those of the DEF, without SPECIALNETS. */
#ifndef SL_PLACE_WIRE_LENGTH_H
#define SL_PLACE_WIRE_LENGTH_H

#include "db/placement.h"

typedef struct {
  Box      box;                /* around the centres of its placed pins; empty without any */
  uint32_t pins;               /* all pins of the net */
  uint32_t placed;
} NetSpan;

/* Returns the number of nets. They are numbered by NetId with a netlist, else by PlacedNetId. */
uint32_t placement_net_count(const Placement *placement);
/* Returns true if the net exists and is neither a supply nor a constant. */
bool     placement_has_net(const Placement *placement, uint32_t net);
NetSpan  placement_net_span(const Placement *placement, uint32_t net);
void     placement_net_name(const Placement *placement, uint32_t net, char separator, Text *text);

/* Returns the width plus the height of the box; 0 with fewer than two placed pins. */
static inline int64_t span_length(const NetSpan *span)
{
  return span->placed < 2 ? 0 : (int64_t)span->box.x1 - span->box.x0 + span->box.y1 - span->box.y0;
}

typedef struct { uint32_t net; int64_t length; } LongNet;

typedef struct {
  uint32_t nets;               /* nets with at least two pins */
  uint32_t open;               /* those of them that have an unplaced pin */
  uint32_t pins;
  int64_t  total;              /* sum of their half perimeters */
  LongNet *longest;            /* array of the caller with `most` elements; the longest net comes
                                  first */
  uint32_t most, found;
} WireLengths;

/* The caller sets longest and most; the function sets the rest. Returns false if interrupted. */
bool wire_lengths(const Placement *placement, WireLengths *out);

#endif
