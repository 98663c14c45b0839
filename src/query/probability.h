/* Computes the probability that a pin is 1. Leakage needs it, because it depends on the state of
   cells.

   Ports have the probability 0.5, and so has everything unknown: clocks, outputs without a
   function, black boxes, floating inputs. Constants and case analysis are 0 or 1. The probability
   of an output follows from the function of its cell, as if the inputs did not depend on each
   other. A register has the probability of its data input; presets and clears are assumed to be
   rare. Loops through registers are repeated until nothing changes by more than 1e-5, at most 100
   times.

   No probabilities are read from files. To add this, let open_values append the given values to the
   array after the constants, and let put_driver make a step that copies a given value to its pin,
   as it does for constant pins. A pin with a given value cannot do without a step, because
   first_step expects one for each driver. Pass the values to probability_new through leakage_new,
   which cmd_power.c, cmd_size.c and cmd_estimate.c call. */
#ifndef SL_QUERY_PROBABILITY_H
#define SL_QUERY_PROBABILITY_H

#include "graph/graph.h"

typedef struct Probability Probability;

/* Returns NULL if interrupted. */
Probability *probability_new(const Graph *g, int threads);
void         probability_free(Probability *probability);           /* NULL is allowed */
float        probability_of_pin(const Probability *probability, PinId pin);
/* Returns the probability of a state of an instance: of its index-th sequential group. */
float        probability_of_state(const Probability *probability, InstId inst, uint32_t index);

/* Returns the mean of a function. values has the value of each row of its truth table; bit i of the
   row's number is variable i. of[i] is the probability that variable i is 1. values is
   overwritten. */
float probability_mean(float *values, const float *of, uint32_t count);

#endif
