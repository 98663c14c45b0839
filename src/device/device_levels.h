/* Levels of a graph (graph/levels.h) on a device: a family of one operation. */
#ifndef SL_DEVICE_DEVICE_LEVELS_H
#define SL_DEVICE_DEVICE_LEVELS_H

#include "graph/levels.h"

enum { LEVELS_FIND };

typedef struct {
  const LevelInput *in;
  uint32_t *level;                 /* by vertex; NO_LEVEL: on a loop or downstream of one */
} LevelsCall;

#endif
