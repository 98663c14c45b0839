/* The parts of the CPU backend, one file each.  cpu_phases.c calls them level by level;
   update/cpu_backend.c is the table of the phases. */
#ifndef SL_CPU_CPU_H
#define SL_CPU_CPU_H

#include "timing/level_run.h"
#include "timing/fronts.h"
#include "math/common_path.h"
#include "timing/derived.h"

/* The phases of Backend. */
bool cpu_forward(Timing *t);
/* The same where only the delays of marked drivers, and of those that see other slews, can have
   changed since the last update. marks: by slot; more are set. No net has several drivers. */
bool cpu_forward_marked(Timing *t, uint8_t *marks);
bool cpu_arrivals(Timing *t);
bool cpu_common_paths(Timing *t);
bool cpu_backward(Timing *t);

void cpu_reduce_nets(Timing *t, const Slot *drivers, uint32_t count);
/* Computes the arrivals of levels [level, end).  Returns false if interrupted. */
bool cpu_level_arrivals(Timing *t, uint32_t level, uint32_t end);
void cpu_end_points(Timing *t);
/* Computes required times at the starts of arcs and wires, for a share of a level. parts: 1 for the
   loads of the share, 2 for its drivers, 3 for both. */
void cpu_share_required(Timing *t, LevelShare share, unsigned parts);

/* cpu_common_credits computes the credits of the clock tree from its arrivals.  cpu_level_fronts
   computes the fronts of launches of levels [level, end).  cpu_captures computes the fronts of
   captures backward through all levels; common_required makes required times of them.  The last two
   return false if interrupted. */
void cpu_common_credits(Timing *t);
bool cpu_level_fronts(Timing *t, uint32_t level, uint32_t end);
bool cpu_captures(Timing *t);
/* Compute the fronts of launches, and of captures, at one slot.  Return true if something
   changed. */
bool cpu_slot_front(Timing *t, Slot slot);
bool cpu_slot_captures(Timing *t, Slot slot);
/* Computes required times by launches (cpu/pruned.h) for all levels.  Returns false if
   interrupted. */
bool cpu_pruned_backward(Timing *t);

/* Computes the delays of these drivers, all of one level, for incremental updates. The threads
   share them; update/incremental.h says who writes what. Loads of several drivers are settled after
   all of them. */
void cpu_driver_delays(Timing *t, const Slot *drivers, uint32_t count);
/* Computes the delays of the arcs from latch data to output, after all levels. */
void cpu_latch_delays(Timing *t);
void cpu_slot_arrival(Timing *t, Slot slot);
void cpu_slot_required(Timing *t, Slot slot);
void cpu_slot_ends(Timing *t, Slot slot);
/* Returns the clock latency that a tag without latency (Tag.bare) leaves out at its launch; the
   required time before the launch is later by as much.  0 for other tags. */
float cpu_left_out(const Timing *t, ArcId a, NodeId from_node, NodeId to_node, int condition);

/* Computes the margins of all checks. */
void cpu_check_margins(Timing *t);
/* Stores the arrivals of clocks at reference pins and at sources of generated clocks, from which
   some seeds count. Returns true if one has changed. */
bool cpu_reference_arrivals(Timing *t);
/* The largest number of sweeps over all arrivals because of latches. After half of them, latches
   whose arrivals still change pass on the most that they may borrow (cpu_latch.c). */
enum { LATCH_SWEEPS = 100 };
/* Computes the arrivals that latches pass on. Returns true if one has changed. */
bool cpu_latch_arrivals(Timing *t);
/* Sets the Elmore constants of a driver's loads to 0; its tree then sets those of the loads that it
   reaches. */
void  cpu_clear_wires(Timing *t, Slot driver);

#endif
