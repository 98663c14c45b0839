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
  struct PathStore *p = store_of(s);
  if (p->bounds == NULL) p->bounds = retime_bounds_new();
  return p->bounds;
}

static void empty_batch(Batch *b)
{
  path_list_free(&b->list);
  array_free(&b->origins);
}

static bool is_current(const Session *s, const Batch *b)
{
  for (ScenarioId i = 0; i < b->origins.len; i++) {
    const Origin *o = &b->origins.at[i];
    const Timer *t = session_timer_at(s, i);
    if (o->timing && (t == NULL || t->timing != o->timing || t->updates != o->updates))
      return false;
  }
  return b->list.paths.len > 0;
}

/* Index of the first batch that ends behind an id. */
static uint32_t batch_behind(const struct PathStore *p, uint32_t id)
{
  uint32_t low = 0, high = p->batches.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->batches.at[middle]->base + (uint64_t)p->batches.at[middle]->count <= id)
      low = middle + 1;
    else high = middle;
  }
  return low;
}

static Batch *batch_of(const Session *s, uint32_t id)
{
  const struct PathStore *p = s->paths;
  uint32_t at = p ? batch_behind(p, id) : 0;
  return p && at < p->batches.len && p->batches.at[at]->base <= id ? p->batches.at[at] : NULL;
}

/* The last value of a batch is gone. */
static void remove_batch(void *data)
{
  Batch *b = data;
  struct PathStore *p = b->store;
  uint32_t at = batch_behind(p, b->base);
  memmove(p->batches.at + at, p->batches.at + at + 1,
          (p->batches.len - at - 1) * sizeof *p->batches.at);
  p->batches.len--;
  empty_batch(b);
  mem_free(b);
}

/* --- searches held for texts of their paths --------------------------------------------------- */
enum { BATCH_OVERHEAD = 256 };      /* of small blocks */

static size_t batch_bytes(const Batch *b)
{
  const PathList *l = &b->list;
  return BATCH_OVERHEAD + sizeof *b + l->paths.cap * sizeof *l->paths.at +
    l->points.cap * sizeof *l->points.at +
         b->origins.cap * sizeof *b->origins.at;
}

/* Frees this many of the oldest. */
static void evict(struct PathStore *p, uint32_t count)
{
  if (count == 0) return;
  Batch **oldest = mem_alloc((size_t)count * sizeof *oldest);
  for (uint32_t i = 0; i < count; i++) {
    oldest[i] = p->held.at[i];
    p->held_bytes -= oldest[i]->held;
    oldest[i]->held = 0;
  }
  memmove(p->held.at, p->held.at + count, (p->held.len - count) * sizeof *p->held.at);
  p->held.len -= count;
  for (uint32_t i = 0; i < count; i++) object_ref_drop(oldest[i]->ref);
  mem_free(oldest);
}

void path_store_hold(Session *s, uint32_t id)
{
  struct PathStore *p = s->paths;
  Batch *b = batch_of(s, id);
  if (b == NULL || b->held || b->list.paths.len == 0) return;
  b->held = batch_bytes(b);
  object_ref_hold(b->ref);
  array_push(&p->held, b);
  p->held_bytes += b->held;
  uint32_t count = 0;
  size_t freed = 0;
  if (p->held_bytes <= MOST_HELD) return;
  while (count + 1 < p->held.len && p->held_bytes - freed > MOST_HELD / 2)
    freed += p->held.at[count++]->held;
  evict(p, count);
}

void path_store_forget(Session *s)
{
  if (s->paths) evict(s->paths, s->paths->held.len);
  for (uint32_t i = 0; s->paths && i < s->paths->batches.len; i++)
    empty_batch(s->paths->batches.at[i]);
}

void path_store_sweep(Session *s)
{
  struct PathStore *p = s->paths;
  uint64_t seen = 0;
  if (p == NULL || p->batches.len == 0) return;
  for (ScenarioId i = 0; i < s->timers.len; i++)
    seen += s->timers.at[i] ? s->timers.at[i]->updates : 0;
  if (seen == p->seen) return;
  p->seen = seen;
  evict(p, p->held.len);
  for (uint32_t i = 0; i < p->batches.len; i++)
    if (!is_current(s, p->batches.at[i])) empty_batch(p->batches.at[i]);
}

void path_store_free(Session *s)
{
  struct PathStore *p = s->paths;
  if (p) evict(p, p->held.len);
  for (uint32_t i = 0; p && i < p->batches.len; i++) {
    object_ref_cut(p->batches.at[i]->ref);
    empty_batch(p->batches.at[i]);
    mem_free(p->batches.at[i]);
  }
  if (p) array_free(&p->batches);
  if (p) array_free(&p->held);
  if (p) retime_bounds_free(p->bounds);
  mem_free(p);
  s->paths = NULL;
}

bool path_is_alive(const Session *s, uint32_t id)
{
  const Batch *b = batch_of(s, id);
  return b && is_current(s, b);
}

const PathList *path_store_list(const Session *s, uint32_t id, uint32_t *index)
{
  const Batch *b = batch_of(s, id);
  if (b == NULL || !is_current(s, b)) return NULL;
  *index = id - b->base;
  return &b->list;
}

ObjectRef *path_store_ref(const Session *s, uint32_t id)
{
  const Batch *b = batch_of(s, id);
  return b ? b->ref : NULL;
}

/* Returns a range of ids that no batch uses: after the last ones given, until the numbers end; then
   in the first gap that is wide enough. */
static uint32_t free_ids(struct PathStore *p, uint32_t count, uint32_t *at)
{
  uint64_t base = 0;
  *at = batch_behind(p, p->next);
  uint64_t most = *at < p->batches.len ? p->batches.at[*at]->base : UINT32_MAX;
  if (p->next + (uint64_t)count <= most) return p->next;
  for (*at = 0; *at < p->batches.len && base + count > p->batches.at[*at]->base; ++*at)
    base = p->batches.at[*at]->base + (uint64_t)p->batches.at[*at]->count;
  return (uint32_t)base;
}

static void note_origins(const Session *s, Batch *b)
{
  for (uint32_t i = 0; i < b->list.paths.len; i++) {
    ScenarioId source = b->list.paths.at[i].source;
    if (source < b->origins.len && b->origins.at[source].timing) continue;
    const Timer *t = session_timer_at(s, source);
    while (b->origins.len <= source) array_push(&b->origins, (Origin){ 0, NULL });
    b->origins.at[source] = (Origin){ t->updates, t->timing };
  }
}

void path_store_add(Session *s, PathList *list, ObjectArray *objects)
{
  uint32_t count = list->paths.len, at;
  if (count == 0) {
    path_list_free(list);
    return;
  }
  struct PathStore *p = store_of(s);
  Batch *b = mem_alloc_zero(1, sizeof *b);
  *b = (Batch){ .store = p, .base = free_ids(p, count, &at), .count = count };
  memcpy(&b->list, list, sizeof *list);
  memset(list, 0, sizeof *list);
  b->ref = object_ref_counted(s, remove_batch, b);
  note_origins(s, b);
  array_push(&p->batches, NULL);
  memmove(p->batches.at + at + 1, p->batches.at + at,
          (p->batches.len - 1 - at) * sizeof *p->batches.at);
  p->batches.at[at] = b;
  p->next = b->base + count;
  array_reserve(objects, (uint64_t)objects->len + count);
  for (uint32_t i = 0; i < count; i++) array_push(objects, (Object){ OBJ_PATH, b->base + i });
}

const Timing *path_store_timing(const Session *s, const Path *p)
{
  return session_timer_at(s, p->source)->timing;
}
