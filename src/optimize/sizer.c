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
  const SizeOptions *options;
  const SizeHost    *host;
  SizeProblem *problem;
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
static void put(Sizer *sizer, uint32_t gate, uint32_t to)
{
  SizeGate *size_gate = &sizer->problem->gates.at[gate];
  if (size_gate->now == to) return;
  size_gate->now = to;
  array_push(&sizer->put, gate);
}

/* A gate may have been put several times. */
static void swap_put(Sizer *sizer)
{
  array_clear(&sizer->swaps);
  for (uint32_t i = 0; i < sizer->put.len; i++) {
    uint32_t gate = sizer->put.at[i];
    const SizeGate *size_gate = &sizer->problem->gates.at[gate];
    if (sizer->given[gate] == size_gate->now) continue;
    sizer->given[gate] = size_gate->now;
    EditSwap swap = { sizer->problem->insts.at[gate],
                      sizer->problem->candidates.at[size_gate->first_candidate + size_gate->now] };
    array_push(&sizer->swaps, swap);
  }
  array_clear(&sizer->put);
  sizer->host->swap(sizer->host->data, sizer->swaps.at, sizer->swaps.len);
}

/* Swaps what was put, and times the design. */
static bool apply(Sizer *sizer)
{
  swap_put(sizer);
  const Timing *const *timings = sizer->host->update(sizer->host->data);
  if (timings == NULL) return false;
  size_problem_time(sizer->problem, timings);
  sizer->score = size_score(sizer->problem);
  return true;
}

/* Has no end point less slack than it has to have, and are design rules kept as at first? Hold
   slacks are looked at as a sum, and where slacks are kept from the start alone. */
static bool keeps(const Sizer *sizer, const SizeScore *score)
{
  if (sizer->options->keep && score->by_hold
      && (score->hold_negative < sizer->first.hold_negative
          || score->hold_worst < sizer->first.hold_worst))
    return false;
  return score->total_short <= sizer->first.total_short
         && score->slew_excess <= sizer->first.slew_excess
         && score->load_excess <= sizer->first.load_excess;
}

/* Of two designs that keep slacks and limits, the one with less leakage or area is better: recovery
   repairs nothing. */
static bool saves_more(const Sizer *sizer, const SizeScore *a, const SizeScore *b)
{
  bool keeps_all = keeps(sizer, a);
  if (keeps_all != keeps(sizer, b)) return keeps_all;
  return keeps_all ? a->spent < b->spent : a->cost < b->cost;
}

/* Designs within the area are better than others; of those that are not, the smaller. */
static bool is_better(const Sizer *sizer, const SizeScore *a, const SizeScore *b)
{
  double most = sizer->options->most_area > 0 ? sizer->options->most_area : INFINITY;
  if (b->area > most) return a->area < b->area;
  if (a->area > most) return false;
  if (sizer->options->keep) return saves_more(sizer, a, b);
  return sizer->options->by_cost ? a->cost < b->cost : size_score_is_better(a, b);
}

static void take_cells(const Sizer *sizer, uint32_t *to)
{
  for (uint32_t i = 0; i < sizer->problem->gates.len; i++) to[i] = sizer->problem->gates.at[i].now;
}

static void keep_present(Sizer *sizer)
{
  sizer->best_score = sizer->score;
  take_cells(sizer, sizer->best);
}

static void keep_if_best(Sizer *sizer)
{
  if (is_better(sizer, &sizer->score, &sizer->best_score)) keep_present(sizer);
  if (!sizer->options->keep_ends || sizer->score.lost_ends
      || !is_better(sizer, &sizer->score, &sizer->safe_score))
    return;
  sizer->safe_score = sizer->score;
  take_cells(sizer, sizer->safe);
}

static int by_gain(const void *pa, const void *pb)
{
  const Move *a = pa, *b = pb;
  if (a->gain != b->gain) return a->gain < b->gain ? -1 : 1;
  return (a->gate > b->gate) - (a->gate < b->gate);
}

/* Takes the half of a pass's moves back that promised least. */
static bool take_half_back(Sizer *sizer)
{
  qsort(sizer->moves.at, sizer->moves.len, sizeof *sizer->moves.at, by_gain);
  for (uint32_t i = 0; i < sizer->moves.len / 2; i++)
    put(sizer, sizer->moves.at[i].gate, sizer->moves.at[i].from);
  return apply(sizer);
}

