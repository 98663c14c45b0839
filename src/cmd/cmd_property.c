/* Commands that get, report, list, define and set properties of objects. */
#include <string.h>

#include "base/interrupt.h"
#include "tclbind/console.h"
#include "tclbind/object_value.h"
#include "tclbind/property.h"

enum { ALL_KINDS = (1u << OBJ_TYPE_COUNT) - 2 };

#define TYPE_WORDS                                                                 \
  "design|library|liberty_library|lib|lib_cell|liberty_cell|library_cell|lib_pin|" \
  "liberty_port|library_pin|"                                                      \
  "cell|instance|pin|port|net|clock|timing_arc|timing_path|mode|corner|scenario|scene"

static Status object_type_option(Session *s, const char *name, uint32_t *type)
{
  *type = object_type_of(name);
  return *type != OBJ_NONE
             ? OK
             : log_error(s->log, "CMD-043", NOWHERE, "there is no type of objects '%s'", name);
}

/* --- get_property ----------------------------------------------------------------------------- */

static const Option get_options[] = {
  { "-object_type", ARG_ENUM, .value = TYPE_WORDS, .help =
      "type of an object that is given by its name" },
  { "-class", ARG_ENUM, .value = TYPE_WORDS, .flags = OPT_HIDDEN },
  { "-quiet", ARG_FLAG, .help = "return an empty value for an unknown property" },
  { "object", ARG_TEXT, .flags = OPT_REQUIRED,
    .help = "an object or its name; for several objects the result is a list" },
  { "property", ARG_TEXT, .flags = OPT_REQUIRED,
    .help = "name of the property; list_properties lists them" },
  { 0 }
};

/* The kinds that a name may stand for: those that have the property, so that a port and a clock of
   one name do not get in each other's way. */
static unsigned kinds_with(const Session *s, const char *property)
{
  unsigned kinds = 0;
  for (uint32_t type = OBJ_DESIGN; type < OBJ_TYPE_COUNT; type++)
    if (property_find(s, type, property)) kinds |= OBJ_BIT(type);
  return kinds;
}

static Status find_objects(Session *s, Args *a, const char *command, const char *property,
                           ObjectArray *out)
{
  unsigned kinds = ALL_KINDS;
  Object o;
  const char *word =
      args_text(a, "-object_type") ? args_text(a, "-object_type") : args_text(a, "-class");
  Tcl_Obj *value = args_object(a, "object");
  uint32_t missing, type;
  if (word) {
    if (object_type_option(s, word, &type) != OK) return FAILED;
    kinds = OBJ_BIT(type);
  } else if (object_of_value(s, value, &o) == VALUE_OTHER && !value_is_collection(value)) {
    kinds = kinds_with(s, property);
    if (kinds == 0) kinds = ALL_KINDS;
  }
  Resolve r = { kinds, command, "object", NOWHERE, true };
  if (objects_resolve(s, &r, value, out, &missing) != OK) return FAILED;
  if (missing || out->len == 0)
    return log_error(s->log, "CMD-022", NOWHERE, "%s: '%s' is no object", command,
                     Tcl_GetString(value));
  return OK;
}

static Status one_value(Session *s, Args *a, Object o, PropertyValue *value, Tcl_Obj **made)
{
  const char *name = args_text(a, "property");
  const Property *row = property_find(s, o.type, name);
  if (row == NULL && args_flag(a, "-quiet")) {
    *made = Tcl_NewObj();
    return OK;
  }
  if (row == NULL) return property_unknown(s, o.type, name, NOWHERE);
  if (property_get(s, row, o, value) != OK) return FAILED;
  *made = property_tcl(s, value);
  return OK;
}

/* Points of paths are dictionaries that begin with pin and edge: scripts ask them for properties as
   if they were objects. */
