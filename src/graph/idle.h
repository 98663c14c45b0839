/* Constraints that the graph has no use for: told with the line of their command, one message for
   all objects of a line. */
#ifndef SL_GRAPH_IDLE_H
#define SL_GRAPH_IDLE_H

#include "base/log.h"
#include "graph/graph.h"

typedef struct {
  Said        said;
  Object      object;
  ClockId     clock;                      /* that was named; NO_CLOCK: none */
  const char *code, *problem;             /* static: "no clock@ passes", its name at @ */
} Idle;

typedef ARRAY(Idle) IdleList;

/* Tells the list, each text once for a design, and empties it. */
void idle_tell(IdleList *list, const Graph *g, Log *log);

/* What was said at pins for clocks, where none of them passes or starts; of ideal pins outside of
   ideal networks. */
void idle_find_pins(const Graph *g, IdleList *list);

#endif
