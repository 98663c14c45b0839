/* The parts of the CPU backend, one file each. cpu_backend.c calls them level by level. */
#ifndef SL_CPU_CPU_H
#define SL_CPU_CPU_H

#include "timing/level_run.h"
#include "timing/fronts.h"
#include "math/common_path.h"
#include "timing/derived.h"

/* Phases, as in Backend. */
bool cpu_forward(Timing *t);
bool cpu_arrivals(Timing *t);
bool cpu_common_paths(Timing *t);
bool cpu_backward(Timing *t);

void cpu_reduce_nets(Timing *t, const Slot *drivers, uint32_t count);
/* Of levels [level, end); false when interrupted. */
bool cpu_level_arrivals(Timing *t, uint32_t level, uint32_t end);
void cpu_end_points(Timing *t);
/* Required times before arcs and wires, of part of a level: 1, its loads; 2, its drivers. */
void cpu_share_required(Timing *t, LevelShare share, unsigned parts);

/* Credits of the clock tree from the arrivals in it, and what follows: fronts of launches, captures
   and required times. */
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

/* Margins of all checks. */
void cpu_check_margins(Timing *t);
/* Takes over the clock arrivals that seeds count from; true when they differ from before. */
bool cpu_reference_pass(Timing *t);
/* So many passes at most; half-way a leap (cpu_latch.c). */
enum { LATCH_PASSES = 100 };
/* Works out what latches pass on; true when that differs from before. */
bool cpu_latch_pass(Timing *t);
/* Elmore constants of a driver's loads before its tree sets those of loads that it reaches. */
void  cpu_clear_wires(Timing *t, Slot driver);

#endif
