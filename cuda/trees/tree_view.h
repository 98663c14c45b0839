/* Reduces the RC tree of one net with one thread (see cpu/cpu_rc.c). */
#ifndef SL_CUDA_TREE_VIEW_H
#define SL_CUDA_TREE_VIEW_H

#include "device/trees.h"
#include "math/rc.h"

typedef struct {
  const TreeNode *node;
  const TreeTap  *tap;
  double *sum, *delay, *beta;
  float  *cap;
} TreeWork;

SL_HD TreeWork tree_work(const TreeView *view, const Tree *tree)
{
  TreeWork x;
  x.node = (tree->side == EARLY ? view->f.early_nodes : view->f.late_nodes) + tree->first_node;
  x.tap = view->f.taps + tree->first_tap;
  x.sum = view->sum + tree->first_work;
  x.delay = view->delay + tree->first_work;
  x.beta = view->beta + tree->first_work;
  x.cap = view->cap + tree->first_work;
  return x;
}

SL_HD void tree_caps(const TreeView *view, const Tree *tree, const TreeWork *work, int k)
{
  for (uint32_t i = 0; i < tree->node_count; i++) work->cap[i] = work->node[i].cap;
  if (tree->own != FLAT_NONE) work->cap[0] += view->f.caps[tree->own].v[k];
  for (uint32_t i = 0; i < tree->tap_count; i++)
    if (work->tap[i].cap != FLAT_NONE)
      work->cap[work->tap[i].node] += view->f.caps[work->tap[i].cap].v[k];
}

/* Sums up the capacitance below each node, from the leaves to the root. */
SL_HD void sum_up(const Tree *tree, const TreeWork *work)
{
  for (uint32_t i = tree->node_count; i-- > 1;) work->sum[work->node[i].parent] += work->sum[i];
}

SL_HD void sum_down(const Tree *tree, const TreeWork *work, double *to)
{
  to[0] = 0;
  for (uint32_t i = 1; i < tree->node_count; i++)
    to[i] = to[work->node[i].parent] + work->node[i].resistance * work->sum[i];
}

SL_HD void put_pi(const FlatView *view, uint32_t driver, int k, double y1, double y2, double y3)
{
  view->n.load_cap[driver].v[k] = (float)y1;
  if (!flat_model_has(&view->f, DELAY_NEEDS_PI)) return;
  PiModel m = pi_from_moments(y1, y2, y3);
  view->n.pi_far[driver].v[k] = m.c_far;
  view->n.pi_near[driver].v[k] = m.c_near;
  view->n.pi_r[driver].v[k] = m.r_pi;
}

SL_HD void put_load(const FlatView *view, uint32_t load, int k, double delay, double beta)
{
  if (load == FLAT_NONE) return;
  view->n.elmore[load].v[k] = (float)delay;
  if (flat_model_has(&view->f, DELAY_NEEDS_IMPULSE))
    view->n.impulse_sq[load].v[k] = (float)(2 * beta - delay * delay);
}

/* Computes delays and their moments at the nodes, and the pi model from the moments at the root. */
SL_HD void tree_moments(const FlatView *view, const Tree *tree, const TreeWork *work, int k)
{
  double y1, y2, y3 = 0;
  for (uint32_t i = 0; i < tree->node_count; i++) work->sum[i] = work->cap[i];
  sum_up(tree, work);
  sum_down(tree, work, work->delay);
  y1 = work->sum[0];
  for (uint32_t i = 0; i < tree->node_count; i++) work->sum[i] = work->cap[i] * work->delay[i];
  sum_up(tree, work);
  sum_down(tree, work, work->beta);
  y2 = -work->sum[0];
  for (uint32_t i = 0; i < tree->node_count; i++) y3 += work->cap[i] * work->beta[i];
  put_pi(view, tree->driver, k, y1, y2, y3);
}

SL_HD void tree_loads(const FlatView *view, const Tree *tree, const TreeWork *work, int k)
{
  for (uint32_t i = 0; i < tree->tap_count; i++) {
    uint32_t node = work->tap[i].node;
    put_load(view, work->tap[i].load, k, work->delay[node], work->beta[node]);
  }
}

SL_HD int same_cap(const TreeView *view, uint32_t cap, int j, int k)
{
  return cap == FLAT_NONE || view->f.caps[cap].v[j] == view->f.caps[cap].v[k];
}

/* Returns a condition before k whose pins have the same capacitances, and so the same results; k if
   there is none. */
SL_HD int same_condition(const TreeView *view, const Tree *tree, const TreeWork *work, int k)
{
  for (int j = 0; j < k; j++) {
    int same = tree->conditions >> j & 1 && same_cap(view, tree->own, j, k);
    for (uint32_t i = 0; i < tree->tap_count && same; i++)
      same = same_cap(view, work->tap[i].cap, j, k);
    if (same) return j;
  }
  return k;
}

SL_HD void tree_copy(const FlatView *view, const Tree *tree, const TreeWork *work, int j, int k)
{
  uint32_t d = tree->driver;
  view->n.load_cap[d].v[k] = view->n.load_cap[d].v[j];
  if (flat_model_has(&view->f, DELAY_NEEDS_PI)) {
    view->n.pi_far[d].v[k] = view->n.pi_far[d].v[j];
    view->n.pi_near[d].v[k] = view->n.pi_near[d].v[j];
    view->n.pi_r[d].v[k] = view->n.pi_r[d].v[j];
  }
  for (uint32_t i = 0; i < tree->tap_count; i++) {
    uint32_t load = work->tap[i].load;
    if (load == FLAT_NONE) continue;
    view->n.elmore[load].v[k] = view->n.elmore[load].v[j];
    if (flat_model_has(&view->f, DELAY_NEEDS_IMPULSE))
      view->n.impulse_sq[load].v[k] = view->n.impulse_sq[load].v[j];
  }
}

SL_HD void tree_reduce(const FlatView *view, const TreeView *tree_view, uint32_t tree)
{
  const Tree *the_tree = &tree_view->f.trees[tree];
  TreeWork x = tree_work(tree_view, the_tree);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!(the_tree->conditions >> k & 1)) continue;
    int j = same_condition(tree_view, the_tree, &x, k);
    if (j < k) {
      tree_copy(view, the_tree, &x, j, k);
      continue;
    }
    tree_caps(tree_view, the_tree, &x, k);
    tree_moments(view, the_tree, &x, k);
    tree_loads(view, the_tree, &x, k);
  }
}

#endif
