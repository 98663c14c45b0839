/* Rectilinear Steiner trees: the shortest wires along x and y that join points.

   Up to STEINER_EXACT different points the tree is a shortest one: dynamic programming over sets of
   points (Dreyfus and Wagner, 1971) on the grid of their coordinates, which holds a shortest tree
   (Hanan, 1966).  Beyond, a minimum spanning tree is made, and each part of few points of it is put
   in place by the shortest tree of its own as long as that saves wire.

   The tree depends on the points and their order alone. */
#ifndef SL_PLACE_STEINER_H
#define SL_PLACE_STEINER_H

#include "db/physical.h"

enum { STEINER_EXACT = 9 };

/* Nodes: first the points as they were given, then where wires branch.  Edges: one less than nodes;
   each is a wire along x and then along y, or the other way. */
typedef struct { uint32_t a, b; } SteinerEdge;

typedef struct {
  ARRAY(Point) nodes;
  ARRAY(SteinerEdge) edges;
  struct SteinerWork *work;
} Steiner;

Steiner *steiner_new(void);
void     steiner_free(Steiner *s);
/* Makes the tree of the points in place of the one before; returns its length. */
int64_t  steiner_tree(Steiner *s, const Point *points, uint32_t count);

static inline int64_t point_distance(Point a, Point b)
{
  int64_t x = (int64_t)a.x - b.x, y = (int64_t)a.y - b.y;
  return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}

#endif
