/* Merges paths of several scenarios: takes them in order of slack, until the limits for endpoints
   and groups are reached. */
#include "paths/path_merge.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"

typedef struct {
  Path     path;
  double   key;             /* order of paths without slack */
  uint32_t group, order;    /* group: index in groups */
} Item;

typedef struct {
  uint32_t    kind;
  const char *name;
  uint32_t    paths;        /* taken */
} Group;

typedef struct {
  PathList        *list;
  const PathQuery *query;
  const Timing *const *timings;
  ARRAY(Item)      items;
  ARRAY(Group)     groups;
  ARRAY(uint32_t)  taken;   /* indices of items */
  Map             *ends, *courses;
  ARRAY(uint32_t)  end_paths;
} Merge;

static const Timing *timing_of(const Merge *merge, const Path *path)
{
  return merge->timings[path->source];
}
static PinId pin_at(const Merge *merge, const Path *path, uint32_t point)
{
  return timing_of(merge, path)->g->slots.pin[path_start(merge->list, path)[point].slot];
}

static uint32_t group_of(Merge *merge, const Path *path)
{
  Group g = { path->group >> 28, path_group_name(timing_of(merge, path), path->group), 0 };
  for (uint32_t i = 0; i < merge->groups.len; i++)
    if (merge->groups.at[i].kind == g.kind && strcmp(merge->groups.at[i].name, g.name) == 0)
      return i;
  array_push(&merge->groups, g);
  return merge->groups.len - 1;
}

static void add_item(Merge *merge, const Path *path)
{
  double at = path_launch_time(timing_of(merge, path), merge->list, path) + path->arrival;
  array_push(&merge->items,
             (Item){ *path, isinf(path->slack) ? (merge->query->early_late == LATE ? -at : at) : 0,
                     group_of(merge, path), merge->items.len });
}

static int by_slack(const void *pa, const void *pb)
{
  const Item *a = pa, *b = pb;
  if (a->path.slack != b->path.slack) return a->path.slack < b->path.slack ? -1 : 1;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* Returns true if a path that was already taken passes the same pins to the same group. */
static bool is_known(Merge *merge, uint32_t index)
{
  const Item *item = &merge->items.at[index];
  uint64_t key = item->group;
  for (uint32_t i = 0; i < item->path.count; i++)
    key = hash_u64(key + pin_at(merge, &item->path, i) + 1) >> 1;
  uint32_t known = map_get(merge->courses, key);
  if (known == MAP_NO_VALUE) {
    map_put(merge->courses, key, index);
    return false;
  }
  const Item *other = &merge->items.at[known];
  if (other->group != item->group || other->path.count != item->path.count
      || other->path.source == item->path.source)
    return false;
  for (uint32_t i = 0; i < item->path.count; i++)
    if (pin_at(merge, &item->path, i) != pin_at(merge, &other->path, i)) return false;
  return true;
}

/* How many paths were taken to the end point in the group. */
static uint32_t *count_to_end(Merge *merge, const Item *item)
{
  uint64_t key = hash_pair(item->group, pin_at(merge, &item->path, item->path.count - 1));
  uint32_t index = map_get(merge->ends, key);
  if (index == MAP_NO_VALUE) {
    index = merge->end_paths.len;
    map_put(merge->ends, key, index);
    array_push(&merge->end_paths, 0);
  }
  return &merge->end_paths.at[index];
}

static void take(Merge *merge, uint32_t index)
{
  const Item *item = &merge->items.at[index];
  Group *group = &merge->groups.at[item->group];
  if (merge->query->group_paths && group->paths >= merge->query->group_paths) return;
  uint32_t *to_end = count_to_end(merge, item);
  if (*to_end >= merge->query->worst || (merge->query->unique && is_known(merge, index))) return;
  ++*to_end;
  group->paths++;
  array_push(&merge->taken, index);
}

/* Group by group: in the order of their kinds, then as they came up in the scenarios. */
static void append_by_group(const Merge *merge)
{
  for (uint32_t kind = 0; kind <= GROUP_UNCONSTRAINED; kind++)
    for (uint32_t g = 0; g < merge->groups.len; g++)
      for (uint32_t i = 0; merge->groups.at[g].kind == kind && i < merge->taken.len; i++)
        if (merge->items.at[merge->taken.at[i]].group == g)
          array_push(&merge->list->paths, merge->items.at[merge->taken.at[i]].path);
}

static void append_all(const Merge *merge)
{
  for (uint32_t i = 0; i < merge->taken.len; i++)
    array_push(&merge->list->paths, merge->items.at[merge->taken.at[i]].path);
}

void query_merge_paths(PathList *list, uint32_t first, const PathQuery *query,
                       const Timing *const *timings)
{
  Merge m = {
    .list = list, .query = query, .timings = timings, .ends = map_new(), .courses = map_new()
  };
  for (uint32_t i = first; i < list->paths.len; i++) add_item(&m, &list->paths.at[i]);
  if (m.items.len) qsort(m.items.at, m.items.len, sizeof *m.items.at, by_slack);
  for (uint32_t i = 0; i < m.items.len && m.taken.len < query->max_paths; i++) take(&m, i);
  list->paths.len = first;
  if (query->by_group) append_by_group(&m);
  else append_all(&m);
  map_free(m.ends);
  map_free(m.courses);
  array_free(&m.items);
  array_free(&m.groups);
  array_free(&m.taken);
  array_free(&m.end_paths);
}
