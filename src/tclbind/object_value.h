/* Objects of the design as Tcl values.

   An object is a Tcl value that carries type, id and a reference to the design it belongs to; its
   text, made on demand, is the object's name, or more where the name is another one's too
   (tclbind/handle.h). Collections are Tcl lists of such values.  A collection of one object has the
   object's text as its own (no braces around brackets), so that [get_ports a[3]] eq "a[3]", and
   still is a list for foreach and lindex. */
#ifndef SL_TCLBIND_OBJECT_VALUE_H
#define SL_TCLBIND_OBJECT_VALUE_H

#include <tcl.h>

#include "tclbind/session.h"
#include "db/object.h"

/* One for each design (and one for the libraries); values hold it so that they know when it is
   gone. */
typedef struct ObjectRef ObjectRef;
ObjectRef *object_ref_new(Session *s);
void       object_ref_end(ObjectRef *ref);      /* the design is gone: its objects are stale */
/* One that its values alone hold: `gone` is told when the last of them goes.  Cut: the values live
   on, stale. */
ObjectRef *object_ref_counted(Session *s, void (*gone)(void *data), void *data);
void       object_ref_cut(ObjectRef *ref);
void       object_ref_hold(ObjectRef *ref);      /* as a value would */
void       object_ref_drop(ObjectRef *ref);

Tcl_Obj *object_value(Session *s, Object o);    /* fresh, reference count 0 */
Tcl_Obj *collection_value(Session *s, const Object *objects, uint32_t count);

/* Is the value a typed object, or one whose text says its type (or a collection of exactly one),
   and of the present design? */
typedef enum { VALUE_OTHER, VALUE_OBJECT, VALUE_STALE } ValueState;
ValueState object_of_value(Session *s, Tcl_Obj *value, Object *o);
/* True for a single typed object; a list of one is none. */
bool       value_is_object(const Tcl_Obj *value);
/* True when asking for the value's text would first have to make the names of objects. */
bool       value_is_collection(Tcl_Obj *value);

bool        object_is_alive(const Session *s, Object o);
void        object_name(const Session *s, Object o, Text *t);         /* full name */
void        object_base_name(const Session *s, Object o, Text *t);    /* last component */
const char *object_type_name(uint32_t type);                          /* "port", "lib_cell", ... */
/* OBJ_NONE; OpenSTA's names do as well */
uint32_t    object_type_of(const char *name);
/* "port, pin or clock" */
void        object_kinds_text(unsigned kinds, Text *t);

/* A text of names with Verilog's escapes as a list of them, referenced: Tcl's syntax of lists would
   take the backslashes away.  NULL: it is no such text. */
Tcl_Obj *names_apart(Tcl_Obj *value);

/* Names to objects: the value may be a collection, an object, a list of names and objects, nested,
   or one name.  Names are looked up exactly, then as patterns, in the order clock, port, pin, cell,
   net, library, library cell, library pin, design, among the kinds allowed. */
typedef struct {
  unsigned    kinds;
  const char *command, *option;      /* for messages */
  Where       where;
  bool        quiet;                 /* names that match nothing are no matter */
} Resolve;
Status objects_resolve(Session *s, const Resolve *r, Tcl_Obj *value, ObjectArray *out,
                       uint32_t *missing);

#endif
