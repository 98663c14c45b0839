/* Computes rectilinear Steiner trees: short trees of wires along x and y that join points.

   For up to STEINER_EXACT different points the tree is a shortest one. It is found by dynamic
   programming over sets of points (Dreyfus and Wagner, 1971) on the grid of their coordinates,
   which contains a shortest tree (Hanan, 1966). For more points a minimum spanning tree is made.
   Then parts of few points are replaced by their shortest trees as long as that saves wire.

   The tree depends only on the points and their order. */
#ifndef SL_PLACE_STEINER_H
#define SL_PLACE_STEINER_H

#include "db/physical.h"

enum { STEINER_EXACT = 9 };

/* The nodes of a tree are the points as given, and then the places where wires branch. There is one
   edge less than there are nodes. An edge is a wire along x and then along y, or the other way. */
typedef struct { uint32_t a, b; } SteinerEdge;

typedef struct {
  ARRAY(Point) nodes;
  ARRAY(SteinerEdge) edges;
  struct SteinerWork *work;
} Steiner;

Steiner *steiner_new(void);
void     steiner_free(Steiner *steiner);
/* Replaces the tree by the tree of these points. Returns its length. */
int64_t  steiner_tree(Steiner *steiner, const Point *points, uint32_t count);

static inline int64_t point_distance(Point a, Point b)
{
  int64_t x = (int64_t)a.x - b.x, y = (int64_t)a.y - b.y;
  return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}

#endif
