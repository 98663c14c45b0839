/* Common path credit: the work of one lane (see cpu/cpu_credit.c, cpu/cpu_credit_required.c,
   timing/credit.c).

   A lane computes the list of a node and condition. It reads the lists of an earlier level in the
   same order as the CPU and makes a front with the same function. So lists have the same bytes as
   on the CPU, but their places in memory vary. */
#ifndef SL_CUDA_CREDIT_LANES_H
#define SL_CUDA_CREDIT_LANES_H

#include "cuda/block_kernel.h"
#include "cuda/end_lanes.h"
#include "device/flat_credit.h"

/* Lists of launches, or of captures, by common_index. */
typedef struct {
  FrontCell *cell;                 /* [4 * nodes] */
  FrontCell *heap;                 /* [room]: lists of more than one item */
  uint32_t   room;
} FrontLists;

/* What a phase counts. If memory was too small, the counts say how much the phase needs. */
typedef struct {
  unsigned long long used[2];      /* cells in use of each heap of lists */
  unsigned long long scratch;      /* bytes that the neediest kernel uses of the scratch memory */
  float    most;                   /* the largest credit in the clock tree */
  uint32_t too_long;               /* is a list so long that a page may not hold it? */
  uint32_t latched;                /* number of arrivals that latches pass on */
} CreditCounts;

enum { LAUNCHES, CAPTURES };

/* Scratch memory for an item and its step, in bytes. It is rounded up, so that the next item is
   aligned. */
enum { ITEM_WORK = 24 };

/* The argument of the kernels of common path credit, beside FlatView. */
typedef struct {
  FlatCredit f;
  CommonView common;               /* over these arrays and `credit` */
  Pair      *own, *credit;         /* [points] by edge: the difference of arrivals at the point,
                                      and the credit that counts */
  FrontLists lists[2];
  char      *scratch;              /* scratch memory of [scratch_room] bytes; each kernel allocates
                                      from its start */
  size_t     scratch_room;
  unsigned long long *scratch_used;        /* by kernel: bytes allocated */
  FlatLatched *latched;            /* [latched_room] */
  uint32_t   latched_room;
  CreditCounts *counts;
} CreditView;

#define SL_CREDIT(c) SL_GIVEN(CreditView, c)

SL_HD unsigned long long lane_take(unsigned long long *counter, uint32_t n)
{
#ifdef __CUDA_ARCH__
  return atomicAdd(counter, (unsigned long long)n);
#else
  unsigned long long at = *counter;
  *counter += n;
  return at;
#endif
}

SL_HD void lane_most(unsigned long long *most, unsigned long long x)
{
#ifdef __CUDA_ARCH__
  atomicMax(most, x);
#else
  *most = x > *most ? x : *most;
#endif
}

SL_HD uint32_t list_index(uint32_t node, int k) { return 4 * node + (uint32_t)k; }

/* As common_badness. For required times the signs are reversed. */
SL_HD float badness_of(float x, int early_late) { return early_late == LATE ? x : -x; }

/* --- credits of the clock tree ---------------------------------------------------------------- */
#define CREDIT_NONE 1e38f          /* in `own`: no arrival at the point */

/* Merges late less early arrival of a clock node into its point: the least over the edges that
   arrive. */
SL_HD void clock_difference(const FlatView *view, const CreditView *credit_view, uint32_t i)
{
  uint32_t node = credit_view->f.clock_node[i], leaf = credit_view->f.clock_leaf[i];
  for (int edge = RISE; edge <= FALL; edge++) {
    float late = view->n.arrival[node].v[condition_of(LATE, edge)],
          early = view->n.arrival[node].v[condition_of(EARLY, edge)];
    if (!time_absent(late) && !time_absent(early))
      lane_merge(&credit_view->own[leaf >> 1].v[leaf & 1], EARLY, late - early);
  }
}

/* Sets the credit of a point: the largest difference of the point itself and of all points above
   it. So credit never falls on the way down from the root. */
