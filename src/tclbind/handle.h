/* Texts of objects: what a Tcl value of an object becomes when a script asks for its characters,
   and back.

   The text is the object's name wherever the name alone, given to an option that takes objects of
   any kind, finds this object and no other.  Else it says more:

     port:clk            a clock of the name is there too, which bare names mean first; or the port leads to clock
                         pins, so that such a clock is to be expected
     cell#12:a\/b        two cells have one full name (a/b in a flattened name, and b in a): this has the backslash
     timing_path#7       paths have no names

   Such a text stands for its object in every command, whatever strings it went through (concat,
   eval, array names, a file), and counts from the top of the design; bare names count from the
   current instance, so it is made where they would miss.

   A name that was made the text of an object stays that: it means the object first from then on,
   whatever gets the same name later (a clock named after a port). */
#ifndef SL_TCLBIND_HANDLE_H
#define SL_TCLBIND_HANDLE_H

#include "tclbind/object_value.h"

void       handle_text(Session *s, Object o, Text *t);
/* VALUE_OTHER: the text is no such text, or nothing is found by it; VALUE_STALE: its object is
   gone. */
ValueState handle_object(Session *s, const char *text, Object *o);
/* Of the current or another mode, by its name. */
void       handle_clock_text(Session *s, NameId clock, Text *t);
/* The object, of these kinds, whose text the bare name is; false: it is none's. */
bool       handle_given(Session *s, unsigned kinds, const char *name, Object *o);
/* The one object that a bare name stands for where objects of any kind may be meant: the one whose
   text it is, else the first kind's that has it.  False: nothing is found, or several objects. */
bool       handle_of_name(Session *s, const char *name, Object *o);
void       handle_forget_texts(Session *s);      /* the design goes */
/* The kinds in the order in which bare names are tried, up to OBJ_NONE. */
extern const uint8_t handle_kinds[];

#endif
