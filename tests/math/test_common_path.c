/* Tests of math/common_path.h on random forests: credits, and fronts that lose nothing. */
#include "math/common_path.h"

#include <stdlib.h>

#include "tests/unit.h"

enum { MOST_POINTS = 60, MOST_ROWS = 6, MOST_ITEMS = 40 };

/* A random forest: one clock below the root, or a second one generated from a point of the
   first. */
typedef struct {
  CommonPoint point[MOST_POINTS];
  uint32_t least[MOST_ROWS * MOST_POINTS];
  uint8_t  above[MOST_POINTS];
  float    credit[MOST_POINTS][2];
  uint32_t count;
  bool shared;             /* points with nothing below share their parent's order */
  CommonView view;
} Forest;

static float uniform(unsigned *seed, float high)
{
  return high * (float)(rand_r(seed) / (double)RAND_MAX);
}
static uint32_t below(unsigned *seed, uint32_t n) { return (uint32_t)rand_r(seed) % n; }

static void set_point(Forest *forest, uint32_t p, uint32_t parent, bool begins, unsigned *seed)
{
  forest->point[p] = (CommonPoint){ parent, forest->point[parent].depth + 1, 0,
                               begins ? p : forest->point[parent].clock_root };
  forest->above[p] = begins ? (uint8_t)below(seed, 4) : 0;
  for (uint32_t phase = 0; phase < 2; phase++) {
    uint32_t there = begins ? forest->above[p] >> phase & 1 : phase;
    forest->credit[p][phase] =
        forest->credit[parent][there] + (below(seed, 3) ? uniform(seed, 10) : 0);
  }
}

static bool is_bare(const Forest *forest, uint32_t point)
{
  for (uint32_t p = 1; p < forest->count; p++)
    if (forest->point[p].parent == point) return false;
  return true;
}

/* Descendants right behind each point, children in any order; returns the order behind the last. */
static uint32_t number(Forest *forest, uint32_t point, uint32_t order)
{
  if (forest->shared && point != 0 && is_bare(forest, point)) {
    forest->point[point].order = forest->point[forest->point[point].parent].order;
    return order;
  }
  forest->point[point].order = order;
  forest->least[order++] = forest->point[point].parent;
  for (uint32_t p = 1; p < forest->count; p++)
    if (forest->point[p].parent == point) order = number(forest, p, order);
  return order;
}

static void make_table(Forest *forest)
{
  number(forest, 0, 0);
  for (uint32_t row = 1; row < MOST_ROWS; row++)
    for (uint32_t i = 0; i < forest->count; i++) {
      uint32_t least = UINT32_MAX;
      for (uint32_t k = i; k < i + (1u << row) && k < forest->count; k++)
        least = forest->least[k] < least ? forest->least[k] : least;
      forest->least[row * forest->count + i] = least;
    }
}

static void make_forest(Forest *forest, unsigned *seed)
{
  *forest = (Forest){ .count = 2 + below(seed, MOST_POINTS - 2) };
  uint32_t generated = below(seed, 2) ? 2 + below(seed, forest->count) : forest->count;
  for (uint32_t p = 1; p < forest->count; p++)
    set_point(forest, p, p == 1 ? 0 : 1 + below(seed, p - 1), p == 1 || p == generated, seed);
  forest->shared = below(seed, 2);
  make_table(forest);
  forest->view = (CommonView){ forest->point,
                               forest->least,
                               forest->count,
                               forest->above,
                               (const float(*)[2])forest->credit,
                               below(seed, 2),
                               true,
                               generated >= forest->count,
                               NULL };
}

/* The credit by walking up from both ends. */
static float slow_credit(const Forest *forest, uint32_t a, uint32_t b)
{
  for (uint32_t pa = a >> 1, ea = a & 1;;) {
    for (uint32_t pb = b >> 1, eb = b & 1;;) {
      if (pa == pb && (ea == eb || !forest->view.same_transition))
        return forest->credit[pa][ea] < forest->credit[pa][eb] ? forest->credit[pa][ea]
                                                               : forest->credit[pa][eb];
      if (pb == 0) break;
      if (forest->point[pb].clock_root == pb) eb = forest->above[pb] >> eb & 1;
      pb = forest->point[pb].parent;
    }
    if (pa == 0) return 0;
    if (forest->point[pa].clock_root == pa) ea = forest->above[pa] >> ea & 1;
    pa = forest->point[pa].parent;
  }
}

static void credits_are_those_of_a_walk(void)
{
  unsigned seed = 7;
  for (int round = 0; round < 100; round++) {
    Forest f;
    make_forest(&f, &seed);
    for (uint32_t a = 0; a < 2 * f.count; a++)
      for (uint32_t b = 0; b < 2 * f.count; b++)
        if (common_credit(&f.view, a, b) != slow_credit(&f, a, b))
          CU_FAIL_FATAL("another credit than by walking");
  }
  CU_PASS("all pairs");
}

