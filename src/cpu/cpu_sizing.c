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
  const SizeView *v;
  const uint32_t *gates;
  SizeChosen     *chosen;
  SizingRoom    **rooms;             /* by thread; each is made by the thread that needs it */
} Selecting;

static void flush(const SizeView *v, SizingRoom *r)
{
  DriverLanes *l = r->lanes;
  if (l->count == 0) return;
  driver_lanes_solve(l, v->model, v->ramps);
  for (int i = 0; i < l->count; i++)
    r->times[r->target[i]] = (SizeTimes){ l->delay[i], l->slew[i] };
  l->count = 0;
}

static void push(const SizeView *v, SizingRoom *r, uint32_t target, const SizeArc *arc,
                 float input_slew, const SizeNet *net)
{
  DriverLanes *l = r->lanes;
  int i = l->count++;
  r->target[i] = target;
  l->c_far[i] = net->c_far;
  l->c_near[i] = net->c_near;
  l->r_pi[i] = net->r_pi;
  lanes_put_thresholds(&l->v, i, &v->thresholds[arc->thresholds]);
  l->ramp_base[i] = v->ramp_base[arc->thresholds];
  driver_lanes_rows(l, i, size_table(v, arc->delay, arc->delay_n1, arc->delay_n2),
                    size_table(v, arc->slew, arc->slew_n1, arc->slew_n2), input_slew, v->model);
  if (l->count == LANES) flush(v, r);
}

/* The edges of one candidate of a gate, from a place in times on. */
static void solve_edges(const SizeView *v, SizingRoom *r, const SizeGate *g, uint32_t cell,
                        uint32_t at)
{
  for (uint32_t i = 0; i < g->edge_count; i++) {
    const SizeEdge *e = &v->edges[g->first_edge + i];
    const SizeArc *arc = size_arc(v, cell, e);
    const SizeNet *net = &v->nets[g->first_net + e->net];
    if (size_has_wave(v, arc, net)) push(v, r, at + i, arc, e->input_slew, net);
    else r->times[at + i] = size_edge_times(v, arc, e->input_slew, net);
  }
}

/* times: of the edges of all candidates; NULL: there are too many, so each is solved by itself. */
static void choose(const SizeView *v, const SizeGate *g, const SizeTimes *times, SizeChosen *chosen)
{
  float least = 0, now = 0;
  *chosen = (SizeChosen){ 0, 0 };
  for (uint32_t c = 0; c < g->candidate_count; c++) {
    float cost = times ? size_cost_of(v, g, c, times + c * g->edge_count) : size_cost(v, g, c);
    if (c == g->now) now = cost;
    if (c > 0 && size_key(cost) >= size_key(least)) continue;
    least = cost;
    chosen->best = c;
  }
  chosen->gain = now - least;
}

static uint32_t times_of(const SizeGate *g) { return g->candidate_count * g->edge_count; }

/* As many gates from `from` on as there is room for; where it stops. */
static uint32_t select_some(const Selecting *s, SizingRoom *r, uint32_t from, uint32_t to)
{
  const SizeView *v = s->v;
  uint32_t used = 0, end = from, at = 0;
  for (; end < to && used + times_of(&v->gates[s->gates[end]]) <= TIMES; end++) {
    const SizeGate *g = &v->gates[s->gates[end]];
    for (uint32_t c = 0; c < g->candidate_count; c++, used += g->edge_count)
      solve_edges(v, r, g, v->candidates[g->first_candidate + c], used);
  }
  flush(v, r);
  for (uint32_t i = from; i < end; i++) {
    const SizeGate *g = &v->gates[s->gates[i]];
    choose(v, g, r->times + at, &s->chosen[i]);
    at += times_of(g);
  }
  if (end == from) {
    choose(v, &v->gates[s->gates[end]], NULL, &s->chosen[end]);
    end++;
  }
  return end;
}

static void select_gates(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Selecting *s = context;
  (void)step;
  if (s->rooms[thread] == NULL) {
    s->rooms[thread] = mem_alloc(sizeof **s->rooms);
    s->rooms[thread]->lanes = driver_lanes_new((int)s->v->segments);
  }
  while (from < to && !interrupt_seen()) from = select_some(s, s->rooms[thread], from, to);
}

void cpu_size_select(const SizeView *v, const uint32_t *gates, uint32_t count, SizeChosen *chosen,
                     int threads)
{
  Selecting s = { v, gates, chosen, mem_alloc_zero((size_t)threads, sizeof(SizingRoom *)) };
  pool_items(count, GATE_NS, threads, select_gates, &s);
  for (int i = 0; i < threads; i++) {
    if (s.rooms[i]) driver_lanes_free(s.rooms[i]->lanes);
    mem_free(s.rooms[i]);
  }
  mem_free(s.rooms);
}
