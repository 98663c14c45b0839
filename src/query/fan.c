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
  const FanQuery *q;
  Map      *few;              /* slot: fewest cells on the way */
  uint32_t *cells;            /* [slots]: the same, UINT32_MAX if not visited; NULL: they are few */
  ARRAY(Step) queue;          /* has each visited slot */
} Fan;
enum { FEW = 4096 };

/* --- visited slots ---------------------------------------------------------------------------- */

static uint32_t cells_to(const Fan *f, Slot s)
{
  return f->cells ? f->cells[s] : map_get(f->few, s);
}

/* The last step to a slot has the fewest cells. */
static void take_array(Fan *f)
{
  size_t count = (size_t)f->g->slots.count + 1;
  f->cells = mem_alloc(sizeof *f->cells * count);
  memset(f->cells, 0xff, sizeof *f->cells * count);
  for (uint32_t i = 0; i < f->queue.len; i++) f->cells[f->queue.at[i].slot] = f->queue.at[i].cells;
}

static void visit(Fan *f, Step s)
{
  array_push(&f->queue, s);
  if (f->cells) f->cells[s.slot] = s.cells;
  else map_put(f->few, s.slot, s.cells);
  if (f->cells == NULL && map_count(f->few) > FEW) take_array(f);
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

static bool slot_is_traced(const Fan *f, Slot s)
{
  return f->q->trace != TRACE_TIMING || !(f->g->slots.flags[s] & SLOT_CONSTANT);
}

static bool same_scope(const Graph *g, Slot a, Slot b)
{
  const Netlist *n = g->netlist;
  InstId ia = n->pins.at[g->slots.pin[a]].inst, ib = n->pins.at[g->slots.pin[b]].inst;
  InstId pa = ia == TOP_INST ? TOP_INST : n->insts.at[ia].parent,
         pb = ib == TOP_INST ? TOP_INST : n->insts.at[ib].parent;
  return pa == pb;
}

static void reach(Fan *f, const Step *from, Slot to, bool over_cell)
{
  uint32_t cells = from->cells + over_cell, pins = from->pins + 1;
  if ((f->q->levels && cells > f->q->levels) || (f->q->pin_levels && pins > f->q->pin_levels))
    return;
  if (cells_to(f, to) <= cells || !slot_is_traced(f, to)) return;
  visit(f, (Step){ to, cells, pins, false });
}

static void reach_wire(Fan *f, const Step *from, Slot to)
{
  if (f->q->flat || same_scope(f->g, from->slot, to)) reach(f, from, to, false);
}

/* Wires to the loads of the net that follow another driver. */
static void extra_loads(Fan *f, const Step *from)
{
  const Graph *g = f->g;
  NetId net = netlist_pin_net(g->netlist, g->slots.pin[from->slot]);
  if (net == NO_NET) return;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = g->slots.of_pin[p];
    if (s != NO_SLOT && !slot_is_driver(g, s) && g->nets.wire_driver[s] != from->slot)
      reach_wire(f, from, s);
  }
}

/* --- fan-in ----------------------------------------------------------------------------------- */
static void back_from_driver(Fan *f, const Step *s)
{
  const Graph *g = f->g;
  for (ArcId a = g->arcs.first[s->slot]; a < g->arcs.first[s->slot + 1]; a++)
    if (arc_is_traced(g, a, f->q->trace)) {
      uint32_t before = f->queue.len;
      reach(f, s, g->arcs.from[a], true);
      if (f->queue.len > before) f->queue.at[before].launched = arc_type_is_launch(arc_type(g, a));
    }
}

static void back_from_load(Fan *f, const Step *s)
{
  const Graph *g = f->g;
  uint32_t from, to;
  if (s->launched) return;
  if (g->nets.wire_driver[s->slot] != NO_SLOT) reach_wire(f, s, g->nets.wire_driver[s->slot]);
  graph_extra_wires(g, s->slot, &from, &to);
  for (uint32_t i = from; i < to; i++) reach_wire(f, s, g->nets.extra_wires.at[i].driver);
}

