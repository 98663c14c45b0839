/* The arrays of device/device_libcell.h. */
#include "device/device_libcell.h"

#include "base/memory.h"

/* Drivers with as many rounds of LIBCELL_FEW lanes. The last class has all that need more. */
enum { CLASSES = 64 };

static uint32_t class_of(const SizeGate *gate)
{
  uint32_t rounds = (gate->candidate_count + LIBCELL_FEW - 1) / LIBCELL_FEW;
  return rounds < CLASSES ? rounds : CLASSES - 1;
}

LibcellDriver *libcell_drivers(const SizingArrays *problem, uint32_t *few)
{
  const SizeGate *gates = problem->view.gates;
  LibcellDriver *drivers = mem_alloc(((size_t)problem->gates + 1) * sizeof *drivers);
  uint32_t next[CLASSES + 1] = { 0 };
  for (uint32_t i = 0; i < problem->gates; i++) next[class_of(&gates[i]) + 1]++;
  for (uint32_t c = 1; c <= CLASSES; c++) next[c] += next[c - 1];
  *few = next[2];
  for (uint32_t i = 0; i < problem->gates; i++)
    drivers[next[class_of(&gates[i])]++] = (LibcellDriver){
      gates[i].first_candidate, gates[i].candidate_count, gates[i].now, i };
  return drivers;
}

uint32_t *libcell_owners(const SizingArrays *problem)
{
  const SizeGate *gates = problem->view.gates;
  uint32_t *owners = mem_alloc(((size_t)problem->candidates + 1) * sizeof *owners);
  for (uint32_t i = 0; i < problem->gates; i++)
    for (uint32_t c = 0; c < gates[i].candidate_count; c++)
      owners[gates[i].first_candidate + c] = i;
  return owners;
}
