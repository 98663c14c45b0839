/* The table of all families of kernels (device/family.h), a row for each. */
#ifndef SL_DEVICE_FAMILIES_H
#define SL_DEVICE_FAMILIES_H

#include "device/device_density.h"
#include "device/device_sizing.h"
#include "device/family.h"

/* X(name, host): the kernels are in cuda/families/NAME.cu. The host runs NAME_family. `host` has
   the functions for the CPU. It is NULL if the caller has another way to do the work without a
   device, or if the emulation does it. */
#define FAMILIES(X) \
  X(levels, NULL)                /* device/device_levels.h */ \
  X(paths, NULL)                 /* device/device_paths.h */ \
  X(density, &density_host)      /* device/device_density.h */ \
  X(sizing, &sizing_host)        /* device/device_sizing.h */

#define FAMILY_NAME(name, host) extern const Family name##_family;
FAMILIES(FAMILY_NAME)
#undef FAMILY_NAME

#endif
