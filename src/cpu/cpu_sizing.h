/* Chooses library cells for gates on the CPU. Computes the costs of all candidates, and finds the
   least cost of each gate (math/sizing.h). */
#ifndef SL_CPU_CPU_SIZING_H
#define SL_CPU_CPU_SIZING_H

#include "math/sizing.h"

/* Chooses for a list of gates, with several threads. chosen: [count]; after an interrupt a part is
   missing. */
void cpu_size_select(const SizeView *view, const uint32_t *gates, uint32_t count,
                     SizeChosen *chosen, int threads);

#endif
