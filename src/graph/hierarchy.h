/* Finds the pins of a net that are downstream of a hierarchical pin: on its side without the net's
   driver. */
#ifndef SL_GRAPH_HIERARCHY_H
#define SL_GRAPH_HIERARCHY_H

#include "graph/graph.h"

/* Calls visit for the leaf pins and top ports on the net of a hierarchical pin. `inside` is true
   for pins in its block, or in blocks below, that the pin leads to. If a net leaves the block and
   comes back by another pin, its pins there count as outside. */
void hierarchy_each(const Netlist *n, PinId hierarchical,
                    void (*visit)(void *data, PinId pin, bool inside), void *data);

/* Appends the loads downstream of a hierarchical pin. They stand for the pin in constraints of
   places that paths pass. Downstream means the side without the net's drivers; for a net without
   drivers it is the inside for an input pin, else the outside. If drivers are on both sides,
   appends nothing and returns false. */
bool hierarchy_pins_behind(const Netlist *n, PinId hierarchical, PinArray *pins);

/* Does a constraint of the pin `said` apply to `pin`, because it is the same pin or is downstream
   of it? */
bool hierarchy_stands_for(const Netlist *n, PinId said, PinId pin);
/* Calls visit for the slots that a constraint of a pin means: the slot of the pin itself, as driver
   or load, or the loads downstream of a hierarchical pin. */
void graph_said_slots(const Graph *g, PinId said, bool as_driver,
                      void (*visit)(void *data, Slot slot), void *data);

/* Calls visit for the loads whose wire from the driver passes through a hierarchical pin. A path
   passes the pin (-through) if it reaches one of these loads. */
void graph_crossing_loads(const Graph *g, PinId hierarchical, void (*visit)(void *data, Slot load),
                          void *data);

#endif
