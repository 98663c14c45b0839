/* Edges, latencies and relations of clocks, as the graph needs them. Times are in ps. */
#ifndef SL_GRAPH_CLOCKS_CLOCKS_H
#define SL_GRAPH_CLOCKS_CLOCKS_H

#include "graph/graph.h"

/* Has the clock a waveform? A generated clock has none until the graph derives it, and none if that
   fails. */
bool clock_is_timed(const Constraints *c, ClockId clock);

/* Returns the time of a clock edge in the first period. */
double clock_edge_time(const Constraints *c, ClockEdge e);

/* Return the time from an edge to the next opposite edge: the shortest and the longest, if a period
   has several pulses. */
double clock_pulse_width(const Constraints *c, ClockEdge e);
double clock_longest_pulse(const Constraints *c, ClockEdge e);
/* Returns the least time from an edge to the next edge of the same kind. It is the period, unless a
   period has several pulses. */
double clock_edge_period(const Constraints *c, ClockEdge e);

/* Returns the source latency of a clock (set_clock_latency -source) for a condition. */
float clock_source_latency(const Constraints *c, ClockId clock, int condition);
/* Returns the ideal network latency for a condition; 0 for a propagated clock. */
float clock_network_latency(const Constraints *c, ClockId clock, int condition);

/* Returns the source latency that is given for a source pin, for the clock or for all clocks; NAN
   if none. */
float clock_pin_source_latency(const Constraints *c, PinId pin, ClockId clock, int condition);
bool  clock_pin_has_source_latency(const Constraints *c, PinId pin, ClockId clock);
/* Is a source latency given for the clock at a source pin, for the pin or for the clock? */
bool  clock_source_latency_given(const Constraints *c, PinId pin, ClockId clock, int condition);

/* Returns what must be added to the arrival of a capturing clock edge, so that the arrival contains
   the right bound of the source latency.

   The source latency has two bounds, which -early and -late give. With on-chip variation the
   arrival already contains the right bound: the result is 0. In the other analysis types launch and
   capture are on one chip, that of the analysis `side` (EARLY or LATE). Both use the arrivals of
   this chip, and its value of -min or -max. The arrivals contain the bound named like `side`. The
   capture needs the other bound. So the result is the other bound less the bound named like `side`.

   source: the slot where the clock begins, or NO_SLOT for its first source. */
float clock_capture_shift(const Graph *g, ClockEdge edge, Slot source, int side);

/* Do two edges have their source latency from the same edge of the same clock? source_a and
   source_b are the slots where the clocks begin, or NO_SLOT, as `source` of clock_capture_shift. */
bool  clock_share_source(const Graph *g, ClockEdge a, Slot source_a, ClockEdge b, Slot source_b,
                         int side);

/* Warns of source latencies that the analysis type does not use. */
void  clocks_warn_of_unread(const Graph *g, Log *log);

/* Returns the first slot of the clock's sources, or NO_SLOT. */
Slot clock_first_slot(const Graph *g, ClockId clock);

/* Calls visit for each slot where the clock starts: leaf pins and ports. A hierarchical source
   stands for the loads downstream of it, on the side without the driver of the net. */
void clock_source_slots(const Graph *g, ClockId clock, void (*visit)(void *data, Slot slot),
                        void *data);

bool clock_starts_at(const Graph *g, ClockId clock, Slot slot);

/* The times from a launching to a capturing edge. The capture of a launch is the first capturing
   edge after it. setup is the distance from a launch to its capture; the least one over all
   launches counts. hold is the distance from a launch to the capturing edge before its capture. It
   is 0 or negative; the one nearest to 0 over all launches counts. */
typedef struct {
  double setup, hold;         /* capture minus launch */
  double launch;              /* absolute time of the launch with the setup distance */
  double hold_launch;         /* absolute time of the launch with the hold distance */
  bool   endless;             /* the periods have no common multiple */
} EdgeDistance;
EdgeDistance clock_edge_distance(const Constraints *c, ClockEdge launch, ClockEdge capture);

bool clocks_have_common_period(const Constraints *c, ClockId a, ClockId b);

/* Are two clocks in different clock groups, without -allow_paths?  The type of the groups does not
   matter.  add_edges (graph/ends.c) makes no path end for such a pair, so no search meets it.
   report_analysis_coverage (query/coverage.c) and skew limits (query/pulse_width.c) ask too. */
bool clocks_exclusive(const Constraints *c, ClockId a, ClockId b);

/* Returns the uncertainty between two edges. The value for the pair of clocks has priority, then
   that of a pin of the capturing clock (index in clock_pins, or NO_CLOCK_PIN), then the capturing
   clock's own. */
float clock_uncertainty(const Constraints *c, ClockEdge launch, ClockEdge capture,
                        uint32_t clock_pin, int check);

#endif