static bool is_point(Tcl_Obj *value, int *count, Tcl_Obj ***at)
{
  bool is_other =
      value_is_collection(value) || (value->bytes && strncmp(value->bytes, "pin ", 4) != 0);
  if (is_other || Tcl_ListObjGetElements(NULL, value, count, at) != TCL_OK || *count < 4
      || *count % 2)
    return false;
  Tcl_Obj *first = (*at)[0], *second = (*at)[2];
  return first->bytes && second->bytes && strcmp(first->bytes, "pin") == 0
         && strcmp(second->bytes, "edge") == 0;
}

static Status point_property(Session *s, Args *a, int count, Tcl_Obj *const *at)
{
  const char *name = args_text(a, "property");
  for (int i = 0; i < count; i += 2)
    if (strcmp(Tcl_GetString(at[i]), name) == 0) {
      args_return(a, at[i + 1]);
      return OK;
    }
  if (args_flag(a, "-quiet")) return OK;
  return log_error(s->log, "CMD-040", NOWHERE, "a point of a path has no property %s", name);
}

static Status run_get_property(Session *s, Args *a)
{
  int words;
  Tcl_Obj **word;
  if (is_point(args_object(a, "object"), &words, &word)) return point_property(s, a, words, word);
  ObjectArray objects = { 0 };
  PropertyValue value = { 0 };
  Tcl_Obj *made = NULL;
  Status status = find_objects(s, a, "get_property", args_text(a, "property"), &objects);
  if (status == OK && objects.len == 1) {
    status = one_value(s, a, objects.at[0], &value, &made);
    if (status == OK) args_return(a, made);
  } else if (status == OK) {
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    args_return(a, list);
    for (uint32_t i = 0; i < objects.len && status == OK && !interrupt_seen(); i++) {
      status = one_value(s, a, objects.at[i], &value, &made);
      if (status == OK) Tcl_ListObjAppendElement(NULL, list, made);
    }
  }
  property_value_free(&value);
  array_free(&objects);
  return status;
}

/* --- report_property, list_properties --------------------------------------------------------- */

static const Option report_options[] = { { "objects", ARG_OBJECTS, .kinds = ALL_KINDS,
                                           .flags = OPT_REQUIRED, .help = "an object, or several" },
                                         { "properties", ARG_LIST,
                                           .help = "names of properties; default: all" },
                                         { 0 } };

typedef struct {
  Session *s;
  Args    *a;
  Object   object;
  PropertyValue value;
  Status   status;
} Report;

static void report_one(void *data, const Property *row)
{
  Report *report = data;
  if (report->status != OK) return;
  report->status = property_get(report->s, row, report->object, &report->value);
  if (report->status != OK) return;
  Text t = { 0 };
  if (row->kind == PROP_BOOL) text_put(&t, report->value.number != 0 ? "true" : "false");
  else property_text(report->s, &report->value, &t);
  args_print(report->a, "  %-22s %s\n", row->name, text_get(&t));
  text_free(&t);
}

static void report_named(Report *report, Tcl_Obj *list)
{
  int count;
  Tcl_Obj **names;
  Tcl_ListObjGetElements(NULL, list, &count, &names);
  for (int i = 0; i < count && report->status == OK; i++) {
    const Property *row = property_find(report->s, report->object.type, Tcl_GetString(names[i]));
    if (row) report_one(report, row);
    else
      report->status =
          property_unknown(report->s, report->object.type, Tcl_GetString(names[i]), NOWHERE);
  }
}

static Status run_report_property(Session *s, Args *a)
{
  uint32_t count;
  const Object *objects = args_objects(a, "objects", 0, &count);
  Report r = { .s = s, .a = a, .status = OK };
  for (uint32_t i = 0; i < count && r.status == OK && !interrupt_seen(); i++) {
    Text name = { 0 };
    r.object = objects[i];
    object_name(s, r.object, &name);
    args_print(a, "%s %s\n", object_type_name(r.object.type), text_get(&name));
    text_free(&name);
    if (args_given(a, "properties")) report_named(&r, args_object(a, "properties"));
    else property_each(s, r.object.type, report_one, &r);
  }
  property_value_free(&r.value);
  return r.status;
}

