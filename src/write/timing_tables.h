/* Writes tables of every pin, endpoint and arc for comparison with another timer: gzipped,
   tab-separated, in SI units. */
#ifndef SL_WRITE_TIMING_TABLES_H
#define SL_WRITE_TIMING_TABLES_H

#include "base/units.h"
#include "timing/timing.h"

typedef struct {
  const UnitSet *units;
  char separator;        /* hierarchy separator */
  int  threads;          /* 0: all */
} TimingTables;

/* Writes pins.tsv.gz, endpoints.tsv.gz (slacks in units.time) and arcs.tsv.gz into a folder, which
   is made if needed. pins.tsv.gz also has the level of each pin in the graph
   (scripts/first_difference uses it). With several scenarios each place has the worst value of all;
   arcs have the delays of each. All numbers must be on the host (NUMBERS_ALL), because several
   threads read them. Returns FAILED if a file cannot be written or if interrupted. */
Status write_timing_tables(const Timing *const *timings, uint32_t count, const TimingTables *how,
                           const char *folder, Log *log);

#endif
