/* Sizes gates in passes.

   A pass evaluates all candidates of its gates at once, with the design as it is, and moves each to
   the cheapest. Gates of even and of odd levels take turns, so that few neighbours move together.
   The design is timed exactly after each pass. The first pass may raise the cost by any amount, a
   later one in the first two thirds by 5 %. If it raises the cost by more, the half of its moves
   that promised least is undone. In the last third a pass that is not better is undone; if hold
   slacks count, in all passes. Recovery undoes the moves that take slack from an end point. At the
   end the instances have the cells of the best design seen.

   The weight of a timing edge says how much a picosecond costs there. It comes from the slacks: an
   end point passes on the price of total negative slack, and each edge gets the share of the paths
   that are about as late as the worst. "About" is a span of time that shrinks from pass to pass. So
   many paths are sped up together at first, and only the late ones at last. Weights are averaged
   over passes, like the multipliers of a Lagrangian relaxation. */
#ifndef SL_OPTIMIZE_SIZER_H
#define SL_OPTIMIZE_SIZER_H

#include "optimize/size_problem.h"

/* What the sizer needs from its caller, who owns the netlist and the timers. */
typedef struct {
  /* Gives instances other cells, which are equivalent to the present ones. */
  void (*swap)(void *data, const InstId *insts, const CellId *cells, uint32_t count);
  /* Times the design in all scenarios. Returns their timings, which stay where they are until the
     next call, or NULL if that failed or was interrupted. */
  const Timing *const *(*update)(void *data);
  /* Called after each pass; pass 0 is the design as it was. */
  void (*progress)(void *data, uint32_t pass, uint32_t moves, const SizeScore *score);
  void *data;
} SizeHost;

typedef struct {
  SizeCosts costs;
  Leakage  *leakage;
  bool      by_cost;                 /* the best design is the one with the least cost; else
                                        size_score_is_better decides */
  bool      keep;                    /* the best design is the one with the least cost of those that
                                        keep the slacks and limits that the first one has; where
                                        hold counts, the total and worst hold slack too */
  bool      keep_ends;               /* no end point ends with less late slack than at first, or
                                        than the slack margin where it had more */
  bool      recover;                 /* also change gates without violations if that is cheaper */
  bool      scaled;                  /* the prices are scaled by size_problem_scale */
  bool      rules_alone;             /* of gates without recovery, only those at nets above their
                                        limits change */
  double    most_area;               /* limit of the area of the design; 0: none */
  uint32_t  passes;
  double    time_limit;              /* seconds after which no pass begins; INFINITY: none */
  float     slack_margin;            /* ps */
  uint32_t  seed;                    /* leaves some moves of each pass out by chance; 0: none */
  int       threads;
  const struct DeviceOps *device;    /* evaluates the cells; NULL: the CPU does */
  EngineOptions engine;              /* options of the device */
} SizeOptions;

typedef struct {
  SizeScore before, after;
  char      lost[240];               /* what failed on the device, so that the CPU took over; empty:
                                        nothing */
  bool      begun;                   /* false: interrupted while the gates were listed, so the rest
                                        says nothing */
  uint32_t  passes, gates, changed;
  uint32_t  fixed, left;             /* fixed_cells and left_cells of SizeProblem */
  uint32_t  other_graph;             /* as in SizeProblem */
} SizeResult;

/* Sizes the gates. timings: one of each scenario, the current one first. They must be up to date,
   with required times. Moves of gates must keep the graphs. Returns FAILED if interrupted, or if
   the design cannot be timed; the instances have the cells of the best design seen then too. */
Status size_gates(const Timing *const *timings, uint32_t count, const SizeOptions *o,
                  const SizeChoice *choice, const SizeHost *host, SizeResult *out);

#endif
