/* Stores the paths that scripts hold. The paths of one search form a batch. */
#include "tclbind/paths.h"

#include "update/timer.h"
#include "paths/retime_bound.h"

/* The numbers in which a scenario's paths were found. */
typedef struct {
  uint64_t updates;         /* of the timer */
  const Timing *timing;     /* NULL: there are none of the scenario */
} Origin;

/* The paths of one search.  It lives as long as Tcl values of its paths do; its list goes before
   them when they are stale. */
typedef struct {
  struct PathStore *store;
  ObjectRef *ref;
  uint32_t base, count;     /* ids */
  PathList list;            /* empty: stale */
  ARRAY(Origin) origins;    /* by ScenarioId */
  size_t held;              /* bytes, of one that is held for the texts of its paths; else 0 */
} Batch;

/* An id belongs to its batch until the last value goes, so a stale one is never taken for another
   path. */
struct PathStore {
  ARRAY(Batch *) batches;   /* by base */
  uint32_t next;            /* the id to try first */
  uint64_t seen;            /* updates of all timers at the last sweep */
  RetimeBounds *bounds;     /* NULL: none was asked for */
  ARRAY(Batch *) held;      /* the oldest first */
  size_t held_bytes;
};

/* The memory that searches kept for their texts may take.  Beyond it, the older half is freed; the
   last search may take more. */
enum { MOST_HELD = 64 << 20 };

static struct PathStore *store_of(Session *s)
{
  if (s->paths == NULL) s->paths = mem_alloc_zero(1, sizeof *s->paths);
  return s->paths;
}

RetimeBounds *path_store_bounds(Session *s)
{
  struct PathStore *store = store_of(s);
  if (store->bounds == NULL) store->bounds = retime_bounds_new();
  return store->bounds;
}

static void empty_batch(Batch *batch)
{
  path_list_free(&batch->list);
  array_free(&batch->origins);
}

static bool is_current(const Session *s, const Batch *batch)
{
  for (ScenarioId i = 0; i < batch->origins.len; i++) {
    const Origin *origin = &batch->origins.at[i];
    const Timer *timer = session_timer_at(s, i);
    if (origin->timing
        && (timer == NULL || timer->timing != origin->timing || timer->updates != origin->updates))
      return false;
  }
  return batch->list.paths.len > 0;
}

/* Index of the first batch that ends behind an id. */
static uint32_t batch_behind(const struct PathStore *store, uint32_t id)
{
  uint32_t low = 0, high = store->batches.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (store->batches.at[middle]->base + (uint64_t)store->batches.at[middle]->count <= id)
      low = middle + 1;
    else high = middle;
  }
  return low;
}

static Batch *batch_of(const Session *s, uint32_t id)
{
  const struct PathStore *store = s->paths;
  uint32_t at = store ? batch_behind(store, id) : 0;
  return store && at < store->batches.len && store->batches.at[at]->base <= id
             ? store->batches.at[at]
             : NULL;
}

/* The last value of a batch is gone. */
static void remove_batch(void *data)
{
  Batch *batch = data;
  struct PathStore *store = batch->store;
  uint32_t at = batch_behind(store, batch->base);
  memmove(store->batches.at + at, store->batches.at + at + 1,
          (store->batches.len - at - 1) * sizeof *store->batches.at);
  store->batches.len--;
  empty_batch(batch);
  mem_free(batch);
}

/* --- searches held for texts of their paths --------------------------------------------------- */
enum { BATCH_OVERHEAD = 256 };      /* of small blocks */

static size_t batch_bytes(const Batch *batch)
{
  const PathList *list = &batch->list;
  return BATCH_OVERHEAD + sizeof *batch + list->paths.cap * sizeof *list->paths.at
         + list->points.cap * sizeof *list->points.at
         + batch->origins.cap * sizeof *batch->origins.at;
}

/* Frees this many of the oldest. */
static void evict(struct PathStore *store, uint32_t count)
{
  if (count == 0) return;
  Batch **oldest = mem_alloc((size_t)count * sizeof *oldest);
  for (uint32_t i = 0; i < count; i++) {
    oldest[i] = store->held.at[i];
    store->held_bytes -= oldest[i]->held;
    oldest[i]->held = 0;
  }
  memmove(store->held.at, store->held.at + count,
          (store->held.len - count) * sizeof *store->held.at);
  store->held.len -= count;
  for (uint32_t i = 0; i < count; i++) object_ref_drop(oldest[i]->ref);
  mem_free(oldest);
}