SL_HD void settle_credit(const CreditView *view, uint32_t point, uint32_t edge)
{
  float most = 0;
  for (uint32_t at = point, p = edge; at != 0; at = view->f.point[at].parent) {
    float own = view->own[at].v[p];
    if (own < CREDIT_NONE && own > most) most = own;
    if (view->f.point[at].clock_root == at) p = view->f.edge_above[at] >> p & 1;
  }
  view->credit[point].v[edge] = most;
  if (most > 0) lane_merge(&view->counts->most, LATE, most);
}

/* --- lists ------------------------------------------------------------------------------------ */
typedef struct {
  const CommonItem *items;
  uint32_t count;
} FrontItems;

/* As fronts_get. */
SL_HD FrontItems front_items(const FrontLists *lists, uint32_t index)
{
  FrontItems r;
  const FrontCell *cell = &lists->cell[index];
  if (cell->far.mark != FRONTS_BLOCK) {
    r.count = cell->far.mark != FRONTS_NO_LIST;
    r.items = &cell->item;
    return r;
  }
  const FrontCell *head = &lists->heap[cell->far.block];
  r.count = head->head.count;
  r.items = &head[1].item;
  return r;
}

/* Returns a block of a heap that lies within one page. NULL: the heap is too small. */
SL_HD FrontCell *take_block(const CreditView *view, int which, uint32_t count, uint32_t *block)
{
  const FrontLists *lists = &view->lists[which];
  unsigned long long at;
  if (count >= 1u << (FRONTS_PAGE_BITS - 1)) {      /* a shorter block fits into the next page if it
                                                       does not fit into this one */
    view->counts->too_long = 1;
    return 0;
  }
  do at = lane_take(&view->counts->used[which], count + 1);
  while (at >> FRONTS_PAGE_BITS != (at + count) >> FRONTS_PAGE_BITS);
  if (at + count >= lists->room) return 0;
  *block = (uint32_t)at;
  lists->heap[at].head.count = lists->heap[at].head.room = count;
  return &lists->heap[at];
}

/* Returns scratch memory of a kernel for items and their steps. NULL: there is too little. */
SL_HD CommonItem *take_items(const CreditView *view, uint32_t kernel, uint32_t count)
{
  unsigned long long at = lane_take(&view->scratch_used[kernel], count * ITEM_WORK),
                     end = at + count * ITEM_WORK;
  lane_most(&view->counts->scratch, end);
  return end > view->scratch_room ? 0 : (CommonItem *)(view->scratch + at);
}

/* The items that come to a list, from a number of sources. `count` counts all items; `items` holds
   as many as there is room for. */
typedef struct {
  CommonItem *items;
  uint32_t room, count, sources;
} Collected;

SL_HD void collect(Collected *collected, FrontItems list, float gain)
{
  if (list.count == 0) return;
  collected->sources++;
  for (uint32_t i = 0; i < list.count && collected->count + i < collected->room; i++) {
    collected->items[collected->count + i].badness = list.items[i].badness + gain;
    collected->items[collected->count + i].leaf = list.items[i].leaf;
  }
  collected->count += list.count;
}

SL_HD void collect_one(Collected *collected, float badness, uint32_t leaf)
{
  CommonItem item;
  FrontItems list = { &item, 1 };
  item.badness = badness;
  item.leaf = leaf;
  collect(collected, list, 0);             /* adding 0 makes +0 of -0 */
}

/* --- launches --------------------------------------------------------------------------------- */
SL_HD void carry_launches(const CreditView *view, Collected *collected, uint32_t from, int in,
                          float delay)
{
  collect(collected, front_items(&view->lists[LAUNCHES], list_index(from, in)),
          badness_of(delay, in >> 1));
}

