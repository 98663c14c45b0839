/* Required times as in timers that drop arrivals on the way (set_common_path_credit -required
   launches).

   Launches are identified by the register's clock pin, or by the driver before it if the wire
   between takes the same time early and late (ignoring derates). At a data pin a launch is dropped
   if its arrival is better than the worst one by more than the largest credit of the worst one.
   Data from ports is not compared with other data (common_kept of math/common_path.h). Required
   times go back from endpoints for each remaining launch, with its own credit. If a launch was
   dropped after an arc, the required time before the arc is that of another launch that remains
   there, with that launch's credit: data from ports, else the first by the name of its clock pin.
   So slacks inside the design can be smaller or larger than those of the worst paths. */
#ifndef SL_CPU_PRUNED_H
#define SL_CPU_PRUNED_H

#include "timing/fronts.h"
#include "timing/timing.h"

/* The state of the pass; it is freed afterwards. */
typedef struct Pruned {
  Fronts   *kept;             /* by common_index: the remaining launches, in ascending order of
                                 stands_for */
  size_t   *first;            /* by common_index: index in required */
  uint32_t *stand_in;         /* by common_index: the launch whose required time replaces those of
                                 dropped launches */
  float    *required;         /* by item of kept: badness; -1e30: nothing is required */
  uint32_t *stands_for;       /* by point: the point itself, or that of the driver before it */
  uint32_t *order;            /* by point: rank; of several launches, the one with the lowest rank
                                 replaces the dropped ones */
} Pruned;

typedef struct {
  size_t from, to;            /* common_index */
  float  delay;
} PrunedLink;

/* Applies the requirement of a path end to all launches that arrive at a node, each with its
   credit.  capture: badness and capturing leaf. */
void  pruned_end(Timing *t, NodeId node, int condition, CommonItem capture);
/* Carries required times from the end of an arc or wire to its start. */
void  pruned_back(Timing *t, const PrunedLink *link);
/* Returns the required time of a clock at the pin where it launches; absent: none. */
float pruned_launch(const Timing *t, const PrunedLink *link, uint32_t leaf);
/* Returns a required time of a data node such that its distance from the worst arrival is the worst
   slack of the remaining launches. */
float pruned_worst(const Timing *t, size_t index);

#endif
