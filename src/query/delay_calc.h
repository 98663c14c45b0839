/* One arc's or one wire's delay worked out again, step by step, for reports: the same functions as
   the engine's, so the same bits. */
#ifndef SL_QUERY_DELAY_CALC_H
#define SL_QUERY_DELAY_CALC_H

#include "timing/timing.h"

typedef struct {
  ArcId    arc;
  uint32_t edge;               /* of edge_delay */
  EdgePair pair;
  int      early_late;
  LibArcId lib;                /* whose tables count */
  TableId  delay_table, slew_table;      /* slew_table: NO_TABLE where the library has none */
  TableView delay_view, slew_view;       /* the same, scaled to the operating conditions */
  float    input_slew;
  float    load;               /* total capacitance */
  bool     has_pi, lumped;     /* a pi model; it is as good as one capacitor */
  float    c_far, c_near, r_pi;        /* far and near capacitance, resistance */
  float    rd;                 /* driver resistance; 0 where lumped */
  float    ceff;               /* capacitance that the tables were looked up with */
  bool     solved;             /* the effective capacitance was found and the waveform is a
                                  ramp's */
  Ramp     ramp;
  PiDriver driver;
  float    tl, tth, th;        /* crossings of the output waveform */
  Thresholds thresholds;
  float    delay, slew;        /* before derating */
} ArcCalc;

/* False where the library has no tables for that edge. */
bool query_arc_calc(const Timing *t, ArcId arc, uint32_t edge, int early_late, ArcCalc *c);

/* Delay and slew of a load behind an arc's driver, given the load's Elmore constant. */
typedef struct { float delay, slew; } WireCalc;
WireCalc query_wire_calc(const Timing *t, const ArcCalc *c, float elmore);

/* The four values of a table around a point, and where the point lies. */
typedef struct {
  float x[2], y[2];            /* slew and load (or constrained slew) of the corners; equal where
                                  the axis has one value */
  float value[2][2];
  bool  outside_x, outside_y;  /* extrapolated */
  float result;
} TableCorners;
TableCorners query_table_corners(TableView table, float x, float y);

#endif
