/* Where paths may start, pass and end, whatever constants, clocks and exceptions leave of them. */
#ifndef SL_GRAPH_PATH_POINTS_H
#define SL_GRAPH_PATH_POINTS_H

#include "graph/exceptions/exceptions.h"

/* Does an object of -from stand for any start: a clock; a register's clock pin or gate, a
   transparent latch's data pin, an input port, a pin with an input delay, or where a clock begins;
   a cell with one of these? x: pins where set_max_delay and set_min_delay start or end paths count
   as well; NULL: they count as far as arrivals were made for them. */
bool path_starts_at(const Graph *g, const ExceptionIndex *x, Object o);
/* Does an object of -to stand for any end: a clock; a checked pin, an output port, a pin with an
   output delay; a cell with one? */
bool path_ends_at(const Graph *g, const ExceptionIndex *x, Object o);

/* How many objects of an exception's -from (start) or -to stand for none, and the first of them. */
uint32_t path_point_strangers(const ExceptionIndex *x, const ExceptionPoint *p, bool start,
                              Object *first);

/* Ways from where paths may start to their ends, remembered as far as they were looked for.
   x: as above. */
typedef struct PathOnward PathOnward;
PathOnward *path_onward_new(const Graph *g, const ExceptionIndex *x);
void      path_onward_free(PathOnward *ways);
/* Does a path go on to an end from a start at the object that one of the edges makes?  True for
   clocks. */
bool path_start_goes_on(PathOnward *ways, Object o, uint8_t edges);
/* Does data at a slot go on to an end, or where paths start what is launched there? */
bool path_slot_goes_on(PathOnward *ways, Slot s, bool start);
/* Does a path go on to an end from an exception's -from and from each -through? */
bool path_exception_goes_on(PathOnward *ways, uint32_t exception);

/* Warns of what exceptions name in vain: GRAPH-020 for objects of -from and -to, GRAPH-044 for a
   -from none of whose starts leads to an end, GRAPH-045 for a -to to none of whose ends a path
   comes, GRAPH-021 for a -through that no data passes.  Each command is told of once, however often
   the graph is compiled. */
void warn_vain_exceptions(const ExceptionIndex *x, Log *log);
/* Warns of input delays that start no data (GRAPH-041). */
void warn_vain_delays(const Graph *g, Log *log);

#endif
