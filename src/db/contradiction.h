/* Finds constraints that contradict each other. A later command may resolve a contradiction
   (set_input_delay -min 3 above a maximum of 2, then -max 4). So nothing is judged before the
   constraints are complete. A command records the pairs that it leaves crossed, and the functions
   here test them again. */
#ifndef SL_DB_CONTRADICTION_H
#define SL_DB_CONTRADICTION_H

#include "db/constraints.h"

/* Two values; the first should not be above the second. */
typedef struct {
  float least, most;
} Crossed;

/* Is a minimum of the pair above its maximum? *out receives the first such values. */
bool pair_is_crossed(const Constraints *c, const ValuePair *pair, Crossed *out);
/* Calls visit for each pair that is still crossed, with the last command that left it so, in the
   order of commands. Then empties the list. */
void constraints_tell_crossings(Constraints *c,
                                void (*visit)(void *data, const CrossedPair *pair, Crossed values),
                                void *data);

/* Calls visit for each set_min_delay and set_max_delay of the same paths if the minimum is above
   the maximum and one of the two is new since the last call. */
void constraints_tell_bounds(Constraints *c,
                             void (*visit)(void *data, const Exception *earlier,
                                           const Exception *later),
                             void *data);

/* Are two clocks in different groups of `a` and also in different groups of `b`? pair receives
   them. With a single group, all other clocks form the other group. */
bool clock_groups_overlap(const Constraints *c, const ClockGroups *a, const ClockGroups *b,
                          ClockId pair[2]);

#endif
