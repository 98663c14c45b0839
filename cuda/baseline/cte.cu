/* Schedule "cte", collaborative task engagement (Algorithm 2 of the Warp-STAR paper): a block takes
   as many nets as it has threads. Each thread counts the work of its net, a prefix sum gives the
   beginning of each net's work, and then the threads take pieces of work from all nets; a search in
   the sums finds the net of a piece. A piece is the work of a lane of schedule "pin", so results
   are the same. Work outside of nets (ports, special drivers, irregular loads, large trees,
   endpoints) is done as with "pin". */
#include "cuda/block_kernel.h"
#include "cuda/pin_out.h"
#include "cuda/private.h"
#include "cuda/trees/tree_lanes.h"
#include "cuda/trees/tree_view.h"

enum { CTE_NETS = 128 };

/* Returns prefix sums of the work of the nets. a: the work of each net. b: memory of the same
   size. */
SL_BLOCK_FN const uint32_t *cte_sums(const FlatView *view, uint32_t *a, uint32_t *b)
{
  (void)view;
  for (uint32_t step = 1; step < CTE_NETS; step *= 2) {
    SL_SYNC();
    SL_LANES(i, CTE_NETS) b[i] = a[i] + (i >= step ? a[i - step] : 0);
    uint32_t *other = a;
    a = b;
    b = other;
  }
  SL_SYNC();
  return a;
}

/* Returns the net of a piece of work: the first net whose sum is larger than the number of the
   piece. */
SL_HD uint32_t cte_net(const uint32_t *sums, uint32_t piece)
{
  uint32_t low = 0, high = CTE_NETS - 1;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (sums[middle] > piece) high = middle;
    else low = middle + 1;
  }
  return low;
}

SL_HD uint32_t cte_piece(const uint32_t *sums, uint32_t net, uint32_t piece)
{
  return net ? piece - sums[net - 1] : piece;
}

static uint32_t cte_blocks(uint32_t nets) { return nets / CTE_NETS + (nets % CTE_NETS != 0); }

#ifdef __CUDACC__
#define CTE_START(d, nets, kernel, ...) SL_START_BLOCKS(d, (d)->stream, cte_blocks(nets), \
    CTE_NETS, kernel, __VA_ARGS__)
#else
#define CTE_START(d, nets, kernel, ...) SL_START(d, cte_blocks(nets), kernel, __VA_ARGS__)
#endif

/* --- forward: the timing edges of a driver, early and late ------------------------------------ */
SL_BLOCK_FN void cte_edges(const FlatView *view, const FlatLevel *level, uint32_t block, int delays,
                           int waves, int model)
{
  SL_SHARED(uint32_t, own, CTE_NETS);
  SL_SHARED(uint32_t, other, CTE_NETS);
  SL_SYNC();
  SL_LANES(i, CTE_NETS)
  {
    uint32_t n = block * CTE_NETS + i;
    EdgeRange range = { 0, 0 };
    if (n < level->count) range = edges_to(view, level->first_slot + n);
    own[i] = 2 * (range.end - range.first);
  }
  const uint32_t *sums = cte_sums(view, own, other);
  SL_LANES(i, sums[CTE_NETS - 1])
  {
    uint32_t net = cte_net(sums, i), piece = cte_piece(sums, net, i);
    uint32_t edge = edges_to(view, level->first_slot + block * CTE_NETS + net).first + piece / 2;
    FlatEdge r = view->f.edges[edge];
    EdgeNet x = edge_net(view, level, &r, (int)(piece % 2), delays, waves);
    edge_lane(view, level, &x, &r, edge, (int)(piece % 2), delays, waves, model);
  }
}

#define CTE_EDGES(name, delays, waves, model)                 \
  SL_KERNEL name(SL_VIEW(v), FlatLevel level)                 \
      { SL_BLOCKS(b, (level.count + CTE_NETS - 1) / CTE_NETS) \
      cte_edges(&v, &level, b, delays, waves, model); }
