/* Follows an edit on the device. The drivers that the edit reaches are computed again level by
   level, each by a block of threads, in one kernel forward and one backward. Blocks wait for each
   other between levels. Then the changed slacks are copied to the host.

   Forward, the block of a driver computes its edges, its loads and its arrivals and compares the
   bits with the old ones. If they differ, it puts the drivers that depend on them on the worklists
   of later levels. Backward it does the same for the required times of a net. Numbers have the same
   bits as after a whole update, because the lanes are the same (cuda/pin.h, cuda/pin_out.h).

   All blocks stop if one reaches a clock, or a port that the host computes; a whole update is then
   needed. They also stop if they reach more than `most` drivers or take too long. Then a fallback
   update resumes where following stopped: it computes the remaining levels, or only the backward
   part if the forward part was complete. The reason to stop is recorded by level, so that all
   blocks see the same one. The time limit depends on the clock, but the final numbers do not. */
#ifndef SL_CUDA_FOLLOW_H
#define SL_CUDA_FOLLOW_H

#include <string.h>

#include "cuda/block_kernel.h"
#include "cuda/end_lanes.h"
#include "cuda/pin_out.h"
#include "device/flat_follow.h"
#include "math/explog.h"

enum { FORWARD, BACKWARD, WAYS };
enum { RECORDED_PATH_ENDS, RECORDED_MARGINS, RECORDED_KINDS };
enum { STOP_NONE, STOP_EFFORT = 1, STOP_REACH = 2 };      /* bits: too much to follow; something
                                                             that is not followed */

typedef struct {
  uint32_t arrived[WAYS];            /* counter of SL_GRID_SYNC */
  uint32_t reached[WAYS];            /* number of drivers reached */
  uint32_t recorded[RECORDED_KINDS];
  uint32_t stopped[WAYS];            /* STOP_... */
  uint32_t level;                    /* the level where forward stopped; it and the levels before it
                                        are done */
  uint64_t begun;                    /* when following began, by lane_clock */
} FollowControl;

typedef struct {
  FlatFollow f;
  uint32_t  *list[WAYS], *mark[WAYS];      /* the worklists: places of drivers to compute; the list
                                              of a level begins at its first_driver. mark: by place,
                                              1 if the driver is in a list */
  uint32_t  *count[WAYS];                  /* by turn (see level_at): number of drivers in the list;
                                              followed by WARP entries that are 0 */
  uint32_t  *stop;                         /* by level: STOP_... */
  Cond4     *before;                       /* for each block: the old numbers of a net, before_size
                                              of them */
  uint32_t   before_size, most;
  uint64_t   patience[WAYS], forward_patience;  /* patience: ns from the beginning until a direction
                                                   gives up; 0: it does not give up.
                                                   forward_patience: ns that are added for all
                                                   levels forward; at a level, the part of its edges
                                                   and those before it counts */
  FollowedValue *values[RECORDED_KINDS];
  FollowControl *control;
} FollowView;

/* The old numbers of the net that a block computes: slew and wire of each slot, and those of each
   node. */
typedef struct {
  FollowNet net;
  Cond4    *slots_before, *nodes_before;
} FollowWork;

SL_HD FollowWork follow_work(const FollowView *f, uint32_t place, uint32_t block)
{
  FollowWork n;
  n.net = f->f.nets[place];
  n.slots_before = f->before + (size_t)block * f->before_size;
  n.nodes_before = n.slots_before + 2 * f->f.most_slots;
  return n;
}

SL_HD uint32_t net_slot(const FollowNet *n, uint32_t i)
{
  return i ? n->first_load + i - 1 : n->slot;
}
SL_HD uint32_t net_node(const FollowNet *n, uint32_t i)
{
  return i < n->driver_nodes ? n->node + i : n->load_node + i - n->driver_nodes;
}

/* Have numbers the same bits? 0 and -0 differ. */
SL_HD int same_numbers(const float *a, const float *b, int count)
{
  int same = 1;
  for (int i = 0; i < count; i++) same &= bits_of_float(a[i]) == bits_of_float(b[i]);
  return same;
}

SL_HD int same_conditions(const Cond4 *a, const Cond4 *b)
{
  return same_numbers(a->v, b->v, CONDITION_COUNT);
}

