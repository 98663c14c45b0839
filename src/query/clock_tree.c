/* Latencies of clocks at registers, and skew: the extreme launch latencies are carried forward over
   data paths to the capturing registers. */
#include "query/clock_tree.h"

#include <math.h>

#include "graph/clocks/clocks.h"

static const LibArc *lib_arc(const Graph *g, ArcId a) { return &g->libs->arcs.at[g->arcs.lib[a]]; }
static bool arc_counts(const Graph *g, ArcId a)
{
  return arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH);
}

double query_clock_latency(const Timing *t, Slot pin, ClockId clock, int pin_edge, int early_late,
                           bool as_propagated)
{
  const Graph *g = t->g;
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[pin]);
  double worst = NAN;
  int k = condition_of(early_late, pin_edge);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[pin]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (!tag_is_clock(tag) || clock_edge_clock(tag->clock_edge) != clock) continue;
    float a = t->arrival[g->nodes.first[pin] + i].v[k];
    if (time_absent(a)) continue;
    if (g->by_tag.is_ideal[tags[i]] && !as_propagated) a = timing_ideal_latency(t, tags[i], k);
    if (isnan(worst) || (early_late == LATE ? a > worst : a < worst)) worst = a;
  }
  return worst;
}

/* --- the edges at which a clock pin triggers: of launching arcs and of checks ----------------- */
static uint8_t *trigger_edges(const Graph *g)
{
  uint8_t *edges = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  for (ArcId a = 0; a < g->arcs.count; a++) {
    const LibArc *lib = lib_arc(g, a);
    if (arc_type_is_launch((ArcType)lib->type) && lib->edge != EDGE_ANY)
      edges[g->arcs.from[a]] |= (uint8_t)(1u << lib->edge);
  }
  for (uint32_t i = 0; i < g->ends.checks.len; i++) {
    const Check *check = &g->ends.checks.at[i];
    bool library =
        check->type >= ARC_SETUP && check->type <= ARC_REMOVAL && check->lib != NO_LIB_ARC;
    if (library && check->clock_edge <= FALL)
      edges[check->clock] |= (uint8_t)(1u << check->clock_edge);
  }
  return edges;
}

static void widen(const Timing *t, LatencyRange *range, Slot slot, int edge, ClockId clock,
                  bool as_propagated)
{
  for (int el = EARLY; el <= LATE; el++) {
    double l = query_clock_latency(t, slot, clock, edge, el, as_propagated);
    bool better = range->slot[el] == NO_SLOT
                  || (el == LATE ? l > range->latency[el] : l < range->latency[el]);
    if (isnan(l) || !better) continue;
    range->slot[el] = slot;
    range->edge[el] = edge;
    range->latency[el] = l;
  }
}

LatencyRange query_latency_range(const Timing *t, ClockId clock, bool as_propagated)
{
  const Graph *g = t->g;
  LatencyRange r = { .slot = { NO_SLOT, NO_SLOT } };
  uint8_t *edges = trigger_edges(g);
  for (PinId p = 0; p < g->netlist->pins.len; p++) {
    Slot s = g->slots.of_pin[p];
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

/* --- skew: the extreme launching latencies carried forward over the data paths ---------------- */
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

static void reach_add(Reach *reach, float latency, Slot slot, int edge)
{
  if (reach->low_slot == NO_SLOT || latency < reach->low) {
    reach->low = latency;
    reach->low_slot = slot;
    reach->low_edge = (uint8_t)edge;
  }
  if (reach->high_slot == NO_SLOT || latency > reach->high) {
    reach->high = latency;
    reach->high_slot = slot;
    reach->high_edge = (uint8_t)edge;
  }
}

static void reach_merge(Reach *to, const Reach *from)
{
  if (from->low_slot == NO_SLOT) return;
  reach_add(to, from->low, from->low_slot, from->low_edge);
  reach_add(to, from->high, from->high_slot, from->high_edge);
}

static void reach_over_arc(SkewSearch *search, ArcId a, Reach *to)
{
  const Graph *g = search->t->g;
  const LibArc *lib = lib_arc(g, a);
  Slot from = g->arcs.from[a];
  if (!arc_type_is_launch((ArcType)lib->type)) {
    reach_merge(to, &search->reach[from]);
    return;
  }
  int edge = lib->edge == EDGE_ANY ? RISE : lib->edge;
  double latency = query_clock_latency(search->t, from, search->clock, edge, search->launch_el,
                                       search->as_propagated);
  if (!isnan(latency)) reach_add(to, (float)latency, from, edge);
}

static void reach_slot(SkewSearch *search, Slot slot)
{
  const Graph *g = search->t->g;
  Reach *reach = &search->reach[slot];
  *reach = (Reach){ NO_SLOT, NO_SLOT, 0, 0, 0, 0 };
  if (g->slots.flags[slot] & SLOT_CONSTANT) return;
  if (slot_is_driver(g, slot)) {
    for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++)
      if (arc_counts(g, a)) reach_over_arc(search, a, reach);
    return;
  }
  if (g->nets.wire_driver[slot] != NO_SLOT)
    reach_merge(reach, &search->reach[g->nets.wire_driver[slot]]);
  uint32_t from, to;
  graph_extra_wires(g, slot, &from, &to);
  for (uint32_t i = from; i < to; i++)
    reach_merge(reach, &search->reach[g->nets.extra_wires.at[i].driver]);
}

/* The pin whose set_clock_uncertainty applies at a clock pin: an index in clock_pins, or
   NO_CLOCK_PIN. */
static uint32_t pin_uncertainty(const Graph *g, Slot slot, ClockId clock, int check)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag_is_clock(tag) && clock_edge_clock(tag->clock_edge) == clock)
      return graph_pin_values(g, tag)->uncertainty[check];
  }
  return NO_CLOCK_PIN;
}