/* --- a pass ----------------------------------------------------------------------------------- */
/* Gates of even and of odd levels move in turn: most neighbours stay while a gate moves. */
static bool has_turn(const Sizer *sizer, uint32_t gate, uint32_t pass)
{
  Slot driver = graph_slot(size_graph(sizer->problem),
                           sizer->problem->outs.at[sizer->problem->first_outs.at[gate]], true);
  return (size_graph(sizer->problem)->slots.level[driver] + pass) % 2 == 0;
}

/* Is one of the gate's nets above a limit of slew or load? */
static bool is_over_limit(const Sizer *sizer, const SizeView *view, uint32_t gate)
{
  const SizeGate *size_gate = &view->gates[gate];
  const SizeCell *cell =
      &view->cells[view->candidates[size_gate->first_candidate + size_gate->now]];
  for (uint32_t i = size_gate->first_net; i < size_gate->first_net + size_gate->net_count; i++) {
    const SizeNet *net = &view->nets[i];
    if (net->slew > net->slew_limit || net->load > view->ports[cell->first_port + net->port].limit)
      return true;
  }
  for (uint32_t i = size_gate->first_pin; i < size_gate->first_pin + size_gate->pin_count; i++)
    if (view->pins[i].load > view->pins[i].limit || sizer->problem->rooms.at[i].slew < 0)
      return true;
  return false;
}

/* Does time cost something at the gate? */
static bool is_on_path(const SizeView *view, uint32_t gate)
{
  const SizeGate *size_gate = &view->gates[gate];
  for (uint32_t i = size_gate->first_edge; i < size_gate->first_edge + size_gate->edge_count; i++)
    if (view->edges[i].weight != 0) return true;
  for (uint32_t i = size_gate->first_net; i < size_gate->first_net + size_gate->net_count; i++)
    if (view->nets[i].slew_cost > 0) return true;
  for (uint32_t i = size_gate->first_pin; i < size_gate->first_pin + size_gate->pin_count; i++)
    if (view->pins[i].cap_cost != 0) return true;
  return false;
}

/* Could another cell cost less?  Without recovery only gates that have something to do with a
   violation move. */
static bool may_gain(const Sizer *sizer, const SizeView *view, uint32_t gate)
{
  if (sizer->problem->most_gains.at[gate] <= 0 || (sizer->near && !sizer->near[gate])) return false;
  return sizer->options->recover || is_over_limit(sizer, view, gate)
         || (!sizer->options->rules_alone && is_on_path(view, gate));
}

static float cap_change(const SizeView *view, const SizeGate *gate, uint32_t to, uint32_t pin)
{
  uint32_t cell = view->candidates[gate->first_candidate + to];
  return view->ports[view->cells[cell].first_port + view->pins[pin].port].cap - view->pins[pin].cap;
}

static uint32_t driver_of(const Sizer *sizer, uint32_t pin)
{
  const Graph *g = size_graph(sizer->problem);
  Slot driver = g->nets.wire_driver[g->slots.of_pin[sizer->problem->ins.at[pin]]];
  return driver == NO_SLOT ? NO_DRIVER : graph_driver_index(g, driver);
}

/* What more load costs by the room that other moves have taken.  What it costs by itself is in the
   cost of the move already, but for a slew that comes to its limit only now. */
static float room_cost(const SizeView *view, const PinRoom *room, float added, float change)
{
  float with = size_excess(added + change, room->load) - size_excess(added, room->load),
        alone = size_excess(change, room->load) - size_excess(0, room->load);
  float slew = size_excess(added + change, room->slew) - size_excess(added, room->slew);
  return view->excess.load * (with - alone) + room->slew_price * slew;
}

/* Is a move worth it, after those before it?  Each gate alone does not see what others add. */
static bool pays(const Sizer *sizer, const SizeView *view, const Move *move)
{
  const SizeGate *gate = &view->gates[move->gate];
  float gain = move->gain;
  for (uint32_t pin = gate->first_pin; pin < gate->first_pin + gate->pin_count; pin++) {
    uint32_t d = driver_of(sizer, pin);
    if (d != NO_DRIVER)
      gain -= room_cost(view, &sizer->problem->rooms.at[pin], sizer->added[d],
                        cap_change(view, gate, move->to, pin));
  }
  return gain > 0;
}

