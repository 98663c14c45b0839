/* Path exceptions: adding, and taking away what a later -reset_path covers. */
#include <math.h>

#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

static void point_clear(ExceptionPoint *p) { array_free(&p->objects); }

void exception_clear(Exception *e)
{
  point_clear(&e->from);
  point_clear(&e->to);
  for (uint32_t i = 0; i < e->through.len; i++) point_clear(&e->through.at[i]);
  array_free(&e->through);
}

Exception *constraints_add_exception(Constraints *c, ExceptionType type)
{
  Exception e = { .type = (uint8_t)type,
                  .checks = 1 << SETUP | 1 << HOLD,
                  .end_edges = EDGE_BOTH,
                  .from.edges = EDGE_BOTH,
                  .to.edges = EDGE_BOTH,
                  .weight = NAN,
                  .critical_range = NAN,
                  .file = NO_NAME };
  array_push(&c->exceptions, e);
  constraints_changed(c);
  return &c->exceptions.at[c->exceptions.len - 1];
}

void constraints_remove_exception(Constraints *c, ExceptionId id)
{
  Exception *e = &c->exceptions.at[id];
  if (e->deleted) return;
  e->deleted = true;
  exception_clear(e);
  constraints_changed(c);
}

/* --- deleted clocks --------------------------------------------------------------------------- */

/* True when the point named deleted clocks only. */
static bool purge_point(const Constraints *c, ExceptionPoint *p)
{
  uint32_t kept = 0, before = p->objects.len;
  for (uint32_t i = 0; i < before; i++) {
    Object o = p->objects.at[i];
    if (o.type != OBJ_CLOCK || !c->clocks.at[o.id].deleted) p->objects.at[kept++] = o;
  }
  p->objects.len = kept;
  return before && kept == 0;
}

void constraints_purge_exceptions(Constraints *c)
{
  for (ExceptionId id = 0; id < c->exceptions.len; id++) {
    Exception *e = &c->exceptions.at[id];
    if (e->deleted) continue;
    bool empty = e->has_from && purge_point(c, &e->from);
    if (e->has_to && purge_point(c, &e->to)) empty = true;
    if (empty) constraints_remove_exception(c, id);
  }
}

/* --- exceptions by object ------------------------------------------------------------------------

   first[(side, object)] is the first node of a list of exceptions that name the object on that
   side. A list may still hold exceptions that were deleted or narrowed: its readers check for them
   and unlink the deleted ones. */

typedef enum { SIDE_FROM, SIDE_TO, SIDE_THROUGH } Side;

typedef struct { ExceptionId exception; uint32_t next; } PathNode;

typedef struct PathIndex {
  Map     *first;
  ARRAY(PathNode) nodes;
  uint32_t indexed;             /* exceptions before this one are in */
} PathIndex;

#define NO_NODE MAP_NO_VALUE

void path_index_free(PathIndex *paths)
{
  if (paths == NULL) return;
  map_free(paths->first);
  array_free(&paths->nodes);
  mem_free(paths);
}

static void index_point(PathIndex *paths, ExceptionId id, Side side, const ExceptionPoint *p)
{
  for (uint32_t i = 0; i < p->objects.len; i++) {
    uint64_t key = key_of_object(side, p->objects.at[i]);
    array_push(&paths->nodes, (PathNode){ id, map_get(paths->first, key) });
    map_put(paths->first, key, paths->nodes.len - 1);
  }
}

static void index_exception(PathIndex *paths, ExceptionId id, const Exception *e)
{
  if (e->deleted || e->type == EXC_GROUP) return;
  if (e->has_from) index_point(paths, id, SIDE_FROM, &e->from);
  if (e->has_to) index_point(paths, id, SIDE_TO, &e->to);
  for (uint32_t i = 0; i < e->through.len; i++)
    index_point(paths, id, SIDE_THROUGH, &e->through.at[i]);
}

