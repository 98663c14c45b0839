/* Path search on a device: the k best deviations from a forest (math/deviation.h), the same as the
   CPU finds to the bit.  C and C++. */
#ifndef SL_DEVICE_DEVICE_PATHS_H
#define SL_DEVICE_DEVICE_PATHS_H

#include "device/device.h"
#include "math/deviation.h"

#ifdef __cplusplus
extern "C" {
#endif

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

typedef struct DeviceForest DeviceForest;

typedef struct DevicePathOps {
  /* A copy of the forest; NULL: *error. */
  DeviceForest *(*open)(const ForestArrays *f, const EngineOptions *options, DeviceError *error);
  void (*close)(DeviceForest *f);
  /* False: *error. */
  bool (*search)(DeviceForest *f, const DeviationTask *task, DeviationAnswer *out,
                 DeviceError *error);
} DevicePathOps;

/* cuda_device_paths: where HAVE_CUDA is defined */
extern const DevicePathOps emulated_device_paths, cuda_device_paths;

#ifdef __cplusplus
}
#endif

#endif