SL_HD void arc_launches(const FlatView *view, const CreditView *credit_view, Collected *collected,
                        uint32_t arc, JoinedPair pair, int k)
{
  int from_clock = clock_node(view, pair.from), el = k >> 1;
  uint32_t e = view->f.edge_first[arc];
  float factor = derate_of(view, view->f.arc_derate, arc, 0, k);
  for (uint32_t pairs = view->f.arc_pairs[arc]; pairs; pairs &= pairs - 1, e++) {
    int bit = lowest_pair(pairs), in = condition_of(el, bit >> 1);
    if ((bit & 1) != (k & 1) || !(pair.mask >> bit & 1)) continue;
    float delay = derated(view->n.edge_delay[e].v[el], factor);
    if (!from_clock) {
      carry_launches(credit_view, collected, pair.from, in, delay);
      continue;
    }
    float start = launch_arrival(view, pair.from, pair.to, in);
    if (!time_absent(start))
      collect_one(collected, badness_of(start + delay, el), credit_view->f.node_leaf[pair.from]);
  }
}

/* Returns pairs of a map. The caller visits them from *n on and takes those that end at the node;
   none of them is missing. In an identity map there is one such pair, and *n is its number. */
SL_HD Joined joined_to(const FlatView *view, uint32_t map, uint32_t from, uint32_t to,
                       uint32_t node, uint32_t *n)
{
  Joined j = joined(view, map, from, to);
  *n = j.identity ? node - j.first_to : 0;
  if (j.identity) j.count = *n + 1;
  return j;
}

SL_HD void driver_launches(const FlatView *view, const CreditView *credit_view,
                           Collected *collected, uint32_t slot, uint32_t node, int k)
{
  for (uint32_t a = view->f.arc_first[slot]; a < view->f.arc_first[slot + 1]; a++) {
    uint32_t n;
    if (!(view->f.arc_use[a] & FLAT_ON)) continue;
    for (Joined j = joined_to(view, view->f.arc_map[a], view->f.arc_from[a], slot, node, &n);
         n < j.count; n++) {
      JoinedPair p = joined_pair(view, &j, n);
      if (p.to == node) arc_launches(view, credit_view, collected, a, p, k);
    }
  }
}

SL_HD void load_launches(const FlatView *view, const CreditView *credit_view, Collected *collected,
                         uint32_t load, uint32_t node, int k)
{
  const FlatLoad *flat_load = &view->f.loads[load];
  uint32_t n;
  if (flat_load->driver == FLAT_NONE) return;
  float delay =
      derated(view->n.wire_delay[load].v[k], derate_of(view, view->f.wire_derate, load, 0, k));
  for (Joined j = joined_to(view, view->f.wire_map[flat_load->slot], flat_load->driver,
                            flat_load->slot, node, &n);
       n < j.count; n++) {
    JoinedPair p = joined_pair(view, &j, n);
    if (p.to == node && p.mask >> (3 * (k & 1)) & 1)
      carry_launches(credit_view, collected, p.from, k, delay);
  }
}

SL_HD void seed_launches(const FlatView *view, const CreditView *credit_view, Collected *collected,
                         uint32_t slot, uint32_t node, int k)
{
  for (uint32_t i = first_of_slot(view->f.seed_slot, view->f.count.seeds, slot);
       i < view->f.count.seeds && view->f.seed_slot[i] == slot; i++) {
    float value = view->f.seed_node[i] == node ? seed_arrival(view, i, k) : 0;
    if (view->f.seed_node[i] == node && value == value)
      collect_one(collected, badness_of(value, k >> 1), credit_view->f.seed_leaf[i]);
  }
}

SL_HD void latch_launches(const CreditView *view, Collected *collected, uint32_t node, int k)
{
  uint32_t low = 0, high = view->counts->latched;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (view->latched[middle].node < node) low = middle + 1;
    else high = middle;
  }
  for (; low < view->counts->latched && view->latched[low].node == node; low++)
    if (view->latched[low].edge == (uint32_t)(k & 1))
      collect_one(collected, view->latched[low].arrival, view->latched[low].leaf);
}

