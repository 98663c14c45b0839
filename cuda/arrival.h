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

SL_HD Joined joined(const FlatView *v, uint32_t map, uint32_t from, uint32_t to)
{
  Joined j;
  j.first_from = v->f.node_first[from];
  j.first_to = v->f.node_first[to];
  j.identity = map == 0;
  j.entry = j.identity ? 0 : v->f.map_first[map];
  j.count = j.identity ? v->f.node_first[to + 1] - j.first_to : v->f.map_first[map + 1] - j.entry;
  return j;
}

SL_HD JoinedPair joined_pair(const FlatView *v, const Joined *j, uint32_t n)
{
  JoinedPair p;
  if (j->identity) {
    p.from = j->first_from + n;
    p.to = j->first_to + n;
    p.mask = 15;
    return p;
  }
  FlatMapEntry e = v->f.map_entries[j->entry + n];
  p.from = j->first_from + e.from;
  p.to = j->first_to + e.to;
  p.mask = e.mask;
  return p;
}

/* Returns a derate factor; 1 if none was set. index: the row of each arc, load or check. */
SL_HD float derate_of(const FlatView *v, const uint32_t *index, uint32_t at, int clock,
                      int condition)
{
  return v->f.count.derates ? v->f.derates[index[at]].factor[clock][condition] : 1.0f;
}

SL_HD int clock_node(const FlatView *v, uint32_t node)
{
  return (v->f.tag_use[v->f.node_tag[node]] & FLAT_CLOCK) != 0;
}

/* As timing_ideal_latency: returns the latency of an ideal clock; for a generated clock with the
   arrival at its source. */
SL_HD float ideal_latency(const FlatView *v, uint32_t tag, int early_late, int edge)
{
  float latency = v->f.tag_latency[tag].v[condition_of(early_late, edge)];
  uint32_t origin = v->f.tag_origin[tag];
  if (origin == FLAT_NONE) return latency;
  float source = v->n.arrival[origin]
                     .v[condition_of(early_late, v->f.tag_use[tag] & FLAT_FALLS ? FALL : RISE)];
  return time_absent(source) ? latency : latency + source;
}

/* As timing_launch_arrival: returns the arrival with which data leaves a clock pin. */
SL_HD float launch_arrival(const FlatView *v, uint32_t from, uint32_t to, int condition)
{
  float arrival = v->n.arrival[from].v[condition];
  uint32_t tag = v->f.node_tag[from];
  if (time_absent(arrival)) return arrival;
  if (v->f.tag_use[v->f.node_tag[to]] & FLAT_BARE) return 0;
  return v->f.tag_use[tag] & FLAT_IDEAL ? ideal_latency(v, tag, condition >> 1, condition & 1)
                                        : arrival;
}

/* As cpu_left_out: returns the latency that a bare tag leaves out at its launch. The required time
   before the launch is later by as much. */
