/* Finds cells and nets that many violating paths share. */
#ifndef SL_QUERY_BOTTLENECK_H
#define SL_QUERY_BOTTLENECK_H

#include "paths/path.h"

typedef enum { BOTTLENECK_PATHS, BOTTLENECK_ENDS, BOTTLENECK_SLACK } BottleneckCost;

typedef struct {
  int      early_late;
  uint32_t worst;            /* number of paths for each endpoint */
  double   slack_max;        /* only paths with less slack, ps */
  bool     nets;             /* find nets instead of cells */
  BottleneckCost cost;
} BottleneckQuery;

typedef struct {
  uint32_t id;               /* InstId or NetId */
  PinId    pin;              /* the driver that the worst path passes */
  uint32_t paths, ends;
  double   slack;            /* sum over the paths of what their slacks are below slack_max */
  double   worst;
} Bottleneck;
typedef ARRAY(Bottleneck) Bottlenecks;

/* Appends all cells or nets on such paths, the highest cost first. *found receives the number of
   paths. */
Status query_bottlenecks(const Timing *t, const BottleneckQuery *query, Log *log, Bottlenecks *out,
                         uint32_t *found);

#endif
