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
  const uint32_t *root_state, *root_end;      /* [roots]; roots of one end stand together, ends
                                                 ascend */
  const double   *root_slack;
  uint32_t roots, ends;
  uint32_t most, worst;                       /* paths in all, and of each end */
  uint32_t deviations;                        /* at most so many in a path */
  double   greatest;                          /* slack */
  const double *plays;                        /* [roots]; NULL: none has any */
} DeviationTask;

typedef struct {
  Deviation *at;                              /* best first; parents are among them; to be freed */
  uint32_t count, rounds;
  uint64_t expanded;
  double   upload, search, download;          /* seconds: of roots; on the device; of the paths
                                                 found */
} DeviationAnswer;

/* Operations: they take a ForestArrays, once, whose copy the searches are in; a PathsCall. */
enum { PATHS_PUT_FOREST, PATHS_SEARCH };

typedef struct {
  const DeviationTask *task;
  DeviationAnswer *out;
} PathsCall;

#endif