SL_HD void launches(const FlatView *view, const CreditView *credit_view, const FlatLevel *level,
                    Collected *collected, uint32_t node, int k)
{
  uint32_t slot = credit_view->f.node_slot[node];
  if (clock_node(view, node)) return;
  if (view->f.slot_use[slot] & FLAT_DRIVER)
    driver_launches(view, credit_view, collected, slot, node, k);
  else load_launches(view, credit_view, collected, slot - level->load_shift, node, k);
  if (view->f.slot_use[slot] & FLAT_SEED)
    seed_launches(view, credit_view, collected, slot, node, k);
  if (view->f.slot_use[slot] & FLAT_LATCHED && k >> 1 == LATE)
    latch_launches(credit_view, collected, node, k);
}

/* --- path ends -------------------------------------------------------------------------------- */
/* As common_arrival. */
SL_HD float credited_arrival(const FlatView *view, const CreditView *credit_view, uint32_t node,
                             int k, uint32_t capture)
{
  float arrival = view->n.arrival[node].v[k];
  if (clock_node(view, node)) {
    if (time_absent(arrival)) return arrival;
    float credit = common_credit(&credit_view->common, credit_view->f.node_leaf[node], capture);
    return k >> 1 == LATE ? arrival - credit : arrival + credit;
  }
  FrontItems list = front_items(&credit_view->lists[LAUNCHES], list_index(node, k));
  uint32_t index;
  return list.count ? badness_of(
             common_worst(&credit_view->common, list.items, list.count, capture, &index), k >> 1)
                    : arrival;
}

/* As common_end_references. */
SL_HD FrontItems path_end_references(const CreditView *view, uint32_t id, const FlatEnd *end)
{
  const FrontItems none = { 0, 0 };
  return view->f.end_between_data[id]
             ? front_items(&view->lists[LAUNCHES], list_index(end->capture, end->capture_condition))
             : none;
}

/* As CommonCapture. */
typedef struct {
  float    arrival;
  uint32_t leaf;
} PathEndCapture;

/* As common_end_capture. */
SL_HD PathEndCapture path_end_capture(const FlatView *view, const CreditView *credit_view,
                                      uint32_t id, const FlatEnd *end, int edge)
{
  PathEndCapture worst = { 0, 0 };
  float least = 0;
  if (end->capture == FLAT_NONE) return worst;
  FrontItems list = path_end_references(credit_view, id, end);
  if (list.count == 0) {
    worst.arrival = view->n.arrival[end->capture].v[end->capture_condition];
    worst.leaf = credit_view->f.node_leaf[end->capture];
  }
  for (uint32_t i = 0; i < list.count; i++) {
    PathEndCapture x = { badness_of(list.items[i].badness, end->capture_condition >> 1),
                         list.items[i].leaf };
    float arrival = credited_arrival(view, credit_view, end->data,
                                     condition_of(end->late ? LATE : EARLY, edge), x.leaf);
    float slack = end->late ? x.arrival - arrival : arrival - x.arrival;
    if (i && slack >= least) continue;
    least = slack;
    worst = x;
  }
  return worst;
}

/* For a path end and an edge of its data: the required time, and the arrival with credit. */
typedef struct {
  int        has;                  /* is there a required time? */
  PathEndCapture capture;
  float      required, arrival;
} PathEndTimes;

/* As timing_end_leaf: data that is too late for the closing edge of a latch is compared with this
   edge. */
SL_HD void latch_end_times(const FlatView *view, const CreditView *credit_view, const FlatEnd *end,
                           int edge, float open, PathEndTimes *times)
{
  uint32_t close = view->f.latch_ends[end->latch].close;
  LatchTimes due = latch_times(view, end, edge, open);
  due.opens = times->capture.leaf;
  due.closes = close == FLAT_NONE ? due.opens : credit_view->f.node_leaf[close];
  float closing =
      credited_arrival(view, credit_view, end->data, condition_of(LATE, edge), due.closes);
  int late = latch_is_late(due, closing);
  times->arrival =
      late ? closing
           : credited_arrival(view, credit_view, end->data, condition_of(LATE, edge), due.opens);
  times->required = latch_required(due, late, times->arrival);
  if (late) times->capture.leaf = due.closes;
}

