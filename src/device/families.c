/* The table of device/families.h. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "device/families.h"

#define KERNELS(name, host) FAMILY_KERNELS(name);
FAMILIES(KERNELS)

#define DEFINE(name, host) const Family name##_family = FAMILY_ROW(name, host);
FAMILIES(DEFINE)
