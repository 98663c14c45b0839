/* Steiner trees: against all trees there are, answers worked out by hand, and the shape of what
   comes out. */
#include "place/steiner.h"

#include "tests/unit.h"

static uint64_t state;

static int32_t random_below(int32_t limit)
{
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int32_t)((state >> 33) % (uint64_t)limit);
}

static void random_points(Point *points, uint32_t count, int32_t limit)
{
  for (uint32_t i = 0; i < count; i++)
    points[i] = (Point){ random_below(limit), random_below(limit) };
}

enum { MOST = 400 };

/* Of a minimum spanning tree, all pairs looked at. */
static int64_t spanning_length(const Point *points, uint32_t count)
{
  int64_t near[MOST], length = 0;
  for (uint32_t i = 1; i < count; i++) near[i] = point_distance(points[0], points[i]);
  for (uint32_t done = 1; done < count; done++) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
      if (near[i] >= 0 && (best == 0 || near[i] < near[best])) best = i;
    length += near[best];
    near[best] = -1;
    for (uint32_t i = 1; i < count; i++) {
      int64_t d = point_distance(points[best], points[i]);
      if (near[i] >= 0 && d < near[i]) near[i] = d;
    }
  }
  return length;
}

/* The shortest with up to `more` further points of the grid, from `from` on: no tree needs more
   than two fewer than it has pins. */
static int64_t shortest(Point *points, uint32_t count, uint32_t pins, uint32_t from, uint32_t more)
{
  int64_t best = spanning_length(points, count);
  for (uint32_t k = from; more > 0 && k < pins * pins; k++) {
    points[count] = (Point){ points[k % pins].x, points[k / pins].y };
    int64_t length = shortest(points, count + 1, pins, k + 1, more - 1);
    if (length < best) best = length;
  }
  return best;
}

/* Connected, without loops, as long as is said; the points are its first nodes. */
static void check_shape(const Steiner *steiner, const Point *points, uint32_t count, int64_t length)
{
  ARRAY(uint32_t) set = { 0 };
  int64_t sum = 0;
  bool good = steiner->edges.len + 1 == steiner->nodes.len && steiner->nodes.len >= count;
  for (uint32_t i = 0; i < steiner->nodes.len; i++) array_push(&set, i);
  for (uint32_t i = 0; i < count; i++)
    good &= steiner->nodes.at[i].x == points[i].x && steiner->nodes.at[i].y == points[i].y;
  for (uint32_t i = 0; i < steiner->edges.len; i++) {
    uint32_t a = steiner->edges.at[i].a, b = steiner->edges.at[i].b;
    sum += point_distance(steiner->nodes.at[a], steiner->nodes.at[b]);
    while (set.at[a] != a) a = set.at[a];
    while (set.at[b] != b) b = set.at[b];
    good &= a != b;
    set.at[b] = a;
  }
  CHECK(good);
  CHECK(sum == length);
  array_free(&set);
}

static int64_t tree(Steiner *steiner, const Point *points, uint32_t count)
{
  int64_t length = steiner_tree(steiner, points, count);
  check_shape(steiner, points, count, length);
  return length;
}

static void test_by_hand(void)
{
  Steiner *steiner = steiner_new();
  Point one[] = { { 5, 7 } }, pair[] = { { 0, 0 }, { 3, 4 } };
  CHECK(tree(steiner, one, 1) == 0);
  CHECK(tree(steiner, pair, 2) == 7);
  /* the median point joins three: half of the perimeter of the box around them */
  Point three[] = { { 0, 0 }, { 10, 2 }, { 4, 8 } };
  CHECK(tree(steiner, three, 3) == 18);
  CHECK(steiner->nodes.len == 4 && steiner->nodes.at[3].x == 4 && steiner->nodes.at[3].y == 2);
  /* a cross: both arms */
  Point cross[] = { { 0, 5 }, { 10, 5 }, { 5, 0 }, { 5, 10 } };
  CHECK(tree(steiner, cross, 4) == 20);
  /* four corners: one side more than a path around three sides would save nothing */
  Point square[] = { { 0, 0 }, { 10, 0 }, { 0, 10 }, { 10, 10 } };
  CHECK(tree(steiner, square, 4) == 30);
  Point wide[] = { { 0, 0 }, { 30, 0 }, { 0, 10 }, { 30, 10 } };
  CHECK(tree(steiner, wide, 4) == 50);
  /* all points of a grid of 3 by 3: eight wires of one step */
  Point grid[9];
  for (int i = 0; i < 9; i++) grid[i] = (Point){ i % 3 * 10, i / 3 * 10 };
  CHECK(tree(steiner, grid, 9) == 80);
  steiner_free(steiner);
}

