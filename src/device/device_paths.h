/* Path search on a device: finds the k best deviations from a forest (math/deviation.h), with the
   same bits as the CPU. The header is C and C++. */
#ifndef SL_DEVICE_DEVICE_PATHS_H
#define SL_DEVICE_DEVICE_PATHS_H

#include "math/deviation.h"

typedef struct {
  const ForestState *states;
  const ForestLink  *links;
  uint32_t state_count, link_count;
} ForestArrays;

typedef struct {
  const uint32_t *root_state, *root_end;      /* [roots]; roots of one end are neighbours, and ends
                                                 ascend */
  const double   *root_slack;
  uint32_t roots, ends;
  uint32_t most, worst;                       /* the most paths in all, and of each end */
  uint32_t deviations;                        /* the most deviations in a path */
  double   greatest;                          /* the greatest slack that is wanted */
  const double *plays;                        /* [roots]; NULL: no root has a play */
} DeviationTask;

typedef struct {
  Deviation *at;                              /* best first, with all parents; the caller frees
                                                 it */
  uint32_t count, rounds;
  uint64_t expanded;
  double   upload, search, download;          /* seconds: for copying the roots, for the search, for
                                                 copying the paths */
} DeviationAnswer;

/* Operations. The first one takes a ForestArrays and copies it, once. Searches take a PathsCall and
   use this copy. */
enum { PATHS_PUT_FOREST, PATHS_SEARCH };

typedef struct {
  const DeviationTask *task;
  DeviationAnswer *out;
} PathsCall;

#endif
