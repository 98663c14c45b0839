/* A scenario of a sizing problem: what a picosecond and a femtofarad cost at each place, computed
   from its timing before each pass.

   A "view" is one analysis of one scenario. Each scenario has a view of its late paths. If hold
   slacks count, it also has one of its early paths. */
#ifndef SL_OPTIMIZE_SIZE_SCENE_H
#define SL_OPTIMIZE_SIZE_SCENE_H

#include "optimize/size_problem.h"

#define SIZE_NO_LIMIT 1e30f
#define SIZE_ANY_PATH 1e6f         /* ps: a span that all paths are in */
#define LEAST_WEIGHT 1e-4          /* weights below this part of the price of time do not count */

typedef ARRAY(float) FloatArray;

/* What a driver has at its net. */
typedef struct {
  SizeNet nets[2];                 /* by edge, of the late analysis */
  float   cap_cost;                /* what a fF more costs */
  float   load, limit;             /* fF */
  PinRoom room;
} DriverNumbers;

/* By edge, ps. */
typedef struct { float of[2]; } EdgeRooms;

struct SizeScene {
  const Timing *t;
  uint32_t first_arc[2];           /* EARLY, LATE: where the arcs of its library begin */
  uint32_t first_port;             /* where its ports begin */
  ARRAY(float) multipliers[2];     /* EARLY, LATE, by endpoint, 0 to 1: the price of a ps there as a
                                      part of the price of a ps of negative slack */
  FloatArray targets;              /* by endpoint: the least late slack that it must keep; empty:
                                      the slack margin */
  FloatArray floors;               /* by endpoint: its late slack must not end below this; empty: it
                                      may */
  Cond4 *weights;                  /* by slot: what a ps more of late arrival costs, and a ps less
                                      of early arrival */
  float *edge_weights[2];          /* EARLY, LATE, by timing edge; means over passes */
  float *edge_parts;               /* by timing edge: its weight in this pass */
  EdgeRooms *rooms;                /* by slot; beside weights */
  float *edge_rooms;               /* by timing edge: ps by which late paths over it may become
                                      longer before an endpoint has both less slack than now and
                                      less than its target */
  float *edge_slews;               /* by timing edge: late slew at its output by the tables; 0: does
                                      not count */
  float *slew_limits;              /* by slot; SIZE_NO_LIMIT: none */
  float *kept_loads;               /* by driver: fF by which its load may stay above the limit */
  DriverNumbers *drivers;          /* by driver */
};

/* Returns the graph of the current scenario. All graphs are of the same netlist. */
static inline const Graph *size_graph(const SizeProblem *problem)
{
  return problem->scenes[0].t->g;
}

/* Late or early values of an edge. */
static inline float size_value(const Cond4 *conditions, int el, int edge)
{
  return conditions->v[condition_of(el, edge)];
}

/* For an arc of the graph, returns the library arc that the scenario uses in the analysis `el`. */
const SizeArc *size_scene_arc(const SizeScene *scene, const SizeView *view, int el, ArcId a,
                              int edge);
/* Computes multipliers and weights of a view from the slacks. smooth: as in size_problem_fill. */
void size_weigh(const SizeProblem *problem, SizeScene *scene, int el, float smooth);
/* Sets the late weights of slots: greater than 0 on paths to endpoints with less slack than their
   targets, if the path's slack is at most 20 times `smooth` ps above the worst one there. */
void size_mark_short(const SizeProblem *problem, SizeScene *scene, float smooth);
/* Makes late slack cheaper at all endpoints. */
void size_cheapen(SizeScene *scene);
/* Sets the targets: each endpoint must keep the slack margin, or its present slack if that is
   less. */
void size_keep_slacks(const SizeProblem *problem, SizeScene *scene);
/* Sets the floors: no endpoint may end with less than the slack margin, or than its present slack
   if that is less. */
void size_take_floors(const SizeProblem *problem, SizeScene *scene);
/* Sets the targets to the floors. An endpoint below its floor keeps its present slack as its
   target, unless floors_alone. */
void size_keep_floors(const SizeProblem *problem, SizeScene *scene, bool floors_alone);
/* Accepts slews and loads that are above their limits now. From now on, only what exceeds their
   present value counts as a violation. */
void size_keep_rules(const SizeProblem *problem, SizeScene *scene);
/* Removes the targets. */
void size_forget_targets(SizeScene *scene);
/* Computes the numbers of the scenario's drivers. */
void size_fill_drivers(const SizeProblem *problem, SizeScene *scene);
/* Fills in the gates' edges, nets and pins from all scenarios. */
void size_fill_gates(SizeProblem *problem);

#endif