/* --- lists ------------------------------------------------------------------------------------ */
/* Returns the level of a turn: the number itself forward, counted from the end backward. */
SL_HD uint32_t level_at(const FlatView *v, int way, uint32_t turn)
{
  return way == FORWARD ? turn : v->f.count.levels - 1 - turn;
}

/* Queues a driver, once, and only if its level has not been processed yet. Edits queue before the
   first turn; later only drivers of later levels are queued. */
SL_HD void follow_push(const FlatView *v, const FollowView *f, int way, FollowPlace p)
{
  if (lane_fresh(&f->mark[way][p.place]) || lane_set(&f->mark[way][p.place], 1)) return;
  uint32_t i = lane_count(&f->count[way][level_at(v, way, p.level)]);
  f->list[way][v->f.levels[p.level].first_driver + i] = p.place;
}

/* Queues the net where an arc begins, backward.  Pins that nothing drives are only computed by
   whole updates. */
SL_HD void follow_push_before(const FlatView *v, const FollowView *f, uint32_t arc, uint32_t level)
{
  FollowPlace p = f->f.before[arc];
  if (p.place != FLAT_NONE) follow_push(v, f, BACKWARD, p);
  else if (p.level == FOLLOW_WHOLE) lane_mark(&f->stop[level], STOP_EFFORT);
}

SL_HD void follow_push_behind(const FlatView *v, const FollowView *f, uint32_t out)
{
  FollowPlace p = f->f.behind[out];
  if (p.place != FLAT_NONE) follow_push(v, f, FORWARD, p);
}

SL_HD void follow_record(const FollowView *f, int kind, uint32_t at, const Pair *x)
{
  FollowedValue *value = &f->values[kind][lane_count(&f->control->recorded[kind])];
  value->at = at;
  value->value[0] = x->v[0];
  value->value[1] = x->v[1];
}

/* --- forward ---------------------------------------------------------------------------------- */
/* Prefetches what a block will read of a net. A block mostly waits for memory. */
SL_HD void ahead_of_net(const FlatView *v, uint32_t driver)
{
  lane_ahead(&v->n.load_cap[driver]);
  if (!flat_model_has(&v->f, DELAY_NEEDS_PI)) return;
  lane_ahead(&v->n.has_rc[driver]);
  lane_ahead(&v->n.pi_far[driver]);
  lane_ahead(&v->n.pi_near[driver]);
  lane_ahead(&v->n.pi_r[driver]);
}

SL_HD void ahead_of_slots(const FlatView *v, const FollowView *f, const FollowNet *n)
{
  uint32_t s = n->load_count ? n->first_load : n->slot;
  lane_ahead(&v->f.out_first[s]);
  lane_ahead(&v->f.slot_first_end[s]);
  lane_ahead(&f->f.slot_stops[s]);
  lane_ahead(&f->f.behind[n->first_behind]);
  if (n->load_count == 0) return;
  lane_ahead(&v->f.node_first[s]);
  lane_ahead(&v->f.loads[s - n->load_shift]);
  if (flat_model_has(&v->f, DELAY_NEEDS_ELMORE)) lane_ahead(&v->n.elmore[s - n->load_shift]);
}

SL_HD void ahead_of_edge(const FlatView *v, const FlatEdge *r, uint32_t edge)
{
  lane_ahead(&v->f.grids[CONDITION_COUNT * r->kind]);
  lane_ahead(&v->n.edge_delay[edge]);
  lane_ahead(&v->n.arrival[r->from_node]);
  if (!(r->slew & FLAT_CLOCK_SLEW)) lane_ahead(&v->n.slew[r->slew]);
  if (r->wire != FLAT_NONE && flat_model_has(&v->f, DELAY_IMPULSE_RULE))
    lane_ahead(&v->n.impulse_sq[r->wire]);
  if (r->wire != FLAT_NONE && flat_model_has(&v->f, DELAY_IMPULSE_RULE))
    lane_ahead(&v->n.elmore[r->wire]);
}

/* Stores the old numbers of the net, and initializes them as a whole update does. */
SL_BLOCK_FN void begin_numbers(const FlatView *v, const FollowWork *w)
{
  const FollowNet *n = &w->net;
  int waves = flat_model_has(&v->f, DELAY_BY_WAVE);
  SL_LANES(i, n->load_count + 1)
  {
    uint32_t s = net_slot(n, i);
    Cond4 *before = &w->slots_before[2 * i];
    before[0] = v->n.slew[s];
    if (waves || i == 0) v->n.slew[s] = cond_nothing();
    if (i == 0) continue;
    before[1] = v->n.wire_delay[s - n->load_shift];
    if (waves) v->n.wire_delay[s - n->load_shift] = cond_nothing();
  }
  SL_LANES(i, n->nodes)
  {
    w->nodes_before[i] = v->n.arrival[net_node(n, i)];
    v->n.arrival[net_node(n, i)] = cond_nothing();
  }
}

