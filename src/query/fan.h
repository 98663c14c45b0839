/* Cones: what reaches a pin and what a pin reaches, over wires and cell arcs, up to registers. */
#ifndef SL_QUERY_FAN_H
#define SL_QUERY_FAN_H

#include "graph/graph.h"

typedef enum {
  TRACE_TIMING,        /* arcs that are timed: not disabled, not switched off by constants, no loop
                          that was cut */
  TRACE_ENABLED,       /* also those that constants switch off */
  TRACE_ALL            /* every arc */
} FanTrace;

typedef struct {
  bool     backward;          /* fan-in */
  bool     flat;              /* over borders of hierarchical cells */
  bool     ends_only;         /* start points (fan-in) or end points (fan-out) */
  uint32_t levels;            /* cells passed, at most; 0: any number */
  uint32_t pin_levels;        /* pins passed, at most; 0: any number */
  FanTrace trace;
} FanQuery;

/* Appends the cone's pins, those of `from` included, in PinId order.  Hierarchical pins stand for
   what drives or loads their net. */
void query_fan(const Graph *g, const FanQuery *q, const PinId *from, uint32_t count, PinArray *out);

/* A pin where paths start: an input port, a register's clock, or a driver that nothing feeds; where
   they end: an output port, a checked pin, a register's clock, or a load that feeds nothing. */
bool query_is_register_clock(const Graph *g, Slot slot);    /* launching arcs leave it, or only
                                                               checks do */
bool query_is_start(const Graph *g, Slot slot);
bool query_is_fan_end(const Graph *g, Slot slot);

#endif
