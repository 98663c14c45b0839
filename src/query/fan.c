/* Walks fan-in and fan-out cones breadth first over slots, with limits of levels and pins. */
#include "query/fan.h"

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/sort.h"

/* Breadth first over slots, so that the first visit has the fewest pins; a slot is taken up again
   when it is reached over fewer cells. */
typedef struct {
  Slot     slot;
  uint32_t cells, pins;
  bool     launched;          /* fan-in: a register's clock, reached from its output */
} Step;

/* Most cones are small beside the design, so their slots are in a map; an array takes over when
   there are many. */
typedef struct {
  const Graph    *g;
  const FanQuery *query;
  Map      *few;              /* slot: fewest cells on the way */
  uint32_t *cells;            /* [slots]: the same, UINT32_MAX if not visited; NULL: they are few */
  ARRAY(Step) queue;          /* has each visited slot */
} Fan;
enum { FEW = 4096 };

/* --- visited slots ---------------------------------------------------------------------------- */

static uint32_t cells_to(const Fan *fan, Slot s)
{
  return fan->cells ? fan->cells[s] : map_get(fan->few, s);
}

/* The last step to a slot has the fewest cells. */
static void take_array(Fan *fan)
{
  size_t count = (size_t)fan->g->slots.count + 1;
  fan->cells = mem_alloc(sizeof *fan->cells * count);
  memset(fan->cells, 0xff, sizeof *fan->cells * count);
  for (uint32_t i = 0; i < fan->queue.len; i++)
    fan->cells[fan->queue.at[i].slot] = fan->queue.at[i].cells;
}

static void visit(Fan *fan, Step s)
{
  array_push(&fan->queue, s);
  if (fan->cells) fan->cells[s.slot] = s.cells;
  else map_put(fan->few, s.slot, s.cells);
  if (fan->cells == NULL && map_count(fan->few) > FEW) take_array(fan);
}

static ArcType arc_type(const Graph *g, ArcId a)
{
  return (ArcType)g->libs->arcs.at[g->arcs.lib[a]].type;
}

static bool arc_is_traced(const Graph *g, ArcId a, FanTrace trace)
{
  unsigned off = trace == TRACE_ALL       ? 0
                 : trace == TRACE_ENABLED ? ARC_OFF & ~(unsigned)ARC_OFF_CONSTANT
                                          : (unsigned)ARC_OFF;
  return !(g->arcs.flags[a] & off);
}

static bool slot_is_traced(const Fan *fan, Slot s)
{
  return fan->query->trace != TRACE_TIMING || !(fan->g->slots.flags[s] & SLOT_CONSTANT);
}

static bool same_scope(const Graph *g, Slot a, Slot b)
{
  const Netlist *n = g->netlist;
  InstId ia = n->pins.at[g->slots.pin[a]].inst, ib = n->pins.at[g->slots.pin[b]].inst;
  InstId pa = ia == TOP_INST ? TOP_INST : n->insts.at[ia].parent,
         pb = ib == TOP_INST ? TOP_INST : n->insts.at[ib].parent;
  return pa == pb;
}

static void reach(Fan *fan, const Step *from, Slot to, bool over_cell)
{
  uint32_t cells = from->cells + over_cell, pins = from->pins + 1;
  if ((fan->query->levels && cells > fan->query->levels)
      || (fan->query->pin_levels && pins > fan->query->pin_levels))
    return;
  if (cells_to(fan, to) <= cells || !slot_is_traced(fan, to)) return;
  visit(fan, (Step){ to, cells, pins, false });
}

static void reach_wire(Fan *fan, const Step *from, Slot to)
{
  if (fan->query->flat || same_scope(fan->g, from->slot, to)) reach(fan, from, to, false);
}

/* Wires to the loads of the net that follow another driver. */
static void extra_loads(Fan *fan, const Step *from)
{
  const Graph *g = fan->g;
  NetId net = netlist_pin_net(g->netlist, g->slots.pin[from->slot]);
  if (net == NO_NET) return;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = g->slots.of_pin[p];
    if (s != NO_SLOT && !slot_is_driver(g, s) && g->nets.wire_driver[s] != from->slot)
      reach_wire(fan, from, s);
  }
}

/* --- fan-in ----------------------------------------------------------------------------------- */
static void back_from_driver(Fan *fan, const Step *step)
{
  const Graph *g = fan->g;
  for (ArcId a = g->arcs.first[step->slot]; a < g->arcs.first[step->slot + 1]; a++)
    if (arc_is_traced(g, a, fan->query->trace)) {
      uint32_t before = fan->queue.len;
      reach(fan, step, g->arcs.from[a], true);
      if (fan->queue.len > before)
        fan->queue.at[before].launched = arc_type_is_launch(arc_type(g, a));
    }
}

static void back_from_load(Fan *fan, const Step *step)
{
  const Graph *g = fan->g;
  uint32_t from, to;
  if (step->launched) return;
  if (g->nets.wire_driver[step->slot] != NO_SLOT)
    reach_wire(fan, step, g->nets.wire_driver[step->slot]);
  graph_extra_wires(g, step->slot, &from, &to);
  for (uint32_t i = from; i < to; i++) reach_wire(fan, step, g->nets.extra_wires.at[i].driver);
}

