/* Matches the arcs of cells that have the same name in several libraries.

   Arcs correspond if they connect the same pins, are of the same kind and have the same condition,
   even if it is written differently. Ignoring an arc without a counterpart could be optimistic. So
   such an arc takes the worst tables among the arcs that can apply at the same time: the smallest
   delay in early analysis, the largest in late analysis, the strictest margin of a check. If no
   single arc is the worst everywhere, a new arc is made, which lies after the arcs of all cells. */
#ifndef SL_DB_LIBRARY_MATCH_H
#define SL_DB_LIBRARY_MATCH_H

#include "db/library.h"

/* Matches the cells of a library with those of all earlier libraries, and with their scaled cells.
   library_commit calls it. */
void library_match(LibrarySet *set, LibraryId library);

typedef struct {
  uint32_t cells;              /* number of cells with a difference */
  CellId   first;              /* the first such cell, of the library in question */
  CellId   linked;             /* the cell of that name that instances refer to */
  PortId   from, to;           /* for the first cell: the pins of an arc; or with from NO_PORT, the
                                  pin `to` */
  bool     only_here;          /* the linked cell parts the arc or pin; else the cell of this
                                  library does */
} LibraryDifference;

/* Examines the cells of a library whose numbers are used for cells of other libraries. `conditions`
   receives cells that differ in conditions or in the number of arcs between two pins. `parts`
   receives cells where one of the two has a pin, or an arc between two pins, that the other one
   lacks. */
void library_differences(const LibrarySet *set, LibraryId library, LibraryDifference *conditions,
                         LibraryDifference *parts);

#endif
