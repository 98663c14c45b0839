#include "engine/sigma.h"
#include "query/clock_tree.h"

#include <math.h>

#include "engine/common.h"
#include "engine/cpu.h"
#include "graph/clocks.h"

static bool is_launch(uint8_t type) { return type == ARC_CLOCK_RISE || type == ARC_CLOCK_FALL || type == ARC_LATCH_ENABLE; }
static const LibArc *lib_arc(const Graph *g, ArcId a) { return &g->libs->arcs.at[g->arc_lib[a]]; }
static bool arc_counts(const Graph *g, ArcId a) { return arc_on(g, a) && !(g->arc_flags[a] & ARC_LATCH); }

double query_clock_latency(const Timing *t, Slot pin, ClockId clock, int pin_edge, int early_late, bool as_propagated)
{
  const Graph *g = t->g;
  const TagId *tags = tag_set_tags(g->tags, g->slot_tags[pin]);
  double worst = NAN;
  int k = condition_of(early_late, pin_edge);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->slot_tags[pin]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (!tag_is_clock(tag) || clock_edge_clock(tag->clock_edge) != clock) continue;
    float a = t->arrival[g->node_first[pin] + i].v[k];
    if (time_absent(a)) continue;
    if (g->tag_is_ideal[tags[i]] && !as_propagated) a = timing_ideal_latency(t, tags[i], k);
    if (isnan(worst) || (early_late == LATE ? a > worst : a < worst)) worst = a;
  }
  return worst;
}

/* --- the edges at which a clock pin triggers: of launching arcs and of checks ---------------------------------- */
static uint8_t *trigger_edges(const Graph *g)
{
  uint8_t *edges = mem_alloc_zero((size_t)g->slot_count + 1, 1);
  for (ArcId a = 0; a < g->arc_count; a++) {
    const LibArc *lib = lib_arc(g, a);
    if (is_launch(lib->type) && lib->edge != EDGE_ANY) edges[g->arc_from[a]] |= (uint8_t)(1u << lib->edge);
  }
  for (uint32_t i = 0; i < g->checks.len; i++) {
    const Check *c = &g->checks.at[i];
    bool library = c->type >= ARC_SETUP && c->type <= ARC_REMOVAL && c->lib != NO_LIB_ARC;
    if (library && c->clock_edge <= FALL) edges[c->clock] |= (uint8_t)(1u << c->clock_edge);
  }
  return edges;
}

static void widen(const Timing *t, LatencyRange *r, Slot slot, int edge, ClockId clock, bool as_propagated)
{
  for (int el = EARLY; el <= LATE; el++) {
    double l = query_clock_latency(t, slot, clock, edge, el, as_propagated);
    bool better = r->slot[el] == NO_SLOT || (el == LATE ? l > r->latency[el] : l < r->latency[el]);
    if (isnan(l) || !better) continue;
    r->slot[el] = slot;
    r->edge[el] = edge;
    r->latency[el] = l;
  }
}

LatencyRange query_latency_range(const Timing *t, ClockId clock, bool as_propagated)
{
  const Graph *g = t->g;
  LatencyRange r = { .slot = { NO_SLOT, NO_SLOT } };
  uint8_t *edges = trigger_edges(g);
  for (PinId p = 0; p < g->netlist->pins.len; p++) {
    Slot s = g->pin_slot[p];
    if (s == NO_SLOT || !edges[s]) continue;
    bool reached = false;
    for (int edge = RISE; edge <= FALL; edge++) {
      if (!(edges[s] >> edge & 1)) continue;
      reached |= !isnan(query_clock_latency(t, s, clock, edge, LATE, as_propagated));
      widen(t, &r, s, edge, clock, as_propagated);
    }
    r.count += reached;
  }
  mem_free(edges);
  return r;
}

/* --- skew: the extreme launching latencies carried forward over the data paths ------------------------------------ */
typedef struct {
  Slot  low_slot, high_slot;       /* clock pins; NO_SLOT: nothing of this clock arrives */
  float low, high;
  uint8_t low_edge, high_edge;
} Reach;

typedef struct {
  const Timing *t;
  ClockId clock;
  int     launch_el, capture_el;
  bool    as_propagated;
  Reach  *reach;                   /* [slots] */
  ClockSkew best;
} SkewSearch;

static void reach_add(Reach *r, float latency, Slot slot, int edge)
{
  if (r->low_slot == NO_SLOT || latency < r->low) {
    r->low = latency;
    r->low_slot = slot;
    r->low_edge = (uint8_t)edge;
  }
  if (r->high_slot == NO_SLOT || latency > r->high) {
    r->high = latency;
    r->high_slot = slot;
    r->high_edge = (uint8_t)edge;
  }
}

