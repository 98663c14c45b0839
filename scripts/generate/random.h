/* Random designs of any size, written as they are made: memory is that of one cluster.

   A design is clusters of some thousand cells: flip-flops, and gates in levels between them.  Clusters send each other
   outputs of flip-flops alone, so there is no loop; a formula says which, so no cluster needs to remember another.

       flip-flop ffN, output qN, N counted over the whole design; cluster c has those from c * flops on
       input k of cluster c: cell xC_K, driven by flip-flop k of cluster (c + stride_k) mod clusters
       clock tree: buffer ckbL_I at level L (0: leaves) drives net ckL_I: CK of flip-flops I * F ... or ckb(L-1)_...
       reset: port rst_n, then a tree like the clock's, rsbL_I, and one net "rst_wide" with as many loads as wished */
#ifndef GENERATE_RANDOM_H
#define GENERATE_RANDOM_H

#include "scripts/generate/write.h"

typedef struct {
  const char *top;
  uint64_t    seed;
  uint64_t    cells;           /* about */
  uint32_t    cluster;         /* cells of a cluster */
  uint32_t    depth;           /* levels of gates between flip-flops */
  double      flops;           /* share of cells */
  double      resets;          /* share of flip-flops */
  double      gated;           /* share of the clock tree's leaves that are clock gates */
  double      hot, hot_share;  /* share of nets that draw hot_share of the free gate inputs */
  uint32_t    clock_fanout, clock_levels;     /* levels 0: as many as the fan-out gives */
  uint32_t    widest;          /* loads of the reset's largest net */
  uint32_t    inputs, outputs;
  uint32_t    links;           /* of a cluster to others */
  double      low_share;
  Constraints constraints;
} Recipe;

void random_write(const Recipe *recipe, Files *files);

#endif
