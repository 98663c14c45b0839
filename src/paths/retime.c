/* Re-times a path: walks from its start, arc by arc, with its own slew, depth and variance, to the
   check at its end. */
#include "paths/retime.h"

#include <math.h>
#include <stdlib.h>

#include "base/interrupt.h"
#include "base/pool.h"
#include "base/sort.h"
#include "timing/credit.h"
#include "timing/derived.h"
#include "timing/sigma.h"
#include "update/stage.h"
#include "timing/variation.h"
#include "paths/path_private.h"
#include "paths/retime_private.h"

/* A path under way: the numbers at its last point. */
typedef struct {
  const Timing    *t;
  const PathPoint *points;
  uint32_t    count;
  int         early_late, side;     /* side: the analysis whose tables are used (stage_side) */
  PathMetric  cells, wires;         /* the path's own, for derates by depth */
  float       arrival, variance, slew;
  float       graph;                /* arrival with the graph's delays */
  bool        given;                /* the next wire is the graph's */
  StageWire   wire;                 /* otherwise the result of the driver */
} Walk;

static bool is_worse(const Walk *walk, float x, float than)
{
  return walk->early_late == LATE ? x > than : x < than;
}
static int own_condition(const Walk *walk, int edge)
{
  return condition_of(walk->early_late, edge);
}
static int  side_condition(const Walk *walk, int edge) { return condition_of(walk->side, edge); }

/* --- depth and distance ----------------------------------------------------------------------- */
static void measure_path(Walk *walk)
{
  const Graph *g = walk->t->g;
  PathPlaces places = variation_places(walk->t->ocv_paths->variation);
  float low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
  walk->cells = walk->wires = (PathMetric){ 0, 0 };
  for (uint32_t i = 0; i < walk->count; i++) {
    InstId inst = g->netlist->pins.at[g->slots.pin[walk->points[i].slot]].inst;
    if (i > 0 && walk->points[i].kind == LINK_ARC) walk->cells.depth++;
    else if (i > 0) walk->wires.depth++;
    if (inst == TOP_INST || inst >= places.count || isnan(places.at[2 * (size_t)inst])) continue;
    for (int k = 0; k < 2; k++) {
      float x = places.at[2 * (size_t)inst + (size_t)k];
      if (x < low[k]) low[k] = x;
      if (x > high[k]) high[k] = x;
    }
  }
  if (low[0] > high[0]) return;
  float x = high[0] - low[0], y = high[1] - low[1];
  walk->cells.distance = walk->wires.distance = sqrtf(x * x + y * y);
}

static float derate_of(const Walk *walk, bool wire, uint32_t at, bool clock, int condition)
{
  const Timing *t = walk->t;
  if (t->ocv_paths && !clock)
    return ocv_path_derate(t->ocv_paths, &(OcvDelay){ wire, at, clock, condition },
                           wire ? walk->wires : walk->cells);
  return timing_derate(t, wire ? t->derates.wire : t->derates.arc, at, clock, condition);
}

/* --- starts ----------------------------------------------------------------------------------- */
/* Returns what a latch passes on: among all arrivals that may start the path, the one that counts
   at its end. */
static float latch_start(const Walk *walk, uint32_t capture)
{
  const Timing *t = walk->t;
  const PathPoint *start = walk->points;
  TagId tag = graph_node_tag(t->g, start[1].slot, start[1].node);
  PathEndId end = path_latch_end(t, start, start[1].link, t->g->tags->tags.at[tag].clock_edge);
  float best = (float)start->arrival, worst = -INFINITY;
  if (end == NO_PATH_END) return best;
  LatchGivens givens = timing_latch_givens(t, end, start->edge);
  for (LatchGiven given; timing_latch_next(&givens, &given);) {
    float credited =
        given.start
        - (capture && given.leaf ? common_credit(&t->common->view, given.leaf, capture) : 0);
    if (credited <= worst) continue;
    worst = credited;
    best = given.start;
  }
  return best;
}

