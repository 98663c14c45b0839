/* The passes of the sizer. */
#include "optimize/sizer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "device/families.h"

/* A gate that moved in a pass. */
typedef struct {
  uint32_t gate, from, to;
  float    gain;                     /* as expected */
} Move;

typedef struct {
  const SizeOptions *o;
  const SizeHost    *host;
  SizeProblem *p;
  FamilyRun   *run;                  /* evaluates cells */
  char        *lost;                 /* SizeResult */
  SizeChosen  *chosen;
  ARRAY(uint32_t) active;            /* gates whose candidates a pass evaluates */
  ARRAY(Move)  moves;
  float       *added;                /* by driver: fF that the moves of a pass add to its net */
  uint32_t    *best;                 /* of each gate: which candidate the best design has */
  SizeScore    score, best_score;
  float        span;                 /* ps: paths so much less late than the worst count too */
  ARRAY(InstId) insts;               /* for the host */
  ARRAY(CellId) cells;
} Sizer;

#define NO_DRIVER UINT32_MAX
enum {
  ROUGH_PASSES = 3,                  /* the first ones, in which limits of load and slew do not stop
                                        moves: most violations are there */
  WORSE_PERCENT = 5                  /* a pass that raises the cost by so much is taken back in
                                        part */
};

/* --- moves ------------------------------------------------------------------------------------ */
static void put(Sizer *s, uint32_t gate, uint32_t to)
{
  SizeGate *g = &s->p->gates.at[gate];
  if (g->now == to) return;
  g->now = to;
  array_push(&s->insts, s->p->insts.at[gate]);
  array_push(&s->cells, s->p->candidates.at[g->first_candidate + to]);
}

/* Swaps what was put, and times the design. */
static bool apply(Sizer *s)
{
  s->host->swap(s->host->data, s->insts.at, s->cells.at, s->insts.len);
  array_clear(&s->insts);
  array_clear(&s->cells);
  const Timing *t = s->host->update(s->host->data);
  if (t == NULL) return false;
  s->p->t = t;
  s->score = size_score(s->p);
  return true;
}

/* Designs within the area are better than others; of those that are not, the smaller. */
static bool is_better(const Sizer *s, const SizeScore *a, const SizeScore *b)
{
  double most = s->o->most_area > 0 ? s->o->most_area : INFINITY;
  if (b->area > most) return a->area < b->area;
  if (a->area > most) return false;
  return s->o->by_cost ? a->cost < b->cost : size_score_is_better(a, b);
}

static void keep_if_best(Sizer *s)
{
  if (!is_better(s, &s->score, &s->best_score)) return;
  s->best_score = s->score;
  for (uint32_t i = 0; i < s->p->gates.len; i++) s->best[i] = s->p->gates.at[i].now;
}

static int by_gain(const void *pa, const void *pb)
{
  const Move *a = pa, *b = pb;
  if (a->gain != b->gain) return a->gain < b->gain ? -1 : 1;
  return (a->gate > b->gate) - (a->gate < b->gate);
}

/* Takes the half of a pass's moves back that promised least. */
static bool take_half_back(Sizer *s)
{
  qsort(s->moves.at, s->moves.len, sizeof *s->moves.at, by_gain);
  for (uint32_t i = 0; i < s->moves.len / 2; i++) put(s, s->moves.at[i].gate, s->moves.at[i].from);
  return apply(s);
}

/* --- a pass ----------------------------------------------------------------------------------- */
/* Gates of even and of odd levels move in turn: most neighbours stay while a gate moves. */
static bool has_turn(const Sizer *s, const SizeGate *g, uint32_t pass)
{
  Slot driver = s->p->net_slots.at[g->first_net / 2];
  return (s->p->t->g->slots.level[driver] + pass) % 2 == 0;
}

static bool has_cheaper(const SizeView *v, const SizeGate *g)
{
  const float *costs = v->own_costs + g->first_candidate;
  for (uint32_t i = 0; i < g->candidate_count; i++)
    if (costs[i] < costs[g->now]) return true;
  return false;
}

/* Could another cell cost less?  Not where no cell is cheaper and nothing else counts. */
static bool may_gain(const SizeView *v, const SizeGate *g, bool recover)
{
  const SizeCell *cell = &v->cells[v->candidates[g->first_candidate + g->now]];
  if (recover && has_cheaper(v, g)) return true;
  for (uint32_t i = g->first_edge; i < g->first_edge + g->edge_count; i++)
    if (v->edges[i].weight > 0) return true;
  for (uint32_t i = g->first_net; i < g->first_net + g->net_count; i++) {
    const SizeNet *n = &v->nets[i];
    if (n->slew_cost > 0 || n->slew > n->slew_limit
        || n->load > v->ports[cell->first_port + n->port].limit)
      return true;
  }
  return false;
}

