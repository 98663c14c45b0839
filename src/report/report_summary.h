/* Short reports on the whole design: path groups and bottlenecks. */
#ifndef SL_REPORT_REPORT_SUMMARY_H
#define SL_REPORT_REPORT_SUMMARY_H

#include "query/bottleneck.h"
#include "report/sheet.h"

/* Reports the path groups of the analyses in the mask (bits EARLY, LATE), then design rules and
   size. */
void report_timing_summary(const Sheet *sheet, const Timing *t, unsigned analyses);
/* Writes at most `most` rows. */
void report_bottlenecks(const Sheet *sheet, const BottleneckQuery *query, const Bottlenecks *list,
                        uint32_t paths, uint32_t most);

#endif
