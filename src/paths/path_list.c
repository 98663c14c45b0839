/* Adds paths to a list and sorts it. */
#include "paths/path_work.h"
#include "base/sort.h"

void path_list_add(const PathWork *work, PathList *list, const PathRoot *root, PathGroup group,
                   uint32_t first, double slack)
{
  array_push(&list->paths, (Path){ .end_id = root->end_id,
                                   .group = group,
                                   .early_late = (uint8_t)work->query->early_late,
                                   .slack = root->end_id == NO_PATH_END ? INFINITY : slack,
                                   .arrival = list->points.at[list->points.len - 1].arrival,
                                   .first = first,
                                   .count = list->points.len - first });
}

/* --- order ------------------------------------------------------------------------------------ */
typedef struct {
  Path     path;
  uint32_t order;
} Ordered;

/* Unconstrained paths have no slack; they were found in order. */
static int by_path_slack(const void *pa, const void *pb)
{
  const Ordered *a = pa, *b = pb;
  if (a->path.slack != b->path.slack) return path_compare(a->path.slack, b->path.slack);
  return a->order < b->order ? -1 : a->order > b->order;
}

static int by_path_group(const void *pa, const void *pb)
{
  const Ordered *a = pa, *b = pb;
  if (a->path.group != b->path.group) return a->path.group < b->path.group ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static void sort_paths(PathList *list, uint32_t first, int (*compare)(const void *, const void *))
{
  uint32_t count = list->paths.len - first;
  Ordered *ordered = mem_alloc(sizeof *ordered * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++) ordered[i] = (Ordered){ list->paths.at[first + i], i };
  sort_items(ordered, count, sizeof *ordered, compare);
  for (uint32_t i = 0; i < count; i++) list->paths.at[first + i] = ordered[i].path;
  mem_free(ordered);
}

static bool in_order(const PathList *list, uint32_t first)
{
  for (uint32_t i = first + 1; i < list->paths.len; i++)
    if (list->paths.at[i].slack < list->paths.at[i - 1].slack) return false;
  return true;
}

void path_list_order(PathList *list, uint32_t first, uint32_t most)
{
  if (!in_order(list, first)) sort_paths(list, first, by_path_slack);
  if (list->paths.len - first > most) list->paths.len = first + most;
}

void path_list_order_groups(PathList *list, uint32_t first)
{
  sort_paths(list, first, by_path_group);
}

/* --- points ----------------------------------------------------------------------------------- */
void path_list_compact(PathList *list)
{
  PathList kept = { 0 };
  for (uint32_t i = 0; i < list->paths.len; i++) {
    Path *path = &list->paths.at[i];
    uint32_t first = kept.points.len;
    array_resize(&kept.points, (uint64_t)first + path->count);
    memcpy(kept.points.at + first, list->points.at + path->first,
           path->count * sizeof *kept.points.at);
    path->first = first;
  }
  array_free(&list->points);
  list->points.at = kept.points.at;
  list->points.len = kept.points.len;
  list->points.cap = kept.points.cap;
}

void path_list_move(PathList *from, PathList *to)
{
  for (uint32_t i = 0; i < from->paths.len; i++) {
    Path p = from->paths.at[i];
    uint32_t first = to->points.len;
    array_resize(&to->points, (uint64_t)first + p.count);
    memcpy(to->points.at + first, from->points.at + p.first, p.count * sizeof *to->points.at);
    p.first = first;
    array_push(&to->paths, p);
  }
  array_clear(&from->paths);
  array_clear(&from->points);
}

void path_list_free(PathList *list)
{
  array_free(&list->paths);
  array_free(&list->points);
  array_free(&list->retimed);
  array_free(&list->retimed_points);
}