SL_BLOCK_FN void begin_driver(const FlatView *v, const FollowView *f, uint32_t l,
                              const FollowWork *w)
{
  uint32_t edge = w->net.first_edge + SL_LANE / 2;
  FlatEdge r = v->f.edges[SL_LANE < 2 * w->net.edge_count ? edge : 0];
  if (SL_FIRST_LANE) ahead_of_slots(v, f, &w->net);
  if (SL_FIRST_LANE) ahead_of_net(v, driver_index(&v->f.levels[l], w->net.slot));
  begin_numbers(v, w);
  if (SL_LANE < 2 * w->net.edge_count) ahead_of_edge(v, &r, edge);
}

SL_HD void follow_edge(const FlatView *v, const FollowView *f, uint32_t l, uint32_t edge, int el)
{
  const FlatLevel *level = &v->f.levels[l];
  FlatEdge r = v->f.edges[edge];
  int has_waves = flat_model_has(&v->f, DELAY_BY_WAVE);
  EdgeNet net = edge_net(v, level, &r, el, 1, has_waves);
  float before = v->n.edge_delay[edge].v[el];
  int waves = !has_waves                      ? WAVE_NONE
              : net.grid.n1 == FLAT_NO_GRID ? WAVE_PLAIN
                                            : WAVE_GRID;
  edge_lane(v, level, &net, &r, edge, el, 1, waves, v->f.traits.delay_model);
  if (!same_numbers(&before, &v->n.edge_delay[edge].v[el], 1)) follow_push_before(v, f, r.arc, l);
}

SL_BLOCK_FN void follow_edges(const FlatView *v, const FollowView *f, uint32_t l,
                              const FollowNet *n)
{
  SL_LANES(i, 2 * n->edge_count) follow_edge(v, f, l, n->first_edge + i / 2, (int)(i % 2));
  if (v->f.slot_use[n->slot] & (FLAT_SEED | FLAT_LINKED)) {
    SL_LANES(k, CONDITION_COUNT) finish_starts(v, n->slot, (int)k);
  }
}

/* Computes every load from the waveform of every edge. */
SL_BLOCK_FN void follow_waves(const FlatView *v, uint32_t l, const FollowNet *n)
{
  const FlatLevel *level = &v->f.levels[l];
  if (!has_waves(v, level, n->slot)) return;
  SL_LANES(i, 2 * n->edge_count * n->load_count)
  {
    uint32_t pair = i / 2, slot = n->first_load + pair / n->edge_count;
    FlatPair p = { slot - n->load_shift, slot, n->first_edge + pair % n->edge_count, FLAT_NONE };
    if (v->f.edges[p.edge].use & FLAT_SHAPES)
      wave_load_lane(v, level, &p, (int)(i % 2), WAVE_GRID, v->f.traits.delay_model);
  }
}

SL_BLOCK_FN void follow_loads(const FlatView *v, uint32_t l, const FollowNet *n)
{
  SL_LANES(i, 4 * n->load_count)
  {
    uint32_t load = n->first_load + i / 4 - n->load_shift;
    FlatLoad r = v->f.loads[load];
    if (r.irregular) load_lane(v, &v->f.levels[l], &r, load, (int)(i % 4), 1, 0);
    else plain_load_lane(v, &r, load, (int)(i % 4), 1);
  }
}

SL_HD int nodes_differ(const FlatView *v, const FollowWork *w, uint32_t slot, int load)
{
  uint32_t shift = load ? w->net.load_node - w->net.driver_nodes : w->net.node;
  for (uint32_t node = v->f.node_first[slot]; node < v->f.node_first[slot + 1]; node++)
    if (!same_conditions(&w->nodes_before[node - shift], &v->n.arrival[node])) return 1;
  return 0;
}

/* Returns a net as an entry of the lists. */
SL_HD FollowPlace own_place(const FlatView *v, uint32_t l, const FollowNet *n)
{
  FollowPlace p = { driver_index(&v->f.levels[l], n->slot), l };
  return p;
}

