/* Conditions of SDF (COND) and those of library arcs: whether they are the same, and how to write
   one. */
#ifndef SL_DB_SDF_CONDITION_H
#define SL_DB_SDF_CONDITION_H

#include "db/library.h"

/* True when the text is the arc's sdf_cond or `when`, blanks aside, or has the same truth table as
   its `when`: "A == 1'b1 && !B", "A&~B".  A text that is no Boolean expression over ports of the
   arc's cell is compared as text alone. */
bool sdf_condition_is(const LibrarySet *set, LibArcId arc, const char *text);

/* Appends the arc's condition as SDF has it: its sdf_cond where that says the same as its `when`,
   else the `when` rewritten; nothing when it has none. */
void sdf_condition_text(const LibrarySet *set, LibArcId arc, Text *t);

#endif
