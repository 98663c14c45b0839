/* Commands of other timers for collections, which are Tcl lists of objects. */
#include <limits.h>
#include <string.h>

#include "base/expect.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/sort.h"
#include "tclbind/collection.h"
#include "tclbind/console.h"
#include "tclbind/filter.h"
#include "tclbind/handle.h"
#include "tclbind/object_value.h"
#include "tclbind/paths.h"
#include "tclbind/property.h"

/* --- elements --------------------------------------------------------------------------------- */

typedef struct {
  int       count;
  Tcl_Obj **at, *one;
} Elements;

/* An object alone is a collection of one, and so is a name.  Asked for its elements, Tcl would make
   of it a list of its text, also where it stands in other collections. */
static Status elements_of(Session *s, Tcl_Obj *value, const char *command, Elements *elements)
{
  if (value_is_object(value) || value_is_plain_name(value)) {
    elements->one = value;
    elements->at = &elements->one;
    elements->count = 1;
    return OK;
  }
  collection_settle(value);
  if (Tcl_ListObjGetElements(NULL, value, &elements->count, &elements->at) == TCL_OK) return OK;
  return log_error(s->log, "CMD-008", NOWHERE, "%s: '%s' is no list of objects", command,
                   Tcl_GetString(value));
}

/* Texts, each once.  Tcl's own hash tables grow and go in steps that Ctrl-C cannot end. */
typedef struct {
  Names *names;              /* NULL: none, or only the empty one */
  bool   has_empty;
} Texts;

static void texts_reserve(Texts *texts, uint32_t count)
{
  if (texts->names == NULL) texts->names = names_new();
  names_reserve(texts->names, count);
}

/* Returns false if it was there. */
static bool texts_add(Texts *texts, const char *text, size_t length)
{
  bool was_empty = texts->has_empty;
  texts->has_empty |= length == 0;
  if (length == 0) return !was_empty;
  if (texts->names == NULL) texts->names = names_new();
  uint32_t count = names_count(texts->names);
  names_add(texts->names, text, length);
  return names_count(texts->names) > count;
}

static bool texts_have(const Texts *texts, const char *text, size_t length)
{
  if (length == 0) return texts->has_empty;
  return texts->names && names_find(texts->names, text, length) != NO_NAME;
}

static bool is_empty(const Texts *texts) { return texts->names == NULL && !texts->has_empty; }

/* Which values a set holds: objects by type and id, everything else by its text.  Names of its
   objects are made once a text is looked for: an object of another type has that name too, but is
   another one. */
typedef struct {
  Session *s;
  Map     *objects;
  ObjectArray unnamed;       /* objects whose names are not among the texts yet */
  uint32_t room;             /* how many values are expected */
  Texts    texts, names;
} ValueSet;

static void set_init(ValueSet *set, Session *s, uint32_t room)
{
  *set = (ValueSet){ .s = s, .objects = map_new(), .room = room };
  map_reserve(set->objects, room);
}

static void set_free(ValueSet *set)
{
  map_free(set->objects);
  array_free(&set->unnamed);
  names_free(set->texts.names);
  names_free(set->names.names);
}

/* Returns false if it was there. */
static bool put_object(ValueSet *set, Object o)
{
  uint32_t count = map_count(set->objects);
  map_put(set->objects, hash_pair(o.type, o.id), 1);
  return map_count(set->objects) > count;
}

static void add_object(ValueSet *set, Object o)
{
  if (put_object(set, o)) array_push(&set->unnamed, o);
}

static bool add_text(ValueSet *set, Tcl_Obj *value)
{
  int length;
  const char *text = Tcl_GetStringFromObj(value, &length);
  if (is_empty(&set->texts)) texts_reserve(&set->texts, set->room);
  return texts_add(&set->texts, text, (size_t)length);
}

/* The object that the value is, or stands for as a bare name. */
static bool object_meant(Session *s, Tcl_Obj *value, ValueState *state, Object *object)
{
  *state = object_of_value(s, value, object);
  return *state == VALUE_OBJECT ||
         (*state == VALUE_OTHER && handle_of_name(s, Tcl_GetString(value), object));
}

static void set_add(ValueSet *set, Tcl_Obj *value)
{
  ValueState state;
  Object o;
  if (object_meant(set->s, value, &state, &o)) add_object(set, o);
  if (state != VALUE_OBJECT) add_text(set, value);
}

