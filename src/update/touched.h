/* Finds the nets and cells that edits in place have changed, from the pins that were touched. A
   batch of edits has pins all over the design, so threads share the look-ups. An update in
   place on the CPU does not call touched_list: add_net_drivers (update/timer.c) finds the drivers
   there, and both must find the same ones. */
#ifndef SL_UPDATE_TOUCHED_H
#define SL_UPDATE_TOUCHED_H

#include "update/backend.h"
#include "update/incremental.h"

/* Lists the slots of pins, and the drivers of their nets. No load of the graph may have several
   drivers (GraphNets.extra_wires is empty). marks: an empty queue, which is empty again after the
   call. */
void touched_list(Touched *x, const Graph *g, const PinId *pins, uint32_t count, SlotQueue *marks,
                  int threads);
void touched_free(Touched *x);

#endif
