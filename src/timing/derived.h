/* Numbers that are computed from Timing on demand: slacks of path ends, margins of checks, times of
   latches, capacitances of pins. Times are in ps, capacitances in fF. */
#ifndef SL_TIMING_DERIVED_H
#define SL_TIMING_DERIVED_H

#include "math/common_path.h"
#include "math/latch.h"
#include "timing/timing.h"

/* --- rows of end points, checks, latches ------------------------------------------------------ */
/* Slew at the start of an arc; clock_pin: a launching or checking arc, which at an ideal clock sees
   set_clock_transition. */
float timing_input_slew(const Timing *t, Slot from, bool clock_pin, int condition);

/* The worst arrival for an end, credited for what its launching and capturing paths have in
   common. */
float timing_end_arrival(const Timing *t, const PathEnd *end, int edge);
/* What an end's required time takes from its data: the check's margin and its sigma (by the data's
   slew), variance of the arrival, where it was launched.  The last two only where sigma counts. */
typedef struct {
  float    margin, check_sigma, variance;
  uint32_t launch;
} RowData;
/* Of the worst path. */
RowData timing_end_data(const Timing *t, const PathEnd *end, int edge);
/* The capturing leaf with which the worst slack of an end is credited, for an edge of its data: of
   a latch that of the closing edge where data is late for it; 0. */
uint32_t timing_end_leaf(const Timing *t, const PathEnd *end, int edge);
uint32_t timing_end_leaf_of(const Timing *t, const PathEnd *end, int edge, const RowData *data);
/* Required time that an end asks of an edge of its data, ps after the launching edge; *has: whether
   it does. */
float timing_end_required(const Timing *t, PathEndId end, int edge, bool *has);
float timing_end_required_of(const Timing *t, PathEndId end, int edge, const RowData *data, bool *has);
/* Slack of the worst path to an end for an edge of its data; NO_SLACK where nothing arrives or is
   asked. */
#define NO_SLACK 1e30f
float timing_end_slack(const Timing *t, PathEndId end, int edge, float *required);
/* How much later (late data; earlier for early) an end's required time is than plain sums of
   quantiles make it; 0 without sigma. */
float timing_end_variation(const Timing *t, const PathEnd *end, int edge);
float timing_end_variation_of(const Timing *t, const PathEnd *end, int edge, const RowData *data);
/* Sigma of a check's margin, of the library's tables; for data of some slew. */
float timing_check_sigma(const Timing *t, const Check *c, int data_edge, int early_late);
float timing_check_sigma_at(const Timing *t, const Check *c, int data_edge, int early_late,
                            float data_slew);
/* When a latch end's data is due, for an edge of it. */
LatchTimes timing_latch_times(const Timing *t, const PathEnd *end, int edge);
/* What comes through an open latch, one item a launching leaf: for its output's launching edge,
   before the delay through the latch. */
typedef struct {
  float    start;
  float    most;                  /* were all that may be borrowed taken */
  uint32_t leaf;                  /* where the data was launched */
} LatchGiven;
typedef struct {
  const Timing     *t;
  const PathEnd        *row;
  const CommonItem *items;        /* [count]; NULL: item */
  CommonItem        item;
  double            between;      /* from the data's launching edge to the opening one */
  LatchTimes        due;
  uint32_t          count, next;
} LatchPass;
LatchPass timing_latch_passes(const Timing *t, PathEndId end, int edge);
bool      timing_latch_next(LatchPass *p, LatchGiven *given);

/* A check's margin for an edge of its data; false when the library has none. */
bool timing_check_margin(const Timing *t, const Check *c, int data_edge, int early_late,
                         float *margin);
/* The same for data of some slew. */
bool timing_check_margin_at(const Timing *t, const Check *c, int data_edge, int early_late,
                            float data_slew, float *margin);

/* Slack of data that arrives at a time. */
static inline float timing_slack(int early_late, float required, float arrival)
{
  return early_late == LATE ? required - arrival : arrival - required;
}

/* --- capacitances ----------------------------------------------------------------------------- */
/* Capacitance of a slot's pin by condition, fF: the library's or what constraints put on a port. */
Cond4 timing_pin_cap(const Timing *t, Slot slot);
/* Does a driver's own pin (or what set_load put on an input port) count? Not in the contest's
   Elmore model, but for inout pins, which are loads as well. */
bool  timing_own_cap_counts(const Timing *t, Slot driver);
/* What the driver's own pin is of the load that it sees: none where the delay model leaves it out,
   but for parasitics whose capacitances hold it. */
Cond4 timing_own_cap_seen(const Timing *t, Slot driver);
/* The slot whose capacitance is the driver's own: of an inout pin, its load. */
Slot  timing_cap_slot(const Graph *g, Slot driver);
Cond4 timing_own_cap(const Timing *t, Slot driver);
/* Capacitance of all pins of the driver's net but its own, loads and other drivers, and but for
   those that a piece of parasitics with such flags holds. */
Cond4 timing_other_pins(const Timing *t, Slot driver, uint32_t flags);
/* The conditions in which set_load or set_resistance speak of a net, a bit each: there they count,
   not parasitics. */
uint32_t timing_given_wires(const Timing *t, NetId net);

#endif
