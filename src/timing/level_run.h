/* Shares the levels of a graph among threads. Each level is a step; its items are its drivers with
   the loads of their nets.

   The loads of a level are stored in the order of their drivers, so a range of drivers has a range
   of loads. A load with several drivers may need drivers of another range. A level with such loads
   is done in parts, one after another. */
#ifndef SL_TIMING_LEVEL_RUN_H
#define SL_TIMING_LEVEL_RUN_H

#include "timing/timing.h"

typedef struct { Slot driver, driver_end, load, load_end; } LevelShare;

/* parts: mask of the parts to do.  If the nets of the level have one driver each, all parts are
   done in one call, one after the other. */
typedef void (*LevelWork)(void *context, LevelShare share, unsigned parts, int thread);

typedef struct {
  LevelWork work;
  void     *context;
  uint32_t  level, end;   /* levels [level, end) */
  unsigned  parts;        /* number of parts */
  bool      backward;
  float     cost;         /* first estimate of the time for a driver and its loads, ns */
} LevelRun;

/* Returns false if it was interrupted. */
bool level_run(const Timing *t, const LevelRun *run);

#endif
