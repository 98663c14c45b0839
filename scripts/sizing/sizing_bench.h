/* What the benchmark of sizing is made of: a random library and random drivers with candidates, as
   in the evaluation of Chung et al. (Euro-Par 2025). */
#ifndef SL_SCRIPTS_SIZING_BENCH_H
#define SL_SCRIPTS_SIZING_BENCH_H

#include "device/device_libcell.h"

typedef struct {
  uint32_t drivers;
  uint32_t edges;                    /* timing edges of a driver: 1 to 4. Each looks a delay and a
                                        slew up */
  uint8_t  model;                    /* DelayModel */
  uint64_t seed;
} ProblemOptions;

typedef struct ProblemMemory ProblemMemory;

typedef struct {
  SizingArrays   a;
  uint32_t       doubled;            /* drivers whose best choice is one of two equal candidates */
  ProblemMemory *memory;
} Problem;

/* Makes a problem. 70 % of the drivers have 1 to 32 candidates, 30 % have 33 to 41. The candidates
   are cells of one of 60 families of 41 cells, which differ in strength and threshold voltage. In
   one of 16 drivers each candidate is there twice. */
Problem problem_new(const ProblemOptions *options);
void    problem_free(Problem *problem);

/* Returns the first candidate of a gate that equals this one. */
uint32_t problem_first_equal(const Problem *problem, uint32_t gate, uint32_t candidate);

#endif
