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

static bool is_worse(const Walk *w, float x, float than)
{
  return w->early_late == LATE ? x > than : x < than;
}
static int  own_condition(const Walk *w, int edge) { return condition_of(w->early_late, edge); }
static int  side_condition(const Walk *w, int edge) { return condition_of(w->side, edge); }

/* --- depth and distance ----------------------------------------------------------------------- */
static void measure_path(Walk *w)
{
  const Graph *g = w->t->g;
  PathPlaces places = variation_places(w->t->ocv_paths->v);
  float low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
  w->cells = w->wires = (PathMetric){ 0, 0 };
  for (uint32_t i = 0; i < w->count; i++) {
    InstId inst = g->netlist->pins.at[g->slots.pin[w->points[i].slot]].inst;
    if (i > 0 && w->points[i].kind == LINK_ARC) w->cells.depth++;
    else if (i > 0) w->wires.depth++;
    if (inst == TOP_INST || inst >= places.count || isnan(places.at[2 * (size_t)inst])) continue;
    for (int k = 0; k < 2; k++) {
      float x = places.at[2 * (size_t)inst + (size_t)k];
      if (x < low[k]) low[k] = x;
      if (x > high[k]) high[k] = x;
    }
  }
  if (low[0] > high[0]) return;
  float x = high[0] - low[0], y = high[1] - low[1];
  w->cells.distance = w->wires.distance = sqrtf(x * x + y * y);
}

static float derate_of(const Walk *w, bool wire, uint32_t at, bool clock, int condition)
{
  const Timing *t = w->t;
  if (t->ocv_paths && !clock)
    return ocv_path_derate(t->ocv_paths, &(OcvDelay){ wire, at, clock, condition },
                           wire ? w->wires : w->cells);
  return timing_derate(t, wire ? t->derates.wire : t->derates.arc, at, clock, condition);
}

/* --- starts ----------------------------------------------------------------------------------- */
/* Returns what a latch passes on: among all arrivals that may start the path, the one that counts
   at its end. */
