/* See device/flat_follow.h. */
#include "base/pool.h"
#include "device/flat_follow.h"

#include "timing/timing.h"

#define MAKE(type, field, count) type *field = \
    mem_alloc_zero((size_t)(count) + 1, sizeof *field); f->field = field

static FollowPlace place_of(const Graph *g, Slot driver)
{
  return (FollowPlace){ graph_driver_index(g, driver), g->slot_level[driver] };
}

/* By set of tags: is one of a clock among them? */
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
  const FollowBuild *x = context;
  (void)step;
  (void)thread;
  for (Slot s = from; s < to; s++)
    x->slot_stops[s] = (x->g->slot_flags[s] & SLOT_CLOCK_PIN) != 0 || x->clocks[x->g->slot_tags[s]];
}

static void put_slots(FlatFollow *f, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(uint8_t, slot_stops, f->slot_count);
  uint8_t *clocks = clock_sets(g);
  pool_items(g->slot_count, 3, t->threads, slots_share,
             &(FollowBuild){ .g = g, .clocks = clocks, .slot_stops = slot_stops });
  mem_free(clocks);
}

/* Arcs that are off may lead to any level: what they change, if anything, is not worked out in the
   order of levels, and a driver on the list of a level that has passed would stay there. */
static bool goes_up(const Graph *g, ArcId a)
{
  return g->slot_level[g->arc_from[a]] < g->slot_level[g->arc_to[a]];
}

/* Where arc a begins. */
static FollowPlace place_before(const Graph *g, ArcId a)
{
  Slot from = g->arc_from[a], driver = slot_is_driver(g, from) ? from : g->wire_driver[from];
  if (!goes_up(g, a)) return (FollowPlace){ FLAT_NONE, FOLLOW_NEVER };
  if (driver == NO_SLOT)
    return (FollowPlace){ FLAT_NONE, g->node_first[from + 1] > g->node_first[from] ? FOLLOW_WHOLE
                                                                                   : FOLLOW_NEVER };
  return place_of(g, driver);
}

static void arcs_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const FollowBuild *x = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    ArcId out = x->g->out_arc[i];
    x->before[i] = place_before(x->g, i);
    x->behind[i] = goes_up(x->g, out) ? place_of(x->g, x->g->arc_to[out])
                                      : (FollowPlace){ FLAT_NONE, FOLLOW_NEVER };
  }
}

static void put_arcs(FlatFollow *f, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(FollowPlace, before, f->arc_count);
  MAKE(FollowPlace, behind, f->arc_count);
  pool_items(f->arc_count, 10, t->threads, arcs_share,
             &(FollowBuild){ .g = g, .before = before, .behind = behind });
}

static FollowNet net_of(const Flat *flat, const Graph *g, Slot s)
{
  Slot first = g->load_first[s], end = first + g->load_count[s];
  FollowNet n = { .slot = s,
                  .first_load = first,
                  .load_count = g->load_count[s],
                  .load_shift = flat->levels[g->slot_level[s]].load_shift };
  n.node = g->node_first[s];
  n.nodes = n.driver_nodes = g->node_first[s + 1] - n.node;
  n.first_arc = g->arc_first[s];
  n.arc_count = g->arc_first[s + 1] - n.first_arc;
  n.first_edge = g->edge_first[n.first_arc];
  n.edge_count = g->edge_first[g->arc_first[s + 1]] - n.first_edge;
  n.first_out = flat->slot_first_out[s];
  n.out_count = flat->slot_first_out[s + 1] - n.first_out;
  n.first_behind = g->out_first[n.load_count ? first : s];
  n.stops = (flat->slot_use[s] & (FLAT_PORT | FLAT_INSIDE)) != 0;
  if (n.load_count == 0) return n;
  n.load_node = g->node_first[first];
  n.nodes += g->node_first[end] - n.load_node;
  n.first_load_out = flat->slot_first_out[first];
  n.load_out_count = flat->slot_first_out[end] - n.first_load_out;
  return n;
}

static void nets_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const FollowBuild *x = context;
  (void)step;
  (void)thread;
  for (Slot s = from; s < to; s++)
    if (slot_is_driver(x->g, s)) x->nets[graph_driver_index(x->g, s)] = net_of(x->flat, x->g, s);
}

static void put_nets(FlatFollow *f, const Flat *flat, const Timing *t)
{
  const Graph *g = t->g;
  MAKE(FollowNet, nets, f->driver_count);
  pool_items(g->slot_count, 10, t->threads, nets_share,
             &(FollowBuild){ .g = g, .flat = flat, .nets = nets });
  for (uint32_t d = 0; d < f->driver_count; d++) {
    if (nets[d].load_count + 1 > f->most_slots) f->most_slots = nets[d].load_count + 1;
    if (nets[d].nodes > f->most_nodes) f->most_nodes = nets[d].nodes;
  }
}

FlatFollow *flat_follow_new(const Flat *flat, const Timing *t)
{
  FlatFollow *f = mem_alloc_zero(1, sizeof *f);
  *f = (FlatFollow){ .slot_count = flat->slot_count,
                     .driver_count = flat->driver_count,
                     .level_count = flat->level_count,
                     .arc_count = flat->arc_count,
                     .row_count = flat->row_count,
                     .check_count = flat->check_count };
  put_slots(f, t);
  put_arcs(f, t);
  put_nets(f, flat, t);
  return f;
}

void flat_follow_free(FlatFollow *f)
{
  if (f == NULL) return;
  const void *own[] = { f->nets, f->before, f->behind, f->slot_stops };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
  mem_free(f);
}