/* Returns the seed of the start's arrival.  The list may hold the arrival with rounding. */
static void seed_start(Walk *walk)
{
  const Timing *t = walk->t;
  const Graph *g = t->g;
  const PathPoint *start = walk->points;
  int k = own_condition(walk, start->edge);
  double nearest = 1e-2;
  walk->variance = timing_variance(t, start->node, k);
  for (uint32_t i = graph_first_seed(g, start->slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == start->slot; i++) {
    float a = timing_seed_arrival(t, &g->starts.seeds.at[i], k);
    if (isnan(a) || g->starts.seeds.at[i].tag != graph_node_tag(t->g, start->slot, start->node)
        || fabs(a - start->arrival) > nearest)
      continue;
    nearest = fabs(a - start->arrival);
    walk->arrival = a;
    walk->variance = timing_seed_variance(t, &g->starts.seeds.at[i], k);
  }
}


static void start_walk(Walk *walk, uint32_t capture)
{
  const Timing *t = walk->t;
  const PathPoint *point = walk->points;
  int in = own_condition(walk, point->edge);
  bool arc = walk->count > 1 && point[1].kind == LINK_ARC;
  bool latch = arc && t->g->arcs.flags[point[1].link] & ARC_LATCH;
  bool launch = arc && !latch && graph_arc_is_launch(t->g, point[1].link);
  walk->arrival = (float)point->arrival;
  walk->variance = 0;
  walk->given = true;
  if (latch) walk->arrival = latch_start(walk, capture);
  else if (launch)
    walk->variance = timing_start_variance(t, point[1].link, point->node, point[1].node, in, true);
  else seed_start(walk);
  walk->slew = timing_input_slew(t, point->slot, launch, side_condition(walk, point->edge));
  walk->graph = walk->arrival;
}

/* --- cells ------------------------------------------------------------------------------------ */
/* Returns the index of the timing edge by which an arc leads from one node and edge to another;
   NO_EDGE: none. */
#define NO_EDGE UINT32_MAX
static uint32_t edge_between(const Graph *g, ArcId a, const PathPoint *from, const PathPoint *to)
{
  uint32_t bit = 2u * from->edge + to->edge, pairs = g->arcs.pairs[a];
  if (g->arcs.from[a] != from->slot || !arc_on(g, a) || !(pairs >> bit & 1)) return NO_EDGE;
  uint32_t edge = g->arcs.edge_first[a];
  for (uint32_t below = pairs & ((1u << bit) - 1); below; below &= below - 1) edge++;
  if (g->arcs.flags[a] & ARC_LATCH) return edge;
  NodePairs it = node_pairs(g, g->arcs.map[a], from->slot, to->slot);
  while (node_pairs_next(&it))
    if (it.from == from->node && it.to == to->node && it.mask >> bit & 1) return edge;
  return NO_EDGE;
}

/* The worst of what parallel arcs bring to a driver. */
typedef struct {
  const PathPoint *from, *to;
  const StageLoad *load;            /* behind the driver; NULL: the path does not go there */
  bool      clock;
  float     behind;
  float     arrival, variance, graph, slew;
  StageWire wire;
} Merge;

static float varied(const Walk *walk, const Merge *merge, float delay, float variance,
                    int condition)
{
  return walk->t->sigma.arrival_variance
             ? delay + timing_growth(walk->t, condition, merge->behind, variance)
             : delay;
}

static void merge_edge(const Walk *walk, Merge *merge, ArcId a, uint32_t e)
{
  const Timing *t = walk->t;
  int out = own_condition(walk, merge->to->edge), side = side_condition(walk, merge->to->edge);
  bool given = stage_is_given(t, merge->to->slot) || t->g->arcs.flags[a] & ARC_LATCH;
  float delay = t->edge_delay[e].v[walk->early_late],
        sigma = t->sigma.edge ? t->sigma.edge[e].v[walk->early_late] : 0;
  StageEdge s;
  if (!stage_delay_is_given(t, a)
      && stage_edge(t, a, (EdgePair){ merge->from->edge, merge->to->edge }, walk->side, walk->slew,
                    &s)) {
    delay = stage_annotated_delay(t, a, e, walk->side, s.delay);
    sigma = s.sigma;
    if (!given) time_merge(&merge->slew, walk->side, s.slew);
    if (!given && merge->load) {
      StageWire wire = stage_wire(t, &s, *merge->load, side);
      time_merge(&merge->wire.delay, walk->side, wire.delay);
      time_merge(&merge->wire.slew, walk->side, wire.slew);
    }
  }
  float variance =
      t->sigma.arrival_variance ? timing_arc_variance(t, a, merge->clock, out, delay, sigma) : 0;
  float arrival =
      walk->arrival
      + varied(walk, merge, derated(delay, derate_of(walk, false, a, merge->clock, out)), variance,
               out);
  bool launch = walk->points == merge->from && graph_arc_is_launch(t->g, a);
  bool latch = t->g->arcs.flags[a] & ARC_LATCH;
  int in = own_condition(walk, merge->from->edge);
  float graph_behind =
      latch ? 0 : timing_start_variance(t, a, merge->from->node, merge->to->node, in, launch);
  float graph = walk->graph + timing_edge_delay(t, a, e, merge->clock, out, graph_behind);
  if (is_worse(walk, graph, merge->graph)) merge->graph = graph;
  if (!is_worse(walk, arrival, merge->arrival)
      && !(arrival == merge->arrival && variance > merge->variance))
    return;
  merge->arrival = arrival;
  merge->variance = variance;
}

static float absent_on(int side) { return side == LATE ? ABSENT_LATE : ABSENT_EARLY; }

static void arc_step(Walk *walk, uint32_t i, const StageLoad *load)
{
  const Timing *t = walk->t;
  const Graph *g = t->g;
  const PathPoint *to = &walk->points[i];
  float none = absent_on(walk->side);
  Merge m = { .from = to - 1,
              .to = to,
              .load = load,
              .clock = graph_node_is_clock(g, to->slot, to->node),
              .behind = walk->variance,
              .arrival = absent_on(walk->early_late),
              .graph = absent_on(walk->early_late),
              .slew = none,
              .wire = { none, none } };
  uint8_t latch = g->arcs.flags[to->link] & ARC_LATCH;
  for (ArcId a = g->arcs.first[to->slot]; a < g->arcs.first[to->slot + 1]; a++) {
    if ((g->arcs.flags[a] & ARC_LATCH) != latch) continue;
    if (graph_arc_is_launch(g, a) != graph_arc_is_launch(g, to->link)) continue;
    uint32_t e = edge_between(g, a, m.from, to);
    if (e != NO_EDGE) merge_edge(walk, &m, a, e);
  }
  walk->arrival = m.arrival;
  walk->graph = m.graph;
  walk->variance += m.variance;
  walk->given = stage_is_given(t, to->slot) || latch;
  walk->wire = m.wire;
  int k = side_condition(walk, to->edge);
  walk->slew = walk->given ? t->slew[to->slot].v[k]
                           : stage_annotated_slew(t, to->slot, k, time_absent(m.slew) ? 0 : m.slew);
}

/* --- wires ------------------------------------------------------------------------------------ */
static StageLoad load_at(const PathPoint *at)
{
  return (StageLoad){ at[-1].slot, at->slot, at->kind == LINK_EXTRA_WIRE ? at->link : NO_EXTRA };
}

static void wire_step(Walk *walk, uint32_t i)
{
  const Timing *t = walk->t;
  const PathPoint *to = &walk->points[i];
  StageLoad load = load_at(to);
  int side = side_condition(walk, to->edge), k = own_condition(walk, to->edge);
  StageWire wire =
      walk->given ? stage_given_wire(t, load, side) : stage_settle(t, load, side, walk->wire);
  bool clock = graph_node_is_clock(t->g, to->slot, to->node);
  uint32_t index = graph_load_index(t->g, to->slot);
  float graph_delay =
      (load.extra == NO_EXTRA ? t->wires.delay[index] : t->extra.delay[load.extra]).v[k];
  float delay = derated(wire.delay, derate_of(walk, true, index, clock, k));
  walk->graph +=
      timing_wire_delay(t, index, graph_delay, clock, k, timing_variance(t, to[-1].node, k));
  if (t->sigma.arrival_variance) {
    float variance = timing_wire_variance(t, index, wire.delay, clock, k);
    delay += timing_growth(t, k, walk->variance, variance);
    walk->variance += variance;
  }
  walk->arrival += delay;
  walk->slew = wire.slew;
}

/* --- ends ------------------------------------------------------------------------------------- */
/* The PathEndData of the graph with the path's own values. */
static PathEndData data_of(const Walk *walk, const PathEnd *pe, uint32_t launch)
{
  const Timing *t = walk->t;
  const PathPoint *end = &walk->points[walk->count - 1];
  PathEndData d = timing_end_data(t, pe, end->edge);
  d.variance = walk->variance;
  d.launch = launch;
  if (pe->check == UINT32_MAX) return d;
  const Check *check = &t->g->ends.checks.at[pe->check];
  float margin;
  if (check->data != end->slot) return d;
  if (timing_check_margin_at(t, check, end->edge, walk->early_late, walk->slew, &margin))
    d.margin = margin;
  if (t->sigma.check)
    d.check_sigma = timing_check_sigma_at(t, check, end->edge, walk->early_late, walk->slew);
  return d;
}

static float slack_at(int early_late, float required, float arrival, float credit)
{
  return time_slack(early_late, required,
                    early_late == LATE ? arrival - credit : arrival + credit);
}

static void end_walk(const Walk *walk, const PathList *list, Path *path, RetimedPath *retimed_path)
{
  const Timing *t = walk->t;
  bool has;
  const PathEnd *end = &t->g->ends.path_ends.at[path->end_id];
  int edge = path_end(list, path)->edge;
  /* the common variance of these drops out */
  PathEndData d =
      data_of(walk, end, t->sigma.arrival_variance ? path_launch_leaf(t, list, path) : 0);
  float credit = (float)path_credit_with(t, list, path, timing_end_leaf_of(t, end, edge, &d));
  float graph_credit = (float)path_credit_with(t, list, path, timing_end_leaf(t, end, edge));
  retimed_path->required = timing_end_required_of(t, path->end_id, edge, &d, &has);
  retimed_path->variation = timing_end_variation_of(t, end, edge, &d);
  path->slack = slack_at(walk->early_late, retimed_path->required, walk->arrival, credit);
  if (isnan(retimed_path->graph_slack))
    retimed_path->graph_slack =
        slack_at(walk->early_late, timing_end_required(t, path->end_id, edge, &has), walk->graph,
                 graph_credit);
}

/* --- a path ----------------------------------------------------------------------------------- */
/* One that is a clock's stays the graph's. */
static void keep_path(const Timing *t, PathList *list, const Path *path, RetimedPath *retimed_path)
{
  bool has;
  int edge = path_end(list, path)->edge;
  const PathEnd *pe = path->end_id == NO_PATH_END ? NULL : &t->g->ends.path_ends.at[path->end_id];
  retimed_path->required = pe ? timing_end_required(t, path->end_id, edge, &has) : 0;
  retimed_path->variation = pe ? timing_end_variation(t, pe, edge) : 0;
  if (isnan(retimed_path->graph_slack)) retimed_path->graph_slack = path->slack;
  for (uint32_t i = path->first; i < path->first + path->count; i++) {
    const PathPoint *point = &list->points.at[i];
    int k = condition_of(path->early_late, point->edge);
    bool clock_pin = t->g->slots.flags[point->slot] & SLOT_CLOCK_PIN
                     && t->g->slots.flags[point->slot] & SLOT_IDEAL_CLOCK;
    float slew = clock_pin ? timing_input_slew(t, point->slot, true, k) : t->slew[point->slot].v[k];
    list->retimed_points.at[i] = (RetimedPoint){ slew, timing_variance(t, point->node, k) };
  }
}

static void put_point(const Walk *walk, PathList *list, uint32_t i)
{
  list->points.at[i].arrival = walk->arrival;
  list->retimed_points.at[i] = (RetimedPoint){ walk->slew, walk->variance };
}

static void walk_path(Walk *walk, PathList *list, const Path *path)
{
  put_point(walk, list, path->first);
  for (uint32_t i = 1; i < path->count; i++) {
    if (walk->points[i].kind != LINK_ARC) {
      wire_step(walk, i);
    } else {
      bool on = i + 1 < path->count && walk->points[i + 1].kind != LINK_ARC;
      StageLoad load = on ? load_at(&walk->points[i + 1]) : (StageLoad){ 0, 0, NO_EXTRA };
      arc_step(walk, i, on ? &load : NULL);
    }
    put_point(walk, list, path->first + i);
  }
}

void retime_path(const Timing *t, PathList *list, Path *path, RetimedPath *retimed_path)
{
  const PathPoint *end = path_end(list, path);
  if (graph_node_is_clock(t->g, end->slot, end->node)) {
    keep_path(t, list, path, retimed_path);
    return;
  }
  Walk w = { .t = t,
             .points = path_start(list, path),
             .count = path->count,
             .early_late = path->early_late,
             .side = stage_side(t, path->early_late) };
  uint32_t capture = path->end_id == NO_PATH_END
                         ? 0
                         : timing_end_leaf(t, &t->g->ends.path_ends.at[path->end_id], end->edge);
  if (t->ocv_paths) measure_path(&w);
  start_walk(&w, capture);
  walk_path(&w, list, path);
  path->arrival = w.arrival;
  if (path->end_id != NO_PATH_END) end_walk(&w, list, path, retimed_path);
}

/* --- lists ------------------------------------------------------------------------------------ */
static void report_one(RetimeReport *report, const Path *path, const RetimedPath *retimed_path)
{
  report->paths++;
  double worse = retimed_path->graph_slack - path->slack;
  if (isinf(path->slack) || !(worse > WORSE_LEAST)) return;
  report->worse++;
  if (worse > report->most_worse) report->most_worse = worse;
}

/* Makes room for re-timed points, and a record for each path. */
static void make_room(PathList *list, uint32_t first, bool slack_known)
{
  uint32_t points = list->retimed_points.len;
  array_resize(&list->retimed_points, list->points.len);
  if (list->points.len > points)
    memset(list->retimed_points.at + points, 0,
           (list->points.len - points) * sizeof *list->retimed_points.at);
  for (uint32_t i = first; i < list->paths.len; i++) {
    Path *path = &list->paths.at[i];
    array_push(&list->retimed, (RetimedPath){ .graph_slack = slack_known ? path->slack : NAN,
                                              .graph_arrival = path->arrival });
    path->retimed = list->retimed.len;
  }
}

typedef struct {
  const Timing *t;
  PathList     *list;
  uint32_t      first;
} RetimeList;

static void retime_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const RetimeList *list = context;
  (void)step;
  (void)thread;
  for (uint32_t i = list->first + from; i < list->first + to && !interrupt_seen(); i++) {
    Path *path = &list->list->paths.at[i];
    retime_path(list->t, list->list, path, &list->list->retimed.at[path->retimed - 1]);
  }
}

