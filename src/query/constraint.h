/* Everything that the design must meet, as one kind of result: end points by path group, pulses,
   periods and skews of clocks, transitions, loads and fan-out.

   Results come kind by kind, each in the order of pins, so that lists and sums depend neither on
   slots nor on threads. */
#ifndef SL_QUERY_CONSTRAINT_H
#define SL_QUERY_CONSTRAINT_H

#include "timing/overrides.h"
#include "paths/path.h"

typedef enum {
  CONSTRAINT_MAX_DELAY,
  CONSTRAINT_MIN_DELAY,
  CONSTRAINT_RECOVERY,
  CONSTRAINT_REMOVAL,
  CONSTRAINT_GATING_SETUP,
  CONSTRAINT_GATING_HOLD,
  CONSTRAINT_DATA_SETUP,
  CONSTRAINT_DATA_HOLD,
  CONSTRAINT_NOCHANGE_SETUP,
  CONSTRAINT_NOCHANGE_HOLD,
  CONSTRAINT_PULSE_WIDTH,
  CONSTRAINT_MIN_PERIOD,
  CONSTRAINT_MAX_SKEW,
  CONSTRAINT_MAX_SLEW,
  CONSTRAINT_MIN_SLEW,
  CONSTRAINT_MAX_CAP,
  CONSTRAINT_MIN_CAP,
  CONSTRAINT_MAX_FANOUT,
  CONSTRAINT_MIN_FANOUT,
  CONSTRAINT_MAX_AREA,
  CONSTRAINT_COUNT
} ConstraintKind;

enum { CONSTRAINT_LAST_ROW = CONSTRAINT_NOCHANGE_HOLD };   /* kinds up to here compare arrivals at
                                                              end points */

typedef enum { QUANTITY_TIME, QUANTITY_CAP, QUANTITY_NUMBER } ConstraintQuantity;
typedef struct {
  const char *name;                /* as commands and reports call it: "max_transition" */
  uint8_t quantity;
  bool    is_least;                /* the limit is a least value: slack = actual - required */
} ConstraintInfo;
extern const ConstraintInfo constraint_infos[CONSTRAINT_COUNT];
ConstraintKind constraint_of_row(PathEndType type);

/* One limit at one place.  Values in internal units; slack is negative where the limit is not
   met. */
typedef struct {
  ConstraintKind kind;
  PinId   pin;                     /* NO_PIN: the design */
  double  required, actual, slack; /* of end points: required and arrival times */
  uint8_t edge;                    /* at the pin: of the data; the edge that opens the pulse; of the
                                      larger transition */
  /* of end points: the worst row of its kind and group */
  PathGroup group;
  PathEndId   row;                     /* NO_ROW otherwise */
  /* of clock checks */
  ClockId clock;                   /* NO_CLOCK otherwise */
  PinId   reference;               /* of a skew; NO_PIN */
  uint8_t reference_edge;
  double  open, close;             /* absolute times: of the pulse's edges; of reference and pin */
  double  credit;                  /* of the clock paths to both, in actual: a pulse is so much
                                      longer, a skew less */
} Constraint;

typedef struct {
  uint32_t kinds;                  /* bit of each ConstraintKind */
  const uint8_t *pins;             /* [netlist pins]: those that count; NULL: all */
} ConstraintQuery;

/* Needs required times. */
void query_constraints(const Timing *t, const ConstraintQuery *q,
                       void (*visit)(void *data, const Constraint *c), void *data);

/* --- between the files of constraints --------------------------------------------------------- */
typedef struct {
  const Timing *t;
  const Graph  *g;
  const ConstraintQuery *q;
  void (*visit)(void *data, const Constraint *c);
  void *data;
} ConstraintVisit;

static inline bool constraint_wanted(const ConstraintVisit *v, ConstraintKind k)
{
  return v->q->kinds >> k & 1;
}
static inline bool constraint_pin_wanted(const ConstraintVisit *v, PinId p)
{
  return v->q->pins == NULL || v->q->pins[p];
}
static inline Constraint constraint_at(ConstraintKind kind, PinId pin)
{
  return (Constraint){
    .kind = kind, .pin = pin, .row = NO_ROW, .clock = NO_CLOCK, .reference = NO_PIN
  };
}
/* The library pin whose limits hold for a pin: of the cell that late analysis takes in the corner;
   NO_PORT at ports of the design. */
PortId constraint_port(const Timing *t, PinId pin);

/* What a pin itself asks, by annotation or else as an attribute of the library's port; NAN. */
float query_pin_limit(const Timing *t, Slot slot, PinId pin, PinLimit which);

/* What the library asks of a clock pin: bit 0 and 1 the width of the high and the low pulse, bit 2
   the period, bit 3 a skew. despite: reasons for being off that do not matter, ARC_OFF_... */
uint32_t query_clock_limits(const Timing *t, Slot slot, PinId pin, uint8_t despite);

void query_pulse_widths(const ConstraintVisit *v);
void query_min_periods(const ConstraintVisit *v);
void query_max_skews(const ConstraintVisit *v);
void query_slew_limits(const ConstraintVisit *v);
void query_load_limits(const ConstraintVisit *v);
void query_fanout_limits(const ConstraintVisit *v);

/* What a driver's fan-out limit is compared with: the fanout_load of its loads, of ports what
   constraints say, 1 where nothing does. */
double query_fanout_load(const Timing *t, Slot driver);

#endif
