/* Solves drivers and loads in lanes: the functions of src/math over parallel arrays, so that the
   compiler vectorises them. The result of a lane depends only on its own inputs. */
#ifndef SL_CPU_CPU_LANES_H
#define SL_CPU_CPU_LANES_H

#include "math/driver.h"

enum { LANES = 64 };

typedef struct { float vth[LANES], vl[LANES], vh[LANES], derate[LANES]; } ThresholdLanes;

#define LANES_OF(field) float field[LANES];
typedef struct { DRIVER_SHAPE(LANES_OF) } ShapeLanes;

/* One driver solution for each lane.  Rows are [segments][LANES]. */
typedef struct {
  int   count, segments;
  /* in */
  float c_far[LANES], c_near[LANES], r_pi[LANES];
  ThresholdLanes v;
  int   ramp_base[LANES];
  float *row_x[2], *row_y[2], *row_dy[2];          /* delay, slew */
  float table_slope[2][LANES];                     /* of the same tables: cs_table_slope; only if
                                                      the model is DELAY_BY_THRESHOLD */
  /* out */
  float delay[LANES], slew[LANES], ceff[LANES];
  DriverShape shape[LANES];
} DriverLanes;

/* One load of a driver solution for each lane. */
typedef struct {
  int   count;
  ShapeLanes driver;
  ThresholdLanes v;
  float elmore[LANES], impulse_sq[LANES];             /* WireMoments */
  float delay[LANES], slew[LANES];                 /* out */
} LoadLanes;

DriverLanes *driver_lanes_new(int segments);
void driver_lanes_free(DriverLanes *lanes);
/* model: of DELAY_WAVE_MODELS; ramps: ramp tables (CornerLibs.ramps). */
void driver_lanes_solve(DriverLanes *lanes, int model, const float *ramps);
void load_lanes_solve(LoadLanes *lanes, int model);

/* Sets what the model needs of the tables at an input slew: the rows of lane i, and slopes. */
void driver_lanes_rows(DriverLanes *lanes, int i, TableView delay, TableView slew, float input_slew,
                       int model);

/* Copy lane i from and to the structs of a single solution. */
SL_HD void lanes_put_thresholds(ThresholdLanes *lanes, int i, const Thresholds *thresholds)
{
  lanes->vth[i] = thresholds->vth;
  lanes->vl[i] = thresholds->vl;
  lanes->vh[i] = thresholds->vh;
  lanes->derate[i] = thresholds->derate;
}

SL_HD Thresholds lanes_thresholds(const ThresholdLanes *lanes, int i)
{
  Thresholds v = { lanes->vth[i], lanes->vl[i], lanes->vh[i], lanes->derate[i] };
  return v;
}

SL_HD void lanes_put_shape(ShapeLanes *lanes, int i, const DriverShape *shape)
{
#define LANES_PUT_SHAPE(field) lanes->field[i] = shape->field;
  DRIVER_SHAPE(LANES_PUT_SHAPE)
}

SL_HD DriverShape lanes_shape(const ShapeLanes *lanes, int i)
{
  DriverShape s;
#define LANES_SHAPE(field) s.field = lanes->field[i];
  DRIVER_SHAPE(LANES_SHAPE)
  return s;
}

#endif
