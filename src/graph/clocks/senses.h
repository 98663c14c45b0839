/* set_sense and set_clock_sense by slot: which edges go on from a slot as a clock, and whether data
   goes on.  nodes.c asks at each pin (pass_tag) and at each clock source (stop_at_source),
   generated.c for the masters of generated clocks (ends_here). */
#ifndef SL_GRAPH_CLOCKS_SENSES_H
#define SL_GRAPH_CLOCKS_SENSES_H

#include "graph/graph.h"

typedef struct SenseIndex SenseIndex;

SenseIndex *sense_index_new(const Graph *g);
void        sense_index_free(SenseIndex *index);

bool sense_any(const SenseIndex *index, Slot slot);
/* Does the edge `clock` go on as a clock if it arrives with this transition? */
bool sense_clock_passes(const SenseIndex *index, Slot slot, ClockEdge clock, int transition);
/* Does data go on that this edge launched (NO_CLOCK_EDGE: launched by no clock)? */
bool sense_data_passes(const SenseIndex *index, Slot slot, ClockEdge launch);

#endif
