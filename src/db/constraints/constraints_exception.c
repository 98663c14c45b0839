/* Adds path exceptions, and removes what a later -reset_path covers. */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/sort.h"
#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

static void point_clear(ExceptionPoint *point) { array_free(&point->objects); }

void exception_clear(Exception *exception)
{
  point_clear(&exception->from);
  point_clear(&exception->to);
  for (uint32_t i = 0; i < exception->through.len; i++) point_clear(&exception->through.at[i]);
  array_free(&exception->through);
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
  Exception *exception = &c->exceptions.at[id];
  if (exception->deleted) return;
  exception->deleted = true;
  exception_clear(exception);
  constraints_changed(c);
}

/* --- deleted clocks --------------------------------------------------------------------------- */

/* True when the point named deleted clocks only. */
static bool purge_point(const Constraints *c, ExceptionPoint *point)
{
  uint32_t kept = 0, before = point->objects.len;
  for (uint32_t i = 0; i < before; i++) {
    Object o = point->objects.at[i];
    if (o.type != OBJ_CLOCK || !c->clocks.at[o.id].deleted) point->objects.at[kept++] = o;
  }
  point->objects.len = kept;
  return before && kept == 0;
}

void forget_clocks_exceptions(Constraints *c)
{
  for (ExceptionId id = 0; id < c->exceptions.len; id++) {
    Exception *exception = &c->exceptions.at[id];
    if (exception->deleted) continue;
    bool empty = exception->has_from && purge_point(c, &exception->from);
    if (exception->has_to && purge_point(c, &exception->to)) empty = true;
    if (empty) constraints_remove_exception(c, id);
  }
}

/* --- objects that it names -------------------------------------------------------------------- */

static bool point_names(const Sought *sought, const ExceptionPoint *point)
{
  ANY_OF(point->objects, is_sought_object(sought, point->objects.at[i]));
  return false;
}

bool named_by_exceptions(const Sought *sought, const Exception *exception)
{
  if (exception->deleted) return false;
  if (point_names(sought, &exception->from) || point_names(sought, &exception->to)) return true;
  ANY_OF(exception->through, point_names(sought, &exception->through.at[i]));
  return false;
}

/* --- exceptions by object ------------------------------------------------------------------------

   lists[heads[(role, object)]] is the list of exceptions that name the object in that role. A list
   may still hold exceptions that were deleted or narrowed: its readers check for them and unlink
   the deleted ones. */

typedef enum { ROLE_FROM, ROLE_TO, ROLE_THROUGH } PointRole;

typedef struct { ExceptionId exception; uint32_t next; } PathNode;
typedef struct { uint32_t first, count; } PathList;

typedef struct PathIndex {
  Map     *heads;
  ARRAY(PathList) lists;
  ARRAY(PathNode) nodes;
  uint32_t indexed;             /* exceptions before this one are in */
  uint32_t round;               /* number of the reset */
  ARRAY(uint32_t) reset_in;     /* by exception: the last round that looked at it */
} PathIndex;

#define NO_NODE MAP_NO_VALUE

void path_index_free(PathIndex *paths)
{
  if (paths == NULL) return;
  map_free(paths->heads);
  array_free(&paths->lists);
  array_free(&paths->nodes);
  array_free(&paths->reset_in);
  mem_free(paths);
}

/* NULL: no exception ever named the object in that role. */
static PathList *find_list(PathIndex *paths, PointRole role, Object o)
{
  uint32_t at = map_get(paths->heads, key_of_object(role, o));
  return at == MAP_NO_VALUE ? NULL : &paths->lists.at[at];
}

static PathList *list_of(PathIndex *paths, PointRole role, Object o)
{
  PathList *list = find_list(paths, role, o);
  if (list) return list;
  map_put(paths->heads, key_of_object(role, o), paths->lists.len);
  array_push(&paths->lists, ((PathList){ NO_NODE, 0 }));
  return &paths->lists.at[paths->lists.len - 1];
}

static void index_point(PathIndex *paths, ExceptionId id, PointRole role,
                        const ExceptionPoint *point)
{
  for (uint32_t i = 0; i < point->objects.len; i++) {
    PathList *list = list_of(paths, role, point->objects.at[i]);
    array_push(&paths->nodes, ((PathNode){ id, list->first }));
    list->first = paths->nodes.len - 1;
    list->count++;
  }
}

