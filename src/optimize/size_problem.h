/* A design as a sizing problem: gates, their candidates, and what a change costs (math/sizing.h).

   The part that depends on the library is made once. The part that depends on the design is filled
   from a Timing after each update: slews, delays, loads, and weights. A weight says how much a
   picosecond costs at a place. */
#ifndef SL_OPTIMIZE_SIZE_PROBLEM_H
#define SL_OPTIMIZE_SIZE_PROBLEM_H

#include "math/sizing.h"
#include "optimize/alternatives.h"
#include "query/leakage.h"
#include "timing/timing.h"

/* Prices. The cost of a design is the sum of what it has times these. */
typedef struct {
  double time;                       /* price of a ps of total negative slack */
  double slew;                       /* price of a ps above a slew limit, at each pin */
  double load;                       /* price of a fF above a load limit, at each driver */
  double leakage;                    /* price of a nW */
  double area;                       /* price of a unit of area */
} SizeCosts;

/* Says which cells may be used and which instances may be changed. */
typedef struct {
  Graph *graph;                      /* that of the timing */
  const EditRules *rules;            /* of library cells; NULL: none */
  bool (*may_change)(const void *data, InstId inst);
  const void *data;
} SizeChoice;

typedef struct { uint32_t first, count; } CellRange;

typedef struct {
  const Timing *t;
  SizeCosts     costs;
  Leakage      *leakage;             /* not owned */
  float         slack_margin;        /* slacks below it count as violations, ps */

  ARRAY(InstId)   insts;             /* the instances of the gates */
  ARRAY(SizeGate) gates;
  ARRAY(uint32_t) candidates;
  ARRAY(float)    own_costs;         /* beside candidates */
  ARRAY(float)    areas;             /* beside candidates */
  double          area_price;        /* part of own_costs: a price of area in addition to
                                        costs.area */
  ARRAY(ArcId)    edge_arcs;         /* beside edges: the arc of the graph and its edge */
  ARRAY(uint32_t) edge_at;
  ARRAY(SizeEdge) edges;
  ARRAY(Slot)     net_slots;         /* the driver, for each pair of nets */
  ARRAY(SizeNet)  nets;
  ARRAY(Slot)     pin_slots;         /* beside pins */
  ARRAY(SizePin)  pins;
  ARRAY(float)    pin_rooms;         /* beside pins: how many fF the drivers of the net can take
                                        before they pass a limit of load or slew; may be negative */
  CellArray       others;            /* the alternatives of library cells, side by side */
  ARRAY(CellRange) others_of;        /* by CellId: in others; count SIZE_NONE: not asked yet */
  ARRAY(SizeCell) cells;             /* by CellId */
  ARRAY(SizeArc)  arcs;
  ARRAY(SizePort) ports;

  ARRAY(float) multipliers;          /* by end point, 0 to 1: the price of a ps there as a part of
                                        the price of a ps of negative slack */
  Cond4    *weights;                 /* by slot and edge: what a ps more of late arrival costs */
  float    *edge_weights;            /* by timing edge of the graph */
  float    *slew_limits;             /* by slot; 1e30: none */
  uint32_t  fixed_cells;             /* number of instances that no other cell can replace */
  uint32_t  other_graph;             /* number of those whose alternatives need another graph */
  bool      filled;                  /* the weights of an earlier pass are there */
  uint32_t  evaluated;               /* number of evaluations */
} SizeProblem;

/* t must be up to date whenever the problem is used. */
SizeProblem *size_problem_new(const Timing *t, const SizeCosts *costs, const SizeChoice *choice,
                              Leakage *leakage);
void         size_problem_free(SizeProblem *p);
/* Fills in slews, delays, loads and weights from the timing. smooth: the share of a path falls by a
   factor of e for each `smooth` ps that it is better than the worst one. */
void         size_problem_fill(SizeProblem *p, float smooth);
/* Sets the price of area that is added to costs.area. */
void         size_problem_price(SizeProblem *p, double area_price);
/* Returns the median of the delays of the gates, in ps. */
float        size_middle_delay(const SizeProblem *p);
SizeView     size_problem_view(const SizeProblem *p);

/* The cost of the design, and its parts, with the present timing. */
typedef struct {
  double cost;
  double leakage, area;
  double total_negative, worst;      /* slacks, ps; worst: 0 if none is negative */
  double total_short;                /* sum of what slacks are below the slack margin, ps, 0 or more */
  double slew_excess, load_excess;   /* ps, fF */
  uint32_t slew_pins, load_pins;
} SizeScore;
double    size_area(const Graph *g);
SizeScore size_score(const SizeProblem *p);
/* Returns true if a is better than b: by design rules first, then by total and worst negative
   slack, then by cost. */
bool      size_score_is_better(const SizeScore *a, const SizeScore *b);

#endif
