/* Numbers and words for the parts of a path, for reports and for properties of paths. */
#ifndef SL_REPORT_PATH_PARTS_H
#define SL_REPORT_PATH_PARTS_H

#include "paths/path.h"

/* path_fanout returns the number of loads of a driver's net; path_point_cap returns the capacitance
   that a driver sees, fF. */
uint32_t path_fanout(const Timing *t, Slot driver);
float    path_point_cap(const Timing *t, const PathPoint *point, int early_late);
const char *path_check_name(const Timing *t, const Path *path); /* "setup", "output hold", ... */

#endif