static void add_load(Sizer *sizer, const SizeView *view, const Move *move)
{
  const SizeGate *gate = &view->gates[move->gate];
  for (uint32_t pin = gate->first_pin; pin < gate->first_pin + gate->pin_count; pin++) {
    uint32_t d = driver_of(sizer, pin);
    if (d != NO_DRIVER) sizer->added[d] += cap_change(view, gate, move->to, pin);
  }
}

/* Moves are left out by chance: one of eight where there is a seed, and half of them where a pass
   makes a share only, so that it does not try the same again. */
static bool is_chosen(const Sizer *sizer, const Move *move, uint32_t pass)
{
  uint64_t any = hash_u64(hash_u64(hash_pair(sizer->options->seed, pass)) + move->gate);
  return (sizer->options->seed == 0 || any % 8) && (sizer->share >= 1 || any >> 32 & 1);
}

/* Moves those that promise most first. first: of the half that moves now, in `moves`. */
static void make_moves(Sizer *sizer, const SizeView *view, uint32_t pass, uint32_t first)
{
  uint32_t made = first, left = (uint32_t)((float)(sizer->moves.len - first) * sizer->share + 1);
  qsort(sizer->moves.at + first, sizer->moves.len - first, sizeof *sizer->moves.at, by_gain);
  for (uint32_t i = sizer->moves.len; i-- > first;)
    if (left > 0 && is_chosen(sizer, &sizer->moves.at[i], pass)
        && pays(sizer, view, &sizer->moves.at[i])) {
      add_load(sizer, view, &sizer->moves.at[i]);
      left--;
    } else sizer->moves.at[i].to = sizer->moves.at[i].from;
  for (uint32_t i = first; i < sizer->moves.len; i++) {
    Move m = sizer->moves.at[i];
    put(sizer, m.gate, m.to);
    if (m.to != m.from) sizer->moves.at[made++] = m;
  }
  sizer->moves.len = made;
}

/* --- evaluation ------------------------------------------------------------------------------- */
static SizingArrays arrays_of(const Sizer *sizer)
{
  const CornerLibs *libs = sizer->problem->scenes[0].t->corner_libs;
  const SizeProblem *problem = sizer->problem;
  return (SizingArrays){ size_problem_view(problem),
                         problem->cells.len,
                         problem->arcs.len,
                         problem->ports.len,
                         libs->libs->pool.len,
                         libs->ramps.len,
                         2 * libs->libs->libraries.len,
                         problem->gates.len,
                         problem->edges.len,
                         problem->nets.len,
                         problem->pins.len,
                         problem->candidates.len };
}

static bool try_select(Sizer *sizer, bool with_library)
{
  SizingArrays arrays = arrays_of(sizer);
  SizingSelect call = { sizer->active.at, sizer->active.len, SIZING_BY_GROUP, sizer->chosen };
  return (!with_library || family_run(sizer->run, SIZING_LIBRARY, &arrays))
         && family_run(sizer->run, SIZING_DESIGN, &arrays)
         && family_run(sizer->run, SIZING_SELECT, &call);
}

/* Where the device fails, the CPU begins again with the same problem. */
static void select_cells(Sizer *sizer)
{
  bool first = sizer->problem->evaluated == 0;
  sizer->problem->evaluated++;
  if (try_select(sizer, first)) return;
  snprintf(sizer->lost, sizeof ((SizeResult *)0)->lost, "%s", family_error(sizer->run)->text);
  try_select(sizer, true);
}

/* Which gates a half of a pass evaluates. */
typedef struct {
  const Sizer *sizer;
  SizeView     v;
  uint32_t     half;
  bool        *wanted;               /* by gate */
} Wanting;

static void want_gates(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Wanting *wanting = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++)
    wanting->wanted[i] =
        has_turn(wanting->sizer, i, wanting->half) && may_gain(wanting->sizer, &wanting->v, i);
}

static void list_active(Sizer *sizer, const SizeView *view, uint32_t half)
{
  Wanting w = { sizer, *view, half, mem_alloc((size_t)view->gate_count + 1) };
  pool_items(view->gate_count, WANT_NS, sizer->problem->threads, want_gates, &w);
  array_clear(&sizer->active);
  for (uint32_t i = 0; i < view->gate_count; i++)
    if (w.wanted[i]) array_push(&sizer->active, i);
  mem_free(w.wanted);
}

