/* Runs the passes of the sizer. */
#include "optimize/sizer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "device/families.h"
#include "optimize/size_scene.h"

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
  uint32_t    *start, *best, *safe;  /* of each gate: which candidate it had at first, and in the
                                        best designs: of all, and of those in which no end point is
                                        below its floor */
  SizeScore    first, score, best_score, safe_score;
  bool        *near;                 /* by gate: near a path that lost slack, so it may move; NULL:
                                        all may */
  float        share;                /* of a pass's moves that are made: those that promise most */
  float        span;                 /* ps: paths so much less late than the worst count too */
  uint32_t    *given;                /* by gate: the candidate that the host has */
  ARRAY(uint32_t) put;               /* gates that may have another one now */
  ARRAY(EditSwap) swaps;             /* for the host */
} Sizer;

#define NO_DRIVER UINT32_MAX
#define RESTORING_SHARE 0.1f         /* of the moves of the first pass that restores slack */
#define POLISHING_SHARE 0.1f         /* of the moves of the first pass after that */
enum {
  MOST_TAKEN_BACK = 7,               /* how often moves of a pass are taken back, each
                                        time of more gates */
  GIVING_NOTHING = 3,                /* passes that restore slack of end points, while no other end
                                        point loses any */
  RESTORING = 12,                    /* and all those; in the later ones others may lose what they
                                        do not have to keep */
  NEAR_PATHS = 20,                   /* so many parts of the span: paths that count when slack is
                                        restored are that near to the worst */
  POLISHING_FAILS = 12,              /* passes in turn without a gain, after which none follows */
  LOST_PRICE = 10,                   /* how dear slack is there at first */
  WANT_NS = 100,                     /* what it takes to see whether a gate is evaluated */
  HOLD_PARTS = 4,                    /* hold: the first pass makes one move of so many */
  WORSE_PERCENT = 5                  /* a pass that raises the cost by so much is taken back in
                                        part */
};

/* --- moves ------------------------------------------------------------------------------------ */
static void put(Sizer *s, uint32_t gate, uint32_t to)
{
  SizeGate *g = &s->p->gates.at[gate];
  if (g->now == to) return;
  g->now = to;
  array_push(&s->put, gate);
}

/* A gate may have been put several times. */
static void swap_put(Sizer *s)
{
  array_clear(&s->swaps);
  for (uint32_t i = 0; i < s->put.len; i++) {
    uint32_t gate = s->put.at[i];
    const SizeGate *g = &s->p->gates.at[gate];
    if (s->given[gate] == g->now) continue;
    s->given[gate] = g->now;
    EditSwap swap = { s->p->insts.at[gate], s->p->candidates.at[g->first_candidate + g->now] };
    array_push(&s->swaps, swap);
  }
  array_clear(&s->put);
  s->host->swap(s->host->data, s->swaps.at, s->swaps.len);
}

/* Swaps what was put, and times the design. */
static bool apply(Sizer *s)
{
  swap_put(s);
  const Timing *const *timings = s->host->update(s->host->data);
  if (timings == NULL) return false;
  size_problem_time(s->p, timings);
  s->score = size_score(s->p);
  return true;
}

/* Has no end point less slack than it has to have, and are design rules kept as at first? Hold
   slacks are looked at as a sum, and where slacks are kept from the start alone. */
static bool keeps(const Sizer *s, const SizeScore *a)
{
  if (s->o->keep && a->by_hold
      && (a->hold_negative < s->first.hold_negative || a->hold_worst < s->first.hold_worst))
    return false;
  return a->total_short <= s->first.total_short && a->slew_excess <= s->first.slew_excess
         && a->load_excess <= s->first.load_excess;
}

/* Of two designs that keep slacks and limits, the one with less leakage or area is better: recovery
   repairs nothing. */
static bool saves_more(const Sizer *s, const SizeScore *a, const SizeScore *b)
{
  bool keeps_all = keeps(s, a);
  if (keeps_all != keeps(s, b)) return keeps_all;
  return keeps_all ? a->spent < b->spent : a->cost < b->cost;
}

