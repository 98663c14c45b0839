/* Represents objects of the design as Tcl values.

   The Tcl value of an object has its type, its id, and a reference to its design. Its text is made
   on demand: the object's name, or a longer text if another object has the same name
   (tclbind/handle.h). Collections are Tcl lists of such values. A collection of one object has the
   text of the object, without braces around brackets, so that [get_ports a[3]] eq "a[3]"; it is
   still a list for foreach and lindex. */
#ifndef SL_TCLBIND_OBJECT_VALUE_H
#define SL_TCLBIND_OBJECT_VALUE_H

#include <tcl.h>

#include "tclbind/session.h"
#include "db/object.h"

/* A reference to a design or to the libraries. Values hold it, so that they know when the design is
   gone. */
typedef struct ObjectRef ObjectRef;
ObjectRef *object_ref_new(Session *s);
void       object_ref_end(ObjectRef *ref);      /* the design is removed: its objects become
                                                   stale */
/* Makes a reference that only its values hold; `gone` is called when the last value is freed.
   object_ref_cut makes its values stale. */
ObjectRef *object_ref_counted(Session *s, void (*gone)(void *data), void *data);
void       object_ref_cut(ObjectRef *ref);
void       object_ref_hold(ObjectRef *ref);      /* like a value */
void       object_ref_drop(ObjectRef *ref);

Tcl_Obj *object_value(Session *s, Object o);    /* a new value with reference count 0 */
Tcl_Obj *collection_value(Session *s, const Object *objects, uint32_t count);

/* What a value is: no object (VALUE_OTHER); an object of the current design, or a collection of
   exactly one; or an object that is gone. A text that contains the object's type counts as an
   object. */
typedef enum { VALUE_OTHER, VALUE_OBJECT, VALUE_STALE } ValueState;
ValueState object_of_value(Session *s, Tcl_Obj *value, Object *object);
/* Returns true for a single typed object, not for a list of one. */
bool       value_is_object(const Tcl_Obj *value);
/* Returns hash_pair of type and id of such an object, alive or not. */
uint64_t   value_key(const Tcl_Obj *object);
/* Returns true if the text of the value does not exist yet and would be made from the names of
   objects. */
bool       value_is_collection(Tcl_Obj *value);
/* Returns true for such a value, and for a list of several values whose text does not exist yet.
   Neither can be an option or a file name, which this function finds out without making the
   text. */
bool       value_is_several(Tcl_Obj *value);

/* Returns true for a text that a list would hold as it stands. It is the name of one object, or
   nobody's, and no list need be made of it. */
bool       value_is_plain_name(Tcl_Obj *value);

bool        object_is_alive(const Session *s, Object o);
void        object_name(const Session *s, Object o, Text *text);         /* full name */
void        object_base_name(const Session *s, Object o, Text *text);    /* last component */
const char *object_type_name(uint32_t type);                          /* "port", "lib_cell", ... */
/* OBJ_NONE if unknown; accepts OpenSTA's names too */
uint32_t    object_type_of(const char *name);
/* "port, pin or clock" */
void        object_kinds_text(unsigned kinds, Text *text);

/* Returns a list of the names in a text with Verilog escapes, with a reference. Tcl's list syntax
   would remove the backslashes. Returns NULL if the text has no such names. */
Tcl_Obj *names_apart(Tcl_Obj *value);

/* Converts a value to objects. The value is a collection, an object, a possibly nested list of
   names and objects, or one name. Names are looked up exactly and then as patterns, among the
   allowed kinds in the order clock, port, pin, cell, net, library, library cell, library pin,
   design. */
typedef struct {
  unsigned    kinds;
  const char *command, *option;      /* for messages */
  Where       where;
  bool        quiet;                 /* no warning for names that match nothing */
} Resolve;
/* Asks for the memory that looking up the elements behind number `at` reads. Call it for each
   number in turn. */
void   objects_expect(const Session *s, Tcl_Obj *const *elements, int count, int at);
Status objects_resolve(Session *s, const Resolve *resolve, Tcl_Obj *value, ObjectArray *out,
                       uint32_t *missing);

#endif
