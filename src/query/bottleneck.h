/* Cells and nets that many bad paths share. */
#ifndef SL_QUERY_BOTTLENECK_H
#define SL_QUERY_BOTTLENECK_H

#include "paths/path.h"

typedef enum { BOTTLENECK_PATHS, BOTTLENECK_ENDS, BOTTLENECK_SLACK } BottleneckCost;

typedef struct {
  int      early_late;
  uint32_t worst;            /* paths of each end point */
  double   slack_max;        /* only paths with less slack, ps */
  bool     nets;             /* nets rather than cells */
  BottleneckCost cost;
} BottleneckQuery;

typedef struct {
  uint32_t id;               /* InstId or NetId */
  PinId    pin;              /* the driver through which paths pass */
  uint32_t paths, ends;
  double   slack;            /* sum over the paths of what their slack lacks */
  double   worst;
} Bottleneck;
typedef ARRAY(Bottleneck) Bottlenecks;

/* Appends those that are on any such path, the costliest first.  *found: how many paths there
   are. */
Status query_bottlenecks(const Timing *t, const BottleneckQuery *q, Log *log, Bottlenecks *out,
                         uint32_t *found);

#endif
