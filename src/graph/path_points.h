/* Where paths can start, pass and end, ignoring constants, clocks and exceptions. */
#ifndef SL_GRAPH_PATH_POINTS_H
#define SL_GRAPH_PATH_POINTS_H

#include "graph/exceptions/exceptions.h"

/* Does an object of -from contain a start of paths? Starts are clocks, clock pins of registers,
   gates and data pins of latches, input ports, pins with an input delay, sources of clocks, and
   cells with one of these. With an index, pins where set_max_delay or set_min_delay starts or ends
   paths count too. With index NULL such pins count if the graph has arrivals for them. */
bool path_starts_at(const Graph *g, const ExceptionIndex *index, Object o);
/* Does an object of -to contain an end of paths? Ends are clocks, checked pins, output ports, pins
   with an output delay, and cells with one of these. */
bool path_ends_at(const Graph *g, const ExceptionIndex *index, Object o);

/* Returns how many objects of a -from (start) or -to contain no start or end; *first is the first
   one. */
uint32_t path_point_strangers(const ExceptionIndex *index, const ExceptionPoint *point, bool start,
                              Object *first);

/* Searches ways from starts to ends and remembers the results. For x see above. */
typedef struct PathOnward PathOnward;
PathOnward *path_onward_new(const Graph *g, const ExceptionIndex *index);
void      path_onward_free(PathOnward *ways);
/* Does a path lead from a start in the object, with one of the edges, to an end? True for
   clocks. */
bool path_start_goes_on(PathOnward *ways, Object o, uint8_t edges);
/* Does data at a slot lead to an end? With `start`, does the data that is launched there? */
bool path_slot_goes_on(PathOnward *ways, Slot s, bool start);
/* Does a path lead from -from, and from each -through, of an exception to an end? */
bool path_exception_goes_on(PathOnward *ways, uint32_t exception);

/* Warns of objects in exceptions that have no effect: GRAPH-020 for objects of -from and -to that
   contain no start or end, GRAPH-044 for a -from from which no path reaches an end, GRAPH-045 for a
   -to whose ends no path reaches, GRAPH-021 for a -through that no data passes. It warns once per
   command, however often the graph is compiled. */
void warn_vain_exceptions(const ExceptionIndex *index, Log *log);
/* Warns of input delays that start no data (GRAPH-041). */
void warn_vain_delays(const Graph *g, Log *log);

#endif