/* Designs within the area are better than others; of those that are not, the smaller. */
static bool is_better(const Sizer *s, const SizeScore *a, const SizeScore *b)
{
  double most = s->o->most_area > 0 ? s->o->most_area : INFINITY;
  if (b->area > most) return a->area < b->area;
  if (a->area > most) return false;
  if (s->o->keep) return saves_more(s, a, b);
  return s->o->by_cost ? a->cost < b->cost : size_score_is_better(a, b);
}

static void take_cells(const Sizer *s, uint32_t *to)
{
  for (uint32_t i = 0; i < s->p->gates.len; i++) to[i] = s->p->gates.at[i].now;
}

static void keep_present(Sizer *s)
{
  s->best_score = s->score;
  take_cells(s, s->best);
}

static void keep_if_best(Sizer *s)
{
  if (is_better(s, &s->score, &s->best_score)) keep_present(s);
  if (!s->o->keep_ends || s->score.lost_ends || !is_better(s, &s->score, &s->safe_score)) return;
  s->safe_score = s->score;
  take_cells(s, s->safe);
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
static bool has_turn(const Sizer *s, uint32_t gate, uint32_t pass)
{
  Slot driver = graph_slot(size_graph(s->p), s->p->outs.at[s->p->first_outs.at[gate]], true);
  return (size_graph(s->p)->slots.level[driver] + pass) % 2 == 0;
}

/* Is one of the gate's nets above a limit of slew or load? */
static bool is_over_limit(const Sizer *s, const SizeView *v, uint32_t gate)
{
  const SizeGate *g = &v->gates[gate];
  const SizeCell *cell = &v->cells[v->candidates[g->first_candidate + g->now]];
  for (uint32_t i = g->first_net; i < g->first_net + g->net_count; i++) {
    const SizeNet *n = &v->nets[i];
    if (n->slew > n->slew_limit || n->load > v->ports[cell->first_port + n->port].limit)
      return true;
  }
  for (uint32_t i = g->first_pin; i < g->first_pin + g->pin_count; i++)
    if (v->pins[i].load > v->pins[i].limit || s->p->rooms.at[i].slew < 0) return true;
  return false;
}

/* Does time cost something at the gate? */
static bool is_on_path(const SizeView *v, uint32_t gate)
{
  const SizeGate *g = &v->gates[gate];
  for (uint32_t i = g->first_edge; i < g->first_edge + g->edge_count; i++)
    if (v->edges[i].weight != 0) return true;
  for (uint32_t i = g->first_net; i < g->first_net + g->net_count; i++)
    if (v->nets[i].slew_cost > 0) return true;
  for (uint32_t i = g->first_pin; i < g->first_pin + g->pin_count; i++)
    if (v->pins[i].cap_cost != 0) return true;
  return false;
}

/* Could another cell cost less?  Without recovery only gates that have something to do with a
   violation move. */
static bool may_gain(const Sizer *s, const SizeView *v, uint32_t gate)
{
  if (s->p->most_gains.at[gate] <= 0 || (s->near && !s->near[gate])) return false;
  return s->o->recover || is_over_limit(s, v, gate) || (!s->o->rules_alone && is_on_path(v, gate));
}

static float cap_change(const SizeView *v, const SizeGate *g, uint32_t to, uint32_t pin)
{
  uint32_t cell = v->candidates[g->first_candidate + to];
  return v->ports[v->cells[cell].first_port + v->pins[pin].port].cap - v->pins[pin].cap;
}

static uint32_t driver_of(const Sizer *s, uint32_t pin)
{
  const Graph *g = size_graph(s->p);
  Slot driver = g->nets.wire_driver[g->slots.of_pin[s->p->ins.at[pin]]];
  return driver == NO_SLOT ? NO_DRIVER : graph_driver_index(g, driver);
}

/* What more load costs by the room that other moves have taken.  What it costs by itself is in the
   cost of the move already, but for a slew that comes to its limit only now. */
static float room_cost(const SizeView *v, const PinRoom *room, float added, float change)
{
  float with = size_excess(added + change, room->load) - size_excess(added, room->load),
        alone = size_excess(change, room->load) - size_excess(0, room->load);
  float slew = size_excess(added + change, room->slew) - size_excess(added, room->slew);
  return v->excess.load * (with - alone) + room->slew_price * slew;
}

/* Is a move worth it, after those before it?  Each gate alone does not see what others add. */
static bool pays(const Sizer *s, const SizeView *v, const Move *m)
{
  const SizeGate *g = &v->gates[m->gate];
  float gain = m->gain;
  for (uint32_t pin = g->first_pin; pin < g->first_pin + g->pin_count; pin++) {
    uint32_t d = driver_of(s, pin);
    if (d != NO_DRIVER)
      gain -= room_cost(v, &s->p->rooms.at[pin], s->added[d], cap_change(v, g, m->to, pin));
  }
  return gain > 0;
}

static void add_load(Sizer *s, const SizeView *v, const Move *m)
{
  const SizeGate *g = &v->gates[m->gate];
  for (uint32_t pin = g->first_pin; pin < g->first_pin + g->pin_count; pin++) {
    uint32_t d = driver_of(s, pin);
    if (d != NO_DRIVER) s->added[d] += cap_change(v, g, m->to, pin);
  }
}

/* Moves are left out by chance: one of eight where there is a seed, and half of them where a pass
   makes a share only, so that it does not try the same again. */
static bool is_chosen(const Sizer *s, const Move *m, uint32_t pass)
{
  uint64_t any = hash_u64(hash_u64(hash_pair(s->o->seed, pass)) + m->gate);
  return (s->o->seed == 0 || any % 8) && (s->share >= 1 || any >> 32 & 1);
}

/* Moves those that promise most first. first: of the half that moves now, in `moves`. */
static void make_moves(Sizer *s, const SizeView *v, uint32_t pass, uint32_t first)
{
  uint32_t made = first, left = (uint32_t)((float)(s->moves.len - first) * s->share + 1);
  qsort(s->moves.at + first, s->moves.len - first, sizeof *s->moves.at, by_gain);
  for (uint32_t i = s->moves.len; i-- > first;)
    if (left > 0 && is_chosen(s, &s->moves.at[i], pass) && pays(s, v, &s->moves.at[i])) {
      add_load(s, v, &s->moves.at[i]);
      left--;
    } else s->moves.at[i].to = s->moves.at[i].from;
  for (uint32_t i = first; i < s->moves.len; i++) {
    Move m = s->moves.at[i];
    put(s, m.gate, m.to);
    if (m.to != m.from) s->moves.at[made++] = m;
  }
  s->moves.len = made;
}

/* --- evaluation ------------------------------------------------------------------------------- */
static SizingArrays arrays_of(const Sizer *s)
{
  const CornerLibs *m = s->p->scenes[0].t->corner_libs;
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

/* Which gates a half of a pass evaluates. */
typedef struct {
  const Sizer *s;
  SizeView     v;
  uint32_t     half;
  bool        *wanted;               /* by gate */
} Wanting;

static void want_gates(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Wanting *w = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++)
    w->wanted[i] = has_turn(w->s, i, w->half) && may_gain(w->s, &w->v, i);
}

static void list_active(Sizer *s, const SizeView *v, uint32_t half)
{
  Wanting w = { s, *v, half, mem_alloc((size_t)v->gate_count + 1) };
  pool_items(v->gate_count, WANT_NS, s->p->threads, want_gates, &w);
  array_clear(&s->active);
  for (uint32_t i = 0; i < v->gate_count; i++)
    if (w.wanted[i]) array_push(&s->active, i);
  mem_free(w.wanted);
}

/* Chooses cells for a half of the gates, and moves them. After an interrupt no gate moves. */
static void choose(Sizer *s, uint32_t pass, uint32_t half)
{
  SizeView v = size_problem_view(s->p);
  uint32_t first = s->moves.len;
  list_active(s, &v, half);
  if (interrupt_seen()) return;
  select_cells(s);
  if (interrupt_seen()) return;
  for (uint32_t i = 0; i < s->active.len; i++) {
    uint32_t gate = s->active.at[i];
    if (s->chosen[i].gain <= 0) continue;
    array_push(&s->moves,
               (Move){ gate, v.gates[gate].now, s->chosen[i].best, s->chosen[i].gain });
  }
  make_moves(s, &v, pass, first);
}

/* The half that moves next sees the loads that the other one leaves. */
static void move_loads(Sizer *s)
{
  SizeProblem *p = s->p;
  for (uint32_t i = 0; i < p->gates.len; i++)
    for (uint32_t n = 0; n < p->gates.at[i].net_count; n++) {
      uint32_t outs = p->first_outs.at[i + 1] - p->first_outs.at[i];
      PinId out = p->outs.at[p->first_outs.at[i] + n / 2 % outs];
      Slot driver = graph_slot(size_graph(s->p), out, true);
      float added = s->added[graph_driver_index(size_graph(s->p), driver)];
      SizeNet *net = &p->nets.at[p->gates.at[i].first_net + n];
      net->load = fmaxf(net->load + added, 0);
      if (net->c_far > 0) net->c_far = fmaxf(net->c_far + added, 0.01f);
    }
}

/* Both halves of the gates, one after the other. */
static void choose_all(Sizer *s, uint32_t pass)
{
  array_clear(&s->moves);
  memset(s->added, 0, size_graph(s->p)->nets.driver_count * sizeof *s->added);
  choose(s, pass, pass % 2);
  move_loads(s);
  choose(s, pass, 1 - pass % 2);
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

static void put_best(Sizer *s)
{
  for (uint32_t i = 0; i < s->p->gates.len; i++) put(s, i, s->best[i]);
}

/* A pass that is not better is taken back, and fewer moves are made at once. */
static bool try_less(Sizer *s)
{
  if (is_better(s, &s->score, &s->best_score)) {
    s->share = fminf(1, 2 * s->share);
    return true;
  }
  s->share /= 4;
  put_best(s);
  return apply(s);
}

/* Is a slew at a slot above its limit? */
static bool is_over(const SizeScene *s, Slot slot)
{
  for (int edge = RISE; edge <= FALL; edge++) {
    float slew = size_value(&s->t->slew[slot], LATE, edge);
    if (!time_absent(slew) && slew > s->slew_limits[slot]) return true;
  }
  return false;
}

static bool is_net_over(const SizeScene *s, Slot driver)
{
  const GraphNets *n = &s->t->g->nets;
  if (is_over(s, driver) || s->drivers[graph_driver_index(s->t->g, driver)].room.load < 0)
    return true;
  for (Slot l = n->load_first[driver]; l < n->load_first[driver] + n->load_count[driver]; l++)
    if (is_over(s, l)) return true;
  return false;
}

static bool is_marked(const SizeScene *s, Slot slot)
{
  const Cond4 *w = &s->weights[slot];
  return size_value(w, LATE, RISE) > 0 || size_value(w, LATE, FALL) > 0;
}

/* Does a driver's net lead to a marked driver? Its slew counts there, even if its arrival does
   not. */
static bool leads_to_mark(const SizeScene *s, Slot driver)
{
  const Graph *g = s->t->g;
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++)
    for (uint32_t i = g->arcs.out_first[l]; i < g->arcs.out_first[l + 1]; i++)
      if (is_marked(s, g->arcs.to[g->arcs.out[i]])) return true;
  return false;
}

/* What makes a gate one of those that hurt: it is on a path that is too late; it loads such a path
   or drives a gate on it; it is at a net above its limits. */
enum { HURTS_PATH = 1, HURTS_NEAR = 2, HURTS_RULES = 4 };

static bool is_hurt(const SizeProblem *p, const SizeScene *s, uint32_t gate, unsigned how)
{
  const Graph *g = s->t->g;
  for (uint32_t i = p->first_outs.at[gate]; i < p->first_outs.at[gate + 1]; i++) {
    Slot out = graph_slot(g, p->outs.at[i], true);
    if ((how & HURTS_PATH && is_marked(s, out)) || (how & HURTS_RULES && is_net_over(s, out))
        || (how & HURTS_NEAR && leads_to_mark(s, out)))
      return true;
  }
  const SizeGate *gate_of = &p->gates.at[gate];
  for (uint32_t j = gate_of->first_pin; j < gate_of->first_pin + gate_of->pin_count; j++) {
    Slot driver = g->nets.wire_driver[g->slots.of_pin[p->ins.at[j]]];
    if (driver == NO_SLOT) continue;
    if ((how & HURTS_RULES && is_net_over(s, driver)) || (how & HURTS_NEAR && is_marked(s, driver)))
      return true;
  }
  return false;
}

static bool is_hurt_anywhere(const SizeProblem *p, uint32_t gate, unsigned how)
{
  for (uint32_t k = 0; k < p->scene_count; k++)
    if (is_hurt(p, &p->scenes[k], gate, how)) return true;
  return false;
}

/* Takes the moves of a pass back that are on paths that have become too late. At first the gates on
   the worst paths move back, then those beside them too, and at last all that lead to their end
   points. */
static bool take_hurt_back(Sizer *s, int round)
{
  unsigned how = HURTS_PATH | HURTS_RULES | (round > 1 ? HURTS_NEAR : 0);
  float smooth = round < 4 ? 1 : SIZE_ANY_PATH;
  uint32_t left = 0;
  for (uint32_t k = 0; k < s->p->scene_count; k++) size_mark_short(s->p, &s->p->scenes[k], smooth);
  for (uint32_t i = 0; i < s->moves.len; i++) {
    Move m = s->moves.at[i];
    if (is_hurt_anywhere(s->p, m.gate, how)) put(s, m.gate, m.from);
    else s->moves.at[left++] = m;
  }
  s->moves.len = left;
  return apply(s);
}

static bool take_all_hurt_back(Sizer *s)
{
  for (int i = 0; i < MOST_TAKEN_BACK && !keeps(s, &s->score); i++)
    if (!take_hurt_back(s, i)) return false;
  return true;
}

/* Takes the moves of a pass back that make a gate dearer. Many of them made up for moves that were
   taken back. */
static bool take_dear_back(Sizer *s)
{
  uint32_t left = 0;
  for (uint32_t i = 0; i < s->moves.len; i++) {
    Move m = s->moves.at[i];
    const float *own = s->p->own_costs.at + s->p->gates.at[m.gate].first_candidate;
    if (own[m.to] > own[m.from]) put(s, m.gate, m.from);
    else s->moves.at[left++] = m;
  }
  s->moves.len = left;
  return apply(s);
}

/* A pass from a design that keeps slacks and limits to another one. If that costs more, too much
   was spent on slack. */
static bool keep_all(Sizer *s)
{
  if (!take_all_hurt_back(s)) return false;
  if (is_better(s, &s->score, &s->best_score)) return true;
  for (uint32_t k = 0; k < s->p->scene_count; k++) size_cheapen(&s->p->scenes[k]);
  if (!take_dear_back(s) || !take_all_hurt_back(s)) return false;
  if (is_better(s, &s->score, &s->best_score)) return true;
  put_best(s);
  return apply(s);
}

/* Early passes may be worse by a little, for the multipliers have still to learn which paths
   matter. Late ones must be better; and where hold slacks count all must, for to slow a path down
   too much is as bad as not to. */
static bool settle(Sizer *s, uint32_t pass, double cost_before)
{
  if (s->o->keep) return keep_all(s);
  if (s->score.by_hold || 3 * pass >= 2 * s->o->passes) return try_less(s);
  return pass == 0 || s->score.cost <= cost_before * (1 + WORSE_PERCENT / 100.0)
         || take_half_back(s);
}

/* False: the design cannot be timed. A pass that sees an interrupt ends at once; the caller goes
   back to the best design. */
static bool run_pass(Sizer *s, uint32_t pass)
{
  double before = s->score.cost;
  size_problem_fill(s->p, span_of(s, pass));
  if (!interrupt_seen()) choose_all(s, pass);
  if (interrupt_seen() || !apply(s)) return false;
  SizeScore reached = s->score;
  if (!settle(s, pass, before)) return false;
  if (s->o->keep) reached = s->score;
  if (s->o->most_area > 0) price_area(s);
  s->host->progress(s->host->data, pass + 1, s->moves.len, &reached);
  keep_if_best(s);
  return true;
}

/* --- end points that have lost slack ---------------------------------------------------------- */
static void aim(Sizer *s, void (*set)(const SizeProblem *, SizeScene *))
{
  for (uint32_t k = 0; k < s->p->scene_count; k++) set(s->p, &s->p->scenes[k]);
}

static void at_floors(const SizeProblem *p, SizeScene *s) { size_keep_floors(p, s, true); }
static void at_floors_or_now(const SizeProblem *p, SizeScene *s) { size_keep_floors(p, s, false); }
static void at_none(const SizeProblem *p, SizeScene *s)
{
  (void)p;
  size_forget_targets(s);
}

/* Only gates near the paths that have lost slack move. */
static void mark_near(Sizer *s, float span)
{
  aim(s, at_floors);
  for (uint32_t k = 0; k < s->p->scene_count; k++) size_mark_short(s->p, &s->p->scenes[k], span);
  for (uint32_t i = 0; i < s->p->gates.len; i++)
    s->near[i] = is_hurt_anywhere(s->p, i, HURTS_PATH | HURTS_NEAR);
}

static bool fits(const Sizer *s, double area)
{
  return !(s->o->most_area > 0) || area <= fmax(s->o->most_area, s->best_score.area);
}

/* A pass in which slack is dear at the end points that have lost it. Moves that take slack from
   others are taken back: at first any, later what these have to keep. A pass that does not help is
   taken back as a whole. */
static bool restore_pass(Sizer *s, uint32_t pass)
{
  double lost = s->score.lost;
  float span = span_of(s, s->o->passes);
  mark_near(s, span / NEAR_PATHS);
  aim(s, pass < GIVING_NOTHING ? size_keep_slacks : at_floors_or_now);
  s->first = size_score(s->p);
  s->p->lost_price = (float)(LOST_PRICE << pass);
  size_problem_fill(s->p, span);
  if (!interrupt_seen()) choose_all(s, s->o->passes + pass);
  if (interrupt_seen()) return false;
  if (s->moves.len == 0) return true;
  if (!apply(s) || !take_all_hurt_back(s)) return false;
  uint32_t moves = s->moves.len;
  if (keeps(s, &s->score) && s->score.lost < lost && fits(s, s->score.area)) {
    keep_present(s);
    s->share = fminf(1, 2 * s->share);
    s->host->progress(s->host->data, s->o->passes + pass + 1, moves, &s->score);
    return true;
  }
  s->share /= 4;
  put_best(s);
  return apply(s);
}

/* All changes of gates since the start, as moves. */
static void list_changes(Sizer *s)
{
  array_clear(&s->moves);
  for (uint32_t i = 0; i < s->p->gates.len; i++)
    if (s->p->gates.at[i].now != s->start[i])
      array_push(&s->moves, (Move){ i, s->start[i], s->p->gates.at[i].now, 0 });
}

/* Takes moves back until no end point is below its floor and limits are as in `kept`. */
static bool take_back_to_floors(Sizer *s, const SizeScore *kept)
{
  aim(s, at_floors);
  s->first = *kept;
  s->first.total_short = 0;
  s->score = size_score(s->p);
  return take_all_hurt_back(s);
}

/* Gives gates around the paths that lack slack the cells that they had at first. */
static bool go_back(Sizer *s)
{
  list_changes(s);
  return take_back_to_floors(s, &s->safe_score);
}

/* The best design may have end points with less slack than they have to keep. False: the design
   cannot be timed. */
static bool restore_slacks(Sizer *s, bool in_time)
{
  if (!s->o->keep_ends || s->best_score.lost_ends == 0) return true;
  put_best(s);
  if (!apply(s)) return false;
  s->near = mem_alloc(s->p->gates.len + 1);
  bool going = true;
  s->share = RESTORING_SHARE;
  for (uint32_t i = 0; in_time && i < RESTORING && going && s->score.lost_ends; i++)
    going = restore_pass(s, i);
  mem_free(s->near);
  s->near = NULL;
  if (going && s->score.lost_ends) going = go_back(s);
  aim(s, at_none);
  if (!going) return false;
  s->score = size_score(s->p);
  bool restored = s->score.lost_ends == 0 && is_better(s, &s->score, &s->safe_score);
  s->best_score = restored ? s->score : s->safe_score;
  if (restored) take_cells(s, s->best);
  else memcpy(s->best, s->safe, s->p->gates.len * sizeof *s->best);
  return true;
}

/* --- last gains ------------------------------------------------------------------------------- */
/* Takes the moves of a pass back that take slack from end points below their floors, or that break
   limits. */
static bool take_losses_back(Sizer *s)
{
  bool done = take_back_to_floors(s, &s->best_score);
  aim(s, at_none);
  if (done) s->score = size_score(s->p);
  return done;
}

static bool is_gain(const Sizer *s)
{
  return s->score.lost_ends == 0 && is_better(s, &s->score, &s->best_score);
}

/* A pass from the best design that makes only the moves that promise most. *failed counts the
   passes in turn that gained nothing. */
static bool polish_pass(Sizer *s, uint32_t pass, uint32_t *failed)
{
  uint32_t number = s->o->passes + RESTORING + pass;
  size_problem_fill(s->p, span_of(s, s->o->passes));
  if (!interrupt_seen()) choose_all(s, number);
  if (interrupt_seen() || !apply(s)) return false;
  if (!is_gain(s) && !(s->o->keep ? keep_all(s) : take_losses_back(s))) return false;
  if (is_gain(s)) {
    keep_present(s);
    s->host->progress(s->host->data, number + 1, s->moves.len, &s->score);
    s->share = fminf(1, 2 * s->share);
    *failed = 0;
    return true;
  }
  ++*failed;
  s->share /= 4;
  put_best(s);
  return apply(s);
}

/* Is there something to repair? */
static bool is_violated(const SizeScore *x)
{
  return x->total_short > 0 || x->slew_excess > 0 || x->load_excess > 0
         || (x->by_hold && x->hold_negative < 0);
}

/* Whole passes end where each of their many moves takes something from another one. Fewer moves at
   once still gain. */
static bool polish(Sizer *s)
{
  uint32_t failed = 0;
  if (!s->o->keep && (!s->o->keep_ends || !is_violated(&s->best_score))) return true;
  put_best(s);
  bool going = apply(s);
  s->share = POLISHING_SHARE;
  s->p->filled = false;
  for (uint32_t k = 0; k < s->p->scene_count; k++) {
    array_clear(&s->p->scenes[k].multipliers[EARLY]);
    array_clear(&s->p->scenes[k].multipliers[LATE]);
  }
  for (uint32_t i = 0; going && i < s->o->passes && failed < POLISHING_FAILS; i++)
    going = polish_pass(s, i, &failed);
  return going;
}

/* --- life ------------------------------------------------------------------------------------- */
static void open_sizer(Sizer *s, const Timing *const *timings, uint32_t count,
                       const SizeChoice *choice)
{
  const SizeOptions *o = s->o;
  s->p = size_problem_new(timings, count, &o->costs, choice, o->leakage, o->threads);
  s->p->slack_margin = s->o->slack_margin;
  s->run = family_open(&sizing_family, s->o->device, &s->o->engine, s->o->threads);
  s->chosen = mem_alloc(((size_t)s->p->gates.len + 1) * sizeof *s->chosen);
  s->added = mem_alloc(((size_t)timings[0]->g->nets.driver_count + 1) * sizeof *s->added);
  s->best = mem_alloc(((size_t)s->p->gates.len + 1) * sizeof *s->best);
  s->safe = mem_alloc(((size_t)s->p->gates.len + 1) * sizeof *s->safe);
  s->given = mem_alloc(((size_t)s->p->gates.len + 1) * sizeof *s->given);
  s->start = mem_alloc(((size_t)s->p->gates.len + 1) * sizeof *s->start);
  s->share = o->costs.hold > 0 ? 1.0f / HOLD_PARTS : 1;
  s->span = size_middle_delay(s->p);
  if (o->scaled) size_problem_scale(s->p, s->span);
  if (o->keep) aim(s, size_keep_slacks);
  if (o->keep) aim(s, size_keep_rules);
  if (o->keep_ends) aim(s, size_take_floors);
  s->first = s->score = s->best_score = s->safe_score = size_score(s->p);
  take_cells(s, s->given);
  take_cells(s, s->start);
  take_cells(s, s->best);
  take_cells(s, s->safe);
}

static void close_sizer(Sizer *s)
{
  family_close(s->run);
  mem_free(s->chosen);
  mem_free(s->added);
  mem_free(s->best);
  mem_free(s->safe);
  mem_free(s->given);
  mem_free(s->start);
  array_free(&s->active);
  array_free(&s->moves);
  array_free(&s->put);
  array_free(&s->swaps);
  size_problem_free(s->p);
}

/* Back to the best design, which is not timed again; how many gates have another cell than at
   first. */
static uint32_t leave_best(Sizer *s)
{
  uint32_t changed = 0;
  put_best(s);
  for (uint32_t i = 0; i < s->p->gates.len; i++) changed += s->best[i] != s->start[i];
  swap_put(s);
  return changed;
}

static bool is_in_time(const Sizer *s, double since)
{
  return clock_seconds() - since < s->o->time_limit;
}

/* False: interrupted, or the design cannot be timed. */
static bool run_passes(Sizer *s, double since, uint32_t *passes)
{
  bool going = true;
  if (s->p->gates.len == 0 || (!s->o->recover && !is_violated(&s->first))) return true;
  while (going && *passes < s->o->passes && !interrupt_seen() && is_in_time(s, since)) {
    going = run_pass(s, *passes);
    *passes += going;
  }
  return going && !interrupt_seen() && restore_slacks(s, is_in_time(s, since))
         && (!is_in_time(s, since) || polish(s));
}

Status size_gates(const Timing *const *timings, uint32_t count, const SizeOptions *o,
                  const SizeChoice *choice, const SizeHost *host, SizeResult *out)
{
  Sizer s = { .o = o, .host = host, .lost = out->lost };
  double since = clock_seconds();
  open_sizer(&s, timings, count, choice);
  *out = (SizeResult){ .before = s.score, .gates = s.p->gates.len, .fixed = s.p->fixed_cells,
                       .left = s.p->left_cells, .other_graph = s.p->other_graph,
                       .begun = !interrupt_seen() };
  if (!out->begun) {
    close_sizer(&s);
    return FAILED;
  }
  host->progress(host->data, 0, 0, &s.score);
  bool going = run_passes(&s, since, &out->passes);
  out->changed = leave_best(&s);
  out->after = s.best_score;
  close_sizer(&s);
  return interrupt_seen() || !going ? FAILED : OK;
}
