/* Finds the slots of all paths through given slots: the fan-in of these slots, and the fan-out of
   the last ones. */
#include "paths/path_private.h"

typedef struct {
  const Graph *g;
  uint8_t *seen;             /* [slots] */
  SlotList slots;
} Reached;

static void meet(Reached *reached, Slot slot)
{
  if (slot == NO_SLOT || reached->seen[slot]) return;
  reached->seen[slot] = true;
  array_push(&reached->slots, slot);
}

/* The clock network behind a launch is not searched for paths. */
static void meet_sources(Reached *reached, Slot slot)
{
  const Graph *g = reached->g;
  if (!slot_is_driver(g, slot)) {
    uint32_t from, to;
    meet(reached, g->nets.wire_driver[slot]);
    graph_extra_wires(g, slot, &from, &to);
    for (uint32_t i = from; i < to; i++) meet(reached, g->nets.extra_wires.at[i].driver);
    return;
  }
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++)
    if (arc_on(g, a) && !graph_arc_is_launch(g, a)) meet(reached, g->arcs.from[a]);
}

/* Arcs leave drivers as well: an internal pin, and an output that others of its cell follow. */
static void meet_sinks(Reached *reached, Slot slot)
{
  const Graph *g = reached->g;
  for (ArcId i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++)
    if (arc_on(g, g->arcs.out[i])) meet(reached, g->arcs.to[g->arcs.out[i]]);
  if (!slot_is_driver(g, slot)) return;
  for (uint32_t i = 0; i < g->nets.load_count[slot]; i++)
    meet(reached, g->nets.load_first[slot] + i);
  if (g->nets.extra_wires.len == 0) return;
  DriverExtras it = driver_extras(g, slot);
  while (driver_extras_next(&it)) meet(reached, g->nets.extra_wires.at[it.index].load);
}

typedef void (*Neighbours)(Reached *reached, Slot slot);

/* Adds the slots that are reached from these slots by steps in one direction. */
static void spread(const Graph *g, const SlotList *from, Neighbours next, uint8_t *region)
{
  Reached r = { g, mem_alloc_zero((size_t)g->slots.count + 1, 1), { 0 } };
  for (uint32_t i = 0; i < from->len; i++) meet(&r, from->at[i]);
  for (uint32_t i = 0; i < r.slots.len; i++) next(&r, r.slots.at[i]);
  for (uint32_t i = 0; i < r.slots.len; i++) region[r.slots.at[i]] = true;
  mem_free(r.seen);
  array_free(&r.slots);
}

void path_region(const Graph *g, const SlotList *passed, const SlotList *last, SlotList *out)
{
  uint8_t *region = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  spread(g, passed, meet_sources, region);
  spread(g, last, meet_sinks, region);
  for (Slot slot = 0; slot < g->slots.count; slot++)
    if (region[slot]) array_push(out, slot);
  mem_free(region);
}
