/* An edit followed on the device: the drivers that it reaches are worked out again level by level, a block of threads for each, in one launch
   forward and one backward, whose blocks wait for each other between levels; then the host gets the slacks that have changed.

   Forward, a driver's block works out its edges, its loads and what arrives, compares the bits with those before, and where they differ puts the
   drivers behind on the lists of later levels; backward, the same for the required times of a net.  Numbers are those of a whole update, bit for
   bit: the lanes are the same (cuda/pin.h, cuda/pin_out.h), and what does not change is what was there.

   A block stops the others where clocks are reached, ports that the host works out, or more than `most` drivers: then the device's numbers are
   not whole, and a whole update is due.  A reason to stop is noted by level, so that all blocks, wherever they are, see the same one. */
#ifndef SL_CUDA_FOLLOW_H
#define SL_CUDA_FOLLOW_H

#include <string.h>

#include "cuda/block.h"
#include "cuda/ends.h"
#include "cuda/pin_out.h"
#include "engine/flat_follow.h"
#include "math/explog.h"

enum { FORWARD, BACKWARD, WAYS };
enum { NOTED_ROWS, NOTED_MARGINS, NOTED_KINDS };

typedef struct {
  uint32_t arrived[WAYS];            /* of SL_GRID_SYNC */
  uint32_t reached[WAYS];            /* drivers */
  uint32_t noted[NOTED_KINDS];
  uint32_t stopped;
} FollowControl;

typedef struct {
  FlatFollow f;
  uint32_t  *list[WAYS], *mark[WAYS];      /* drivers to work out, each level's at its first_driver; whether one is there */
  uint32_t  *count[WAYS], *stop;           /* by level */
  Cond4     *before;                       /* each block's: what a net was; of before_size */
  uint32_t   before_size, most;
  FollowedValue *values[NOTED_KINDS];
  FollowControl *control;
} FollowView;

/* A driver's net: its slots (the driver, then its loads) and their nodes by number. */
typedef struct {
  uint32_t slot, first_load, load_count, load_shift;
  uint32_t node, driver_nodes, load_node, nodes;
  Cond4   *slots_before, *nodes_before;      /* slew and wire of a slot; of a node */
} FollowNet;

SL_HD FollowNet follow_net(const FlatView *v, const FollowView *f, const FlatLevel *level, uint32_t slot, uint32_t block)
{
  FollowNet n;
  n.slot = slot;
  n.first_load = v->f.load_first[slot];
  n.load_count = v->f.load_count[slot];
  n.load_shift = level->load_shift;
  n.node = v->f.node_first[slot];
  n.driver_nodes = v->f.node_first[slot + 1] - n.node;
  n.load_node = n.load_count ? v->f.node_first[n.first_load] : 0;
  n.nodes = n.driver_nodes + (n.load_count ? v->f.node_first[n.first_load + n.load_count] - n.load_node : 0);
  n.slots_before = f->before + (size_t)block * f->before_size;
  n.nodes_before = n.slots_before + 2 * f->f.most_slots;
  return n;
}

SL_HD uint32_t net_slot(const FollowNet *n, uint32_t i) { return i ? n->first_load + i - 1 : n->slot; }
SL_HD uint32_t net_node(const FollowNet *n, uint32_t i) { return i < n->driver_nodes ? n->node + i : n->load_node + i - n->driver_nodes; }

/* Their bits: 0 and -0 are not the same. */
SL_HD int same_numbers(const float *a, const float *b, int count)
{
  int same = 1;
  for (int i = 0; i < count; i++) same &= bits_of_float(a[i]) == bits_of_float(b[i]);
  return same;
}

SL_HD int same_conditions(const Cond4 *a, const Cond4 *b) { return same_numbers(a->v, b->v, CONDITION_COUNT); }

/* --- lists ----------------------------------------------------------------------------------------------------------- */
SL_HD uint32_t follow_place(const FlatView *v, const FollowView *f, uint32_t driver)
{
  const FlatLevel *level = &v->f.levels[f->f.slot_level[driver]];
  return driver - level->first_slot + level->first_driver;
}

/* Each driver once. */
SL_HD void follow_push(const FlatView *v, const FollowView *f, int way, uint32_t driver)
{
  uint32_t l = f->f.slot_level[driver], place = follow_place(v, f, driver);
  if (lane_fresh(&f->mark[way][place]) || lane_set(&f->mark[way][place], 1)) return;
  f->list[way][v->f.levels[l].first_driver + lane_count(&f->count[way][l])] = driver;
}