/* Queues what depends on a slot whose numbers have changed. */
SL_HD void slot_differs(const FlatView *v, const FollowView *f, uint32_t l, const FollowNet *n,
                        uint32_t slot)
{
  if (f->f.slot_stops[slot]) lane_mark(&f->stop[l], STOP_REACH);
  for (uint32_t i = v->f.out_first[slot]; i < v->f.out_first[slot + 1]; i++)
    follow_push_behind(v, f, i);
  if (v->f.slot_first_end[slot + 1] > v->f.slot_first_end[slot])
    follow_push(v, f, BACKWARD, own_place(v, l, n));
}

SL_BLOCK_FN void compare_slots(const FlatView *v, const FollowView *f, uint32_t l,
                               const FollowWork *w)
{
  const FollowNet *n = &w->net;
  SL_LANES(i, n->load_count + 1)
  {
    uint32_t s = net_slot(n, i);
    const Cond4 *before = &w->slots_before[2 * i];
    settle_slew(v, s);
    int wire = i && !same_conditions(&before[1], &v->n.wire_delay[s - n->load_shift]);
    if (wire) follow_push(v, f, BACKWARD, own_place(v, l, n));
    if (wire || !same_conditions(&before[0], &v->n.slew[s]) || nodes_differ(v, w, s, i != 0))
      slot_differs(v, f, l, n, s);
  }
}

SL_BLOCK_FN void follow_driver(const FlatView *v, const FollowView *f, uint32_t l,
                               const FollowWork *w)
{
  if (w->net.stops) {
    lane_mark(&f->stop[l], STOP_REACH);
    return;
  }
  begin_driver(v, f, l, w);
  SL_SYNC();
  follow_edges(v, f, l, &w->net);
  SL_SYNC();
  if (flat_model_has(&v->f, DELAY_BY_WAVE)) follow_waves(v, l, &w->net);
  SL_SYNC();
  follow_loads(v, l, &w->net);
  SL_SYNC();
  compare_slots(v, f, l, w);
}

/* --- backward --------------------------------------------------------------------------------- */
SL_BLOCK_FN void begin_required(const FlatView *v, const FollowWork *w)
{
  const FollowNet *n = &w->net;
  FlatOut o = v->f.outs[SL_LANE < 2 * n->load_out_count ? n->first_load_out + SL_LANE / 2 : 0];
  SL_LANES(i, n->nodes)
  {
    w->nodes_before[i] = v->n.required[net_node(n, i)];
    v->n.required[net_node(n, i)] = cond_loosest();
  }
  if (SL_LANE >= 2 * n->load_out_count) return;
  lane_ahead(&v->n.edge_delay[o.edge]);
  lane_ahead(&v->n.required[o.to_node]);
  lane_ahead(&v->n.wire_delay[o.load]);
}

SL_HD void follow_check(const FlatView *v, const FollowView *f, uint32_t check)
{
  Pair before = v->n.check_margin[check];
  for (int edge = RISE; edge <= FALL; edge++) check_margin(v, check, edge);
  if (!same_numbers(before.v, v->n.check_margin[check].v, 2))
    follow_record(f, RECORDED_MARGINS, check, &v->n.check_margin[check]);
}

SL_HD void follow_path_end(const FlatView *v, const FollowView *f, uint32_t id)
{
  Pair before = v->n.end_slack[id];
  for (int edge = RISE; edge <= FALL; edge++) path_end_edge(v, id, edge);
  if (!same_numbers(before.v, v->n.end_slack[id].v, 2))
    follow_record(f, RECORDED_PATH_ENDS, id, &v->n.end_slack[id]);
}

SL_BLOCK_FN void follow_ends(const FlatView *v, const FollowView *f, const FollowNet *n)
{
  SL_LANES(i, n->load_count + 1)
  {
    uint32_t s = net_slot(n, i), first = v->f.slot_first_end[s], end = v->f.slot_first_end[s + 1];
    for (uint32_t c = v->f.slot_first_check[s]; first < end && c < v->f.slot_first_check[s + 1];
         c++)
      follow_check(v, f, v->f.check_order[c]);
    for (uint32_t id = first; id < end; id++) follow_path_end(v, f, id);
  }
}

