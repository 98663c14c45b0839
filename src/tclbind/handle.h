/* The text of an object is the string of its Tcl value.  This module makes such texts and finds the
   object of a text.

   The text is the object's name if the name alone, in an option for objects of any kind, finds this
   object. Objects of kinds that are looked up later may have the same name (handle_kinds).
   Otherwise the text is longer:

     port:clk            a clock has the same name, and bare names find clocks first; or the port
                         leads to clock pins, so that such a clock is to be expected
     net:q               a port, pin or cell has the same name
     cell#12:a\/b        two cells have the same full name (a cell named a/b, and the cell b in a);
                         the backslash marks the first
     timing_path#7       paths have no names

   A text names its object in every command, also after string operations (concat, eval, array
   names, a file).  It counts from the top of the design, but bare names count from the current
   instance.  So the longer text is used where the bare name would not find the object.

   A name that was once the text of an object keeps its meaning: it names that object first, even if
   another object gets the same name later (a clock named after a port). */
#ifndef SL_TCLBIND_HANDLE_H
#define SL_TCLBIND_HANDLE_H

#include "tclbind/object_value.h"

void       handle_text(Session *s, Object o, Text *text);
/* Finds the object of a text. Returns VALUE_OTHER if it is not such a text or finds nothing, and
   VALUE_STALE if the object is gone. */
ValueState handle_object(Session *s, const char *text, Object *object);
/* Writes the text of a clock, of the current or another mode, from its name. */
void       handle_clock_text(Session *s, NameId clock, Text *text);
/* Finds the object, of these kinds, whose text is the bare name. Returns false if there is none. */
bool       handle_given(Session *s, unsigned kinds, const char *name, Object *object);
/* Finds the object that a bare name stands for among objects of any kind: the object with this
   text, else the object of the first kind with this name. Returns false if there is none, or if
   there are several. */
bool       handle_of_name(Session *s, const char *name, Object *object);
void       handle_forget_texts(Session *s);      /* call it when the design is removed */
/* The kinds in the order in which bare names are looked up; OBJ_NONE ends the list. */
extern const uint8_t handle_kinds[];

#endif