static void test_same_places(void)
{
  Steiner *steiner = steiner_new();
  Point points[] = { { 1, 1 }, { 1, 1 }, { 4, 1 }, { 1, 1 }, { 4, 1 } };
  CHECK(tree(steiner, points, 5) == 3);
  CHECK(steiner->nodes.len == 5);
  Point all[40];
  for (int i = 0; i < 40; i++) all[i] = (Point){ i % 2, 9 };
  CHECK(tree(steiner, all, 40) == 1);
  steiner_free(steiner);
}

/* Grids of few values have many points on one line, and many shortest trees. */
static void test_all_trees(void)
{
  Steiner *steiner = steiner_new();
  Point points[64];
  state = 1;
  for (int round = 0; round < 400; round++) {
    uint32_t count = 2 + (uint32_t)round % 4;
    random_points(points, count, round % 3 ? 1000 : 6);
    int64_t length = tree(steiner, points, count);
    CHECK(length == shortest(points, count, count, 0, count - 2));
  }
  for (int round = 0; round < 6; round++) {
    random_points(points, 6, 1000);
    int64_t length = tree(steiner, points, 6);
    CHECK(length == shortest(points, 6, 6, 0, 4));
  }
  steiner_free(steiner);
}

/* Seven to nine points by recursion over where the first wire from the last point ends: an own
   program over sets, without the grid's passes. */
static int64_t by_sets(const Point *points, uint32_t count)
{
  static int64_t cost[256][81];
  uint32_t all = 1u << (count - 1), crossings = count * count;
  Point at[81];
  for (uint32_t v = 0; v < crossings; v++)
    at[v] = (Point){ points[v % count].x, points[v / count].y };
  for (uint32_t set = 1; set < all; set++)
    for (uint32_t v = 0; v < crossings; v++) {
      int64_t best = INT64_MAX;
      if ((set & (set - 1)) == 0) best = point_distance(at[v], points[__builtin_ctz(set)]);
      for (uint32_t part = (set - 1) & set; part; part = (part - 1) & set)
        if (cost[part][v] + cost[set ^ part][v] < best) best = cost[part][v] + cost[set ^ part][v];
      cost[set][v] = best;
      if (v + 1 < crossings) continue;
      for (uint32_t to = 0; to < crossings; to++)
        for (uint32_t from = 0; from < crossings; from++)
          if (cost[set][from] + point_distance(at[from], at[to]) < cost[set][to])
            cost[set][to] = cost[set][from] + point_distance(at[from], at[to]);
    }
  return cost[all - 1][(count - 1) * count + count - 1];
}

static void test_up_to_nine(void)
{
  Steiner *steiner = steiner_new();
  Point points[STEINER_EXACT];
  state = 2;
  for (int round = 0; round < 12; round++) {
    uint32_t count = 7 + (uint32_t)round % 3;
    random_points(points, count, 10000);
    CHECK(tree(steiner, points, count) == by_sets(points, count));
  }
  steiner_free(steiner);
}

/* Adds points one step apart on a line to the right, from the rightmost point on. A shortest tree
   of all of them is longer by just this line: what is right of the rightmost point could be pressed
   onto it. The same holds for a minimum spanning tree. */
static int64_t add_tail(Point *points, uint32_t count, uint32_t more)
{
  Point end = points[0];
  for (uint32_t i = 1; i < count; i++)
    if (points[i].x > end.x) end = points[i];
  for (uint32_t i = 0; i < more; i++) points[count + i] = (Point){ ++end.x, end.y };
  return more;
}

/* The way of large nets, which one point more than STEINER_EXACT take, where the shortest tree is
   known: hardly ever longer, and never much. */
