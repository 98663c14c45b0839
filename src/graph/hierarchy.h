/* Which pins of a net lie behind a hierarchical pin. */
#ifndef SL_GRAPH_HIERARCHY_H
#define SL_GRAPH_HIERARCHY_H

#include "graph/graph.h"

/* Leaf pins and top ports of a hierarchical pin's net, told apart by side: those inside its block
   that the pin leads to (through blocks further down), and all others.  A net that leaves a block
   and comes back by another pin counts as outside there, as the wire does. */
void hierarchy_each(const Netlist *n, PinId hierarchical,
                    void (*visit)(void *data, PinId pin, bool inside), void *data);

/* Appends the loads behind a hierarchical pin, which stand for it where something is said of a
   place that paths pass: on the side where its net's drivers are not; of a net without drivers
   inside for inputs, else outside. False, with nothing appended, where drivers are on both
   sides. */
bool hierarchy_pins_behind(const Netlist *n, PinId hierarchical, PinArray *pins);

/* Is something that is said of a pin said of another one as well: is it the same, or behind it? */
bool hierarchy_stands_for(const Netlist *n, PinId said, PinId pin);
/* Calls visit for the slots that something said of a pin means: its own as driver or load, or the
   loads behind a hierarchical one. */
void graph_said_slots(const Graph *g, PinId said, bool as_driver,
                      void (*visit)(void *data, Slot slot), void *data);

/* Loads whose wire from their driver passes through a hierarchical pin: what passing the pin means
   for -through. */
void graph_crossing_loads(const Graph *g, PinId hierarchical, void (*visit)(void *data, Slot load),
                          void *data);

#endif
