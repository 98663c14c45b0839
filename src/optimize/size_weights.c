/* Weights of timing edges: what a picosecond costs there.  They come backward from the end points,
   level by level. */
#include "optimize/size_scene.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/pool.h"
#include "timing/derived.h"
#include "timing/slack.h"

#define KEPT 0.5f            /* of the weights of the passes before */
#define LEAST_MULTIPLIER 1e-5f
#define KEEPING_PRICE 6.0f   /* where paths have the slack that they need: the first multipliers for
                                a gate's delay, ps */
enum {
  MOST_STEP = 3,             /* by what factor a multiplier changes at most */
  DRIVER_NS = 300, EDGE_NS = 2
};

typedef struct {
  const SizeProblem *p;
  SizeScene *s;
  int   el;
  float smooth, least;
  bool  mark;                /* all edges within the span have the same weight */
} Weighing;

/* How much better required is than arrival. */
static float slack_of(int el, float arrival, float required)
{
  return el == LATE ? required - arrival : arrival - required;
}

/* Worst slack of a slot's edge. */
static float worst_slack(const Timing *t, int el, Slot s, int edge)
{
  float worst = SIZE_NO_LIMIT;
  int k = condition_of(el, edge);
  for (NodeId n = t->g->nodes.first[s]; n < t->g->nodes.first[s + 1]; n++) {
    float a = t->arrival[n].v[k], r = t->required[n].v[k];
    if (time_absent(a) || time_absent(r)) continue;
    worst = fminf(worst, slack_of(el, a, r));
  }
  return worst;
}

/* --- end points ------------------------------------------------------------------------------- */
/* The multiplier after a pass: one that is late pays more and more, up to what its negative slack
   costs; one with slack to spare pays less and less.  So at last those that are neither late nor
   early by much have a multiplier in between: the Lagrangian relaxation of a cost that is linear in
   total negative slack. */
static double next_multiplier(double slack, double span, bool first, double before)
{
  double step = exp(-slack / (4 * span));
  double m = first ? step / (1 + step)
                   : before * fmax(1.0 / MOST_STEP, fmin(MOST_STEP, step));
  return !(m < 1) ? 1 : m < LEAST_MULTIPLIER ? LEAST_MULTIPLIER : m;
}

/* What an end point's slack is above the one that it has to have. */
static double spare_slack(const Weighing *w, uint32_t i, Slot end)
{
  double slack = slot_end_slack(w->s->t, end, w->el);
  if (w->el == EARLY) return slack;
  return slack - (w->s->targets.len ? w->s->targets.at[i] : w->p->slack_margin);
}

/* What a ps costs at an end point, as a part of its full price. While floors are restored, slack is
   dear where it is missing, whatever the multiplier has learned before. */
static float price_part(const Weighing *w, uint32_t i, Slot end)
{
  const SizeScene *s = w->s;
  bool restoring = w->el == LATE && s->floors.len > 0 && s->targets.len > 0;
  if (restoring && slot_end_slack(s->t, end, LATE) < s->floors.at[i]) return w->p->lost_price;
  return s->multipliers[w->el].at[i];
}

static void add_end(const Weighing *w, Slot end, float weight)
{
  float rise = worst_slack(w->s->t, w->el, end, RISE),
        fall = worst_slack(w->s->t, w->el, end, FALL);
  w->s->weights[end].v[condition_of(w->el, fall < rise ? FALL : RISE)] += weight;
}

/* Where slacks are kept, moves that take slack are undone. */
static bool minds_rooms(const Weighing *w)
{
  return w->el == LATE && !w->mark && w->s->targets.len == 0;
}

/* The room of an edge that is not the worst is larger by what it is better. */
static void put_end_room(const Weighing *w, Slot end, float room)
{
  float rise = worst_slack(w->s->t, LATE, end, RISE), fall = worst_slack(w->s->t, LATE, end, FALL);
  w->s->rooms[end].of[RISE] = room + fmaxf(rise - fall, 0);
  w->s->rooms[end].of[FALL] = room + fmaxf(fall - rise, 0);
}

