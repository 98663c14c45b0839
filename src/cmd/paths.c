#include "cmd/paths.h"

#include "engine/timer.h"
#include "query/retime_bound.h"

/* What a scenario's paths were found in. */
typedef struct {
  uint64_t updates;         /* of the timer */
  const Timing *timing;     /* NULL: there are none of the scenario */
} Origin;

/* Ids go on rising, so that a stale one is never taken for another path. */
struct PathStore {
  PathList list;
  uint32_t base;            /* id of the first path in the list */
  ARRAY(Origin) origins;    /* by ScenarioId */
  RetimeBounds *bounds;     /* NULL: none was asked for */
};

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

void path_store_forget(Session *s)
{
  struct PathStore *p = s->paths;
  if (p == NULL) return;
  p->base += p->list.paths.len;
  path_list_free(&p->list);
  array_free(&p->origins);
}

void path_store_free(Session *s)
{
  path_store_forget(s);
  if (s->paths) retime_bounds_free(s->paths->bounds);
  mem_free(s->paths);
  s->paths = NULL;
}

static bool is_current(const Session *s, const struct PathStore *p)
{
  for (ScenarioId i = 0; i < p->origins.len; i++) {
    const Origin *o = &p->origins.at[i];
    const Timer *t = session_timer_at(s, i);
    if (o->timing && (t == NULL || t->timing != o->timing || t->updates != o->updates)) return false;
  }
  return true;
}

bool path_is_alive(const Session *s, uint32_t id)
{
  const struct PathStore *p = s->paths;
  return p && is_current(s, p) && id >= p->base && id - p->base < p->list.paths.len;
}

const PathList *path_store_list(const Session *s, uint32_t id, uint32_t *index)
{
  if (!path_is_alive(s, id)) return NULL;
  *index = id - s->paths->base;
  return &s->paths->list;
}

/* What stands beside points, which begin at `first` in the store, and the records. */
static void add_retimed(struct PathStore *p, uint32_t first, const PathList *list)
{
  if (list->retimed.len == 0) return;
  uint32_t have = p->list.retimed_points.len;
  array_resize(&p->list.retimed_points, (uint64_t)first + list->retimed_points.len);
  if (first > have) memset(p->list.retimed_points.at + have, 0, (first - have) * sizeof *p->list.retimed_points.at);
  memcpy(p->list.retimed_points.at + first, list->retimed_points.at, list->retimed_points.len * sizeof *list->retimed_points.at);
  for (uint32_t i = 0; i < list->retimed.len; i++) array_push(&p->list.retimed, list->retimed.at[i]);
}

void path_store_add(Session *s, PathList *list, ObjectArray *objects)
{
  struct PathStore *p = store_of(s);
  if (!is_current(s, p)) path_store_forget(s);
  uint32_t points = p->list.points.len;
  array_resize(&p->list.points, (uint64_t)points + list->points.len);
  if (list->points.len) memcpy(p->list.points.at + points, list->points.at, list->points.len * sizeof *list->points.at);
  add_retimed(p, points, list);
  for (uint32_t i = 0; i < list->paths.len; i++) {
    Path path = list->paths.at[i];
    if (path.retimed) path.retimed += p->list.retimed.len - list->retimed.len;
    const Timer *t = session_timer_at(s, path.source);
    while (p->origins.len <= path.source) array_push(&p->origins, (Origin){ 0, NULL });
    p->origins.at[path.source] = (Origin){ t->updates, t->timing };
    path.first += points;
    array_push(objects, (Object){ OBJ_PATH, p->base + p->list.paths.len });
    array_push(&p->list.paths, path);
  }
  path_list_free(list);
}

const Timing *path_store_timing(const Session *s, const Path *p) { return session_timer_at(s, p->source)->timing; }
