/* The Tcl type of objects: their internal representation, their text, stale objects, and the
   conversion of values to objects. */
#include "tclbind/object_value.h"

#include <string.h>

#include "base/expect.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/processors.h"
#include "tclbind/collection.h"
#include "tclbind/handle.h"
#include "tclbind/match.h"
#include "tclbind/paths.h"

struct ObjectRef {
  Session *session;       /* NULL: gone */
  size_t   users;         /* values, and the session itself */
  ModeId   mode;          /* mode of a clock, because its id belongs to a mode; otherwise NO_MODE */
  void   (*gone)(void *data);   /* told when the last value goes; NULL */
  void    *data;
};

ObjectRef *object_ref_new(Session *s)
{
  ObjectRef *ref = mem_alloc_zero(1, sizeof *ref);
  *ref = (ObjectRef){ s, 1, NO_MODE, NULL, NULL };
  return ref;
}

ObjectRef *object_ref_counted(Session *s, void (*gone)(void *data), void *data)
{
  ObjectRef *ref = mem_alloc_zero(1, sizeof *ref);
  *ref = (ObjectRef){ s, 0, NO_MODE, gone, data };
  return ref;
}

void object_ref_cut(ObjectRef *ref)
{
  ref->session = NULL;
  ref->gone = NULL;
  if (ref->users == 0) mem_free(ref);
}

static void unref(ObjectRef *ref)
{
  if (--ref->users) return;
  if (ref->gone) ref->gone(ref->data);
  mem_free(ref);
}

void object_ref_hold(ObjectRef *ref) { ref->users++; }
void object_ref_drop(ObjectRef *ref) { unref(ref); }

void object_ref_end(ObjectRef *ref)
{
  ref->session = NULL;
  unref(ref);
}

/* --- the Tcl type --------------------------------------------------------------------------------

   twoPtrValue.ptr1 is type << 32 | id, ptr2 the ObjectRef. */

_Static_assert(sizeof(void *) == 8, "an object's type and id share a pointer");

static void free_object(Tcl_Obj *value) { unref(value->internalRep.twoPtrValue.ptr2); }

static const Tcl_ObjType slobject;

static void duplicate_object(Tcl_Obj *from, Tcl_Obj *to)
{
  ObjectRef *ref = from->internalRep.twoPtrValue.ptr2;
  ref->users++;
  to->internalRep.twoPtrValue = from->internalRep.twoPtrValue;
  to->typePtr = &slobject;
}

static Object object_in(const Tcl_Obj *value)
{
  uint64_t packed = (uint64_t)(uintptr_t)value->internalRep.twoPtrValue.ptr1;
  return (Object){ (uint32_t)(packed >> 32), (uint32_t)packed };
}

static void set_text(Tcl_Obj *value, const Text *text)
{
  value->bytes = ckalloc((unsigned)text->len + 1);
  memcpy(value->bytes, text_get(text), text->len + 1);
  value->length = (int)text->len;
}

static const Clock *clock_of_ref(const ObjectRef *ref, ClockId id)
{
  const Constraints *c = ref->session->scenarios->modes.at[ref->mode].constraints;
  return c && id < c->clocks.len ? &c->clocks.at[id] : NULL;
}

static void name_object(Tcl_Obj *value)
{
  ObjectRef *ref = value->internalRep.twoPtrValue.ptr2;
  Object o = object_in(value);
  Text t = { 0 };
  const Clock *clock = ref->session && o.type == OBJ_CLOCK ? clock_of_ref(ref, o.id) : NULL;
  if (clock) handle_clock_text(ref->session, clock->name, &t);
  else if (ref->session) handle_text(ref->session, o, &t);
  else text_printf(&t, "(stale %s)", object_type_name(o.type));
  if (ref->session && o.type == OBJ_PATH) path_store_hold(ref->session, o.id);
  set_text(value, &t);
  text_free(&t);
}

static const Tcl_ObjType slobject = { "slobject", free_object, duplicate_object, name_object,
                                      NULL };

static bool is_of_library(Object o)
{
  return o.type == OBJ_LIB || o.type == OBJ_LIB_CELL || o.type == OBJ_LIB_PIN;
}

