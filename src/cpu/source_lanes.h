/* Solves lanes of drivers and loads by the delay model `current_source`.  cpu_lanes.c calls it and
   has filled all lanes. */
#ifndef SL_CPU_SOURCE_LANES_H
#define SL_CPU_SOURCE_LANES_H

#include "cpu/cpu_lanes.h"

void source_drivers_solve(DriverLanes *l);
void source_loads_solve(LoadLanes *l);

#endif
