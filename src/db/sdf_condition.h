/* Compares SDF conditions (COND) with those of library arcs, and writes them. */
#ifndef SL_DB_SDF_CONDITION_H
#define SL_DB_SDF_CONDITION_H

#include "db/library.h"

/* Is the text the arc's condition? It is if the text equals the arc's sdf_cond (blanks do not
   count), or if the text has the same truth table as the arc's `when` ("A == 1'b1 && !B", "A&~B").
   A text that is not a Boolean expression over at most 12 ports of the arc's cell is compared with
   sdf_cond alone. */
bool sdf_condition_is(const LibrarySet *set, LibArcId arc, const char *text);

/* Appends the arc's condition in SDF syntax: its sdf_cond if that means the same as its `when`,
   else the `when` rewritten. Appends nothing if the arc has no condition. */
void sdf_condition_text(const LibrarySet *set, LibArcId arc, Text *text);

#endif