/* Chooses cells for a half of the gates, and moves them. After an interrupt no gate moves. */
static void choose(Sizer *sizer, uint32_t pass, uint32_t half)
{
  SizeView v = size_problem_view(sizer->problem);
  uint32_t first = sizer->moves.len;
  list_active(sizer, &v, half);
  if (interrupt_seen()) return;
  select_cells(sizer);
  if (interrupt_seen()) return;
  for (uint32_t i = 0; i < sizer->active.len; i++) {
    uint32_t gate = sizer->active.at[i];
    if (sizer->chosen[i].gain <= 0) continue;
    array_push(&sizer->moves,
               (Move){ gate, v.gates[gate].now, sizer->chosen[i].best, sizer->chosen[i].gain });
  }
  make_moves(sizer, &v, pass, first);
}

/* The half that moves next sees the loads that the other one leaves. */
static void move_loads(Sizer *sizer)
{
  SizeProblem *problem = sizer->problem;
  for (uint32_t i = 0; i < problem->gates.len; i++)
    for (uint32_t n = 0; n < problem->gates.at[i].net_count; n++) {
      uint32_t outs = problem->first_outs.at[i + 1] - problem->first_outs.at[i];
      PinId out = problem->outs.at[problem->first_outs.at[i] + n / 2 % outs];
      Slot driver = graph_slot(size_graph(sizer->problem), out, true);
      float added = sizer->added[graph_driver_index(size_graph(sizer->problem), driver)];
      SizeNet *net = &problem->nets.at[problem->gates.at[i].first_net + n];
      net->load = fmaxf(net->load + added, 0);
      if (net->c_far > 0) net->c_far = fmaxf(net->c_far + added, 0.01f);
    }
}

/* Both halves of the gates, one after the other. */
static void choose_all(Sizer *sizer, uint32_t pass)
{
  array_clear(&sizer->moves);
  memset(sizer->added, 0, size_graph(sizer->problem)->nets.driver_count * sizeof *sizer->added);
  choose(sizer, pass, pass % 2);
  move_loads(sizer);
  choose(sizer, pass, 1 - pass % 2);
}

/* The middle delay of the gates' edges is the span at first.  From a third of the passes on it
   shrinks, at last to a quarter. */
static float span_of(const Sizer *sizer, uint32_t pass)
{
  double behind = (double)pass / sizer->options->passes - 1.0 / 3;
  return behind <= 0 ? sizer->span : (float)(sizer->span * pow(0.25, behind * 1.5));
}

/* Area that is over its limit becomes dearer from pass to pass, by what a cell costs now. */
static void price_area(Sizer *sizer)
{
  double price = sizer->problem->area_price, unit = sizer->score.cost / (sizer->score.area + 1);
  bool over = sizer->score.area > sizer->options->most_area;
  size_problem_price(sizer->problem, over ? fmax(2 * price, unit) : price / 1.5);
}

static void put_best(Sizer *sizer)
{
  for (uint32_t i = 0; i < sizer->problem->gates.len; i++) put(sizer, i, sizer->best[i]);
}

/* A pass that is not better is taken back, and fewer moves are made at once. */
static bool try_less(Sizer *sizer)
{
  if (is_better(sizer, &sizer->score, &sizer->best_score)) {
    sizer->share = fminf(1, 2 * sizer->share);
    return true;
  }
  sizer->share /= 4;
  put_best(sizer);
  return apply(sizer);
}

/* Is a slew at a slot above its limit? */
static bool is_over(const SizeScene *scene, Slot slot)
{
  for (int edge = RISE; edge <= FALL; edge++) {
    float slew = size_value(&scene->t->slew[slot], LATE, edge);
    if (!time_absent(slew) && slew > scene->slew_limits[slot]) return true;
  }
  return false;
}

static bool is_net_over(const SizeScene *scene, Slot driver)
{
  const GraphNets *nets = &scene->t->g->nets;
  if (is_over(scene, driver)
      || scene->drivers[graph_driver_index(scene->t->g, driver)].room.load < 0)
    return true;
  for (Slot l = nets->load_first[driver]; l < nets->load_first[driver] + nets->load_count[driver];
       l++)
    if (is_over(scene, l)) return true;
  return false;
}

static bool is_marked(const SizeScene *scene, Slot slot)
{
  const Cond4 *conditions = &scene->weights[slot];
  return size_value(conditions, LATE, RISE) > 0 || size_value(conditions, LATE, FALL) > 0;
}

/* Does a driver's net lead to a marked driver? Its slew counts there, even if its arrival does
   not. */
