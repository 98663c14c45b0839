/* Visits all delays and checks of the design with the kinds of report_annotated_delay and
   report_annotated_check. */
#include "query/annotated_delays.h"

#include <math.h>

#include "query/constraint.h"

typedef struct {
  const Timing      *t;
  const Graph       *g;
  const Annotations *a;
  AnnotatedVisit    *visit;
  void              *data;
} Each;

static bool is_annotated(const Each *e, AnnotationKind kind, PinId from, PinId to, LibArcId lib)
{
  AnnotationId id = e->a ? annotations_find(e->a, kind, from, to, lib) : NO_ANNOTATION;
  return id != NO_ANNOTATION && (e->a->records.at[id].replaced | e->a->records.at[id].added);
}

static void wire(const Each *e, Slot driver, Slot load)
{
  const Graph *g = e->g;
  PinId from = g->slots.pin[driver], to = g->slots.pin[load];
  if (from == to) return;      /* an inout pin: no file and no command can annotate that */
  int sort = g->slots.flags[driver] & SLOT_PORT ? DELAY_FROM_PORT
             : g->slots.flags[load] & SLOT_PORT ? DELAY_TO_PORT
                                               : DELAY_OF_NET;
  e->visit(e->data,
           &(AnnotatedArc){ sort, from, to, is_annotated(e, ANNOTATE_WIRE, from, to, NO_LIB_ARC),
                            (g->slots.flags[driver] | g->slots.flags[load]) & SLOT_CONSTANT });
}

static void wires(const Each *e, Slot load)
{
  const Graph *g = e->g;
  uint32_t from, to;
  if (g->nets.wire_driver[load] == NO_SLOT) return;
  wire(e, g->nets.wire_driver[load], load);
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++) wire(e, g->nets.extra_wires.at[i].driver, load);
}

static void arcs(const Each *e, Slot driver)
{
  const Graph *g = e->g;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    PinId from = g->slots.pin[g->arcs.from[a]], to = g->slots.pin[driver];
    e->visit(e->data, &(AnnotatedArc){ DELAY_OF_CELL, from, to,
                                       is_annotated(e, ANNOTATE_CELL, from, to, g->arcs.lib[a]),
                                       (g->arcs.flags[a] & ARC_OFF_CONSTANT) != 0 });
  }
}

static void each_slot(const Each *e, void (*load)(const Each *, Slot),
                      void (*driver)(const Each *, Slot))
{
  const Graph *g = e->g;
  for (PinId p = 0; p < g->pin_count; p++) {
    if (g->slots.of_pin[p] == NO_SLOT) continue;
    Slot as_driver = graph_slot(g, p, true);
    if (!slot_is_driver(g, g->slots.of_pin[p])) load(e, g->slots.of_pin[p]);
    if (slot_is_driver(g, as_driver)) driver(e, as_driver);
  }
}

void query_each_delay(const Timing *t, const Annotations *a, AnnotatedVisit *visit, void *data)
{
  each_slot(&(Each){ t, t->g, a, visit, data }, wires, arcs);
}

/* --- checks ----------------------------------------------------------------------------------- */
static int sort_of(ArcType type)
{
  switch (type) {
  case ARC_SETUP: case ARC_NON_SEQ_SETUP: return CHECK_SETUP;
  case ARC_HOLD: case ARC_NON_SEQ_HOLD: return CHECK_HOLD;
  case ARC_RECOVERY: return CHECK_RECOVERY;
  case ARC_REMOVAL: return CHECK_REMOVAL;
  case ARC_NOCHANGE: case ARC_NOCHANGE_LOW: return CHECK_NOCHANGE;
  case ARC_MIN_PULSE_WIDTH: return CHECK_WIDTH;
  case ARC_MIN_PERIOD: return CHECK_PERIOD;
  case ARC_SKEW: return CHECK_SKEW;
  default: return -1;
  }
}

static bool has_check(const Graph *g, Slot slot, ArcType type)
{
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++)
    if (g->ends.checks.at[g->ends.check_order[i]].type == type) return true;
  return false;
}

/* A pin's own limit counts if the library has one, or if no arc has the file's value. */
static void pin_limit(const Each *e, Slot slot, CheckSort sort)
{
  PinId pin = e->g->slots.pin[slot];
  PortId id = constraint_port(e->t, pin);
  const LibPort *port = id == NO_PORT ? NULL : &e->g->libs->ports.at[id];
  bool is_width = sort == CHECK_WIDTH;
  AnnotationKind kind = is_width ? ANNOTATE_WIDTH : ANNOTATE_PERIOD;
  ArcType arc = is_width ? ARC_MIN_PULSE_WIDTH : ARC_MIN_PERIOD;
  bool annotated = is_annotated(e, kind, NO_PIN, pin, NO_LIB_ARC);
  bool attribute = port && (is_width ? !isnan(port->min_pulse_high) || !isnan(port->min_pulse_low)
                                     : !isnan(port->min_period));
  if (!attribute && (!annotated || has_check(e->g, slot, arc))) return;
  e->visit(e->data, &(AnnotatedArc){ sort, pin, pin, annotated,
                                     (e->g->slots.flags[slot] & SLOT_CONSTANT) != 0 });
}

static void checks(const Each *e, Slot data)
{
  const Graph *g = e->g;
  for (uint32_t i = g->ends.first_check[data]; i < g->ends.first_check[data + 1]; i++) {
    const Check *c = &g->ends.checks.at[g->ends.check_order[i]];
    int sort = c->lib == NO_LIB_ARC ? -1 : sort_of((ArcType)c->type);
    if (sort < 0) continue;
    PinId from = g->slots.pin[c->clock], to = g->slots.pin[data];
    e->visit(e->data,
             &(AnnotatedArc){ sort, from, to, is_annotated(e, ANNOTATE_CHECK, from, to, c->lib),
                              (g->slots.flags[c->clock] | g->slots.flags[data]) & SLOT_CONSTANT });
  }
  pin_limit(e, data, CHECK_WIDTH);
  pin_limit(e, data, CHECK_PERIOD);
}

static void no_checks(const Each *e, Slot driver)
{
  (void)e;
  (void)driver;
}

void query_each_check(const Timing *t, const Annotations *a, AnnotatedVisit *visit, void *data)
{
  each_slot(&(Each){ t, t->g, a, visit, data }, checks, no_checks);
}
