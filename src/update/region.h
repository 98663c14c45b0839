/* Times single nets and slots again on the CPU: for an estimate of an edit, or a view of another
   delay model. The caller chooses the order: drivers by level, each driver before its loads. The
   numbers of the Timing are on the host. */
#ifndef SL_UPDATE_REGION_H
#define SL_UPDATE_REGION_H

#include "timing/timing.h"

/* Reduces the nets of these drivers. */
void region_nets(Timing *t, const Slot *drivers, uint32_t count);
/* Computes the delays of a driver and its wires. */
void region_delays(Timing *t, Slot driver);
/* Compute the arrivals, or the required times, of all nodes of a slot, with what common path credit
   keeps for them. */
void region_arrival(Timing *t, Slot slot);
void region_required(Timing *t, Slot slot);

#endif
