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

/* Prices. The cost of a design is the sum of its quantities (negative slack, excess over limits,
   leakage, area), each times its price. */
typedef struct {
  double time;                       /* price of a ps of total negative slack */
  double hold;                       /* price of a ps of total negative hold slack; 0: hold slacks
                                        do not count */
  double slew;                       /* price of a ps above a slew limit, at each pin */
  double load;                       /* price of a fF above a load limit, at each driver */
  double leakage;                    /* price of a nW */
  double area;                       /* price of a unit of area */
} SizeCosts;

/* Says which cells may be used and which instances may be changed. */
typedef struct {
  Graph **graphs;                    /* those of the timings */
  uint32_t graph_count;
  const EditRules *rules;            /* of library cells; NULL: none */
  bool (*may_change)(const void *data, InstId inst);
  const void *data;
} SizeChoice;

typedef struct { uint32_t first, count; } CellRange;

/* How much load a pin's net can still take before its driver exceeds a limit of load or of slew. */
typedef struct {
  float load, slew;                  /* fF until a limit of load, or of slew, is exceeded; may be
                                        negative */
  float slew_price;                  /* price of a fF above `slew`; 0 if `slew` is negative, because
                                        the cost of the pin contains it already */
} PinRoom;

enum { SIZE_SCENES = 32 };            /* most scenarios */
typedef struct SizeScene SizeScene;

typedef struct {
  SizeScene    *scenes;              /* optimize/size_scene.h; the first is the current one */
  uint32_t      scene_count;
  int           threads;
  SizeCosts     costs;
  Leakage      *leakage;             /* not owned */
  float         lost_price;          /* factor of the price of time at endpoints below their floors
                                        (size_scene.h), while the sizer restores their slack */
  float         slack_margin;        /* slacks below it count as violations, ps */

  ARRAY(InstId)   insts;             /* the instances of the gates */
  ARRAY(SizeGate) gates;
  ARRAY(float)    most_gains;        /* beside gates: an upper bound of what another cell can
                                        save */
  ARRAY(uint32_t) candidates;
  ARRAY(float)    own_costs;         /* beside candidates */
  ARRAY(float)    leakages;          /* beside candidates, nW */
  ARRAY(float)    areas;             /* beside candidates */
  double          area_price;        /* part of own_costs: a price of area in addition to
                                        costs.area */
  ARRAY(SizeEdge) edges;             /* a gate has room for all its edges of all views; those that
                                        count stand first */
  ARRAY(uint32_t) first_outs;        /* by gate: index of its first output in outs; a last entry
                                        has the end of all */
  ARRAY(PinId)    outs;
  ARRAY(SizeNet)  nets;
  ARRAY(PinId)    ins;               /* beside pins */
  ARRAY(SizePin)  pins;
  ARRAY(PinRoom)  rooms;             /* beside pins */
  ARRAY(float)    least_caps, most_caps;    /* beside pins: over the candidates */
  CellArray       others;            /* the alternatives of library cells, side by side */
  ARRAY(CellRange) others_of;        /* by CellId: in others; count SIZE_NONE: not asked yet */
  ARRAY(SizeCell) cells;             /* by CellId */
  ARRAY(SizeArc)  arcs;              /* of each view, side by side */
  ARRAY(SizePort) ports;             /* of each scenario, side by side */

  float    *leakage_of;              /* by instance, of the present cell, nW; those of gates are of
                                        the last score */
  uint32_t  fixed_cells;             /* number of instances that may change, but for which the sizer
                                        has no other cell */
  uint32_t  left_cells;              /* number of instances that may not change */
  uint32_t  other_graph;             /* number of instances whose alternatives would all need
                                        another graph */
  float     reach;                   /* ps: an edge with less room than this has a price for delay
                                        beyond its room */
  bool      filled;                  /* the weights of an earlier pass are there */
  uint32_t  evaluated;               /* number of evaluations */
} SizeProblem;

/* timings: one of each scenario, at most SIZE_SCENES. They must be up to date whenever the problem
   is used. */
SizeProblem *size_problem_new(const Timing *const *timings, uint32_t count, const SizeCosts *costs,
                              const SizeChoice *choice, Leakage *leakage, int threads);
/* Says where the timings are after an update. */
void         size_problem_time(SizeProblem *problem, const Timing *const *timings);
void         size_problem_free(SizeProblem *problem);
/* Fills in slews, delays, loads and weights from the timing. smooth: a driver divides its weight
   among the timing edges that end there, and the share of an edge falls by a factor of e for each
   `smooth` ps by which its slack is better than the worst slack there. After an interrupt some
   numbers are not filled in. */
void         size_problem_fill(SizeProblem *problem, float smooth);
/* Sets the price of area that is added to costs.area. */
void         size_problem_price(SizeProblem *problem, double area_price);
/* Scales the prices, so that they depend neither on the speed of the library nor on the present
   sizes. At the call, the prices of time and hold are those of `delay` ps. They are divided by
   `delay`, so that they become prices of one ps. Those of leakage and area are multiplied by the
   total of the present cells, divided by the total that the gates would have with the mean of their
   candidates. */
void         size_problem_scale(SizeProblem *problem, float delay);
/* Returns the median of the delays of the gates, in ps. */
float        size_middle_delay(const SizeProblem *problem);
SizeView     size_problem_view(const SizeProblem *problem);

/* The cost of the design, and its parts, with the present timing. The cost adds up all scenarios.
   The slack of an endpoint is its worst over the scenarios. Violations are those of the scenario
   that has most. */
typedef struct {
  double cost;
  double spent;                      /* the part of cost for leakage and area */
  double leakage, area;
  double total_negative, worst;      /* slacks, ps; worst: 0 if none is negative */
  double hold_negative, hold_worst;  /* the same of hold */
  bool   by_hold;                    /* hold slacks count */
  double total_short;                /* sum over endpoints of (the slack that it has to have - its
                                        slack), where positive, ps; of the scenario that has most */
  double lost;                       /* sum over scenarios and endpoints of (floor - slack), where
                                        positive, ps */
  uint32_t lost_ends;                /* number of those endpoints */
  double slew_excess, load_excess;   /* ps, fF */
  uint32_t slew_pins, load_pins;
} SizeScore;
double    size_area(const Graph *g);
SizeScore size_score(const SizeProblem *problem);
/* Returns true if a is better than b: by design rules first, then by total_short and the worst
   negative slack, then, if they count, by total and worst negative slack of hold, then by cost. */
bool      size_score_is_better(const SizeScore *a, const SizeScore *b);

#endif