static float cap_change(const SizeView *v, const SizeGate *g, uint32_t to, uint32_t pin)
{
  uint32_t cell = v->candidates[g->first_candidate + to];
  return v->ports[v->cells[cell].first_port + v->pins[pin].port].cap - v->pins[pin].cap;
}

static uint32_t driver_of(const Sizer *s, uint32_t pin)
{
  const Graph *g = s->p->t->g;
  Slot driver = g->nets.wire_driver[s->p->pin_slots.at[pin]];
  return driver == NO_SLOT ? NO_DRIVER : graph_driver_index(g, driver);
}

/* Does a move, with those before it, keep the drivers of its nets within their limits, or take load
   off?  Each gate alone does not see what others add. */
static bool fits(const Sizer *s, const SizeView *v, const Move *m)
{
  const SizeGate *g = &v->gates[m->gate];
  for (uint32_t pin = g->first_pin; pin < g->first_pin + g->pin_count; pin++) {
    uint32_t d = driver_of(s, pin);
    float change = cap_change(v, g, m->to, pin);
    if (d != NO_DRIVER && change > 0 && s->added[d] + change > s->p->pin_rooms.at[pin])
      return false;
  }
  return true;
}

static void add_load(Sizer *s, const SizeView *v, const Move *m)
{
  const SizeGate *g = &v->gates[m->gate];
  for (uint32_t pin = g->first_pin; pin < g->first_pin + g->pin_count; pin++) {
    uint32_t d = driver_of(s, pin);
    if (d != NO_DRIVER) s->added[d] += cap_change(v, g, m->to, pin);
  }
}

/* Moves those that promise most first. */
static void make_moves(Sizer *s, const SizeView *v, uint32_t pass)
{
  uint32_t made = 0;
  memset(s->added, 0, s->p->t->g->nets.driver_count * sizeof *s->added);
  qsort(s->moves.at, s->moves.len, sizeof *s->moves.at, by_gain);
  for (uint32_t i = s->moves.len; i-- > 0;)
    if (pass < ROUGH_PASSES || fits(s, v, &s->moves.at[i])) add_load(s, v, &s->moves.at[i]);
    else s->moves.at[i].to = s->moves.at[i].from;
  for (uint32_t i = 0; i < s->moves.len; i++) {
    Move m = s->moves.at[i];
    put(s, m.gate, m.to);
    if (m.to != m.from) s->moves.at[made++] = m;
  }
  s->moves.len = made;
}

/* --- evaluation ------------------------------------------------------------------------------- */
static SizingArrays arrays_of(const Sizer *s)
{
  const CornerLibs *m = s->p->t->corner_libs;
  const SizeProblem *p = s->p;
  return (SizingArrays){ size_problem_view(p), p->cells.len, p->arcs.len, p->ports.len,
                         m->libs->pool.len, m->ramps.len, 2 * m->libs->libraries.len,
                         p->gates.len, p->edges.len, p->nets.len, p->pins.len,
                         p->candidates.len };
}

static bool try_select(Sizer *s, bool with_library)
{
  SizingArrays arrays = arrays_of(s);
  SizingSelect call = { s->active.at, s->active.len, SIZING_BY_GROUP, s->chosen };
  return (!with_library || family_run(s->run, SIZING_LIBRARY, &arrays))
         && family_run(s->run, SIZING_DESIGN, &arrays) && family_run(s->run, SIZING_SELECT, &call);
}

/* Where the device fails, the CPU begins again with the same problem. */
static void select_cells(Sizer *s)
{
  bool first = s->p->evaluated == 0;
  s->p->evaluated++;
  if (try_select(s, first)) return;
  snprintf(s->lost, sizeof ((SizeResult *)0)->lost, "%s", family_error(s->run)->text);
  try_select(s, true);
}

