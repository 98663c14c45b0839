/* Reports on clocks. */
#ifndef SL_REPORT_CLOCKS_H
#define SL_REPORT_CLOCKS_H

#include "report/sheet.h"

/* clocks NULL: all.  Properties of clocks: waveform, sources, latency, uncertainty, how generated ones are made. */
void report_clocks(const Sheet *s, const Object *clocks, uint32_t count);
void report_clock_latencies(const Sheet *s, const Timing *t, const Object *clocks, uint32_t count);
void report_clock_skews(const Sheet *s, const Timing *t, const Object *clocks, uint32_t count, int check);
void report_min_periods(const Sheet *s, const Timing *t, const Object *clocks, uint32_t count, bool with_ports);

#endif
