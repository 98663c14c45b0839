/* Shortest rectilinear trees of few points.

   cost[S][v] is the length of a shortest tree of the points in S and of the crossing v of the grid.
   For a set of one point it is the distance.  For a larger one: two parts of S meet in some
   crossing u, and a wire goes from there to v:
       cost[S][v] = min over u of (min over parts A of S of cost[A][u] + cost[S - A][u]) + |u - v|
   The outer minimum is a pass along x and one along y, in both directions each. The last point is
   in no set: the answer is the cost at it of all others.  Wires are found by asking again where a
   minimum came from. */
#include "place/steiner_private.h"

enum { MOST = STEINER_EXACT, SETS = 1 << (MOST - 1), CROSSINGS = MOST * MOST };

struct ExactWork {
  int32_t  cost[SETS][CROSSINGS];
  int32_t  xs[MOST], ys[MOST];
  uint32_t nx, ny, points;
  uint32_t at[MOST];               /* the points' crossings */
  uint32_t node_of[CROSSINGS];     /* nodes of the tree; UINT32_MAX: none */
  SmallTree *tree;
};

ExactWork *exact_work_new(void) { return mem_alloc_zero(1, sizeof(ExactWork)); }
void exact_work_free(ExactWork *work) { mem_free(work); }

/* No sum of two costs may pass 32 bits. */
bool exact_holds(const Point *points, uint32_t count)
{
  Box box = BOX_EMPTY;
  if (count > MOST) return false;
  for (uint32_t i = 0; i < count; i++) box_take(&box, points[i]);
  int64_t half = (int64_t)box.x1 - box.x0 + box.y1 - box.y0;
  return half * 2 * MOST < INT32_MAX;
}

static uint32_t insert_sorted(int32_t *list, uint32_t count, int32_t value)
{
  uint32_t i = count;
  for (uint32_t k = 0; k < count; k++)
    if (list[k] == value) return count;
  for (; i > 0 && list[i - 1] > value; i--) list[i] = list[i - 1];
  list[i] = value;
  return count + 1;
}

static uint32_t index_of(const int32_t *list, int32_t value)
{
  uint32_t i = 0;
  while (list[i] != value) i++;
  return i;
}

static Point crossing(const ExactWork *work, uint32_t v)
{
  return (Point){ work->xs[v % work->nx], work->ys[v / work->nx] };
}

static int32_t distance(const ExactWork *work, uint32_t u, uint32_t v)
{
  return (int32_t)point_distance(crossing(work, u), crossing(work, v));
}

static void make_grid(ExactWork *work, const Point *points, uint32_t count)
{
  work->nx = work->ny = 0;
  work->points = count;
  for (uint32_t i = 0; i < count; i++) {
    work->nx = insert_sorted(work->xs, work->nx, points[i].x);
    work->ny = insert_sorted(work->ys, work->ny, points[i].y);
  }
  for (uint32_t i = 0; i < count; i++)
    work->at[i] = index_of(work->ys, points[i].y) * work->nx + index_of(work->xs, points[i].x);
}

static void one_point(ExactWork *work, uint32_t point)
{
  int32_t *cost = work->cost[1u << point];
  for (uint32_t v = 0; v < work->nx * work->ny; v++) cost[v] = distance(work, v, work->at[point]);
}

static void least_sum(int32_t *restrict cost, const int32_t *restrict a, const int32_t *restrict b,
                      uint32_t count)
{
  for (uint32_t v = 0; v < count; v++) {
    int32_t sum = a[v] + b[v];
    cost[v] = sum < cost[v] ? sum : cost[v];
  }
}

static void meet(ExactWork *work, uint32_t set, uint32_t part)
{
  least_sum(work->cost[set], work->cost[part], work->cost[set ^ part], work->nx * work->ny);
}

static inline void relax(int32_t *cost, uint32_t to, uint32_t from, int32_t step)
{
  if (cost[from] + step < cost[to]) cost[to] = cost[from] + step;
}

/* Each crossing of a row from the one beside it in another row. */
static void relax_row(int32_t *restrict to, const int32_t *restrict from, int32_t step,
                      uint32_t count)
{
  for (uint32_t x = 0; x < count; x++) to[x] = from[x] + step < to[x] ? from[x] + step : to[x];
}