static bool leads_to_mark(const SizeScene *scene, Slot driver)
{
  const Graph *g = scene->t->g;
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++)
    for (uint32_t i = g->arcs.out_first[l]; i < g->arcs.out_first[l + 1]; i++)
      if (is_marked(scene, g->arcs.to[g->arcs.out[i]])) return true;
  return false;
}

/* What makes a gate one of those that hurt: it is on a path that is too late; it loads such a path
   or drives a gate on it; it is at a net above its limits. */
enum { HURTS_PATH = 1, HURTS_NEAR = 2, HURTS_RULES = 4 };

static bool is_hurt(const SizeProblem *problem, const SizeScene *scene, uint32_t gate, unsigned how)
{
  const Graph *g = scene->t->g;
  for (uint32_t i = problem->first_outs.at[gate]; i < problem->first_outs.at[gate + 1]; i++) {
    Slot out = graph_slot(g, problem->outs.at[i], true);
    if ((how & HURTS_PATH && is_marked(scene, out))
        || (how & HURTS_RULES && is_net_over(scene, out))
        || (how & HURTS_NEAR && leads_to_mark(scene, out)))
      return true;
  }
  const SizeGate *gate_of = &problem->gates.at[gate];
  for (uint32_t j = gate_of->first_pin; j < gate_of->first_pin + gate_of->pin_count; j++) {
    Slot driver = g->nets.wire_driver[g->slots.of_pin[problem->ins.at[j]]];
    if (driver == NO_SLOT) continue;
    if ((how & HURTS_RULES && is_net_over(scene, driver))
        || (how & HURTS_NEAR && is_marked(scene, driver)))
      return true;
  }
  return false;
}

static bool is_hurt_anywhere(const SizeProblem *problem, uint32_t gate, unsigned how)
{
  for (uint32_t k = 0; k < problem->scene_count; k++)
    if (is_hurt(problem, &problem->scenes[k], gate, how)) return true;
  return false;
}

/* Takes the moves of a pass back that are on paths that have become too late. At first the gates on
   the worst paths move back, then those beside them too, and at last all that lead to their end
   points. */
static bool take_hurt_back(Sizer *sizer, int round)
{
  unsigned how = HURTS_PATH | HURTS_RULES | (round > 1 ? HURTS_NEAR : 0);
  float smooth = round < 4 ? 1 : SIZE_ANY_PATH;
  uint32_t left = 0;
  for (uint32_t k = 0; k < sizer->problem->scene_count; k++)
    size_mark_short(sizer->problem, &sizer->problem->scenes[k], smooth);
  for (uint32_t i = 0; i < sizer->moves.len; i++) {
    Move m = sizer->moves.at[i];
    if (is_hurt_anywhere(sizer->problem, m.gate, how)) put(sizer, m.gate, m.from);
    else sizer->moves.at[left++] = m;
  }
  sizer->moves.len = left;
  return apply(sizer);
}

static bool take_all_hurt_back(Sizer *sizer)
{
  for (int i = 0; i < MOST_TAKEN_BACK && !keeps(sizer, &sizer->score); i++)
    if (!take_hurt_back(sizer, i)) return false;
  return true;
}

/* Takes the moves of a pass back that make a gate dearer. Many of them made up for moves that were
   taken back. */
static bool take_dear_back(Sizer *sizer)
{
  uint32_t left = 0;
  for (uint32_t i = 0; i < sizer->moves.len; i++) {
    Move m = sizer->moves.at[i];
    const float *own =
        sizer->problem->own_costs.at + sizer->problem->gates.at[m.gate].first_candidate;
    if (own[m.to] > own[m.from]) put(sizer, m.gate, m.from);
    else sizer->moves.at[left++] = m;
  }
  sizer->moves.len = left;
  return apply(sizer);
}

/* A pass from a design that keeps slacks and limits to another one. If that costs more, too much
   was spent on slack. */
static bool keep_all(Sizer *sizer)
{
  if (!take_all_hurt_back(sizer)) return false;
  if (is_better(sizer, &sizer->score, &sizer->best_score)) return true;
  for (uint32_t k = 0; k < sizer->problem->scene_count; k++)
    size_cheapen(&sizer->problem->scenes[k]);
  if (!take_dear_back(sizer) || !take_all_hurt_back(sizer)) return false;
  if (is_better(sizer, &sizer->score, &sizer->best_score)) return true;
  put_best(sizer);
  return apply(sizer);
}

