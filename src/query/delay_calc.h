/* How the delay of a timing edge comes about, for reports: the engine's own solution
   (update/stage.h), and the tables around it. */
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

/* False where the library has no tables for that edge. */
bool query_arc_calc(const Timing *t, ArcId arc, uint32_t edge, int early_late, ArcCalc *c);

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
