/* Clock edges and latencies as the graph needs them. */
#ifndef SL_GRAPH_CLOCKS_H
#define SL_GRAPH_CLOCKS_H

#include "graph/graph.h"

/* Generated clocks have no waveform until the graph has derived it, and none where that fails. */
bool clock_is_timed(const Constraints *c, ClockId clock);

/* Time of a clock edge in its first period, ps. */
double clock_edge_time(const Constraints *c, ClockEdge e);

/* Time from a clock's edge to its next opposite edge: of several pulses in a period the least and
   the greatest. */
double clock_pulse_width(const Constraints *c, ClockEdge e);
double clock_longest_pulse(const Constraints *c, ClockEdge e);
/* Least time from an edge to the next of its kind: the period, unless there are several pulses. */
double clock_edge_period(const Constraints *c, ClockEdge e);

/* Latency of a clock at its sources by condition, {early rise, ...}: set_clock_latency -source. */
float clock_source_latency(const Constraints *c, ClockId clock, int condition);
/* Ideal network latency by condition; 0 for propagated clocks. */
float clock_network_latency(const Constraints *c, ClockId clock, int condition);

/* Source latency given at a source pin, for the clock or for all; NAN. */
float clock_pin_source_latency(const Constraints *c, PinId pin, ClockId clock, int condition);
bool  clock_pin_has_source_latency(const Constraints *c, PinId pin, ClockId clock);
/* Is a source latency given for the clock at a source pin, be it of the pin or of the clock? */
bool  clock_source_latency_given(const Constraints *c, PinId pin, ClockId clock, int condition);

/* Where early and late are two chips, launch and capture have arrivals of one side (EARLY, LATE),
   but the two bounds of the source latency (-early and -late) on that chip, to the user's
   disadvantage. This is the capture's less the arrival's; 0 with on-chip variation. source: where
   the clock begins; NO_SLOT: at its first source. */
float clock_capture_shift(const Graph *g, ClockEdge edge, Slot source, int side);

/* Is the source latency of two edges that of one edge of one clock?  Sources as above. */
bool  clock_share_source(const Graph *g, ClockEdge a, Slot source_a, ClockEdge b, Slot source_b,
                         int side);

/* Says which source latencies the analysis does not read. */
void  clocks_warn_of_unread(const Graph *g, Log *log);

/* The first slot of its sources; NO_SLOT. */
Slot clock_first_slot(const Graph *g, ClockId clock);

/* Pins where the clock starts: leaf pins and ports (a hierarchical source stands for the loads
   behind it, seen from the net's driver). */
void clock_source_slots(const Graph *g, ClockId clock, void (*visit)(void *data, Slot slot),
                        void *data);

bool clock_starts_at(const Graph *g, ClockId clock, Slot slot);

/* Times from a launching to a capturing edge, ps. Each launch has its capture, the first edge after
   it. setup is the least of these distances over all launches; hold the largest distance (not over
   0) from a launch back to the edge before its capture. */
typedef struct {
  double setup, hold;         /* capture minus launch */
  double launch;              /* absolute time of the launch of the setup pair */
  double hold_launch;         /* and of the hold pair */
  bool   endless;             /* the periods have no common multiple */
} EdgeDistance;
EdgeDistance clock_edge_distance(const Constraints *c, ClockEdge launch, ClockEdge capture);

bool clocks_have_common_period(const Constraints *c, ClockId a, ClockId b);

/* Are two clocks in groups that do not see each other?  Groups with -allow_paths do. */
bool clocks_exclusive(const Constraints *c, ClockId a, ClockId b);

/* Uncertainty between two edges: inter-clock before that of a pin of the capturing clock (index in
   clock_pins, or NO_CLOCK_PIN), and that before the clock's own. */
float clock_uncertainty(const Constraints *c, ClockEdge launch, ClockEdge capture,
                        uint32_t clock_pin, int check);

#endif
