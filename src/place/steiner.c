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
  Steiner *s = mem_alloc_zero(1, sizeof *s);
  s->work = mem_alloc_zero(1, sizeof *s->work);
  s->work->exact = exact_work_new();
  s->work->span = span_work_new();
  s->work->refine = refine_work_new();
  return s;
}

void steiner_free(Steiner *s)
{
  if (s == NULL) return;
  SteinerWork *w = s->work;
  exact_work_free(w->exact);
  span_work_free(w->span);
  refine_work_free(w->refine);
  array_free(&w->places);
  array_free(&w->edges);
  array_free(&w->place_of);
  array_free(&w->point_of);
  mem_free(w);
  array_free(&s->nodes);
  array_free(&s->edges);
  mem_free(s);
}

/* --- different places ------------------------------------------------------------------------- */

static bool same_point(Point a, Point b) { return a.x == b.x && a.y == b.y; }

static uint32_t find_among(const SteinerWork *w, Point at)
{
  uint32_t k = 0;
  while (k < w->places.len && !same_point(w->places.at[k], at)) k++;
  return k;
}

static uint64_t key_of(Point at) { return (uint64_t)(uint32_t)at.x << 32 | (uint32_t)at.y; }

static uint32_t find_hashed(const SteinerWork *w, Map *map, Point at)
{
  uint64_t key = key_of(at);
  if (key == MAP_NO_KEY) return find_among(w, at);
  uint32_t found = map_get(map, key);
  if (found == MAP_NO_VALUE) map_put(map, key, found = w->places.len);
  return found;
}

static void find_places(SteinerWork *w, const Point *points, uint32_t count)
{
  enum { FEW = 32 };
  Map *map = count > FEW ? map_new() : NULL;
  array_clear(&w->places);
  array_clear(&w->point_of);
  array_resize(&w->place_of, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t place = map ? find_hashed(w, map, points[i]) : find_among(w, points[i]);
    w->place_of.at[i] = place;
    if (place < w->places.len) continue;
    array_push(&w->places, points[i]);
    array_push(&w->point_of, i);
  }
  if (map) map_free(map);
}

/* --- the tree of the places ------------------------------------------------------------------- */

static void small_tree(SteinerWork *w)
{
  exact_tree(w->exact, w->places.at, w->places.len, &w->tree);
  for (uint32_t i = w->places.len; i < w->tree.nodes; i++) array_push(&w->places, w->tree.node[i]);
  array_clear(&w->edges);
  for (uint32_t i = 0; i < w->tree.edges; i++) array_push(&w->edges, w->tree.edge[i]);
}

static void large_tree(SteinerWork *w)
{
  spanning_tree(w->span, w->places.at, w->places.len, &w->edges);
  refine_tree(w->refine, w->exact, w->places.len, &w->places, &w->edges);
}

/* --- the tree of the points ------------------------------------------------------------------- */

static void add_branches(Steiner *s)
{
  SteinerWork *w = s->work;
  for (uint32_t i = w->point_of.len; i < w->places.len; i++) {
    array_push(&w->point_of, s->nodes.len);
    array_push(&s->nodes, w->places.at[i]);
  }
}

static int64_t take_edges(Steiner *s, uint32_t count)
{
  SteinerWork *w = s->work;
  int64_t length = 0;
  for (uint32_t i = 0; i < w->edges.len; i++) {
    SteinerEdge e = w->edges.at[i];
    length += point_distance(w->places.at[e.a], w->places.at[e.b]);
    array_push(&s->edges, (SteinerEdge){ w->point_of.at[e.a], w->point_of.at[e.b] });
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t first = w->point_of.at[w->place_of.at[i]];
    if (first != i) array_push(&s->edges, (SteinerEdge){ first, i });
  }
  return length;
}

int64_t steiner_tree(Steiner *s, const Point *points, uint32_t count)
{
  SteinerWork *w = s->work;
  array_clear(&s->nodes);
  array_clear(&s->edges);
  for (uint32_t i = 0; i < count; i++) array_push(&s->nodes, points[i]);
  find_places(w, points, count);
  if (w->places.len <= STEINER_EXACT && exact_holds(w->places.at, w->places.len)) small_tree(w);
  else large_tree(w);
  add_branches(s);
  return take_edges(s, count);
}
