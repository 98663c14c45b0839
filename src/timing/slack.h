/* Queries of the numbers of the last update: arrivals, required times and slacks of pins, WNS and
   TNS. Times are in ps. */
#ifndef SL_TIMING_SLACK_H
#define SL_TIMING_SLACK_H

#include "timing/end_slacks.h"

/* The worst times of one condition at a slot over all its tags: absolute times in ps.  Arrival and
   slack may come from different tags; required belongs to the tag of the slack. */
typedef struct {
  bool   arrives;         /* any arrival */
  bool   constrained;     /* any slack */
  double arrival, required, slack;
} PinTime;

/* Returns the times of the paths through the pin, also inside networks of ideal clocks
   (timing/ideal_network.h). */
PinTime query_pin_time(const Timing *t, Slot slot, int condition);
/* Returns the times that the engine stores.  Arrivals, delays and required times of neighbours add
   up, as in tables of other timers. */
PinTime query_graph_time(const Timing *t, Slot slot, int condition);

/* Returns the required time of one node and condition, by the paths through it; query_node_slack
   returns the slack, or false if the node is unconstrained. */
float query_node_required(const Timing *t, Slot slot, NodeId node, int condition);
bool  query_node_slack(const Timing *t, Slot slot, NodeId node, int condition, float *slack);

/* Returns the time of the tag's launching edge, ps.  Arrivals of its nodes are relative to it. */
double query_tag_time(const Timing *t, TagId tag);

/* Returns true if reports show the time of this node at its pin. */
static inline bool query_node_shows(const Timing *t, Slot slot, NodeId node)
{
  return tag_shows(&t->g->tags->tags.at[graph_node_tag(t->g, slot, node)]);
}

/* Returns true for a node that only brings a time to the source of a generated clock, or to a
   launch without a clock.  Such nodes are not on paths. */
static inline bool query_node_is_hidden(const Timing *t, Slot slot, NodeId node)
{
  return tag_is_hidden(&t->g->tags->tags.at[graph_node_tag(t->g, slot, node)]);
}

/* Returns the worst slack at an endpoint over its path ends; INFINITY if it has none. */
double query_end_slack(const Timing *t, Slot slot, int early_late);
bool   query_is_end(const Graph *g, Slot slot);      /* it has path ends; or arcs lead to it, and it
                                                        has checks of data or no fan-out */

/* Returns the summary over all endpoints (timing/end_slacks.h). */
SlackSummary query_slacks(const Timing *t, int early_late);
/* The same over several up-to-date timings of one design.  The slack of an endpoint is its worst
   over all of them. */
SlackSummary query_slacks_of(const Timing *const *timings, uint32_t count, int early_late);

#endif