static void choose(Sizer *s, uint32_t pass)
{
  SizeView v = size_problem_view(s->p);
  array_clear(&s->active);
  array_clear(&s->moves);
  for (uint32_t i = 0; i < v.gate_count; i++)
    if (has_turn(s, &v.gates[i], pass) && may_gain(&v, &v.gates[i], s->o->recover))
      array_push(&s->active, i);
  select_cells(s);
  for (uint32_t i = 0; i < s->active.len; i++) {
    uint32_t gate = s->active.at[i];
    if (s->chosen[i].gain <= 0) continue;
    array_push(&s->moves,
               (Move){ gate, v.gates[gate].now, s->chosen[i].best, s->chosen[i].gain });
  }
  make_moves(s, &v, pass);
}

/* The middle delay of the gates' edges is the span at first.  From a third of the passes on it
   shrinks, at last to a quarter. */
static float span_of(const Sizer *s, uint32_t pass)
{
  double behind = (double)pass / s->o->passes - 1.0 / 3;
  return behind <= 0 ? s->span : (float)(s->span * pow(0.25, behind * 1.5));
}

/* Area that is over its limit becomes dearer from pass to pass, by what a cell costs now. */
static void price_area(Sizer *s)
{
  double price = s->p->area_price, unit = s->score.cost / (s->score.area + 1);
  bool over = s->score.area > s->o->most_area;
  size_problem_price(s->p, over ? fmax(2 * price, unit) : price / 1.5);
}

/* False: the design cannot be timed, or nothing moves any more. */
static bool run_pass(Sizer *s, uint32_t pass)
{
  SizeScore before = s->score;
  size_problem_fill(s->p, span_of(s, pass));
  choose(s, pass);
  if (!apply(s)) return false;
  if (pass > 1 && s->score.cost > before.cost * (1 + WORSE_PERCENT / 100.0) && !take_half_back(s))
    return false;
  if (s->o->most_area > 0) price_area(s);
  s->host->progress(s->host->data, pass + 1, s->moves.len, &s->score);
  keep_if_best(s);
  return true;
}

/* --- life ------------------------------------------------------------------------------------- */
static void open_sizer(Sizer *s, const Timing *t, const SizeChoice *choice)
{
  s->p = size_problem_new(t, &s->o->costs, choice, s->o->leakage);
  s->p->slack_margin = s->o->slack_margin;
  s->run = family_open(&sizing_family, s->o->device, &s->o->engine, s->o->threads);
  s->chosen = mem_alloc(((size_t)s->p->gates.len + 1) * sizeof *s->chosen);
  s->added = mem_alloc(((size_t)t->g->nets.driver_count + 1) * sizeof *s->added);
  s->best = mem_alloc(((size_t)s->p->gates.len + 1) * sizeof *s->best);
  s->span = size_middle_delay(s->p);
  s->score = s->best_score = size_score(s->p);
  for (uint32_t i = 0; i < s->p->gates.len; i++) s->best[i] = s->p->gates.at[i].now;
}

static void close_sizer(Sizer *s)
{
  family_close(s->run);
  mem_free(s->chosen);
  mem_free(s->added);
  mem_free(s->best);
  array_free(&s->active);
  array_free(&s->moves);
  array_free(&s->insts);
  array_free(&s->cells);
  size_problem_free(s->p);
}

/* Back to the best design; how many gates have another cell than at first. */
static uint32_t leave_best(Sizer *s, const uint32_t *first)
{
  uint32_t changed = 0;
  for (uint32_t i = 0; i < s->p->gates.len; i++) {
    put(s, i, s->best[i]);
    changed += s->best[i] != first[i];
  }
  apply(s);
  return changed;
}

Status size_gates(const Timing *t, const SizeOptions *o, const SizeChoice *choice,
                  const SizeHost *host, SizeResult *out)
{
  Sizer s = { .o = o, .host = host, .lost = out->lost };
  double since = clock_seconds();
  open_sizer(&s, t, choice);
  *out = (SizeResult){ .before = s.score, .gates = s.p->gates.len, .fixed = s.p->fixed_cells,
                       .other_graph = s.p->other_graph };
  uint32_t *first = mem_alloc(((size_t)s.p->gates.len + 1) * sizeof *first);
  memcpy(first, s.best, s.p->gates.len * sizeof *first);
  host->progress(host->data, 0, 0, &s.score);
  bool going = true;
  while (going && out->passes < o->passes && !interrupt_seen()) {
    if (clock_seconds() - since >= o->time_limit) break;
    going = run_pass(&s, out->passes);
    out->passes += going;
  }
  out->changed = leave_best(&s, first);
  out->after = s.best_score;
  mem_free(first);
  close_sizer(&s);
  return interrupt_seen() || !going ? FAILED : OK;
}
