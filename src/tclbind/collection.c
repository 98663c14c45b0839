/* Stores and views of collections that grow or shrink in steps. A store keeps each item with the
   versions in which it exists; sums over blocks find the item at an index of a view.

   A step changes the latest version of a store. If it starts from an earlier version, as when a
   script tries a change and drops it, the store goes back to that version first. Views of the
   versions between become views of the earlier version that leave out items, or have items of their
   own. */
#include "tclbind/collection.h"

#include <limits.h>
#include <string.h>

#include "base/expect.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "tclbind/behind.h"
#include "tclbind/handle.h"
#include "tclbind/object_value.h"

enum {
  NEVER = UINT32_MAX, NO_ITEM = UINT32_MAX - 1,
  MIDDLE = 1u << 30,         /* number of the first item of a new store */
  LEAST = 64,                /* items worth a view */
  STEPS = 4,                 /* before a view is tried */
  NAME_STEPS = 2,            /* the same for lists of names */
  MOST_STEPS = 64,           /* before it is tried again */
  MOST_LESS = 64,            /* items that a view may leave out */
  MOST_MORE = 64,            /* items that it may have before those of the store, and behind */
  WENT = 1u << 31            /* in Store.log: the item went; else it came */
};

/* The identity of a value: type and id of its object; for a name without an object, OBJ_TYPE_COUNT
   and the NameId. */
typedef struct {
  uint64_t key;
  bool     bare;             /* a name, not an object or a text that says its type */
} Key;

typedef struct {
  Tcl_Obj *value;
  uint64_t key;
  bool     bare;
  uint32_t gone;             /* version in which it went; NEVER */
  uint32_t same;             /* previous item with the same key, in the index; NO_ITEM: none */
  uint32_t named;            /* previous item whose name has the same hash; NO_ITEM: none */
} Item;

typedef struct View View;

/* Items have numbers in their order.  New ones come behind the last and before the first. */
typedef struct {
  uint32_t  views, version;
  View     *newest;          /* list of the views, those of later versions first */
  ARRAY(Item) items;
  uint32_t  origin;          /* number that the array begins with */
  uint32_t  first;           /* number of the first item; there is room before it */
  const void *design, *library;   /* the design to which the ids belong */
  uint32_t  bare;            /* how many items ever were bare names */
  unsigned  kinds;           /* types of objects that other items ever were, a bit each */
  uint64_t  meaning;         /* where they were looked up; of use if there are any */
  Map      *last;            /* key to its last item; NULL until it is needed */
  Map      *names;           /* hash of a name to its last item; NULL until it is needed */
  uint32_t  twice;           /* with `last`: number of items of the latest version whose key an
                                earlier item has */
  uint32_t *sums, room;      /* how many are there, by slot (a Fenwick tree); NULL until needed */
  ARRAY(uint32_t) log;       /* numbers of items that came or went (WENT) since version 0 */
  bool      fixed;           /* nothing comes or goes: its views leave items out instead */
  Text      text;            /* of the items in [text_first, text_end) as a list's */
  uint32_t  text_first, text_end;
} Store;

typedef ARRAY(uint32_t) Numbers;

/* An item of a view before or behind those of its store. */
typedef struct {
  Tcl_Obj *value;
  Key      key;
} Further;
typedef ARRAY(Further) Furthers;

/* A plain view shows the items of a version, and its lists are empty. */
struct View {
  Store   *store;
  View    *next, **from;     /* in the store's list; where the pointer to this view is */
  uint32_t first, end, version, count;
  Numbers  less;             /* items of the version that the view leaves out, in order */
  Furthers front, more;      /* before the items of the version and behind them */
};

/* --- the store -------------------------------------------------------------------------------- */

/* Returns another object among all that may have a bare name, if the name may stand for it. */
static uint64_t meaning_of_names(const Session *s)
{
  const Netlist *n = s->netlist;
  const Constraints *c = s->constraints;
  uint64_t h = hash_pair(s->current_instance, (unsigned char)s->separator);
  h = hash_u64(h ^ hash_pair(s->libs->libraries.len, s->libs->cells.len));
  for (uint32_t type = OBJ_MODE; type <= OBJ_SCENARIO; type++)
    for (uint32_t i = 0; i < scenario_object_count(s->scenarios, type); i++)
      h = hash_u64(h ^ hash_pair(type, scenario_object_name(s->scenarios, (Object){ type, i })));
  if (n) h = hash_u64(h ^ hash_pair(n->insts.len, n->segs.len));
  if (n) h = hash_u64(h ^ hash_pair(map_count(n->inst_by_name), map_count(n->seg_by_name)));
  for (uint32_t i = 0; c && i < c->clocks.len; i++)
    h = hash_u64(h ^ hash_pair(c->clocks.at[i].name, c->clocks.at[i].deleted));
  return h;
}

static Store *store_new(const Session *s)
{
  Store *store = mem_alloc_zero(1, sizeof *store);
  store->origin = store->first = MIDDLE;
  store->design = s->design_ref;
  store->library = s->library_ref;
  return store;
}

static Item *item_at(const Store *store, uint32_t i) { return &store->items.at[i - store->origin]; }
static uint32_t end_of(const Store *store) { return store->origin + store->items.len; }

static void add_to_sums(Store *store, uint32_t i, uint32_t change)
{
  for (uint32_t slot = i - store->origin + 1; slot <= store->room; slot += slot & -slot)
    store->sums[slot] += change;
}

static void drop_sums(Store *store)
{
  mem_free(store->sums);
  store->sums = NULL;
}

/* NO_ITEM: none has the key. */
static uint32_t last_of_key(const Store *store, uint64_t key)
{
  uint32_t i = map_get(store->last, key);
  return i == MAP_NO_VALUE ? NO_ITEM : i;
}

static bool has_key(const Store *store, uint64_t key)
{
  return last_of_key(store, key) != NO_ITEM;
}

/* Removed items are in no chain: a removal takes all items of a key. */
static void index_item(Store *store, uint32_t i)
{
  Item *item = item_at(store, i);
  item->same = last_of_key(store, item->key);
  store->twice += item->same != NO_ITEM;
  map_put(store->last, item->key, i);
}

/* Slots of the map are asked for so many items ahead, because each waits for memory. */
enum { AHEAD = 16 };

/* Returns false after an interrupt: then there is no index. */
static bool need_index(Store *store)
{
  if (store->last) return true;
  store->last = map_new();
  map_reserve(store->last, store->items.len);
  for (uint32_t i = store->first; i < end_of(store) && !interrupt_seen(); i++) {
    if (i + AHEAD < end_of(store)) map_expect(store->last, item_at(store, i + AHEAD)->key);
    if (item_at(store, i)->gone == NEVER) index_item(store, i);
  }
  if (!interrupt_seen()) return true;
  map_free(store->last);
  store->last = NULL;
  store->twice = 0;
  return false;
}

static void name_of_item(const Session *s, const Item *item, Text *text)
{
  text_clear(text);
  if (item->bare) text_put(text, Tcl_GetString(item->value));
  else object_name(s, (Object){ (uint32_t)(item->key >> 32), (uint32_t)item->key }, text);
}

static void index_name(const Session *s, Store *store, uint32_t i, Text *text)
{
  Item *item = item_at(store, i);
  name_of_item(s, item, text);
  uint64_t hash = hash_bytes(text_get(text), text->len);
  uint32_t before = map_get(store->names, hash);
  item->named = before == MAP_NO_VALUE ? NO_ITEM : before;
  map_put(store->names, hash, i);
}

