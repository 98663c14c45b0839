/* Computes the delay of one arc or wire step by step, for report_delay_calculation. It uses the
   engine's functions, so the bits are the same. Units are ps, fF and kOhm. */
#ifndef SL_QUERY_DELAY_CALC_H
#define SL_QUERY_DELAY_CALC_H

#include "update/stage.h"

typedef struct {
  ArcId    arc;
  uint32_t edge;               /* of edge_delay */
  EdgePair pair;
  int      early_late;
  LibArcId lib;                /* whose tables count */
  TableId  delay_table, slew_table;      /* slew_table: NO_TABLE where the library has none */
  float    input_slew;
  StageSteps steps;            /* before derating */
} ArcCalc;

/* Returns false if the library has no tables for that edge. */
bool query_arc_calc(const Timing *t, ArcId arc, uint32_t edge, int early_late, ArcCalc *calc);

/* The solution of current_source for an arc with a waveform (steps.edge.waves). `bend` is the shape
   s of the driver. `solution` has the time at which each level is crossed, and its effective
   capacitance (math/current_source.h). */
typedef struct {
  float      bend;
  CsLevels   levels;
  CsSolution solution;
} SourceCalc;
SourceCalc query_source_calc(const Timing *t, const ArcCalc *calc);

/* The four values of a table around a point, and where the point lies. */
typedef struct {
  float x[2], y[2];            /* slew and load (or constrained slew) of the corners; equal if the
                                  axis has one value */
  float value[2][2];
  bool  outside_x, outside_y;  /* extrapolated */
  float result;
} TableCorners;
TableCorners query_table_corners(TableView table, float x, float y);

#endif
