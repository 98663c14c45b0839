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
  const SizeProblem *problem;
  SizeScene *scene;
  int   el;
  float smooth, least;
  bool  mark;                /* all edges within the span have the same weight */
} Weighing;

/* Worst slack of a slot's edge. */
static float worst_slack(const Timing *t, int el, Slot s, int edge)
{
  float worst = NO_SLACK;
  int k = condition_of(el, edge);
  for (NodeId n = t->g->nodes.first[s]; n < t->g->nodes.first[s + 1]; n++) {
    float a = t->arrival[n].v[k], r = t->required[n].v[k];
    if (time_absent(a) || time_absent(r)) continue;
    worst = fminf(worst, time_slack(el, r, a));
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
static double spare_slack(const Weighing *weighing, uint32_t i, Slot end)
{
  double slack = slot_end_slack(weighing->scene->t, end, weighing->el);
  if (weighing->el == EARLY) return slack;
  return slack
         - (weighing->scene->targets.len ? weighing->scene->targets.at[i]
                                         : weighing->problem->slack_margin);
}

/* What a ps costs at an end point, as a part of its full price. While floors are restored, slack is
   dear where it is missing, whatever the multiplier has learned before. */
static float price_part(const Weighing *weighing, uint32_t i, Slot end)
{
  const SizeScene *scene = weighing->scene;
  bool restoring = weighing->el == LATE && scene->floors.len > 0 && scene->targets.len > 0;
  if (restoring && slot_end_slack(scene->t, end, LATE) < scene->floors.at[i])
    return weighing->problem->lost_price;
  return scene->multipliers[weighing->el].at[i];
}

static void add_end(const Weighing *weighing, Slot end, float weight)
{
  float rise = worst_slack(weighing->scene->t, weighing->el, end, RISE),
        fall = worst_slack(weighing->scene->t, weighing->el, end, FALL);
  weighing->scene->weights[end].v[condition_of(weighing->el, fall < rise ? FALL : RISE)] += weight;
}

/* Where slacks are kept, moves that take slack are undone. */
static bool minds_rooms(const Weighing *weighing)
{
  return weighing->el == LATE && !weighing->mark && weighing->scene->targets.len == 0;
}

/* The room of an edge that is not the worst is larger by what it is better. */
static void put_end_room(const Weighing *weighing, Slot end, float room)
{
  float rise = worst_slack(weighing->scene->t, LATE, end, RISE),
        fall = worst_slack(weighing->scene->t, LATE, end, FALL);
  weighing->scene->rooms[end].of[RISE] = room + fmaxf(rise - fall, 0);
  weighing->scene->rooms[end].of[FALL] = room + fmaxf(fall - rise, 0);
}

static void weigh_ends(const Weighing *weighing)
{
  SizeScene *scene = weighing->scene;
  const Timing *t = scene->t;
  double price =
      weighing->el == LATE ? weighing->problem->costs.time : weighing->problem->costs.hold;
  uint32_t count;
  const PinId *pins = end_slacks_pins(t, &count);
  bool first = scene->multipliers[weighing->el].len == 0;
  if (first) array_resize(&scene->multipliers[weighing->el], count);
  for (uint32_t i = 0; i < count; i++) {
    float *m = &scene->multipliers[weighing->el].at[i];
    Slot end = t->g->slots.of_pin[pins[i]];
    double slack = spare_slack(weighing, i, end);
    if (minds_rooms(weighing)) put_end_room(weighing, end, (float)fmax(slack, 0));
    if (first) *m = LEAST_MULTIPLIER;
    if (isinf(slack)) continue;
    *m = (float)next_multiplier(slack, weighing->smooth, first, *m);
    if (first && scene->targets.len)
      *m = fmaxf(fminf(KEEPING_PRICE / weighing->smooth, 1) * *m, LEAST_MULTIPLIER);
    float part = price_part(weighing, i, end);
    if (part >= 2 * LEAST_MULTIPLIER) add_end(weighing, end, (float)(price * part));
  }
}

/* --- inside ----------------------------------------------------------------------------------- */
/* The slack of the worst path over a timing edge. */
static float edge_slack(const Timing *t, int el, ArcId a, uint32_t e, EdgePair pair)
{
  const Graph *g = t->g;
  int in = condition_of(el, pair.in), out = condition_of(el, pair.out);
  float worst = NO_SLACK, delay = t->edge_delay[e].v[el];
  NodePairs it = node_pairs(g, g->arcs.map[a], g->arcs.from[a], g->arcs.to[a]);
  while (node_pairs_next(&it)) {
    if (!(it.mask >> (2 * pair.in + pair.out) & 1)) continue;
    bool clock = graph_node_is_clock(g, g->arcs.to[a], it.to);
    float from = t->arrival[it.from].v[in], required = t->required[it.to].v[out];
    if (time_absent(from) || time_absent(required)) continue;
    float derate = timing_derate(t, t->derates.arc, a, clock, out);
    worst = fminf(worst, time_slack(el, required, from + delay * derate));
  }
  return worst;
}

static bool passes_weight(const Weighing *weighing, ArcId a)
{
  const Graph *g = weighing->scene->t->g;
  return weighing->smooth >= SIZE_ANY_PATH
         || (arc_on(g, a) && !graph_arc_is_launch(g, a) && !(g->arcs.flags[a] & ARC_LATCH));
}

/* Each edge's share before they are scaled: it falls with what its paths are better than the
   worst. */
static float put_shares(const Weighing *weighing, Slot driver, int edge)
{
  const Timing *t = weighing->scene->t;
  const Graph *g = t->g;
  float worst = worst_slack(t, weighing->el, driver, edge), sum = 0;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    if (!passes_weight(weighing, a)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      if (pair.out != edge) continue;
      bool any = weighing->smooth >= SIZE_ANY_PATH;
      float behind = any ? 0 : edge_slack(t, weighing->el, a, e, pair) - worst;
      if (!(behind < 20 * weighing->smooth)) continue;
      weighing->scene->edge_parts[e] =
          weighing->mark ? 1 : expf(-fmaxf(behind, 0) / weighing->smooth);
      sum += weighing->scene->edge_parts[e];
    }
  }
  return sum;
}

static void scale_shares(const Weighing *weighing, Slot driver, int edge, float factor)
{
  const Graph *g = weighing->scene->t->g;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++)
      if (graph_edge_pair(g, a, e - g->arcs.edge_first[a]).out == edge)
        weighing->scene->edge_parts[e] *= factor;
}

