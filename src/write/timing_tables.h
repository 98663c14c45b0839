/* Tables of every pin, end point and arc for comparison with another timer: gzipped, tab-separated,
   SI units. */
#ifndef SL_WRITE_TIMING_TABLES_H
#define SL_WRITE_TIMING_TABLES_H

#include "base/units.h"
#include "timing/timing.h"

typedef struct {
  const UnitSet *units;
  char separator;        /* of names */
  int  threads;          /* 0: all */
} TimingTables;

/* Of one or several scenarios: the worst of all in each place; arcs have the delays in each. Writes
   pins.tsv.gz, endpoints.tsv.gz (slacks in units.time) and arcs.tsv.gz into a folder, made if need
   be.  All numbers of the timings are there (NUMBERS_ALL), as several threads read them. */
Status write_timing_tables(const Timing *const *timings, uint32_t count, const TimingTables *how,
                           const char *folder, Log *log);

#endif