CTE_EDGES(cte_table_nets, 1, WAVE_NONE, v.f.traits.delay_model)
CTE_EDGES(cte_arrival_nets, 0, WAVE_NONE, v.f.traits.delay_model)
#define CTE_WAVE_EDGES(NAME, name, ...) \
  CTE_EDGES(cte_##name##_nets, 1, WAVE_GRID, DELAY_##NAME) \
  CTE_EDGES(cte_##name##_plain_nets, 1, WAVE_PLAIN, DELAY_##NAME)
DELAY_WAVE_MODELS(CTE_WAVE_EDGES)

static void start_cte_waves(Device *d, FlatLevel level)
{
  uint32_t plain = d->design->f->traits.plain_tables ? level.count : 0;
#define START_CTE_WAVES(NAME, name, ...) \
  case DELAY_##NAME: \
    CTE_START(d, level.count, cte_##name##_nets, d->design->view, level); \
    CTE_START(d, plain, cte_##name##_plain_nets, d->design->view, level); \
    break;
  switch (d->design->f->traits.delay_model) { DELAY_WAVE_MODELS(START_CTE_WAVES) default: break; }
}

static void start_cte_edges(Device *d, FlatLevel level, int delays)
{
  if (!delays) CTE_START(d, level.count, cte_arrival_nets, d->design->view, level);
  else if (flat_model_has(d->design->f, DELAY_BY_WAVE)) start_cte_waves(d, level);
  else CTE_START(d, level.count, cte_table_nets, d->design->view, level);
}

static void start_forward(Device *d) { start_pin_levels(d, 1, start_cte_edges); }
static void start_arrivals(Device *d) { start_pin_levels(d, 0, start_cte_edges); }

/* --- backward: the timing edges that start at a driver or one of its loads -------------------- */
typedef struct { uint32_t first, count; } OutRange;

SL_HD OutRange outs_of(const FlatView *view, uint32_t slot, uint32_t slots)
{
  OutRange r;
  r.first = view->f.slot_first_out[slot];
  r.count = view->f.slot_first_out[slot + slots] - r.first;
  return r;
}

SL_BLOCK_FN void cte_outs(const FlatView *view, const FlatLevel *level, uint32_t block)
{
  SL_SHARED(uint32_t, own, CTE_NETS);
  SL_SHARED(uint32_t, other, CTE_NETS);
  SL_SYNC();
  SL_LANES(i, CTE_NETS)
  {
    uint32_t n = block * CTE_NETS + i, slot = level->first_slot + n;
    own[i] = n < level->count
                 ? 2
                       * (outs_of(view, slot, 1).count
                          + outs_of(view, view->f.load_first[slot], view->f.load_count[slot]).count)
                 : 0;
  }
  const uint32_t *sums = cte_sums(view, own, other);
  SL_LANES(i, sums[CTE_NETS - 1])
  {
    uint32_t net = cte_net(sums, i), piece = cte_piece(sums, net, i),
             slot = level->first_slot + block * CTE_NETS + net;
    OutRange driver = outs_of(view, slot, 1),
             loads = outs_of(view, view->f.load_first[slot], view->f.load_count[slot]);
    uint32_t out = piece / 2 < driver.count ? driver.first + piece / 2
                                            : loads.first + piece / 2 - driver.count;
    FlatOut o = view->f.outs[out];
    OutDelays x = out_delays(view, &o, (int)(piece % 2));
    out_lane(view, &o, &x, (int)(piece % 2));
  }
}

SL_KERNEL cte_out_nets(SL_VIEW(v), FlatLevel level)
{
  SL_BLOCKS(b, (level.count + CTE_NETS - 1) / CTE_NETS) cte_outs(&v, &level, b);
}

/* Computes the required times of loads that nothing drives, because they belong to no net. */
SL_KERNEL cte_floating_outs(SL_VIEW(v))
{
  SL_EACH(i, 2 * v.f.count.floating)
  {
    OutRange range = outs_of(&v, v.f.floating[i / 2], 1);
    for (uint32_t n = 0; n < range.count; n++) {
      FlatOut o = v.f.outs[range.first + n];
      OutDelays x = out_delays(&v, &o, (int)(i % 2));
      out_lane(&v, &o, &x, (int)(i % 2));
    }
  }
}

static void start_backward(Device *d)
{
  const Flat *f = d->design->f;
  start_pin_end_loads(d);
  for (uint32_t l = f->count.levels; l-- > 0;)
    CTE_START(d, f->levels[l].count, cte_out_nets, d->design->view, f->levels[l]);
  SL_START(d, 2 * f->count.floating, cte_floating_outs, d->design->view);
}

/* --- nets ----------------------------------------------------------------------------------------

   The lanes of a block work on the nodes of a star for each condition.  One lane adds them up, in
   the CPU's order. */
SL_BLOCK_FN void cte_stars(const FlatView *view, const TreeView *tree_view, uint32_t block,
                           uint32_t count)
{
  SL_SHARED(uint32_t, own, CTE_NETS);
  SL_SHARED(uint32_t, other, CTE_NETS);
  SL_SYNC();
  SL_LANES(i, CTE_NETS)
  {
    uint32_t n = block * CTE_NETS + i;
    own[i] = n < count
                 ? CONDITION_COUNT * (tree_view->f.heads[n + 1].first - tree_view->f.heads[n].first)
                 : 0;
  }
  const uint32_t *sums = cte_sums(view, own, other);
  SL_LANES(i, sums[CTE_NETS - 1])
  {
    uint32_t net = cte_net(sums, i), piece = cte_piece(sums, net, i);
    star_piece(view, tree_view, block * CTE_NETS + net, piece / CONDITION_COUNT,
               (int)(piece % CONDITION_COUNT));
  }
  SL_LANES(i, CONDITION_COUNT * CTE_NETS)
  {
    uint32_t n = block * CTE_NETS + i / CONDITION_COUNT;
    if (n < count) star_sums(view, tree_view, n, (int)(i % CONDITION_COUNT), 0);
  }
}

SL_KERNEL reduce_cte_stars(SL_VIEW(v), const TreeView w, uint32_t count)
{
  SL_BLOCKS(b, (count + CTE_NETS - 1) / CTE_NETS) cte_stars(&v, &w, b, count);
}

static void start_trees(Device *d)
{
  uint32_t stars = d->design->trees.f.class_first[TREES_STARS + 1];
  device_fork(d);
  start_tree_blocks(d);
  CTE_START(d, stars, reduce_cte_stars, d->design->view, d->design->trees, stars);
  start_tree_lanes(d);
  device_join(d);
}

const Schedule SL_NAMED(cte_schedule) = {
  .nets = start_trees,
  .forward = start_forward,
  .arrivals = start_arrivals,
  .ends = start_pin_ends,
  .backward = start_backward,
};