SL_HD PathEndTimes path_end_times(const FlatView *view, const CreditView *credit_view, uint32_t id,
                                  const FlatEnd *end, int edge)
{
  PathEndTimes x;
  float capture;
  x.has = 0;
  x.required = x.arrival = 0;
  x.capture.arrival = 0;
  x.capture.leaf = 0;
  if (!(end->edges >> edge & 1)) return x;
  x.capture = path_end_capture(view, credit_view, id, end, edge);
  if (time_absent(x.capture.arrival)) return x;
  capture = end->capture == FLAT_NONE ? end->offset[edge] : x.capture.arrival + end->offset[edge];
  if (time_absent(capture)) return x;
  x.has = 1;
  if (end->latch != FLAT_NONE) {
    latch_end_times(view, credit_view, end, edge, capture, &x);
    return x;
  }
  x.arrival = credited_arrival(view, credit_view, end->data,
                               condition_of(end->late ? LATE : EARLY, edge), x.capture.leaf);
  x.required = path_end_required(view, end, edge, capture, x.arrival);
  return x;
}

SL_HD float path_end_slack_of(const FlatEnd *end, const PathEndTimes *times)
{
  return times->has && !time_absent(times->arrival)
             ? time_slack(end->late ? LATE : EARLY, times->required, times->arrival)
             : NO_SLACK;
}

/* Computes the slack of a path end. Its required times go back by capturing leaf (see below). */
SL_HD void credit_path_end(const FlatView *view, const CreditView *credit_view, uint32_t id,
                           int edge)
{
  FlatEnd r = view->f.path_ends[id];
  PathEndTimes x = path_end_times(view, credit_view, id, &r, edge);
  view->n.end_slack[id].v[edge] = path_end_slack_of(&r, &x);
}

/* Without required times by leaf: all data of a path end has the credit of the worst slack. */
SL_HD void credit_end(const FlatView *view, const CreditView *credit_view, uint32_t slot, int k)
{
  float raw = NO_SLACK, credited = NO_SLACK;
  int el = k >> 1, edge = k & 1;
  for (uint32_t id = view->f.slot_first_end[slot]; id < view->f.slot_first_end[slot + 1]; id++) {
    FlatEnd r = view->f.path_ends[id];
    if ((r.late ? LATE : EARLY) != el) continue;
    PathEndTimes x = path_end_times(view, credit_view, id, &r, edge);
    float slack = view->n.end_slack[id].v[edge] = path_end_slack_of(&r, &x);
    if (slack == NO_SLACK) continue;
    float plain = time_slack(el, x.required, view->n.arrival[r.data].v[k]);
    credited = slack < credited ? slack : credited;
    raw = plain < raw ? plain : raw;
  }
  float gain = credited - raw;
  for (uint32_t id = view->f.slot_first_end[slot]; id < view->f.slot_first_end[slot + 1]; id++) {
    FlatEnd r = view->f.path_ends[id];
    if ((r.late ? LATE : EARLY) != el || view->n.end_slack[id].v[edge] >= NO_SLACK) continue;
    PathEndTimes x = path_end_times(view, credit_view, id, &r, edge);
    time_tighten(&view->n.required[r.data].v[k], el,
                 el == LATE ? x.required + gain : x.required - gain);
  }
}

/* --- captures --------------------------------------------------------------------------------- */
/* Returns the badness of a required time, or the required time of a badness. For early data, a
   later required time is worse. */
SL_HD float required_badness(float required, int early_late)
{
  return badness_of(required, !early_late);
}

/* Tightens the required time of a clock node. Several lanes may work for one node with many
   loads. */
SL_HD void tighten_own(const FlatView *view, uint32_t node, int k, float x)
{
  lane_tighten(&view->n.required[node].v[k], k >> 1, x);
}

/* Collects the required time of a data node from a path end. If the reference is data too, there is
   one for each launch of the reference. */
