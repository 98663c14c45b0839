/* Sizes gates in passes.

   A pass evaluates all candidates of its gates at once, with the design as it is, and gives each
   gate its cheapest candidate. Gates of even and of odd levels take turns, so that few neighbours
   move together. The design is timed exactly after each pass. The first pass may raise the cost by
   any amount. A later pass may raise it by 5 %, if it is in the first two thirds of all passes. If
   it raises the cost by more, the half of its moves that promised least is undone. A pass in the
   last third is undone if the design is not better after it. If hold slacks count, this rule
   applies to every pass. In a recovery (SizeOptions.keep), the moves that take slack from an
   endpoint are undone. At the end the instances have the cells of the best design seen. The passes
   do not look at a placement. Wires that come from a placement are estimated again only after the
   command (doc/sizing.md).

   The weight of a timing edge says how much a picosecond costs there. It is computed from the
   slacks, backward from the endpoints. The weight of an endpoint is the price of total negative
   slack times a factor, which depends on the slack of the endpoint. Each driver divides its weight
   among the timing edges that end there: an edge gets a large share if its worst path is about as
   late as the worst path of the driver. "About" is a span of time that shrinks from pass to pass.
   Therefore the first passes speed up many paths together, and the last passes only the late ones.
   Weights are averaged over passes, like the multipliers of a Lagrangian relaxation. */
#ifndef SL_OPTIMIZE_SIZER_H
#define SL_OPTIMIZE_SIZER_H

#include "optimize/edits.h"
#include "optimize/size_problem.h"

/* What the sizer needs from its caller, who owns the netlist and the timers. */
typedef struct {
  /* Gives instances other cells, which are equivalent to the present ones. No instance is in
     two of the swaps. */
  void (*swap)(void *data, const EditSwap *swaps, uint32_t count);
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
  bool      keep;                    /* a design must keep the slacks and limits of the first one
                                        and, if hold counts, its total and worst hold slack. Of
                                        the designs that do, the best one has the least cost of
                                        leakage and area */
  bool      keep_ends;               /* no endpoint may lose late slack, except slack above the
                                        slack margin */
  bool      recover;                 /* also change gates without violations if that is cheaper */
  bool      scaled;                  /* the prices are scaled by size_problem_scale */
  bool      rules_alone;             /* if `recover` is false, only gates at nets above their limits
                                        change */
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
   with required times. The sizer takes only cells that can be swapped in place in all graphs of
   SizeChoice. Returns FAILED if interrupted, or if the design cannot be timed. In this case too,
   the instances have the cells of the best design so far. */
Status size_gates(const Timing *const *timings, uint32_t count, const SizeOptions *options,
                  const SizeChoice *choice, const SizeHost *host, SizeResult *out);

#endif
