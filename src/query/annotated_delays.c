/* Visits all delays and checks of the design with the kinds of report_annotated_delay and
   report_annotated_check. */
#include "query/annotated_delays.h"

#include <math.h>

#include "query/constraint.h"

typedef struct {
  const Timing      *t;
  const Graph       *g;
  const Annotations *annotations;
  AnnotatedVisit    *visit;
  void              *data;
} Each;

static bool is_annotated(const Each *each, AnnotationKind kind, PinId from, PinId to, LibArcId lib)
{
  AnnotationId id =
      each->annotations ? annotations_find(each->annotations, kind, from, to, lib) : NO_ANNOTATION;
  return id != NO_ANNOTATION
         && (each->annotations->records.at[id].replaced | each->annotations->records.at[id].added);
}

static void wire(const Each *each, Slot driver, Slot load)
{
  const Graph *g = each->g;
  PinId from = g->slots.pin[driver], to = g->slots.pin[load];
  if (from == to) return;      /* an inout pin: no file and no command can annotate that */
  int sort = g->slots.flags[driver] & SLOT_PORT ? DELAY_FROM_PORT
             : g->slots.flags[load] & SLOT_PORT ? DELAY_TO_PORT
                                               : DELAY_OF_NET;
  each->visit(each->data,
              &(AnnotatedArc){ sort, from, to,
                               is_annotated(each, ANNOTATE_WIRE, from, to, NO_LIB_ARC),
                               (g->slots.flags[driver] | g->slots.flags[load]) & SLOT_CONSTANT });
}

static void wires(const Each *each, Slot load)
{
  const Graph *g = each->g;
  uint32_t from, to;
  if (g->nets.wire_driver[load] == NO_SLOT) return;
  wire(each, g->nets.wire_driver[load], load);
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++) wire(each, g->nets.extra_wires.at[i].driver, load);
}

static void arcs(const Each *each, Slot driver)
{
  const Graph *g = each->g;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    PinId from = g->slots.pin[g->arcs.from[a]], to = g->slots.pin[driver];
    each->visit(each->data,
                &(AnnotatedArc){ DELAY_OF_CELL, from, to,
                                 is_annotated(each, ANNOTATE_CELL, from, to, g->arcs.lib[a]),
                                 (g->arcs.flags[a] & ARC_OFF_CONSTANT) != 0 });
  }
}

static void each_slot(const Each *each, void (*load)(const Each *, Slot),
                      void (*driver)(const Each *, Slot))
{
  const Graph *g = each->g;
  for (PinId p = 0; p < g->pin_count; p++) {
    if (g->slots.of_pin[p] == NO_SLOT) continue;
    Slot as_driver = graph_slot(g, p, true);
    if (!slot_is_driver(g, g->slots.of_pin[p])) load(each, g->slots.of_pin[p]);
    if (slot_is_driver(g, as_driver)) driver(each, as_driver);
  }
}

void query_each_delay(const Timing *t, const Annotations *annotations, AnnotatedVisit *visit,
                      void *data)
{
  each_slot(&(Each){ t, t->g, annotations, visit, data }, wires, arcs);
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
static void pin_limit(const Each *each, Slot slot, CheckSort sort)
{
  PinId pin = each->g->slots.pin[slot];
  PortId id = constraint_port(each->t, pin);
  const LibPort *port = id == NO_PORT ? NULL : &each->g->libs->ports.at[id];
  bool is_width = sort == CHECK_WIDTH;
  AnnotationKind kind = is_width ? ANNOTATE_WIDTH : ANNOTATE_PERIOD;
  ArcType arc = is_width ? ARC_MIN_PULSE_WIDTH : ARC_MIN_PERIOD;
  bool annotated = is_annotated(each, kind, NO_PIN, pin, NO_LIB_ARC);
  bool attribute = port && (is_width ? !isnan(port->min_pulse_high) || !isnan(port->min_pulse_low)
                                     : !isnan(port->min_period));
  if (!attribute && (!annotated || has_check(each->g, slot, arc))) return;
  each->visit(each->data, &(AnnotatedArc){ sort, pin, pin, annotated,
                                           (each->g->slots.flags[slot] & SLOT_CONSTANT) != 0 });
}

static void checks(const Each *each, Slot data)
{
  const Graph *g = each->g;
  for (uint32_t i = g->ends.first_check[data]; i < g->ends.first_check[data + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    int sort = check->lib == NO_LIB_ARC ? -1 : sort_of((ArcType)check->type);
    if (sort < 0) continue;
    PinId from = g->slots.pin[check->clock], to = g->slots.pin[data];
    each->visit(
        each->data,
        &(AnnotatedArc){ sort, from, to, is_annotated(each, ANNOTATE_CHECK, from, to, check->lib),
                         (g->slots.flags[check->clock] | g->slots.flags[data]) & SLOT_CONSTANT });
  }
  pin_limit(each, data, CHECK_WIDTH);
  pin_limit(each, data, CHECK_PERIOD);
}

static void no_checks(const Each *each, Slot driver)
{
  (void)each;
  (void)driver;
}

void query_each_check(const Timing *t, const Annotations *annotations, AnnotatedVisit *visit,
                      void *data)
{
  each_slot(&(Each){ t, t->g, annotations, visit, data }, checks, no_checks);
}
