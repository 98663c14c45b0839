/* Chooses library cells for gates on the CPU: the costs of all candidates, then the least of each
   gate (math/sizing.h). */
#ifndef SL_CPU_CPU_SIZING_H
#define SL_CPU_CPU_SIZING_H

#include "math/sizing.h"

/* Of the gates in a list, by threads.  chosen: [count]. */
void cpu_size_select(const SizeView *v, const uint32_t *gates, uint32_t count, SizeChosen *chosen,
                     int threads);

#endif