/* --- fan-out ---------------------------------------------------------------------------------- */
/* A register's clock is passed only where the search begins: otherwise it is an end of the clock's
   network. */
static void on_over_arcs(Fan *f, const Step *s)
{
  const Graph *g = f->g;
  for (uint32_t i = g->arcs.out_first[s->slot]; i < g->arcs.out_first[s->slot + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!arc_is_traced(g, a, f->q->trace)) continue;
    if (s->pins && arc_type_is_launch(arc_type(g, a))) continue;
    reach(f, s, g->arcs.to[a], true);
  }
}

static void on_from_driver(Fan *f, const Step *s)
{
  const Graph *g = f->g;
  on_over_arcs(f, s);
  for (Slot load = g->nets.load_first[s->slot];
       load < g->nets.load_first[s->slot] + g->nets.load_count[s->slot]; load++)
    reach_wire(f, s, load);
  if (g->nets.extra_wires.len) extra_loads(f, s);
}

static void walk(Fan *f)
{
  for (uint32_t i = 0; i < f->queue.len && !interrupt_seen(); i++) {
    Step s = f->queue.at[i];
    if (s.cells > cells_to(f, s.slot)) continue;
    if (f->q->backward && slot_is_driver(f->g, s.slot)) back_from_driver(f, &s);
    else if (f->q->backward) back_from_load(f, &s);
    else if (slot_is_driver(f->g, s.slot)) on_from_driver(f, &s);
    else on_over_arcs(f, &s);
  }
}

/* --- starts and results ----------------------------------------------------------------------- */
static void start_slot(Fan *f, Slot s)
{
  if (s != NO_SLOT && cells_to(f, s) != 0) visit(f, (Step){ s, 0, 0, false });
}

static void start_hierarchical(Fan *f, PinId pin)
{
  const Graph *g = f->g;
  NetId net = netlist_pin_net(g->netlist, pin);
  if (net == NO_NET) return;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot driver = graph_slot(g, p, true), load = g->slots.of_pin[p];
    if (f->q->backward && driver != NO_SLOT && slot_is_driver(g, driver)) start_slot(f, driver);
    if (!f->q->backward && load != NO_SLOT && !slot_is_driver(g, load)) start_slot(f, load);
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

static bool is_asked_for(const Fan *f, Slot s)
{
  if (!f->q->ends_only) return true;
  return f->q->backward ? query_is_start(f->g, s) : query_is_fan_end(f->g, s);
}

/* A slot may have been visited several times, and a pin may have two slots. */
static void add_pins(const Fan *f, PinArray *out)
{
  PinArray pins = { 0 };
  for (uint32_t i = 0; i < f->queue.len && !interrupt_seen(); i++)
    if (is_asked_for(f, f->queue.at[i].slot))
      array_push(&pins, f->g->slots.pin[f->queue.at[i].slot]);
  bool sorted = sort_items(pins.at, pins.len, sizeof *pins.at, order_uint32);
  for (uint32_t i = 0; i < pins.len && sorted; i++)
    if (i == 0 || pins.at[i] != pins.at[i - 1]) array_push(out, pins.at[i]);
  array_free(&pins);
}

void query_fan(const Graph *g, const FanQuery *q, const PinId *from, uint32_t count, PinArray *out)
{
  Fan f = { .g = g, .q = q, .few = map_new() };
  for (uint32_t i = 0; i < count; i++) {
    if (pin_is_hierarchical(g->netlist, from[i])) start_hierarchical(&f, from[i]);
    else start_slot(&f, graph_slot(g, from[i], !q->backward));
  }
  walk(&f);
  add_pins(&f, out);
  map_free(f.few);
  mem_free(f.cells);
  array_free(&f.queue);
}