/* Returns false after an interrupt: then there is no index of names. */
static bool need_names(const Session *s, Store *store)
{
  Text t = { 0 };
  if (store->names) return true;
  store->names = map_new();
  map_reserve(store->names, store->items.len);
  for (uint32_t i = store->first; i < end_of(store) && !interrupt_seen(); i++)
    if (item_at(store, i)->gone == NEVER) index_name(s, store, i, &t);
  text_free(&t);
  if (!interrupt_seen()) return true;
  map_free(store->names);
  store->names = NULL;
  return false;
}

/* Adds a new item to the existing indexes. */
static void note_item(const Session *s, Store *store, uint32_t i)
{
  Text t = { 0 };
  if (store->last) index_item(store, i);
  if (store->names) index_name(s, store, i, &t);
  if (store->sums && store->items.len > store->room) drop_sums(store);
  if (store->sums) add_to_sums(store, i, 1);
  text_free(&t);
}

static void note_kind(const Session *s, Store *store, Key key)
{
  if (key.bare && store->bare == 0) store->meaning = meaning_of_names(s);
  store->bare += key.bare;
  if (!key.bare) store->kinds |= OBJ_BIT(key.key >> 32);
}

static void push(const Session *s, Store *store, Tcl_Obj *value, Key key)
{
  Tcl_IncrRefCount(value);
  array_push(&store->items, (Item){ value, key.key, key.bare, NEVER, NO_ITEM, NO_ITEM });
  array_push(&store->log, end_of(store) - 1);
  note_kind(s, store, key);
  note_item(s, store, end_of(store) - 1);
}

/* Leaves as much room before the items as they take, so that adding at the front seldom moves
   them. */
static void make_front(Store *store)
{
  uint32_t count = store->items.len, more = count + LEAST;
  array_reserve(&store->items, (uint64_t)count + more);
  memmove(store->items.at + more, store->items.at, (size_t)count * sizeof *store->items.at);
  store->items.len += more;
  store->origin -= more;
  if (store->sums) drop_sums(store);
}

static void push_front(const Session *s, Store *store, Tcl_Obj *value, Key key)
{
  Tcl_IncrRefCount(value);
  if (store->first == store->origin) make_front(store);
  *item_at(store, --store->first) =
    (Item){ value, key.key, key.bare, NEVER, NO_ITEM, NO_ITEM };
  array_push(&store->log, store->first);
  note_kind(s, store, key);
  note_item(s, store, store->first);
}

/* All items of the key go in this version; how many. */
static uint32_t take(Store *store, uint64_t key, uint32_t version)
{
  uint32_t taken = 0;
  for (uint32_t i = last_of_key(store, key); i != NO_ITEM; i = item_at(store, i)->same, taken++) {
    item_at(store, i)->gone = version;
    array_push(&store->log, i | WENT);
    if (store->sums) add_to_sums(store, i, (uint32_t)-1);
  }
  if (taken == 0) return 0;
  store->twice -= taken - 1;
  map_put(store->last, key, NO_ITEM);
  return taken;
}

/* All items with the name, of whatever type.  Those that went before leave the chain. */
static uint32_t take_named(const Session *s, Store *store, const char *name, uint32_t version)
{
  uint32_t taken = 0, stay = NO_ITEM, before;
  uint64_t hash = hash_bytes(name, strlen(name));
  uint32_t first = map_get(store->names, hash);
  Text t = { 0 };
  if (first == MAP_NO_VALUE) return 0;
  for (uint32_t i = first; i != NO_ITEM; i = before) {
    Item *item = item_at(store, i);
    before = item->named;
    if (item->gone == NEVER) name_of_item(s, item, &t);
    if (item->gone == NEVER && strcmp(text_get(&t), name) == 0)
      taken += take(store, item->key, version);
    if (item->gone != NEVER) continue;
    item->named = stay;
    stay = i;
  }
  if (stay != first) map_put(store->names, hash, stay);
  text_free(&t);
  return taken;
}

/* Behind those that went, which leave the chain; NO_ITEM: none. */
static uint32_t first_named(Store *store, uint64_t hash)
{
  uint32_t first = map_get(store->names, hash), i = first;
  if (first == MAP_NO_VALUE) return NO_ITEM;
  while (i != NO_ITEM && item_at(store, i)->gone != NEVER) i = item_at(store, i)->named;
  if (i != first) map_put(store->names, hash, i);
  return i;
}

/* Returns true if the object's name is a bare name in the store that stands for another object.
   Names are removed with each object of that name, so the other object would go too. */
static bool is_another_s_name(Session *s, Store *store, uint64_t key)
{
  Text t = { 0 }, own = { 0 };
  Object meant;
  bool is = false;
  if (store->bare == 0) return false;
  object_name(s, (Object){ (uint32_t)(key >> 32), (uint32_t)key }, &t);
  bool own_name =
      handle_of_name(s, text_get(&t), &meant) && hash_pair(meant.type, meant.id) == key;
  if (own_name || !need_names(s, store)) {
    text_free(&t);
    return false;
  }
  uint32_t i = first_named(store, hash_bytes(text_get(&t), t.len));
  for (; !is && i != NO_ITEM; i = item_at(store, i)->named) {
    const Item *item = item_at(store, i);
    if (item->gone != NEVER || !item->bare || item->key == key) continue;
    name_of_item(s, item, &own);
    is = strcmp(text_get(&own), text_get(&t)) == 0;
  }
  text_free(&t);
  text_free(&own);
  return is;
}

static void release(Store *store)
{
  if (--store->views) return;
  for (uint32_t i = store->first; i < end_of(store); i++)
    Tcl_DecrRefCount(item_at(store, i)->value);
  array_free(&store->items);
  array_free(&store->log);
  if (store->last) map_free(store->last);
  if (store->names) map_free(store->names);
  mem_free(store->sums);
  text_free(&store->text);
  mem_free(store);
}

/* --- views as Tcl values ---------------------------------------------------------------------- */

static const Tcl_ObjType view_type;

static View *view_in(const Tcl_Obj *value) { return value->internalRep.twoPtrValue.ptr1; }
bool collection_is_view(const Tcl_Obj *value) { return value->typePtr == &view_type; }
uint32_t collection_view_count(const Tcl_Obj *view) { return view_in(view)->count; }

static void hold_furthers(Furthers *own, const Furthers *from)
{
  *own = (Furthers){ 0 };
  for (uint32_t i = 0; i < from->len; i++) {
    array_push(own, from->at[i]);
    Tcl_IncrRefCount(from->at[i].value);
  }
}

static void drop_furthers(Furthers *own)
{
  for (uint32_t i = 0; i < own->len; i++) Tcl_DecrRefCount(own->at[i].value);
  array_free(own);
}

static void unlink_view(View *view)
{
  *view->from = view->next;
  if (view->next) view->next->from = view->from;
}

/* at: where the pointer to the view goes. Earlier pointers lead to views of the same version or of
   later ones. */
static void link_view(View *view, View **at)
{
  view->next = *at;
  view->from = at;
  if (view->next) view->next->from = &view->next;
  *at = view;
}

static void set_view(Tcl_Obj *value, View view, View **at)
{
  View *own = mem_alloc(sizeof *own);
  *own = view;
  link_view(own, at);
  own->less = (Numbers){ 0 };
  for (uint32_t i = 0; i < view.less.len; i++) array_push(&own->less, view.less.at[i]);
  hold_furthers(&own->front, &view.front);
  hold_furthers(&own->more, &view.more);
  view.store->views++;
  value->internalRep.twoPtrValue.ptr1 = own;
  value->internalRep.twoPtrValue.ptr2 = NULL;
  value->typePtr = &view_type;
}