static void weigh_ends(const Weighing *w)
{
  SizeScene *s = w->s;
  const Timing *t = s->t;
  double price = w->el == LATE ? w->p->costs.time : w->p->costs.hold;
  uint32_t count;
  const PinId *pins = end_slacks_pins(t, &count);
  bool first = s->multipliers[w->el].len == 0;
  if (first) array_resize(&s->multipliers[w->el], count);
  for (uint32_t i = 0; i < count; i++) {
    float *m = &s->multipliers[w->el].at[i];
    Slot end = t->g->slots.of_pin[pins[i]];
    double slack = spare_slack(w, i, end);
    if (minds_rooms(w)) put_end_room(w, end, (float)fmax(slack, 0));
    if (first) *m = LEAST_MULTIPLIER;
    if (isinf(slack)) continue;
    *m = (float)next_multiplier(slack, w->smooth, first, *m);
    if (first && s->targets.len)
      *m = fmaxf(fminf(KEEPING_PRICE / w->smooth, 1) * *m, LEAST_MULTIPLIER);
    float part = price_part(w, i, end);
    if (part >= 2 * LEAST_MULTIPLIER) add_end(w, end, (float)(price * part));
  }
}

/* --- inside ----------------------------------------------------------------------------------- */
/* The slack of the worst path over a timing edge. */
static float edge_slack(const Timing *t, int el, ArcId a, uint32_t e, EdgePair pair)
{
  const Graph *g = t->g;
  int in = condition_of(el, pair.in), out = condition_of(el, pair.out);
  float worst = SIZE_NO_LIMIT, delay = t->edge_delay[e].v[el];
  NodePairs it = node_pairs(g, g->arcs.map[a], g->arcs.from[a], g->arcs.to[a]);
  while (node_pairs_next(&it)) {
    if (!(it.mask >> (2 * pair.in + pair.out) & 1)) continue;
    bool clock = graph_node_is_clock(g, g->arcs.to[a], it.to);
    float from = t->arrival[it.from].v[in], required = t->required[it.to].v[out];
    if (time_absent(from) || time_absent(required)) continue;
    float derate = timing_derate(t, t->derates.arc, a, clock, out);
    worst = fminf(worst, slack_of(el, from + delay * derate, required));
  }
  return worst;
}

static bool passes_weight(const Weighing *w, ArcId a)
{
  const Graph *g = w->s->t->g;
  return w->smooth >= SIZE_ANY_PATH
         || (arc_on(g, a) && !graph_arc_is_launch(g, a) && !(g->arcs.flags[a] & ARC_LATCH));
}

/* Each edge's share before they are scaled: it falls with what its paths are better than the
   worst. */
static float put_shares(const Weighing *w, Slot driver, int edge)
{
  const Timing *t = w->s->t;
  const Graph *g = t->g;
  float worst = worst_slack(t, w->el, driver, edge), sum = 0;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    if (!passes_weight(w, a)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      if (pair.out != edge) continue;
      bool any = w->smooth >= SIZE_ANY_PATH;
      float behind = any ? 0 : edge_slack(t, w->el, a, e, pair) - worst;
      if (!(behind < 20 * w->smooth)) continue;
      w->s->edge_parts[e] = w->mark ? 1 : expf(-fmaxf(behind, 0) / w->smooth);
      sum += w->s->edge_parts[e];
    }
  }
  return sum;
}

static void scale_shares(const Weighing *w, Slot driver, int edge, float factor)
{
  const Graph *g = w->s->t->g;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++)
      if (graph_edge_pair(g, a, e - g->arcs.edge_first[a]).out == edge)
        w->s->edge_parts[e] *= factor;
}

/* Drivers go level by level, the last first. An arc that is off, as where a loop is cut, may end at
   a level that is not done yet, or that another thread is at. */
