/* The CPU backend's parts, one file each; cpu_backend.c loops over the levels. */
#ifndef SL_CPU_CPU_H
#define SL_CPU_CPU_H

#include "update/backend.h"
#include "timing/level_run.h"
#include "timing/fronts.h"
#include "math/common_path.h"
#include "math/latch.h"

/* Phases, as in Backend. */
bool cpu_forward(Timing *t);
bool cpu_arrivals(Timing *t);
bool cpu_common_paths(Timing *t);
bool cpu_backward(Timing *t);

void cpu_reduce_nets(Timing *t, const Slot *drivers, uint32_t count);
void cpu_rc_work_free(struct RcWork *w);      /* NULL: nothing */
/* Of levels [level, end); false when interrupted. */
bool cpu_level_arrivals(Timing *t, uint32_t level, uint32_t end);
void cpu_end_points(Timing *t);
/* Required times before arcs and wires, of part of a level: 1, its loads; 2, its drivers. */
void cpu_share_required(Timing *t, LevelShare share, unsigned parts);

/* Credits of the clock tree from the arrivals in it, and what follows: fronts of launches, captures and required times. */
void cpu_common_credits(Timing *t);
bool cpu_level_fronts(Timing *t, uint32_t level, uint32_t end);
bool cpu_captures(Timing *t);
/* Required times by launches (cpu/pruned.h), of all levels. */
bool cpu_pruned_backward(Timing *t);
/* Of one slot; true when something changed. */
bool cpu_slot_front(Timing *t, Slot slot);
bool cpu_slot_captures(Timing *t, Slot slot);

/* The delays of single drivers, for incremental updates. */
void cpu_driver_delays(Timing *t, const Slot *drivers, uint32_t count);
/* Delays of latch data to output arcs, after all levels. */
void cpu_latch_delays(Timing *t);
void cpu_slot_arrival(Timing *t, Slot slot);
void cpu_slot_required(Timing *t, Slot slot);
void cpu_slot_ends(Timing *t, Slot slot);
/* What a bare tag leaves out at its launch, and is due the later before it; 0. */
float cpu_left_out(const Timing *t, ArcId a, NodeId from_node, NodeId to_node, int condition);

/* Slew at the start of an arc; clock_pin: a launching or checking arc, which at an ideal clock sees
   set_clock_transition. */
float cpu_input_slew(const Timing *t, Slot from, bool clock_pin, int condition);

/* The worst arrival for a row, credited for what its launching and capturing paths have in common. */
float cpu_row_arrival(const Timing *t, const Row *row, int edge);
/* What a row's required time takes from its data: the check's margin and its sigma (by the data's slew), variance of the arrival, where it
   was launched.  The last two only where sigma counts. */
typedef struct {
  float    margin, check_sigma, variance;
  uint32_t launch;
} RowData;
/* Of the worst path. */
RowData cpu_row_data(const Timing *t, const Row *row, int edge);
/* The capturing leaf with which the worst slack of a row is credited, for an edge of its data: of a latch that of the closing edge where
   data is late for it; 0. */
uint32_t cpu_row_leaf(const Timing *t, const Row *row, int edge);
uint32_t cpu_row_leaf_of(const Timing *t, const Row *row, int edge, const RowData *data);
/* Required time that a row asks of an edge of its data, ps after the launching edge; *has: whether it does. */
float cpu_row_required(const Timing *t, RowId row, int edge, bool *has);
float cpu_row_required_of(const Timing *t, RowId row, int edge, const RowData *data, bool *has);
/* Slack of the worst path to a row for an edge of its data; NO_SLACK where nothing arrives or is asked. */
#define NO_SLACK 1e30f
float cpu_row_slack(const Timing *t, RowId row, int edge, float *required);
/* How much later (late data; earlier for early) a row's required time is than plain sums of quantiles make it; 0 without sigma. */
float cpu_row_variation(const Timing *t, const Row *row, int edge);
float cpu_row_variation_of(const Timing *t, const Row *row, int edge, const RowData *data);
/* Sigma of a check's margin, of the library's tables; for data of some slew. */
float cpu_check_sigma(const Timing *t, const Check *c, int data_edge, int early_late);
float cpu_check_sigma_at(const Timing *t, const Check *c, int data_edge, int early_late, float data_slew);
/* When a latch row's data is due, for an edge of it. */
LatchTimes cpu_latch_times(const Timing *t, const Row *row, int edge);
/* What comes through an open latch, one item a launching leaf: for its output's launching edge, before the delay through
   the latch. */
typedef struct {
  float    start;
  float    most;                  /* were all that may be borrowed taken */
  uint32_t leaf;                  /* where the data was launched */
} LatchGiven;
typedef struct {
  const Timing     *t;
  const Row        *row;
  const CommonItem *items;        /* [count]; NULL: item */
  CommonItem        item;
  double            between;      /* from the data's launching edge to the opening one */
  LatchTimes        due;
  uint32_t          count, next;
} LatchPass;
LatchPass cpu_latch_passes(const Timing *t, RowId row, int edge);
bool      cpu_latch_next(LatchPass *p, LatchGiven *given);
/* Margins of all checks. */
void cpu_check_margins(Timing *t);
/* Takes over the clock arrivals that seeds count from; true when they differ from before. */
bool cpu_reference_pass(Timing *t);
/* So many passes at most; half-way a leap (cpu_latch.c). */
enum { LATCH_PASSES = 100 };
/* Works out what latches pass on; true when that differs from before. */
bool cpu_latch_pass(Timing *t);
/* A check's margin for an edge of its data; false when the library has none. */
bool cpu_check_margin(const Timing *t, const Check *c, int data_edge, int early_late, float *margin);
/* The same for data of some slew. */
bool cpu_check_margin_at(const Timing *t, const Check *c, int data_edge, int early_late, float data_slew, float *margin);

/* Capacitance of a slot's pin by condition, fF: the library's or what constraints put on a port. */
Cond4 cpu_pin_cap(const Timing *t, Slot slot);
/* Does a driver's own pin (or what set_load put on an input port) count? Not in the contest's
   Elmore model, but for inout pins, which are loads as well. */
bool  cpu_own_cap_counts(const Timing *t, Slot driver);
/* What the driver's own pin is of the load that it sees: none where the delay model leaves it out, but for parasitics
   whose capacitances hold it. */
Cond4 cpu_own_cap_seen(const Timing *t, Slot driver);
/* The slot whose capacitance is the driver's own: of an inout pin, its load. */
Slot  cpu_cap_slot(const Graph *g, Slot driver);
/* Capacitance of all pins of the driver's net but its own: loads and other drivers. */
Cond4 cpu_other_pins(const Timing *t, Slot driver);
/* The conditions in which set_load or set_resistance speak of a net, a bit each: there they count, not parasitics. */
uint32_t cpu_given_wires(const Timing *t, NetId net);
/* Elmore constants of a driver's loads before its tree sets those of loads that it reaches. */
void  cpu_clear_wires(Timing *t, Slot driver);

#endif
