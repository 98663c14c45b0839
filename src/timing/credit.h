/* Common path credit as part of the timing numbers: the credits of points of the clock tree, and
   the fronts of arrivals by launching leaf and of required times by capturing leaf
   (math/common_path.h). Times are in ps. */
#ifndef SL_TIMING_CREDIT_H
#define SL_TIMING_CREDIT_H

#include "timing/fronts.h"
#include "timing/timing.h"

struct CommonPaths {
  CommonView view;
  float    (*credit)[2];          /* [points][edge] */
  CommonView variance_view;       /* the same with variances instead of credits */
  float    (*variance)[2];        /* [points][edge], ps^2: early plus late; NULL: sigma does not
                                     count */
  bool       active;              /* some credit, or with sigma some variance, is above 0; if false,
                                     the fields below are not in use */
  Fronts    *launch, *capture;    /* by common_index, for data nodes */
  struct Pruned *pruned;          /* cpu/pruned.h; NULL except while required times go back by
                                     launches */
};

static inline size_t common_index(NodeId node, int condition)
{
  return 4 * (size_t)node + (size_t)condition;
}
static inline bool common_active(const Timing *t) { return t->common && t->common->active; }
/* common_captures: required times are stored by capturing leaf.  common_pruned: they go back by the
   launches that can be the worst. */
static inline bool common_captures(const Timing *t)
{
  return common_active(t) && t->common_options.required == COMMON_BY_PATHS;
}
static inline bool common_pruned(const Timing *t)
{
  return common_active(t) && t->common_options.required == COMMON_BY_LAUNCHES;
}

/* Returns the badness of an arrival, which is larger if the arrival is worse: the late arrival, or
   minus the early one. */
static inline float common_badness(float arrival, int early_late)
{
  return early_late == LATE ? arrival : -arrival;
}

void   common_new(Timing *t);
void   common_free(Timing *t);
/* Allows this many threads to work on the timing from now on. */
void   common_use_threads(Timing *t, int threads);
size_t common_bytes(const Timing *t);

/* Returns the leaf of a clock node, as launch or capture; 0: no credit.  If the options say
   drivers_only, the leaf of a register's own clock pin is that of the driver before it. */
uint32_t common_leaf(const Timing *t, Slot slot, NodeId node);
/* Returns the same for a clock node whose slot is not known. */
uint32_t common_leaf_of_clock(const Timing *t, NodeId clock);
/* Returns the leaf of data that is launched outside the design. It is the leaf of the clock node
   from whose arrival the external delay is measured. 0: no credit: there is no such node, its clock
   is ideal, or sigma counts and the node is at a reference pin. */
uint32_t common_seed_leaf(const Timing *t, const Seed *seed);
/* Returns true if a point counts as the driver before it. With drivers_only this holds for the
   point of a load, unless a clock begins there. Such a point has points below it only if a
   generated clock derives from it. */
bool     common_stands_for_driver(const Timing *t, uint32_t point);
/* Returns true if the reference of a path end is data, which arrives from many launches. */
bool     common_end_between_data(const Timing *t, const PathEnd *end);
/* Makes empty fronts; existing captures stay. */
void     common_make_fronts(Timing *t);
/* The time with which the data of a path end is compared, for an edge of the data: the arrival at
   its capture (absent: none), and the capturing leaf (0: no credit).  The reference of a data check
   arrives from many launches; the one of the worst slack is returned. */
typedef struct {
  float    arrival;
  uint32_t leaf;
} CommonCapture;
CommonCapture common_end_capture(const Timing *t, const PathEnd *end, int edge);
/* Returns all launches of a data reference, sorted by badness; NULL if there is only one
   capture. */
const CommonItem *common_end_references(const Timing *t, const PathEnd *end, uint32_t *count);

/* Returns the worst arrival at a node for a capturing leaf, less the credit (late) or plus the
   credit (early); absent if nothing arrives.  *launch: the launching leaf. */
float common_arrival(const Timing *t, Slot slot, NodeId node, int condition, uint32_t capture,
                     uint32_t *launch);
/* Returns a required time of a node such that its distance from the worst arrival is the worst
   slack over all launches and captures. */
float common_required(const Timing *t, NodeId node, int condition);
/* Returns the credit of a launching and a capturing leaf. */
float common_leaf_credit(const Timing *t, uint32_t launch, uint32_t capture);
/* Returns the variance that launch and capture have in common.  It drops out of the slack. */
float common_end_variance(const Timing *t, const PathEnd *end, int edge, uint32_t launch);

#endif
