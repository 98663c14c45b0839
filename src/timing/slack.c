/* Computes times of pins over their tags, and worst and total slacks over one or several
   scenarios. */
#include "timing/slack.h"

#include <math.h>

#include "base/pool.h"
#include "timing/credit.h"
#include "graph/clocks/clocks.h"
#include "timing/ideal_network.h"

double query_tag_time(const Timing *t, TagId tag)
{
  ClockEdge e = t->g->tags->tags.at[tag].clock_edge;
  return e == NO_CLOCK_EDGE ? 0 : clock_edge_time(t->constraints, e);
}

float query_node_required(const Timing *t, Slot slot, NodeId node, int condition)
{
  return ideal_network_required(t, slot, node, condition);
}

static bool slack_from(const Timing *t, NodeId node, int condition, float required, float *slack)
{
  float a = t->arrival[node].v[condition];
  if (time_absent(a) || time_absent(required)) return false;
  *slack = time_slack(condition >> 1, required, a);
  return true;
}

bool query_node_slack(const Timing *t, Slot slot, NodeId node, int condition, float *slack)
{
  return slack_from(t, node, condition, query_node_required(t, slot, node, condition), slack);
}

static bool worse(bool late, double a, double than) { return late ? a > than : a < than; }

typedef float (*RequiredOf)(const Timing *t, Slot slot, NodeId node, int condition);

static float graph_required(const Timing *t, Slot slot, NodeId node, int condition)
{
  (void)slot;
  return common_required(t, node, condition);
}

static PinTime pin_time(const Timing *t, Slot slot, int condition, RequiredOf required_of)
{
  PinTime p = { false, false, 0, 0, INFINITY };
  bool late = condition >= condition_of(LATE, RISE), bare = false;
  for (NodeId n = t->g->nodes.first[slot]; n < t->g->nodes.first[slot + 1]; n++) {
    float a = t->arrival[n].v[condition], slack;
    if (time_absent(a) || !query_node_shows(t, slot, n)) continue;
    TagId tag = graph_node_tag(t->g, slot, n);
    double base = query_tag_time(t, tag);
    if (!t->g->by_tag.is_bare[tag] && (!p.arrives || worse(late, base + a, p.arrival)))
      p.arrival = base + a;
    p.arrives = true;
    float required = required_of(t, slot, n, condition);
    if (!slack_from(t, n, condition, required, &slack) || (p.constrained && slack >= p.slack))
      continue;
    p.constrained = true;
    p.slack = slack;
    bare = t->g->by_tag.is_bare[tag];
    p.required = base + required;
  }
  /* the bare tag has no latency: its required time is shown for the arrival with the latency */
  if (bare) p.required = late ? p.arrival + p.slack : p.arrival - p.slack;
  return p;
}

PinTime query_pin_time(const Timing *t, Slot slot, int condition)
{
  return pin_time(t, slot, condition, query_node_required);
}
PinTime query_graph_time(const Timing *t, Slot slot, int condition)
{
  return pin_time(t, slot, condition, graph_required);
}

double query_end_slack(const Timing *t, Slot slot, int early_late)
{
  return slot_end_slack(t, slot, early_late);
}

/* Returns true if an arc that is on leaves the slot. */
static bool goes_on(const Graph *g, Slot slot)
{
  if (g->nets.load_count[slot]) return true;
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++)
    if (arc_on(g, g->arcs.out[i])) return true;
  return false;
}

/* Returns true if anything that can change leads to the slot. */
static bool has_fanin(const Graph *g, Slot slot)
{
  if (g->slots.flags[slot] & SLOT_CONSTANT) return false;
  if (!slot_is_driver(g, slot)) return g->nets.wire_driver[slot] != NO_SLOT;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++)
    if (arc_on(g, a)) return true;
  return false;
}

/* Does a check end paths at the slot? Limits of pulses and periods do not. */
static bool has_data_check(const Graph *g, Slot slot)
{
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    if (!check->off && check->clock != slot && check->type != ARC_MIN_PULSE_WIDTH) return true;
  }
  return false;
}

bool query_is_end(const Graph *g, Slot slot)
{
  if (g->ends.first_end[slot + 1] > g->ends.first_end[slot]) return true;
  return has_fanin(g, slot) && (!goes_on(g, slot) || has_data_check(g, slot));
}

