/* What two constraints say of one thing and cannot both mean.

   A later command may put it right (set_input_delay -min 3 over a maximum of 2, then -max 4), so
   nothing is judged before the constraints are complete: a command notes what it leaves crossed,
   and who tells looks again. */
#ifndef SL_DB_CONTRADICTION_H
#define SL_DB_CONTRADICTION_H

#include "db/constraints.h"

/* Two values of which the first should not be above the second. */
typedef struct {
  float least, most;
} Crossed;

/* Is a least value of the pair above the most?  *out: the first such two. */
bool pair_is_crossed(const Constraints *c, const ValuePair *p, Crossed *out);
/* Calls visit for each pair that is crossed still, with the last command that left it so, in the
   order of commands, and forgets all. */
void constraints_tell_crossings(Constraints *c,
                                void (*visit)(void *data, const CrossedPair *x, Crossed values),
                                void *data);

/* Calls visit for set_min_delay and set_max_delay of the same paths where the least is above the
   most and one of them is new since the last call. */
void constraints_tell_bounds(Constraints *c,
                             void (*visit)(void *data, const Exception *earlier,
                                           const Exception *later),
                             void *data);

/* Are there two clocks in different groups of both?  A single group stands against all other
   clocks. */
bool clock_groups_overlap(const Constraints *c, const ClockGroups *a, const ClockGroups *b,
                          ClockId pair[2]);

#endif
