/* The backward work of one lane: a timing edge, early or late (see pin_required.cu). */
#ifndef SL_CUDA_PIN_OUT_H
#define SL_CUDA_PIN_OUT_H

#include "cuda/pin.h"

SL_HD void tighten_driver(const FlatView *v, uint32_t load, float wire, uint32_t driver,
                          uint32_t to, float required, int k)
{
  int clock = v->f.count.derates && clock_node(v, to);
  lane_tighten(&v->n.required[driver].v[k], k >> 1,
               required - derated(wire, derate_of(v, v->f.wire_derate, load, clock, k)));
}

SL_HD void joined_back(const FlatView *v, Joined j, uint32_t load, float wire, uint32_t node,
                       float required, int k)
{
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    if (p.to == node && p.mask >> (3 * (k & 1)) & 1)
      tighten_driver(v, load, wire, p.from, node, required, k);
  }
}

/* Takes a required time from a node of a load to the nodes of its drivers. number: that of the node
   at the load's slot. */
SL_HD void wire_back(const FlatView *v, uint32_t load, float wire, uint32_t joins,
                     uint32_t driver_node, uint32_t number, uint32_t node, float required, int k)
{
  if (joins != FLAT_MAPPED) {
    if (number < joins) tighten_driver(v, load, wire, driver_node + number, node, required, k);
    return;
  }
  FlatLoad r = v->f.loads[load];
  joined_back(v, joined(v, v->f.wire_map[r.slot], r.driver, r.slot), load, wire, node, required, k);
  for (uint32_t i = is_shared(v, r.slot) ? v->f.load_extra[load] : FLAT_NONE;
       i != FLAT_NONE && i < v->f.load_extra[load + 1]; i++)
    joined_back(v, joined(v, v->f.extras[i].map, v->f.extras[i].driver, r.slot), load,
                v->n.extra_delay[i].v[k], node, required, k);
}

/* Takes the required time of a load that is an endpoint to its drivers. */
SL_HD void end_load_lane(const FlatView *v, uint32_t load, int k)
{
  FlatLoad r = v->f.loads[load];
  uint32_t end = v->f.node_first[r.slot + 1];
  for (uint32_t n = r.node; n < end; n++) {
    float required = v->n.required[n].v[k];
    if (!time_absent(required))
      wire_back(v, load, v->n.wire_delay[load].v[k], r.wire, r.driver_node, n - r.node, n, required,
                k);
  }
}

SL_HD float left_out_before(const FlatView *v, uint32_t from, uint32_t to, int k)
{
  if (!(v->f.tag_use[v->f.node_tag[to]] & FLAT_BARE)) return 0;
  float arrival = v->n.arrival[from].v[k];
  return time_absent(arrival) ? 0 : arrival;
}

/* Delays of an edge and of the wire to its start. They come from an earlier phase, so they are read
   before the numbers that the level waits for. */
typedef struct { float delay, wire; } OutDelays;

SL_HD OutDelays out_delays(const FlatView *v, const FlatOut *o, int el)
{
  OutDelays d;
  d.delay = v->n.edge_delay[o->edge].v[el];
  d.wire = o->wire ? v->n.wire_delay[o->load].v[condition_of(el, o->in)] : 0;
  return d;
}

SL_HD void out_node(const FlatView *v, const FlatOut *o, const OutDelays *d, uint32_t from,
                    uint32_t to, int el)
{
  int out = condition_of(el, o->out), k = condition_of(el, o->in);
  float required = v->n.required[to].v[out];
  if (time_absent(required)) return;
  int clock = v->f.count.derates && clock_node(v, to);
  required = required - derated(d->delay, derate_of(v, v->f.arc_derate, o->arc, clock, out));
  required = required + (o->use & FLAT_LAUNCH ? left_out_before(v, from, to, k) : 0);
  lane_tighten(&v->n.required[from].v[k], el, required);
  if (o->wire)
    wire_back(v, o->load, d->wire, o->wire, o->driver_node, from - o->from_node, from, required, k);
}

SL_HD void out_lane(const FlatView *v, const FlatOut *o, const OutDelays *d, int el)
{
  if (!(o->use & FLAT_ON)) return;
  for (uint32_t n = 0; o->nodes != FLAT_MAPPED && n < o->nodes; n++)
    out_node(v, o, d, o->from_node + n, o->to_node + n, el);
  if (o->nodes != FLAT_MAPPED) return;
  Joined j = joined(v, v->f.arc_map[o->arc], v->f.arc_from[o->arc], v->f.arc_to[o->arc]);
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    if (p.mask >> (2 * o->in + o->out) & 1) out_node(v, o, d, p.from, p.to, el);
  }
}

#endif