SL_HD void data_path_end(const CreditView *view, Collected *collected, uint32_t id,
                         const FlatEnd *end, const PathEndTimes *times)
{
  int el = end->late ? LATE : EARLY;
  FrontItems list = path_end_references(view, id, end);
  if (list.count == 0)
    collect_one(collected, required_badness(times->required, el), times->capture.leaf);
  for (uint32_t i = 0; i < list.count; i++) {
    float arrival = required_badness(list.items[i].badness, el);
    collect_one(collected,
                required_badness(times->required + (arrival - times->capture.arrival), el),
                list.items[i].leaf);
  }
}

SL_HD void path_end_captures(const FlatView *view, const CreditView *credit_view,
                             Collected *collected, uint32_t slot, uint32_t node, int k)
{
  for (uint32_t id = view->f.slot_first_end[slot]; id < view->f.slot_first_end[slot + 1]; id++) {
    FlatEnd r = view->f.path_ends[id];
    if (r.data != node || (r.late ? LATE : EARLY) != k >> 1) continue;
    PathEndTimes x = path_end_times(view, credit_view, id, &r, k & 1);
    if (!x.has || time_absent(view->n.arrival[node].v[k])) continue;
    if (!clock_node(view, node)) {
      data_path_end(credit_view, collected, id, &r, &x);
      continue;
    }
    float credit =
        common_credit(&credit_view->common, credit_view->f.node_leaf[node], x.capture.leaf);
    tighten_own(view, node, k, k >> 1 == LATE ? x.required + credit : x.required - credit);
  }
}

SL_HD void back_to_clock(const FlatView *view, const CreditView *credit_view, uint32_t from, int in,
                         FrontItems list, float delay)
{
  int el = in >> 1;
  for (uint32_t i = 0; i < list.count; i++) {
    float credit =
        common_credit(&credit_view->common, credit_view->f.node_leaf[from], list.items[i].leaf);
    float required = required_badness(list.items[i].badness, el) - delay;
    tighten_own(view, from, in, el == LATE ? required + credit : required - credit);
  }
}

SL_HD void back(const FlatView *view, const CreditView *credit_view, Collected *collected,
                JoinedPair p, int in, int out, float delay)
{
  if (clock_node(view, p.to)) {
    float required = view->n.required[p.to].v[out];
    if (!time_absent(required)) tighten_own(view, p.from, in, required - delay);
    return;
  }
  FrontItems list = front_items(&credit_view->lists[CAPTURES], list_index(p.to, out));
  if (clock_node(view, p.from)) back_to_clock(view, credit_view, p.from, in, list, delay);
  else collect(collected, list, required_badness(-delay, out >> 1));
}

SL_HD void arc_captures(const FlatView *view, const CreditView *credit_view, Collected *collected,
                        uint32_t arc, JoinedPair pair, int k)
{
  uint32_t e = view->f.edge_first[arc];
  int clock = view->f.count.derates && clock_node(view, pair.to);
  for (uint32_t pairs = view->f.arc_pairs[arc]; pairs; pairs &= pairs - 1, e++) {
    int bit = lowest_pair(pairs), out = condition_of(k >> 1, bit & 1);
    if (bit >> 1 != (k & 1) || !(pair.mask >> bit & 1)) continue;
    float delay = derated(view->n.edge_delay[e].v[k >> 1],
                          derate_of(view, view->f.arc_derate, arc, clock, out));
    if (clock_node(view, pair.from)) delay -= left_out(view, arc, pair.from, pair.to, k);
    back(view, credit_view, collected, pair, k, out, delay);
  }
}

/* The same for the pairs that begin at the node. */
SL_HD Joined joined_from(const FlatView *view, uint32_t map, uint32_t from, uint32_t to,
                         uint32_t node, uint32_t *n)
{
  Joined j = joined(view, map, from, to);
  *n = j.identity ? node - j.first_from : 0;
  if (j.identity && j.count > *n + 1) j.count = *n + 1;
  return j;
}

SL_HD void out_captures(const FlatView *view, const CreditView *credit_view, Collected *collected,
                        uint32_t slot, uint32_t node, int k)
{
  for (uint32_t i = view->f.out_first[slot]; i < view->f.out_first[slot + 1]; i++) {
    uint32_t a = view->f.out_arc[i], n;
    if (!(view->f.arc_use[a] & FLAT_ON)) continue;
    for (Joined j = joined_from(view, view->f.arc_map[a], slot, view->f.arc_to[a], node, &n);
         n < j.count; n++) {
      JoinedPair p = joined_pair(view, &j, n);
      if (p.from == node) arc_captures(view, credit_view, collected, a, p, k);
    }
  }
}