static PathIndex *path_index(Constraints *c)
{
  if (c->paths == NULL) {
    c->paths = mem_alloc_zero(1, sizeof *c->paths);
    c->paths->first = map_new();
  }
  PathIndex *paths = c->paths;
  for (; paths->indexed < c->exceptions.len; paths->indexed++)
    index_exception(paths, paths->indexed, &c->exceptions.at[paths->indexed]);
  return paths;
}

/* --- resetting -----------------------------------------------------------------------------------

   An exception is a product of sets: checks x end edges x from edges x from objects x ...  Removing
   the product `spec` from it leaves one piece for each dimension i that spec does not cover:
       (common part in dimensions before i) x (rest in dimension i) x (all in dimensions after i).
   The pieces are disjoint, and their union is what is left. */

static int compare_objects(const void *a, const void *b)
{
  const Object *x = a, *y = b;
  if (x->type != y->type) return x->type < y->type ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

static Object *sorted_copy(const Object *objects, uint32_t count)
{
  Object *copy = mem_alloc(sizeof *copy * ((size_t)count + 1));
  if (count) memcpy(copy, objects, sizeof *copy * count);
  qsort(copy, count, sizeof *copy, compare_objects);
  return copy;
}

typedef ARRAY(Object) Objects;

/* Splits the objects of `all` into those in `taken` and the rest, in their order. */
static void split_objects(const ObjectArray *all, const ObjectArray *taken, Objects *common,
                          Objects *rest)
{
  Object *sorted = sorted_copy(taken->at, taken->len);
  for (uint32_t i = 0; i < all->len; i++) {
    bool in = bsearch(&all->at[i], sorted, taken->len, sizeof *sorted, compare_objects) != NULL;
    Objects *side = in ? common : rest;
    array_push(side, all->at[i]);
  }
  mem_free(sorted);
}

static void copy_point(ExceptionPoint *to, const ExceptionPoint *from)
{
  *to = (ExceptionPoint){ .edges = from->edges };
  array_reserve(&to->objects, from->objects.len);
  for (uint32_t i = 0; i < from->objects.len; i++) array_push(&to->objects, from->objects.at[i]);
}

Exception exception_copy(const Exception *e)
{
  Exception copy = *e;
  copy_point(&copy.from, &e->from);
  copy_point(&copy.to, &e->to);
  copy.through.at = NULL;
  copy.through.len = copy.through.cap = 0;
  array_resize(&copy.through, e->through.len);
  for (uint32_t i = 0; i < e->through.len; i++) copy_point(&copy.through.at[i], &e->through.at[i]);
  return copy;
}

/* The work for one exception: `left` shrinks dimension by dimension to the common part, and each
   rest is a piece. */
typedef struct {
  Exception left;
  ARRAY(Exception) pieces;
} Split;

static void split_mask(Split *s, size_t field, uint8_t taken)
{
  uint8_t *mask = (uint8_t *)&s->left + field, rest = *mask & (uint8_t)~taken;
  if (rest == 0) return;
  Exception piece = exception_copy(&s->left);
  *((uint8_t *)&piece + field) = rest;
  array_push(&s->pieces, piece);
  *mask &= taken;
}

/* The point of an exception: 0 from, 1 to, 2... through. */
static ExceptionPoint *point_of(Exception *e, uint32_t i)
{
  return i == 0 ? &e->from : i == 1 ? &e->to : &e->through.at[i - 2];
}

static void set_objects(ExceptionPoint *p, const Objects *objects)
{
  array_clear(&p->objects);
  for (uint32_t i = 0; i < objects->len; i++) array_push(&p->objects, objects->at[i]);
}

static void split_point(Split *s, uint32_t i, const ExceptionPoint *taken)
{
  ExceptionPoint *p = point_of(&s->left, i);
  if (p->edges & ~taken->edges) {
    Exception piece = exception_copy(&s->left);
    point_of(&piece, i)->edges &= (uint8_t)~taken->edges;
    array_push(&s->pieces, piece);
    p->edges &= taken->edges;
  }
  Objects common = { 0 }, rest = { 0 };
  split_objects(&p->objects, &taken->objects, &common, &rest);
  if (rest.len) {
    Exception piece = exception_copy(&s->left);
    set_objects(point_of(&piece, i), &rest);
    array_push(&s->pieces, piece);
    set_objects(p, &common);
  }
  array_free(&common);
  array_free(&rest);
}

static bool points_meet(const ExceptionPoint *a, const ExceptionPoint *b)
{
  if (!(a->edges & b->edges)) return false;
  if (a->objects.len > 1 && b->objects.len > 1) {
    Objects common = { 0 }, rest = { 0 };
    split_objects(&a->objects, &b->objects, &common, &rest);
    bool meet = common.len != 0;
    array_free(&common);
    array_free(&rest);
    return meet;
  }
  for (uint32_t i = 0; i < a->objects.len; i++)
    for (uint32_t j = 0; j < b->objects.len; j++)
      if (object_equal(a->objects.at[i], b->objects.at[j])) return true;
  return false;
}

/* Returns true if spec removes anything from e. */
static bool is_met(const Exception *e, const Exception *spec)
{
  if (e->deleted || e->type == EXC_GROUP || !(e->checks & spec->checks)
      || !(e->end_edges & spec->end_edges)) return false;
  if (spec->has_from && (!e->has_from || !points_meet(&e->from, &spec->from))) return false;
  if (spec->has_to && (!e->has_to || !points_meet(&e->to, &spec->to))) return false;
  if (spec->through.len && spec->through.len != e->through.len) return false;
  for (uint32_t i = 0; i < spec->through.len; i++)
    if (!points_meet(&e->through.at[i], &spec->through.at[i])) return false;
  return true;
}

/* The first piece keeps the exception's place, the others are added at the end. */
static void subtract(Constraints *c, ExceptionId id, const Exception *spec)
{
  Split s = { .left = exception_copy(&c->exceptions.at[id]) };
  split_mask(&s, offsetof(Exception, checks), spec->checks);
  split_mask(&s, offsetof(Exception, end_edges), spec->end_edges);
  if (spec->has_from) split_point(&s, 0, &spec->from);
  if (spec->has_to) split_point(&s, 1, &spec->to);
  for (uint32_t i = 0; i < spec->through.len; i++) split_point(&s, i + 2, &spec->through.at[i]);
  constraints_remove_exception(c, id);
  if (s.pieces.len) c->exceptions.at[id] = s.pieces.at[0];
  for (uint32_t i = 1; i < s.pieces.len; i++) array_push(&c->exceptions, s.pieces.at[i]);
  exception_clear(&s.left);
  array_free(&s.pieces);
}

static void reset_list(Constraints *c, PathIndex *paths, uint64_t key, const Exception *spec)
{
  uint32_t last = NO_NODE, node = map_get(paths->first, key);
  while (node != NO_NODE) {
    PathNode n = paths->nodes.at[node];
    if (is_met(&c->exceptions.at[n.exception], spec)) subtract(c, n.exception, spec);
    if (!c->exceptions.at[n.exception].deleted) last = node;
    else if (last != NO_NODE) paths->nodes.at[last].next = n.next;
    else if (n.next != NO_NODE) map_put(paths->first, key, n.next);
    else map_remove(paths->first, key);
    node = n.next;
  }
}

static void reset_all(Constraints *c, const Exception *spec)
{
  uint32_t count = c->exceptions.len;
  for (ExceptionId id = 0; id < count; id++)
    if (is_met(&c->exceptions.at[id], spec)) subtract(c, id, spec);
}

void constraints_reset_paths(Constraints *c, const Exception *spec)
{
  Side side = spec->has_from ? SIDE_FROM : spec->has_to ? SIDE_TO : SIDE_THROUGH;
  const ExceptionPoint *p = spec->has_from ? &spec->from
                            : spec->has_to ? &spec->to
                                           : spec->through.at;
  if (p == NULL) {
    reset_all(c, spec);
    return;
  }
  PathIndex *paths = path_index(c);
  for (uint32_t i = 0; i < p->objects.len; i++)
    reset_list(c, paths, key_of_object(side, p->objects.at[i]), spec);
}
