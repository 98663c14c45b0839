/* Finds the ports that look like clocks before any clock is defined: combinational arcs lead from
   them to clock pins. */
#ifndef SL_DB_CLOCK_PORTS_H
#define SL_DB_CLOCK_PORTS_H

#include "db/netlist.h"

/* Returns a byte for each pin of the top instance, in order; 1 means that the port leads to a clock
   pin. The caller frees it with mem_free. */
uint8_t *clock_ports(const Netlist *n);

#endif
