/* Fan-in and fan-out cones over wires and cell arcs, up to registers. */
#ifndef SL_QUERY_FAN_H
#define SL_QUERY_FAN_H

#include "graph/graph.h"

typedef enum {
  TRACE_TIMING,        /* timed arcs: not disabled, not switched off by constants, not cut as part
                          of a loop */
  TRACE_ENABLED,       /* also those that constants switch off */
  TRACE_ALL            /* every arc */
} FanTrace;

typedef struct {
  bool     backward;          /* fan-in */
  bool     flat;              /* cross the borders of hierarchical cells */
  bool     ends_only;         /* only startpoints (fan-in) or endpoints (fan-out) */
  uint32_t levels;            /* largest number of cells passed; 0 means no limit */
  uint32_t pin_levels;        /* largest number of pins passed; 0 means no limit */
  FanTrace trace;
} FanQuery;

/* Appends the pins of the cone, including `from`, in the order of PinIds. A hierarchical pin stands
   for the drivers or loads of its net. */
void query_fan(const Graph *g, const FanQuery *query, const PinId *from, uint32_t count,
               PinArray *out);

/* A start is an input port, a register's clock pin, or a driver without fan-in. A fan end is an
   output port, a checked pin, a register's clock pin, or a load without fan-out. */
bool query_is_register_clock(const Graph *g, Slot slot);    /* true if launch arcs leave it, or only
                                                               checks refer to it */
bool query_is_start(const Graph *g, Slot slot);
bool query_is_fan_end(const Graph *g, Slot slot);

#endif