static bool is_done(const Graph *g, ArcId a, uint32_t level)
{
  return g->slots.level[g->arcs.to[a]] > level;
}

/* Takes the least room of a slot: its own, and those of the edges that begin there. */
static void gather_room(const Weighing *w, Slot slot, uint32_t level, float room[2])
{
  const Graph *g = w->s->t->g;
  for (int edge = RISE; edge <= FALL; edge++)
    room[edge] = fminf(room[edge], w->s->rooms[slot].of[edge]);
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!is_done(g, a, level)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      float *in = &room[graph_edge_pair(g, a, e - g->arcs.edge_first[a]).in];
      *in = fminf(*in, w->s->edge_rooms[e]);
    }
  }
}

/* An edge has the room of its driver, and what its paths are better than the worst there. */
static void put_rooms(const Weighing *w, Slot driver)
{
  const Timing *t = w->s->t;
  const Graph *g = t->g;
  float room[2] = { SIZE_NO_LIMIT, SIZE_NO_LIMIT };
  gather_room(w, driver, g->slots.level[driver], room);
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++)
    gather_room(w, l, g->slots.level[driver], room);
  float worst[2] = { worst_slack(t, LATE, driver, RISE), worst_slack(t, LATE, driver, FALL) };
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      w->s->edge_rooms[e] = SIZE_NO_LIMIT;
      if (!passes_weight(w, a) || !(room[pair.out] < w->p->reach)) continue;
      float behind = edge_slack(t, LATE, a, e, pair) - worst[pair.out];
      w->s->edge_rooms[e] = room[pair.out] + fmaxf(behind, 0);
    }
}

/* Adds the weights of a slot: its own, and those of the edges that begin there. */
static void gather(const Weighing *w, Slot slot, uint32_t level, float sum[2])
{
  const Graph *g = w->s->t->g;
  for (int edge = RISE; edge <= FALL; edge++)
    sum[edge] += size_value(&w->s->weights[slot], w->el, edge);
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!is_done(g, a, level)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++)
      if (w->s->edge_parts[e] > 0)
        sum[graph_edge_pair(g, a, e - g->arcs.edge_first[a]).in] += w->s->edge_parts[e];
  }
}

/* A driver takes the weights of its loads and passes them to the edges that end at it. */
static void weigh_driver(const Weighing *w, Slot driver)
{
  if (minds_rooms(w)) put_rooms(w, driver);
  const Graph *g = w->s->t->g;
  float sum[2] = { 0, 0 };
  gather(w, driver, g->slots.level[driver], sum);
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++)
    gather(w, l, g->slots.level[driver], sum);
  for (int edge = RISE; edge <= FALL; edge++) {
    w->s->weights[driver].v[condition_of(w->el, edge)] = sum[edge];
    if (!(sum[edge] > w->least)) continue;
    float shares = put_shares(w, driver, edge);
    if (shares > 0 && !w->mark) scale_shares(w, driver, edge, sum[edge] / shares);
  }
}

/* Steps go from the last level to the first. */
static uint32_t level_of(const Weighing *w, uint32_t step)
{
  return w->s->t->g->levels.count - 1 - step;
}

static uint32_t count_drivers(void *context, uint32_t step)
{
  const Weighing *w = context;
  const GraphLevels *l = &w->s->t->g->levels;
  return l->loads[level_of(w, step)] - l->first[level_of(w, step)];
}

static void weigh_drivers(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Weighing *w = context;
  Slot first = w->s->t->g->levels.first[level_of(w, step)];
  (void)thread;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) weigh_driver(w, first + i);
}

static void add_to_means(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Weighing *w = context;
  float *mean = w->s->edge_weights[w->el];
  float part = w->p->filled ? 1 - KEPT : 1;
  (void)step;
  (void)thread;
  for (uint32_t e = from; e < to; e++) {
    float x = (1 - part) * mean[e] + part * w->s->edge_parts[e];
    mean[e] = x < w->least ? 0 : x;
  }
}