/* --- fan-out ---------------------------------------------------------------------------------- */
/* A register's clock is passed only where the search begins: otherwise it is an end of the clock's
   network. */
static void on_over_arcs(Fan *fan, const Step *step)
{
  const Graph *g = fan->g;
  for (uint32_t i = g->arcs.out_first[step->slot]; i < g->arcs.out_first[step->slot + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!arc_is_traced(g, a, fan->query->trace)) continue;
    if (step->pins && arc_type_is_launch(arc_type(g, a))) continue;
    reach(fan, step, g->arcs.to[a], true);
  }
}

static void on_from_driver(Fan *fan, const Step *step)
{
  const Graph *g = fan->g;
  on_over_arcs(fan, step);
  for (Slot load = g->nets.load_first[step->slot];
       load < g->nets.load_first[step->slot] + g->nets.load_count[step->slot]; load++)
    reach_wire(fan, step, load);
  if (g->nets.extra_wires.len) extra_loads(fan, step);
}

static void walk(Fan *fan)
{
  for (uint32_t i = 0; i < fan->queue.len && !interrupt_seen(); i++) {
    Step s = fan->queue.at[i];
    if (s.cells > cells_to(fan, s.slot)) continue;
    if (fan->query->backward && slot_is_driver(fan->g, s.slot)) back_from_driver(fan, &s);
    else if (fan->query->backward) back_from_load(fan, &s);
    else if (slot_is_driver(fan->g, s.slot)) on_from_driver(fan, &s);
    else on_over_arcs(fan, &s);
  }
}

/* --- starts and results ----------------------------------------------------------------------- */
static void start_slot(Fan *fan, Slot s)
{
  if (s != NO_SLOT && cells_to(fan, s) != 0) visit(fan, (Step){ s, 0, 0, false });
}

static void start_hierarchical(Fan *fan, PinId pin)
{
  const Graph *g = fan->g;
  NetId net = netlist_pin_net(g->netlist, pin);
  if (net == NO_NET) return;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot driver = graph_slot(g, p, true), load = g->slots.of_pin[p];
    if (fan->query->backward && driver != NO_SLOT && slot_is_driver(g, driver))
      start_slot(fan, driver);
    if (!fan->query->backward && load != NO_SLOT && !slot_is_driver(g, load)) start_slot(fan, load);
  }
}

bool query_is_register_clock(const Graph *g, Slot slot)
{
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++)
    if (arc_type_is_launch(arc_type(g, g->arcs.out[i]))) return true;
  return g->slots.flags[slot] & SLOT_CLOCK_PIN
         && g->arcs.out_first[slot + 1] == g->arcs.out_first[slot];
}

bool query_is_start(const Graph *g, Slot slot)
{
  if (!slot_is_driver(g, slot)) return query_is_register_clock(g, slot);
  return g->slots.flags[slot] & SLOT_PORT || g->arcs.first[slot + 1] == g->arcs.first[slot];
}

bool query_is_fan_end(const Graph *g, Slot slot)
{
  if (slot_is_driver(g, slot)) return false;
  return g->slots.flags[slot] & SLOT_PORT
         || g->ends.first_check[slot + 1] > g->ends.first_check[slot]
         || g->arcs.out_first[slot + 1] == g->arcs.out_first[slot]
         || query_is_register_clock(g, slot);
}

static bool is_asked_for(const Fan *fan, Slot s)
{
  if (!fan->query->ends_only) return true;
  return fan->query->backward ? query_is_start(fan->g, s) : query_is_fan_end(fan->g, s);
}

/* A slot may have been visited several times, and a pin may have two slots. */
static void add_pins(const Fan *fan, PinArray *out)
{
  PinArray pins = { 0 };
  for (uint32_t i = 0; i < fan->queue.len && !interrupt_seen(); i++)
    if (is_asked_for(fan, fan->queue.at[i].slot))
      array_push(&pins, fan->g->slots.pin[fan->queue.at[i].slot]);
  bool sorted = sort_items(pins.at, pins.len, sizeof *pins.at, order_uint32);
  for (uint32_t i = 0; i < pins.len && sorted; i++)
    if (i == 0 || pins.at[i] != pins.at[i - 1]) array_push(out, pins.at[i]);
  array_free(&pins);
}

void query_fan(const Graph *g, const FanQuery *query, const PinId *from, uint32_t count,
               PinArray *out)
{
  Fan f = { .g = g, .query = query, .few = map_new() };
  for (uint32_t i = 0; i < count; i++) {
    if (pin_is_hierarchical(g->netlist, from[i])) start_hierarchical(&f, from[i]);
    else start_slot(&f, graph_slot(g, from[i], !query->backward));
  }
  walk(&f);
  add_pins(&f, out);
  map_free(f.few);
  mem_free(f.cells);
  array_free(&f.queue);
}