static ObjectRef *clock_ref(Session *s)
{
  while (s->clock_refs.len <= s->mode) array_push(&s->clock_refs, NULL);
  if (s->clock_refs.at[s->mode] == NULL) s->clock_refs.at[s->mode] = object_ref_new(s);
  s->clock_refs.at[s->mode]->mode = s->mode;
  return s->clock_refs.at[s->mode];
}

static ObjectRef *ref_for(Session *s, Object o)
{
  ObjectRef *ref = o.type == OBJ_PATH ? path_store_ref(s, o.id) : NULL;
  if (ref) return ref;
  return is_of_library(o) ? s->library_ref : o.type == OBJ_CLOCK ? clock_ref(s) : s->design_ref;
}

Tcl_Obj *object_value(Session *s, Object o)
{
  Tcl_Obj *value = Tcl_NewObj();
  ObjectRef *ref = ref_for(s, o);
  ref->users++;
  Tcl_InvalidateStringRep(value);
  value->typePtr = &slobject;
  value->internalRep.twoPtrValue.ptr1 = (void *)(uintptr_t)((uint64_t)o.type << 32 | o.id);
  value->internalRep.twoPtrValue.ptr2 = ref;
  return value;
}

/* Would Tcl quote the name as a list's element although it reads back as itself unquoted? */
static bool is_plain_in_brackets(const char *name)
{
  return strpbrk(name, "[]$;") && !strpbrk(name, " \t\r\n\v\f\\\"{}") && *name != '#';
}

Tcl_Obj *collection_value(Session *s, const Object *objects, uint32_t count)
{
  Tcl_Obj **elements = mem_alloc(((size_t)count + 1) * sizeof *elements);
  for (uint32_t i = 0; i < count; i++) {
    if (interrupt_seen()) count = i;      /* no command returns it then */
    else elements[i] = object_value(s, objects[i]);
  }
  Tcl_Obj *list = Tcl_NewListObj((int)count, elements);
  mem_free(elements);
  if (count == 1) {
    Text t = { 0 };
    object_name(s, objects[0], &t);
    bool plain = is_plain_in_brackets(text_get(&t));
    text_clear(&t);
    if (plain) {
      handle_text(s, objects[0], &t);
      Tcl_InvalidateStringRep(list);
      set_text(list, &t);
    }
    text_free(&t);
  }
  return list;
}

static bool is_list(const Tcl_Obj *value)
{
  return value->typePtr && strcmp(value->typePtr->name, "list") == 0;
}

bool value_is_object(const Tcl_Obj *value) { return value->typePtr == &slobject; }

uint64_t value_key(const Tcl_Obj *object)
{
  Object o = object_in(object);
  return hash_pair(o.type, o.id);
}

bool value_is_collection(Tcl_Obj *value)
{
  if (value->typePtr == &slobject || collection_is_view(value)) return true;
  if (!is_list(value)) return false;
  int count;
  Tcl_Obj **elements;
  Tcl_ListObjGetElements(NULL, value, &count, &elements);
  return count > 0 && elements[0]->typePtr == &slobject;
}

bool value_is_several(Tcl_Obj *value)
{
  int count;
  if (value_is_collection(value)) return true;
  return is_list(value) && value->bytes == NULL &&
         Tcl_ListObjLength(NULL, value, &count) == TCL_OK && count > 1;
}

/* A value that passed through string operations has only its text.  Dictionaries are not
   objects. */
static ValueState object_of_text(Session *s, Tcl_Obj *value, Object *object)
{
  const Tcl_ObjType *type = value->typePtr;
  bool is_text = value->bytes || type == NULL || strcmp(type->name, "string") == 0;
  return is_text ? handle_object(s, Tcl_GetString(value), object) : VALUE_OTHER;
}

