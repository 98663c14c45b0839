/* Collections that a script grows or shrinks step by step. With Tcl lists each step would copy the
   whole collection. After several steps on a large collection the next result is a view of a store
   instead of a list. The store has all items of all its versions, each with the version in which it
   was removed. A view says which version it shows and how many items that version had. So a step
   costs as much as the items that it adds or removes, and views held elsewhere do not change. A
   step changes the latest version of the store. If a step starts from an earlier version, the store
   goes back to this version first. Views of later versions then get lists of the items that they
   add to it or leave out. If several steps begin with one list that itself stays, each result is a
   view of a store that does not change, with a few items more at the front or at the end, or with a
   few items less.

   Our commands know views. So do llength and lindex, which we replace. All other list commands of
   Tcl (lappend, for example) read the text of a view. In this text each object has its own text
   (tclbind/handle.h). If such a list command converts a view to a list, the value stays a list, and
   the next steps copy for a while. While current_instance is below the top, steps make lists. */
#ifndef SL_TCLBIND_COLLECTION_H
#define SL_TCLBIND_COLLECTION_H

#include "tclbind/console.h"

bool     collection_is_view(const Tcl_Obj *value);
uint32_t collection_view_count(const Tcl_Obj *view);
/* Returns the item at an index below the count. */
Tcl_Obj *collection_view_at(Console *console, Tcl_Obj *view, uint32_t index);
/* Returns the items of a view as a new list, and any other value itself. */
Tcl_Obj *collection_list(Tcl_Obj *value);
/* Converts a view to a Tcl list of the same items; leaves any other value unchanged. */
void     collection_settle(Tcl_Obj *value);

/* Return the base with items added after it or before it, or with items removed. With `unique` only
   the first of equal items stays. Items are objects or names; for `unique` a name counts as the
   object that it stands for (handle_of_name of tclbind/handle.h). Return NULL if a view is not
   worthwhile, or if there are clocks or stale objects; the caller then makes a list. */
Tcl_Obj *collection_add(Console *console, Tcl_Obj *base, int count, Tcl_Obj *const items[],
                        bool unique);
Tcl_Obj *collection_add_before(Console *console, Tcl_Obj *base, int count, Tcl_Obj *const items[],
                               bool unique);
Tcl_Obj *collection_remove(Console *console, Tcl_Obj *base, int count, Tcl_Obj *const items[]);
/* Returns the items of the base that are also among the others, as a list. */
Tcl_Obj *collection_intersect(Console *console, Tcl_Obj *base, int count, Tcl_Obj *const items[]);
/* Returns those of the items that are among the objects of a large collection (`keep`), or that are
   not, as a list. */
Tcl_Obj *collection_sift(Console *console, Tcl_Obj *objects, int count, Tcl_Obj *const items[],
                         bool keep);
/* Makes the text of a list or view. Ctrl-C can stop this, but not Tcl's own conversion. Returns
   false after an interrupt. */
bool     collection_make_text(Tcl_Obj *value);
/* Was a list looked into several times? That is forgotten then, and the next steps from it make a
   view that grows. */
bool     collection_was_searched(Console *console, const Tcl_Obj *list);
/* Would a step from this value make a view? */
bool     collection_grows(Console *console, Tcl_Obj *value);
/* Records that `result` is one step from `base`. */
void     collection_step(Console *console, const Tcl_Obj *base, Tcl_Obj *result);

/* Frees the records of steps. */
void     collection_forget(Console *console);

/* Installs llength and lindex that know views. */
void     collection_register(Console *console);

#endif
