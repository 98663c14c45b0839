/* Required times with a lane for each load and condition: what its arcs ask for, and, less the wire's delay, what its driver is asked
   for. */
#include "cuda/pin.h"

SL_HD float arc_left_out(const FlatView *v, uint32_t from, uint32_t to, int k)
{
  if (!(v->f.tag_use[v->f.node_tag[to]] & FLAT_BARE)) return 0;
  float arrival = v->n.arrival[from].v[k];
  return time_absent(arrival) ? 0 : arrival;
}

/* By one timing edge, of two nodes. */
SL_HD void tighten_node(const FlatView *v, const FlatOut *o, uint32_t from, uint32_t to, int bit, int k)
{
  int el = k >> 1, out = condition_of(el, bit & 1);
  float required = v->n.required[to].v[out];
  if (time_absent(required)) return;
  int clock = v->f.derate_count && clock_node(v, to);
  float delay = v->n.edge_delay[o->edge + edges_before(o->pairs, bit)].v[el];
  required = required - delay * derate_of(v, v->f.arc_derate, o->arc, clock, out) + (o->use & FLAT_LAUNCH ? arc_left_out(v, from, to, k) : 0);
  time_tighten(&v->n.required[from].v[k], el, required);
}

SL_HD void out_lane(const FlatView *v, uint32_t slot, uint32_t from, const FlatOut *o, int k)
{
  for (uint32_t pairs = pairs_from(o->pairs, k & 1); pairs; pairs &= pairs - 1) {
    int bit = lowest_pair(pairs);
    for (uint32_t n = 0; o->nodes != FLAT_MAPPED && n < o->nodes; n++) tighten_node(v, o, from + n, o->to_node + n, bit, k);
    if (o->nodes != FLAT_MAPPED) continue;
    Joined j = joined(v, v->f.arc_map[o->arc], slot, v->f.arc_to[o->arc]);
    for (uint32_t n = 0; n < j.count; n++) {
      JoinedPair p = joined_pair(v, &j, n);
      if (p.mask >> bit & 1) tighten_node(v, o, p.from, p.to, bit, k);
    }
  }
}

/* All that starts at a slot, whose nodes begin with `from`.  Its own numbers no other lane touches. */
SL_HD void outs_lane(const FlatView *v, uint32_t slot, uint32_t from, uint32_t first, uint32_t count, int k)
{
  for (uint32_t i = first; i < first + count; i++) {
    FlatOut o = v->f.outs[i];
    if (o.use & FLAT_ON) out_lane(v, slot, from, &o, k);
  }
}

SL_HD void node_back(const FlatView *v, uint32_t load, uint32_t from, uint32_t to, float delay, int k)
{
  float required = v->n.required[to].v[k];
  if (time_absent(required)) return;
  int clock = v->f.derate_count && clock_node(v, to);
  lane_tighten(&v->n.required[from].v[k], k >> 1, required - delay * derate_of(v, v->f.wire_derate, load, clock, k));
}

SL_HD void wire_back(const FlatView *v, uint32_t load, const FlatLoad *r, int k)
{
  float delay = v->n.wire_delay[load].v[k];
  for (uint32_t n = 0; r->wire != FLAT_MAPPED && n < r->wire; n++) node_back(v, load, r->driver_node + n, r->node + n, delay, k);
  if (r->wire != FLAT_MAPPED) return;
  Joined j = joined(v, v->f.wire_map[r->slot], r->driver, r->slot);
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    if (p.mask >> (3 * (k & 1)) & 1) node_back(v, load, p.from, p.to, delay, k);
  }
}

SL_KERNEL load_back_lanes(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, 4 * level.load_count)
  {
    uint32_t load = level.first_load + i / 4;
    int k = (int)(i % 4);
    FlatLoad r = v.f.loads[load];
    if (r.nodes == 0) continue;
    outs_lane(&v, r.slot, r.node, r.first_out, r.outs, k);
    wire_back(&v, load, &r, k);
  }
}

/* Arcs from one output to another; after the loads, whose lanes write the same numbers. */
SL_KERNEL driver_back_lanes(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, 4 * level.source_count)
  {
    uint32_t slot = v.f.source_drivers[level.first_source + i / 4], first = v.f.out_first[slot];
    outs_lane(&v, slot, v.f.node_first[slot], first, v.f.out_first[slot + 1] - first, (int)(i % 4));
  }
}

DEVICE_FN void launch_pin_backward(Device *d)
{
  for (uint32_t l = d->f->level_count; l-- > 0;) {
    FlatLevel level = d->f->levels[l];
    SL_LAUNCH(d, 4 * level.load_count, load_back_lanes, d->view, level);
    SL_LAUNCH(d, 4 * level.source_count, driver_back_lanes, d->view, level);
  }
}