SL_BLOCK_FN void follow_outs(const FlatView *v, uint32_t first, uint32_t count)
{
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
    if (v->f.slot_first_end[s + 1] > v->f.slot_first_end[s])
      end_load_lane(v, s - n->load_shift, (int)(i % 4));
  }
}

/* Queues the nets before the driver, if its required times have changed. */
SL_BLOCK_FN void compare_required(const FlatView *v, const FollowView *f, uint32_t l,
                                  const FollowWork *w)
{
  const FollowNet *n = &w->net;
  int differ = 0;
  for (uint32_t i = 0; i < n->driver_nodes && !differ; i++)
    differ = !same_conditions(&w->nodes_before[i], &v->n.required[n->node + i]);
  if (!differ) return;
  SL_LANES(i, n->arc_count) follow_push_before(v, f, n->first_arc + i, l);
}

SL_BLOCK_FN void follow_required(const FlatView *v, const FollowView *f, uint32_t l,
                                 const FollowWork *w)
{
  const FollowNet *n = &w->net;
  begin_required(v, w);
  SL_SYNC();
  follow_ends(v, f, n);
  SL_SYNC();
  follow_end_loads(v, n);
  follow_outs(v, n->first_out, n->out_count);
  follow_outs(v, n->first_load_out, n->load_out_count);
  SL_SYNC();
  compare_required(v, f, l, w);
}

/* --- levels ----------------------------------------------------------------------------------- */
/* Returns the next turn, from a given one on, with drivers to compute, and their number;
   level_count: there is none. Other blocks may still queue drivers, but only in levels after the
   one that they compute. So the next level with drivers is already known. */
SL_BLOCK_FN uint32_t next_turn(const FlatView *v, const FollowView *f, int way, uint32_t from,
                               uint32_t *count)
{
  for (; from < v->f.count.levels; from += WARP) {
    uint32_t first = sl_first_of(&f->count[way][from], count);
    if (first < WARP) return from + first;
  }
  return v->f.count.levels;
}

SL_BLOCK_FN void follow_level(const FlatView *v, const FollowView *f, int way, uint32_t l,
                              uint32_t count)
{
  const uint32_t *list = f->list[way] + v->f.levels[l].first_driver;
  SL_GRID_BLOCKS(b, count)
  {
    FollowWork w = follow_work(f, list[b], SL_BLOCK_INDEX);
    if (SL_FIRST_LANE) f->mark[way][list[b]] = 0;
    if (way == FORWARD) follow_driver(v, f, l, &w);
    else follow_required(v, f, l, &w);
    SL_SYNC();
  }
}

/* The clock is read once in this many turns, because reading it takes as long as a wait of the
   blocks for each other. */
enum { CLOCK_TURNS = 8 };

/* Stops following when the time is over. One block reads the clock for all. */
SL_HD void follow_clock(const FlatView *v, const FollowView *f, int way, uint32_t l)
{
  uint64_t edges = v->f.levels[l].first_edge + v->f.levels[l].edge_count;
  uint64_t patience = f->patience[way]
                      + (way == FORWARD ? f->forward_patience * edges / (v->f.count.edges + 1) : 0);
  if (patience && lane_clock() - f->control->begun > patience) lane_mark(&f->stop[l], STOP_EFFORT);
}

SL_BLOCK_FN void follow_levels(const FlatView *v, const FollowView *f, int way)
{
  uint32_t reached = 0, synced = 0, last = 0, count = 0,
           stops = lane_fresh(&f->control->stopped[FORWARD]);
  for (uint32_t turn = next_turn(v, f, way, 0, &count); turn < v->f.count.levels && !stops;
       turn = next_turn(v, f, way, turn + 1, &count)) {
    uint32_t l = level_at(v, way, turn);
    follow_level(v, f, way, l, count);
    reached += count;
    synced++;
    if (SL_BLOCK_INDEX == 0 && SL_FIRST_LANE && synced % CLOCK_TURNS == 0)
      follow_clock(v, f, way, l);
    SL_GRID_SYNC(&f->control->arrived[way], synced);
    stops = lane_fresh(&f->stop[l]) | (reached > f->most ? STOP_EFFORT : STOP_NONE);
    last = l;
  }
  if (SL_BLOCK_INDEX != 0 || !SL_FIRST_LANE) return;
  f->control->reached[way] = reached;
  f->control->stopped[way] = stops;
  if (way == FORWARD) f->control->level = last;
}

#endif
