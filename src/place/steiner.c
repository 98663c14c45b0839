/* Computes rectilinear Steiner trees. See steiner.h for the algorithms and limits. */
#include "place/steiner.h"

#include "base/hash.h"
#include "place/steiner_private.h"

/* One of each place: points that lie on one another are joined by wires of no length. */
typedef struct SteinerWork {
  ExactWork  *exact;
  SpanWork   *span;
  RefineWork *refine;
  SteinerPoints places;            /* different ones, then branches */
  SteinerEdges  edges;             /* of them */
  ARRAY(uint32_t) place_of;        /* by point */
  ARRAY(uint32_t) point_of;        /* by place: the first point there; of branches the node */
  SmallTree   tree;
} SteinerWork;

Steiner *steiner_new(void)
{
  Steiner *steiner = mem_alloc_zero(1, sizeof *steiner);
  steiner->work = mem_alloc_zero(1, sizeof *steiner->work);
  steiner->work->exact = exact_work_new();
  steiner->work->span = span_work_new();
  steiner->work->refine = refine_work_new();
  return steiner;
}

void steiner_free(Steiner *steiner)
{
  if (steiner == NULL) return;
  SteinerWork *work = steiner->work;
  exact_work_free(work->exact);
  span_work_free(work->span);
  refine_work_free(work->refine);
  array_free(&work->places);
  array_free(&work->edges);
  array_free(&work->place_of);
  array_free(&work->point_of);
  mem_free(work);
  array_free(&steiner->nodes);
  array_free(&steiner->edges);
  mem_free(steiner);
}

/* --- different places ------------------------------------------------------------------------- */

static bool same_point(Point a, Point b) { return a.x == b.x && a.y == b.y; }

static uint32_t find_among(const SteinerWork *work, Point at)
{
  uint32_t k = 0;
  while (k < work->places.len && !same_point(work->places.at[k], at)) k++;
  return k;
}

static uint64_t key_of(Point at) { return (uint64_t)(uint32_t)at.x << 32 | (uint32_t)at.y; }

static uint32_t find_hashed(const SteinerWork *work, Map *map, Point at)
{
  uint64_t key = key_of(at);
  if (key == MAP_NO_KEY) return find_among(work, at);
  uint32_t found = map_get(map, key);
  if (found == MAP_NO_VALUE) map_put(map, key, found = work->places.len);
  return found;
}

static void find_places(SteinerWork *work, const Point *points, uint32_t count)
{
  enum { FEW = 32 };
  Map *map = count > FEW ? map_new() : NULL;
  array_clear(&work->places);
  array_clear(&work->point_of);
  array_resize(&work->place_of, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = map ? find_hashed(work, map, points[i]) : find_among(work, points[i]);
    work->place_of.at[i] = place;
    if (place < work->places.len) continue;
    array_push(&work->places, points[i]);
    array_push(&work->point_of, i);
  }
  if (map) map_free(map);
}

/* --- the tree of the places ------------------------------------------------------------------- */

static void small_tree(SteinerWork *work)
{
  exact_tree(work->exact, work->places.at, work->places.len, &work->tree);
  for (uint32_t i = work->places.len; i < work->tree.nodes; i++)
    array_push(&work->places, work->tree.node[i]);
  array_clear(&work->edges);
  for (uint32_t i = 0; i < work->tree.edges; i++) array_push(&work->edges, work->tree.edge[i]);
}

static void large_tree(SteinerWork *work)
{
  spanning_tree(work->span, work->places.at, work->places.len, &work->edges);
  refine_tree(work->refine, work->exact, work->places.len, &work->places, &work->edges);
}

/* --- the tree of the points ------------------------------------------------------------------- */

static void add_branches(Steiner *steiner)
{
  SteinerWork *work = steiner->work;
  for (uint32_t i = work->point_of.len; i < work->places.len; i++) {
    array_push(&work->point_of, steiner->nodes.len);
    array_push(&steiner->nodes, work->places.at[i]);
  }
}

static int64_t take_edges(Steiner *steiner, uint32_t count)
{
  SteinerWork *work = steiner->work;
  int64_t length = 0;
  for (uint32_t i = 0; i < work->edges.len; i++) {
    SteinerEdge e = work->edges.at[i];
    length += point_distance(work->places.at[e.a], work->places.at[e.b]);
    array_push(&steiner->edges, (SteinerEdge){ work->point_of.at[e.a], work->point_of.at[e.b] });
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t first = work->point_of.at[work->place_of.at[i]];
    if (first != i) array_push(&steiner->edges, (SteinerEdge){ first, i });
  }
  return length;
}

int64_t steiner_tree(Steiner *steiner, const Point *points, uint32_t count)
{
  SteinerWork *work = steiner->work;
  array_clear(&steiner->nodes);
  array_clear(&steiner->edges);
  for (uint32_t i = 0; i < count; i++) array_push(&steiner->nodes, points[i]);
  find_places(work, points, count);
  if (work->places.len <= STEINER_EXACT && exact_holds(work->places.at, work->places.len))
    small_tree(work);
  else large_tree(work);
  add_branches(steiner);
  return take_edges(steiner, count);
}
