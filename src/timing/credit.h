/* Common path credit as part of the timing numbers: the credits of places of the clock tree, and
   the fronts of arrivals by launching leaf and of required times by capturing leaf
   (math/common_path.h). Times are in ps. */
#ifndef SL_TIMING_CREDIT_H
#define SL_TIMING_CREDIT_H

#include "timing/fronts.h"
#include "timing/timing.h"

struct CommonPaths {
  CommonView view;
  float    (*credit)[2];          /* [places][phase] */
  CommonView variance_view;       /* the same with variance in the place of credits */
  float    (*variance)[2];        /* [places][phase], ps^2: early and late together; NULL: sigma
                                     does not count */
  bool       active;              /* some credit is not 0; else nothing below is in use */
  Fronts    *launch, *capture;    /* by common_index: of data nodes */
  struct Pruned *pruned;          /* cpu/pruned.h: while required times go back by launches; else
                                     NULL */
};

static inline size_t common_index(NodeId node, int condition)
{
  return 4 * (size_t)node + (size_t)condition;
}
static inline bool common_active(const Timing *t) { return t->common && t->common->active; }
/* Are required times kept by capturing leaf?  Do they go back by launches that are left? */
static inline bool common_captures(const Timing *t)
{
  return common_active(t) && t->common_options.required == COMMON_BY_PATHS;
}
static inline bool common_pruned(const Timing *t)
{
  return common_active(t) && t->common_options.required == COMMON_BY_LAUNCHES;
}

/* Badness of an arrival: the later the worse for late data; the earlier for early. */
static inline float common_badness(float arrival, int early_late)
{
  return early_late == LATE ? arrival : -arrival;
}

void   common_new(Timing *t);
void   common_free(Timing *t);
/* The timing is worked on by so many threads from now on. */
void   common_use_threads(Timing *t, int threads);
size_t common_bytes(const Timing *t);

/* The leaf of a clock node, as launch or capture; 0: no credit.  Where the options say so a
   register's own clock pin does not count, but the driver before it. */
uint32_t common_leaf(const Timing *t, Slot slot, NodeId node);
/* Of a clock's node wherever it is. */
uint32_t common_leaf_of_clock(const Timing *t, NodeId clock);
/* What is launched outside has the leaf of the clock in the design that it counts from; 0. */
uint32_t common_seed_leaf(const Timing *t, const Seed *seed);
/* Only as what a generated clock comes from is a clock pin above other places, and then it counts
   as the driver before it does where only drivers count. */
bool     common_stands_for_driver(const Timing *t, uint32_t place);
/* Is an end's reference data, which arrives from many launches? */
bool     common_end_between_data(const Timing *t, const PathEnd *end);
/* Room for fronts, empty but for captures that are there. */
void     common_make_fronts(Timing *t);
/* What an end's data is compared with, for an edge of it: the arrival at its capture (absent: none)
   and the capturing leaf; 0.  The reference of a check between data arrives from many launches: it
   is the one that the worst slack meets. */
typedef struct {
  float    arrival;
  uint32_t leaf;
} CommonCapture;
CommonCapture common_end_capture(const Timing *t, const PathEnd *end, int edge);
/* All the launches of a data reference, by badness; NULL where there is one capture. */
const CommonItem *common_end_references(const Timing *t, const PathEnd *end, uint32_t *count);

/* The worst arrival in a node for a capturing leaf, with the credit taken off (late) or put on
   (early); absent where nothing arrives.  *launch: its leaf. */
float common_arrival(const Timing *t, Slot slot, NodeId node, int condition, uint32_t capture,
                     uint32_t *launch);
/* Required time of a node: such that its distance from the worst arrival is the worst slack of any
   launch and capture. */
float common_required(const Timing *t, NodeId node, int condition);
/* Credit of a launching leaf and a capturing one. */
float common_leaf_credit(const Timing *t, uint32_t launch, uint32_t capture);
/* Variance that launch and capture have in common: it drops out of the slack. */
float common_end_variance(const Timing *t, const PathEnd *end, int edge, uint32_t launch);

#endif