ValueState object_of_value(Session *s, Tcl_Obj *value, Object *object)
{
  if (value->typePtr != &slobject && is_list(value)) {
    int count;
    Tcl_Obj **elements;
    Tcl_ListObjGetElements(NULL, value, &count, &elements);
    if (count != 1) return VALUE_OTHER;
    value = elements[0];
  }
  if (value->typePtr != &slobject) return object_of_text(s, value, object);
  *object = object_in(value);
  ObjectRef *ref = value->internalRep.twoPtrValue.ptr2;
  if (object->type == OBJ_CLOCK && ref->session == s && ref->mode != s->mode) {
    /* found in another mode: the clock of its name in this one */
    const Clock *clock = clock_of_ref(ref, object->id);
    object->id =
        clock && s->constraints ? constraints_find_clock(s->constraints, clock->name) : NO_CLOCK;
    return object->id == NO_CLOCK ? VALUE_STALE : VALUE_OBJECT;
  }
  return ref->session == s && object_is_alive(s, *object) ? VALUE_OBJECT : VALUE_STALE;
}

/* --- types and names -------------------------------------------------------------------------- */

static const char *const type_names[OBJ_TYPE_COUNT] = {
  [OBJ_NONE] = "object",     [OBJ_DESIGN] = "design",  [OBJ_PORT] = "port",
  [OBJ_PIN] = "pin",         [OBJ_CELL] = "cell",      [OBJ_NET] = "net",
  [OBJ_CLOCK] = "clock",     [OBJ_LIB] = "library",    [OBJ_LIB_CELL] = "lib_cell",
  [OBJ_LIB_PIN] = "lib_pin", [OBJ_ARC] = "timing_arc", [OBJ_PATH] = "timing_path",
  [OBJ_MODE] = "mode",       [OBJ_CORNER] = "corner",  [OBJ_SCENARIO] = "scenario"
};

static const struct {
  const char *name;
  uint32_t    type;
} other_type_names[] = { { "instance", OBJ_CELL },        { "lib", OBJ_LIB },
                         { "liberty_library", OBJ_LIB },  { "liberty_cell", OBJ_LIB_CELL },
                         { "liberty_port", OBJ_LIB_PIN }, { "library_cell", OBJ_LIB_CELL },
                         { "library_pin", OBJ_LIB_PIN },  { "scene", OBJ_SCENARIO } };

const char *object_type_name(uint32_t type)
{
  return type < OBJ_TYPE_COUNT ? type_names[type] : "object";
}

uint32_t object_type_of(const char *name)
{
  for (uint32_t t = OBJ_DESIGN; t < OBJ_TYPE_COUNT; t++)
    if (strcmp(type_names[t], name) == 0) return t;
  for (size_t i = 0; i < sizeof other_type_names / sizeof *other_type_names; i++)
    if (strcmp(other_type_names[i].name, name) == 0) return other_type_names[i].type;
  return OBJ_NONE;
}

void object_kinds_text(unsigned kinds, Text *text)
{
  unsigned left = 0;
  for (const uint8_t *k = handle_kinds; *k != OBJ_NONE; k++) left += (kinds & OBJ_BIT(*k)) != 0;
  unsigned all = left;
  for (const uint8_t *k = handle_kinds; *k != OBJ_NONE; k++) {
    if (!(kinds & OBJ_BIT(*k))) continue;
    if (left < all) text_put(text, left == 1 ? " or " : ", ");
    text_put(text, type_names[*k]);
    left--;
  }
}

static bool cell_is_alive(const Netlist *n, InstId id)
{
  return n && id < n->insts.len && !(n->insts.at[id].flags & INST_DELETED);
}

static bool lib_cell_is_named(const Session *s, CellId id)
{
  return id < s->libs->cells.len && !(s->libs->cells.at[id].flags & CELL_SCALED);
}