/* Early passes may be worse by a little, for the multipliers have still to learn which paths
   matter. Late ones must be better; and where hold slacks count all must, for to slow a path down
   too much is as bad as not to. */
static bool settle(Sizer *sizer, uint32_t pass, double cost_before)
{
  if (sizer->options->keep) return keep_all(sizer);
  if (sizer->score.by_hold || 3 * pass >= 2 * sizer->options->passes) return try_less(sizer);
  return pass == 0 || sizer->score.cost <= cost_before * (1 + WORSE_PERCENT / 100.0)
         || take_half_back(sizer);
}

/* False: the design cannot be timed. A pass that sees an interrupt ends at once; the caller goes
   back to the best design. */
static bool run_pass(Sizer *sizer, uint32_t pass)
{
  double before = sizer->score.cost;
  size_problem_fill(sizer->problem, span_of(sizer, pass));
  if (!interrupt_seen()) choose_all(sizer, pass);
  if (interrupt_seen() || !apply(sizer)) return false;
  SizeScore reached = sizer->score;
  if (!settle(sizer, pass, before)) return false;
  if (sizer->options->keep) reached = sizer->score;
  if (sizer->options->most_area > 0) price_area(sizer);
  sizer->host->progress(sizer->host->data, pass + 1, sizer->moves.len, &reached);
  keep_if_best(sizer);
  return true;
}

/* --- end points that have lost slack ---------------------------------------------------------- */
static void aim(Sizer *sizer, void (*set)(const SizeProblem *, SizeScene *))
{
  for (uint32_t k = 0; k < sizer->problem->scene_count; k++)
    set(sizer->problem, &sizer->problem->scenes[k]);
}

static void at_floors(const SizeProblem *problem, SizeScene *scene)
{
  size_keep_floors(problem, scene, true);
}
static void at_floors_or_now(const SizeProblem *problem, SizeScene *scene)
{
  size_keep_floors(problem, scene, false);
}
static void at_none(const SizeProblem *problem, SizeScene *scene)
{
  (void)problem;
  size_forget_targets(scene);
}

/* Only gates near the paths that have lost slack move. */
static void mark_near(Sizer *sizer, float span)
{
  aim(sizer, at_floors);
  for (uint32_t k = 0; k < sizer->problem->scene_count; k++)
    size_mark_short(sizer->problem, &sizer->problem->scenes[k], span);
  for (uint32_t i = 0; i < sizer->problem->gates.len; i++)
    sizer->near[i] = is_hurt_anywhere(sizer->problem, i, HURTS_PATH | HURTS_NEAR);
}

static bool fits(const Sizer *sizer, double area)
{
  return !(sizer->options->most_area > 0)
         || area <= fmax(sizer->options->most_area, sizer->best_score.area);
}

/* A pass in which slack is dear at the end points that have lost it. Moves that take slack from
   others are taken back: at first any, later what these have to keep. A pass that does not help is
   taken back as a whole. */
static bool restore_pass(Sizer *sizer, uint32_t pass)
{
  double lost = sizer->score.lost;
  float span = span_of(sizer, sizer->options->passes);
  mark_near(sizer, span / NEAR_PATHS);
  aim(sizer, pass < GIVING_NOTHING ? size_keep_slacks : at_floors_or_now);
  sizer->first = size_score(sizer->problem);
  sizer->problem->lost_price = (float)(LOST_PRICE << pass);
  size_problem_fill(sizer->problem, span);
  if (!interrupt_seen()) choose_all(sizer, sizer->options->passes + pass);
  if (interrupt_seen()) return false;
  if (sizer->moves.len == 0) return true;
  if (!apply(sizer) || !take_all_hurt_back(sizer)) return false;
  uint32_t moves = sizer->moves.len;
  if (keeps(sizer, &sizer->score) && sizer->score.lost < lost && fits(sizer, sizer->score.area)) {
    keep_present(sizer);
    sizer->share = fminf(1, 2 * sizer->share);
    sizer->host->progress(sizer->host->data, sizer->options->passes + pass + 1, moves,
                          &sizer->score);
    return true;
  }
  sizer->share /= 4;
  put_best(sizer);
  return apply(sizer);
}