/* Wires from each crossing to all others. */
static void spread(const ExactWork *work, int32_t *cost)
{
  uint32_t nx = work->nx, ny = work->ny;
  for (uint32_t y = 0; y < ny; y++) {
    int32_t *row = cost + y * nx;
    for (uint32_t x = 1; x < nx; x++) relax(row, x, x - 1, work->xs[x] - work->xs[x - 1]);
    for (uint32_t x = nx - 1; x > 0; x--) relax(row, x - 1, x, work->xs[x] - work->xs[x - 1]);
  }
  for (uint32_t y = 1; y < ny; y++)
    relax_row(cost + y * nx, cost + (y - 1) * nx, work->ys[y] - work->ys[y - 1], nx);
  for (uint32_t y = ny - 1; y > 0; y--)
    relax_row(cost + (y - 1) * nx, cost + y * nx, work->ys[y] - work->ys[y - 1], nx);
}

/* Parts of a set that hold its lowest point, each once: from the set less one point down. */
#define EACH_PART(part, set) \
  for (uint32_t low_ = (set) & (~(set) + 1), rest_ = (set) ^ low_, part = rest_; part != 0; \
       part = (part - 1) & rest_)

static void fill_costs(ExactWork *work)
{
  uint32_t all = 1u << (work->points - 1);
  for (uint32_t set = 1; set < all; set++) {
    if ((set & (set - 1)) == 0) {
      one_point(work, (uint32_t)__builtin_ctz(set));
      continue;
    }
    for (uint32_t v = 0; v < work->nx * work->ny; v++) work->cost[set][v] = INT32_MAX;
    EACH_PART(part, set) meet(work, set, part);
    spread(work, work->cost[set]);
  }
}

/* --- the wires -------------------------------------------------------------------------------- */

static uint32_t node_at(ExactWork *work, uint32_t v)
{
  if (work->node_of[v] == UINT32_MAX) {
    work->node_of[v] = work->tree->nodes;
    work->tree->node[work->tree->nodes++] = crossing(work, v);
  }
  return work->node_of[v];
}

static void add_edge(ExactWork *work, uint32_t u, uint32_t v)
{
  if (u == v) return;
  uint32_t a = node_at(work, u), b = node_at(work, v);
  work->tree->edge[work->tree->edges++] = (SteinerEdge){ a, b };
}

/* A part of the set that meets the rest in u at the cost of the set; 0: none. */
static uint32_t part_at(const ExactWork *work, uint32_t set, uint32_t u)
{
  EACH_PART(part, set)
    if (work->cost[part][u] + work->cost[set ^ part][u] == work->cost[set][u]) return part;
  return 0;
}

/* Where the parts of the set meet for a tree to v. */
static uint32_t meeting(const ExactWork *work, uint32_t set, uint32_t v, uint32_t *part)
{
  for (uint32_t u = 0; u < work->nx * work->ny; u++)
    if (work->cost[set][u] + distance(work, u, v) == work->cost[set][v]
        && (*part = part_at(work, set, u)) != 0)
      return u;
  return v;
}

/* A branch at v itself is looked for first: then no node of two wires is made. */
static void trace(ExactWork *work, uint32_t set, uint32_t v)
{
  if ((set & (set - 1)) == 0) {
    add_edge(work, v, work->at[__builtin_ctz(set)]);
    return;
  }
  uint32_t part = part_at(work, set, v), u = v;
  if (part == 0) u = meeting(work, set, v, &part);
  add_edge(work, v, u);
  trace(work, part, u);
  trace(work, set ^ part, u);
}

void exact_tree(ExactWork *work, const Point *points, uint32_t count, SmallTree *tree)
{
  tree->nodes = tree->edges = 0;
  tree->length = 0;
  work->tree = tree;
  make_grid(work, points, count);
  memset(work->node_of, 0xff, sizeof work->node_of);
  for (uint32_t i = 0; i < count; i++) node_at(work, work->at[i]);
  if (count < 2) return;
  fill_costs(work);
  uint32_t all = (1u << (count - 1)) - 1, last = work->at[count - 1];
  tree->length = work->cost[all][last];
  trace(work, all, last);
}
