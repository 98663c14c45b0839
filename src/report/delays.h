/* How delays come about: nets, and one arc or wire in full. */
#ifndef SL_REPORT_DELAYS_H
#define SL_REPORT_DELAYS_H

#include "report/sheet.h"

void report_nets(const Sheet *s, const Timing *t, const Object *nets, uint32_t count);

/* analyses: mask of 1 << EARLY, 1 << LATE.  False when no arc or wire leads from one pin to the
   other. */
bool report_delay_calculation(const Sheet *s, const Timing *t, PinId from, PinId to,
                              unsigned analyses);

#endif
