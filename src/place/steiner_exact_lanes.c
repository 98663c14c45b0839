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
void exact_work_free(ExactWork *w) { mem_free(w); }

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

static Point crossing(const ExactWork *w, uint32_t v)
{
  return (Point){ w->xs[v % w->nx], w->ys[v / w->nx] };
}

static int32_t distance(const ExactWork *w, uint32_t u, uint32_t v)
{
  return (int32_t)point_distance(crossing(w, u), crossing(w, v));
}

static void make_grid(ExactWork *w, const Point *points, uint32_t count)
{
  w->nx = w->ny = 0;
  w->points = count;
  for (uint32_t i = 0; i < count; i++) {
    w->nx = insert_sorted(w->xs, w->nx, points[i].x);
    w->ny = insert_sorted(w->ys, w->ny, points[i].y);
  }
  for (uint32_t i = 0; i < count; i++)
    w->at[i] = index_of(w->ys, points[i].y) * w->nx + index_of(w->xs, points[i].x);
}

static void one_point(ExactWork *w, uint32_t point)
{
  int32_t *cost = w->cost[1u << point];
  for (uint32_t v = 0; v < w->nx * w->ny; v++) cost[v] = distance(w, v, w->at[point]);
}

static void least_sum(int32_t *restrict cost, const int32_t *restrict a, const int32_t *restrict b,
                      uint32_t count)
{
  for (uint32_t v = 0; v < count; v++) {
    int32_t sum = a[v] + b[v];
    cost[v] = sum < cost[v] ? sum : cost[v];
  }
}

static void meet(ExactWork *w, uint32_t set, uint32_t part)
{
  least_sum(w->cost[set], w->cost[part], w->cost[set ^ part], w->nx * w->ny);
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
static void spread(const ExactWork *w, int32_t *cost)
{
  uint32_t nx = w->nx, ny = w->ny;
  for (uint32_t y = 0; y < ny; y++) {
    int32_t *row = cost + y * nx;
    for (uint32_t x = 1; x < nx; x++) relax(row, x, x - 1, w->xs[x] - w->xs[x - 1]);
    for (uint32_t x = nx - 1; x > 0; x--) relax(row, x - 1, x, w->xs[x] - w->xs[x - 1]);
  }
  for (uint32_t y = 1; y < ny; y++)
    relax_row(cost + y * nx, cost + (y - 1) * nx, w->ys[y] - w->ys[y - 1], nx);
  for (uint32_t y = ny - 1; y > 0; y--)
    relax_row(cost + (y - 1) * nx, cost + y * nx, w->ys[y] - w->ys[y - 1], nx);
}

/* Parts of a set that hold its lowest point, each once: from the set less one point down. */
#define EACH_PART(part, set) \
  for (uint32_t low_ = (set) & (~(set) + 1), rest_ = (set) ^ low_, part = rest_; part != 0; \
       part = (part - 1) & rest_)

static void fill_costs(ExactWork *w)
{
  uint32_t all = 1u << (w->points - 1);
  for (uint32_t set = 1; set < all; set++) {
    if ((set & (set - 1)) == 0) {
      one_point(w, (uint32_t)__builtin_ctz(set));
      continue;
    }
    for (uint32_t v = 0; v < w->nx * w->ny; v++) w->cost[set][v] = INT32_MAX;
    EACH_PART(part, set) meet(w, set, part);
    spread(w, w->cost[set]);
  }
}

/* --- the wires -------------------------------------------------------------------------------- */

static uint32_t node_at(ExactWork *w, uint32_t v)
{
  if (w->node_of[v] == UINT32_MAX) {
    w->node_of[v] = w->tree->nodes;
    w->tree->node[w->tree->nodes++] = crossing(w, v);
  }
  return w->node_of[v];
}

static void add_edge(ExactWork *w, uint32_t u, uint32_t v)
{
  if (u == v) return;
  uint32_t a = node_at(w, u), b = node_at(w, v);
  w->tree->edge[w->tree->edges++] = (SteinerEdge){ a, b };
}

/* A part of the set that meets the rest in u at the cost of the set; 0: none. */
static uint32_t part_at(const ExactWork *w, uint32_t set, uint32_t u)
{
  EACH_PART(part, set)
    if (w->cost[part][u] + w->cost[set ^ part][u] == w->cost[set][u]) return part;
  return 0;
}

/* Where the parts of the set meet for a tree to v. */
static uint32_t meeting(const ExactWork *w, uint32_t set, uint32_t v, uint32_t *part)
{
  for (uint32_t u = 0; u < w->nx * w->ny; u++)
    if (w->cost[set][u] + distance(w, u, v) == w->cost[set][v] && (*part = part_at(w, set, u)) != 0)
      return u;
  return v;
}

/* A branch at v itself is looked for first: then no node of two wires is made. */
static void trace(ExactWork *w, uint32_t set, uint32_t v)
{
  if ((set & (set - 1)) == 0) {
    add_edge(w, v, w->at[__builtin_ctz(set)]);
    return;
  }
  uint32_t part = part_at(w, set, v), u = v;
  if (part == 0) u = meeting(w, set, v, &part);
  add_edge(w, v, u);
  trace(w, part, u);
  trace(w, set ^ part, u);
}

void exact_tree(ExactWork *w, const Point *points, uint32_t count, SmallTree *tree)
{
  tree->nodes = tree->edges = 0;
  tree->length = 0;
  w->tree = tree;
  make_grid(w, points, count);
  memset(w->node_of, 0xff, sizeof w->node_of);
  for (uint32_t i = 0; i < count; i++) node_at(w, w->at[i]);
  if (count < 2) return;
  fill_costs(w);
  uint32_t all = (1u << (count - 1)) - 1, last = w->at[count - 1];
  tree->length = w->cost[all][last];
  trace(w, all, last);
}
