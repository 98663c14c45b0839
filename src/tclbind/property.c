/* Finds properties, keeps those that users define, and converts values to Tcl and to text. */
#include "tclbind/property.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/hash.h"
#include "base/memory.h"
#include "tclbind/console.h"
#include "tclbind/object_value.h"

/* --- user properties: rows of their own, values by object ------------------------------------- */

struct UserProperties {
  ARRAY(Property *) rows;        /* param: index */
  ARRAY(char *) values;
  ARRAY(Map *) value_of;         /* parallel to rows: object -> index in values */
};

static Status get_user_value(Session *s, Object o, const Property *row, PropertyValue *value)
{
  const struct UserProperties *properties = s->user_properties;
  uint32_t at = map_get(properties->value_of.at[row->param], hash_pair(o.type, o.id));
  if (at == MAP_NO_VALUE) {
    value->missing = true;
    return OK;
  }
  const char *text = properties->values.at[at], *end;
  if (row->kind == PROP_TEXT) text_put(&value->text, text);
  else value->number = text_number(text, &end);
  return OK;
}

static const Property *find_user(const Session *s, uint32_t type, const char *name)
{
  const struct UserProperties *properties = s->user_properties;
  for (uint32_t i = 0; properties && i < properties->rows.len; i++)
    if (properties->rows.at[i]->type == type && strcmp(properties->rows.at[i]->name, name) == 0)
      return properties->rows.at[i];
  return NULL;
}

Status user_property_define(Session *s, uint32_t type, const char *name, PropertyKind kind)
{
  const Property *old = property_find(s, type, name);
  if (*name == '\0')
    return log_error(s->log, "CMD-073", NOWHERE, "the name of the property is empty");
  if (old && (old->kind != kind || !find_user(s, type, name)))
    return log_error(s->log, "CMD-042", NOWHERE, "%s is a property of a %s already", name,
                     object_type_name(type));
  if (old) return OK;
  if (s->user_properties == NULL)
    s->user_properties = mem_alloc_zero(1, sizeof *s->user_properties);
  struct UserProperties *properties = s->user_properties;
  Property *row = mem_alloc_zero(1, sizeof *row);
  *row = (Property){ type,           mem_text(name, strlen(name)), kind,
                     get_user_value, "defined by the user",        (int)properties->rows.len };
  array_push(&properties->rows, row);
  array_push(&properties->value_of, map_new());
  return OK;
}

static Status bad_value(Session *s, const char *name, const char *value, const char *wanted)
{
  return log_error(s->log, "CMD-041", NOWHERE, "the property %s takes %s, not '%s'", name, wanted,
                   value);
}

Status user_property_set(Session *s, Object o, const char *name, const char *value)
{
  const Property *row = find_user(s, o.type, name);
  const char *end;
  if (row == NULL && property_find(s, o.type, name))
    return log_error(s->log, "CMD-042", NOWHERE, "the property %s of a %s cannot be set", name,
                     object_type_name(o.type));
  if (row == NULL) {
    if (user_property_define(s, o.type, name, PROP_TEXT) != OK) return FAILED;
    row = find_user(s, o.type, name);
  }
  int truth;
  char number[32];
  if (row->kind == PROP_BOOL) {
    if (Tcl_GetBoolean(NULL, value, &truth) != TCL_OK)
      return bad_value(s, name, value, "true or false");
    snprintf(number, sizeof number, "%d", truth);
    value = number;
  } else if (row->kind == PROP_NUMBER) {
    text_number(value, &end);
    if (end == value || *end) return bad_value(s, name, value, "a number");
  }
  struct UserProperties *properties = s->user_properties;
  map_put(properties->value_of.at[row->param], hash_pair(o.type, o.id), properties->values.len);
  array_push(&properties->values, mem_text(value, strlen(value)));
  return OK;
}

void user_properties_forget_design(struct UserProperties *properties)
{
  for (uint32_t i = 0; properties && i < properties->rows.len; i++) {
    uint32_t type = properties->rows.at[i]->type;
    if (type == OBJ_LIB || type == OBJ_LIB_CELL || type == OBJ_LIB_PIN) continue;
    map_free(properties->value_of.at[i]);
    properties->value_of.at[i] = map_new();
  }
}

void user_properties_free(struct UserProperties *properties)
{
  if (properties == NULL) return;
  for (uint32_t i = 0; i < properties->rows.len; i++) {
    mem_free((char *)properties->rows.at[i]->name);
    mem_free(properties->rows.at[i]);
    map_free(properties->value_of.at[i]);
  }
  for (uint32_t i = 0; i < properties->values.len; i++) mem_free(properties->values.at[i]);
  array_free(&properties->rows);
  array_free(&properties->values);
  array_free(&properties->value_of);
  mem_free(properties);
}

/* --- finding and getting ---------------------------------------------------------------------- */

const char *property_kind_name(PropertyKind kind)
{
  static const char *const names[] = { "bool", "integer", "number", "text", "objects", "list" };
  return names[kind];
}

const Property *property_find(const Session *s, uint32_t type, const char *name)
{
  for (const Property *const *table = s->rows.properties; *table; table++)
    for (const Property *row = *table; row->name; row++)
      if (row->type == type && strcmp(row->name, name) == 0) return row;
  return find_user(s, type, name);
}