static Tcl_Obj *view_value(View view)
{
  Tcl_Obj *value = Tcl_NewObj();
  Tcl_InvalidateStringRep(value);
  set_view(value, view, &view.store->newest);
  return value;
}

static void free_view(Tcl_Obj *value)
{
  View *view = view_in(value);
  unlink_view(view);
  release(view->store);
  array_free(&view->less);
  drop_furthers(&view->front);
  drop_furthers(&view->more);
  mem_free(view);
}

static void duplicate_view(Tcl_Obj *from, Tcl_Obj *to)
{
  set_view(to, *view_in(from), &view_in(from)->next);
}

static bool is_plain(const View *view)
{
  return view->less.len + view->front.len + view->more.len == 0;
}

/* Does the view show all items from its first to its last number? */
static bool is_whole(const View *view)
{
  return is_plain(view) && view->count == view->end - view->first;
}

static bool shows(const View *view, uint32_t i)
{
  return item_at(view->store, i)->gone > view->version;
}

static Tcl_Obj *list_of(const View *view)
{
  Tcl_Obj **values = mem_alloc(((size_t)view->count + 1) * sizeof *values);
  uint32_t count = 0, less = 0;
  for (uint32_t i = 0; i < view->front.len; i++) values[count++] = view->front.at[i].value;
  for (uint32_t i = view->first; i < view->end; i++) {
    if (less < view->less.len && view->less.at[less] == i) less++;
    else if (shows(view, i)) values[count++] = item_at(view->store, i)->value;
  }
  for (uint32_t i = 0; i < view->more.len; i++) values[count++] = view->more.at[i].value;
  Tcl_Obj *list = Tcl_NewListObj((int)count, values);
  mem_free(values);
  return list;
}

static void set_text(Tcl_Obj *value, const char *text, size_t length)
{
  value->bytes = ckalloc((unsigned)length + 1);
  memcpy(value->bytes, text, length + 1);
  value->length = (int)length;
}

/* As Tcl writes lists: only the first element's # needs quotes. */
static void add_element(Text *out, Tcl_Obj *element, bool is_first)
{
  int length, flags = 0;
  const char *text = Tcl_GetStringFromObj(element, &length);
  char *quoted = mem_alloc((size_t)Tcl_ScanCountedElement(text, length, &flags) + 1);
  if (!is_first) {
    flags |= TCL_DONT_QUOTE_HASH;
    text_char(out, ' ');
  }
  text_add(out, quoted, (size_t)Tcl_ConvertCountedElement(text, length, quoted, flags));
  mem_free(quoted);
}

/* A script that reads the text at each step, as $cells eq "" does, gets the text of the step before
   with the new items behind it.  False: items were removed, or a later view had its text made. */
static bool extend_text(const View *view)
{
  Store *store = view->store;
  bool extends = is_whole(view) && !store->fixed;
  if (!extends || (store->text_first == view->first && store->text_end > view->end)) return false;
  if (store->text_first != view->first) {
    text_clear(&store->text);
    store->text_first = store->text_end = view->first;
  }
  for (; store->text_end < view->end; store->text_end++)
    add_element(&store->text, item_at(store, store->text_end)->value,
                store->text_end == view->first);
  return true;
}

static void name_view(Tcl_Obj *value)
{
  const View *view = view_in(value);
  if (extend_text(view)) {
    set_text(value, text_get(&view->store->text), view->store->text.len);
    return;
  }
  int length;
  Tcl_Obj *list = list_of(view);
  Tcl_IncrRefCount(list);
  const char *text = Tcl_GetStringFromObj(list, &length);
  set_text(value, text, (size_t)length);
  Tcl_DecrRefCount(list);
}

static const Tcl_ObjType view_type = { "slview", free_view, duplicate_view, name_view, NULL };

Tcl_Obj *collection_list(Tcl_Obj *value)
{
  return collection_is_view(value) ? list_of(view_in(value)) : value;
}

/* The list's own representation moves over; a text that was made stays. An empty list is a text. */
void collection_settle(Tcl_Obj *value)
{
  if (!collection_is_view(value)) return;
  Tcl_Obj *list = list_of(view_in(value));
  Tcl_IncrRefCount(list);
  free_view(value);
  value->internalRep = list->internalRep;
  value->typePtr = list->typePtr;
  if (list->typePtr == NULL && value->bytes == NULL) set_text(value, "", 0);
  list->typePtr = NULL;
  Tcl_DecrRefCount(list);
}

/* The value as a list with many elements; NULL: its text is short, or there already. */
static Tcl_Obj *long_list(Tcl_Obj *value)
{
  enum { LONG = 10000 };
  int count;
  if (value->bytes || value->typePtr == NULL) return NULL;
  if (collection_is_view(value))
    return collection_view_count(value) < LONG ? NULL : list_of(view_in(value));
  if (strcmp(value->typePtr->name, "list") != 0) return NULL;
  return Tcl_ListObjLength(NULL, value, &count) == TCL_OK && count >= LONG ? value : NULL;
}

bool collection_make_text(Tcl_Obj *value)
{
  int count;
  Tcl_Obj **elements, *list = long_list(value);
  Text t = { 0 };
  if (list == NULL) return true;
  Tcl_IncrRefCount(list);
  Tcl_ListObjGetElements(NULL, list, &count, &elements);
  for (int i = 0; i < count && !interrupt_seen(); i++) add_element(&t, elements[i], i == 0);
  bool whole = !interrupt_seen();
  if (whole && t.len < INT_MAX) set_text(value, text_get(&t), t.len);
  text_free(&t);
  Tcl_DecrRefCount(list);
  return whole;
}

/* --- items by index --------------------------------------------------------------------------- */

static void make_sums(Store *store)
{
  store->room = 64;
  while (store->room < 2 * store->items.len) store->room *= 2;
  store->sums = mem_alloc_zero((size_t)store->room + 1, sizeof *store->sums);
  for (uint32_t i = store->first; i < end_of(store); i++)
    if (item_at(store, i)->gone == NEVER) add_to_sums(store, i, 1);
}

/* Descends to the last node with no more than `index` items before it. */
static uint32_t nth_item(Store *store, uint32_t index)
{
  uint32_t at = 0;
  if (store->sums == NULL) make_sums(store);
  for (uint32_t step = store->room; step; step /= 2)
    if (at + step <= store->room && store->sums[at + step] <= index) {
      at += step;
      index -= store->sums[at];
    }
  return store->origin + at;
}

/* The index among all items of one among those that are not left out. */
static uint32_t index_with(const Numbers *less, uint32_t first, uint32_t index)
{
  for (uint32_t i = 0; i < less->len && less->at[i] - first <= index; i++) index++;
  return index;
}

