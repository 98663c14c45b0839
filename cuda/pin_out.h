/* The backward work of one lane: a timing edge, early or late (see pin_required.cu). */
#ifndef SL_CUDA_PIN_OUT_H
#define SL_CUDA_PIN_OUT_H

#include "cuda/pin.h"

SL_HD void tighten_driver(const FlatView *view, uint32_t load, float wire, uint32_t driver,
                          uint32_t to, float required, int k)
{
  int clock = view->f.count.derates && clock_node(view, to);
  lane_tighten(&view->n.required[driver].v[k], k >> 1,
               required - derated(wire, derate_of(view, view->f.wire_derate, load, clock, k)));
}

SL_HD void joined_back(const FlatView *view, Joined j, uint32_t load, float wire, uint32_t node,
                       float required, int k)
{
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(view, &j, n);
    if (p.to == node && p.mask >> (3 * (k & 1)) & 1)
      tighten_driver(view, load, wire, p.from, node, required, k);
  }
}

/* Takes a required time from a node of a load to the nodes of its drivers. number: that of the node
   at the load's slot. */
SL_HD void wire_back(const FlatView *view, uint32_t load, float wire, uint32_t joins,
                     uint32_t driver_node, uint32_t number, uint32_t node, float required, int k)
{
  if (joins != FLAT_MAPPED) {
    if (number < joins) tighten_driver(view, load, wire, driver_node + number, node, required, k);
    return;
  }
  FlatLoad r = view->f.loads[load];
  joined_back(view, joined(view, view->f.wire_map[r.slot], r.driver, r.slot), load, wire, node,
              required, k);
  for (uint32_t i = is_shared(view, r.slot) ? view->f.load_extra[load] : FLAT_NONE;
       i != FLAT_NONE && i < view->f.load_extra[load + 1]; i++)
    joined_back(view, joined(view, view->f.extras[i].map, view->f.extras[i].driver, r.slot), load,
                view->n.extra_delay[i].v[k], node, required, k);
}

/* Takes the required time of a load that is an endpoint to its drivers. */
SL_HD void end_load_lane(const FlatView *view, uint32_t load, int k)
{
  FlatLoad r = view->f.loads[load];
  uint32_t end = view->f.node_first[r.slot + 1];
  for (uint32_t n = r.node; n < end; n++) {
    float required = view->n.required[n].v[k];
    if (!time_absent(required))
      wire_back(view, load, view->n.wire_delay[load].v[k], r.wire, r.driver_node, n - r.node, n,
                required, k);
  }
}

SL_HD float left_out_before(const FlatView *view, uint32_t from, uint32_t to, int k)
{
  if (!(view->f.tag_use[view->f.node_tag[to]] & FLAT_BARE)) return 0;
  float arrival = view->n.arrival[from].v[k];
  return time_absent(arrival) ? 0 : arrival;
}

/* Delays of an edge and of the wire to its start. They come from an earlier phase, so they are read
   before the numbers that the level waits for. */
typedef struct { float delay, wire; } OutDelays;

SL_HD OutDelays out_delays(const FlatView *view, const FlatOut *out, int el)
{
  OutDelays d;
  d.delay = view->n.edge_delay[out->edge].v[el];
  d.wire = out->wire ? view->n.wire_delay[out->load].v[condition_of(el, out->in)] : 0;
  return d;
}

SL_HD void out_node(const FlatView *view, const FlatOut *flat_out, const OutDelays *delays,
                    uint32_t from, uint32_t to, int el)
{
  int out = condition_of(el, flat_out->out), k = condition_of(el, flat_out->in);
  float required = view->n.required[to].v[out];
  if (time_absent(required)) return;
  int clock = view->f.count.derates && clock_node(view, to);
  required =
      required
      - derated(delays->delay, derate_of(view, view->f.arc_derate, flat_out->arc, clock, out));
  required = required + (flat_out->use & FLAT_LAUNCH ? left_out_before(view, from, to, k) : 0);
  lane_tighten(&view->n.required[from].v[k], el, required);
  if (flat_out->wire)
    wire_back(view, flat_out->load, delays->wire, flat_out->wire, flat_out->driver_node,
              from - flat_out->from_node, from, required, k);
}

SL_HD void out_lane(const FlatView *view, const FlatOut *out, const OutDelays *delays, int el)
{
  if (!(out->use & FLAT_ON)) return;
  for (uint32_t n = 0; out->nodes != FLAT_MAPPED && n < out->nodes; n++)
    out_node(view, out, delays, out->from_node + n, out->to_node + n, el);
  if (out->nodes != FLAT_MAPPED) return;
  Joined j =
      joined(view, view->f.arc_map[out->arc], view->f.arc_from[out->arc], view->f.arc_to[out->arc]);
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(view, &j, n);
    if (p.mask >> (2 * out->in + out->out) & 1) out_node(view, out, delays, p.from, p.to, el);
  }
}

#endif