/* All changes of gates since the start, as moves. */
static void list_changes(Sizer *sizer)
{
  array_clear(&sizer->moves);
  for (uint32_t i = 0; i < sizer->problem->gates.len; i++)
    if (sizer->problem->gates.at[i].now != sizer->start[i])
      array_push(&sizer->moves, (Move){ i, sizer->start[i], sizer->problem->gates.at[i].now, 0 });
}

/* Takes moves back until no end point is below its floor and limits are as in `kept`. */
static bool take_back_to_floors(Sizer *sizer, const SizeScore *kept)
{
  aim(sizer, at_floors);
  sizer->first = *kept;
  sizer->first.total_short = 0;
  sizer->score = size_score(sizer->problem);
  return take_all_hurt_back(sizer);
}

/* Gives gates around the paths that lack slack the cells that they had at first. */
static bool go_back(Sizer *sizer)
{
  list_changes(sizer);
  return take_back_to_floors(sizer, &sizer->safe_score);
}

/* The best design may have end points with less slack than they have to keep. False: the design
   cannot be timed. */
static bool restore_slacks(Sizer *sizer, bool in_time)
{
  if (!sizer->options->keep_ends || sizer->best_score.lost_ends == 0) return true;
  put_best(sizer);
  if (!apply(sizer)) return false;
  sizer->near = mem_alloc(sizer->problem->gates.len + 1);
  bool going = true;
  sizer->share = RESTORING_SHARE;
  for (uint32_t i = 0; in_time && i < RESTORING && going && sizer->score.lost_ends; i++)
    going = restore_pass(sizer, i);
  mem_free(sizer->near);
  sizer->near = NULL;
  if (going && sizer->score.lost_ends) going = go_back(sizer);
  aim(sizer, at_none);
  if (!going) return false;
  sizer->score = size_score(sizer->problem);
  bool restored =
      sizer->score.lost_ends == 0 && is_better(sizer, &sizer->score, &sizer->safe_score);
  sizer->best_score = restored ? sizer->score : sizer->safe_score;
  if (restored) take_cells(sizer, sizer->best);
  else memcpy(sizer->best, sizer->safe, sizer->problem->gates.len * sizeof *sizer->best);
  return true;
}

/* --- last gains ------------------------------------------------------------------------------- */
/* Takes the moves of a pass back that take slack from end points below their floors, or that break
   limits. */
static bool take_losses_back(Sizer *sizer)
{
  bool done = take_back_to_floors(sizer, &sizer->best_score);
  aim(sizer, at_none);
  if (done) sizer->score = size_score(sizer->problem);
  return done;
}

static bool is_gain(const Sizer *sizer)
{
  return sizer->score.lost_ends == 0 && is_better(sizer, &sizer->score, &sizer->best_score);
}

/* A pass from the best design that makes only the moves that promise most. *failed counts the
   passes in turn that gained nothing. */
static bool polish_pass(Sizer *sizer, uint32_t pass, uint32_t *failed)
{
  uint32_t number = sizer->options->passes + RESTORING + pass;
  size_problem_fill(sizer->problem, span_of(sizer, sizer->options->passes));
  if (!interrupt_seen()) choose_all(sizer, number);
  if (interrupt_seen() || !apply(sizer)) return false;
  if (!is_gain(sizer) && !(sizer->options->keep ? keep_all(sizer) : take_losses_back(sizer)))
    return false;
  if (is_gain(sizer)) {
    keep_present(sizer);
    sizer->host->progress(sizer->host->data, number + 1, sizer->moves.len, &sizer->score);
    sizer->share = fminf(1, 2 * sizer->share);
    *failed = 0;
    return true;
  }
  ++*failed;
  sizer->share /= 4;
  put_best(sizer);
  return apply(sizer);
}

/* Is there something to repair? */
static bool is_violated(const SizeScore *score)
{
  return score->total_short > 0 || score->slew_excess > 0 || score->load_excess > 0
         || (score->by_hold && score->hold_negative < 0);
}

/* Whole passes end where each of their many moves takes something from another one. Fewer moves at
   once still gain. */
static bool polish(Sizer *sizer)
{
  uint32_t failed = 0;
  if (!sizer->options->keep && (!sizer->options->keep_ends || !is_violated(&sizer->best_score)))
    return true;
  put_best(sizer);
  bool going = apply(sizer);
  sizer->share = POLISHING_SHARE;
  sizer->problem->filled = false;
  for (uint32_t k = 0; k < sizer->problem->scene_count; k++) {
    array_clear(&sizer->problem->scenes[k].multipliers[EARLY]);
    array_clear(&sizer->problem->scenes[k].multipliers[LATE]);
  }
  for (uint32_t i = 0; going && i < sizer->options->passes && failed < POLISHING_FAILS; i++)
    going = polish_pass(sizer, i, &failed);
  return going;
}

