/* Times and latencies of clocks, the source latency of generated clocks, shared sources, exclusive
   clocks and uncertainty. Waveforms and distances of edges are in waveform.c and clock_edges.c. */
#include "graph/clocks/clocks.h"

#include <math.h>

#include "graph/hierarchy.h"

bool clock_is_timed(const Constraints *c, ClockId clock)
{
  return !c->clocks.at[clock].deleted && c->clocks.at[clock].period > 0;
}

double clock_edge_time(const Constraints *c, ClockEdge e)
{
  const Clock *clock = &c->clocks.at[clock_edge_clock(e)];
  uint32_t i = (uint32_t)clock_edge_edge(e);
  return i < clock->waveform.len ? clock->waveform.at[i] : 0;
}

static float or_zero(float x) { return isnan(x) ? 0.0f : x; }

float clock_source_latency(const Constraints *c, ClockId clock, int condition)
{
  return or_zero(c->clocks.at[clock].source_latency[condition / 2][condition]);
}

float clock_network_latency(const Constraints *c, ClockId clock, int condition)
{
  const Clock *the_clock = &c->clocks.at[clock];
  return the_clock->propagated ? 0.0f : or_zero(the_clock->network_latency[condition]);
}

float clock_pin_source_latency(const Constraints *c, PinId pin, ClockId clock, int condition)
{
  const ClockPin *own = constraints_find_clock_pin(c, pin, clock),
                 *all = constraints_find_clock_pin(c, pin, NO_CLOCK);
  if (own && !isnan(own->source_latency[condition / 2][condition]))
    return own->source_latency[condition / 2][condition];
  return all ? all->source_latency[condition / 2][condition] : NAN;
}

static float source_latency_bound(const Graph *g, ClockId clock, Slot slot, int bound,
                                  int condition)
{
  const Constraints *c = g->constraints;
  const ClockPin *own = slot == NO_SLOT ? NULL
    : constraints_find_clock_pin(c, g->slots.pin[slot], clock);
  const ClockPin *all = slot == NO_SLOT ? NULL
    : constraints_find_clock_pin(c, g->slots.pin[slot], NO_CLOCK);
  if (own && !isnan(own->source_latency[bound][condition]))
    return own->source_latency[bound][condition];
  if (all && !isnan(all->source_latency[bound][condition]))
    return all->source_latency[bound][condition];
  return or_zero(c->clocks.at[clock].source_latency[bound][condition]);
}

static ClockEdge node_edge(const Graph *g, Slot slot, NodeId node)
{
  TagId tag = graph_node_tag(g, slot, node);
  return g->tags->tags.at[tag].clock_edge;
}

/* Returns the edge of the master that makes an edge of a generated clock at its source. */
static ClockEdge making_edge(const Graph *g, ClockEdge edge, Slot source)
{
  uint32_t from = 0, to = 0;
  if (source != NO_SLOT) graph_links(g, source, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (node_edge(g, source, g->starts.links.at[i].to) == edge)
      return node_edge(g, source, g->starts.links.at[i].from);
  const Clock *clock = &g->constraints->clocks.at[clock_edge_clock(edge)];
  return 2 * clock->derived_master + (ClockEdge)(clock_edge_edge(edge) ^ clock->master_inverted);
}

/* Returns the clock that gives a clock's source latency: the clock itself, or the one that it is
   generated from.  *edge becomes the edge of that clock.  A ring of generated clocks has no
   waveform. */
static ClockId source_latency_giver(const Graph *g, ClockEdge *edge, Slot *slot, int side)
{
  const Constraints *c = g->constraints;
  for (uint32_t i = 0; i < c->clocks.len; i++) {
    const Clock *clock = &c->clocks.at[clock_edge_clock(*edge)];
    PinId pin = *slot == NO_SLOT ? NO_PIN : g->slots.pin[*slot];
    bool given = clock_source_latency_given(c, pin, clock_edge_clock(*edge),
                                            condition_of(side, clock_edge_edge(*edge)));
    if (!clock->generated || clock->derived_master == NO_CLOCK || given) break;
    *edge = making_edge(g, *edge, *slot);
    *slot = clock_first_slot(g, clock->derived_master);
  }
  return clock_edge_clock(*edge);
}

static Slot source_or_first(const Graph *g, ClockEdge edge, Slot source)
{
  return source == NO_SLOT ? clock_first_slot(g, clock_edge_clock(edge)) : source;
}

bool clock_share_source(const Graph *g, ClockEdge a, Slot source_a, ClockEdge b, Slot source_b,
                        int side)
{
  Slot slot_a = source_or_first(g, a, source_a), slot_b = source_or_first(g, b, source_b);
  source_latency_giver(g, &a, &slot_a, side);
  source_latency_giver(g, &b, &slot_b, side);
  return a == b && slot_a == slot_b;
}

float clock_capture_shift(const Graph *g, ClockEdge edge, Slot source, int side)
{
  if (g->constraints->analysis == ANALYSIS_ON_CHIP) return 0;
  Slot slot = source_or_first(g, edge, source);
  ClockId clock = source_latency_giver(g, &edge, &slot, side);
  int condition = condition_of(side, clock_edge_edge(edge));
  return source_latency_bound(g, clock, slot, !side, condition) -
         source_latency_bound(g, clock, slot, side, condition);
}

/* Is there a latency that the analysis type does not use? With on-chip variation, -min gives the
   early bound and -max the late one. */
static bool has_unread(const float latency[2][CONDITION_COUNT])
{
  for (int bound = EARLY; bound <= LATE; bound++)
    for (int edge = RISE; edge <= FALL; edge++) {
      float read = latency[bound][condition_of(bound, edge)];
      float other = latency[bound][condition_of(!bound, edge)];
      if (!isnan(other) && other != read) return true;
    }
  return false;
}

void clocks_warn_of_unread(const Graph *g, Log *log)
{
  const Constraints *c = g->constraints;
  uint32_t count = 0;
  Text first = { 0 };
  for (ClockId id = 0; id < c->clocks.len && c->analysis == ANALYSIS_ON_CHIP; id++) {
    if (c->clocks.at[id].deleted || !has_unread(c->clocks.at[id].source_latency)) continue;
    if (count++ == 0) text_put(&first, names_text(g->netlist->names, c->clocks.at[id].name));
  }
  for (uint32_t i = 0; i < c->clock_pins.len && c->analysis == ANALYSIS_ON_CHIP; i++) {
    const ClockPin *pin = &c->clock_pins.at[i];
    if (pin->pin == NO_PIN || !has_unread(pin->source_latency)) continue;
    if (count++ == 0) netlist_pin_name(g->netlist, pin->pin, '/', &first);
  }
  if (count)
    log_warning(
        log, "GRAPH-017", NOWHERE,
        "%u source latenc%s with -early -max or -late -min, the first of %s, do%s not count: "
        "with on-chip variation early is -min and late is -max",
        count, count == 1 ? "y" : "ies", text_get(&first), count == 1 ? "es" : "");
  text_free(&first);
}

bool clock_pin_has_source_latency(const Constraints *c, PinId pin, ClockId clock)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (!isnan(clock_pin_source_latency(c, pin, clock, k))) return true;
  return false;
}