/* A bare name is the object that it stands for.  True when that was not in the set before. */
static bool set_add_once(ValueSet *set, Tcl_Obj *value)
{
  ValueState state;
  Object o;
  return object_meant(set->s, value, &state, &o) ? put_object(set, o) : add_text(set, value);
}

static void name_objects(ValueSet *set)
{
  Text t = { 0 };
  if (set->unnamed.len) texts_reserve(&set->names, set->unnamed.len);
  for (uint32_t i = 0; i < set->unnamed.len && !interrupt_seen(); i++) {
    text_clear(&t);
    object_name(set->s, set->unnamed.at[i], &t);
    texts_add(&set->names, text_get(&t), t.len);
  }
  array_clear(&set->unnamed);
  text_free(&t);
}

static bool has_name(const ValueSet *set, Object o)
{
  Text t = { 0 };
  if (is_empty(&set->texts)) return false;
  object_name(set->s, o, &t);
  bool has = texts_have(&set->texts, text_get(&t), t.len);
  text_free(&t);
  return has;
}

static bool has_text(const ValueSet *set, Tcl_Obj *value)
{
  int length;
  const char *text = Tcl_GetStringFromObj(value, &length);
  return texts_have(&set->texts, text, (size_t)length) ||
         texts_have(&set->names, text, (size_t)length);
}

/* An object is in the set by itself, or by a bare name that was added; a bare name by the object
   that it stands for, and also by any object's. */
static bool set_has(ValueSet *set, Tcl_Obj *value)
{
  ValueState state;
  Object o;
  bool is = object_meant(set->s, value, &state, &o);
  if (is && map_get(set->objects, hash_pair(o.type, o.id)) != MAP_NO_VALUE) return true;
  if (state == VALUE_OBJECT) return has_name(set, o);
  name_objects(set);
  return has_text(set, value);
}

/* A list of one object gets the object's plain name as its text; all others are plain lists. */
static void return_values(Session *s, Args *a, int count, Tcl_Obj *const values[])
{
  Object o;
  if (count == 1 && object_of_value(s, values[0], &o) == VALUE_OBJECT)
    args_return_objects(a, &o, 1);
  else args_return(a, Tcl_NewListObj(count, values));
}

/* --- foreach_in_collection -------------------------------------------------------------------- */

static const Option foreach_options[] = {
  { "variable", ARG_TEXT, .flags = OPT_REQUIRED, .help =
      "variable that is set to each object in turn" },
  { "collection", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "objects" },
  { "body", ARG_SCRIPT, .flags = OPT_REQUIRED, .help =
      "script that is evaluated for each object" }, { 0 } };

/* Leaves out Tcl's report of the words of the failed call, which would name every object.  The
   caller adds its own report. */
static Status run_foreach(Session *s, Args *a)
{
  Tcl_Interp *interp = console_of(s)->interp;
  Tcl_Obj *words[] = { Tcl_NewStringObj("::foreach", -1), args_object(a, "variable"),
                       collection_list(args_object(a, "collection")), args_object(a, "body") };
  Tcl_IncrRefCount(words[0]);
  Tcl_IncrRefCount(words[2]);
  args_set_code(a, Tcl_EvalObjv(interp, 4, words, TCL_EVAL_NOERR));
  Tcl_DecrRefCount(words[0]);
  Tcl_DecrRefCount(words[2]);
  return OK;
}

/* --- sizes and parts -------------------------------------------------------------------------- */

static const Option one_collection[] = {
  { "collection", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "objects" }, { 0 } };

static Status run_sizeof(Session *s, Args *a)
{
  Elements e;
  Tcl_Obj *value = args_object(a, "collection");
  if (collection_is_view(value)) e.count = (int)collection_view_count(value);
  else if (elements_of(s, value, "sizeof_collection", &e) != OK) return FAILED;
  args_return(a, Tcl_NewIntObj(e.count));
  return OK;
}

static Status run_copy(Session *s, Args *a)
{
  Elements e;
  Tcl_Obj *value = args_object(a, "collection");
  if (!collection_is_view(value) && elements_of(s, value, "copy_collection", &e) != OK)
    return FAILED;
  if (!collection_is_view(value) && e.count == 1) return_values(s, a, e.count, e.at);
  else args_return(a, value);      /* values never change: one serves all */
  return OK;
}