/* Of two skews of equal size, takes the harmful one: a late launch for setup, an early one for
   hold. */
static void consider(SkewSearch *search, Slot launch, int launch_edge, double launch_latency,
                     const Check *the_check, double capture_latency)
{
  bool late = search->launch_el == LATE;
  int check = late ? SETUP : HOLD;
  double uncertainty = clock_uncertainty(
      search->t->constraints, 2 * search->clock + (uint32_t)launch_edge,
      2 * search->clock + the_check->clock_edge,
      pin_uncertainty(search->t->g, the_check->clock, search->clock, check), check);
  if (!late) uncertainty = -uncertainty;
  double skew = launch_latency - capture_latency + uncertainty, size = fabs(skew),
         have = fabs(search->best.skew);
  bool harms = search->launch_el == LATE ? skew > search->best.skew : skew < search->best.skew;
  if (search->best.found && (size < have || (size == have && !harms))) return;
  search->best = (ClockSkew){
    true,           launch,          the_check->clock, launch_edge, the_check->clock_edge,
    launch_latency, capture_latency, uncertainty,      skew
  };
}

static void capture_at(SkewSearch *search, const Check *check)
{
  if (check->off
      || (check->type != ARC_SETUP && check->type != ARC_HOLD && check->type != ARC_RECOVERY
          && check->type != ARC_REMOVAL))
    return;
  const Reach *reach = &search->reach[check->data];
  if (reach->low_slot == NO_SLOT || check->clock_edge > FALL) return;
  double latency = query_clock_latency(search->t, check->clock, search->clock, check->clock_edge,
                                       search->capture_el, search->as_propagated);
  if (isnan(latency)) return;
  latency += clock_capture_shift(search->t->g, 2 * search->clock + check->clock_edge, NO_SLOT,
                                 search->capture_el);
  consider(search, reach->high_slot, reach->high_edge, reach->high, check, latency);
  consider(search, reach->low_slot, reach->low_edge, reach->low, check, latency);
}

/* Slots are in level order, so one pass does. */
ClockSkew query_clock_skew(const Timing *t, ClockId clock, int check, bool as_propagated)
{
  const Graph *g = t->g;
  SkewSearch s = { .t = t,
                   .clock = clock,
                   .launch_el = check == SETUP ? LATE : EARLY,
                   .as_propagated = as_propagated };
  s.capture_el = graph_capture_side(g, s.launch_el);
  s.reach = mem_alloc(sizeof *s.reach * ((size_t)g->slots.count + 1));
  for (Slot slot = 0; slot < g->slots.count; slot++) reach_slot(&s, slot);
  for (CheckId c = 0; c < g->ends.checks.len; c++) capture_at(&s, &g->ends.checks.at[c]);
  mem_free(s.reach);
  return s.best;
}