void path_store_hold(Session *s, uint32_t id)
{
  struct PathStore *store = s->paths;
  Batch *batch = batch_of(s, id);
  if (batch == NULL || batch->held || batch->list.paths.len == 0) return;
  batch->held = batch_bytes(batch);
  object_ref_hold(batch->ref);
  array_push(&store->held, batch);
  store->held_bytes += batch->held;
  uint32_t count = 0;
  size_t freed = 0;
  if (store->held_bytes <= MOST_HELD) return;
  while (count + 1 < store->held.len && store->held_bytes - freed > MOST_HELD / 2)
    freed += store->held.at[count++]->held;
  evict(store, count);
}

void path_store_forget(Session *s)
{
  if (s->paths) evict(s->paths, s->paths->held.len);
  for (uint32_t i = 0; s->paths && i < s->paths->batches.len; i++)
    empty_batch(s->paths->batches.at[i]);
}

void path_store_sweep(Session *s)
{
  struct PathStore *store = s->paths;
  uint64_t seen = 0;
  if (store == NULL || store->batches.len == 0) return;
  for (ScenarioId i = 0; i < s->timers.len; i++)
    seen += s->timers.at[i] ? s->timers.at[i]->updates : 0;
  if (seen == store->seen) return;
  store->seen = seen;
  evict(store, store->held.len);
  for (uint32_t i = 0; i < store->batches.len; i++)
    if (!is_current(s, store->batches.at[i])) empty_batch(store->batches.at[i]);
}

void path_store_free(Session *s)
{
  struct PathStore *store = s->paths;
  if (store) evict(store, store->held.len);
  for (uint32_t i = 0; store && i < store->batches.len; i++) {
    object_ref_cut(store->batches.at[i]->ref);
    empty_batch(store->batches.at[i]);
    mem_free(store->batches.at[i]);
  }
  if (store) array_free(&store->batches);
  if (store) array_free(&store->held);
  if (store) retime_bounds_free(store->bounds);
  mem_free(store);
  s->paths = NULL;
}

bool path_is_alive(const Session *s, uint32_t id)
{
  const Batch *batch = batch_of(s, id);
  return batch && is_current(s, batch);
}

const PathList *path_store_list(const Session *s, uint32_t id, uint32_t *index)
{
  const Batch *batch = batch_of(s, id);
  if (batch == NULL || !is_current(s, batch)) return NULL;
  *index = id - batch->base;
  return &batch->list;
}

ObjectRef *path_store_ref(const Session *s, uint32_t id)
{
  const Batch *batch = batch_of(s, id);
  return batch ? batch->ref : NULL;
}

/* Returns a range of ids that no batch uses: after the last ones given, until the numbers end; then
   in the first gap that is wide enough. */
static uint32_t free_ids(struct PathStore *store, uint32_t count, uint32_t *at)
{
  uint64_t base = 0;
  *at = batch_behind(store, store->next);
  uint64_t most = *at < store->batches.len ? store->batches.at[*at]->base : UINT32_MAX;
  if (store->next + (uint64_t)count <= most) return store->next;
  for (*at = 0; *at < store->batches.len && base + count > store->batches.at[*at]->base; ++*at)
    base = store->batches.at[*at]->base + (uint64_t)store->batches.at[*at]->count;
  return (uint32_t)base;
}

static void note_origins(const Session *s, Batch *batch)
{
  for (uint32_t i = 0; i < batch->list.paths.len; i++) {
    ScenarioId source = batch->list.paths.at[i].source;
    if (source < batch->origins.len && batch->origins.at[source].timing) continue;
    const Timer *timer = session_timer_at(s, source);
    while (batch->origins.len <= source) array_push(&batch->origins, (Origin){ 0, NULL });
    batch->origins.at[source] = (Origin){ timer->updates, timer->timing };
  }
}

void path_store_add(Session *s, PathList *list, ObjectArray *objects)
{
  uint32_t count = list->paths.len, at;
  if (count == 0) {
    path_list_free(list);
    return;
  }
  struct PathStore *store = store_of(s);
  Batch *batch = mem_alloc_zero(1, sizeof *batch);
  *batch = (Batch){ .store = store, .base = free_ids(store, count, &at), .count = count };
  memcpy(&batch->list, list, sizeof *list);
  memset(list, 0, sizeof *list);
  batch->ref = object_ref_counted(s, remove_batch, batch);
  note_origins(s, batch);
  array_push(&store->batches, NULL);
  memmove(store->batches.at + at + 1, store->batches.at + at,
          (store->batches.len - 1 - at) * sizeof *store->batches.at);
  store->batches.at[at] = batch;
  store->next = batch->base + count;
  array_reserve(objects, (uint64_t)objects->len + count);
  for (uint32_t i = 0; i < count; i++) array_push(objects, (Object){ OBJ_PATH, batch->base + i });
}

const Timing *path_store_timing(const Session *s, const Path *path)
{
  return session_timer_at(s, path->source)->timing;
}
