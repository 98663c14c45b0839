/* The steps of making a Steiner tree. Private to steiner*.c. */
#ifndef SL_PLACE_STEINER_PRIVATE_H
#define SL_PLACE_STEINER_PRIVATE_H

#include "place/steiner.h"

/* A shortest tree of few different points. Its nodes are the points, and then the branches. */
typedef struct {
  Point       node[2 * STEINER_EXACT];
  SteinerEdge edge[2 * STEINER_EXACT];
  uint32_t    nodes, edges;
  int64_t     length;
} SmallTree;

typedef struct ExactWork ExactWork;
ExactWork *exact_work_new(void);
void       exact_work_free(ExactWork *work);
/* Returns true if exact_tree can handle the points: they are few enough, and so near each other
   that no sum of lengths leaves 32 bits. */
bool       exact_holds(const Point *points, uint32_t count);
void       exact_tree(ExactWork *work, const Point *points, uint32_t count, SmallTree *tree);

/* Computes the edges of a minimum spanning tree of different points, sorted by length. */
typedef ARRAY(SteinerEdge) SteinerEdges;
typedef struct SpanWork SpanWork;
SpanWork *span_work_new(void);
void      span_work_free(SpanWork *work);
void      spanning_tree(SpanWork *work, const Point *points, uint32_t count, SteinerEdges *edges);

/* Makes a tree of different points shorter, part by part. The first `pins` nodes are these points.
   The others are branches, which the function adds and removes. */
typedef ARRAY(Point) SteinerPoints;
typedef struct RefineWork RefineWork;
RefineWork *refine_work_new(void);
void        refine_work_free(RefineWork *work);
void refine_tree(RefineWork *work, ExactWork *exact, uint32_t pins, SteinerPoints *nodes,
                 SteinerEdges *edges);

#endif