static void forget_weights(SizeScene *s)
{
  const Graph *g = s->t->g;
  memset(s->weights, 0, g->slots.count * sizeof *s->weights);
  memset(s->edge_parts, 0, g->arcs.edge_count * sizeof *s->edge_parts);
  for (Slot i = 0; i < g->slots.count; i++)
    s->rooms[i] = (EdgeRooms){ { SIZE_NO_LIMIT, SIZE_NO_LIMIT } };
}

static void weigh_inside(Weighing *w)
{
  PoolRun run = { .work = weigh_drivers, .count = count_drivers, .context = w,
                  .steps = w->s->t->g->levels.count, .cost = DRIVER_NS };
  pool_run(&run, w->p->threads);
}

void size_weigh(const SizeProblem *p, SizeScene *s, int el, float smooth)
{
  double price = el == LATE ? p->costs.time : p->costs.hold;
  Weighing w = { p, s, el, smooth, (float)fmax(LEAST_WEIGHT * price, 1e-30), false };
  forget_weights(s);
  weigh_ends(&w);
  weigh_inside(&w);
  pool_items(s->t->g->arcs.edge_count, EDGE_NS, p->threads, add_to_means, &w);
}

/* With all paths also those of the clock that an end point is compared with. */
static void mark_end(const Weighing *w, Slot end)
{
  const Graph *g = w->s->t->g;
  InstId inst = g->netlist->pins.at[g->slots.pin[end]].inst;
  add_end(w, end, 1);
  if (w->smooth < SIZE_ANY_PATH || inst == TOP_INST) return;
  const Inst *in = &g->netlist->insts.at[inst];
  for (PinId pin = in->first_pin; pin < in->first_pin + in->pin_count; pin++)
    if (g->slots.of_pin[pin] != NO_SLOT)
      for (int edge = RISE; edge <= FALL; edge++)
        w->s->weights[g->slots.of_pin[pin]].v[condition_of(LATE, edge)] = 1;
}

void size_mark_short(const SizeProblem *p, SizeScene *s, float smooth)
{
  uint32_t count;
  const PinId *pins = end_slacks_pins(s->t, &count);
  Weighing w = { p, s, LATE, smooth, 0, true };
  forget_weights(s);
  for (uint32_t i = 0; i < count; i++) {
    Slot end = s->t->g->slots.of_pin[pins[i]];
    if (spare_slack(&w, i, end) < 0) mark_end(&w, end);
  }
  weigh_inside(&w);
}

void size_cheapen(SizeScene *s)
{
  for (uint32_t i = 0; i < s->multipliers[LATE].len; i++) {
    float *m = &s->multipliers[LATE].at[i];
    *m = fmaxf(*m / MOST_STEP, LEAST_MULTIPLIER);
  }
}

/* Sets what each end point has now, at most the slack margin. */
static void put_present_slacks(const SizeProblem *p, const SizeScene *s, FloatArray *to)
{
  uint32_t count;
  const PinId *pins = end_slacks_pins(s->t, &count);
  array_clear(to);
  for (uint32_t i = 0; i < count; i++) {
    double slack = slot_end_slack(s->t, s->t->g->slots.of_pin[pins[i]], LATE);
    array_push(to, fminf((float)slack, p->slack_margin));
  }
}

void size_keep_slacks(const SizeProblem *p, SizeScene *s) { put_present_slacks(p, s, &s->targets); }

void size_take_floors(const SizeProblem *p, SizeScene *s) { put_present_slacks(p, s, &s->floors); }

void size_keep_floors(const SizeProblem *p, SizeScene *s, bool floors_alone)
{
  size_keep_slacks(p, s);
  for (uint32_t i = 0; i < s->floors.len; i++)
    s->targets.at[i] = floors_alone ? s->floors.at[i] : fminf(s->targets.at[i], s->floors.at[i]);
}

void size_forget_targets(SizeScene *s) { array_clear(&s->targets); }