static const Option index_options[] = {
  { "collection", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "objects" },
  { "first", ARG_INT, .flags = OPT_REQUIRED, .help = "index from 0" },
  { "last", ARG_INT, .help = "index of the last object" }, { 0 } };

static Status run_index(Session *s, Args *a)
{
  Elements e;
  Tcl_Obj *value = args_object(a, "collection"), *one;
  /* of others a list is made */
  bool single = collection_is_view(value) && !args_given(a, "last");
  if (single) e.count = (int)collection_view_count(value);
  else if (elements_of(s, value, "index_collection", &e) != OK) return FAILED;
  int first = args_int(a, "first"), last = args_given(a, "last") ? args_int(a, "last") : first;
  if (first < 0 || last < first || last >= e.count)
    return log_error(s->log, "CMD-031", NOWHERE,
                     "index_collection: %d to %d is not within the %d objects", first, last,
                     e.count);
  if (single) one = collection_view_at(console_of(s), value, (uint32_t)first);
  return_values(s, a, last - first + 1, single ? &one : e.at + first);
  return OK;
}

/* --- adding and removing ---------------------------------------------------------------------- */

/* Asks for the slots of objects some places ahead, because each waits for memory. */
static void expect_slot(const ValueSet *set, const Elements *elements, int at)
{
  enum { AHEAD = 12 };
  if (at + AHEAD >= elements->count || !value_is_object(elements->at[at + AHEAD])) return;
  map_expect(set->objects, value_key(elements->at[at + AHEAD]));
}

static void add_values(ValueSet *set, bool unique, const Elements *elements, Tcl_Obj *list)
{
  if (!unique) Tcl_ListObjReplace(NULL, list, INT_MAX, 0, elements->count, elements->at);
  for (int i = 0; unique && i < elements->count && !interrupt_seen(); i++) {
    objects_expect(set->s, elements->at, elements->count, i);
    expect_slot(set, elements, i);
    if (set_add_once(set, elements->at[i])) Tcl_ListObjAppendElement(NULL, list, elements->at[i]);
  }
}

/* A list of one object gets the object's plain name as its text. */
static Tcl_Obj *plain_value(Session *s, Tcl_Obj *list)
{
  Object o;
  int count;
  Tcl_Obj **at;
  if (Tcl_ListObjGetElements(NULL, list, &count, &at) != TCL_OK || count != 1) return list;
  if (object_of_value(s, at[0], &o) != VALUE_OBJECT) return list;
  Tcl_Obj *value = collection_value(s, &o, 1);
  Tcl_IncrRefCount(list);
  Tcl_DecrRefCount(list);
  return value;
}

static Tcl_Obj *joined(Session *s, const Elements *base, const Elements *more, bool unique)
{
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  ValueSet set;
  set_init(&set, s, unique ? (uint32_t)base->count + (uint32_t)more->count : 0);
  add_values(&set, unique, base, list);
  add_values(&set, unique, more, list);
  set_free(&set);
  return list;
}

#define ROW_UNIQUE { "-unique", ARG_FLAG, .help = "keep each object once" }

static const Option add_options[] = {
  ROW_UNIQUE,
  { "base", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "collection to start from" },
  { "objects", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "objects to add" }, { 0 } };

/* A view stays one. */
static Status count_of(Session *s, Tcl_Obj *value, const char *command, int *count)
{
  Elements e = { 0 };
  Status status = OK;
  if (collection_is_view(value)) e.count = (int)collection_view_count(value);
  else status = elements_of(s, value, command, &e);
  *count = e.count;
  return status;
}

static Tcl_Obj *added_behind(Session *s, Args *a, Tcl_Obj *base, Tcl_Obj *objects)
{
  Elements more;
  if (elements_of(s, objects, args_command(a), &more) != OK) return NULL;
  return collection_add(console_of(s), base, more.count, more.at, args_flag(a, "-unique"));
}

/* The base comes before the larger one. */
static Tcl_Obj *added_before(Session *s, Args *a, Tcl_Obj *base, Tcl_Obj *objects)
{
  Elements more;
  if (elements_of(s, base, args_command(a), &more) != OK) return NULL;
  return collection_add_before(console_of(s), objects, more.count, more.at,
                               args_flag(a, "-unique"));
}