static Tcl_Obj *item_of_fixed(const View *view, uint32_t index)
{
  if (index < view->front.len) return view->front.at[index].value;
  index -= view->front.len;
  uint32_t kept = view->count - view->front.len - view->more.len;
  if (index >= kept) return view->more.at[index - kept].value;
  index = index_with(&view->less, view->first, index);
  return item_at(view->store, view->first + index)->value;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Clocks have no keys, because another mode has other clocks.  Removed objects have none either. */
static bool key_of(Session *s, Tcl_Obj *value, Key *key)
{
  Object o;
  ValueState state = object_of_value(s, value, &o);
  if (state == VALUE_STALE || (state == VALUE_OTHER && value_is_collection(value))) return false;
  key->bare = state == VALUE_OTHER;
  const char *name = key->bare ? Tcl_GetString(value) : NULL;
  if (key->bare && !handle_of_name(s, name, &o))
    o = (Object){ OBJ_TYPE_COUNT, names_add_text(s->names, name) };
  key->key = hash_pair(o.type, o.id);
  return o.type != OBJ_CLOCK;
}

static bool keys_of(Session *s, int count, Tcl_Obj *const items[], Key **keys)
{
  *keys = mem_alloc(((size_t)count + 1) * sizeof **keys);
  for (int i = 0; i < count; i++) {
    objects_expect(s, items, count, i);
    if (interrupt_seen() || !key_of(s, items[i], &(*keys)[i])) {
      mem_free(*keys);
      return false;
    }
  }
  return true;
}

/* The store with its first items; NULL after an interrupt, which left items out. */
static Store *whole_store(Store *store)
{
  array_free(&store->log);
  if (!interrupt_seen()) return store;
  store->views++;
  release(store);
  return NULL;
}

/* NULL: not all have keys, or an interrupt came. */
static Store *store_of(Session *s, int count, Tcl_Obj *const items[])
{
  Key *keys;
  if (!keys_of(s, count, items, &keys)) return NULL;
  Store *store = store_new(s);
  array_reserve(&store->items, (uint32_t)count);
  for (int i = 0; i < count && !interrupt_seen(); i++) push(s, store, items[i], keys[i]);
  mem_free(keys);
  return whole_store(store);
}

/* Drops removed items if they are more than the rest. */
static bool is_wasteful(const View *view)
{
  return view->end - view->first > 2 * view->count + LEAST;
}

static Key key_of_item(const Item *item) { return (Key){ item->key, item->bare }; }

static void push_all(const Session *s, Store *store, const Furthers *from)
{
  for (uint32_t i = 0; i < from->len; i++) push(s, store, from->at[i].value, from->at[i].key);
}

/* A store of the view's items alone; NULL after an interrupt. */
static Store *compact(const Session *s, const View *view)
{
  Store *store = store_new(s);
  uint32_t less = 0;
  push_all(s, store, &view->front);
  for (uint32_t i = view->first; i < view->end && !interrupt_seen(); i++) {
    const Item *item = item_at(view->store, i);
    if (less < view->less.len && view->less.at[less] == i) less++;
    else if (shows(view, i)) push(s, store, item->value, key_of_item(item));
  }
  push_all(s, store, &view->more);
  return whole_store(store);
}

/* Returns true if its bare names stand for the same objects as when they were added. */
static bool is_of_meaning(const Session *s, const Store *store)
{
  return store->bare == 0 || store->meaning == meaning_of_names(s);
}

static View view_of_all(Store *store)
{
  return (View){ .store = store, .first = store->first, .end = end_of(store),
                 .version = store->version, .count = store->items.len };
}

/* After a design is read again, ids belong to other objects. */
static bool is_of_session(const Session *s, const Store *store)
{
  return store->design == s->design_ref && store->library == s->library_ref;
}

/* Below the top a bare name may stand for an object of another name, and lists compare both. The
   keys of a store cannot tell this, so there are no steps then. */
static bool is_at_top(const Session *s) { return s->current_instance == TOP_INST; }

/* May steps change the store, or may one like it take its place? */
static bool may_step(const Session *s, const Store *store)
{
  return store->version < NO_ITEM && store->origin > MIDDLE / 2 && is_at_top(s)
         && is_of_session(s, store) && is_of_meaning(s, store);
}

/* --- back to an earlier version --------------------------------------------------------------- */

static bool is_latest(const View *view)
{
  return is_plain(view) && view->version == view->store->version && !view->store->fixed;
}

/* Did this entry of the log happen after the view's version? */
static bool is_newer(const View *view, uint32_t entry)
{
  uint32_t i = entry & ~(uint32_t)WENT;
  if (entry & WENT) return item_at(view->store, i)->gone > view->version;
  return i < view->first || i >= view->end;
}

/* The first entry of the log after the view's version, or an earlier one if there are too many. */
static uint32_t log_after(const View *view)
{
  const Store *store = view->store;
  uint32_t at = store->log.len;
  while (at > 0 && store->log.len - at <= MOST_LESS && is_newer(view, store->log.at[at - 1])) at--;
  return at;
}

/* False: too many. */
static bool leave_out(Numbers *less, uint32_t number)
{
  uint32_t at = less->len;
  while (at > 0 && less->at[at - 1] >= number) at--;
  if (at < less->len && less->at[at] == number) return true;
  if (less->len == MOST_LESS) return false;
  array_push(less, number);
  memmove(less->at + at + 1, less->at + at, (less->len - 1 - at) * sizeof *less->at);
  less->at[at] = number;
  return true;
}

static bool has_number(const Numbers *list, uint32_t number)
{
  for (uint32_t i = 0; i < list->len; i++)
    if (list->at[i] == number) return true;
  return false;
}

static void add_furthers(Furthers *to, const Furthers *from)
{
  for (uint32_t i = 0; i < from->len; i++) array_push(to, from->at[i]);
}

static void add_shown(const View *view, uint32_t from, uint32_t to, Furthers *list)
{
  for (uint32_t i = from; i < to; i++) {
    const Item *item = item_at(view->store, i);
    if (shows(view, i) && !has_number(&view->less, i))
      array_push(list, (Further){ item->value, key_of_item(item) });
  }
}

static bool is_in(const View *base, uint32_t i) { return i >= base->first && i < base->end; }

/* The items of base's version that a later view does not show. False: too many. */
static bool find_less(const View *view, const View *base, uint32_t log_from, Numbers *less)
{
  const Store *store = view->store;
  bool fits = true;
  for (uint32_t k = log_from; k < store->log.len && fits; k++) {
    uint32_t i = store->log.at[k] & ~(uint32_t)WENT;
    if (store->log.at[k] & WENT && is_in(base, i) && !shows(view, i)) fits = leave_out(less, i);
  }
  for (uint32_t k = 0; k < view->less.len && fits; k++)
    if (is_in(base, view->less.at[k])) fits = leave_out(less, view->less.at[k]);
  return fits;
}

static void swap_furthers(Furthers *own, const Furthers *other)
{
  Furthers before = *own;
  hold_furthers(own, other);
  drop_furthers(&before);
}

/* Makes a later view one of base's version. False: it differs too much, and stays as it is. */
static bool show_by_base(View *view, const View *base, uint32_t log_from)
{
  Numbers less = { 0 };
  Furthers front = { 0 }, more = { 0 };
  bool fits = find_less(view, base, log_from, &less);
  add_furthers(&front, &view->front);
  add_shown(view, view->first, base->first, &front);
  add_shown(view, base->end, view->end, &more);
  add_furthers(&more, &view->more);
  fits = fits && front.len <= MOST_MORE && more.len <= MOST_MORE;
  if (fits) {
    Numbers before = view->less;
    view->less = less;
    less = before;
    swap_furthers(&view->front, &front);
    swap_furthers(&view->more, &more);
    view->first = base->first;
    view->end = base->end;
    view->version = base->version;
  }
  array_free(&less);
  array_free(&front);
  array_free(&more);
  return fits;
}

/* Takes an item out of the chain of its key. A chain that need_index has made is in the order of
   numbers, so the item need not be the last. */
static void unchain(Store *store, uint32_t i)
{
  const Item *item = item_at(store, i);
  uint32_t last = last_of_key(store, item->key), at = last;
  store->twice -= last != i || item->same != NO_ITEM;
  if (last == i) {
    map_put(store->last, item->key, item->same);
    return;
  }
  while (item_at(store, at)->same != i) at = item_at(store, at)->same;
  item_at(store, at)->same = item->same;
}

/* The item at the first or last number goes, as if it had never come. */
static void forget_item(Store *store, uint32_t i)
{
  Item *item = item_at(store, i);
  if (store->sums) add_to_sums(store, i, (uint32_t)-1);
  if (store->last) unchain(store, i);
  Tcl_DecrRefCount(item->value);
  if (i == store->first) store->first++;
  else store->items.len--;
}

/* An item that went comes back. Items that went later are back already. */
static void revive_item(Store *store, uint32_t i)
{
  Item *item = item_at(store, i);
  item->gone = NEVER;
  if (store->sums) add_to_sums(store, i, 1);
  store->twice += item->same != NO_ITEM;
  map_put(store->last, item->key, i);
}

/* Undoes the entries of the log from `from` on, the last one first. */
static void undo_log(Store *store, uint32_t from)
{
  if (from < store->log.len && store->names) {
    map_free(store->names);
    store->names = NULL;
  }
  while (store->log.len > from) {
    uint32_t entry = store->log.at[--store->log.len];
    if (entry & WENT) revive_item(store, entry & ~(uint32_t)WENT);
    else forget_item(store, entry);
  }
}

/* Makes the view a plain one of the latest version of a store, which has as many items. */
static void show_latest(View *view, Store *store)
{
  view->store = store;
  view->first = store->first;
  view->end = end_of(store);
  view->version = store->version;
  view->less.len = 0;
  drop_furthers(&view->front);
  drop_furthers(&view->more);
  unlink_view(view);
  link_view(view, &store->newest);
}

/* Makes the lists of the latest version's view a step of the store. False after an interrupt. */
static bool step_to_view(const Session *s, View *view)
{
  Store *store = view->store;
  if (is_plain(view)) return true;
  if (!need_index(store)) return false;
  uint32_t version = ++store->version;
  for (uint32_t i = 0; i < view->less.len; i++)
    if (item_at(store, view->less.at[i])->gone == NEVER)
      take(store, item_at(store, view->less.at[i])->key, version);
  for (uint32_t i = view->front.len; i-- > 0;)
    push_front(s, store, view->front.at[i].value, view->front.at[i].key);
  push_all(s, store, &view->more);
  show_latest(view, store);
  return true;
}

/* Makes the view the latest of its store. False: it is too far from it, or an interrupt came. */
static bool check_out(const Session *s, View *view)
{
  Store *store = view->store;
  if (store->fixed) return false;
  if (is_latest(view)) return true;
  uint32_t from = log_after(view);
  if (store->log.len - from > MOST_LESS) return false;
  for (View *other = store->newest; other && other->version > view->version; other = other->next)
    if (!show_by_base(other, view, from)) return false;
  undo_log(store, from);
  store->version = view->version;
  if (store->text_end > view->end || store->text_first < view->first) {
    text_clear(&store->text);
    store->text_first = store->text_end = view->first;
  }
  return step_to_view(s, view);
}

/* Gives the view a store of its own. False after an interrupt. */
static bool move_out(const Session *s, View *view)
{
  Store *own = compact(s, view), *before = view->store;
  if (own == NULL) return false;
  show_latest(view, own);
  own->views++;
  release(before);
  return true;
}

/* Makes the view the latest of a store that steps may change. */
static bool make_latest(const Session *s, View *view)
{
  if (!may_step(s, view->store)) return false;
  return (!is_wasteful(view) && check_out(s, view)) || move_out(s, view);
}

Tcl_Obj *collection_view_at(Console *console, Tcl_Obj *value, uint32_t index)
{
  View *view = view_in(value);
  Store *store = view->store;
  if (store->fixed) return item_of_fixed(view, index);
  if (is_whole(view)) return item_at(store, view->first + index)->value;
  if (is_latest(view) || (may_step(console->session, store) && check_out(console->session, view)))
    return item_at(store, nth_item(store, index))->value;
  Tcl_Obj *item = NULL;
  collection_settle(value);
  Tcl_ListObjIndex(NULL, value, (int)index, &item);
  return item;
}

static Growth *growth_of(Console *console, const Tcl_Obj *value)
{
  for (uint32_t i = 0; i < GROWTHS; i++)
    if (console->growths[i].value == value) return &console->growths[i];
  return NULL;
}

/* Did enough steps lead to a list?  A view that Tcl has read is a list again: the next steps must
   prove themselves for longer, but not for long, because a new list may only have the address of a
   view that is gone. */
static bool is_worth_a_view(Console *console, const Tcl_Obj *base)
{
  Growth *growth = growth_of(console, base);
  if (growth == NULL) return false;
  if (growth->was_view) {
    growth->was_view = false;
    growth->steps = 0;
    growth->patience = growth->patience < MOST_STEPS ? growth->patience * 4 : growth->patience;
  }
  return growth->steps >= growth->patience;
}

static void forget_base(SameBase *same)
{
  if (same->view) {
    Tcl_DecrRefCount(same->view);
    Tcl_DecrRefCount(same->base);
  }
  *same = (SameBase){ .base = NULL };
}

void collection_forget(Console *console)
{
  for (uint32_t i = 0; i < SAME_BASES; i++) forget_base(&console->same_bases[i]);
}

/* Forgets the bases that no further step can start from.  The record of a base with a view holds
   the base; if nobody else does, no script can use the base any more.  The record of a base without
   a view does not hold it, so the base may have been freed.  If the new value has the address of
   that base, the base was freed, and the record must not stand for the new value. */
static void forget_dropped(Console *console, const Tcl_Obj *new_value)
{
  for (uint32_t i = 0; i < SAME_BASES; i++) {
    const SameBase *same = &console->same_bases[i];
    if (same->view ? same->base->refCount == 1 : same->base == new_value)
      forget_base(&console->same_bases[i]);
  }
}

/* Tcl's list commands lose nothing if they read a view of names by its text. */
static bool has_names(Tcl_Obj *value)
{
  int count;
  Tcl_Obj **items;
  if (collection_is_view(value) || value_is_collection(value)) return false;
  if (Tcl_ListObjGetElements(NULL, value, &count, &items) != TCL_OK || count < LEAST) return false;
  return !value_is_collection(items[0]) && !value_is_collection(items[count - 1]);
}

/* The record of a value, or the one that was not used for longest, for a new value. */
static Growth *growth_for(Console *console, const Tcl_Obj *value)
{
  Growth *growth = growth_of(console, value), *oldest = &console->growths[0];
  for (uint32_t i = 1; growth == NULL && i < GROWTHS; i++)
    if (console->growths[i].used < oldest->used) oldest = &console->growths[i];
  return growth ? growth : oldest;
}

void collection_step(Console *console, const Tcl_Obj *base, Tcl_Obj *result)
{
  forget_dropped(console, result);
  Growth *growth = growth_for(console, base);
  if (growth->value != base)
    *growth = (Growth){ .value = base, .patience = has_names(result) ? NAME_STEPS - 1 : STEPS };
  growth->used = ++console->steps;
  growth->steps++;
  Growth next = { result, growth->steps, growth->patience, console->steps,
                  collection_is_view(result) };
  *growth_for(console, result) = next;
}

static bool is_candidate(Console *console, const Tcl_Obj *base)
{
  if (!is_at_top(console->session)) return false;
  return collection_is_view(base) || is_worth_a_view(console, base);
}

/* The store that a step from the base may change, and the view of it, which the store does not
   count.  False: there is none. */
static bool open_store(Console *console, Tcl_Obj *base, View *view)
{
  if (collection_is_view(base)) {
    bool latest = make_latest(console->session, view_in(base));
    *view = *view_in(base);
    return latest;
  }
  int count;
  Tcl_Obj **items;
  if (value_is_object(base)) return false;
  if (Tcl_ListObjGetElements(NULL, base, &count, &items) != TCL_OK || count < LEAST) return false;
  Store *store = store_of(console->session, count, items);
  if (store) *view = view_of_all(store);
  return store != NULL;
}

/* A store that nobody shows goes. */
static void close_store(View *view)
{
  view->store->views++;
  release(view->store);
}

static Tcl_Obj *next_view(View *view)
{
  view->version = ++view->store->version;
  view->first = view->store->first;
  view->end = end_of(view->store);
  return view_value(*view);
}

/* What a step adds or removes.  The key of a removed name is that of its object, or of its text; of
   a text that no store has it is NO_KEY. */
typedef struct {
  Session *s;
  int      count;
  Tcl_Obj *const *items;
  Key     *keys;
  bool     unique;
} Step;
enum { NO_KEY = 0 };

static Tcl_Obj *add_behind(View *view, const Step *step)
{
  Store *store = view->store;
  for (int i = 0; i < step->count; i++) {
    if (step->unique && has_key(store, step->keys[i].key)) continue;
    push(step->s, store, step->items[i], step->keys[i]);
    view->count++;
  }
  return next_view(view);
}

static bool is_repeated(const Step *step, int at)
{
  for (int i = 0; i < at; i++)
    if (step->keys[i].key == step->keys[at].key) return true;
  return false;
}

/* With `unique`, later equal items are removed. */
static Tcl_Obj *add_before(View *view, const Step *step)
{
  Store *store = view->store;
  for (int i = 0; step->unique && i < step->count; i++)
    view->count -= take(store, step->keys[i].key, store->version + 1);
  for (int i = step->count - 1; i >= 0; i--) {
    if (step->unique && is_repeated(step, i)) continue;
    push_front(step->s, store, step->items[i], step->keys[i]);
    view->count++;
  }
  return next_view(view);
}

static Tcl_Obj *add_step(Console *console, Tcl_Obj *base, Step *step,
                         Tcl_Obj *(*add)(View *, const Step *))
{
  View view;
  Tcl_Obj *result = NULL;
  if (!is_candidate(console, base)) return NULL;
  if (!keys_of(step->s, step->count, step->items, &step->keys)) return NULL;
  if (open_store(console, base, &view)) {
    bool fits = !step->unique || (need_index(view.store) && !view.store->twice);
    if (fits) result = add(&view, step);
    close_store(&view);
  }
  mem_free(step->keys);
  return result;
}

bool collection_grows(Console *console, Tcl_Obj *value) { return is_candidate(console, value); }

/* Full names of these are unique, so two objects of one of these types have different names. */
enum { UNIQUE = OBJ_BIT(OBJ_PORT) | OBJ_BIT(OBJ_PIN) | OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET) };

