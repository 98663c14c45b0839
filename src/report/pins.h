/* Reports on times at pins by tag, on slews, and on timing edges between pins. */
#ifndef SL_REPORT_PINS_H
#define SL_REPORT_PINS_H

#include "report/sheet.h"

typedef enum { PIN_ARRIVALS, PIN_REQUIRED, PIN_SLACKS } PinReport;

/* Writes one table for each pin, with a row for each launching edge; data and clock have separate
   rows. Times are absolute. */
void report_pin_times(const Sheet *sheet, const Timing *t, PinReport what, const Object *pins,
                      uint32_t count);
void report_pin_slews(const Sheet *sheet, const Timing *t, const Object *pins, uint32_t count);
/* Lists the timing edges (cell arcs and wires) between two pins with their delays. NO_PIN means any
   pin. */
void report_pin_edges(const Sheet *sheet, const Timing *t, PinId from, PinId to);

#endif