static const Option list_options[] = {
  { "type", ARG_ENUM, .value = TYPE_WORDS, .help = "type of objects; default: all types" }, { 0 } };

static void list_one(void *data, const Property *row)
{
  args_print(data, "  %-22s %-8s %s\n", row->name, property_kind_name(row->kind),
             row->help ? row->help : "");
}

static Status run_list_properties(Session *s, Args *a)
{
  uint32_t only = OBJ_NONE;
  if (args_given(a, "type") && object_type_option(s, args_text(a, "type"), &only) != OK)
    return FAILED;
  for (uint32_t type = OBJ_DESIGN; type < OBJ_TYPE_COUNT; type++) {
    if (only != OBJ_NONE && type != only) continue;
    args_print(a, "%s\n", object_type_name(type));
    property_each(s, type, list_one, a);
  }
  return OK;
}

/* --- properties of the user ------------------------------------------------------------------- */

static const Option define_options[] = {
  { "-object_type", ARG_ENUM, .value = TYPE_WORDS, .flags = OPT_REQUIRED,
    .help = "type of the objects with the property" },
  { "-type", ARG_ENUM, .value = "bool|boolean|float|double|int|string", .preset = "string",
    .help = "type of its values" },
  { "property", ARG_TEXT, .flags = OPT_REQUIRED, .help = "its name" },
  { 0 }
};

static Status run_define_property(Session *s, Args *a)
{
  static const PropertyKind kinds[] = { PROP_BOOL,   PROP_BOOL,   PROP_NUMBER,
                                        PROP_NUMBER, PROP_NUMBER, PROP_TEXT };
  uint32_t type;
  if (object_type_option(s, args_text(a, "-object_type"), &type) != OK) return FAILED;
  return user_property_define(s, type, args_text(a, "property"), kinds[args_enum(a, "-type")]);
}

static const Option set_options[] = {
  { "-object_type", ARG_ENUM, .value = TYPE_WORDS, .help =
      "type of an object that is given by its name" },
  { "-class", ARG_ENUM, .value = TYPE_WORDS, .flags = OPT_HIDDEN },
  { "object", ARG_TEXT, .flags = OPT_REQUIRED, .help = "an object or several" },
  { "property", ARG_TEXT, .flags = OPT_REQUIRED, .help = "name of the property" },
  { "value", ARG_TEXT, .flags = OPT_REQUIRED, .help = "its new value" }, { 0 } };

static Status run_set_property(Session *s, Args *a)
{
  ObjectArray objects = { 0 };
  Status status = find_objects(s, a, "set_property", args_text(a, "property"), &objects);
  if (interrupt_seen()) status = FAILED;
  interrupt_hold(true);
  for (uint32_t i = 0; i < objects.len && status == OK; i++)
    status = user_property_set(s, objects.at[i], args_text(a, "property"), args_text(a, "value"));
  interrupt_hold(false);
  array_free(&objects);
  return status;
}

const Command commands_property[] = {
  { "get_property", "properties", "value of a property of an object", get_options, run_get_property,
    0, NULL, "get_property [lindex [get_cells *] 0] ref_name\n" },
  { "get_attribute", "properties", "value of a property of an object", get_options,
    run_get_property, 0, "The same as get_property, under the name that other timers have.",
    "get_attribute [get_clocks *] period\n" },
  { "report_property", "properties", "table of an object's properties", report_options,
    run_report_property, CMD_REDIRECT, NULL,
    "report_property [lindex [get_cells *] 0] {name ref_name area}\n" },
  { "list_properties", "properties", "list the properties of objects", list_options,
    run_list_properties, CMD_REDIRECT | CMD_PROPERTIES, NULL, "list_properties clock\n" },
  { "define_property", "properties", "define a user property", define_options,
    run_define_property, CMD_CHANGES, NULL,
    "define_property -object_type cell -type string note\n" },
  { "set_property", "properties", "set a user property", set_options, run_set_property,
    CMD_READS, "A property that is not defined becomes a text property.",
    "set_property [lindex [get_cells *] 0] note checked\n" },
  { 0 }
};
