/* Times at pins, by tag; slews; edges between pins. */
#ifndef SL_REPORT_PINS_H
#define SL_REPORT_PINS_H

#include "report/sheet.h"

typedef enum { PIN_ARRIVALS, PIN_REQUIRED, PIN_SLACKS } PinReport;

/* One table a pin: a row for each launching edge, data and clock apart; absolute times. */
void report_pin_times(const Sheet *s, const Timing *t, PinReport what, const Object *pins,
                      uint32_t count);
void report_pin_slews(const Sheet *s, const Timing *t, const Object *pins, uint32_t count);
/* Timing edges (cell arcs and wires) from and to pins with their delays; NO_PIN: any. */
void report_pin_edges(const Sheet *s, const Timing *t, PinId from, PinId to);

#endif
