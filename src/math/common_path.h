/* Common path credit (CRPR). Late launch and early capture cannot both happen on the part of the
   clock path that they share. The credit removes this pessimism.

   The clock pins form a tree (graph/clocks/common_tree.h) of points. A leaf is the end of a clock
   path together with the clock's edge there: 2 * point + edge. Point 0, the root, stands for
   everything without credit. The credit of two leaves is the late less the early arrival at the
   deepest point that both paths pass.

   Data from many launching leaves may arrive at one pin. A front keeps only the few items that can
   be the worst for some capturing leaf. "Badness" is the quantity that the credit reduces: the
   arrival of late data, or minus the arrival of early data; for required times the signs are
   reversed. Let w be the worst item. If the path of a capture parts from w's path at depth d, w
   counts with its badness less the credit at d. Another item can be worse for this capture only if
   it parted from w's path above d, where the credit is smaller. So among the items that part from w
   at one depth only the worst matters. It matters only if its badness less its credit is larger
   than two values: the badness of w less w's full credit, and the largest badness less credit of
   the items that part higher up. A front is never longer than the tree is deep. Most fronts have
   one or two items. */
#ifndef SL_MATH_COMMON_PATH_H
#define SL_MATH_COMMON_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "math/host_device.h"

typedef struct {
  uint32_t parent, depth;
  uint32_t order;                          /* a point comes before its descendants, and these come
                                              before any other point; a point without children has
                                              its parent's order */
  uint32_t clock_root;                     /* the point where the tree of its clock begins */
} CommonPoint;

typedef struct {
  const CommonPoint *point;
  const uint32_t *least;                   /* [row][order]: the least parent among 2^row points,
                                              beginning with that order */
  uint32_t count;                          /* number of orders */
  const uint8_t  *edge_above;              /* [points], valid where a clock's tree begins: bit p is
                                              the master's edge that belongs to edge p */
  const float   (*credit)[2];              /* [points][edge], ps; it never decreases from the root
                                              downwards */
  bool same_transition;                    /* a pin that the two paths pass with different edges
                                              gives no credit */
  bool mixed;                              /* some captures have another edge than their
                                              launches */
  bool one_clock;                          /* all points except the root belong to one clock */
  const uint32_t *stands_for;              /* [points]: launches with the same value count as one
                                              launch. NULL: lists are fronts; else they are made by
                                              common_kept */
} CommonView;

typedef struct {
  float    badness;
  uint32_t leaf;
} CommonItem;

typedef struct {
  uint32_t depth;
  float    low, high;                      /* badness less the largest credit, and less the least */
} CommonStep;

/* Returns the floor of log2(n), n > 0. */
SL_HD uint32_t common_log(uint32_t n)
{
#ifdef __CUDA_ARCH__
  return 31u - (uint32_t)__clz((int)n);
#else
  return 31u - (uint32_t)__builtin_clz(n);
#endif
}

/* Returns the deepest point that is above or at both. Parents have lower numbers than their
   children. So the result is the least parent among the points after the first of the two, up to
   the second. Most points are clock pins of registers, which share the order of their driver; this
   keeps the table small. */
SL_HD uint32_t common_ancestor(const CommonView *view, uint32_t a, uint32_t b)
{
  if (a == b) return a;
  uint32_t x = view->point[a].order, y = view->point[b].order, from = x < y ? x + 1 : y + 1,
           to = x < y ? y : x;
  if (x == y) {
    uint32_t da = view->point[a].depth, db = view->point[b].depth;
    return da == db ? view->point[a].parent : da < db ? a : b;
  }
  uint32_t row = common_log(to - from + 1);
  const uint32_t *least = view->least + (size_t)row * view->count;
  uint32_t first = least[from], second = least[to + 1 - (1u << row)];
  return first < second ? first : second;
}

