/* Queries of the numbers of the last update: arrivals, required times and slacks of pins, WNS and
   TNS. Times are in ps. */
#ifndef SL_TIMING_SLACK_H
#define SL_TIMING_SLACK_H

#include "timing/end_slacks.h"

/* The worst of one condition at a slot over its tags, absolute times in ps.  Arrival and slack may
   come from different tags; required belongs to the tag of the slack. */
typedef struct {
  bool   arrives;         /* any arrival */
  bool   constrained;     /* any slack */
  double arrival, required, slack;
} PinTime;

/* As the paths through the pin have them, inside ideal clock networks too
   (timing/ideal_network.h). */
PinTime query_pin_time(const Timing *t, Slot slot, int condition);
/* As the engine has them, of which arrivals, delays and required times of neighbours add up: what
   tables of other timers have. */
PinTime query_graph_time(const Timing *t, Slot slot, int condition);

/* Required time of one node and condition, as paths have it; the slack from it: false where the
   node is unconstrained. */
float query_node_required(const Timing *t, Slot slot, NodeId node, int condition);
bool  query_node_slack(const Timing *t, Slot slot, NodeId node, int condition, float *slack);

/* Time of the tag's launching edge, ps: what arrivals of its nodes are relative to. */
double query_tag_time(const Timing *t, TagId tag);
static inline TagId query_node_tag(const Timing *t, Slot slot, NodeId node)
{
  return tag_set_tags(t->g->tags, t->g->nodes.slot_tags[slot])[node - t->g->nodes.first[slot]];
}

/* Is a node's time one of its pin? */
static inline bool query_node_shows(const Timing *t, Slot slot, NodeId node)
{
  return tag_shows(&t->g->tags->tags.at[query_node_tag(t, slot, node)]);
}

/* Nodes that bring time to the source of a generated clock, or to a launch without a clock, are no
   paths of their own. */
static inline bool query_node_is_hidden(const Timing *t, Slot slot, NodeId node)
{
  return tag_is_hidden(&t->g->tags->tags.at[query_node_tag(t, slot, node)]);
}

/* Worst slack at an end point over its rows; INFINITY where none applies. */
double query_end_slack(const Timing *t, Slot slot, int early_late);
bool   query_is_end(const Graph *g, Slot slot);      /* has rows; or something leads there, and it
                                                        has checks of data or nothing goes on */

/* Over all end points (timing/end_slacks.h). */
SlackSummary query_slacks(const Timing *t, int early_late);
/* The same over several timings of one design, up to date with it: an end point has its worst slack
   of all. */
SlackSummary query_slacks_of(const Timing *const *timings, uint32_t count, int early_late);

#endif
