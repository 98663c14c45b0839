/* What set_clock_gating_check gives at ports, pins and cells: setup and hold margins for all gates
   in the fan-out, -high and -low for the gate itself; and which gates infer no check. */
#ifndef SL_GRAPH_GATING_H
#define SL_GRAPH_GATING_H

#include "graph/idle/idle.h"

typedef struct GatingGiven GatingGiven;

GatingGiven *gating_given_new(const Graph *g);
void         gating_given_free(GatingGiven *x);

/* Slots of a gate: the pins of its clock and enable, and its output. */
typedef struct {
  Slot clock, enable, output;
} GatePins;

/* The margin for a gate of the clock: the first that was given of enable pin, cell, clock pin,
   cells around it, what lies in the fan-in (of several ways the greatest), the clock, the design;
   else 0. */
float gating_margin(const GatingGiven *x, GatePins gate, ClockId clock, int check, int edge);
/* At which level of its clock the gate is open, as given for enable pin, cell or clock pin; else
   as its function has it. */
int   gating_level_given(const GatingGiven *x, GatePins gate, int level);
/* Does set_disable_inferred_clock_gating name a pin of the gate, its cell or a cell around it? */
bool  gating_is_disabled(const GatingGiven *x, GatePins gate);

/* Notes a gate, whether or not it is checked, and at last adds what was said where no gate is. */
void  gating_note(GatingGiven *x, GatePins gate);
/* A gate without a check, as nothing says at which level of the clock it is open. */
void  gating_note_shapeless(GatingGiven *x, GatePins gate);
void  gating_find_idle(GatingGiven *x, IdleList *list);

#endif