/* Returns the edge with which the path of a leaf passes a point above it. */
SL_HD uint32_t common_edge(const CommonView *view, uint32_t leaf, uint32_t at)
{
  uint32_t point = leaf >> 1, edge = leaf & 1;
  while (view->point[point].clock_root != view->point[at].clock_root) {
    uint32_t root = view->point[point].clock_root;
    edge = view->edge_above[root] >> edge & 1;
    point = view->point[root].parent;
  }
  return edge;
}

/* Returns the least credit that a path with the given edge has at a point, whatever the edge of
   the other path. */
SL_HD float common_least(const CommonView *view, uint32_t point, uint32_t edge)
{
  if (!view->mixed) return view->credit[point][edge];
  if (view->same_transition) return 0;
  return view->credit[point][0] < view->credit[point][1] ? view->credit[point][0]
                                                         : view->credit[point][1];
}

/* Returns the credit of two leaves. If their edges differ, it is the smaller of the two
   differences. With same_transition it is then the credit at the master's last point, if both
   edges of the generated clock come from one edge of the master. */
SL_HD float common_credit(const CommonView *view, uint32_t leaf_a, uint32_t leaf_b)
{
  if (leaf_a < 2 || leaf_b < 2) return 0;
  uint32_t at = common_ancestor(view, leaf_a >> 1, leaf_b >> 1);
  while (at != 0) {
    uint32_t edge = common_edge(view, leaf_a, at);
    if (edge == common_edge(view, leaf_b, at)) return view->credit[at][edge];
    if (!view->same_transition)
      return view->credit[at][0] < view->credit[at][1] ? view->credit[at][0] : view->credit[at][1];
    at = view->point[view->point[at].clock_root].parent;
  }
  return 0;
}

SL_HD bool common_worse(CommonItem a, CommonItem b)
{
  return a.badness != b.badness ? a.badness > b.badness : a.leaf < b.leaf;
}

/* Computes the step of an item that parts from the worst item. Returns false if the worst item is
   worse for every capture. */
SL_HD bool common_step(const CommonView *view, CommonItem worst, CommonItem item, CommonStep *step)
{
  float least_of_worst = worst.badness - view->credit[worst.leaf >> 1][worst.leaf & 1];
  if (item.badness <= least_of_worst || item.leaf == worst.leaf) return false;
  uint32_t at = common_ancestor(view, worst.leaf >> 1, item.leaf >> 1),
           edge = common_edge(view, item.leaf, at);
  step->depth = view->point[at].depth;
  step->low = item.badness - view->credit[at][edge];
  step->high = item.badness - common_least(view, at, edge);
  return step->high > least_of_worst;
}

/* Reduces items of one clock and edge to their front: the worst item first, the others by depth.
   steps has room for count entries. Returns the number of items left. */
SL_HD uint32_t common_front(const CommonView *view, CommonItem *items, CommonStep *steps,
                            uint32_t count)
{
  uint32_t worst = 0, kept = 1;
  for (uint32_t i = 1; i < count; i++)
    if (common_worse(items[i], items[worst])) worst = i;
  CommonItem first = items[worst];
  items[worst] = items[0];
  items[0] = first;
  for (uint32_t i = 1; i < count; i++) {
    CommonItem item = items[i];
    CommonStep step;
    if (!common_step(view, first, item, &step)) continue;
    uint32_t at = 1;
    while (at < kept && steps[at].depth < step.depth) at++;
    bool same = at < kept && steps[at].depth == step.depth;
    if (same && !common_worse(item, items[at])) continue;
    for (uint32_t k = kept; !same && k > at; k--) {
      items[k] = items[k - 1];
      steps[k] = steps[k - 1];
    }
    kept += !same;
    items[at] = item;
    steps[at] = step;
  }
  uint32_t left = 1;
  float above = items[0].badness - view->credit[first.leaf >> 1][first.leaf & 1];
  for (uint32_t i = 1; i < kept; i++) {
    if (steps[i].high <= above) continue;
    if (steps[i].low > above) above = steps[i].low;
    items[left++] = items[i];
  }
  return left;
}