SL_HD float left_out(const FlatView *v, uint32_t arc, uint32_t from, uint32_t to, int condition)
{
  if (!(v->f.tag_use[v->f.node_tag[to]] & FLAT_BARE) || !(v->f.arc_use[arc] & FLAT_LAUNCH))
    return 0;
  float arrival = v->n.arrival[from].v[condition];
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

SL_HD float seed_arrival(const FlatView *v, uint32_t seed, int condition)
{
  float value = v->n.seed_value[seed].v[condition];
  uint32_t origin = v->f.seed_origin[seed];
  if (origin == FLAT_NONE) return value;
  float latency = v->n.arrival[origin].v[condition_of(condition >> 1, v->f.seed_edge[seed])];
  return time_absent(latency) ? value : value + latency;
}

SL_HD void seed_arrivals(const FlatView *v, uint32_t slot)
{
  for (uint32_t i = first_of_slot(v->f.seed_slot, v->f.count.seeds, slot);
       i < v->f.count.seeds && v->f.seed_slot[i] == slot; i++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float value = seed_arrival(v, i, k);
      if (value == value) time_merge(&v->n.arrival[v->f.seed_node[i]].v[k], k >> 1, value);
    }
}

/* As timing_link_arrival: an ideal master arrives with its latency, whatever the delay of its
   network. */
SL_HD float link_arrival(const FlatView *v, const FlatLink *l, int early_late)
{
  float arrival = v->n.arrival[l->from].v[condition_of(early_late, l->edge)];
  uint32_t tag = v->f.node_tag[l->from];
  if (time_absent(arrival) || !(v->f.tag_use[tag] & FLAT_IDEAL)) return arrival;
  return ideal_latency(v, tag, early_late, v->f.tag_use[tag] & FLAT_FALLS ? FALL : RISE);
}

/* Computes the arrivals of generated clocks at a slot from those of their masters. It comes after
   all other arrivals of the slot. */
SL_HD void link_arrivals(const FlatView *v, uint32_t slot)
{
  for (uint32_t i = first_of_slot(v->f.link_slot, v->f.count.links, slot);
       i < v->f.count.links && v->f.link_slot[i] == slot; i++) {
    const FlatLink *l = &v->f.links[i];
    for (int el = EARLY; el <= LATE; el++) {
      int condition = condition_of(el, l->edge);
      float arrival = link_arrival(v, l, el);
      if (l->conditions >> condition & 1 && !time_absent(arrival))
        time_merge(&v->n.arrival[l->to].v[condition], el, arrival);
    }
  }
}

/* Takes the arrivals that a latch passes on to its output. */
SL_HD void latch_arrivals(const FlatView *v, uint32_t slot)
{
  for (uint32_t n = v->f.node_first[slot]; n < v->f.node_first[slot + 1]; n++)
    for (int edge = RISE; edge <= FALL; edge++)
      cond_merge(&v->n.arrival[n], LATE, edge, v->n.latch_late[n].v[edge]);
}

SL_HD void clear_arrivals(const FlatView *v, uint32_t slot)
{
  for (uint32_t n = v->f.node_first[slot]; n < v->f.node_first[slot + 1]; n++)
    v->n.arrival[n] = cond_nothing();
}

SL_HD void arc_arrivals(const FlatView *v, uint32_t arc, JoinedPair p)
{
  int launch = (v->f.arc_use[arc] & FLAT_LAUNCH) != 0,
      clock = v->f.count.derates && clock_node(v, p.to);
  uint32_t e = v->f.edge_first[arc];
  Cond4 *to = &v->n.arrival[p.to];
  for (uint32_t pairs = v->f.arc_pairs[arc]; pairs; pairs &= pairs - 1, e++) {
    int bit = lowest_pair(pairs);
    if (!(p.mask >> bit & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      int in = condition_of(el, bit >> 1), out = condition_of(el, bit & 1);
      float start = launch ? launch_arrival(v, p.from, p.to, in) : v->n.arrival[p.from].v[in];
      if (time_absent(start)) continue;
      time_merge(&to->v[out], el,
                 start
                     + derated(v->n.edge_delay[e].v[el],
                               derate_of(v, v->f.arc_derate, arc, clock, out)));
    }
  }
}

SL_HD void driver_arrivals(const FlatView *v, uint32_t slot)
{
  clear_arrivals(v, slot);
  for (uint32_t a = v->f.arc_first[slot]; a < v->f.arc_first[slot + 1]; a++) {
    if (!(v->f.arc_use[a] & FLAT_ON)) continue;
    Joined j = joined(v, v->f.arc_map[a], v->f.arc_from[a], slot);
    for (uint32_t n = 0; n < j.count; n++) arc_arrivals(v, a, joined_pair(v, &j, n));
  }
  if (v->f.slot_use[slot] & FLAT_SEED) seed_arrivals(v, slot);
  if (v->f.slot_use[slot] & FLAT_LATCHED) latch_arrivals(v, slot);
  if (v->f.slot_use[slot] & FLAT_LINKED) link_arrivals(v, slot);
}

SL_HD void wire_arrivals(const FlatView *v, Joined j, uint32_t index, Cond4 delay)
{
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    int clock = v->f.count.derates && clock_node(v, p.to);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float start = v->n.arrival[p.from].v[k];
      if (!(p.mask >> (3 * (k & 1)) & 1) || time_absent(start)) continue;
      time_merge(&v->n.arrival[p.to].v[k], k >> 1,
                 start + derated(delay.v[k], derate_of(v, v->f.wire_derate, index, clock, k)));
    }
  }
}

SL_HD void extra_arrivals(const FlatView *v, uint32_t load, uint32_t index)
{
  for (uint32_t i = v->f.load_extra[index]; i < v->f.load_extra[index + 1]; i++) {
    FlatExtra x = v->f.extras[i];
    wire_arrivals(v, joined(v, x.map, x.driver, load), index, v->n.extra_delay[i]);
  }
}

/* Computes the arrivals of a load. driver: FLAT_NONE if nothing drives it. */
SL_HD void load_arrivals(const FlatView *v, uint32_t load, uint32_t driver, uint32_t index)
{
  clear_arrivals(v, load);
  if (v->f.node_first[load + 1] == v->f.node_first[load]) return;
  if (v->f.slot_use[load] & FLAT_SEED) seed_arrivals(v, load);
  if (driver != FLAT_NONE)
    wire_arrivals(v, joined(v, v->f.wire_map[load], driver, load), index, v->n.wire_delay[index]);
  if (driver != FLAT_NONE && is_shared(v, load)) extra_arrivals(v, load, index);
  if (v->f.slot_use[load] & FLAT_LINKED) link_arrivals(v, load);
}

/* Computes the arrivals of a driver and of those of its loads that have no other driver. */
SL_HD void net_arrivals(const FlatView *v, const DriverWork *w)
{
  driver_arrivals(v, w->slot);
  for (uint32_t s = w->first_load; s < w->end_load; s++)
    if (!is_shared(v, s)) load_arrivals(v, s, w->slot, s - w->load_shift);
}

#endif