static void reach_merge(Reach *to, const Reach *from)
{
  if (from->low_slot == NO_SLOT) return;
  reach_add(to, from->low, from->low_slot, from->low_edge);
  reach_add(to, from->high, from->high_slot, from->high_edge);
}

static void reach_over_arc(SkewSearch *s, ArcId a, Reach *to)
{
  const Graph *g = s->t->g;
  const LibArc *lib = lib_arc(g, a);
  Slot from = g->arc_from[a];
  if (!is_launch(lib->type)) {
    reach_merge(to, &s->reach[from]);
    return;
  }
  int edge = lib->edge == EDGE_ANY ? RISE : lib->edge;
  double latency = query_clock_latency(s->t, from, s->clock, edge, s->launch_el, s->as_propagated);
  if (!isnan(latency)) reach_add(to, (float)latency, from, edge);
}

static void reach_slot(SkewSearch *s, Slot slot)
{
  const Graph *g = s->t->g;
  Reach *r = &s->reach[slot];
  *r = (Reach){ NO_SLOT, NO_SLOT, 0, 0, 0, 0 };
  if (g->slot_flags[slot] & SLOT_CONSTANT) return;
  if (slot_is_driver(g, slot)) {
    for (ArcId a = g->arc_first[slot]; a < g->arc_first[slot + 1]; a++)
      if (arc_counts(g, a)) reach_over_arc(s, a, r);
    return;
  }
  if (g->wire_driver[slot] != NO_SLOT) reach_merge(r, &s->reach[g->wire_driver[slot]]);
  uint32_t from, to;
  graph_extra_wires(g, slot, &from, &to);
  for (uint32_t i = from; i < to; i++) reach_merge(r, &s->reach[g->extra_wires.at[i].driver]);
}

/* Where set_clock_uncertainty on a pin gave what holds at a clock pin: an index in clock_pins, or NO_CLOCK_PIN. */
static uint32_t pin_uncertainty(const Graph *g, Slot slot, ClockId clock, int check)
{
  const TagId *tags = tag_set_tags(g->tags, g->slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->slot_tags[slot]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag_is_clock(tag) && clock_edge_clock(tag->clock_edge) == clock)
      return g->places.at[tag->place].uncertainty[check];
  }
  return NO_CLOCK_PIN;
}

/* Of two of one size the one that harms: a late launch for setup, an early one for hold. */
static void consider(SkewSearch *s, Slot launch, int launch_edge, double launch_latency, const Check *c, double capture_latency)
{
  bool late = s->launch_el == LATE;
  int check = late ? SETUP : HOLD;
  double uncertainty = clock_uncertainty(s->t->constraints, 2 * s->clock + (uint32_t)launch_edge, 2 * s->clock + c->clock_edge,
                                         pin_uncertainty(s->t->g, c->clock, s->clock, check),
                                           check);
  if (!late) uncertainty = -uncertainty;
  double skew = launch_latency - capture_latency + uncertainty, size = fabs(skew), have = fabs(s->best.skew);
  bool harms = s->launch_el == LATE ? skew > s->best.skew : skew < s->best.skew;
  if (s->best.found && (size < have || (size == have && !harms))) return;
  s->best = (ClockSkew){ true, launch, c->clock, launch_edge, c->clock_edge, launch_latency, capture_latency, uncertainty, skew };
}

static void capture_at(SkewSearch *s, const Check *c)
{
  if (c->off || (c->type != ARC_SETUP && c->type != ARC_HOLD && c->type != ARC_RECOVERY &&
                 c->type != ARC_REMOVAL))
    return;
  const Reach *r = &s->reach[c->data];
  if (r->low_slot == NO_SLOT || c->clock_edge > FALL) return;
  double latency = query_clock_latency(s->t, c->clock, s->clock, c->clock_edge, s->capture_el, s->as_propagated);
  if (isnan(latency)) return;
  latency += clock_capture_shift(s->t->g, 2 * s->clock + c->clock_edge, NO_SLOT, s->capture_el);
  consider(s, r->high_slot, r->high_edge, r->high, c, latency);
  consider(s, r->low_slot, r->low_edge, r->low, c, latency);
}

/* Slots are in level order, so one pass does. */
ClockSkew query_clock_skew(const Timing *t, ClockId clock, int check, bool as_propagated)
{
  const Graph *g = t->g;
  SkewSearch s = { .t = t, .clock = clock, .launch_el = check == SETUP ? LATE : EARLY, .as_propagated = as_propagated };
  s.capture_el = graph_capture_side(g, s.launch_el);
  s.reach = mem_alloc(sizeof *s.reach * ((size_t)g->slot_count + 1));
  for (Slot slot = 0; slot < g->slot_count; slot++) reach_slot(&s, slot);
  for (CheckId c = 0; c < g->checks.len; c++) capture_at(&s, &g->checks.at[c]);
  mem_free(s.reach);
  return s.best;
}

