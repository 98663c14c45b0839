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

void span_work_free(SpanWork *work)
{
  array_free(&work->order);
  array_free(&work->room);
  array_free(&work->edges);
  array_free(&work->rank);
  array_free(&work->least);
  array_free(&work->candidates);
  array_free(&work->leader);
  array_free(&work->turned);
  mem_free(work);
}

static uint64_t sortable(int64_t key) { return (uint64_t)key + (1ull << 63); }

/* Ranks of y - x, from 1 for the largest; equal ones share a rank. */
static void rank_points(SpanWork *work, uint32_t count)
{
  const Point *point = work->turned.at;
  for (uint32_t i = 0; i < count; i++)
    work->order.at[i] = (RadixItem){ sortable(-((int64_t)point[i].y - point[i].x)), i };
  radix_sort(work->order.at, work->room.at, count);
  for (uint32_t i = 0, rank = 0; i < count; i++) {
    rank += i == 0 || work->order.at[i].key != work->order.at[i - 1].key;
    work->rank.at[work->order.at[i].id] = rank;
  }
}

/* The one of least sum among those of a rank up to this one, which have a y - x no smaller. */
static Nearest find_nearest(const SpanWork *work, uint32_t rank)
{
  Nearest best = { INT64_MAX, UINT32_MAX };
  for (; rank > 0; rank &= rank - 1)
    if (work->least.at[rank].sum < best.sum) best = work->least.at[rank];
  return best;
}

static void enter(SpanWork *work, uint32_t rank, Nearest nearest)
{
  for (; rank < work->least.len; rank += rank & (~rank + 1))
    if (nearest.sum < work->least.at[rank].sum) work->least.at[rank] = nearest;
}

/* Candidates within the eighth above the diagonal, right of each point. */
static void scan(SpanWork *work, uint32_t count)
{
  const Point *the_point = work->turned.at;
  rank_points(work, count);
  for (uint32_t i = 0; i < count; i++)
    work->order.at[i] =
        (RadixItem){ sortable(-(the_point[i].x * ((int64_t)1 << 32) + the_point[i].y)), i };
  radix_sort(work->order.at, work->room.at, count);
  array_resize(&work->least, count + 1);
  for (uint32_t i = 0; i <= count; i++) work->least.at[i] = (Nearest){ INT64_MAX, UINT32_MAX };
  for (uint32_t i = 0; i < count; i++) {
    uint32_t point = work->order.at[i].id;
    Nearest found = find_nearest(work, work->rank.at[point]);
    if (found.point != UINT32_MAX)
      array_push(&work->candidates, (SteinerEdge){ point, found.point });
    enter(work, work->rank.at[point],
          (Nearest){ (int64_t)the_point[point].x + the_point[point].y, point });
  }
}

static Point turn(int way, Point p)
{
  if (way & 1) p = (Point){ p.y, p.x };
  if (way & 2) p.x = -p.x;
  return p;
}

static void find_candidates(SpanWork *work, const Point *points, uint32_t count)
{
  array_clear(&work->candidates);
  array_resize(&work->order, count);
  array_resize(&work->room, count);
  array_resize(&work->rank, count);
  array_resize(&work->turned, count);
  for (int way = 0; way < 4; way++) {
    for (uint32_t i = 0; i < count; i++) work->turned.at[i] = turn(way, points[i]);
    scan(work, count);
  }
}

static uint32_t leader_of(SpanWork *work, uint32_t i)
{
  while (work->leader.at[i] != i) i = work->leader.at[i] = work->leader.at[work->leader.at[i]];
  return i;
}

/* The shortest edge that joins what is apart, again and again (Kruskal, 1956). */
static void join(SpanWork *work, SteinerEdges *edges)
{
  for (uint32_t i = 0; i < work->edges.len; i++) {
    SteinerEdge e = work->candidates.at[work->edges.at[i].id];
    uint32_t a = leader_of(work, e.a), b = leader_of(work, e.b);
    if (a == b) continue;
    work->leader.at[b] = a;
    array_push(edges, e);
  }
}

/* --- few points ------------------------------------------------------------------------------- */

/* The nearest point of those that are not in the tree yet; what it is nearest to is in leader. */
static uint32_t next_point(const SpanWork *work, uint32_t count)
{
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 1; i < count; i++)
    if (work->least.at[i].point == UINT32_MAX
        && (best == UINT32_MAX || work->least.at[i].sum < work->least.at[best].sum))
      best = i;
  return best;
}

/* A tree grows by the point that is nearest to it (Prim, 1957).  least: the distance to the tree,
   and whether the point is in it (then its own number). */
static void grow(SpanWork *work, const Point *points, uint32_t count, SteinerEdges *edges)
{
  array_resize(&work->least, count);
  array_resize(&work->leader, count);
  for (uint32_t i = 0; i < count; i++) {
    work->least.at[i] = (Nearest){ point_distance(points[0], points[i]), UINT32_MAX };
    work->leader.at[i] = 0;
  }
  for (uint32_t next; (next = next_point(work, count)) != UINT32_MAX;) {
    work->least.at[next].point = next;
    array_push(edges, (SteinerEdge){ work->leader.at[next], next });
    for (uint32_t i = 1; i < count; i++) {
      int64_t d = point_distance(points[next], points[i]);
      if (work->least.at[i].point != UINT32_MAX || d >= work->least.at[i].sum) continue;
      work->least.at[i].sum = d;
      work->leader.at[i] = next;
    }
  }
}

void spanning_tree(SpanWork *work, const Point *points, uint32_t count, SteinerEdges *edges)
{
  array_clear(edges);
  if (count <= FEW_POINTS) {
    grow(work, points, count, edges);
    return;
  }
  find_candidates(work, points, count);
  array_resize(&work->edges, work->candidates.len);
  array_resize(&work->room, work->candidates.len);
  for (uint32_t i = 0; i < work->candidates.len; i++) {
    SteinerEdge e = work->candidates.at[i];
    work->edges.at[i] = (RadixItem){ (uint64_t)point_distance(points[e.a], points[e.b]), i };
  }
  radix_sort(work->edges.at, work->room.at, work->edges.len);
  array_resize(&work->leader, count);
  for (uint32_t i = 0; i < count; i++) work->leader.at[i] = i;
  join(work, edges);
}
