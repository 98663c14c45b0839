/* The CPU backend's parts, one file each; cpu_backend.c loops over the levels. */
#ifndef SL_ENGINE_CPU_H
#define SL_ENGINE_CPU_H

#include "engine/backend.h"
#include "math/common_path.h"

/* Phases, as in Backend. */
bool cpu_forward(Timing *t);
bool cpu_arrivals(Timing *t);
bool cpu_common_paths(Timing *t);
bool cpu_backward(Timing *t);

void cpu_reduce_nets(Timing *t, const Slot *drivers, uint32_t count);
void cpu_level_delays(Timing *t, uint32_t level);
void cpu_level_arrivals(Timing *t, uint32_t level);
void cpu_end_points(Timing *t);
void cpu_level_required(Timing *t, uint32_t level);

/* Credits of the clock tree from the arrivals in it, and what follows: fronts of launches, captures and required times. */
void cpu_common_credits(Timing *t);
void cpu_level_fronts(Timing *t, uint32_t level);
void cpu_level_captures(Timing *t, uint32_t level);
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

/* Slew at the start of an arc; clock_pin: a launching or checking arc, which at an ideal clock sees
   set_clock_transition. */
float cpu_input_slew(const Timing *t, Slot from, bool clock_pin, int condition);

/* The worst arrival for a row, credited for what its launching and capturing paths have in common. */
float cpu_row_arrival(const Timing *t, const Row *row, int edge);
/* Required time that a row asks of an edge of its data, ps after the launching edge; *has: whether it does. */
float cpu_row_required(const Timing *t, RowId row, int edge, bool *has);
/* How much later (late data; earlier for early) a row's required time is than plain sums of quantiles make it; 0 without sigma. */
float cpu_row_variation(const Timing *t, const Row *row, int edge);
/* Sigma of a check's margin, of the library's tables. */
float cpu_check_sigma(const Timing *t, const Check *c, int data_edge, int early_late);
/* Opening time of a latch row for an edge of its data; absent where no clock arrives. */
float cpu_latch_open(const Timing *t, const Row *row, int edge);
/* Until when its data may come. */
float cpu_latch_limit(const Timing *t, const Row *row, int edge);
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
  float             open, limit;
  uint32_t          capture, count, next;
} LatchPass;
LatchPass cpu_latch_passes(const Timing *t, RowId row, int edge);
bool      cpu_latch_next(LatchPass *p, LatchGiven *given);
/* Margins of all checks. */
void cpu_check_margins(Timing *t);
/* Takes over the clock arrivals that seeds count from; true when they differ from before. */
bool cpu_reference_pass(Timing *t);
/* Works out what latches pass on; true when that differs from before. */
bool cpu_latch_pass(Timing *t);
/* A check's margin for an edge of its data; false when the library has none. */
bool cpu_check_margin(const Timing *t, const Check *c, int data_edge, int early_late, float *margin);

/* Capacitance of a slot's pin by condition, fF: the library's or what constraints put on a port. */
Cond4 cpu_pin_cap(const Timing *t, Slot slot);
/* Does a driver's own pin (or what set_load put on an input port) count?  Not in the contest's Elmore model; inout pins have theirs
   as loads. */
bool  cpu_own_cap_counts(const Timing *t, Slot driver);
/* Elmore constants of a driver's loads before its tree sets those of loads that it reaches. */
void  cpu_clear_wires(Timing *t, Slot driver);

/* Work items worth a thread of their own. */
enum { PARALLEL_LEAST = 512 };

#endif
