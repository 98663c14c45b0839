/* The state that a device backend keeps beside Timing, shared by the files device_*.c of this
   folder. */
#ifndef SL_UPDATE_DEVICE_TIMING_H
#define SL_UPDATE_DEVICE_TIMING_H

#include "update/backend.h"
#include "device/device.h"
#include "device/large_nets.h"

typedef struct DeviceTiming Dev;

struct DeviceTiming {
  const DeviceOps *ops;
  Timing  *t;
  Log     *log;
  uint32_t *reported;                /* bits of features that the log has been told of */
  Flat    *flat;                 /* NULL as device: made for the first phase that runs there */
  Numbers  numbers;
  Device  *device;
  FlatCredit *credit;            /* NULL as long as there was no credit to work out there */
  FlatFollow *follow;
  bool     trees;                /* the device has the nets' trees */
  LargeNets *large;              /* of them, those that are reduced again there; NULL: none */
  uint64_t parasitics[2];        /* their versions as the trees and `nets` have them */
  ARRAY(Slot) nets;              /* drivers whose nets have other numbers than the trees: the
                                    host's, which the CPU has worked out */
  Map     *is_net;               /* each once; NULL: none */
  uint32_t nets_there;           /* of them, how many first ones have their numbers on the device */
  bool     nets_serve;           /* in the next whole update: but for patches the device's nets are
                                    what trees would make of them */
  FlatPatches patches;           /* of the host's arrays, for the device */
  uint32_t annotated;            /* of Timing, as the flat arrays have it */
  uint32_t reruns;               /* updates after edits that ran whole on the device, since the host
                                    last had all numbers */
  bool     lost;                 /* the device failed: the CPU does the rest */
};

/* NULL: no device has numbers of these. */
static inline Dev *device_of(const Timing *t) { return t->owned[OWNER_DEVICE].data; }

/* Something has happened to groups of numbers. */
static inline void device_note(Dev *d, unsigned groups, NumbersEvent event)
{
  residency_note(&d->t->device.residency, groups, event);
}

/* Are the device's right? */
static inline bool device_has(const Dev *d, unsigned groups)
{
  return (residency_there(&d->t->device.residency) & groups) == groups;
}

/* --- device_backend.c ------------------------------------------------------------------------- */
/* The device failed: the CPU does the rest.  Returns false. */
bool device_lose(Dev *d);
/* What swaps in place have changed goes there; and the numbers of their nets, where the device has
   those of the others, or its trees are reduced again. */
bool device_send_patches(Dev *d);
/* Which of the backend's features the CPU works out in this design (0: none), whatever the
   phase. */
unsigned device_unsupported(const Timing *t);

/* --- device_follow.c: see Backend ------------------------------------------------------------- */
/* May edits be followed, as far as the flat arrays tell? */
bool device_may_follow(const Dev *d);
bool device_follows(Timing *t);
FollowEnd device_follow(Timing *t, const Slot *slots, uint32_t count, double since);

#endif