/* Are all items with the name of the key that the name stands for? A bare name in the store stands
   for the same object, and no other object in it has the name. Then the index of names is not
   needed. */
static bool covers_name(const Session *s, const Store *store, Tcl_Obj *name, Key key)
{
  Text own = { 0 };
  uint32_t type = (uint32_t)(key.key >> 32);
  if (store->kinds == 0) return true;
  if (key.key == NO_KEY || store->kinds & ~OBJ_BIT(type) || !(OBJ_BIT(type) & UNIQUE)) return false;
  object_name(s, (Object){ type, (uint32_t)key.key }, &own);
  bool covers = strcmp(text_get(&own), Tcl_GetString(name)) == 0;
  text_free(&own);
  return covers;
}

/* The key of a name that stands for no object, if a store may have it. */
static uint64_t key_of_text(const Session *s, Tcl_Obj *value)
{
  int length;
  const char *text = Tcl_GetStringFromObj(value, &length);
  NameId id = names_find(s->names, text, (size_t)length);
  return length && id == NO_NAME ? NO_KEY : hash_pair(OBJ_TYPE_COUNT, id);
}

/* A name removes all items with that name, because objects and names are compared by name, and the
   object that it stands for.  The text of a removed object is nobody's name. */
static bool name_or_key_of(Session *s, Tcl_Obj *value, Key *key)
{
  Object o;
  ValueState state = object_of_value(s, value, &o);
  key->bare = state == VALUE_OTHER;
  if (!key->bare) return key_of(s, value, key);
  bool has = handle_of_name(s, Tcl_GetString(value), &o) && o.type != OBJ_CLOCK;
  key->key = has ? hash_pair(o.type, o.id) : key_of_text(s, value);
  return true;
}

