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
  PathList        *l;
  const PathQuery *q;
  const Timing *const *timings;
  ARRAY(Item)      items;
  ARRAY(Group)     groups;
  ARRAY(uint32_t)  taken;   /* indices of items */
  Map             *ends, *courses;
  ARRAY(uint32_t)  end_paths;
} Merge;

static const Timing *timing_of(const Merge *m, const Path *p) { return m->timings[p->source]; }
static PinId pin_at(const Merge *m, const Path *p, uint32_t point)
{
  return timing_of(m, p)->g->slots.pin[path_start(m->l, p)[point].slot];
}

static uint32_t group_of(Merge *m, const Path *p)
{
  Group g = { p->group >> 28, path_group_name(timing_of(m, p), p->group), 0 };
  for (uint32_t i = 0; i < m->groups.len; i++)
    if (m->groups.at[i].kind == g.kind && strcmp(m->groups.at[i].name, g.name) == 0) return i;
  array_push(&m->groups, g);
  return m->groups.len - 1;
}

static void add_item(Merge *m, const Path *p)
{
  double at = path_launch_time(timing_of(m, p), m->l, p) + p->arrival;
  array_push(&m->items, (Item){ *p, isinf(p->slack) ? (m->q->early_late == LATE ? -at : at) : 0,
                                group_of(m, p), m->items.len });
}

static int by_slack(const void *pa, const void *pb)
{
  const Item *a = pa, *b = pb;
  if (a->path.slack != b->path.slack) return a->path.slack < b->path.slack ? -1 : 1;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* Returns true if a path that was already taken passes the same pins to the same group. */
static bool is_known(Merge *m, uint32_t index)
{
  const Item *item = &m->items.at[index];
  uint64_t key = item->group;
  for (uint32_t i = 0; i < item->path.count; i++)
    key = hash_u64(key + pin_at(m, &item->path, i) + 1) >> 1;
  uint32_t known = map_get(m->courses, key);
  if (known == MAP_NO_VALUE) {
    map_put(m->courses, key, index);
    return false;
  }
  const Item *other = &m->items.at[known];
  if (other->group != item->group || other->path.count != item->path.count
      || other->path.source == item->path.source)
    return false;
  for (uint32_t i = 0; i < item->path.count; i++)
    if (pin_at(m, &item->path, i) != pin_at(m, &other->path, i)) return false;
  return true;
}

/* How many paths were taken to the end point in the group. */
static uint32_t *count_to_end(Merge *m, const Item *item)
{
  uint64_t key = hash_pair(item->group, pin_at(m, &item->path, item->path.count - 1));
  uint32_t place = map_get(m->ends, key);
  if (place == MAP_NO_VALUE) {
    place = m->end_paths.len;
    map_put(m->ends, key, place);
    array_push(&m->end_paths, 0);
  }
  return &m->end_paths.at[place];
}

static void take(Merge *m, uint32_t index)
{
  const Item *item = &m->items.at[index];
  Group *group = &m->groups.at[item->group];
  if (m->q->group_paths && group->paths >= m->q->group_paths) return;
  uint32_t *to_end = count_to_end(m, item);
  if (*to_end >= m->q->worst || (m->q->unique && is_known(m, index))) return;
  ++*to_end;
  group->paths++;
  array_push(&m->taken, index);
}

/* Group by group: in the order of their kinds, then as they came up in the scenarios. */
static void append_by_group(const Merge *m)
{
  for (uint32_t kind = 0; kind <= GROUP_UNCONSTRAINED; kind++)
    for (uint32_t g = 0; g < m->groups.len; g++)
      for (uint32_t i = 0; m->groups.at[g].kind == kind && i < m->taken.len; i++)
        if (m->items.at[m->taken.at[i]].group == g)
          array_push(&m->l->paths, m->items.at[m->taken.at[i]].path);
}

static void append_all(const Merge *m)
{
  for (uint32_t i = 0; i < m->taken.len; i++)
    array_push(&m->l->paths, m->items.at[m->taken.at[i]].path);
}

void query_merge_paths(PathList *l, uint32_t first, const PathQuery *q,
                       const Timing *const *timings)
{
  Merge m = { .l = l, .q = q, .timings = timings, .ends = map_new(), .courses = map_new() };
  for (uint32_t i = first; i < l->paths.len; i++) add_item(&m, &l->paths.at[i]);
  if (m.items.len) qsort(m.items.at, m.items.len, sizeof *m.items.at, by_slack);
  for (uint32_t i = 0; i < m.items.len && m.taken.len < q->max_paths; i++) take(&m, i);
  l->paths.len = first;
  if (q->by_group) append_by_group(&m);
  else append_all(&m);
  map_free(m.ends);
  map_free(m.courses);
  array_free(&m.items);
  array_free(&m.groups);
  array_free(&m.taken);
  array_free(&m.end_paths);
}
