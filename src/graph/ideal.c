/* Ideal networks (set_ideal_network).  A network extends from a source pin over its net, and
   through combinational cells whose timed inputs are all ideal, to the pins of other cells.  Wires
   and cells inside have no delay.  Pins have no slew except the values of set_ideal_latency and
   set_ideal_transition.

   passes: slots from which a network passes cells.  A network set with -no_propagate, or on nets
   only, does not pass cells.  A cell between two such networks has its normal delay, and the second
   network begins at its output. */
#include "graph/build.h"
#include "graph/hierarchy.h"

static bool fan_in_is_ideal(const Graph *g, const uint8_t *passes, Slot driver)
{
  bool any = false;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    if (!arc_on(g, a)) continue;
    Slot from = g->arcs.from[a];
    if (g->libs->arcs.at[g->arcs.lib[a]].type != ARC_COMBINATIONAL) return false;
    if (!passes[from]) return false;
    any = true;
  }
  return any;
}

typedef struct {
  Graph   *g;
  uint8_t *passes;
  const IdealSource *source;
} Marking;

static void mark_slot(void *data, Slot slot)
{
  const Marking *marking = data;
  marking->g->slots.flags[slot] |= SLOT_IDEAL | SLOT_IDEAL_BEGIN;
  marking->passes[slot] |= !marking->source->no_propagation;
}

static void mark_source(Graph *g, uint8_t *passes, const IdealSource *source)
{
  Marking m = { g, passes, source };
  if (source->pin == NO_PIN) return;
  graph_said_slots(g, source->pin, true, mark_slot, &m);
  graph_said_slots(g, source->pin, false, mark_slot, &m);
}

/* Records that a network reaches the slot from an earlier slot, so none begins there. */
static void reach(Graph *g, uint8_t *passes, Slot slot, bool goes_on)
{
  g->slots.flags[slot] |= SLOT_IDEAL;
  g->slots.flags[slot] &= (uint16_t)~SLOT_IDEAL_BEGIN;
  passes[slot] |= goes_on;
}

static void spread_level(Graph *g, uint8_t *passes, uint32_t level)
{
  for (Slot s = g->levels.first[level]; s < g->levels.loads[level]; s++)
    if (fan_in_is_ideal(g, passes, s)) reach(g, passes, s, true);
  for (Slot s = g->levels.loads[level]; s < g->levels.first[level + 1]; s++) {
    Slot driver = g->nets.wire_driver[s];
    if (driver != NO_SLOT && g->slots.flags[driver] & SLOT_IDEAL)
      reach(g, passes, s, passes[driver]);
  }
}

void build_ideal(Graph *g)
{
  if (g->constraints->ideal_sources.len == 0) return;
  uint8_t *passes = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  for (uint32_t i = 0; i < g->constraints->ideal_sources.len; i++)
    mark_source(g, passes, &g->constraints->ideal_sources.at[i]);
  for (uint32_t level = 0; level < g->levels.count; level++) spread_level(g, passes, level);
  mem_free(passes);
}
