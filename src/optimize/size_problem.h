/* A design as a sizing problem: gates, their candidates, and what a change costs (math/sizing.h).

   The library's part is made once.  The design's part is filled from a timing after each update:
   slews, delays, loads, and the weights, which say how much a picosecond costs where. */
#ifndef SL_OPTIMIZE_SIZE_PROBLEM_H
#define SL_OPTIMIZE_SIZE_PROBLEM_H

#include "math/sizing.h"
#include "query/leakage.h"
#include "timing/timing.h"

/* What things cost.  A design's cost is the sum. */
typedef struct {
  double time;                       /* of a ps of total negative slack */
  double slew;                       /* of a ps above a slew limit, at each pin */
  double load;                       /* of a fF above a load limit, at each driver */
  double leakage;                    /* of a nW */
  double area;                       /* of a unit of area */
} SizeCosts;

/* Which cells may be used and which instances changed. */
typedef struct {
  bool (*may_use)(const void *data, CellId cell);
  bool (*may_change)(const void *data, InstId inst);
  const void *data;
} SizeChoice;

/* What an instance's cell may be changed to. */
typedef struct {
  ARRAY(CellId)   cells;             /* all classes, one behind the other, by name in each */
  ARRAY(uint32_t) class_first;       /* [classes + 1] */
  uint32_t       *class_of;          /* by CellId; SIZE_NONE: it has no other */
} SizeClasses;

typedef struct {
  const Timing *t;
  SizeCosts     costs;
  Leakage      *leakage;             /* not owned */
  SizeClasses   classes;
  float         slack_margin;        /* slacks below it count as violations, ps */

  ARRAY(InstId)   insts;             /* of gates */
  ARRAY(SizeGate) gates;
  ARRAY(uint32_t) candidates;
  ARRAY(float)    own_costs;         /* beside candidates */
  ARRAY(float)    areas;             /* beside candidates */
  double          area_price;        /* of own_costs, beyond costs.area */
  ARRAY(ArcId)    edge_arcs;         /* beside edges: the graph's arc and edge */
  ARRAY(uint32_t) edge_at;
  ARRAY(SizeEdge) edges;
  ARRAY(Slot)     net_slots;         /* by two nets: the driver */
  ARRAY(SizeNet)  nets;
  ARRAY(Slot)     pin_slots;         /* beside pins */
  ARRAY(SizePin)  pins;
  ARRAY(float)    pin_rooms;         /* beside pins: fF that the drivers of its net can take before
                                        a limit of load or slew is passed; may be negative */
  ARRAY(SizeCell) cells;             /* by CellId */
  ARRAY(SizeArc)  arcs;
  ARRAY(SizePort) ports;

  ARRAY(float) multipliers;          /* of end points, 0 to 1: what part of the cost of a ps of
                                        negative slack a ps costs there */
  Cond4    *weights;                 /* by slot, late: of a ps more arrival, by edge */
  float    *edge_weights;            /* by timing edge of the graph */
  float    *slew_limits;             /* by slot: 1e30 none */
  uint32_t  fixed_cells;             /* instances without another cell */
  bool      filled;                  /* weights are there from before */
  uint32_t  evaluated;               /* how often */
} SizeProblem;

/* Cells by class; each class has at least two. */
SizeClasses size_classes_new(const LibrarySet *libs, const SizeChoice *choice);
void        size_classes_free(SizeClasses *c);

/* t must be up to date whenever the problem is used. */
SizeProblem *size_problem_new(const Timing *t, const SizeCosts *costs, const SizeChoice *choice,
                              Leakage *leakage);
void         size_problem_free(SizeProblem *p);
/* Slews, delays, loads and weights as they are.  smooth: ps over which paths count beside the worst
   one of an end point. */
void         size_problem_fill(SizeProblem *p, float smooth);
/* Makes area dearer, or cheaper again, than costs.area says. */
void         size_problem_price(SizeProblem *p, double area_price);
/* The middle one of the gates' delays, ps. */
float        size_middle_delay(const SizeProblem *p);
SizeView     size_problem_view(const SizeProblem *p);

/* The cost of the design as it is timed, and its parts. */
typedef struct {
  double cost;
  double leakage, area;
  double total_negative, worst;      /* slacks, ps; worst: 0 if none is negative */
  double slew_excess, load_excess;   /* ps, fF */
  uint32_t late_ends, slew_pins, load_pins;
} SizeScore;
double    size_area(const Graph *g);
SizeScore size_score(const SizeProblem *p);
/* By design rules first, then total and worst negative slack, then cost: is a better than b? */
bool      size_score_is_better(const SizeScore *a, const SizeScore *b);

#endif
