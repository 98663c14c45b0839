/* The values of set_clock_gating_check at ports, pins and cells, and the gates for which no check
   is inferred. Margins apply to all gates in the fan-out; -high and -low apply to the gate
   itself. */
#ifndef SL_GRAPH_GATING_H
#define SL_GRAPH_GATING_H

#include "graph/idle/idle.h"

typedef struct GatingGiven GatingGiven;

GatingGiven *gating_given_new(const Graph *g);
void         gating_given_free(GatingGiven *given);

/* The slots of a gate: its clock pin, its enable pin and its output. */
typedef struct {
  Slot clock, enable, output;
} GatePins;

/* Returns the margin for a gate and a clock in ps, or 0. It does not know the value at which the
   gate is open; the caller does (Gate.open_value in graph/ends.c). The first given value counts, in
   this order: enable pin, cell, clock pin, cells around it, objects in the fan-in (the largest over
   several paths), clock, design. */
float gating_margin(const GatingGiven *given, GatePins gate, ClockId clock, int check, int edge);
/* Returns the value of the clock (1 high, 0 low) at which the gate is open. It is the value given
   for enable pin, cell or clock pin, else `open_value`, which follows from the function. */
int   gating_open_value_given(const GatingGiven *given, GatePins gate, int open_value);
/* Does set_disable_inferred_clock_gating name a pin of the gate, its cell or a cell around it? */
bool  gating_is_disabled(const GatingGiven *given, GatePins gate);

/* gating_note records a gate, whether or not it is checked. gating_find_idle then finds the
   constraints at places without a gate. */
void  gating_note(GatingGiven *given, GatePins gate);
/* Records a gate without a check because the value at which it is open is unknown. */
void  gating_note_shapeless(GatingGiven *given, GatePins gate);
void  gating_find_idle(GatingGiven *given, IdleList *list);

#endif
