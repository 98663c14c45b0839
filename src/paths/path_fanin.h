/* The fan-in of a node's edge: the links that bring arrivals to it. */
#ifndef SL_PATHS_PATH_FANIN_H
#define SL_PATHS_PATH_FANIN_H

#include "paths/path.h"

typedef struct {
  Slot     slot;            /* start of the link; NO_SLOT for a seed, where the path starts */
  NodeId   node;
  uint32_t link;
  uint8_t  edge, kind;
  bool     launch;          /* the link leaves a register's clock pin or a latch's data pin; the
                               data path starts there */
  float    start;           /* for a launch: its start time relative to the launching edge of the
                               node that it reaches */
  float    delay;           /* derated delay; the arrival of a seed */
  uint32_t leaf;            /* for a launch or a seed: the leaf of the clock pin, for common path
                               credit */
} Fanin;
typedef ARRAY(Fanin) FaninList;

/* Appends the links into an edge of a node in a fixed order. */
void path_fanins(const Timing *t, PathPoint at, int early_late, FaninList *list);

#endif
