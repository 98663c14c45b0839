/* Scales libraries from their nominal point to operating conditions.

   k_process_..., k_volt_... and k_temp_... of a library give the change of a delay, a transition, a
   check or a capacitance for a change of 1 of process, voltage or temperature. The three changes
   multiply (Liberty user guide, "scaling factors"). Look-up is linear in the values of a table, so
   a scaled table is a copy with multiplied values, and kernels read it like any table.
   set_driving_cell -multiply_by uses the same copies.

   A cell uses the factors of its scaling_factors group, else those of its library. A scaled_cell
   for the current operating condition replaces the tables, capacitances and limits of the cell,
   without factors, because it was characterised there. With set_voltage or set_pvt the point is
   another one, and factors count.

   The point of an instance is that of set_pvt for it or for a block around it, else of set_voltage,
   else of the operating condition, else of the library's default condition, else the nominal
   point. */
#ifndef SL_TIMING_SCALING_H
#define SL_TIMING_SCALING_H

#include "timing/timing.h"

typedef struct Scaling {
  Map  *place;                       /* hash_pair(table, bits of the factor) -> index in pool of the
                                        copy */
  ARRAY(float) pool;
  ARRAY(float) factor;               /* [((2 * point + early_late) * groups + group) * SCALE_COUNT +
                                        ScaleKind] */
  Map  *scaled_arc, *scaled_port;    /* hash_pair(early_late, id) -> the arc or port of the
                                        scaled_cell, at point 0 */
  Map  *inst_point;                  /* InstId -> point; other instances have point 0 */
  uint32_t point_count, library_count, group_count;      /* groups: libraries, then factor_sets */
} Scaling;

/* Returns NULL if nothing is scaled. */
Scaling *scaling_new(const Graph *g, const CornerLibs *libs, const Constraints *c);
void     scaling_free(Scaling *scaling);

/* Returns a factor at the design's own point; 1 without scaling. */
float scaling_factor(const Scaling *scaling, LibraryId library, int early_late, int kind);

/* Returns the delay (or check) table of an arc at the instance that has `slot`, or its slew
   table. */
TableView scaling_arc_table(const Timing *t, Slot slot, int early_late, const LibArc *arc, int edge,
                            bool slew);
/* Returns the table of a port's driving cell. */
TableView scaling_drive_table(const Timing *t, const PortDrive *drive, int condition,
                              const LibArc *arc, bool slew);

/* scaling_point returns the point of a slot's instance, 0 without scaling.  scaling_port_cap
   returns the capacitance of a library port at a point. */
uint32_t  scaling_point(const Timing *t, Slot slot);
float     scaling_port_cap(const Timing *t, uint32_t point, PortId port, int condition, float cap);

/* Returns the library port that gives the limits of an instance's port for an analysis: the port
   itself, or that of a scaled_cell. */
PortId    scaling_limit_port(const Timing *t, Slot slot, PortId port, int early_late);
/* Returns the factor for its limits of pulse width and period (SCALE_PULSE, SCALE_PERIOD). */
float     scaling_limit_factor(const Timing *t, Slot slot, PortId port, int early_late, int kind);

static inline TableView timing_delay_table(const Timing *t, Slot slot, int early_late,
                                           const LibArc *arc, int out)
{
  if (t->scaling == NULL) return corner_libs_table(t->corner_libs, arc->delay[out]);
  return scaling_arc_table(t, slot, early_late, arc, out, false);
}

static inline TableView timing_slew_table(const Timing *t, Slot slot, int early_late,
                                          const LibArc *arc, int out)
{
  if (t->scaling == NULL) return corner_libs_table(t->corner_libs, arc->slew[out]);
  return scaling_arc_table(t, slot, early_late, arc, out, true);
}

static inline TableView timing_check_table(const Timing *t, Slot slot, int early_late,
                                           const LibArc *arc, int edge)
{
  if (t->scaling == NULL) return corner_libs_table(t->corner_libs, arc->delay[edge]);
  return scaling_arc_table(t, slot, early_late, arc, edge, false);
}

#endif
