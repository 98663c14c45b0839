#include "cmd/collection.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "cmd/object.h"

enum { NEVER = UINT32_MAX, NO_ITEM = UINT32_MAX - 1, LEAST = 64 /* items worth a view */, STEPS = 4 /* before a view is tried */ };

typedef struct {
  Tcl_Obj *value;
  uint64_t key;              /* type and id */
  uint32_t gone;             /* version in which it went; NEVER */
  uint32_t same;             /* the one before with the same key, in the index; NO_ITEM */
} Item;

typedef struct {
  uint32_t  views, version;
  ARRAY(Item) items;
  Map      *last;            /* key to its last item; NULL until it is needed */
  uint32_t  twice;           /* with `last`: items whose key an item before them has, of the latest version */
  uint32_t *sums, room;      /* how many are there, by place (a Fenwick tree); NULL until it is needed */
} Store;

typedef struct {
  Store   *store;
  uint32_t len, version, count;
} View;

/* --- the store ------------------------------------------------------------------------------------------------ */

static void add_to_sums(Store *store, uint32_t place, uint32_t change)
{
  for (uint32_t i = place + 1; i <= store->room; i += i & -i) store->sums[i] += change;
}

static void drop_sums(Store *store)
{
  mem_free(store->sums);
  store->sums = NULL;
}

static bool has_key(const Store *store, uint64_t key)
{
  uint32_t i = map_get(store->last, key);
  return i != MAP_NO_VALUE && i != NO_ITEM;
}

/* Items that went are in no chain: whoever goes takes all of its key along. */
static void index_item(Store *store, uint32_t i)
{
  Item *item = &store->items.at[i];
  bool has = has_key(store, item->key);
  item->same = has ? map_get(store->last, item->key) : NO_ITEM;
  store->twice += has;
  map_put(store->last, item->key, i);
}

static void need_index(Store *store)
{
  if (store->last) return;
  store->last = map_new();
  for (uint32_t i = 0; i < store->items.len; i++)
    if (store->items.at[i].gone == NEVER) index_item(store, i);
}

static void push(Store *store, Tcl_Obj *value, uint64_t key)
{
  Tcl_IncrRefCount(value);
  array_push(&store->items, (Item){ value, key, NEVER, NO_ITEM });
  if (store->last) index_item(store, store->items.len - 1);
  if (store->sums && store->items.len > store->room) drop_sums(store);
  if (store->sums) add_to_sums(store, store->items.len - 1, 1);
}

/* All items of the key go in this version; how many. */
static uint32_t take(Store *store, uint64_t key, uint32_t version)
{
  uint32_t taken = 0;
  for (uint32_t i = has_key(store, key) ? map_get(store->last, key) : NO_ITEM; i != NO_ITEM; i = store->items.at[i].same, taken++) {
    store->items.at[i].gone = version;
    if (store->sums) add_to_sums(store, i, (uint32_t)-1);
  }
  if (taken == 0) return 0;
  store->twice -= taken - 1;
  map_put(store->last, key, NO_ITEM);
  return taken;
}

static void release(Store *store)
{
  if (--store->views) return;
  for (uint32_t i = 0; i < store->items.len; i++) Tcl_DecrRefCount(store->items.at[i].value);
  array_free(&store->items);
  if (store->last) map_free(store->last);
  mem_free(store->sums);
  mem_free(store);
}

/* --- views as Tcl values --------------------------------------------------------------------------------------- */

static const Tcl_ObjType view_type;

static View *view_in(const Tcl_Obj *value) { return value->internalRep.twoPtrValue.ptr1; }
bool collection_is_view(const Tcl_Obj *value) { return value->typePtr == &view_type; }
uint32_t collection_view_count(const Tcl_Obj *view) { return view_in(view)->count; }

static void set_view(Tcl_Obj *value, View view)
{
  View *own = mem_alloc(sizeof *own);
  *own = view;
  view.store->views++;
  value->internalRep.twoPtrValue.ptr1 = own;
  value->internalRep.twoPtrValue.ptr2 = NULL;
  value->typePtr = &view_type;
}

static Tcl_Obj *view_value(View view)
{
  Tcl_Obj *value = Tcl_NewObj();
  Tcl_InvalidateStringRep(value);
  set_view(value, view);
  return value;
}

