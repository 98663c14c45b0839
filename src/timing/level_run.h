/* Shares the levels of a graph among threads. Each level is a step; its items are its drivers with
   the loads of their nets.

   The loads of a level are stored in the order of their drivers, so a range of drivers has a range
   of loads. A load with several drivers may need drivers of another range. A level with such loads
   is done in parts, one after another. */
#ifndef SL_TIMING_LEVEL_RUN_H
#define SL_TIMING_LEVEL_RUN_H

#include "timing/timing.h"

typedef struct { Slot driver, driver_end, load, load_end; } LevelShare;

/* parts: which to do, bit by bit; all at once, one behind the other, where the level's nets have
   one driver each. */
typedef void (*LevelWork)(void *context, LevelShare share, unsigned parts, int thread);

typedef struct {
  LevelWork work;
  void     *context;
  uint32_t  level, end;   /* levels [level, end) */
  unsigned  parts;        /* how many */
  bool      backward;
  float     cost;         /* of a driver and its loads as first taken, ns */
} LevelRun;

/* False when it was interrupted. */
bool level_run(const Timing *t, const LevelRun *run);

#endif
