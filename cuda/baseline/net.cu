/* Schedule "net", the published way (doc/device.md): one thread for the tree of each net.  Then,
   level by level, one thread for each driver, its arcs and its loads.  So no two threads write the
   same number, and a level is one kernel. */
#include "cuda/end_lanes.h"
#include "cuda/private.h"
#include "cuda/trees/tree_view.h"

/* --- nets ------------------------------------------------------------------------------------- */
SL_KERNEL reduce_trees(SL_VIEW(v), const TreeView w)
{
  SL_EACH(i, w.f.tree_count) tree_reduce(&v, &w, i);
}

static void start_trees(Device *d)
{
  SL_START(d, d->design->trees.f.tree_count, reduce_trees, d->design->view, d->design->trees);
}

/* --- delays, slews and arrivals --------------------------------------------------------------- */
SL_KERNEL level_forward(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, level.count)
  {
    DriverWork w = driver_work(&v, level, i);
    driver_delays(&v, &w);
    net_arrivals(&v, &w);
  }
}

SL_KERNEL level_arrivals(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, level.count)
  {
    DriverWork w = driver_work(&v, level, i);
    net_arrivals(&v, &w);
  }
}

/* Computes the loads of several drivers, after all drivers of their level. The thread of a load is
   that of its first extra wire. */
SL_KERNEL shared_loads(SL_VIEW(v), FlatLevel level, int delays)
{
  SL_EACH(i, level.taken_count)
  {
    FlatExtra x = v.f.extras[level.first_taken + i];
    uint32_t driver = v.f.loads[x.load].driver;
    if (v.f.load_extra[x.load] != level.first_taken + i) continue;
    if (delays) shared_load_delays(&v, driver, x.slot, x.load);
    load_arrivals(&v, x.slot, driver, x.load);
  }
}

static void start_forward(Device *d)
{
  start_ports(d, 1);
  for (uint32_t l = 0; l < d->design->f->count.levels; l++) {
    SL_START(d, d->design->f->levels[l].count, level_forward, d->design->view,
             d->design->f->levels[l]);
    SL_START(d, d->design->f->levels[l].taken_count, shared_loads, d->design->view,
             d->design->f->levels[l], 1);
  }
}

static void start_arrivals(Device *d)
{
  start_ports(d, 0);
  for (uint32_t l = 0; l < d->design->f->count.levels; l++) {
    SL_START(d, d->design->f->levels[l].count, level_arrivals, d->design->view,
             d->design->f->levels[l]);
    SL_START(d, d->design->f->levels[l].taken_count, shared_loads, d->design->view,
             d->design->f->levels[l], 0);
  }
}

/* --- end points: one thread each, for its checks and path ends -------------------------------- */
SL_KERNEL loosen_net(SL_VIEW(v))
{
  SL_EACH(n, v.f.count.nodes) v.n.required[n] = cond_loosest();
}

SL_KERNEL end_points(SL_VIEW(v))
{
  SL_EACH(i, v.f.count.end_slots)
  {
    uint32_t slot = v.f.end_slots[i];
    for (uint32_t c = v.f.slot_first_check[slot]; c < v.f.slot_first_check[slot + 1]; c++) {
      check_margin(&v, v.f.check_order[c], RISE);
      check_margin(&v, v.f.check_order[c], FALL);
    }
    for (uint32_t r = v.f.slot_first_end[slot]; r < v.f.slot_first_end[slot + 1]; r++) {
      path_end_edge(&v, r, RISE);
      path_end_edge(&v, r, FALL);
    }
  }
}

static void start_ends(Device *d)
{
  SL_START(d, d->design->f->count.nodes, loosen_net, d->design->view);
  SL_START(d, d->design->f->count.end_slots, end_points, d->design->view);
}