/* The net of a slot, backward.  Pins that nothing drives are worked out by whole updates alone. */
SL_HD void follow_push_net(const FlatView *v, const FollowView *f, uint32_t slot, uint32_t level)
{
  uint32_t driver = f->f.net_driver[slot];
  if (driver != FLAT_NONE) follow_push(v, f, BACKWARD, driver);
  else if (v->f.node_first[slot + 1] > v->f.node_first[slot]) f->stop[level] = 1;
}

SL_HD void follow_note(const FollowView *f, int kind, uint32_t at, const Pair *x)
{
  FollowedValue *value = &f->values[kind][lane_count(&f->control->noted[kind])];
  value->at = at;
  value->value[0] = x->v[0];
  value->value[1] = x->v[1];
}

/* --- forward --------------------------------------------------------------------------------------------------------- */
/* Keeps what the net was, and begins as a whole update does. */
SL_BLOCK_FN void begin_numbers(const FlatView *v, const FollowNet *n)
{
  int waves = v->f.delay_model == FLAT_CEFF;
  SL_LANES(i, n->load_count + 1)
  {
    uint32_t s = net_slot(n, i);
    Cond4 *before = &n->slots_before[2 * i];
    before[0] = v->n.slew[s];
    if (waves || i == 0) v->n.slew[s] = cond_nothing();
    if (i == 0) continue;
    before[1] = v->n.wire_delay[s - n->load_shift];
    if (waves) v->n.wire_delay[s - n->load_shift] = cond_nothing();
  }
  SL_LANES(i, n->nodes)
  {
    n->nodes_before[i] = v->n.arrival[net_node(n, i)];
    v->n.arrival[net_node(n, i)] = cond_nothing();
  }
}

SL_HD void follow_edge(const FlatView *v, const FollowView *f, const FlatLevel *level, uint32_t l, uint32_t edge, int el)
{
  FlatEdge r = v->f.edges[edge];
  EdgeNet net = edge_net(v, level, &r, el, 1);
  float before = v->n.edge_delay[edge].v[el];
  int waves = v->f.delay_model != FLAT_CEFF ? WAVE_NONE : net.grid.n1 == FLAT_NO_GRID ? WAVE_PLAIN : WAVE_GRID;
  edge_lane(v, level, &net, &r, edge, el, 1, waves);
  if (!same_numbers(&before, &v->n.edge_delay[edge].v[el], 1)) follow_push_net(v, f, v->f.arc_from[r.arc], l);
}

SL_BLOCK_FN void follow_edges(const FlatView *v, const FollowView *f, uint32_t l, const FollowNet *n)
{
  const FlatLevel *level = &v->f.levels[l];
  EdgeRange range = edges_to(v, n->slot);
  SL_LANES(i, 2 * (range.end - range.first)) follow_edge(v, f, level, l, range.first + i / 2, (int)(i % 2));
  if (v->f.slot_use[n->slot] & (FLAT_SEED | FLAT_LINKED)) {
    SL_LANES(k, CONDITION_COUNT) finish_starts(v, n->slot, (int)k);
  }
}

/* Every load with every edge's wave. */
SL_BLOCK_FN void follow_waves(const FlatView *v, uint32_t l, const FollowNet *n)
{
  const FlatLevel *level = &v->f.levels[l];
  EdgeRange range = edges_to(v, n->slot);
  uint32_t edges = range.end - range.first;
  if (!has_waves(v, level, n->slot)) return;
  SL_LANES(i, 2 * edges * n->load_count)
  {
    uint32_t pair = i / 2, slot = n->first_load + pair / edges;
    FlatPair p = { slot - n->load_shift, slot, range.first + pair % edges, FLAT_NONE };
    if (v->f.edges[p.edge].use & FLAT_SHAPES) wave_load_lane(v, level, &p, (int)(i % 2));
  }
}

SL_BLOCK_FN void follow_loads(const FlatView *v, uint32_t l, const FollowNet *n)
{
  SL_LANES(i, 4 * n->load_count)
  {
    uint32_t load = n->first_load + i / 4 - n->load_shift;
    FlatLoad r = v->f.loads[load];
    if (r.odd) load_lane(v, &v->f.levels[l], &r, load, (int)(i % 4), 1, 0);
    else plain_load_lane(v, &r, load, (int)(i % 4), 1);
  }
}

