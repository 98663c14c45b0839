/* Makes the arrays of device/flat_follow.h. */
#include "base/pool.h"
#include "device/flat_follow.h"

#include "timing/timing.h"

#define MAKE(type, field, count)                                    \
  type *field = mem_alloc_zero((size_t)(count) + 1, sizeof *field); \
  follow->field = field

static FollowPlace place_of(const Graph *g, Slot driver)
{
  return (FollowPlace){ graph_driver_index(g, driver), g->slots.level[driver] };
}

/* Returns for each set of tags: does it contain a tag of a clock? */
static uint8_t *clock_sets(const Graph *g)
{
  uint32_t count = g->tags->set_first.len - 1;
  uint8_t *clocks = mem_alloc_zero((size_t)count + 1, 1);
  for (uint32_t set = 0; set < count; set++) {
    const TagId *tags = tag_set_tags(g->tags, set);
    for (uint32_t i = 0; i < tag_set_count(g->tags, set); i++)
      clocks[set] |= g->tags->tags.at[tags[i]].is_clock;
  }
  return clocks;
}

typedef struct {
  const Graph   *g;
  const Flat    *flat;
  const uint8_t *clocks;
  uint8_t       *slot_stops;
  FollowPlace   *before, *behind;
  FollowNet     *nets;
} FollowBuild;

static void slots_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const FollowBuild *build = context;
  (void)step;
  (void)thread;
  for (Slot s = from; s < to; s++)
    build->slot_stops[s] = (build->g->slots.flags[s] & SLOT_CLOCK_PIN) != 0
                           || build->clocks[build->g->nodes.slot_tags[s]];
}

static void put_slots(FlatFollow *follow, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(uint8_t, slot_stops, follow->slot_count);
  uint8_t *clocks = clock_sets(g);
  pool_items(g->slots.count, 3, t->threads, slots_share,
             &(FollowBuild){ .g = g, .clocks = clocks, .slot_stops = slot_stops });
  mem_free(clocks);
}

/* Does an arc lead to a higher level? Arcs that are off may lead to any level. Following ignores
   such arcs, because a driver that is queued in a level that has passed would stay queued. */
static bool goes_up(const Graph *g, ArcId a)
{
  return g->slots.level[g->arcs.from[a]] < g->slots.level[g->arcs.to[a]];
}

/* Returns the place where arc a begins. */
static FollowPlace place_before(const Graph *g, ArcId a)
{
  Slot from = g->arcs.from[a], driver = slot_is_driver(g, from) ? from : g->nets.wire_driver[from];
  if (!goes_up(g, a)) return (FollowPlace){ FLAT_NONE, FOLLOW_NEVER };
  if (driver == NO_SLOT)
    return (FollowPlace){ FLAT_NONE, g->nodes.first[from + 1] > g->nodes.first[from] ? FOLLOW_WHOLE
                                                                                   : FOLLOW_NEVER };
  return place_of(g, driver);
}

static void arcs_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const FollowBuild *build = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    ArcId out = build->g->arcs.out[i];
    build->before[i] = place_before(build->g, i);
    build->behind[i] = goes_up(build->g, out) ? place_of(build->g, build->g->arcs.to[out])
                                              : (FollowPlace){ FLAT_NONE, FOLLOW_NEVER };
  }
}

static void put_arcs(FlatFollow *follow, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(FollowPlace, before, follow->arc_count);
  MAKE(FollowPlace, behind, follow->arc_count);
  pool_items(follow->arc_count, 10, t->threads, arcs_share,
             &(FollowBuild){ .g = g, .before = before, .behind = behind });
}

static FollowNet net_of(const Flat *flat, const Graph *g, Slot s)
{
  Slot first = g->nets.load_first[s], end = first + g->nets.load_count[s];
  FollowNet n = { .slot = s,
                  .first_load = first,
                  .load_count = g->nets.load_count[s],
                  .load_shift = flat->levels[g->slots.level[s]].load_shift };
  n.node = g->nodes.first[s];
  n.nodes = n.driver_nodes = g->nodes.first[s + 1] - n.node;
  n.first_arc = g->arcs.first[s];
  n.arc_count = g->arcs.first[s + 1] - n.first_arc;
  n.first_edge = g->arcs.edge_first[n.first_arc];
  n.edge_count = g->arcs.edge_first[g->arcs.first[s + 1]] - n.first_edge;
  n.first_out = flat->slot_first_out[s];
  n.out_count = flat->slot_first_out[s + 1] - n.first_out;
  n.first_behind = g->arcs.out_first[n.load_count ? first : s];
  n.stops = (flat->slot_use[s] & (FLAT_PORT | FLAT_INSIDE)) != 0;
  if (n.load_count == 0) return n;
  n.load_node = g->nodes.first[first];
  n.nodes += g->nodes.first[end] - n.load_node;
  n.first_load_out = flat->slot_first_out[first];
  n.load_out_count = flat->slot_first_out[end] - n.first_load_out;
  return n;
}

static void nets_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const FollowBuild *build = context;
  (void)step;
  (void)thread;
  for (Slot s = from; s < to; s++)
    if (slot_is_driver(build->g, s))
      build->nets[graph_driver_index(build->g, s)] = net_of(build->flat, build->g, s);
}

static void put_nets(FlatFollow *follow, const Flat *flat, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(FollowNet, nets, follow->driver_count);
  pool_items(g->slots.count, 10, t->threads, nets_share,
             &(FollowBuild){ .g = g, .flat = flat, .nets = nets });
  for (uint32_t d = 0; d < follow->driver_count; d++) {
    if (nets[d].load_count + 1 > follow->most_slots) follow->most_slots = nets[d].load_count + 1;
    if (nets[d].nodes > follow->most_nodes) follow->most_nodes = nets[d].nodes;
  }
}

FlatFollow *flat_follow_new(const Flat *flat, const Timing *t)
{
  FlatFollow *follow = mem_alloc_zero(1, sizeof *follow);
  *follow = (FlatFollow){ .slot_count = flat->count.slots,
                          .driver_count = flat->count.drivers,
                          .level_count = flat->count.levels,
                          .arc_count = flat->count.arcs,
                          .path_end_count = flat->count.path_ends,
                          .check_count = flat->count.checks };
  put_slots(follow, t);
  put_arcs(follow, t);
  put_nets(follow, flat, t);
  return follow;
}

void flat_follow_free(FlatFollow *follow)
{
  if (follow == NULL) return;
  const void *own[] = { follow->nets, follow->before, follow->behind, follow->slot_stops };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
  mem_free(follow);
}