/* Returns the base with more items; NULL: one of them is no list. */
static Tcl_Obj *added(Session *s, Args *a, Tcl_Obj *base, Tcl_Obj *objects)
{
  const char *command = args_command(a);
  int before, behind;
  Elements more, all;
  if (count_of(s, objects, command, &behind) != OK) return NULL;
  if (count_of(s, base, command, &before) != OK) return NULL;
  bool at_front = behind > before;
  Tcl_Obj *value = at_front ? added_before(s, a, base, objects) : NULL;
  bool grows = !at_front || collection_grows(console_of(s), base);
  if (value == NULL && grows) value = added_behind(s, a, base, objects);
  if (value == NULL) {
    if (elements_of(s, base, command, &all) != OK) return NULL;
    if (elements_of(s, objects, command, &more) != OK) return NULL;
    value = plain_value(s, joined(s, &all, &more, args_flag(a, "-unique")));
  }
  collection_step(console_of(s), at_front ? objects : base, value);
  return value;
}

static Status run_add(Session *s, Args *a)
{
  Tcl_Obj *value = added(s, a, args_object(a, "base"), args_object(a, "objects"));
  if (value == NULL) return FAILED;
  args_return(a, value);
  return OK;
}

static const Option append_options[] = {
  ROW_UNIQUE,
  { "variable", ARG_TEXT, .flags = OPT_REQUIRED,
    .help = "name of a variable that holds a collection, or is not set yet" },
  { "objects", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "objects to add" },
  { 0 }
};

/* Appends to a list that the variable alone holds. It grows in place, so that a loop of appends is
   linear. Returns NULL after an interrupt; the list has not grown then. */
static Tcl_Obj *appended(Session *s, Args *a, Tcl_Obj *list)
{
  Elements base, more;
  if (elements_of(s, args_object(a, "objects"), args_command(a), &more) != OK) return NULL;
  if (elements_of(s, list, args_command(a), &base) != OK) return NULL;
  if (interrupt_seen()) return NULL;           /* items may be missing */
  for (int i = 0; i < more.count; i++) Tcl_ListObjAppendElement(NULL, list, more.at[i]);
  return list;
}

static Status run_append(Session *s, Args *a)
{
  Tcl_Interp *interp = console_of(s)->interp;
  Tcl_Obj *name = args_object(a, "variable"), *value = Tcl_ObjGetVar2(interp, name, NULL, 0);
  Tcl_Obj *apart = value ? names_apart(value) : Tcl_NewListObj(0, NULL);
  Tcl_Obj *base = apart ? apart : value, *result;
  bool steps = args_flag(a, "-unique") || collection_is_view(base)
               || collection_was_searched(console_of(s), base)
               || (value && Tcl_IsShared(base));      /* by another variable: not copied */
  if (value == NULL) Tcl_IncrRefCount(base);
  result = steps ? added(s, a, base, args_object(a, "objects")) : appended(s, a, base);
  if (result) Tcl_IncrRefCount(result);
  if (apart) Tcl_DecrRefCount(apart);
  if (result == NULL) return FAILED;
  if (steps && interrupt_seen()) {   /* items may be missing */
    Tcl_DecrRefCount(result);
    return FAILED;
  }
  Tcl_Obj *set = Tcl_ObjSetVar2(interp, name, NULL, result, TCL_LEAVE_ERR_MSG);
  Tcl_DecrRefCount(result);
  if (set == NULL) args_set_code(a, TCL_ERROR);
  else args_return(a, set);
  return OK;
}

static const Option remove_options[] = {
  { "-intersect", ARG_FLAG, .help = "keep only objects that are in both collections" },
  { "base", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "collection to start from" },
  { "objects", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "objects to remove" },
  { 0 }
};

static Tcl_Obj *left_of(Session *s, const Elements *base, const Elements *gone, bool intersect)
{
  ValueSet set;
  set_init(&set, s, (uint32_t)gone->count);
  for (int i = 0; i < gone->count && !interrupt_seen(); i++) {
    objects_expect(s, gone->at, gone->count, i);
    expect_slot(&set, gone, i);
    set_add(&set, gone->at[i]);
  }
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  for (int i = 0; i < base->count && !interrupt_seen(); i++) {
    objects_expect(s, base->at, base->count, i);
    expect_slot(&set, base, i);
    if (set_has(&set, base->at[i]) == intersect) Tcl_ListObjAppendElement(NULL, list, base->at[i]);
  }
  set_free(&set);
  return plain_value(s, list);
}

