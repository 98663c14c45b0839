/* Solves lanes of drivers and loads by the delay model `current_source`. cpu_lanes.c fills all
   lanes and then calls these functions. */
#ifndef SL_CPU_SOURCE_LANES_H
#define SL_CPU_SOURCE_LANES_H

#include "cpu/cpu_lanes.h"

void source_drivers_solve(DriverLanes *lanes);
void source_loads_solve(LoadLanes *lanes);

#endif
