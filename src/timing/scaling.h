/* Scaling of libraries from their nominal point to operating conditions.

   A library's k_process_..., k_volt_... and k_temp_... say how much a delay, a transition, a check
   or a capacitance changes with a change of 1 of process, voltage or temperature; the changes of
   the three multiply (Liberty user guide, "scaling factors").  Look-up is linear in a table's
   values, so scaled tables are copies of tables whose values were multiplied: kernels see tables as
   they always do.  The same serves set_driving_cell -multiply_by.

   A cell's factors are those of its scaling_factors group, else its library's.  Where a scaled_cell
   of the library is for the operating condition in force, its tables, capacitances and limits stand
   in the place of the cell's, without factors: they were characterized there.  A voltage or point
   given besides (set_voltage, set_pvt) is another point, where factors count.

   The point of an instance: what set_pvt says of it or of a block it is in, else set_voltage, else
   the operating condition that was set, else the library's default condition, else its nominal
   point. */
#ifndef SL_TIMING_SCALING_H
#define SL_TIMING_SCALING_H

#include "timing/timing.h"

typedef struct Scaling {
  Map  *place;                       /* hash_pair(table, bits of the factor) -> where the copy
                                        begins in pool */
  ARRAY(float) pool;
  ARRAY(float) factor;               /* [((2 * point + early_late) * groups + group) * SCALE_COUNT +
                                        ScaleKind] */
  Map  *scaled_arc, *scaled_port;    /* hash_pair(early_late, id) -> that of a scaled_cell, at point
                                        0 */
  Map  *inst_point;                  /* InstId -> point; those not in it have point 0 */
  uint32_t point_count, library_count, group_count;      /* groups: libraries, then factor_sets */
} Scaling;

/* NULL where nothing is scaled. */
Scaling *scaling_new(const Graph *g, const CornerLibs *m, const Constraints *c);
void     scaling_free(Scaling *s);

/* A factor of the design's own point; 1 without scaling. */
float scaling_factor(const Scaling *s, LibraryId library, int early_late, int kind);

/* The delay (or check) table of an arc at an instance (by a slot of it), or its slew table. */
TableView scaling_arc_table(const Timing *t, Slot slot, int early_late, const LibArc *arc, int edge,
                            bool slew);
/* The table of a port's driving cell. */
TableView scaling_drive_table(const Timing *t, const PortDrive *drive, int condition,
                              const LibArc *arc, bool slew);

/* The point of a slot's instance, 0 without scaling; and by point and library port, a pin's
   capacitance. */
uint32_t  scaling_point(const Timing *t, Slot slot);
float     scaling_port_cap(const Timing *t, uint32_t point, PortId port, int condition, float cap);

/* The port that limits of an instance's port come from, for an analysis: the port itself, or a
   scaled_cell's. */
PortId    scaling_limit_port(const Timing *t, Slot slot, PortId port, int early_late);
/* What its limits of pulse widths and periods (SCALE_PULSE, SCALE_PERIOD) are multiplied by. */
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
