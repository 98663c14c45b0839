/* Numbers that are computed from Timing on demand: slacks of path ends, margins of checks, times of
   latches, capacitances of pins. Times are in ps, capacitances in fF. */
#ifndef SL_TIMING_DERIVED_H
#define SL_TIMING_DERIVED_H

#include "math/common_path.h"
#include "math/latch.h"
#include "timing/timing.h"

/* --- path ends, checks, latches ------------------------------------------------------ */
/* Returns the slew at the start of an arc.  clock_pin: it is a launch arc or a check, which at an
   ideal clock sees the slew of set_clock_transition. */
float timing_input_slew(const Timing *t, Slot from, bool clock_pin, int condition);

/* Returns the worst arrival at a path end, with the common path credit of its launch and
   capture. */
float timing_end_arrival(const Timing *t, const PathEnd *end, int edge);
/* The parts of a path end's required time that depend on the data: the margin of the check and its
   sigma (both by the slew of the data), the variance of the arrival, and the leaf where the data
   was launched.  The last two are set only if sigma counts. */
typedef struct {
  float    margin, check_sigma, variance;
  uint32_t launch;
} PathEndData;
/* Returns these parts for the worst path. */
PathEndData timing_end_data(const Timing *t, const PathEnd *end, int edge);
/* Returns the capturing leaf whose credit the worst slack of a path end has, for an edge of its
   data; 0: no credit.  For a latch whose data is late, it is the leaf of the closing edge. */
uint32_t timing_end_leaf(const Timing *t, const PathEnd *end, int edge);
uint32_t timing_end_leaf_of(const Timing *t, const PathEnd *end, int edge, const PathEndData *data);
/* Returns the required time of a path end for an edge of its data, in ps after the launching edge.
   *has: false if there is none. */
float timing_end_required(const Timing *t, PathEndId end, int edge, bool *has);
float timing_end_required_of(const Timing *t, PathEndId end, int edge, const PathEndData *data,
                             bool *has);
/* Returns the slack of the worst path to a path end for an edge of its data; NO_SLACK
   (math/condition.h) if nothing arrives or nothing is required. */
float timing_end_slack(const Timing *t, PathEndId end, int edge, float *required);
/* Returns by how much an end's required time is later (early data: earlier) than the plain sum of
   quantiles; 0 without sigma. */
float timing_end_variation(const Timing *t, const PathEnd *end, int edge);
float timing_end_variation_of(const Timing *t, const PathEnd *end, int edge,
                              const PathEndData *data);
/* Returns the sigma of a check's margin from the library's tables; the second form is for a given
   slew of the data. */
float timing_check_sigma(const Timing *t, const Check *check, int data_edge, int early_late);
float timing_check_sigma_at(const Timing *t, const Check *check, int data_edge, int early_late,
                            float data_slew);
/* Returns the times at which the data of a latch is due, for an edge of the data. */
LatchTimes timing_latch_times(const Timing *t, const PathEnd *end, int edge);
/* The data that comes through an open latch: one item for each launching leaf.  Times are relative
   to the launching edge of the latch's output, before the delay through the latch. */
typedef struct {
  float    start;
  float    most;                  /* the start that results if the path borrows all that it
                                     may */
  uint32_t leaf;                  /* the leaf that launched the data */
} LatchGiven;
typedef struct {
  const Timing     *t;
  const PathEnd    *end;
  const CommonItem *items;        /* [count]; NULL: use item */
  CommonItem        item;
  double            between;      /* from the launching edge of the data to the opening edge */
  LatchTimes        due;
  uint32_t          count, next;
} LatchGivens;
LatchGivens timing_latch_givens(const Timing *t, PathEndId end, int edge);
bool        timing_latch_next(LatchGivens *givens, LatchGiven *given);

/* Returns in *margin the margin of a check for an edge of its data.  Returns false if the library
   has none. */
bool timing_check_margin(const Timing *t, const Check *check, int data_edge, int early_late,
                         float *margin);
/* As timing_check_margin, for a given slew of the data. */
bool timing_check_margin_at(const Timing *t, const Check *check, int data_edge, int early_late,
                            float data_slew, float *margin);

/* --- capacitances ----------------------------------------------------------------------------- */
/* Returns the capacitance of a slot's pin by condition, fF: from the library or, for a port, from
   constraints. */
Cond4 timing_pin_cap(const Timing *t, Slot slot);
/* Returns true if the load of a driver includes the capacitance of its own pin (or the set_load of
   an input port).  In the Elmore model of the contests it does not, except at inout pins, which are
   loads too. */
bool  timing_own_cap_counts(const Timing *t, Slot driver);
/* Returns the part of a driver's load that is its own pin.  It is 0 if the delay model leaves the
   pin out, unless the capacitances of the parasitics contain it. */
Cond4 timing_own_cap_seen(const Timing *t, Slot driver);
/* Returns the slot whose capacitance is the driver's own; for an inout pin, this is its load
   slot. */
Slot  timing_cap_slot(const Graph *g, Slot driver);
Cond4 timing_own_cap(const Timing *t, Slot driver);
/* Returns the capacitance of all pins of the driver's net (loads and other drivers) except its own,
   and except the pins that parasitics with these flags already contain. */
Cond4 timing_other_pins(const Timing *t, Slot driver, uint32_t flags);
/* Returns the mask of conditions in which set_load or set_resistance gives the wires of a net.  In
   these conditions the net's parasitics do not count. */
uint32_t timing_given_wires(const Timing *t, NetId net);

#endif