bool retime_all(const Timing *t, PathList *list, uint32_t first, bool slack_known)
{
  RetimeList x = { t, list, first };
  make_room(list, first, slack_known);
  pool_items(list->paths.len - first, 5000, t->threads, retime_share, &x);
  return !interrupt_seen();
}

Status retime_paths(const Timing *t, PathList *list, uint32_t first, Log *log, RetimeReport *report)
{
  *report = (RetimeReport){ .complete = true, .certain = INFINITY };
  if (!retime_all(t, list, first, true))
    return log_error(log, "PATH-002", NOWHERE, "the search for paths was interrupted");
  for (uint32_t i = first; i < list->paths.len; i++)
    report_one(report, &list->paths.at[i], &list->retimed.at[list->paths.at[i].retimed - 1]);
  return OK;
}

void retime_count(const PathList *list, uint32_t first, RetimeReport *report)
{
  for (uint32_t i = first; i < list->paths.len; i++)
    report_one(report, &list->paths.at[i], &list->retimed.at[list->paths.at[i].retimed - 1]);
}

/* --- copies ----------------------------------------------------------------------------------- */
static void append_retimed(const PathList *from, const Path *path, Path *own, PathList *out)
{
  uint32_t beside = out->retimed_points.len;
  array_resize(&out->retimed_points, (uint64_t)own->first + path->count);
  if (own->first > beside)
    memset(out->retimed_points.at + beside, 0,
           (own->first - beside) * sizeof *out->retimed_points.at);
  memcpy(out->retimed_points.at + own->first, from->retimed_points.at + path->first,
         path->count * sizeof *out->retimed_points.at);
  array_push(&out->retimed, from->retimed.at[path->retimed - 1]);
  own->retimed = out->retimed.len;
}

