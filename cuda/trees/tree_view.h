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

SL_HD TreeWork tree_work(const TreeView *w, const Tree *r)
{
  TreeWork x;
  x.node = (r->side == EARLY ? w->f.early_nodes : w->f.late_nodes) + r->first_node;
  x.tap = w->f.taps + r->first_tap;
  x.sum = w->sum + r->first_work;
  x.delay = w->delay + r->first_work;
  x.beta = w->beta + r->first_work;
  x.cap = w->cap + r->first_work;
  return x;
}

SL_HD void tree_caps(const TreeView *w, const Tree *r, const TreeWork *x, int k)
{
  for (uint32_t i = 0; i < r->node_count; i++) x->cap[i] = x->node[i].cap;
  if (r->own != FLAT_NONE) x->cap[0] += w->f.caps[r->own].v[k];
  for (uint32_t i = 0; i < r->tap_count; i++)
    if (x->tap[i].cap != FLAT_NONE) x->cap[x->tap[i].node] += w->f.caps[x->tap[i].cap].v[k];
}

/* Sums up the capacitance below each node, from the leaves to the root. */
SL_HD void sum_up(const Tree *r, const TreeWork *x)
{
  for (uint32_t i = r->node_count; i-- > 1;) x->sum[x->node[i].parent] += x->sum[i];
}

SL_HD void sum_down(const Tree *r, const TreeWork *x, double *to)
{
  to[0] = 0;
  for (uint32_t i = 1; i < r->node_count; i++)
    to[i] = to[x->node[i].parent] + x->node[i].resistance * x->sum[i];
}

SL_HD void put_pi(const FlatView *v, uint32_t driver, int k, double y1, double y2, double y3)
{
  v->n.load_cap[driver].v[k] = (float)y1;
  if (!flat_model_has(&v->f, DELAY_NEEDS_PI)) return;
  PiModel m = pi_from_moments(y1, y2, y3);
  v->n.pi_far[driver].v[k] = m.c_far;
  v->n.pi_near[driver].v[k] = m.c_near;
  v->n.pi_r[driver].v[k] = m.r_pi;
}

SL_HD void put_load(const FlatView *v, uint32_t load, int k, double delay, double beta)
{
  if (load == FLAT_NONE) return;
  v->n.elmore[load].v[k] = (float)delay;
  if (flat_model_has(&v->f, DELAY_NEEDS_IMPULSE))
    v->n.impulse_sq[load].v[k] = (float)(2 * beta - delay * delay);
}

/* Computes delays and their moments at the nodes, and the pi model from the moments at the root. */
SL_HD void tree_moments(const FlatView *v, const Tree *r, const TreeWork *x, int k)
{
  double y1, y2, y3 = 0;
  for (uint32_t i = 0; i < r->node_count; i++) x->sum[i] = x->cap[i];
  sum_up(r, x);
  sum_down(r, x, x->delay);
  y1 = x->sum[0];
  for (uint32_t i = 0; i < r->node_count; i++) x->sum[i] = x->cap[i] * x->delay[i];
  sum_up(r, x);
  sum_down(r, x, x->beta);
  y2 = -x->sum[0];
  for (uint32_t i = 0; i < r->node_count; i++) y3 += x->cap[i] * x->beta[i];
  put_pi(v, r->driver, k, y1, y2, y3);
}

SL_HD void tree_loads(const FlatView *v, const Tree *r, const TreeWork *x, int k)
{
  for (uint32_t i = 0; i < r->tap_count; i++) {
    uint32_t node = x->tap[i].node;
    put_load(v, x->tap[i].load, k, x->delay[node], x->beta[node]);
  }
}

SL_HD int same_cap(const TreeView *w, uint32_t cap, int j, int k)
{
  return cap == FLAT_NONE || w->f.caps[cap].v[j] == w->f.caps[cap].v[k];
}

/* Returns a condition before k whose pins have the same capacitances, and so the same results; k if
   there is none. */
SL_HD int same_condition(const TreeView *w, const Tree *r, const TreeWork *x, int k)
{
  for (int j = 0; j < k; j++) {
    int same = r->conditions >> j & 1 && same_cap(w, r->own, j, k);
    for (uint32_t i = 0; i < r->tap_count && same; i++) same = same_cap(w, x->tap[i].cap, j, k);
    if (same) return j;
  }
  return k;
}

SL_HD void tree_copy(const FlatView *v, const Tree *r, const TreeWork *x, int j, int k)
{
  uint32_t d = r->driver;
  v->n.load_cap[d].v[k] = v->n.load_cap[d].v[j];
  if (flat_model_has(&v->f, DELAY_NEEDS_PI)) {
    v->n.pi_far[d].v[k] = v->n.pi_far[d].v[j];
    v->n.pi_near[d].v[k] = v->n.pi_near[d].v[j];
    v->n.pi_r[d].v[k] = v->n.pi_r[d].v[j];
  }
  for (uint32_t i = 0; i < r->tap_count; i++) {
    uint32_t load = x->tap[i].load;
    if (load == FLAT_NONE) continue;
    v->n.elmore[load].v[k] = v->n.elmore[load].v[j];
    if (flat_model_has(&v->f, DELAY_NEEDS_IMPULSE))
      v->n.impulse_sq[load].v[k] = v->n.impulse_sq[load].v[j];
  }
}

SL_HD void tree_reduce(const FlatView *v, const TreeView *w, uint32_t tree)
{
  const Tree *r = &w->f.trees[tree];
  TreeWork x = tree_work(w, r);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!(r->conditions >> k & 1)) continue;
    int j = same_condition(w, r, &x, k);
    if (j < k) {
      tree_copy(v, r, &x, j, k);
      continue;
    }
    tree_caps(w, r, &x, k);
    tree_moments(v, r, &x, k);
    tree_loads(v, r, &x, k);
  }
}

#endif
