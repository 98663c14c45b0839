/* Candidates' costs in lanes.  A thread takes some gates, solves all timing edges of all their
   candidates side by side, and then adds each candidate's up, in the order of its edges. */
#include "cpu/cpu_sizing.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pool.h"
#include "cpu/cpu_lanes.h"

enum { TIMES = 4096, GATE_NS = 10000 };

typedef struct {
  DriverLanes *lanes;
  uint32_t     target[LANES];        /* in times, by lane */
  SizeTimes    times[TIMES];         /* of the gates at work: by candidate, then by edge */
} SizingRoom;

typedef struct {
  const SizeView *view;
  const uint32_t *gates;
  SizeChosen     *chosen;
  SizingRoom    **rooms;             /* by thread; each is made by the thread that needs it */
} Selecting;

static void flush(const SizeView *view, SizingRoom *room)
{
  DriverLanes *lanes = room->lanes;
  if (lanes->count == 0) return;
  driver_lanes_solve(lanes, view->model, view->ramps);
  for (int i = 0; i < lanes->count; i++)
    room->times[room->target[i]] = (SizeTimes){ lanes->delay[i], lanes->slew[i] };
  lanes->count = 0;
}

static void push(const SizeView *view, SizingRoom *room, uint32_t target, const SizeArc *arc,
                 float input_slew, const SizeNet *net)
{
  DriverLanes *lanes = room->lanes;
  int i = lanes->count++;
  room->target[i] = target;
  lanes->c_far[i] = net->c_far;
  lanes->c_near[i] = net->c_near;
  lanes->r_pi[i] = net->r_pi;
  lanes_put_thresholds(&lanes->v, i, &view->thresholds[arc->thresholds]);
  lanes->ramp_base[i] = view->ramp_base[arc->thresholds];
  driver_lanes_rows(lanes, i, size_table(view, arc->delay, arc->delay_n1, arc->delay_n2),
                    size_table(view, arc->slew, arc->slew_n1, arc->slew_n2), input_slew,
                    view->model);
  if (lanes->count == LANES) flush(view, room);
}

/* The edges of one candidate of a gate, from a place in times on. */
static void solve_edges(const SizeView *view, SizingRoom *room, const SizeGate *gate, uint32_t cell,
                        uint32_t at)
{
  for (uint32_t i = 0; i < gate->edge_count; i++) {
    const SizeEdge *edge = &view->edges[gate->first_edge + i];
    const SizeArc *arc = size_arc(view, cell, edge);
    const SizeNet *net = &view->nets[gate->first_net + edge->net];
    if (size_has_wave(view, arc, net)) push(view, room, at + i, arc, edge->input_slew, net);
    else room->times[at + i] = size_edge_times(view, arc, edge->input_slew, net);
  }
}

/* times: of the edges of all candidates; NULL: there are too many, so each is solved by itself. */
static void choose(const SizeView *view, const SizeGate *gate, const SizeTimes *times,
                   SizeChosen *chosen)
{
  float least = 0, now = 0;
  *chosen = (SizeChosen){ 0, 0 };
  for (uint32_t c = 0; c < gate->candidate_count; c++) {
    float cost = times ? size_cost_of(view, gate, c, times + c * gate->edge_count)
                       : size_cost(view, gate, c);
    if (c == gate->now) now = cost;
    if (c > 0 && size_key(cost) >= size_key(least)) continue;
    least = cost;
    chosen->best = c;
  }
  chosen->gain = now - least;
}

static uint32_t times_of(const SizeGate *gate) { return gate->candidate_count * gate->edge_count; }

/* As many gates from `from` on as there is room for; where it stops. */
static uint32_t select_some(const Selecting *selecting, SizingRoom *room, uint32_t from,
                            uint32_t to)
{
  const SizeView *view = selecting->view;
  uint32_t used = 0, end = from, at = 0;
  for (; end < to && used + times_of(&view->gates[selecting->gates[end]]) <= TIMES; end++) {
    const SizeGate *gate = &view->gates[selecting->gates[end]];
    for (uint32_t c = 0; c < gate->candidate_count; c++, used += gate->edge_count)
      solve_edges(view, room, gate, view->candidates[gate->first_candidate + c], used);
  }
  flush(view, room);
  for (uint32_t i = from; i < end; i++) {
    const SizeGate *gate = &view->gates[selecting->gates[i]];
    choose(view, gate, room->times + at, &selecting->chosen[i]);
    at += times_of(gate);
  }
  if (end == from) {
    choose(view, &view->gates[selecting->gates[end]], NULL, &selecting->chosen[end]);
    end++;
  }
  return end;
}

static void select_gates(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Selecting *selecting = context;
  (void)step;
  if (selecting->rooms[thread] == NULL) {
    selecting->rooms[thread] = mem_alloc(sizeof **selecting->rooms);
    selecting->rooms[thread]->lanes = driver_lanes_new((int)selecting->view->segments);
  }
  while (from < to && !interrupt_seen())
    from = select_some(selecting, selecting->rooms[thread], from, to);
}

void cpu_size_select(const SizeView *view, const uint32_t *gates, uint32_t count,
                     SizeChosen *chosen, int threads)
{
  Selecting s = { view, gates, chosen, mem_alloc_zero((size_t)threads, sizeof(SizingRoom *)) };
  pool_items(count, GATE_NS, threads, select_gates, &s);
  for (int i = 0; i < threads; i++) {
    if (s.rooms[i]) driver_lanes_free(s.rooms[i]->lanes);
    mem_free(s.rooms[i]);
  }
  mem_free(s.rooms);
}