/* Items all of one phase of one clock, as launches are, or of any. */
static uint32_t make_items(const Forest *forest, CommonItem *items, bool any, unsigned *seed)
{
  uint32_t count = 1 + below(seed, MOST_ITEMS), phase = below(seed, 2);
  uint32_t clock = forest->point[1 + below(seed, forest->count - 1)].clock_root;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t point = 1 + below(seed, forest->count - 1);
    while (!any && forest->point[point].clock_root != clock)
      point = 1 + below(seed, forest->count - 1);
    items[i] = (CommonItem){ (float)below(seed, 40), 2 * point + (any ? below(seed, 2) : phase) };
  }
  return count;
}

static float worst_of(const Forest *forest, const CommonItem *items, uint32_t count, uint32_t other)
{
  uint32_t index;
  return common_worst(&forest->view, items, count, other, &index);
}

/* For every leaf on the other side the front has what all the items have.  Of captures the other
   side is of one clock and phase at a time, so each is asked for all the same. */
static void fronts_lose_nothing(void)
{
  unsigned seed = 11;
  CommonItem items[MOST_ITEMS], kept[MOST_ITEMS];
  CommonStep steps[MOST_ITEMS];
  uint32_t reduced = 0, total = 0;
  for (int round = 0; round < 4000; round++) {
    Forest f;
    make_forest(&f, &seed);
    uint32_t count = make_items(&f, items, round & 1, &seed);
    memcpy(kept, items, sizeof items);
    uint32_t left = common_fronts(&f.view, kept, steps, count);
    for (uint32_t other = 0; other < 2 * f.count; other++)
      if (worst_of(&f, kept, left, other) != worst_of(&f, items, count, other))
        CU_FAIL_FATAL("the front lost the worst item");
    total += count;
    reduced += left;
  }
  CU_ASSERT(reduced < total / 3);
}

static void a_front_is_no_longer_than_the_tree_is_deep(void)
{
  unsigned seed = 13;
  CommonItem items[MOST_ITEMS];
  CommonStep steps[MOST_ITEMS];
  for (int round = 0; round < 500; round++) {
    Forest f;
    make_forest(&f, &seed);
    uint32_t count = make_items(&f, items, false, &seed), deepest = 0;
    for (uint32_t p = 0; p < f.count; p++)
      deepest = f.point[p].depth > deepest ? f.point[p].depth : deepest;
    if (common_fronts(&f.view, items, steps, count) > deepest + 1)
      CU_FAIL_FATAL("a front is too long");
  }
  CU_PASS("all rounds");
}

/* What is kept: of each launch the worst item, unless the worst of all is worse by more than its
   credit. */
static bool is_kept(const Forest *forest, const uint32_t *stands_for, const CommonItem *items,
                    uint32_t count, uint32_t i)
{
  uint32_t worst = 0;
  for (uint32_t k = 0; k < count; k++) {
    bool same = stands_for[items[k].leaf >> 1] == stands_for[items[i].leaf >> 1];
    if (same && common_worse(items[k], items[i])) return false;
    if (common_worse(items[k], items[worst])) worst = k;
  }
  return items[i].badness
         >= items[worst].badness
                - forest->credit[stands_for[items[worst].leaf >> 1]][items[worst].leaf & 1];
}

static void kept_are_those_that_credit_may_make_worst(void)
{
  unsigned seed = 17;
  uint32_t dropped = 0;
  for (int round = 0; round < 1000; round++) {
    Forest f;
    CommonItem items[MOST_ITEMS], kept[MOST_ITEMS];
    uint32_t stands_for[MOST_POINTS];
    make_forest(&f, &seed);
    for (uint32_t p = 0; p < f.count; p++)
      stands_for[p] = below(&seed, 3) || f.point[p].clock_root == p ? p : f.point[p].parent;
    f.view.stands_for = stands_for;
    uint32_t count = make_items(&f, items, false, &seed), left;
    memcpy(kept, items, sizeof items);
    left = common_kept(&f.view, kept, count);
    for (uint32_t i = 0; i < count; i++) {
      bool there = false;
      for (uint32_t k = 0; k < left; k++)
        there |= memcmp(&kept[k], &items[i], sizeof items[i]) == 0;
      if (there != is_kept(&f, stands_for, items, count, i))
        CU_FAIL_FATAL("kept what is not to be, or not what is");
      dropped += !there;
    }
    for (uint32_t k = 1; k < left; k++)
      for (uint32_t j = 0; j < k; j++)
        if (stands_for[kept[k].leaf >> 1] == stands_for[kept[j].leaf >> 1])
          CU_FAIL_FATAL("one launch twice");
  }
  CU_ASSERT(dropped > 0);
}

void suite_common_path(void)
{
  CU_pSuite s = CU_add_suite("common_path", NULL, NULL);
  CU_add_test(s, "credits are those of a walk", credits_are_those_of_a_walk);
  CU_add_test(s, "fronts lose nothing", fronts_lose_nothing);
  CU_add_test(s, "kept are those that credit may make the worst",
              kept_are_those_that_credit_may_make_worst);
  CU_add_test(s, "a front is no longer than the tree is deep",
              a_front_is_no_longer_than_the_tree_is_deep);
}