/* Without making a list of the base; NULL: it must be one. */
static Tcl_Obj *removed(Session *s, Args *a, Tcl_Obj *base, Tcl_Obj *objects)
{
  Elements gone;
  Console *console = console_of(s);
  if (elements_of(s, objects, args_command(a), &gone) != OK) return NULL;
  if (!args_flag(a, "-intersect")) return collection_remove(console, base, gone.count, gone.at);
  Tcl_Obj *list = collection_intersect(console, base, gone.count, gone.at);
  return list ? plain_value(s, list) : NULL;
}

/* If the base is the smaller one, its objects are looked for among the others. */
static Tcl_Obj *sifted(Session *s, Args *a, Tcl_Obj *base, Tcl_Obj *objects)
{
  Elements few;
  if (elements_of(s, base, args_command(a), &few) != OK) return NULL;
  Tcl_Obj *list = collection_sift(console_of(s), objects, few.count, few.at,
                                  args_flag(a, "-intersect"));
  return list ? plain_value(s, list) : NULL;
}

static Status run_remove(Session *s, Args *a)
{
  Elements all, gone;
  int before, taken;
  Tcl_Obj *base = args_object(a, "base"), *objects = args_object(a, "objects");
  bool intersect = args_flag(a, "-intersect");
  if (count_of(s, objects, "remove_from_collection", &taken) != OK) return FAILED;
  if (count_of(s, base, "remove_from_collection", &before) != OK) return FAILED;
  Tcl_Obj *value = taken > before ? sifted(s, a, base, objects) : removed(s, a, base, objects);
  if (value == NULL) {
    if (elements_of(s, base, "remove_from_collection", &all) != OK) return FAILED;
    if (elements_of(s, objects, "remove_from_collection", &gone) != OK) return FAILED;
    value = left_of(s, &all, &gone, intersect);
  }
  if (!intersect) collection_step(console_of(s), base, value);
  args_return(a, value);
  return OK;
}

/* --- comparing -------------------------------------------------------------------------------- */

static const Option compare_options[] = {
  { "-order_independent", ARG_FLAG, .help = "ignore the order; each object must occur equally "
                                            "often" },
  { "first", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "a collection" },
  { "second", ARG_TEXT, .flags = OPT_REQUIRED | OPT_NAMES, .help = "another" }, { 0 } };

/* The identity of a value: type and id of an object, or a text.  For an object compared by name, it
   is the name. */
typedef struct {
  bool   is_object;
  Object object;
  char  *text;
} Ranked;

static int by_rank(const void *pa, const void *pb)
{
  const Ranked *a = pa, *b = pb;
  if (a->is_object != b->is_object) return a->is_object ? -1 : 1;
  if (!a->is_object) return strcmp(a->text, b->text);
  if (a->object.type != b->object.type) return a->object.type < b->object.type ? -1 : 1;
  return a->object.id < b->object.id ? -1 : a->object.id > b->object.id;
}

static bool all_objects(Session *s, const Elements *elements)
{
  Object o;
  for (int i = 0; i < elements->count && !interrupt_seen(); i++)
    if (object_of_value(s, elements->at[i], &o) != VALUE_OBJECT) return false;
  return true;
}

static char *name_of_value(Session *s, Tcl_Obj *value)
{
  Text t = { 0 };
  Object o;
  if (object_of_value(s, value, &o) == VALUE_OBJECT) object_name(s, o, &t);
  else text_put(&t, Tcl_GetString(value));
  char *name = mem_text(text_get(&t), t.len);
  text_free(&t);
  return name;
}

static Ranked *ranked(Session *s, const Elements *elements, bool as_objects)
{
  Ranked *the_ranked = mem_alloc_zero((size_t)elements->count + 1, sizeof *the_ranked);
  for (int i = 0; i < elements->count && !interrupt_seen(); i++) {
    the_ranked[i].is_object =
        as_objects && object_of_value(s, elements->at[i], &the_ranked[i].object) == VALUE_OBJECT;
    if (!the_ranked[i].is_object) the_ranked[i].text = name_of_value(s, elements->at[i]);
  }
  return the_ranked;
}

static void ranked_free(Ranked *ranked, int count)
{
  for (int i = 0; i < count; i++) mem_free(ranked[i].text);
  mem_free(ranked);
}

