/* Constraints that the graph has no use for: told with the line of their command, one message for
   all objects of a line. */
#ifndef SL_GRAPH_IDLE_IDLE_H
#define SL_GRAPH_IDLE_IDLE_H

#include "base/log.h"
#include "graph/graph.h"

typedef struct {
  Said        said;
  Object      object;
  ClockId     clock;                      /* that was named; NO_CLOCK: none */
  const char *code, *problem;             /* static: "no clock@ passes", its name at @; NULL: the
                                             command has an effect at the object */
  CommandId   command;                    /* not 0: told only if it has no effect at any object */
} Idle;

typedef ARRAY(Idle) IdleList;

/* Appends what is known of one object of a command that records refer to; its said and command are
   filled in. */
void idle_add(IdleList *list, const Graph *g, CommandId command, Idle what);
/* Tells the list, each text once for a design, and empties it. */
void idle_tell(IdleList *list, const Graph *g, Log *log);

/* What was said at pins for clocks, where none of them passes or starts; of data checks where no
   data comes; of virtual clocks that launch nothing. */
void idle_find_pins(const Graph *g, IdleList *list);
/* Derates of cells and nets where nothing is that they scale. */
void idle_find_derates(const Graph *g, IdleList *list);
/* Pins outside of ideal networks, or where an ideal clock's own latency and transition count; what
   drives ports in ideal networks; transitions of clocks that are propagated; limits of borrowing
   for clocks without latches.  Needs rows. */
void idle_warn_networks(const Graph *g, Log *log);

/* Operating conditions, voltages and points of cells (set_pvt) that no library has factors or
   scaled cells for; wire loads that the mode passes over, and what goes with none. */
void idle_warn_conditions(const Graph *g, Log *log);

#endif