SL_HD void wire_captures(const FlatView *view, const CreditView *credit_view, Collected *collected,
                         uint32_t driver, uint32_t load, uint32_t node, int k)
{
  uint32_t slot = view->f.loads[load].slot, n;
  for (Joined j = joined_from(view, view->f.wire_map[slot], driver, slot, node, &n); n < j.count;
       n++) {
    JoinedPair p = joined_pair(view, &j, n);
    if (p.from != node || !(p.mask >> (3 * (k & 1)) & 1)) continue;
    int clock = clock_node(view, p.to);
    float delay = derated(view->n.wire_delay[load].v[k],
                          derate_of(view, view->f.wire_derate, load, clock, k));
    if (clock || !clock_node(view, node)) back(view, credit_view, collected, p, k, k, delay);
  }
}

SL_HD int is_wide(const FlatView *view, uint32_t slot)
{
  return view->f.slot_use[slot] & FLAT_DRIVER && view->f.load_count[slot] > CREDIT_WIDE;
}

SL_HD void captures(const FlatView *view, const CreditView *credit_view, const FlatLevel *level,
                    Collected *collected, uint32_t node, int k)
{
  uint32_t slot = credit_view->f.node_slot[node];
  path_end_captures(view, credit_view, collected, slot, node, k);
  if (view->f.slot_use[slot] & FLAT_DRIVER) {
    uint32_t first = view->f.load_first[slot] - level->load_shift;
    for (uint32_t i = 0; i < view->f.load_count[slot]; i++)
      wire_captures(view, credit_view, collected, slot, first + i, node, k);
  }
  out_captures(view, credit_view, collected, slot, node, k);
}

/* --- a list ----------------------------------------------------------------------------------- */
/* Items in memory of the lane itself. Most lists have no more. */
enum { NEAR_ITEMS = 10 };

SL_HD void pull(const FlatView *view, const CreditView *credit_view, const FlatLevel *level,
                int which, Collected *collected, uint32_t node, int k)
{
  collected->count = collected->sources = 0;
  if (which == LAUNCHES) launches(view, credit_view, level, collected, node, k);
  else captures(view, credit_view, level, collected, node, k);
}

/* If there is no memory, the list stays empty, and the phase runs again with more memory. */
SL_HD void put_list(const CreditView *view, int which, uint32_t index, const CommonItem *items,
                    uint32_t count)
{
  FrontCell *cell = &view->lists[which].cell[index];
  cell->item.badness = 0;
  cell->far.mark = FRONTS_NO_LIST;
  if (count == 1) cell->item = items[0];
  if (count < 2) return;
  uint32_t block;
  FrontCell *head = take_block(view, which, count, &block);
  if (head == 0) return;
  for (uint32_t i = 0; i < count; i++) head[1 + i].item = items[i];
  cell->far.block = block;
  cell->far.mark = FRONTS_BLOCK;
}

/* Makes fronts of items of several sources. The items of a single source are fronts already. */
SL_HD uint32_t fronts_of(const CreditView *view, Collected *collected, CommonStep *steps)
{
  return collected->sources > 1
             ? common_fronts(&view->common, collected->items, steps, collected->count)
             : collected->count;
}

/* Makes a list that does not fit into the memory of the lane. Its items are collected again, into
   memory of the kernel. */
SL_HD void far_list(const FlatView *view, const CreditView *credit_view, const FlatLevel *level,
                    int which, uint32_t kernel, uint32_t count, uint32_t node, int k)
{
  Collected q = { take_items(credit_view, kernel, count), count, 0, 0 };
  if (q.items) pull(view, credit_view, level, which, &q, node, k);
  put_list(credit_view, which, list_index(node, k), q.items,
           q.items ? fronts_of(credit_view, &q, (CommonStep *)(q.items + count)) : 0);
}

