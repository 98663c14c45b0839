/* The table of the delay models, and the rules in which they differ.

   A table model looks up delays and slews at a net's total capacitance. The loads of a driver
   inherit its merged slew. A waveform model solves each timing edge by itself if the net has
   parasitics, or a resistance that a wire load or set_resistance gives (has_rc). The waveform of
   each edge goes on to the driver's loads, where delays and slews are merged. Other nets are
   computed as with `lumped`. If there is no resistance, `ceff` gives the numbers of `lumped` too.
   The formulas of `ceff` are in math/ceff.h and math/driver.h, those of `current_source` in
   math/current_source.h.

   To add a model, add a row (doc/delay_calculation.md says what else).  Kernels and lanes are
   compiled once for each waveform model. So the compiler knows the model there, and delay_has costs
   nothing. */
#ifndef SL_MATH_DELAY_MODEL_H
#define SL_MATH_DELAY_MODEL_H

#include <math.h>

#include "math/host_device.h"

/* What a model needs to know of a net besides its total capacitance, and its rules. */
enum {
  DELAY_NEEDS_ELMORE = 1,          /* each load's Elmore constant */
  DELAY_NEEDS_IMPULSE = 2,         /* each load's squared impulse (WireMoments) */
  DELAY_NEEDS_PI = 4,              /* the driver's pi model */
  DELAY_BY_WAVE = 8,               /* a waveform model: every row of DELAY_WAVE_MODELS */
  DELAY_IMPULSE_RULE = 16,         /* for table models: the delay to a load is its Elmore constant,
                                      and the impulse rule gives its slew. In a table model without
                                      this, wires have no delay and leave the slew as it is */
  DELAY_CONTEST_RULES = 32,        /* the rules of the TAU contests: a driver's own pin is no load,
                                      slews may be negative, a load has the driver's thresholds */
  DELAY_BY_THRESHOLD = 64,         /* a driver has an effective capacitance for each threshold
                                      (CsSolution.c of math/current_source.h); reports show these */
  DELAY_PORT_EDGE = 128            /* for waveform models: from a port without a driving cell, a
                                      straight edge goes through the wire (math/current_source.h);
                                      without this the wire adds a delay and a slew of its own */
};

/* X(NAME, name, properties, cost, text).  DELAY_NAME is the model and name the user's word for it;
   cost is about how long a driver takes, ns; text describes the model in the manual. */
#define DELAY_TABLE_MODELS(X) \
  X(LUMPED, lumped, 0, 300, \
    "lumped: tables at the total capacitance, wires without delay.") \
  X(ELMORE, elmore, \
    DELAY_NEEDS_ELMORE | DELAY_NEEDS_IMPULSE | DELAY_IMPULSE_RULE | DELAY_CONTEST_RULES, 300, \
    "elmore: the same with Elmore delays and the impulse rule for slews.")
#define DELAY_RAMP_MODELS(X) \
  X(CEFF, ceff, DELAY_NEEDS_ELMORE | DELAY_NEEDS_PI, 2000, \
    "ceff: effective capacitance of the net's pi model; nets without resistance are lumped.")
#define DELAY_LEVEL_MODELS(X) \
  X(CURRENT_SOURCE, current_source, \
    DELAY_NEEDS_ELMORE | DELAY_NEEDS_IMPULSE | DELAY_NEEDS_PI | DELAY_BY_THRESHOLD \
    | DELAY_PORT_EDGE, 2000, \
    "current_source: the driver as a current source, with an effective capacitance for each " \
    "threshold; loads by mean and variance of the wire's response (doc/current_source.md). It is " \
    "the default; nets with neither parasitics nor resistance are lumped.")
#define DELAY_WAVE_MODELS(X) DELAY_RAMP_MODELS(X) DELAY_LEVEL_MODELS(X)
#define DELAY_MODELS(X) DELAY_TABLE_MODELS(X) DELAY_WAVE_MODELS(X)

#define DELAY_ID(NAME, name, properties, cost, text) DELAY_##NAME,
typedef enum { DELAY_MODELS(DELAY_ID) DELAY_MODEL_COUNT } DelayModel;
#define DELAY_DEFAULT DELAY_CURRENT_SOURCE

