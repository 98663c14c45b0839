/* Trees of parasitics that a buffer splits and joins: answers worked out by hand. */
#include "optimize/split_tree.h"
#include "tests/unit.h"

/* 0 - 1 - 2, 1 - 3 - 4, 3 - 5; pins 10 (driver) at 0, 12 at 2, 14 at 4, 15 at 5; capacitance of
   node i: i + 1, resistance to its parent 10 i. */
static TreeCopy small_tree(void)
{
  static const uint32_t parents[] = { NO_NODE, 0, 1, 1, 3, 3 };
  static const RcTap taps[] = { { 10, 0 }, { 12, 2 }, { 14, 4 }, { 15, 5 } };
  TreeCopy t = { .numbers = { 21 } };
  for (uint32_t i = 0; i < 6; i++)
    array_push(&t.nodes, (RcNode){ parents[i], 10 * (float)i, (float)(i + 1) });
  for (uint32_t i = 0; i < 4; i++) array_push(&t.taps, taps[i]);
  return t;
}

/* Resistance from the root to a pin, -1: it is not there. */
static double way_to(const TreeCopy *copy, PinId pin)
{
  for (uint32_t i = 0; i < copy->taps.len; i++) {
    double sum = 0;
    if (copy->taps.at[i].pin != pin) continue;
    for (uint32_t n = copy->taps.at[i].node; n != 0; n = copy->nodes.at[n].parent)
      sum += copy->nodes.at[n].resistance;
    return sum;
  }
  return -1;
}

static double sum_of_caps(const TreeCopy *copy)
{
  double sum = 0;
  for (uint32_t i = 0; i < copy->nodes.len; i++) sum += copy->nodes.at[i].cap;
  return sum;
}

static void free_both(TreeCopy *a, TreeCopy *b)
{
  tree_copy_free(a);
  tree_copy_free(b);
}

/* Pins 14 and 15 part from the others at node 3, which stays in front. */
static void splits_where_loads_part(void)
{
  TreeCopy t = small_tree(), behind;
  PinId loads[] = { 14, 15 };
  CHECK(tree_split(&t, loads, 2, 20, 21, &behind));
  CHECK(t.nodes.len == 4 && behind.nodes.len == 3);
  CHECK_NEAR(way_to(&t, 20), 40, 0);
  CHECK_NEAR(way_to(&t, 12), 30, 0);
  CHECK_NEAR(way_to(&t, 14), -1, 0);
  CHECK_NEAR(way_to(&behind, 21), 0, 0);
  CHECK_NEAR(way_to(&behind, 14), 40, 0);
  CHECK_NEAR(way_to(&behind, 15), 50, 0);
  CHECK_NEAR(sum_of_caps(&t), 10, 0);
  CHECK_NEAR(sum_of_caps(&behind), 11, 0);
  CHECK_NEAR(t.numbers.total_cap, 10, 0);
  CHECK_NEAR(behind.numbers.total_cap, 11, 0);
  free_both(&t, &behind);
}

/* All loads part at node 1; one load alone at its own node, behind which no wire is left. */
static void splits_all_and_one(void)
{
  TreeCopy t = small_tree(), one = small_tree(), behind;
  PinId loads[] = { 12, 14, 15 };
  CHECK(tree_split(&t, loads, 3, 20, 21, &behind));
  CHECK_NEAR(way_to(&t, 20), 10, 0);
  CHECK_NEAR(way_to(&behind, 12), 20, 0);
  CHECK_NEAR(way_to(&behind, 15), 80, 0);
  free_both(&t, &behind);
  CHECK(tree_split(&one, loads, 1, 20, 21, &behind));
  CHECK_NEAR(way_to(&one, 20), 30, 0);
  CHECK(behind.nodes.len == 1 && behind.flags & PIECE_LUMPED && behind.taps.len == 2);
  free_both(&one, &behind);
}

/* The branch to node 3 holds 15 as well; a load that the tree lacks. */
static void refuses_what_does_not_part(void)
{
  TreeCopy t = small_tree(), behind;
  PinId mixed[] = { 12, 14 }, missing[] = { 14, 15, 99 };
  CHECK(!tree_split(&t, mixed, 2, 20, 21, &behind));
  CHECK(!tree_split(&t, missing, 3, 20, 21, &behind));
  CHECK(t.nodes.len == 6 && t.taps.len == 4);
  CHECK_NEAR(sum_of_caps(&t), 21, 0);
  free_both(&t, &behind);
}

static void joins_what_was_split(void)
{
  static const PinId pins[] = { 10, 12, 14, 15 };
  TreeCopy t = small_tree(), whole = small_tree(), behind;
  PinId loads[] = { 14, 15 };
  CHECK(tree_split(&t, loads, 2, 20, 21, &behind));
  CHECK(tree_join(&t, 20, &behind, 21));
  for (uint32_t i = 0; i < 4; i++) CHECK_NEAR(way_to(&t, pins[i]), way_to(&whole, pins[i]), 0);
  CHECK(!tree_copy_has(&t, 20) && !tree_copy_has(&t, 21) && t.taps.len == 4);
  CHECK_NEAR(sum_of_caps(&t), 21, 0);
  CHECK(!tree_join(&t, 20, &behind, 21));
  tree_copy_free(&whole);
  free_both(&t, &behind);
}

void suite_split_tree(void);
void suite_split_tree(void)
{
  CU_pSuite s = CU_add_suite("split_tree", NULL, NULL);
  CU_add_test(s, "where loads part", splits_where_loads_part);
  CU_add_test(s, "all loads, and one", splits_all_and_one);
  CU_add_test(s, "where they do not part", refuses_what_does_not_part);
  CU_add_test(s, "joined again", joins_what_was_split);
}