static bool names_or_keys_of(Step *step)
{
  step->keys = mem_alloc(((size_t)step->count + 1) * sizeof *step->keys);
  for (int i = 0; i < step->count; i++)
    if (interrupt_seen() || !name_or_key_of(step->s, step->items[i], &step->keys[i])) {
      mem_free(step->keys);
      return false;
    }
  return true;
}

/* Returns false if a list of the remaining values must be made value by value. */
static bool may_remove(Store *store, const Step *step)
{
  for (int i = 0; i < step->count; i++)
    if (!step->keys[i].bare && is_another_s_name(step->s, store, step->keys[i].key)) return false;
  return true;
}

static bool needs_names(const Store *store, const Step *step)
{
  for (int i = 0; i < step->count; i++)
    if (step->keys[i].bare && !covers_name(step->s, store, step->items[i], step->keys[i]))
      return true;
  return false;
}

static Tcl_Obj *remove_step(View *view, const Step *step)
{
  Store *store = view->store;
  uint32_t version = store->version + 1;
  if (!need_index(store) || !may_remove(store, step)) return NULL;
  bool by_name = needs_names(store, step);
  if (by_name && !need_names(step->s, store)) return NULL;
  for (int i = 0; i < step->count; i++) {
    if (by_name && step->keys[i].bare) {
      view->count -= take_named(step->s, store, Tcl_GetString(step->items[i]), version);
    }
    view->count -= take(store, step->keys[i].key, version);
  }
  return next_view(view);
}

/* --- steps from what stays -------------------------------------------------------------------- */

static Tcl_Obj *fixed_view_of(Session *s, Tcl_Obj *list)
{
  View view;
  Tcl_Obj **items;
  int count;
  if (value_is_object(list) || Tcl_ListObjGetElements(NULL, list, &count, &items) != TCL_OK)
    return NULL;
  view.store = count < LEAST ? NULL : store_of(s, count, items);
  if (view.store == NULL) return NULL;
  view = view_of_all(view.store);
  view.store->fixed = true;
  return view_value(view);
}

static SameBase *same_base_of(Console *console, Tcl_Obj *base)
{
  for (uint32_t i = 0; i < SAME_BASES; i++)
    if (console->same_bases[i].base == base) return &console->same_bases[i];
  SameBase *same = &console->same_bases[console->next_base++ % SAME_BASES];
  forget_base(same);
  same->base = base;
  return same;
}

static void try_fixed_view(Console *console, SameBase *same)
{
  same->view = fixed_view_of(console->session, same->base);
  same->tried = !interrupt_seen();
  if (same->view == NULL) return;
  Tcl_IncrRefCount(same->view);
  Tcl_IncrRefCount(same->base);
}

/* The view of a fixed store that the base is, or is like; NULL: there is none.  Looks do not count
   as steps: a collection that grows may be looked into at each step. */
