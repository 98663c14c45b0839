#include "query/slack.h"

#include <math.h>

#include "engine/common.h"
#include "graph/clocks.h"

double query_tag_time(const Timing *t, TagId tag)
{
  ClockEdge e = t->g->tags->tags.at[tag].clock_edge;
  return e == NO_CLOCK_EDGE ? 0 : clock_edge_time(t->constraints, e);
}

bool query_node_slack(const Timing *t, NodeId node, int condition, float *slack)
{
  float a = t->arrival[node].v[condition], r = common_required(t, node, condition);
  if (time_absent(a) || time_absent(r)) return false;
  *slack = condition_of(LATE, 0) <= condition ? r - a : a - r;
  return true;
}

static bool worse(bool late, double a, double than) { return late ? a > than : a < than; }

PinTime query_pin_time(const Timing *t, Slot slot, int condition)
{
  PinTime p = { false, false, 0, 0, INFINITY };
  bool late = condition >= condition_of(LATE, RISE), bare = false;
  for (NodeId n = t->g->node_first[slot]; n < t->g->node_first[slot + 1]; n++) {
    float a = t->arrival[n].v[condition], slack;
    if (time_absent(a) || query_node_is_hidden(t, slot, n)) continue;
    TagId tag = query_node_tag(t, slot, n);
    double base = query_tag_time(t, tag);
    if (!t->g->tag_is_bare[tag] && (!p.arrives || worse(late, base + a, p.arrival))) p.arrival = base + a;
    p.arrives = true;
    if (!query_node_slack(t, n, condition, &slack) || (p.constrained && slack >= p.slack)) continue;
    p.constrained = true;
    p.slack = slack;
    bare = t->g->tag_is_bare[tag];
    p.required = base + common_required(t, n, condition);
  }
  /* without the clock's latency: told for the arrival that has it */
  if (bare) p.required = late ? p.arrival + p.slack : p.arrival - p.slack;
  return p;
}

double query_end_slack(const Timing *t, Slot slot, int early_late)
{
  double worst = INFINITY;
  for (RowId r = t->g->slot_first_row[slot]; r < t->g->slot_first_row[slot + 1]; r++) {
    if (row_is_late((RowType)t->g->rows.at[r].type) != (early_late == LATE)) continue;
    for (int edge = RISE; edge <= FALL; edge++)
      if (t->row_slack[r].v[edge] < 1e29f && t->row_slack[r].v[edge] < worst) worst = t->row_slack[r].v[edge];
  }
  return worst;
}

/* Does any arc that is on leave the slot? */
static bool goes_on(const Graph *g, Slot slot)
{
  if (g->load_count[slot]) return true;
  for (uint32_t i = g->out_first[slot]; i < g->out_first[slot + 1]; i++)
    if (arc_on(g, g->out_arc[i])) return true;
  return false;
}

/* Does anything that can change lead to the slot? */
static bool has_fanin(const Graph *g, Slot slot)
{
  if (g->slot_flags[slot] & SLOT_CONSTANT) return false;
  if (!slot_is_driver(g, slot)) return g->wire_driver[slot] != NO_SLOT;
  for (ArcId a = g->arc_first[slot]; a < g->arc_first[slot + 1]; a++)
    if (arc_on(g, a)) return true;
  return false;
}

/* Limits of a clock's pulses and periods end no path. */
static bool has_data_check(const Graph *g, Slot slot)
{
  for (uint32_t i = g->slot_first_check[slot]; i < g->slot_first_check[slot + 1]; i++) {
    const Check *c = &g->checks.at[g->check_order[i]];
    if (!c->off && c->clock != slot && c->type != ARC_MIN_PULSE_WIDTH) return true;
  }
  return false;
}

bool query_is_end(const Graph *g, Slot slot)
{
  if (g->slot_first_row[slot + 1] > g->slot_first_row[slot]) return true;
  return has_fanin(g, slot) && (!goes_on(g, slot) || has_data_check(g, slot));
}

/* INFINITY where nothing constrains the pin. */
static double pin_end_slack(const Timing *t, PinId pin, int early_late)
{
  Slot slot = t->g->pin_slot[pin];
  return slot == NO_SLOT ? INFINITY : query_end_slack(t, slot, early_late);
}

/* PinId order, so that sums do not depend on where slots lie. */
SlackSummary query_slacks_of(const Timing *const *timings, uint32_t count, int early_late)
{
  SlackSummary s = { INFINITY, 0, 0, 0, NO_PIN };
  PinId pins = count ? timings[0]->g->netlist->pins.len : 0;
  for (PinId p = 0; p < pins; p++) {
    double slack = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
      double here = pin_end_slack(timings[i], p, early_late);
      if (here < slack) slack = here;
    }
    if (isinf(slack)) continue;
    s.ends++;
    if (slack < 0) {
      s.violations++;
      s.total += slack;
    }
    if (slack < s.worst) {
      s.worst = slack;
      s.worst_pin = p;
    }
  }
  return s;
}

SlackSummary query_slacks(const Timing *t, int early_late) { return query_slacks_of(&t, 1, early_late); }