/* "lumped|elmore|..." and the texts one after another, for a command's options and details. */
#define DELAY_BAR_WORD(NAME, name, properties, cost, text) "|" #name
#define DELAY_MODEL_WORDS (&("" DELAY_MODELS(DELAY_BAR_WORD))[1])
#define DELAY_SPACED_TEXT(NAME, name, properties, cost, text) "  " text
#define DELAY_MODEL_TEXTS (&("" DELAY_MODELS(DELAY_SPACED_TEXT))[2])

static inline const char *delay_model_name(int model)
{
#define DELAY_NAME(NAME, name, properties, cost, text) #name,
  static const char *const names[] = { DELAY_MODELS(DELAY_NAME) };
  return names[model];
}

static inline float delay_model_cost(int model)
{
#define DELAY_COST(NAME, name, properties, cost, text) cost,
  static const float costs[] = { DELAY_MODELS(DELAY_COST) };
  return costs[model];
}

/* property: one of the DELAY_... bits above, as a constant. The compiler reduces the test to one
   bit of a constant. */
#define DELAY_SET(NAME, name, properties, cost, text) \
  | ((properties) & property ? 1u << DELAY_##NAME : 0u)
#define DELAY_WAVE_SET(NAME, name, properties, cost, text) \
  | (((properties) | DELAY_BY_WAVE) & property ? 1u << DELAY_##NAME : 0u)
SL_HD int delay_has(int model, unsigned property)
{
  unsigned models = 0u DELAY_TABLE_MODELS(DELAY_SET) DELAY_WAVE_MODELS(DELAY_WAVE_SET);
  return (int)(models >> model & 1u);
}

/* Does a model solve its waveform level by level (CsSolution of math/current_source.h), and not by
   a ramp? These are the rows of DELAY_LEVEL_MODELS. */
#define DELAY_IS(NAME, name, properties, cost, text) || model == DELAY_##NAME
SL_HD int delay_by_levels(int model) { return 0 DELAY_LEVEL_MODELS(DELAY_IS); }

/* --- tables and wires ------------------------------------------------------------------------- */
typedef struct { float delay, slew; } DelaySlew;

/* Moments of a wire's response at a load. Those that the model does not need are 0. */
typedef struct {
  float elmore;                    /* mean: the first moment */
  float impulse_sq;                /* squared impulse: the variance. If only the mean is known
                                      (*R_NET, wire loads) it is elmore squared, as of one pole */
} WireMoments;

/* Returns a driver's slew from the value of its table. */
SL_HD float delay_table_slew(int model, float slew)
{
  return delay_has(model, DELAY_CONTEST_RULES) || slew > 0 ? slew : 0;
}

/* Returns the slew after a wire by the impulse rule: slew_out^2 = slew_in^2 + impulse^2. */
SL_HD float impulse_slew(float slew, float impulse_sq)
{
  float square = slew * slew + impulse_sq;
  return square > 0 ? sqrtf(square) : 0;
}

/* Returns delay and slew of a load that inherits its driver's merged slew.

   The delay depends on the moments alone, the slew on driver_slew and impulse_sq alone. Kernels ask
   for the two separately, the delay with a slew of 0 and the slew with an Elmore constant of 0, and
   they read moments only for models with DELAY_IMPULSE_RULE (cuda/pin.h, cuda/delay.h). Both
   moments may be 0. */
SL_HD DelaySlew delay_inherit(int model, WireMoments wire, float driver_slew)
{
  int rule = delay_has(model, DELAY_IMPULSE_RULE);
  DelaySlew r;
  r.delay = rule ? wire.elmore : 0;
  r.slew = rule ? impulse_slew(driver_slew, wire.impulse_sq) : driver_slew;
  return r;
}

/* --- waveforms -------------------------------------------------------------------------------- */
/* What the loads of an edge's driver need of its solution: slew, length of the ramp (dt; 0: there
   is no waveform), poles and factors (PiDriver), crossings (WaveCrossings).  The names are those of
   `ceff`.  A model with other numbers stores them in the same fields (see CS_SHAPE): the slew in
   `slew`, and a positive number in `dt` if there is a waveform.  The CPU copies these numbers from
   the lanes of drivers to the lanes of loads.  A device passes them through its memory
   (FlatWave). */
#define DRIVER_SHAPE(X) X(slew) X(dt) X(p1) X(p2) X(k1) X(k3) X(k4) X(tl) X(tth) X(th)
#define DRIVER_SHAPE_FIELD(field) float field;
typedef struct { DRIVER_SHAPE(DRIVER_SHAPE_FIELD) } DriverShape;

#endif
