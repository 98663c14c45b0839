/* set_sense and set_clock_sense by slot: what goes on from there as a clock, and whether data goes
   on. */
#ifndef SL_GRAPH_SENSES_H
#define SL_GRAPH_SENSES_H

#include "graph/graph.h"

typedef struct SenseIndex SenseIndex;

SenseIndex *sense_index_new(const Graph *g);
void        sense_index_free(SenseIndex *x);

bool sense_any(const SenseIndex *x, Slot slot);
/* Does a clock's edge that arrives with a transition go on as a clock? */
bool sense_clock_passes(const SenseIndex *x, Slot slot, ClockEdge clock, int transition);
/* Does data go on that the edge launched (or none: NO_CLOCK_EDGE)? */
bool sense_data_passes(const SenseIndex *x, Slot slot, ClockEdge launch);

#endif
