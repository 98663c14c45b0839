/* Properties of objects: rows that get_property, filters, report_property and the manual read.

     static const Property properties_clock[] = {
       { OBJ_CLOCK, "period", PROP_NUMBER, clock_period, .help = "in the user's time unit" }, ... { 0 } };

   Rows stand in tables; src/cmd/tables.c lists them.  Properties that users define are kept in the
   session. */
#ifndef SL_TCLBIND_PROPERTY_H
#define SL_TCLBIND_PROPERTY_H

#include <tcl.h>

#include "base/text.h"
#include "tclbind/session.h"

typedef enum {
  PROP_BOOL,
  PROP_INT,
  PROP_NUMBER,
  PROP_TEXT,
  PROP_OBJECTS,
  PROP_VALUE /* any Tcl value */
} PropertyKind;

/* A value: `missing` when the object has none (a limit that no library gives). */
typedef struct {
  PropertyKind kind;
  bool         missing;
  double       number;          /* PROP_BOOL: 0 or 1 */
  Text         text;
  ObjectArray  objects;
  Tcl_Obj     *tcl;             /* PROP_VALUE; NULL: none */
  ModeId       mode;            /* of clocks among the objects; the current one unless `get` says
                                   otherwise */
} PropertyValue;

typedef struct Property {
  uint32_t     type;            /* ObjectType */
  const char  *name;
  PropertyKind kind;
  /* Fills in the value in the user's units; FAILED with the error in the log. */
  Status     (*get)(Session *s, Object o, const struct Property *row, PropertyValue *value);
  const char  *help;
  int          param;           /* for one function behind several rows */
} Property;


/* The texts that a property can have, and another name of each or NULL, up to { NULL, NULL }; NULL:
   any text. */
typedef struct { const char *word, *other; } PropertyWord;
const PropertyWord *property_words(const Property *row);

/* NULL when the type has no such property (user properties included). */
const Property *property_find(const Session *s, uint32_t type, const char *name);
/* value cleared before */
Status property_get(Session *s, const Property *row, Object o, PropertyValue *value);
void   property_value_clear(PropertyValue *value);      /* keeps the memory */
void   property_value_free(PropertyValue *value);
void   property_value_take(PropertyValue *value, Tcl_Obj *tcl);      /* of PROP_VALUE; fresh */
/* As a Tcl value: bools 1 or 0, missing ones "". */
Tcl_Obj *property_tcl(Session *s, const PropertyValue *value);
/* As text, for filters and reports. */
void   property_text(Session *s, const PropertyValue *value, Text *t);
/* "CMD-040" with the nearest name. */
Status property_unknown(Session *s, uint32_t type, const char *name, Where where);
/* "; did you mean ...?", where a name of the type is near. */
void   property_nearest(const Session *s, uint32_t type, const char *name, Text *t);
void property_each(const Session *s, uint32_t type, void (*visit)(void *data, const Property *row),
                   void *data);

/* The shortest text that reads back as the same float. */
void number_text(double number, Text *t);

/* --- of the user: define_property, set_property ----------------------------------------------- */
Status user_property_define(Session *s, uint32_t type, const char *name, PropertyKind kind);
Status user_property_set(Session *s, Object o, const char *name, const char *value);
/* values of objects that are gone */
void   user_properties_forget_design(struct UserProperties *u);
void   user_properties_free(struct UserProperties *u);

#endif