/* Drivers go level by level, the last first. An arc that is off, as where a loop is cut, may end at
   a level that is not done yet, or that another thread is at. */
static bool is_done(const Graph *g, ArcId a, uint32_t level)
{
  return g->slots.level[g->arcs.to[a]] > level;
}

/* Takes the least room of a slot: its own, and those of the edges that begin there. */
static void gather_room(const Weighing *weighing, Slot slot, uint32_t level, float room[2])
{
  const Graph *g = weighing->scene->t->g;
  for (int edge = RISE; edge <= FALL; edge++)
    room[edge] = fminf(room[edge], weighing->scene->rooms[slot].of[edge]);
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!is_done(g, a, level)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      float *in = &room[graph_edge_pair(g, a, e - g->arcs.edge_first[a]).in];
      *in = fminf(*in, weighing->scene->edge_rooms[e]);
    }
  }
}

/* An edge has the room of its driver, and what its paths are better than the worst there. */
static void put_rooms(const Weighing *weighing, Slot driver)
{
  const Timing *t = weighing->scene->t;
  const Graph *g = t->g;
  float room[2] = { SIZE_NO_LIMIT, SIZE_NO_LIMIT };
  gather_room(weighing, driver, g->slots.level[driver], room);
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++)
    gather_room(weighing, l, g->slots.level[driver], room);
  float worst[2] = { worst_slack(t, LATE, driver, RISE), worst_slack(t, LATE, driver, FALL) };
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      weighing->scene->edge_rooms[e] = SIZE_NO_LIMIT;
      if (!passes_weight(weighing, a) || !(room[pair.out] < weighing->problem->reach)) continue;
      float behind = edge_slack(t, LATE, a, e, pair) - worst[pair.out];
      weighing->scene->edge_rooms[e] = room[pair.out] + fmaxf(behind, 0);
    }
}

/* Adds the weights of a slot: its own, and those of the edges that begin there. */
static void gather(const Weighing *weighing, Slot slot, uint32_t level, float sum[2])
{
  const Graph *g = weighing->scene->t->g;
  for (int edge = RISE; edge <= FALL; edge++)
    sum[edge] += size_value(&weighing->scene->weights[slot], weighing->el, edge);
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!is_done(g, a, level)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++)
      if (weighing->scene->edge_parts[e] > 0)
        sum[graph_edge_pair(g, a, e - g->arcs.edge_first[a]).in] += weighing->scene->edge_parts[e];
  }
}

/* A driver takes the weights of its loads and passes them to the edges that end at it. */
static void weigh_driver(const Weighing *weighing, Slot driver)
{
  if (minds_rooms(weighing)) put_rooms(weighing, driver);
  const Graph *g = weighing->scene->t->g;
  float sum[2] = { 0, 0 };
  gather(weighing, driver, g->slots.level[driver], sum);
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++)
    gather(weighing, l, g->slots.level[driver], sum);
  for (int edge = RISE; edge <= FALL; edge++) {
    weighing->scene->weights[driver].v[condition_of(weighing->el, edge)] = sum[edge];
    if (!(sum[edge] > weighing->least)) continue;
    float shares = put_shares(weighing, driver, edge);
    if (shares > 0 && !weighing->mark) scale_shares(weighing, driver, edge, sum[edge] / shares);
  }
}

/* Steps go from the last level to the first. */
static uint32_t level_of(const Weighing *weighing, uint32_t step)
{
  return weighing->scene->t->g->levels.count - 1 - step;
}

