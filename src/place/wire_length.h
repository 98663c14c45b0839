/* Nets as they lie: boxes around their pins, and half perimeters.

   Of a design with a netlist the netlist's nets, else the DEF's (but those of SPECIALNETS). */
#ifndef SL_PLACE_WIRE_LENGTH_H
#define SL_PLACE_WIRE_LENGTH_H

#include "db/placement.h"

typedef struct {
  Box      box;                /* around the centres of its placed pins; empty without any */
  uint32_t pins;               /* all of them */
  uint32_t placed;
} NetSpan;

/* How many nets there are to ask for: NetIds with a netlist, else PlacedNetIds. */
uint32_t placement_net_count(const Placement *p);
/* Whether one of these numbers is a net of wires: not gone, no supply, no constant. */
bool     placement_has_net(const Placement *p, uint32_t net);
NetSpan  placement_net_span(const Placement *p, uint32_t net);
void     placement_net_name(const Placement *p, uint32_t net, char separator, Text *t);

/* Width and height of the box; 0 with fewer than two placed pins. */
static inline int64_t span_length(const NetSpan *s)
{
  return s->placed < 2 ? 0 : (int64_t)s->box.x1 - s->box.x0 + s->box.y1 - s->box.y0;
}

typedef struct { uint32_t net; int64_t length; } LongNet;

typedef struct {
  uint32_t nets;               /* of two pins or more */
  uint32_t open;               /* of these, with a pin that has no place */
  uint32_t pins;
  int64_t  total;              /* of their half perimeters */
  LongNet *longest;            /* longest first; the caller's, of `most` elements */
  uint32_t most, found;
} WireLengths;

/* longest, most are given; the rest is worked out.  False: interrupted. */
bool wire_lengths(const Placement *p, WireLengths *out);

#endif
