/* Minimum spanning trees by distance along x and y.

   Of the points within one eighth of the directions around a point only the nearest can be joined
   with it in a minimum spanning tree (Guibas and Stolfi, 1983).  For the directions between 45 and
   90 degrees from (x, y) these are points with a larger x and a larger y - x, and the nearest is
   the one of least x + y: points are passed from right to left, and a tree of prefix minima over
   y - x answers. Turning and flipping the plane gives the other directions; half of them are
   enough. */
#include "place/steiner_private.h"

#include "base/radix.h"

enum { FEW_POINTS = 200 };

typedef struct { int64_t sum; uint32_t point; } Nearest;

struct SpanWork {
  ARRAY(RadixItem) order, room, edges;
  ARRAY(uint32_t) rank;
  ARRAY(Nearest) least;                /* a binary indexed tree, by rank of y - x */
  ARRAY(SteinerEdge) candidates;
  ARRAY(uint32_t) leader;              /* sets of points that are joined */
  ARRAY(Point) turned;
};

SpanWork *span_work_new(void) { return mem_alloc_zero(1, sizeof(SpanWork)); }

void span_work_free(SpanWork *w)
{
  array_free(&w->order);
  array_free(&w->room);
  array_free(&w->edges);
  array_free(&w->rank);
  array_free(&w->least);
  array_free(&w->candidates);
  array_free(&w->leader);
  array_free(&w->turned);
  mem_free(w);
}

static uint64_t sortable(int64_t key) { return (uint64_t)key + (1ull << 63); }

/* Ranks of y - x, from 1 for the largest; equal ones share a rank. */
static void rank_points(SpanWork *w, uint32_t count)
{
  const Point *p = w->turned.at;
  for (uint32_t i = 0; i < count; i++)
    w->order.at[i] = (RadixItem){ sortable(-((int64_t)p[i].y - p[i].x)), i };
  radix_sort(w->order.at, w->room.at, count);
  for (uint32_t i = 0, rank = 0; i < count; i++) {
    rank += i == 0 || w->order.at[i].key != w->order.at[i - 1].key;
    w->rank.at[w->order.at[i].id] = rank;
  }
}

/* The one of least sum among those of a rank up to this one, which have a y - x no smaller. */
static Nearest find_nearest(const SpanWork *w, uint32_t rank)
{
  Nearest best = { INT64_MAX, UINT32_MAX };
  for (; rank > 0; rank &= rank - 1)
    if (w->least.at[rank].sum < best.sum) best = w->least.at[rank];
  return best;
}

static void enter(SpanWork *w, uint32_t rank, Nearest nearest)
{
  for (; rank < w->least.len; rank += rank & (~rank + 1))
    if (nearest.sum < w->least.at[rank].sum) w->least.at[rank] = nearest;
}

/* Candidates within the eighth above the diagonal, right of each point. */
static void scan(SpanWork *w, uint32_t count)
{
  const Point *p = w->turned.at;
  rank_points(w, count);
  for (uint32_t i = 0; i < count; i++)
    w->order.at[i] = (RadixItem){ sortable(-(p[i].x * ((int64_t)1 << 32) + p[i].y)), i };
  radix_sort(w->order.at, w->room.at, count);
  array_resize(&w->least, count + 1);
  for (uint32_t i = 0; i <= count; i++) w->least.at[i] = (Nearest){ INT64_MAX, UINT32_MAX };
  for (uint32_t i = 0; i < count; i++) {
    uint32_t point = w->order.at[i].id;
    Nearest found = find_nearest(w, w->rank.at[point]);
    if (found.point != UINT32_MAX)
      array_push(&w->candidates, (SteinerEdge){ point, found.point });
    enter(w, w->rank.at[point], (Nearest){ (int64_t)p[point].x + p[point].y, point });
  }
}

static Point turn(int way, Point p)
{
  if (way & 1) p = (Point){ p.y, p.x };
  if (way & 2) p.x = -p.x;
  return p;
}

static void find_candidates(SpanWork *w, const Point *points, uint32_t count)
{
  array_clear(&w->candidates);
  array_resize(&w->order, count);
  array_resize(&w->room, count);
  array_resize(&w->rank, count);
  array_resize(&w->turned, count);
  for (int way = 0; way < 4; way++) {
    for (uint32_t i = 0; i < count; i++) w->turned.at[i] = turn(way, points[i]);
    scan(w, count);
  }
}

static uint32_t leader_of(SpanWork *w, uint32_t i)
{
  while (w->leader.at[i] != i) i = w->leader.at[i] = w->leader.at[w->leader.at[i]];
  return i;
}

/* The shortest edge that joins what is apart, again and again (Kruskal, 1956). */
static void join(SpanWork *w, SteinerEdges *edges)
{
  for (uint32_t i = 0; i < w->edges.len; i++) {
    SteinerEdge e = w->candidates.at[w->edges.at[i].id];
    uint32_t a = leader_of(w, e.a), b = leader_of(w, e.b);
    if (a == b) continue;
    w->leader.at[b] = a;
    array_push(edges, e);
  }
}

/* --- few points ------------------------------------------------------------------------------- */

/* The nearest point of those that are not in the tree yet; what it is nearest to is in leader. */
static uint32_t next_point(const SpanWork *w, uint32_t count)
{
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 1; i < count; i++)
    if (w->least.at[i].point == UINT32_MAX
        && (best == UINT32_MAX || w->least.at[i].sum < w->least.at[best].sum))
      best = i;
  return best;
}

/* A tree grows by the point that is nearest to it (Prim, 1957).  least: the distance to the tree,
   and whether the point is in it (then its own number). */
static void grow(SpanWork *w, const Point *points, uint32_t count, SteinerEdges *edges)
{
  array_resize(&w->least, count);
  array_resize(&w->leader, count);
  for (uint32_t i = 0; i < count; i++) {
    w->least.at[i] = (Nearest){ point_distance(points[0], points[i]), UINT32_MAX };
    w->leader.at[i] = 0;
  }
  for (uint32_t next; (next = next_point(w, count)) != UINT32_MAX;) {
    w->least.at[next].point = next;
    array_push(edges, (SteinerEdge){ w->leader.at[next], next });
    for (uint32_t i = 1; i < count; i++) {
      int64_t d = point_distance(points[next], points[i]);
      if (w->least.at[i].point != UINT32_MAX || d >= w->least.at[i].sum) continue;
      w->least.at[i].sum = d;
      w->leader.at[i] = next;
    }
  }
}

void spanning_tree(SpanWork *w, const Point *points, uint32_t count, SteinerEdges *edges)
{
  array_clear(edges);
  if (count <= FEW_POINTS) {
    grow(w, points, count, edges);
    return;
  }
  find_candidates(w, points, count);
  array_resize(&w->edges, w->candidates.len);
  array_resize(&w->room, w->candidates.len);
  for (uint32_t i = 0; i < w->candidates.len; i++) {
    SteinerEdge e = w->candidates.at[i];
    w->edges.at[i] = (RadixItem){ (uint64_t)point_distance(points[e.a], points[e.b]), i };
  }
  radix_sort(w->edges.at, w->room.at, w->edges.len);
  array_resize(&w->leader, count);
  for (uint32_t i = 0; i < count; i++) w->leader.at[i] = i;
  join(w, edges);
}
