/* Checks clocks, and what they launch, for check_timing. */
#include "graph/clocks/clocks.h"
#include "query/lint_private.h"

void lint_ideal_clocks(const Constraints *c, ObjectArray *out)
{
  for (ClockId i = 0; i < c->clocks.len; i++) {
    const Clock *clock = &c->clocks.at[i];
    if (!clock->deleted && clock->sources.len && !clock->propagated)
      array_push(out, (Object){ OBJ_CLOCK, i });
  }
}

/* --- pairs of clocks -------------------------------------------------------------------------- */
static ClockEdge launch_of(const Graph *g, const PathEnd *end)
{
  return g->tags->tags.at[graph_node_tag(g, end->slot, end->data)].clock_edge;
}

/* Marks the clocks of path ends between two clocks that `meant` picks. */
static void mark_pairs(const Graph *g, bool (*meant)(const Constraints *, ClockId, ClockId),
                       bool both, uint8_t *marks)
{
  for (PathEndId i = 0; i < g->ends.path_ends.len; i++) {
    const PathEnd *end = &g->ends.path_ends.at[i];
    ClockEdge launch = launch_of(g, end);
    if (launch == NO_CLOCK_EDGE || end->capture_clock == NO_CLOCK_EDGE
        || g->ends.details.at[end->detail].path_delay)
      continue;
    ClockId from = clock_edge_clock(launch), to = clock_edge_clock(end->capture_clock);
    if (from == to || !meant(g->constraints, from, to)) continue;
    marks[to] = 1;
    if (both) marks[from] = 1;
  }
}

static bool any_pair(const Constraints *c, ClockId a, ClockId b)
{
  (void)c;
  return a != b;
}

static bool unexpandable(const Constraints *c, ClockId a, ClockId b)
{
  return !clocks_have_common_period(c, a, b);
}

static void add_pairs(const Graph *g, bool (*meant)(const Constraints *, ClockId, ClockId),
                      bool both, ObjectArray *out)
{
  uint32_t clocks = g->constraints->clocks.len;
  uint8_t *marks = mem_alloc_zero((size_t)clocks + 1, 1);
  mark_pairs(g, meant, both, marks);
  for (ClockId i = 0; i < clocks; i++)
    if (marks[i]) array_push(out, (Object){ OBJ_CLOCK, i });
  mem_free(marks);
}

void lint_clock_crossing(const Graph *g, ObjectArray *out) { add_pairs(g, any_pair, false, out); }
void lint_unexpandable_clocks(const Graph *g, ObjectArray *out)
{
  add_pairs(g, unexpandable, true, out);
}

/* --- references of data checks ---------------------------------------------------------------- */
/* Different clocks that launch what arrives, up to 2. */
static uint32_t launching_clocks(const Graph *g, Slot s)
{
  ClockId first = NO_CLOCK;
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[s]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[s]); i++) {
    ClockEdge e = g->tags->tags.at[tags[i]].clock_edge;
    if (e == NO_CLOCK_EDGE) continue;
    if (first != NO_CLOCK && clock_edge_clock(e) != first) return 2;
    first = clock_edge_clock(e);
  }
  return first != NO_CLOCK;
}

void lint_data_references(const Graph *g, bool several, ObjectArray *out)
{
  uint8_t *marks = mem_alloc_zero((size_t)g->netlist->pins.len + 1, 1);
  const Constraints *c = g->constraints;
  for (uint32_t i = 0; i < c->data_checks.len; i++) {
    Slot s = data_check_is_empty(&c->data_checks.at[i])
                 ? NO_SLOT
                 : graph_arriving_slot(g, c->data_checks.at[i].from);
    if (s == NO_SLOT) continue;
    uint32_t clocks = launching_clocks(g, s);
    if (several ? clocks > 1 : clocks == 0) marks[g->slots.pin[s]] = 1;
  }
  for (PinId p = 0; p < g->netlist->pins.len; p++)
    if (marks[p])
      array_push(out, (Object){ pin_is_top_port(g->netlist, p) ? OBJ_PORT : OBJ_PIN, p });
  mem_free(marks);
}
