/* Units. All numbers inside the program are in ps, fF, kOhm (so that R*C is a time), V, mA, nW and
   um. A UnitSet holds the units of a user or of a file. */
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

/* scale[k] is one of the user's units in internal units (1 ns is 1000). */
typedef struct {
  double scale[UNIT_COUNT];
} UnitSet;

/* Returns ns, pF, kOhm, V, mA, nW, um. */
UnitSet units_default(void);

/* Understands "ns", "1ns", "10ps", "1.0e-3 uF"...; the case of the letter after the prefix does not
   matter. Returns false if the text is not a unit of that kind. */
bool unit_parse(UnitKind kind, const char *text, double *scale);

/* Returns one SI unit (s, F, Ohm, V, A, W, m) in internal units. */
double unit_si(UnitKind kind);

/* Writes a name such as "1ns" or "10fF" into a buffer of at least 32 bytes. */
void unit_name(UnitKind kind, double scale, char *buffer);

/* Returns "time", "capacitance" and so on. */
const char *unit_kind_name(UnitKind kind);

#endif