static void index_exception(PathIndex *paths, ExceptionId id, const Exception *exception)
{
  array_push(&paths->reset_in, 0);
  if (exception->deleted || exception->type == EXC_GROUP) return;
  if (exception->has_from) index_point(paths, id, ROLE_FROM, &exception->from);
  if (exception->has_to) index_point(paths, id, ROLE_TO, &exception->to);
  for (uint32_t i = 0; i < exception->through.len; i++)
    index_point(paths, id, ROLE_THROUGH, &exception->through.at[i]);
}

static PathIndex *path_index(Constraints *c)
{
  if (c->paths == NULL) {
    c->paths = mem_alloc_zero(1, sizeof *c->paths);
    c->paths->heads = map_new();
  }
  PathIndex *paths = c->paths;
  for (; paths->indexed < c->exceptions.len; paths->indexed++)
    index_exception(paths, paths->indexed, &c->exceptions.at[paths->indexed]);
  return paths;
}

/* --- sets of objects -------------------------------------------------------------------------- */

/* The objects of a point in order, as words of type and id. */
typedef struct {
  uint64_t *at;
  uint32_t  count;
} ObjectSet;

static ObjectSet set_of(const ExceptionPoint *point)
{
  ObjectSet set = { mem_alloc(((size_t)point->objects.len + 1) * sizeof *set.at),
                    point->objects.len };
  for (uint32_t i = 0; i < set.count; i++)
    set.at[i] = hash_pair(point->objects.at[i].type, point->objects.at[i].id);
  qsort(set.at, set.count, sizeof *set.at, order_uint64);
  return set;
}

static inline bool set_has(const ObjectSet *set, Object o)
{
  uint64_t word = hash_pair(o.type, o.id);
  const uint64_t *at = set->at;
  for (uint32_t count = set->count; count > 1; count -= count / 2)
    if (at[count / 2] <= word) at += count / 2;
  return set->count && *at == word;
}

/* Does the set have any of the objects, or lack any? */
static bool meets(const ObjectSet *set, const ExceptionPoint *point)
{
  for (uint32_t i = 0; i < point->objects.len; i++)
    if (set_has(set, point->objects.at[i])) return true;
  return false;
}

static bool covers(const ObjectSet *set, const ExceptionPoint *point)
{
  for (uint32_t i = 0; i < point->objects.len; i++)
    if (!set_has(set, point->objects.at[i])) return false;
  return true;
}

/* Keeps the objects that are in the set, or those that are not, in their order. */
static void keep_objects(ExceptionPoint *point, const ObjectSet *set, bool in)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < point->objects.len; i++)
    if (set_has(set, point->objects.at[i]) == in) point->objects.at[kept++] = point->objects.at[i];
  point->objects.len = kept;
}

/* --- resetting -----------------------------------------------------------------------------------

   An exception is a product of sets: checks x end edges x from edges x from objects x ...  Removing
   the product `spec` from it leaves one piece for each dimension i that spec does not cover:
       (common part in dimensions before i) x (rest in dimension i) x (all in dimensions after i).
   The pieces are disjoint, and their union is what is left. */

static void copy_point(ExceptionPoint *to, const ExceptionPoint *from)
{
  *to = (ExceptionPoint){ .edges = from->edges };
  array_reserve(&to->objects, from->objects.len);
  for (uint32_t i = 0; i < from->objects.len; i++) array_push(&to->objects, from->objects.at[i]);
}

Exception exception_copy(const Exception *exception)
{
  Exception copy = *exception;
  copy_point(&copy.from, &exception->from);
  copy_point(&copy.to, &exception->to);
  copy.through.at = NULL;
  copy.through.len = copy.through.cap = 0;
  array_resize(&copy.through, exception->through.len);
  for (uint32_t i = 0; i < exception->through.len; i++)
    copy_point(&copy.through.at[i], &exception->through.at[i]);
  return copy;
}

void release_exceptions(Exception *exception) { exception_clear(exception); }
void own_exceptions(Exception *exception) { *exception = exception_copy(exception); }

