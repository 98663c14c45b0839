/* Calls the CPU's kernels for single nets and slots. */
#include "update/region.h"

#include "cpu/cpu.h"
#include "timing/credit.h"

void region_nets(Timing *t, const Slot *drivers, uint32_t count)
{
  cpu_reduce_nets(t, drivers, count);
}

void region_delays(Timing *t, Slot driver) { cpu_driver_delays(t, &driver, 1); }

void region_arrival(Timing *t, Slot slot)
{
  cpu_slot_arrival(t, slot);
  if (common_active(t)) cpu_slot_front(t, slot);
}

void region_required(Timing *t, Slot slot)
{
  cpu_slot_required(t, slot);
  if (common_captures(t)) cpu_slot_captures(t, slot);
}
