/* Numbers and words of a path's parts, for reports and for properties of paths. */
#ifndef SL_REPORT_PATH_PARTS_H
#define SL_REPORT_PATH_PARTS_H

#include "paths/path.h"

/* Loads of the net and capacitance that a driver sees. */
uint32_t path_fanout(const Timing *t, Slot driver);
float    path_point_cap(const Timing *t, const PathPoint *x, int early_late);
const char *path_check_name(const Timing *t, const Path *p);       /* "setup", "output hold", ... */

#endif