SL_HD int nodes_differ(const FlatView *v, const FollowNet *n, uint32_t slot, int load)
{
  uint32_t shift = load ? n->load_node - n->driver_nodes : n->node;
  for (uint32_t node = v->f.node_first[slot]; node < v->f.node_first[slot + 1]; node++)
    if (!same_conditions(&n->nodes_before[node - shift], &v->n.arrival[node])) return 1;
  return 0;
}

/* What a slot with other numbers changes. */
SL_HD void slot_differs(const FlatView *v, const FollowView *f, uint32_t l, const FollowNet *n, uint32_t slot)
{
  if (f->f.slot_stops[slot]) f->stop[l] = 1;
  for (uint32_t i = v->f.out_first[slot]; i < v->f.out_first[slot + 1]; i++) follow_push(v, f, FORWARD, v->f.arc_to[v->f.out_arc[i]]);
  if (v->f.slot_first_row[slot + 1] > v->f.slot_first_row[slot]) follow_push(v, f, BACKWARD, n->slot);
}

SL_BLOCK_FN void compare_slots(const FlatView *v, const FollowView *f, uint32_t l, const FollowNet *n)
{
  SL_LANES(i, n->load_count + 1)
  {
    uint32_t s = net_slot(n, i);
    const Cond4 *before = &n->slots_before[2 * i];
    settle_slew(v, s);
    int wire = i && !same_conditions(&before[1], &v->n.wire_delay[s - n->load_shift]);
    if (wire) follow_push(v, f, BACKWARD, n->slot);
    if (wire || !same_conditions(&before[0], &v->n.slew[s]) || nodes_differ(v, n, s, i != 0)) slot_differs(v, f, l, n, s);
  }
}

SL_BLOCK_FN void follow_driver(const FlatView *v, const FollowView *f, uint32_t l, uint32_t slot)
{
  FollowNet n = follow_net(v, f, &v->f.levels[l], slot, SL_BLOCK_INDEX);
  if (v->f.slot_use[slot] & (FLAT_PORT | FLAT_INSIDE)) {
    f->stop[l] = 1;
    return;
  }
  begin_numbers(v, &n);
  SL_SYNC();
  follow_edges(v, f, l, &n);
  SL_SYNC();
  follow_waves(v, l, &n);
  SL_SYNC();
  follow_loads(v, l, &n);
  SL_SYNC();
  compare_slots(v, f, l, &n);
  SL_SYNC();
}

/* --- backward -------------------------------------------------------------------------------------------------------- */
SL_BLOCK_FN void begin_required(const FlatView *v, const FollowNet *n)
{
  SL_LANES(i, n->nodes)
  {
    n->nodes_before[i] = v->n.required[net_node(n, i)];
    v->n.required[net_node(n, i)] = cond_loosest();
  }
}

SL_HD void follow_check(const FlatView *v, const FollowView *f, uint32_t check)
{
  Pair before = v->n.check_margin[check];
  for (int edge = RISE; edge <= FALL; edge++) check_margin(v, check, edge);
  if (!same_numbers(before.v, v->n.check_margin[check].v, 2)) follow_note(f, NOTED_MARGINS, check, &v->n.check_margin[check]);
}

SL_HD void follow_row(const FlatView *v, const FollowView *f, uint32_t row)
{
  Pair before = v->n.row_slack[row];
  for (int edge = RISE; edge <= FALL; edge++) row_edge(v, row, edge);
  if (!same_numbers(before.v, v->n.row_slack[row].v, 2)) follow_note(f, NOTED_ROWS, row, &v->n.row_slack[row]);
}

SL_BLOCK_FN void follow_ends(const FlatView *v, const FollowView *f, const FollowNet *n)
{
  SL_LANES(i, n->load_count + 1)
  {
    uint32_t s = net_slot(n, i), first = v->f.slot_first_row[s], end = v->f.slot_first_row[s + 1];
    for (uint32_t c = v->f.slot_first_check[s]; first < end && c < v->f.slot_first_check[s + 1]; c++) follow_check(v, f, v->f.check_order[c]);
    for (uint32_t row = first; row < end; row++) follow_row(v, f, row);
  }
}

