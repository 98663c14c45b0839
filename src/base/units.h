/* Units.  Inside, everything is in ps, fF, kOhm (so R*C is time), V, mA, nW and um.
   A UnitSet says how a user or a file counts. */
#ifndef SL_BASE_UNITS_H
#define SL_BASE_UNITS_H

#include <stdbool.h>

typedef enum {
  UNIT_TIME,
  UNIT_CAPACITANCE,
  UNIT_RESISTANCE,
  UNIT_VOLTAGE,
  UNIT_CURRENT,
  UNIT_POWER,
  UNIT_DISTANCE,
  UNIT_COUNT
} UnitKind;

/* scale[k]: one unit of the user's in internal units (1 ns -> 1000). */
typedef struct {
  double scale[UNIT_COUNT];
} UnitSet;

/* ns, pF, kOhm, V, mA, nW, um. */
UnitSet units_default(void);

/* Understands "ns", "1ns", "10ps", "1.0e-3 uF"...; case of the letter after the prefix does not
   matter. False when the text is no unit of that kind. */
bool unit_parse(UnitKind kind, const char *text, double *scale);

/* One SI unit (s, F, Ohm, V, A, W, m) in internal units. */
double unit_si(UnitKind kind);

/* "1ns", "10fF": into a buffer of at least 32 bytes. */
void unit_name(UnitKind kind, double scale, char *buffer);

/* "time", "capacitance", ... */
const char *unit_kind_name(UnitKind kind);

#endif