bool object_is_alive(const Session *s, Object o)
{
  const Netlist *n = s->netlist;
  switch (o.type) {
    case OBJ_DESIGN: return n != NULL;
    case OBJ_PORT:
    case OBJ_PIN: return n && o.id < n->pins.len && cell_is_alive(n, n->pins.at[o.id].inst);
    case OBJ_CELL: return cell_is_alive(n, o.id);
    case OBJ_NET:
      return n && o.id < n->segs.len && n->segs.at[o.id].net != NO_NET
             && !(n->nets.at[n->segs.at[o.id].net].flags & NET_DELETED);
    case OBJ_CLOCK:
      return s->constraints && o.id < s->constraints->clocks.len
             && !s->constraints->clocks.at[o.id].deleted;
    case OBJ_LIB: return o.id < s->libs->libraries.len;
    case OBJ_PATH: return path_is_alive(s, o.id);
    case OBJ_LIB_CELL: return lib_cell_is_named(s, o.id);
    case OBJ_LIB_PIN: return o.id < s->libs->ports.len
        && lib_cell_is_named(s, s->libs->ports.at[o.id].cell);
    case OBJ_MODE:
    case OBJ_CORNER:
    case OBJ_SCENARIO: return scenario_object_name(s->scenarios, o) != NO_NAME;
    default: return o.type < OBJ_TYPE_COUNT && o.type != OBJ_NONE;
  }
}

static void lib_cell_name(const Session *s, CellId id, Text *text)
{
  const LibCell *cell = &s->libs->cells.at[id];
  if (cell->library != NO_LIBRARY)
    text_printf(text, "%s%c", names_text(s->names, s->libs->libraries.at[cell->library].name),
                s->separator);
  text_put(text, names_text(s->names, cell->name));
}

/* Objects that edits removed keep their names: ids are never used again. */
static bool has_name(const Session *s, Object o)
{
  const Netlist *n = s->netlist;
  switch (o.type) {
    case OBJ_PORT: case OBJ_PIN: return n && o.id < n->pins.len;
    case OBJ_CELL: return n && o.id < n->insts.len;
    case OBJ_NET: return n && o.id < n->segs.len;
    case OBJ_CLOCK: return s->constraints && o.id < s->constraints->clocks.len;
    default: return object_is_alive(s, o);
  }
}

void object_name(const Session *s, Object o, Text *text)
{
  const Netlist *n = s->netlist;
  if (!has_name(s, o)) {
    text_printf(text, "(stale %s)", object_type_name(o.type));
    return;
  }
  switch (o.type) {
    case OBJ_DESIGN: text_put(text, names_text(s->names, n->top_name)); return;
    case OBJ_PORT: text_put(text, names_text(s->names, netlist_pin_port_name(n, o.id))); return;
    case OBJ_PIN: netlist_pin_name(n, o.id, s->separator, text); return;
    case OBJ_CELL: netlist_inst_name(n, o.id, s->separator, text); return;
    case OBJ_NET: netlist_seg_name(n, o.id, s->separator, text); return;
    case OBJ_CLOCK:
      text_put(text, names_text(s->names, s->constraints->clocks.at[o.id].name));
      return;
    case OBJ_LIB: text_put(text, names_text(s->names, s->libs->libraries.at[o.id].name)); return;
    case OBJ_LIB_CELL: lib_cell_name(s, o.id, text); return;
    case OBJ_MODE:
    case OBJ_CORNER:
    case OBJ_SCENARIO:
      text_put(text, names_text(s->names, scenario_object_name(s->scenarios, o)));
      return;
    case OBJ_LIB_PIN:
      lib_cell_name(s, s->libs->ports.at[o.id].cell, text);
      text_printf(text, "%c%s", s->separator, names_text(s->names, s->libs->ports.at[o.id].name));
      return;
    default:
      if (s->name_more) s->name_more(s, o, text);
      else text_printf(text, "%s#%u", object_type_name(o.type), o.id);
  }
}

void object_base_name(const Session *s, Object o, Text *text)
{
  const Netlist *n = s->netlist;
  NameId name = NO_NAME;
  if (!has_name(s, o)) o.type = OBJ_NONE;
  switch (o.type) {
    case OBJ_PIN: name = netlist_pin_port_name(n, o.id); break;
    case OBJ_CELL: name = o.id == TOP_INST ? n->top_name : n->insts.at[o.id].name; break;
    case OBJ_NET: name = n->segs.at[o.id].name; break;
    case OBJ_LIB_CELL: name = s->libs->cells.at[o.id].name; break;
    case OBJ_LIB_PIN: name = s->libs->ports.at[o.id].name; break;
    default: break;
  }
  if (name != NO_NAME) text_put(text, names_text(s->names, name));
  else object_name(s, o, text);
}