static Tcl_Obj *fixed_view(Console *console, Tcl_Obj *base, bool is_step)
{
  if (collection_is_view(base)) return view_in(base)->store->fixed ? base : NULL;
  SameBase *same = same_base_of(console, base);
  uint32_t uses = is_step ? ++same->steps : ++same->looks;
  if (uses < NAME_STEPS || (uses < STEPS && !has_names(base))) return NULL;
  /* a new list may have the address of one that had no view */
  bool again = same->view == NULL && uses % MOST_STEPS == 0;
  if (!same->tried || again) try_fixed_view(console, same);
  return same->view;
}

bool collection_was_searched(Console *console, const Tcl_Obj *list)
{
  for (uint32_t i = 0; i < SAME_BASES; i++) {
    SameBase *same = &console->same_bases[i];
    if (same->base != list || same->looks < NAME_STEPS) continue;
    forget_base(same);
    return true;
  }
  return false;
}

static bool leave_out_key(const Store *store, uint64_t key, Numbers *less)
{
  uint32_t i = last_of_key(store, key);
  while (i != NO_ITEM && leave_out(less, i)) i = item_at(store, i)->same;
  return i == NO_ITEM;
}

static bool leave_out_named(const Session *s, Store *store, const char *name, Numbers *less)
{
  Text t = { 0 };
  bool fits = need_names(s, store);
  uint32_t i = !fits ? NO_ITEM : map_get(store->names, hash_bytes(name, strlen(name)));
  for (; fits && i != MAP_NO_VALUE && i != NO_ITEM; i = item_at(store, i)->named) {
    name_of_item(s, item_at(store, i), &t);
    if (strcmp(text_get(&t), name) == 0) fits = leave_out_key(store, item_at(store, i)->key, less);
  }
  text_free(&t);
  return fits;
}

/* Adds the numbers of the items that the step's values stand for. False: there are many. */
static bool find_items(Store *store, const Step *step, Numbers *numbers)
{
  bool fits = step->count <= MOST_LESS && need_index(store) && may_remove(store, step);
  bool by_name = fits && needs_names(store, step);
  for (int i = 0; i < step->count && fits; i++) {
    bool bare = by_name && step->keys[i].bare;
    const char *name = bare ? Tcl_GetString(step->items[i]) : NULL;
    fits = (!name || leave_out_named(step->s, store, name, numbers)) &&
           leave_out_key(store, step->keys[i].key, numbers);
  }
  return fits && !interrupt_seen();
}

static void name_of_further(const Session *s, Tcl_Obj *value, Key key, Text *text)
{
  Item item = { .value = value, .key = key.key, .bare = key.bare };
  name_of_item(s, &item, text);
}

/* Objects are the same if they have one key.  If one of the two is a bare name, the same name is
   enough. */
static bool is_same(const Session *s, const Further *further, Tcl_Obj *value, Key key)
{
  if (key.key != NO_KEY && further->key.key == key.key) return true;
  if (!further->key.bare && !key.bare) return false;
  Text own = { 0 }, other = { 0 };
  name_of_further(s, further->value, further->key, &own);
  name_of_further(s, value, key, &other);
  bool same = strcmp(text_get(&own), text_get(&other)) == 0;
  text_free(&own);
  text_free(&other);
  return same;
}

static bool is_meant(const Step *step, const Further *further)
{
  for (int i = 0; i < step->count; i++)
    if (is_same(step->s, further, step->items[i], step->keys[i])) return true;
  return false;
}

/* Adds those of `from` that the step's values stand for (`meant`), or that they do not. */
static void add_meant(const Step *step, const Furthers *from, bool meant, Furthers *to)
{
  for (uint32_t i = 0; i < from->len; i++)
    if (is_meant(step, &from->at[i]) == meant) array_push(to, from->at[i]);
}

/* A view like the base, with lists of its own, which close_few frees. */
static View open_few(const View *base)
{
  View view = *base;
  view.less = (Numbers){ 0 };
  view.front = view.more = (Furthers){ 0 };
  for (uint32_t i = 0; i < base->less.len; i++) array_push(&view.less, base->less.at[i]);
  return view;
}

/* The value of the view; NULL if its lists do not fit. */
static Tcl_Obj *close_few(View *view, bool fits)
{
  Tcl_Obj *result = NULL;
  fits = fits && view->front.len <= MOST_MORE && view->more.len <= MOST_MORE;
  view->count = view->front.len + view->store->items.len - view->less.len + view->more.len;
  if (fits) result = view_value(*view);
  if (fits && view->count < LEAST) collection_settle(result);
  array_free(&view->less);
  array_free(&view->front);
  array_free(&view->more);
  return result;
}

/* NULL: not worth it, since they are many. */
static Tcl_Obj *remove_few(const View *base, const Step *step)
{
  View view = open_few(base);
  bool fits = find_items(view.store, step, &view.less);
  if (fits) add_meant(step, &base->front, false, &view.front);
  if (fits) add_meant(step, &base->more, false, &view.more);
  return close_few(&view, fits);
}

static bool has_further(const Furthers *list, uint64_t key)
{
  for (uint32_t i = 0; i < list->len; i++)
    if (list->at[i].key.key == key) return true;
  return false;
}

/* In a store without equal items. */
static bool shows_key(const View *view, uint64_t key)
{
  uint32_t i = last_of_key(view->store, key);
  if (i != NO_ITEM && !has_number(&view->less, i)) return true;
  return has_further(&view->front, key) || has_further(&view->more, key);
}

/* Are all items of the view different? */
static bool has_once(const View *view)
{
  if (!need_index(view->store) || view->store->twice) return false;
  View seen = *view;
  seen.front = seen.more = (Furthers){ 0 };
  bool once = true;
  for (uint32_t i = 0; once && i < view->front.len + view->more.len; i++) {
    const Further *further =
        i < view->front.len ? &view->front.at[i] : &view->more.at[i - view->front.len];
    once = !shows_key(&seen, further->key.key);
    array_push(&seen.more, *further);
  }
  array_free(&seen.more);
  return once;
}

static Tcl_Obj *add_few(const View *base, const Step *step)
{
  if (step->unique && !has_once(base)) return NULL;
  View view = open_few(base);
  add_furthers(&view.front, &base->front);
  add_furthers(&view.more, &base->more);
  for (int i = 0; i < step->count; i++)
    if (!step->unique || !shows_key(&view, step->keys[i].key))
      array_push(&view.more, (Further){ step->items[i], step->keys[i] });
  return close_few(&view, true);
}

static bool is_added(const Step *step, uint64_t key)
{
  for (int i = 0; i < step->count; i++)
    if (step->keys[i].key == key) return true;
  return false;
}

/* With `unique`, the items that come again are left out. */
static void add_others(const Step *step, const Furthers *from, Furthers *to)
{
  for (uint32_t i = 0; i < from->len; i++)
    if (!step->unique || !is_added(step, from->at[i].key.key)) array_push(to, from->at[i]);
}

static Tcl_Obj *add_few_before(const View *base, const Step *step)
{
  if (step->unique && !has_once(base)) return NULL;
  View view = open_few(base);
  bool fits = true;
  for (int i = 0; i < step->count; i++) {
    if (step->unique && is_repeated(step, i)) continue;
    array_push(&view.front, (Further){ step->items[i], step->keys[i] });
    if (step->unique) fits = leave_out_key(view.store, step->keys[i].key, &view.less) && fits;
  }
  add_others(step, &base->front, &view.front);
  add_others(step, &base->more, &view.more);
  return close_few(&view, fits);
}

