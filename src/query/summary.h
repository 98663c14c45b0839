/* Summaries of endpoints by path group and by kind of path: between registers, from input ports, to
   output ports, from port to port. */
#ifndef SL_QUERY_SUMMARY_H
#define SL_QUERY_SUMMARY_H

#include "paths/path.h"

/* The kind of a path's start. */
typedef enum { START_REGISTER, START_PORT, START_COUNT } StartKind;
/* The kind of a path by start and end. The bits mean "from a port" and "to a port". */
typedef enum {
  PATHS_REGISTER_TO_REGISTER,
  PATHS_INPUT_TO_REGISTER,
  PATHS_REGISTER_TO_OUTPUT,
  PATHS_INPUT_TO_OUTPUT,
  PATHS_COUNT
} PathsKind;
extern const char *const paths_names[PATHS_COUNT];

/* The worst arrivals of one analysis by the kind of their paths' start, and the number of cells on
   the worst path. */
typedef struct {
  float    v[2];             /* by edge, ps; absent if there is no such path */
  uint32_t levels[2];
} StartArrival;
typedef struct {
  StartArrival *of[START_COUNT];      /* by node */
} StartArrivals;
void query_start_arrivals(const Timing *t, int early_late, StartArrivals *out);
void start_arrivals_free(StartArrivals *arrivals);

typedef struct {
  uint32_t ends, violations, levels;  /* levels is the number of cells on the worst path */
  double   worst, total;              /* worst slack; total of the negative worst slacks of the
                                         endpoints, ps */
  PinId    pin;                       /* the worst endpoint */
} PathsSummary;

typedef struct {
  PathGroup    group;
  uint8_t      early_late;
  PathsSummary all, kinds[PATHS_COUNT];
} GroupSummary;
typedef ARRAY(GroupSummary) GroupSummaries;

/* Appends a summary for each path group with endpoints, in the order of groups. */
void query_group_summaries(const Timing *t, int early_late, GroupSummaries *out);

#endif
