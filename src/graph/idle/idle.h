/* Idle constraints: constraints without effect. A warning names the line of the command; all
   objects of one line get one message. */
#ifndef SL_GRAPH_IDLE_IDLE_H
#define SL_GRAPH_IDLE_IDLE_H

#include "base/log.h"
#include "graph/graph.h"

typedef struct {
  Said        said;
  Object      object;
  ClockId     clock;                      /* the clock that the command names; NO_CLOCK if none */
  const char *code, *problem;             /* static strings, such as "no clock@ passes", where @
                                             becomes the name of the clock; problem NULL means that
                                             the command has an effect at the object */
  CommandId   command;                    /* if not 0, the warning is given only if the command has
                                             no effect at any object */
} Idle;

typedef ARRAY(Idle) IdleList;

/* Appends the finding for one object of a command. Fills in its `said` and `command`. */
void idle_add(IdleList *list, const Graph *g, CommandId command, Idle what);
/* Gives the warnings, each text once per design, and empties the list. */
void idle_tell(IdleList *list, const Graph *g, Log *log);

/* Finds constraints of clocks at pins where no clock passes or starts, data checks at pins without
   data, and limits of transitions of virtual clocks that launch nothing. */
void idle_find_pins(const Graph *g, IdleList *list);
/* Finds derates of cells and nets that have nothing to scale. */
void idle_find_derates(const Graph *g, IdleList *list);
/* Warns of ideal latencies and transitions at pins outside of ideal networks, or where those of an
   ideal clock count; of drives at ports in ideal networks; of transitions of propagated clocks; of
   latencies and uncertainties of virtual clocks that no delay at a port uses; and of borrowing
   limits for clocks without latches. The graph must have its path ends. */
void idle_warn_networks(const Graph *g, Log *log);

/* Warns of operating conditions, voltages and set_pvt for which no library has factors or scaled
   cells, and of wire loads and their options that the wire load mode does not use. */
void idle_warn_conditions(const Graph *g, Log *log);

#endif
