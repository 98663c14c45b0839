/* Computes each stage under two delay models, and keeps those that differ most. */
#include "query/model_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/pool.h"
#include "query/delay_calc.h"
#include "query/model_view.h"
#include "timing/derived.h"

typedef struct {
  ModelDifferences found;
  uint64_t compared;
} Share;

typedef struct {
  const Timing       *t;
  const CompareQuery *query;
  Timing     *view[2];
  const bool *wanted;        /* by slot */
  const Slot *drivers;
  Share      *shares;        /* by thread */
} Comparison;

/* --- which pins ------------------------------------------------------------------------------- */
static void want_pin(const Graph *g, bool *wanted, PinId pin)
{
  for (int driver = 0; driver < 2; driver++) {
    Slot s = graph_slot(g, pin, driver);
    if (s != NO_SLOT) wanted[s] = true;
  }
}

static void want_net(const Graph *g, bool *wanted, NetId net)
{
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) want_pin(g, wanted, p);
}

/* A leaf's outputs and the loads behind them. */
typedef struct { const Graph *g; bool *wanted; } Wanting;

static void want_leaf(void *data, InstId leaf)
{
  const Wanting *wanting = data;
  const Inst *inst = &wanting->g->netlist->insts.at[leaf];
  for (PinId pin = inst->first_pin; pin < inst->first_pin + inst->pin_count; pin++) {
    NetId net = netlist_pin_net(wanting->g->netlist, pin);
    Slot s = graph_slot(wanting->g, pin, true);
    if (s == NO_SLOT || !slot_is_driver(wanting->g, s)) continue;
    if (net != NO_NET) want_net(wanting->g, wanting->wanted, net);
    else want_pin(wanting->g, wanting->wanted, pin);
  }
}

static void want_object(const Graph *g, bool *wanted, Object o)
{
  if (o.type == OBJ_NET) want_net(g, wanted, g->netlist->segs.at[o.id].net);
  else if (o.type == OBJ_CELL)
    netlist_each_leaf(g->netlist, o.id, want_leaf, &(Wanting){ g, wanted });
  else want_pin(g, wanted, o.id);
}

static bool *wanted_slots(const Graph *g, const CompareQuery *query)
{
  bool *wanted = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *wanted);
  if (query->objects == NULL) memset(wanted, true, g->slots.count);
  for (uint32_t i = 0; i < query->object_count; i++) want_object(g, wanted, query->objects[i]);
  return wanted;
}

/* --- loads of a driver ------------------------------------------------------------------------ */
/* visit returns true to stop; the answer is whether it did. */
typedef bool (*LoadVisit)(void *data, StageLoad load);

static bool each_load(const Graph *g, Slot driver, LoadVisit visit, void *data)
{
  Slot first = g->nets.load_first[driver];
  for (Slot s = first; s < first + g->nets.load_count[driver]; s++)
    if (visit(data, (StageLoad){ driver, s, NO_EXTRA })) return true;
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it)) {
    StageLoad load = { driver, g->nets.extra_wires.at[it.index].load, it.index };
    if (visit(data, load)) return true;
  }
  return false;
}

static bool load_wanted(void *wanted, StageLoad load) { return ((const bool *)wanted)[load.load]; }

static bool driver_wanted(const Timing *t, bool *wanted, Slot s)
{
  if (!slot_is_driver(t->g, s) || stage_is_given(t, s)) return false;
  return wanted[s] || each_load(t->g, s, load_wanted, wanted);
}

/* --- the largest ------------------------------------------------------------------------------ */
static int compare_places(const ModelDifference *a, const ModelDifference *b)
{
  uint64_t x = (uint64_t)a->edge << 1 | a->early_late, y = (uint64_t)b->edge << 1 | b->early_late;
  if (x != y) return x < y ? -1 : 1;
  return a->point < b->point ? -1 : a->point > b->point;
}

static int compare_sizes(const void *a, const void *b)
{
  const ModelDifference *x = a, *y = b;
  if (x->size != y->size) return x->size > y->size ? -1 : 1;
  return compare_places(x, y);
}

static void keep_largest(ModelDifferences *list, uint32_t most)
{
  qsort(list->at, list->len, sizeof *list->at, compare_sizes);
  if (list->len > most) list->len = most;
}

static void add(Share *share, const CompareQuery *query, const ModelDifference *difference)
{
  array_push(&share->found, *difference);
  if (share->found.len >= 2 * (uint64_t)query->max_count + 64)
    keep_largest(&share->found, query->max_count);
}

/* --- differences ------------------------------------------------------------------------------ */
float model_part(float from, float to) { return from == 0 ? NAN : (to - from) / fabsf(from); }

/* Without a part (a time of 0 in the first model) any difference is as large as can be. */
static float part_size(float from, float to)
{
  return from == to ? 0 : from == 0 ? INFINITY : fabsf(model_part(from, to));
}

static float size_of(const CompareQuery *query, const ModelDifference *difference, bool relative)
{
  float delay = relative ? part_size(difference->from.delay, difference->to.delay)
                         : fabsf(difference->to.delay - difference->from.delay),
        slew = relative ? part_size(difference->from.slew, difference->to.slew)
                        : fabsf(difference->to.slew - difference->from.slew);
  return query->of == COMPARE_DELAYS  ? delay
         : query->of == COMPARE_SLEWS ? slew
                                      : fmaxf(delay, slew);
}

/* One timing edge of an arc while its pins are compared. */
typedef struct {
  const Comparison *comparison;
  Share     *share;
  StageSteps steps[2];
  ModelDifference now, most;
} Stage;