SL_HD void list_lane(const FlatView *view, const CreditView *credit_view, const FlatLevel *level,
                     int which, uint32_t kernel, uint32_t node, int k)
{
  if (which == CAPTURES && is_wide(view, credit_view->f.node_slot[node])) return;
  CommonItem near[NEAR_ITEMS];
  CommonStep steps[NEAR_ITEMS];
  Collected q = { near, NEAR_ITEMS, 0, 0 };
  pull(view, credit_view, level, which, &q, node, k);
  if (q.count > NEAR_ITEMS) far_list(view, credit_view, level, which, kernel, q.count, node, k);
  else put_list(credit_view, which, list_index(node, k), near, fronts_of(credit_view, &q, steps));
}

/* --- a list of a wide driver's captures ----------------------------------------------------------
   The lanes of a block share the loads.  They count the items of each load, and then write the
   items so that they are in the CPU's order. */
enum { WIDE_LANES = 128 };

/* Collects a lane's part of the loads. The first lane also takes the path ends, the last one the
   arcs. */
SL_HD void wide_part(const FlatView *view, const CreditView *credit_view, const FlatLevel *level,
                     Collected *collected, uint32_t node, int k, uint32_t lane)
{
  uint32_t slot = credit_view->f.node_slot[node], count = view->f.load_count[slot],
           first = view->f.load_first[slot] - level->load_shift;
  uint32_t from = (uint32_t)((uint64_t)count * lane / WIDE_LANES),
           to = (uint32_t)((uint64_t)count * (lane + 1) / WIDE_LANES);
  if (lane == 0) path_end_captures(view, credit_view, collected, slot, node, k);
  for (uint32_t i = from; i < to; i++)
    wire_captures(view, credit_view, collected, slot, first + i, node, k);
  if (lane == WIDE_LANES - 1) out_captures(view, credit_view, collected, slot, node, k);
}

typedef struct {
  CommonItem *items;
  uint32_t count, sources;
} WideList;

/* Turns the number of items of each lane into the place where they begin, and allocates memory for
   all of them. */
SL_HD void wide_room(const CreditView *view, uint32_t kernel, uint32_t *counts,
                     const uint32_t *sources, WideList *list)
{
  list->count = list->sources = 0;
  for (uint32_t i = 0; i < WIDE_LANES; i++) {
    uint32_t own = counts[i];
    counts[i] = list->count;
    list->count += own;
    list->sources += sources[i];
  }
  list->items = take_items(view, kernel, list->count);
}

SL_BLOCK_FN void wide_list(const FlatView *view, const CreditView *credit_view,
                           const FlatLevel *level, uint32_t kernel, uint32_t node, int k)
{
  SL_SHARED(uint32_t, first, WIDE_LANES);
  SL_SHARED(uint32_t, sources, WIDE_LANES);
  SL_SHARED(WideList, list, 1);
  SL_SYNC();
  SL_LANES(i, WIDE_LANES)
  {
    Collected q = { 0, 0, 0, 0 };
    wide_part(view, credit_view, level, &q, node, k, i);
    first[i] = q.count;
    sources[i] = q.sources;
  }
  SL_SYNC();
  SL_LANES(i, 1) wide_room(credit_view, kernel, first, sources, list + i);
  SL_SYNC();
  SL_LANES(i, WIDE_LANES)
  {
    Collected q = { 0, list[0].count - first[i], 0, 0 };
    if (list[0].items == 0) continue;
    q.items = list[0].items + first[i];
    wide_part(view, credit_view, level, &q, node, k, i);
  }
  SL_SYNC();
  SL_LANES(i, 1)
  {
    Collected q = { list[i].items, list[i].count, list[i].count, list[i].sources };
    uint32_t count = q.items ? fronts_of(credit_view, &q, (CommonStep *)(q.items + q.count)) : 0;
    put_list(credit_view, CAPTURES, list_index(node, k), q.items, count);
  }
}

#endif