void property_each(const Session *s, uint32_t type, void (*visit)(void *, const Property *),
                   void *data)
{
  for (const Property *const *table = s->rows.properties; *table; table++)
    for (const Property *row = *table; row->name; row++)
      if (row->type == type) visit(data, row);
  const struct UserProperties *properties = s->user_properties;
  for (uint32_t i = 0; properties && i < properties->rows.len; i++)
    if (properties->rows.at[i]->type == type) visit(data, properties->rows.at[i]);
}

typedef struct {
  const char *names[256];
  uint32_t    count;
} NameList;

static void collect_name(void *data, const Property *row)
{
  NameList *list = data;
  if (list->count < 256) list->names[list->count++] = row->name;
}

void property_nearest(const Session *s, uint32_t type, const char *name, Text *text)
{
  NameList list = { .count = 0 };
  property_each(s, type, collect_name, &list);
  text_add_nearest(text, name, list.names, list.count);
}

Status property_unknown(Session *s, uint32_t type, const char *name, Where where)
{
  Text more = { 0 };
  property_nearest(s, type, name, &more);
  log_error(s->log, "CMD-040", where, "a %s has no property %s%s", object_type_name(type), name,
            text_get(&more));
  text_free(&more);
  return FAILED;
}

void property_value_clear(PropertyValue *value)
{
  value->missing = false;
  value->number = 0;
  value->exact = false;
  value->why = NULL;
  text_clear(&value->text);
  array_clear(&value->objects);
  property_value_take(value, NULL);
}

void property_value_take(PropertyValue *value, Tcl_Obj *tcl)
{
  if (tcl) Tcl_IncrRefCount(tcl);
  if (value->tcl) Tcl_DecrRefCount(value->tcl);
  value->tcl = tcl;
}

void property_value_free(PropertyValue *value)
{
  property_value_take(value, NULL);
  text_free(&value->text);
  array_free(&value->objects);
}

Status property_get(Session *s, const Property *row, Object o, PropertyValue *value)
{
  property_value_clear(value);
  value->kind = row->kind;
  value->mode = s->mode;
  return row->get(s, o, row, value);
}

/* --- showing ---------------------------------------------------------------------------------- */

/* Returns true if a text reads back as the float.  Its nearest double decides, unless that lies
   exactly between two floats. */
static bool reads_back(const char *text, float number)
{
  const char *end;
  double value = text_number(text, &end), below = (double)nextafterf(number, -INFINITY),
         above = (double)nextafterf(number, INFINITY);
  double least = (below + (double)number) / 2, most = (above + (double)number) / 2;
  if (value > least && value < most) return true;
  return (value == least || value == most || isinf(below) || isinf(above))
         && strtof(text, NULL) == number;
}

void number_text(double number, Text *text)
{
  char buffer[DECIMAL_ROOM + 1];
  if (isinf(number)) {
    text_put(text, number > 0 ? "INF" : "-INF");
    return;
  }
  size_t length = 0;
  for (int digits = 6; digits <= 9; digits++) {
    length = decimal_general(buffer, number, digits);
    buffer[length] = '\0';
    if (reads_back(buffer, (float)number)) break;
  }
  text_add(text, buffer, length);
}

/* Clocks have their names and values in their own mode. */
static ModeId look_at_mode(Session *s, ModeId mode)
{
  ModeId before = s->mode;
  s->mode = mode;
  s->constraints = s->scenarios->modes.at[mode].constraints;
  return before;
}

static void objects_text(Session *s, const PropertyValue *value, Text *text)
{
  ModeId before = look_at_mode(s, value->mode);
  for (uint32_t i = 0; i < value->objects.len; i++) {
    if (i) text_char(text, ' ');
    object_name(s, value->objects.at[i], text);
  }
  look_at_mode(s, before);
}

static Tcl_Obj *objects_tcl(Session *s, const PropertyValue *value)
{
  ModeId before = look_at_mode(s, value->mode);
  Tcl_Obj *made = collection_value(s, value->objects.at, value->objects.len);
  look_at_mode(s, before);
  return made;
}

/* The shortest text that reads back as the same double. */
static void exact_text(double number, Text *text)
{
  char buffer[TCL_DOUBLE_SPACE];
  Tcl_PrintDouble(NULL, number, buffer);
  text_put(text, buffer);
}

void property_text(Session *s, const PropertyValue *value, Text *text)
{
  if (value->missing) return;
  switch (value->kind) {
    case PROP_BOOL: case PROP_INT: text_printf(text, "%.0f", value->number); return;
    case PROP_NUMBER:
      if (value->exact) exact_text(value->number, text);
      else number_text(value->number, text);
      return;
    case PROP_TEXT: text_put(text, text_get(&value->text)); return;
    case PROP_OBJECTS: objects_text(s, value, text); return;
    case PROP_VALUE: if (value->tcl) text_put(text, Tcl_GetString(value->tcl)); return;
  }
}

Tcl_Obj *property_tcl(Session *s, const PropertyValue *value)
{
  if (value->missing) return Tcl_NewObj();
  if (value->kind == PROP_BOOL || value->kind == PROP_INT)
    return Tcl_NewWideIntObj((Tcl_WideInt)value->number);
  if (value->kind == PROP_OBJECTS) return objects_tcl(s, value);
  if (value->kind == PROP_VALUE) return value->tcl ? value->tcl : Tcl_NewObj();
  Text t = { 0 };
  property_text(s, value, &t);
  Tcl_Obj *made = Tcl_NewStringObj(text_get(&t), (int)t.len);
  text_free(&t);
  return made;
}