/* --- names to objects ------------------------------------------------------------------------- */

static Status wrong_type(Session *s, const Resolve *resolve, Object o)
{
  Text wanted = { 0 }, name = { 0 };
  object_kinds_text(resolve->kinds, &wanted);
  object_name(s, o, &name);
  log_error(s->log, "CMD-025", NOWHERE, "%s: %s is the %s %s, expected %s", resolve->command,
            resolve->option, object_type_name(o.type), text_get(&name), text_get(&wanted));
  text_free(&wanted);
  text_free(&name);
  return FAILED;
}

static Status add_object(Session *s, const Resolve *resolve, ValueState state, Object o,
                         ObjectArray *out)
{
  if (state == VALUE_STALE)
    return log_error(s->log, "CMD-024", NOWHERE,
                     "%s: %s holds a %s that is gone (the design%s changed since it was found)",
                     resolve->command, resolve->option, object_type_name(o.type),
                     o.type == OBJ_CLOCK ? " or the mode" : "");
  if (!(resolve->kinds & OBJ_BIT(o.type))) return wrong_type(s, resolve, o);
  array_push(out, o);
  return OK;
}

/* Returns which kinds besides `found` have exactly this name.  A pattern is not looked up again. */
static void warn_of_others(Session *s, const Resolve *resolve, const char *name, int found)
{
  for (int k = found + 1; handle_kinds[k] != OBJ_NONE; k++) {
    uint32_t kind = handle_kinds[k];
    ObjectArray more = { 0 };
    /* a port and its net have one name by nature */
    if (kind == OBJ_NET && handle_kinds[found] == OBJ_PORT) continue;
    if (resolve->kinds & OBJ_BIT(kind) && match_exact(s, kind, name, &more)) {
      const char *taken = object_type_name(handle_kinds[found]);
      log_warning(s->log, "CMD-023", resolve->where, "%s: %s: %s is a %s and a %s; the %s is taken",
                  resolve->command, resolve->option, name, taken, object_type_name(kind), taken);
    }
    uint32_t count = more.len;
    array_free(&more);
    if (count) return;
  }
}

/* The bare name is already the text of an object, but by now a clock has it too. */
static void warn_of_clock(Session *s, const Resolve *resolve, const char *name, Object taken)
{
  ObjectArray clocks = { 0 };
  bool is = resolve->kinds & OBJ_BIT(OBJ_CLOCK) && match_exact(s, OBJ_CLOCK, name, &clocks);
  const char *type = object_type_name(taken.type);
  if (is)
    log_warning(s->log, "CMD-023", resolve->where,
                "%s: %s: %s is a clock and a %s; the %s is taken, as "
                "this was its text before there was the clock",
                resolve->command, resolve->option, name, type, type);
  array_free(&clocks);
}

static bool resolve_given(Session *s, const Resolve *resolve, const char *name, ObjectArray *out)
{
  Object o;
  if (!handle_given(s, resolve->kinds, name, &o)) return false;
  if (o.type != OBJ_CLOCK) warn_of_clock(s, resolve, name, o);
  array_push(out, o);
  return true;
}

static void missing_name(Session *s, const Resolve *resolve, const char *name)
{
  if (resolve->quiet) return;
  Text wanted = { 0 };
  object_kinds_text(resolve->kinds, &wanted);
  log_warning(s->log, "CMD-020", resolve->where, "%s: %s: '%s' matches no %s", resolve->command,
              resolve->option, name, text_get(&wanted));
  text_free(&wanted);
}

