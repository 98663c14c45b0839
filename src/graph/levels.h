/* The input of levelization, for another implementation than graph/levels.c (the CUDA backend has
   one). The header is C and C++.

   A vertex that nothing leads to has level 0. A vertex where arcs end has the highest level of
   their starts plus one. Every other vertex is a load and has the highest level of the drivers of
   its net. Vertices on loops, and all vertices downstream of them, have no level. */
#ifndef SL_GRAPH_LEVELS_H
#define SL_GRAPH_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

/* The level of a vertex without level. */
#define NO_LEVEL UINT32_MAX

typedef struct { uint32_t from, to; } LevelArc;

typedef struct {
  uint32_t        vertex_count, arc_count, net_count;
  const LevelArc *arcs;                             /* arcs of cells; all end at drivers */
  const uint32_t *driver_first, *load_first;        /* [net_count + 1]: into the next two, by net */
  const uint32_t *net_drivers, *net_loads;          /* vertices; each occurs at most once in both
                                                       arrays */
} LevelInput;

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the levels on the host: level[vertex_count]. */
void levels_find(const LevelInput *in, uint32_t *level);

#ifdef __cplusplus
}
#endif

/* Another implementation. It returns false if it failed; level then has no meaning. */
typedef struct Leveller {
  bool (*find)(void *of, const LevelInput *in, uint32_t *level);      /* level[vertex_count] */
  void *of;
} Leveller;

#endif
