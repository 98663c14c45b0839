/* Ports that look like clocks before there is any: from which combinational arcs lead to clock
   pins. */
#ifndef SL_DB_CLOCK_PORTS_H
#define SL_DB_CLOCK_PORTS_H

#include "db/netlist.h"

/* Bytes by place among the top's pins, 1: the port leads to a clock pin.  The caller frees them. */
uint8_t *clock_ports(const Netlist *n);

#endif