/* What a reset takes, and its points as sets: 0 from, 1 to, 2... through. */
typedef struct {
  const Exception *spec;
  ObjectSet       *sets;
  uint32_t         count;
} Reset;

static ExceptionPoint *point_of(const Exception *exception, uint32_t i)
{
  const ExceptionPoint *point = i == 0   ? &exception->from
                                : i == 1 ? &exception->to
                                         : &exception->through.at[i - 2];
  return (ExceptionPoint *)point;
}

static bool has_point(const Exception *exception, uint32_t i)
{
  return i == 0 ? exception->has_from : i == 1 ? exception->has_to : i - 2 < exception->through.len;
}

static Reset reset_of(const Exception *spec)
{
  Reset r = { spec, NULL, 2 + spec->through.len };
  r.sets = mem_alloc_zero(r.count, sizeof *r.sets);
  for (uint32_t i = 0; i < r.count; i++)
    if (has_point(spec, i)) r.sets[i] = set_of(point_of(spec, i));
  return r;
}

static void reset_free(Reset *reset)
{
  for (uint32_t i = 0; i < reset->count; i++) mem_free(reset->sets[i].at);
  mem_free(reset->sets);
}

/* The dimensions in their order: checks, end edges, then the edges and the objects of each
   point. */
typedef uint32_t Dimension;

static uint32_t point_of_dimension(Dimension d) { return d / 2 - 1; }
static bool is_of_objects(Dimension d) { return d > 1 && d % 2; }

static uint8_t *mask_of(const Exception *exception, Dimension d)
{
  const uint8_t *mask = d == 0   ? &exception->checks
                        : d == 1 ? &exception->end_edges
                                 : &point_of(exception, point_of_dimension(d))->edges;
  return (uint8_t *)mask;
}

static bool leaves_rest(const Reset *reset, const Exception *exception, Dimension d)
{
  uint32_t i = d > 1 ? point_of_dimension(d) : 0;
  if (d > 1 && !has_point(reset->spec, i)) return false;
  if (is_of_objects(d)) return !covers(&reset->sets[i], point_of(exception, i));
  return *mask_of(exception, d) & ~*mask_of(reset->spec, d);
}

/* Narrows an exception to what it has in common with the spec in a dimension, or to the rest. */
static void narrow(const Reset *reset, Exception *exception, Dimension d, bool common)
{
  uint32_t i = d > 1 ? point_of_dimension(d) : 0;
  if (is_of_objects(d)) keep_objects(point_of(exception, i), &reset->sets[i], common);
  else
    *mask_of(exception, d) &=
        common ? *mask_of(reset->spec, d) : (uint8_t) ~*mask_of(reset->spec, d);
}

static bool points_meet(const Reset *reset, const Exception *exception, uint32_t i)
{
  return has_point(exception, i) && point_of(exception, i)->edges & point_of(reset->spec, i)->edges
         && meets(&reset->sets[i], point_of(exception, i));
}

/* Returns true if the reset removes anything from exception. */
static bool is_met(const Reset *reset, const Exception *exception)
{
  const Exception *spec = reset->spec;
  if (exception->deleted || exception->type == EXC_GROUP || !(exception->checks & spec->checks)
      || !(exception->end_edges & spec->end_edges))
    return false;
  if (spec->through.len && spec->through.len != exception->through.len) return false;
  for (uint32_t i = 0; i < reset->count; i++)
    if (has_point(spec, i) && !points_meet(reset, exception, i)) return false;
  return true;
}

/* The first piece keeps the exception's place, the others are added at the end. */
static void replace_by_pieces(Constraints *c, ExceptionId id, const Reset *reset)
{
  Exception left = c->exceptions.at[id];
  bool first = true;
  for (Dimension d = 0; d < 2 + 2 * reset->count; d++) {
    if (!leaves_rest(reset, &left, d)) continue;
    Exception piece = exception_copy(&left);
    narrow(reset, &piece, d, false);
    narrow(reset, &left, d, true);
    if (first) c->exceptions.at[id] = piece;
    else array_push(&c->exceptions, piece);
    first = false;
  }
  exception_clear(&left);
}

