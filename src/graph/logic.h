/* Logic values at an instance, for propagating constants and for finding the arcs that they switch
   off. Private to src/graph. */
#ifndef SL_GRAPH_LOGIC_H
#define SL_GRAPH_LOGIC_H

#include "graph/build.h"

enum { LOGIC_UNKNOWN = 2 };

/* An instance whose ports have the logic values of its pins; the functions of its cell are
   evaluated with them. */
typedef struct {
  const Build *build;
  InstId inst;
} InstValues;

/* Returns the value of a port: 0, 1 or LOGIC_UNKNOWN. `data` is an InstValues. */
int logic_port_value(void *data, PortId port);
/* Returns the value of a function if the constants at the pins determine it, else LOGIC_UNKNOWN. */
int logic_value(const InstValues *at, FunctionId f);
/* Returns 1 if the output drives its net, 0 if it is switched off for good, else LOGIC_UNKNOWN. */
int logic_drives(const InstValues *at, const LibPort *output);

void build_constant_arcs(Build *build);   /* sets flags and arc_live of arcs that constants switch
                                             off */
void build_constant_checks(Build *build); /* sets `off` and off_edges of checks in the same way */

#endif
