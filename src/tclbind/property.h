/* Properties of objects: rows for get_property, filters, report_property, list_properties and its
   manual page.

     static const Property properties_clock[] = {
       { OBJ_CLOCK, "period", PROP_NUMBER, clock_period, .help = "in the user's time unit" },
       { 0 } };

   The tables of rows are listed in src/cmd/tables.c. The session holds properties that users
   define. */
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
const char *property_kind_name(PropertyKind kind);     /* "bool", "integer", ... */

struct Property;

/* Reports as an error why no object has a value of the property, and returns FAILED. It must not
   return OK, because a filter would have no answer for the object. */
typedef Status PropertyWhy(Session *s, const struct Property *row);

/* The value of a property. `missing` means that the object has none, for example a limit that no
   library gives. */
typedef struct {
  PropertyKind kind;
  bool         missing;
  double       number;          /* PROP_BOOL: 0 or 1 */
  bool         exact;           /* PROP_NUMBER: shown with all digits, not those of a float */
  /* If `missing`: a filter that compares the property calls it and then fails, as an empty answer
     looks like a right one. A property that only warns leaves it NULL, and `get` calls
     log_warning_once. NULL: this object has none. */
  PropertyWhy *why;
  Text         text;
  ObjectArray  objects;
  Tcl_Obj     *tcl;             /* PROP_VALUE; NULL: none */
  ModeId       mode;            /* mode of the clocks in `objects`; the current one unless `get`
                                   sets another */
} PropertyValue;

typedef struct Property {
  uint32_t     type;            /* ObjectType */
  const char  *name;
  PropertyKind kind;
  /* Fills in the value in the user's units. Returns FAILED with the error in the log. */
  Status     (*get)(Session *s, Object o, const struct Property *row, PropertyValue *value);
  const char  *help;
  int          param;           /* distinguishes rows with the same function */
} Property;

/* Returns the possible texts of a property. Each may have a second name, else `other` is NULL. The
   list ends with { NULL, NULL }. Returns NULL if any text is possible. */
typedef struct { const char *word, *other; } PropertyWord;
const PropertyWord *property_words(const Property *row);

/* Returns NULL if the type has no such property, user properties included. */
const Property *property_find(const Session *s, uint32_t type, const char *name);
/* The value must be cleared before. */
Status property_get(Session *s, const Property *row, Object o, PropertyValue *value);
void   property_value_clear(PropertyValue *value);      /* keeps the memory */
void   property_value_free(PropertyValue *value);
/* Sets a value of kind PROP_VALUE. */
void   property_value_take(PropertyValue *value, Tcl_Obj *tcl);
/* Returns a Tcl value: 1 or 0 for a bool, "" if missing. */
Tcl_Obj *property_tcl(Session *s, const PropertyValue *value);
/* Appends the text for filters and reports. */
void   property_text(Session *s, const PropertyValue *value, Text *text);
/* Reports CMD-040 with the nearest name. */
Status property_unknown(Session *s, uint32_t type, const char *name, Where where);
/* Appends "; did you mean ...?" if a name of the type is near. */
void   property_nearest(const Session *s, uint32_t type, const char *name, Text *text);
/* Visits the properties of a type in the order of the tables, and then those of the user. */
void property_each(const Session *s, uint32_t type, void (*visit)(void *data, const Property *row),
                   void *data);

/* Appends the shortest text that reads back as the same float. */
void number_text(double number, Text *text);

/* --- user properties: define_property, set_property ------------------------------------------- */
Status user_property_define(Session *s, uint32_t type, const char *name, PropertyKind kind);
Status user_property_set(Session *s, Object o, const char *name, const char *value);
/* Removes the values of objects of the design. */
void   user_properties_forget_design(struct UserProperties *properties);
void   user_properties_free(struct UserProperties *properties);

#endif
