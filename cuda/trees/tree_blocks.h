/* Reduces a large tree with a block of threads, for all its conditions. As in tree_lanes.h, each
   sum adds in the CPU's order. */
#ifndef SL_CUDA_TREE_BLOCKS_H
#define SL_CUDA_TREE_BLOCKS_H

#include "cuda/trees/tree_lanes.h"

/* Adds numbers in their order. AHEAD numbers are read at a time, so that the reads do not wait for
   each other. */
enum { AHEAD = 16 };      /* as in SL_UNROLL */
SL_BLOCK_FN double add_in_order(double y, const double *x, uint32_t count)
{
  double here[AHEAD], next[AHEAD];
  uint32_t i = AHEAD;
  for (uint32_t j = 0; j < AHEAD && AHEAD <= count; j++) next[j] = x[CONDITION_COUNT * j];
  for (; i <= count; i += AHEAD) {
    SL_UNROLL(16)
    for (uint32_t j = 0; j < AHEAD; j++) {
      here[j] = next[j];
      next[j] = i + j < count ? x[CONDITION_COUNT * (i + j)] : 0;
    }
    SL_UNROLL(16)
    for (int j = 0; j < AHEAD; j++) y += here[j];
  }
  for (i -= AHEAD; i < count; i++) y += x[CONDITION_COUNT * i];
  return y;
}

/* --- stars: one lane adds up each sum, over tiles that other warps compute ahead -------------- */
enum {
  STAR_SUMS = 3 * CONDITION_COUNT,
  TILE = 64,
  TILE_SUM = CONDITION_COUNT * TILE + CONDITION_COUNT,
  TILE_NUMBERS = 3 * TILE_SUM
};

typedef struct {
  TreeHead h;
  uint32_t first, count;           /* the nodes of the star, without the root */
} Star;

SL_HD uint32_t tile_size(const Star *star, uint32_t t)
{
  return star->count - t * TILE < TILE ? star->count - t * TILE : TILE;
}

/* Fills a tile. The first two sums go from the last node to the first. */
SL_BLOCK_FN void fill_tile(const FlatView *view, const TreeView *tree_view, const Star *star,
                           uint32_t t, double *tile)
{
  SL_LANES_ASIDE(i, CONDITION_COUNT * tile_size(star, t))
  {
    uint32_t node = t * TILE + i / CONDITION_COUNT;
    int k = (int)(i % CONDITION_COUNT);
    StarNode down = star_node(tree_view, star->first + star->count - 1 - node, k);
    tile[i] = down.cap;
    tile[TILE_SUM + i] = down.weighted;
    tile[2 * TILE_SUM + i] =
        star_finish(view, tree_view, star->first + node, k, star->h.use >> k & 1);
  }
}

SL_BLOCK_FN void star_pin_loads(const FlatView *view, const TreeView *tree_view,
                                const TreeHead *head)
{
  SL_LANES_ASIDE(i, CONDITION_COUNT * star_pins(head))
  {
    int k = (int)(i % CONDITION_COUNT);
    if (head->use >> k & 1)
      put_load(view, tree_view->f.lane_nodes[head->first + i / CONDITION_COUNT].load, k, 0, 0);
  }
}

/* Initializes the sums: {y1, -y2, y3}, each by condition. */
SL_BLOCK_FN void begin_sums(const FlatView *view, const TreeView *tree_view, const TreeHead *head,
                            double *sum)
{
  (void)view;
  SL_LANES(i, STAR_SUMS)
  {
    float cap = star_root_cap(tree_view, head, (int)(i % CONDITION_COUNT));
    sum[i] = i / CONDITION_COUNT == 0   ? cap
             : i / CONDITION_COUNT == 1 ? cap * 0.0
                                        : 0.0 + cap * 0.0;
  }
}

SL_BLOCK_FN void add_tile(const FlatView *view, const double *tile, uint32_t count, double *sum)
{
  (void)view;
  SL_LANES(i, STAR_SUMS)
  {
    sum[i] =
        add_in_order(sum[i], tile + i / CONDITION_COUNT * TILE_SUM + i % CONDITION_COUNT, count);
  }
}

SL_BLOCK_FN void star_block(const FlatView *view, const TreeView *tree_view, uint32_t star)
{
  SL_SHARED(double, tile, 2 * TILE_NUMBERS);
  SL_SHARED(double, sum, STAR_SUMS);
  Star s;
  s.h = tree_view->f.heads[star];
  s.first = s.h.first + star_pins(&s.h);
  s.count = tree_view->f.heads[star + 1].first - s.first;
  begin_sums(view, tree_view, &s.h, sum);
  star_pin_loads(view, tree_view, &s.h);
  fill_tile(view, tree_view, &s, 0, tile);
  SL_SYNC();
  for (uint32_t t = 0; t * TILE < s.count; t++) {
    if ((t + 1) * TILE < s.count)
      fill_tile(view, tree_view, &s, t + 1, tile + ((t + 1) & 1) * TILE_NUMBERS);
    add_tile(view, tile + (t & 1) * TILE_NUMBERS, tile_size(&s, t), sum);
    SL_SYNC();
  }
  SL_LANES(k, CONDITION_COUNT)
  if (s.h.use >> k & 1)
    put_pi(view, s.h.driver, (int)k, sum[k], -sum[CONDITION_COUNT + k],
           sum[2 * CONDITION_COUNT + k]);
  SL_SYNC();
}

/* --- others: depth by depth, a lane for each node and condition ------------------------------- */
/* The conditions that a block computes: 1 << shift of them, from the first one on. */
typedef struct { uint32_t first, shift; } DeepPart;

