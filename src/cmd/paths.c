#include "cmd/paths.h"

#include "engine/timer.h"

/* Ids go on rising, so that a stale one is never taken for another path. */
struct PathStore {
  PathList list;
  uint32_t base;            /* id of the first path in the list */
  uint64_t updates;         /* of the timer when they were found */
  const Timing *timing;     /* beside it */
};

void path_store_forget(Session *s)
{
  struct PathStore *p = s->paths;
  if (p == NULL) return;
  p->base += p->list.paths.len;
  path_list_free(&p->list);
}

void path_store_free(Session *s)
{
  path_store_forget(s);
  mem_free(s->paths);
  s->paths = NULL;
}

static bool is_current(const Session *s, const struct PathStore *p)
{
  return s->timer && p->timing && p->timing == s->timer->timing && p->updates == s->timer->updates;
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

void path_store_add(Session *s, PathList *list, ObjectArray *objects)
{
  if (s->paths == NULL) s->paths = mem_alloc_zero(1, sizeof *s->paths);
  struct PathStore *p = s->paths;
  if (!is_current(s, p)) path_store_forget(s);
  p->updates = s->timer->updates;
  p->timing = s->timer->timing;
  uint32_t points = p->list.points.len;
  array_resize(&p->list.points, (uint64_t)points + list->points.len);
  if (list->points.len) memcpy(p->list.points.at + points, list->points.at, list->points.len * sizeof *list->points.at);
  for (uint32_t i = 0; i < list->paths.len; i++) {
    Path path = list->paths.at[i];
    path.first += points;
    array_push(objects, (Object){ OBJ_PATH, p->base + p->list.paths.len });
    array_push(&p->list.paths, path);
  }
  path_list_free(list);
}
