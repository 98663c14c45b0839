/* Required times as timers show them that drop arrivals on the way (set_common_path_credit
   -required launches).

   What registers launch is told apart by the register's clock pin, or by the driver before it where
   the wire between takes as long early as late (derates aside).  At a pin of data a launch whose
   arrival is better than the worst one's by more than all the credit that this one can have is
   dropped; what comes from ports is apart (common_kept of math/common_path.h).  Required times go
   back from end points for each launch that is left, with its own credit there.  Where a launch was
   dropped behind an arc, the required time before the arc is that of another one which is left
   there, with that one's credit: of what comes from ports, else of the first by the clock pin's
   name.  So slacks inside may be less than those of the worst paths, or more. */
#ifndef SL_CPU_PRUNED_H
#define SL_CPU_PRUNED_H

#include "timing/fronts.h"
#include "timing/timing.h"

/* The one pass; then it goes. */
typedef struct Pruned {
  Fronts   *kept;             /* by common_index: the launches that are left, in ascending order of
                                 what they stand for */
  size_t   *first;            /* by common_index: of required */
  uint32_t *stand_in;         /* by common_index: the launch of a list whose required time stands in
                                 for others' */
  float    *required;         /* by item of kept: badness, -1e30: nothing is required */
  uint32_t *stands_for;       /* by place: its own, or that of the driver before it, */
  uint32_t *order;            /* and which of several stands in: the first in order */
} Pruned;

typedef struct {
  size_t from, to;            /* common_index */
  float  delay;
} PrunedLink;

/* What an end asks of all that arrives there, with their credit: badness, and the capturing
   leaf. */
void  pruned_end(Timing *t, NodeId node, int condition, CommonItem capture);
/* From behind an arc or wire to before it. */
void  pruned_back(Timing *t, const PrunedLink *link);
/* What is required of a clock at the pin where it launches; absent: nothing. */
float pruned_launch(const Timing *t, const PrunedLink *link, uint32_t leaf);
/* Required time of a node of data, such that its distance from the worst arrival is the worst slack
   of the launches that are left. */
float pruned_worst(const Timing *t, size_t index);

#endif