static void free_view(Tcl_Obj *value)
{
  release(view_in(value)->store);
  mem_free(view_in(value));
}

static void duplicate_view(Tcl_Obj *from, Tcl_Obj *to) { set_view(to, *view_in(from)); }

static bool shows(const View *view, uint32_t i) { return view->store->items.at[i].gone > view->version; }

static Tcl_Obj *list_of(const View *view)
{
  Tcl_Obj **values = mem_alloc(((size_t)view->count + 1) * sizeof *values);
  uint32_t count = 0;
  for (uint32_t i = 0; i < view->len; i++)
    if (shows(view, i)) values[count++] = view->store->items.at[i].value;
  Tcl_Obj *list = Tcl_NewListObj((int)count, values);
  mem_free(values);
  return list;
}

static void name_view(Tcl_Obj *value)
{
  Tcl_Obj *list = list_of(view_in(value));
  int length;
  Tcl_IncrRefCount(list);
  const char *text = Tcl_GetStringFromObj(list, &length);
  value->bytes = ckalloc((unsigned)length + 1);
  memcpy(value->bytes, text, (size_t)length + 1);
  value->length = length;
  Tcl_DecrRefCount(list);
}

static const Tcl_ObjType view_type = { "slview", free_view, duplicate_view, name_view, NULL };

/* The list's own representation moves over; a text that was made stays. */
void collection_settle(Tcl_Obj *value)
{
  if (!collection_is_view(value)) return;
  Tcl_Obj *list = list_of(view_in(value));
  Tcl_IncrRefCount(list);
  free_view(value);
  value->internalRep = list->internalRep;
  value->typePtr = list->typePtr;
  list->typePtr = NULL;
  Tcl_DecrRefCount(list);
}

/* --- items by place --------------------------------------------------------------------------------------------- */

static void make_sums(Store *store)
{
  store->room = 64;
  while (store->room < 2 * store->items.len) store->room *= 2;
  store->sums = mem_alloc_zero((size_t)store->room + 1, sizeof *store->sums);
  for (uint32_t i = 0; i < store->items.len; i++)
    if (store->items.at[i].gone == NEVER) add_to_sums(store, i, 1);
}

/* Descends to the last node with no more than `place` items before it. */
static uint32_t nth_item(Store *store, uint32_t place)
{
  uint32_t at = 0;
  if (store->sums == NULL) make_sums(store);
  for (uint32_t step = store->room; step; step /= 2)
    if (at + step <= store->room && store->sums[at + step] <= place) {
      at += step;
      place -= store->sums[at];
    }
  return at;
}

Tcl_Obj *collection_view_at(Tcl_Obj *value, uint32_t place)
{
  const View *view = view_in(value);
  Store *store = view->store;
  if (view->count == view->len) return store->items.at[place].value;
  if (view->version == store->version) return store->items.at[nth_item(store, place)].value;
  Tcl_Obj *item = NULL;
  collection_settle(value);
  Tcl_ListObjIndex(NULL, value, (int)place, &item);
  return item;
}

/* --- steps ------------------------------------------------------------------------------------------------------ */

/* Clocks are other ones in another mode, and texts may mean any object: only live objects have keys. */
static bool key_of(Session *s, Tcl_Obj *value, uint64_t *key)
{
  Object o;
  if (object_of_value(s, value, &o) != VALUE_OBJECT || o.type == OBJ_CLOCK) return false;
  *key = hash_pair(o.type, o.id);
  return true;
}

static bool keys_of(Session *s, int count, Tcl_Obj *const items[], uint64_t **keys)
{
  *keys = mem_alloc(((size_t)count + 1) * sizeof **keys);
  for (int i = 0; i < count; i++)
    if (!key_of(s, items[i], &(*keys)[i])) {
      mem_free(*keys);
      return false;
    }
  return true;
}

/* NULL: not all are live objects. */
static Store *store_of(Session *s, int count, Tcl_Obj *const items[])
{
  uint64_t *keys;
  if (!keys_of(s, count, items, &keys)) return NULL;
  Store *store = mem_alloc_zero(1, sizeof *store);
  for (int i = 0; i < count; i++) push(store, items[i], keys[i]);
  mem_free(keys);
  return store;
}