static void resolve_name(Session *s, const Resolve *resolve, const char *name, ObjectArray *out,
                         uint32_t *missing)
{
  uint32_t before = out->len;
  Object o;
  if (handle_object(s, name, &o) == VALUE_OBJECT && resolve->kinds & OBJ_BIT(o.type)) {
    array_push(out, o);
    return;
  }
  if (resolve_given(s, resolve, name, out)) return;
  bool is_cell = resolve->kinds & OBJ_BIT(OBJ_CELL) && match_cell_first(s, name, &o);
  for (int k = 0; handle_kinds[k] != OBJ_NONE; k++) {
    if (!(resolve->kinds & OBJ_BIT(handle_kinds[k]))) continue;
    if (is_cell && handle_kinds[k] != OBJ_CELL) continue;
    if (match_exact(s, handle_kinds[k], name, out)) {
      warn_of_others(s, resolve, name, k);
      return;
    }
  }
  Match m = match_default(s);
  for (int k = 0; handle_kinds[k] != OBJ_NONE && strpbrk(name, "*?"); k++) {
    if (!(resolve->kinds & OBJ_BIT(handle_kinds[k]))) continue;
    match_pattern(s, handle_kinds[k], name, &m, out);
    if (out->len > before) return;
  }
  missing_name(s, resolve, name);
  ++*missing;
}

/* A text stays one when somebody asked for its elements before: only a list that was made as one
   has no text, or one with braces where a name has a backslash. */
static bool has_escapes_only(Tcl_Obj *value)
{
  if (value_is_collection(value) || (is_list(value) && value->bytes == NULL)) return false;
  const char *text = Tcl_GetString(value);
  return strchr(text, '\\') && !strpbrk(text, "{}\"");
}

Tcl_Obj *names_apart(Tcl_Obj *value)
{
  static const char space[] = " \t\r\n\f\v";
  if (!has_escapes_only(value)) return NULL;
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  size_t n;
  for (const char *text = Tcl_GetString(value); *(text += strspn(text, space)); text += n) {
    n = strcspn(text, space);
    Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj(text, (int)n));
  }
  Tcl_IncrRefCount(list);
  return list;
}

static bool resolve_escaped(Session *s, const Resolve *resolve, Tcl_Obj *value, ObjectArray *out,
                            uint32_t *missing)
{
  int count;
  Tcl_Obj **names, *list = names_apart(value);
  if (list == NULL) return false;
  Tcl_ListObjGetElements(NULL, list, &count, &names);
  for (int i = 0; i < count; i++) resolve_name(s, resolve, Tcl_GetString(names[i]), out, missing);
  Tcl_DecrRefCount(list);
  return true;
}

/* An element of a list may be a list itself; one that is a name as it stands, blanks and all, is
   that name. */
static bool is_name(Session *s, const Resolve *resolve, const char *text)
{
  ObjectArray found = { 0 };
  bool is = false;
  for (int k = 0; handle_kinds[k] != OBJ_NONE && !is; k++)
    is = resolve->kinds & OBJ_BIT(handle_kinds[k]) && match_exact(s, handle_kinds[k], text, &found);
  array_free(&found);
  return is;
}

/* Returns true if a value's text is all that counts: it is no object and no list of objects. */
static bool has_text_only(Tcl_Obj *value)
{
  int count;
  Tcl_Obj **elements;
  if (value->bytes == NULL || value->length == 0) return false;
  if (value->typePtr == NULL) return true;
  if (value->typePtr == &slobject || collection_is_view(value)) return false;
  if (!is_list(value)) return true;
  Tcl_ListObjGetElements(NULL, value, &count, &elements);
  return count == 1 && elements[0]->typePtr == NULL;
}

bool value_is_plain_name(Tcl_Obj *value)
{
  static const bool ends[256] = { ['\0'] = true, [' '] = true,  ['\t'] = true, ['\n'] = true,
                                  ['\r'] = true, ['\v'] = true, ['\f'] = true, ['{'] = true,
                                  ['}'] = true,  ['"'] = true,  ['\\'] = true };
  if (!has_text_only(value)) return false;
  const char *end = value->bytes;
  while (!ends[(uint8_t)*end]) end++;
  return end == value->bytes + value->length;
}

/* Names of a list wait for memory one after another. So each of them is looked up in steps, while
   those before it are at later steps. */
enum { STEPS = 5, STEP = 6 };

