/* Depths of paths through cells and wires, for derates by depth: of all paths through a cell arc (a
   wire) the least number of cell arcs (wires), clock paths and data paths apart.

   A clock path goes from the clock's source to where it captures or launches: a register's clock
   pin, a gating check, a port. A data path begins with the arc that launches it, or at an input
   port, and ends where something constrains it; a latch's data pin ends one.  Transitions are not
   told apart; tags are, so what an exception cuts off does not count.  A path that nothing
   constrains counts only where no other passes. */
#ifndef SL_GRAPH_PATH_DEPTH_H
#define SL_GRAPH_PATH_DEPTH_H

#include "graph/graph.h"

typedef struct { uint16_t cells, wires; } PathDepth;

/* Places of cells: x, y by InstId; count 0: none. */
typedef struct {
  const float *at;
  uint32_t     count;
} PathPlaces;

typedef struct { float low[2], high[2]; } PathBox;        /* empty: low > high */

typedef struct {
  const Graph *g;
  PathPlaces   places;
  PathDepth   *behind, *ahead;       /* by node: up to it, and from it to the end;
                                        PATH_DEPTH_NONE */
  PathBox     *box_behind, *box_ahead;   /* of the cells that paths to and from a node pass; NULL:
                                            no places */
} PathDepths;

#define PATH_DEPTH_NONE UINT16_MAX

PathDepths *path_depths_new(const Graph *g, PathPlaces places);
void        path_depths_free(PathDepths *d);

/* Depth of the shortest path of a type (clock or data) through it and, where there are places, the
   diagonal of the box around all cells on paths of that type through it, which is never less than
   the box of any one of them. */
typedef struct {
  uint32_t depth;                    /* 0: no path of the type passes */
  float    distance;
} PathMetric;
PathMetric path_depth_arc(const PathDepths *d, ArcId a, bool clock);
PathMetric path_depth_wire(const PathDepths *d, Slot load, bool clock);

#endif
