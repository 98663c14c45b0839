/* Sizes gates in passes.

   A pass evaluates all candidates of its gates at once, with the design as it is, and moves each to
   the cheapest.  Gates of even and of odd levels have their turns one after the other, so that
   hardly any neighbours move together.  The design is timed exactly after each pass.  Where it has
   become worse, the half of the moves that promised least is taken back.  The best design seen is
   the one that is left.

   How much a picosecond costs on each timing edge (its weight) comes from the slacks: an end point
   passes on what total negative slack costs, and each edge gets the share of the paths that are
   about as late as the worst.  "About" is a span of time that shrinks from pass to pass: first many
   paths are sped up together, at last only those that are late.  Weights are averaged over passes,
   as multipliers of a Lagrangian relaxation are. */
#ifndef SL_OPTIMIZE_SIZER_H
#define SL_OPTIMIZE_SIZER_H

#include "optimize/size_problem.h"

/* What the sizer asks of its caller, who owns netlist and timers. */
typedef struct {
  /* Gives instances other cells.  All are equivalent to those that they had. */
  void (*swap)(void *data, const InstId *insts, const CellId *cells, uint32_t count);
  /* Times the design.  NULL: it failed, or it was interrupted. */
  const Timing *(*update)(void *data);
  /* After each pass; pass 0: as it was. */
  void (*progress)(void *data, uint32_t pass, uint32_t moves, const SizeScore *score);
  void *data;
} SizeHost;

typedef struct {
  SizeCosts costs;
  Leakage  *leakage;
  bool      by_cost;                 /* the best design has the least cost; else the fewest
                                        violations (size_score_is_better) */
  bool      recover;                 /* gates without violations change too, where that is
                                        cheaper */
  double    most_area;               /* of the design; 0: any */
  uint32_t  passes;
  double    time_limit;              /* seconds: no pass begins later; 0: none */
  float     slack_margin;            /* ps */
  int       threads;
  const struct DeviceOps *device;    /* where cells are evaluated; NULL: on the CPU */
  EngineOptions engine;              /* of the device */
} SizeOptions;

typedef struct {
  SizeScore before, after;
  char      lost[240];               /* what failed on the device, whose work the CPU took over;
                                        empty: nothing */
  uint32_t  passes, gates, changed, fixed;
} SizeResult;

/* t: up to date, with required times.  The graph must stay as it is while gates move.  FAILED:
   interrupted, or the design cannot be timed; the best design seen is left then as well. */
Status size_gates(const Timing *t, const SizeOptions *o, const SizeChoice *choice,
                  const SizeHost *host, SizeResult *out);

#endif
