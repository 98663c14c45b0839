/* End points by path group and by kind of path: between registers, from input ports, to output
   ports, from port to port. */
#ifndef SL_QUERY_SUMMARY_H
#define SL_QUERY_SUMMARY_H

#include "paths/path.h"

/* Where paths start. */
typedef enum { START_REGISTER, START_PORT, START_COUNT } StartKind;
/* Where they start and end; the bits: from a port, to a port. */
typedef enum {
  PATHS_REGISTER_TO_REGISTER,
  PATHS_INPUT_TO_REGISTER,
  PATHS_REGISTER_TO_OUTPUT,
  PATHS_INPUT_TO_OUTPUT,
  PATHS_COUNT
} PathsKind;
extern const char *const paths_names[PATHS_COUNT];

/* Arrivals of one analysis by where their paths start, as the engine works them out; and the cells
   on the worst one. */
typedef struct {
  float    v[2];             /* by edge; absent: no such path */
  uint32_t levels[2];
} StartArrival;
typedef struct {
  StartArrival *of[START_COUNT];      /* by node */
} StartArrivals;
void query_start_arrivals(const Timing *t, int early_late, StartArrivals *out);
void start_arrivals_free(StartArrivals *a);

typedef struct {
  uint32_t ends, violations, levels;  /* levels: cells between start and end of the worst path */
  double   worst, total;              /* total: of the negative worst slacks of the end points */
  PinId    pin;                       /* the worst end point */
} PathsSummary;

typedef struct {
  PathGroup    group;
  uint8_t      early_late;
  PathsSummary all, kinds[PATHS_COUNT];
} GroupSummary;
typedef ARRAY(GroupSummary) GroupSummaries;

/* Appends one for each path group that has end points, in the order of groups. */
void query_group_summaries(const Timing *t, int early_late, GroupSummaries *out);

#endif