static void expect_name(const Session *s, Tcl_Obj *value, int step)
{
  const Netlist *n = s->netlist;
  const char *name = value->bytes;
  size_t length = (size_t)value->length;
  if (name == NULL || length == 0) return;
  switch (step) {
  case 1:  mem_expect(name); break;
  case 2:  names_expect(s->names, name, length); break;
  case 3:  names_expect_record(s->names, name, length); break;
  default: map_expect(n->inst_by_name, hash_pair(s->current_instance,
                                                 names_find(s->names, name, length)));
  }
}

void objects_expect(const Session *s, Tcl_Obj *const *elements, int count, int at)
{
  if (s->netlist == NULL) return;
  if (at + STEPS * STEP < count) mem_expect(elements[at + STEPS * STEP]);
  for (int step = 1; step < STEPS; step++)
    if (at + (STEPS - step) * STEP < count)
      expect_name(s, elements[at + (STEPS - step) * STEP], step);
}

static Status resolve_plain(Session *s, const Resolve *resolve, Tcl_Obj *value, ObjectArray *out,
                            uint32_t *missing)
{
  Object o;
  ValueState state = handle_object(s, value->bytes, &o);
  if (state != VALUE_OTHER) return add_object(s, resolve, state, o, out);
  resolve_name(s, resolve, value->bytes, out, missing);
  return OK;
}

static Status resolve_list(Session *s, const Resolve *resolve, Tcl_Obj *value, ObjectArray *out,
                           uint32_t *missing, int depth);

static Status resolve_value(Session *s, const Resolve *resolve, Tcl_Obj *value, ObjectArray *out,
                            uint32_t *missing, int depth);

/* The view stays a view, so that steps can follow. */
static Status resolve_view(Session *s, const Resolve *resolve, Tcl_Obj *view, ObjectArray *out,
                           uint32_t *missing, int depth)
{
  Tcl_Obj *list = collection_list(view);
  Tcl_IncrRefCount(list);
  Status status = resolve_value(s, resolve, list, out, missing, depth);
  Tcl_DecrRefCount(list);
  return status;
}

static Status resolve_value(Session *s, const Resolve *resolve, Tcl_Obj *value, ObjectArray *out,
                            uint32_t *missing, int depth)
{
  Object o;
  if (value_is_plain_name(value)) return resolve_plain(s, resolve, value, out, missing);
  if (collection_is_view(value)) return resolve_view(s, resolve, value, out, missing, depth);
  ValueState state = object_of_value(s, value, &o);
  if (state != VALUE_OTHER) return add_object(s, resolve, state, o, out);
  int count;
  Tcl_Obj **elements;
  if (depth && !value_is_collection(value) && strpbrk(Tcl_GetString(value), " {}\"")
      && is_name(s, resolve, Tcl_GetString(value))) {
    resolve_name(s, resolve, Tcl_GetString(value), out, missing);
    return OK;
  }
  if (resolve_escaped(s, resolve, value, out, missing)) return OK;
  if (depth > 20 || Tcl_ListObjGetElements(NULL, value, &count, &elements) != TCL_OK) {
    resolve_name(s, resolve, Tcl_GetString(value), out, missing);
    return OK;
  }
  if (count == 1 && elements[0]->typePtr == NULL
      && strcmp(Tcl_GetString(elements[0]), Tcl_GetString(value)) == 0) {
    resolve_name(s, resolve, Tcl_GetString(value), out, missing);
    return OK;
  }
  return resolve_list(s, resolve, value, out, missing, depth);
}

/* The objects that elements before were, by the address of the element: lists of library cells have
   few different ones. Only where one kind is allowed, because then no message depends on a name. A
   long list has a larger table, in memory of its own. */
enum { KNOWN = 64, KNOWN_MOST = 4096 };
typedef struct {
  const Tcl_Obj *element;
  Object         object;
} KnownElement;
typedef struct {
  KnownElement  few[KNOWN], *at;
  uint32_t      size;
} KnownElements;

static void known_begin(KnownElements *known, int count)
{
  for (known->size = KNOWN; known->size < KNOWN_MOST && (int)known->size < 2 * count;)
    known->size *= 2;
  known->at = known->size > KNOWN ? mem_alloc_zero(known->size, sizeof *known->at) : known->few;
}

static void known_end(KnownElements *known)
{
  if (known->at != known->few) mem_free(known->at);
}

