/* Delays as they are added to arrivals: derated, and if sigma counts, with the contribution of
   their variance.

   A delay is then an independent normal variable. Each arrival has the variance of the path that
   brings it, and the arrival itself is the quantile: mean + n sigma for late, mean - n sigma for
   early. The worst of several arrivals is the one with the worst quantile, and its variance goes
   on; variances are not mixed. Of equal quantiles the larger variance goes on (merge_varied in
   cpu/cpu_arrival.c), so the order of merging does not matter. So the numbers of a pin are those of
   a path. An arc with variance
   s^2 that follows a path with variance v adds to the quantile

       delay + n (sqrt(v + s^2) - sqrt(v))           (early: delay - ...)

   So arrivals are added and compared as plain delays are. At a path end the variances of launch,
   capture and check are added, without that of the common clock path. So the required time is not
   the sum of the quantiles; timing_end_variation returns the difference. Without sigma,
   arrival_variance is NULL. Then all variances are 0, and delays are exactly the derated ones. */
#ifndef SL_TIMING_SIGMA_H
#define SL_TIMING_SIGMA_H

#include "timing/timing.h"
#include "math/normal_sum.h"

/* Returns true if numbers depend on whether a node carries a clock. */
static inline bool timing_tells_clocks(const Timing *t, const uint32_t *derate)
{
  return derate || t->sigma.arrival_variance;
}

/* Returns the variance of a node's arrival; 0 without sigma. */
static inline float timing_variance(const Timing *t, NodeId node, int condition)
{
  return t->sigma.arrival_variance ? t->sigma.arrival_variance[node].v[condition] : 0;
}

/* Returns the variance of an ideal clock's latency: 0, or for a generated clock that of the arrival
   at its source. */
static inline float timing_ideal_variance(const Timing *t, TagId tag, int condition)
{
  const Graph *g = t->g;
  if (t->sigma.arrival_variance == NULL || g->by_tag.origin[tag] == NO_NODE_ID) return 0;
  return t->sigma.arrival_variance[g->by_tag.origin[tag]]
      .v[condition_of(condition >> 1, clock_edge_edge(g->tags->tags.at[tag].clock_edge))];
}

/* Returns the variance of an arrival at a seed: that of the latency of a generated clock, or 0. */
static inline float timing_seed_variance(const Timing *t, const Seed *seed, int condition)
{
  if (t->sigma.arrival_variance == NULL || seed->origin == NO_NODE_ID) return 0;
  return t->sigma.arrival_variance[seed->origin].v[condition_of(condition >> 1, seed->origin_edge)];
}

/* Returns the variance of the arrival that a generated clock takes over by a link
   (timing_link_arrival). */
static inline float timing_link_variance(const Timing *t, const ClockLink *link, int early_late)
{
  if (t->sigma.arrival_variance == NULL) return 0;
  const Graph *g = t->g;
  TagId tag = graph_node_tag(t->g, link->slot, link->from);
  if (!g->by_tag.is_ideal[tag])
    return t->sigma.arrival_variance[link->from].v[condition_of(early_late, link->edge)];
  return timing_ideal_variance(t, tag,
                               condition_of(early_late,
                                            clock_edge_edge(g->tags->tags.at[tag].clock_edge)));
}

/* Returns the variance of the arrival with which an arc starts; 0 for a launch without latency. */
static inline float timing_start_variance(const Timing *t, ArcId a, NodeId from, NodeId to,
                                          int condition, bool launch)
{
  if (t->sigma.arrival_variance == NULL) return 0;
  const Graph *g = t->g;
  TagId tag = graph_node_tag(t->g, g->arcs.from[a], from);
  if (launch && g->by_tag.is_bare[graph_node_tag(t->g, g->arcs.to[a], to)]) return 0;
  if (launch && g->by_tag.is_ideal[tag]) return timing_ideal_variance(t, tag, condition);
  return t->sigma.arrival_variance[from].v[condition];
}

static inline float timing_growth(const Timing *t, int condition, float before, float variance)
{
  float growth = ocv_growth(t->sigma.quantile, before, variance);
  return condition >> 1 == LATE ? growth : -growth;
}

/* Returns the variance of an arc's delay: from the coefficient if one was given, else from the
   library's sigma. */
static inline float timing_arc_variance(const Timing *t, ArcId a, bool clock, int condition,
                                        float delay, float library_sigma)
{
  float coefficient = t->sigma.rows.rows.at[t->sigma.arc[a]].factor[clock][condition];
  float sigma = coefficient >= 0 ? coefficient * delay : library_sigma;
  return sigma * sigma;
}

static inline float timing_edge_variance(const Timing *t, ArcId a, uint32_t e, bool clock,
                                         int condition)
{
  return timing_arc_variance(t, a, clock, condition, t->edge_delay[e].v[condition >> 1],
                             t->sigma.edge[e].v[condition >> 1]);
}

static inline float timing_wire_variance(const Timing *t, uint32_t load, float delay, bool clock,
                                         int condition)
{
  float sigma = t->sigma.rows.rows.at[t->sigma.wire[load]].factor[clock][condition] * delay;
  return sigma * sigma;
}

/* Returns what timing edge e of an arc adds to an arrival that has the variance `before`.
   condition: that of the output. */
static inline float timing_edge_delay(const Timing *t, ArcId a, uint32_t e, bool clock,
                                      int condition, float before)
{
  float delay = derated(t->edge_delay[e].v[condition >> 1],
                        timing_derate(t, t->derates.arc, a, clock, condition));
  if (t->sigma.arrival_variance == NULL) return delay;
  return delay
         + timing_growth(t, condition, before, timing_edge_variance(t, a, e, clock, condition));
}

/* The same for a wire; load: the index of its load. */
static inline float timing_wire_delay(const Timing *t, uint32_t load, float delay, bool clock,
                                      int condition, float before)
{
  float wire = derated(delay, timing_derate(t, t->derates.wire, load, clock, condition));
  if (t->sigma.arrival_variance == NULL) return wire;
  return wire +
    timing_growth(t, condition, before, timing_wire_variance(t, load, delay, clock, condition));
}

/* Returns the mean of an arrival, which is stored as a quantile. */
static inline float timing_mean(const Timing *t, NodeId node, int condition)
{
  float arrival = t->arrival[node].v[condition];
  if (t->sigma.arrival_variance == NULL || time_absent(arrival)) return arrival;
  float spread = t->sigma.quantile * sqrtf(t->sigma.arrival_variance[node].v[condition]);
  return condition >> 1 == LATE ? arrival - spread : arrival + spread;
}

#endif