void retime_append_path(const PathList *from, const Path *path, PathList *out)
{
  Path own = *path;
  own.first = out->points.len;
  array_resize(&out->points, (uint64_t)own.first + path->count);
  memcpy(out->points.at + own.first, from->points.at + path->first,
         path->count * sizeof *out->points.at);
  if (path->retimed) append_retimed(from, path, &own, out);
  array_push(&out->paths, own);
}

/* --- order ------------------------------------------------------------------------------------ */
/* Ends that nothing constrains stand behind all others, the latest (of early ones the earliest)
   first. */
static int by_key(const void *pa, const void *pb)
{
  const RetimeOrder *a = pa, *b = pb;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  if (a->free != b->free) return a->free ? 1 : -1;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

RetimeOrder *retime_keys(const Timing *t, const PathQuery *query, const PathList *list,
                         uint32_t first)
{
  RetimeOrder *order = mem_alloc(sizeof *order * ((size_t)(list->paths.len - first) + 1));
  for (uint32_t i = first; i < list->paths.len; i++) {
    const Path *path = &list->paths.at[i];
    bool is_free = path->end_id == NO_PATH_END;
    double at = is_free ? path_launch_time(t, list, path) + path->arrival : 0;
    order[i - first] =
        (RetimeOrder){ *path, query->by_group ? path->group : 0, is_free,
                       is_free ? (path->early_late == LATE ? -at : at) : path->slack, i };
  }
  sort_items(order, list->paths.len - first, sizeof *order, by_key);
  return order;
}

void retime_order(const Timing *t, const PathQuery *query, PathList *list, uint32_t first)
{
  uint32_t count = list->paths.len - first;
  RetimeOrder *order = retime_keys(t, query, list, first);
  list->paths.len = first;
  for (uint32_t i = 0; i < count; i++) {
    const Path *path = &order[i].path;
    if (path->end_id == NO_PATH_END
        || !(path->slack < query->slack_min || path->slack > query->slack_max))
      array_push(&list->paths, *path);
  }
  mem_free(order);
}
