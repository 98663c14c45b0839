/* How probable it is that a pin is 1: for leakage, which depends on the state of cells.

   Ports are 1 half of the time, and so is what is not known: clocks, outputs without a function,
   black boxes, floating inputs.  Constants and case analysis are 0 or 1.  Through a cell
   probabilities go by its functions, as if its inputs did not depend on each other; a register
   holds what its data input is; presets and clears are taken for rare.  Loops through registers are
   gone through until nothing changes by more than 1e-5, at most 100 times. */
#ifndef SL_QUERY_PROBABILITY_H
#define SL_QUERY_PROBABILITY_H

#include "graph/graph.h"

typedef struct Probability Probability;

/* NULL: interrupted. */
Probability *probability_new(const Graph *g);
void         probability_free(Probability *p);           /* NULL is allowed */
float        probability_of_pin(const Probability *p, PinId pin);
/* Of a register of an instance: its index-th sequential group. */
float        probability_of_state(const Probability *p, InstId inst, uint32_t index);

/* The mean of a function's values by rows of its truth table, where bit i of the row is variable
   i, which is 1 with a probability.  values is used up. */
float probability_mean(float *values, const float *of, uint32_t count);

#endif