bool clock_source_latency_given(const Constraints *c, PinId pin, ClockId clock, int condition)
{
  return !isnan(clock_pin_source_latency(c, pin, clock, condition))
         || !isnan(c->clocks.at[clock].source_latency[condition / 2][condition]);
}

static void keep_first(void *data, Slot slot)
{
  Slot *first = data;
  if (*first == NO_SLOT) *first = slot;
}

Slot clock_first_slot(const Graph *g, ClockId clock)
{
  Slot first = NO_SLOT;
  clock_source_slots(g, clock, keep_first, &first);
  return first;
}

bool clock_starts_at(const Graph *g, ClockId clock, Slot slot)
{
  return map_get(g->starts.clocks, hash_pair(slot, clock)) != MAP_NO_VALUE;
}

void clock_source_slots(const Graph *g, ClockId clock, void (*visit)(void *, Slot), void *data)
{
  const Clock *the_clock = &g->constraints->clocks.at[clock];
  for (uint32_t i = 0; i < the_clock->sources.len; i++) {
    PinId pin = the_clock->sources.at[i];
    if (pin_is_hierarchical(g->netlist, pin)) {
      graph_crossing_loads(g, pin, visit, data);
      continue;
    }
    Slot s = graph_slot(g, pin, true);
    if (s != NO_SLOT) visit(data, s);
  }
}

bool clocks_exclusive(const Constraints *c, ClockId a, ClockId b)
{
  if (a == b) return false;
  for (uint32_t i = 0; i < c->clock_groups.len; i++) {
    const ClockGroups *groups = &c->clock_groups.at[i];
    if (groups->deleted || groups->allow_paths) continue;
    uint32_t ga = UINT32_MAX, gb = UINT32_MAX;
    for (uint32_t k = 0; k + 1 < groups->group_of.len; k += 2) {
      if (groups->group_of.at[k] == a) ga = groups->group_of.at[k + 1];
      if (groups->group_of.at[k] == b) gb = groups->group_of.at[k + 1];
    }
    /* a single group (not one whose others were emptied) is exclusive with every clock outside
       it */
    if (ga != gb && (groups->group_count == 1 || (ga != UINT32_MAX && gb != UINT32_MAX)))
      return true;
  }
  return false;
}

float clock_uncertainty(const Constraints *c, ClockEdge launch, ClockEdge capture,
                        uint32_t clock_pin, int check)
{
  float own = c->clocks.at[clock_edge_clock(capture)].uncertainty[check];
  if (launch != NO_CLOCK_EDGE)
    for (uint32_t i = c->inter_uncertainties.len; i-- > 0;) {
      const InterUncertainty *uncertainty = &c->inter_uncertainties.at[i];
      if (uncertainty->from == clock_edge_clock(launch)
          && uncertainty->to == clock_edge_clock(capture)
          && uncertainty->from_edges >> clock_edge_edge(launch) & 1
          && uncertainty->to_edges >> clock_edge_edge(capture) & 1
          && !isnan(uncertainty->value[check]))
        return uncertainty->value[check];
    }
  float pin = clock_pin == NO_CLOCK_PIN ? NAN : c->clock_pins.at[clock_pin].uncertainty[check];
  return or_zero(isnan(pin) ? own : pin);
}
