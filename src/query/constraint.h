/* Everything that the design must meet, as one kind of result: endpoints by path group; pulses,
   periods and skews of clocks; transitions, loads and fan-out.

   Results come kind by kind, and in the order of pins within a kind. So lists and sums depend
   neither on slots nor on threads. */
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
                                                              endpoints */

typedef enum { QUANTITY_TIME, QUANTITY_CAP, QUANTITY_NUMBER } ConstraintQuantity;
typedef struct {
  const char *name;                /* the name in commands and reports: "max_transition" */
  uint8_t quantity;
  bool    is_least;                /* the limit is a minimum: slack = actual - required */
} ConstraintInfo;
extern const ConstraintInfo constraint_infos[CONSTRAINT_COUNT];
ConstraintKind constraint_of_row(PathEndType type);

/* One limit at one place. Values are in internal units; the slack is negative if the limit is
   violated. */
typedef struct {
  ConstraintKind kind;
  PinId   pin;                     /* NO_PIN for a limit of the design */
  double  required, actual, slack; /* for endpoints: required time and arrival */
  uint8_t edge;                    /* edge at the pin: that of the data, or the one that opens the
                                      pulse. For a largest transition: the edge with the least slack
                                      against its own limit. For a least transition: the edge with
                                      the smaller transition. For loads: the edge with the larger
                                      (max) or the smaller (min) load */
  /* for endpoints: the worst path end of the kind and group */
  PathGroup group;
  PathEndId end_id;                /* else NO_PATH_END */
  /* for clock checks */
  ClockId clock;                   /* else NO_CLOCK */
  PinId   reference;               /* the other pin of a skew; else NO_PIN */
  uint8_t reference_edge;
  double  open, close;             /* absolute times of the edges of the pulse, or at reference and
                                      pin */
  double  credit;                  /* common path credit, included in `actual`: it makes a pulse
                                      longer and a skew smaller */
} Constraint;

typedef struct {
  uint32_t kinds;                  /* a bit for each ConstraintKind */
  const uint8_t *pins;             /* [netlist pins]: the pins to report; NULL means all */
  bool violated;                   /* for limits of transitions, loads and fan-out: visit only
                                      violated limits; threads share the search for these */
} ConstraintQuery;

/* The timing must have required times. */
void query_constraints(const Timing *t, const ConstraintQuery *query,
                       void (*visit)(void *data, const Constraint *constraint), void *data);

/* --- shared by the files that implement this: constraint.c, pulse_width.c, design_rules.c ----- */
typedef struct {
  const Timing *t;
  const Graph  *g;
  const ConstraintQuery *query;
  void (*visit)(void *data, const Constraint *constraint);
  void *data;
} ConstraintVisit;

static inline bool constraint_wanted(const ConstraintVisit *visit, ConstraintKind k)
{
  return visit->query->kinds >> k & 1;
}
static inline bool constraint_pin_wanted(const ConstraintVisit *visit, PinId p)
{
  return visit->query->pins == NULL || visit->query->pins[p];
}
static inline Constraint constraint_at(ConstraintKind kind, PinId pin)
{
  return (Constraint){
    .kind = kind, .pin = pin, .end_id = NO_PATH_END, .clock = NO_CLOCK, .reference = NO_PIN
  };
}
/* Returns the library pin whose limits apply to a pin: that of the cell for late analysis in the
   corner. Returns NO_PORT for ports of the design. */
PortId constraint_port(const Timing *t, PinId pin);

/* Returns the limit of a pin itself, from annotation or else from the attribute of the library's
   port; NAN if none. */
float query_pin_limit(const Timing *t, Slot slot, PinId pin, PinLimit which);

/* Returns which limits the library has for a clock pin: bits 0 and 1 for the widths of the high and
   low pulse, bit 2 for the period, bit 3 for a skew. A limit that is off is included too if every
   reason why it is off is in `despite` (ARC_OFF_...). */
uint32_t query_clock_limits(const Timing *t, Slot slot, PinId pin, uint8_t despite);

void query_pulse_widths(const ConstraintVisit *visit);
void query_min_periods(const ConstraintVisit *visit);
void query_max_skews(const ConstraintVisit *visit);
void query_slew_limits(const ConstraintVisit *visit);
void query_load_limits(const ConstraintVisit *visit);
void query_fanout_limits(const ConstraintVisit *visit);

/* Returns the fan-out load of a driver, to be compared with its limit. It is the sum of the
   fanout_load of its loads; a port counts with the value of its constraint; a load without a value
   counts 1. The column "Fanout" of report_timing counts loads instead (report/path_report.h). */
double query_fanout_load(const Timing *t, Slot driver);

#endif
