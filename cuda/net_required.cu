/* Required times with schedule "net", level by level: one thread a driver, for its loads and then
   itself. */
#include "cuda/arrival.h"
#include "cuda/kernel.h"

SL_HD void arc_required(const FlatView *v, uint32_t arc, JoinedPair p)
{
  int clock = v->f.count.derates && clock_node(v, p.to);
  uint32_t e = v->f.edge_first[arc];
  Cond4 *from = &v->n.required[p.from];
  for (uint32_t pairs = v->f.arc_pairs[arc]; pairs; pairs &= pairs - 1, e++) {
    int bit = lowest_pair(pairs);
    if (!(p.mask >> bit & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      int in = condition_of(el, bit >> 1), out = condition_of(el, bit & 1);
      float required = v->n.required[p.to].v[out];
      if (time_absent(required)) continue;
      time_tighten(&from->v[in], el,
                   required
                       - derated(v->n.edge_delay[e].v[el],
                                 derate_of(v, v->f.arc_derate, arc, clock, out))
                       + left_out(v, arc, p.from, p.to, in));
    }
  }
}

/* From the arcs that start at a slot. */
SL_HD void out_required(const FlatView *v, uint32_t slot)
{
  for (uint32_t i = v->f.out_first[slot]; i < v->f.out_first[slot + 1]; i++) {
    uint32_t a = v->f.out_arc[i];
    if (!(v->f.arc_use[a] & FLAT_ON)) continue;
    Joined j = joined(v, v->f.arc_map[a], slot, v->f.arc_to[a]);
    for (uint32_t n = 0; n < j.count; n++) arc_required(v, a, joined_pair(v, &j, n));
  }
}

SL_HD void wire_required(const FlatView *v, uint32_t load, uint32_t driver, uint32_t index)
{
  Joined j = joined(v, v->f.wire_map[load], driver, load);
  Cond4 delay = v->n.wire_delay[index];
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    int clock = v->f.count.derates && clock_node(v, p.to);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float required = v->n.required[p.to].v[k];
      if (!(p.mask >> (3 * (k & 1)) & 1) || time_absent(required)) continue;
      time_tighten(&v->n.required[p.from].v[k], k >> 1,
                   required - derated(delay.v[k], derate_of(v, v->f.wire_derate, index, clock, k)));
    }
  }
}

SL_HD void extra_node_required(const FlatView *v, uint32_t extra, uint32_t load, JoinedPair p,
                               int k)
{
  float required = v->n.required[p.to].v[k];
  int clock = v->f.count.derates && clock_node(v, p.to);
  if (time_absent(required)) return;
  lane_tighten(&v->n.required[p.from].v[k], k >> 1,
               required
                   - derated(v->n.extra_delay[extra].v[k],
                             derate_of(v, v->f.wire_derate, load, clock, k)));
}

/* Loads first, then the driver that they and the cell's other outputs follow. */
SL_HD void net_required(const FlatView *v, const DriverWork *w)
{
  int has_nodes = v->f.node_first[w->slot + 1] != v->f.node_first[w->slot];
  for (uint32_t s = w->first_load; s < w->end_load; s++) {
    out_required(v, s);
    if (has_nodes) wire_required(v, s, w->slot, s - w->load_shift);
  }
  if (has_nodes) out_required(v, w->slot);
}

SL_KERNEL level_required(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, level.count)
  {
    DriverWork w = driver_work(&v, level, i);
    net_required(&v, &w);
  }
}

/* On to the further drivers of a level's loads, which may have several such wires. */
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

DEVICE_FN void launch_net_backward(Device *d)
{
  for (uint32_t l = d->f->count.levels; l-- > 0;) {
    SL_LAUNCH(d, d->f->levels[l].count, level_required, d->view, d->f->levels[l]);
    SL_LAUNCH(d, d->f->levels[l].taken_count, extra_required, d->view, d->f->levels[l]);
  }
  SL_LAUNCH(d, d->f->count.floating, floating_required, d->view);
}
