/* Computes arrivals of one driver and its loads (see cpu/cpu_arrival.c). */
#ifndef SL_CUDA_ARRIVAL_H
#define SL_CUDA_ARRIVAL_H

#include "cuda/delay.h"

/* The pairs of nodes that a map joins between two slots. joined_pair returns the n-th pair. */
typedef struct {
  uint32_t first_from, first_to, entry, count;
  int      identity;
} Joined;

typedef struct { uint32_t from, to, mask; } JoinedPair;

SL_HD Joined joined(const FlatView *view, uint32_t map, uint32_t from, uint32_t to)
{
  Joined j;
  j.first_from = view->f.node_first[from];
  j.first_to = view->f.node_first[to];
  j.identity = map == 0;
  j.entry = j.identity ? 0 : view->f.map_first[map];
  j.count =
      j.identity ? view->f.node_first[to + 1] - j.first_to : view->f.map_first[map + 1] - j.entry;
  return j;
}

SL_HD JoinedPair joined_pair(const FlatView *view, const Joined *joined, uint32_t n)
{
  JoinedPair p;
  if (joined->identity) {
    p.from = joined->first_from + n;
    p.to = joined->first_to + n;
    p.mask = 15;
    return p;
  }
  FlatMapEntry e = view->f.map_entries[joined->entry + n];
  p.from = joined->first_from + e.from;
  p.to = joined->first_to + e.to;
  p.mask = e.mask;
  return p;
}

/* Returns a derate factor; 1 if none was set. index: the row of each arc, load or check. */
SL_HD float derate_of(const FlatView *view, const uint32_t *index, uint32_t at, int clock,
                      int condition)
{
  return view->f.count.derates ? view->f.derates[index[at]].factor[clock][condition] : 1.0f;
}

SL_HD int clock_node(const FlatView *view, uint32_t node)
{
  return (view->f.tag_use[view->f.node_tag[node]] & FLAT_CLOCK) != 0;
}

/* As timing_ideal_latency: returns the latency of an ideal clock; for a generated clock with the
   arrival at its source. */
SL_HD float ideal_latency(const FlatView *view, uint32_t tag, int early_late, int edge)
{
  float latency = view->f.tag_latency[tag].v[condition_of(early_late, edge)];
  uint32_t origin = view->f.tag_origin[tag];
  if (origin == FLAT_NONE) return latency;
  float source = view->n.arrival[origin]
                     .v[condition_of(early_late, view->f.tag_use[tag] & FLAT_FALLS ? FALL : RISE)];
  return time_absent(source) ? latency : latency + source;
}

/* As timing_launch_arrival: returns the arrival with which data leaves a clock pin. */
SL_HD float launch_arrival(const FlatView *view, uint32_t from, uint32_t to, int condition)
{
  float arrival = view->n.arrival[from].v[condition];
  uint32_t tag = view->f.node_tag[from];
  if (time_absent(arrival)) return arrival;
  if (view->f.tag_use[view->f.node_tag[to]] & FLAT_BARE) return 0;
  return view->f.tag_use[tag] & FLAT_IDEAL ? ideal_latency(view, tag, condition >> 1, condition & 1)
                                           : arrival;
}

/* As cpu_left_out: returns the latency that a bare tag leaves out at its launch. The required time
   before the launch is later by as much. */
SL_HD float left_out(const FlatView *view, uint32_t arc, uint32_t from, uint32_t to, int condition)
{
  if (!(view->f.tag_use[view->f.node_tag[to]] & FLAT_BARE) || !(view->f.arc_use[arc] & FLAT_LAUNCH))
    return 0;
  float arrival = view->n.arrival[from].v[condition];
  return time_absent(arrival) ? 0 : arrival;
}

