/* Path depths, for derates by depth. The depth of a cell arc is the least number of cell arcs on
   any path through it; the depth of a wire is the least number of wires. Clock paths and data paths
   are counted separately.

   A clock path goes from the clock's source to a register's clock pin, a gating check or a port. A
   data path begins with the launching arc or at an input port, and ends at a constrained pin; a
   latch's data pin also ends one. Rising and falling edges have the same depths. Tags are separate,
   so paths that an exception cuts off do not count. An unconstrained path counts only where no
   constrained path passes. */
#ifndef SL_GRAPH_PATH_DEPTH_H
#define SL_GRAPH_PATH_DEPTH_H

#include "graph/graph.h"

typedef struct { uint16_t cells, wires; } PathDepth;

/* The placement of cells: x, y by InstId. count is 0 without placement. */
typedef struct {
  const float *at;
  uint32_t     count;
} PathPlaces;

typedef struct { float low[2], high[2]; } PathBox;        /* low > high if empty */

typedef struct {
  const Graph *g;
  PathPlaces   places;
  PathDepth   *before, *after;       /* by node: the depth from the start to it, and from it to the
                                        end; PATH_DEPTH_NONE if no path */
  PathBox     *box_before, *box_after;   /* by node: boxes around the cells on paths to it, and from
                                            it; NULL without placement */
} PathDepths;

#define PATH_DEPTH_NONE UINT16_MAX

PathDepths *path_depths_new(const Graph *g, PathPlaces places);
void        path_depths_free(PathDepths *depths);

/* The depth of the shortest path of a type (clock or data) through an arc or wire, and the diagonal
   of the box around all cells on paths of that type through it. This box contains the box of each
   single path. */
typedef struct {
  uint32_t depth;                    /* 0 if no path of the type passes */
  float    distance;
} PathMetric;
PathMetric path_depth_arc(const PathDepths *depths, ArcId a, bool clock);
PathMetric path_depth_wire(const PathDepths *depths, Slot load, bool clock);

#endif
