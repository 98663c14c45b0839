/* Tables of every pin, end point and arc for comparison with another timer: gzipped, tab-separated, SI units. */
#ifndef SL_REPORT_TIMING_TABLES_H
#define SL_REPORT_TIMING_TABLES_H

#include "base/units.h"
#include "engine/timing.h"

/* Writes pins.tsv.gz, endpoints.tsv.gz (slacks in units.time) and arcs.tsv.gz into a folder, made if need be. */
Status write_timing_tables(const Timing *t, const UnitSet *units, const char *folder, char separator, Log *log);

#endif