/* Returns the first index in a sorted list whose slot is not below `slot`. */
SL_HD uint32_t first_of_slot(const uint32_t *slots, uint32_t count, uint32_t slot)
{
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (slots[middle] < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

SL_HD float seed_arrival(const FlatView *view, uint32_t seed, int condition)
{
  float value = view->n.seed_value[seed].v[condition];
  uint32_t origin = view->f.seed_origin[seed];
  if (origin == FLAT_NONE) return value;
  float latency = view->n.arrival[origin].v[condition_of(condition >> 1, view->f.seed_edge[seed])];
  return time_absent(latency) ? value : value + latency;
}

SL_HD void seed_arrivals(const FlatView *view, uint32_t slot)
{
  for (uint32_t i = first_of_slot(view->f.seed_slot, view->f.count.seeds, slot);
       i < view->f.count.seeds && view->f.seed_slot[i] == slot; i++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float value = seed_arrival(view, i, k);
      if (value == value) time_merge(&view->n.arrival[view->f.seed_node[i]].v[k], k >> 1, value);
    }
}

/* As timing_link_arrival: an ideal master arrives with its latency, whatever the delay of its
   network. */
SL_HD float link_arrival(const FlatView *view, const FlatLink *link, int early_late)
{
  float arrival = view->n.arrival[link->from].v[condition_of(early_late, link->edge)];
  uint32_t tag = view->f.node_tag[link->from];
  if (time_absent(arrival) || !(view->f.tag_use[tag] & FLAT_IDEAL)) return arrival;
  return ideal_latency(view, tag, early_late, view->f.tag_use[tag] & FLAT_FALLS ? FALL : RISE);
}

/* Computes the arrivals of generated clocks at a slot from those of their masters. It comes after
   all other arrivals of the slot. */
SL_HD void link_arrivals(const FlatView *view, uint32_t slot)
{
  for (uint32_t i = first_of_slot(view->f.link_slot, view->f.count.links, slot);
       i < view->f.count.links && view->f.link_slot[i] == slot; i++) {
    const FlatLink *link = &view->f.links[i];
    for (int el = EARLY; el <= LATE; el++) {
      int condition = condition_of(el, link->edge);
      float arrival = link_arrival(view, link, el);
      if (link->conditions >> condition & 1 && !time_absent(arrival))
        time_merge(&view->n.arrival[link->to].v[condition], el, arrival);
    }
  }
}

/* Takes the arrivals that a latch passes on to its output. */
SL_HD void latch_arrivals(const FlatView *view, uint32_t slot)
{
  for (uint32_t n = view->f.node_first[slot]; n < view->f.node_first[slot + 1]; n++)
    for (int edge = RISE; edge <= FALL; edge++)
      cond_merge(&view->n.arrival[n], LATE, edge, view->n.latch_late[n].v[edge]);
}

SL_HD void clear_arrivals(const FlatView *view, uint32_t slot)
{
  for (uint32_t n = view->f.node_first[slot]; n < view->f.node_first[slot + 1]; n++)
    view->n.arrival[n] = cond_nothing();
}

SL_HD void arc_arrivals(const FlatView *view, uint32_t arc, JoinedPair p)
{
  int launch = (view->f.arc_use[arc] & FLAT_LAUNCH) != 0,
      clock = view->f.count.derates && clock_node(view, p.to);
  uint32_t e = view->f.edge_first[arc];
  Cond4 *to = &view->n.arrival[p.to];
  for (uint32_t pairs = view->f.arc_pairs[arc]; pairs; pairs &= pairs - 1, e++) {
    int bit = lowest_pair(pairs);
    if (!(p.mask >> bit & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      int in = condition_of(el, bit >> 1), out = condition_of(el, bit & 1);
      float start = launch ? launch_arrival(view, p.from, p.to, in) : view->n.arrival[p.from].v[in];
      if (time_absent(start)) continue;
      time_merge(&to->v[out], el,
                 start
                     + derated(view->n.edge_delay[e].v[el],
                               derate_of(view, view->f.arc_derate, arc, clock, out)));
    }
  }
}

SL_HD void driver_arrivals(const FlatView *view, uint32_t slot)
{
  clear_arrivals(view, slot);
  for (uint32_t a = view->f.arc_first[slot]; a < view->f.arc_first[slot + 1]; a++) {
    if (!(view->f.arc_use[a] & FLAT_ON)) continue;
    Joined j = joined(view, view->f.arc_map[a], view->f.arc_from[a], slot);
    for (uint32_t n = 0; n < j.count; n++) arc_arrivals(view, a, joined_pair(view, &j, n));
  }
  if (view->f.slot_use[slot] & FLAT_SEED) seed_arrivals(view, slot);
  if (view->f.slot_use[slot] & FLAT_LATCHED) latch_arrivals(view, slot);
  if (view->f.slot_use[slot] & FLAT_LINKED) link_arrivals(view, slot);
}

SL_HD void wire_arrivals(const FlatView *view, Joined j, uint32_t index, Cond4 delay)
{
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(view, &j, n);
    int clock = view->f.count.derates && clock_node(view, p.to);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float start = view->n.arrival[p.from].v[k];
      if (!(p.mask >> (3 * (k & 1)) & 1) || time_absent(start)) continue;
      time_merge(&view->n.arrival[p.to].v[k], k >> 1,
                 start
                     + derated(delay.v[k], derate_of(view, view->f.wire_derate, index, clock, k)));
    }
  }
}

SL_HD void extra_arrivals(const FlatView *view, uint32_t load, uint32_t index)
{
  for (uint32_t i = view->f.load_extra[index]; i < view->f.load_extra[index + 1]; i++) {
    FlatExtra x = view->f.extras[i];
    wire_arrivals(view, joined(view, x.map, x.driver, load), index, view->n.extra_delay[i]);
  }
}

/* Computes the arrivals of a load. driver: FLAT_NONE if nothing drives it. */
SL_HD void load_arrivals(const FlatView *view, uint32_t load, uint32_t driver, uint32_t index)
{
  clear_arrivals(view, load);
  if (view->f.node_first[load + 1] == view->f.node_first[load]) return;
  if (view->f.slot_use[load] & FLAT_SEED) seed_arrivals(view, load);
  if (driver != FLAT_NONE)
    wire_arrivals(view, joined(view, view->f.wire_map[load], driver, load), index,
                  view->n.wire_delay[index]);
  if (driver != FLAT_NONE && is_shared(view, load)) extra_arrivals(view, load, index);
  if (view->f.slot_use[load] & FLAT_LINKED) link_arrivals(view, load);
}

/* Computes the arrivals of a driver and of those of its loads that have no other driver. */
SL_HD void net_arrivals(const FlatView *view, const DriverWork *work)
{
  driver_arrivals(view, work->slot);
  for (uint32_t s = work->first_load; s < work->end_load; s++)
    if (!is_shared(view, s)) load_arrivals(view, s, work->slot, s - work->load_shift);
}

#endif