static uint32_t count_drivers(void *context, uint32_t step)
{
  const Weighing *weighing = context;
  const GraphLevels *levels = &weighing->scene->t->g->levels;
  return levels->loads[level_of(weighing, step)] - levels->first[level_of(weighing, step)];
}

static void weigh_drivers(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Weighing *weighing = context;
  Slot first = weighing->scene->t->g->levels.first[level_of(weighing, step)];
  (void)thread;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) weigh_driver(weighing, first + i);
}

static void add_to_means(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Weighing *weighing = context;
  float *mean = weighing->scene->edge_weights[weighing->el];
  float part = weighing->problem->filled ? 1 - KEPT : 1;
  (void)step;
  (void)thread;
  for (uint32_t e = from; e < to; e++) {
    float x = (1 - part) * mean[e] + part * weighing->scene->edge_parts[e];
    mean[e] = x < weighing->least ? 0 : x;
  }
}

static void forget_weights(SizeScene *scene)
{
  const Graph *g = scene->t->g;
  memset(scene->weights, 0, g->slots.count * sizeof *scene->weights);
  memset(scene->edge_parts, 0, g->arcs.edge_count * sizeof *scene->edge_parts);
  for (Slot i = 0; i < g->slots.count; i++)
    scene->rooms[i] = (EdgeRooms){ { SIZE_NO_LIMIT, SIZE_NO_LIMIT } };
}

static void weigh_inside(Weighing *weighing)
{
  PoolRun run = { .work = weigh_drivers,
                  .count = count_drivers,
                  .context = weighing,
                  .steps = weighing->scene->t->g->levels.count,
                  .cost = DRIVER_NS };
  pool_run(&run, weighing->problem->threads);
}

void size_weigh(const SizeProblem *problem, SizeScene *scene, int el, float smooth)
{
  double price = el == LATE ? problem->costs.time : problem->costs.hold;
  Weighing w = { problem, scene, el, smooth, (float)fmax(LEAST_WEIGHT * price, 1e-30), false };
  forget_weights(scene);
  weigh_ends(&w);
  weigh_inside(&w);
  pool_items(scene->t->g->arcs.edge_count, EDGE_NS, problem->threads, add_to_means, &w);
}

/* With all paths also those of the clock that an end point is compared with. */
static void mark_end(const Weighing *weighing, Slot end)
{
  const Graph *g = weighing->scene->t->g;
  InstId inst = g->netlist->pins.at[g->slots.pin[end]].inst;
  add_end(weighing, end, 1);
  if (weighing->smooth < SIZE_ANY_PATH || inst == TOP_INST) return;
  const Inst *in = &g->netlist->insts.at[inst];
  for (PinId pin = in->first_pin; pin < in->first_pin + in->pin_count; pin++)
    if (g->slots.of_pin[pin] != NO_SLOT)
      for (int edge = RISE; edge <= FALL; edge++)
        weighing->scene->weights[g->slots.of_pin[pin]].v[condition_of(LATE, edge)] = 1;
}

void size_mark_short(const SizeProblem *problem, SizeScene *scene, float smooth)
{
  uint32_t count;
  const PinId *pins = end_slacks_pins(scene->t, &count);
  Weighing w = { problem, scene, LATE, smooth, 0, true };
  forget_weights(scene);
  for (uint32_t i = 0; i < count; i++) {
    Slot end = scene->t->g->slots.of_pin[pins[i]];
    if (spare_slack(&w, i, end) < 0) mark_end(&w, end);
  }
  weigh_inside(&w);
}

void size_cheapen(SizeScene *scene)
{
  for (uint32_t i = 0; i < scene->multipliers[LATE].len; i++) {
    float *m = &scene->multipliers[LATE].at[i];
    *m = fmaxf(*m / MOST_STEP, LEAST_MULTIPLIER);
  }
}

/* Sets what each end point has now, at most the slack margin. */
static void put_present_slacks(const SizeProblem *problem, const SizeScene *scene, FloatArray *to)
{
  uint32_t count;
  const PinId *pins = end_slacks_pins(scene->t, &count);
  array_clear(to);
  for (uint32_t i = 0; i < count; i++) {
    double slack = slot_end_slack(scene->t, scene->t->g->slots.of_pin[pins[i]], LATE);
    array_push(to, fminf((float)slack, problem->slack_margin));
  }
}

void size_keep_slacks(const SizeProblem *problem, SizeScene *scene)
{
  put_present_slacks(problem, scene, &scene->targets);
}

void size_take_floors(const SizeProblem *problem, SizeScene *scene)
{
  put_present_slacks(problem, scene, &scene->floors);
}

void size_keep_floors(const SizeProblem *problem, SizeScene *scene, bool floors_alone)
{
  size_keep_slacks(problem, scene);
  for (uint32_t i = 0; i < scene->floors.len; i++)
    scene->targets.at[i] =
        floors_alone ? scene->floors.at[i] : fminf(scene->targets.at[i], scene->floors.at[i]);
}

void size_forget_targets(SizeScene *scene) { array_clear(&scene->targets); }