/* --- life ------------------------------------------------------------------------------------- */
static void open_sizer(Sizer *sizer, const Timing *const *timings, uint32_t count,
                       const SizeChoice *choice)
{
  const SizeOptions *options = sizer->options;
  sizer->problem =
      size_problem_new(timings, count, &options->costs, choice, options->leakage, options->threads);
  sizer->problem->slack_margin = sizer->options->slack_margin;
  sizer->run = family_open(&sizing_family, sizer->options->device, &sizer->options->engine,
                           sizer->options->threads);
  sizer->chosen = mem_alloc(((size_t)sizer->problem->gates.len + 1) * sizeof *sizer->chosen);
  sizer->added = mem_alloc(((size_t)timings[0]->g->nets.driver_count + 1) * sizeof *sizer->added);
  sizer->best = mem_alloc(((size_t)sizer->problem->gates.len + 1) * sizeof *sizer->best);
  sizer->safe = mem_alloc(((size_t)sizer->problem->gates.len + 1) * sizeof *sizer->safe);
  sizer->given = mem_alloc(((size_t)sizer->problem->gates.len + 1) * sizeof *sizer->given);
  sizer->start = mem_alloc(((size_t)sizer->problem->gates.len + 1) * sizeof *sizer->start);
  sizer->share = options->costs.hold > 0 ? 1.0f / HOLD_PARTS : 1;
  sizer->span = size_middle_delay(sizer->problem);
  if (options->scaled) size_problem_scale(sizer->problem, sizer->span);
  if (options->keep) aim(sizer, size_keep_slacks);
  if (options->keep) aim(sizer, size_keep_rules);
  if (options->keep_ends) aim(sizer, size_take_floors);
  sizer->first = sizer->score = sizer->best_score = sizer->safe_score = size_score(sizer->problem);
  take_cells(sizer, sizer->given);
  take_cells(sizer, sizer->start);
  take_cells(sizer, sizer->best);
  take_cells(sizer, sizer->safe);
}

static void close_sizer(Sizer *sizer)
{
  family_close(sizer->run);
  mem_free(sizer->chosen);
  mem_free(sizer->added);
  mem_free(sizer->best);
  mem_free(sizer->safe);
  mem_free(sizer->given);
  mem_free(sizer->start);
  array_free(&sizer->active);
  array_free(&sizer->moves);
  array_free(&sizer->put);
  array_free(&sizer->swaps);
  size_problem_free(sizer->problem);
}

/* Back to the best design, which is not timed again; how many gates have another cell than at
   first. */
static uint32_t leave_best(Sizer *sizer)
{
  uint32_t changed = 0;
  put_best(sizer);
  for (uint32_t i = 0; i < sizer->problem->gates.len; i++)
    changed += sizer->best[i] != sizer->start[i];
  swap_put(sizer);
  return changed;
}

static bool is_in_time(const Sizer *sizer, double since)
{
  return clock_seconds() - since < sizer->options->time_limit;
}

/* False: interrupted, or the design cannot be timed. */
static bool run_passes(Sizer *sizer, double since, uint32_t *passes)
{
  bool going = true;
  if (sizer->problem->gates.len == 0 || (!sizer->options->recover && !is_violated(&sizer->first)))
    return true;
  while (going && *passes < sizer->options->passes && !interrupt_seen()
         && is_in_time(sizer, since)) {
    going = run_pass(sizer, *passes);
    *passes += going;
  }
  return going && !interrupt_seen() && restore_slacks(sizer, is_in_time(sizer, since))
         && (!is_in_time(sizer, since) || polish(sizer));
}

Status size_gates(const Timing *const *timings, uint32_t count, const SizeOptions *options,
                  const SizeChoice *choice, const SizeHost *host, SizeResult *out)
{
  Sizer s = { .options = options, .host = host, .lost = out->lost };
  double since = clock_seconds();
  open_sizer(&s, timings, count, choice);
  *out = (SizeResult){ .before = s.score,
                       .gates = s.problem->gates.len,
                       .fixed = s.problem->fixed_cells,
                       .left = s.problem->left_cells,
                       .other_graph = s.problem->other_graph,
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
