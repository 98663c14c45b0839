/* Reports on clocks. */
#ifndef SL_REPORT_REPORT_CLOCKS_H
#define SL_REPORT_REPORT_CLOCKS_H

#include "report/sheet.h"

/* Reports properties of clocks: waveform, sources, latency, uncertainty, and how generated clocks
   are made. clocks NULL means all clocks, here and below. */
void report_clocks(const Sheet *sheet, const Object *clocks, uint32_t count);
/* With as_propagated, ideal clocks have the delays of their networks. */
void report_clock_latencies(const Sheet *sheet, const Timing *t, const Object *clocks,
                            uint32_t count, bool as_propagated);
typedef struct {
  int  check;                /* SETUP, HOLD */
  bool as_propagated;
} SkewReport;
void report_clock_skews(const Sheet *sheet, const Timing *t, const Object *clocks, uint32_t count,
                        const SkewReport *report);
/* The worst endpoint of a clock with a path that is late at any period. */
typedef struct { ClockId clock; PinId pin; double slack; } LateEnd;
typedef ARRAY(LateEnd) LateEnds;
void report_min_periods(const Sheet *sheet, const Timing *t, const Object *clocks, uint32_t count,
                        bool with_ports, LateEnds *late);

/* Reports cells, levels, registers, latencies and transitions of clock networks, and with `tree`
   every driver and register. */
void report_clock_networks(const Sheet *sheet, const Timing *t, const Object *clocks,
                           uint32_t count, bool tree);

#endif
