/* What levels follow from, for whoever works them out in the place of graph/levels.c.  C and C++.

   Level 0 where nothing leads.  A vertex where arcs end stands one above the highest of their
   starts; all others, loads, as high as the highest driver of their net.  What loops keep from a
   level, and all behind it, has none. */
#ifndef SL_GRAPH_LEVELS_H
#define SL_GRAPH_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

/* A vertex of this level is not placed. */
#define NO_LEVEL UINT32_MAX

typedef struct { uint32_t from, to; } LevelArc;

typedef struct {
  uint32_t        vertex_count, arc_count, net_count;
  const LevelArc *arcs;                             /* of cells; all end at drivers */
  const uint32_t *driver_first, *load_first;        /* [net_count + 1]: into the next two, by net */
  const uint32_t *net_drivers, *net_loads;          /* vertices, each in one of them at most once */
} LevelInput;

#ifdef __cplusplus
extern "C" {
#endif

/* The host's way; level[vertex_count]. */
void levels_find(const LevelInput *in, uint32_t *level);

#ifdef __cplusplus
}
#endif

/* Another.  False: it could not be done, and *level is of no meaning. */
typedef struct Leveller {
  bool (*find)(void *of, const LevelInput *in, uint32_t *level);      /* level[vertex_count] */
  void *of;
} Leveller;

#endif
