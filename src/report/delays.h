/* Reports on nets, and on the delay of one arc or wire in full. */
#ifndef SL_REPORT_DELAYS_H
#define SL_REPORT_DELAYS_H

#include "report/sheet.h"

void report_nets(const Sheet *sheet, const Timing *t, const Object *nets, uint32_t count);

/* analyses is a mask of 1 << EARLY and 1 << LATE. Returns false if no arc or wire leads from one
   pin to the other. */
bool report_delay_calculation(const Sheet *sheet, const Timing *t, PinId from, PinId to,
                              unsigned analyses);

#endif