/* If one of them has bare names, both are compared by name. */
static bool same_values(Session *s, const Elements *a, const Elements *b, bool any_order)
{
  if (a->count != b->count) return false;
  if (a->at == b->at) return true;
  bool as_objects = all_objects(s, a) && all_objects(s, b), same = true;
  Ranked *x = ranked(s, a, as_objects), *y = ranked(s, b, as_objects);
  bool whole = !interrupt_seen();
  if (any_order && whole)
    whole = sort_items(x, (size_t)a->count, sizeof *x, by_rank)
            && sort_items(y, (size_t)b->count, sizeof *y, by_rank);
  for (int i = 0; i < a->count && same && whole; i++) same = by_rank(&x[i], &y[i]) == 0;
  ranked_free(x, a->count);
  ranked_free(y, b->count);
  return same;
}

static Status run_compare(Session *s, Args *a)
{
  Elements x, y;
  if (elements_of(s, args_object(a, "first"), "compare_collections", &x) != OK) return FAILED;
  if (elements_of(s, args_object(a, "second"), "compare_collections", &y) != OK) return FAILED;
  args_return(a, Tcl_NewIntObj(!same_values(s, &x, &y, args_flag(a, "-order_independent"))));
  return OK;
}

/* --- filter and sort -------------------------------------------------------------------------- */

enum { ALL_KINDS = (1u << OBJ_TYPE_COUNT) - 2 };

static const Option filter_options[] = {
  { "-regexp", ARG_FLAG, .help = "=~ and !~ match regular expressions with whole texts" },
  { "-nocase", ARG_FLAG, .help = "=~ and !~ ignore case" },
  { "collection", ARG_OBJECTS, .kinds = ALL_KINDS, .flags = OPT_REQUIRED | OPT_PATTERNS,
    .help = "objects" },
  { "expression", ARG_TEXT, .flags = OPT_REQUIRED,
    .help = "over properties, as in -filter of get_cells" },
  { 0 }
};

static Status run_filter(Session *s, Args *a)
{
  ObjectArray objects = { 0 };
  uint32_t count;
  const Object *given = args_objects(a, "collection", 0, &count);
  for (uint32_t i = 0; i < count; i++) array_push(&objects, given[i]);
  FilterUse use = { .command = "filter_collection", .where = args_where(a) };
  use.flags = (args_flag(a, "-regexp") ? FILTER_REGEXP : 0) |
    (args_flag(a, "-nocase") ? FILTER_NOCASE : 0);
  for (uint32_t i = 0; i < count; i++) use.kinds |= OBJ_BIT(given[i].type);
  if (count == 0) use.kinds = ALL_KINDS;
  Filter *filter = filter_new(s, args_text(a, "expression"), &use);
  Status status = filter ? filter_objects(filter, &objects) : FAILED;
  filter_free(filter);
  if (status == OK) args_return_objects(a, objects.at, objects.len);
  array_free(&objects);
  return status;
}

static const Option sort_options[] = {
  { "-descending", ARG_FLAG, .help = "largest first" },
  { "-dictionary", ARG_FLAG, .help = "sort u2 before u10; this is always done" },
  { "-limit", ARG_INT, .value = "N", .help = "keep only the first N objects", AT_LEAST(1) },
  { "collection", ARG_OBJECTS, .kinds = ALL_KINDS, .flags = OPT_REQUIRED | OPT_PATTERNS,
    .help = "objects" },
  { "criteria", ARG_LIST, .flags = OPT_REQUIRED, .help = "properties, the most important first" },
  { 0 }
};

/* One object's values of the criteria; numbers sort before texts. */
typedef struct {
  Object   object;
  uint32_t place;
  bool     is_number;
  double   number;
  char    *text;
} SortRow;

static int compare_rows(const void *x, const void *y)
{
  const SortRow *a = x, *b = y;
  int order;
  if (a->is_number && b->is_number) order = a->number < b->number ? -1 : a->number > b->number;
  else if (a->is_number != b->is_number) order = a->is_number ? -1 : 1;
  else order = text_compare_natural(a->text, b->text);
  return order ? order : a->place < b->place ? -1 : 1;
}

static int compare_rows_down(const void *x, const void *y)
{
  const SortRow *a = x, *b = y;
  int order = compare_rows(x, y);
  bool tie = a->is_number == b->is_number
             && (a->is_number ? a->number == b->number : strcmp(a->text, b->text) == 0);
  return tie ? order : -order;
}