static void append_values(Tcl_Obj *list, const Furthers *values)
{
  for (uint32_t i = 0; i < values->len; i++)
    Tcl_ListObjAppendElement(NULL, list, values->at[i].value);
}

/* The base's items that the step's values stand for, as a list. NULL: there may be many. */
static Tcl_Obj *keep_few(const View *base, const Step *step)
{
  Numbers found = { 0 };
  Furthers front = { 0 }, more = { 0 };
  Tcl_Obj *list = NULL;
  if (find_items(base->store, step, &found)) {
    list = Tcl_NewListObj(0, NULL);
    add_meant(step, &base->front, true, &front);
    add_meant(step, &base->more, true, &more);
    append_values(list, &front);
    for (uint32_t i = 0; i < found.len; i++)
      if (!has_number(&base->less, found.at[i]))
        Tcl_ListObjAppendElement(NULL, list, item_at(base->store, found.at[i])->value);
    append_values(list, &more);
  }
  array_free(&found);
  array_free(&front);
  array_free(&more);
  return list;
}

/* The fixed view of the base, if its ids and names still stand for the same objects. */
static const View *useful_view(Console *console, Tcl_Obj *base, bool is_step)
{
  if (!is_at_top(console->session)) return NULL;
  Tcl_Obj *fixed = fixed_view(console, base, is_step);
  Store *store = fixed ? view_in(fixed)->store : NULL;
  bool useful =
      fixed && is_of_session(console->session, store) && is_of_meaning(console->session, store);
  return useful ? view_in(fixed) : NULL;
}

static Tcl_Obj *add_to(Console *console, Tcl_Obj *base, Step *step,
                       Tcl_Obj *(*add)(View *, const Step *),
                       Tcl_Obj *(*add_some)(const View *, const Step *))
{
  const View *fixed = useful_view(console, base, true);
  Tcl_Obj *result = NULL;
  if (fixed && step->count <= MOST_MORE
      && keys_of(step->s, step->count, step->items, &step->keys)) {
    result = add_some(fixed, step);
    mem_free(step->keys);
  }
  bool done = result || (fixed && !collection_is_view(base));
  return done ? result : add_step(console, base, step, add);
}

Tcl_Obj *collection_add(Console *console, Tcl_Obj *base, int count, Tcl_Obj *const items[],
                        bool unique)
{
  Step step = { console->session, count, items, NULL, unique };
  return add_to(console, base, &step, add_behind, add_few);
}

Tcl_Obj *collection_add_before(Console *console, Tcl_Obj *base, int count, Tcl_Obj *const items[],
                               bool unique)
{
  enum { MOST = 64 };        /* many at once are no small step */
  Step step = { console->session, count, items, NULL, unique };
  return count > MOST ? NULL : add_to(console, base, &step, add_before, add_few_before);
}

/* A growing collection that is the latest of its store also knows where its items are. */
static const View *indexed_view(Console *console, Tcl_Obj *base)
{
  if (collection_is_view(base) && !view_in(base)->store->fixed)
    return make_latest(console->session, view_in(base)) ? view_in(base) : NULL;
  return useful_view(console, base, false);
}

Tcl_Obj *collection_intersect(Console *console, Tcl_Obj *base, int count, Tcl_Obj *const items[])
{
  Step step = { console->session, count, items, NULL, false };
  const View *view = indexed_view(console, base);
  if (view == NULL || count > MOST_LESS || !names_or_keys_of(&step)) return NULL;
  Tcl_Obj *list = keep_few(view, &step);
  mem_free(step.keys);
  return list;
}

/* Is the step's only value among the view's items? Sets *fits to false if it cannot be told. */
static bool is_within(const View *view, const Step *step, bool *fits)
{
  Numbers found = { 0 };
  Furthers same = { 0 };
  *fits = find_items(view->store, step, &found);
  add_meant(step, &view->front, true, &same);
  add_meant(step, &view->more, true, &same);
  bool within = same.len > 0;
  for (uint32_t i = 0; i < found.len && !within; i++)
    within = !has_number(&view->less, found.at[i]);
  array_free(&found);
  array_free(&same);
  return within;
}

static Tcl_Obj *sifted(const View *view, const Step *step, bool keep)
{
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  bool fits = true;
  for (int i = 0; i < step->count && fits; i++) {
    Step one = { step->s, 1, &step->items[i], &step->keys[i], false };
    if (is_within(view, &one, &fits) == keep)
      Tcl_ListObjAppendElement(NULL, list, step->items[i]);
  }
  if (fits) return list;
  Tcl_IncrRefCount(list);
  Tcl_DecrRefCount(list);
  return NULL;
}

Tcl_Obj *collection_sift(Console *console, Tcl_Obj *objects, int count, Tcl_Obj *const items[],
                         bool keep)
{
  Step step = { console->session, count, items, NULL, false };
  const View *view = count > MOST_LESS ? NULL : indexed_view(console, objects);
  if (view == NULL || !names_or_keys_of(&step)) return NULL;
  Tcl_Obj *list = sifted(view, &step, keep);
  mem_free(step.keys);
  return list;
}

Tcl_Obj *collection_remove(Console *console, Tcl_Obj *base, int count, Tcl_Obj *const items[])
{
  View view;
  Step step = { console->session, count, items, NULL, false };
  Tcl_Obj *result = NULL;
  const View *fixed = useful_view(console, base, true);
  if ((!fixed && !is_candidate(console, base)) || !names_or_keys_of(&step)) return NULL;
  if (fixed) result = remove_few(fixed, &step);
  bool done = result || (fixed && !collection_is_view(base));
  if (!done && open_store(console, base, &view)) {
    result = remove_step(&view, &step);
    close_store(&view);
    if (result && view.count < LEAST) collection_settle(result);
  }
  mem_free(step.keys);
  return result;
}

/* --- Tcl's own commands on views -------------------------------------------------------------- */

/* Tcl's own list commands want a list. */
static int run_on_list(const Behind *tcl, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  if (count > 1) collection_settle(words[1]);
  return behind_run(tcl, interp, count, words);
}

static int llength_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  if (count != 2 || !collection_is_view(words[1])) return run_on_list(data, interp, count, words);
  Tcl_SetObjResult(interp, Tcl_NewIntObj((int)collection_view_count(words[1])));
  return TCL_OK;
}

/* N, end and end-N; others are Tcl's. */
static bool index_of(Tcl_Obj *word, uint32_t count, int *index)
{
  int back = 0;
  if (Tcl_GetIntFromObj(NULL, word, index) == TCL_OK) return true;
  const char *text = Tcl_GetString(word);
  if (strncmp(text, "end", 3) != 0) return false;
  bool has_number = text[3] == '-' && Tcl_GetInt(NULL, text + 4, &back) == TCL_OK && back >= 0;
  if (text[3] && !has_number) return false;
  *index = (int)count - 1 - back;
  return true;
}

static int lindex_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  int index;
  Console *console = ((const Behind *)data)->context;
  if (count != 3 || !collection_is_view(words[1])) return run_on_list(data, interp, count, words);
  uint32_t size = collection_view_count(words[1]);
  if (!index_of(words[2], size, &index)) return run_on_list(data, interp, count, words);
  if (index >= 0 && (uint32_t)index < size)
    Tcl_SetObjResult(interp, collection_view_at(console, words[1], (uint32_t)index));
  else Tcl_ResetResult(interp);
  return TCL_OK;
}

void collection_register(Console *console)
{
  behind_replace(console->interp, "llength", llength_command, NULL);
  behind_replace(console->interp, "lindex", lindex_command, console);
}
