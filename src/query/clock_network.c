/* Walks the network of a clock for report_clock_tree: levels, counts, latencies, and the list of
   its drivers and sinks. */
#include "query/clock_network.h"

#include <math.h>

#include "graph/clocks/clocks.h"
#include "query/clock_tree.h"
#include "query/fan.h"

bool query_slot_has_clock(const Graph *g, Slot slot, ClockId clock)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag_is_clock(tag) && clock_edge_clock(tag->clock_edge) == clock) return true;
  }
  return false;
}

static bool is_sink(const Graph *g, Slot slot)
{
  return !slot_is_driver(g, slot) && query_is_register_clock(g, slot);
}

/* --- levels ----------------------------------------------------------------------------------- */
typedef struct { uint32_t least, most; } Depth;

typedef struct {
  const Timing *t;
  const Graph  *g;
  ClockId clock;
  Depth  *depth;                     /* by slot, of slots that the clock reaches */
  ClockNetwork n;
} Network;

static bool clock_arc(const Network *network, ArcId a)
{
  const Graph *g = network->g;
  return arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH)
         && query_slot_has_clock(g, g->arcs.from[a], network->clock)
         && !is_sink(g, g->arcs.from[a]);
}

/* A driver that no clock arc feeds is a source. */
static Depth driver_depth(const Network *network, Slot slot)
{
  const Graph *g = network->g;
  Depth d = { UINT32_MAX, 0 };
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    if (!clock_arc(network, a)) continue;
    Depth from = network->depth[g->arcs.from[a]];
    if (from.least + 1 < d.least) d.least = from.least + 1;
    if (from.most + 1 > d.most) d.most = from.most + 1;
  }
  return d.least == UINT32_MAX ? (Depth){ 0, 0 } : d;
}

static void count_driver(Network *network, Slot slot)
{
  const Graph *g = network->g;
  PinId pin = g->slots.pin[slot];
  double slew = fmax(network->t->slew[slot].v[condition_of(LATE, RISE)],
                     network->t->slew[slot].v[condition_of(LATE, FALL)]);
  const Cond4 *cap = &network->t->nets.load_cap[graph_driver_index(g, slot)];
  network->n.nets++;
  network->n.cap += fmax(cap->v[condition_of(LATE, RISE)], cap->v[condition_of(LATE, FALL)]);
  if (network->n.slew_pin == NO_PIN || slew > network->n.slew) {
    network->n.slew = slew;
    network->n.slew_pin = pin;
  }
  if (network->depth[slot].most == 0) return;
  CellId cell = g->netlist->insts.at[g->netlist->pins.at[pin].inst].master;
  if (library_cell_is_buffer(g->libs, cell)) network->n.buffers++;
  else if (library_cell_is_inverter(g->libs, cell)) network->n.inverters++;
  else network->n.gates++;
}

static void count_sink(Network *network, Slot slot)
{
  Depth d = network->depth[slot];
  if (network->n.sinks++ == 0) network->n.levels[0] = d.least;
  if (d.least < network->n.levels[0]) network->n.levels[0] = d.least;
  if (d.most > network->n.levels[1]) network->n.levels[1] = d.most;
}

static void count_slot(Network *network, Slot slot)
{
  const Graph *g = network->g;
  if (!query_slot_has_clock(g, slot, network->clock)) return;
  if (slot_is_driver(g, slot)) network->depth[slot] = driver_depth(network, slot);
  else if (g->nets.wire_driver[slot] != NO_SLOT
           && query_slot_has_clock(g, g->nets.wire_driver[slot], network->clock))
    network->depth[slot] = network->depth[g->nets.wire_driver[slot]];
  else network->depth[slot] = (Depth){ 0, 0 };
  if (slot_is_driver(g, slot)) count_driver(network, slot);
  else if (is_sink(g, slot)) count_sink(network, slot);
}

/* Slots are in level order.  Among equal transitions, the worst is that of the first pin. */
ClockNetwork query_clock_network(const Timing *t, ClockId clock)
{
  const Graph *g = t->g;
  Network w = { .t = t, .g = g, .clock = clock, .n = { .slew_pin = NO_PIN } };
  w.depth = mem_alloc(sizeof *w.depth * ((size_t)g->slots.count + 1));
  for (Slot s = 0; s < g->slots.count; s++) count_slot(&w, s);
  mem_free(w.depth);
  LatencyRange r = query_latency_range(t, clock, false);
  for (int el = EARLY; el <= LATE; el++)
    w.n.latency[el] = r.slot[el] == NO_SLOT ? NAN : r.latency[el];
  return w.n;
}

/* --- the tree --------------------------------------------------------------------------------- */
typedef struct {
  Network w;
  uint8_t *seen;
  ClockPoints stack, *out;
} Walk;

static void push(Walk *walk, Slot slot, uint32_t depth)
{
  const Graph *g = walk->w.g;
  if (slot == NO_SLOT || walk->seen[slot] || !query_slot_has_clock(g, slot, walk->w.clock)) return;
  array_push(&walk->stack, (ClockPoint){ slot, depth, is_sink(g, slot) });
}

/* Pushes the successors of a point from the last to the first, so the first one is popped first. */
static void push_successors(Walk *walk, ClockPoint at)
{
  const Graph *g = walk->w.g;
  if (at.sink) return;
  if (slot_is_driver(g, at.slot)) {
    for (uint32_t i = g->nets.load_count[at.slot]; i-- > 0;)
      push(walk, g->nets.load_first[at.slot] + i, at.depth + 1);
    DriverExtras it = driver_extras(g, at.slot);
    while (driver_extras_next(&it)) push(walk, g->nets.extra_wires.at[it.index].load, at.depth + 1);
  }
  for (uint32_t i = g->arcs.out_first[at.slot + 1]; i-- > g->arcs.out_first[at.slot];)
    if (clock_arc(&walk->w, g->arcs.out[i])) push(walk, g->arcs.to[g->arcs.out[i]], at.depth);
}

static void push_source(void *data, Slot slot) { push(data, slot, 0); }

void query_clock_points(const Timing *t, ClockId clock, ClockPoints *out)
{
  const Graph *g = t->g;
  Walk x = { .w = { .t = t, .g = g, .clock = clock },
             .seen = mem_alloc_zero((size_t)g->slots.count + 1, 1),
             .out = out };
  clock_source_slots(g, clock, push_source, &x);
  while (x.stack.len) {
    ClockPoint at = x.stack.at[--x.stack.len];
    if (x.seen[at.slot]) continue;
    x.seen[at.slot] = 1;
    if (slot_is_driver(g, at.slot) || at.sink) array_push(out, at);
    push_successors(&x, at);
  }
  array_free(&x.stack);
  mem_free(x.seen);
}