static void take(Stage *stage, Slot point, const ModelTimes times[2])
{
  const CompareQuery *query = stage->comparison->query;
  if (!stage->comparison->wanted[point]) return;
  stage->share->compared++;
  stage->now.point = point;
  stage->now.from = times[0];
  stage->now.to = times[1];
  float time = size_of(query, &stage->now, false), part = size_of(query, &stage->now, true);
  if (time < query->least || part < query->least_part || time == 0) return;
  stage->now.size = query->relative ? part : time;
  if (query->all_loads) add(stage->share, query, &stage->now);
  else if (stage->now.size > stage->most.size) stage->most = stage->now;
}

static bool take_load(void *data, StageLoad load)
{
  Stage *stage = data;
  ModelTimes times[2];
  int k = condition_of(stage->now.early_late, stage->now.out);
  for (int m = 0; m < 2; m++) {
    const StageEdge *edge = &stage->steps[m].edge;
    StageWire wire = stage_wire(stage->comparison->view[m], edge, load, k);
    times[m] = (ModelTimes){ edge->delay + wire.delay, wire.slew };
  }
  take(stage, load.load, times);
  return false;
}

static void take_stage(Stage *stage, Slot driver)
{
  ModelTimes times[2];
  for (int m = 0; m < 2; m++)
    times[m] = (ModelTimes){ stage->steps[m].edge.delay, stage->steps[m].edge.slew };
  stage->most.size = 0;
  take(stage, driver, times);
  each_load(stage->comparison->t->g, driver, take_load, stage);
  if (stage->most.size > 0) add(stage->share, stage->comparison->query, &stage->most);
}

static bool stage_solved(Stage *stage, ArcId arc, EdgePair pair)
{
  const Timing *t = stage->comparison->t;
  int k = condition_of(stage->now.early_late, pair.in);
  float slew = timing_input_slew(t, t->g->arcs.from[arc], graph_arc_is_launch(t->g, arc), k);
  for (int m = 0; m < 2; m++)
    if (!stage_steps(stage->comparison->view[m], arc, pair, stage->now.early_late, slew,
                     &stage->steps[m]))
      return false;
  return true;
}

static void compare_edge(Stage *stage, ArcId arc, uint32_t edge)
{
  const Comparison *comparison = stage->comparison;
  const Graph *g = comparison->t->g;
  EdgePair pair = graph_edge_pair(g, arc, edge - g->arcs.edge_first[arc]);
  if (!(comparison->query->edges >> pair.out & 1)
      || !(g->arcs.live[arc] >> (2 * pair.in + pair.out) & 1))
    return;
  stage->now = (ModelDifference){ .arc = arc, .edge = edge, .in = pair.in, .out = pair.out };
  for (int el = EARLY; el <= LATE; el++) {
    stage->now.early_late = (uint8_t)el;
    if (comparison->query->analyses >> el & 1 && stage_solved(stage, arc, pair))
      take_stage(stage, g->arcs.to[arc]);
  }
}

static void compare_drivers(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Comparison *comparison = context;
  const Graph *g = comparison->t->g;
  Share own = comparison->shares[thread];      /* off the cache lines of other threads */
  Stage s = { .comparison = comparison, .share = &own };
  (void)step;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++)
    for (ArcId a = g->arcs.first[comparison->drivers[i]];
         a < g->arcs.first[comparison->drivers[i] + 1]; a++)
      for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++)
        if (arc_on(g, a) && !stage_delay_is_given(comparison->t, a)) compare_edge(&s, a, e);
  comparison->shares[thread] = own;
}

/* --- all -------------------------------------------------------------------------------------- */
static void gather(Comparison *comparison, ModelDifferences *out, uint64_t *compared)
{
  *compared = 0;
  for (int i = 0; i <= comparison->t->threads; i++) {
    ModelDifferences *found = &comparison->shares[i].found;
    for (uint32_t k = 0; k < found->len; k++) array_push(out, found->at[k]);
    *compared += comparison->shares[i].compared;
    array_free(found);
  }
  keep_largest(out, comparison->query->max_count);
}

static void compare(Comparison *comparison, uint32_t count)
{
  DelayModel models[2] = { comparison->query->from, comparison->query->to };
  for (int m = 0; m < 2; m++) {
    comparison->view[m] = model_view_new(comparison->t, models[m]);
    model_view_reduce(comparison->view[m], comparison->drivers, count);
  }
  pool_items(count,
             2 * delay_model_cost(comparison->query->from)
                 + 2 * delay_model_cost(comparison->query->to),
             comparison->t->threads, compare_drivers, comparison);
  for (int m = 0; m < 2; m++) model_view_free(comparison->view[m]);
}

void query_compare_models(const Timing *t, const CompareQuery *query, ModelDifferences *out,
                          uint64_t *compared)
{
  bool *wanted = wanted_slots(t->g, query);
  ARRAY(Slot) drivers = { 0 };
  for (Slot s = 0; s < t->g->slots.count && !interrupt_seen(); s++)
    if (driver_wanted(t, wanted, s)) array_push(&drivers, s);
  Comparison c = { .t = t,
                   .query = query,
                   .wanted = wanted,
                   .drivers = drivers.at,
                   .shares = mem_alloc_zero((size_t)t->threads + 1, sizeof(Share)) };
  compare(&c, drivers.len);
  gather(&c, out, compared);
  mem_free(c.shares);
  array_free(&drivers);
  mem_free(wanted);
}