static float latch_start(const Walk *w, uint32_t capture)
{
  const Timing *t = w->t;
  const PathPoint *start = w->points;
  TagId tag = graph_node_tag(t->g, start[1].slot, start[1].node);
  PathEndId end = path_latch_end(t, start, start[1].link, t->g->tags->tags.at[tag].clock_edge);
  float best = (float)start->arrival, worst = -INFINITY;
  if (end == NO_PATH_END) return best;
  LatchPass pass = timing_latch_passes(t, end, start->edge);
  for (LatchGiven given; timing_latch_next(&pass, &given);) {
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
static void seed_start(Walk *w)
{
  const Timing *t = w->t;
  const Graph *g = t->g;
  const PathPoint *start = w->points;
  int k = own_condition(w, start->edge);
  double nearest = 1e-2;
  w->variance = timing_variance(t, start->node, k);
  for (uint32_t i = graph_first_seed(g, start->slot);
       i < g->starts.seeds.len && g->starts.seeds.at[i].slot == start->slot; i++) {
    float a = timing_seed_arrival(t, &g->starts.seeds.at[i], k);
    if (isnan(a) || g->starts.seeds.at[i].tag != graph_node_tag(t->g, start->slot, start->node)
        || fabs(a - start->arrival) > nearest)
      continue;
    nearest = fabs(a - start->arrival);
    w->arrival = a;
    w->variance = timing_seed_variance(t, &g->starts.seeds.at[i], k);
  }
}


static void start_walk(Walk *w, uint32_t capture)
{
  const Timing *t = w->t;
  const PathPoint *p = w->points;
  int in = own_condition(w, p->edge);
  bool arc = w->count > 1 && p[1].kind == LINK_ARC;
  bool latch = arc && t->g->arcs.flags[p[1].link] & ARC_LATCH;
  bool launch = arc && !latch && graph_arc_is_launch(t->g, p[1].link);
  w->arrival = (float)p->arrival;
  w->variance = 0;
  w->given = true;
  if (latch) w->arrival = latch_start(w, capture);
  else if (launch) w->variance = timing_start_variance(t, p[1].link, p->node, p[1].node, in, true);
  else seed_start(w);
  w->slew = timing_input_slew(t, p->slot, launch, side_condition(w, p->edge));
  w->graph = w->arrival;
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

static float varied(const Walk *w, const Merge *m, float delay, float variance, int condition)
{
  return w->t->sigma.arrival_variance ? delay + timing_growth(w->t, condition, m->behind, variance)
    : delay;
}

static void merge_edge(const Walk *w, Merge *m, ArcId a, uint32_t e)
{
  const Timing *t = w->t;
  int out = own_condition(w, m->to->edge), side = side_condition(w, m->to->edge);
  bool given = stage_is_given(t, m->to->slot) || t->g->arcs.flags[a] & ARC_LATCH;
  float delay = t->edge_delay[e].v[w->early_late],
        sigma = t->sigma.edge ? t->sigma.edge[e].v[w->early_late] : 0;
  StageEdge s;
  if (!stage_delay_is_given(t, a)
      && stage_edge(t, a, (EdgePair){ m->from->edge, m->to->edge }, w->side, w->slew, &s)) {
    delay = stage_annotated_delay(t, a, e, w->side, s.delay);
    sigma = s.sigma;
    if (!given) time_merge(&m->slew, w->side, s.slew);
    if (!given && m->load) {
      StageWire wire = stage_wire(t, &s, *m->load, side);
      time_merge(&m->wire.delay, w->side, wire.delay);
      time_merge(&m->wire.slew, w->side, wire.slew);
    }
  }
  float variance =
      t->sigma.arrival_variance ? timing_arc_variance(t, a, m->clock, out, delay, sigma) : 0;
  float arrival = w->arrival + varied(w, m, derated(delay, derate_of(w, false, a, m->clock, out)),
                                      variance, out);
  bool launch = w->points == m->from && graph_arc_is_launch(t->g, a);
  bool latch = t->g->arcs.flags[a] & ARC_LATCH;
  int in = own_condition(w, m->from->edge);
  float graph_behind =
      latch ? 0 : timing_start_variance(t, a, m->from->node, m->to->node, in, launch);
  float graph = w->graph + timing_edge_delay(t, a, e, m->clock, out, graph_behind);
  if (is_worse(w, graph, m->graph)) m->graph = graph;
  if (!is_worse(w, arrival, m->arrival) && !(arrival == m->arrival && variance > m->variance))
    return;
  m->arrival = arrival;
  m->variance = variance;
}

static float absent_on(int side) { return side == LATE ? ABSENT_LATE : ABSENT_EARLY; }

static void arc_step(Walk *w, uint32_t i, const StageLoad *load)
{
  const Timing *t = w->t;
  const Graph *g = t->g;
  const PathPoint *to = &w->points[i];
  float none = absent_on(w->side);
  Merge m = { .from = to - 1,
              .to = to,
              .load = load,
              .clock = graph_node_is_clock(g, to->slot, to->node),
              .behind = w->variance,
              .arrival = absent_on(w->early_late),
              .graph = absent_on(w->early_late),
              .slew = none,
              .wire = { none, none } };
  uint8_t latch = g->arcs.flags[to->link] & ARC_LATCH;
  for (ArcId a = g->arcs.first[to->slot]; a < g->arcs.first[to->slot + 1]; a++) {
    if ((g->arcs.flags[a] & ARC_LATCH) != latch) continue;
    if (graph_arc_is_launch(g, a) != graph_arc_is_launch(g, to->link)) continue;
    uint32_t e = edge_between(g, a, m.from, to);
    if (e != NO_EDGE) merge_edge(w, &m, a, e);
  }
  w->arrival = m.arrival;
  w->graph = m.graph;
  w->variance += m.variance;
  w->given = stage_is_given(t, to->slot) || latch;
  w->wire = m.wire;
  int k = side_condition(w, to->edge);
  w->slew = w->given ? t->slew[to->slot].v[k]
                     : stage_annotated_slew(t, to->slot, k, time_absent(m.slew) ? 0 : m.slew);
}

/* --- wires ------------------------------------------------------------------------------------ */
static StageLoad load_at(const PathPoint *at)
{
  return (StageLoad){ at[-1].slot, at->slot, at->kind == LINK_EXTRA_WIRE ? at->link : NO_EXTRA };
}

static void wire_step(Walk *w, uint32_t i)
{
  const Timing *t = w->t;
  const PathPoint *to = &w->points[i];
  StageLoad load = load_at(to);
  int side = side_condition(w, to->edge), k = own_condition(w, to->edge);
  StageWire wire =
      w->given ? stage_given_wire(t, load, side) : stage_settle(t, load, side, w->wire);
  bool clock = graph_node_is_clock(t->g, to->slot, to->node);
  uint32_t index = graph_load_index(t->g, to->slot);
  float graph_delay =
      (load.extra == NO_EXTRA ? t->wires.delay[index] : t->extra.delay[load.extra]).v[k];
  float delay = derated(wire.delay, derate_of(w, true, index, clock, k));
  w->graph +=
      timing_wire_delay(t, index, graph_delay, clock, k, timing_variance(t, to[-1].node, k));
  if (t->sigma.arrival_variance) {
    float variance = timing_wire_variance(t, index, wire.delay, clock, k);
    delay += timing_growth(t, k, w->variance, variance);
    w->variance += variance;
  }
  w->arrival += delay;
  w->slew = wire.slew;
}

/* --- ends ------------------------------------------------------------------------------------- */
/* The PathEndData of the graph with the path's own values. */
static PathEndData data_of(const Walk *w, const PathEnd *pe, uint32_t launch)
{
  const Timing *t = w->t;
  const PathPoint *end = &w->points[w->count - 1];
  PathEndData d = timing_end_data(t, pe, end->edge);
  d.variance = w->variance;
  d.launch = launch;
  if (pe->check == UINT32_MAX) return d;
  const Check *c = &t->g->ends.checks.at[pe->check];
  float margin;
  if (c->data != end->slot) return d;
  if (timing_check_margin_at(t, c, end->edge, w->early_late, w->slew, &margin)) d.margin = margin;
  if (t->sigma.check)
    d.check_sigma = timing_check_sigma_at(t, c, end->edge, w->early_late, w->slew);
  return d;
}

static float slack_at(int early_late, float required, float arrival, float credit)
{
  return early_late == LATE ? required - (arrival - credit) : arrival + credit - required;
}

static void end_walk(const Walk *w, const PathList *l, Path *p, RetimedPath *r)
{
  const Timing *t = w->t;
  bool has;
  const PathEnd *end = &t->g->ends.path_ends.at[p->end_id];
  int edge = path_end(l, p)->edge;
  /* the common variance of these drops out */
  PathEndData d = data_of(w, end, t->sigma.arrival_variance ? path_launch_leaf(t, l, p) : 0);
  float credit = (float)path_credit_with(t, l, p, timing_end_leaf_of(t, end, edge, &d));
  float graph_credit = (float)path_credit_with(t, l, p, timing_end_leaf(t, end, edge));
  r->required = timing_end_required_of(t, p->end_id, edge, &d, &has);
  r->variation = timing_end_variation_of(t, end, edge, &d);
  p->slack = slack_at(w->early_late, r->required, w->arrival, credit);
  if (isnan(r->graph_slack))
    r->graph_slack =
        slack_at(w->early_late, timing_end_required(t, p->end_id, edge, &has), w->graph,
                 graph_credit);
}

/* --- a path ----------------------------------------------------------------------------------- */
/* One that is a clock's stays the graph's. */
static void keep_path(const Timing *t, PathList *l, const Path *p, RetimedPath *r)
{
  bool has;
  int edge = path_end(l, p)->edge;
  const PathEnd *pe = p->end_id == NO_PATH_END ? NULL : &t->g->ends.path_ends.at[p->end_id];
  r->required = pe ? timing_end_required(t, p->end_id, edge, &has) : 0;
  r->variation = pe ? timing_end_variation(t, pe, edge) : 0;
  if (isnan(r->graph_slack)) r->graph_slack = p->slack;
  for (uint32_t i = p->first; i < p->first + p->count; i++) {
    const PathPoint *x = &l->points.at[i];
    int k = condition_of(p->early_late, x->edge);
    bool clock_pin = t->g->slots.flags[x->slot] & SLOT_CLOCK_PIN
                     && t->g->slots.flags[x->slot] & SLOT_IDEAL_CLOCK;
    float slew = clock_pin ? timing_input_slew(t, x->slot, true, k) : t->slew[x->slot].v[k];
    l->retimed_points.at[i] = (RetimedPoint){ slew, timing_variance(t, x->node, k) };
  }
}

static void put_point(const Walk *w, PathList *l, uint32_t i)
{
  l->points.at[i].arrival = w->arrival;
  l->retimed_points.at[i] = (RetimedPoint){ w->slew, w->variance };
}

static void walk_path(Walk *w, PathList *l, const Path *p)
{
  put_point(w, l, p->first);
  for (uint32_t i = 1; i < p->count; i++) {
    if (w->points[i].kind != LINK_ARC) {
      wire_step(w, i);
    } else {
      bool on = i + 1 < p->count && w->points[i + 1].kind != LINK_ARC;
      StageLoad load = on ? load_at(&w->points[i + 1]) : (StageLoad){ 0, 0, NO_EXTRA };
      arc_step(w, i, on ? &load : NULL);
    }
    put_point(w, l, p->first + i);
  }
}

void retime_path(const Timing *t, PathList *l, Path *p, RetimedPath *r)
{
  const PathPoint *end = path_end(l, p);
  if (graph_node_is_clock(t->g, end->slot, end->node)) {
    keep_path(t, l, p, r);
    return;
  }
  Walk w = { .t = t,
             .points = path_start(l, p),
             .count = p->count,
             .early_late = p->early_late,
             .side = stage_side(t, p->early_late) };
  uint32_t capture =
      p->end_id == NO_PATH_END
          ? 0
          : timing_end_leaf(t, &t->g->ends.path_ends.at[p->end_id], end->edge);
  if (t->ocv_paths) measure_path(&w);
  start_walk(&w, capture);
  walk_path(&w, l, p);
  p->arrival = w.arrival;
  if (p->end_id != NO_PATH_END) end_walk(&w, l, p, r);
}

/* --- lists ------------------------------------------------------------------------------------ */
static void report_one(RetimeReport *report, const Path *p, const RetimedPath *r)
{
  report->paths++;
  double worse = r->graph_slack - p->slack;
  if (isinf(p->slack) || !(worse > WORSE_LEAST)) return;
  report->worse++;
  if (worse > report->most_worse) report->most_worse = worse;
}

/* Makes room for re-timed points, and a record for each path. */
static void make_room(PathList *l, uint32_t first, bool slack_known)
{
  uint32_t points = l->retimed_points.len;
  array_resize(&l->retimed_points, l->points.len);
  if (l->points.len > points)
    memset(l->retimed_points.at + points, 0,
           (l->points.len - points) * sizeof *l->retimed_points.at);
  for (uint32_t i = first; i < l->paths.len; i++) {
    Path *p = &l->paths.at[i];
    array_push(&l->retimed, (RetimedPath){ .graph_slack = slack_known ? p->slack : NAN,
                                           .graph_arrival = p->arrival });
    p->retimed = l->retimed.len;
  }
}

typedef struct {
  const Timing *t;
  PathList     *l;
  uint32_t      first;
} RetimeList;

static void retime_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const RetimeList *x = context;
  (void)step;
  (void)thread;
  for (uint32_t i = x->first + from; i < x->first + to && !interrupt_seen(); i++) {
    Path *p = &x->l->paths.at[i];
    retime_path(x->t, x->l, p, &x->l->retimed.at[p->retimed - 1]);
  }
}

bool retime_all(const Timing *t, PathList *l, uint32_t first, bool slack_known)
{
  RetimeList x = { t, l, first };
  make_room(l, first, slack_known);
  pool_items(l->paths.len - first, 5000, t->threads, retime_share, &x);
  return !interrupt_seen();
}

Status retime_paths(const Timing *t, PathList *l, uint32_t first, Log *log, RetimeReport *report)
{
  *report = (RetimeReport){ .complete = true, .certain = INFINITY };
  if (!retime_all(t, l, first, true))
    return log_error(log, "PATH-002", NOWHERE, "the search for paths was interrupted");
  for (uint32_t i = first; i < l->paths.len; i++)
    report_one(report, &l->paths.at[i], &l->retimed.at[l->paths.at[i].retimed - 1]);
  return OK;
}

void retime_count(const PathList *l, uint32_t first, RetimeReport *report)
{
  for (uint32_t i = first; i < l->paths.len; i++)
    report_one(report, &l->paths.at[i], &l->retimed.at[l->paths.at[i].retimed - 1]);
}

/* --- copies ----------------------------------------------------------------------------------- */
static void append_retimed(const PathList *from, const Path *p, Path *own, PathList *out)
{
  uint32_t beside = out->retimed_points.len;
  array_resize(&out->retimed_points, (uint64_t)own->first + p->count);
  if (own->first > beside)
    memset(out->retimed_points.at + beside, 0,
           (own->first - beside) * sizeof *out->retimed_points.at);
  memcpy(out->retimed_points.at + own->first, from->retimed_points.at + p->first,
         p->count * sizeof *out->retimed_points.at);
  array_push(&out->retimed, from->retimed.at[p->retimed - 1]);
  own->retimed = out->retimed.len;
}

void retime_append_path(const PathList *from, const Path *p, PathList *out)
{
  Path own = *p;
  own.first = out->points.len;
  array_resize(&out->points, (uint64_t)own.first + p->count);
  memcpy(out->points.at + own.first, from->points.at + p->first, p->count * sizeof *out->points.at);
  if (p->retimed) append_retimed(from, p, &own, out);
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

RetimeOrder *retime_keys(const Timing *t, const PathQuery *q, const PathList *l, uint32_t first)
{
  RetimeOrder *o = mem_alloc(sizeof *o * ((size_t)(l->paths.len - first) + 1));
  for (uint32_t i = first; i < l->paths.len; i++) {
    const Path *p = &l->paths.at[i];
    bool is_free = p->end_id == NO_PATH_END;
    double at = is_free ? path_launch_time(t, l, p) + p->arrival : 0;
    o[i - first] = (RetimeOrder){ *p, q->by_group ? p->group : 0, is_free,
                                  is_free ? (p->early_late == LATE ? -at : at) : p->slack, i };
  }
  sort_items(o, l->paths.len - first, sizeof *o, by_key);
  return o;
}

void retime_order(const Timing *t, const PathQuery *q, PathList *l, uint32_t first)
{
  uint32_t count = l->paths.len - first;
  RetimeOrder *o = retime_keys(t, q, l, first);
  l->paths.len = first;
  for (uint32_t i = 0; i < count; i++) {
    const Path *p = &o[i].path;
    if (p->end_id == NO_PATH_END || !(p->slack < q->slack_min || p->slack > q->slack_max))
      array_push(&l->paths, *p);
  }
  mem_free(o);
}
