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

SL_HD FollowWork follow_work(const FollowView *view, uint32_t place, uint32_t block)
{
  FollowWork n;
  n.net = view->f.nets[place];
  n.slots_before = view->before + (size_t)block * view->before_size;
  n.nodes_before = n.slots_before + 2 * view->f.most_slots;
  return n;
}

SL_HD uint32_t net_slot(const FollowNet *net, uint32_t i)
{
  return i ? net->first_load + i - 1 : net->slot;
}
SL_HD uint32_t net_node(const FollowNet *net, uint32_t i)
{
  return i < net->driver_nodes ? net->node + i : net->load_node + i - net->driver_nodes;
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
SL_HD uint32_t level_at(const FlatView *view, int way, uint32_t turn)
{
  return way == FORWARD ? turn : view->f.count.levels - 1 - turn;
}

/* Queues a driver, once, and only if its level has not been processed yet. Edits queue before the
   first turn; later only drivers of later levels are queued. */
SL_HD void follow_push(const FlatView *view, const FollowView *follow_view, int way, FollowPlace p)
{
  if (lane_fresh(&follow_view->mark[way][p.place]) || lane_set(&follow_view->mark[way][p.place], 1))
    return;
  uint32_t i = lane_count(&follow_view->count[way][level_at(view, way, p.level)]);
  follow_view->list[way][view->f.levels[p.level].first_driver + i] = p.place;
}

/* Queues the net where an arc begins, backward.  Pins that nothing drives are only computed by
   whole updates. */
SL_HD void follow_push_before(const FlatView *view, const FollowView *follow_view, uint32_t arc,
                              uint32_t level)
{
  FollowPlace p = follow_view->f.before[arc];
  if (p.place != FLAT_NONE) follow_push(view, follow_view, BACKWARD, p);
  else if (p.level == FOLLOW_WHOLE) lane_mark(&follow_view->stop[level], STOP_EFFORT);
}

SL_HD void follow_push_behind(const FlatView *view, const FollowView *follow_view, uint32_t out)
{
  FollowPlace p = follow_view->f.behind[out];
  if (p.place != FLAT_NONE) follow_push(view, follow_view, FORWARD, p);
}

SL_HD void follow_record(const FollowView *view, int kind, uint32_t at, const Pair *pair)
{
  FollowedValue *value = &view->values[kind][lane_count(&view->control->recorded[kind])];
  value->at = at;
  value->value[0] = pair->v[0];
  value->value[1] = pair->v[1];
}

/* --- forward ---------------------------------------------------------------------------------- */
/* Prefetches what a block will read of a net. A block mostly waits for memory. */
SL_HD void ahead_of_net(const FlatView *view, uint32_t driver)
{
  lane_ahead(&view->n.load_cap[driver]);
  if (!flat_model_has(&view->f, DELAY_NEEDS_PI)) return;
  lane_ahead(&view->n.has_rc[driver]);
  lane_ahead(&view->n.pi_far[driver]);
  lane_ahead(&view->n.pi_near[driver]);
  lane_ahead(&view->n.pi_r[driver]);
}

SL_HD void ahead_of_slots(const FlatView *view, const FollowView *follow_view, const FollowNet *net)
{
  uint32_t s = net->load_count ? net->first_load : net->slot;
  lane_ahead(&view->f.out_first[s]);
  lane_ahead(&view->f.slot_first_end[s]);
  lane_ahead(&follow_view->f.slot_stops[s]);
  lane_ahead(&follow_view->f.behind[net->first_behind]);
  if (net->load_count == 0) return;
  lane_ahead(&view->f.node_first[s]);
  lane_ahead(&view->f.loads[s - net->load_shift]);
  if (flat_model_has(&view->f, DELAY_NEEDS_ELMORE))
    lane_ahead(&view->n.elmore[s - net->load_shift]);
}

SL_HD void ahead_of_edge(const FlatView *view, const FlatEdge *flat_edge, uint32_t edge)
{
  lane_ahead(&view->f.grids[CONDITION_COUNT * flat_edge->kind]);
  lane_ahead(&view->n.edge_delay[edge]);
  lane_ahead(&view->n.arrival[flat_edge->from_node]);
  if (!(flat_edge->slew & FLAT_CLOCK_SLEW)) lane_ahead(&view->n.slew[flat_edge->slew]);
  if (flat_edge->wire != FLAT_NONE && flat_model_has(&view->f, DELAY_IMPULSE_RULE))
    lane_ahead(&view->n.impulse_sq[flat_edge->wire]);
  if (flat_edge->wire != FLAT_NONE && flat_model_has(&view->f, DELAY_IMPULSE_RULE))
    lane_ahead(&view->n.elmore[flat_edge->wire]);
}

/* Stores the old numbers of the net, and initializes them as a whole update does. */
SL_BLOCK_FN void begin_numbers(const FlatView *view, const FollowWork *work)
{
  const FollowNet *net = &work->net;
  int waves = flat_model_has(&view->f, DELAY_BY_WAVE);
  SL_LANES(i, net->load_count + 1)
  {
    uint32_t s = net_slot(net, i);
    Cond4 *before = &work->slots_before[2 * i];
    before[0] = view->n.slew[s];
    if (waves || i == 0) view->n.slew[s] = cond_nothing();
    if (i == 0) continue;
    before[1] = view->n.wire_delay[s - net->load_shift];
    if (waves) view->n.wire_delay[s - net->load_shift] = cond_nothing();
  }
  SL_LANES(i, net->nodes)
  {
    work->nodes_before[i] = view->n.arrival[net_node(net, i)];
    view->n.arrival[net_node(net, i)] = cond_nothing();
  }
}

SL_BLOCK_FN void begin_driver(const FlatView *view, const FollowView *follow_view, uint32_t l,
                              const FollowWork *work)
{
  uint32_t edge = work->net.first_edge + SL_LANE / 2;
  FlatEdge r = view->f.edges[SL_LANE < 2 * work->net.edge_count ? edge : 0];
  if (SL_FIRST_LANE) ahead_of_slots(view, follow_view, &work->net);
  if (SL_FIRST_LANE) ahead_of_net(view, driver_index(&view->f.levels[l], work->net.slot));
  begin_numbers(view, work);
  if (SL_LANE < 2 * work->net.edge_count) ahead_of_edge(view, &r, edge);
}

SL_HD void follow_edge(const FlatView *view, const FollowView *follow_view, uint32_t l,
                       uint32_t edge, int el)
{
  const FlatLevel *level = &view->f.levels[l];
  FlatEdge r = view->f.edges[edge];
  int has_waves = flat_model_has(&view->f, DELAY_BY_WAVE);
  EdgeNet net = edge_net(view, level, &r, el, 1, has_waves);
  float before = view->n.edge_delay[edge].v[el];
  int waves = !has_waves                      ? WAVE_NONE
              : net.grid.n1 == FLAT_NO_GRID ? WAVE_PLAIN
                                            : WAVE_GRID;
  edge_lane(view, level, &net, &r, edge, el, 1, waves, view->f.traits.delay_model);
  if (!same_numbers(&before, &view->n.edge_delay[edge].v[el], 1))
    follow_push_before(view, follow_view, r.arc, l);
}

SL_BLOCK_FN void follow_edges(const FlatView *view, const FollowView *follow_view, uint32_t l,
                              const FollowNet *net)
{
  SL_LANES(i, 2 * net->edge_count)
  follow_edge(view, follow_view, l, net->first_edge + i / 2, (int)(i % 2));
  if (view->f.slot_use[net->slot] & (FLAT_SEED | FLAT_LINKED)) {
    SL_LANES(k, CONDITION_COUNT) finish_starts(view, net->slot, (int)k);
  }
}

/* Computes every load from the waveform of every edge. */
SL_BLOCK_FN void follow_waves(const FlatView *view, uint32_t l, const FollowNet *net)
{
  const FlatLevel *level = &view->f.levels[l];
  if (!has_waves(view, level, net->slot)) return;
  SL_LANES(i, 2 * net->edge_count * net->load_count)
  {
    uint32_t pair = i / 2, slot = net->first_load + pair / net->edge_count;
    FlatPair p = { slot - net->load_shift, slot, net->first_edge + pair % net->edge_count,
                   FLAT_NONE };
    if (view->f.edges[p.edge].use & FLAT_SHAPES)
      wave_load_lane(view, level, &p, (int)(i % 2), WAVE_GRID, view->f.traits.delay_model);
  }
}

SL_BLOCK_FN void follow_loads(const FlatView *view, uint32_t l, const FollowNet *net)
{
  SL_LANES(i, 4 * net->load_count)
  {
    uint32_t load = net->first_load + i / 4 - net->load_shift;
    FlatLoad r = view->f.loads[load];
    if (r.irregular) load_lane(view, &view->f.levels[l], &r, load, (int)(i % 4), 1, 0);
    else plain_load_lane(view, &r, load, (int)(i % 4), 1);
  }
}

SL_HD int nodes_differ(const FlatView *view, const FollowWork *work, uint32_t slot, int load)
{
  uint32_t shift = load ? work->net.load_node - work->net.driver_nodes : work->net.node;
  for (uint32_t node = view->f.node_first[slot]; node < view->f.node_first[slot + 1]; node++)
    if (!same_conditions(&work->nodes_before[node - shift], &view->n.arrival[node])) return 1;
  return 0;
}

/* Returns a net as an entry of the lists. */
SL_HD FollowPlace own_place(const FlatView *view, uint32_t l, const FollowNet *net)
{
  FollowPlace p = { driver_index(&view->f.levels[l], net->slot), l };
  return p;
}

/* Queues what depends on a slot whose numbers have changed. */
SL_HD void slot_differs(const FlatView *view, const FollowView *follow_view, uint32_t l,
                        const FollowNet *net, uint32_t slot)
{
  if (follow_view->f.slot_stops[slot]) lane_mark(&follow_view->stop[l], STOP_REACH);
  for (uint32_t i = view->f.out_first[slot]; i < view->f.out_first[slot + 1]; i++)
    follow_push_behind(view, follow_view, i);
  if (view->f.slot_first_end[slot + 1] > view->f.slot_first_end[slot])
    follow_push(view, follow_view, BACKWARD, own_place(view, l, net));
}

SL_BLOCK_FN void compare_slots(const FlatView *view, const FollowView *follow_view, uint32_t l,
                               const FollowWork *work)
{
  const FollowNet *net = &work->net;
  SL_LANES(i, net->load_count + 1)
  {
    uint32_t s = net_slot(net, i);
    const Cond4 *before = &work->slots_before[2 * i];
    settle_slew(view, s);
    int wire = i && !same_conditions(&before[1], &view->n.wire_delay[s - net->load_shift]);
    if (wire) follow_push(view, follow_view, BACKWARD, own_place(view, l, net));
    if (wire || !same_conditions(&before[0], &view->n.slew[s])
        || nodes_differ(view, work, s, i != 0))
      slot_differs(view, follow_view, l, net, s);
  }
}

SL_BLOCK_FN void follow_driver(const FlatView *view, const FollowView *follow_view, uint32_t l,
                               const FollowWork *work)
{
  if (work->net.stops) {
    lane_mark(&follow_view->stop[l], STOP_REACH);
    return;
  }
  begin_driver(view, follow_view, l, work);
  SL_SYNC();
  follow_edges(view, follow_view, l, &work->net);
  SL_SYNC();
  if (flat_model_has(&view->f, DELAY_BY_WAVE)) follow_waves(view, l, &work->net);
  SL_SYNC();
  follow_loads(view, l, &work->net);
  SL_SYNC();
  compare_slots(view, follow_view, l, work);
}

/* --- backward --------------------------------------------------------------------------------- */
SL_BLOCK_FN void begin_required(const FlatView *view, const FollowWork *work)
{
  const FollowNet *net = &work->net;
  FlatOut o =
      view->f.outs[SL_LANE < 2 * net->load_out_count ? net->first_load_out + SL_LANE / 2 : 0];
  SL_LANES(i, net->nodes)
  {
    work->nodes_before[i] = view->n.required[net_node(net, i)];
    view->n.required[net_node(net, i)] = cond_loosest();
  }
  if (SL_LANE >= 2 * net->load_out_count) return;
  lane_ahead(&view->n.edge_delay[o.edge]);
  lane_ahead(&view->n.required[o.to_node]);
  lane_ahead(&view->n.wire_delay[o.load]);
}

SL_HD void follow_check(const FlatView *view, const FollowView *follow_view, uint32_t check)
{
  Pair before = view->n.check_margin[check];
  for (int edge = RISE; edge <= FALL; edge++) check_margin(view, check, edge);
  if (!same_numbers(before.v, view->n.check_margin[check].v, 2))
    follow_record(follow_view, RECORDED_MARGINS, check, &view->n.check_margin[check]);
}

SL_HD void follow_path_end(const FlatView *view, const FollowView *follow_view, uint32_t id)
{
  Pair before = view->n.end_slack[id];
  for (int edge = RISE; edge <= FALL; edge++) path_end_edge(view, id, edge);
  if (!same_numbers(before.v, view->n.end_slack[id].v, 2))
    follow_record(follow_view, RECORDED_PATH_ENDS, id, &view->n.end_slack[id]);
}

SL_BLOCK_FN void follow_ends(const FlatView *view, const FollowView *follow_view,
                             const FollowNet *net)
{
  SL_LANES(i, net->load_count + 1)
  {
    uint32_t s = net_slot(net, i), first = view->f.slot_first_end[s],
             end = view->f.slot_first_end[s + 1];
    for (uint32_t c = view->f.slot_first_check[s];
         first < end && c < view->f.slot_first_check[s + 1]; c++)
      follow_check(view, follow_view, view->f.check_order[c]);
    for (uint32_t id = first; id < end; id++) follow_path_end(view, follow_view, id);
  }
}

SL_BLOCK_FN void follow_outs(const FlatView *view, uint32_t first, uint32_t count)
{
  SL_LANES(i, 2 * count)
  {
    FlatOut o = view->f.outs[first + i / 2];
    OutDelays d = out_delays(view, &o, (int)(i % 2));
    out_lane(view, &o, &d, (int)(i % 2));
  }
}

SL_BLOCK_FN void follow_end_loads(const FlatView *view, const FollowNet *net)
{
  SL_LANES(i, 4 * net->load_count)
  {
    uint32_t s = net->first_load + i / 4;
    if (view->f.slot_first_end[s + 1] > view->f.slot_first_end[s])
      end_load_lane(view, s - net->load_shift, (int)(i % 4));
  }
}

/* Queues the nets before the driver, if its required times have changed. */
SL_BLOCK_FN void compare_required(const FlatView *view, const FollowView *follow_view, uint32_t l,
                                  const FollowWork *work)
{
  const FollowNet *net = &work->net;
  int differ = 0;
  for (uint32_t i = 0; i < net->driver_nodes && !differ; i++)
    differ = !same_conditions(&work->nodes_before[i], &view->n.required[net->node + i]);
  if (!differ) return;
  SL_LANES(i, net->arc_count) follow_push_before(view, follow_view, net->first_arc + i, l);
}

SL_BLOCK_FN void follow_required(const FlatView *view, const FollowView *follow_view, uint32_t l,
                                 const FollowWork *work)
{
  const FollowNet *net = &work->net;
  begin_required(view, work);
  SL_SYNC();
  follow_ends(view, follow_view, net);
  SL_SYNC();
  follow_end_loads(view, net);
  follow_outs(view, net->first_out, net->out_count);
  follow_outs(view, net->first_load_out, net->load_out_count);
  SL_SYNC();
  compare_required(view, follow_view, l, work);
}

/* --- levels ----------------------------------------------------------------------------------- */
/* Returns the next turn, from a given one on, with drivers to compute, and their number;
   level_count: there is none. Other blocks may still queue drivers, but only in levels after the
   one that they compute. So the next level with drivers is already known. */
SL_BLOCK_FN uint32_t next_turn(const FlatView *view, const FollowView *follow_view, int way,
                               uint32_t from, uint32_t *count)
{
  for (; from < view->f.count.levels; from += WARP) {
    uint32_t first = sl_first_of(&follow_view->count[way][from], count);
    if (first < WARP) return from + first;
  }
  return view->f.count.levels;
}

SL_BLOCK_FN void follow_level(const FlatView *view, const FollowView *follow_view, int way,
                              uint32_t l, uint32_t count)
{
  const uint32_t *list = follow_view->list[way] + view->f.levels[l].first_driver;
  SL_GRID_BLOCKS(b, count)
  {
    FollowWork w = follow_work(follow_view, list[b], SL_BLOCK_INDEX);
    if (SL_FIRST_LANE) follow_view->mark[way][list[b]] = 0;
    if (way == FORWARD) follow_driver(view, follow_view, l, &w);
    else follow_required(view, follow_view, l, &w);
    SL_SYNC();
  }
}

/* The clock is read once in this many turns, because reading it takes as long as a wait of the
   blocks for each other. */
enum { CLOCK_TURNS = 8 };

/* Stops following when the time is over. One block reads the clock for all. */
SL_HD void follow_clock(const FlatView *view, const FollowView *follow_view, int way, uint32_t l)
{
  uint64_t edges = view->f.levels[l].first_edge + view->f.levels[l].edge_count;
  uint64_t patience =
      follow_view->patience[way]
      + (way == FORWARD ? follow_view->forward_patience * edges / (view->f.count.edges + 1) : 0);
  if (patience && lane_clock() - follow_view->control->begun > patience)
    lane_mark(&follow_view->stop[l], STOP_EFFORT);
}

SL_BLOCK_FN void follow_levels(const FlatView *view, const FollowView *follow_view, int way)
{
  uint32_t reached = 0, synced = 0, last = 0, count = 0,
           stops = lane_fresh(&follow_view->control->stopped[FORWARD]);
  for (uint32_t turn = next_turn(view, follow_view, way, 0, &count);
       turn < view->f.count.levels && !stops;
       turn = next_turn(view, follow_view, way, turn + 1, &count)) {
    uint32_t l = level_at(view, way, turn);
    follow_level(view, follow_view, way, l, count);
    reached += count;
    synced++;
    if (SL_BLOCK_INDEX == 0 && SL_FIRST_LANE && synced % CLOCK_TURNS == 0)
      follow_clock(view, follow_view, way, l);
    SL_GRID_SYNC(&follow_view->control->arrived[way], synced);
    stops =
        lane_fresh(&follow_view->stop[l]) | (reached > follow_view->most ? STOP_EFFORT : STOP_NONE);
    last = l;
  }
  if (SL_BLOCK_INDEX != 0 || !SL_FIRST_LANE) return;
  follow_view->control->reached[way] = reached;
  follow_view->control->stopped[way] = stops;
  if (way == FORWARD) follow_view->control->level = last;
}

#endif
