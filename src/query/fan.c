/* Walks fan-in and fan-out cones breadth first over slots, with limits of levels and pins. */
#include "query/fan.h"

#include <stdlib.h>

#include "base/interrupt.h"

/* Breadth first over slots, so that the first visit has the fewest pins; a slot is taken up again
   when it is reached over fewer cells. */
typedef struct {
  Slot     slot;
  uint32_t cells, pins;
  bool     launched;          /* fan-in: a register's clock, reached from its output */
} Step;

typedef struct {
  const Graph    *g;
  const FanQuery *q;
  uint32_t *cells;            /* [slots]: fewest cells on the way; UINT32_MAX: not visited */
  ARRAY(Step) queue;
} Fan;

static bool is_launch(ArcType t)
{
  return t == ARC_CLOCK_RISE || t == ARC_CLOCK_FALL || t == ARC_LATCH_ENABLE;
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
  if (f->cells[to] <= cells || !slot_is_traced(f, to)) return;
  f->cells[to] = cells;
  array_push(&f->queue, (Step){ to, cells, pins, false });
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
      if (f->queue.len > before) f->queue.at[before].launched = is_launch(arc_type(g, a));
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
    if (!arc_is_traced(g, a, f->q->trace) || (s->pins && is_launch(arc_type(g, a)))) continue;
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
    if (s.cells > f->cells[s.slot]) continue;
    if (f->q->backward && slot_is_driver(f->g, s.slot)) back_from_driver(f, &s);
    else if (f->q->backward) back_from_load(f, &s);
    else if (slot_is_driver(f->g, s.slot)) on_from_driver(f, &s);
    else on_over_arcs(f, &s);
  }
}

/* --- starts and results ----------------------------------------------------------------------- */
static void start_slot(Fan *f, Slot s)
{
  if (s == NO_SLOT || f->cells[s] == 0) return;
  f->cells[s] = 0;
  array_push(&f->queue, (Step){ s, 0, 0, false });
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
    if (is_launch(arc_type(g, g->arcs.out[i]))) return true;
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

void query_fan(const Graph *g, const FanQuery *q, const PinId *from, uint32_t count, PinArray *out)
{
  Fan f = { .g = g, .q = q, .cells = mem_alloc(sizeof *f.cells * ((size_t)g->slots.count + 1)) };
  memset(f.cells, 0xff, sizeof *f.cells * ((size_t)g->slots.count + 1));
  for (uint32_t i = 0; i < count; i++) {
    if (pin_is_hierarchical(g->netlist, from[i])) start_hierarchical(&f, from[i]);
    else start_slot(&f, graph_slot(g, from[i], !q->backward));
  }
  walk(&f);
  for (PinId p = 0; p < g->netlist->pins.len && !interrupt_seen(); p++) {
    Slot load = g->slots.of_pin[p], driver = load == NO_SLOT ? NO_SLOT : graph_slot(g, p, true);
    bool in = false;
    for (int k = 0; k < 2; k++) {
      Slot s = k ? driver : load;
      if (s == NO_SLOT || f.cells[s] == UINT32_MAX) continue;
      in |= !q->ends_only || (q->backward ? query_is_start(g, s) : query_is_fan_end(g, s));
    }
    if (in) array_push(out, p);
  }
  mem_free(f.cells);
  array_free(&f.queue);
}