/* Returns the slack of the path ends at a pin; INFINITY if it is not constrained. */
static double pin_end_slack(const Timing *t, PinId pin, int early_late)
{
  Slot slot = pin < t->g->pin_count ? t->g->slots.of_pin[pin] : NO_SLOT;
  return slot == NO_SLOT ? INFINITY : query_end_slack(t, slot, early_late);
}

/* Returns the next pin in any of several lists, and moves all lists past it. */
static PinId next_end(const Timing *const *timings, uint32_t count, uint32_t *at)
{
  PinId next = NO_PIN;
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < count; i++) {
      uint32_t len;
      const PinId *pins = end_slacks_pins(timings[i], &len);
      if (at[i] >= len) continue;
      if (round == 0 && (next == NO_PIN || pins[at[i]] < next)) next = pins[at[i]];
      if (round == 1 && pins[at[i]] == next) at[i]++;
    }
  return next;
}

static double worst_of(const Timing *const *timings, uint32_t count, PinId pin, int early_late)
{
  double worst = INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    double slack = pin_end_slack(timings[i], pin, early_late);
    if (slack < worst) worst = slack;
  }
  return worst;
}

typedef struct {
  const Timing *const *timings;
  uint32_t      count;
  const PinId  *ends;
  uint32_t      end_count;
  int           early_late;
} Merged;

/* Sums up a block over several timings, in the same order as for one timing. worst_end is the
   pin. */
static EndSum merged_block(const Merged *merged, uint32_t block)
{
  EndSum s = end_sum();
  uint32_t end =
      (block + 1) * END_BLOCK < merged->end_count ? (block + 1) * END_BLOCK : merged->end_count;
  for (uint32_t first = block * END_BLOCK; first < end; first += END_LEAF) {
    EndSum leaf = end_sum();
    for (uint32_t i = first; i < end && i < first + END_LEAF; i++)
      end_sum_add(&leaf, merged->ends[i],
                  worst_of(merged->timings, merged->count, merged->ends[i], merged->early_late));
    end_sum_merge(&s, &leaf);
  }
  return s;
}

typedef struct {
  const Merged *merged;
  EndSum       *sums;
} MergedSums;

static void merged_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const MergedSums *sums = context;
  (void)step;
  (void)thread;
  for (uint32_t b = from; b < to; b++) sums->sums[b] = merged_block(sums->merged, b);
}

static SlackSummary merged_sum(const Merged *merged)
{
  EndSum s = end_sum();
  uint32_t blocks = end_block_count(merged->end_count);
  if (blocks == 0) return slack_summary(&s, NO_PIN);
  EndSum *sums = mem_alloc(((size_t)blocks + 1) * sizeof *sums);
  pool_items(blocks, 4000, merged->timings[0]->threads, merged_share,
             &(MergedSums){ merged, sums });
  for (uint32_t b = 0; b < blocks; b++) end_sum_merge(&s, &sums[b]);
  mem_free(sums);
  return slack_summary(&s, s.worst_end == NO_END ? NO_PIN : s.worst_end);
}

static bool same_graph(const Timing *const *timings, uint32_t count)
{
  for (uint32_t i = 1; i < count; i++)
    if (timings[i]->g != timings[0]->g) return false;
  return true;
}

/* Sums up slacks in the order of PinIds, so that the sums do not depend on the order of slots. */
SlackSummary query_slacks_of(const Timing *const *timings, uint32_t count, int early_late)
{
  if (count == 1) return end_slacks_of(timings[0], early_late);
  ARRAY(PinId) ends = { 0 };
  Merged m = { timings, count, NULL, 0, early_late };
  if (count && same_graph(timings, count)) {
    m.ends = end_slacks_pins(timings[0], &m.end_count);
    return merged_sum(&m);
  }
  uint32_t *at = mem_alloc_zero((size_t)count + 1, sizeof *at);
  for (PinId p; (p = next_end(timings, count, at)) != NO_PIN;) array_push(&ends, p);
  m.ends = ends.at;
  m.end_count = ends.len;
  SlackSummary s = merged_sum(&m);
  array_free(&ends);
  mem_free(at);
  return s;
}

SlackSummary query_slacks(const Timing *t, int early_late)
{
  return query_slacks_of(&t, 1, early_late);
}