enum { ALL_CONDITIONS = CONDITION_COUNT == 4 ? 2 : -1 };      /* the shift for all of them */

SL_HD DeepPart deep_part(uint32_t first, uint32_t shift)
{
  DeepPart p = { first, shift };
  return p;
}

typedef struct {
  TreeDeep h;
  DeepPart part;
  const TreeDeepNode *node;
  const uint32_t *depth;           /* where each depth begins */
  double *a, *b, *term;
  float  *cap;
} DeepWork;

SL_HD DeepWork deep_work(const TreeView *view, uint32_t tree, DeepPart part)
{
  DeepWork x;
  x.h = view->f.deeps[tree];
  x.part = part;
  x.node = view->f.deep_nodes + x.h.first_node;
  x.depth = view->f.depth_first + x.h.first_depth;
  x.a = view->delay + x.h.first_work;
  x.b = view->beta + x.h.first_work;
  x.term = view->sum + x.h.first_work;
  x.cap = view->cap + x.h.first_work;
  return x;
}

/* Nodes q in [from, end) and conditions k of a block's part. i: the place of the number. */
#define SL_DEEP_LANES(i, x, from, end)                                                        \
    SL_LANES(i##_lane, ((end) - (from)) << (x)->part.shift)                                   \
  for (uint32_t q = (from) + (i##_lane >> (x)->part.shift),                                   \
      k = (x)->part.first + (i##_lane & ((1u << (x)->part.shift) - 1)),                       \
      i = CONDITION_COUNT * q + k, i##_once = 1; i##_once; i##_once = 0)
#define SL_DEPTH(i, x, d) SL_DEEP_LANES(i, x, (x)->depth[d], (x)->depth[(d) + 1])

SL_BLOCK_FN void deep_caps(const FlatView *view, const TreeView *tree_view, const DeepWork *work)
{
  (void)view;
  SL_DEEP_LANES(i, work, 0, work->h.node_count)
  {
    float cap = work->node[q].cap;
    if (q == 0) cap = with_pin(tree_view, cap, work->h.own, (int)k);
    for (uint32_t p = work->node[q].first_pin; p < work->node[q + 1].first_pin; p++)
      cap = with_pin(tree_view, cap, tree_view->f.deep_pins[p].pin, (int)k);
    work->a[i] = work->cap[i] = cap;
  }
}

/* Sums up the capacitance below each node, from the last depth on. */
SL_BLOCK_FN void deep_sum_up(const FlatView *view, const DeepWork *work, double *sum)
{
  (void)view;
  for (uint32_t d = work->h.depths; d-- > 0;) {
    SL_SYNC();
    SL_DEPTH(i, work, d)
    {
      uint32_t first = work->node[q].first_child, end = work->node[q + 1].first_child;
      if (first < end)
        sum[i] = add_in_order(sum[i], sum + CONDITION_COUNT * first + k, end - first);
    }
  }
}

/* Replaces the sums in a by delays, writes their weights to b, and computes the first moments. */
SL_BLOCK_FN void deep_delays(const FlatView *view, const DeepWork *work, double *y1)
{
  (void)view;
  for (uint32_t d = 0; d < work->h.depths; d++) {
    SL_SYNC();
    SL_DEPTH(i, work, d)
    {
      if (q == 0) y1[k] = work->a[i];
      double delay = q ? work->a[CONDITION_COUNT * work->node[q].parent + k]
                             + work->node[q].resistance * work->a[i]
                       : 0;
      work->a[i] = delay;
      work->b[i] = work->cap[i] * delay;
    }
  }
}

/* Does the same for b. Writes the numbers of loads and each node's part of the third moment. */
SL_BLOCK_FN void deep_betas(const FlatView *view, const TreeView *tree_view, const DeepWork *work,
                            double *y2)
{
  for (uint32_t d = 0; d < work->h.depths; d++) {
    SL_SYNC();
    SL_DEPTH(i, work, d)
    {
      if (q == 0) y2[k] = -work->b[i];
      double beta = q ? work->b[CONDITION_COUNT * work->node[q].parent + k]
                            + work->node[q].resistance * work->b[i]
                      : 0;
      work->b[i] = beta;
      if (flat_model_has(&view->f, DELAY_NEEDS_PI))
        work->term[CONDITION_COUNT * work->node[q].node + k] = work->cap[i] * beta;
      for (uint32_t p = work->node[q].first_pin;
           p < work->node[q + 1].first_pin && work->h.conditions >> k & 1; p++)
        put_load(view, tree_view->f.deep_pins[p].load, (int)k, work->a[i], beta);
    }
  }
}

SL_BLOCK_FN void deep_block(const FlatView *view, const TreeView *tree_view, uint32_t tree,
                            DeepPart part)
{
  SL_SHARED(double, y, 2 * CONDITION_COUNT);
  DeepWork x = deep_work(tree_view, tree, part);
  deep_caps(view, tree_view, &x);
  deep_sum_up(view, &x, x.a);
  deep_delays(view, &x, y);
  deep_sum_up(view, &x, x.b);
  deep_betas(view, tree_view, &x, y + CONDITION_COUNT);
  SL_SYNC();
  SL_LANES(i, 1u << part.shift)
  {
    uint32_t k = part.first + i;
    /* only the pi model needs it */
    double y3 =
        flat_model_has(&view->f, DELAY_NEEDS_PI) ? add_in_order(0, x.term + k, x.h.node_count) : 0;
    if (x.h.conditions >> k & 1) put_pi(view, x.h.driver, (int)k, y[k], y[CONDITION_COUNT + k], y3);
  }
  SL_SYNC();
}

#endif
