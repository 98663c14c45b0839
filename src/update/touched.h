/* Finds the nets and cells that edits in place have changed, from the pins that were touched. A
   batch of edits has pins all over the design, so threads share the look-ups. In two cases
   add_net_drivers (update/timer.c) finds the drivers instead of touched_list: in an update in place
   on the CPU, and in a design with nets with several drivers (list_touched). Both functions must
   find the same drivers. */
#ifndef SL_UPDATE_TOUCHED_H
#define SL_UPDATE_TOUCHED_H

#include "update/backend.h"
#include "update/incremental.h"

/* Lists the slots of pins, and the drivers of their nets. No load of the graph may have several
   drivers (GraphNets.extra_wires is empty). marks: an empty queue, which is empty again after the
   call. */
void touched_list(Touched *touched, const Graph *g, const PinId *pins, uint32_t count,
                  SlotQueue *marks, int threads);
void touched_free(Touched *touched);

#endif
