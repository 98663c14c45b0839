/* Driver and load solutions in lanes: the same functions of src/math over arrays side by side, so
   that the compiler makes vectors of them.  A lane's result depends on its own inputs alone. */
#ifndef SL_CPU_CPU_LANES_H
#define SL_CPU_CPU_LANES_H

#include "math/ceff.h"

enum { LANES = 64 };

/* One driver solution a lane.  Rows are [segments][LANES]. */
typedef struct {
  int   count, segments;
  /* in */
  float c_far[LANES], c_near[LANES], r_pi[LANES];
  float vth[LANES], vl[LANES], vh[LANES], derate[LANES];
  int   ramp_base[LANES];
  float *row_x[2], *row_y[2], *row_dy[2];          /* delay, slew */
  /* out */
  float delay[LANES], slew[LANES], ceff[LANES];
  int   solved[LANES];                       /* 0: plain capacitance, loads take Elmore delays */
  PiDriver driver[LANES];
  float dt[LANES];
  float tl[LANES], tth[LANES], th[LANES];     /* crossings of the output, after t0 */
} DriverLanes;

/* One load of one driver solution a lane. */
typedef struct {
  int   count;
  float p1[LANES], p2[LANES], k1[LANES], k3[LANES], k4[LANES], dt[LANES];
  float vth[LANES], vl[LANES], vh[LANES], derate[LANES];
  float tl[LANES], tth[LANES], th[LANES];
  float elmore[LANES], driver_slew[LANES];
  float delay[LANES], slew[LANES];        /* out */
} LoadLanes;

DriverLanes *driver_lanes_new(int segments);
void driver_lanes_free(DriverLanes *l);
void driver_lanes_solve(DriverLanes *l, const float *ramps);
void load_lanes_solve(LoadLanes *l);

/* Sets lane i's rows from tables at an input slew. */
void driver_lanes_rows(DriverLanes *l, int i, TableView delay, TableView slew, float input_slew);

#endif