/* --- required times --------------------------------------------------------------------------- */
SL_HD void arc_required(const FlatView *view, uint32_t arc, JoinedPair p)
{
  int clock = view->f.count.derates && clock_node(view, p.to);
  uint32_t e = view->f.edge_first[arc];
  Cond4 *from = &view->n.required[p.from];
  for (uint32_t pairs = view->f.arc_pairs[arc]; pairs; pairs &= pairs - 1, e++) {
    int bit = lowest_pair(pairs);
    if (!(p.mask >> bit & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      int in = condition_of(el, bit >> 1), out = condition_of(el, bit & 1);
      float required = view->n.required[p.to].v[out];
      if (time_absent(required)) continue;
      time_tighten(&from->v[in], el,
                   required
                       - derated(view->n.edge_delay[e].v[el],
                                 derate_of(view, view->f.arc_derate, arc, clock, out))
                       + left_out(view, arc, p.from, p.to, in));
    }
  }
}

/* Takes required times from the arcs that start at a slot. */
SL_HD void out_required(const FlatView *view, uint32_t slot)
{
  for (uint32_t i = view->f.out_first[slot]; i < view->f.out_first[slot + 1]; i++) {
    uint32_t a = view->f.out_arc[i];
    if (!(view->f.arc_use[a] & FLAT_ON)) continue;
    Joined j = joined(view, view->f.arc_map[a], slot, view->f.arc_to[a]);
    for (uint32_t n = 0; n < j.count; n++) arc_required(view, a, joined_pair(view, &j, n));
  }
}

SL_HD void wire_required(const FlatView *view, uint32_t load, uint32_t driver, uint32_t index)
{
  Joined j = joined(view, view->f.wire_map[load], driver, load);
  Cond4 delay = view->n.wire_delay[index];
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(view, &j, n);
    int clock = view->f.count.derates && clock_node(view, p.to);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float required = view->n.required[p.to].v[k];
      if (!(p.mask >> (3 * (k & 1)) & 1) || time_absent(required)) continue;
      time_tighten(
          &view->n.required[p.from].v[k], k >> 1,
          required - derated(delay.v[k], derate_of(view, view->f.wire_derate, index, clock, k)));
    }
  }
}

SL_HD void extra_node_required(const FlatView *view, uint32_t extra, uint32_t load, JoinedPair p,
                               int k)
{
  float required = view->n.required[p.to].v[k];
  int clock = view->f.count.derates && clock_node(view, p.to);
  if (time_absent(required)) return;
  lane_tighten(&view->n.required[p.from].v[k], k >> 1,
               required
                   - derated(view->n.extra_delay[extra].v[k],
                             derate_of(view, view->f.wire_derate, load, clock, k)));
}

/* Computes the required times of a net: first the loads, then the driver, from which they and other
   outputs of the cell follow. */
SL_HD void net_required(const FlatView *view, const DriverWork *work)
{
  int has_nodes = view->f.node_first[work->slot + 1] != view->f.node_first[work->slot];
  for (uint32_t s = work->first_load; s < work->end_load; s++) {
    out_required(view, s);
    if (has_nodes) wire_required(view, s, work->slot, s - work->load_shift);
  }
  if (has_nodes) out_required(view, work->slot);
}

SL_KERNEL level_required(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, level.count)
  {
    DriverWork w = driver_work(&v, level, i);
    net_required(&v, &w);
  }
}

/* Carries required times to the other drivers of a level's loads. A driver may have several such
   wires. */
SL_KERNEL extra_required(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, level.taken_count)
  {
    uint32_t extra = level.first_taken + i;
    FlatExtra x = v.f.extras[extra];
    Joined j = joined(&v, x.map, x.driver, x.slot);
    for (uint32_t n = 0; n < j.count; n++) {
      JoinedPair p = joined_pair(&v, &j, n);
      for (int k = 0; k < CONDITION_COUNT; k++)
        if (p.mask >> (3 * (k & 1)) & 1) extra_node_required(&v, extra, x.load, p, k);
    }
  }
}

SL_KERNEL floating_required(SL_VIEW(v))
{
  SL_EACH(i, v.f.count.floating) out_required(&v, v.f.floating[i]);
}

static void start_backward(Device *d)
{
  for (uint32_t l = d->design->f->count.levels; l-- > 0;) {
    SL_START(d, d->design->f->levels[l].count, level_required, d->design->view,
             d->design->f->levels[l]);
    SL_START(d, d->design->f->levels[l].taken_count, extra_required, d->design->view,
             d->design->f->levels[l]);
  }
  SL_START(d, d->design->f->count.floating, floating_required, d->design->view);
}

const Schedule SL_NAMED(net_schedule) = {
  .nets = start_trees,
  .forward = start_forward,
  .arrivals = start_arrivals,
  .ends = start_ends,
  .backward = start_backward,
};