/* Without what went, when that is more than what is there. */
static bool is_wasteful(const View *view) { return view->len > 2 * view->count + LEAST; }

static Store *compact(const View *view)
{
  Store *store = mem_alloc_zero(1, sizeof *store);
  for (uint32_t i = 0; i < view->len; i++)
    if (shows(view, i)) push(store, view->store->items.at[i].value, view->store->items.at[i].key);
  return store;
}

static Growth *growth_of(Console *c, const Tcl_Obj *value)
{
  for (uint32_t i = 0; i < GROWTHS; i++)
    if (c->growths[i].value == value) return &c->growths[i];
  return NULL;
}

/* How many steps in a row led to a list.  A view that Tcl has read is a list again: the next ones must prove themselves for longer. */
static bool is_worth_a_view(Console *c, const Tcl_Obj *base)
{
  Growth *g = growth_of(c, base);
  if (g == NULL) return false;
  if (g->was_view) {
    g->was_view = false;
    g->steps = 0;
    g->patience = g->patience < 1024 ? g->patience * 4 : g->patience;
  }
  return g->steps >= g->patience;
}

void collection_step(Console *c, const Tcl_Obj *base, const Tcl_Obj *result)
{
  Growth *g = growth_of(c, base);
  if (g == NULL) {
    g = &c->growths[c->next_growth++ % GROWTHS];
    *g = (Growth){ .patience = STEPS };
  }
  g->value = result;
  g->steps++;
  g->was_view = collection_is_view(result);
}

static bool is_candidate(Console *c, const Tcl_Obj *base) { return collection_is_view(base) || is_worth_a_view(c, base); }

/* The store that a step from the base may change, and the view of it, which the store does not count.  False: there is none. */
static bool open_store(Console *c, Tcl_Obj *base, View *view)
{
  if (collection_is_view(base)) {
    *view = *view_in(base);
    if (view->version != view->store->version || view->version >= NO_ITEM) return false;
    if (is_wasteful(view)) *view = (View){ compact(view), view->count, 0, view->count };
    return true;
  }
  int count;
  Tcl_Obj **items;
  if (value_is_object(base)) return false;
  if (Tcl_ListObjGetElements(NULL, base, &count, &items) != TCL_OK || count < LEAST) return false;
  Store *store = store_of(c->session, count, items);
  if (store) *view = (View){ store, (uint32_t)count, 0, (uint32_t)count };
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
  view->len = view->store->items.len;
  return view_value(*view);
}

static Tcl_Obj *add_keys(View *view, int count, Tcl_Obj *const items[], const uint64_t *keys, bool unique)
{
  Store *store = view->store;
  if (unique) need_index(store);
  if (unique && store->twice) return NULL;
  for (int i = 0; i < count; i++) {
    if (unique && has_key(store, keys[i])) continue;
    push(store, items[i], keys[i]);
    view->count++;
  }
  return next_view(view);
}

Tcl_Obj *collection_add(Console *c, Tcl_Obj *base, int count, Tcl_Obj *const items[], bool unique)
{
  View view;
  uint64_t *keys;
  Tcl_Obj *result = NULL;
  if (!is_candidate(c, base) || !keys_of(c->session, count, items, &keys)) return NULL;
  if (open_store(c, base, &view)) {
    result = add_keys(&view, count, items, keys, unique);
    close_store(&view);
  }
  mem_free(keys);
  return result;
}

static Tcl_Obj *remove_keys(View *view, int count, const uint64_t *keys)
{
  need_index(view->store);
  for (int i = 0; i < count; i++) view->count -= take(view->store, keys[i], view->store->version + 1);
  return next_view(view);
}

Tcl_Obj *collection_remove(Console *c, Tcl_Obj *base, int count, Tcl_Obj *const items[])
{
  View view;
  uint64_t *keys;
  Tcl_Obj *result = NULL;
  if (!is_candidate(c, base) || !keys_of(c->session, count, items, &keys)) return NULL;
  if (open_store(c, base, &view)) {
    result = remove_keys(&view, count, keys);
    if (view.count < LEAST) collection_settle(result);
    close_store(&view);
  }
  mem_free(keys);
  return result;
}
