/* Collections that a script builds or takes apart piece by piece.

   As a Tcl list each step copies the whole collection.  Where a large collection is the result of
   several such steps already, the next result is no list but a view of a store: the store has all
   items that ever were in one of its versions, each with the version in which it went, and a view
   says which version it shows and how many items there were.  So a step costs as much as the items
   it adds or removes, and views that others hold stay as they are.  Only the latest view of a store
   grows; a step from another one copies.

   Where several steps in a row remove from one list, which itself stays, a store of its items is
   kept that never changes, and each result is a view of it with a few items less.

   Our commands, llength and lindex know views; Tcl's other list commands see their text, in which
   each object has the text that stands for it (tclbind/handle.h).  A view that Tcl has read so is a
   list from then on, and the steps that follow copy for a while. */
#ifndef SL_TCLBIND_COLLECTION_H
#define SL_TCLBIND_COLLECTION_H

#include "tclbind/console.h"

bool     collection_is_view(const Tcl_Obj *value);
uint32_t collection_view_count(const Tcl_Obj *view);
/* The item at a place below the count. */
Tcl_Obj *collection_view_at(Tcl_Obj *view, uint32_t place);
/* A view becomes a Tcl list of the same items; any other value stays as it is. */
void     collection_settle(Tcl_Obj *value);

/* The base with more items behind or before it (each once with `unique`: its first), or without
   some.  Items are objects or names; of a name once with `unique` that is the object that it stands
   for (handle_of_name of tclbind/handle.h).  NULL: it is not worth a view, or there are clocks or
   objects that are gone: the caller makes a list. */
Tcl_Obj *collection_add(Console *c, Tcl_Obj *base, int count, Tcl_Obj *const items[], bool unique);
Tcl_Obj *collection_add_before(Console *c, Tcl_Obj *base, int count, Tcl_Obj *const items[],
                               bool unique);
Tcl_Obj *collection_remove(Console *c, Tcl_Obj *base, int count, Tcl_Obj *const items[]);
/* Is a view made of what grows from it? */
bool     collection_grows(Console *c, Tcl_Obj *value);
/* Remembers that the result is one step from the base. */
void     collection_step(Console *c, const Tcl_Obj *base, const Tcl_Obj *result);

/* Gives back what is kept for the next steps. */
void     collection_forget(Console *c);

/* llength and lindex that know views. */
void     collection_register(Tcl_Interp *interp);

#endif