/* --- least period: late arrivals of paths that registers start ------------------------------------------------------- */
typedef struct { float v[2]; } Edges;          /* by transition; ABSENT_LATE where nothing arrives */

typedef struct {
  const Timing *t;
  Edges *arrival;              /* [nodes] */
} Registers;

static void merge(float *have, float x)
{
  if (x > *have) *have = x;
}

static TagId node_tag(const Graph *g, Slot slot, uint32_t index) { return tag_set_tags(g->tags, g->slot_tags[slot])[index]; }

/* Start of a launching arc is the clock's arrival; of the others what came from registers. */
static float start_of(const Registers *r, Slot from, uint32_t index, bool launch, int edge)
{
  const Graph *g = r->t->g;
  NodeId n = g->node_first[from] + index;
  if (!launch) return r->arrival[n].v[edge];
  float a = r->t->arrival[n].v[condition_of(LATE, edge)];
  TagId tag = node_tag(g, from, index);
  return time_absent(a) || !g->tag_is_ideal[tag] ? a : timing_ideal_latency(r->t, tag, condition_of(LATE, edge));
}

static void over_arc(Registers *r, ArcId a, uint32_t from, uint32_t to, uint8_t mask)
{
  const Timing *t = r->t;
  const Graph *g = t->g;
  const LibArc *lib = lib_arc(g, a);
  Slot end = g->arc_to[a];
  bool clock = g->tags->tags.at[node_tag(g, end, to)].is_clock;
  for (uint32_t e = g->edge_first[a]; e < g->edge_first[a + 1]; e++) {
    EdgePair p = arc_edge_pair(lib, e - g->edge_first[a]);
    if (!(mask >> (2 * p.in + p.out) & 1)) continue;
    float start = start_of(r, g->arc_from[a], from, is_launch(lib->type), p.in);
    if (time_absent(start)) continue;
    NodeId from_node = g->node_first[g->arc_from[a]] + from, to_node = g->node_first[end] + to;
    float behind = timing_start_variance(t, a, from_node, to_node, condition_of(LATE, p.in), is_launch(lib->type));
    merge(&r->arrival[to_node].v[p.out], start + timing_edge_delay(t, a, e, clock, condition_of(LATE, p.out), behind));
  }
}

static void over_wire(Registers *r, Slot driver, Slot load, const Cond4 *delay, uint32_t from, uint32_t to, uint8_t mask)
{
  const Timing *t = r->t;
  const Graph *g = t->g;
  bool clock = g->tags->tags.at[node_tag(g, load, to)].is_clock;
  for (int edge = RISE; edge <= FALL; edge++) {
    float start = r->arrival[g->node_first[driver] + from].v[edge];
    if (!(mask >> (3 * edge) & 1) || time_absent(start)) continue;
    int k = condition_of(LATE, edge);
    float behind = timing_variance(t, g->node_first[driver] + from, k);
    merge(&r->arrival[g->node_first[load] + to].v[edge], start + timing_wire_delay(t, graph_load_index(g, load), delay->v[k], clock, k, behind));
  }
}

static void arc_forward(Registers *r, ArcId a)
{
  const Graph *g = r->t->g;
  Slot end = g->arc_to[a];
  if (g->arc_map[a] == IDENTITY_MAP) {
    for (uint32_t i = 0; i < g->node_first[end + 1] - g->node_first[end]; i++) over_arc(r, a, i, i, 15);
    return;
  }
  const MapEntry *e = tag_map_entries(g->tags, g->arc_map[a]);
  for (uint32_t i = 0; i < tag_map_count(g->tags, g->arc_map[a]); i++) over_arc(r, a, e[i].from, e[i].to, e[i].mask);
}

static void wire_forward(Registers *r, Slot driver, Slot load, MapId map, const Cond4 *delay)
{
  const Graph *g = r->t->g;
  if (map == IDENTITY_MAP) {
    for (uint32_t i = 0; i < g->node_first[load + 1] - g->node_first[load]; i++) over_wire(r, driver, load, delay, i, i, 15);
    return;
  }
  const MapEntry *e = tag_map_entries(g->tags, map);
  for (uint32_t i = 0; i < tag_map_count(g->tags, map); i++) over_wire(r, driver, load, delay, e[i].from, e[i].to, e[i].mask);
}