static KnownElement *known_place(const KnownElements *known, const Tcl_Obj *element)
{
  return &known->at[hash_u64((uintptr_t)element) % known->size];
}

static Status resolve_element(Session *s, const Resolve *resolve, Tcl_Obj *value, ObjectArray *out,
                              uint32_t *missing, int depth, KnownElements *known)
{
  uint32_t before = out->len, missing_before = *missing;
  KnownElement *place = known_place(known, value);
  Object o;
  if (value->typePtr == &slobject) {
    ValueState state = object_of_value(s, value, &o);
    return add_object(s, resolve, state, o, out);
  }
  if (place->element == value) {
    array_push(out, place->object);
    return OK;
  }
  Status status = resolve_value(s, resolve, value, out, missing, depth);
  bool one = out->len == before + 1 && *missing == missing_before
             && !(resolve->kinds & (resolve->kinds - 1));
  if (status != OK || !one) return status;
  *place = (KnownElement){ value, out->at[before] };
  return OK;
}

/* --- many names of cells ---------------------------------------------------------------------- */
typedef struct {
  Session        *s;
  Tcl_Obj *const *elements;
  Object         *found;           /* for each element; OBJ_NONE: resolve_element must say */
} CellNames;

/* The cell of a name that stands for nothing else. This only reads, so threads may call it. */
static Object cell_of_name(Session *s, Tcl_Obj *value, ObjectArray *own)
{
  array_clear(own);
  bool is = value->typePtr == NULL && value_is_plain_name(value) && !strpbrk(value->bytes, ":#")
            && match_exact(s, OBJ_CELL, value->bytes, own) && own->len == 1;
  return is ? own->at[0] : (Object){ OBJ_NONE, 0 };
}

static void find_cells_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const CellNames *names = context;
  ObjectArray own = { 0 };
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) {
    objects_expect(names->s, names->elements, (int)to, (int)i);
    names->found[i] = cell_of_name(names->s, names->elements[i], &own);
  }
  array_free(&own);
}

/* From so many names on threads share the look-ups; the estimated time of one, ns. */
enum { MANY_NAMES = 16, NAME_NS = 400 };

/* Returns the cells of a list of names, or NULL if they are looked up one by one. */
static Object *find_cells(Session *s, const Resolve *resolve, Tcl_Obj *const *elements, int count)
{
  if (count < MANY_NAMES || resolve->kinds != OBJ_BIT(OBJ_CELL) || s->netlist == NULL) return NULL;
  CellNames x = { s, elements, mem_alloc_zero((size_t)count, sizeof *x.found) };
  pool_items((uint32_t)count, NAME_NS, s->threads > 0 ? s->threads : processors_usable(),
             find_cells_share, &x);
  return x.found;
}

static Status resolve_list(Session *s, const Resolve *resolve, Tcl_Obj *value, ObjectArray *out,
                           uint32_t *missing, int depth)
{
  KnownElements known = { 0 };
  int count;
  Tcl_Obj **elements;
  Status status = OK;
  Tcl_IncrRefCount(value);
  Tcl_ListObjGetElements(NULL, value, &count, &elements);
  array_reserve(out, (uint64_t)out->len + (uint32_t)count);
  Object *cells = find_cells(s, resolve, elements, count);
  known_begin(&known, cells ? 0 : count);
  for (int i = 0; i < count && status == OK && !interrupt_seen(); i++) {
    if (cells == NULL && resolve->kinds & OBJ_BIT(OBJ_CELL)) objects_expect(s, elements, count, i);
    if (cells && cells[i].type != OBJ_NONE) array_push(out, cells[i]);
    else status = resolve_element(s, resolve, elements[i], out, missing, depth + 1, &known);
  }
  known_end(&known);
  mem_free(cells);
  Tcl_DecrRefCount(value);
  return status;
}

/* After an interrupt some objects are missing: no command takes them then. */
Status objects_resolve(Session *s, const Resolve *resolve, Tcl_Obj *value, ObjectArray *out,
                       uint32_t *missing)
{
  *missing = 0;
  return resolve_value(s, resolve, value, out, missing, 0);
}