/* One criterion: its row of properties, looked up once a type. */
typedef struct {
  const char     *name;
  const Property *rows[OBJ_TYPE_COUNT];
  PropertyValue   value;
} Criterion;

static Status fill_row(Session *s, Criterion *criterion, SortRow *row)
{
  const Property **property = &criterion->rows[row->object.type];
  PropertyValue *value = &criterion->value;
  if (*property == NULL) *property = property_find(s, row->object.type, criterion->name);
  if (*property == NULL) return property_unknown(s, row->object.type, criterion->name, NOWHERE);
  if (property_get(s, *property, row->object, value) != OK) return FAILED;
  row->is_number =
      !value->missing
      && (value->kind == PROP_BOOL || value->kind == PROP_INT || value->kind == PROP_NUMBER);
  row->number = value->number;
  if (row->is_number) return OK;
  Text t = { 0 };
  property_text(s, value, &t);
  row->text = mem_text(text_get(&t), t.len);
  text_free(&t);
  return OK;
}

/* One stable pass for each criterion, the least important first. */
static Status sort_by(Session *s, const char *name, bool descending, uint32_t count, SortRow *rows)
{
  Criterion criterion = { .name = name };
  Status status = OK;
  for (uint32_t i = 0; i < count && status == OK && !interrupt_seen(); i++) {
    rows[i].place = i;
    status = fill_row(s, &criterion, &rows[i]);
  }
  if (interrupt_seen()) status = FAILED;
  int (*compare)(const void *, const void *) = descending ? compare_rows_down : compare_rows;
  if (status == OK && !sort_items(rows, count, sizeof *rows, compare)) status = FAILED;
  for (uint32_t i = 0; i < count; i++) {
    mem_free(rows[i].text);
    rows[i].text = NULL;
  }
  property_value_free(&criterion.value);
  return status;
}

static Status run_sort(Session *s, Args *a)
{
  uint32_t count;
  Elements criteria;
  const Object *given = args_objects(a, "collection", 0, &count);
  if (elements_of(s, args_object(a, "criteria"), "sort_collection", &criteria) != OK) return FAILED;
  SortRow *rows = mem_alloc_zero((size_t)count + 1, sizeof *rows);
  for (uint32_t i = 0; i < count; i++) rows[i].object = given[i];
  Status status = OK;
  for (int k = criteria.count - 1; k >= 0 && status == OK; k--)
    status = sort_by(s, Tcl_GetString(criteria.at[k]), args_flag(a, "-descending"), count, rows);
  ObjectArray sorted = { 0 };
  if (args_given(a, "-limit") && (uint32_t)args_int(a, "-limit") < count)
    count = (uint32_t)args_int(a, "-limit");
  for (uint32_t i = 0; i < count; i++) array_push(&sorted, rows[i].object);
  if (status == OK) args_return_objects(a, sorted.at, sorted.len);
  array_free(&sorted);
  mem_free(rows);
  return status;
}

/* --- names ------------------------------------------------------------------------------------ */

static const Option name_options[] = { { "objects", ARG_OBJECTS, .kinds = ALL_KINDS,
                                         .flags = OPT_REQUIRED, .help =
                                             "an object or a collection" },
                                       { 0 } };

static Status names_of(Session *s, Args *a, void (*name)(const Session *, Object, Text *))
{
  uint32_t count;
  const Object *objects = args_objects(a, "objects", 0, &count);
  Tcl_Obj *list = count == 1 ? NULL : Tcl_NewListObj(0, NULL);
  Text t = { 0 };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    text_clear(&t);
    name(s, objects[i], &t);
    if (objects[i].type == OBJ_PATH) path_store_hold(s, objects[i].id);
    Tcl_Obj *one = Tcl_NewStringObj(text_get(&t), (int)t.len);
    if (list) Tcl_ListObjAppendElement(NULL, list, one);
    else list = one;
  }
  text_free(&t);
  args_return(a, list ? list : Tcl_NewObj());      /* NULL: interrupted before the only one */
  return OK;
}

static const Option show_options[] = {
  { "-verbose", ARG_FLAG, .help = "show the type of each object" },
  { "-truncate", ARG_INT, .value = "N", .preset = "100",
    .help = "show at most N objects and the number of the others; 0 shows all", AT_LEAST(0) },
  { "objects", ARG_OBJECTS, .kinds = ALL_KINDS, .flags = OPT_REQUIRED | OPT_PATTERNS,
    .help = "objects, or their names" },
  { 0 }
};