SL_BLOCK_FN void follow_outs(const FlatView *v, const FollowView *f, uint32_t slot, uint32_t slots)
{
  uint32_t first = f->f.slot_first_out[slot], count = f->f.slot_first_out[slot + slots] - first;
  SL_LANES(i, 2 * count)
  {
    FlatOut o = v->f.outs[first + i / 2];
    OutDelays d = out_delays(v, &o, (int)(i % 2));
    out_lane(v, &o, &d, (int)(i % 2));
  }
}

SL_BLOCK_FN void follow_end_loads(const FlatView *v, const FollowNet *n)
{
  SL_LANES(i, 4 * n->load_count)
  {
    uint32_t s = n->first_load + i / 4;
    if (v->f.slot_first_row[s + 1] > v->f.slot_first_row[s]) end_load_lane(v, s - n->load_shift, (int)(i % 4));
  }
}

/* The nets before, where the driver's own required times have changed. */
SL_BLOCK_FN void compare_required(const FlatView *v, const FollowView *f, uint32_t l, const FollowNet *n)
{
  uint32_t first = v->f.arc_first[n->slot], differ = 0;
  for (uint32_t i = 0; i < n->driver_nodes && !differ; i++)
    differ = !same_conditions(&n->nodes_before[i], &v->n.required[n->node + i]);
  if (!differ) return;
  SL_LANES(i, v->f.arc_first[n->slot + 1] - first) follow_push_net(v, f, v->f.arc_from[first + i], l);
}

SL_BLOCK_FN void follow_required(const FlatView *v, const FollowView *f, uint32_t l, uint32_t slot)
{
  FollowNet n = follow_net(v, f, &v->f.levels[l], slot, SL_BLOCK_INDEX);
  begin_required(v, &n);
  SL_SYNC();
  follow_ends(v, f, &n);
  SL_SYNC();
  follow_end_loads(v, &n);
  follow_outs(v, f, slot, 1);
  if (n.load_count) follow_outs(v, f, n.first_load, n.load_count);
  SL_SYNC();
  compare_required(v, f, l, &n);
  SL_SYNC();
}

/* --- levels ---------------------------------------------------------------------------------------------------------- */
SL_HD uint32_t level_at(const FlatView *v, int way, uint32_t place) { return way == FORWARD ? place : v->f.level_count - 1 - place; }

/* The next place from one on where there is something to work out; level_count: none.  While others are at work at one level, they put drivers on
   lists behind it: the next one that has any does not change. */
SL_BLOCK_FN uint32_t next_place(const FlatView *v, const FollowView *f, int way, uint32_t from)
{
  SL_SHARED(uint32_t, next, 1);
  SL_SYNC();
  if (SL_FIRST_LANE) next[0] = v->f.level_count;
  SL_SYNC();
  SL_LANES(i, v->f.level_count - from)
  {
    if (lane_fresh(&f->count[way][level_at(v, way, from + i)])) lane_least(&next[0], from + i);
  }
  SL_SYNC();
  return next[0];
}

SL_BLOCK_FN void follow_level(const FlatView *v, const FollowView *f, int way, uint32_t l, uint32_t count)
{
  SL_GRID_BLOCKS(b, count)
  {
    uint32_t driver = f->list[way][v->f.levels[l].first_driver + b];
    if (SL_FIRST_LANE) f->mark[way][follow_place(v, f, driver)] = 0;
    if (way == FORWARD) follow_driver(v, f, l, driver);
    else follow_required(v, f, l, driver);
  }
}

SL_BLOCK_FN void follow_levels(const FlatView *v, const FollowView *f, int way)
{
  uint32_t reached = 0, turn = 0, stops = lane_fresh(&f->control->stopped), l = 0;
  uint32_t place = stops ? v->f.level_count : next_place(v, f, way, 0);
  while (place < v->f.level_count && !stops) {
    l = level_at(v, way, place);
    uint32_t count = lane_fresh(&f->count[way][l]);
    follow_level(v, f, way, l, count);
    reached += count;
    turn++;
    SL_GRID_SYNC(&f->control->arrived[way], turn);
    stops = lane_fresh(&f->stop[l]) || reached > f->most;
    place = next_place(v, f, way, place + 1);
  }
  if (SL_BLOCK_INDEX != 0 || !SL_FIRST_LANE) return;
  f->control->reached[way] = reached;
  if (stops) f->control->stopped = 1;
}

#endif
