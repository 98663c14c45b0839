/* A placement in numbers: what there is, how full the rows are, wire length, what is not legal, and
   where it disagrees with the netlist. */
#ifndef SL_REPORT_REPORT_PLACEMENT_H
#define SL_REPORT_REPORT_PLACEMENT_H

#include "db/placement.h"

/* Appends to out; nets: how many of the longest.  False: interrupted. */
bool report_placement(const Placement *placement, char separator, uint32_t nets, Text *out);

#endif