static Status run_show(Session *s, Args *a)
{
  uint32_t count, most = (uint32_t)args_int(a, "-truncate");
  const Object *objects = args_objects(a, "objects", 0, &count);
  Text t = { 0 };
  text_char(&t, '{');
  for (uint32_t i = 0; i < count && (most == 0 || i < most); i++) {
    if (i) text_char(&t, ' ');
    if (args_flag(a, "-verbose")) text_printf(&t, "%s:", object_type_name(objects[i].type));
    object_name(s, objects[i], &t);
  }
  if (most && count > most) text_printf(&t, " ... (%u more)", count - most);
  text_put(&t, "}\n");
  args_write(a, text_get(&t), t.len);
  text_free(&t);
  return OK;
}

static Status run_full_name(Session *s, Args *a) { return names_of(s, a, object_name); }
static Status run_name(Session *s, Args *a) { return names_of(s, a, object_base_name); }

const Command commands_collection[] = {
  { "get_full_name", "queries", "full name of an object", name_options, run_full_name, 0, NULL,
    "get_full_name [get_clocks *]\n" },
  { "get_object_name", "queries", "full name of an object", name_options, run_full_name, 0, NULL,
    "get_object_name [get_clocks *]\n" },
  { "get_name", "queries", "name of an object without the path to it", name_options, run_name, 0,
    NULL, "get_name [lindex [get_pins */*] 0]\n" },
  { "foreach_in_collection", "collections", "evaluate a script for each object", foreach_options,
    run_foreach, 0,
    "Collections are Tcl lists of objects, so foreach works too.  The text of an object is its "
    "name if the name alone stands for it, else its kind and name: port:clk if the port leads to "
    "clock pins or if there is also a clock clk.  Every command accepts such a text for the "
    "object; get_object_name returns names.",
    "foreach_in_collection c [get_cells *] { get_property $c ref_name }\n" },
  { "sizeof_collection", "collections", "number of objects", one_collection, run_sizeof, 0, NULL,
    "sizeof_collection [get_cells *]\n" },
  { "copy_collection", "collections", "a copy of a collection", one_collection, run_copy, 0, NULL,
    "copy_collection [all_inputs]\n" },
  { "index_collection", "collections", "one object or a range of a collection", index_options,
    run_index, 0, NULL, "index_collection [get_cells *] 0\n" },
  { "add_to_collection", "collections", "a collection with more objects", add_options, run_add, 0,
    NULL, "add_to_collection -unique [all_inputs] [all_outputs]\n" },
  { "append_to_collection", "collections", "add objects to the collection in a variable",
    append_options, run_append, CMD_READS, NULL, "append_to_collection mine [all_inputs]\n" },
  { "remove_from_collection", "collections", "a collection without some objects", remove_options,
    run_remove, 0, NULL, "remove_from_collection [all_inputs] [get_ports -quiet clk*]\n" },
  { "compare_collections", "collections", "compare two collections: 0 if they have the same "
                                          "objects, else 1",
    compare_options, run_compare, 0, NULL,
    "compare_collections -order_independent [all_inputs] [get_ports -filter direction==input "
    "*]\n" },
  { "query_objects", "collections", "show the names of objects", show_options, run_show,
    CMD_REDIRECT, NULL, "query_objects [all_inputs]\n" },
  { "filter_collection", "collections", "the objects for which an expression is "
                                        "true", filter_options,
    run_filter, 0,
    "The expression compares properties with ==, !=, <, <=, >, >= (numbers as numbers, texts in "
    "natural order), and with =~ and !~ (a glob pattern, or with -regexp a regular expression "
    "for the whole text).  Comparisons are joined by &&, || and !, and grouped by parentheses.  "
    "A property alone is true if its value is true.  defined(name) and undefined(name) test "
    "whether an object has a value.",
    "filter_collection [get_cells *] {is_sequential}\n" },
  { "sort_collection", "collections", "a collection sorted by properties", sort_options,
    run_sort, 0, "Numbers come before texts. Objects with equal values keep their order.",
    "sort_collection [get_cells *] {ref_name full_name}\n" },
  { 0 }
};
