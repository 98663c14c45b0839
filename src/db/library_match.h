/* Cells of one name in several libraries: which arcs of the one stand for those of the other.

   Arcs between the same pins, of the same kind and under the same condition (be it written in
   another way) stand for one another.  What then is left over, on either side, could be optimistic
   if it were passed over; so an arc takes the worst of those that may hold where it does: of delays
   the least in early analysis and the largest in late analysis, of checks the strictest.  Where
   they cross, an arc is made for it, which lies behind all cells' arcs. */
#ifndef SL_DB_LIBRARY_MATCH_H
#define SL_DB_LIBRARY_MATCH_H

#include "db/library.h"

/* Makes what is needed between the cells of a library and those of all earlier libraries, and
   between cells and their scaled cells.  library_commit calls it. */
void library_match(LibrarySet *set, LibraryId library);

typedef struct {
  uint32_t cells;              /* how many; 0: nothing to tell */
  CellId   first;              /* of the library asked for */
  CellId   linked;             /* the cell that instances of it have */
  PortId   from, to;           /* of the first: pins of an arc; from NO_PORT: the pin `to` */
  bool     only_here;          /* the linked cell lacks it; else it is lacking here */
} LibraryDifference;

/* Cells of a library whose numbers count for cells of other libraries.  conditions: those with
   other conditions or more arcs between two pins; lacks: those where one has a pin or an arc
   between two pins that the other has not. */
void library_differences(const LibrarySet *set, LibraryId library, LibraryDifference *conditions,
                         LibraryDifference *lacks);

#endif
