/* Logic values at an instance, for those who spread constants and those who ask what they switch
   off.
   Private to src/graph. */
#ifndef SL_GRAPH_LOGIC_H
#define SL_GRAPH_LOGIC_H

#include "graph/build.h"

enum { LOGIC_UNKNOWN = 2 };

/* An instance whose ports have the values of its pins: with them its cell's functions are asked. */
typedef struct {
  const Build *b;
  InstId inst;
} InstValues;

/* Of a port: 0, 1 or LOGIC_UNKNOWN.  data is an InstValues. */
int logic_port_value(void *data, PortId port);
/* Of a function, where the pins' constants alone tell it. */
int logic_value(const InstValues *at, FunctionId f);
/* Does the output drive its net: 1; is it off for good: 0. */
int logic_drives(const InstValues *at, const LibPort *output);

void build_constant_arcs(Build *b);       /* arcs that constants switch off: flags, arc_live */
void build_constant_checks(Build *b);     /* checks likewise: off, off_edges */

#endif
