/* Texts of objects: what a Tcl value of an object becomes when a script asks for its characters, and back.

   The text is the object's name wherever the name alone, given to an option that takes objects of any kind,
   finds this object and no other.  Else it says more:

     port:clk            a clock of the name is there too, which bare names mean first
     cell#12:a\/b        two cells have one full name (a/b in a flattened name, and b in a): this has the backslash
     timing_path#7       paths have no names

   Such a text stands for its object in every command, whatever strings it went through (concat, eval, array
   names, a file), and counts from the top of the design; bare names count from the current instance, so it is
   made where they would miss. */
#ifndef SL_TCLBIND_HANDLE_H
#define SL_TCLBIND_HANDLE_H

#include "tclbind/object_value.h"

void       handle_text(Session *s, Object o, Text *t);
/* VALUE_OTHER: the text is no such text, or nothing is found by it; VALUE_STALE: its object is
   gone. */
ValueState handle_object(Session *s, const char *text, Object *o);
/* The kinds in the order in which bare names are tried, up to OBJ_NONE. */
extern const uint8_t handle_kinds[];

#endif