static void forward(Registers *r)
{
  const Timing *t = r->t;
  const Graph *g = t->g;
  for (NodeId n = 0; n < g->node_count; n++) r->arrival[n] = (Edges){ { ABSENT_LATE, ABSENT_LATE } };
  for (Slot s = 0; s < g->slot_count; s++) {
    if (g->node_first[s + 1] == g->node_first[s]) continue;
    for (ArcId a = g->arc_first[s]; a < g->arc_first[s + 1]; a++)
      if (arc_counts(g, a)) arc_forward(r, a);
    if (slot_is_driver(g, s) || g->wire_driver[s] == NO_SLOT) continue;
    wire_forward(r, g->wire_driver[s], s, g->wire_map[s], &t->wire_delay[graph_load_index(g, s)]);
    uint32_t from, to;
    graph_extra_wires(g, s, &from, &to);
    for (uint32_t i = from; i < to; i++) wire_forward(r, g->extra_wires.at[i].driver, s, g->extra_wires.at[i].map, &t->extra_delay[i]);
  }
}

/* Does the row speak of setup within one clock?  *part: of the period between launch and capture. */
static bool row_counts(const Timing *t, const Row *row, ClockId clock, bool with_ports, double *part)
{
  const Graph *g = t->g;
  const RowDetail *d = &g->row_details.at[row->detail];
  const Tag *tag = &g->tags->tags.at[node_tag(g, row->slot, row->data - g->node_first[row->slot])];
  bool setup = row->type == ROW_SETUP || (with_ports && row->type == ROW_OUTPUT_SETUP);
  if (!setup || d->path_delay || row->capture_clock == NO_CLOCK_EDGE || tag->clock_edge == NO_CLOCK_EDGE) return false;
  if (clock_edge_clock(row->capture_clock) != clock || clock_edge_clock(tag->clock_edge) != clock) return false;
  *part = (d->capture_time - d->launch_time) / t->constraints->clocks.at[clock].period;
  return *part > 0;
}

typedef struct {
  const Timing *t;
  ClockId clock;
  bool    with_ports;
  Registers registers;         /* where ports do not count: late arrivals; */
  Fronts *fronts;              /* or where clock paths have credit these */
  MinPeriod least;
} PeriodSearch;

/* The latest of what registers launch, less the credit that it has with the row's capture; absent:
   nothing. */
static float register_arrival(const PeriodSearch *s, const Row *row, int edge)
{
  uint32_t count, which;
  if (s->fronts == NULL) return s->registers.arrival[row->data].v[edge];
  const CommonItem *items = fronts_get(s->fronts, common_index(row->data, condition_of(LATE, edge)),
                                       &count);
  if (count == 0) return ABSENT_LATE;
  return common_worst(&s->t->common->view, items, count, common_row_capture(s->t, row, edge).leaf,
                      &which);
}

static bool row_slack(const PeriodSearch *s, RowId id, int edge, float *slack)
{
  bool has;
  if (s->with_ports) {
    *slack = s->t->row_slack[id].v[edge];
    return *slack < 1e30f;
  }
  float required = cpu_row_required(s->t, id, edge, &has);
  float arrival = has ? register_arrival(s, &s->t->g->rows.at[id], edge) : ABSENT_LATE;
  *slack = required - arrival;
  return !time_absent(arrival);
}

static void period_of_row(PeriodSearch *s, RowId id)
{
  const Row *row = &s->t->g->rows.at[id];
  double part, period = s->t->constraints->clocks.at[s->clock].period;
  float slack;
  if (!row_counts(s->t, row, s->clock, s->with_ports, &part)) return;
  for (int edge = RISE; edge <= FALL; edge++) {
    if (!row_slack(s, id, edge, &slack)) continue;
    double need = period - slack / part;
    if (isnan(s->least.period) || need > s->least.period)
      s->least = (MinPeriod){ need, s->t->g->slot_pin[row->slot] };
  }
}

MinPeriod query_min_period(const Timing *t, ClockId clock, bool with_ports)
{
  PeriodSearch s = { .t = t, .clock = clock, .with_ports = with_ports, .registers = { t, NULL },
    .least = { NAN, NO_PIN } };
  if (!with_ports && common_active(t)) s.fronts = cpu_register_fronts(t);
  else if (!with_ports) {
    s.registers.arrival = mem_alloc(sizeof *s.registers.arrival * ((size_t)t->g->node_count + 1));
    forward(&s.registers);
  }
  for (RowId id = 0; id < t->g->rows.len; id++) period_of_row(&s, id);
  fronts_free(s.fronts);
  mem_free(s.registers.arrival);
  return s.least;
}