/* Compares by the launch that items stand for; items of the same launch compare by badness, the
   worst first. */
SL_HD int common_kept_before(const CommonView *view, CommonItem a, CommonItem b)
{
  uint32_t x = view->stands_for[a.leaf >> 1], y = view->stands_for[b.leaf >> 1];
  return x != y ? x < y : common_worse(a, b);
}

/* Restores a heap in which only the root may be out of order. */
SL_HD void common_kept_sift(const CommonView *view, CommonItem *items, uint32_t at, uint32_t count)
{
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && common_kept_before(view, items[child], items[child + 1])) child++;
    if (!common_kept_before(view, items[at], items[child])) return;
    CommonItem item = items[at];
    items[at] = items[child];
    items[child] = item;
  }
}

SL_HD void common_kept_sort(const CommonView *view, CommonItem *items, uint32_t count)
{
  for (uint32_t at = count / 2; at-- > 0;) common_kept_sift(view, items, at, count);
  for (uint32_t last = count; last-- > 1;) {
    CommonItem item = items[0];
    items[0] = items[last];
    items[last] = item;
    common_kept_sift(view, items, 0, last);
  }
}

/* The other way to shorten a list. An item stays unless the worst one is worse even with all the
   credit that it can have. Of items that count as one launch the worst stays. Returns how many are
   left, sorted by the launch that they stand for. */
SL_HD uint32_t common_kept(const CommonView *view, CommonItem *items, uint32_t count)
{
  CommonItem worst = items[0];
  for (uint32_t i = 1; i < count; i++)
    if (common_worse(items[i], worst)) worst = items[i];
  float least = worst.badness - view->credit[view->stands_for[worst.leaf >> 1]][worst.leaf & 1];
  uint32_t most = 0, left = 0;
  for (uint32_t i = 0; i < count; i++)
    if (items[i].badness >= least) items[most++] = items[i];
  common_kept_sort(view, items, most);
  for (uint32_t i = 0; i < most; i++)
    if (left == 0
        || view->stands_for[items[i].leaf >> 1] != view->stands_for[items[left - 1].leaf >> 1])
      items[left++] = items[i];
  return left;
}

/* Returns a number that differs between the clocks of leaves. */
SL_HD uint32_t common_clock(const CommonView *view, uint32_t leaf)
{
  return view->one_clock ? leaf >= 2 : view->point[leaf >> 1].clock_root;
}

/* Shortens a list with items of any clock and edge. The result is one front after another for each
   clock and edge, or with stands_for the items of common_kept, sorted by launch. */
SL_HD uint32_t common_fronts(const CommonView *view, CommonItem *items, CommonStep *steps,
                             uint32_t count)
{
  uint32_t done = 0, from = 0;
  while (from < count) {
    uint32_t clock = common_clock(view, items[from].leaf), edge = items[from].leaf & 1,
             to = from + 1;
    for (uint32_t i = to; i < count; i++) {
      CommonItem item = items[i];
      if (common_clock(view, item.leaf) != clock || (item.leaf & 1) != edge) continue;
      items[i] = items[to];
      items[to++] = item;
    }
    uint32_t left = to - from == 1     ? 1
                    : view->stands_for ? common_kept(view, items + from, to - from)
                                       : common_front(view, items + from, steps, to - from);
    for (uint32_t i = 0; i < left; i++) items[done + i] = items[from + i];
    done += left;
    from = to;
  }
  if (view->stands_for) common_kept_sort(view, items, done);
  return done;
}

/* Returns the largest badness less credit of a list, for a leaf on the other side; *index is the
   item. */
SL_HD float common_worst(const CommonView *view, const CommonItem *items, uint32_t count,
                         uint32_t other, uint32_t *index)
{
  float worst = 0;
  for (uint32_t i = 0; i < count; i++) {
    float x = items[i].badness - common_credit(view, items[i].leaf, other);
    if (i > 0 && x <= worst) continue;
    worst = x;
    *index = i;
  }
  return worst;
}

#endif