static void test_refined(void)
{
  Steiner *steiner = steiner_new();
  Point points[STEINER_EXACT + 1];
  int64_t sum = 0, least = 0;
  state = 3;
  for (int round = 0; round < 200; round++) {
    random_points(points, STEINER_EXACT, 100000);
    least += tree(steiner, points, STEINER_EXACT) + add_tail(points, STEINER_EXACT, 1);
    sum += tree(steiner, points, STEINER_EXACT + 1);
  }
  CHECK(sum >= least);
  CHECK((double)sum < 1.01 * (double)least);
  steiner_free(steiner);
}

/* Beyond a limit the candidates of the spanning tree come from sweeps. No tree is longer than a
   minimum spanning tree with all pairs looked at, and none is shorter than two thirds of it (Hwang,
   1976). With one point for each y, and with many on each line. */
static void test_spanning(void)
{
  Steiner *steiner = steiner_new();
  static Point points[MOST];
  state = 4;
  for (int round = 0; round < 10; round++) {
    random_points(points, MOST, 90);
    for (int i = 0; i < MOST && round < 5; i++) points[i].y = i;
    int64_t length = tree(steiner, points, MOST), most = spanning_length(points, MOST);
    CHECK(length <= most && 3 * length >= 2 * most);
  }
  steiner_free(steiner);
}

/* The sweeps find a tree as short as all pairs do: points that are few enough for all pairs, and
   the same with a tail that makes them many, get trees of one length after the refinement. The
   order of the refinement may be another one, so this holds for sums. In every second round the
   points are on few diagonals, where the sweeps have to tell equal ones apart. */
static void test_sweeps(void)
{
  enum { FEW = 180, TAIL = 60, ROUNDS = 40 };
  Steiner *steiner = steiner_new();
  Point points[FEW + TAIL];
  int64_t few = 0, many = 0;
  state = 6;
  for (int round = 0; round < ROUNDS; round++) {
    random_points(points, FEW, 100000);
    for (int i = 0; i < FEW && round % 2; i++)
      points[i].y = points[i].x + points[i].y / 9000 * 9000;
    few += tree(steiner, points, FEW) + add_tail(points, FEW, TAIL);
    many += tree(steiner, points, FEW + TAIL);
  }
  CHECK_NEAR((double)many / (double)few, 1, 0.001);
  steiner_free(steiner);
}

static void test_large(void)
{
  Steiner *steiner = steiner_new();
  enum { SIDE = 40 };
  static Point points[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; i++) points[i] = (Point){ i % SIDE * 7, i / SIDE * 7 };
  CHECK(tree(steiner, points, SIDE * SIDE) == (SIDE * SIDE - 1) * 7);
  state = 5;
  random_points(points, 1000, 1000000);
  int64_t first = tree(steiner, points, 1000);
  /* random points in a square: a shortest tree has about 0.76 sqrt(n area) */
  CHECK(first < 0.80 * 31.6228 * 1000000);
  CHECK(first > 0.70 * 31.6228 * 1000000);
  CHECK(tree(steiner, points, 10) > 0);
  CHECK(tree(steiner, points, 1000) == first);
  steiner_free(steiner);
}

/* Points so far apart that sums of distances pass 32 bits. */
static void test_far(void)
{
  Steiner *steiner = steiner_new();
  const int32_t far = 1 << 30;
  Point points[] = { { -far, -far }, { far, far }, { -far, far }, { far, -far } };
  CHECK(tree(steiner, points, 4) == 6ll * far);
  steiner_free(steiner);
}

void suite_steiner(void)
{
  CU_pSuite suite = CU_add_suite("steiner", NULL, NULL);
  CU_add_test(suite, "by hand", test_by_hand);
  CU_add_test(suite, "same places", test_same_places);
  CU_add_test(suite, "against all trees", test_all_trees);
  CU_add_test(suite, "up to nine points", test_up_to_nine);
  CU_add_test(suite, "refined", test_refined);
  CU_add_test(suite, "spanning trees", test_spanning);
  CU_add_test(suite, "sweeps", test_sweeps);
  CU_add_test(suite, "large", test_large);
  CU_add_test(suite, "far apart", test_far);
}
