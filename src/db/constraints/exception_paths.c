/* Describes the paths of an exception in the words of its command. */
#include <stdlib.h>

#include "base/hash.h"
#include "db/constraints.h"

const char *exception_command(const Exception *exception)
{
  static const char *const names[] = { "set_false_path", "set_multicycle_path", "set_max_delay",
    "set_min_delay", "set_path_margin", "group_path" };
  return names[exception->type];
}

static uint64_t mix(uint64_t key, uint64_t more)
{
  return hash_u64(key ^ more) + 0x9e3779b97f4a7c15ull;
}

/* Independent of the order of the objects. */
static uint64_t point_key(const ExceptionPoint *point)
{
  uint64_t sum = point->edges;
  for (uint32_t i = 0; i < point->objects.len; i++)
    sum += hash_u64(hash_pair(object_as_pin(point->objects.at[i]).type, point->objects.at[i].id));
  return sum;
}

uint64_t exception_paths_key(const Exception *exception)
{
  uint64_t key = mix(0, exception->end_edges);
  key = mix(key, exception->has_from ? point_key(&exception->from) : 1);
  key = mix(key, exception->has_to ? point_key(&exception->to) : 2);
  for (uint32_t i = 0; i < exception->through.len; i++)
    key = mix(key, point_key(&exception->through.at[i]));
  return key >> 1;
}

static int by_object(const void *pa, const void *pb)
{
  Object a = object_as_pin(*(const Object *)pa), b = object_as_pin(*(const Object *)pb);
  if (a.type != b.type) return a.type < b.type ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id;
}

static Object *sorted_objects(const ExceptionPoint *point)
{
  Object *copy = mem_alloc(sizeof *copy * ((size_t)point->objects.len + 1));
  if (point->objects.len) memcpy(copy, point->objects.at, sizeof *copy * point->objects.len);
  qsort(copy, point->objects.len, sizeof *copy, by_object);
  return copy;
}

static bool same_point(const ExceptionPoint *a, const ExceptionPoint *b)
{
  if (a->edges != b->edges || a->objects.len != b->objects.len) return false;
  Object *x = sorted_objects(a), *y = sorted_objects(b);
  bool same = true;
  for (uint32_t i = 0; i < a->objects.len && same; i++) same = by_object(&x[i], &y[i]) == 0;
  mem_free(x);
  mem_free(y);
  return same;
}

bool exception_same_paths(const Exception *a, const Exception *b)
{
  if (a->end_edges != b->end_edges || a->has_from != b->has_from || a->has_to != b->has_to
      || a->through.len != b->through.len)
    return false;
  if (a->has_from && !same_point(&a->from, &b->from)) return false;
  if (a->has_to && !same_point(&a->to, &b->to)) return false;
  for (uint32_t i = 0; i < a->through.len; i++)
    if (!same_point(&a->through.at[i], &b->through.at[i])) return false;
  return true;
}