/* Mostly one dimension leaves a rest, and nothing is copied. */
static void subtract(Constraints *c, ExceptionId id, const Reset *reset)
{
  Exception *exception = &c->exceptions.at[id];
  Dimension with_rest = 0;
  uint32_t rests = 0;
  for (Dimension d = 0; d < 2 + 2 * reset->count; d++) {
    if (!leaves_rest(reset, exception, d)) continue;
    with_rest = d;
    rests++;
  }
  if (rests == 0) constraints_remove_exception(c, id);
  else if (rests == 1) narrow(reset, exception, with_rest, false);
  else replace_by_pieces(c, id, reset);
  if (rests) constraints_changed(c);
}

/* --- which exceptions a reset meets ----------------------------------------------------------- */

typedef ARRAY(ExceptionId) ExceptionIds;

static PointRole role_of(uint32_t point)
{
  return point == 0 ? ROLE_FROM : point == 1 ? ROLE_TO : ROLE_THROUGH;
}

static uint64_t count_named(PathIndex *paths, const Reset *reset, uint32_t point)
{
  const ObjectArray *objects = &point_of(reset->spec, point)->objects;
  uint64_t count = objects->len;
  for (uint32_t i = 0; i < objects->len; i++) {
    const PathList *list = find_list(paths, role_of(point), objects->at[i]);
    count += list ? list->count : 0;
  }
  return count;
}

/* Returns the point of the spec whose objects the fewest exceptions name; r->count: it has none. */
static uint32_t rarest_point(PathIndex *paths, const Reset *reset)
{
  uint32_t rarest = reset->count;
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < reset->count; i++) {
    uint64_t count = has_point(reset->spec, i) ? count_named(paths, reset, i) : UINT64_MAX;
    if (count >= least) continue;
    least = count;
    rarest = i;
  }
  return rarest;
}

/* Adds the exceptions of a list that this round has not seen, and unlinks the deleted ones. */
static void add_listed(const Constraints *c, PathIndex *paths, PathList *list, ExceptionIds *ids)
{
  uint32_t last = NO_NODE;
  for (uint32_t node = list->first; node != NO_NODE; node = paths->nodes.at[node].next) {
    PathNode n = paths->nodes.at[node];
    if (c->exceptions.at[n.exception].deleted) {
      if (last != NO_NODE) paths->nodes.at[last].next = n.next;
      else list->first = n.next;
      list->count--;
      continue;
    }
    last = node;
    if (paths->reset_in.at[n.exception] == paths->round) continue;
    paths->reset_in.at[n.exception] = paths->round;
    array_push(ids, n.exception);
  }
}

/* Each once, in the order of their commands, so that the pieces' order does not depend on the
   lists. */
static ExceptionIds named_by(const Constraints *c, PathIndex *paths, const Reset *reset,
                             uint32_t point)
{
  const ObjectArray *objects = &point_of(reset->spec, point)->objects;
  ExceptionIds ids = { 0 };
  paths->round++;
  for (uint32_t i = 0; i < objects->len && !interrupt_seen(); i++) {
    PathList *list = find_list(paths, role_of(point), objects->at[i]);
    if (list) add_listed(c, paths, list, &ids);
  }
  if (ids.len) qsort(ids.at, ids.len, sizeof *ids.at, order_uint32);
  return ids;
}

static void reset_id(Constraints *c, const Reset *reset, ExceptionId id)
{
  if (is_met(reset, &c->exceptions.at[id])) subtract(c, id, reset);
}

void constraints_reset_paths(Constraints *c, const Exception *spec)
{
  Reset r = reset_of(spec);
  PathIndex *paths = path_index(c);
  uint32_t point = rarest_point(paths, &r), count = c->exceptions.len;
  ExceptionIds ids = { 0 };
  if (point < r.count) ids = named_by(c, paths, &r, point);
  for (uint32_t i = 0; i < ids.len && !interrupt_seen(); i++) reset_id(c, &r, ids.at[i]);
  for (ExceptionId id = 0; point == r.count && id < count && !interrupt_seen(); id++)
    reset_id(c, &r, id);
  array_free(&ids);
  reset_free(&r);
}
