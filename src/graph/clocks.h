/* Clock edges and latencies as the graph needs them. */
#ifndef SL_GRAPH_CLOCKS_H
#define SL_GRAPH_CLOCKS_H

#include "graph/graph.h"

/* Generated clocks have no waveform of their own until they are timed. */
bool clock_is_timed(const Constraints *c, ClockId clock);

/* Time of a clock edge in its first period, ps. */
double clock_edge_time(const Constraints *c, ClockEdge e);

/* Time from a clock's edge to its next opposite edge. */
double clock_pulse_width(const Constraints *c, ClockEdge e);

/* Latency of a clock at its sources by condition, {early rise, ...}: set_clock_latency -source. */
float clock_source_latency(const Constraints *c, ClockId clock, int condition);
/* Ideal network latency by condition; 0 for propagated clocks. */
float clock_network_latency(const Constraints *c, ClockId clock, int condition);

/* Pins where the clock starts: leaf drivers and ports (a hierarchical source stands for its net's drivers). */
void clock_source_slots(const Graph *g, ClockId clock, void (*visit)(void *data, Slot slot), void *data);

/* Times from a launching to a capturing edge, ps.  Each launch has its capture, the first edge after it.  setup is the least
   of these distances; hold the largest distance (not over 0) from a launch back to the edge a period before its capture.
   The two clocks' edges are expanded over their common period, or over MAX_CYCLES where there is none. */
typedef struct {
  double setup, hold;         /* capture minus launch */
  double launch;              /* absolute time of the launch of the setup pair */
  double hold_launch;         /* and of the hold pair */
} EdgeDistance;
EdgeDistance clock_edge_distance(const Constraints *c, ClockEdge launch, ClockEdge capture);

bool clocks_have_common_period(const Constraints *c, ClockId a, ClockId b);

/* Are two clocks in groups that do not see each other? */
bool clocks_exclusive(const Constraints *c, ClockId a, ClockId b);

/* Uncertainty between two edges: inter-clock before the capturing clock's own. */
float clock_uncertainty(const Constraints *c, ClockEdge launch, ClockEdge capture, int check);

#endif
