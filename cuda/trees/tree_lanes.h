/* Reduces a tree for one condition with one lane. device/trees.h has the classes of trees,
   cpu/cpu_rc.c the sums. Each sum adds in the CPU's order. */
#ifndef SL_CUDA_TREE_LANES_H
#define SL_CUDA_TREE_LANES_H

#include "cuda/block_kernel.h"
#include "cuda/trees/tree_view.h"

SL_HD float with_pin(const TreeView *view, float cap, uint32_t pin, int k)
{
  return pin == FLAT_NONE ? cap : cap + view->f.caps[pin].v[k];
}

SL_HD float lane_cap(const TreeView *view, const TreeLaneNode *node, int k)
{
  return with_pin(view, node->cap, node->pin, k);
}

/* --- stars ------------------------------------------------------------------------------------ */
SL_HD uint32_t star_pins(const TreeHead *head) { return head->use >> 4; }

SL_HD float star_root_cap(const TreeView *view, const TreeHead *head, int k)
{
  float cap = with_pin(view, head->cap, head->own, k);
  for (uint32_t i = head->first; i < head->first + star_pins(head); i++)
    cap = with_pin(view, cap, view->f.lane_nodes[i].pin, k);
  return cap;
}

/* The numbers of a node of a star. They do not depend on other nodes. */
typedef struct {
  uint32_t load;
  float    cap, resistance;
  double   delay, weighted;
} StarNode;

SL_HD StarNode star_node(const TreeView *view, uint32_t node, int k)
{
  TreeLaneNode x = view->f.lane_nodes[node];
  StarNode r;
  r.load = x.load;
  r.resistance = x.resistance;
  r.cap = lane_cap(view, &x, k);
  r.delay = 0.0 + x.resistance * (double)r.cap;
  r.weighted = r.cap * r.delay;
  return r;
}

/* Returns a node's part of the third moment. Writes the numbers of its load if the tree is for the
   condition. */
SL_HD double star_finish(const FlatView *view, const TreeView *tree_view, uint32_t node, int k,
                         int writes)
{
  StarNode x = star_node(tree_view, node, k);
  double beta = 0.0 + x.resistance * x.weighted;
  if (writes) put_load(view, x.load, k, x.delay, beta);
  return x.cap * beta;
}

/* Computes the sums of a star. writes: also writes the numbers of its loads. */
SL_HD void star_sums(const FlatView *view, const TreeView *tree_view, uint32_t star, int k,
                     int writes)
{
  TreeHead h = tree_view->f.heads[star];
  uint32_t first = h.first + star_pins(&h), end = tree_view->f.heads[star + 1].first;
  if (!(h.use >> k & 1)) return;
  float cap = star_root_cap(tree_view, &h, k);
  double y1 = cap, y2 = cap * 0.0, y3 = 0.0 + cap * 0.0;
  for (uint32_t i = end; i-- > first;) {
    StarNode x = star_node(tree_view, i, k);
    y1 += x.cap;
    y2 += x.weighted;
  }
  for (uint32_t i = h.first; i < first && writes; i++)
    put_load(view, tree_view->f.lane_nodes[i].load, k, 0, 0);
  for (uint32_t i = first; i < end; i++) y3 += star_finish(view, tree_view, i, k, writes);
  put_pi(view, h.driver, k, y1, -y2, y3);
}

/* Writes the numbers of the load at the n-th pin or node of a star. */
SL_HD void star_piece(const FlatView *view, const TreeView *tree_view, uint32_t star, uint32_t n,
                      int k)
{
  TreeHead h = tree_view->f.heads[star];
  if (!(h.use >> k & 1)) return;
  if (n < star_pins(&h)) put_load(view, tree_view->f.lane_nodes[h.first + n].load, k, 0, 0);
  else star_finish(view, tree_view, h.first + n, k, 1);
}

/* --- others ----------------------------------------------------------------------------------- */
SL_HD double *lane_at(const LaneArray *array, uint32_t i) { return &array->at[i * array->step]; }

/* Sums up the capacitance below each node. */
SL_HD void lane_sum_up(const LaneArray *array, const uint8_t *parent, uint32_t count)
{
  for (uint32_t i = count; i-- > 1;) *lane_at(array, parent[i]) += *lane_at(array, i);
}

SL_HD void lane_caps(const TreeView *view, const TreeHead *head, uint32_t count, int k,
                     const LaneArray *a, const LaneArray *b)
{
  for (uint32_t i = 0; i < count; i++) {
    TreeLaneNode x = view->f.lane_nodes[head->first + i];
    if (i == 0) x.cap = with_pin(view, x.cap, head->own, k);
    *lane_at(a, i) = *lane_at(b, i) = lane_cap(view, &x, k);
  }
}

/* Replaces the capacitances: writes delays to a and their weights to b. */
SL_HD void lane_delays(const TreeView *view, const TreeHead *head, const uint8_t *parent,
                       uint32_t count, const LaneArray *a, const LaneArray *b)
{
  *lane_at(a, 0) = 0;
  *lane_at(b, 0) *= 0.0;
  for (uint32_t i = 1; i < count; i++) {
    double delay =
        *lane_at(a, parent[i]) + view->f.lane_nodes[head->first + i].resistance * *lane_at(a, i);
    *lane_at(a, i) = delay;
    *lane_at(b, i) *= delay;
  }
}

/* Returns the third moment, and writes the numbers of loads. */
SL_HD double lane_betas(const FlatView *view, const TreeView *tree_view, const TreeHead *head,
                        const uint8_t *parent, uint32_t count, int k, const LaneArray *a,
                        const LaneArray *b)
{
  double y3 = 0;
  for (uint32_t i = 0; i < count; i++) {
    TreeLaneNode x = tree_view->f.lane_nodes[head->first + i];
    double beta = i ? *lane_at(b, parent[i]) + x.resistance * *lane_at(b, i) : 0;
    if (i == 0) x.cap = with_pin(tree_view, x.cap, head->own, k);
    *lane_at(b, i) = beta;
    y3 += lane_cap(tree_view, &x, k) * beta;
    put_load(view, x.load, k, *lane_at(a, i), beta);
  }
  return y3;
}

/* Reduces a tree. work: memory for two numbers of each node. */
SL_HD void tree_lane(const FlatView *view, const TreeView *tree_view, uint32_t tree, int k,
                     const LaneArray *work)
{
  TreeHead h = tree_view->f.heads[tree];
  uint32_t count = tree_view->f.heads[tree + 1].first - h.first;
  const uint8_t *parent = tree_view->f.parents + (h.first - tree_view->f.first_parent);
  LaneArray a = *work, b = { work->at + count * work->step, work->step };
  if (!(h.use >> k & 1)) return;
  lane_caps(tree_view, &h, count, k, &a, &b);
  lane_sum_up(&a, parent, count);
  double y1 = *lane_at(&a, 0);
  lane_delays(tree_view, &h, parent, count, &a, &b);
  lane_sum_up(&b, parent, count);
  double y2 = -*lane_at(&b, 0);
  double y3 = lane_betas(view, tree_view, &h, parent, count, k, &a, &b);
  put_pi(view, h.driver, k, y1, y2, y3);
}

#endif
